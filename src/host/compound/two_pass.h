/* Copies in two passes by way of a buffer, for transposes with short runs or without runs. */
#ifndef SVI_HOST_COMPOUND_TWO_PASS_H
#define SVI_HOST_COMPOUND_TWO_PASS_H

#include "host/dispatch/dispatch.h"
#include "host/loop/loop.h"

/* Runs a part of a compound copy, which is in cache on one side, by one loop or by two passes that are leaves. */
svi_host_kernel svi_host_run_block;

/* Two passes whose parts are blocks, and two passes for blocks, whose parts are loops. No list has them: svi_host_copy
 * says which of them a copy may use. */
extern const struct svi_loop svi_loop_two_pass_of_leaves, svi_loop_two_pass;

#endif
