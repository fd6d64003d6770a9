/*
 * A tile of permute: how many items of each axis it has, its runs in the destination and its segments in the source. The
 * tile is extended alternately along the fastest axes of the destination and of the source until shared memory is full.
 * A pure function.
 */
#ifndef SVI_GPU_PERMUTE_TILE_H
#define SVI_GPU_PERMUTE_TILE_H

#include "gpu/launch_parts.h"

enum { SVI_PERMUTE_NDIM = SVI_BOX_AXES + SVI_BOX_OUTER, SVI_PERMUTE_VECTOR = 16 };

/* An axis of the plan, or that of the words of an item. */
struct svi_permute_side {
    int64_t extent, dst, src;
    int64_t tile;   /* items of a tile */
    int64_t staged; /* bytes from item to item in the segments */
    bool is_in_run, is_in_segment, is_closed; /* closed: it grows no more */
};

struct svi_permute_tile {
    int64_t word;  /* bytes of an item */
    int64_t most;  /* bytes of segments, and of runs */
    int32_t naxes; /* in the order of the destination, the fastest first */
    int32_t by_src[SVI_PERMUTE_NDIM];
    struct svi_permute_side axes[SVI_PERMUTE_NDIM];
    int64_t runs, run, slot;         /* how many, bytes of one, bytes of its slot */
    int64_t segments, span, vectors; /* how many, bytes from the first to the last of one, vectors of all */
    int64_t payload;
};

/* Of a plan that is copied by words of so many bytes. false: it has too many axes, or too long ones. */
bool svi_permute_tile_make(const struct svi_plan *plan, int64_t word, struct svi_permute_tile *tile);

#endif
