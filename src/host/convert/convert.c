/*
 * Runs of items that follow each other on both sides, through the steps of a chain: a piece at a time, so that what
 * lies between two steps stays in cache, as do pieces that leave a buffer by non-temporal stores.
 */
#include "chain.h"

#include <string.h>

#include "cast_job.h"

enum { BETWEEN = 4096 /* bytes in the frame for what lies between two steps, of a piece */ };

static void step(const struct svi_isa *isa, const struct svi_step *s, char *dst, const char *src, int64_t blocks)
{
    isa->convert(s->op, dst, src, blocks * s->lanes);
}

/* Bytes of a block between two steps, at most. */
static int64_t block_bytes(const struct svi_chain *chain)
{
    int64_t most = 1;

    for (int32_t k = 0; k < chain->count - 1; k++)
        if (most < chain->steps[k].dst * chain->steps[k].lanes)
            most = chain->steps[k].dst * chain->steps[k].lanes;
    return most * SVI_BLOCK;
}

/* Alternates between two buffers; two steps need one. */
static __attribute__((noinline)) void several_steps(const struct svi_isa *isa, const struct svi_chain *chain,
                                                    char *dst, const char *src, int64_t blocks)
{
    _Alignas(SVI_LINE) char buffer[BETWEEN];
    const int64_t before = (int64_t)svi_chain_src_bytes(chain), after = (int64_t)svi_chain_dst_bytes(chain);
    const int64_t each = chain->count == 2 ? BETWEEN : BETWEEN / 2, most = each / block_bytes(chain);
    const int32_t last = chain->count - 1;

    for (int64_t done = 0, some; done < blocks; done += some) {
        const char *from = src;

        some = blocks - done < most ? blocks - done : most;
        for (int32_t k = 0; k < last; k++) {
            char *const between = buffer + k % 2 * each;

            step(isa, &chain->steps[k], between, from, some);
            from = between;
        }
        step(isa, &chain->steps[last], dst, from, some);
        dst += some * SVI_BLOCK * after;
        src += some * SVI_BLOCK * before;
    }
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

    if (chain->count == 1)
        step(isa, &chain->steps[0], dst, src, blocks);
    else if (blocks > 0)
        several_steps(isa, chain, dst, src, blocks);
    count -= blocks * SVI_BLOCK;
    if (count > 0)
        rest(isa, chain, dst + blocks * SVI_BLOCK * after, src + blocks * SVI_BLOCK * before, (size_t)count);
}

/* --- in cache or beyond the NT threshold ------------------------------------------- */

enum {
    PIECE_BYTES = 1024,   /* converted to a buffer before they leave it for memory, of the larger side */
    PARTS = 4,            /* of the source that alternate, */
    PART_BYTES = 16384,   /* each, */
    SHORT_BYTES = 512,    /* by pieces of so many, */
    PREFETCH_BYTES = 1024 /* before they are needed */
};

int64_t svi_cast_piece(const struct svi_plan *plan)
{
    return PIECE_BYTES / (plan->item > plan->src_item ? plan->item : plan->src_item);
}

/* Pieces of so many items, whole lines of the destination, and what comes later is fetched. Returns how many items. */
static int64_t stream_pieces(const struct svi_cast *c, char *buffer, char *dst, const char *src, int64_t count,
                             int64_t piece, struct svi_ahead *ahead)
{
    const int64_t dst_bytes = piece * c->plan->item, src_bytes = piece * c->plan->src_item;
    int64_t done = 0;

    for (; done + piece <= count; done += piece) {
        svi_fetch(ahead, ahead->lines);
        svi_host_convert(c->isa, &c->plan->chain, buffer, src, piece);
        c->isa->stream_copy(dst, buffer, (size_t)dst_bytes);
        dst += dst_bytes;
        src += src_bytes;
    }
    return done;
}

/* The same, alternating between several parts of the source. */
static int64_t stream_alternating(const struct svi_cast *c, char *buffer, char *dst, const char *src, int64_t count)
{
    const int64_t item = c->plan->item, src_item = c->plan->src_item;
    const int64_t piece = SHORT_BYTES / src_item, part = PART_BYTES / src_item;
    int64_t done = 0;

    for (; done + PARTS * part <= count; done += PARTS * part)
        for (int64_t k = 0; k < part; k += piece)
            for (int64_t at = done + k; at < done + PARTS * part; at += part) {
                const char *from = src + at * src_item;

                for (int64_t line = 0; line < SHORT_BYTES; line += SVI_LINE)
                    __builtin_prefetch(from + PREFETCH_BYTES + line);
                svi_host_convert(c->isa, &c->plan->chain, buffer, from, piece);
                c->isa->stream_copy(dst + at * item, buffer, (size_t)(piece * item));
            }
    return done;
}

/* Anywhere in a line. */
static void stream_rest(const struct svi_cast *c, char *buffer, char *dst, const char *src, int64_t count,
                        int64_t piece)
{
    const int64_t item = c->plan->item;

    for (int64_t done = 0; done < count; done += piece) {
        char *to = dst + done * item, *place = buffer + (uintptr_t)to % SVI_LINE;
        const int64_t some = svi_smaller(piece, count - done);

        svi_host_convert(c->isa, &c->plan->chain, place, src + done * c->plan->src_item, some);
        c->isa->stream_copy(to, place, (size_t)(some * item));
    }
}

static void stream_run(const struct svi_cast *c, char *dst, const char *src, int64_t count, struct svi_ahead *ahead)
{
    _Alignas(SVI_LINE) char buffer[PIECE_BYTES + SVI_LINE];
    const int64_t item = c->plan->item, src_item = c->plan->src_item;
    const int64_t piece = svi_cast_piece(c->plan);
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE);
    int64_t done = 0;

    if (count >= 2 * piece && head % item == 0) {
        stream_rest(c, buffer, dst, src, head / item, piece);
        done = head / item;
        if (c->alternates) {
            const int64_t some = stream_alternating(c, buffer, dst + done * item, src + done * src_item,
                                                 count - done);

            ahead->at += some * src_item;
            done += some;
        }
        done += stream_pieces(c, buffer, dst + done * item, src + done * src_item, count - done, piece, ahead);
    }
    stream_rest(c, buffer, dst + done * item, src + done * src_item, count - done, piece);
}

void svi_cast_run(const struct svi_cast *c, char *dst, const char *src, int64_t count, struct svi_ahead *ahead)
{
    if (c->beyond_cache)
        stream_run(c, dst, src, count, ahead);
    else
        svi_host_convert(c->isa, &c->plan->chain, dst, src, count);
}

/* Reading takes longest here: some processors read several pages at a time faster than page after page. */
bool svi_cast_alternates(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return machine->tuning->row_streams && plan->item < plan->src_item && plan->src_item <= SHORT_BYTES / SVI_BLOCK;
}
