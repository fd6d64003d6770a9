/* Operations on whole axes, in place: permute, squeeze, unsqueeze, move and swap. sv/layout.h says what they do. */
#ifndef SVI_LAYOUT_AXES_H
#define SVI_LAYOUT_AXES_H

#include "layout/geometry.h"

sv_status svi_geometry_permute(struct svi_geometry *g, int32_t ndim, const int32_t *axes);
sv_status svi_geometry_squeeze(struct svi_geometry *g, int32_t count, const int32_t *axes);
sv_status svi_geometry_unsqueeze(struct svi_geometry *g, int32_t count, const int32_t *axes);
sv_status svi_geometry_move_axes(struct svi_geometry *g, int32_t count, const int32_t *axes, const int32_t *places);
sv_status svi_geometry_swap_axes(struct svi_geometry *g, int32_t axis, int32_t other);

#endif
