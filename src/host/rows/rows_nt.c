/*
 * Runs and rows beyond the cache, at any pitch, by non-temporal stores. The source is read in the order of its
 * addresses. The loop depends on where rows begin and end within cache lines of the destination.
 */
#include "base/checked.h"
#include "host/base/memory_hints.h"
#include "host/loop/facts.h"
#include "host/loop/loop.h"
#include "host/rows/rows_nt.h"

/* Measured: doc/internals/copy_experiments.md#what-do-rows-cost-that-begin-anywhere-in-a-line. */
enum {
    MIN_PART_BYTES = 128, /* bytes of a row that has a whole line wherever it begins; twice for short vectors */
    MIN_JOINED_BYTES = 192, /* bytes of contiguous rows that are joined rather than transposed */
    MAX_JOINED_BYTES = 1024, /* bytes of contiguous rows that are joined, if not all are */
    MIN_JOINED_RUN_BYTES = 2048, /* bytes of all joined rows together, whose ends are partial lines */
    GROUP_BYTES = 4096, /* bytes of the destination whose rows are stored at a time across the source */
    MIN_GROUP_ROWS = 8, /* rows of such a group if they begin anywhere in a line */
    MAX_GROUPED_BYTES = 512, /* bytes; longer rows of whole lines need no group */
    MAX_PREFETCHED_BYTES = 1024, /* bytes of a row that is prefetched as a whole */
    MIN_STREAMED_BYTES = 1024, /* bytes; longer rows are read as four streams without prefetch (Intel) */
    MIN_STREAMED_RUN_BYTES = 4096, /* bytes of a row for which streams pay even if the source is contiguous */
    STREAM_BYTES = 256, /* bytes of each stream of contiguous rows in a round */
    MAX_STREAM_PITCH_ROWS = 4 /* pitch of the source, in lengths of a row */
};

/* --- contiguous_nt ----------------------------------------------------------------- */

/* Copies a contiguous run as several streams, of which a piece each is read alternately. nbytes: a piece or more. */
static void interleave_nt(const struct svi_isa *isa, char *dst, const char *src, int64_t nbytes, int64_t piece,
                          int streams)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE), pieces = (nbytes - head) / (piece * streams) * streams;
    const int64_t done = head + pieces * piece;

    isa->nt->copy(dst, src, (size_t)head);
    isa->nt->turns(&(struct svi_rows){dst + head, piece, src + head, piece, pieces, piece}, 0, streams);
    isa->nt->copy(dst + done, src + done, (size_t)(nbytes - done));
}

static bool can_contiguous_nt(const struct svi_host_copy *c)
{
    return c->machine->isa->nt != NULL;
}

static bool contiguous_nt(const struct svi_host_copy *c)
{
    const struct svi_isa *isa = c->machine->isa;
    const struct svi_tuning *tuning = c->machine->tuning;
    const int64_t nbytes = c->plan->nbytes, piece = tuning->contiguous_stream_bytes;

    if (tuning->row_streams && nbytes >= piece)
        interleave_nt(isa, c->dst, c->src, nbytes, piece, tuning->contiguous_streams);
    else
        isa->nt->copy(c->dst, c->src, (size_t)nbytes);
    isa->nt->fence();
    return true;
}

const struct svi_loop svi_loop_contiguous_nt = {
    .name = "contiguous_nt",
    .can = can_contiguous_nt,
    .refuses = svi_refuse_in_cache,
    .run = contiguous_nt,
    .stores = SVI_STORES_NT,
    .what = "one run beyond the cache, by non-temporal stores",
};

/* --- rows in the order of the source ------------------------------------------------- */

/* Copies rows of an axis. across: the axis along which the source continues with the next such rows; NULL: that of the
 * rows. */
typedef void rows_nt(const struct svi_host_copy *c, const struct svi_rows *r, const struct svi_odometer_axis *across);

/* The axis with the smallest stride in the destination. */
static int32_t find_fastest_dst(const struct svi_odometer *o)
{
    int32_t best = 0;

    for (int32_t k = 1; k < o->ndim; k++)
        if (svi_abs(o->axis[k].dst) < svi_abs(o->axis[best].dst))
            best = k;
    return best;
}

/* Copies rows in the order of the source. If the destination has another order, `group` rows of it are stored at a
 * time. */
static bool by_source(const struct svi_host_copy *c, rows_nt *copy, int64_t group)
{
    struct svi_odometer outer;
    struct svi_odometer_axis axis, across;
    bool same;

    svi_axes_of(c, c->plan->ndim - 1, &outer);
    svi_odometer_by_source(&outer);
    same = find_fastest_dst(&outer) == outer.ndim - 1;
    axis = svi_odometer_take(&outer, find_fastest_dst(&outer));
    across = svi_odometer_take(&outer, same ? outer.ndim : outer.ndim - 1);
    if (same)
        group = axis.extent;
    for (; !outer.ended; svi_odometer_next(&outer))
        for (int64_t k = 0; k < axis.extent; k += group)
            for (int64_t i = 0; i < across.extent; i++) {
                const struct svi_rows r = {outer.dst + i * across.dst + k * axis.dst, axis.dst,
                                           outer.src + i * across.src + k * axis.src, axis.src,
                                           svi_smaller(group, axis.extent - k),       svi_row_nbytes(c->plan)};

                copy(c, &r, same ? NULL : &across);
            }
    c->machine->isa->nt->fence();
    return true;
}

static struct svi_fetch fetch_of(const struct svi_host_copy *c, int64_t ahead)
{
    return (struct svi_fetch){ahead, c->machine->tuning->nta_prefetch};
}

/* Rows of nbytes within the prefetch distance. */
static int64_t steps_ahead(const struct svi_host_copy *c, int64_t nbytes)
{
    return svi_larger(c->machine->tuning->row_prefetch_bytes / nbytes, 1);
}

static uint64_t collect_dst_bits(const struct svi_plan *plan, const char *dst)
{
    uint64_t all = (uintptr_t)dst | (uint64_t)svi_row_nbytes(plan);

    for (int32_t k = 0; k < plan->ndim - 1; k++)
        all |= (uint64_t)plan->dst[k];
    return all;
}

bool svi_has_lines(const struct svi_plan *plan, const char *dst)
{
    return collect_dst_bits(plan, dst) % SVI_LINE == 0;
}

bool svi_is_dense(const struct svi_plan *plan, const char *dst)
{
    return plan->dst[plan->ndim - 2] == svi_row_nbytes(plan) && collect_dst_bits(plan, dst) % SVI_UNIT == 0;
}

/* --- rows_lines_nt ----------------------------------------------------------------- */

/*
 * How many rows with gaps between them are read alternately, line by line. If long rows were read one by one, the
 * processor would prefetch beyond their ends. All lines of short rows are prefetched at once.
 */
static int streams_of(const struct svi_tuning *tuning, int64_t nbytes)
{
    if (tuning->row_streams)
        return nbytes < MIN_STREAMED_BYTES ? 1 : 4;
    return nbytes <= MAX_PREFETCHED_BYTES ? 1 : nbytes >= 4096 && nbytes < 16384 ? 4 : 2;
}

/* Whether distant parts are read alternately: only rows that are no whole lines, which have less than
 * MAX_GROUPED_BYTES. */
static bool has_distant_streams(const struct svi_host_copy *c, const struct svi_rows *r)
{
    return c->machine->tuning->row_streams && !svi_has_lines(c->plan, c->dst) &&
           svi_abs(r->src_pitch) <= (uint64_t)(MAX_STREAM_PITCH_ROWS * r->nbytes);
}

static void copy_lines(const struct svi_host_copy *c, const struct svi_rows *r, const struct svi_odometer_axis *across)
{
    const struct svi_tuning *tuning = c->machine->tuning;
    const struct svi_isa *isa = c->machine->isa;
    const int streams = streams_of(tuning, r->nbytes);
    const bool is_run = r->src_pitch == r->nbytes && !(tuning->row_streams && r->nbytes >= MIN_STREAMED_RUN_BYTES);
    const int64_t some = svi_larger(STREAM_BYTES / r->nbytes / 4, 1) * 4; /* whole lines together */

    if (across != NULL && r->nbytes < 2 * MAX_GROUPED_BYTES)
        isa->nt->rows(r, fetch_of(c, steps_ahead(c, r->count * r->nbytes) * across->src), 1, r->count);
    else if (across != NULL || r->src_pitch == 0 || is_run) /* the hardware prefetcher suffices */
        isa->nt->rows(r, fetch_of(c, 0), 1, r->count);
    else if (has_distant_streams(c, r))
        isa->nt->rows(r, fetch_of(c, some * r->src_pitch), tuning->row_stream_count, some);
    else if (streams == 1)
        isa->nt->rows(r, fetch_of(c, steps_ahead(c, r->nbytes) * r->src_pitch), 1, r->count);
    else
        isa->nt->turns(r, tuning->row_streams ? 0 : streams * r->src_pitch, streams);
}

/* Rows of whole lines, or rows of 16-byte units that are contiguous in the destination and so make lines together. */
static bool can_lines_nt(const struct svi_host_copy *c)
{
    return c->machine->isa->nt != NULL &&
           (svi_has_lines(c->plan, c->dst) ||
            (svi_is_dense(c->plan, c->dst) && svi_row_nbytes(c->plan) < MAX_GROUPED_BYTES));
}

static bool refuses_lines_nt(const struct svi_host_copy *c)
{
    if (svi_refuse_in_cache(c))
        return true;
    return !svi_has_lines(c->plan, c->dst) && svi_is_joined(c->machine, c->plan) &&
           svi_refuse(c, "rows that follow each other are joined");
}

static bool lines_nt(const struct svi_host_copy *c)
{
    const int64_t nbytes = svi_row_nbytes(c->plan);

    return by_source(c, copy_lines, nbytes < MAX_GROUPED_BYTES ? 4 : nbytes < 2 * MAX_GROUPED_BYTES ? 2 : 1);
}

const struct svi_loop svi_loop_rows_lines_nt = {
    .name = "rows_lines_nt",
    .can = can_lines_nt,
    .refuses = refuses_lines_nt,
    .run = lines_nt,
    .stores = SVI_STORES_NT,
    .what = "rows beyond the cache that make whole cache lines, each or, of 16-byte units, together",
};

/* --- rows_parts_nt: a line that two rows share is stored once ------------------------ */

bool svi_is_joined(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int64_t nbytes = svi_row_nbytes(plan);

    if (machine->isa->vector < SVI_LINE || !svi_is_beyond_cache(machine, plan) || plan->dst[plan->ndim - 2] != nbytes)
        return false;
    if (machine->tuning->joins_all_rows)
        return nbytes >= SVI_LINE && nbytes * plan->shape[plan->ndim - 2] >= MIN_JOINED_RUN_BYTES;
    return nbytes >= MIN_JOINED_BYTES && nbytes <= MAX_JOINED_BYTES;
}

/* Whether rows are stored through the cache: short rows with gaps, if partial lines between non-temporal stores cost
 * much (Intel). */
static bool is_cached(const struct svi_host_copy *c)
{
    return c->machine->tuning->short_rows_cached && svi_row_nbytes(c->plan) < c->machine->tuning->nt_row_bytes &&
           !svi_is_joined(c->machine, c->plan);
}

/* Copies rows through the cache, a group at a time, and prefetches all lines of both sides at the given distances. */
static void cache_parts(const struct svi_isa *isa, const struct svi_rows *r, int64_t ahead, int64_t dst_ahead)
{
    for (int64_t i = 0; i < r->count; i += MIN_GROUP_ROWS) {
        const struct svi_rows group = svi_some_rows(r, i, svi_smaller(MIN_GROUP_ROWS, r->count - i));

        for (struct svi_rows row = group; row.count > 0; svi_next_rows(&row, 1))
            for (int64_t k = 0; k < r->nbytes; k += SVI_LINE) {
                svi_prefetch(row.src + ahead + k);
                svi_prefetch_store(row.dst + dst_ahead + k);
            }
        isa->cached_rows(&group, SVI_PREFETCH_NONE, 1);
    }
}

static void copy_parts(const struct svi_host_copy *c, const struct svi_rows *r, const struct svi_odometer_axis *across)
{
    const int64_t steps = steps_ahead(c, across == NULL ? r->nbytes : r->count * r->nbytes);
    struct svi_rows up = *r;
    int64_t ahead, dst_ahead;

    if (r->dst_pitch < 0) {
        svi_next_rows(&up, r->count - 1);
        up = (struct svi_rows){up.dst, -r->dst_pitch, up.src, -r->src_pitch, r->count, r->nbytes};
    }
    ahead = steps * (across != NULL ? across->src : up.src_pitch);
    dst_ahead = (steps / 2 + 1) * (across != NULL ? across->dst : up.dst_pitch);
    if (is_cached(c))
        cache_parts(c->machine->isa, &up, ahead, dst_ahead);
    else
        c->machine->isa->nt->parts(&up, ahead, dst_ahead);
}

static bool can_parts_nt(const struct svi_host_copy *c)
{
    const int64_t least = c->machine->isa->vector < SVI_LINE ? 2 * MIN_PART_BYTES : MIN_PART_BYTES;

    if (c->machine->isa->nt == NULL)
        return false;
    if (is_cached(c))
        return c->machine->isa->cached_rows != NULL;
    return svi_is_joined(c->machine, c->plan) || svi_row_nbytes(c->plan) >= least;
}

/* Neighbouring rows of a group share the lines at their ends. */
static bool parts_nt(const struct svi_host_copy *c)
{
    return by_source(c, copy_parts, svi_larger(MIN_GROUP_ROWS, GROUP_BYTES / svi_row_nbytes(c->plan)));
}

const struct svi_loop svi_loop_rows_parts_nt = {
    .name = "rows_parts_nt",
    .can = can_parts_nt,
    .refuses = svi_refuse_in_cache,
    .run = parts_nt,
    .stores = SVI_STORES_NT,
    .what = "rows beyond the cache that begin anywhere: a line that two rows share is stored once",
};
