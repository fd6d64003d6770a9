/* A column of a buffer becomes a run, of items of any size, which are moved as whole vectors. */
#ifndef SVI_HOST_TAKE_H
#define SVI_HOST_TAKE_H

#include "elements.h"

/* What is written behind an item is under the next. */
SVI_INLINE void take(char *run, const char *buffer, int64_t pitch, int64_t rows, size_t item, size_t moved)
{
#pragma GCC unroll 8
    for (int64_t k = 0; k < rows; k++)
        memcpy(run + k * (int64_t)item, buffer + k * pitch, moved);
}

static inline void take_long(char *run, const char *buffer, int64_t pitch, int64_t rows, size_t item)
{
    for (int64_t k = 0; k < rows; k++)
        for (size_t at = 0; at < item; at += SVI_LINE)
            memcpy(run + k * (int64_t)item + at, buffer + k * pitch + at, SVI_LINE);
}

/* Items of 3 bytes, two at a time. */
static inline void take_3(char *run, const char *buffer, int64_t pitch, int64_t rows)
{
#pragma GCC unroll 4
    for (int64_t k = 0; k < rows; k += 2) {
        uint32_t first, second;
        uint64_t both;

        memcpy(&first, buffer + k * pitch, 4);
        memcpy(&second, buffer + (k + 1) * pitch, 4);
        both = (first & 0xffffff) | (uint64_t)second << 24;
        memcpy(run + 3 * k, &both, 8);
    }
}

static inline void svi_take_column(char *run, const char *buffer, int64_t pitch, int64_t rows, size_t item)
{
    if (item == 3)
        take_3(run, buffer, pitch, rows);
    else if (item <= 4)
        take(run, buffer, pitch, rows, item, 4);
    else if (item <= 8)
        take(run, buffer, pitch, rows, item, 8);
    else if (item <= 16)
        take(run, buffer, pitch, rows, item, 16);
    else if (item <= 32)
        take(run, buffer, pitch, rows, item, 32);
    else
        take_long(run, buffer, pitch, rows, item);
}

#endif
