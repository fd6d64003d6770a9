/*
 * How an element of one type becomes one of another: a short chain of operations
 * on dense arrays. Plain data, which C and CUDA C++ read; doc/casts.md has the
 * rules.
 */
#ifndef SVI_CHAIN_H
#define SVI_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/inline.h"
#include "dtype/types.h"

/*
 * Each is a function of one number, between two sizes. Whole numbers go by way of
 * int32 or int64, but for those of 8 and 16 bits among themselves; floating ones by
 * way of float32 where it holds them. So one operation to and from each is enough.
 *
 * What rounds does so once: FROM_F32 is preceded by an exact operation or by one
 * of the ODD ones, which round to the neighbour whose last bit is 1 (where no
 * later rounding can mistake what has been cut off for a half).
 */
enum svi_op {
    /* whether any bit is set, those of a sign not counted; two numbers at once of a complex one */
    SVI_OP_BOOL_FROM_1,
    SVI_OP_BOOL_FROM_2,
    SVI_OP_BOOL_FROM_4,
    SVI_OP_BOOL_FROM_8,
    SVI_OP_BOOL_FROM_F32,
    SVI_OP_BOOL_FROM_F64,
    SVI_OP_BOOL_FROM_C32,
    SVI_OP_BOOL_FROM_C64,
    SVI_OP_BOOL_FROM_C128,
    /* whole numbers: the low bits, or the sign extended */
    SVI_OP_I32_FROM_I8,
    SVI_OP_I32_FROM_U8,
    SVI_OP_I32_FROM_I16,
    SVI_OP_I32_FROM_U16,
    SVI_OP_I32_FROM_I64,
    SVI_OP_I8_FROM_I16,
    SVI_OP_I16_FROM_I8,
    SVI_OP_I16_FROM_U8,
    SVI_OP_I8_FROM_I32,
    SVI_OP_I16_FROM_I32,
    SVI_OP_I64_FROM_I32,
    SVI_OP_I64_FROM_U32,
    /* to float32, to the nearest or exactly; the last of these, and from it, of each floating type below it */
    SVI_OP_F32_FROM_I8,
    SVI_OP_F32_FROM_U8,
    SVI_OP_F32_FROM_I16,
    SVI_OP_F32_FROM_U16,
    SVI_OP_F32_FROM_I32,
    SVI_OP_F32_FROM_U32,
    SVI_OP_F32_FROM_I64,
    SVI_OP_F32_FROM_U64,
    SVI_OP_F32_FROM_F64,
#define SVI_NARROW(KIND, NAME, OP, ...) SVI_OP_F32_FROM_##OP,
#include "dtype/dtypes.def"
    /* to float32, to the odd neighbour */
    SVI_OP_ODD_FROM_I32,
    SVI_OP_ODD_FROM_U32,
    SVI_OP_ODD_FROM_I64,
    SVI_OP_ODD_FROM_U64,
    SVI_OP_ODD_FROM_F64,
#define SVI_NARROW(KIND, NAME, OP, ...) SVI_OP_##OP##_FROM_F32,
#include "dtype/dtypes.def"
    /* from float32, to other types than these */
    SVI_OP_F64_FROM_F32,
    SVI_OP_I8_FROM_F32, /* by way of int32 */
    SVI_OP_I16_FROM_F32,
    SVI_OP_I32_FROM_F32,
    SVI_OP_I64_FROM_F32,
    /* from and to float64 */
    SVI_OP_F64_FROM_I32,
    SVI_OP_F64_FROM_U32,
    SVI_OP_F64_FROM_I64,
    SVI_OP_F64_FROM_U64,
    SVI_OP_I32_FROM_F64,
    SVI_OP_I64_FROM_F64,
    /* complex numbers of parts of 2, 4, 8 bytes: the real part, and an imaginary part of 0 */
    SVI_OP_REAL_2,
    SVI_OP_REAL_4,
    SVI_OP_REAL_8,
    SVI_OP_COMPLEX_2,
    SVI_OP_COMPLEX_4,
    SVI_OP_COMPLEX_8,
    /* the bytes in reverse order */
    SVI_OP_SWAP_2,
    SVI_OP_SWAP_4,
    SVI_OP_SWAP_8,
    SVI_OP_SWAP_16,
    SVI_OP_COUNT
};

/* The operation of a type of enum svi_narrow is this and the type. */
enum {
    SVI_OP_F32_FROM_NARROW = SVI_OP_F32_FROM_F16 - (int)SVI_NARROW_F16,
    SVI_OP_NARROW_FROM_F32 = SVI_OP_F16_FROM_F32 - (int)SVI_NARROW_F16
};

/* What scaled numbers become: whole numbers, to the nearest, even in a tie, brought to the ends of the range; 0 from NaN. */
enum svi_whole {
    SVI_WHOLE_I8,
    SVI_WHOLE_U8,
    SVI_WHOLE_I16,
    SVI_WHOLE_U16,
    SVI_WHOLE_COUNT_F32, /* that float32 is rounded to; the others come from float64 */
    SVI_WHOLE_I32 = SVI_WHOLE_COUNT_F32,
    SVI_WHOLE_U32,
    SVI_WHOLE_I64,
    SVI_WHOLE_U64,
    SVI_WHOLE_COUNT,
    SVI_WHOLE_NONE = SVI_WHOLE_COUNT
};

/*
 * Operations of chains that scale, besides those of enum svi_op. SVI_NEAREST_FROM_* and a type of enum svi_whole round
 * to the nearest integer of it. SVI_SCALE_* convert to float32 or float64, multiply by a scale and add a bias.
 */
enum {
    SVI_NEAREST_FROM_F32 = SVI_OP_COUNT,
    SVI_NEAREST_FROM_F64 = SVI_NEAREST_FROM_F32 + SVI_WHOLE_COUNT,
    SVI_SCALE_F32 = SVI_NEAREST_FROM_F64 + SVI_WHOLE_COUNT,
    SVI_SCALE_U8,
    SVI_SCALE_I8,
    SVI_SCALE_U16,
    SVI_SCALE_I16,
    SVI_SCALE_F16,
    SVI_SCALE_BF16,
    SVI_SCALE_F64
};

enum { SVI_STEPS = 5, SVI_STEP_ITEM = 16 /* bytes of an item at most, before and after each step */ };

/* An item before a step is lanes numbers of src bytes, after it lanes of dst bytes. */
struct svi_step {
    uint8_t op, lanes, dst, src;
};

/* Without a step the bytes stay as they are. */
struct svi_chain {
    int32_t count;
    struct svi_step steps[SVI_STEPS];
};

/* Bytes of an item before and after all steps, of which there is at least one. */
SVI_INLINE size_t svi_chain_src_bytes(const struct svi_chain *chain)
{
    return (size_t)chain->steps[0].src * chain->steps[0].lanes;
}

SVI_INLINE size_t svi_chain_dst_bytes(const struct svi_chain *chain)
{
    const struct svi_step *last = &chain->steps[chain->count - 1];

    return (size_t)last->dst * last->lanes;
}

#ifndef __CUDACC__
#include <stdbool.h>

#include "dtype/dtype.h"

/*
 * The chain from one lane of src to one of dst. unsafe: between any two kinds of
 * numbers; swapped: src has the other byte order. SV_ERROR_DTYPE where there is
 * none, or it is not allowed.
 */
sv_status svi_chain_find(sv_dtype dst, sv_dtype src, bool unsafe, bool swapped, struct svi_chain *out);
#endif

#endif
