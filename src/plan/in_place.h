/* Copies whose two sides share bytes, but that need no temporary. Pure. */
#ifndef SVI_IN_PLACE_H
#define SVI_IN_PLACE_H

#include <stdbool.h>

#include "plan/plan.h"

enum svi_way {
    SVI_WAY_NONE,     /* only through a temporary */
    SVI_WAY_FORWARD, /* item after item in the order of the plan's axes, so that what is overwritten was read before */
    SVI_WAY_BACKWARD, /* the same from the last item on */
    SVI_WAY_SWAP, /* two axes of one extent change places in one memory: blocks of them do, pair by pair */
    SVI_WAY_EACH /* each item becomes what it is scaled to in its own place */
};

/* shift: bytes from the first item of the source's walk to that of the destination's. */
int32_t svi_way_in_place(const struct svi_plan *plan, int64_t shift);

/* The two axes that change places, the slower one first; false where that is not what the plan does. */
bool svi_swapped_axes(const struct svi_plan *plan, int32_t *slow, int32_t *fast);

#endif
