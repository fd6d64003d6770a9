/* The formats of PEP 3118, read by their whole grammar. */
#ifndef SVI_FORMAT_H
#define SVI_FORMAT_H

#include <stdbool.h>

#include "base/status.h"

/* What a format says of one item of an array. */
struct svi_format {
    sv_dtype number; /* when it is one number, not repeated and in no record; else SV_OPAQUE */
    bool swapped;    /* the number is in the other byte order */
    bool objects;    /* somewhere in it are references to Python objects */
};

/* SV_ERROR_DTYPE, with the place in the message, when format breaks the grammar. NULL is "B". */
sv_status svi_format_read(const char *format, struct svi_format *out);

#endif
