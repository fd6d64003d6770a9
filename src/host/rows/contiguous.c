#include "host/kernels.h"

/* Several streams of pieces, read alternately. nbytes: a piece or more. */
static void in_turns(const struct svi_isa *isa, char *dst, const char *src, size_t nbytes, int64_t piece, int streams)
{
    const size_t head = (size_t)-(uintptr_t)dst % SVI_LINE;
    const int64_t body = (int64_t)(nbytes - head) / (piece * streams) * streams;

    isa->stream_copy(dst, src, head);
    isa->stream_turns(dst + head, piece, src + head, piece, body, piece, 0, streams);
    dst += (int64_t)head + body * piece;
    src += (int64_t)head + body * piece;
    isa->stream_copy(dst, src, nbytes - head - (size_t)(body * piece));
}

bool svi_is_contiguous_streamed(const struct svi_host_copy *c)
{
    return c->past_cache && c->machine->isa->stream_copy != NULL;
}

bool svi_contiguous_streamed(const struct svi_host_copy *c)
{
    const struct svi_isa *isa = c->machine->isa;
    const struct svi_tuning *tuning = c->machine->tuning;

    if (tuning->row_streams && c->plan->nbytes >= tuning->contiguous_stream_bytes)
        in_turns(isa, c->dst, c->src, (size_t)c->plan->nbytes, tuning->contiguous_stream_bytes,
                 tuning->contiguous_streams);
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
