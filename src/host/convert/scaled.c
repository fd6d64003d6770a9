/*
 * Scaled conversions: chains in which one step multiplies by a scale and adds a bias. Both may change along an axis of
 * the plan. They are laid out in the order of the items of a block, a part of them at a time.
 */
#include "plan/affine.h"

#include <string.h>

#include "host/convert/cast_job.h"
#include "base/checked.h"
#include "host/base/buffer.h"
#include "host/convert/scaled.h"

enum {
    PIECE_NUMBERS = 512, /* numbers for which factors are laid out at a time */
    MAX_PERIOD_NUMBERS = 1024, /* factors that repeat after at most so many are laid out once */
    NUMBER_BYTES = 8, /* bytes of the largest factor */
    ONE_INDEX_ITEMS = 128 /* items with the same index for which a piece has one scale and one bias */
};

/* The indices along an axis of the items of a block, which are in the order of the destination. */
struct order {
    int64_t first;  /* index along the axis of the block's first item */
    int64_t extent; /* extent of the block along the axis */
    int64_t inner;  /* neighbouring items that have the same index */
};

struct svi_scaling {
    const struct svi_plan *plan;
    const struct svi_affine *affine;
    struct svi_chain chain;
    struct order order;
    int64_t number;  /* bytes of a number when it is multiplied */
    bool has_period; /* the factors of the block's items, from the first one on, are laid out */
    int64_t index;   /* if not negative, the factors of this index are laid out */
    _Alignas(SVI_LINE) char scale[(PIECE_NUMBERS + MAX_PERIOD_NUMBERS + SVI_BLOCK) * NUMBER_BYTES];
    _Alignas(SVI_LINE) char bias[(PIECE_NUMBERS + MAX_PERIOD_NUMBERS + SVI_BLOCK) * NUMBER_BYTES];
};

/* --- the steps ------------------------------------------------------------------- */

static uint8_t scaling_op(uint8_t load)
{
    switch (load) {
    case SVI_OP_F32_FROM_U8: return SVI_SCALE_U8;
    case SVI_OP_F32_FROM_I8: return SVI_SCALE_I8;
    case SVI_OP_F32_FROM_U16: return SVI_SCALE_U16;
    case SVI_OP_F32_FROM_I16: return SVI_SCALE_I16;
    case SVI_OP_F32_FROM_F16: return SVI_SCALE_F16;
    case SVI_OP_F32_FROM_BF16: return SVI_SCALE_BF16;
    default: return SVI_SCALE_F32;
    }
}

/* If possible the last step of the load also scales. */
static void choose_steps(const struct svi_affine *a, int64_t item, struct svi_chain *out)
{
    const int32_t last = a->load.count - 1;
    const uint8_t op = last < 0 || a->wide ? SVI_SCALE_F32 : scaling_op(a->load.steps[last].op);

    svi_affine_steps(a, item, out);
    if (op == SVI_SCALE_F32)
        return;
    out->steps[last].op = op;
    out->count--;
    memmove(&out->steps[last + 1], &out->steps[last + 2], (size_t)(out->count - last - 1) * sizeof *out->steps);
}

/* --- scale and bias --------------------------------------------------------------- */

/* Lays out the factors of count items of the block from item first on, and repeats them up to `all`. none: a factor
 * that changes nothing. */
static void lay_factor(const struct svi_scaling *s, const struct svi_factor *factor, double none, int64_t first,
                       int64_t count, int64_t all, char *out)
{
    const struct order *o = &s->order;
    const struct svi_scaled *scaled = &s->plan->scaled;
    const int64_t number = scaled->first + o->first * scaled->step;
    const double *value = factor->values != NULL ? factor->values + number * svi_factor_step(factor) : &none;
    const int64_t step = svi_factor_step(factor) * scaled->step;
    int64_t index = first / o->inner % o->extent, left = o->inner - first % o->inner;

    for (int64_t k = 0; k < count; k++) {
        if (s->affine->wide)
            ((double *)out)[k] = value[index * step];
        else
            ((float *)out)[k] = (float)value[index * step];
        if (--left == 0) {
            left = o->inner;
            index = index + 1 < o->extent ? index + 1 : 0;
        }
    }
    for (; count < all; count *= 2)
        memcpy(out + count * s->number, out, (size_t)(svi_smaller(count, all - count) * s->number));
}

static void lay_out_factors(struct svi_scaling *s, int64_t first, int64_t count, int64_t all)
{
    lay_factor(s, &s->affine->scale, 1, first, count, all, s->scale);
    lay_factor(s, &s->affine->bias, -0.0, first, count, all, s->bias);
    s->has_period = false;
    s->index = -1;
}

/* One scale and one bias. *count becomes at most the items of their index. */
static struct svi_factors find_one(struct svi_scaling *s, int64_t first, int64_t *count)
{
    const struct order *o = &s->order;
    const int64_t index = o->extent > 1 ? first / o->inner % o->extent : 0;

    if (o->extent > 1)
        *count = svi_smaller(*count, o->inner - first % o->inner);
    if (index != s->index) {
        lay_out_factors(s, index * o->inner, 1, SVI_BLOCK);
        s->index = index;
    }
    return (struct svi_factors){s->scale, s->bias, 0};
}

struct svi_factors svi_scaling_find(struct svi_scaling *s, int64_t first, int64_t *count)
{
    const int64_t period = s->order.inner * s->order.extent;
    int64_t at = 0, some;

    if (s->order.extent == 1 || s->order.inner >= ONE_INDEX_ITEMS)
        return find_one(s, first, count);
    *count = svi_smaller(*count, PIECE_NUMBERS);
    some = svi_round_up(*count, SVI_BLOCK);
    if (period > MAX_PERIOD_NUMBERS) {
        lay_out_factors(s, first, some, some);
    } else {
        at = first % period;
        if (!s->has_period)
            lay_out_factors(s, 0, period, PIECE_NUMBERS + period);
        s->has_period = true;
    }
    return (struct svi_factors){s->scale + at * s->number, s->bias + at * s->number, SVI_BLOCK * s->number};
}

void svi_scaling_enter(struct svi_scaling *s, const int64_t *first, const int64_t *count)
{
    const int32_t axis = s->plan->scaled.axis;
    struct order o = {axis < 0 ? 0 : first[axis], axis < 0 ? 1 : count[axis], 1};

    for (int32_t k = axis + 1; k < s->plan->ndim; k++)
        o.inner *= count[k];
    if (o.first != s->order.first || o.extent != s->order.extent || o.inner != s->order.inner) {
        s->has_period = false;
        s->index = -1;
    }
    s->order = o;
}

struct svi_scaling *svi_scaling_new(const struct svi_plan *plan)
{
    const struct svi_affine *affine = plan->scaled.affine;
    static const int64_t none[SVI_PLAN_NDIM];
    struct svi_scaling *s = svi_scratch_new(sizeof *s);

    if (s == NULL)
        return NULL;
    s->plan = plan;
    s->affine = affine;
    s->number = affine->wide ? 8 : 4;
    s->order = (struct order){0};
    choose_steps(affine, plan->item, &s->chain);
    svi_scaling_enter(s, none, plan->shape);
    return s;
}

const struct svi_chain *svi_scaling_chain(const struct svi_scaling *s)
{
    return &s->chain;
}
