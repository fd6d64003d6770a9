/*
 * Destinations with gaps of up to a cache line: short rows beyond the cache, and elements at every second to fourth
 * place. A store through the cache reads its line first. A non-temporal store of a partial line does not, but such
 * stores do not overlap, and only some processors have them at little cost. The two wait for different resources, so
 * two distant parts of the copy alternate, one by each kind of store.
 */
#include "base/checked.h"
#include "host/base/elements.h"
#include "host/loop/facts.h"
#include "host/loop/loop.h"
#include "host/rows/padded_rows.h"

/* Measured: doc/internals/copy_experiments.md#how-are-gaps-in-the-destination-stored. */
enum {
    PIECE_BYTES = 512, /* bytes of the destination that each kind of store does before the other takes its turn */
    MAX_UNITS = 16, /* units of a row; partial lines matter less in longer rows */
    MIN_SCATTERED_BYTES = 256, /* bytes of a row of the source; shorter rows are mostly head and tail */
    MIN_SCATTERED_ELEMENTS = 1024 /* elements of a copy; fewer are as fast one by one */
};

/* --- elements by masked stores of whole lines ---------------------------------------- */

static void scatter_row(const struct svi_isa *isa, const struct svi_spread *s, int64_t count, char *dst,
                        const char *src, int64_t item)
{
    const int64_t step = s->lines * item, line = SVI_LINE / item;
    const int64_t head = svi_larger(svi_line_head(dst, step, count), 0);
    const int64_t body = (count - head) / line * line, done = head + body;

    svi_line_of(head, dst, step, src, item, item);
    isa->scatter(s, dst + head * step, src + head * item, body * item);
    svi_line_of(count - done, dst + done * step, step, src + done * item, item, item);
}

static int count_places(const struct svi_plan *plan)
{
    const int64_t step = plan->dst[plan->ndim - 1];

    return step % plan->item == 0 && step / plan->item <= SVI_CHANNELS ? (int)(step / plan->item) : 0;
}

bool svi_is_scatter(const struct svi_plan *plan)
{
    const int64_t item = plan->item;

    return plan->kind == SVI_CLASS_SCATTER && (item == 4 || item == 8 || item == 16) &&
           plan->src[plan->ndim - 1] == item && count_places(plan) > 1 && svi_row_nbytes(plan) >= MIN_SCATTERED_BYTES &&
           plan->nbytes >= MIN_SCATTERED_ELEMENTS * item;
}

/* The table by which a line of the source is spread. Word w of line k is a part of an element, or of the gap behind. */
static struct svi_spread spread_of(const struct svi_host_copy *c)
{
    struct svi_spread s = {.lines = count_places(c->plan), .beyond_cache = c->beyond_cache};
    const int words = (int)c->plan->item / 4;

    for (int k = 0; k < s.lines; k++)
        for (int w = 0; w < SVI_LINE / 4; w++) {
            const int at = k * SVI_LINE / 4 + w, item = at / (words * s.lines), part = at % (words * s.lines);

            s.word[k][w] = (uint32_t)(item * words + part) % (SVI_LINE / 4);
            s.there[k] |= (uint16_t)((part < words) << w);
        }
    return s;
}

static bool can_mask(const struct svi_host_copy *c)
{
    return c->machine->isa->scatter != NULL;
}

static bool scatter_masked(const struct svi_host_copy *c)
{
    const int32_t last = c->plan->ndim - 1;
    const struct svi_spread spread = spread_of(c);
    struct svi_odometer outer;

    for (svi_axes_of(c, last, &outer); !outer.ended; svi_odometer_next(&outer))
        scatter_row(c->machine->isa, &spread, c->plan->shape[last], outer.dst, outer.src, c->plan->item);
    return true;
}

const struct svi_loop svi_loop_scatter_masked = {
    .name = "scatter_masked",
    .can = can_mask,
    .run = scatter_masked,
    .what = "every second to fourth place, by masked stores",
};

/* --- two parts alternately ----------------------------------------------------------- */

/* Whether all rows are aligned to 4 bytes or more, and have at most MAX_UNITS units of their alignment. */
static bool has_units(const struct svi_host_copy *c, int32_t axis, int64_t nbytes)
{
    uint64_t bits = (uintptr_t)c->dst | (uint64_t)nbytes | 2 * SVI_UNIT;

    for (int32_t k = 0; k <= axis; k++)
        bits |= (uint64_t)c->plan->dst[k];
    return bits % 4 == 0 && nbytes <= MAX_UNITS * (int64_t)(bits & -bits);
}

/* Stores rows through the cache. With spread the rows are elements, which are stored by masks. */
static void store_cached(const struct svi_isa *isa, const struct svi_spread *spread, const struct svi_rows *r)
{
    if (spread != NULL)
        scatter_row(isa, spread, r->count, r->dst, r->src, r->nbytes);
    else if (r->nbytes > SVI_UNIT)
        isa->cached_rows(r, SVI_PREFETCH_NONE, 1);
    else
        svi_line_of(r->count, r->dst, r->dst_pitch, r->src, r->src_pitch, r->nbytes);
}

/* Removes the next piece from the rows that are left. */
static struct svi_rows take_next_piece(struct svi_rows *left, int64_t piece)
{
    const struct svi_rows rows = svi_some_rows(left, 0, svi_smaller(piece, left->count));

    svi_next_rows(left, rows.count);
    return rows;
}

/* Stores pieces of the first rows by non-temporal stores, a few at a time, and after these one piece of the other rows
 * through the cache. */
static void alternate_stores(const struct svi_isa *isa, const struct svi_spread *spread, const struct svi_rows *r,
                             int64_t piece)
{
    const int turns = r->nbytes <= SVI_UNIT ? 1 : 2; /* short rows need more stores for a line */
    const int64_t cut = r->count * turns / (turns + 1) / piece * piece;
    struct svi_rows nt = svi_some_rows(r, 0, cut), cached = svi_some_rows(r, cut, r->count - cut);

    while (nt.count > 0 || cached.count > 0) {
        const struct svi_rows nt_rows = take_next_piece(&nt, turns * piece),
                              cached_rows = take_next_piece(&cached, piece);

        isa->nt->rows(&nt_rows, (struct svi_fetch){0, false}, 1, piece);
        store_cached(isa, spread, &cached_rows);
    }
}

/* Whether rows of nbytes along an axis can be stored in these two ways. */
static bool can_pad(const struct svi_host_copy *c, int32_t axis, int64_t nbytes)
{
    const int64_t step = c->plan->dst[axis];

    return c->machine->isa->cached_rows != NULL && has_units(c, axis, nbytes) && step > nbytes &&
           step <= nbytes + SVI_LINE;
}

static bool refuses_to_pad(const struct svi_host_copy *c)
{
    if (!c->machine->tuning->partial_lines_nt)
        return svi_refuse(c, "non-temporal stores of partial lines are slow on this processor");
    return svi_refuse_in_cache(c);
}

static bool copy_padded(const struct svi_host_copy *c, int32_t axis, int64_t nbytes, const struct svi_spread *spread)
{
    const struct svi_isa *const isa = c->machine->isa;
    const struct svi_plan *const plan = c->plan;
    const int64_t step = plan->dst[axis], line = spread != NULL ? SVI_LINE / nbytes : 1;
    const int64_t piece = svi_larger(PIECE_BYTES / step / line, 1) * line;
    struct svi_odometer outer;

    for (svi_axes_of(c, axis, &outer); !outer.ended; svi_odometer_next(&outer)) {
        const struct svi_rows rows = {outer.dst, step, outer.src, plan->src[axis], plan->shape[axis], nbytes};

        alternate_stores(isa, spread, &rows, piece);
    }
    isa->nt->fence();
    return true;
}

static bool can_pad_rows(const struct svi_host_copy *c)
{
    return can_pad(c, c->plan->ndim - 2, svi_row_nbytes(c->plan));
}

static bool rows_padded_nt(const struct svi_host_copy *c)
{
    return copy_padded(c, c->plan->ndim - 2, svi_row_nbytes(c->plan), NULL);
}

const struct svi_loop svi_loop_rows_padded_nt = {
    .name = "rows_padded_nt",
    .can = can_pad_rows,
    .refuses = refuses_to_pad,
    .run = rows_padded_nt,
    .stores = SVI_STORES_NT,
    .what = "short rows beyond the cache, with gaps of up to a cache line in the destination",
};

static bool can_pad_elements(const struct svi_host_copy *c)
{
    return can_pad(c, c->plan->ndim - 1, c->plan->item);
}

static bool scatter_padded_nt(const struct svi_host_copy *c)
{
    const struct svi_spread spread = spread_of(c);

    return copy_padded(c, c->plan->ndim - 1, c->plan->item, can_mask(c) ? &spread : NULL);
}

const struct svi_loop svi_loop_scatter_padded_nt = {
    .name = "scatter_padded_nt",
    .can = can_pad_elements,
    .refuses = refuses_to_pad,
    .run = scatter_padded_nt,
    .stores = SVI_STORES_NT,
    .what = "every second to fourth place beyond the cache, partly by non-temporal stores",
};
