/* Random pairs of layouts of one shape, for the tests of what copies. */
#ifndef SVI_TEST_PAIRS_H
#define SVI_TEST_PAIRS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAIR_NDIM = 6 };

/* Strides are in bytes; the elements of dst share no byte. */
struct test_pair {
    int32_t ndim;
    int64_t itemsize;
    int64_t shape[PAIR_NDIM];
    int64_t dst[PAIR_NDIM];
    int64_t src[PAIR_NDIM];
};

static uint64_t test_random_state = 88172645463325252u;

static inline uint64_t test_random(void)
{
    test_random_state ^= test_random_state << 13;
    test_random_state ^= test_random_state >> 7;
    test_random_state ^= test_random_state << 17;
    return test_random_state >> 11;
}

/* Whether programs run under valgrind or another processor's emulator: SV_EMULATOR has its command. */
static inline bool test_is_emulated(void)
{
    const char *emulator = getenv("SV_EMULATOR");

    return emulator != NULL && *emulator != '\0' && strcmp(emulator, "env") != 0;
}

/* How often a random test goes round: in make check (less under an emulator), in make check-full, in make check-long. */
static inline int test_rounds(int check, int full, int longest)
{
    const char *scale = getenv("SV_TEST_SCALE");

    if (test_is_emulated())
        return (check + 3) / 4;
    if (scale != NULL && strcmp(scale, "long") == 0)
        return longest;
    return scale != NULL && strcmp(scale, "full") == 0 ? full : check;
}

/*
 * Whether a random test goes round once more: for so many seconds of the processor, ten times as long in make
 * check-full, a thousand times in make check-long, a quarter of it under an emulator; but 100 times at least.
 */
static inline bool test_goes_on(int64_t round, double seconds)
{
    const double wanted = seconds * test_rounds(4, 40, 4000) / 4;
    static clock_t began;

    if (round == 0)
        began = clock();
    return round < 100 || round % 16 != 0 || (double)(clock() - began) < wanted * CLOCKS_PER_SEC;
}

/* For tests whose rounds are short. */
static inline int test_cases(void)
{
    return test_rounds(20000, 100000, 1000000);
}

/* low to high, both included */
static inline int64_t test_between(int64_t low, int64_t high)
{
    return low + (int64_t)(test_random() % (uint64_t)(high - low + 1));
}

static inline void test_shuffle(int32_t count, int32_t *axes)
{
    for (int32_t k = 0; k < count; k++)
        axes[k] = k;
    for (int32_t k = count - 1; k > 0; k--) {
        int32_t other = (int32_t)test_between(0, k), kept = axes[k];

        axes[k] = axes[other];
        axes[other] = kept;
    }
}

/* Strides without overlap, in a random order of axes, some with gaps, some negative. */
static inline void test_spread(int32_t ndim, const int64_t *shape, int64_t itemsize, int64_t *strides)
{
    int32_t axes[PAIR_NDIM];
    int64_t next = itemsize;
    int gaps = test_between(0, 2) == 0, flips = test_between(0, 2) == 0, mixed = test_between(0, 1);

    test_shuffle(ndim, axes);
    for (int32_t i = 0; i < ndim; i++) {
        int32_t k = mixed ? axes[i] : ndim - 1 - i;

        if (gaps)
            next += test_between(0, 3);
        strides[k] = flips && test_between(0, 1) ? -next : next;
        next *= shape[k] > 0 ? shape[k] : 1;
    }
}

/* limit: elements at most. */
static inline void test_pair_random(struct test_pair *p, int64_t limit)
{
    int64_t size = 1;

    p->ndim = (int32_t)test_between(0, PAIR_NDIM);
    p->itemsize = test_between(0, 9) == 0 ? test_between(25, 70) : test_between(1, 24);
    for (int32_t k = 0; k < p->ndim; k++) {
        int64_t most = test_between(0, 7) == 0 ? 200 : 5;

        p->shape[k] = test_between(0, 60) == 0 ? 0 : test_between(1, most < limit / size ? most : limit / size);
        size *= p->shape[k] > 0 ? p->shape[k] : 1;
    }
    test_spread(p->ndim, p->shape, p->itemsize, p->dst);
    switch (test_between(0, 3)) {
    case 0: /* the same */
        memcpy(p->src, p->dst, sizeof p->src);
        break;
    case 1: /* anything, overlapping or not */
        for (int32_t k = 0; k < p->ndim; k++)
            p->src[k] = test_between(-40, 40);
        break;
    default:
        test_spread(p->ndim, p->shape, p->itemsize, p->src);
        break;
    }
    for (int32_t k = 0; k < p->ndim; k++)
        if (test_between(0, 9) == 0)
            p->src[k] = 0;
}

/* Bytes reached below and above the first element, which begins at 0; both 0 when empty. */
static inline void test_hull(int32_t ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize,
                             int64_t *lower, int64_t *upper)
{
    *lower = 0;
    *upper = itemsize;
    for (int32_t k = 0; k < ndim; k++) {
        if (shape[k] == 0) {
            *lower = *upper = 0;
            return;
        }
        *(strides[k] < 0 ? lower : upper) += (shape[k] - 1) * strides[k];
    }
}

/* The next index in C order; 0 after the last. */
static inline int test_next(int32_t ndim, const int64_t *shape, int64_t *index)
{
    for (int32_t k = ndim - 1; k >= 0; k--) {
        if (++index[k] < shape[k])
            return 1;
        index[k] = 0;
    }
    return 0;
}

static inline int64_t test_offset(int32_t ndim, const int64_t *index, const int64_t *strides)
{
    int64_t offset = 0;

    for (int32_t k = 0; k < ndim; k++)
        offset += index[k] * strides[k];
    return offset;
}

static inline uint64_t test_mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
    return x ^ x >> 33;
}

/* By SV_TEST_SEED, 0 where there is none, which is told. */
static inline void test_random_begin(void)
{
    const char *text = getenv("SV_TEST_SEED");
    const unsigned long long seed = text != NULL ? strtoull(text, NULL, 10) : 0;

    test_random_state ^= test_mix(seed) | 1;
    printf("# random tests began with SV_TEST_SEED=%llu\n", seed);
}

/*
 * A number for the set of (dst byte, src byte) that a walk copies, in whatever
 * order. At most as many axes as a plan has, and not empty.
 */
static inline uint64_t test_walk_hash(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src,
                                      int64_t item, int64_t dst_offset, int64_t src_offset)
{
    int64_t index[64] = {0};
    uint64_t sum = 0;

    do {
        int64_t d = dst_offset + test_offset(ndim, index, dst), s = src_offset + test_offset(ndim, index, src);

        for (int64_t b = 0; b < item; b++)
            sum += test_mix(test_mix((uint64_t)(d + b)) + (uint64_t)(s + b));
    } while (test_next(ndim, shape, index));
    return sum;
}

static inline int test_pair_is_empty(const struct test_pair *p)
{
    for (int32_t k = 0; k < p->ndim; k++)
        if (p->shape[k] == 0)
            return 1;
    return 0;
}

static inline void test_copy_one_by_one(const struct test_pair *p, unsigned char *dst, const unsigned char *src)
{
    int64_t index[PAIR_NDIM] = {0};

    if (test_pair_is_empty(p))
        return;
    do {
        int64_t to = test_offset(p->ndim, index, p->dst), from = test_offset(p->ndim, index, p->src);

        memcpy(dst + to, src + from, (size_t)p->itemsize);
    } while (test_next(p->ndim, p->shape, index));
}

#endif
