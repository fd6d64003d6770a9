/*
 * A layout in a plain struct, on which all operations work in place before a handle is made (layout.h). Nothing here
 * allocates or knows a handle. An operation that fails leaves the geometry as it was.
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

/* The size and bounds of a geometry, computed when it becomes a layout. */
struct svi_extent {
    int64_t size;  /* elements */
    int64_t lower; /* bytes from the base to the first byte of any element; 0 when empty */
    int64_t upper; /* bytes from the base to the end of the last byte of any element; 0 when empty */
};

/* Checks and sets ndim, shape and itemsize. Strides are not set, and the offset is 0. */
sv_status svi_geometry_init(struct svi_geometry *g, int32_t ndim, const int64_t *shape, int64_t itemsize);

/* Replaces all axes without a check. strides are in bytes. */
void svi_geometry_set_axes(struct svi_geometry *g, int32_t ndim, const int64_t *shape, const int64_t *strides);

void svi_geometry_drop_axis(struct svi_geometry *g, int32_t axis);

/* Sets dense strides; all 0 when empty. axes: the slowest first, already checked; NULL for C order. */
sv_status svi_geometry_set_dense(struct svi_geometry *g, const int32_t *axes);

/* Sets strides, multiplied by unit (itemsize for elements, 1 for bytes). A product that does not fit becomes 0 if
 * nothing moves along the axis. */
sv_status svi_geometry_set_strides(struct svi_geometry *g, const int64_t *strides, int64_t unit);

/* Checks the rule of all layouts, that element count, bytes and bounds fit int64, and computes them. */
sv_status svi_geometry_measure(const struct svi_geometry *g, struct svi_extent *out);

/* Init, strides and measure in one call. strides are multiplied by unit; NULL for C order. */
sv_status svi_geometry_read(struct svi_geometry *g, int32_t ndim, const int64_t *shape, const int64_t *strides,
                            int64_t unit, int64_t itemsize, struct svi_extent *extent);

bool svi_geometry_is_empty(const struct svi_geometry *g);

/* The number of elements; fails if they or their bytes do not fit int64. 0 if any extent is 0, however large others
 * are. */
sv_status svi_shape_count(int32_t ndim, const int64_t *shape, int64_t itemsize, int64_t *size);

/* Whether elements follow one another without gaps; strides of extents of 1 do not count. axes: the slowest first; NULL
 * for C order. */
bool svi_geometry_is_dense(const struct svi_geometry *g, const int32_t *axes);

/* Resolves an axis, which may be negative. limit: the number of axes. */
sv_status svi_axis_resolve(int32_t axis, int32_t limit, int32_t *out);

/* Resolves axes, which may be negative, and refuses repeats. On failure out may be partly written. limit: the number of
 * axes. */
sv_status svi_axes_resolve(int32_t count, const int32_t *axes, int32_t limit, int32_t *out);

#endif
