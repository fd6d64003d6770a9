/*
 * Transposes in cache by tiles that are turned in registers: strips of tiles straight from the source, or, where the
 * rows of a strip would drive each other out of L1, blocks that are packed first.
 */
#include <string.h>

#include "blocking.h"
#include "checked.h"
#include "host/base/scratch.h"
#include "host/kernels.h"

enum {
    TILES_AHEAD = 2,        /* tiles before which their rows of the destination are prefetched */
    PACKED_RUN_BYTES = 256, /* of a row of the destination that are stored at once from a buffer */
    FAR_ROWS = 64,          /* of a packed block beyond L2, of bytes twice as many, */
    FAR_LEAST_BYTES = 128,  /* of each at least */
    L1_SETS = 64,
    L1_WAYS = 8,            /* lines of each that are counted on */
    FETCHED_COLUMNS = 8,    /* of the source at least whose lines in the destination are prefetched */
    STAYS_BYTES = L1_SETS * L1_WAYS * SVI_LINE / 2 /* of each side that stay in L1 anyhow */
};

/* --- straight from the source ---------------------------------------------------- */

/* How planes are walked: blocks of the source, and whether lines of the destination are prefetched. */
struct walk {
    int64_t rows, width;
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
static void block(const struct svi_tile *tile, const struct svi_matrix *m, int64_t first, struct walk walk)
{
    const int64_t end = svi_smaller(first + walk.rows, m->rows);

    if (walk.fetches)
        fetch_strip(tile, m, first);
    for (int64_t row = first; row < end; row += tile->rows) {
        if (walk.fetches && row + tile->rows < end)
            fetch_strip(tile, m, row + tile->rows);
        svi_matrix_strip(tile, m, svi_row_of_strip(tile, m, row));
    }
}

static void plane(const struct svi_tile *tile, const struct svi_matrix *m, struct walk walk)
{
    const int64_t first = svi_first_strip(tile, m);

    if (m->rows - first <= walk.rows && m->columns <= walk.width) {
        block(tile, m, first, walk);
        return;
    }
    for (int64_t j = first; j < m->rows; j += walk.rows)
        for (int64_t i = 0; i < m->columns; i += walk.width) {
            const struct svi_matrix part =
                svi_matrix_part(m, 0, m->rows, i, svi_smaller(walk.width, m->columns - i));

            block(tile, &part, j, walk);
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

/* --- by way of a buffer ------------------------------------------------------------ */

/* As many rows, but fewer columns: those are rows of the destination that are stored to at once. */
static const struct svi_tile *narrower(const struct svi_isa *isa, const struct svi_tile *tile, const struct svi_plan *p)
{
    const struct svi_tile *other = isa->narrower != NULL ? &isa->narrower->store[svi_size_of(p)] : tile;

    return other->rows == tile->rows && other->columns < tile->columns ? other : tile;
}

/* The lines in the destination of a tile of rows from column i on, if it is of the block. Not inline it would be taken
 * for nothing. */
SVI_INLINE void prefetch_rows(const struct svi_tile *tile, const struct svi_blocks *b, int64_t i)
{
    const int64_t end = svi_smaller(i + tile->columns, b->columns), nbytes = b->rows * b->blocking->item;

    for (; i < end; i++) {
        const char *row = b->dst + b->offset[i];

        for (int64_t k = 0; k < nbytes; k += SVI_LINE)
            __builtin_prefetch(row + k, 1);
        __builtin_prefetch(row + nbytes - 1, 1);
    }
}

/* Rows [row, end) of a block to L2, as far as it has them: what will be packed next may be of another's cache. */
SVI_INLINE void prefetch_source(const struct svi_blocks *b, int64_t row, int64_t end)
{
    const int64_t nbytes = b->columns * b->blocking->item;

    for (; row < svi_smaller(end, b->rows); row++)
        for (int64_t k = 0; k < nbytes; k += SVI_LINE)
            __builtin_prefetch(b->src + b->row[row] + k, 0, 2);
}

/* Each row of the destination gets a run of several lines at once. next: the next block, or NULL. */
static void store_tiles(const struct svi_tile *tile, const struct svi_blocks *b, const struct svi_blocks *next,
                        const char *buffer, int64_t pitch)
{
    const struct svi_blocking *s = b->blocking;
    const struct svi_matrix m = {b->rows, b->columns, s->item, b->dst + b->offset[0], s->columns.other, buffer, pitch};
    const int64_t step = next != NULL ? next->rows / svi_tiles_in(b->columns, tile->columns) + 1 : 0;
    int64_t row = 0;

    for (int64_t i = 0; i < m.columns; i += tile->columns, row += step) {
        if (next != NULL)
            prefetch_source(next, row, row + step);
        else
            prefetch_rows(tile, b, i + TILES_AHEAD * tile->columns);
        svi_matrix_fall(tile, &m, svi_smaller(i, m.columns - tile->columns));
    }
}

/* Blocks, now and next, and the buffer of one. */
struct packing {
    struct svi_blocks now, next;
    _Alignas(SVI_LINE) char buffer[];
};

/* far: the destination is prefetched, else the source. False: out of memory. */
static bool run_packed(struct svi_blocking *blocking, const struct svi_isa *isa, const struct svi_tile *tile, bool far,
                       const struct svi_matrix *m)
{
    const int64_t lines = (svi_axis_group_largest(&blocking->columns) * blocking->item + SVI_LINE - 1) / SVI_LINE;
    const int64_t pitch = (lines | 1) * SVI_LINE, nbytes = svi_axis_group_largest(&blocking->rows) * pitch;
    struct packing *p = svi_scratch_new(sizeof *p + (size_t)nbytes);
    struct svi_blocks *b;
    bool more;

    if (p == NULL || !svi_blocking_open(blocking)) {
        svi_scratch_free(p);
        return false;
    }
    b = &p->now;
    svi_blocks_begin(&p->next, blocking, m->dst, m->src);
    do {
        memcpy(b, &p->next, offsetof(struct svi_blocks, at));
        more = svi_blocks_next(&p->next);
        for (int64_t i = 0; far && i < TILES_AHEAD * tile->columns; i += tile->columns)
            prefetch_rows(tile, b, i);
        isa->copy_rows(p->buffer, pitch, b->src, b->row, b->rows, b->columns * blocking->item);
        store_tiles(tile, b, far ? NULL : &p->next, p->buffer, pitch);
    } while (more);
    svi_blocking_close(blocking);
    svi_scratch_free(p);
    return true;
}

/*
 * Blocks of so many rows, of so many bytes. False where all rows are those of one tile, and without memory for the
 * buffer.
 */
static bool packed(const struct svi_isa *isa, const struct svi_tile *tile, const struct svi_plan *plan,
                   const struct svi_matrix *m, int64_t rows, int64_t row_nbytes, bool far)
{
    bool taken[SVI_PLAN_NDIM] = {false};
    struct svi_blocking s = {.item = m->item};

    taken[plan->ndim - 1] = taken[plan->tile] = true;
    svi_axis_group_make(&s.rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, rows, taken);
    svi_axis_group_make(&s.columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, 0, NULL);
    if (s.rows.items <= tile->rows)
        return false;
    svi_blocking_outer(&s, plan, taken);
    s.rows.block = s.rows.unit * svi_smaller(rows / s.rows.unit, s.rows.steps);
    s.columns.block = svi_smaller(row_nbytes / m->item, s.columns.items);
    s.rows.granule = tile->rows;
    s.columns.granule = tile->columns;
    s.rows.skew = far && s.rows.unit == 1 ? -svi_first_strip(tile, m) : 0;
    return run_packed(&s, isa, tile, far, m);
}

/* --- which ---------------------------------------------------------------- */

/* Rows pitch bytes apart, most at most, a line of each of which L1 holds. */
static int64_t rows_that_stay(int64_t pitch, int64_t most)
{
    unsigned char lines[L1_SETS] = {0};

    if (svi_abs(pitch) * (uint64_t)(most - 1) < L1_SETS * L1_WAYS * SVI_LINE)
        return most;
    for (int64_t row = 0; row < most; row++)
        if (++lines[(uint64_t)(row * pitch) / SVI_LINE % L1_SETS] > L1_WAYS)
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
    if (!machine->tuning->prefetch_destination || plan->nbytes <= STAYS_BYTES || m->rows < SVI_STRIPS * tile->rows ||
        m->columns < FETCHED_COLUMNS || m->item == 1)
        return false;
    return plan->reach > (uint64_t)machine->second / 4 * 3 ||
           (stay && m->item >= 4 && m->dst_pitch % SVI_LINE != 0);
}

/* Beyond L2: long runs of the source, which come by themselves, and of the destination, which is prefetched. */
static bool packed_far(const struct svi_host_copy *c, const struct svi_tile *tile, const struct svi_matrix *m)
{
    const int64_t rows = m->item == 1 ? 2 * FAR_ROWS : FAR_ROWS;

    return c->machine->tuning->prefetch_destination && c->plan->reach > (uint64_t)c->machine->second &&
           m->columns * m->item >= FAR_LEAST_BYTES && packed(c->machine->isa, tile, c->plan, m, rows,
                  c->machine->tuning->l2_stage_bytes / rows, true);
}

static bool packed_near(const struct svi_host_copy *c, const struct svi_tile *tile, const struct svi_matrix *m)
{
    const struct svi_isa *isa = c->machine->isa;
    const int64_t rows = PACKED_RUN_BYTES / m->item;

    return packed(isa, narrower(isa, tile, c->plan), c->plan, m, rows,
                  c->machine->tuning->cached_stage_bytes / rows - SVI_LINE, false);
}

bool svi_tiles_cached(const struct svi_host_copy *c)
{
    const struct svi_machine *machine = c->machine;
    const struct svi_plan *plan = c->plan;
    const struct svi_tile *tile = svi_tile_of(c);
    const struct svi_matrix m = svi_matrix_of(c);
    const int64_t line = SVI_LINE / m.item, width = machine->tuning->cached_block_row_bytes / m.item;
    const int64_t most = svi_smaller(width, m.columns);
    int64_t stay = most;
    struct walk walk = {.rows = machine->tuning->cached_block_rows};

    if (packed_far(c, tile, &m))
        return true;
    if (plan->nbytes > STAYS_BYTES)
        stay = rows_that_stay(m.dst_pitch, most);
    if (stay < svi_smaller(line, m.columns) && packed_near(c, tile, &m))
        return true;
    walk.width = stay == most ? width : line;
    walk.fetches = fetches(machine, tile, plan, &m, stay == most);
    if (stay < svi_smaller(2 * line, most) && rows_go_on(plan))
        by_columns(tile, plan, &m, walk);
    else
        direct(tile, plan, &m, walk);
    return true;
}
