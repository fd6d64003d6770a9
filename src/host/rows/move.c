/* Long runs in cache. */
#include <string.h>

#include "host/kernels.h"

enum { PAGE = 4096 };

static inline void move_string(char *dst, const char *src, size_t nbytes)
{
#ifdef __x86_64__
    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(nbytes) : : "memory");
#else
    memcpy(dst, src, nbytes);
#endif
}

/* A place less than a line further into a page than the source's is where strings are slow. */
bool svi_moves_string(const struct svi_machine *machine, const char *dst, const char *src)
{
    const uintptr_t further = ((uintptr_t)dst - (uintptr_t)src) % PAGE;

    return machine->moves_strings && (further == 0 || further >= SVI_LINE);
}

void svi_move(const struct svi_machine *machine, char *dst, const char *src, size_t nbytes)
{
    if (svi_fetches_rows(machine) && nbytes >= (size_t)machine->tuning->fetched_run_bytes)
        machine->isa->move_rows(dst, 0, src, 0, 1, (int64_t)nbytes);
    else if (svi_moves_string(machine, dst, src))
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
