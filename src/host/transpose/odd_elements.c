/*
 * Items of 3, 5, 6, 7 or 9 to 15 bytes, and short rows, that follow each other in one order in the source and in
 * another in the destination: too odd for the tiles of a transpose.
 */
#include <string.h>

#include "checked.h"
#include "host/kernels.h"

enum {
    LONG_ITEM = 512, /* bytes that are a run by themselves */
    SHORT_RUN = 256  /* bytes of a run of the destination, all its items, that are not worth it */
};

/* Axis i is a run of items in the source, j in the destination. */
struct grid {
    int32_t i, j;
    int64_t item; /* bytes */
};

static bool is_odd(const struct grid *g)
{
    return g->item > SVI_PLAN_ITEM || (g->item & (g->item - 1)) != 0;
}

/* The axis, but skip, with the smallest step in the source. */
static int32_t fastest(const struct svi_plan *plan, int32_t count, int32_t skip)
{
    int32_t best = -1;

    for (int32_t k = 0; k < count; k++)
        if (k != skip && plan->src[k] != 0 && (best < 0 || svi_abs(plan->src[k]) < svi_abs(plan->src[best])))
            best = k;
    return best;
}

/* Bytes of the destination that follow each other from the items of axis j on, without axis i. */
static int64_t run_of(const struct svi_plan *plan, const struct grid *g)
{
    int64_t nbytes = g->item * plan->shape[g->j];

    for (int32_t k = g->j - 1; k >= 0 && nbytes < SHORT_RUN; k--)
        if (k != g->i && plan->dst[k] == nbytes)
            nbytes *= plan->shape[k];
    return nbytes;
}

static bool find_grid(const struct svi_plan *plan, struct grid *g)
{
    const int32_t last = plan->ndim - 1;

    if (plan->kind == SVI_CLASS_TRANSPOSE)
        *g = (struct grid){plan->tile, last, plan->item};
    else if (plan->kind == SVI_CLASS_ROWS && plan->ndim > 2)
        *g = (struct grid){fastest(plan, last, last - 1), last - 1, plan->item * plan->shape[last]};
    else
        return false;
    return g->i >= 0 && is_odd(g) && g->item < LONG_ITEM && plan->dst[g->j] == g->item &&
           svi_abs(plan->src[g->i]) == (uint64_t)g->item && run_of(plan, g) >= SHORT_RUN;
}

bool svi_is_across(const struct svi_plan *plan)
{
    struct grid g;

    return find_grid(plan, &g);
}

/* Rows of the source that run backwards are taken from their other end. */
static struct svi_matrix matrix_of(const struct svi_plan *plan, const struct grid *g, char *dst, const char *src)
{
    const bool backwards = plan->src[g->i] < 0;
    const int64_t end = backwards ? plan->shape[g->i] - 1 : 0;

    return (struct svi_matrix){
        .rows = plan->shape[g->j],
        .columns = plan->shape[g->i],
        .item = g->item,
        .dst = dst + end * plan->dst[g->i],
        .dst_pitch = backwards ? -plan->dst[g->i] : plan->dst[g->i],
        .src = src + end * plan->src[g->i],
        .src_pitch = plan->src[g->j],
    };
}

/* The axes up to j, of items that are as long as a row. */
static struct svi_plan plan_of(const struct svi_plan *plan, const struct grid *g)
{
    struct svi_plan out;

    out.ndim = g->j + 1;
    out.tile = g->i;
    out.item = g->item;
    memcpy(out.shape, plan->shape, (size_t)out.ndim * sizeof *out.shape);
    memcpy(out.dst, plan->dst, (size_t)out.ndim * sizeof *out.dst);
    memcpy(out.src, plan->src, (size_t)out.ndim * sizeof *out.src);
    return out;
}

/* Beyond the cache; of rows, those that rows_nt.c does not store as whole lines. */
bool svi_is_across_streamed(const struct svi_host_copy *c)
{
    if (c->machine->isa->stream_copy == NULL || !svi_is_beyond_l2(c->machine, c->plan, 1))
        return false;
    return c->plan->kind != SVI_CLASS_ROWS ||
           !(svi_has_lines(c->plan, c->dst) || svi_is_joined(c->machine, c->plan));
}

typedef bool way(const struct svi_host_copy *c, const struct svi_plan *items, const struct svi_matrix *m);

static bool run(const struct svi_host_copy *c, way *run_grid)
{
    struct svi_matrix m;
    struct svi_plan items;
    struct grid g;

    if (!find_grid(c->plan, &g))
        return false;
    m = matrix_of(c->plan, &g, c->dst, c->src);
    items = plan_of(c->plan, &g);
    return run_grid(c, &items, &m);
}

bool svi_across_by_source(const struct svi_host_copy *c)
{
    return run(c, svi_host_carry);
}

bool svi_across_by_rows(const struct svi_host_copy *c)
{
    return run(c, svi_host_ragged);
}
