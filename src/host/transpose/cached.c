/* Transposes in cache. */
#include "checked.h"
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"
#include "host/base/scratch.h"
#include "axis_group.h"

enum {
    BLOCK_ROWS = 64,   /* of the source: its rows of the destination stay near */
    BLOCK_BYTES = 256, /* of each */
    RUN = 256,         /* bytes of a row of the destination that are written at once from a buffer */
    STAGE = 32768,     /* bytes of it */
    FAR_ROWS = 64,     /* the same from behind the second cache: rows of the source, of bytes twice as many, */
    FAR_STAGE = 65536, /* bytes of them, with a line more for each, */
    FAR_LEAST = 128,   /* of each at least, */
    FAR_AHEAD = 2,     /* and tiles before which their rows of the destination are fetched */
    SETS = 64,         /* of the first cache, and lines of each that are counted on */
    WAYS = 8,
    FETCHED_COLUMNS = 8, /* of the source at least whose lines in the destination are fetched */
    SMALL = SETS * WAYS * SVI_LINE / 2 /* bytes of each side that stay there anyhow */
};

/* --- from where the source lies --------------------------------------------- */

/* How planes are walked: so many columns at a time, and whether lines of the destination are fetched before. */
struct walk {
    int64_t width;
    bool fetches;
};

/* The line of each row that a strip writes last. */
SVI_INLINE void fetch_strip(const struct svi_tile *tile, const struct svi_matrix *m, int64_t row)
{
    const char *end = m->dst + (svi_row_of_strip(tile, m, row) + tile->rows) * m->item - 1;

    for (int64_t i = 0; i < m->columns; i++, end += m->dst_pitch)
        __builtin_prefetch(end, 1);
}

/* One block of strips from a row on, which may be before the first. */
static void block(const struct svi_tile *tile, const struct svi_matrix *m, int64_t first, bool fetches)
{
    const int64_t end = svi_smaller(first + BLOCK_ROWS, m->rows);

    if (fetches)
        fetch_strip(tile, m, first);
    for (int64_t row = first; row < end; row += tile->rows) {
        if (fetches && row + tile->rows < end)
            fetch_strip(tile, m, row + tile->rows);
        svi_matrix_strip(tile, m, svi_row_of_strip(tile, m, row));
    }
}

static void plane(const struct svi_tile *tile, const struct svi_matrix *m, struct walk walk)
{
    const int64_t first = svi_first_strip(tile, m);

    if (m->rows - first <= BLOCK_ROWS && m->columns <= walk.width) {
        block(tile, m, first, walk.fetches);
        return;
    }
    for (int64_t j = first; j < m->rows; j += BLOCK_ROWS)
        for (int64_t i = 0; i < m->columns; i += walk.width) {
            const struct svi_matrix part =
                svi_matrix_part(m, 0, m->rows, i, svi_smaller(walk.width, m->columns - i));

            block(tile, &part, j, walk.fetches);
        }
}

static void direct(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *first,
                   struct walk walk)
{
    struct svi_matrix m = *first;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->tile, m.dst, m.src);
    do {
        m.dst = outer.dst;
        m.src = outer.src;
        plane(tile, &m, walk);
    } while (svi_odometer_next(&outer));
}

/* The same, some columns of all planes after the others. */
static void by_columns(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                       struct walk walk)
{
    for (int64_t i = 0; i < m->columns; i += walk.width) {
        const struct svi_matrix part = svi_matrix_part(m, 0, m->rows, i, svi_smaller(walk.width, m->columns - i));

        direct(tile, plan, &part, walk);
    }
}

/* --- by way of a buffer ------------------------------------------------------- */

/* Where rows of the source go first. */
struct stage {
    char *buffer;
    int64_t nbytes; /* of it */
    int64_t rows;
    int64_t width, pitch; /* bytes of each, and from one to the next: an odd number of lines */
    bool far;             /* the destination is fetched, or else the source */
};

/* Rows of the block after this one, which are fetched meanwhile: the cache may be others' as well. */
struct ahead {
    const char *src;
    const int64_t *offset;
    int64_t left;   /* rows */
    int64_t nbytes; /* of each */
};

static void fetch(struct ahead *ahead, int64_t rows)
{
    for (; rows > 0 && ahead->left > 0; rows--, ahead->left--, ahead->offset++)
        for (int64_t k = 0; k < ahead->nbytes; k += SVI_LINE)
            __builtin_prefetch(ahead->src + *ahead->offset + k, 0, 2);
}

/* What columns from i on are stored to, as far as they are of the block. Not inline it would be taken for nothing. */
SVI_INLINE void fetch_rows(const struct svi_matrix *m, int64_t i, int64_t columns)
{
    const int64_t nbytes = m->rows * m->item;

    for (const int64_t end = svi_smaller(i + columns, m->columns); i < end; i++) {
        for (int64_t k = 0; k < nbytes; k += SVI_LINE)
            __builtin_prefetch(m->dst + i * m->dst_pitch + k, 1);
        __builtin_prefetch(m->dst + i * m->dst_pitch + nbytes - 1, 1);
    }
}

/* Each row of the destination gets runs of several lines at once. m: with the source in the buffer. */
static void empty(const struct svi_tile *tile, const struct svi_matrix *m, struct ahead *ahead, bool far)
{
    const int64_t step = ahead->left / svi_tiles_in(m->columns, tile->columns) + 1;

    for (int64_t i = 0; i < m->columns; i += tile->columns) {
        if (far)
            fetch_rows(m, i + FAR_AHEAD * tile->columns, tile->columns);
        else
            fetch(ahead, step);
        svi_matrix_fall(tile, m, svi_smaller(i, m->columns - tile->columns));
    }
}

/* What comes after the block at step j and column i. */
static struct ahead next_block(const struct svi_side *rows, const struct svi_matrix *m, int64_t j, int64_t i,
                               int64_t pitch)
{
    const bool turns = i + pitch / m->item >= m->columns;
    const int64_t step = turns ? j + rows->block / rows->unit : j, column = turns ? 0 : i + pitch / m->item;
    struct ahead ahead = {.offset = rows->offset};

    if (step < rows->steps) {
        ahead.src = m->src + step * rows->other + column * m->item;
        ahead.left = svi_smaller(rows->block, (rows->steps - step) * rows->unit);
        ahead.nbytes = svi_smaller(pitch, (m->columns - column) * m->item);
    }
    return ahead;
}

/* Where the last rows or columns are less than a tile, those before them come again. */
static void blocks(const struct svi_isa *isa, const struct svi_tile *tile, const struct stage *stage,
                   const struct svi_side *rows, const struct svi_matrix *m)
{
    const int64_t width = stage->width / m->item, steps = rows->block / rows->unit;
    const int64_t last = rows->steps - (tile->rows + rows->unit - 1) / rows->unit;
    const int64_t first = stage->far && rows->run == m->item ? svi_first_strip(tile, m) : 0;
    struct svi_matrix block = {
        .item = m->item, .dst_pitch = m->dst_pitch, .src = stage->buffer, .src_pitch = stage->pitch};

    for (int64_t j = first; j < rows->steps; j += steps)
        for (int64_t i = 0; i < m->columns; i += width) {
            const int64_t row = j < 0 ? 0 : svi_smaller(j, last), column = svi_smaller(i, m->columns - tile->columns);
            struct ahead ahead = next_block(rows, m, j, i, stage->width);

            block.rows = (svi_smaller(j + steps, rows->steps) - row) * rows->unit;
            block.columns = svi_smaller(i + width, m->columns) - column;
            block.dst = m->dst + row * rows->run + column * m->dst_pitch;
            if (stage->far)
                fetch_rows(&block, 0, FAR_AHEAD * tile->columns);
            isa->copy_rows(stage->buffer, stage->pitch, m->src + row * rows->other + column * m->item, rows->offset,
                           block.rows, block.columns * m->item);
            empty(tile, &block, &ahead, stage->far);
        }
}

static void buffered(const struct svi_isa *isa, const struct svi_tile *tile, const struct stage *stage,
                     const struct svi_side *rows, const struct svi_plan *plan, const bool *taken,
                     const struct svi_matrix *first)
{
    struct svi_matrix m = *first;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim, -1, m.dst, m.src);
    for (int32_t k = plan->ndim - 1; k >= 0; k--)
        if (taken[k])
            svi_odometer_take(&outer, k);
    do {
        m.dst = outer.dst;
        m.src = outer.src;
        blocks(isa, tile, stage, rows, &m);
    } while (svi_odometer_next(&outer));
}

/* As many rows, but fewer columns: those are rows of the destination that are written at once. */
static const struct svi_tile *narrower(const struct svi_isa *isa, const struct svi_tile *tile, int64_t item)
{
    const struct svi_tile *other = tile;

    if (isa->narrower != NULL)
        other = &isa->narrower->store[__builtin_ctzll((unsigned long long)item)];
    return other->rows == tile->rows && other->columns < tile->columns ? other : tile;
}

/* False where all rows are those of one tile. */
static bool with_rows(const struct svi_isa *isa, const struct svi_tile *tile, const struct stage *stage,
                      struct svi_side *rows, const struct svi_plan *plan, const struct svi_matrix *m)
{
    bool taken[SVI_PLAN_NDIM] = {false};

    taken[plan->ndim - 1] = taken[plan->tile] = true;
    svi_side_make(rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, stage->rows, taken);
    if (rows->steps * rows->unit <= tile->rows)
        return false;
    svi_side_cut_units(rows, stage->rows);
    buffered(isa, tile, stage, rows, plan, taken, m);
    return true;
}

/* False there, and where there is no memory for the stage. */
static bool by_stage(const struct svi_isa *isa, const struct svi_tile *tile, struct stage *stage,
                     const struct svi_plan *plan, const struct svi_matrix *m)
{
    struct scratch {
        struct svi_side rows;
        _Alignas(SVI_LINE) char buffer[];
    } *scratch = svi_scratch_new(sizeof *scratch + (size_t)stage->nbytes);
    bool done;

    if (scratch == NULL)
        return false;
    stage->buffer = scratch->buffer;
    done = with_rows(isa, tile, stage, &scratch->rows, plan, m);
    svi_scratch_free(scratch);
    return done;
}

static bool by_buffer(const struct svi_isa *isa, const struct svi_tile *tile, const struct svi_plan *plan,
                      const struct svi_matrix *m)
{
    const int64_t rows = RUN / m->item, pitch = STAGE / rows - SVI_LINE;
    struct stage stage = {NULL, rows * pitch, rows, pitch, pitch, false};

    return by_stage(isa, narrower(isa, tile, m->item), &stage, plan, m);
}

/* Long runs of the source, which come by themselves, and of the destination, which is fetched. */
static bool by_far_buffer(const struct svi_isa *isa, const struct svi_tile *tile, const struct svi_plan *plan,
                          const struct svi_matrix *m)
{
    const int64_t rows = m->item == 1 ? 2 * FAR_ROWS : FAR_ROWS, width = FAR_STAGE / rows;
    struct stage stage = {NULL, rows * (width + SVI_LINE), rows, width, width + SVI_LINE, true};

    return by_stage(isa, tile, &stage, plan, m);
}

/* --- which ---------------------------------------------------------------- */

/* Rows pitch bytes apart, most at most, a line of each of which the first cache holds. */
static int64_t rows_that_stay(int64_t pitch, int64_t most)
{
    unsigned char lines[SETS] = {0};

    if (svi_abs(pitch) * (uint64_t)(most - 1) < SETS * WAYS * SVI_LINE)
        return most;
    for (int64_t row = 0; row < most; row++)
        if (++lines[(uint64_t)(row * pitch) / SVI_LINE % SETS] > WAYS)
            return row;
    return most;
}

/* Whether rows of the destination go on from plane to plane. */
static bool rows_go_on(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return last > 1 && plan->dst[last - 1] == plan->shape[last] * plan->item;
}

/* Intel's processors store to two lines at once slowly, unless they have both. stay: all lines of a block do. */
static bool fetches(const struct svi_machine *machine, const struct svi_tile *tile, const struct svi_plan *plan,
                    const struct svi_matrix *m, bool stay)
{
    if (!machine->tuning->prefetch_destination || plan->nbytes <= SMALL || m->rows < SVI_STRIPS * tile->rows ||
        m->columns < FETCHED_COLUMNS || m->item == 1)
        return false;
    return plan->reach > (uint64_t)machine->second / 4 * 3 ||
           (stay && m->item >= 4 && m->dst_pitch % SVI_LINE != 0);
}

void svi_host_near(const struct svi_machine *machine, const struct svi_tile *tile, const struct svi_plan *plan,
                   const struct svi_matrix *m)
{
    const int64_t line = SVI_LINE / m->item, most = svi_smaller(BLOCK_BYTES / m->item, m->columns);
    int64_t stay = most;
    struct walk walk;

    if (machine->tuning->prefetch_destination && plan->reach > (uint64_t)machine->second &&
        m->columns * m->item >= FAR_LEAST && by_far_buffer(machine->isa, tile, plan, m))
        return;
    if (plan->nbytes > SMALL)
        stay = rows_that_stay(m->dst_pitch, most);
    if (stay < svi_smaller(line, m->columns) && by_buffer(machine->isa, tile, plan, m))
        return;
    walk.width = stay == most ? BLOCK_BYTES / m->item : line;
    walk.fetches = fetches(machine, tile, plan, m, stay == most);
    if (stay < svi_smaller(2 * line, most) && rows_go_on(plan))
        by_columns(tile, plan, m, walk);
    else
        direct(tile, plan, m, walk);
}
