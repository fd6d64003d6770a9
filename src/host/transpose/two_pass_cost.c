/* How many cycles the passes of a transpose in two passes take, about, and the order of axes between them. */
#include "two_pass_cost.h"

enum {
    MOVED_AXES = 4,    /* axes that may change their place, the fastest of each side */
    ROW_ELEMENTS = 32, /* elements at a step that are a row, */
    ROW_CYCLES = 2,    /* and cycles of each of its elements without permutations */
    NESTED_CYCLES = 2  /* of an element of a pass that is two passes itself */
};

/* Cycles of an element by itself, of a row, and of a plane of pixels or of tiles; bytes of a cycle, and of tiles. */
struct cost {
    int item, row, pixels, tiles, bytes, tile_bytes;
};

static const struct cost cached = {4, 4, 64, 256, 6, 6}, streamed = {4, 24, 256, 256, 6, 2};

bool svi_has_pixels(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_TRANSPOSE && (svi_is_channels(plan) || svi_is_pixels(plan));
}

void svi_two_pass_make(struct svi_two_pass *t)
{
    const struct svi_plan *plan = t->plan;
    int64_t strides[SVI_PLAN_NDIM], nbytes = plan->item;

    for (int32_t k = 0; k < plan->ndim; k++) {
        strides[t->order[k]] = nbytes;
        nbytes *= t->count[t->order[k]];
    }
    svi_plan_make(plan->ndim, t->count, strides, plan->src, plan->item, &t->pack);
    svi_plan_make(plan->ndim, t->count, plan->dst, strides, plan->item, &t->unpack);
    /* Non-temporal stores; but a block of tiles is too small for their start-up time. */
    if (t->room > SVI_BUFFER_BYTES || t->unpack.kind != SVI_CLASS_TRANSPOSE || svi_has_pixels(&t->unpack))
        t->unpack.reach = plan->reach;
}

/*
 * Elements at a step: in rows, by periodic permutations where there are any, or a few at a time. Rows that these refuse
 * are counted as theirs, which chooses the faster orders (measured: doc/copy_experiments.md).
 */
static int64_t cycles_of_steps(const struct cost *c, const struct svi_machine *machine, const struct svi_plan *pass)
{
    const int64_t items = pass->nbytes / pass->item, last = pass->shape[pass->ndim - 1];
    const int64_t rows = pass->nbytes / c->bytes + items / last * c->row;

    if (pass->kind == SVI_CLASS_GATHER && machine->isa->units[SVI_DEINTERLEAVE][0] != NULL && svi_is_pixels(pass))
        return rows + items / 2;
    if (last >= ROW_ELEMENTS)
        return rows + (machine->isa->permute_period != NULL && machine->bytes ? items / 2 : items * ROW_CYCLES);
    return items * c->item;
}

static int64_t cycles_of_transpose(const struct cost *c, const struct svi_two_pass *t, const struct svi_plan *pass)
{
    const int64_t items = pass->nbytes / pass->item;
    const int64_t planes = items / (pass->shape[pass->ndim - 1] * pass->shape[pass->tile]);

    if (svi_has_pixels(pass))
        return pass->nbytes / c->bytes + planes * c->pixels;
    if (svi_has_tiles(t->machine->isa, pass))
        return pass->nbytes / c->tile_bytes + items / 2 + planes * c->tiles;
    return items * (!t->runs_leaves && svi_is_nested(pass) ? NESTED_CYCLES : c->item);
}

static int64_t cycles_of(const struct cost *c, const struct svi_two_pass *t, const struct svi_plan *pass)
{
    const int64_t items = pass->nbytes / pass->item;

    switch (pass->kind) {
    case SVI_CLASS_EMPTY:
    case SVI_CLASS_CONTIGUOUS: return pass->nbytes / c->bytes;
    case SVI_CLASS_ROWS: return pass->nbytes / c->bytes + items / pass->shape[pass->ndim - 1] * c->row;
    case SVI_CLASS_TRANSPOSE: return cycles_of_transpose(c, t, pass);
    case SVI_CLASS_GATHER:
    case SVI_CLASS_SCATTER:
    case SVI_CLASS_STRIDED: return cycles_of_steps(c, t->machine, pass);
    default: return items * c->item;
    }
}

/*
 * The candidates: from the order of either side, one of its fastest axes becomes the fastest of all, or it and those
 * that are faster become the slowest.
 */
static void order_of(struct svi_two_pass *t, int32_t candidate)
{
    const int32_t *axes = candidate % 2 == 0 ? t->by_src : t->by_dst, place = candidate / 4, ndim = t->plan->ndim;

    for (int32_t k = 0; k < ndim; k++)
        if (candidate / 2 % 2 != 0)
            t->order[k] = axes[(k + place + 1) % ndim];
        else
            t->order[k] = k == 0 ? axes[place] : axes[k <= place ? k - 1 : k];
}

bool svi_two_pass_order(struct svi_two_pass *t)
{
    const struct cost *unpacking = t->room > SVI_BUFFER_BYTES ? &cached : &streamed;
    const struct svi_plan *plan = t->plan;
    const int32_t candidates = 4 * (plan->ndim < MOVED_AXES ? plan->ndim : MOVED_AXES);
    int64_t least = INT64_MAX;
    int32_t best = 0;

    for (int32_t k = 0; k < candidates; k++) {
        int64_t cycles;

        order_of(t, k);
        svi_two_pass_make(t);
        cycles = cycles_of(&cached, t, &t->pack) + cycles_of(unpacking, t, &t->unpack);
        if (cycles < least) {
            least = cycles;
            best = k;
        }
    }
    order_of(t, best);
    svi_two_pass_make(t);
    if (svi_is_stepped(plan) && svi_is_beyond_cache(t->machine, plan))
        return true;
    return svi_has_pixels(plan) || least < t->pack.nbytes / plan->item * cached.item;
}
