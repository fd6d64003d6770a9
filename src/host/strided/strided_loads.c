/*
 * Gathers: elements of a power of two of bytes that are a step apart in the source and contiguous in the destination.
 * strided_vectors takes every second to fourth of them from whole vectors, in cache; strided_loads puts vectors
 * together from loads at any step.
 */
#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/kernels.h"

enum {
    PREFETCH_BYTES = 2048,  /* distance in the source of vectors beyond L2 */
    MIN_RUN_BYTES = 64,     /* of a row of the destination, which is mostly head and tail below that */
    CROWDED_BYTES = 512,    /* steps of a multiple share few sets of the caches: a prefetch pays, and costs else */
    MIN_CROWDED = 4,        /* times the prefetch distance that rows are long at least */
    MIN_ELEMENT_BYTES = 4,  /* elements from that size on are faster one by one within L2 of AMD's processors, */
    MIN_ELEMENT_STEP = 256  /* and from that step on beyond Intel's */
};

bool svi_is_column(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_GATHER && (plan->item & (plan->item - 1)) == 0 &&
           svi_row_nbytes(plan) >= MIN_RUN_BYTES;
}

/* --- strided_loads ------------------------------------------------------------------- */

static bool goes_by_element(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (machine->tuning->elements_near && plan->item >= MIN_ELEMENT_BYTES && plan->reach <= (uint64_t)machine->second)
        return true;
    return svi_abs(plan->src[plan->ndim - 1]) >= MIN_ELEMENT_STEP && svi_moves_singly(machine, plan);
}

bool svi_is_strided_loads(const struct svi_host_copy *c)
{
    return c->machine->isa->column != NULL && !goes_by_element(c->machine, c->plan);
}

/* Where lines share few sets, elements further on in the row are prefetched, but for the last ones. */
bool svi_strided_loads(const struct svi_host_copy *c)
{
    const int32_t last = c->plan->ndim - 1;
    const int64_t step = c->plan->src[last], count = c->plan->shape[last];
    const bool crowded =
        svi_is_crowded(c->machine, c->plan, step, CROWDED_BYTES) && count > MIN_CROWDED * SVI_CROWD_AHEAD;
    const int64_t tail = crowded ? SVI_CROWD_AHEAD : 0, body = count - tail;
    const int item = (int)c->plan->item;
    svi_column *const column = c->machine->isa->column;
    struct svi_odometer row;

    svi_odometer_init(&row, c->plan, last, -1, c->dst, c->src);
    do {
        column(row.dst, row.src, step, body, tail * step, c->beyond_cache, item);
        if (tail != 0)
            column(row.dst + body * item, row.src + body * step, step, tail, 0, c->beyond_cache, item);
    } while (svi_odometer_next(&row));
    if (c->beyond_cache)
        c->machine->isa->fence();
    return true;
}

/* --- strided_vectors ----------------------------------------------------------------- */

/* Bytes of a row of the destination whose vectors may be read: there may be nothing behind its last element. */
static int64_t readable_bytes(const struct svi_host_copy *c)
{
    const int64_t nbytes = svi_row_nbytes(c->plan);

    return c->machine->isa->maskless_exact ? nbytes : nbytes - c->plan->item;
}

bool svi_is_strided_vectors(const struct svi_host_copy *c)
{
    const int64_t item = c->plan->item, step = c->plan->src[c->plan->ndim - 1];

    return !c->beyond_cache && (c->machine->isa->maskless_units & item) != 0 && ((item | step) & (item - 1)) == 0 &&
           step <= SVI_CHANNELS * item && readable_bytes(c) >= c->machine->isa->vector;
}

/* Beyond L2, unless most of the last-level cache is in use: then the processor prefetches by itself. */
static int64_t prefetch_distance(const struct svi_host_copy *c)
{
    const uint64_t reach = c->plan->reach;

    return reach > (uint64_t)c->machine->second && reach <= (uint64_t)c->machine->cache / 4 ? PREFETCH_BYTES : 0;
}

/* whole, there: bytes by whole vectors, and all that may be read; the last vector may overlap the one before. */
static void deinterleave_row(const struct svi_isa *isa, const struct svi_pixels *p, char *dst, const char *src,
                             int64_t whole, int64_t there)
{
    svi_pixels_run *const deinterleave = isa->units[SVI_DEINTERLEAVE][0];

    deinterleave(p, dst, src, whole);
    if (whole < there)
        deinterleave(p, dst + there - isa->vector, src + (there - isa->vector) * p->from, isa->vector);
}

bool svi_strided_vectors(const struct svi_host_copy *c)
{
    const struct svi_isa *const isa = c->machine->isa;
    const int32_t last = c->plan->ndim - 1;
    const int64_t item = c->plan->item, nbytes = svi_row_nbytes(c->plan), there = readable_bytes(c);
    const int64_t whole = there & -(int64_t)isa->vector;
    struct svi_pixels p;
    struct svi_odometer row;

    p.from = (int)(c->plan->src[last] >> __builtin_ctzll((uint64_t)item));
    p.to = 1;
    p.unit = (int)item;
    p.ahead = prefetch_distance(c);
    svi_odometer_init(&row, c->plan, last, -1, c->dst, c->src);
    do {
        deinterleave_row(isa, &p, row.dst, row.src, whole, there);
        if (there < nbytes)
            svi_copy_ends(row.dst + there, row.src + there * p.from, (size_t)item, 4); /* 4 or 8 bytes */
    } while (svi_odometer_next(&row));
    return true;
}
