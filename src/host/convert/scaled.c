/*
 * Scaled conversions: blocks as other conversions have them (cast_blocks.c), which are converted a piece at a time: to
 * numbers with their scale and bias, and from those to the destination's items. All of a piece is read before any of it
 * is written, so both sides may be the same memory. Scale and bias go on along an axis.
 */
#include "affine.h"

#include <string.h>

#include "cast_job.h"
#include "checked.h"
#include "host/base/scratch.h"

enum {
    PIECE_NUMBERS = 512,   /* that are converted at a time, */
    PERIOD_NUMBERS = 1024, /* after which scale and bias repeat, at most, where they are laid out once */
    NUMBER_BYTES = 8,      /* of one between its operations, at most */
    ONE_INDEX_ITEMS = 128  /* of one index from which on a piece has one scale and one bias */
};

/* How scale and bias go on in a block whose items follow each other in the order of the destination. */
struct order {
    int64_t first;  /* index along the axis of the block's first item */
    int64_t extent; /* of the block along it */
    int64_t inner;  /* items that have the same index, one after the other */
};

struct scaling {
    const struct svi_affine *affine;
    const struct svi_isa *isa;
    bool beyond_cache, apart;   /* whether dst is beyond the NT threshold; whether it shares no bytes with the source */
    struct order order, laid; /* laid: what the factors were laid out for; */
    int64_t laid_count;       /* so many of them, 0 before */
    _Alignas(SVI_LINE) char scale[(PIECE_NUMBERS + PERIOD_NUMBERS + SVI_BLOCK) * NUMBER_BYTES];
    _Alignas(SVI_LINE) char bias[(PIECE_NUMBERS + PERIOD_NUMBERS + SVI_BLOCK) * NUMBER_BYTES];
    _Alignas(SVI_LINE) char loaded[(PIECE_NUMBERS + SVI_BLOCK) * NUMBER_BYTES];
    _Alignas(SVI_LINE) char number[(PIECE_NUMBERS + SVI_BLOCK) * NUMBER_BYTES + SVI_LINE];
    _Alignas(SVI_LINE) char stored[(PIECE_NUMBERS + SVI_BLOCK) * NUMBER_BYTES + SVI_LINE];
};

/* --- scale and bias --------------------------------------------------------------- */

/* Those of count items of the block from number first on, as float64 or float32. none: what changes nothing. */
SVI_INLINE void lay_factor(const struct order *o, const struct svi_factor *factor, double none, int64_t first,
                           int64_t count, bool wide, void *out)
{
    const double *value = factor->first != NULL ? factor->first + o->first * factor->step : &none;
    const int64_t step = factor->first != NULL ? factor->step : 0;
    int64_t index = first / o->inner % o->extent, left = o->inner - first % o->inner;

    for (int64_t k = 0; k < count; k++) {
        if (wide)
            ((double *)out)[k] = value[index * step];
        else
            ((float *)out)[k] = (float)value[index * step];
        if (--left == 0) {
            left = o->inner;
            index = index + 1 < o->extent ? index + 1 : 0;
        }
    }
}

static void lay_out(struct scaling *r, int64_t first, int64_t count)
{
    const struct svi_affine *a = r->affine;

    if (a->wide) {
        lay_factor(&r->order, &a->scale, 1, first, count, true, r->scale);
        lay_factor(&r->order, &a->bias, -0.0, first, count, true, r->bias);
    } else {
        lay_factor(&r->order, &a->scale, 1, first, count, false, r->scale);
        lay_factor(&r->order, &a->bias, -0.0, first, count, false, r->bias);
    }
    r->laid_count = 0;
}

static int64_t to_whole_blocks(int64_t count)
{
    return (count + SVI_BLOCK - 1) / SVI_BLOCK * SVI_BLOCK;
}

static bool is_laid(const struct scaling *r, int64_t count)
{
    return r->laid_count >= count && r->laid.first == r->order.first && r->laid.extent == r->order.extent &&
           r->laid.inner == r->order.inner;
}

/* Those of the next items, of which *count are wanted, and *count get them. */
static struct svi_factors find(struct scaling *r, int64_t first, int64_t *count)
{
    const struct order *o = &r->order;
    const int64_t period = o->inner * o->extent, number = r->affine->wide ? 8 : 4;
    struct svi_factors factors = {r->scale, r->bias, o->extent == 1 || o->inner >= ONE_INDEX_ITEMS};

    if (factors.one) {
        if (o->extent > 1)
            *count = svi_smaller(*count, o->inner - first % o->inner);
        lay_out(r, first, 1);
    } else if (period <= PERIOD_NUMBERS) {
        const int64_t at = first % period, needed = at + to_whole_blocks(*count);

        if (!is_laid(r, needed)) {
            const int64_t all = at == 0 && *count < PIECE_NUMBERS ? needed : PIECE_NUMBERS + period;

            lay_out(r, 0, all);
            r->laid = *o;
            r->laid_count = all;
        }
        factors.scale = r->scale + at * number;
        factors.bias = r->bias + at * number;
    } else {
        lay_out(r, first, to_whole_blocks(*count));
    }
    return factors;
}

/* --- one piece -------------------------------------------------------------------- */

enum { TWO_STEPS = -1 };

/* What goes with the product, of isa.h. */
static int scale_op(const struct svi_affine *a)
{
    if (a->load.count == 0)
        return a->wide ? SVI_SCALE_F64 : SVI_SCALE_F32;
    return a->load.count == 1 && !a->wide && svi_scales(a->load.steps[0].op) ? a->load.steps[0].op : TWO_STEPS;
}

/* Whole blocks, and the last one by way of a block that is whole. */
static void multiply(struct scaling *r, int op, char *dst, const char *src, int64_t item,
                     int64_t count, const struct svi_factors *factors)
{
    const int64_t number = r->affine->wide ? 8 : 4, whole = count / SVI_BLOCK, rest = count % SVI_BLOCK;
    const int64_t done = whole * SVI_BLOCK;
    _Alignas(SVI_LINE) char block[SVI_BLOCK * NUMBER_BYTES] = {0};
    struct svi_factors last = *factors;

    r->isa->scale(op, dst, src, whole, factors);
    if (rest == 0)
        return;
    if (!last.one) {
        last.scale = (const char *)last.scale + done * number;
        last.bias = (const char *)last.bias + done * number;
    }
    memcpy(block, src + done * item, (size_t)(rest * item));
    r->isa->scale(op, dst + done * number, block, 1, &last);
}

/* To a buffer, which is written up to the end of a block. */
static void to_numbers(struct scaling *r, char *numbers, const char *src, int64_t count,
                       const struct svi_factors *factors)
{
    const struct svi_affine *a = r->affine;
    const int64_t all = to_whole_blocks(count), number = a->wide ? 8 : 4;
    const int op = scale_op(a);

    if (op != TWO_STEPS) {
        multiply(r, op, numbers, src, a->plan.src_item, count, factors);
        return;
    }
    svi_host_convert(r->isa, &a->load, r->loaded, src, count);
    memset(r->loaded + count * number, 0, (size_t)((all - count) * number));
    r->isa->scale(a->wide ? SVI_SCALE_F64 : SVI_SCALE_F32, numbers, r->loaded, all / SVI_BLOCK, factors);
}

static void to_whole(const struct scaling *r, char *dst, const char *numbers, int64_t count)
{
    const struct svi_affine *a = r->affine;
    const enum svi_whole whole = (enum svi_whole)a->whole;
    const int64_t done = count / SVI_BLOCK * SVI_BLOCK, item = a->plan.item, rest = count - done;
    char block[SVI_BLOCK * NUMBER_BYTES];

    r->isa->to_whole(whole, a->wide, dst, numbers, count / SVI_BLOCK);
    if (rest == 0)
        return;
    r->isa->to_whole(whole, a->wide, block, numbers + done * (a->wide ? 8 : 4), 1);
    memcpy(dst + done * item, block, (size_t)(rest * item));
}

static bool is_stored_as_it_is(const struct svi_affine *a)
{
    return a->whole == SVI_WHOLE_NONE && a->store.count == 0;
}

static void store(const struct scaling *r, char *dst, const char *numbers, int64_t count)
{
    const struct svi_affine *a = r->affine;

    if (a->whole != SVI_WHOLE_NONE)
        to_whole(r, dst, numbers, count);
    else if (a->store.count > 0)
        svi_host_convert(r->isa, &a->store, dst, numbers, count);
    else
        memcpy(dst, numbers, (size_t)(count * a->plan.item));
}

/* Beyond the NT threshold: from a buffer whose items lie in their lines as those of dst do. */
static void stream(struct scaling *r, char *dst, const char *src, int64_t count, const struct svi_factors *factors)
{
    const bool as_it_is = is_stored_as_it_is(r->affine);
    char *const place = r->stored + (uintptr_t)dst % SVI_LINE, *const numbers = as_it_is ? place : r->number;

    to_numbers(r, numbers, src, count, factors);
    if (!as_it_is)
        store(r, place, numbers, count);
    r->isa->stream_copy(dst, place, (size_t)(count * r->affine->plan.item));
}

static void piece(struct scaling *r, char *dst, const char *src, int64_t count, bool streams,
                  const struct svi_factors *factors)
{
    const int op = scale_op(r->affine);

    if (streams) {
        stream(r, dst, src, count, factors);
    } else if (r->apart && op != TWO_STEPS && is_stored_as_it_is(r->affine) && count % SVI_BLOCK == 0) {
        r->isa->scale(op, dst, src, count / SVI_BLOCK, factors);
    } else {
        to_numbers(r, r->number, src, count, factors);
        store(r, dst, r->number, count);
    }
}

/* --- runs ------------------------------------------------------------------------- */

/* Items to the next line of dst, if there are such; else all that are wanted. */
static int64_t to_next_line(const char *dst, int64_t item, int64_t count)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE);

    return head == 0 || head % item != 0 ? count : svi_smaller(count, head / item);
}

/* count items from the one that is number first of the block on, to a run of the destination or to a buffer. */
static void convert_items(void *job, char *dst, const char *src, int64_t first, int64_t count, bool to_run)
{
    struct scaling *r = job;
    const bool streams = to_run && r->beyond_cache;
    const int64_t item = r->affine->plan.item, src_item = r->affine->plan.src_item;

    while (count > 0) {
        int64_t some = svi_smaller(count, PIECE_NUMBERS);
        struct svi_factors factors;

        if (streams)
            some = to_next_line(dst, item, some);
        factors = find(r, first, &some);
        piece(r, dst, src, some, streams, &factors);
        dst += some * item;
        src += some * src_item;
        first += some;
        count -= some;
    }
}

/* --- blocks ----------------------------------------------------------------------- */

struct block_job {
    struct scaling scaling;
    struct svi_machine in_cache;
    struct svi_cast_walk walk;
};

/* How scale and bias go on in this block. */
static void begin_block(void *job, const struct svi_cast_walk *w, bool changed)
{
    struct scaling *s = job;
    const int32_t axis = s->affine->axis;

    if (!changed && axis < 0)
        return;
    s->order = (struct order){axis < 0 ? 0 : w->first[axis], axis < 0 ? 1 : w->shape[axis], 1};
    for (int32_t k = axis < 0 ? 0 : axis + 1; k < w->plan->ndim; k++)
        s->order.inner *= w->shape[k];
}

bool svi_host_affine(const struct svi_machine *machine, const struct svi_affine *affine, bool apart, char *dst,
                     const char *src)
{
    const bool beyond_cache = machine->isa->stream_copy != NULL && svi_is_beyond_cache(machine, &affine->plan);
    struct block_job *j = svi_scratch_new(sizeof *j);

    if (j == NULL)
        return false;
    j->in_cache = svi_machine_in_cache(machine);
    j->scaling.affine = affine;
    j->scaling.isa = machine->isa;
    j->scaling.beyond_cache = beyond_cache;
    j->scaling.apart = apart;
    j->scaling.laid_count = 0;
    j->scaling.order = (struct order){0, 1, 1};
    if (affine->plan.ndim == 0)
        convert_items(&j->scaling, dst, src, 0, 1, false);
    else
        svi_cast_walk_run(&j->walk, &affine->plan, &j->in_cache, dst, src, begin_block, convert_items, &j->scaling);
    svi_scratch_free(j);
    if (beyond_cache)
        machine->isa->fence();
    return true;
}
