/* One number through a chain that scales, step by step: what kernels and loops must give. */
#ifndef SVI_TEST_SCALED_H
#define SVI_TEST_SCALED_H

#include <string.h>

#include "dtype/chain.h"
#include "host/base/kernels.h"
#include "host/convert/convert.h"

/* Ends of integer types, in the order of enum svi_whole. */
static const double test_least[] = {-128, 0, -32768, 0, -0x1p31, 0, -0x1p63, 0};
static const double test_most[] = {127, 255, 32767, 65535, 0x1p31 - 1, 0x1p32 - 1, 0x1p63, 0x1p64};

/* To the nearest, even in a tie. */
static inline double test_nearest(double a)
{
    volatile double sum = a < 0 ? a - 0x1p52 : a + 0x1p52;

    return a > -0x1p52 && a < 0x1p52 ? (a < 0 ? sum + 0x1p52 : sum - 0x1p52) : a;
}

static inline uint64_t test_whole(double a, int32_t type)
{
    if (a != a)
        return 0;
    a = test_nearest(a);
    if (a >= test_most[type])
        return type == SVI_WHOLE_U64   ? UINT64_MAX
               : type == SVI_WHOLE_I64 ? (uint64_t)INT64_MAX
                                       : (uint64_t)(int64_t)test_most[type];
    if (a <= test_least[type])
        return (uint64_t)(int64_t)test_least[type];
    return a < 0 ? (uint64_t)(int64_t)a : (uint64_t)a;
}

/* item: bytes of the integer. */
static inline void test_put_whole(double number, int32_t type, size_t item, void *dst)
{
    const uint64_t bits = test_whole(number, type);

    memcpy(dst, (const char *)&bits + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 8 - item), item);
}

static inline void test_scale_f32(void *number, double scale, double bias)
{
    volatile float product;
    float a;

    memcpy(&a, number, sizeof a);
    product = a * (float)scale;
    a = product + (float)bias;
    memcpy(number, &a, sizeof a);
}

static inline void test_scale_f64(void *number, double scale, double bias)
{
    volatile double product;
    double a;

    memcpy(&a, number, sizeof a);
    product = a * scale;
    a = product + bias;
    memcpy(number, &a, sizeof a);
}

static inline double test_read_number(const void *bytes, bool wide)
{
    double number;
    float narrow;

    memcpy(&number, bytes, wide ? sizeof number : 0);
    memcpy(&narrow, bytes, wide ? 0 : sizeof narrow);
    return wide ? number : narrow;
}

static inline void test_scale_chain(const struct svi_isa *isa, const struct svi_chain *chain, double scale, double bias,
                                    void *dst, const void *src)
{
    char number[SVI_STEP_ITEM] = {0}, next[SVI_STEP_ITEM] = {0};

    memcpy(number, src, svi_chain_src_bytes(chain));
    for (int32_t k = 0; k < chain->count; k++) {
        const struct svi_chain step = {1, {chain->steps[k]}};
        const int op = chain->steps[k].op;
        const bool wide = op >= SVI_NEAREST_FROM_F64;

        if (op == SVI_SCALE_F32)
            test_scale_f32(number, scale, bias);
        else if (op == SVI_SCALE_F64)
            test_scale_f64(number, scale, bias);
        else if (op >= SVI_NEAREST_FROM_F32)
            test_put_whole(test_read_number(number, wide), op - (wide ? SVI_NEAREST_FROM_F64 : SVI_NEAREST_FROM_F32),
                           chain->steps[k].dst, next);
        else
            svi_host_convert(isa, &step, next, number, 1);
        if (op != SVI_SCALE_F32 && op != SVI_SCALE_F64)
            memcpy(number, next, sizeof number);
    }
    memcpy(dst, number, svi_chain_dst_bytes(chain));
}

#endif
