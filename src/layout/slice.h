/* Operations that choose elements, in place: slice, index, flip, diagonal and window. */
#ifndef SVI_LAYOUT_SLICE_H
#define SVI_LAYOUT_SLICE_H

#include "layout/geometry.h"

sv_status svi_geometry_slice(struct svi_geometry *g, int32_t count, const int64_t *start, const int64_t *stop,
                             const int64_t *step);
sv_status svi_geometry_index(struct svi_geometry *g, int32_t axis, int64_t index);
sv_status svi_geometry_flip(struct svi_geometry *g, int32_t count, const int32_t *axes);
sv_status svi_geometry_diagonal(struct svi_geometry *g, int64_t offset, int32_t axis, int32_t other);
sv_status svi_geometry_window(struct svi_geometry *g, int32_t count, const int32_t *axes, const int64_t *window);

#endif
