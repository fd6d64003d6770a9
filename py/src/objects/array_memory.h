/* Host memory of fresh arrays: allocated for one view each, counted, and seen by tracemalloc. */
#ifndef SVPY_ARRAY_MEMORY_H
#define SVPY_ARRAY_MEMORY_H

#include "base/python.h"

/* Fresh host memory of a layout without gaps, aligned to 64 bytes, as a view. large: where blocks of 4 MiB and more
 * come from; NULL: libsv's default. Needs no lock. SV_ERROR_MEMORY comes without a message. */
sv_status svpy_new_array_memory(const sv_allocator *large, const sv_layout *layout, sv_dtype dtype, bool zeros,
                                sv_view **out);

/* An SV_STAT number of the memory that came from the C library, which no allocator counts: LIVE, PEAK and TOTAL, else
 * 0. */
int64_t svpy_array_stat(int32_t stat);

/* Let the peaks start again from what is live now. */
void svpy_array_reset_peaks(void);

#endif
