/*
 * Plans that are made of a plan. Two kinds: those that are brought to canonical form again, and parts, which keep axes
 * and class of their whole, so that making one takes a few stores. The extents of a part may be 1, and its axes may be
 * one run. Functions that take a plan to change are for the one who made it. Pure.
 */
#ifndef SVI_PART_H
#define SVI_PART_H

#include <stdbool.h>

#include "plan/plan.h"

/* --- in canonical form ---------------------------------------------------------- */

/* The plan of the box [first[k], first[k] + count[k]) of a plan's axes, not empty. Its addresses are those of the
 * whole. */
void svi_plan_box(const struct svi_plan *plan, const int64_t *first, const int64_t *count, struct svi_plan *out);

/*
 * As svi_plan_make_cast(), with a chain that tells the sizes of items alone, of a conversion that scales: scaled->axis is
 * one of the shape. It is no part of another axis, so that the plan is canonical but for that.
 */
void svi_plan_make_scaled(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src,
                          const struct svi_chain *sizes, int32_t lanes, const struct svi_scaled *scaled,
                          struct svi_plan *out);

/* With other layouts of the same axes and items, for addresses of the first item: what converts or scales does so. */
void svi_plan_make_like(const struct svi_plan *plan, const int64_t *shape, const int64_t *dst, const int64_t *src,
                        struct svi_plan *out);

/* Of other addresses: so many bytes are added to each of them. */
void svi_plan_move(struct svi_plan *plan, int64_t dst, int64_t src);

/* Makes it a part of a copy that reaches so far; 0: all of it stays in cache. */
void svi_plan_set_reach(struct svi_plan *plan, uint64_t reach);

/* Of a plan that scales: by another copy of the same operations and numbers. */
void svi_plan_set_affine(struct svi_plan *plan, const struct svi_affine *affine);

/* --- parts ---------------------------------------------------------------------- */

/* Another extent of an axis, 1 or more, from the same first index on. */
void svi_part_set_extent(struct svi_plan *part, int32_t axis, int64_t extent);

/* The box [first[k], first[k] + count[k]), not empty. Its addresses are those of the whole. */
void svi_part_of_box(const struct svi_plan *plan, const int64_t *first, const int64_t *count, struct svi_plan *out);

/* The axes from this one on, for addresses of the first item. */
void svi_part_of_axes(const struct svi_plan *plan, int32_t first, struct svi_plan *out);

/*
 * The first ndim axes; those behind them are one item of so many bytes on both sides, however many, for addresses of
 * the first item. src_axis is the fastest axis of the source of those that matter to the caller.
 */
void svi_part_of_rows(const struct svi_plan *plan, int32_t ndim, int64_t item, int32_t src_axis, struct svi_plan *out);

/* With one more axis, the first, of one index. There is room for it. */
void svi_part_with_axis(const struct svi_plan *plan, int64_t dst, int64_t src, struct svi_plan *out);

/*
 * What is left of a conversion without it, for addresses of the first item: items of the source on both sides. Its last
 * axis is a run of the destination alone, as that of the plan. False: strides of the destination are no whole items, or
 * would not fit int64.
 */
bool svi_part_without_cast(const struct svi_plan *plan, struct svi_plan *out);

#endif
