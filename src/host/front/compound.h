/* The entry of all copies on the host: runs any plan, scales, and tells which loop does a plan and why. Called by the
 * host backend (host.c), and by tests. */
#ifndef SVI_HOST_FRONT_COMPOUND_H
#define SVI_HOST_FRONT_COMPOUND_H

#include "host/machine/machine.h"
#include "plan/plan.h"

/* Runs any plan that does not scale. Compound copies run their parts by svi_host_run_block or svi_host_run_leaf instead. */
void svi_host_run(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src);

/* Runs a plan that scales. Both sides may be the same items. False: out of memory, and nothing is done. */
bool svi_host_affine(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src);

/* The loops that are tried before those of a form; of a conversion, all its loops. The last is NULL. */
const struct svi_loop *const *svi_front_of(const struct svi_plan *plan);

/* Runs a plan whose form is known and that register tiles do not copy. form NULL: finds the form. */
void svi_host_run_form(const struct svi_machine *machine, const struct svi_plan *plan, const struct svi_form *form,
                       char *dst, const char *src);

/* The loop that svi_host_run runs between the addresses of elements [0,...,0]. */
const struct svi_loop *svi_host_loop(const struct svi_machine *machine, const struct svi_plan *plan, char *dst,
                                     const char *src);

/* Writes which loop that is, and why each loop before it refused. kept: the loop that measuring chose, which can do the
 * copy; NULL: nothing was measured. */
void svi_host_explain(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                      const struct svi_candidate *kept, struct svi_text *out);

#endif
