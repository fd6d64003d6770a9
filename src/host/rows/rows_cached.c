/*
 * Runs and rows in cache, at any pitch. They are copied by vectors; the destination of long ones is prefetched where
 * stores to lines outside L1 are slow. At the end are the functions that a plan of one run calls directly, without the
 * tables of loops.
 */
#include "host/base/elements.h"
#include "host/loop/facts.h"
#include "host/loop/loop.h"
#include "host/rows/rows_cached.h"
#include "host/rows/rows_nt.h"
#include "host/loop/crowding.h"

/* Measured: doc/internals/copy_experiments.md#rows-in-cache. */
enum {
    MIN_PREFETCHED_ROW_BYTES = 256, /* bytes of a row whose destination is prefetched */
    L1_BYTES = 32768, /* bytes of both sides together that L1 holds */
    MIN_SHORT_ROWS = 64, /* rows at a time that are worth a call of vector code */
    MAX_DENSE_BYTES = 16384 /* bytes of a run in L1 that vectors copy */
};

/*
 * Copies by vectors rather than memcpy. The `rep movsb` of glibc's memcpy is 15 times slower on Zen 3 and 4, from 2 KiB
 * to the size of L2, if dst modulo 4096 is 1 to 63 bytes behind src (glibc bug 30994; measured:
 * doc/internals/copy_experiments.md#is-rep-movsb-faster-than-vectors).
 */
static void copy_cached(const struct svi_machine *machine, char *dst, const char *src, int64_t nbytes)
{
    const bool fetches = svi_fetches_rows(machine) && nbytes >= machine->tuning->fetched_run_bytes;

    if (nbytes <= SVI_LINE)
        svi_copy_short(dst, src, (size_t)nbytes);
    else if (machine->isa->cached_rows != NULL)
        machine->isa->cached_rows(&(struct svi_rows){dst, 0, src, 0, 1, nbytes},
                                  fetches ? SVI_PREFETCH_BOTH : SVI_PREFETCH_NONE, 1);
    else
        memcpy(dst, src, (size_t)nbytes);
}

static bool copy_contiguous(const struct svi_host_copy *c)
{
    copy_cached(c->machine, c->dst, c->src, c->plan->nbytes);
    return true;
}

const struct svi_loop svi_loop_contiguous = {
    .name = "contiguous",
    .run = copy_contiguous,
    .what = "one run in cache",
};

/* --- rows along the second to last axis --- */

static bool copy_cached_rows(const struct svi_host_copy *c, enum svi_row_prefetch prefetch, int64_t stores)
{
    struct svi_odometer outer;

    for (svi_axes_of(c, c->plan->ndim - 2, &outer); !outer.ended; svi_odometer_next(&outer)) {
        const struct svi_rows rows = svi_rows_of(c->plan, &outer);

        c->machine->isa->cached_rows(&rows, prefetch, stores);
    }
    return true;
}

static bool is_beyond_l2(const struct svi_host_copy *c)
{
    return c->plan->reach > (uint64_t)c->machine->l2_bytes;
}

/* --- rows_prefetched --- */

/* Bytes of a row from which on a prefetch of its destination pays. */
static int64_t min_prefetched_bytes(const struct svi_host_copy *c)
{
    const bool far = is_beyond_l2(c);

    if (!svi_has_lines(c->plan, c->dst))
        return far ? 1024 : 1536;
    if (!far)
        return 1024;
    return c->plan->dst[c->plan->ndim - 2] != svi_row_nbytes(c->plan) ? 256 : 512;
}

static bool can_rows_by_vectors(const struct svi_host_copy *c)
{
    return c->machine->isa->cached_rows != NULL;
}

/* Rows must have a few lines, as the loop that prefetches copies whole lines. */
static bool can_prefetch(const struct svi_host_copy *c)
{
    return can_rows_by_vectors(c) && svi_row_nbytes(c->plan) >= MIN_PREFETCHED_ROW_BYTES;
}

static bool refuses_prefetched(const struct svi_host_copy *c)
{
    if (!c->machine->tuning->prefetch_destination)
        return svi_refuse(c, "this processor stores to lines that are in no cache as fast without a prefetch");
    return svi_refuse_less(c, "bytes of both sides", (int64_t)c->plan->reach, L1_BYTES + 1) ||
           svi_refuse_less(c, "bytes of a row", svi_row_nbytes(c->plan), min_prefetched_bytes(c));
}

static bool rows_prefetched(const struct svi_host_copy *c)
{
    return copy_cached_rows(c, SVI_PREFETCH_BOTH, 1);
}

const struct svi_loop svi_loop_rows_prefetched = {
    .name = "rows_prefetched",
    .can = can_prefetch,
    .refuses = refuses_prefetched,
    .run = rows_prefetched,
    .what = "rows beyond L1 whose destination is worth a prefetch",
};

/* --- rows_vectors --- */

static bool refuses_vectors(const struct svi_host_copy *c)
{
    const int32_t row = c->plan->ndim - 1;

    return svi_row_nbytes(c->plan) <= c->machine->tuning->plain_row_bytes &&
           svi_refuse_less(c, "short rows at a time", c->plan->shape[row - 1], MIN_SHORT_ROWS);
}

/* Beyond L2, rows of several lines need no repeated stores: they keep enough stores in flight. */
static bool rows_vectors(const struct svi_host_copy *c)
{
    const struct svi_plan *const plan = c->plan;
    const int32_t row = plan->ndim - 2;
    const int64_t nbytes = svi_row_nbytes(plan);
    const bool far = is_beyond_l2(c), again = svi_stores_again(c->machine, plan, row) && (!far || nbytes <= SVI_LINE);
    const int64_t stores = again ? svi_stores_each(plan->dst[row], plan->shape[row]) : 1;

    return copy_cached_rows(c, far && plan->src[row] != nbytes ? SVI_PREFETCH_SRC : SVI_PREFETCH_NONE, stores);
}

const struct svi_loop svi_loop_rows_vectors = {
    .name = "rows_vectors",
    .can = can_rows_by_vectors,
    .refuses = refuses_vectors,
    .run = rows_vectors,
    .what = "rows, by vectors",
};

/* --- rows_plain --- */

static bool rows_plain(const struct svi_host_copy *c)
{
    struct svi_odometer outer;

    for (svi_axes_of(c, c->plan->ndim - 2, &outer); !outer.ended; svi_odometer_next(&outer))
        for (struct svi_rows r = svi_rows_of(c->plan, &outer); r.count > 0; svi_next_rows(&r, 1))
            if (r.nbytes <= SVI_LINE) /* inline */
                svi_copy_short(r.dst, r.src, (size_t)r.nbytes);
            else
                memcpy(r.dst, r.src, (size_t)r.nbytes);
    return true;
}

const struct svi_loop svi_loop_rows_plain = {
    .name = "rows_plain",
    .run = rows_plain,
    .what = "rows, without an instruction set's vectors",
};

/* --- what plans of one run in cache are executed by ------------------------------ */

static sv_status run_long(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    const struct svi_machine machine = svi_machine();

    (void)with;
    copy_cached(&machine, dst + plan->dst_offset, src + plan->src_offset, plan->nbytes);
    return SV_OK;
}

/* Copies up to a line, inline. The plan's offsets are 0. */
static sv_status run_short(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)with;
    svi_copy_short(dst, src, (size_t)plan->nbytes);
    return SV_OK;
}

svi_run *svi_dense_run(const struct svi_isa *isa, const struct svi_plan *plan)
{
    if (plan->nbytes > MAX_DENSE_BYTES || (plan->dst_offset | plan->src_offset) != 0)
        return run_long;
    if (plan->nbytes <= SVI_LINE)
        return run_short;
    return isa->runs != NULL ? isa->runs->copy : run_long;
}
