/*
 * What a number becomes in another type, after doc/casts.md: the value is taken out of its bits, and the nearest number of
 * the other type is found by arithmetic on values. It shares nothing with the library's conversions.
 */
#ifndef SVI_TEST_EXACT_H
#define SVI_TEST_EXACT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dtype/types.h"
#include "sv.h"

struct exact_type {
    sv_dtype dtype;
    char kind;    /* b: bool, i: signed, u: unsigned, f: floating, 8: powers of two */
    int bytes;    /* of a part */
    int parts;    /* 2: complex */
    int fraction; /* bits, of f */
    int bias;
    enum svi_special special;
};

enum { EXACT_BOOLEAN = 'b', EXACT_SIGNED = 'i', EXACT_UNSIGNED = 'u', EXACT_FLOATING = 'f' };

/* Their columns are those of the library, which tests/unit/dtype/dtypes.c holds against the names of the types. */
static const struct exact_type exact_types[] = {
#define SVI_DTYPE(KIND, NAME, OP, CODE, BITS, TEXT, TYPESTR, FORMAT, FRACTION, BIAS, SPECIAL) \
    {SV_##NAME, SPECIAL == SVI_FNU ? '8' : (char)EXACT_##KIND, BITS / 8, 1, FRACTION, BIAS, SPECIAL},
#define SVI_PARTS(KIND, NAME, OP, CODE, BITS, TEXT, TYPESTR, FORMAT, FRACTION, BIAS, SPECIAL) \
    {SV_##NAME, 'f', BITS / 16, 2, FRACTION, BIAS, SPECIAL},
#define SVI_BYTES(...)
#include "dtype/dtypes.def"
};

enum { EXACT_TYPES = sizeof exact_types / sizeof *exact_types };

/* x holds every number of every type; whole: of integers, their low 64 bits. */
struct exact_number {
    long double x;
    uint64_t whole;
    bool is_whole, negative;
};

/* Every number is within the range of double. Valgrind takes no long double for infinite: LDBL_MAX is, to it. */
static inline bool exact_is_infinite(long double x)
{
    return isinf((double)x);
}

/* Valgrind computes long double with 53 bits. */
static inline bool exact_holds_integers(void)
{
    const volatile uint64_t most = UINT64_MAX;
    const volatile long double x = (long double)most;

    return x != 18446744073709551616.0L;
}

static inline uint64_t exact_bits(const struct exact_type *t, const unsigned char *from, bool swapped)
{
    uint64_t bits = 0;

    for (int k = 0; k < t->bytes; k++) /* little-endian order, whatever the machine's */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        bits |= (uint64_t)from[swapped ? t->bytes - 1 - k : k] << 8 * k;
#else
        bits |= (uint64_t)from[swapped ? k : t->bytes - 1 - k] << 8 * k;
#endif
    return bits;
}

static inline uint64_t exact_ones(int count)
{
    return count == 0 ? 0 : UINT64_MAX >> (64 - count);
}

/* The largest code of a finite number, without its sign. */
static inline uint64_t exact_largest(const struct exact_type *t)
{
    const uint64_t ones = exact_ones(8 * t->bytes - 1);

    return t->special == SVI_FNUZ ? ones : t->special == SVI_FN ? ones - 1 : ones - exact_ones(t->fraction) - 1;
}

static inline struct exact_number exact_float(const struct exact_type *t, uint64_t bits)
{
    const uint64_t ones = exact_ones(8 * t->bytes - 1), code = bits & ones, largest = exact_largest(t);
    const uint64_t fraction = code & exact_ones(t->fraction), exponent = code >> t->fraction;
    struct exact_number n = {.negative = bits > ones};

    if (t->special == SVI_FNUZ && bits == ones + 1)
        n.x = NAN;
    else if (code > largest)
        n.x = t->special == SVI_IEEE && code == largest + 1 ? INFINITY : NAN;
    else if (exponent == 0)
        n.x = ldexpl((long double)fraction, 1 - t->bias - t->fraction);
    else
        n.x = ldexpl((long double)(fraction | (uint64_t)1 << t->fraction), (int)exponent - t->bias - t->fraction);
    if (n.negative)
        n.x = -n.x;
    return n;
}

static inline struct exact_number exact_decode(const struct exact_type *t, uint64_t bits)
{
    struct exact_number n = {.is_whole = true, .whole = bits};

    switch (t->kind) {
    case 'b':
        n.whole = bits != 0;
        break;
    case 'i':
        if (bits >> (8 * t->bytes - 1) != 0)
            n.whole |= ~exact_ones(8 * t->bytes);
        n.x = (long double)(int64_t)n.whole;
        return n;
    case 'u':
        break;
    case '8':
        return (struct exact_number){.x = bits == 0xff ? (long double)NAN : ldexpl(1, (int)bits - t->bias)};
    default:
        return exact_float(t, bits);
    }
    n.x = (long double)n.whole;
    return n;
}

/* The nearest whole number, the even one of two; x < 2^64. */
static inline uint64_t exact_even(long double x)
{
    const uint64_t floor = (uint64_t)x;
    const long double rest = x - (long double)floor;

    return floor + (rest > .5L || (rest == .5L && floor % 2 == 1));
}

/* To the nearest, to an even code of two. A NaN is UINT64_MAX: which one is told by exact_is(). */
static inline uint64_t exact_nearest(const struct exact_type *t, const struct exact_number *n)
{
    const uint64_t sign = (uint64_t)(n->negative || n->x < 0) << (8 * t->bytes - 1), largest = exact_largest(t);
    const long double size = fabsl(n->x);
    uint64_t code = largest + 1;
    int exponent;

    if (isnan(n->x))
        return UINT64_MAX;
    if (!exact_is_infinite(n->x)) {
        frexpl(size, &exponent);
        exponent = exponent - 1 < 1 - t->bias || size == 0 ? 1 - t->bias : exponent - 1;
        if (exponent > t->bias + 1)
            exponent = t->bias + 2;
        code = exact_even(ldexpl(size, t->fraction - exponent));
        if (exponent == t->bias + 2 || (exponent > 1 - t->bias && code < (uint64_t)1 << t->fraction))
            code = largest + 1;
        else if (code >= (uint64_t)1 << t->fraction)
            code += (uint64_t)(exponent + t->bias - 1) << t->fraction;
    }
    if (code > largest)
        return t->special == SVI_IEEE ? (largest + 1) | sign : UINT64_MAX;
    return t->special == SVI_FNUZ && code == 0 ? 0 : code | sign;
}

/* The nearer power of two, the larger of two. */
static inline uint64_t exact_power(const struct exact_number *n)
{
    int exponent;
    long double fraction;

    if (!(n->x > 0) || exact_is_infinite(n->x))
        return UINT64_MAX;
    fraction = frexpl(n->x, &exponent);
    exponent -= fraction < .75L;
    return exponent < -127 ? 0 : exponent > 127 ? UINT64_MAX : (uint64_t)(exponent + 127);
}

/* The fraction is cut off; then the low bits; 0 of what is not finite. */
static inline uint64_t exact_whole(const struct exact_number *n)
{
    const long double size = fabsl(n->x);
    uint64_t low = 0;
    int exponent;

    if (n->is_whole)
        return n->whole;
    if (isnan(n->x) || exact_is_infinite(n->x))
        return 0;
    if (size < 18446744073709551616.0L)
        low = (uint64_t)size;
    else if (frexpl(size, &exponent), exponent < 128) /* of a floating number, so 64 bits hold its fraction */
        low = (uint64_t)ldexpl(size, 64 - exponent) << (exponent - 64);
    return n->x < 0 ? 0 - low : low;
}

/* Whether bits are what a number becomes in a type but bool; of a NaN with its sign, where the type has one. */
static inline bool exact_is(const struct exact_type *t, uint64_t bits, const struct exact_number *n)
{
    uint64_t right;
    struct exact_number got;

    switch (t->kind) {
    case 'i':
    case 'u':
        return bits == (exact_whole(n) & exact_ones(8 * t->bytes));
    case '8':
        right = exact_power(n);
        return bits == (right == UINT64_MAX ? 0xff : right);
    default:
        right = exact_nearest(t, n);
        if (right != UINT64_MAX)
            return bits == right;
        got = exact_float(t, bits);
        return isnan(got.x) && (t->special == SVI_FNUZ || got.negative == (n->negative || n->x < 0));
    }
}

/* Whether an element at to is what the one at from becomes. */
static inline bool exact_element(const struct exact_type *dst, const unsigned char *to, const struct exact_type *src,
                                 const unsigned char *from, bool swapped)
{
    struct exact_number part[2] = {{0}, {.is_whole = true}};

    for (int k = 0; k < src->parts; k++)
        part[k] = exact_decode(src, exact_bits(src, from + k * src->bytes, swapped));
    if (dst->kind == 'b')
        return to[0] == (part[0].x != 0 || (src->parts == 2 && part[1].x != 0));
    for (int k = 0; k < dst->parts; k++)
        if (!exact_is(dst, exact_bits(dst, to + k * dst->bytes, false), &part[k]))
            return false;
    return true;
}

#endif
