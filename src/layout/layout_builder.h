/* A builder: a geometry in a handle, on which several operations work before one layout or view is made. */
#ifndef SVI_LAYOUT_BUILDER_H
#define SVI_LAYOUT_BUILDER_H

#include "layout/geometry.h"
#include "base/handle.h"

/* A builder has one owner, so its reference count is always 1. */
struct sv_layout_builder {
    struct svi_handle handle;
    bool started;
    bool measured; /* extent is that of geometry */
    struct svi_extent extent;
    struct svi_geometry geometry; /* once started it satisfies the rule of layouts */
};

/* Checks that a builder is alive and started. */
sv_status svi_layout_builder_check(const sv_layout_builder *builder);

/* The extent of its geometry, which is computed if it is not known. */
sv_status svi_layout_builder_measure(const sv_layout_builder *builder, struct svi_extent *out);

#endif
