/*
 * Transposes in cache by strips of register tiles. If rows of the destination share few sets of L1, fewer of them are
 * written at a time. Processors that pack such rows (packed_tiles.c) do so only for copies up to about L2.
 */
#include "base/checked.h"
#include "host/transpose/blocking.h"
#include "host/loop/loop.h"
#include "host/base/memory_hints.h"
#include "host/transpose/transpose.h"
#include "host/transpose/cached.h"

/* Measured: doc/internals/copy_experiments.md#transposes-in-cache. */
enum {
    L1_SETS = 64, /* sets of L1 */
    L1_WAYS = 8, /* lines of a set that a block may use */
    MIN_WIDE_ITEM_BYTES = 8, /* bytes of an element whose tiles take less time than fetching lines from L2 again */
    MIN_FETCHED_COLUMNS = 8, /* columns of the source for which lines of the destination are prefetched */
    MAX_L1_SIDE_BYTES = L1_SETS * L1_WAYS * SVI_LINE / 2 /* bytes of each side that stay in L1 whatever the order */
};

/* --- straight from the source ---------------------------------------------------- */

/* How a plane is walked. */
struct walk {
    int64_t rows, width; /* of blocks of the source */
    int64_t panel;       /* columns of all planes that are walked before the next ones */
    bool fetches;        /* lines of the destination are prefetched */
};

/* Prefetches the line that a strip writes last of each row. */
SVI_INLINE void fetch_strip(const struct svi_tile *tile, const struct svi_matrix *m, int64_t row)
{
    const char *end = m->dst + (svi_row_of_strip(tile, m, row) + tile->rows) * m->item - 1;

    for (int64_t i = 0; i < m->columns; i++, end += m->dst_pitch)
        svi_prefetch_store(end);
}

/* Transposes a block of strips from row `first` on, which may be before row 0. */
static void transpose_block(const struct svi_tile *tile, const struct svi_matrix *m, int64_t first, struct walk walk)
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

static void transpose_plane(const struct svi_tile *tile, const struct svi_matrix *m, struct walk walk)
{
    const int64_t first = svi_first_strip(tile, m);

    if (m->rows - first <= walk.rows && m->columns <= walk.width) {
        transpose_block(tile, m, first, walk);
        return;
    }
    for (int64_t j = first; j < m->rows; j += walk.rows)
        for (int64_t i = 0; i < m->columns; i += walk.width) {
            const struct svi_matrix part = svi_matrix_part(m, 0, m->rows, i, svi_smaller(walk.width, m->columns - i));

            transpose_block(tile, &part, j, walk);
        }
}

/* Transposes a panel of columns of all planes, then the next panel. */
static void transpose_planes(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                             struct walk walk)
{
    struct svi_odometer outer;

    for (int64_t i = 0; i < m->columns; i += walk.panel) {
        struct svi_matrix part = svi_matrix_part(m, 0, m->rows, i, svi_smaller(walk.panel, m->columns - i));

        svi_odometer_init(&outer, plan, plan->ndim - 1, plan->src_axis, part.dst, part.src);
        do {
            part.dst = outer.dst;
            part.src = outer.src;
            transpose_plane(tile, &part, walk);
        } while (svi_odometer_next(&outer));
    }
}

/* --- which ---------------------------------------------------------------- */

int64_t svi_rows_that_stay(int64_t pitch, int64_t most)
{
    unsigned char lines[L1_SETS] = {0};

    if (svi_abs(pitch) * (uint64_t)(most - 1) < L1_SETS * L1_WAYS * SVI_LINE)
        return most;
    for (int64_t row = 0; row < most; row++)
        if (++lines[(uint64_t)(row * pitch) / SVI_LINE % L1_SETS] > L1_WAYS)
            return row;
    return most;
}

/* Whether rows of the destination continue from plane to plane. */
static bool rows_go_on(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return last > 1 && plan->dst[last - 1] == plan->shape[last] * plan->item;
}

/* Whether prefetching the destination pays (Intel): stores that cross a line are slow unless both lines are in L1.
 * stay: all lines of a block stay in L1. */
static bool is_worth_fetching(const struct svi_machine *machine, const struct svi_tile *tile,
                              const struct svi_plan *plan, const struct svi_matrix *m, bool stay)
{
    if (!machine->tuning->prefetch_destination || plan->nbytes <= MAX_L1_SIDE_BYTES ||
        m->rows < SVI_STRIPS * tile->rows || m->columns < MIN_FETCHED_COLUMNS ||
        (m->item == 1 && m->dst_pitch % SVI_LINE == 0))
        return false;
    return plan->reach > (uint64_t)machine->l2_bytes / 4 * 3 || (stay && m->item >= 4 && m->dst_pitch % SVI_LINE != 0);
}

static bool can_tile(const struct svi_host_copy *c)
{
    return svi_has_tiles(c->machine, c->plan);
}

static bool run_cached_tiles(const struct svi_host_copy *c)
{
    const struct svi_tuning *tuning = c->machine->tuning;
    const struct svi_plan *plan = c->plan;
    const struct svi_tile *tile = svi_tile_of(c);
    const struct svi_matrix m = svi_matrix_of(c);
    const int64_t width = tuning->cached_block_row_bytes / m.item / tile->columns * tile->columns;
    const int64_t most = svi_smaller(width, m.columns);
    const bool near = m.item >= MIN_WIDE_ITEM_BYTES && plan->reach <= (uint64_t)(2 * c->machine->l2_bytes);
    const bool narrows = plan->nbytes > MAX_L1_SIDE_BYTES && (near || !svi_packs_rows(c->machine));
    const int64_t stay = narrows ? svi_rows_that_stay(m.dst_pitch, most) : most;
    struct walk walk = {tuning->cached_block_rows, width, m.columns,
                        is_worth_fetching(c->machine, tile, plan, &m, stay == most)};

    if (stay < most) {
        walk.width = svi_larger(stay / tile->columns, 1) * tile->columns;
        walk.panel = rows_go_on(plan) ? walk.width : m.columns;
    }
    transpose_planes(tile, plan, &m, walk);
    return true;
}

const struct svi_loop svi_loop_tiles = {
    .name = "tiles",
    .can = can_tile,
    .run = run_cached_tiles,
    .what = "tiles turned in registers, in cache",
};
