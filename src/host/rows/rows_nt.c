/*
 * Runs and rows of a copy beyond the NT threshold, at any pitch, by non-temporal stores. The source is read in the
 * order of its addresses. Which loop copies rows depends on where they begin and end in a cache line of the
 * destination.
 */
#include "checked.h"
#include "host/kernels.h"

enum {
    MIN_PART_BYTES = 128,        /* of a row that has a whole line wherever it begins; else twice */
    JOINED_ROWS = 8,             /* rows of the destination that are joined at a time across the source, or */
    JOINED_BYTES = 4096,         /* bytes of them */
    MIN_JOINED_BYTES = 192,      /* of rows whose joining costs nothing but on Intel's processors, */
    MAX_JOINED_BYTES = 1024,     /* to this */
    GROUPED_BYTES = 512,         /* shorter rows of the destination are stored in groups across the source */
    PREFETCHED_BYTES = 1024,     /* rows of up to that are prefetched whole */
    STREAMED_BYTES = 1024,       /* longer rows need no prefetch on Intel's processors with four streams, */
    MIN_STREAMED_PAGE = 4096,    /* and from here on are faster so even where the source is contiguous */
    STREAM_BYTES = 256,          /* of each stream of contiguous rows in a round, */
    MAX_STREAM_PITCH = 4         /* where the source's pitch is no more times the length of rows */
};

/* --- contiguous_nt ----------------------------------------------------------------- */

/* Several streams of pieces, read alternately. nbytes: a piece or more. */
static void interleave_nt(const struct svi_isa *isa, char *dst, const char *src, int64_t nbytes, int64_t piece,
                          int streams)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE), pieces = (nbytes - head) / (piece * streams) * streams;
    const int64_t done = head + pieces * piece;

    isa->stream_copy(dst, src, (size_t)head);
    isa->stream_turns(&(struct svi_rows){dst + head, piece, src + head, piece, pieces, piece}, 0, streams, false);
    isa->stream_copy(dst + done, src + done, (size_t)(nbytes - done));
}

bool svi_is_contiguous_nt(const struct svi_host_copy *c)
{
    return c->beyond_cache && c->machine->isa->stream_copy != NULL;
}

bool svi_contiguous_nt(const struct svi_host_copy *c)
{
    const struct svi_isa *isa = c->machine->isa;
    const struct svi_tuning *tuning = c->machine->tuning;
    const int64_t nbytes = c->plan->nbytes, piece = tuning->contiguous_stream_bytes;

    if (tuning->row_streams && nbytes >= piece)
        interleave_nt(isa, c->dst, c->src, nbytes, piece, tuning->contiguous_streams);
    else
        isa->stream_copy(c->dst, c->src, (size_t)nbytes);
    isa->fence();
    return true;
}

/* --- rows in the order of the source ------------------------------------------------- */

/* Where the source has the rows of an axis in order, but the destination those of another, some of which r has: across
 * is the source's axis. NULL: both have the same. */
typedef void rows_nt(const struct svi_host_copy *c, const struct svi_rows *r, const struct svi_odometer_axis *across);

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
static bool by_source(const struct svi_host_copy *c, rows_nt *copy, int64_t group)
{
    struct svi_odometer outer;
    struct svi_odometer_axis axis, next = {.extent = 0};
    const int64_t nbytes = svi_row_nbytes(c->plan);

    svi_axes_of(c, c->plan->ndim - 1, &outer);
    svi_odometer_by_source(&outer);
    if (fastest(&outer) != outer.ndim - 1)
        next = svi_odometer_take(&outer, fastest(&outer));
    axis = svi_odometer_take(&outer, outer.ndim - 1);
    for (; !outer.ended; svi_odometer_next(&outer)) {
        if (next.extent == 0)
            copy(c, &(struct svi_rows){outer.dst, axis.dst, outer.src, axis.src, axis.extent, nbytes}, NULL);
        for (int64_t k = 0; k < next.extent; k += group)
            for (int64_t i = 0; i < axis.extent; i++) {
                const struct svi_rows all = {outer.dst + i * axis.dst, next.dst, outer.src + i * axis.src, next.src,
                                             next.extent, nbytes};
                const struct svi_rows some = svi_some_rows(&all, k, svi_smaller(group, next.extent - k));

                copy(c, &some, &axis);
            }
    }
    c->machine->isa->fence();
    return true;
}

static struct svi_fetch fetch_of(const struct svi_host_copy *c, int64_t ahead)
{
    return (struct svi_fetch){ahead, svi_fetches_once(c->machine)};
}

/* Rows within the prefetch distance. */
static int64_t rows_ahead(const struct svi_host_copy *c)
{
    return c->machine->tuning->short_row_prefetch_bytes / svi_row_nbytes(c->plan);
}

static int64_t near_rows_ahead(const struct svi_host_copy *c)
{
    return c->machine->tuning->near_row_prefetch_bytes / svi_row_nbytes(c->plan) + 1;
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
static int streams_of(const struct svi_tuning *tuning, int64_t nbytes)
{
    if (tuning->row_streams)
        return nbytes < STREAMED_BYTES ? 1 : 4;
    return nbytes <= PREFETCHED_BYTES ? 1 : nbytes >= 4096 && nbytes < 16384 ? 4 : 2;
}

/* Whether distant parts of short rows are read alternately. */
static bool has_distant_streams(const struct svi_host_copy *c, const struct svi_rows *r)
{
    return c->machine->tuning->row_streams && r->nbytes < 2 * STREAMED_BYTES &&
           svi_abs(r->src_pitch) <= (uint64_t)(MAX_STREAM_PITCH * r->nbytes);
}

static void lines_along(const struct svi_host_copy *c, const struct svi_rows *r)
{
    const struct svi_tuning *tuning = c->machine->tuning;
    const int streams = streams_of(tuning, r->nbytes);
    const bool is_run = r->src_pitch == r->nbytes && !(tuning->row_streams && r->nbytes >= MIN_STREAMED_PAGE);

    if (r->src_pitch == 0 || is_run) /* the processor prefetches by itself */
        c->machine->isa->stream_rows(r, fetch_of(c, 0));
    else if (has_distant_streams(c, r))
        c->machine->isa->stream_turns(r, 0, tuning->row_stream_count / (r->nbytes < STREAMED_BYTES ? 1 : 2), true);
    else if (streams == 1)
        c->machine->isa->stream_rows(r, fetch_of(c, rows_ahead(c) * r->src_pitch));
    else
        c->machine->isa->stream_turns(r, tuning->row_streams ? 0 : streams * r->src_pitch, streams, false);
}

static void copy_lines(const struct svi_host_copy *c, const struct svi_rows *r, const struct svi_odometer_axis *across)
{
    const bool fetches = r->nbytes < 2 * GROUPED_BYTES;

    if (across == NULL)
        lines_along(c, r);
    else
        c->machine->isa->stream_rows(r, fetch_of(c, fetches ? near_rows_ahead(c) * across->src : 0));
}

bool svi_is_rows_lines_nt(const struct svi_host_copy *c)
{
    return has_nt_rows(c) && svi_has_lines(c->plan, c->dst);
}

bool svi_rows_lines_nt(const struct svi_host_copy *c)
{
    const int64_t nbytes = svi_row_nbytes(c->plan);

    return by_source(c, copy_lines, nbytes < GROUPED_BYTES ? 4 : nbytes < 2 * GROUPED_BYTES ? 2 : 1);
}

/* --- rows_joined_nt ---------------------------------------------------------------- */

/* Rows of a line or more that begin anywhere and are contiguous in the destination, backwards where r is. */
static void join_rows(const struct svi_host_copy *c, const struct svi_rows *r, const struct svi_odometer_axis *across)
{
    const int64_t first = r->dst_pitch < 0 ? r->count - 1 : 0, pitch = r->dst_pitch < 0 ? -r->src_pitch : r->src_pitch;
    const int64_t ahead = across != NULL ? across->src : (rows_ahead(c) + 1) * pitch;

    c->machine->isa->stream_joined(r->dst + first * r->dst_pitch, r->src + first * r->src_pitch, pitch, r->count, r->nbytes,
                                   r->nbytes < MIN_STREAMED_PAGE ? ahead : 0);
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
    return by_source(c, join_rows, svi_larger(JOINED_ROWS, JOINED_BYTES / svi_row_nbytes(c->plan)));
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

    svi_axes_of(c, c->plan->ndim - 1, &outer);
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

bool svi_is_dense(const struct svi_plan *plan, const char *dst)
{
    return plan->dst[plan->ndim - 2] == svi_row_nbytes(plan) && bits_of(plan, dst) % SVI_UNIT == 0;
}

bool svi_is_rows_dense_nt(const struct svi_host_copy *c)
{
    return has_nt_rows(c) && svi_is_dense(c->plan, c->dst);
}

/* Where distant parts are read alternately, each gets some rows at a time, which are whole lines. */
bool svi_rows_dense_nt(const struct svi_host_copy *c)
{
    const int32_t row = c->plan->ndim - 2;
    const struct svi_tuning *tuning = c->machine->tuning;
    const int64_t pitch = c->plan->src[row], nbytes = svi_row_nbytes(c->plan);
    int64_t parts = 1, some = c->plan->shape[row];
    int64_t ahead = tuning->short_row_prefetch_bytes / svi_larger(svi_abs(pitch), nbytes) + 1;
    struct svi_odometer outer;

    if (tuning->row_streams && svi_abs(pitch) <= (uint64_t)(MAX_STREAM_PITCH * nbytes)) {
        parts = tuning->row_stream_count / 2;
        some = ahead = svi_larger(STREAM_BYTES / nbytes / 4, 1) * 4;
    }
    for (svi_axes_of(c, row, &outer); !outer.ended; svi_odometer_next(&outer)) {
        const struct svi_rows rows = svi_rows_of(c->plan, &outer);

        c->machine->isa->stream_units(&rows, fetch_of(c, ahead * pitch), parts, some);
    }
    c->machine->isa->fence();
    return true;
}

/* --- rows_parts_nt: a line that two rows share is stored once ------------------------ */

/* Intel's processors wait for partial lines between non-temporal stores, so these go through the cache. */
static svi_part_rows *parts_of(const struct svi_machine *machine)
{
    return machine->tuning->short_rows_cached ? machine->isa->cache_parts : machine->isa->stream_parts;
}

static void copy_parts(const struct svi_host_copy *c, const struct svi_rows *r, const struct svi_odometer_axis *across)
{
    const int64_t near = near_rows_ahead(c);

    if (across == NULL)
        parts_of(c->machine)(r, (rows_ahead(c) + 1) * r->src_pitch, near * r->dst_pitch);
    else
        parts_of(c->machine)(r, near * across->src, 2 * across->dst);
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
    return by_source(c, copy_parts, 8);
}
