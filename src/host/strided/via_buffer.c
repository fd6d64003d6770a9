/*
 * Copies beyond the cache whose runs in the destination are short. Pieces are copied to a buffer in cache, by the loops
 * that are tried after this one, and stored from there by whole lines. If the next piece continues a piece, the partial
 * line at its end is carried on.
 */
#include "base/checked.h"
#include "plan/part.h"
#include "host/base/buffer.h"
#include "host/base/memory_hints.h"
#include "host/loop/facts.h"
#include "host/loop/loop.h"
#include "host/interleave/few_units.h"
#include "host/strided/strided_runs.h"
#include "host/rows/rows_nt.h"

/* Measured: doc/internals/copy_experiments.md#what-do-non-temporal-stores-of-partial-lines-cost. */
enum {
    PIECE_BYTES = 2048, /* bytes of a piece; larger ones delay the loads of the next piece */
    MIN_PIECE_BYTES = 512, /* bytes of a piece that pays */
    MAX_ROW_BYTES = 256, /* bytes of a row; longer rows are faster without a buffer */
    MAX_PLANE_BYTES = 1536, /* bytes of one plane of pixels of a few units */
    MAX_REVERSED_BYTES = 512, /* bytes of a reversed run that is no whole lines */
    MIN_PREFETCH_PITCH_BYTES = 1024 /* pitch of rows of the source that the processor does not prefetch itself */
};

/* A piece: axes [axis, ndim) are one run in the destination, as many whole steps of the first as fit PIECE_BYTES. */
struct piece {
    int32_t axis;
    int64_t count;  /* steps at most */
    int64_t nbytes; /* of a step */
};

static struct piece choose_piece(const struct svi_plan *plan)
{
    struct piece p = {plan->ndim - 1, 0, plan->item};

    if (plan->dst[p.axis] != plan->item)
        return p;
    while (p.axis > 0 && p.nbytes * plan->shape[p.axis] <= PIECE_BYTES / 2 &&
           plan->dst[p.axis - 1] == p.nbytes * plan->shape[p.axis])
        p.nbytes *= plan->shape[p.axis--];
    p.count = svi_smaller(PIECE_BYTES / p.nbytes, plan->shape[p.axis]);
    return p;
}

/* Whether runs of the plan are so long that its own loops are faster. */
static bool has_long_rows(const struct svi_plan *plan, const char *dst)
{
    const int64_t nbytes = svi_row_nbytes(plan);

    if (plan->kind == SVI_CLASS_REPEAT || svi_is_column(plan))
        return nbytes >= PIECE_BYTES;
    if (plan->kind == SVI_CLASS_REVERSED)
        return nbytes > (svi_has_lines(plan, dst) ? MAX_ROW_BYTES : MAX_REVERSED_BYTES);
    return plan->kind == SVI_CLASS_ROWS &&
           (nbytes >= MAX_ROW_BYTES || svi_has_lines(plan, dst) || svi_is_dense(plan, dst));
}

/* Prefetches the rows of a piece from step k on. Not inline, the compiler would take it for a function of no effect. */
SVI_INLINE void prefetch_piece_rows(const struct svi_plan *plan, const struct piece *p, int64_t k, const char *src)
{
    const int64_t end = svi_smaller(k + p->count, plan->shape[p->axis]);

    for (; k < end; k++) {
        const char *row = src + k * plan->src[p->axis];

        for (int64_t at = 0; at < p->nbytes; at += SVI_LINE)
            svi_prefetch(row + at);
        svi_prefetch(row + p->nbytes - 1);
    }
}

/* The pieces along their axis. part is of their axes; its first extent is set here. */
static void copy_pieces(const struct svi_host_copy *c, const struct piece *p, struct svi_plan *part, char *dst,
                        const char *src, struct svi_carried_run *run)
{
    _Alignas(SVI_LINE) char buffer[PIECE_BYTES + 2 * SVI_LINE];
    const struct svi_plan *const plan = c->plan;
    const bool prefetches = plan->kind == SVI_CLASS_ROWS && p->axis == plan->ndim - 2 &&
                            svi_abs(plan->src[p->axis]) >= MIN_PREFETCH_PITCH_BYTES;
    struct svi_host_copy piece = {.machine = c->machine, .plan = part};

    for (int64_t k = 0; k < plan->shape[p->axis]; k += p->count) {
        const int64_t count = svi_smaller(plan->shape[p->axis] - k, p->count);
        char *const to = dst + k * plan->dst[p->axis];

        if (count != part->shape[0])
            svi_part_set_extent(part, 0, count);
        if (prefetches)
            prefetch_piece_rows(plan, p, k + p->count, src);
        piece.dst = buffer + SVI_LINE + (uintptr_t)to % SVI_LINE;
        piece.src = src + k * plan->src[p->axis];
        svi_run_loops(c->form->rest->loops, &piece);
        svi_continue_carried_run(run, to, piece.dst, part->nbytes);
    }
}

/* Its pieces are in cache, and are made by the loops of the form that is asked after its own. */
static bool can_collect(const struct svi_host_copy *c)
{
    return c->machine->isa->nt != NULL;
}

/* Runs of one plane of a few units, each of which is mostly its ends, are worth it on all processors. Not inline: small
 * copies have no time for its frame. */
static __attribute__((noinline)) bool refuses_pieces(const struct svi_host_copy *c)
{
    const struct piece p = choose_piece(c->plan);
    bool units;

    if (p.count * p.nbytes < MIN_PIECE_BYTES)
        return svi_reject(c, "its pieces are short, or not contiguous in the destination");
    if (c->plan->kind == SVI_CLASS_ROWS && p.axis == c->plan->ndim - 1)
        return svi_reject(c, "its pieces would be parts of rows");
    units = svi_is_pixels(c->plan);
    if (units && (c->plan->kind != SVI_CLASS_GATHER || c->machine->isa->pixels == NULL))
        return svi_refuse(c, "pixels of several units are stored as they are");
    if (units && svi_row_nbytes(c->plan) >= MAX_PLANE_BYTES)
        return svi_refuse(c, "its runs are long");
    if (!units && !c->machine->tuning->buffers_pieces)
        return svi_refuse(c, "this processor stores short pieces faster through the cache");
    return has_long_rows(c->plan, c->dst) && svi_refuse(c, "its runs are long");
}

static bool refuses_buffer(const struct svi_host_copy *c)
{
    return svi_refuse_in_cache(c) || refuses_pieces(c);
}

static bool via_buffer(const struct svi_host_copy *c)
{
    const struct piece p = choose_piece(c->plan);
    struct svi_carried_run run = {.put = c->machine->isa->nt->copy};
    struct svi_plan part;
    struct svi_odometer outer;

    svi_part_of_axes(c->plan, p.axis, &part);
    svi_plan_set_reach(&part, 0); /* it stays in cache */
    for (svi_axes_of(c, p.axis, &outer); !outer.ended; svi_odometer_next(&outer))
        copy_pieces(c, &p, &part, outer.dst, outer.src, &run);
    svi_end_carried_run(&run);
    c->machine->isa->nt->fence();
    return true;
}

const struct svi_loop svi_loop_via_buffer = {
    .name = "via_buffer",
    .can = can_collect,
    .refuses = refuses_buffer,
    .run = via_buffer,
    .stores = SVI_STORES_NT,
    .what = "short pieces beyond the cache, collected in a buffer that is stored by lines",
};
