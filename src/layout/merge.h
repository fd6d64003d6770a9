/* Axes that continue each other become one. */
#ifndef SVI_LAYOUT_MERGE_H
#define SVI_LAYOUT_MERGE_H

#include "layout/geometry.h"

sv_status svi_geometry_flatten(struct svi_geometry *g, int32_t start_axis, int32_t end_axis);

/* Bit i: axis i continues the axes before it. Any of the bits may be left out. */
uint64_t svi_geometry_flatten_mask(const struct svi_geometry *g);
void svi_geometry_flatten_masked(struct svi_geometry *g, uint64_t mask);
sv_status svi_geometry_merge_axes(struct svi_geometry *g, int32_t start_axis, int32_t end_axis);

#endif
