/*
 * The loops of copies that convert. If both sides have runs of the same axis, rows are converted one by one. Transposes
 * are in cast_transpose.c, pixels in few_units.c. All other copies are converted block by block (cast_blocks.c); one
 * small block needs no memory (cast_small.c). Without memory for a block, items are converted one by one.
 */
#include "base/checked.h"
#include "host/convert/cast_job.h"
#include "host/base/buffer.h"
#include "host/dispatch/dispatch.h"
#include "host/loop/loop.h"
#include "host/convert/convert.h"
#include "host/compound/cast.h"
#include "host/compound/cast_blocks.h"
#include "host/compound/cast_transpose.h"
#include "host/interleave/few_units.h"

/* Measured: doc/internals/copy_experiments.md#rows-one-by-one-or-by-blocks. */
enum {
    MIN_BLOCKS_BYTES = 65536, /* bytes of the destination for which blocks pay in cache too */
    MAX_CACHED_ROW_ITEMS = 128, /* items of a row that blocks convert in cache */
    MIN_TURNED_ROW_BYTES = 256, /* bytes of a row, of either side, of a transpose that is converted without blocks */
    TURNED_ITEM_BYTES =
        4, /* bytes of an item of the destination for which the destination's rows must be as long too */
    SMALL_PLANE_BYTES = 32768, /* bytes of a plane up to which such a transpose is better by blocks */
    SHORT_GAP_BYTES = 256 /* bytes between rows across which a prefetch continues without a break */
};

/* --- rows ------------------------------------------------------------------ */

/* Items of a row that is converted by itself. Shorter rows are converted by blocks, which store longer runs if rows are
 * contiguous. */
static int64_t least_row(const struct svi_host_copy *c)
{
    const int64_t streamed = c->machine->tuning->cast_row_items;

    if (c->beyond_cache)
        return streamed;
    return c->plan->nbytes > MIN_BLOCKS_BYTES ? svi_smaller(streamed, MAX_CACHED_ROW_ITEMS) : SVI_CAST_RUN;
}

static bool can_convert_rows(const struct svi_host_copy *c)
{
    return c->plan->ndim > 0 && svi_cast_has_rows(c->plan);
}

static bool refuses_short_rows(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;

    return plan->ndim > 1 && svi_refuse_less(c, "items of a row", plan->shape[plan->ndim - 1], least_row(c));
}

/*
 * The part of later rows that is prefetched while a row is converted: as many bytes as the row has, with the gaps
 * between rows if these are short. The distance is at most a quarter of the rows, since the rows after the last one are
 * those of another plane, which may be elsewhere.
 */
static struct svi_ahead find_rows_ahead(const struct svi_cast *c, const char *row)
{
    const struct svi_plan *plan = c->plan;
    const int64_t lines = svi_cast_piece(plan) * plan->src_item / SVI_LINE;
    const int64_t distance = c->machine->tuning->cast_prefetch_bytes;
    const int32_t last = plan->ndim - 1;
    const int64_t nbytes = last < 0 ? plan->src_item : plan->shape[last] * plan->src_item;
    const int64_t step = last < 1 ? nbytes : plan->src[last - 1], most = last < 1 ? 0 : (plan->shape[last - 1] + 3) / 4;
    const char *const later = row + svi_smaller(distance / nbytes, most) * step;

    if (step >= nbytes && step - nbytes <= SHORT_GAP_BYTES)
        return (struct svi_ahead){row + distance, 0, INT64_MAX, 0, 1, lines};
    if (nbytes <= lines * SVI_LINE)
        return (struct svi_ahead){later, 0, INT64_MAX, 0, 1, svi_divide_up(nbytes, SVI_LINE)};
    return (struct svi_ahead){later, step, nbytes, distance % nbytes / SVI_LINE * SVI_LINE, 2, lines};
}

/* Converts row by row, or a single item. */
static bool convert_plan_rows(const struct svi_cast *c, char *dst, const char *src)
{
    const int32_t last = c->plan->ndim - 1;
    struct svi_cast_items run = {.count = last < 0 ? 1 : c->plan->shape[last]};
    const struct svi_ahead first = find_rows_ahead(c, src);
    struct svi_odometer outer;

    svi_odometer_init(&outer, c->plan, last, -1, dst, src);
    do {
        struct svi_ahead ahead = first;

        ahead.row += outer.src - src;
        run.dst = outer.dst;
        run.src = outer.src;
        svi_cast_run(c, &run, &ahead);
        run.first += run.count;
    } while (svi_odometer_next(&outer));
    return true;
}

/* --- without memory for a block ----------------------------------------------- */

/* Converts items one by one. */
static bool convert_each_item(const struct svi_cast *c, char *dst, const char *src)
{
    struct svi_odometer o;

    svi_odometer_init(&o, c->plan, c->plan->ndim, -1, dst, src);
    do
        svi_host_convert(c->isa, &c->plan->chain, o.dst, o.src, 1);
    while (svi_odometer_next(&o));
    return true;
}

/* --- the loops --------------------------------------------------------------- */

bool svi_cast_by(const struct svi_host_copy *copy, svi_cast_way *way)
{
    const struct svi_isa *isa = copy->machine->isa;
    const struct svi_cast c = {
        .machine = copy->machine,
        .plan = copy->plan,
        .isa = isa,
        .scaling = copy->scaling,
        .in_cache = svi_machine_in_cache(copy->machine),
        .beyond_cache = isa->nt != NULL && copy->beyond_cache,
    };
    const bool done = way(&c, copy->dst, copy->src);

    if (c.beyond_cache)
        isa->nt->fence();
    return done;
}

/* Whether items can be converted one by one; scaled ones only if there is one. */
static bool can_convert_one(const struct svi_host_copy *c)
{
    return c->plan->ndim == 0;
}

static bool convert_one(const struct svi_host_copy *c)
{
    if (c->scaling != NULL)
        return svi_cast_by(c, convert_plan_rows);
    svi_host_convert(c->machine->isa, &c->plan->chain, c->dst, c->src, 1);
    return true;
}

const struct svi_loop svi_loop_convert_one = {
    .name = "convert_one",
    .can = can_convert_one,
    .run = convert_one,
    .what = "one element",
};

static bool convert_rows(const struct svi_host_copy *c)
{
    return svi_cast_by(c, convert_plan_rows);
}

const struct svi_loop svi_loop_convert_rows = {
    .name = "convert_rows",
    .can = can_convert_rows,
    .refuses = refuses_short_rows,
    .run = convert_rows,
    .stores = SVI_STORES_BY_SIZE,
    .what = "runs of both sides",
};

/* Whether planes of the destination are contiguous and so small that a block has a few. */
static bool has_small_planes(const struct svi_plan *plan)
{
    const int64_t nbytes = svi_row_nbytes(plan);

    return plan->dst[plan->src_axis] == nbytes && nbytes * plan->shape[plan->src_axis] <= SMALL_PLANE_BYTES;
}

/* Whether rows of both sides are longer than those of a block, so that convert_turned is faster. */
static bool has_long_sides(const struct svi_plan *plan)
{
    return plan->shape[plan->src_axis] * plan->src_item >= MIN_TURNED_ROW_BYTES &&
           (plan->item < TURNED_ITEM_BYTES || svi_row_nbytes(plan) > MIN_TURNED_ROW_BYTES);
}

static bool can_convert_turned(const struct svi_host_copy *c)
{
    return !svi_scales(c->plan) && c->machine->isa->nt != NULL && svi_is_cast_transpose(c->plan);
}

static bool refuses_turned(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;

    if (!c->beyond_cache && (plan->src_item > TURNED_ITEM_BYTES || !svi_is_beyond_l2(c->machine, plan, 1)) &&
        svi_refuse(c, "the copy is in cache"))
        return true;
    if (!can_convert_turned(c))
        return false;
    if (c->machine->tuning->slow_last_cache)
        return !has_long_sides(plan) && svi_refuse(c, "rows of a side are short");
    return has_small_planes(plan) && svi_refuse(c, "its planes are small");
}

static bool convert_turned(const struct svi_host_copy *c)
{
    return svi_cast_by(c, svi_cast_transpose);
}

const struct svi_loop svi_loop_convert_transpose = {
    .name = "convert_transpose",
    .can = can_convert_turned,
    .refuses = refuses_turned,
    .run = convert_turned,
    .stores = SVI_STORES_NT,
    .what = "transposes beyond the cache, converted in registers or in blocks",
};

static bool can_convert_units(const struct svi_host_copy *c)
{
    return !svi_scales(c->plan) && svi_can_cast_pixels(c);
}

static bool convert_units(const struct svi_host_copy *c)
{
    return svi_cast_by(c, svi_cast_pixels);
}

const struct svi_loop svi_loop_convert_units = {
    .name = "convert_units",
    .can = can_convert_units,
    .refuses = svi_refuses_cast_pixels,
    .run = convert_units,
    .stores = SVI_STORES_NT,
    .what = "2 to 4 units a pixel, rearranged in registers on the way",
};

static bool can_convert_blocks(const struct svi_host_copy *c)
{
    return c->plan->ndim > 0;
}

static bool convert_blocks(const struct svi_host_copy *c)
{
    return svi_cast_by(c, svi_cast_blocks);
}

const struct svi_loop svi_loop_convert_blocks = {
    .name = "convert_blocks",
    .can = can_convert_blocks,
    .run = convert_blocks,
    .stores = SVI_STORES_BY_SIZE,
    .what = "blocks that are ordered in a buffer in cache",
};

static bool can_convert_elements(const struct svi_host_copy *c)
{
    return !svi_scales(c->plan);
}

static bool convert_elements(const struct svi_host_copy *c)
{
    return svi_cast_by(c, convert_each_item);
}

const struct svi_loop svi_loop_convert_elements = {
    .name = "convert_elements",
    .can = can_convert_elements,
    .run = convert_elements,
    .what = "one element at a time: there is no memory for a block",
};
