/*
 * What the loops of src/host ask of memory beyond loads and stores: lines that they prefetch, and lines that they store
 * by non-temporal stores. One copy at a time, on one thread.
 */
#ifndef MEMORY_TRACE_H
#define MEMORY_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

enum {
    TRACE_LINE = 64,
    TRACE_ROOM = 8 << 20,   /* bytes of a side's memory at most, */
    TRACE_MARGIN = 256 << 20 /* of addresses before and behind it, where each prefetch brings another line */
};

struct trace_counts {
    int64_t prefetches; /* instructions */
    int64_t fetched;    /* lines that they bring; a line that was prefetched not long before comes from the cache */
    int64_t needless;   /* of these, lines that the copy does not touch */
    int64_t streamed;   /* lines that leave by NT stores, again counted again, */
    int64_t parts;      /* of these, parts of lines, */
    int64_t torn;       /* lines of which a part leaves at one time and something else at another, */
    int64_t repeated;   /* and whole lines that leave again */
    int64_t buffered;   /* NT stores that are not to the destination */
};

/* Memory of each side, TRACE_ROOM bytes. */
char *trace_dst(void);
char *trace_src(void);

/* A copy between the addresses of elements [0,...,0]: how many lines it touches of both sides. */
int64_t trace_begin_copy(const struct svi_plan *plan, const char *dst, const char *src);

/* Before and after a loop does it. */
void trace_begin_loop(void);
struct trace_counts trace_end_loop(void);

#endif
