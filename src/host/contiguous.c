#include "kernels.h"

void svi_host_contiguous(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    if (machine->isa->stream_copy != NULL && svi_is_past_cache(machine, plan)) {
        machine->isa->stream_copy(dst, src, (size_t)plan->nbytes);
        machine->isa->fence();
    } else {
        svi_move(machine, dst, src, (size_t)plan->nbytes);
    }
}
