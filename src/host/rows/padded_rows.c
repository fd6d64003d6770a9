/*
 * Destinations with gaps of up to a line, past the cache. What is stored through it is read before; parts of lines
 * that are stored past it are not, on some processors, but go one by one. The two wait for different things, so both
 * are done side by side, in turns, in two parts of the copy that are far from each other.
 */
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    PIECE = 512, /* bytes of the destination in a turn */
    UNITS = 16   /* of a row at most: of long ones, ends of lines are the lesser part, and small ones take their time */
};

/* Rows of an axis, or items. */
struct gaps {
    const struct svi_isa *isa;
    const struct svi_spread *spread; /* NULL, or rows are items and go through the cache by it */
    int64_t count, dst_step, src_step;
    int64_t piece;  /* of count */
    int64_t nbytes; /* of a row: so many units */
    int unit;
};

/* What is left of a part: rows of the axis, and the axes in front of it. */
struct part {
    struct svi_odometer outer;
    int64_t at, left;
};

static int unit_of(const struct svi_plan *plan, int32_t axis, const char *dst, int64_t nbytes)
{
    uint64_t all = (uintptr_t)dst | (uint64_t)nbytes | 32;

    for (int32_t k = 0; k <= axis; k++)
        all |= (uint64_t)plan->dst[k];
    return (int)(all & -all);
}

static struct part part_of(const struct svi_plan *plan, int32_t axis, char *dst, const char *src, int64_t first,
                           int64_t left)
{
    struct part p = {.at = first % plan->shape[axis], .left = left};

    svi_odometer_init(&p.outer, plan, axis, -1, dst, src);
    svi_odometer_seek(&p.outer, first / plan->shape[axis]);
    return p;
}

/* The next piece; returns how many rows. */
static int64_t take(const struct gaps *g, struct part *p, char **dst, const char **src)
{
    int64_t count = g->count - p->at < g->piece ? g->count - p->at : g->piece;

    if (count > p->left)
        count = p->left;
    *dst = p->outer.dst + p->at * g->dst_step;
    *src = p->outer.src + p->at * g->src_step;
    p->left -= count;
    p->at += count;
    if (p->at == g->count) {
        p->at = 0;
        svi_odometer_next(&p->outer);
    }
    return count;
}

static void past_cache(const struct gaps *g, struct part *p)
{
    const char *src;
    char *dst;
    const int64_t count = take(g, p, &dst, &src);

    g->isa->stream_gaps(dst, g->dst_step, src, g->src_step, count, g->nbytes, g->unit);
}

SVI_INLINE void through_by(const struct gaps *g, int64_t count, char *dst, const char *src, size_t unit)
{
    const struct svi_plane plane = {{count, g->nbytes / (int64_t)unit}, {g->dst_step, (int64_t)unit},
                                    {g->src_step, (int64_t)unit}};

    if (g->nbytes == (int64_t)unit)
        svi_line(count, dst, g->dst_step, src, g->src_step, unit);
    else
        svi_items(&plane, dst, src, unit);
}

static void through_cache(const struct gaps *g, struct part *p)
{
    const char *src;
    char *dst;
    const int64_t count = take(g, p, &dst, &src);

    if (g->spread != NULL) {
        svi_scatter_items(g->isa, g->spread, count, dst, src, g->nbytes);
        return;
    }
    switch (g->unit) {
    case 4: through_by(g, count, dst, src, 4); break;
    case 8: through_by(g, count, dst, src, 8); break;
    case 16: through_by(g, count, dst, src, 16); break;
    default: through_by(g, count, dst, src, 32); break;
    }
}

bool svi_host_gaps(const struct svi_host_copy *c, int32_t axis, int64_t nbytes, const struct svi_spread *spread)
{
    const struct svi_machine *const machine = c->machine;
    const struct svi_plan *const plan = c->plan;
    char *const dst = c->dst;
    const char *const src = c->src;
    struct gaps g = {machine->isa, spread, plan->shape[axis], plan->dst[axis], plan->src[axis], 1, nbytes,
                     unit_of(plan, axis, dst, nbytes)};
    struct part past, through;
    const int turns = nbytes <= SVI_UNIT ? 1 : 2; /* past the cache for one through it: items take more stores a line */
    int64_t total = 1, cut;

    if (!machine->parts || machine->isa->stream_gaps == NULL || !c->past_cache || g.unit < 4 ||
        nbytes > UNITS * g.unit || g.dst_step <= nbytes || g.dst_step > nbytes + SVI_LINE)
        return false;
    if (c->asks)
        return true;
    if (g.dst_step < PIECE)
        g.piece = PIECE / g.dst_step;
    if (spread != NULL)
        g.piece = g.piece / (SVI_LINE / nbytes) * (SVI_LINE / nbytes);
    for (int32_t k = 0; k <= axis; k++)
        total *= plan->shape[k];
    cut = total * turns / (turns + 1) / g.piece * g.piece;
    past = part_of(plan, axis, dst, src, 0, cut);
    through = part_of(plan, axis, dst, src, cut, total - cut);
    while (past.left > 0) {
        for (int k = 0; k < turns && past.left > 0; k++)
            past_cache(&g, &past);
        if (through.left > 0)
            through_cache(&g, &through);
    }
    while (through.left > 0)
        through_cache(&g, &through);
    machine->isa->fence();
    return true;
}
