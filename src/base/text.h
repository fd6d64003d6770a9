/* Text of several lines that a function writes for its caller. */
#ifndef SVI_TEXT_H
#define SVI_TEXT_H

#include <stddef.h>

enum { SVI_TEXT = 16383 }; /* characters, as sv.h says: what does not fit is left out */

struct svi_text {
    size_t length;
    char text[SVI_TEXT + 1];
};

void svi_text_add(struct svi_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
