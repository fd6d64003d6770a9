/*
 * Destinations with gaps of up to a cache line: short rows beyond the NT threshold, and elements at every second to
 * fourth place. A store through the cache reads its line first. Non-temporal stores of partial lines do not, but go one
 * by one, and only some processors have them at little cost. The two wait for different things, so two distant parts of
 * the copy alternate, each done in one of these ways.
 */
#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/kernels.h"

enum {
    PIECE_BYTES = 512,          /* of the destination, for each way in its turn */
    MAX_UNITS = 16,             /* of a row: partial lines are the lesser part of longer ones */
    MIN_SCATTERED_BYTES = 256,  /* of a row of the source, which are mostly head and tail below that */
    MIN_SCATTERED_COUNT = 1024  /* elements of a copy; fewer are as fast one by one */
};

/* --- elements by masked stores of whole lines ---------------------------------------- */

/* Elements up to the first that begins a line of the destination; 0: none of count does. */
static int64_t head_of(const char *dst, int64_t step, int64_t count)
{
    for (int64_t k = 0; k < SVI_LINE && k < count; k++)
        if ((uintptr_t)(dst + k * step) % SVI_LINE == 0)
            return k;
    return 0;
}

SVI_INLINE void scatter_row_of(const struct svi_isa *isa, const struct svi_spread *s, int64_t count, char *dst,
                               const char *src, size_t item)
{
    const int64_t size = (int64_t)item, step = s->lines * size, line = SVI_LINE / size;
    const int64_t head = head_of(dst, step, count), body = (count - head) / line * line, done = head + body;

    svi_line(head, dst, step, src, size, item);
    isa->scatter(s, dst + head * step, src + head * size, body * size);
    svi_line(count - done, dst + done * step, step, src + done * size, size, item);
}

static void scatter_row(const struct svi_isa *isa, const struct svi_spread *s, int64_t count, char *dst,
                        const char *src, int64_t item)
{
    switch (item) {
    case 4: scatter_row_of(isa, s, count, dst, src, 4); break;
    case 8: scatter_row_of(isa, s, count, dst, src, 8); break;
    default: scatter_row_of(isa, s, count, dst, src, 16); break;
    }
}

static int places_of(const struct svi_plan *plan)
{
    const int64_t step = plan->dst[plan->ndim - 1];

    return step % plan->item == 0 && step / plan->item <= SVI_CHANNELS ? (int)(step / plan->item) : 0;
}

bool svi_is_scatter(const struct svi_plan *plan)
{
    const int64_t item = plan->item;

    return plan->kind == SVI_CLASS_SCATTER && (item == 4 || item == 8 || item == 16) &&
           plan->src[plan->ndim - 1] == item && places_of(plan) > 1 && svi_row_nbytes(plan) >= MIN_SCATTERED_BYTES &&
           plan->nbytes >= MIN_SCATTERED_COUNT * item;
}

/* Word w of line k of the destination is part of an element, or of the gap behind it. */
static struct svi_spread spread_of(const struct svi_host_copy *c)
{
    struct svi_spread s = {.lines = places_of(c->plan), .beyond_cache = c->beyond_cache};
    const int words = (int)c->plan->item / 4;

    for (int k = 0; k < s.lines; k++)
        for (int w = 0; w < SVI_LINE / 4; w++) {
            const int at = k * SVI_LINE / 4 + w, item = at / (words * s.lines), part = at % (words * s.lines);

            s.word[k][w] = (uint32_t)(item * words + part) % (SVI_LINE / 4);
            s.there[k] |= (uint16_t)((part < words) << w);
        }
    return s;
}

bool svi_is_scatter_masked(const struct svi_host_copy *c)
{
    return c->machine->isa->scatter != NULL;
}

bool svi_scatter_masked(const struct svi_host_copy *c)
{
    const int32_t last = c->plan->ndim - 1;
    const struct svi_spread spread = spread_of(c);
    struct svi_odometer outer;

    svi_odometer_init(&outer, c->plan, last, -1, c->dst, c->src);
    do
        scatter_row(c->machine->isa, &spread, c->plan->shape[last], outer.dst, outer.src, c->plan->item);
    while (svi_odometer_next(&outer));
    return true;
}

/* --- two parts alternately ----------------------------------------------------------- */

/* Rows of an axis, or elements. */
struct gaps {
    const struct svi_isa *isa;
    const struct svi_spread *spread; /* NULL, or rows are elements, and go through the cache by masked stores */
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

/* The largest unit of up to 32 bytes to which all rows are aligned. */
static int unit_of(const struct svi_host_copy *c, int32_t axis, int64_t nbytes)
{
    uint64_t all = (uintptr_t)c->dst | (uint64_t)nbytes | 32;

    for (int32_t k = 0; k <= axis; k++)
        all |= (uint64_t)c->plan->dst[k];
    return (int)(all & -all);
}

static struct part part_of(const struct svi_host_copy *c, int32_t axis, int64_t first, int64_t left)
{
    struct part p = {.at = first % c->plan->shape[axis], .left = left};

    svi_odometer_init(&p.outer, c->plan, axis, -1, c->dst, c->src);
    svi_odometer_seek(&p.outer, first / c->plan->shape[axis]);
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

static void store_nt(const struct gaps *g, struct part *p)
{
    const char *src;
    char *dst;
    const int64_t count = take(g, p, &dst, &src);

    g->isa->stream_gaps(dst, g->dst_step, src, g->src_step, count, g->nbytes, g->unit);
}

SVI_INLINE void store_units(const struct gaps *g, int64_t count, char *dst, const char *src, size_t unit)
{
    const struct svi_plane plane = {{count, g->nbytes / (int64_t)unit}, {g->dst_step, (int64_t)unit},
                                    {g->src_step, (int64_t)unit}};

    if (g->nbytes == (int64_t)unit)
        svi_line(count, dst, g->dst_step, src, g->src_step, unit);
    else
        svi_items(&plane, dst, src, unit);
}

static void store_cached(const struct gaps *g, struct part *p)
{
    const char *src;
    char *dst;
    const int64_t count = take(g, p, &dst, &src);

    if (g->spread != NULL) {
        scatter_row(g->isa, g->spread, count, dst, src, g->nbytes);
        return;
    }
    switch (g->unit) {
    case 4: store_units(g, count, dst, src, 4); break;
    case 8: store_units(g, count, dst, src, 8); break;
    case 16: store_units(g, count, dst, src, 16); break;
    default: store_units(g, count, dst, src, 32); break;
    }
}

/* turns: pieces by non-temporal stores for one through the cache. */
static void alternate(const struct gaps *g, struct part *nt, struct part *cached, int turns)
{
    while (nt->left > 0) {
        for (int k = 0; k < turns && nt->left > 0; k++)
            store_nt(g, nt);
        if (cached->left > 0)
            store_cached(g, cached);
    }
    while (cached->left > 0)
        store_cached(g, cached);
    g->isa->fence();
}

/* Rows of nbytes along axis. False where it is not that, or does not pay: nothing is done. */
static bool copy_padded(const struct svi_host_copy *c, int32_t axis, int64_t nbytes, const struct svi_spread *spread)
{
    const struct svi_plan *const plan = c->plan;
    struct gaps g = {c->machine->isa, spread, plan->shape[axis],          plan->dst[axis], plan->src[axis],
                     1,               nbytes, unit_of(c, axis, nbytes)};
    struct part nt, cached;
    const int turns = nbytes <= SVI_UNIT ? 1 : 2; /* small rows take more stores for a line */
    int64_t total = 1, cut;

    if (!c->machine->parts || g.isa->stream_gaps == NULL || !c->beyond_cache || g.unit < 4 ||
        nbytes > MAX_UNITS * g.unit || g.dst_step <= nbytes || g.dst_step > nbytes + SVI_LINE)
        return false;
    if (c->asks)
        return true;
    if (g.dst_step < PIECE_BYTES)
        g.piece = PIECE_BYTES / g.dst_step;
    if (spread != NULL)
        g.piece = g.piece / (SVI_LINE / nbytes) * (SVI_LINE / nbytes);
    for (int32_t k = 0; k <= axis; k++)
        total *= plan->shape[k];
    cut = total * turns / (turns + 1) / g.piece * g.piece;
    nt = part_of(c, axis, 0, cut);
    cached = part_of(c, axis, cut, total - cut);
    alternate(&g, &nt, &cached, turns);
    return true;
}

bool svi_rows_padded_nt(const struct svi_host_copy *c)
{
    return copy_padded(c, c->plan->ndim - 2, svi_row_nbytes(c->plan), NULL);
}

bool svi_scatter_padded_nt(const struct svi_host_copy *c)
{
    const struct svi_spread spread = spread_of(c);

    return copy_padded(c, c->plan->ndim - 1, c->plan->item, svi_is_scatter_masked(c) ? &spread : NULL);
}
