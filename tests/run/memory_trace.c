/* The functions that a build of src/host with SVI_TRACE calls, and what they count. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "memory_trace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host/base/memory_hints.h"
#include "host/base/odometer.h"

enum {
    LINES = TRACE_ROOM / TRACE_LINE,
    NEAR = 8192, /* prefetches: within so many, 512 KiB of lines, a line is still in L2 */
    BUFFERS = 8  /* lines that wait at a time to be completed by non-temporal stores, at least, on any processor */
};

enum left { LEFT_NOT, LEFT_WHOLE, LEFT_IN_PART }; /* the cores, by NT stores */

struct side {
    char *begin;
    bool touched[LINES];
    uint32_t prefetched[LINES]; /* the number of the last prefetch, from 1 on; 0: none */
    uint8_t left[LINES];        /* enum left */
};

struct buffer {
    uint64_t line;
    uint64_t bytes;
};

static struct side dst_side, src_side;
static struct trace_counts counts;
static struct buffer buffers[BUFFERS]; /* the oldest first */
static int waiting;

/* --- memory ------------------------------------------------------------------------ */

static char *memory_of(struct side *side)
{
    if (side->begin == NULL) {
        char *const all = mmap(NULL, TRACE_ROOM + 2 * (size_t)TRACE_MARGIN, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (all == MAP_FAILED || mprotect(all + TRACE_MARGIN, TRACE_ROOM, PROT_READ | PROT_WRITE) != 0)
            abort();
        side->begin = all + TRACE_MARGIN;
    }
    return side->begin;
}

char *trace_dst(void)
{
    return memory_of(&dst_side);
}

char *trace_src(void)
{
    return memory_of(&src_side);
}

/* The number of the line of an address; LINES or more where it is none of this side. */
static uint64_t line_of(const struct side *side, const void *at)
{
    return ((uintptr_t)at - (uintptr_t)side->begin) / TRACE_LINE;
}

static bool is_near(const struct side *side, const void *at)
{
    return (uintptr_t)at - (uintptr_t)(side->begin - TRACE_MARGIN) < TRACE_ROOM + 2 * (uintptr_t)TRACE_MARGIN;
}

/* --- what a copy touches ------------------------------------------------------------- */

static int64_t touch(struct side *side, const char *at, int64_t nbytes)
{
    int64_t lines = 0;

    for (uint64_t k = line_of(side, at); k <= line_of(side, at + nbytes - 1); k++) {
        lines += !side->touched[k];
        side->touched[k] = true;
    }
    return lines;
}

int64_t trace_begin_copy(const struct svi_plan *plan, const char *dst, const char *src)
{
    struct svi_odometer o;
    int64_t lines = 0;

    memset(dst_side.touched, 0, sizeof dst_side.touched);
    memset(src_side.touched, 0, sizeof src_side.touched);
    svi_odometer_init(&o, plan, plan->ndim, -1, (char *)dst + plan->dst_offset, src + plan->src_offset);
    if (plan->kind == SVI_CLASS_CONTIGUOUS)
        return touch(&dst_side, o.dst, plan->nbytes) + touch(&src_side, o.src, plan->nbytes);
    for (; !o.ended; svi_odometer_next(&o))
        lines += touch(&dst_side, o.dst, plan->item) + touch(&src_side, o.src, plan->src_item);
    return lines;
}

/* --- while a loop runs ----------------------------------------------------------------- */

/* What is near neither side is a buffer of the loop's, which is in the cache. */
void svi_trace_prefetch(const void *at)
{
    struct side *const side = is_near(&dst_side, at) ? &dst_side : &src_side;
    const uint64_t line = line_of(side, at);

    counts.prefetches++;
    if (line < LINES) {
        const uint32_t before = side->prefetched[line];

        side->prefetched[line] = (uint32_t)counts.prefetches;
        if (before != 0 && counts.prefetches - before < NEAR)
            return;
    } else if (!is_near(side, at)) {
        return;
    }
    counts.fetched++;
    counts.needless += line >= LINES || !side->touched[line];
}

/* A line leaves for memory, where parts of it are put into what is there. */
static void drain(const struct buffer *b)
{
    uint8_t *const left = &dst_side.left[b->line];
    const bool whole = ~b->bytes == 0;

    counts.streamed++;
    counts.parts += !whole;
    if (*left == LEFT_WHOLE && whole)
        counts.repeated++;
    else if (*left != LEFT_NOT)
        counts.torn++;
    *left = whole ? LEFT_WHOLE : LEFT_IN_PART;
}

static void drain_buffer(int k)
{
    drain(&buffers[k]);
    waiting--;
    memmove(&buffers[k], &buffers[k + 1], (size_t)(waiting - k) * sizeof *buffers);
}

void svi_trace_nt_store(const void *at, size_t nbytes)
{
    const uint64_t line = line_of(&dst_side, at);
    const uint64_t ones = nbytes == TRACE_LINE ? ~(uint64_t)0 : ((uint64_t)1 << nbytes) - 1;
    int k = 0;

    if (line >= LINES) {
        counts.buffered++;
        return;
    }
    while (k < waiting && buffers[k].line != line)
        k++;
    if (k == waiting) {
        if (waiting == BUFFERS)
            drain_buffer(0);
        k = waiting++;
        buffers[k] = (struct buffer){line, 0};
    }
    buffers[k].bytes |= ones << ((uintptr_t)at % TRACE_LINE);
    if (~buffers[k].bytes == 0)
        drain_buffer(k);
}

void trace_begin_loop(void)
{
    memset(&counts, 0, sizeof counts);
    memset(dst_side.prefetched, 0, sizeof dst_side.prefetched);
    memset(src_side.prefetched, 0, sizeof src_side.prefetched);
    memset(dst_side.left, 0, sizeof dst_side.left);
    waiting = 0;
}

struct trace_counts trace_end_loop(void)
{
    while (waiting > 0)
        drain_buffer(0);
    return counts;
}
