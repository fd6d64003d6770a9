/* Integer arithmetic: functions that return true on overflow, and functions that cannot overflow. */
#ifndef SVI_CHECKED_H
#define SVI_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
static inline bool svi_add(int64_t a, int64_t b, int64_t *sum) { return __builtin_add_overflow(a, b, sum); }
static inline bool svi_sub(int64_t a, int64_t b, int64_t *rest) { return __builtin_sub_overflow(a, b, rest); }
static inline bool svi_mul(int64_t a, int64_t b, int64_t *product) { return __builtin_mul_overflow(a, b, product); }

static inline int64_t svi_smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t svi_larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* a / b, rounded up: a >= 0, b > 0. */
static inline int64_t svi_divide_up(int64_t a, int64_t b) { return a / b + (a % b > 0); }

/* The least multiple of unit that is not less than a: a >= 0, unit > 0. */
static inline int64_t svi_round_up(int64_t a, int64_t unit) { return svi_divide_up(a, unit) * unit; }

/* |a| as unsigned, so that INT64_MIN has one too. */
static inline uint64_t svi_abs(int64_t a) { return a < 0 ? -(uint64_t)a : (uint64_t)a; }
/* clang-format on */

static inline uint64_t svi_gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* at + count * stride, for count >= 0. True: the sum overflows. The product alone may exceed int64. */
static inline bool svi_advance(int64_t at, int64_t count, int64_t stride, int64_t *sum)
{
    uint64_t way;

    if (__builtin_mul_overflow((uint64_t)count, svi_abs(stride), &way))
        return true;
    return stride < 0 ? __builtin_sub_overflow(at, way, sum) : __builtin_add_overflow(at, way, sum);
}

#endif
