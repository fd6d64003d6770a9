/*
 * Rows of a copy beyond the NT threshold: runs of more than 16 bytes, at any pitch, by non-temporal stores. The source
 * is read in the order of its addresses. Which loop copies the rows depends on where they begin and end in a cache line
 * of the destination.
 */
#include "checked.h"
#include "host/base/odometer.h"
#include "host/kernels.h"

enum {
    MIN_PART_BYTES = 128,        /* of a row that has a whole line wherever it begins; else twice */
    JOINED_ROWS = 8,             /* rows of the destination that are joined at a time across the source, or */
    JOINED_BYTES = 4096,         /* bytes of them */
    MIN_JOINED_BYTES = 192,      /* of rows whose joining costs nothing but on Intel's processors, */
    MAX_JOINED_BYTES = 1024,     /* to this */
    GROUPED_BYTES = 512,         /* shorter rows of the destination are stored in groups across the source */
    FEW_LINES_BYTES = 256,       /* of rows across the source that are prefetched whole: one of them, two or four */
    PREFETCHED_BYTES = 1024,     /* rows of up to that are prefetched whole */
    STREAMED_BYTES = 1024,       /* longer rows need no prefetch on Intel's processors with four streams, */
    MIN_STREAMED_PAGE = 4096,    /* and from here on are faster so even where the source is contiguous */
    STREAM_BYTES = 256,          /* of each stream of contiguous rows in a round, */
    MAX_STREAM_PITCH = 4         /* where the source's pitch is no more times the length of rows */
};

/* What the rows of a copy have in common. */
struct rows {
    const struct svi_machine *machine;
    const struct svi_isa *isa;
    const struct svi_tuning *tuning;
    int64_t nbytes;
    int64_t ahead, near_ahead; /* rows within the two prefetch distances */
};

static struct rows rows_of(const struct svi_host_copy *c)
{
    const int64_t nbytes = svi_row_nbytes(c->plan);
    const struct svi_tuning *tuning = c->machine->tuning;

    return (struct rows){c->machine,
                         c->machine->isa,
                         tuning,
                         nbytes,
                         tuning->short_row_prefetch_bytes / nbytes,
                         tuning->near_row_prefetch_bytes / nbytes + 1};
}

static struct svi_fetch fetch_of(const struct rows *r, int64_t ahead)
{
    return (struct svi_fetch){ahead, svi_fetches_once(r->machine)};
}

/* --- walks ------------------------------------------------------------------------- */

/* Rows along an axis that both sides have in the same order. */
typedef void rows_along(const struct rows *r, const struct svi_odometer_axis *axis, char *dst, const char *src);

/* count rows along next, which is the destination's order, where the source has axis in order. */
typedef void rows_across(const struct rows *r, const struct svi_odometer_axis *axis,
                         const struct svi_odometer_axis *next, int64_t count, char *dst, const char *src);

/* The axis with the smallest step in the destination. */
static int32_t fastest(const struct svi_odometer *o)
{
    int32_t best = 0;

    for (int32_t k = 1; k < o->ndim; k++)
        if (svi_abs(o->axis[k].dst) < svi_abs(o->axis[best].dst))
            best = k;
    return best;
}

/* Rows as they lie in the source. Where the destination has another order, group rows of it are stored at a time. */
static bool by_source(const struct svi_host_copy *c, const struct rows *r, rows_along *along, rows_across *across,
                      int64_t group)
{
    struct svi_odometer outer;
    struct svi_odometer_axis axis, next = {.extent = 0};

    svi_odometer_init(&outer, c->plan, c->plan->ndim - 1, -1, c->dst, c->src);
    svi_odometer_by_source(&outer);
    if (fastest(&outer) != outer.ndim - 1)
        next = svi_odometer_take(&outer, fastest(&outer));
    axis = svi_odometer_take(&outer, outer.ndim - 1);
    do {
        if (next.extent == 0)
            along(r, &axis, outer.dst, outer.src);
        for (int64_t k = 0; k < next.extent; k += group)
            for (int64_t i = 0; i < axis.extent; i++)
                across(r, &axis, &next, svi_smaller(group, next.extent - k), outer.dst + k * next.dst + i * axis.dst,
                       outer.src + k * next.src + i * axis.src);
    } while (svi_odometer_next(&outer));
    r->isa->fence();
    return true;
}

static uint64_t bits_of(const struct svi_plan *plan, const char *dst)
{
    uint64_t all = (uintptr_t)dst | (uint64_t)svi_row_nbytes(plan);

    for (int32_t k = 0; k < plan->ndim - 1; k++)
        all |= (uint64_t)plan->dst[k];
    return all;
}

bool svi_has_lines(const struct svi_plan *plan, const char *dst)
{
    return bits_of(plan, dst) % SVI_LINE == 0;
}

static bool has_nt_rows(const struct svi_host_copy *c)
{
    return c->beyond_cache && c->machine->isa->stream_rows != NULL;
}

/* --- rows_lines_nt ----------------------------------------------------------------- */

/*
 * How many rows with gaps between them are read alternately, line by line. One after the other, longer ones would make
 * the processor prefetch beyond their ends; of shorter ones, all lines are prefetched at once.
 */
static int streams_of(const struct rows *r)
{
    if (r->tuning->row_streams)
        return r->nbytes < STREAMED_BYTES ? 1 : 4;
    return r->nbytes <= PREFETCHED_BYTES ? 1 : r->nbytes >= 4096 && r->nbytes < 16384 ? 4 : 2;
}

/* Reads distant parts of an axis alternately where several streams are faster than one; returns how many rows. */
static int64_t distant_lines(const struct rows *r, const struct svi_odometer_axis *axis, char *dst, const char *src)
{
    const int streams = r->tuning->row_stream_count / (r->nbytes < STREAMED_BYTES ? 1 : 2);
    const int64_t part = axis->extent / streams;

    if (!r->tuning->row_streams || r->nbytes >= 2 * STREAMED_BYTES || axis->src == 0 || axis->src == r->nbytes ||
        svi_abs(axis->src) > (uint64_t)(MAX_STREAM_PITCH * r->nbytes))
        return 0;
    for (int64_t k = 0; k < part; k++)
        r->isa->stream_turns(dst + k * axis->dst, part * axis->dst, src + k * axis->src, part * axis->src, streams,
                             r->nbytes, 0, streams);
    return part * streams;
}

static void lines_along(const struct rows *r, const struct svi_odometer_axis *axis, char *dst, const char *src)
{
    const int streams = streams_of(r);
    const int64_t done = distant_lines(r, axis, dst, src), rows = axis->extent - done;
    const bool streams_pages = r->tuning->row_streams && r->nbytes >= MIN_STREAMED_PAGE;

    dst += done * axis->dst;
    src += done * axis->src;
    if (axis->src == 0 || (axis->src == r->nbytes && !streams_pages)) /* the processor prefetches by itself */
        r->isa->stream_rows(dst, axis->dst, src, axis->src, rows, r->nbytes, fetch_of(r, 0));
    else if (streams == 1)
        r->isa->stream_short(dst, axis->dst, src, axis->src, rows, r->nbytes, fetch_of(r, r->ahead * axis->src));
    else
        r->isa->stream_turns(dst, axis->dst, src, axis->src, rows, r->nbytes,
                             r->tuning->row_streams ? 0 : streams * axis->src, streams);
}

static int64_t group_of_lines(const struct rows *r)
{
    return r->nbytes < GROUPED_BYTES ? 4 : r->nbytes < 2 * GROUPED_BYTES ? 2 : 1;
}

static void lines_across(const struct rows *r, const struct svi_odometer_axis *axis,
                         const struct svi_odometer_axis *next, int64_t count, char *dst, const char *src)
{
    const struct svi_fetch fetch = fetch_of(r, r->nbytes < 2 * GROUPED_BYTES ? r->near_ahead * axis->src : 0);
    const bool is_few = r->nbytes <= FEW_LINES_BYTES && r->nbytes != 3 * SVI_LINE;

    (is_few ? r->isa->stream_short : r->isa->stream_rows)(dst, next->dst, src, next->src, count, r->nbytes, fetch);
}

bool svi_is_rows_lines_nt(const struct svi_host_copy *c)
{
    return has_nt_rows(c) && svi_has_lines(c->plan, c->dst);
}

bool svi_rows_lines_nt(const struct svi_host_copy *c)
{
    const struct rows r = rows_of(c);

    return by_source(c, &r, lines_along, lines_across, group_of_lines(&r));
}

/* --- rows_joined_nt ---------------------------------------------------------------- */

/* Rows of a line or more that begin anywhere and are contiguous in the destination, backwards where axis is. */
static void join(const struct rows *r, const struct svi_odometer_axis *axis, int64_t rows, int64_t ahead, char *dst,
                 const char *src)
{
    const int64_t first = axis->dst < 0 ? rows - 1 : 0;

    r->isa->stream_joined(dst + first * axis->dst, src + first * axis->src, axis->dst < 0 ? -axis->src : axis->src,
                          rows, r->nbytes, r->nbytes < MIN_STREAMED_PAGE ? ahead : 0);
}

static void joined_along(const struct rows *r, const struct svi_odometer_axis *axis, char *dst, const char *src)
{
    join(r, axis, axis->extent, (r->ahead + 1) * (axis->dst < 0 ? -axis->src : axis->src), dst, src);
}

static void joined_across(const struct rows *r, const struct svi_odometer_axis *axis,
                          const struct svi_odometer_axis *next, int64_t count, char *dst, const char *src)
{
    join(r, next, count, axis->src, dst, src);
}

bool svi_is_joined(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int32_t row = plan->ndim - 2;
    const int64_t nbytes = svi_row_nbytes(plan);

    if (machine->isa->stream_joined == NULL || !svi_is_beyond_cache(machine, plan) || plan->dst[row] != nbytes)
        return false;
    if (machine->tuning->joins_all_rows)
        return nbytes >= SVI_LINE;
    return nbytes >= MIN_JOINED_BYTES && nbytes <= MAX_JOINED_BYTES &&
           (nbytes < machine->tuning->nt_row_bytes || plan->shape[row] > JOINED_ROWS);
}

bool svi_is_rows_joined_nt(const struct svi_host_copy *c)
{
    return has_nt_rows(c) && svi_is_joined(c->machine, c->plan);
}

bool svi_rows_joined_nt(const struct svi_host_copy *c)
{
    const struct rows r = rows_of(c);

    return by_source(c, &r, joined_along, joined_across, svi_larger(JOINED_ROWS, JOINED_BYTES / r.nbytes));
}

/* --- rows_long_nt ------------------------------------------------------------------ */

bool svi_is_rows_long_nt(const struct svi_host_copy *c)
{
    return has_nt_rows(c) && svi_row_nbytes(c->plan) >= c->machine->tuning->nt_row_bytes;
}

/* Prefetches the next rows of the source and the partial lines of the next row of the destination. */
bool svi_rows_long_nt(const struct svi_host_copy *c)
{
    const int64_t nbytes = svi_row_nbytes(c->plan), distance = c->machine->tuning->row_prefetch_bytes;
    const int64_t ahead = distance / nbytes + 1, fetched = svi_smaller(nbytes, distance);
    struct svi_odometer outer, next;
    struct svi_odometer_axis axis;

    svi_odometer_init(&outer, c->plan, c->plan->ndim - 1, -1, c->dst, c->src);
    svi_odometer_by_source(&outer);
    axis = svi_odometer_take(&outer, outer.ndim - 1);
    next = outer;
    do {
        svi_odometer_next(&next);
        for (int64_t i = 0; i < axis.extent; i++) {
            const bool wraps = i + ahead >= axis.extent, is_last = i + 1 == axis.extent;
            const int64_t row = wraps ? svi_smaller(i + ahead - axis.extent, axis.extent - 1) : i + ahead;
            const char *from = (wraps ? next.src : outer.src) + row * axis.src;
            char *to = is_last ? next.dst : outer.dst + (i + 1) * axis.dst;

            for (int64_t k = 0; k < fetched; k += SVI_LINE)
                __builtin_prefetch(from + k);
            __builtin_prefetch(to, 1);
            __builtin_prefetch(to + nbytes - 1, 1);
            c->machine->isa->stream_copy(outer.dst + i * axis.dst, outer.src + i * axis.src, (size_t)nbytes);
        }
    } while (svi_odometer_next(&outer));
    c->machine->isa->fence();
    return true;
}

/* --- rows_dense_nt: contiguous rows of the destination make lines together ----------- */

/* As distant_lines: each part gets some rows at a time, which are whole lines. */
static int64_t distant_units(const struct rows *r, int64_t pitch, int64_t rows, char *dst, const char *src)
{
    const int64_t streams = r->tuning->row_stream_count / 2;
    const int64_t some = svi_larger(STREAM_BYTES / r->nbytes / 4, 1) * 4, part = rows / streams / some * some;

    if (!r->tuning->row_streams || svi_abs(pitch) > (uint64_t)(MAX_STREAM_PITCH * r->nbytes))
        return 0;
    for (int64_t k = 0; k < part; k += some)
        for (int64_t at = k; at < streams * part; at += part)
            r->isa->stream_units(dst + at * r->nbytes, src + at * pitch, pitch, some, r->nbytes,
                                 fetch_of(r, some * pitch));
    return part * streams;
}

bool svi_is_dense(const struct svi_plan *plan, const char *dst)
{
    return plan->dst[plan->ndim - 2] == svi_row_nbytes(plan) && bits_of(plan, dst) % SVI_UNIT == 0;
}

bool svi_is_rows_dense_nt(const struct svi_host_copy *c)
{
    return has_nt_rows(c) && svi_is_dense(c->plan, c->dst);
}

bool svi_rows_dense_nt(const struct svi_host_copy *c)
{
    const struct rows r = rows_of(c);
    const int32_t row = c->plan->ndim - 2;
    const int64_t pitch = c->plan->src[row], distance = r.tuning->short_row_prefetch_bytes;
    const int64_t ahead = (distance / svi_larger(svi_abs(pitch), r.nbytes) + 1) * pitch;
    struct svi_odometer outer;

    svi_odometer_init(&outer, c->plan, row, -1, c->dst, c->src);
    do {
        const int64_t done = distant_units(&r, pitch, c->plan->shape[row], outer.dst, outer.src);

        r.isa->stream_units(outer.dst + done * r.nbytes, outer.src + done * pitch, pitch, c->plan->shape[row] - done,
                            r.nbytes, fetch_of(&r, ahead));
    } while (svi_odometer_next(&outer));
    r.isa->fence();
    return true;
}

/* --- rows_parts_nt: a line that two rows share is stored once ------------------------ */

/* Intel's processors wait for partial lines between non-temporal stores, so these go through the cache. */
static svi_part_rows *parts_of(const struct svi_machine *machine)
{
    return machine->tuning->short_rows_cached ? machine->isa->cache_parts : machine->isa->stream_parts;
}

static void parts_along(const struct rows *r, const struct svi_odometer_axis *axis, char *dst, const char *src)
{
    parts_of(r->machine)(dst, axis->dst, src, axis->src, axis->extent, r->nbytes, (r->ahead + 1) * axis->src,
                         r->near_ahead * axis->dst);
}

static void parts_across(const struct rows *r, const struct svi_odometer_axis *axis,
                         const struct svi_odometer_axis *next, int64_t count, char *dst, const char *src)
{
    parts_of(r->machine)(dst, next->dst, src, next->src, count, r->nbytes, r->near_ahead * axis->src, 2 * axis->dst);
}

bool svi_is_rows_parts_nt(const struct svi_host_copy *c)
{
    const int64_t least = c->machine->isa->vector < SVI_LINE ? 2 * MIN_PART_BYTES : MIN_PART_BYTES;

    if (!has_nt_rows(c) || parts_of(c->machine) == NULL)
        return false;
    return c->machine->tuning->short_rows_cached ||
           (svi_row_nbytes(c->plan) >= least && bits_of(c->plan, c->dst) % 2 == 0);
}

/* Eight rows across the source share most of their ends. */
bool svi_rows_parts_nt(const struct svi_host_copy *c)
{
    const struct rows r = rows_of(c);

    return by_source(c, &r, parts_along, parts_across, 8);
}
