/* What a launch of a copy kernel does, by arithmetic on its parameter block alone: for plans of any size. */
#ifndef SVI_TEST_LAUNCH_WALK_H
#define SVI_TEST_LAUNCH_WALK_H

#include "gpu/launch_shape.h"

/* Whether the launch copies the bytes of the plan, all of them and once, by as many blocks as that takes; reads within
 * the source; divides correctly; and has the alignment that its kernel relies on. NULL, or what is wrong. */
const char *launch_wrong(const struct svi_plan *plan, uintptr_t dst, uintptr_t src,
                         const struct svi_launch_shape *shape);

#endif
