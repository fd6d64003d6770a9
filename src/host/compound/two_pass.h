/*
 * Transposes whose runs are too short for tiles on both sides, or for pixels beyond the NT threshold, or that have no
 * run on a side.
 */
#ifndef SVI_HOST_COMPOUND_TWO_PASS_H
#define SVI_HOST_COMPOUND_TWO_PASS_H

#include "host/dispatch/dispatch.h"

/* The same by one loop or by two passes that are leaves: a part of a compound copy, in cache on one side. */
svi_host_kernel svi_host_run_block;

#endif
