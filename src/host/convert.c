/* Dense arrays through the steps of a chain, a piece at a time, so that what lies between two steps stays in cache. */
#include "chain.h"

#include <string.h>

#include "kernels.h"

enum { BETWEEN = 1024 /* bytes of a piece between two steps: two of them lie in a frame */ };

static void step(const struct svi_isa *isa, const struct svi_step *s, char *dst, const char *src, int64_t blocks)
{
    isa->convert[s->op](dst, src, blocks * s->lanes);
}

static int64_t piece_blocks(const struct svi_chain *chain)
{
    int64_t most = 1;

    for (int32_t k = 0; k < chain->count - 1; k++)
        if (most < chain->steps[k].dst * chain->steps[k].lanes)
            most = chain->steps[k].dst * chain->steps[k].lanes;
    return BETWEEN / (most * SVI_BLOCK);
}

/* blocks: of a piece at most. */
static __attribute__((noinline)) void piece(const struct svi_isa *isa, const struct svi_chain *chain, char *dst,
                                            const char *src, int64_t blocks)
{
    _Alignas(SVI_LINE) char between[2][BETWEEN];
    const int32_t last = chain->count - 1;

    for (int32_t k = 0; k < last; k++) {
        step(isa, &chain->steps[k], between[k % 2], src, blocks);
        src = between[k % 2];
    }
    step(isa, &chain->steps[last], dst, src, blocks);
}

/* Less than a block, which is read and written in whole. */
static __attribute__((noinline)) void rest(const struct svi_isa *isa, const struct svi_chain *chain, char *dst,
                                           const char *src, size_t count)
{
    _Alignas(SVI_LINE) char block[2][SVI_BLOCK * SVI_STEP_ITEM];
    const size_t before = svi_chain_src_bytes(chain), after = svi_chain_dst_bytes(chain);

    memcpy(block[0], src, count * before);
    memset(block[0] + count * before, 0, (SVI_BLOCK - count) * before);
    for (int32_t k = 0; k < chain->count; k++)
        step(isa, &chain->steps[k], block[(k + 1) % 2], block[k % 2], 1);
    memcpy(dst, block[chain->count % 2], count * after);
}

void svi_host_convert(const struct svi_isa *isa, const struct svi_chain *chain, char *dst, const char *src,
                      int64_t count)
{
    const int64_t before = (int64_t)svi_chain_src_bytes(chain), after = (int64_t)svi_chain_dst_bytes(chain);
    const int64_t blocks = (int64_t)((uint64_t)count / SVI_BLOCK);
    const int64_t most = chain->count == 1 ? blocks : piece_blocks(chain);

    for (int64_t done = 0, some; done < blocks; done += some) {
        some = blocks - done < most ? blocks - done : most;
        if (chain->count == 1)
            step(isa, &chain->steps[0], dst, src, some);
        else
            piece(isa, chain, dst, src, some);
        dst += some * SVI_BLOCK * after;
        src += some * SVI_BLOCK * before;
    }
    count -= blocks * SVI_BLOCK;
    if (count > 0)
        rest(isa, chain, dst, src, (size_t)count);
}
