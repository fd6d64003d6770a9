/* A layout in the making. */
#ifndef SVI_LAYOUT_BUILDER_H
#define SVI_LAYOUT_BUILDER_H

#include "layout/geometry.h"
#include "base/handle.h"

/* Of one owner: references stays 1. */
struct sv_layout_builder {
    struct svi_handle handle;
    bool started;
    bool measured; /* extent is that of geometry */
    struct svi_extent extent;
    struct svi_geometry geometry; /* once started what a layout could be */
};

/* A live builder with a layout in it. */
sv_status svi_layout_builder_check(const sv_layout_builder *builder);
sv_status svi_layout_builder_measure(const sv_layout_builder *builder, struct svi_extent *out);

#endif
