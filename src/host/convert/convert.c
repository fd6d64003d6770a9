/*
 * Converts contiguous items through the steps of a chain, a piece at a time, so that the numbers between two steps stay
 * in cache. Beyond the cache a piece is converted to a buffer and stored from there by non-temporal stores.
 */
#include "dtype/chain.h"

#include <string.h>

#include "host/convert/cast_job.h"
#include "host/base/memory_hints.h"
#include "host/convert/convert.h"
#include "host/convert/scaled.h"

enum {
    STEPS_BYTES = 3072 /* bytes of a buffer in the frame for the numbers between two steps */
};

static void run_step(const struct svi_isa *isa, const struct svi_step *s, const struct svi_factors *factors, char *dst,
                     const char *src, int64_t blocks)
{
    if (s->op >= SVI_SCALE_F32)
        isa->scale(s->op, dst, src, blocks, factors);
    else
        isa->convert(s->op, dst, src, blocks * s->lanes);
}

static void skip_factors(struct svi_factors *factors, int64_t blocks)
{
    factors->scale += blocks * factors->step;
    factors->bias += blocks * factors->step;
}

/* The most bytes of a block between two steps. */
static int64_t block_bytes(const struct svi_chain *chain)
{
    int64_t most = 1;

    for (int32_t k = 0; k < chain->count - 1; k++)
        if (most < chain->steps[k].dst * chain->steps[k].lanes)
            most = chain->steps[k].dst * chain->steps[k].lanes;
    return most * SVI_BLOCK;
}

/* Runs several steps, alternately to two buffers. Two steps need one buffer. */
static __attribute__((noinline)) void several_steps(const struct svi_isa *isa, const struct svi_chain *chain,
                                                    struct svi_factors factors, char *dst, const char *src,
                                                    int64_t blocks)
{
    _Alignas(SVI_LINE) char buffer[STEPS_BYTES];
    const int64_t before = (int64_t)svi_chain_src_bytes(chain), after = (int64_t)svi_chain_dst_bytes(chain);
    const int64_t each = chain->count == 2 ? STEPS_BYTES : STEPS_BYTES / 2, most = each / block_bytes(chain);
    const int32_t last = chain->count - 1;

    for (int64_t done = 0, some; done < blocks; done += some) {
        const char *from = src;

        some = blocks - done < most ? blocks - done : most;
        for (int32_t k = 0; k < last; k++) {
            char *const between = buffer + k % 2 * each;

            run_step(isa, &chain->steps[k], &factors, between, from, some);
            from = between;
        }
        run_step(isa, &chain->steps[last], &factors, dst, from, some);
        skip_factors(&factors, some);
        dst += some * SVI_BLOCK * after;
        src += some * SVI_BLOCK * before;
    }
}

/* Converts less than a block, by way of a whole block. */
static __attribute__((noinline)) void convert_rest(const struct svi_isa *isa, const struct svi_chain *chain,
                                                   const struct svi_factors *factors, char *dst, const char *src,
                                                   size_t count)
{
    _Alignas(SVI_LINE) char block[2][SVI_BLOCK * SVI_STEP_ITEM];
    const size_t before = svi_chain_src_bytes(chain), after = svi_chain_dst_bytes(chain);

    memcpy(block[0], src, count * before);
    memset(block[0] + count * before, 0, (SVI_BLOCK - count) * before);
    for (int32_t k = 0; k < chain->count; k++)
        run_step(isa, &chain->steps[k], factors, block[(k + 1) % 2], block[k % 2], 1);
    memcpy(dst, block[chain->count % 2], count * after);
}

SVI_INLINE void convert_in_blocks(const struct svi_isa *isa, const struct svi_chain *chain, struct svi_factors f,
                                  char *dst, const char *src, int64_t count)
{
    const int64_t before = (int64_t)svi_chain_src_bytes(chain), after = (int64_t)svi_chain_dst_bytes(chain);
    const int64_t blocks = (int64_t)((uint64_t)count / SVI_BLOCK);

    if (chain->count == 1)
        run_step(isa, &chain->steps[0], &f, dst, src, blocks);
    else if (blocks > 0)
        several_steps(isa, chain, f, dst, src, blocks);
    count -= blocks * SVI_BLOCK;
    if (count == 0)
        return;
    skip_factors(&f, blocks);
    convert_rest(isa, chain, &f, dst + blocks * SVI_BLOCK * after, src + blocks * SVI_BLOCK * before, (size_t)count);
}

void svi_host_convert(const struct svi_isa *isa, const struct svi_chain *chain, char *dst, const char *src,
                      int64_t count)
{
    convert_in_blocks(isa, chain, (struct svi_factors){"", "", 0}, dst, src, count);
}

/* --- in cache or beyond the NT threshold ------------------------------------------- */

/* Measured: doc/internals/copy_experiments.md#how-are-runs-converted. */
enum {
    PIECE_BYTES = 1024, /* bytes, of the larger side, that are converted to a buffer and then stored */
    PARTS = 4, /* parts of the source that are read alternately */
    PART_BYTES = 16384, /* bytes of each part */
    PART_PIECE_BYTES = 512, /* bytes of a part that are read at a time */
    PREFETCH_BYTES = 1024, /* prefetch distance */
    SHORT_RUN_BYTES = 2048 /* bytes of a run whose partial lines cost more than non-temporal stores save */
};

int64_t svi_cast_piece(const struct svi_plan *plan)
{
    return PIECE_BYTES / (plan->item > plan->src_item ? plan->item : plan->src_item);
}

static void fetch_ahead(struct svi_ahead *a)
{
    int64_t lines = a->lines;

    if (a->rows > 0 && a->at + lines * SVI_LINE < a->nbytes) {
        const char *first = a->row + a->at;

        for (int64_t k = 0; k < lines; k++)
            svi_prefetch_l2(first + k * SVI_LINE);
        a->at += lines * SVI_LINE;
        return;
    }
    for (; lines > 0 && a->rows > 0; lines--) {
        svi_prefetch_l2(a->row + a->at);
        a->at += SVI_LINE;
        if (a->at >= a->nbytes) {
            a->at = 0;
            a->row += a->step;
            a->rows--;
        }
    }
}

void svi_convert_items(const struct svi_cast *c, const struct svi_cast_items *i)
{
    const int64_t item = c->plan->item, src_item = c->plan->src_item;
    int64_t some;

    if (c->scaling == NULL) {
        svi_host_convert(c->isa, &c->plan->chain, i->dst, i->src, i->count);
        return;
    }
    for (int64_t at = 0; at < i->count; at += some) {
        struct svi_factors factors;

        some = i->count - at;
        factors = svi_scaling_find(c->scaling, i->first + at, &some);
        convert_in_blocks(c->isa, svi_scaling_chain(c->scaling), factors, i->dst + at * item, i->src + at * src_item,
                          some);
    }
}

/* Converts count items from item `at` on, by way of a place in the buffer with the same offset in a line. */
SVI_INLINE void stream_piece(const struct svi_cast *c, const struct svi_cast_items *i, int64_t at, int64_t count,
                             char *buffer)
{
    char *const dst = i->dst + at * c->plan->item, *const place = buffer + (uintptr_t)dst % SVI_LINE;

    svi_convert_items(c, &(struct svi_cast_items){place, i->src + at * c->plan->src_item, i->first + at, count});
    c->isa->nt->copy(dst, place, (size_t)(count * c->plan->item));
}

/* Whether several parts of the source are read alternately. The copy is limited by reads, and some processors read
 * several pages at a time faster than one. */
static bool has_alternating_reads(const struct svi_cast *c)
{
    const struct svi_plan *plan = c->plan;

    return c->machine->tuning->row_streams && plan->item < plan->src_item &&
           plan->src_item <= PART_PIECE_BYTES / SVI_BLOCK;
}

/* Converts items from item `at` on, alternating between several parts. Returns the first item that is left. */
static int64_t stream_alternating(const struct svi_cast *c, const struct svi_cast_items *i, int64_t at, char *buffer)
{
    const int64_t src_item = c->plan->src_item, piece = PART_PIECE_BYTES / src_item, part = PART_BYTES / src_item;

    for (; at + PARTS * part <= i->count; at += PARTS * part)
        for (int64_t k = 0; k < part; k += piece)
            for (int64_t n = at + k; n < at + PARTS * part; n += part) {
                for (int64_t line = 0; line < PART_PIECE_BYTES; line += SVI_LINE)
                    svi_prefetch(i->src + n * src_item + PREFETCH_BYTES + line);
                stream_piece(c, i, n, piece, buffer);
            }
    return at;
}

/* Converts a run by pieces of whole lines; only the ends may be partial lines. */
static void stream_converted_run(const struct svi_cast *c, const struct svi_cast_items *i, struct svi_ahead *ahead)
{
    _Alignas(SVI_LINE) char buffer[PIECE_BYTES + SVI_LINE];
    const int64_t item = c->plan->item, piece = svi_cast_piece(c->plan);
    const int64_t head = svi_smaller((int64_t)(-(uintptr_t)i->dst % SVI_LINE) / item, i->count);
    int64_t at = head;

    if (head > 0)
        stream_piece(c, i, 0, head, buffer);
    if (has_alternating_reads(c))
        at = stream_alternating(c, i, at, buffer);
    if (ahead != NULL)
        ahead->at += (at - head) * c->plan->src_item;
    for (; at < i->count; at += piece) {
        if (ahead != NULL)
            fetch_ahead(ahead);
        stream_piece(c, i, at, svi_smaller(piece, i->count - at), buffer);
    }
}

static bool has_dear_ends(const struct svi_cast *c, const struct svi_cast_items *i)
{
    const int64_t nbytes = i->count * c->plan->item;

    return c->machine->tuning->short_rows_cached && nbytes < SHORT_RUN_BYTES &&
           (((uintptr_t)i->dst | (uintptr_t)nbytes) % SVI_LINE) != 0;
}

void svi_cast_run(const struct svi_cast *c, const struct svi_cast_items *items, struct svi_ahead *ahead)
{
    const bool streams = c->beyond_cache && !has_dear_ends(c, items);

    if (streams) {
        stream_converted_run(c, items, ahead);
        return;
    }
    for (int64_t at = 0; ahead != NULL && c->beyond_cache && at < items->count; at += svi_cast_piece(c->plan))
        fetch_ahead(ahead);
    svi_convert_items(c, items);
}
