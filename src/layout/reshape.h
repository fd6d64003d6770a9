/* Operations that keep the elements and change the shape, in place: reshape, broadcast and split. */
#ifndef SVI_LAYOUT_RESHAPE_H
#define SVI_LAYOUT_RESHAPE_H

#include "layout/geometry.h"

sv_status svi_geometry_reshape(struct svi_geometry *g, int32_t ndim, const int64_t *shape);
sv_status svi_geometry_broadcast(struct svi_geometry *g, int32_t ndim, const int64_t *shape);

/* The same of the source of a copy to the shape of its destination, whose error says which is which. */
sv_status svi_geometry_broadcast_src(struct svi_geometry *g, int32_t ndim, const int64_t *shape);
sv_status svi_geometry_split_axis(struct svi_geometry *g, int32_t axis, int32_t count, const int64_t *extents);

#endif
