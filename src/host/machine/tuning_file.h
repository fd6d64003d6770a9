/*
 * A file of SV_HOST_TUNING: lines `name = value` of the fields of struct svi_tuning, the first of which may be
 * `base = amd|intel|cautious`, whose values the other fields have. `#` begins a comment. A file with anything wrong in
 * it is not heeded at all.
 */
#ifndef SVI_HOST_TUNING_FILE_H
#define SVI_HOST_TUNING_FILE_H

#include "tuning.h"

enum { SVI_TUNING_FILE = 16384 /* bytes at most */, SVI_TUNING_NAME = 256 /* of a tuning and its file */ };

/* Why a file is not heeded. */
struct svi_tuning_fault {
    const char *why; /* NULL: it is */
    int line;        /* from 1 on; 0: no line of it */
};

/* out is base where the text does not say otherwise. */
struct svi_tuning_fault svi_tuning_parse(const char *text, const struct svi_tuning *base, struct svi_tuning *out);
struct svi_tuning_fault svi_tuning_read(const char *path, const struct svi_tuning *base, struct svi_tuning *out);

#endif
