/* The same bytes as items of another size, in place: along one axis items are joined or split. */
#ifndef SVI_LAYOUT_REPACK_H
#define SVI_LAYOUT_REPACK_H

#include "layout/geometry.h"

/* The largest item size that divides limit and that svi_geometry_repack() accepts; that of g if none is larger. */
sv_status svi_geometry_max_itemsize(const struct svi_geometry *g, int64_t limit, uintptr_t address, int32_t axis,
                                    int64_t *out);
sv_status svi_geometry_repack(struct svi_geometry *g, int64_t itemsize, uintptr_t address, int32_t axis, bool keep_dim);

#endif
