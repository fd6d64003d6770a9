/* All loops that can do a copy, to be measured against each other by `make bench-regret` and measured plans. */
#ifndef SVI_HOST_FRONT_CANDIDATES_H
#define SVI_HOST_FRONT_CANDIDATES_H

#include "host/dispatch/dispatch.h"

/* Lists the loops that can do a copy between the addresses of elements [0,...,0], the one that would be chosen first.
 * Returns their number. Nothing is copied. out has room for SVI_CANDIDATES. */
int svi_host_candidates(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                        struct svi_candidate *out);

/* Runs a candidate on the plan that it was found for, or on a part of it, between any addresses. False: nothing is
 * copied, as the loop cannot do this plan between these addresses, or memory is lacking. */
bool svi_host_run_candidate(const struct svi_machine *machine, const struct svi_plan *plan,
                            const struct svi_candidate *candidate, char *dst, const char *src);

/* Whether svi_host_run_candidate would copy. Nothing is copied. */
bool svi_host_can_run_candidate(const struct svi_machine *machine, const struct svi_plan *plan,
                                const struct svi_candidate *candidate, char *dst, const char *src);

#endif
