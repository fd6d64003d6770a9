/*
 * The host's copy kernels. Each takes a plan, not empty, and the addresses of
 * the first item of its walk on both sides; the plan's offsets are added
 * already. Addresses may be misaligned. Nothing outside the elements is read or
 * written, and nothing is allocated.
 */
#ifndef SVI_HOST_KERNELS_H
#define SVI_HOST_KERNELS_H

#include "plan.h"

void svi_host_contiguous(const struct svi_plan *plan, char *dst, const char *src); /* CONTIGUOUS */
void svi_host_rows(const struct svi_plan *plan, char *dst, const char *src);       /* ROWS */
void svi_host_repeat(const struct svi_plan *plan, char *dst, const char *src);     /* REPEAT */
void svi_host_tile(const struct svi_plan *plan, char *dst, const char *src);       /* where tile is not the last axis */
void svi_host_generic(const struct svi_plan *plan, char *dst, const char *src);    /* any with an axis */

#endif
