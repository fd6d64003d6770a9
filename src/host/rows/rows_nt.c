/* Runs of more than SVI_PLAN_ITEM bytes, one after another; past the cache here. */
#include "checked.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    PARTS_RUN = 128,   /* bytes that have a whole line at least wherever they begin; without masks twice as many */
    JOINED_ROWS = 8,   /* of rows that follow each other in the destination but not in the source, or */
    JOINED_RUN = 4096, /* bytes of them; */
    JOINED_LEAST = 192, /* bytes of rows that lose nothing by it but on Intel's processors, */
    JOINED_MOST = 1024, /* up to here */
    SHORT_RUN = 512,   /* bytes below which a group of rows makes a longer run of the destination */
    FEW_LINES = 256,   /* bytes of rows in another order that are fetched at once: one of them, two or four */
    WHOLE_RUN = 1024,  /* bytes up to which all of a row is fetched at once */
    OWN_RUN = 1024,    /* bytes from which on Intel's processors need no fetching, with four rows in turns, */
    OWN_PAGE = 4096,   /* and are faster so even where rows follow each other in the source */
    TURN = 256,        /* bytes of each stream of contiguous rows in a round, */
    NEAR = 4           /* where rows begin no more times their length apart */
};

/*
 * Rows with gaps between them that are read line by line in turns. One after the other, longer ones would make the
 * processor read on behind their ends; of shorter ones, all that is fetched of a row is fetched at once.
 */
static int in_turns(const struct svi_machine *machine, int64_t nbytes)
{
    if (machine->tuning->row_streams)
        return nbytes < OWN_RUN ? 1 : 4;
    return nbytes <= WHOLE_RUN ? 1 : nbytes >= 4096 && nbytes < 16384 ? 4 : 2;
}

typedef void rows_along(const struct svi_machine *machine, const struct svi_odometer_axis *axis, int64_t nbytes,
                        char *dst, const char *src);
typedef void rows_across(const struct svi_machine *machine, const struct svi_odometer_axis *axis,
                         const struct svi_odometer_axis *next, int64_t nbytes, char *dst, const char *src);

static struct svi_fetch fetch_of(const struct svi_machine *machine, int64_t ahead)
{
    return (struct svi_fetch){ahead, svi_fetches_once(machine)};
}

/* Intel's processors read several places in turns faster than one after the other: of rows with gaps that are not much
   longer, as many parts. Returns how many rows are done. */
static int64_t in_places(const struct svi_machine *machine, const struct svi_odometer_axis *axis, int64_t nbytes,
                         char *dst, const char *src)
{
    const int places = machine->tuning->row_stream_count / (nbytes < OWN_RUN ? 1 : 2);
    const int64_t part = axis->extent / places;

    if (!machine->tuning->row_streams || nbytes >= 2 * OWN_RUN || axis->src == 0 || axis->src == nbytes ||
        svi_abs(axis->src) > (uint64_t)(NEAR * nbytes))
        return 0;
    for (int64_t k = 0; k < part; k++)
        machine->isa->stream_turns(dst + k * axis->dst, part * axis->dst, src + k * axis->src, part * axis->src, places,
                                   nbytes, 0, places);
    return part * places;
}

/* Rows that follow each other in the same order on both sides. */
static void lines_along(const struct svi_machine *machine, const struct svi_odometer_axis *axis, int64_t nbytes,
                        char *dst, const char *src)
{
    const struct svi_isa *isa = machine->isa;
    const int group = in_turns(machine, nbytes);
    const int64_t done = in_places(machine, axis, nbytes, dst, src), rows = axis->extent - done;

    dst += done * axis->dst;
    src += done * axis->src;
    /* The processor has it, or foresees it. */
    if (axis->src == 0 || (axis->src == nbytes && !(machine->tuning->row_streams && nbytes >= OWN_PAGE)))
        isa->stream_rows(dst, axis->dst, src, axis->src, rows, nbytes, fetch_of(machine, 0));
    else if (group == 1)
        isa->stream_short(dst, axis->dst, src, axis->src, rows, nbytes,
                          fetch_of(machine, machine->tuning->short_row_prefetch_bytes / nbytes * axis->src));
    else
        isa->stream_turns(dst, axis->dst, src, axis->src, rows, nbytes,
                          machine->tuning->row_streams ? 0 : group * axis->src, group);
}

/* The source has rows in the order of axis, the destination in that of next: a group of these makes a longer run. */
static void lines_across(const struct svi_machine *machine, const struct svi_odometer_axis *axis,
                         const struct svi_odometer_axis *next, int64_t nbytes, char *dst, const char *src)
{
    const struct svi_isa *isa = machine->isa;
    const int64_t group = nbytes < SHORT_RUN ? 4 : nbytes < 2 * SHORT_RUN ? 2 : 1;
    const int64_t ahead = machine->tuning->near_row_prefetch_bytes / nbytes + 1;
    const struct svi_fetch fetch = fetch_of(machine, group > 1 ? ahead * axis->src : 0);
    svi_stream_rows *stream_rows = FEW_LINES % nbytes == 0 ? isa->stream_short : isa->stream_rows;

    for (int64_t k = 0; k < next->extent; k += group) {
        const int64_t rows = next->extent - k < group ? next->extent - k : group;
        char *to = dst + k * next->dst;
        const char *from = src + k * next->src;

        for (int64_t i = 0; i < axis->extent; i++)
            stream_rows(to + i * axis->dst, next->dst, from + i * axis->src, next->src, rows, nbytes, fetch);
    }
}

/* Intel's processors wait for parts of lines among whole ones that go past the cache. */
static svi_part_rows *parts_of(const struct svi_machine *machine)
{
    return machine->tuning->short_rows_cached ? machine->isa->cache_parts : machine->isa->stream_parts;
}

/* Rows that begin and end anywhere in a line. */
static void parts_along(const struct svi_machine *machine, const struct svi_odometer_axis *axis, int64_t nbytes,
                        char *dst, const char *src)
{
    const int64_t ahead = machine->tuning->short_row_prefetch_bytes / nbytes + 1;
    const int64_t dst_ahead = machine->tuning->near_row_prefetch_bytes / nbytes + 1;

    parts_of(machine)(dst, axis->dst, src, axis->src, axis->extent, nbytes, ahead * axis->src, dst_ahead * axis->dst);
}

/* The same for rows that begin and end anywhere in a line: eight share most of the ends. */
static void parts_across(const struct svi_machine *machine, const struct svi_odometer_axis *axis,
                         const struct svi_odometer_axis *next, int64_t nbytes, char *dst, const char *src)
{
    const int64_t group = 8, dst_ahead = 2 * axis->dst;
    const int64_t ahead = (machine->tuning->near_row_prefetch_bytes / nbytes + 1) * axis->src;

    for (int64_t k = 0; k < next->extent; k += group) {
        const int64_t rows = svi_smaller(group, next->extent - k);
        char *to = dst + k * next->dst;
        const char *from = src + k * next->src;

        for (int64_t i = 0; i < axis->extent; i++)
            parts_of(machine)(to + i * axis->dst, next->dst, from + i * axis->src, next->src, rows, nbytes, ahead,
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
static void by_source(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
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
            across(machine, &axis, &next, nbytes, outer.dst, outer.src);
        else
            along(machine, &axis, nbytes, outer.dst, outer.src);
    while (svi_odometer_next(&outer));
    machine->isa->fence();
}

/* Rows that begin and end within a line. The next is on its way while this one is stored, and what is no whole line. */
static void stream_runs(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                        int64_t nbytes)
{
    const struct svi_isa *isa = machine->isa;
    const int64_t distance = machine->tuning->row_prefetch_bytes;
    const int64_t ahead = distance / nbytes + 1, fetched = svi_smaller(nbytes, distance);
    struct svi_odometer outer, next;
    struct svi_odometer_axis axis;

    svi_odometer_init(&outer, plan, plan->ndim - 1, -1, dst, src);
    svi_odometer_by_source(&outer);
    axis = svi_odometer_take(&outer, outer.ndim - 1);
    next = outer;
    do {
        svi_odometer_next(&next);
        for (int64_t i = 0; i < axis.extent; i++) {
            const bool turns = i + ahead >= axis.extent, is_last = i + 1 == axis.extent;
            const int64_t row = turns ? svi_smaller(i + ahead - axis.extent, axis.extent - 1) : i + ahead;
            const char *from = (turns ? next.src : outer.src) + row * axis.src;
            char *to = is_last ? next.dst : outer.dst + (i + 1) * axis.dst;

            for (int64_t k = 0; k < fetched; k += SVI_LINE)
                __builtin_prefetch(from + k);
            __builtin_prefetch(to, 1);
            __builtin_prefetch(to + nbytes - 1, 1);
            isa->stream_copy(outer.dst + i * axis.dst, outer.src + i * axis.src, (size_t)nbytes);
        }
    } while (svi_odometer_next(&outer));
    isa->fence();
}

/* As in_places, of rows that follow each other in the destination: some in a turn, which are whole lines. */
static int64_t dense_in_places(const struct svi_machine *machine, int64_t pitch, int64_t rows, int64_t nbytes,
                               char *dst, const char *src)
{
    const int64_t streams = machine->tuning->row_stream_count / 2;
    const int64_t some = svi_larger(TURN / nbytes / 4, 1) * 4, part = rows / streams / some * some;

    if (!machine->tuning->row_streams || svi_abs(pitch) > (uint64_t)(NEAR * nbytes))
        return 0;
    for (int64_t k = 0; k < part; k += some)
        for (int64_t at = k; at < streams * part; at += part)
            machine->isa->stream_units(dst + at * nbytes, src + at * pitch, pitch, some, nbytes,
                                       fetch_of(machine, some * pitch));
    return part * streams;
}

/* Rows that follow each other in the destination make lines together. */
static void stream_dense(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                         int64_t nbytes)
{
    const int32_t row = plan->ndim - 2;
    const int64_t distance = machine->tuning->short_row_prefetch_bytes;
    const int64_t ahead = (distance / svi_larger(svi_abs(plan->src[row]), nbytes) + 1) * plan->src[row];
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do {
        const int64_t done =
            dense_in_places(machine, plan->src[row], plan->shape[row], nbytes, outer.dst, outer.src);

        machine->isa->stream_units(outer.dst + done * nbytes, outer.src + done * plan->src[row], plan->src[row],
                                   plan->shape[row] - done, nbytes, fetch_of(machine, ahead));
    } while (svi_odometer_next(&outer));
    machine->isa->fence();
}

/* Rows of a line or more that begin anywhere and follow each other in the destination, backwards where axis does. */
static void join(const struct svi_machine *machine, const struct svi_odometer_axis *axis, int64_t rows, int64_t nbytes,
                 int64_t ahead, char *dst, const char *src)
{
    const int64_t end = axis->dst < 0 ? rows - 1 : 0;

    machine->isa->stream_joined(dst + end * axis->dst, src + end * axis->src, axis->dst < 0 ? -axis->src : axis->src,
                                rows, nbytes, nbytes < OWN_PAGE ? ahead : 0);
}

static void joined_along(const struct svi_machine *machine, const struct svi_odometer_axis *axis, int64_t nbytes,
                         char *dst, const char *src)
{
    const int64_t step = axis->dst < 0 ? -axis->src : axis->src;
    const int64_t ahead = machine->tuning->short_row_prefetch_bytes / nbytes + 1;

    join(machine, axis, axis->extent, nbytes, ahead * step, dst, src);
}

/* The same where the source has another axis in order: some at a time. */
static void joined_across(const struct svi_machine *machine, const struct svi_odometer_axis *axis,
                          const struct svi_odometer_axis *next, int64_t nbytes, char *dst, const char *src)
{
    const int64_t group = svi_larger(JOINED_ROWS, JOINED_RUN / nbytes);

    for (int64_t k = 0; k < next->extent; k += group)
        for (int64_t i = 0; i < axis->extent; i++)
            join(machine, next, svi_smaller(group, next->extent - k), nbytes, axis->src,
                 dst + k * next->dst + i * axis->dst, src + k * next->src + i * axis->src);
}

bool svi_is_joined(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int32_t row = plan->ndim - 2;
    const int64_t nbytes = plan->shape[row + 1] * plan->item;

    if (machine->isa->stream_joined == NULL || !svi_is_past_cache(machine, plan) || plan->dst[row] != nbytes)
        return false;
    if (machine->tuning->joins_all_rows)
        return nbytes >= SVI_LINE;
    return nbytes >= JOINED_LEAST && nbytes <= JOINED_MOST &&
           (nbytes < machine->tuning->nt_row_bytes || plan->shape[row] > JOINED_ROWS);
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

static bool is_for_parts(const struct svi_machine *machine, const struct svi_plan *plan, const char *dst,
                         int64_t nbytes)
{
    const int64_t least = machine->isa->vector < SVI_LINE ? 2 * PARTS_RUN : PARTS_RUN;

    if (parts_of(machine) == NULL)
        return false;
    return machine->tuning->short_rows_cached || (nbytes >= least && bits_of(plan, dst) % 2 == 0);
}

/* --- which of them ------------------------------------------------------------- */

static bool streams(const struct svi_host_copy *c)
{
    return c->past_cache && c->machine->isa->stream_rows != NULL;
}

bool svi_is_rows_of_lines(const struct svi_host_copy *c)
{
    return streams(c) && svi_has_lines(c->plan, c->dst);
}

bool svi_is_rows_joined(const struct svi_host_copy *c)
{
    return streams(c) && svi_is_joined(c->machine, c->plan);
}

bool svi_is_rows_long(const struct svi_host_copy *c)
{
    return streams(c) && svi_row_nbytes(c->plan) >= c->machine->tuning->nt_row_bytes;
}

bool svi_is_rows_dense(const struct svi_host_copy *c)
{
    return streams(c) && svi_is_dense(c->plan, c->dst);
}

bool svi_is_rows_of_parts(const struct svi_host_copy *c)
{
    return streams(c) && is_for_parts(c->machine, c->plan, c->dst, svi_row_nbytes(c->plan));
}

bool svi_is_rows_with_gaps(const struct svi_host_copy *c)
{
    return streams(c);
}

bool svi_rows_of_lines(const struct svi_host_copy *c)
{
    by_source(c->machine, c->plan, c->dst, c->src, svi_row_nbytes(c->plan), lines_along, lines_across);
    return true;
}

bool svi_rows_joined(const struct svi_host_copy *c)
{
    by_source(c->machine, c->plan, c->dst, c->src, svi_row_nbytes(c->plan), joined_along, joined_across);
    return true;
}

bool svi_rows_long(const struct svi_host_copy *c)
{
    stream_runs(c->machine, c->plan, c->dst, c->src, svi_row_nbytes(c->plan));
    return true;
}

bool svi_rows_dense(const struct svi_host_copy *c)
{
    stream_dense(c->machine, c->plan, c->dst, c->src, svi_row_nbytes(c->plan));
    return true;
}

/* Short rows that begin and end within a line: what two of them have in one line is stored at once. */
bool svi_rows_of_parts(const struct svi_host_copy *c)
{
    by_source(c->machine, c->plan, c->dst, c->src, svi_row_nbytes(c->plan), parts_along, parts_across);
    return true;
}

bool svi_rows_with_gaps(const struct svi_host_copy *c)
{
    return svi_host_gaps(c, c->plan->ndim - 2, svi_row_nbytes(c->plan), NULL);
}
