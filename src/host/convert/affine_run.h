/* Dense runs of a block through an affine conversion. */
#ifndef SVI_HOST_AFFINE_RUN_H
#define SVI_HOST_AFFINE_RUN_H

#include "affine.h"
#include "host/machine/machine.h"

enum {
    SVI_AFFINE_PIECE = 512,  /* numbers that are converted at a time, */
    SVI_AFFINE_PERIOD = 1024, /* and after which scale and bias repeat, at most, where they are laid out once */
    SVI_AFFINE_NUMBER = 8    /* bytes of one between its operations, at most */
};

/* How scale and bias go on in a block whose items follow each other in the order of the destination. */
struct svi_affine_order {
    int64_t first;  /* index along the axis of the block's first item */
    int64_t extent; /* of the block along it */
    int64_t inner;  /* items that have the same index, one after the other */
};

struct svi_affine_run {
    const struct svi_affine *affine;
    const struct svi_isa *isa;
    bool past_cache, apart; /* whether dst is stored past the cache; whether it shares no bytes with the source */
    struct svi_affine_order order, laid; /* laid: what the factors were laid out for; */
    int64_t laid_count;                  /* so many of them, 0 before */
    _Alignas(SVI_LINE) char scale[(SVI_AFFINE_PIECE + SVI_AFFINE_PERIOD + SVI_BLOCK) * SVI_AFFINE_NUMBER];
    _Alignas(SVI_LINE) char bias[(SVI_AFFINE_PIECE + SVI_AFFINE_PERIOD + SVI_BLOCK) * SVI_AFFINE_NUMBER];
    _Alignas(SVI_LINE) char loaded[(SVI_AFFINE_PIECE + SVI_BLOCK) * SVI_AFFINE_NUMBER];
    _Alignas(SVI_LINE) char number[(SVI_AFFINE_PIECE + SVI_BLOCK) * SVI_AFFINE_NUMBER + SVI_LINE];
    _Alignas(SVI_LINE) char stored[(SVI_AFFINE_PIECE + SVI_BLOCK) * SVI_AFFINE_NUMBER + SVI_LINE];
};

void svi_affine_run_init(struct svi_affine_run *r, const struct svi_affine *affine, const struct svi_isa *isa,
                         bool past_cache, bool apart);

/* count items from the one that is number first of the block on; streams: dst is memory past the cache, if it is. */
void svi_affine_run(struct svi_affine_run *r, char *dst, const char *src, int64_t first, int64_t count, bool streams);

#endif
