/* The context of a copy that converts, and the runs of items that it converts at a time. */
#ifndef SVI_HOST_CAST_JOB_H
#define SVI_HOST_CAST_JOB_H

#include "host/base/odometer.h"
#include "host/loop/facts.h"

enum {
    SVI_CAST_BLOCK = 16384, /* bytes of each of two buffers for a block, or of half of one */
    SVI_CAST_RUN = 64       /* items that are worth a call */
};

struct svi_scaling;

struct svi_cast {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    const struct svi_isa *isa;
    struct svi_scaling *scaling; /* scale and bias; NULL: the copy does not scale */
    struct svi_machine in_cache; /* the machine for copies of a block */
    bool beyond_cache;
};

/* Whether the last axis is a run on both sides. */
static inline bool svi_cast_has_rows(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return plan->dst[last] == plan->item && plan->src[last] == plan->src_item;
}

/* --- runs: convert.c --------------------------------------------------------------- */

/* Items that are contiguous on both sides. first: the number of the first one in its block. */
struct svi_cast_items {
    char *dst;
    const char *src;
    int64_t first, count;
};

/* Later rows of the source, which are prefetched a few lines at a time while others are stored by non-temporal
 * stores. */
struct svi_ahead {
    const char *row;
    int64_t step;   /* bytes from row to row */
    int64_t nbytes; /* bytes of a row */
    int64_t at;     /* bytes of the present row that are prefetched */
    int64_t rows;   /* rows that are left */
    int64_t lines;  /* lines that are prefetched for each piece that is stored */
};

/* Whether a chain is one operation that vectors do in registers on the way to memory. */
static inline bool svi_converts_in_registers(const struct svi_isa *isa, const struct svi_chain *chain)
{
    return isa->cast != NULL && chain->count == 1 && isa->cast->has(chain->steps[0].op);
}

/* --- scaled: scaled.c ---------------------------------------------------------------- */

/* --- blocks: cast_blocks.c ------------------------------------------------------- */

/* --- all of a copy. False: out of memory ------------------------------------------------ */

typedef bool svi_cast_way(const struct svi_cast *c, char *dst, const char *src);

#endif
