/*
 * The layout handle: an immutable, reference-counted geometry in one block of memory. Operations load it into a struct
 * svi_geometry, change that, and make a new handle.
 */
#ifndef SVI_LAYOUT_H
#define SVI_LAYOUT_H

#include <string.h>

#include "layout/geometry.h"
#include "base/handle.h"

/*
 * One block holds the layout and, if it was made for a view, the view too. values holds the shape, the byte strides
 * and, if `divides`, the element strides: ndim each.
 */
struct sv_layout {
    struct svi_handle handle;
    int32_t ndim;
    bool divides; /* every byte stride of an axis of two elements or more is a multiple of itemsize */
    int64_t itemsize;
    int64_t byte_offset;
    struct svi_extent extent;
    void *block; /* freed with the layout */
    int64_t values[];
};

/* clang-format off */
static inline const int64_t *svi_layout_shape(const sv_layout *l) { return l->values; }
static inline const int64_t *svi_layout_byte_strides(const sv_layout *l) { return l->values + l->ndim; }
/* clang-format on */

/* NULL if the byte strides do not divide. */
static inline const int64_t *svi_layout_element_strides(const sv_layout *l)
{
    return l->divides ? l->values + 2 * l->ndim : NULL;
}

static inline sv_status svi_layout_check(const sv_layout *layout, const char *name)
{
    return svi_handle_check((const struct svi_handle *)layout, SVI_TAG_LAYOUT, name);
}

/* Whether both have the same shape, strides and item size. Offsets may differ. */
static inline bool svi_layout_is_like(const sv_layout *a, const sv_layout *b)
{
    return a == b || (a->extent.size == b->extent.size && a->ndim == b->ndim && a->itemsize == b->itemsize &&
                      memcmp(a->values, b->values, 2 * (size_t)a->ndim * sizeof *a->values) == 0);
}

/* Bytes of a layout. */
static inline size_t svi_layout_room(int32_t ndim)
{
    return sizeof(sv_layout) + 3 * (size_t)ndim * sizeof(int64_t);
}

/* Makes a handle at room, which has svi_layout_room() bytes and is in block. extent is that of g. */
sv_layout *svi_layout_place(const struct svi_geometry *g, const struct svi_extent *extent, void *room, void *block);

/* Measures g and makes a handle in a block of its own. */
sv_status svi_layout_make(const struct svi_geometry *g, sv_layout **out);

/* Makes a handle in a block of its own from a known extent: operations that keep every element keep the extent. */
sv_status svi_layout_make_measured(const struct svi_geometry *g, const struct svi_extent *extent, sv_layout **out);

/* Copies a layout to a geometry. */
void svi_layout_load(const sv_layout *layout, struct svi_geometry *g);

#endif
