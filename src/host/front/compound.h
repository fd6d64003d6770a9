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

/* The loops that are asked before those of a form, or all that convert; the last is NULL. */
const struct svi_loop *const *svi_front_of(const struct svi_plan *plan);

/* Any plan that is of a form, and is not for register tiles; or whose form is to be found: NULL. */
void svi_host_run_form(const struct svi_machine *machine, const struct svi_plan *plan, const struct svi_form *form,
                       char *dst, const char *src);

/* Which loop svi_host_run runs between the addresses of elements [0,...,0]. */
const struct svi_loop *svi_host_loop(const struct svi_machine *machine, const struct svi_plan *plan, char *dst,
                                     const char *src);

/* The same in words, with all loops that are asked before it. kept: NULL, or the loop that measuring kept, which can do
 * the copy. */
void svi_host_explain(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                      const struct svi_candidate *kept, struct svi_text *out);

#endif
