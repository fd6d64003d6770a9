/* The order of axes in memory, and dense layouts. */
#ifndef SVI_LAYOUT_ORDER_H
#define SVI_LAYOUT_ORDER_H

#include "layout/geometry.h"

/* ndim axes by |stride|, largest first; equal strides keep their order. */
void svi_geometry_memory_order(const struct svi_geometry *g, int32_t *axes);

/* The same; of equal strides the larger extent comes first, then the lower axis. */
void svi_geometry_stride_order(const struct svi_geometry *g, int32_t *axes);

/* itemsize: of the dense elements; 0 keeps that of g. */
sv_status svi_geometry_to_dense(struct svi_geometry *g, sv_order order, int32_t ndim, const int32_t *axes,
                                int64_t itemsize);

#endif
