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

/* Rows of the source to come, which are fetched a line at a time while others are stored past the cache. */
struct svi_ahead {
    const char *row;
    int64_t step, nbytes, at; /* from row to row; of a row; in it */
    int64_t rows;             /* left */
    int64_t lines;            /* for each piece that is stored */
};

static inline void svi_fetch(struct svi_ahead *a, int64_t lines)
{
    for (; lines > 0 && a->rows > 0; lines--) {
        __builtin_prefetch(a->row + a->at, 0, 2);
        a->at += SVI_LINE;
        if (a->at >= a->nbytes) {
            a->at = 0;
            a->row += a->step;
            a->rows--;
        }
    }
}

/* count items that follow each other on both sides. */
void svi_cast_run(const struct svi_cast *c, char *dst, const char *src, int64_t count, struct svi_ahead *ahead);

/* Pixels of 2 to 4 units are taken apart, put together or rearranged on the way: pixels.c. False: it is not that. */
bool svi_cast_pixels(const struct svi_cast *c, const struct svi_machine *machine, char *dst, const char *src);

/* Past the cache, where the two sides have runs of two axes. False: it is not that, or out of memory. */
bool svi_cast_turn(const struct svi_cast *c, char *dst, const char *src);

#endif
