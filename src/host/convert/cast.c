/*
 * Copies that convert. Where both sides have runs of one axis, they go row by row; transposes are in cast_transpose.c,
 * pixels in few_units.c. All else goes block by block (cast_blocks.c), while the next block is fetched; what is one
 * small block needs no memory. Without memory for a block it goes item by item.
 */
#include "cast_job.h"
#include "host/base/buffer.h"
#include "host/dispatch/dispatch.h"

enum { SMALL_BLOCK_BYTES = 4224 }; /* in the frame for a copy that is one block, since allocating takes as long */

enum {
    BLOCKS_BYTES = 65536,  /* of the destination from which on blocks pay in cache, too, */
    CACHED_ROW_ITEMS = 128, /* for rows of fewer items */
    TURNED_ROW_BYTES = 256, /* of either side of a transpose that is not by blocks, */
    TURNED_ITEM = 4,        /* of the destination if its items have so many, too */
    SMALL_PLANE_BYTES = 32768, /* of a plane of such a transpose, which is better by blocks; */
    SHORT_GAP_BYTES = 256   /* between rows, which are fetched faster without a break */
};

/* --- rows ------------------------------------------------------------------ */

/* Shorter ones are gathered into blocks, which leave by longer runs where rows follow each other. */
static int64_t least_row(const struct svi_host_copy *c)
{
    const int64_t streamed = c->machine->tuning->cast_row_items;

    if (c->beyond_cache)
        return streamed;
    return c->plan->nbytes > BLOCKS_BYTES ? svi_smaller(streamed, CACHED_ROW_ITEMS) : SVI_CAST_RUN;
}

bool svi_is_cast_rows(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;

    return svi_cast_has_rows(plan) && (plan->ndim == 1 || plan->shape[plan->ndim - 1] >= least_row(c));
}

/*
 * While a row is converted as many bytes are prefetched: of later rows, and with the gaps between them if these are
 * short. A quarter of the rows later at most: behind the last one come those of another plane, which may lie elsewhere.
 */
static struct svi_ahead ahead_of(const struct svi_cast *c, const char *row)
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
        return (struct svi_ahead){later, 0, INT64_MAX, 0, 1, (nbytes + SVI_LINE - 1) / SVI_LINE};
    return (struct svi_ahead){later, step, nbytes, distance % nbytes / SVI_LINE * SVI_LINE, 2, lines};
}

/* Or a single item. */
static bool rows(const struct svi_cast *c, char *dst, const char *src)
{
    const int32_t last = c->plan->ndim - 1;
    struct svi_cast_items run = {.count = last < 0 ? 1 : c->plan->shape[last]};
    const struct svi_ahead first = ahead_of(c, src);
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

/* --- a copy of one small block ------------------------------------------------- */

/* Bytes of n, and those to the next line. */
static int64_t whole_lines(int64_t n)
{
    return (n + SVI_LINE - 1) / SVI_LINE * SVI_LINE;
}

/* Apart from the frame that has the buffer. */
static __attribute__((noinline)) void small_runs(const struct svi_cast *c, int32_t axes, int64_t run,
                                                 struct svi_plan *out, char *dst, const char *src)
{
    struct svi_odometer o;

    svi_cast_plan_runs(c->plan, c->plan->shape, axes, out);
    svi_odometer_init(&o, out, out->ndim, -1, dst, src);
    do
        svi_cast_run(c, &(struct svi_cast_items){o.dst, o.src, 0, run}, NULL);
    while (svi_odometer_next(&o));
}

/* Plans are made one after the other in one place, since they take much of the stack, too. */
static bool small_block(const struct svi_cast *c, char *dst, const char *src)
{
    _Alignas(SVI_LINE) char buffer[SMALL_BLOCK_BYTES];
    const struct svi_plan *plan = c->plan;
    const int64_t count = plan->nbytes / plan->item;
    char *const after = buffer + whole_lines(count * plan->src_item);
    int64_t run;
    const int32_t axes = svi_cast_find_run(plan, plan->shape, &run);
    struct svi_plan step;

    svi_plan_buffered(plan, plan->shape, true, &step);
    src = svi_cast_order(&c->in_cache, &step, buffer, src);
    if (run >= SVI_CAST_RUN) {
        small_runs(c, axes, run, &step, dst, src);
        return true;
    }
    svi_host_convert(c->isa, &plan->chain, after, src, count);
    svi_plan_buffered(plan, plan->shape, false, &step);
    svi_host_run_block(&c->in_cache, &step, dst, after);
    return true;
}

/* Whether both buffers have room in a frame. */
bool svi_is_cast_small(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;
    const int64_t nbytes = whole_lines(plan->nbytes / plan->item * plan->src_item);
    int64_t run;

    if (nbytes > SMALL_BLOCK_BYTES)
        return false;
    svi_cast_find_run(plan, plan->shape, &run);
    return run >= SVI_CAST_RUN || nbytes + plan->nbytes <= SMALL_BLOCK_BYTES;
}

/* --- without memory for a block ----------------------------------------------- */

/* One by one. */
static bool items(const struct svi_cast *c, char *dst, const char *src)
{
    struct svi_odometer o;

    svi_odometer_init(&o, c->plan, c->plan->ndim, -1, dst, src);
    do
        svi_host_convert(c->isa, &c->plan->chain, o.dst, o.src, 1);
    while (svi_odometer_next(&o));
    return true;
}

/* --- which of them ------------------------------------------------------------- */

typedef bool cast_way(const struct svi_cast *c, char *dst, const char *src);

static bool convert(const struct svi_host_copy *copy, struct svi_scaling *scaling, cast_way *way)
{
    const struct svi_isa *isa = copy->machine->isa;
    const struct svi_cast c = {
        .machine = copy->machine,
        .plan = copy->plan,
        .isa = isa,
        .scaling = scaling,
        .in_cache = svi_machine_in_cache(copy->machine),
        .beyond_cache = isa->stream_copy != NULL && copy->beyond_cache,
    };
    const bool done = way(&c, copy->dst, copy->src);

    if (c.beyond_cache)
        isa->fence();
    return done;
}

bool svi_is_cast_one(const struct svi_host_copy *c)
{
    return c->plan->ndim == 0;
}

bool svi_cast_one(const struct svi_host_copy *c)
{
    svi_host_convert(c->machine->isa, &c->plan->chain, c->dst, c->src, 1);
    return true;
}

bool svi_cast_rows(const struct svi_host_copy *c)
{
    return convert(c, NULL, rows);
}

/* Whether planes of the destination follow each other and are a few to a block. */
static bool has_small_planes(const struct svi_plan *plan)
{
    const int64_t nbytes = svi_row_nbytes(plan);

    return plan->dst[plan->tile] == nbytes && nbytes * plan->shape[plan->tile] <= SMALL_PLANE_BYTES;
}

/* Whether rows of both sides are longer than a block takes at once, so that a transpose of its own is faster. */
static bool has_long_sides(const struct svi_plan *plan)
{
    return plan->shape[plan->tile] * plan->src_item >= TURNED_ROW_BYTES &&
           (plan->item < TURNED_ITEM || svi_row_nbytes(plan) > TURNED_ROW_BYTES);
}

bool svi_is_cast_turned(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;
    const bool slow_cache = c->machine->tuning->slow_last_cache;

    if (c->machine->isa->stream_copy == NULL || !svi_is_cast_transpose(plan))
        return false;
    if (!c->beyond_cache && (plan->src_item > TURNED_ITEM || !svi_is_beyond_l2(c->machine, plan, 1)))
        return false;
    return slow_cache ? has_long_sides(plan) : !has_small_planes(plan);
}

bool svi_cast_turned(const struct svi_host_copy *c)
{
    return convert(c, NULL, svi_cast_transpose);
}

bool svi_cast_units(const struct svi_host_copy *c)
{
    return convert(c, NULL, svi_cast_pixels);
}

bool svi_cast_small(const struct svi_host_copy *c)
{
    return convert(c, NULL, small_block);
}

bool svi_cast_by_blocks(const struct svi_host_copy *c)
{
    return convert(c, NULL, svi_cast_blocks);
}

bool svi_cast_by_elements(const struct svi_host_copy *c)
{
    return convert(c, NULL, items);
}

/* --- scaled -------------------------------------------------------------------- */

bool svi_host_affine(const struct svi_machine *machine, const struct svi_affine *affine, char *dst, const char *src)
{
    const struct svi_plan *plan = &affine->plan;
    const struct svi_host_copy copy = {.machine = machine, .plan = plan, .dst = dst, .src = src,
                                       .beyond_cache = svi_is_beyond_cache(machine, plan)};
    struct svi_scaling *s = svi_scaling_new(affine);
    bool done;

    if (s == NULL)
        return false;
    done = convert(&copy, s, plan->ndim == 0 || svi_is_cast_rows(&copy) ? rows : svi_cast_blocks);
    svi_scratch_free(s);
    return done;
}
