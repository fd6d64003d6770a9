/*
 * The layout algebra on a plain struct, in place: what sv_layout_permute() and
 * its like do before they make a handle. Nothing here allocates or knows a
 * handle. Each operation leaves the geometry as it was when it fails.
 */
#ifndef SVI_GEOMETRY_H
#define SVI_GEOMETRY_H

#include <stdbool.h>

#include "base/status.h"

struct svi_geometry {
    int32_t ndim;
    int64_t itemsize;
    int64_t byte_offset;
    int64_t shape[SV_MAX_NDIM];
    int64_t strides[SV_MAX_NDIM]; /* bytes */
};

/* What is derived from a geometry when it becomes a layout. */
struct svi_extent {
    int64_t size;         /* elements */
    int64_t lower, upper; /* bytes occupied, relative to the base; both 0 when empty */
};

/* Copies and checks ndim, shape, itemsize; strides are not set, the offset is 0. */
sv_status svi_geometry_init(struct svi_geometry *g, int32_t ndim, const int64_t *shape, int64_t itemsize);
/* Other axes. strides are in bytes; nothing is checked. */
void svi_geometry_set_axes(struct svi_geometry *g, int32_t ndim, const int64_t *shape, const int64_t *strides);
void svi_geometry_drop_axis(struct svi_geometry *g, int32_t axis);
/* Dense strides. axes: the slowest first, already checked; NULL for C order. All 0 when empty. */
sv_status svi_geometry_set_dense(struct svi_geometry *g, const int32_t *axes);
/* Given strides times unit (itemsize for elements, 1 for bytes). A product that does not fit becomes 0 where nothing
 * moves along the axis. */
sv_status svi_geometry_set_strides(struct svi_geometry *g, const int64_t *strides, int64_t unit);
/* The strong rule of layouts: size, bytes and bounds fit int64. */
sv_status svi_geometry_measure(const struct svi_geometry *g, struct svi_extent *out);

/* All three at once: strides times unit, or NULL for C order; nothing is set before. */
sv_status svi_geometry_read(struct svi_geometry *g, int32_t ndim, const int64_t *shape, const int64_t *strides,
                            int64_t unit, int64_t itemsize, struct svi_extent *extent);

bool svi_geometry_is_empty(const struct svi_geometry *g);
/* Number of elements: 0 with an extent of 0, whatever the others are. Their bytes fit int64 too. */
sv_status svi_shape_count(int32_t ndim, const int64_t *shape, int64_t itemsize, int64_t *size);
/* Whether elements follow one another without gaps, extents of 1 aside. axes: the slowest first; NULL for C order. */
bool svi_geometry_is_dense(const struct svi_geometry *g, const int32_t *axes);
/* limit: axes there are. */
sv_status svi_axis_resolve(int32_t axis, int32_t limit, int32_t *out);
/* Resolves negative axes into out, whatever is in it when it fails, and refuses repeats. limit: axes there are. */
sv_status svi_axes_resolve(int32_t count, const int32_t *axes, int32_t limit, int32_t *out);

#endif
