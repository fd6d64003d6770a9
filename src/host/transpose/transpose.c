/*
 * Facts about transposes by which their loops are chosen. Tiles transpose two axes: one that is a run in the source,
 * its rows, and one that is a run in the destination, whose rows are the columns of the source.
 */
#include "host/transpose/blocking.h"
#include "host/transpose/transpose.h"

/* Measured: doc/internals/copy_experiments.md#transposes-in-cache. */
enum {
    MAX_SHORT_SOURCE_BYTES = 16, /* bytes of a short row of the source */
    MAX_SHORT_SOURCE_BYTES_OF_2 = 48, /* the same for elements of 1 or 2 bytes */
    MIN_APART_BYTES = 1024, /* bytes in the destination between the elements of such a row */
    MAX_SHORT_RUN_BYTES = 32, /* bytes of a row of the destination that tiles are not worth */
    MAX_TINY_BYTES = 128, /* bytes of a plane of one tile or a few */
    MAX_COLUMNS_BYTES =
        256, /* bytes of a row of the source for which L1 and L2 keep a line of each column until it is complete */
    MAX_WIDE_COLUMNS = 128, /* the same in columns, for wide items */
    MIN_WIDE_ITEM_BYTES = 8, /* bytes of a wide item */
    PART_LINES_FACTOR = 4, /* times as many columns if rows begin anywhere, as no other loop stores whole lines alone */
    MIN_WHOLE_ROW_BYTES = 512, /* bytes of a row that may be far from the next one, as it has few partial lines */
    MIN_RUN_BYTES = 256, /* bytes of a row of the destination */
    MAX_SHORT_JOINED_BYTES = 512, /* bytes of contiguous rows that are written as one run */
    MAX_L1_PLANE_BYTES = 32768 /* bytes of a plane that L1 holds */
};

/* The tile for elements of 3 * 2^n bytes, of this instruction set and no narrower one; NULL: it does not fit. */
static const struct svi_tile *tile_of_thirds(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int size = __builtin_ctzll((unsigned long long)plan->item);
    const struct svi_tile *tile;

    if (!machine->tuning->shuffles_odd || plan->item >> size != 3 || size >= SVI_WHOLE_THIRDS)
        return NULL;
    tile = &machine->isa->whole_thirds[size];
    return tile->rows > 0 && plan->shape[plan->ndim - 1] >= tile->rows && plan->shape[plan->src_axis] >= tile->columns
               ? tile
               : NULL;
}

/* The widest set of tiles that fit; NULL: none does. */
const struct svi_tile *svi_tile_that_fits(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const struct svi_isa *isa = machine->isa;
    const int64_t rows = plan->shape[plan->ndim - 1], columns = plan->shape[plan->src_axis];
    const int size = __builtin_ctzll((unsigned long long)plan->item);

    if (plan->item >> size != 1)
        return tile_of_thirds(machine, plan);
    while (isa != NULL &&
           (rows < isa->store[size].rows || columns < isa->store[size].columns || isa->store[size].rows == 0))
        isa = isa->narrower;
    return isa != NULL ? &isa->store[size] : NULL;
}

bool svi_has_tiles(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return svi_is_matrix(plan) && svi_tile_that_fits(machine, plan) != NULL;
}

/* Whether rows of the destination are short, or rows of the source are short and their elements are far apart in the
 * destination. */
static bool has_short_tile_rows(const struct svi_plan *plan)
{
    const int64_t width = plan->shape[plan->src_axis] * plan->item;

    if (svi_row_nbytes(plan) <= MAX_SHORT_RUN_BYTES)
        return true;
    return width <= (plan->item <= 2 ? MAX_SHORT_SOURCE_BYTES_OF_2 : MAX_SHORT_SOURCE_BYTES) &&
           plan->dst[plan->src_axis] >= MIN_APART_BYTES;
}

/* Whether reaching a plane takes longer than its tiles. */
static bool is_tiny(const struct svi_plan *plan)
{
    return plan->item < SVI_UNIT && plan->shape[plan->src_axis] * svi_row_nbytes(plan) <= MAX_TINY_BYTES;
}

/* Whether a transpose is beyond the cache or, where that is slow, beyond L2; for bytes beyond twice as much. */
static bool is_large_for_nt(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return machine->isa->nt != NULL && svi_is_beyond_l2(machine, plan, plan->item == 1 ? 2 : 1);
}

bool svi_lacks_tiles(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (!svi_has_tiles(machine, plan))
        return true;
    return is_large_for_nt(machine, plan) ? has_short_tile_rows(plan) : is_tiny(plan);
}

/* Rows of the source with a negative stride are read from their other end. */
struct svi_matrix svi_matrix_of(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;
    const int32_t i = plan->src_axis, j = plan->ndim - 1;
    const int64_t end = plan->src[i] < 0 ? plan->shape[i] - 1 : 0;

    return (struct svi_matrix){
        .rows = plan->shape[j],
        .columns = plan->shape[i],
        .item = plan->item,
        .dst = c->dst + end * plan->dst[i],
        .dst_pitch = plan->src[i] < 0 ? -plan->dst[i] : plan->dst[i],
        .src = c->src + end * plan->src[i],
        .src_pitch = plan->src[j],
    };
}

/* --- which loops --------------------------------------------------------------- */

static bool has_few_columns(const struct svi_matrix *m)
{
    const int64_t most = m->item >= MIN_WIDE_ITEM_BYTES ? MAX_WIDE_COLUMNS * m->item : MAX_COLUMNS_BYTES;
    const int64_t width = m->columns * m->item, times = m->dst_pitch % SVI_LINE != 0 ? PART_LINES_FACTOR : 1;
    const bool dense = svi_abs(m->src_pitch) <= (uint64_t)(2 * width) || width >= MIN_WHOLE_ROW_BYTES;

    return dense && width <= times * most && m->rows * m->item >= MIN_RUN_BYTES;
}

/* Whether all lines that a strip of tiles writes in part stay in the inner caches until the next strip. */
static bool keeps_lines_in_cache(const struct svi_host_copy *c)
{
    const struct svi_matrix m = svi_matrix_of(c);
    const int64_t run = m.rows * m.item;

    if (!svi_stays_in_last_cache(c->machine, c->plan) || svi_tile_of(c) == NULL)
        return false;
    if (m.dst_pitch == run && svi_abs(m.src_pitch) == (uint64_t)(m.columns * m.item) &&
        (run * m.columns <= MAX_L1_PLANE_BYTES || (run <= MAX_SHORT_JOINED_BYTES && run % SVI_LINE != 0)))
        return true;
    return has_few_columns(&m);
}

bool svi_can_stream_matrix(const struct svi_host_copy *c)
{
    return c->machine->isa->nt != NULL && svi_is_matrix(c->plan) && (c->plan->item & (c->plan->item - 1)) == 0;
}

bool svi_refuses_to_stream_matrix(const struct svi_host_copy *c)
{
    if (!is_large_for_nt(c->machine, c->plan))
        return svi_refuse(c, "the copy is in cache");
    return keeps_lines_in_cache(c) && svi_refuse(c, "lines that are stored in part stay in the inner caches");
}

bool svi_refuses_unaligned(const struct svi_host_copy *c)
{
    return !svi_is_beyond_l2(c->machine, c->plan, 2) && svi_tile_of(c) != NULL &&
           svi_refuse(c, "rows that begin anywhere are faster in cache");
}
