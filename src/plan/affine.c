#include "plan/affine.h"

#include "base/checked.h"
#include "dtype/dtype.h"
#include "plan/part.h"
#include "sv.h"

/* --- operations --------------------------------------------------------------- */

static sv_dtype scalar_type_of(sv_dtype dtype)
{
    return (dtype & 0xffff) | 1u << 16;
}

static int32_t whole_of(sv_dtype dtype)
{
    switch (dtype) {
    case SV_INT8: return SVI_WHOLE_I8;
    case SV_UINT8: return SVI_WHOLE_U8;
    case SV_INT16: return SVI_WHOLE_I16;
    case SV_UINT16: return SVI_WHOLE_U16;
    case SV_INT32: return SVI_WHOLE_I32;
    case SV_UINT32: return SVI_WHOLE_U32;
    case SV_INT64: return SVI_WHOLE_I64;
    case SV_UINT64: return SVI_WHOLE_U64;
    default: return SVI_WHOLE_NONE;
    }
}

/* Whether float32 has no room for all numbers of the type, or it is as large and floating numbers are wanted of it. */
static bool is_wide_type(sv_dtype dtype)
{
    return svi_dtype_bytes(dtype) > 4 || (svi_dtype_bytes(dtype) == 4 && whole_of(dtype) != SVI_WHOLE_NONE);
}

sv_status svi_affine_choose(sv_dtype dst, sv_dtype src, bool swapped, struct svi_affine *out)
{
    char dst_name[SVI_DTYPE_TEXT], src_name[SVI_DTYPE_TEXT];
    sv_dtype number;

    if (svi_dtype_lanes(dst) != svi_dtype_lanes(src) || dst == SV_OPAQUE || src == SV_OPAQUE)
        return svi_fail(SV_ERROR_DTYPE, "%s to %s: numbers of as many lanes are needed", svi_dtype_text(src, src_name),
                        svi_dtype_text(dst, dst_name));
    dst = scalar_type_of(dst);
    src = scalar_type_of(src);
    if (svi_dtype_kind(dst) == SVI_COMPLEX || svi_dtype_kind(src) == SVI_COMPLEX)
        return svi_fail(SV_ERROR_UNSUPPORTED,
                        "%s to %s: complex numbers are not scaled; their parts can be, through "
                        "views of real numbers",
                        svi_dtype_text(src, src_name), svi_dtype_text(dst, dst_name));
    out->wide = is_wide_type(dst) || is_wide_type(src);
    out->whole = whole_of(dst);
    out->store.count = 0;
    number = out->wide ? SV_FLOAT64 : SV_FLOAT32;
    SVI_TRY(svi_chain_find(number, src, true, swapped, &out->load));
    return out->whole == SVI_WHOLE_NONE ? svi_chain_find(dst, number, true, false, &out->store) : SV_OK;
}

/* --- the plan ----------------------------------------------------------------- */

/* What svi_plan_make_cast() needs to know of a conversion. */
static struct svi_chain sizes_of(const struct svi_affine *affine)
{
    static const uint8_t whole[SVI_WHOLE_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8};
    const uint8_t number = affine->wide ? 8 : 4;
    const uint8_t src = affine->load.count > 0 ? (uint8_t)svi_chain_src_bytes(&affine->load) : number;
    const uint8_t dst = affine->whole != SVI_WHOLE_NONE ? whole[affine->whole]
                        : affine->store.count > 0       ? (uint8_t)svi_chain_dst_bytes(&affine->store)
                                                        : number;

    return (struct svi_chain){1, {{SVI_OP_COUNT, 1, dst, src}}};
}

static void turn_round(struct svi_factor *factor, int64_t extent)
{
    factor->first += (extent - 1) * factor->step;
    factor->step = -factor->step;
}

/* Puts an axis of two elements or more where its stride belongs. */
static void insert_plan_axis(int64_t extent, int64_t dst, int64_t src, struct svi_affine *out)
{
    if (dst < 0) {
        turn_round(&out->scale, extent);
        turn_round(&out->bias, extent);
    }
    out->axis = svi_part_insert_axis(&out->plan, extent, dst, src);
}

/* All axes but one. */
static int32_t drop_axis(int32_t ndim, int32_t axis, const int64_t *from, int64_t *to)
{
    int32_t count = 0;

    for (int32_t k = 0; k < ndim; k++)
        if (k != axis)
            to[count++] = from[k];
    return count;
}

void svi_affine_make_plan(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src, int32_t lanes,
                          int32_t axis, struct svi_affine *out)
{
    const struct svi_chain sizes = sizes_of(out);
    int64_t other_shape[SVI_PLAN_NDIM], other_dst[SVI_PLAN_NDIM], other_src[SVI_PLAN_NDIM];
    uint64_t reach;

    out->axis = -1;
    svi_plan_make_cast(ndim, shape, dst, src, &sizes, lanes, &out->plan);
    if (axis < 0 || out->plan.kind == SVI_CLASS_EMPTY || shape[axis] == 1)
        return;
    reach = out->plan.reach;
    drop_axis(ndim, axis, shape, other_shape);
    drop_axis(ndim, axis, dst, other_dst);
    drop_axis(ndim, axis, src, other_src);
    svi_plan_make_cast(ndim - 1, other_shape, other_dst, other_src, &sizes, lanes, &out->plan);
    insert_plan_axis(shape[axis], dst[axis], src[axis], out);
    svi_plan_set_reach(&out->plan, reach);
}

/* All but the plan. */
static void take_operations(const struct svi_affine *affine, struct svi_affine *out)
{
    out->wide = affine->wide;
    out->whole = affine->whole;
    out->load = affine->load;
    out->store = affine->store;
    out->scale = affine->scale;
    out->bias = affine->bias;
    out->axis = affine->axis;
}

static void advance_factor(struct svi_factor *factor, int64_t count)
{
    if (factor->first != NULL)
        factor->first += count * factor->step;
}

/* Axes stay as they are, though some may have become one. */
void svi_affine_box(const struct svi_affine *affine, const int64_t *first, const int64_t *count, struct svi_affine *out)
{
    take_operations(affine, out);
    svi_part_of_box(&affine->plan, first, count, &out->plan);
    if (out->axis < 0)
        return;
    advance_factor(&out->scale, first[out->axis]);
    advance_factor(&out->bias, first[out->axis]);
}

int64_t svi_affine_packed_nbytes(const struct svi_affine *affine)
{
    int64_t nbytes = affine->plan.src_item;

    for (int32_t k = 0; k < affine->plan.ndim; k++)
        if (affine->plan.src[k] != 0)
            nbytes *= affine->plan.shape[k];
    return nbytes;
}

void svi_affine_pack(const struct svi_affine *affine, struct svi_plan *in, struct svi_affine *out)
{
    const struct svi_plan *plan = &affine->plan;
    int64_t shape[SVI_PLAN_NDIM], packed[SVI_PLAN_NDIM], source[SVI_PLAN_NDIM], nbytes = plan->src_item;

    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        const bool repeated = plan->src[k] == 0;

        shape[k] = repeated ? 1 : plan->shape[k];
        packed[k] = nbytes;
        source[k] = repeated ? 0 : nbytes;
        nbytes *= shape[k];
    }
    take_operations(affine, out);
    svi_part_with_source(plan, source, &out->plan);
    svi_plan_make(plan->ndim, shape, packed, plan->src, plan->src_item, in);
    svi_plan_move(in, 0, plan->src_offset);
}
