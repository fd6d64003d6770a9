/*
 * Plain loops over elements, for all loops of the host: lines of elements whose size is a constant, short copies by
 * their ends, an element repeated over 16 bytes, and the column of a buffer.
 */
#ifndef SVI_HOST_ELEMENTS_H
#define SVI_HOST_ELEMENTS_H

#include <stdint.h>
#include <string.h>

#include "host/base/isa.h"
#include "base/inline.h"
#include "plan/plan.h"

/* Two axes of items. [0] is the outer loop. */
struct svi_plane {
    int64_t count[2];
    int64_t dst[2];
    int64_t src[2];
};

SVI_INLINE struct svi_plane svi_plane_of(const struct svi_plan *plan, int32_t outer, int32_t inner)
{
    struct svi_plane plane = {{1, plan->shape[inner]}, {0, plan->dst[inner]}, {0, plan->src[inner]}};

    if (outer >= 0) {
        plane.count[0] = plan->shape[outer];
        plane.dst[0] = plan->dst[outer];
        plane.src[0] = plan->src[outer];
    }
    return plane;
}

/* Copies a line of items of 1 to SVI_PLAN_ITEM bytes. A constant item becomes one or two loads and stores. */
SVI_INLINE void svi_line(int64_t count, char *restrict dst, int64_t dst_step, const char *restrict src,
                         int64_t src_step, size_t item)
{
    for (; count >= 4; count -= 4) {
        memcpy(dst, src, item);
        memcpy(dst + dst_step, src + src_step, item);
        memcpy(dst + 2 * dst_step, src + 2 * src_step, item);
        memcpy(dst + 3 * dst_step, src + 3 * src_step, item);
        dst += 4 * dst_step;
        src += 4 * src_step;
    }
    for (; count > 0; count--) {
        memcpy(dst, src, item);
        dst += dst_step;
        src += src_step;
    }
}

/* svi_line() for an item of 1, 2, 4, 8 or 16 bytes that is no constant. */
static inline void svi_line_of(int64_t count, char *restrict dst, int64_t dst_step, const char *restrict src,
                               int64_t src_step, int64_t item)
{
    switch (item) {
    case 1: svi_line(count, dst, dst_step, src, src_step, 1); break;
    case 2: svi_line(count, dst, dst_step, src, src_step, 2); break;
    case 4: svi_line(count, dst, dst_step, src, src_step, 4); break;
    case 8: svi_line(count, dst, dst_step, src, src_step, 8); break;
    default: svi_line(count, dst, dst_step, src, src_step, 16); break;
    }
}

/* The number of elements, step bytes apart, before the first of count that begins a line; -1: none does. */
static inline int64_t svi_line_head(const char *dst, int64_t step, int64_t count)
{
    for (int64_t k = 0; k < SVI_LINE && k < count; k++)
        if ((uintptr_t)(dst + k * step) % SVI_LINE == 0)
            return k;
    return -1;
}

/* Copies nbytes as their first and their last size bytes, which meet or overlap. size is a constant of up to 32. */
SVI_INLINE void svi_copy_ends(char *dst, const char *src, size_t nbytes, size_t size)
{
    char head[32], tail[32];

    memcpy(head, src, size);
    memcpy(tail, src + nbytes - size, size);
    memcpy(dst, head, size);
    memcpy(dst + nbytes - size, tail, size);
}

/* Copies up to 64 bytes. */
SVI_INLINE void svi_copy_short(char *dst, const char *src, size_t nbytes)
{
    if (nbytes >= 32)
        svi_copy_ends(dst, src, nbytes, 32);
    else if (nbytes >= 16)
        svi_copy_ends(dst, src, nbytes, 16);
    else if (nbytes >= 8)
        svi_copy_ends(dst, src, nbytes, 8);
    else if (nbytes >= 4)
        svi_copy_ends(dst, src, nbytes, 4);
    else if (nbytes >= 2)
        svi_copy_ends(dst, src, nbytes, 2);
    else if (nbytes == 1)
        *dst = *src;
}

/*
 * Copies items of no power of 2 of bytes, contiguous in the destination. For each item the next larger power of 2 of
 * bytes is read, which the source must have, and written. The next item overwrites the bytes behind it.
 */
SVI_INLINE void svi_wide_line(int64_t count, char *restrict dst, const char *restrict src, int64_t src_step,
                              size_t item)
{
    const size_t wide = item <= 4 ? 4 : item <= 8 ? 8 : 16;

    for (; count > 4; count -= 4) {
        memcpy(dst, src, wide);
        memcpy(dst + item, src + src_step, wide);
        memcpy(dst + 2 * item, src + 2 * src_step, wide);
        memcpy(dst + 3 * item, src + 3 * src_step, wide);
        dst += 4 * item;
        src += 4 * src_step;
    }
    for (; count > 1; count--) {
        memcpy(dst, src, wide);
        dst += item;
        src += src_step;
    }
    memcpy(dst, src, item);
}

/* Copies a plane. */
SVI_INLINE void svi_items(const struct svi_plane *plane, char *restrict dst, const char *restrict src, size_t item)
{
    for (int64_t i = 0; i < plane->count[0]; i++)
        svi_line(plane->count[1], dst + i * plane->dst[0], plane->dst[1], src + i * plane->src[0], plane->src[1], item);
}

typedef void svi_item_loop(const struct svi_plan *plan, char *dst, const char *src, size_t item);

/* Calls body, which must inline, with the size of the plan's items as a constant. */
SVI_INLINE void svi_by_item(const struct svi_plan *plan, char *dst, const char *src, svi_item_loop *body)
{
    switch (plan->item) {
    case 1: body(plan, dst, src, 1); break;
    case 2: body(plan, dst, src, 2); break;
    case 3: body(plan, dst, src, 3); break;
    case 4: body(plan, dst, src, 4); break;
    case 5: body(plan, dst, src, 5); break;
    case 6: body(plan, dst, src, 6); break;
    case 7: body(plan, dst, src, 7); break;
    case 8: body(plan, dst, src, 8); break;
    case 9: body(plan, dst, src, 9); break;
    case 10: body(plan, dst, src, 10); break;
    case 11: body(plan, dst, src, 11); break;
    case 12: body(plan, dst, src, 12); break;
    case 13: body(plan, dst, src, 13); break;
    case 14: body(plan, dst, src, 14); break;
    case 15: body(plan, dst, src, 15); break;
    case 16: body(plan, dst, src, 16); break;
    }
}

/* --- an element repeated over 16 bytes --------------------------------------------- */

enum { SVI_WORDS = 16 }; /* bytes */

/* 16 bytes in registers. Little-endian, like all processors with vectors. */
struct svi_words {
    uint64_t low, high;
};

/* Repeats an item whose size divides 16 bytes. */
static inline struct svi_words svi_words_of(const char *src, size_t item)
{
    struct svi_words w = {0, 0};

    switch (item) {
    case 1: w.low = *(const uint8_t *)src * UINT64_C(0x0101010101010101); break;
    case 2: memcpy(&w.low, src, 2), w.low *= UINT64_C(0x0001000100010001); break;
    case 4: memcpy(&w.low, src, 4), w.low |= w.low << 32; break;
    default: memcpy(&w.low, src, 8); break;
    }
    if (item == 16)
        memcpy(&w.high, src + 8, 8);
    else
        w.high = w.low;
    return w;
}

/* --- a column of a buffer ---------------------------------------------------------- */

/* Copies a column, each element as `moved` bytes. The next element overwrites the bytes behind it. */
SVI_INLINE void svi_take(char *run, const char *buffer, int64_t pitch, int64_t rows, size_t item, size_t moved)
{
#pragma GCC unroll 8
    for (int64_t k = 0; k < rows; k++)
        memcpy(run + k * (int64_t)item, buffer + k * pitch, moved);
}

/* Copies a column of elements of any size to a run. Elements are copied as whole vectors. */
static inline void svi_take_column(char *run, const char *buffer, int64_t pitch, int64_t rows, size_t item)
{
    if (item <= 4)
        svi_take(run, buffer, pitch, rows, item, 4);
    else if (item <= 8)
        svi_take(run, buffer, pitch, rows, item, 8);
    else if (item <= 16)
        svi_take(run, buffer, pitch, rows, item, 16);
    else if (item <= 32)
        svi_take(run, buffer, pitch, rows, item, 32);
    else
        for (int64_t k = 0; k < rows; k++)
            for (size_t at = 0; at < item; at += SVI_LINE)
                memcpy(run + k * (int64_t)item + at, buffer + k * pitch + at, SVI_LINE);
}

#endif
