/* The two steps of a relay, how long they take, about, and the order of axes between them that takes the least. */
#include <string.h>

#include "checked.h"
#include "two_pass_order.h"

enum {
    MOVES = 4, /* axes that may change their place, the fastest of each side */
    LONG = 32, /* items at a step that are a row, */
    IN_ROW = 2 /* and cycles of each */
};

/* Cycles of a step, about: of an item by itself, a row, two axes that are pixels or tiles; and bytes of one cycle. */
struct cost {
    int item, row, pixels, tiles, bytes, tile_bytes;
};

static const struct cost reading = {4, 4, 64, 256, 6, 6}, writing = {4, 24, 256, 256, 6, 2};
enum { STEPPED = 2 }; /* of an item of a step that is two by itself */

/* --- steps ------------------------------------------------------------------ */

bool svi_has_pixels(const struct svi_plan *step)
{
    return step->kind == SVI_CLASS_TRANSPOSE && (svi_is_channels(step) || svi_is_pixels(step));
}

void svi_relay_make(struct svi_relay *r)
{
    const struct svi_plan *plan = r->plan;
    int64_t strides[SVI_PLAN_NDIM], nbytes = plan->item;

    for (int32_t k = 0; k < plan->ndim; k++) {
        strides[r->order[k]] = nbytes;
        nbytes *= r->count[r->order[k]];
    }
    svi_plan_make(plan->ndim, r->count, strides, plan->src, plan->item, &r->first);
    svi_plan_make(plan->ndim, r->count, plan->dst, strides, plan->item, &r->second);
    if (r->room > SVI_RELAY_ROOM || r->second.kind != SVI_CLASS_TRANSPOSE || svi_has_pixels(&r->second))
        r->second.reach = plan->reach; /* stores past the cache; of tiles a block takes too long to begin with that */
}

static int64_t planes_of(const struct svi_plan *step)
{
    return step->nbytes / (step->item * step->shape[step->ndim - 1] * step->shape[step->tile]);
}

static int64_t rows_of(const struct svi_plan *step)
{
    return step->nbytes / (step->item * step->shape[step->ndim - 1]);
}

static bool takes_two_steps(const struct svi_relay *r, const struct svi_plan *step)
{
    return !r->runs_leaves && svi_is_nested(step);
}

/*
 * Items at a step: in rows, by combs where there are any, or a few at a time. Rows that combs refuse are counted as if
 * combs took them, because that chooses the faster orders (measured: doc/copy_experiments.md).
 */
static int64_t cycles_at_a_step(const struct cost *c, const struct svi_machine *machine, const struct svi_plan *step)
{
    const int64_t items = step->nbytes / step->item, rows = step->nbytes / c->bytes + rows_of(step) * c->row;
    const bool has_combs = machine->isa->comb_rows != NULL && machine->bytes;

    if (step->kind == SVI_CLASS_GATHER && machine->isa->split != NULL && svi_is_pixels(step))
        return rows + items / 2;
    if (step->shape[step->ndim - 1] >= LONG)
        return rows + (has_combs ? items / 2 : items * IN_ROW);
    return items * c->item;
}

static int64_t cycles_of(const struct cost *c, const struct svi_relay *r, const struct svi_plan *step)
{
    const struct svi_machine *machine = r->machine;
    const int64_t items = step->nbytes / step->item, together = step->nbytes / c->bytes;

    switch (step->kind) {
    case SVI_CLASS_EMPTY:
    case SVI_CLASS_CONTIGUOUS:
        return together;
    case SVI_CLASS_ROWS:
        return together + rows_of(step) * c->row;
    case SVI_CLASS_TRANSPOSE:
        if (svi_has_pixels(step))
            return together + planes_of(step) * c->pixels;
        if (svi_has_tiles(machine->isa, step))
            return step->nbytes / c->tile_bytes + items / 2 + planes_of(step) * c->tiles;
        return items * (takes_two_steps(r, step) ? STEPPED : c->item);
    case SVI_CLASS_GATHER:
    case SVI_CLASS_SCATTER:
    case SVI_CLASS_STRIDED:
        return cycles_at_a_step(c, machine, step);
    default:
        return items * c->item;
    }
}

/* One axis of an order becomes the fastest, and the others stay as they were. */
static void advance(int32_t ndim, const int32_t *axes, int32_t place, int32_t *out)
{
    int32_t count = 1;

    for (int32_t k = 0; k < ndim; k++)
        if (k != place)
            out[count++] = axes[k];
    out[0] = axes[place];
}

/* The axes up to one become the slowest. */
static void turn(int32_t ndim, const int32_t *axes, int32_t place, int32_t *out)
{
    for (int32_t k = 0; k < ndim; k++)
        out[k] = axes[(k + place + 1) % ndim];
}

/* The order with which both steps are quick. False where it is no quicker than items one by one. */
bool svi_relay_order(struct svi_relay *r)
{
    const struct cost *second = r->room > SVI_RELAY_ROOM ? &reading : &writing;
    const struct svi_plan *plan = r->plan;
    const int32_t places = plan->ndim < MOVES ? plan->ndim : MOVES;
    const size_t size = (size_t)plan->ndim * sizeof *r->order;
    int64_t least = INT64_MAX;

    for (int32_t k = 0; k < 4 * places; k++) {
        int64_t cycles;

        (k / 2 % 2 == 0 ? advance : turn)(plan->ndim, k % 2 == 0 ? r->by_src : r->by_dst, k / 4, r->order);
        svi_relay_make(r);
        cycles = cycles_of(&reading, r, &r->first) + cycles_of(second, r, &r->second);
        if (cycles < least) {
            least = cycles;
            memcpy(r->best, r->order, size);
        }
    }
    memcpy(r->order, r->best, size);
    svi_relay_make(r);
    if (svi_is_stepped(plan) && svi_is_past_cache(r->machine, plan))
        return true;
    return svi_has_pixels(plan) || least < r->first.nbytes / plan->item * reading.item;
}

