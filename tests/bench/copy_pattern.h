/* What is copied, and whether it arrived: each element tells from where it comes, so the source is not read again. */
#ifndef BENCH_COPY_PATTERN_H
#define BENCH_COPY_PATTERN_H

#include "copy_cases.h"

/* Numbers without rule, that are ordinary ones of the type; where the copy converts, 0 to 63. */
void bench_pattern_write(const struct bench_case *c, void *src, int64_t nbytes);

/*
 * Whether dst holds what bench_pattern_write() left in the source, element by
 * element, and 0 between them: the first nbytes are looked at. The elements of
 * a destination with gaps are 0 then.
 */
bool bench_pattern_is_right(const struct bench_case *c, char *dst, int64_t nbytes);

#endif
