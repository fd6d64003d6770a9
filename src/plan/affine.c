#include "plan/affine.h"

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

/* The longest chains have SVI_STEPS. */
void svi_affine_steps(const struct svi_affine *affine, int64_t item, struct svi_chain *out)
{
    const uint8_t number = affine->wide ? 8 : 4;
    const int32_t nearest = affine->wide ? SVI_NEAREST_FROM_F64 : SVI_NEAREST_FROM_F32;

    *out = affine->load;
    out->steps[out->count++] = (struct svi_step){affine->wide ? SVI_SCALE_F64 : SVI_SCALE_F32, 1, number, number};
    if (affine->whole != SVI_WHOLE_NONE)
        out->steps[out->count++] = (struct svi_step){(uint8_t)(nearest + affine->whole), 1, (uint8_t)item, number};
    for (int32_t k = 0; affine->whole == SVI_WHOLE_NONE && k < affine->store.count; k++)
        out->steps[out->count++] = affine->store.steps[k];
}

/* --- the plan ----------------------------------------------------------------- */

/* What a plan tells of a conversion. */
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

void svi_affine_make_plan(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src, int32_t lanes,
                          int32_t axis, const struct svi_affine *affine, struct svi_plan *out)
{
    const struct svi_chain sizes = sizes_of(affine);

    svi_plan_make_scaled(ndim, shape, dst, src, &sizes, lanes, &(struct svi_scaled){affine, 0, 1, axis}, out);
}
