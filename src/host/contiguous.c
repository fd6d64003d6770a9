#include "kernels.h"

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

void svi_host_contiguous(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    if (machine->isa->stream_copy != NULL && svi_is_past_cache(machine, plan)) {
        if (machine->intel && plan->nbytes >= PIECE)
            in_turns(machine->isa, dst, src, (size_t)plan->nbytes);
        else
            machine->isa->stream_copy(dst, src, (size_t)plan->nbytes);
        machine->isa->fence();
    } else {
        svi_move(machine, dst, src, (size_t)plan->nbytes);
    }
}
