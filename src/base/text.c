#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

void svi_text_add(struct svi_text *t, const char *format, ...)
{
    const size_t room = sizeof t->text - t->length;
    va_list arguments;
    int written;

    va_start(arguments, format);
    written = vsnprintf(t->text + t->length, room, format, arguments);
    va_end(arguments);
    if (written > 0)
        t->length += (size_t)written < room ? (size_t)written : room - 1;
}
