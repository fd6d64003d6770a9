/*
 * Copies by permutations within lines (permute.h). Makes a table for each line of a period, from the offset of each
 * byte in the source, and runs it over all periods of a run of records. Lines of short runs, and those after the last
 * period, have tables of their own, which are run over all runs. Beyond the cache the whole lines of long runs are
 * stored by non-temporal stores; short runs are collected in a buffer first.
 */
#include "base/checked.h"
#include "host/base/buffer.h"
#include "host/base/memory_hints.h"
#include "host/permute/permute.h"

/* Measured: doc/internals/copy_experiments.md#which-permutations-are-worth-their-tables. */
enum {
    MAX_SHORT_LINES = 3, /* lines of a run that has a table for each line */
    BLOCK_LINES = 256, /* lines that are written while their source stays in L1 */
    MAX_BUFFERED_BYTES = 2048, /* bytes of a run that is collected in a buffer with the runs after it */
    BUFFER_BYTES = 4096, /* bytes of that buffer */
    MIN_NT_RUN_BYTES = 8192, /* bytes of another run that is stored by non-temporal stores */
    OWN_TABLE_BYTES = 3328, /* bytes of the tables of a period of three lines, for which a frame has room */
    MAX_DENSE_LINES = 512, /* lines of the source from period to period for which periods are prefetched as a whole */
    MAX_OFFSET = 1 << 28 /* bytes of the source from the beginning of a period */
};

struct job {
    const struct svi_isa *isa;
    svi_permute_lines *permute_lines;
    const struct svi_permutation *p;
    bool prefetches;
    bool shares; /* of the next block of periods are prefetched, with each line of this one */
    int64_t nbytes; /* of a run in the destination, without a gap behind its last record */
    int64_t period_bytes; /* in the destination, */
    int64_t step; /* and bytes from a period to the next in the source */
    int64_t head; /* bytes in front of the first period, */
    int64_t periods;
    int64_t tail_lines; /* and behind the last one */
    struct svi_permuted_line *first, *line, *tail;
    int32_t *offset;
};

/* --- tables ----------------------------------------------------------------------- */

/* Repeats the offsets of the first step bytes, each time src bytes further. */
static void repeat_offsets(int32_t *offset, int64_t step, int64_t src, int64_t end)
{
    for (int64_t n = step; n < end; n *= 2, src *= 2)
        for (int64_t i = n; i < svi_smaller(2 * n, end); i++)
            offset[i] = offset[i - n] + (int32_t)src;
}

/* Finds the offsets of count bytes from the beginning of a record on. */
static void find_offsets(const struct svi_permutation *p, int32_t *offset, int64_t count)
{
    const struct svi_plan *plan = p->plan;
    int64_t known = svi_smaller(plan->item, count);

    for (int64_t i = 0; i < known; i++)
        offset[i] = (int32_t)i;
    for (int32_t k = plan->ndim - 1; k >= p->axis; k--) {
        const int64_t step = svi_smaller(plan->dst[k], count);
        const int64_t end = k == p->axis ? count : svi_smaller(known + (plan->shape[k] - 1) * plan->dst[k], count);

        for (; known < step; known++)
            offset[known] = SVI_GAP;
        repeat_offsets(offset, step, plan->src[k], end);
        known = end;
    }
}

/* Whether all offsets of a period fit 32 bits. */
static bool has_small_offsets(const struct svi_permutation *p, int64_t step)
{
    uint64_t reach = svi_abs(step);

    for (int32_t k = p->axis; k < p->plan->ndim && reach < MAX_OFFSET; k++)
        reach += svi_abs(p->plan->src[k]) * (k == p->axis ? 2 : (uint64_t)p->plan->shape[k]);
    return reach < MAX_OFFSET;
}

static bool make_lines(const struct job *j, struct svi_permuted_line *line, const int32_t *offset, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (!j->isa->permute->make_line(&line[k], offset + k * SVI_LINE))
            return false;
    return true;
}

/* Makes the lines of the bytes [from, end) of a period, and of gaps up to a whole line. Overwrites offsets from end
 * on. */
static bool make_part(const struct job *j, struct svi_permuted_line *line, int64_t from, int64_t end)
{
    const int64_t lines = svi_divide_up(end - from, SVI_LINE);

    for (int64_t i = end; i < from + lines * SVI_LINE; i++)
        j->offset[i] = SVI_GAP;
    return make_lines(j, line, j->offset + from, lines);
}

/*
 * Whether the periods read four fifths of all lines of the source from period to period. If so, the source is
 * prefetched as one span, at most a quarter more than is read; else each window is prefetched by itself.
 */
static bool has_dense_periods(const struct job *j, int64_t lines)
{
    const int64_t step = (int64_t)svi_abs(j->step), all = svi_divide_up(step, SVI_LINE);
    uint64_t is_read[MAX_DENSE_LINES / 64] = {0};
    int64_t count = 0;

    if (all == 0 || all > MAX_DENSE_LINES)
        return false;
    for (int64_t k = 0; k < lines; k++)
        for (int w = 0; w < j->line[k].windows; w++) {
            const int64_t from = (j->line[k].from[w] % step + step) % step / SVI_LINE;

            is_read[from / 64] |= (uint64_t)1 << from % 64;
        }
    for (int64_t i = 0; i < all; i++)
        count += is_read[i / 64] >> i % 64 & 1;
    return count * 5 >= all * 4;
}

/* Makes the tables of runs with `head` bytes before the first period. */
static bool make_tables(struct job *j, int64_t head)
{
    const int64_t lines = j->period_bytes / SVI_LINE, body = j->nbytes - head;
    int64_t tail;

    j->head = head;
    j->periods = j->nbytes <= MAX_SHORT_LINES * SVI_LINE ? 0 : body / j->period_bytes;
    tail = body - j->periods * j->period_bytes;
    j->tail_lines = svi_divide_up(tail, SVI_LINE);
    find_offsets(j->p, j->offset, svi_larger(j->periods > 0 ? lines : 0, j->tail_lines) * SVI_LINE + head);
    if ((j->periods > 0 && !make_lines(j, j->line, j->offset + head, lines)) ||
        !make_part(j, j->tail, head, head + tail) || !make_part(j, j->first, 0, head))
        return false;
    j->shares = j->prefetches && j->periods > 0 && lines > MAX_SHORT_LINES && has_dense_periods(j, lines);
    return true;
}

/* --- lines -------------------------------------------------------------------------- */

/* Prefetches a share of the rows of the next block. Inline, since a compiler may drop calls that only prefetch. */
SVI_INLINE void prefetch_share(const struct svi_rows *next, int64_t share, int64_t shares)
{
    const int64_t nbytes = next->count * next->src_pitch / shares, step = nbytes < 0 ? -SVI_LINE : SVI_LINE;
    const char *at = next->src + share * nbytes;

    for (int64_t left = (int64_t)svi_abs(nbytes); left > 0; left -= SVI_LINE, at += step)
        svi_prefetch(at);
}

/* Makes count lines of each row, line by line for a block of rows, as the next row is far away if there are many
 * lines. */
static void permute_rows(const struct job *j, const struct svi_permuted_line *line, int64_t count,
                         const struct svi_rows *rows, bool streams)
{
    const int64_t most = count <= 1 ? rows->count : svi_larger(BLOCK_LINES / count, 1);
    const bool shares = line == j->line && j->shares;
    const bool prefetches = j->prefetches && !shares && rows->count > 1;

    for (int64_t i = 0; i < rows->count; i += most) {
        struct svi_rows some = svi_some_rows(rows, i, svi_smaller(most, rows->count - i));
        const int64_t left = rows->count - i - some.count;
        const struct svi_rows next = svi_some_rows(rows, i + some.count, svi_smaller(most, left));

        for (int64_t k = 0; k < count; k++, some.dst += SVI_LINE) {
            if (shares)
                prefetch_share(&next, k, count);
            if (line[k].windows > 0)
                j->permute_lines(&line[k], &some, prefetches, streams);
        }
    }
}

static void permute_run(const struct job *j, char *dst, const char *src, bool streams)
{
    const struct svi_rows first = {dst, 0, src, 0, 1, 0};
    const struct svi_rows periods = {dst + j->head, j->period_bytes, src, j->step, j->periods, 0};
    const struct svi_rows tail = {dst + j->head + j->periods * j->period_bytes, 0, src + j->periods * j->step, 0, 1, 0};

    permute_rows(j, j->first, j->head > 0, &first, false);
    permute_rows(j, j->line, j->period_bytes / SVI_LINE, &periods, streams);
    permute_rows(j, j->tail, j->tail_lines, &tail, false);
}

static void permute_runs(const struct job *j, const struct svi_rows *runs)
{
    if (j->periods == 0)
        permute_rows(j, j->tail, j->tail_lines, runs, false);
    else
        for (int64_t i = 0; i < runs->count; i++)
            permute_run(j, runs->dst + i * runs->dst_pitch, runs->src + i * runs->src_pitch, false);
}

/* --- beyond the cache --------------------------------------------------------------- */

/* Makes a run by non-temporal stores from the first whole line on; through the cache if a line of its tables needs too
 * many windows. */
static void stream_permuted_run(struct job *j, char *dst, const char *src)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE);
    const bool streams = j->head == head || make_tables(j, head) || !make_tables(j, 0);

    permute_run(j, dst, src, streams);
}

/* Makes several contiguous runs at a time in a buffer, and stores them from there. */
static void stream_runs(const struct job *j, const struct svi_rows *runs, char *buffer, struct svi_carried_run *out)
{
    const int64_t most = BUFFER_BYTES / j->nbytes;

    for (int64_t i = 0; i < runs->count; i += most) {
        struct svi_rows some = svi_some_rows(runs, i, svi_smaller(most, runs->count - i));
        char *const to = some.dst;

        some.dst = buffer + SVI_LINE + (uintptr_t)to % SVI_LINE;
        permute_runs(j, &some);
        svi_continue_carried_run(out, to, some.dst, some.count * j->nbytes);
    }
}

/* --- all of it ---------------------------------------------------------------------- */

/* The runs along the axis before that of the records. Without such an axis it is one run. */
static struct svi_rows take_runs(struct svi_odometer *outer)
{
    struct svi_odometer_axis axis = {.extent = 1};

    if (outer->ndim > 0)
        axis = svi_odometer_take(outer, outer->ndim - 1);
    return (struct svi_rows){NULL, axis.dst, NULL, axis.src, axis.extent, 0};
}

static bool are_buffered(const struct job *j, const struct svi_rows *runs)
{
    return j->nbytes <= MAX_BUFFERED_BYTES && runs->dst_pitch == j->nbytes && runs->count * j->nbytes >= SVI_LINE;
}

/* Makes all runs. Without memory for the buffer they are stored through the cache. */
static void run_permute_job(struct job *j, const struct svi_host_copy *c, bool streams)
{
    struct svi_carried_run out = {.put = j->isa->nt->copy};
    struct svi_odometer outer;
    struct svi_rows runs;
    char *buffer = NULL;

    svi_odometer_init(&outer, c->plan, j->p->axis, -1, c->dst, c->src);
    runs = take_runs(&outer);
    if (streams && are_buffered(j, &runs))
        buffer = svi_scratch_new(BUFFER_BYTES + 3 * SVI_LINE);
    do {
        runs.dst = outer.dst;
        runs.src = outer.src;
        if (buffer != NULL)
            stream_runs(j, &runs, buffer, &out);
        else if (!streams || j->nbytes < MIN_NT_RUN_BYTES)
            permute_runs(j, &runs);
        else
            for (int64_t i = 0; i < runs.count; i++)
                stream_permuted_run(j, runs.dst + i * runs.dst_pitch, runs.src + i * runs.src_pitch);
    } while (svi_odometer_next(&outer));
    if (buffer != NULL)
        svi_end_carried_run(&out);
    if (streams)
        j->isa->nt->fence();
    svi_scratch_free(buffer);
}

bool svi_permute(const struct svi_host_copy *c, const struct svi_permutation *p, bool streams)
{
    const int64_t lines = svi_larger(p->lines, MAX_SHORT_LINES);
    struct job j = {
        .isa = c->machine->isa,
        .permute_lines = c->machine->isa->permute->lines[c->machine->permutes_bytes],
        .p = p,
        .prefetches = c->beyond_cache || streams,
        .nbytes = (c->plan->shape[p->axis] - 1) * p->record + p->nbytes,
        .period_bytes = p->lines * SVI_LINE,
        .step = p->lines * SVI_LINE / p->record * c->plan->src[p->axis],
    };
    const size_t nbytes =
        (size_t)(1 + p->lines + lines) * sizeof *j.first + (size_t)((lines + 1) * SVI_LINE) * sizeof *j.offset;
    _Alignas(SVI_LINE) char own[OWN_TABLE_BYTES];
    char *allocated = NULL;
    bool done;

    if (!has_small_offsets(p, j.step) || (nbytes > sizeof own && (allocated = svi_scratch_new(nbytes)) == NULL))
        return false;
    j.first = (struct svi_permuted_line *)(void *)(allocated != NULL ? allocated : own);
    j.line = j.first + 1;
    j.tail = j.line + p->lines;
    j.offset = (int32_t *)(void *)(j.tail + lines);
    done = make_tables(&j, 0);
    if (done && !c->dry_run)
        run_permute_job(&j, c, streams && !svi_has_gaps(p));
    svi_scratch_free(allocated);
    return done;
}
