/*
 * The operations of chain.h on blocks of SVI_BLOCK numbers, for the instruction set of the file that includes this:
 * SVI_CONVERT is the name of the function. An instruction set that has better loops of its own for float16 and for what
 * looks at a whole block first includes convert_vectors.h before this, which defines SVI_CONVERT_SPECIAL, and has
 * SVI_SPECIAL_ODD where it rounds integers to odd, too. Addresses may be misaligned; dst and src do not overlap.
 */
#ifndef SVI_HOST_CONVERT_LOOPS_H
#define SVI_HOST_CONVERT_LOOPS_H

#include "convert_blocks.h"

/* One function has all loops, so each of them is aligned as a function is. */
#ifdef __clang__
#define SVI_ALIGN_LOOPS
#else
#define SVI_ALIGN_LOOPS __attribute__((optimize("align-loops=64")))
#endif

SVI_ALIGN_LOOPS void SVI_CONVERT(enum svi_op op, void *restrict dst, const void *restrict src, int64_t blocks)
{
    switch (op) {
    case SVI_OP_BOOL_FROM_1: each(dst, src, blocks, SVI_OP_BOOL_FROM_1, 1, 1); break;
    case SVI_OP_BOOL_FROM_2: each(dst, src, blocks, SVI_OP_BOOL_FROM_2, 1, 2); break;
    case SVI_OP_BOOL_FROM_4: each(dst, src, blocks, SVI_OP_BOOL_FROM_4, 1, 4); break;
    case SVI_OP_BOOL_FROM_8: each(dst, src, blocks, SVI_OP_BOOL_FROM_8, 1, 8); break;
    case SVI_OP_BOOL_FROM_F32: each(dst, src, blocks, SVI_OP_BOOL_FROM_F32, 1, 4); break;
    case SVI_OP_BOOL_FROM_F64: each(dst, src, blocks, SVI_OP_BOOL_FROM_F64, 1, 8); break;
    case SVI_OP_BOOL_FROM_C32: each(dst, src, blocks, SVI_OP_BOOL_FROM_C32, 1, 4); break;
    case SVI_OP_BOOL_FROM_C64: each(dst, src, blocks, SVI_OP_BOOL_FROM_C64, 1, 8); break;
    case SVI_OP_BOOL_FROM_C128: each(dst, src, blocks, SVI_OP_BOOL_FROM_C128, 1, 16); break;

    case SVI_OP_I32_FROM_I8: each(dst, src, blocks, SVI_OP_I32_FROM_I8, 4, 1); break;
    case SVI_OP_I32_FROM_U8: each(dst, src, blocks, SVI_OP_I32_FROM_U8, 4, 1); break;
    case SVI_OP_I32_FROM_I16: each(dst, src, blocks, SVI_OP_I32_FROM_I16, 4, 2); break;
    case SVI_OP_I32_FROM_U16: each(dst, src, blocks, SVI_OP_I32_FROM_U16, 4, 2); break;
    case SVI_OP_I32_FROM_I64: each(dst, src, blocks, SVI_OP_I32_FROM_I64, 4, 8); break;
    case SVI_OP_I8_FROM_I16: each(dst, src, blocks, SVI_OP_I8_FROM_I16, 1, 2); break;
    case SVI_OP_I16_FROM_I8: each(dst, src, blocks, SVI_OP_I16_FROM_I8, 2, 1); break;
    case SVI_OP_I16_FROM_U8: each(dst, src, blocks, SVI_OP_I16_FROM_U8, 2, 1); break;
    case SVI_OP_I8_FROM_I32: each(dst, src, blocks, SVI_OP_I8_FROM_I32, 1, 4); break;
    case SVI_OP_I16_FROM_I32: each(dst, src, blocks, SVI_OP_I16_FROM_I32, 2, 4); break;
    case SVI_OP_I64_FROM_I32: each(dst, src, blocks, SVI_OP_I64_FROM_I32, 8, 4); break;
    case SVI_OP_I64_FROM_U32: each(dst, src, blocks, SVI_OP_I64_FROM_U32, 8, 4); break;

    case SVI_OP_F32_FROM_I8: each(dst, src, blocks, SVI_OP_F32_FROM_I8, 4, 1); break;
    case SVI_OP_F32_FROM_U8: each(dst, src, blocks, SVI_OP_F32_FROM_U8, 4, 1); break;
    case SVI_OP_F32_FROM_I16: each(dst, src, blocks, SVI_OP_F32_FROM_I16, 4, 2); break;
    case SVI_OP_F32_FROM_U16: each(dst, src, blocks, SVI_OP_F32_FROM_U16, 4, 2); break;
    case SVI_OP_F32_FROM_I32: each(dst, src, blocks, SVI_OP_F32_FROM_I32, 4, 4); break;
    case SVI_OP_F32_FROM_U32: each(dst, src, blocks, SVI_OP_F32_FROM_U32, 4, 4); break;
    case SVI_OP_F32_FROM_I64: each(dst, src, blocks, SVI_OP_F32_FROM_I64, 4, 8); break;
    case SVI_OP_F32_FROM_U64: each(dst, src, blocks, SVI_OP_F32_FROM_U64, 4, 8); break;
    case SVI_OP_F32_FROM_F64: each(dst, src, blocks, SVI_OP_F32_FROM_F64, 4, 8); break;
    case SVI_OP_F32_FROM_F16: f32_from_f16(dst, src, blocks); break;
    case SVI_OP_F32_FROM_BF16: each(dst, src, blocks, SVI_OP_F32_FROM_BF16, 4, 2); break;
    case SVI_OP_F32_FROM_E3M4: widen_8(dst, src, blocks, SVI_OP_F32_FROM_E3M4); break;
    case SVI_OP_F32_FROM_E4M3: widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3); break;
    case SVI_OP_F32_FROM_E4M3B11FNUZ: widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3B11FNUZ); break;
    case SVI_OP_F32_FROM_E4M3FN: widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3FN); break;
    case SVI_OP_F32_FROM_E4M3FNUZ: widen_8(dst, src, blocks, SVI_OP_F32_FROM_E4M3FNUZ); break;
    case SVI_OP_F32_FROM_E5M2: widen_8(dst, src, blocks, SVI_OP_F32_FROM_E5M2); break;
    case SVI_OP_F32_FROM_E5M2FNUZ: widen_8(dst, src, blocks, SVI_OP_F32_FROM_E5M2FNUZ); break;
    case SVI_OP_F32_FROM_E8M0FNU: each(dst, src, blocks, SVI_OP_F32_FROM_E8M0FNU, 4, 1); break;

    case SVI_OP_ODD_FROM_I32: odd_from_integers(dst, src, blocks, SVI_OP_ODD_FROM_I32, 4); break;
    case SVI_OP_ODD_FROM_U32: odd_from_integers(dst, src, blocks, SVI_OP_ODD_FROM_U32, 4); break;
    case SVI_OP_ODD_FROM_I64: odd_from_integers(dst, src, blocks, SVI_OP_ODD_FROM_I64, 8); break;
    case SVI_OP_ODD_FROM_U64: odd_from_integers(dst, src, blocks, SVI_OP_ODD_FROM_U64, 8); break;
    case SVI_OP_ODD_FROM_F64: odd_from_f64(dst, src, blocks); break;

    case SVI_OP_F16_FROM_F32: f16_from_f32(dst, src, blocks); break;
    case SVI_OP_BF16_FROM_F32: bf16_from_f32(dst, src, blocks); break;
    case SVI_OP_E3M4_FROM_F32: round_to_8(dst, src, blocks, SVI_OP_E3M4_FROM_F32); break;
    case SVI_OP_E4M3_FROM_F32: round_to_8(dst, src, blocks, SVI_OP_E4M3_FROM_F32); break;
    case SVI_OP_E4M3B11FNUZ_FROM_F32: round_to_8(dst, src, blocks, SVI_OP_E4M3B11FNUZ_FROM_F32); break;
    case SVI_OP_E4M3FN_FROM_F32: round_to_8(dst, src, blocks, SVI_OP_E4M3FN_FROM_F32); break;
    case SVI_OP_E4M3FNUZ_FROM_F32: round_to_8(dst, src, blocks, SVI_OP_E4M3FNUZ_FROM_F32); break;
    case SVI_OP_E5M2_FROM_F32: round_to_8(dst, src, blocks, SVI_OP_E5M2_FROM_F32); break;
    case SVI_OP_E5M2FNUZ_FROM_F32: round_to_8(dst, src, blocks, SVI_OP_E5M2FNUZ_FROM_F32); break;
    case SVI_OP_E8M0FNU_FROM_F32: each(dst, src, blocks, SVI_OP_E8M0FNU_FROM_F32, 1, 4); break;
    case SVI_OP_F64_FROM_F32: each(dst, src, blocks, SVI_OP_F64_FROM_F32, 8, 4); break;
    case SVI_OP_I8_FROM_F32: integers_from_f32(dst, src, blocks, 1); break;
    case SVI_OP_I16_FROM_F32: integers_from_f32(dst, src, blocks, 2); break;
    case SVI_OP_I32_FROM_F32: integers_from_f32(dst, src, blocks, 4); break;
    case SVI_OP_I64_FROM_F32: i64_from_f32(dst, src, blocks); break;

    case SVI_OP_F64_FROM_I32: each(dst, src, blocks, SVI_OP_F64_FROM_I32, 8, 4); break;
    case SVI_OP_F64_FROM_U32: each(dst, src, blocks, SVI_OP_F64_FROM_U32, 8, 4); break;
    case SVI_OP_F64_FROM_I64: each(dst, src, blocks, SVI_OP_F64_FROM_I64, 8, 8); break;
    case SVI_OP_F64_FROM_U64: each(dst, src, blocks, SVI_OP_F64_FROM_U64, 8, 8); break;
    case SVI_OP_I32_FROM_F64: i32_from_f64(dst, src, blocks); break;
    case SVI_OP_I64_FROM_F64: i64_from_f64(dst, src, blocks); break;

    case SVI_OP_REAL_2: each(dst, src, blocks, SVI_OP_REAL_2, 2, 4); break;
    case SVI_OP_REAL_4: each(dst, src, blocks, SVI_OP_REAL_4, 4, 8); break;
    case SVI_OP_REAL_8: each(dst, src, blocks, SVI_OP_REAL_8, 8, 16); break;
    case SVI_OP_COMPLEX_2: each(dst, src, blocks, SVI_OP_COMPLEX_2, 4, 2); break;
    case SVI_OP_COMPLEX_4: each(dst, src, blocks, SVI_OP_COMPLEX_4, 8, 4); break;
    case SVI_OP_COMPLEX_8: each(dst, src, blocks, SVI_OP_COMPLEX_8, 16, 8); break;
    case SVI_OP_SWAP_2: each(dst, src, blocks, SVI_OP_SWAP_2, 2, 2); break;
    case SVI_OP_SWAP_4: each(dst, src, blocks, SVI_OP_SWAP_4, 4, 4); break;
    case SVI_OP_SWAP_8: each(dst, src, blocks, SVI_OP_SWAP_8, 8, 8); break;
    case SVI_OP_SWAP_16: each(dst, src, blocks, SVI_OP_SWAP_16, 16, 16); break;
    default: break;
    }
}

#endif
