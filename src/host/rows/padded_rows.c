/*
 * Destinations with gaps of up to a cache line: short rows beyond the NT threshold, and elements at every second to
 * fourth place. A store through the cache reads its line first. Non-temporal stores of partial lines do not, but go one
 * by one, and only some processors have them at little cost. The two wait for different things, so two distant parts of
 * the copy alternate, each done in one of these ways.
 */
#include "checked.h"
#include "host/base/elements.h"
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

static void scatter_row(const struct svi_isa *isa, const struct svi_spread *s, int64_t count, char *dst,
                        const char *src, int64_t item)
{
    const int64_t step = s->lines * item, line = SVI_LINE / item;
    const int64_t head = head_of(dst, step, count), body = (count - head) / line * line, done = head + body;

    svi_line_of(head, dst, step, src, item, item);
    isa->scatter(s, dst + head * step, src + head * item, body * item);
    svi_line_of(count - done, dst + done * step, step, src + done * item, item, item);
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

    for (svi_axes_of(c, last, &outer); !outer.ended; svi_odometer_next(&outer))
        scatter_row(c->machine->isa, &spread, c->plan->shape[last], outer.dst, outer.src, c->plan->item);
    return true;
}

/* --- two parts alternately ----------------------------------------------------------- */

/* Rows of an axis, or elements. */
struct gaps {
    const struct svi_isa *isa;
    const struct svi_spread *spread; /* NULL, or rows are elements, and go through the cache by masked stores */
    int64_t piece; /* rows of a turn */
    int unit;      /* of which rows have some; both sides are aligned to it */
};

/* What is left of a part: the rows of the axis, some of which are done; and the axes in front of it. */
struct part {
    struct svi_odometer outer;
    struct svi_rows rows;
    int64_t done, left;
};

/* The largest unit of up to 32 bytes to which all rows are aligned. */
static int unit_of(const struct svi_host_copy *c, int32_t axis, int64_t nbytes)
{
    uint64_t all = (uintptr_t)c->dst | (uint64_t)nbytes | 32;

    for (int32_t k = 0; k <= axis; k++)
        all |= (uint64_t)c->plan->dst[k];
    return (int)(all & -all);
}

static struct part part_of(const struct svi_host_copy *c, int32_t axis, int64_t nbytes, int64_t first, int64_t left)
{
    const struct svi_plan *plan = c->plan;
    const int64_t count = plan->shape[axis];
    struct part p = {.rows = {NULL, plan->dst[axis], NULL, plan->src[axis], count, nbytes}, .done = first % count,
                     .left = left};

    svi_axes_of(c, axis, &p.outer);
    svi_odometer_seek(&p.outer, first / count);
    return p;
}

/* The next piece. */
static struct svi_rows take(const struct gaps *g, struct part *p)
{
    const int64_t count = svi_smaller(svi_smaller(g->piece, p->left), p->rows.count - p->done), first = p->done;

    p->rows.dst = p->outer.dst;
    p->rows.src = p->outer.src;
    p->left -= count;
    p->done += count;
    if (p->done == p->rows.count) {
        p->done = 0;
        svi_odometer_next(&p->outer);
    }
    return svi_some_rows(&p->rows, first, count);
}

SVI_INLINE void store_units(struct svi_rows r, int64_t unit)
{
    for (; r.count > 0; svi_next_rows(&r, 1))
        svi_line(r.nbytes / unit, r.dst, unit, r.src, unit, (size_t)unit);
}

static void store_cached(const struct gaps *g, struct svi_rows r)
{
    if (g->spread != NULL) {
        scatter_row(g->isa, g->spread, r.count, r.dst, r.src, r.nbytes);
        return;
    }
    switch (g->unit) {
    case 4: store_units(r, 4); break;
    case 8: store_units(r, 8); break;
    case 16: store_units(r, 16); break;
    default: store_units(r, 32); break;
    }
}

/* turns: pieces by non-temporal stores for one through the cache. */
static void alternate(const struct gaps *g, struct part *nt, struct part *cached, int turns)
{
    while (nt->left > 0) {
        for (int k = 0; k < turns && nt->left > 0; k++) {
            const struct svi_rows rows = take(g, nt);

            g->isa->stream_gaps(&rows, g->unit);
        }
        if (cached->left > 0)
            store_cached(g, take(g, cached));
    }
    while (cached->left > 0)
        store_cached(g, take(g, cached));
    g->isa->fence();
}

/* Rows of nbytes along axis. False where it is not that, or does not pay: nothing is done. */
static bool copy_padded(const struct svi_host_copy *c, int32_t axis, int64_t nbytes, const struct svi_spread *spread)
{
    const struct svi_plan *const plan = c->plan;
    struct gaps g = {c->machine->isa, spread, 1, unit_of(c, axis, nbytes)};
    const int64_t step = plan->dst[axis];
    struct part nt, cached;
    const int turns = nbytes <= SVI_UNIT ? 1 : 2; /* small rows take more stores for a line */
    int64_t total = 1, cut;

    if (!c->machine->parts || g.isa->stream_gaps == NULL || !c->beyond_cache || g.unit < 4 ||
        nbytes > MAX_UNITS * g.unit || step <= nbytes || step > nbytes + SVI_LINE)
        return false;
    if (c->asks)
        return true;
    if (step < PIECE_BYTES)
        g.piece = PIECE_BYTES / step;
    if (spread != NULL)
        g.piece = g.piece / (SVI_LINE / nbytes) * (SVI_LINE / nbytes);
    for (int32_t k = 0; k <= axis; k++)
        total *= plan->shape[k];
    cut = total * turns / (turns + 1) / g.piece * g.piece;
    nt = part_of(c, axis, nbytes, 0, cut);
    cached = part_of(c, axis, nbytes, cut, total - cut);
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
