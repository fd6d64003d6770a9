/* Dense arrays through the steps of a chain, a piece at a time, so that what lies between two steps stays in cache. */
#include "chain.h"

#include <string.h>

#include "kernels.h"

enum { PIECE = 4 * SVI_BLOCK /* items */ };

static void step(const struct svi_isa *isa, const struct svi_step *s, char *dst, const char *src, int64_t blocks)
{
    isa->convert[s->op](dst, src, blocks * s->lanes);
}

/* blocks: PIECE items at most. */
static void piece(const struct svi_isa *isa, const struct svi_chain *chain, char *dst, const char *src, int64_t blocks)
{
    _Alignas(SVI_LINE) char between[2][PIECE * SVI_STEP_ITEM];
    const int32_t last = chain->count - 1;

    for (int32_t k = 0; k < last; k++) {
        step(isa, &chain->steps[k], between[k % 2], src, blocks);
        src = between[k % 2];
    }
    step(isa, &chain->steps[last], dst, src, blocks);
}

/* Less than a block, which is read and written in whole. */
static void rest(const struct svi_isa *isa, const struct svi_chain *chain, char *dst, const char *src, size_t count)
{
    _Alignas(SVI_LINE) char from[SVI_BLOCK * SVI_STEP_ITEM], to[SVI_BLOCK * SVI_STEP_ITEM];
    const size_t before = svi_chain_src_bytes(chain), after = svi_chain_dst_bytes(chain);

    memcpy(from, src, count * before);
    memset(from + count * before, 0, (SVI_BLOCK - count) * before);
    piece(isa, chain, to, from, 1);
    memcpy(dst, to, count * after);
}

void svi_host_convert(const struct svi_isa *isa, const struct svi_chain *chain, char *dst, const char *src,
                      int64_t count)
{
    const int64_t before = (int64_t)svi_chain_src_bytes(chain), after = (int64_t)svi_chain_dst_bytes(chain);
    const int64_t most = chain->count == 1 ? INT64_MAX : PIECE;

    while (count >= SVI_BLOCK) {
        const int64_t items = count < most ? count / SVI_BLOCK * SVI_BLOCK : PIECE;

        piece(isa, chain, dst, src, items / SVI_BLOCK);
        dst += items * after;
        src += items * before;
        count -= items;
    }
    if (count > 0)
        rest(isa, chain, dst, src, (size_t)count);
}
