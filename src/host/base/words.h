/* 16 bytes of one item again and again, in registers; little-endian, as all that have vectors. */
#ifndef SVI_HOST_WORDS_H
#define SVI_HOST_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SVI_WORDS = 16 };

struct svi_words {
    uint64_t low, high;
};

/* Of an item that divides them. */
static inline struct svi_words svi_words_of(const char *src, size_t item)
{
    struct svi_words w = {0, 0};

    switch (item) {
    case 1: w.low = *(const uint8_t *)src * UINT64_C(0x0101010101010101); break;
    case 2: memcpy(&w.low, src, 2), w.low *= UINT64_C(0x0001000100010001); break;
    case 4: memcpy(&w.low, src, 4), w.low |= w.low << 32; break;
    default: memcpy(&w.low, src, 8); break;
    }
    if (item == 16)
        memcpy(&w.high, src + 8, 8);
    else
        w.high = w.low;
    return w;
}

#endif
