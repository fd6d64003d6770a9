/*
 * Transposes whose runs are too short for tiles on both sides, or for pixels beyond the NT threshold, or that have no
 * run on a side.
 */
#ifndef SVI_HOST_COMPOUND_TWO_PASS_H
#define SVI_HOST_COMPOUND_TWO_PASS_H

#include "host/dispatch/dispatch.h"
#include "host/loop/loop.h"

/* The same by one loop or by two passes that are leaves: a part of a compound copy, in cache on one side. */
svi_host_kernel svi_host_run_block;

/* Two passes, whose parts are blocks; and the same for blocks, whose parts are loops. They are never asked by their own
 * name: svi_host_copy says which of them a copy may use. */
extern const struct svi_loop svi_loop_two_pass_of_leaves, svi_loop_two_pass;

#endif
