/* Runs of more than SVI_PLAN_ITEM bytes, one after another. */
#include "checked.h"
#include "items.h"
#include "kernels.h"
#include "odometer.h"

typedef void run(char *restrict dst, const char *restrict src, size_t nbytes);

/* --- in cache ------------------------------------------------------------- */

enum {
    LONG_RUN = 256,    /* from here on a call of memcpy pays */
    STRING_RUN = 2048, /* bytes from which on a processor that moves strings does so faster, */
    FAR_STRING = 8192, /* and from which on where rows with gaps come from behind the second cache; */
    FAR_TURNS = 3072,  /* bytes from which on these are strings and vectors in turns */
    NEAREST = 32768    /* bytes of both sides that are in the first cache */
};

/* 16 to 32 bytes: the halves overlap. */
SVI_INLINE void run_32(char *restrict dst, const char *restrict src, size_t nbytes)
{
    char head[16], tail[16];

    memcpy(head, src, 16);
    memcpy(tail, src + nbytes - 16, 16);
    memcpy(dst, head, 16);
    memcpy(dst + nbytes - 16, tail, 16);
}

/* 32 bytes and more. */
SVI_INLINE void run_short(char *restrict dst, const char *restrict src, size_t nbytes)
{
    size_t k = 0;

    for (; k + 32 <= nbytes; k += 32)
        memcpy(dst + k, src + k, 32);
    if (k < nbytes)
        memcpy(dst + nbytes - 32, src + nbytes - 32, 32);
}

SVI_INLINE void run_long(char *restrict dst, const char *restrict src, size_t nbytes)
{
    memcpy(dst, src, nbytes);
}

SVI_INLINE void rows(const struct svi_plan *plan, char *dst, const char *src, size_t nbytes, run *copy)
{
    const int32_t row = plan->ndim - 2;
    const int64_t count = plan->shape[row], dst_step = plan->dst[row], src_step = plan->src[row];
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do {
        char *to = outer.dst;
        const char *from = outer.src;

        for (int64_t i = 0; i < count; i++, to += dst_step, from += src_step)
            copy(to, from, nbytes);
    } while (svi_odometer_next(&outer));
}

/* By the vectors of the processor. */
static void rows_of_vectors(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src,
                            int64_t nbytes, bool fetches)
{
    const int32_t row = plan->ndim - 2;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        isa->near_rows(outer.dst, plan->dst[row], outer.src, plan->src[row], plan->shape[row], nbytes,
                       fetches);
    while (svi_odometer_next(&outer));
}

/* By what the processor has for strings. */
static void rows_of_strings(const struct svi_plan *plan, char *dst, const char *src, int64_t nbytes)
{
    const int32_t row = plan->ndim - 2;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        svi_move_rows(outer.dst, plan->dst[row], outer.src, plan->src[row], plan->shape[row], (size_t)nbytes);
    while (svi_odometer_next(&outer));
}

/* A string begins while what vectors stored before is on its way. */
static void rows_in_turns(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src,
                          int64_t nbytes)
{
    const int32_t row = plan->ndim - 2;
    const int64_t dst_step = plan->dst[row], src_step = plan->src[row];
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do {
        char *to = outer.dst;
        const char *from = outer.src;

        for (int64_t i = 0; i < plan->shape[row]; i++, to += dst_step, from += src_step)
            if (i % 2 == 0)
                svi_move_rows(to, dst_step, from, src_step, 1, (size_t)nbytes);
            else
                isa->near_rows(to, dst_step, from, src_step, 1, nbytes, true);
    } while (svi_odometer_next(&outer));
}

/* Rows of both sides begin as far into a line. */
static bool is_alike(const struct svi_plan *plan, const char *dst, const char *src)
{
    uint64_t all = (uintptr_t)dst - (uintptr_t)src;

    for (int32_t k = 0; k < plan->ndim - 1; k++)
        all |= (uint64_t)plan->dst[k] - (uint64_t)plan->src[k];
    return all % SVI_LINE == 0;
}

static void in_cache(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                     int64_t nbytes)
{
    const struct svi_isa *isa = machine->isa;
    const bool has_vectors = isa->near_rows != NULL && nbytes >= isa->vector;
    const bool far = has_vectors && plan->src[plan->ndim - 2] != nbytes && plan->reach > (uint64_t)machine->second;
    const bool strings =
        machine->moves_strings && nbytes >= STRING_RUN && plan->reach > NEAREST && is_alike(plan, dst, src);

    if (strings && (!far || nbytes >= FAR_STRING))
        rows_of_strings(plan, dst, src, nbytes);
    else if (strings && far && nbytes >= FAR_TURNS)
        rows_in_turns(isa, plan, dst, src, nbytes);
    else if (has_vectors)
        rows_of_vectors(isa, plan, dst, src, nbytes, far);
    else if (nbytes <= 32)
        rows(plan, dst, src, (size_t)nbytes, run_32);
    else if (nbytes < LONG_RUN)
        rows(plan, dst, src, (size_t)nbytes, run_short);
    else
        rows(plan, dst, src, (size_t)nbytes, run_long);
}

/* --- past the cache ------------------------------------------------------- */

enum {
    STREAM_RUN = 512, /* bytes from which on the ends of a run need not be whole lines */
    PARTS_RUN = 128,  /* bytes that have a whole line at least, wherever they begin; without masks twice as many pay */
    SHORT_RUN = 512,  /* bytes below which a group of rows makes a longer run of the destination */
    FEW_LINES = 256,  /* bytes of rows in another order that are fetched at once: one of them, two or four */
    WHOLE_RUN = 1024, /* bytes up to which all of a row is fetched at once */
    AHEAD = 6144,      /* bytes that are fetched before they are needed: */
    ROWS_AHEAD = 4096, /* of short rows, */
    NEAR_AHEAD = 2048 /* of several rows at once, and of the destination */
};

/*
 * Rows with gaps between them that are read line by line in turns. One after the other, longer ones would make the
 * processor read on behind their ends; of shorter ones, all that is fetched of a row is fetched at once.
 */
static int in_turns(int64_t nbytes)
{
    return nbytes <= WHOLE_RUN ? 1 : nbytes >= 4096 && nbytes < 16384 ? 4 : 2;
}

typedef void rows_along(const struct svi_isa *isa, const struct svi_odometer_axis *axis, int64_t nbytes, char *dst,
                        const char *src);
typedef void rows_across(const struct svi_isa *isa, const struct svi_odometer_axis *axis,
                         const struct svi_odometer_axis *next, int64_t nbytes, char *dst, const char *src);

/* Rows that follow each other in the same order on both sides. */
static void lines_along(const struct svi_isa *isa, const struct svi_odometer_axis *axis, int64_t nbytes, char *dst,
                        const char *src)
{
    const int group = in_turns(nbytes);

    if (axis->src == nbytes || axis->src == 0) /* the processor foresees it, or has it */
        isa->stream_rows(dst, axis->dst, src, axis->src, axis->extent, nbytes, 0);
    else if (group == 1)
        isa->stream_short(dst, axis->dst, src, axis->src, axis->extent, nbytes, ROWS_AHEAD / nbytes * axis->src);
    else
        isa->stream_turns(dst, axis->dst, src, axis->src, axis->extent, nbytes, group * axis->src, group);
}

/* The source has rows in the order of axis, the destination in that of next: a group of the latter makes a longer run. */
static void lines_across(const struct svi_isa *isa, const struct svi_odometer_axis *axis,
                         const struct svi_odometer_axis *next, int64_t nbytes, char *dst, const char *src)
{
    const int64_t group = nbytes < SHORT_RUN ? 4 : nbytes < 2 * SHORT_RUN ? 2 : 1;
    const int64_t ahead = group > 1 ? (NEAR_AHEAD / nbytes + 1) * axis->src : 0;
    svi_stream_rows *stream_rows = FEW_LINES % nbytes == 0 ? isa->stream_short : isa->stream_rows;

    for (int64_t k = 0; k < next->extent; k += group) {
        const int64_t rows = next->extent - k < group ? next->extent - k : group;
        char *to = dst + k * next->dst;
        const char *from = src + k * next->src;

        for (int64_t i = 0; i < axis->extent; i++)
            stream_rows(to + i * axis->dst, next->dst, from + i * axis->src, next->src, rows, nbytes, ahead);
    }
}

/* Rows that begin and end anywhere in a line. */
static void parts_along(const struct svi_isa *isa, const struct svi_odometer_axis *axis, int64_t nbytes, char *dst,
                        const char *src)
{
    const int64_t ahead = ROWS_AHEAD / nbytes + 1, dst_ahead = NEAR_AHEAD / nbytes + 1;

    isa->stream_parts(dst, axis->dst, src, axis->src, axis->extent, nbytes, ahead * axis->src, dst_ahead * axis->dst);
}

/* The same for rows that begin and end anywhere in a line: eight share most of the ends. */
static void parts_across(const struct svi_isa *isa, const struct svi_odometer_axis *axis,
                         const struct svi_odometer_axis *next, int64_t nbytes, char *dst, const char *src)
{
    const int64_t group = 8, ahead = (NEAR_AHEAD / nbytes + 1) * axis->src, dst_ahead = 2 * axis->dst;

    for (int64_t k = 0; k < next->extent; k += group) {
        const int64_t rows = svi_smaller(group, next->extent - k);
        char *to = dst + k * next->dst;
        const char *from = src + k * next->src;

        for (int64_t i = 0; i < axis->extent; i++)
            isa->stream_parts(to + i * axis->dst, next->dst, from + i * axis->src, next->src, rows, nbytes, ahead,
                              dst_ahead);
    }
}

/* The axis with the smallest step in the destination. */
static int32_t fastest(const struct svi_odometer *o)
{
    int32_t best = 0;

    for (int32_t k = 1; k < o->ndim; k++)
        if (svi_abs(o->axis[k].dst) < svi_abs(o->axis[best].dst))
            best = k;
    return best;
}

/* Rows of the source as they lie in memory. */
static void by_source(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src,
                      int64_t nbytes, rows_along *along, rows_across *across)
{
    struct svi_odometer outer;
    struct svi_odometer_axis axis, next = {.extent = 0};

    svi_odometer_init(&outer, plan, plan->ndim - 1, -1, dst, src);
    svi_odometer_by_source(&outer);
    if (fastest(&outer) != outer.ndim - 1)
        next = svi_odometer_take(&outer, fastest(&outer));
    axis = svi_odometer_take(&outer, outer.ndim - 1);
    do
        if (next.extent != 0)
            across(isa, &axis, &next, nbytes, outer.dst, outer.src);
        else
            along(isa, &axis, nbytes, outer.dst, outer.src);
    while (svi_odometer_next(&outer));
    isa->fence();
}

/* Whole lines of the destination. */
static void stream_lines(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src,
                         int64_t nbytes)
{
    by_source(isa, plan, dst, src, nbytes, lines_along, lines_across);
}

/* Short rows that begin and end within a line: what two of them have in one line is stored at once. */
static void stream_parts(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src,
                         int64_t nbytes)
{
    by_source(isa, plan, dst, src, nbytes, parts_along, parts_across);
}

/* Rows that begin and end within a line. The next is on its way while this one is stored. */
static void stream_runs(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src,
                        int64_t nbytes)
{
    const int64_t ahead = AHEAD / nbytes + 1, fetched = nbytes < AHEAD ? nbytes : AHEAD;
    struct svi_odometer outer;
    struct svi_odometer_axis axis;

    svi_odometer_init(&outer, plan, plan->ndim - 1, -1, dst, src);
    svi_odometer_by_source(&outer);
    axis = svi_odometer_take(&outer, outer.ndim - 1);
    do
        for (int64_t i = 0; i < axis.extent; i++) {
            const char *from = outer.src + i * axis.src;

            for (int64_t k = 0; k < fetched; k += SVI_LINE)
                __builtin_prefetch(from + ahead * axis.src + k);
            isa->stream_copy(outer.dst + i * axis.dst, from, (size_t)nbytes);
        }
    while (svi_odometer_next(&outer));
    isa->fence();
}

/* Rows that follow each other in the destination make lines together. */
static void stream_dense(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src,
                         int64_t nbytes)
{
    const int32_t row = plan->ndim - 2;
    const int64_t ahead = (ROWS_AHEAD / svi_larger(svi_abs(plan->src[row]), nbytes) + 1) * plan->src[row];
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        isa->stream_units(outer.dst, outer.src, plan->src[row], plan->shape[row], nbytes, ahead);
    while (svi_odometer_next(&outer));
    isa->fence();
}

static uint64_t bits_of(const struct svi_plan *plan, const char *dst)
{
    const int32_t last = plan->ndim - 1;
    uint64_t all = (uintptr_t)dst | (uint64_t)(plan->shape[last] * plan->item);

    for (int32_t k = 0; k < last; k++)
        all |= (uint64_t)plan->dst[k];
    return all;
}

bool svi_is_dense(const struct svi_plan *plan, const char *dst)
{
    const int32_t last = plan->ndim - 1;

    return plan->dst[last - 1] == plan->shape[last] * plan->item && bits_of(plan, dst) % SVI_UNIT == 0;
}

bool svi_has_lines(const struct svi_plan *plan, const char *dst)
{
    return bits_of(plan, dst) % SVI_LINE == 0;
}

static bool is_for_parts(const struct svi_isa *isa, const struct svi_plan *plan, const char *dst, int64_t nbytes)
{
    const int64_t least = isa->vector < SVI_LINE ? 2 * PARTS_RUN : PARTS_RUN;

    return isa->stream_parts != NULL && nbytes >= least && bits_of(plan, dst) % 2 == 0;
}

static bool stream(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                   int64_t nbytes)
{
    if (machine->isa->stream_rows == NULL || !svi_is_past_cache(machine, plan))
        return false;
    if (svi_has_lines(plan, dst))
        stream_lines(machine->isa, plan, dst, src, nbytes);
    else if (nbytes >= STREAM_RUN)
        stream_runs(machine->isa, plan, dst, src, nbytes);
    else if (svi_is_dense(plan, dst))
        stream_dense(machine->isa, plan, dst, src, nbytes);
    else if (is_for_parts(machine->isa, plan, dst, nbytes))
        stream_parts(machine->isa, plan, dst, src, nbytes);
    else
        return svi_host_gaps(machine, plan, plan->ndim - 2, dst, src, nbytes, NULL);
    return true;
}

void svi_host_rows(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const int64_t nbytes = plan->shape[plan->ndim - 1] * plan->item;

    if (!stream(machine, plan, dst, src, nbytes))
        in_cache(machine, plan, dst, src, nbytes);
}
