/* Merging axes, in place. Two neighbouring axes are merged if the span of the inner one is the stride of the outer. */
#ifndef SVI_LAYOUT_MERGE_H
#define SVI_LAYOUT_MERGE_H

#include "layout/geometry.h"

sv_status svi_geometry_flatten(struct svi_geometry *g, int32_t start_axis, int32_t end_axis);

/* Bit i is set if axis i can be merged with the axis before it. */
uint64_t svi_geometry_flatten_mask(const struct svi_geometry *g);

/* Merges the axes of a mask: that of svi_geometry_flatten_mask(), or fewer of its bits. */
void svi_geometry_flatten_masked(struct svi_geometry *g, uint64_t mask);

/* Merges axes [start_axis, end_axis], or fails if they cannot be merged. */
sv_status svi_geometry_merge_axes(struct svi_geometry *g, int32_t start_axis, int32_t end_axis);

#endif
