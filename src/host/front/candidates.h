/* All loops that can do a copy, for those who measure which one is best. */
#ifndef SVI_HOST_FRONT_CANDIDATES_H
#define SVI_HOST_FRONT_CANDIDATES_H

#include "host/dispatch/dispatch.h"

/* How many can do a copy between the addresses of elements [0,...,0]; the first one is what would be chosen. Nothing is
 * copied. out: room for SVI_CANDIDATES. */
int svi_host_candidates(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                        struct svi_candidate *out);

/* Does the plan that a candidate was found for, or a part of it, between any addresses. False, and nothing is copied:
 * the loop is not for this plan between these addresses, or there is no memory. */
bool svi_host_run_candidate(const struct svi_machine *machine, const struct svi_plan *plan,
                            const struct svi_candidate *candidate, char *dst, const char *src);

/* Whether it would; nothing is copied. */
bool svi_host_can_run_candidate(const struct svi_machine *machine, const struct svi_plan *plan,
                                const struct svi_candidate *candidate, char *dst, const char *src);

#endif
