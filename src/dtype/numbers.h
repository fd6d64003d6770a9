/*
 * Single numbers from one type to another, by integer arithmetic without
 * branches: compilers make vectors of them, and every instruction set gives the
 * same bits, as devices do (src/gpu/cuda/kernels/cast.cu). What adds floating numbers
 * rounds to nearest, as C programs begin.
 */
#ifndef SVI_NUMBERS_H
#define SVI_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dtype/chain.h"
#include "base/inline.h"

#ifndef __CUDACC__
/* In arrays of any alignment. */
typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t __attribute__((aligned(1), may_alias)) i16;
typedef uint16_t __attribute__((aligned(1), may_alias)) u16;
typedef int32_t __attribute__((aligned(1), may_alias)) i32;
typedef uint32_t __attribute__((aligned(1), may_alias)) u32;
typedef int64_t __attribute__((aligned(1), may_alias)) i64;
typedef uint64_t __attribute__((aligned(1), may_alias)) u64;
typedef float __attribute__((aligned(1), may_alias)) f32;
typedef double __attribute__((aligned(1), may_alias)) f64;
#endif

SVI_INLINE uint32_t svi_bits_of_float(float a)
{
    uint32_t bits;

    memcpy(&bits, &a, sizeof bits);
    return bits;
}

SVI_INLINE float svi_float_of_bits(uint32_t bits)
{
    float a;

    memcpy(&a, &bits, sizeof a);
    return a;
}

SVI_INLINE uint64_t svi_bits_of_double(double a)
{
    uint64_t bits;

    memcpy(&bits, &a, sizeof bits);
    return bits;
}

SVI_INLINE double svi_double_of_bits(uint64_t bits)
{
    double a;

    memcpy(&a, &bits, sizeof a);
    return a;
}

SVI_INLINE uint32_t svi_select(bool condition, uint32_t a, uint32_t b)
{
    const uint32_t mask = 0 - (uint32_t)condition;

    return (a & mask) | (b & ~mask);
}

SVI_INLINE uint64_t svi_select_64(bool condition, uint64_t a, uint64_t b)
{
    const uint64_t mask = 0 - (uint64_t)condition;

    return (a & mask) | (b & ~mask);
}

/* --- between float32 and float64 --------------------------------------------- */

enum { SVI_F32_INFINITY = 0x7f800000, SVI_F32_NAN = 0x7fc00000, SVI_F32_MAGNITUDE = 0x7fffffff };

#define SVI_F64_MAGNITUDE UINT64_C(0x7fffffffffffffff)
#define SVI_F64_NAN UINT64_C(0x7ff8000000000000)
#define SVI_F64_INFINITY UINT64_C(0x7ff0000000000000)

/* NaN becomes quiet and keeps its sign and the upper bits of its payload. Processors of the host do so by themselves;
 * those of devices have one NaN for all. */
SVI_INLINE uint32_t svi_float_bits_of_double(uint64_t bits)
{
    const uint32_t number = svi_bits_of_float((float)svi_double_of_bits(bits));
#ifdef __CUDACC__
    const uint32_t nan = (uint32_t)(bits >> 32 & 0x80000000) | SVI_F32_NAN | (uint32_t)(bits >> 29 & 0x3fffff);

    return svi_select((bits & SVI_F64_MAGNITUDE) > SVI_F64_INFINITY, nan, number);
#else
    return number;
#endif
}

SVI_INLINE uint64_t svi_double_bits_of_float(uint32_t bits)
{
    const uint64_t number = svi_bits_of_double((double)svi_float_of_bits(bits));
#ifdef __CUDACC__
    const uint64_t nan = (uint64_t)(bits & 0x80000000) << 32 | SVI_F64_NAN | (uint64_t)(bits & 0x3fffff) << 29;

    return svi_select_64((bits & SVI_F32_MAGNITUDE) > SVI_F32_INFINITY, nan, number);
#else
    return number;
#endif
}

/* --- floating types of 8 and 16 bits ---------------------------------------- */

/* What svi_widen() and svi_round() convert by. */
struct svi_small {
    int bits, fraction, bias;
    enum svi_special special;
};

SVI_INLINE struct svi_small svi_small_make(int bits, int fraction, int bias, enum svi_special special)
{
    const struct svi_small made = {bits, fraction, bias, special};

    return made;
}

SVI_INLINE struct svi_small svi_small_of(enum svi_narrow type)
{
    switch (type) {
#define SVI_NARROW(KIND, NAME, OP, CODE, BITS, TEXT, TYPESTR, FORMAT, FRACTION, BIAS, SPECIAL) \
    case SVI_NARROW_##OP: return svi_small_make(BITS, FRACTION, BIAS, SPECIAL);
#include "dtype/dtypes.def"
    }
    return svi_small_make(0, 0, 0, SVI_IEEE);
}

/* The code of the largest number, and of what comes after it. */
SVI_INLINE uint32_t svi_small_infinity(struct svi_small t)
{
    const uint32_t codes = 1u << (t.bits - 1);

    return t.special == SVI_IEEE ? codes - (1u << t.fraction) : t.special == SVI_FN ? codes - 1 : codes;
}

SVI_INLINE uint32_t svi_widen(uint32_t code, struct svi_small t)
{
    const uint32_t sign_bit = 1u << (t.bits - 1), magnitude = code & (sign_bit - 1);
    const uint32_t sign = (code & sign_bit) << (32 - t.bits), infinity = svi_small_infinity(t);
    const float unit = svi_float_of_bits((uint32_t)(128 - t.bias - t.fraction) << 23);
    const uint32_t subnormal = svi_bits_of_float((float)(int32_t)magnitude * unit);
    const uint32_t normal = (magnitude << (23 - t.fraction)) + ((uint32_t)(127 - t.bias) << 23);
    const uint32_t payload = t.bits == 16 ? magnitude << (23 - t.fraction) : 0;
    uint32_t bits = svi_select(magnitude < 1u << t.fraction, subnormal, normal);

    if (t.special == SVI_FNUZ)
        return sign | svi_select(code == sign_bit, SVI_F32_NAN, bits);
    if (t.special == SVI_FN)
        return sign | svi_select(magnitude == infinity, SVI_F32_NAN, bits);
    bits = svi_select(magnitude == infinity, SVI_F32_INFINITY, bits);
    return sign | svi_select(magnitude > infinity, SVI_F32_NAN | payload, bits);
}

/* To the nearest, even in a tie; what is too large becomes infinity, or NaN where there is none. */
SVI_INLINE uint32_t svi_round(uint32_t bits, struct svi_small t)
{
    const int cut = 23 - t.fraction;
    const uint32_t magnitude = bits & SVI_F32_MAGNITUDE, sign = bits >> 31 << (t.bits - 1);
    const uint32_t infinity = svi_small_infinity(t), last = magnitude >> cut & 1;
    const uint32_t normal =
        ((magnitude + (1u << (cut - 1)) - 1 + last) >> cut) - ((uint32_t)(127 - t.bias) << t.fraction);
    /* The sum has the unit of a subnormal number in its last place. */
    const float shift = svi_float_of_bits((uint32_t)(151 - t.bias - t.fraction) << 23);
    const uint32_t subnormal = svi_bits_of_float(svi_float_of_bits(magnitude) + shift) - svi_bits_of_float(shift);
    const uint32_t quiet = t.bits == 16 ? 0x7e00 | (magnitude >> 13 & 0x1ff) : infinity | 1u << (t.fraction - 1);
    uint32_t code = svi_select(magnitude < (uint32_t)(128 - t.bias) << 23, subnormal, normal);

    code = code > infinity ? infinity : code;
    if (t.special == SVI_IEEE)
        code = svi_select(magnitude > SVI_F32_INFINITY, quiet, code);
    return t.special == SVI_FNUZ ? svi_select(code == 0, 0, code | sign) : code | sign;
}

/* But NaN. */
SVI_INLINE uint32_t svi_round_number_bf16(uint32_t bits)
{
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

SVI_INLINE uint32_t svi_round_bf16(uint32_t bits)
{
    return svi_select((bits & SVI_F32_MAGNITUDE) > SVI_F32_INFINITY, (bits >> 16 & 0x8000) | 0x7fc0,
                      svi_round_number_bf16(bits));
}

/* Powers of two, without sign and without 0. */
SVI_INLINE uint32_t svi_widen_e8m0(uint32_t code)
{
    return svi_select(code == 0xff, SVI_F32_NAN, svi_select(code == 0, 0x400000, code << 23));
}

/* 0 and what is negative become NaN. Halfway between two powers is the larger one. */
SVI_INLINE uint32_t svi_round_e8m0(uint32_t bits)
{
    const uint32_t code = svi_select(bits < 0x800000, bits >= 0x600000, (bits + 0x400000) >> 23);

    return svi_select(bits == 0 || bits >= SVI_F32_INFINITY, 0xff, code);
}

/* The bits of the float32 that a code of a type means. */
SVI_INLINE uint32_t svi_decode_narrow(uint32_t code, enum svi_narrow type)
{
    switch (type) {
#define SVI_SMALL(KIND, NAME, OP, ...) case SVI_NARROW_##OP:
#include "dtype/dtypes.def"
    case SVI_NARROW_F16: return svi_widen(code, svi_small_of(type));
    case SVI_NARROW_BF16: return code << 16;
    case SVI_NARROW_E8M0FNU: return svi_widen_e8m0(code);
    }
    return 0;
}

/* The code of the number of a type that is the nearest to a float32. */
SVI_INLINE uint32_t svi_encode_narrow(uint32_t bits, enum svi_narrow type)
{
    switch (type) {
#define SVI_SMALL(KIND, NAME, OP, ...) case SVI_NARROW_##OP:
#include "dtype/dtypes.def"
    case SVI_NARROW_F16: return svi_round(bits, svi_small_of(type));
    case SVI_NARROW_BF16: return svi_round_bf16(bits);
    case SVI_NARROW_E8M0FNU: return svi_round_e8m0(bits);
    }
    return 0;
}

/* --- to the odd neighbour --------------------------------------------------- */

SVI_INLINE uint32_t svi_odd_of_double(double a)
{
    const uint32_t bits = svi_float_bits_of_double(svi_bits_of_double(a));
    const double there = svi_double_of_bits(svi_bits_of_double(a) & SVI_F64_MAGNITUDE);
    const double here = (double)svi_float_of_bits(bits & SVI_F32_MAGNITUDE);
    const uint32_t towards_0 = bits - (uint32_t)(here > there);

    /* NaN becomes odd as well, which does no harm. */
    return svi_select(here == there, bits, towards_0 | 1);
}

/*
 * Of what 24 bits do not hold, the first bit of those that are lost is cleared: so the rest is less than a half, and
 * rounds towards 0. The least number stays as it is.
 */
SVI_INLINE uint32_t svi_odd_of_signed(int32_t a)
{
    const uint32_t negative = (uint32_t)a >> 31, magnitude = ((uint32_t)a ^ (0 - negative)) + negative;
    const float less = (float)(int32_t)(magnitude & ~(magnitude >> 24));

    return svi_bits_of_float(less) | negative << 31 | ((uint32_t)(int32_t)less != magnitude);
}

/* Half of what has 32 bits, odd if a bit is lost, and then the next exponent. */
SVI_INLINE uint32_t svi_odd_of_unsigned(uint32_t a)
{
    const uint32_t large = a >> 31;

    return svi_odd_of_signed((int32_t)svi_select(large != 0, a >> 1 | (a & 1), a)) + (large << 23);
}

/* With at most 53 bits, odd where some are lost. */
SVI_INLINE uint64_t svi_shortened(uint64_t a)
{
    return (a & ~(uint64_t)0x7ff) | (uint64_t)((a & 0x7ff) != 0) << 11;
}

SVI_INLINE double svi_short_of_unsigned(uint64_t a)
{
    return (double)svi_select_64(a >> 53 == 0, a, svi_shortened(a));
}

SVI_INLINE double svi_short_of_signed(int64_t a)
{
    const uint64_t bits = (uint64_t)a, magnitude = bits ^ (uint64_t)(a >> 63);

    return (double)(int64_t)svi_select_64(magnitude >> 53 == 0, bits, svi_shortened(bits));
}

/* --- to integers: cut off, and modulo the size; 0 from what is not finite ---- */

SVI_INLINE uint32_t svi_cut_32(uint32_t bits)
{
    const uint32_t exponent = bits >> 23 & 0xff, significand = (bits & 0x7fffff) | 0x800000;
    const uint32_t right = svi_select(exponent > 126, significand >> ((150 - exponent) & 31), 0);
    const uint32_t left = svi_select(exponent < 150 + 32, significand << ((exponent - 150) & 31), 0);
    const uint32_t value = svi_select(exponent < 150, right, left), sign = 0 - (bits >> 31);

    return (value ^ sign) - sign;
}

SVI_INLINE uint64_t svi_cut_64(uint64_t bits)
{
    const uint64_t exponent = bits >> 52 & 0x7ff, hidden = (uint64_t)1 << 52;
    const uint64_t significand = (bits & (hidden - 1)) | hidden;
    const uint64_t right = svi_select_64(exponent > 1022, significand >> ((1075 - exponent) & 63), 0);
    const uint64_t left = svi_select_64(exponent < 1075 + 64, significand << ((exponent - 1075) & 63), 0);
    const uint64_t value = svi_select_64(exponent < 1075, right, left), sign = 0 - (bits >> 63);

    return (value ^ sign) - sign;
}

#endif
