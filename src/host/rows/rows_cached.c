/*
 * Runs and rows in cache, at any pitch: by vectors, long ones with their destination prefetched where stores to lines
 * that are not in L1 are slow. The last part is what plans of one run are executed by, without any table.
 */
#include "host/base/elements.h"
#include "host/kernels.h"

enum {
    L1_BYTES = 32768,       /* of both sides together, that are in L1 */
    MAX_DENSE_BYTES = 16384 /* of a run that an instruction set's vectors copy in L1 */
};

/*
 * By vectors and not by memcpy, whose `rep movsb` of glibc is 15 times slower on Zen 3 and 4 from 2 KiB to the size of
 * L2, where dst modulo 4096 is 1 to 63 bytes behind src (glibc bug 30994; measured: doc/copy_experiments.md).
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

bool svi_contiguous(const struct svi_host_copy *c)
{
    copy_cached(c->machine, c->dst, c->src, c->plan->nbytes);
    return true;
}

/* --- rows along the second to last axis --- */

static bool copy_rows(const struct svi_host_copy *c, enum svi_row_prefetch prefetch, int64_t stores)
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
    return c->plan->reach > (uint64_t)c->machine->second;
}

/* --- rows_prefetched --- */

/* Least bytes of a row whose destination is worth a prefetch. */
static int64_t min_prefetched_bytes(const struct svi_host_copy *c)
{
    const bool far = is_beyond_l2(c);

    if (!svi_has_lines(c->plan, c->dst))
        return far ? 1024 : 1536;
    if (!far)
        return 1024;
    return c->plan->dst[c->plan->ndim - 2] != svi_row_nbytes(c->plan) ? 256 : 512;
}

bool svi_is_rows_prefetched(const struct svi_host_copy *c)
{
    return c->plan->reach > L1_BYTES && svi_fetches_rows(c->machine) &&
           svi_row_nbytes(c->plan) >= min_prefetched_bytes(c);
}

bool svi_rows_prefetched(const struct svi_host_copy *c)
{
    return copy_rows(c, SVI_PREFETCH_BOTH, 1);
}

/* --- rows_vectors --- */

bool svi_is_rows_vectors(const struct svi_host_copy *c)
{
    return c->machine->isa->cached_rows != NULL;
}

/* Beyond L2 the several lines of a row keep enough stores under way by themselves. */
bool svi_rows_vectors(const struct svi_host_copy *c)
{
    const struct svi_plan *const plan = c->plan;
    const int32_t row = plan->ndim - 2;
    const int64_t nbytes = svi_row_nbytes(plan);
    const bool far = is_beyond_l2(c), again = svi_stores_again(c->machine, plan, row) && (!far || nbytes <= SVI_LINE);
    const int64_t stores = again ? svi_stores_each(plan->dst[row], plan->shape[row]) : 1;

    return copy_rows(c, far && plan->src[row] != nbytes ? SVI_PREFETCH_SRC : SVI_PREFETCH_NONE, stores);
}

/* --- rows_plain --- */

bool svi_rows_plain(const struct svi_host_copy *c)
{
    struct svi_odometer outer;

    for (svi_axes_of(c, c->plan->ndim - 2, &outer); !outer.ended; svi_odometer_next(&outer))
        for (struct svi_rows r = svi_rows_of(c->plan, &outer); r.count > 0; svi_next_rows(&r, 1))
            if (r.nbytes <= SVI_LINE) /* without a call */
                svi_copy_short(r.dst, r.src, (size_t)r.nbytes);
            else
                memcpy(r.dst, r.src, (size_t)r.nbytes);
    return true;
}

/* --- what plans of one run in cache are executed by ------------------------------ */

static sv_status run_long(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    const struct svi_machine machine = svi_machine();

    (void)with;
    copy_cached(&machine, dst + plan->dst_offset, src + plan->src_offset, plan->nbytes);
    return SV_OK;
}

/* Up to a line, without a call; the plan's offsets are 0. */
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
    return isa->dense != NULL ? isa->dense : run_long;
}
