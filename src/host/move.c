/* Long runs in cache. */
#include <string.h>

#include "kernels.h"

enum { FETCHED_RUN = 16384 }; /* bytes, of each side, behind the first cache */

static inline void move_string(char *dst, const char *src, size_t nbytes)
{
#ifdef __x86_64__
    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(nbytes) : : "memory");
#else
    memcpy(dst, src, nbytes);
#endif
}

void svi_move(const struct svi_machine *machine, char *dst, const char *src, size_t nbytes)
{
    if (svi_fetches_rows(machine) && nbytes >= FETCHED_RUN)
        machine->isa->move_rows(dst, 0, src, 0, 1, (int64_t)nbytes);
    else if (machine->moves_strings && ((uintptr_t)dst - (uintptr_t)src) % SVI_LINE == 0)
        move_string(dst, src, nbytes);
    else
        memcpy(dst, src, nbytes);
}

/* A string does not begin before the last one is done: the line it begins with is fetched meanwhile. */
void svi_string_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, size_t nbytes)
{
    for (; rows > 0; rows--) {
        __builtin_prefetch(src + src_pitch);
        move_string(dst, src, nbytes);
        dst += dst_pitch;
        src += src_pitch;
    }
}
