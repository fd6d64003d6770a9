/* Copies of any plan, and scaled ones. */
#ifndef SVI_HOST_FRONT_COMPOUND_H
#define SVI_HOST_FRONT_COMPOUND_H

#include "host/machine/machine.h"
#include "plan/affine.h"
#include "plan/plan.h"

/* Any plan. Compound copies run their parts by svi_host_run_block or svi_host_run_leaf instead. */
void svi_host_run(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src);

/* Scaled: both sides may be the same items. False: out of memory, nothing is done. */
bool svi_host_affine(const struct svi_machine *machine, const struct svi_affine *affine, char *dst, const char *src);

#endif
