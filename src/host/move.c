/* Long runs in cache. */
#include <string.h>

#include "kernels.h"

void svi_move(const struct svi_machine *machine, char *dst, const char *src, size_t nbytes)
{
#ifdef __x86_64__
    if (machine->moves_strings && ((uintptr_t)dst - (uintptr_t)src) % SVI_LINE == 0) {
        __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(nbytes) : : "memory");
        return;
    }
#endif
    (void)machine;
    memcpy(dst, src, nbytes);
}
