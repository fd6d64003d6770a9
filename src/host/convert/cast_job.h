/* What converting copies share: runs of items, and blocks that are ordered in a buffer in cache. */
#ifndef SVI_HOST_CAST_JOB_H
#define SVI_HOST_CAST_JOB_H

#include "host/base/odometer.h"
#include "host/kernels.h"

enum {
    SVI_CAST_BLOCK = 16384, /* bytes of each of two buffers for a block, or of half of one */
    SVI_CAST_RUN = 64       /* items that are worth a call */
};

struct svi_cast {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    const struct svi_isa *isa;
    struct svi_machine in_cache; /* for copies of a block */
    bool beyond_cache;
    bool alternates; /* between parts of long runs, beyond the NT threshold */
};

/* --- runs: convert.c --------------------------------------------------------------- */

/* Rows of the source to come, which are prefetched a line at a time while others leave by non-temporal stores. */
struct svi_ahead {
    const char *row;
    int64_t step, nbytes, at; /* from row to row; of a row; in it */
    int64_t rows;             /* left */
    int64_t lines;            /* for each piece that is stored */
};

static inline void svi_fetch(struct svi_ahead *a, int64_t lines)
{
    if (a->rows > 0 && a->at + lines * SVI_LINE < a->nbytes) {
        const char *first = a->row + a->at;

        for (int64_t k = 0; k < lines; k++)
            __builtin_prefetch(first + k * SVI_LINE, 0, 2);
        a->at += lines * SVI_LINE;
        return;
    }
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

/* Whether a chain is one operation that vectors go through on their way to memory. */
static inline bool svi_converts_in_registers(const struct svi_isa *isa, const struct svi_chain *chain)
{
    return isa->has_cast_stream != NULL && chain->count == 1 && isa->has_cast_stream(chain->steps[0].op);
}

/* count items that follow each other on both sides. */
void svi_cast_run(const struct svi_cast *c, char *dst, const char *src, int64_t count, struct svi_ahead *ahead);

/* Items that it stores at once, beyond the NT threshold. */
int64_t svi_cast_piece(const struct svi_plan *plan);

/* Whether long runs alternate between parts of them. */
bool svi_cast_alternates(const struct svi_machine *machine, const struct svi_plan *plan);

/* --- blocks: cast_blocks.c ------------------------------------------------------- */

/* The first of the axes that are one run in the destination, of run items, in a block of this shape. */
int32_t svi_cast_find_run(const struct svi_plan *plan, const int64_t *shape, int64_t *run);

/* From a buffer that is dense in the order of the plan to the runs, over the count axes in front of them. */
void svi_cast_plan_runs(const struct svi_plan *plan, const int64_t *shape, int32_t count, struct svi_plan *out);

/* From the source to such a buffer, and from one whose items are converted to the destination. */
void svi_cast_plan_in(const struct svi_plan *plan, const int64_t *shape, struct svi_plan *out);
void svi_cast_plan_out(const struct svi_plan *plan, const int64_t *shape, struct svi_plan *out);

/* A block's items in the order of the destination: in the buffer, or where they are. */
const char *svi_cast_order(const struct svi_machine *in_cache, const struct svi_plan *in, char *buffer,
                           const char *src);

/*
 * A walk over blocks that are as near to a square of both sides' orders as it gets. Each is brought into the order of
 * the destination, in a buffer in cache, and goes from there to the destination's runs, converted; or, where these are
 * short, to a second buffer and from there to its place.
 */
struct svi_cast_walk {
    const struct svi_plan *plan;
    const struct svi_machine *in_cache; /* for copies of a block */
    int64_t most[SVI_PLAN_NDIM];        /* items of a block along each axis of the plan; fewer at its end */
    int32_t axes[SVI_PLAN_NDIM];        /* of the plan, of each of the grid */
    struct svi_plan grid;
    struct svi_odometer at;         /* the next block */
    int64_t first[SVI_PLAN_NDIM];   /* of this block, along each axis, */
    int64_t shape[SVI_PLAN_NDIM];   /* and how many items; what follows is for blocks of this shape */
    int64_t size;                   /* items; 0 before the first block */
    int64_t run;                    /* those that are one run in the destination; */
    bool has_runs;                  /* they are stored one by one */
    struct svi_plan in;             /* to the buffer */
    struct svi_plan out;            /* from there: over the runs, or from the second buffer, as it is */
    _Alignas(SVI_LINE) char buffer[2 * SVI_CAST_BLOCK];
};

/* Before each block: changed, if its shape is not that of the last one. */
typedef void svi_cast_begin(void *job, const struct svi_cast_walk *walk, bool changed);

/* count items from number first of the block on: to a run of the destination, or to the second buffer. */
typedef void svi_cast_convert(void *job, char *dst, const char *src, int64_t first, int64_t count, bool to_run);

void svi_cast_walk_run(struct svi_cast_walk *walk, const struct svi_plan *plan, const struct svi_machine *in_cache,
                       char *dst, const char *src, svi_cast_begin *begin, svi_cast_convert *convert, void *job);

/* The axis after this one (-1: the fastest) in the order of the source, repeats left out; -1 at the end. */
int32_t svi_cast_axis_after(const struct svi_plan *plan, int32_t axis);

static inline int64_t svi_distance(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* --- other forms ------------------------------------------------------------------- */

/* Pixels of 2 to 4 units, taken apart, put together or rearranged on the way, where svi_is_cast_units: few_units.c. */
bool svi_cast_pixels(const struct svi_cast *c, char *dst, const char *src);

/* Beyond the cache, where the two sides have runs of two axes: cast_transpose.c. False: out of memory. */
bool svi_is_cast_transpose(const struct svi_plan *plan);
bool svi_cast_transpose(const struct svi_cast *c, char *dst, const char *src);

#endif
