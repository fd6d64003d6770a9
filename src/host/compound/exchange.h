/* Copies between two views of the same memory. */
#ifndef SVI_HOST_COMPOUND_EXCHANGE_H
#define SVI_HOST_COMPOUND_EXCHANGE_H

#include "host/machine/machine.h"
#include "plan/plan.h"

/* Copies between sides that share bytes. way is one of plan/in_place.h, except SVI_WAY_NONE. The plan's offsets are not
 * added yet. */
void svi_host_in_place(const struct svi_machine *machine, const struct svi_plan *plan, int32_t way, char *dst,
                       const char *src);

#endif
