/*
 * Two axes by the tiles of the instruction set: one that is a run in the source
 * (its rows), one that is a run in the destination (its rows are columns of the
 * source). Elsewhere there are too few items for a tile, or no tiles: svi_host_tile.
 */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

struct matrix {
    int64_t rows, columns; /* of the source */
    int64_t item;
    char *dst;
    int64_t dst_pitch; /* a column of the source is a row of the destination */
    const char *src;
    int64_t src_pitch;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static struct matrix part(const struct matrix *m, int64_t row, int64_t rows, int64_t column, int64_t columns)
{
    struct matrix p = *m;

    p.rows = rows;
    p.columns = columns;
    p.dst += column * m->dst_pitch + row * m->item;
    p.src += row * m->src_pitch + column * m->item;
    return p;
}

/* One strip of tiles; what is left over is in a tile that is moved back, over what others write as well. */
static void strip(const struct svi_tile *tile, const struct matrix *m, int64_t row, int64_t column, int64_t columns)
{
    struct matrix p = part(m, row, tile->rows, column, columns);

    tile->run(p.dst, p.dst_pitch, p.src, p.src_pitch, columns / tile->columns);
    if (columns % tile->columns != 0) {
        p = part(m, row, tile->rows, column + columns - tile->columns, tile->columns);
        tile->run(p.dst, p.dst_pitch, p.src, p.src_pitch, 1);
    }
}

/* --- in cache ------------------------------------------------------------- */

enum { STORE_ROWS = 64, STORE_BYTES = 256 }; /* a block of the source: its rows of the destination stay near */

static void store(const struct svi_tile *tile, const struct matrix *m)
{
    const int64_t width = STORE_BYTES / m->item;

    for (int64_t j = 0; j < m->rows; j += STORE_ROWS)
        for (int64_t i = 0; i < m->columns; i += width) {
            const int64_t end = smaller(j + STORE_ROWS, m->rows);

            for (int64_t row = j; row < end; row += tile->rows)
                strip(tile, m, smaller(row, m->rows - tile->rows), i, smaller(width, m->columns - i));
        }
}

/* --- past the cache ------------------------------------------------------- */

enum {
    PACK = 16384,     /* bytes of a block of the source */
    BLOCK_ROWS = 128, /* at most */
    GAP = SVI_LINE,   /* between rows of the buffer, against aliasing */
    ALIASED = 4096    /* bytes between lines that share a set of the first cache */
};

static int64_t block_rows(const struct matrix *m)
{
    return m->item < 8 || m->src_pitch % ALIASED != 0 ? BLOCK_ROWS : BLOCK_ROWS / 2;
}

/* Lines of the next block, row by row; into the second cache where rows of the source compete for places in the first. */
struct ahead {
    const char *row;
    int64_t at, width, pitch;
    bool second;
};

static void fetch(struct ahead *next, int64_t lines)
{
    for (; lines > 0; lines--) {
        if (next->second)
            __builtin_prefetch(next->row + next->at, 0, 2);
        else
            __builtin_prefetch(next->row + next->at, 0, 3);
        next->at += SVI_LINE;
        if (next->at >= next->width) {
            next->at = 0;
            next->row += next->pitch;
        }
    }
}

static void stream_block(const struct svi_isa *isa, const struct svi_tile *tile, const struct matrix *m,
                         struct ahead *next)
{
    _Alignas(SVI_LINE) char buffer[PACK + BLOCK_ROWS * GAP];
    const int64_t width = m->columns * m->item, pitch = width + GAP;

    isa->pack(buffer, pitch, m->src, m->src_pitch, m->rows, width);
    for (int64_t i = 0; i < m->columns; i += tile->columns)
        for (int64_t j = 0; j < m->rows; j += tile->rows) {
            fetch(next, tile->columns);
            tile->run(m->dst + i * m->dst_pitch + j * m->item, m->dst_pitch, buffer + j * pitch + i * m->item, pitch,
                      1);
        }
}

/* Whole lines of both sides. */
static void stream_blocks(const struct svi_isa *isa, const struct svi_tile *tile, const struct matrix *m)
{
    const int64_t rows = block_rows(m), columns = PACK / rows / m->item;

    for (int64_t j = 0; j < m->rows; j += rows)
        for (int64_t i = 0; i < m->columns; i += columns) {
            struct matrix block = part(m, j, smaller(rows, m->rows - j), i, smaller(columns, m->columns - i));
            struct ahead next = {block.src + block.columns * m->item, 0, block.columns * m->item, m->src_pitch,
                                 m->src_pitch % ALIASED == 0};

            stream_block(isa, tile, &block, &next);
        }
}

/* Rows of the destination begin within a line, at the same place of it: first comes what fills that line. */
static void stream(const struct svi_isa *isa, const struct svi_tile *near, const struct matrix *m)
{
    const struct svi_tile *tile = &isa->stream[near - isa->store];
    const int64_t line = SVI_LINE / m->item, head = (int64_t)(-(uintptr_t)m->dst % SVI_LINE) / m->item;
    const int64_t body = (m->rows - head) / line * line, tail = m->rows - head - body;
    const int64_t columns = m->columns / line * line;
    struct matrix lines = part(m, head, body, 0, columns);

    stream_blocks(isa, tile, &lines);
    if (columns < m->columns)
        for (int64_t j = head; j < head + body; j += tile->rows)
            strip(tile, m, j, columns, m->columns - columns);
    for (int64_t j = 0; j < head; j += near->rows)
        strip(near, m, j, 0, m->columns);
    for (int64_t j = m->rows - tail; j < m->rows; j += near->rows)
        strip(near, m, smaller(j, m->rows - near->rows), 0, m->columns);
    isa->fence();
}

/* --- past the cache, where rows of the destination begin anywhere in a line - */

enum {
    SIDE = 64,         /* columns staged together; bytes have twice as many */
    RUN = 512,         /* bytes of each that a block adds, at most */
    RAGGED_ROWS = 128, /* of a block, at most */
    STRIP = 16,        /* rows staged at a time where there are no tiles */
    STAGE = SIDE * (RUN + 2 * SVI_LINE) /* bytes */
};

/* Rows [row, row + count) of m go to the buffer, whose rows are pitch apart. */
static void stage_strip(const struct svi_tile *tile, const struct matrix *m, int64_t row, int64_t count)
{
    struct svi_plan plan;
    struct matrix p;

    if (tile != NULL) {
        strip(tile, m, row, 0, m->columns);
        return;
    }
    p = part(m, row, count, 0, m->columns);
    plan.ndim = 2;
    plan.tile = 0;
    plan.item = m->item;
    plan.shape[0] = p.columns, plan.shape[1] = p.rows;
    plan.dst[0] = p.dst_pitch, plan.dst[1] = m->item;
    plan.src[0] = m->item, plan.src[1] = p.src_pitch;
    svi_host_tile(NULL, &plan, p.dst, p.src);
}

static char *line_of(char *address)
{
    return address - (uintptr_t)address % SVI_LINE;
}

/*
 * Rows [from, to) of m's columns, the lines that are complete with them: first
 * come those rows again whose items are in the line that from is in.
 */
static void ragged_block(const struct svi_isa *isa, const struct svi_tile *tile, const struct matrix *m, int64_t from,
                         int64_t to, struct ahead *next)
{
    _Alignas(SVI_LINE) char buffer[STAGE];
    const int64_t again = (SVI_LINE + m->item - 1) / m->item, begin = from > again ? from - again : 0;
    const int64_t step = tile != NULL ? tile->rows : STRIP, lines = next->width / SVI_LINE;
    struct matrix staged = part(m, begin, to - begin, 0, m->columns);

    staged.dst = buffer;
    staged.dst_pitch = STAGE / (m->item < 2 ? 2 * SIDE : SIDE);
    for (int64_t row = 0; row < staged.rows; row += step) {
        fetch(next, step * lines);
        stage_strip(tile, &staged, tile != NULL ? smaller(row, staged.rows - step) : row,
                    smaller(step, staged.rows - row));
    }
    for (int64_t i = 0; i < m->columns; i++) {
        char *line = m->dst + i * m->dst_pitch, *first = line + begin * m->item;
        char *start = from > 0 ? line_of(line + from * m->item) : line;
        char *end = to < m->rows ? line_of(line + to * m->item) : line + to * m->item;

        isa->stream_copy(start, staged.dst + i * staged.dst_pitch + (start - first), (size_t)(end - start));
    }
}

static void ragged(const struct svi_isa *isa, const struct svi_tile *tile, const struct matrix *m)
{
    const int64_t rows = m->item > 4 ? RUN / m->item : RAGGED_ROWS;
    const int64_t columns = smaller(m->item < 2 ? 2 * SIDE : SIDE, m->columns);

    for (int64_t j = 0; j < m->rows; j += rows)
        for (int64_t i = 0; i < m->columns; i += columns) {
            struct matrix block = part(m, 0, m->rows, smaller(i, m->columns - columns), columns);
            const char *corner = block.src + j * m->src_pitch + columns * m->item;
            struct ahead next = {corner, 0, columns * m->item, m->src_pitch, true}; /* the first is full */

            ragged_block(isa, tile, &block, j, smaller(j + rows, m->rows), &next);
        }
    isa->fence();
}

/* --- all of it ------------------------------------------------------------ */

/* Whether every row of the destination can be written in whole lines, but its ends. */
static bool has_lines(const struct matrix *m)
{
    return m->dst_pitch % SVI_LINE == 0 && (uintptr_t)m->dst % (uintptr_t)m->item == 0 &&
           m->rows >= 2 * SVI_LINE / m->item;
}

/* The widest set of tiles that fit; NULL when none does. */
static const struct svi_isa *isa_for(const struct svi_isa *isa, const struct matrix *m, int size)
{
    if (m->item & (m->item - 1))
        return NULL;
    while (isa != NULL && (m->rows < isa->store[size].rows || m->columns < isa->store[size].columns ||
                           isa->store[size].rows == 0))
        isa = isa->narrower;
    return isa;
}

static bool is_matrix(const struct svi_plan *plan)
{
    const int64_t item = plan->item, step = plan->src[plan->tile];

    return plan->dst[plan->ndim - 1] == item && (step == item || step == -item);
}

static bool is_large(const struct matrix *m)
{
    return m->rows * m->item >= 4 * SVI_LINE && m->columns * m->item >= SVI_LINE;
}

/* Rows of the source that run backwards are taken from their other end. */
static struct matrix matrix_of(const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t i = plan->tile, j = plan->ndim - 1;
    const int64_t end = plan->src[i] < 0 ? plan->shape[i] - 1 : 0;

    return (struct matrix){
        .rows = plan->shape[j],
        .columns = plan->shape[i],
        .item = plan->item,
        .dst = dst + end * plan->dst[i],
        .dst_pitch = plan->src[i] < 0 ? -plan->dst[i] : plan->dst[i],
        .src = src + end * plan->src[i],
        .src_pitch = plan->src[j],
    };
}

/* tiles: those of the item's size, or NULL. */
static void plane(const struct svi_machine *machine, const struct svi_isa *tiles, int size, bool past_cache,
                  const struct matrix *m)
{
    if (past_cache && tiles != NULL && has_lines(m))
        stream(tiles, &tiles->store[size], m);
    else if (past_cache && is_large(m))
        ragged(machine->isa, tiles != NULL ? &tiles->store[size] : NULL, m);
    else
        store(&tiles->store[size], m);
}

void svi_host_transpose(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const int size = __builtin_ctzll((unsigned long long)plan->item);
    const bool past_cache = machine->isa->stream_copy != NULL && svi_is_past_cache(machine, plan);
    struct matrix m = matrix_of(plan, dst, src);
    const struct svi_isa *tiles = isa_for(machine->isa, &m, size);
    struct svi_odometer outer;

    if (!is_matrix(plan) || (tiles == NULL && !(past_cache && is_large(&m)))) {
        svi_host_tile(machine, plan, dst, src);
        return;
    }
    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->tile, m.dst, m.src);
    do {
        m.dst = outer.dst;
        m.src = outer.src;
        plane(machine, tiles, size, past_cache, &m);
    } while (svi_odometer_next(&outer));
}
