/* Which plans are copied in two passes by way of a buffer (compound/two_pass.c). */
#ifndef SVI_HOST_TRANSPOSE_TWO_PASS_PLANS_H
#define SVI_HOST_TRANSPOSE_TWO_PASS_PLANS_H

#include "host/machine/machine.h"
#include "plan/plan.h"

/* Whether the destination has no runs, or the source; or either, of two long axes. */
bool svi_is_spread(const struct svi_plan *plan);
bool svi_is_sparse(const struct svi_plan *plan);
bool svi_is_stepped(const struct svi_plan *plan);

/* Whether a transpose is of pixels or channels; is quicker in two passes; or, as one of them, in two of its own. */
bool svi_has_pixels(const struct svi_plan *plan);

bool svi_is_worth_two_passes(const struct svi_machine *machine, const struct svi_plan *plan);
bool svi_is_nested(const struct svi_plan *plan);

#endif
