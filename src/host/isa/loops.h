/*
 * The operations of chain.h on blocks of SVI_BLOCK numbers, for the
 * instruction set of the file that includes this: compilers make vectors of
 * loops whose counts they know. Addresses may be misaligned; dst and src do not
 * overlap.
 */
#ifndef SVI_HOST_LOOPS_H
#define SVI_HOST_LOOPS_H

#include "chain.h"
#include "isa.h"
#include "numbers.h"

/* Where the first half of a complex number is, as an integer. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { REAL_OF_32 = 0, REAL_OF_64 = 0 };
#else
enum { REAL_OF_32 = 16, REAL_OF_64 = 32 };
#endif

/*
 * A number too large for an integer takes a slower way, its block with it. So many blocks after that one go the same
 * way without a look: there is another in them, it is supposed.
 */
enum { SUPPOSED = 15 };

#include "loops_to_float.h"
#include "loops_from_float.h"
#include "loops_double.h"
#include "loops_parts.h"
#include "loops_whole.h"

svi_loop *const SVI_LOOPS[SVI_OP_COUNT] = {
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
