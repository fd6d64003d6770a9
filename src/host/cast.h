/* What the kernels of converting copies share. */
#ifndef SVI_HOST_CAST_H
#define SVI_HOST_CAST_H

#include "kernels.h"

struct svi_cast {
    const struct svi_plan *plan;
    const struct svi_isa *isa;
    struct svi_machine in_cache; /* for copies of a block */
    bool past_cache;
};

/* count items that follow each other on both sides. */
void svi_cast_run(const struct svi_cast *c, char *dst, const char *src, int64_t count);

/* Whether the two sides have runs of two axes: rows of the source become columns. */
bool svi_cast_is_turn(const struct svi_plan *plan);
void svi_cast_turn(const struct svi_cast *c, char *dst, const char *src);

#endif
