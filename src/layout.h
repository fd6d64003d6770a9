/* The layout handle. */
#ifndef SVI_LAYOUT_H
#define SVI_LAYOUT_H

#include "geometry.h"
#include "handle.h"

/* One allocation. values holds shape, byte strides and, if they divide, element strides: ndim each. */
struct sv_layout {
    struct svi_handle handle;
    int32_t ndim;
    bool divides; /* every byte stride along which something moves is a multiple of itemsize */
    int64_t itemsize;
    int64_t byte_offset;
    struct svi_extent extent;
    int64_t values[];
};

static inline const int64_t *svi_layout_shape(const sv_layout *l) { return l->values; }
static inline const int64_t *svi_layout_byte_strides(const sv_layout *l) { return l->values + l->ndim; }
static inline const int64_t *svi_layout_element_strides(const sv_layout *l) { return l->divides ? l->values + 2 * l->ndim : NULL; }

static inline sv_status svi_layout_check(const sv_layout *layout, const char *name)
{
    return svi_handle_check((const struct svi_handle *)layout, SVI_TAG_LAYOUT, name);
}

/* Measures g and makes the handle. */
sv_status svi_layout_make(const struct svi_geometry *g, sv_layout **out);
void svi_layout_load(const sv_layout *layout, struct svi_geometry *g);

#endif
