/* What a copy does and why, in words: the canonical form here, the choice by the backend. */
#ifndef SVI_EXPLAIN_H
#define SVI_EXPLAIN_H

#include "copy/measure.h"

/* See sv_plan_explain(). measured: the times of the loops that can do it; without a row the plan was not measured. */
sv_status svi_explain(const struct svi_job *job, const struct svi_measured *measured, void *dst, const void *src,
                      size_t capacity, char *text, size_t *length);

#endif
