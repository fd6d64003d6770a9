/* What the kernels of converting copies share. */
#ifndef SVI_HOST_CAST_JOB_H
#define SVI_HOST_CAST_JOB_H

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
    bool past_cache;
    bool in_turns; /* parts of long runs, past the cache */
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
    return isa->has_cast_stream != NULL && chain->count == 1 && isa->has_cast_stream[chain->steps[0].op];
}

/* count items that follow each other on both sides. */
void svi_cast_run(const struct svi_cast *c, char *dst, const char *src, int64_t count, struct svi_ahead *ahead);

/* Items that it stores past the cache at once. */
int64_t svi_cast_piece(const struct svi_plan *plan);

/* Whether parts of long runs take turns. */
bool svi_cast_in_turns(const struct svi_machine *machine, const struct svi_plan *plan);

struct svi_cast_block {
    int64_t shape[SVI_PLAN_NDIM]; /* at most, along each axis of the plan */
    int64_t size;                 /* items at most */
    bool has_runs;                /* these are stored one by one, and there is no second buffer */
};

/* As near to a square of both sides' orders as it gets. */
struct svi_cast_block svi_cast_block_of(const struct svi_plan *plan);

/* Of a buffer that is dense in the order of the plan. */
void svi_cast_dense_strides(const struct svi_plan *plan, const int64_t *shape, int64_t item, int64_t *out);

/* The first of the axes that are one run in the destination, of run items, in a block of this shape. */
int32_t svi_cast_find_run(const struct svi_plan *plan, const int64_t *shape, int64_t *run);

/* From a buffer with these strides to the runs, over the count axes in front of them. */
void svi_cast_plan_runs(const struct svi_plan *plan, const int64_t *shape, const int64_t *strides, int32_t count,
                        struct svi_plan *out);

/* From the source to a buffer that is dense in the order of the destination. strides receives the buffer's. */
void svi_cast_plan_in(const struct svi_plan *plan, const int64_t *shape, int64_t *strides, struct svi_plan *out);

/* From a second such buffer, of items that are converted, to the destination. */
void svi_cast_plan_out(const struct svi_plan *plan, const int64_t *shape, int64_t *strides, struct svi_plan *out);

/* Axes of blocks, and which of the plan's each is: the tile's is the last, so that they follow each other along the
 * source. */
void svi_cast_lay_grid(const struct svi_plan *plan, const struct svi_cast_block *b, struct svi_plan *grid,
                       int32_t *axes);

/* The axis after this one (-1: the fastest) in the order of the source, repeats left out; -1 at the end. */
int32_t svi_cast_axis_after(const struct svi_plan *plan, int32_t axis);

static inline int64_t svi_distance(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Pixels of 2 to 4 units are taken apart, put together or rearranged on the way, where svi_is_cast_units: few_units.c. */
bool svi_cast_pixels(const struct svi_cast *c, char *dst, const char *src);

/*
 * The same in registers, all but less than a line along each axis: rows of the source from first on, and columns, all
 * of other axes. False: it is not that, or out of memory.
 */
struct svi_cast_body {
    int64_t first, rows, columns;
};

bool svi_cast_direct(const struct svi_cast *c, char *dst, const char *src, struct svi_cast_body *body);

/* Past the cache, where the two sides have runs of two axes: svi_is_cast_turn. False: out of memory. */
bool svi_is_cast_turn(const struct svi_plan *plan);
bool svi_cast_turn(const struct svi_cast *c, char *dst, const char *src);

#endif
