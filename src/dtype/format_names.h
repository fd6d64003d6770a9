/*
 * Whether a field's name was there before in its record, for format.c: a set of all names of one format, so that a
 * format of many fields is read in linear time. Names and records are told apart by where they begin in the text.
 */
#ifndef SVI_FORMAT_NAMES_H
#define SVI_FORMAT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Bytes of the longest text, with its NUL: places fit 32 bits, and the table of names is limited to 128 MiB. */
enum { SVI_FORMAT_LENGTH = 1 << 24 };

struct svi_format_name {
    uint32_t record, name; /* places in the text; no name is at place 0 */
};

enum { SVI_FEW_NAMES = 64 };

/* A hash table with open addressing. Formats of few names need no allocation. */
struct svi_format_names {
    const char *text;
    size_t mask;                   /* slots - 1 */
    struct svi_format_name *slots; /* few, or allocated */
    struct svi_format_name few[SVI_FEW_NAMES];
};

/* Room for every name that text, of less than SVI_FORMAT_LENGTH bytes, can have. */
sv_status svi_format_names_begin(struct svi_format_names *names, const char *text);

/* False where the record has the name already. record, name: in the text; a colon ends the name. */
bool svi_format_names_add(struct svi_format_names *names, const char *record, const char *name);

void svi_format_names_end(struct svi_format_names *names);

#endif
