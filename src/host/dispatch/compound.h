/* Any plan, by any loop: those that make several copies of one come first, then the table of the plan's form. */
#ifndef SVI_HOST_COMPOUND_H
#define SVI_HOST_COMPOUND_H

#include "dispatch.h"
#include "text.h"

/* The loops that are asked before those of dispatch.c, or all that convert; the last is NULL. */
const struct svi_loop *const *svi_front_of(const struct svi_plan *plan);

/* Which loop svi_host_run runs between the addresses of elements [0,...,0]. */
const struct svi_loop *svi_host_loop(const struct svi_machine *machine, const struct svi_plan *plan, char *dst,
                                     const char *src);

enum { SVI_SOME_PAGE = 1 << 20, SVI_OTHER_PAGE = 1 << 21 }; /* addresses where pages begin, to ask of */

/* The same in words, with all loops that are asked before it. */
void svi_host_explain(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                      struct svi_text *out);

#endif
