/*
 * A run that is stored non-temporally piece by piece, each from a buffer in
 * which it is as far into a line as in the destination: whole lines are stored,
 * what is left over is kept in front of the next piece.
 */
#ifndef SVI_HOST_CARRY_LINE_H
#define SVI_HOST_CARRY_LINE_H

#include "host/isa/isa.h"
#include "elements.h"

/* Bytes between the rows of a buffer that are stored pitch bytes apart, each of them most bytes and a line in front. */
SVI_INLINE int64_t svi_keep_pitch(int64_t most, int64_t pitch)
{
    return most + 2 * SVI_LINE + (int64_t)((uint64_t)pitch % SVI_LINE);
}

typedef void svi_put(char *dst, const char *src, size_t nbytes);

/* width bytes at row, whole lines of them but for the last piece; what is in front of the first is not ours. */
SVI_INLINE void svi_keep_put(svi_put *put, char *dst, char *row, int64_t width, bool first, bool last)
{
    const int64_t place = (int64_t)((uintptr_t)row % SVI_LINE), kept = first ? 0 : place;

    put(dst - kept, row - kept, (size_t)(kept + width - (last ? 0 : place)));
    if (!last && place > 0)
        memcpy(row - place, row - place + width, SVI_LINE);
}

#endif
