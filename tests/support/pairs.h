/* Random pairs of layouts of one shape, for the tests of what copies. */
#ifndef SVI_TEST_PAIRS_H
#define SVI_TEST_PAIRS_H

#include "support/rounds.h"
#include "sv.h"

enum { PAIR_NDIM = 6 };

/* Strides are in bytes; the elements of dst share no byte. */
struct test_pair {
    int32_t ndim;
    int64_t itemsize;
    int64_t shape[PAIR_NDIM];
    int64_t dst[PAIR_NDIM];
    int64_t src[PAIR_NDIM];
};

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

/* --- pairs as text ------------------------------------------------------------ */

/*
 * "(shape):(byte strides)b*itemsize+offset" with the lowest byte at 0, as sv_layout_parse() reads it; but without an
 * allocation, of which tests count some and let others fail.
 */
static inline void test_text(int32_t ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize, char *out,
                             size_t size)
{
    int64_t lower, upper;
    size_t at = 0;

    test_hull(ndim, shape, strides, itemsize, &lower, &upper);
    for (int part = 0; part < 2; part++) {
        at += (size_t)snprintf(out + at, size - at, part == 0 ? "(" : "):(");
        for (int32_t k = 0; k < ndim && at < size; k++)
            at += (size_t)snprintf(out + at, size - at, "%s%" PRId64, k > 0 ? ", " : "",
                                   part == 0 ? shape[k] : strides[k]);
        if (at >= size)
            return;
    }
    snprintf(out + at, size - at, ")b*%" PRId64 "%+" PRId64, itemsize, -lower);
}

/* A copy, as the command that explains it. Types are of copies that convert; else 0. */
static inline void test_tell_copy(int32_t ndim, const int64_t *shape, const int64_t *dst, int64_t dst_item, sv_dtype to,
                                  const int64_t *src, int64_t src_item, sv_dtype from)
{
    char texts[2][3072], names[2][32] = {"", ""};

    test_text(ndim, shape, dst, dst_item, texts[0], sizeof texts[0]);
    test_text(ndim, shape, src, src_item, texts[1], sizeof texts[1]);
    if (to == 0 || sv_dtype_name(to, sizeof names[0], names[0], NULL) != SV_OK ||
        sv_dtype_name(from, sizeof names[1], names[1], NULL) != SV_OK)
        test_tell("python -m strideview explain '%s' '%s'", texts[0], texts[1]);
    else
        test_tell("python -m strideview explain '%s' '%s' --dtype %s --src-dtype %s", texts[0], texts[1], names[0],
                  names[1]);
}

static inline void test_tell_pair(const struct test_pair *p)
{
    test_tell_copy(p->ndim, p->shape, p->dst, p->itemsize, 0, p->src, p->itemsize, 0);
}

/* --- pairs ------------------------------------------------------------------- */

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
    test_tell_pair(p);
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

/* Of a size that is known where it is called, memcpy() is an instruction or two. */
static inline void test_copy_item(unsigned char *dst, const unsigned char *src, int64_t itemsize)
{
    switch (itemsize) {
    case 1: memcpy(dst, src, 1); break;
    case 2: memcpy(dst, src, 2); break;
    case 4: memcpy(dst, src, 4); break;
    case 8: memcpy(dst, src, 8); break;
    case 16: memcpy(dst, src, 16); break;
    default: memcpy(dst, src, (size_t)itemsize); break;
    }
}

/* In C order: one by one along the last axis, and so for each index of the others. */
static inline void test_copy_one_by_one(const struct test_pair *p, unsigned char *dst, const unsigned char *src)
{
    const int32_t last = p->ndim > 0 ? p->ndim - 1 : 0;
    const int64_t count = p->ndim > 0 ? p->shape[last] : 1;
    const int64_t dst_step = p->ndim > 0 ? p->dst[last] : 0, src_step = p->ndim > 0 ? p->src[last] : 0;
    int64_t index[PAIR_NDIM] = {0};

    if (test_pair_is_empty(p))
        return;
    do {
        const int64_t to = test_offset(last, index, p->dst), from = test_offset(last, index, p->src);

        for (int64_t k = 0; k < count; k++)
            test_copy_item(dst + to + k * dst_step, src + from + k * src_step, p->itemsize);
    } while (test_next(last, p->shape, index));
}

#endif
