/* What a copy does and why, in words: the canonical form here, the choice by the backend. */
#ifndef SVI_EXPLAIN_H
#define SVI_EXPLAIN_H

#include "job.h"

/* As of sv_plan_explain(). */
sv_status svi_explain(const struct svi_job *job, void *dst, const void *src, size_t capacity, char *text,
                      size_t *length);

#endif
