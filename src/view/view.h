/* The view handle. */
#ifndef SVI_VIEW_H
#define SVI_VIEW_H

#include <dlpack/dlpack.h>

#if !defined(DLPACK_MAJOR_VERSION) || DLPACK_MAJOR_VERSION != 1 || DLPACK_MINOR_VERSION < 3
#error "dlpack/dlpack.h is not version 1.3 or a later 1.x: take it from the Python package apache-tvm-ffi"
#endif

#include "backend/backend.h"
#include "dtype/dtype.h"
#include "layout/layout.h"

/*
 * A root view owns memory: release(ctx) runs when it dies. A view made from
 * another retains the root and has no release of its own. So a chain of
 * re-views is never deeper than one.
 */
struct sv_view {
    struct svi_handle handle;
    sv_layout *layout; /* retained; may lie in the same block, which it then frees */
    char *base;
    int64_t lower, upper; /* what may be touched, relative to base */
    sv_dtype dtype;
    uint32_t flags; /* SV_READ_ONLY */
    struct svi_device device;
    struct sv_view *root;        /* retained; NULL when this is a root */
    sv_release_callback release; /* of a root; may be NULL */
    void *ctx;
    bool borrowable;
    struct DLManagedTensorVersioned borrowed; /* what sv_view_borrow() shows */
};

static inline sv_status svi_view_check(const sv_view *view, const char *name)
{
    return svi_handle_check((const struct svi_handle *)view, SVI_TAG_VIEW, name);
}

/* What an import tells of memory, besides how it is laid out. */
struct svi_view_memory {
    char *base;
    sv_dtype dtype; /* SV_OPAQUE, or a type */
    uint32_t flags;
    struct svi_device device;
    sv_release_callback release;
    void *ctx;
    sv_view *root; /* one of libsv, which is retained instead of calling release; NULL for none */
};

/* The view that owns the memory of this one; NULL of NULL. */
static inline sv_view *svi_view_root(const sv_view *view)
{
    return view == NULL || view->root == NULL ? (sv_view *)view : view->root;
}

/*
 * Checks what memory says, and makes a view of it in one block with a layout of g, which was measured, has the item
 * size of the type, and is the bounds. release and ctx are taken over on SV_OK only.
 */
sv_status svi_view_make(const struct svi_view_memory *memory, const struct svi_geometry *g,
                        const struct svi_extent *extent, sv_view **out);

/* The memory of view through g, which was measured: a view in one block with its layout. All but whether g fits the
 * memory and the type was checked when view was made. */
sv_status svi_view_derive(const sv_view *view, const struct svi_geometry *g, const struct svi_extent *extent,
                          sv_view **out);

/* Whether bytes [lower, upper), counted from address, are within the address space. */
bool svi_is_addressable(uintptr_t address, int64_t lower, int64_t upper);

#endif
