/* Element types: one table, all spellings. */
#ifndef SVI_DTYPE_H
#define SVI_DTYPE_H

#include "status.h"

enum { SVI_DTYPE_TEXT = 32 }; /* holds any name with its NUL */

static inline sv_dtype svi_dtype_pack(uint32_t code, uint32_t bits, uint32_t lanes)
{
    return code | bits << 8 | lanes << 16;
}

/* SV_OK for SV_OPAQUE and every type of the table; else SV_ERROR_DTYPE with the numbers in the message. */
sv_status svi_dtype_check(sv_dtype dtype);

/* Name for messages; always writes, "dtype(code, bits, lanes)" for what is none. Returns text. */
const char *svi_dtype_text(sv_dtype dtype, char text[SVI_DTYPE_TEXT]);

/* SV_OK when a layout of this item size can hold dtype. SV_OPAQUE fits any. */
sv_status svi_dtype_fits(sv_dtype dtype, int64_t itemsize);

#endif
