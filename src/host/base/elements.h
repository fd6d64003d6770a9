/* Moving items whose size the compiler knows. */
#ifndef SVI_HOST_ELEMENTS_H
#define SVI_HOST_ELEMENTS_H

#include <stdint.h>
#include <string.h>

#include "inline.h"
#include "plan.h"

/* Two axes of items: first is the outer loop. */
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

/* item is 1 to SVI_PLAN_ITEM; as a constant it becomes one or two loads and stores. */
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

/* nbytes by their first and last size bytes, which meet or overlap; size is a constant of up to 32. */
SVI_INLINE void svi_copy_ends(char *dst, const char *src, size_t nbytes, size_t size)
{
    char head[32], tail[32];

    memcpy(head, src, size);
    memcpy(tail, src + nbytes - size, size);
    memcpy(dst, head, size);
    memcpy(dst + nbytes - size, tail, size);
}

/*
 * Items of no power of 2 that follow each other in the destination. As much of the source as makes a power is theirs to
 * read: it is written with each, and overwritten by the next.
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

SVI_INLINE void svi_items(const struct svi_plane *plane, char *restrict dst, const char *restrict src, size_t item)
{
    for (int64_t i = 0; i < plane->count[0]; i++)
        svi_line(plane->count[1], dst + i * plane->dst[0], plane->dst[1], src + i * plane->src[0], plane->src[1], item);
}

typedef void svi_body(const struct svi_plan *plan, char *dst, const char *src, size_t item);

/* Calls body, which must inline, with the size of the plan's items as a constant. */
SVI_INLINE void svi_by_item(const struct svi_plan *plan, char *dst, const char *src, svi_body *body)
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

#endif
