/* Every way to copy or to fill bytes that follow each other which is the best one on some processor. */
#ifndef BENCH_CONTIGUOUS_H
#define BENCH_CONTIGUOUS_H

#include <stdbool.h>
#include <stddef.h>

struct bench_contiguous {
    const char *name;
    void (*copy)(char *dst, const char *src, size_t nbytes); /* dst is aligned to 64 bytes */
    void (*fill)(char *dst, size_t nbytes);
};

/* Those that this processor has, memcpy and memset first; all of the others store non-temporally, or for big copies. */
const struct bench_contiguous *bench_contiguous(int *count);

#endif
