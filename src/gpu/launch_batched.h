/* Which kernel does many copies in one launch. Pure. */
#ifndef SVI_GPU_LAUNCH_BATCHED_H
#define SVI_GPU_LAUNCH_BATCHED_H

#include "backend/backend.h"
#include "gpu/launch_parts.h"

/*
 * Up to SVI_TRANSFERS copies by one plan, whose kernel suits all addresses. The launch is for the addresses of the
 * first. false: the plan is one for several launches, has more axes than kernels of batches take, or so many that
 * parameters have no room for all addresses.
 */
bool svi_launch_batched(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                        struct svi_launch_shape *out);

/*
 * count of a table's copies by one plan, up to SVI_TABLE_COPIES. The launch is for the two addresses of the table, of
 * which its alignment and its steps are read here. false: the plan is one for several launches, has more axes than
 * kernels of batches take, or more scales than a launch has.
 */
enum { SVI_TABLE_COPIES = 65535 /* blocks along y */ };

bool svi_launch_table(const struct svi_plan *plan, int64_t count, const struct svi_table *table,
                      struct svi_launch_shape *out);

/* Up to SVI_TRANSFERS runs, none of them empty or longer than SVI_LONGEST_RUN bytes; also for the addresses of the
 * first. */
enum { SVI_LONGEST_RUN = 1 << 23 };

void svi_batch_runs(int64_t count, const struct svi_transfer *transfers, struct svi_launch_shape *out);

#endif
