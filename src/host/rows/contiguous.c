#include "host/kernels.h"

enum { PIECE = 16384, PIECES = 4 }; /* bytes; as many take turns */

/* Intel's processors move lines of several pages in turns faster than page after page. nbytes: PIECE or more. */
static void in_turns(const struct svi_isa *isa, char *dst, const char *src, size_t nbytes)
{
    const size_t head = (size_t)-(uintptr_t)dst % SVI_LINE, body = (nbytes - head) / (PIECE * PIECES) * PIECES;

    isa->stream_copy(dst, src, head);
    isa->stream_turns(dst + head, PIECE, src + head, PIECE, (int64_t)body, PIECE, 0, PIECES);
    dst += head + body * PIECE;
    src += head + body * PIECE;
    isa->stream_copy(dst, src, nbytes - head - body * PIECE);
}

bool svi_is_contiguous_streamed(const struct svi_host_copy *c)
{
    return c->past_cache && c->machine->isa->stream_copy != NULL;
}

bool svi_contiguous_streamed(const struct svi_host_copy *c)
{
    const struct svi_isa *isa = c->machine->isa;

    if (c->machine->tuning->row_streams && c->plan->nbytes >= PIECE)
        in_turns(isa, c->dst, c->src, (size_t)c->plan->nbytes);
    else
        isa->stream_copy(c->dst, c->src, (size_t)c->plan->nbytes);
    isa->fence();
    return true;
}

bool svi_contiguous_cached(const struct svi_host_copy *c)
{
    svi_move(c->machine, c->dst, c->src, (size_t)c->plan->nbytes);
    return true;
}
