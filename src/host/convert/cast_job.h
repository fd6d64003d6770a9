/* What converting copies share: runs of items, and blocks that are ordered in a buffer in cache. */
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
    struct svi_scaling *scaling; /* NULL: the plan's chain says it all */
    struct svi_machine in_cache; /* for copies of a block */
    bool beyond_cache;
};

/* Whether the last axis is a run of both sides. */
static inline bool svi_cast_has_rows(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return plan->dst[last] == plan->item && plan->src[last] == plan->src_item;
}

/* --- runs: convert.c --------------------------------------------------------------- */

/* Items that follow each other on both sides; the first one has this number in its block. */
struct svi_cast_items {
    char *dst;
    const char *src;
    int64_t first, count;
};

/* Rows of the source to come, which are prefetched a line at a time while others leave by non-temporal stores. */
struct svi_ahead {
    const char *row;
    int64_t step, nbytes, at; /* from row to row; of a row; in it */
    int64_t rows;             /* left */
    int64_t lines;            /* for each piece that is stored */
};

/* To a buffer, or in cache. */
void svi_convert_items(const struct svi_cast *c, const struct svi_cast_items *items);

/* To the destination. ahead: NULL, or what is prefetched meanwhile. */
void svi_cast_run(const struct svi_cast *c, const struct svi_cast_items *items, struct svi_ahead *ahead);

/* Items that it stores at once, beyond the NT threshold. */
int64_t svi_cast_piece(const struct svi_plan *plan);

/* Whether a chain is one operation that vectors go through on their way to memory. */
static inline bool svi_converts_in_registers(const struct svi_isa *isa, const struct svi_chain *chain)
{
    return isa->has_cast_stream != NULL && chain->count == 1 && isa->has_cast_stream(chain->steps[0].op);
}

/* --- scaled: scaled.c ---------------------------------------------------------------- */

/* For one block, the whole plan. To be given to svi_scratch_free(). NULL: out of memory. */
struct svi_scaling *svi_scaling_new(const struct svi_affine *affine);

/* Its steps, one of which scales. */
const struct svi_chain *svi_scaling_chain(const struct svi_scaling *s);

/* The factors of the block's items from this one on, of which *count are wanted, and *count get them. */
struct svi_factors svi_scaling_find(struct svi_scaling *s, int64_t first, int64_t *count);

/* What items of which indices follow in the block that comes: count along each axis of the plan, from first on. */
void svi_scaling_enter(struct svi_scaling *s, const int64_t *first, const int64_t *count);

/* --- blocks: cast_blocks.c ------------------------------------------------------- */

/* The first of the axes that are one run in the destination, of run items, in a block of this shape. */
int32_t svi_cast_find_run(const struct svi_plan *plan, const int64_t *shape, int64_t *run);

/* From a buffer that is dense in the order of the plan to the runs, over the count axes in front of them. */
void svi_cast_plan_runs(const struct svi_plan *plan, const int64_t *shape, int32_t count, struct svi_plan *out);

/* From the source into such a buffer or, from one whose items are converted, to the destination. */
void svi_plan_buffered(const struct svi_plan *plan, const int64_t *shape, bool in, struct svi_plan *out);

/* A block's items in the order of the destination: in the buffer, or where they are. */
const char *svi_cast_order(const struct svi_machine *in_cache, const struct svi_plan *in, char *buffer,
                           const char *src);

/* --- all of a copy. False: out of memory ------------------------------------------------ */

typedef bool svi_cast_way(const struct svi_cast *c, char *dst, const char *src);

/* By a way. */
bool svi_cast_by(const struct svi_host_copy *copy, svi_cast_way *way);

/* Any: block by block. */
bool svi_cast_blocks(const struct svi_cast *c, char *dst, const char *src);

/* Pixels of 2 to 4 units, taken apart, put together or rearranged on the way: few_units.c. */
svi_host_question svi_can_cast_pixels, svi_refuses_cast_pixels;
bool svi_cast_pixels(const struct svi_cast *c, char *dst, const char *src);

/* Beyond the cache, where the two sides have runs of two axes: cast_transpose.c. */
bool svi_is_cast_transpose(const struct svi_plan *plan);
bool svi_cast_transpose(const struct svi_cast *c, char *dst, const char *src);

#endif
