/* Copies that convert: runs of items that follow each other on both sides. */
#include "cast_job.h"

enum { PIECE = 1024 }; /* bytes that are converted to a buffer before they leave past the cache, of the larger side */

enum {
    PARTS = 4,    /* of the source that take turns, */
    PART = 16384, /* of so many bytes each, */
    SHORT = 512,  /* by pieces of so many, */
    SOON = 1024   /* and so many are fetched before they are needed */
};

int64_t svi_cast_piece(const struct svi_plan *plan)
{
    return PIECE / (plan->item > plan->src_item ? plan->item : plan->src_item);
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
        c->isa->stream_rows(dst, 0, buffer, 0, 1, dst_bytes, (struct svi_fetch){0, false});
        dst += dst_bytes;
        src += src_bytes;
    }
    return done;
}

/* The same, several parts of the source in turns. */
static int64_t stream_in_turns(const struct svi_cast *c, char *buffer, char *dst, const char *src, int64_t count)
{
    const int64_t item = c->plan->item, src_item = c->plan->src_item;
    const int64_t piece = SHORT / src_item, part = PART / src_item;
    int64_t done = 0;

    for (; done + PARTS * part <= count; done += PARTS * part)
        for (int64_t k = 0; k < part; k += piece)
            for (int64_t at = done + k; at < done + PARTS * part; at += part) {
                const char *from = src + at * src_item;

                for (int64_t line = 0; line < SHORT; line += SVI_LINE)
                    __builtin_prefetch(from + SOON + line);
                svi_host_convert(c->isa, &c->plan->chain, buffer, from, piece);
                c->isa->stream_rows(dst + at * item, 0, buffer, 0, 1, piece * item,
                                    (struct svi_fetch){0, false});
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
    _Alignas(SVI_LINE) char buffer[PIECE + SVI_LINE];
    const int64_t item = c->plan->item, src_item = c->plan->src_item;
    const int64_t piece = svi_cast_piece(c->plan);
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE);
    int64_t done = 0;

    if (count >= 2 * piece && head % item == 0) {
        stream_rest(c, buffer, dst, src, head / item, piece);
        done = head / item;
        if (c->in_turns) {
            const int64_t some = stream_in_turns(c, buffer, dst + done * item, src + done * src_item,
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
    if (c->past_cache)
        stream_run(c, dst, src, count, ahead);
    else
        svi_host_convert(c->isa, &c->plan->chain, dst, src, count);
}

/* Intel's processors read several pages in turns faster than page after page; it is reading that takes long here. */
bool svi_cast_in_turns(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return machine->tuning->row_streams && plan->item < plan->src_item && plan->src_item <= SHORT / SVI_BLOCK;
}
