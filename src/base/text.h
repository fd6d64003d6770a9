/* A text of several lines that a function composes for its caller, such as that of explain. */
#ifndef SVI_TEXT_H
#define SVI_TEXT_H

#include <stddef.h>

enum { SVI_TEXT = 16383 }; /* most characters, as sv/copy.h says; the rest is left out */

struct svi_text {
    size_t length;
    char text[SVI_TEXT + 1];
};

/* Adds formatted text to the end. */
void svi_text_add(struct svi_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
