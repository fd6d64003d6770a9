/* The layout handle. */
#ifndef SVI_LAYOUT_H
#define SVI_LAYOUT_H

#include <string.h>

#include "layout/geometry.h"
#include "base/handle.h"

/*
 * Lies in one block, together with the view it was made for, if any. values holds shape, byte strides and, if they
 * divide, element strides: ndim each.
 */
struct sv_layout {
    struct svi_handle handle;
    int32_t ndim;
    bool divides; /* every byte stride along which something moves is a multiple of itemsize */
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
static inline const int64_t *svi_layout_element_strides(const sv_layout *l)
{
    return l->divides ? l->values + 2 * l->ndim : NULL;
}

static inline sv_status svi_layout_check(const sv_layout *layout, const char *name)
{
    return svi_handle_check((const struct svi_handle *)layout, SVI_TAG_LAYOUT, name);
}

/* Whether they have the same shape, strides and item size; offsets may differ. */
static inline bool svi_layout_is_like(const sv_layout *a, const sv_layout *b)
{
    return a == b || (a->extent.size == b->extent.size && a->ndim == b->ndim && a->itemsize == b->itemsize &&
                      memcmp(a->values, b->values, 2 * (size_t)a->ndim * sizeof *a->values) == 0);
}

/* clang-format off */
static inline size_t svi_layout_room(int32_t ndim) { return sizeof(sv_layout) + 3 * (size_t)ndim * sizeof(int64_t); }
/* clang-format on */
/* Makes a handle in svi_layout_room() bytes of block. g was measured. */
sv_layout *svi_layout_place(const struct svi_geometry *g, const struct svi_extent *extent, void *room, void *block);
/* Measures g and makes a handle in a block of its own. */
sv_status svi_layout_make(const struct svi_geometry *g, sv_layout **out);
/* The same where extent is known: an operation that keeps every element keeps the extent of its layout too. */
sv_status svi_layout_make_measured(const struct svi_geometry *g, const struct svi_extent *extent, sv_layout **out);
void svi_layout_load(const sv_layout *layout, struct svi_geometry *g);

#endif
