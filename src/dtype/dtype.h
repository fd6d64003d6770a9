/* Element types: one table, all spellings. */
#ifndef SVI_DTYPE_H
#define SVI_DTYPE_H

#include <stdbool.h>

#include "base/status.h"
#include "dtype/types.h"

enum { SVI_DTYPE_TEXT = 32 }; /* holds any name with its NUL */

static inline sv_dtype svi_dtype_pack(uint32_t code, uint32_t bits, uint32_t lanes)
{
    return code | bits << 8 | lanes << 16;
}

static inline uint32_t svi_dtype_lanes(sv_dtype dtype)
{
    return dtype >> 16;
}

/* Bits of what is known to be a type; 0 of SV_OPAQUE. */
static inline int64_t svi_dtype_bits(sv_dtype dtype)
{
    return (int64_t)(dtype >> 8 & 0xff) * (dtype >> 16);
}

static inline int64_t svi_dtype_bytes(sv_dtype dtype)
{
    return (svi_dtype_bits(dtype) + 7) / 8;
}

/* Whether some bits of its bytes mean nothing. */
static inline bool svi_dtype_is_padded(sv_dtype dtype)
{
    return svi_dtype_bits(dtype) % 8 != 0;
}

/* One type: a row of dtypes.def. Typestr and format are NULL where NumPy, or PEP 3118, has no such type. */
struct svi_dtype_row {
    uint8_t code, bits;
    uint8_t kind, special; /* enum svi_kind, svi_special */
    uint8_t fraction;
    int16_t bias;
    const char *name, *typestr, *format;
};

/* Of a type of any number of lanes, which is not looked at; NULL where there is no such type. */
const struct svi_dtype_row *svi_dtype_find_row(sv_dtype dtype);

/* Of a type of one lane. */
static inline enum svi_kind svi_dtype_kind(sv_dtype dtype)
{
    switch (dtype) {
#define SVI_DTYPE(KIND, NAME, ...) \
    case SV_##NAME: return SVI_##KIND;
#define SVI_BYTES(...)
#include "dtype/dtypes.def"
    default: return SVI_MOVED;
    }
}

/* Whether numbers of a kind become those of another: if unsafe, of any, and else of the same kind or a later one. */
static inline bool svi_kind_converts(enum svi_kind to, enum svi_kind from, bool unsafe)
{
    return to != SVI_MOVED && from != SVI_MOVED && (unsafe || from <= to);
}

/* SV_OK for SV_OPAQUE and every type of the table; else SV_ERROR_DTYPE with the numbers in the message. */
sv_status svi_dtype_check(sv_dtype dtype);

/* Name for messages; always writes, "dtype(code, bits, lanes)" for what is none. Returns text. */
const char *svi_dtype_text(sv_dtype dtype, char text[SVI_DTYPE_TEXT]);

/* SV_OK when a layout of this item size can hold dtype. SV_OPAQUE fits any. */
sv_status svi_dtype_fits(sv_dtype dtype, int64_t itemsize);

/* The type that PEP 3118 writes so, in native or in standard sizes; SV_OPAQUE when there is none. second is that of
 * "Zd", or not looked at. */
sv_dtype svi_dtype_of_letters(char letter, char second, bool native);

/* SV_ERROR_UNSUPPORTED for a number of the other byte order, with what works instead. kind: "format " or "", which the
 * message puts before text. */
sv_status svi_dtype_refuse_order(const char *kind, const char *text, sv_dtype native);

/* A type string of any items that can be moved as bytes: SV_OPAQUE and their size where there is no type. */
sv_status svi_typestr_read(const char *typestr, sv_dtype *dtype, int64_t *itemsize);

#endif
