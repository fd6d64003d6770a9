/* The order of axes in memory, and dense layouts in a given order. */
#ifndef SVI_LAYOUT_ORDER_H
#define SVI_LAYOUT_ORDER_H

#include "layout/geometry.h"

/* Sorts axes by |stride|, the largest first. Equal strides keep their order. */
void svi_geometry_memory_order(const struct svi_geometry *g, int32_t *axes);

/* Sorts axes by |stride|, the largest first. Of equal strides the larger extent comes first, then the lower axis. */
void svi_geometry_stride_order(const struct svi_geometry *g, int32_t *axes);

/* Makes g dense in an order of axes. itemsize: that of the dense elements; 0 keeps that of g. */
sv_status svi_geometry_to_dense(struct svi_geometry *g, sv_order order, int32_t ndim, const int32_t *axes,
                                int64_t itemsize);

#endif
