/* What a plan asks of pixels. */
#ifndef SVI_HOST_PIXEL_LAYOUT_H
#define SVI_HOST_PIXEL_LAYOUT_H

#include "plan.h"

enum svi_form {
    SVI_SPLIT, /* pixels to planes; to one plane: every second, third or fourth unit */
    SVI_JOIN,  /* planes to pixels */
    SVI_MIX    /* pixels to pixels: of fewer units, of the same backwards, of one unit again and again */
};

struct svi_recipe {
    enum svi_form form;
    int from, to;    /* units of a pixel of both sides */
    int unit;        /* bytes; a power of two */
    int32_t pixel;   /* axis */
    int32_t channel; /* axis, or -1: a pixel of the destination is an item */
    bool backwards;  /* units */
};

enum { SVI_PIXELS_LEAST = 256 }; /* bytes of a copy: below, masks take longer than it */

/* False where they are no pixels. */
bool svi_recipe_of(const struct svi_plan *plan, struct svi_recipe *out);

#endif
