/*
 * Copies past the cache whose kernel writes piece by piece: each piece goes to
 * a buffer in cache, and from there in whole lines to where it belongs.
 */
#include "checked.h"
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    PIECE = 2048,        /* bytes; larger ones let the reads of the next piece wait for long */
    LEAST = 512,         /* bytes that are worth it */
    LONG_ROW = 256,      /* bytes that are not, as a row, */
    LONG_REVERSED = 512, /* or as one backwards that is no whole lines */
    APART = 1024         /* bytes from row to row of the source, with which they are not foreseen */
};

/* Axes [axis, ndim) of the destination are one run, as far as whole steps of the first fit a piece. */
struct piece {
    int32_t axis;
    int64_t count;  /* steps at most */
    int64_t nbytes; /* of a step */
};

static struct piece piece_of(const struct svi_plan *plan)
{
    struct piece p = {plan->ndim - 1, 0, plan->item};

    if (plan->dst[p.axis] != plan->item)
        return p;
    while (p.axis > 0 && p.nbytes * plan->shape[p.axis] <= PIECE / 2 &&
           plan->dst[p.axis - 1] == p.nbytes * plan->shape[p.axis])
        p.nbytes *= plan->shape[p.axis--];
    p.count = PIECE / p.nbytes < plan->shape[p.axis] ? PIECE / p.nbytes : plan->shape[p.axis];
    return p;
}

/* The kernels of rows, of runs backwards, of repeats and of columns do better by themselves. */
static bool is_long_row(const struct svi_plan *plan, const char *dst)
{
    const int64_t nbytes = plan->shape[plan->ndim - 1] * plan->item;

    if (plan->kind == SVI_CLASS_REPEAT || svi_is_column(plan))
        return nbytes >= PIECE;
    if (plan->kind == SVI_CLASS_REVERSED)
        return nbytes > (svi_has_lines(plan, dst) ? LONG_ROW : LONG_REVERSED);
    return plan->kind == SVI_CLASS_ROWS && (nbytes >= LONG_ROW || svi_has_lines(plan, dst) || svi_is_dense(plan, dst));
}

static void take_axes(const struct svi_plan *plan, int32_t first, struct svi_plan *out)
{
    out->kind = plan->kind;
    out->ndim = plan->ndim - first;
    out->tile = plan->tile < first ? out->ndim - 1 : plan->tile - first;
    out->item = plan->item;
    out->reach = 0; /* a buffer is in cache */
    for (int32_t k = first; k < plan->ndim; k++) {
        out->shape[k - first] = plan->shape[k];
        out->dst[k - first] = plan->dst[k];
        out->src[k - first] = plan->src[k];
    }
}

static bool has_rows_apart(const struct svi_plan *plan, const struct piece *p)
{
    return plan->kind == SVI_CLASS_ROWS && p->axis == plan->ndim - 2 && svi_abs(plan->src[p->axis]) >= APART;
}

/* The rows of a piece from step k on, if it is not behind the last. Not inline it would be taken for nothing. */
SVI_INLINE void fetch_rows(const struct svi_plan *plan, const struct piece *p, int64_t k, const char *src)
{
    const int64_t end = svi_smaller(k + p->count, plan->shape[p->axis]);

    for (; k < end; k++) {
        const char *row = src + k * plan->src[p->axis];

        for (int64_t at = 0; at < p->nbytes; at += SVI_LINE)
            __builtin_prefetch(row + at);
        __builtin_prefetch(row + p->nbytes - 1);
    }
}

/* Along the axis of the piece. part: a plan of its axes, whose first extent is set here. */
static void pieces(const struct svi_machine *machine, const struct svi_plan *plan, const struct piece *p,
                   struct svi_plan *part, const struct svi_loop *const *loops, char *dst, const char *src)
{
    _Alignas(SVI_LINE) char buffer[PIECE + SVI_LINE];
    const bool fetches = has_rows_apart(plan, p);
    struct svi_host_copy piece = {.machine = machine, .plan = part}; /* a buffer is in cache */

    for (int64_t k = 0; k < plan->shape[p->axis]; k += p->count) {
        char *to = dst + k * plan->dst[p->axis], *place = buffer + (uintptr_t)to % SVI_LINE;
        const int64_t left = plan->shape[p->axis] - k;

        part->shape[0] = left < p->count ? left : p->count;
        part->nbytes = part->shape[0] * p->nbytes;
        if (fetches)
            fetch_rows(plan, p, k + p->count, src);
        piece.dst = place;
        piece.src = src + k * plan->src[p->axis];
        svi_run_loops(loops, &piece);
        machine->isa->stream_copy(to, place, (size_t)part->nbytes);
    }
}

bool svi_host_stage(const struct svi_host_copy *c, const struct svi_loop *const *loops)
{
    const struct svi_plan *const plan = c->plan;
    const struct piece p = piece_of(plan);
    struct svi_odometer outer;
    struct svi_plan part;

    if (p.count * p.nbytes < LEAST || is_long_row(plan, c->dst))
        return false;
    if (c->asks)
        return true;
    take_axes(plan, p.axis, &part);
    svi_odometer_init(&outer, plan, p.axis, -1, c->dst, c->src);
    do
        pieces(c->machine, plan, &p, &part, loops, outer.dst, outer.src);
    while (svi_odometer_next(&outer));
    c->machine->isa->fence();
    return true;
}
