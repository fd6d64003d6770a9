#include "dtype/chain.h"

#include "sv.h"

/* The operations to and from a floating type below float32. */
struct narrow {
    sv_dtype dtype;
    uint8_t widen, round, bytes;
};

static const struct narrow narrow_types[] = {
#define SVI_NARROW(KIND, NAME, OP, CODE, BITS, ...) \
    {SV_##NAME, SVI_OP_F32_FROM_##OP, SVI_OP_##OP##_FROM_F32, (BITS + 7) / 8},
#include "dtype/dtypes.def"
};

static const struct narrow *find_narrow(sv_dtype dtype)
{
    for (size_t i = 0; i < sizeof narrow_types / sizeof *narrow_types; i++)
        if (narrow_types[i].dtype == dtype)
            return &narrow_types[i];
    return NULL;
}

static bool is_whole(sv_dtype dtype)
{
    return svi_dtype_kind(dtype) == SVI_UNSIGNED || svi_dtype_kind(dtype) == SVI_SIGNED;
}

static uint8_t bytes_of(sv_dtype dtype)
{
    return (uint8_t)svi_dtype_bytes(dtype);
}

/* The type of the two parts of a complex one. */
static sv_dtype part_of(sv_dtype dtype)
{
    return svi_dtype_pack(SV_FLOAT32 & 0xff, (uint32_t)svi_dtype_bits(dtype) / 2, 1);
}

static void push_step(struct svi_chain *chain, uint8_t op, uint8_t dst, uint8_t src)
{
    chain->steps[chain->count++] = (struct svi_step){op, 1, dst, src};
}

/* --- between real numbers -------------------------------------------------- */

/* An operation of a row that is chosen by the size of a whole number and whether it has a sign. */
static uint8_t by_whole(sv_dtype dtype, const uint8_t row[8])
{
    const uint8_t bytes = bytes_of(dtype);
    const int size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;

    return row[2 * size + (svi_dtype_kind(dtype) == SVI_UNSIGNED)];
}

static void to_bool(struct svi_chain *chain, sv_dtype src)
{
    static const uint8_t whole[8] = {SVI_OP_BOOL_FROM_1, SVI_OP_BOOL_FROM_1, SVI_OP_BOOL_FROM_2, SVI_OP_BOOL_FROM_2,
                                     SVI_OP_BOOL_FROM_4, SVI_OP_BOOL_FROM_4, SVI_OP_BOOL_FROM_8, SVI_OP_BOOL_FROM_8};
    const struct narrow *narrow = find_narrow(src);

    if (narrow != NULL)
        push_step(chain, narrow->widen, 4, narrow->bytes);
    if (svi_dtype_kind(src) != SVI_FLOATING)
        push_step(chain, by_whole(src, whole), 1, bytes_of(src));
    else
        push_step(chain, src == SV_FLOAT64 ? SVI_OP_BOOL_FROM_F64 : SVI_OP_BOOL_FROM_F32, 1, src == SV_FLOAT64 ? 8 : 4);
}

/* From int32, whose low bits are those of dst, or which has the value of it. */
static void from_int32(struct svi_chain *chain, sv_dtype dst)
{
    switch (bytes_of(dst)) {
    case 1: push_step(chain, SVI_OP_I8_FROM_I32, 1, 4); break;
    case 2: push_step(chain, SVI_OP_I16_FROM_I32, 2, 4); break;
    case 8: push_step(chain, SVI_OP_I64_FROM_I32, 8, 4); break;
    default: break;
    }
}

static void whole_to_whole(struct svi_chain *chain, sv_dtype dst, sv_dtype src)
{
    if (bytes_of(dst) == bytes_of(src))
        return;
    if (bytes_of(dst) == 8 && src == SV_UINT32) {
        push_step(chain, SVI_OP_I64_FROM_U32, 8, 4);
        return;
    }
    if (bytes_of(dst) + bytes_of(src) == 3) {
        push_step(chain,
                  bytes_of(dst) == 1 ? SVI_OP_I8_FROM_I16
                  : src == SV_INT8   ? SVI_OP_I16_FROM_I8
                                     : SVI_OP_I16_FROM_U8,
                  bytes_of(dst), bytes_of(src));
        return;
    }
    if (bytes_of(src) == 1)
        push_step(chain, src == SV_INT8 ? SVI_OP_I32_FROM_I8 : SVI_OP_I32_FROM_U8, 4, 1);
    else if (bytes_of(src) == 2)
        push_step(chain, src == SV_INT16 ? SVI_OP_I32_FROM_I16 : SVI_OP_I32_FROM_U16, 4, 2);
    else if (bytes_of(src) == 8)
        push_step(chain, SVI_OP_I32_FROM_I64, 4, 8);
    from_int32(chain, dst);
}

static void to_float32(struct svi_chain *chain, sv_dtype src, bool exactly)
{
    static const uint8_t nearest[8] = {SVI_OP_F32_FROM_I8,  SVI_OP_F32_FROM_U8,  SVI_OP_F32_FROM_I16,
                                       SVI_OP_F32_FROM_U16, SVI_OP_F32_FROM_I32, SVI_OP_F32_FROM_U32,
                                       SVI_OP_F32_FROM_I64, SVI_OP_F32_FROM_U64};
    static const uint8_t odd[8] = {SVI_OP_F32_FROM_I8,  SVI_OP_F32_FROM_U8,  SVI_OP_F32_FROM_I16, SVI_OP_F32_FROM_U16,
                                   SVI_OP_ODD_FROM_I32, SVI_OP_ODD_FROM_U32, SVI_OP_ODD_FROM_I64, SVI_OP_ODD_FROM_U64};
    const struct narrow *narrow = find_narrow(src);

    if (narrow != NULL)
        push_step(chain, narrow->widen, 4, narrow->bytes);
    else if (is_whole(src))
        push_step(chain, by_whole(src, exactly ? odd : nearest), 4, bytes_of(src));
    else if (src == SV_FLOAT64)
        push_step(chain, exactly ? SVI_OP_ODD_FROM_F64 : SVI_OP_F32_FROM_F64, 4, 8);
}

static void to_float64(struct svi_chain *chain, sv_dtype src)
{
    static const uint8_t whole[8] = {
        0, 0, 0, 0, SVI_OP_F64_FROM_I32, SVI_OP_F64_FROM_U32, SVI_OP_F64_FROM_I64, SVI_OP_F64_FROM_U64};

    if (is_whole(src) && bytes_of(src) >= 4) {
        push_step(chain, by_whole(src, whole), 8, bytes_of(src));
    } else {
        to_float32(chain, src, true);
        push_step(chain, SVI_OP_F64_FROM_F32, 8, 4);
    }
}

static void to_floating(struct svi_chain *chain, sv_dtype dst, sv_dtype src)
{
    const struct narrow *narrow = find_narrow(dst);

    if (dst == SV_FLOAT64) {
        to_float64(chain, src);
        return;
    }
    to_float32(chain, src, narrow != NULL);
    if (narrow != NULL)
        push_step(chain, narrow->round, narrow->bytes, 4);
}

static void floating_to_whole(struct svi_chain *chain, sv_dtype dst, sv_dtype src)
{
    const uint8_t nbytes = bytes_of(dst);

    if (src != SV_FLOAT64) {
        to_float32(chain, src, true);
        push_step(chain,
                  nbytes == 1   ? SVI_OP_I8_FROM_F32
                  : nbytes == 2 ? SVI_OP_I16_FROM_F32
                  : nbytes == 4 ? SVI_OP_I32_FROM_F32
                                : SVI_OP_I64_FROM_F32,
                  nbytes, 4);
    } else if (nbytes == 8) {
        push_step(chain, SVI_OP_I64_FROM_F64, 8, 8);
    } else {
        push_step(chain, SVI_OP_I32_FROM_F64, 4, 8);
        from_int32(chain, dst);
    }
}

/* Neither is complex. */
static void between_reals(struct svi_chain *chain, sv_dtype dst, sv_dtype src)
{
    if (dst == src)
        return;
    if (dst == SV_BOOL) {
        to_bool(chain, src);
        return;
    }
    if (src == SV_BOOL) {
        push_step(chain, SVI_OP_BOOL_FROM_1, 1, 1);
        src = SV_UINT8;
    }
    if (svi_dtype_kind(dst) == SVI_FLOATING)
        to_floating(chain, dst, src);
    else if (svi_dtype_kind(src) == SVI_FLOATING)
        floating_to_whole(chain, dst, src);
    else
        whole_to_whole(chain, dst, src);
}

/* --- complex numbers -------------------------------------------------------- */

static void complex_to_bool(struct svi_chain *chain, sv_dtype src)
{
    const uint8_t op = src == SV_COMPLEX32   ? SVI_OP_BOOL_FROM_C32
                       : src == SV_COMPLEX64 ? SVI_OP_BOOL_FROM_C64
                                             : SVI_OP_BOOL_FROM_C128;

    push_step(chain, op, 1, bytes_of(src));
}

static uint8_t by_part(uint8_t first, uint8_t bytes)
{
    return (uint8_t)(first + (bytes == 2 ? 0 : bytes == 4 ? 1 : 2));
}

static void from_complex(struct svi_chain *chain, sv_dtype dst, sv_dtype src)
{
    const uint8_t part = bytes_of(part_of(src));

    if (dst == SV_BOOL) {
        complex_to_bool(chain, src);
        return;
    }
    push_step(chain, by_part(SVI_OP_REAL_2, part), part, bytes_of(src));
    between_reals(chain, dst, part_of(src));
}

static void to_complex(struct svi_chain *chain, sv_dtype dst, sv_dtype src)
{
    const uint8_t part = bytes_of(part_of(dst));

    between_reals(chain, part_of(dst), src);
    push_step(chain, by_part(SVI_OP_COMPLEX_2, part), bytes_of(dst), part);
}

/* Both parts by the same steps. */
static void between_complex(struct svi_chain *chain, sv_dtype dst, sv_dtype src)
{
    const int32_t first = chain->count;

    between_reals(chain, part_of(dst), part_of(src));
    for (int32_t k = first; k < chain->count; k++)
        chain->steps[k].lanes = 2;
}

/* --- all -------------------------------------------------------------------- */

static void swap_bytes(struct svi_chain *chain, sv_dtype dtype)
{
    const bool two = svi_dtype_kind(dtype) == SVI_COMPLEX;
    const uint8_t bytes = (uint8_t)(bytes_of(dtype) / (two ? 2 : 1));

    if (bytes <= 1)
        return;
    push_step(chain,
              bytes == 2   ? SVI_OP_SWAP_2
              : bytes == 4 ? SVI_OP_SWAP_4
              : bytes == 8 ? SVI_OP_SWAP_8
                           : SVI_OP_SWAP_16,
              bytes, bytes);
    chain->steps[0].lanes = two ? 2 : 1;
}

static sv_status check_conversion(sv_dtype dst, sv_dtype src, bool unsafe)
{
    const enum svi_kind to = svi_dtype_kind(dst), from = svi_dtype_kind(src);
    char dst_name[SVI_DTYPE_TEXT], src_name[SVI_DTYPE_TEXT];

    if (svi_kind_converts(to, from, unsafe))
        return SV_OK;
    return svi_fail(SV_ERROR_DTYPE, "%s to %s: %s", svi_dtype_text(src, src_name), svi_dtype_text(dst, dst_name),
                    svi_kind_converts(to, from, true) ? "pass SV_COPY_CAST_UNSAFE to convert"
                                                      : "there is no conversion");
}

static sv_dtype strip_lanes(sv_dtype dtype)
{
    return (dtype & 0xffff) | 1u << 16;
}

sv_status svi_chain_find(sv_dtype dst, sv_dtype src, bool unsafe, bool swapped, struct svi_chain *out)
{
    struct svi_chain chain = {0};
    char dst_name[SVI_DTYPE_TEXT], src_name[SVI_DTYPE_TEXT];

    if (svi_dtype_lanes(dst) != svi_dtype_lanes(src) || src == SV_OPAQUE)
        return svi_fail(SV_ERROR_DTYPE, "%s to %s: numbers of as many lanes are needed", svi_dtype_text(src, src_name),
                        svi_dtype_text(dst, dst_name));
    dst = strip_lanes(dst);
    src = strip_lanes(src);
    if (swapped)
        swap_bytes(&chain, src);
    if (dst != src) {
        SVI_TRY(check_conversion(dst, src, unsafe));
        if (svi_dtype_kind(src) == SVI_COMPLEX && svi_dtype_kind(dst) == SVI_COMPLEX)
            between_complex(&chain, dst, src);
        else if (svi_dtype_kind(src) == SVI_COMPLEX)
            from_complex(&chain, dst, src);
        else if (svi_dtype_kind(dst) == SVI_COMPLEX)
            to_complex(&chain, dst, src);
        else
            between_reals(&chain, dst, src);
    }
    *out = chain;
    return SV_OK;
}
