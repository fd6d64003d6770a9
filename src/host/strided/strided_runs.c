/*
 * Runs whose elements are at a step in the source, by vectors. strided_vectors copies every second to fourth element
 * from whole vectors, in cache; strided_loads collects vectors of loads at any step; both are for elements of a power
 * of 2 of bytes. odd_steps is for other sizes at a small step. Runs that are reversed in the source: reversed_long
 * stores whole lines, beyond the cache by non-temporal stores; reversed_short has no head or tail.
 */
#include "base/checked.h"
#include "host/base/elements.h"
#include "host/base/memory_hints.h"
#include "host/loop/facts.h"
#include "host/loop/loop.h"
#include "host/strided/strided_runs.h"
#include "host/loop/crowding.h"

/* Measured: doc/internals/copy_experiments.md#how-are-elements-in-lines-of-their-own-copied. */
enum {
    MIN_RUN_BYTES = 64, /* bytes of a row of the destination; shorter rows are mostly head and tail */
    CROWDED_STEP_BYTES = 512, /* multiples of this step share few sets of the caches; only there prefetches pay */
    MIN_CROWDED_DISTANCES = 4, /* length of a row, in prefetch distances, for which they pay */
    MIN_SINGLE_BYTES = 4, /* bytes of elements that are faster one by one within L2 (AMD) */
    MIN_SINGLE_STEP_BYTES = 256, /* step from which on elements are faster one by one beyond L2 (Intel) */
    MIN_LONG_BYTES = 1024, /* bytes of a reversed run in cache for which aligned stores pay */
    MIN_LONG_NT_BYTES = 512, /* the same beyond the cache */
    MAX_ODD_ITEMS = 3, /* elements of no power of 2 of bytes of a reversed run that are copied one by one */
    MIN_QUARTERS_BYTES = 16384 /* bytes of a run whose four quarters are stored alternately */
};

static bool is_power_of_2(int64_t item)
{
    return (item & (item - 1)) == 0;
}

bool svi_is_column(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_GATHER && is_power_of_2(plan->item) && svi_row_nbytes(plan) >= MIN_RUN_BYTES;
}

/* --- strided_loads ------------------------------------------------------------------- */

static bool can_load(const struct svi_host_copy *c)
{
    return c->machine->isa->column != NULL;
}

static bool refuses_loads(const struct svi_host_copy *c)
{
    const struct svi_machine *machine = c->machine;
    const struct svi_plan *plan = c->plan;

    if (machine->tuning->scalar_loads_in_l2 && plan->item >= MIN_SINGLE_BYTES &&
        plan->reach <= (uint64_t)machine->l2_bytes)
        return svi_refuse(c, "within L2, elements of 4 bytes and more go one by one");
    return svi_abs(plan->src[plan->ndim - 1]) >= MIN_SINGLE_STEP_BYTES && svi_moves_singly(machine, plan) &&
           svi_refuse(c, "elements in lines of their own go one by one");
}

/* If lines share few sets, elements further along the row are prefetched, except for the last ones. */
static bool strided_loads(const struct svi_host_copy *c)
{
    const int32_t last = c->plan->ndim - 1;
    const int64_t step = c->plan->src[last], count = c->plan->shape[last];
    const bool crowded = svi_is_crowded(c->machine, c->plan, step, CROWDED_STEP_BYTES) &&
                         count > MIN_CROWDED_DISTANCES * SVI_CROWD_AHEAD;
    const int64_t tail = crowded ? SVI_CROWD_AHEAD : 0, body = count - tail;
    const int item = (int)c->plan->item;
    svi_column *const column = c->machine->isa->column;
    struct svi_odometer row;

    for (svi_axes_of(c, last, &row); !row.ended; svi_odometer_next(&row)) {
        column(row.dst, row.src, step, body, tail * step, c->beyond_cache, item);
        if (tail != 0)
            column(row.dst + body * item, row.src + body * step, step, tail, 0, c->beyond_cache, item);
    }
    if (c->beyond_cache)
        c->machine->isa->nt->fence();
    return true;
}

const struct svi_loop svi_loop_strided_loads = {
    .name = "strided_loads",
    .can = can_load,
    .refuses = refuses_loads,
    .run = strided_loads,
    .stores = SVI_STORES_BY_SIZE,
    .what = "elements a step apart in the source, contiguous in the destination",
};

/* --- strided_vectors ----------------------------------------------------------------- */

/* Bytes of a row of the destination for which whole vectors of the source may be read: nothing may be behind the last
 * element. */
static int64_t readable_bytes(const struct svi_host_copy *c)
{
    const int64_t nbytes = svi_row_nbytes(c->plan);

    return c->machine->isa->pixels->maskless_exact ? nbytes : nbytes - c->plan->item;
}

static bool can_take_vectors(const struct svi_host_copy *c)
{
    const int64_t item = c->plan->item, step = c->plan->src[c->plan->ndim - 1];
    const struct svi_pixel_kernels *pixels = c->machine->isa->pixels;

    return pixels != NULL && (pixels->maskless_units & item) != 0 && ((item | step) & (item - 1)) == 0 && step > item &&
           step <= SVI_CHANNELS * item && readable_bytes(c) >= c->machine->isa->vector;
}

static bool refuses_beyond_cache(const struct svi_host_copy *c)
{
    return c->beyond_cache && svi_refuse(c, "the copy is beyond the cache");
}

/* The last vector of a row may overlap the one before. */
static bool strided_vectors(const struct svi_host_copy *c)
{
    const struct svi_isa *const isa = c->machine->isa;
    svi_pixels_run *const deinterleave = isa->pixels->cached;
    const int32_t last = c->plan->ndim - 1;
    const int64_t item = c->plan->item, nbytes = svi_row_nbytes(c->plan), there = readable_bytes(c);
    const int64_t whole = there & -(int64_t)isa->vector;
    struct svi_pixels p;
    struct svi_odometer row;

    p.form = SVI_DEINTERLEAVE;
    p.from = (int)(c->plan->src[last] >> __builtin_ctzll((uint64_t)item));
    p.to = 1;
    p.unit = (int)item;
    p.ahead = 0;
    for (svi_axes_of(c, last, &row); !row.ended; svi_odometer_next(&row)) {
        deinterleave(&p, row.dst, row.src, whole);
        if (whole < there)
            deinterleave(&p, row.dst + there - isa->vector, row.src + (there - isa->vector) * p.from, isa->vector);
        if (there < nbytes)
            svi_copy_ends(row.dst + there, row.src + there * p.from, (size_t)item, 4); /* 4 or 8 bytes */
    }
    return true;
}

const struct svi_loop svi_loop_strided_vectors = {
    .name = "strided_vectors",
    .can = can_take_vectors,
    .refuses = refuses_beyond_cache,
    .run = strided_vectors,
    .what = "every second to fourth element in cache, without masks",
};

/* --- odd_steps ----------------------------------------------------------------------- */

/* NULL: the instruction set has none. */
static const struct svi_steps *find_steps(const struct svi_host_copy *c)
{
    const struct svi_steps *steps = c->machine->isa->steps;

    return steps != NULL ? &steps[c->machine->permutes_bytes] : NULL;
}

static bool can_step(const struct svi_host_copy *c)
{
    const int64_t step = c->plan->src[c->plan->ndim - 1], item = c->plan->item;
    const struct svi_steps *steps = find_steps(c);

    return steps != NULL && c->plan->kind == SVI_CLASS_GATHER && item < svi_smaller(steps->bytes / 2, SVI_UNIT) &&
           !is_power_of_2(item) && step >= item && step <= SVI_LINE;
}

/* A separate loop copies the last elements of a row, which in short rows are all elements. */
static bool refuses_steps(const struct svi_host_copy *c)
{
    const int64_t step = c->plan->src[c->plan->ndim - 1], item = c->plan->item;
    const struct svi_steps *steps = find_steps(c);

    if (!c->machine->tuning->shuffles_odd && svi_refuse(c, "the tuning has no byte shuffles of elements of odd sizes"))
        return true;
    if (steps == NULL)
        return false;
    if (svi_refuse_less(c, "elements of a shuffle", (steps->bytes - item) / step + 1, steps->least))
        return true;
    return svi_refuse_less(c, "bytes of a row", svi_row_nbytes(c->plan), MIN_RUN_BYTES);
}

static bool odd_steps(const struct svi_host_copy *c)
{
    const int64_t step = c->plan->src[c->plan->ndim - 1];
    struct svi_odometer outer;

    for (svi_axes_of(c, c->plan->ndim - 2, &outer); !outer.ended; svi_odometer_next(&outer)) {
        const struct svi_rows r = svi_rows_of(c->plan, &outer);

        find_steps(c)->run(&r, step, (int)c->plan->item);
    }
    return true;
}

const struct svi_loop svi_loop_odd_steps = {
    .name = "odd_steps",
    .can = can_step,
    .refuses = refuses_steps,
    .run = odd_steps,
    .what = "elements of 3 to 15 bytes a small step apart in the source, by byte shuffles (AVX2, AVX-512 VBMI)",
};

/* --- runs backwards -------------------------------------------------------------- */

/* Elements before the first line of a run; 0 if no element begins a line. */
static int64_t count_head_items(const char *dst, int64_t item)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % SVI_LINE);

    return before % item == 0 ? before / item : 0;
}

/* Reverses a long run by non-temporal stores. end: the end of the run in the source, whose last element is the first
 * of the destination. */
static void long_row_nt(const struct svi_isa *isa, int64_t count, char *dst, const char *end, int64_t item,
                        bool quarters)
{
    const int64_t line = SVI_LINE / item, head = svi_smaller(count_head_items(dst, item), count);
    const int64_t body = (count - head) / line * line, done = head + body;

    svi_line_of(count - done, dst + done * item, item, end - (done + 1) * item, -item, item);
    isa->reverse->line(dst + head * item, end - head * item, body * item, (int)item, true, quarters);
    svi_line_of(head, dst, item, end - item, -item, item);
}

/* Reverses a long run in cache. The first and the last line may overlap the aligned lines between them. */
static void long_row_cached(const struct svi_isa *isa, int64_t count, char *dst, const char *end, int64_t item)
{
    const int64_t nbytes = count * item, last = nbytes - SVI_LINE;
    const int64_t head = count_head_items(dst, item) * item, body = (nbytes - head) / SVI_LINE * SVI_LINE;

    if (head > 0)
        isa->reverse->line(dst, end, SVI_LINE, (int)item, false, false);
    isa->reverse->line(dst + head, end - head, body, (int)item, false, false);
    if (head + body < nbytes)
        isa->reverse->line(dst + last, end - last, SVI_LINE, (int)item, false, false);
}

/* Whether a run has vectors. Shorter runs are copied element by element. */
static bool has_vectors(const struct svi_host_copy *c)
{
    const int64_t count = c->plan->shape[c->plan->ndim - 1], item = c->plan->item;

    return c->machine->isa->reverse != NULL && (is_power_of_2(item) ? count * item >= SVI_UNIT : count > MAX_ODD_ITEMS);
}

/* --- reversed_long ------------------------------------------------------------------- */

static bool can_reverse_long(const struct svi_host_copy *c)
{
    return has_vectors(c) && is_power_of_2(c->plan->item) && svi_row_nbytes(c->plan) >= SVI_LINE;
}

static bool refuses_short_reversed(const struct svi_host_copy *c)
{
    return svi_refuse_less(c, "bytes of a run", svi_row_nbytes(c->plan),
                           c->beyond_cache ? MIN_LONG_NT_BYTES : MIN_LONG_BYTES);
}

static bool reversed_long(const struct svi_host_copy *c)
{
    const struct svi_isa *const isa = c->machine->isa;
    const int32_t last = c->plan->ndim - 1;
    const int64_t count = c->plan->shape[last], item = c->plan->item, nbytes = count * item;
    const int64_t next_end = (last > 0 ? c->plan->dst[last - 1] : 0) + nbytes - 1;
    const bool quarters = c->machine->tuning->row_streams && nbytes >= MIN_QUARTERS_BYTES;
    struct svi_odometer outer;

    svi_axes_of(c, last, &outer);
    if (c->beyond_cache)
        svi_odometer_by_source(&outer);
    for (; !outer.ended; svi_odometer_next(&outer))
        if (c->beyond_cache && (uintptr_t)outer.dst % (uintptr_t)item == 0) {
            svi_prefetch_store(outer.dst + next_end); /* the tail of the next row is stored first */
            long_row_nt(isa, count, outer.dst, outer.src + item, item, quarters);
        } else {
            long_row_cached(isa, count, outer.dst, outer.src + item, item);
        }
    if (c->beyond_cache)
        isa->nt->fence();
    return true;
}

const struct svi_loop svi_loop_reversed_long = {
    .name = "reversed_long",
    .can = can_reverse_long,
    .refuses = refuses_short_reversed,
    .run = reversed_long,
    .stores = SVI_STORES_BY_SIZE,
    .what = "long runs backwards, by whole cache lines",
};

/* --- reversed_short ------------------------------------------------------------------ */

static bool reversed_short(const struct svi_host_copy *c)
{
    struct svi_odometer outer;

    for (svi_axes_of(c, c->plan->ndim - 2, &outer); !outer.ended; svi_odometer_next(&outer)) {
        struct svi_rows r = svi_rows_of(c->plan, &outer);

        r.src += c->plan->item;
        c->machine->isa->reverse->rows(&r, (int)c->plan->item);
    }
    return true;
}

const struct svi_loop svi_loop_reversed_short = {
    .name = "reversed_short",
    .can = has_vectors,
    .run = reversed_short,
    .what = "short runs backwards, by vectors",
};
