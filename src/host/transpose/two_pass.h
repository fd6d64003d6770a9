/* A copy in two steps by way of a buffer. */
#ifndef SVI_HOST_TWO_PASS_H
#define SVI_HOST_TWO_PASS_H

#include "host/dispatch/dispatch.h"
#include "two_pass_order.h"

/* By way of an order between both sides'; the steps are blocks. False where that is not quicker. */
svi_host_question svi_host_relay;

/* A part of a compound copy, in cache on one side: by a leaf, or by two steps that are leaves. */
svi_host_kernel svi_host_run_block;

#endif
