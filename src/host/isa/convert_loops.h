/*
 * The operations of chain.h on blocks of SVI_BLOCK numbers, for the instruction set of the file that includes this:
 * SVI_CONVERT is the name of the table. An instruction set that has better loops of its own for float16 and for what
 * looks at a whole block first includes convert_vectors.h before this, which defines SVI_CONVERT_SPECIAL, and has
 * SVI_SPECIAL_ODD where it rounds integers to odd, too. Addresses may be misaligned; dst and src do not overlap.
 */
#ifndef SVI_HOST_CONVERT_LOOPS_H
#define SVI_HOST_CONVERT_LOOPS_H

#include "convert_blocks.h"

/* --- to float32 ------------------------------------------------------------------ */

static void f32_from_i8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_I8, 4, 1);
}

static void f32_from_u8(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_U8, 4, 1);
}

static void f32_from_i16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_I16, 4, 2);
}

static void f32_from_u16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_U16, 4, 2);
}

static void f32_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_I32, 4, 4);
}

static void f32_from_u32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_U32, 4, 4);
}

static void f32_from_i64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_I64, 4, 8);
}

static void f32_from_u64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_U64, 4, 8);
}

static void f32_from_f64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_F64, 4, 8);
}

static void f32_from_bf16(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_BF16, 4, 2);
}

static void f32_from_e3m4(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E3M4);
}

static void f32_from_e4m3(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3);
}

static void f32_from_e4m3b11fnuz(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3B11FNUZ);
}

static void f32_from_e4m3fn(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3FN);
}

static void f32_from_e4m3fnuz(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3FNUZ);
}

static void f32_from_e5m2(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E5M2);
}

static void f32_from_e5m2fnuz(void *restrict dst, const void *restrict src, int64_t blocks)
{
    widen_8(dst, src, blocks, SVI_OP_F32_FROM_E5M2FNUZ);
}

static void f32_from_e8m0fnu(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F32_FROM_E8M0FNU, 4, 1);
}

#ifndef SVI_SPECIAL_ODD
static void odd_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_ODD_FROM_I32, 4, 4);
}

static void odd_from_u32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_ODD_FROM_U32, 4, 4);
}

static void odd_from_i64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_ODD_FROM_I64, 4, 8);
}

static void odd_from_u64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_ODD_FROM_U64, 4, 8);
}
#endif

/* --- from float32, and to float64 ------------------------------------------------ */

static void e8m0fnu_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_E8M0FNU_FROM_F32, 1, 4);
}

static void f64_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F64_FROM_F32, 8, 4);
}

static void f64_from_i32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F64_FROM_I32, 8, 4);
}

static void f64_from_u32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F64_FROM_U32, 8, 4);
}

static void f64_from_i64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F64_FROM_I64, 8, 8);
}

static void f64_from_u64(void *restrict dst, const void *restrict src, int64_t blocks)
{
    each(dst, src, blocks, SVI_OP_F64_FROM_U64, 8, 8);
}

static void e3m4_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_to_8(dst, src, blocks, SVI_OP_E3M4_FROM_F32);
}

static void e4m3_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_to_8(dst, src, blocks, SVI_OP_E4M3_FROM_F32);
}

static void e4m3b11fnuz_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_to_8(dst, src, blocks, SVI_OP_E4M3B11FNUZ_FROM_F32);
}

static void e4m3fn_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_to_8(dst, src, blocks, SVI_OP_E4M3FN_FROM_F32);
}

static void e4m3fnuz_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_to_8(dst, src, blocks, SVI_OP_E4M3FNUZ_FROM_F32);
}

static void e5m2_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_to_8(dst, src, blocks, SVI_OP_E5M2_FROM_F32);
}

static void e5m2fnuz_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    round_to_8(dst, src, blocks, SVI_OP_E5M2FNUZ_FROM_F32);
}

static void i8_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    integers_from_f32(dst, src, blocks, 1);
}

static void i16_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    integers_from_f32(dst, src, blocks, 2);
}

static void i32_from_f32(void *restrict dst, const void *restrict src, int64_t blocks)
{
    integers_from_f32(dst, src, blocks, 4);
}

svi_loop *const SVI_CONVERT[SVI_OP_COUNT] = {
    [SVI_OP_BOOL_FROM_1] = bool_from_1,
    [SVI_OP_BOOL_FROM_2] = bool_from_2,
    [SVI_OP_BOOL_FROM_4] = bool_from_4,
    [SVI_OP_BOOL_FROM_8] = bool_from_8,
    [SVI_OP_BOOL_FROM_F32] = bool_from_f32,
    [SVI_OP_BOOL_FROM_F64] = bool_from_f64,
    [SVI_OP_BOOL_FROM_C32] = bool_from_c32,
    [SVI_OP_BOOL_FROM_C64] = bool_from_c64,
    [SVI_OP_BOOL_FROM_C128] = bool_from_c128,
    [SVI_OP_I32_FROM_I8] = i32_from_i8,
    [SVI_OP_I32_FROM_U8] = i32_from_u8,
    [SVI_OP_I32_FROM_I16] = i32_from_i16,
    [SVI_OP_I32_FROM_U16] = i32_from_u16,
    [SVI_OP_I32_FROM_I64] = i32_from_i64,
    [SVI_OP_I8_FROM_I16] = i8_from_i16,
    [SVI_OP_I16_FROM_I8] = i16_from_i8,
    [SVI_OP_I16_FROM_U8] = i16_from_u8,
    [SVI_OP_I8_FROM_I32] = i8_from_i32,
    [SVI_OP_I16_FROM_I32] = i16_from_i32,
    [SVI_OP_I64_FROM_I32] = i64_from_i32,
    [SVI_OP_I64_FROM_U32] = i64_from_u32,
    [SVI_OP_F32_FROM_I8] = f32_from_i8,
    [SVI_OP_F32_FROM_U8] = f32_from_u8,
    [SVI_OP_F32_FROM_I16] = f32_from_i16,
    [SVI_OP_F32_FROM_U16] = f32_from_u16,
    [SVI_OP_F32_FROM_I32] = f32_from_i32,
    [SVI_OP_F32_FROM_U32] = f32_from_u32,
    [SVI_OP_F32_FROM_I64] = f32_from_i64,
    [SVI_OP_F32_FROM_U64] = f32_from_u64,
    [SVI_OP_F32_FROM_F64] = f32_from_f64,
    [SVI_OP_F32_FROM_F16] = f32_from_f16,
    [SVI_OP_F32_FROM_BF16] = f32_from_bf16,
    [SVI_OP_F32_FROM_E3M4] = f32_from_e3m4,
    [SVI_OP_F32_FROM_E4M3] = f32_from_e4m3,
    [SVI_OP_F32_FROM_E4M3B11FNUZ] = f32_from_e4m3b11fnuz,
    [SVI_OP_F32_FROM_E4M3FN] = f32_from_e4m3fn,
    [SVI_OP_F32_FROM_E4M3FNUZ] = f32_from_e4m3fnuz,
    [SVI_OP_F32_FROM_E5M2] = f32_from_e5m2,
    [SVI_OP_F32_FROM_E5M2FNUZ] = f32_from_e5m2fnuz,
    [SVI_OP_F32_FROM_E8M0FNU] = f32_from_e8m0fnu,
    [SVI_OP_ODD_FROM_I32] = odd_from_i32,
    [SVI_OP_ODD_FROM_U32] = odd_from_u32,
    [SVI_OP_ODD_FROM_I64] = odd_from_i64,
    [SVI_OP_ODD_FROM_U64] = odd_from_u64,
    [SVI_OP_ODD_FROM_F64] = odd_from_f64,
    [SVI_OP_F16_FROM_F32] = f16_from_f32,
    [SVI_OP_BF16_FROM_F32] = bf16_from_f32,
    [SVI_OP_E3M4_FROM_F32] = e3m4_from_f32,
    [SVI_OP_E4M3_FROM_F32] = e4m3_from_f32,
    [SVI_OP_E4M3B11FNUZ_FROM_F32] = e4m3b11fnuz_from_f32,
    [SVI_OP_E4M3FN_FROM_F32] = e4m3fn_from_f32,
    [SVI_OP_E4M3FNUZ_FROM_F32] = e4m3fnuz_from_f32,
    [SVI_OP_E5M2_FROM_F32] = e5m2_from_f32,
    [SVI_OP_E5M2FNUZ_FROM_F32] = e5m2fnuz_from_f32,
    [SVI_OP_E8M0FNU_FROM_F32] = e8m0fnu_from_f32,
    [SVI_OP_F64_FROM_F32] = f64_from_f32,
    [SVI_OP_I8_FROM_F32] = i8_from_f32,
    [SVI_OP_I16_FROM_F32] = i16_from_f32,
    [SVI_OP_I32_FROM_F32] = i32_from_f32,
    [SVI_OP_I64_FROM_F32] = i64_from_f32,
    [SVI_OP_F64_FROM_I32] = f64_from_i32,
    [SVI_OP_F64_FROM_U32] = f64_from_u32,
    [SVI_OP_F64_FROM_I64] = f64_from_i64,
    [SVI_OP_F64_FROM_U64] = f64_from_u64,
    [SVI_OP_I32_FROM_F64] = i32_from_f64,
    [SVI_OP_I64_FROM_F64] = i64_from_f64,
    [SVI_OP_REAL_2] = real_2,
    [SVI_OP_REAL_4] = real_4,
    [SVI_OP_REAL_8] = real_8,
    [SVI_OP_COMPLEX_2] = complex_2,
    [SVI_OP_COMPLEX_4] = complex_4,
    [SVI_OP_COMPLEX_8] = complex_8,
    [SVI_OP_SWAP_2] = swap_2,
    [SVI_OP_SWAP_4] = swap_4,
    [SVI_OP_SWAP_8] = swap_8,
    [SVI_OP_SWAP_16] = swap_16,
};

#endif
