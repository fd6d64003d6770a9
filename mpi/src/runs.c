/*
 * Which blocks of an axis lie in which. Both ways to deal it out are periodic, so that all there is repeats with the
 * least common multiple of the two periods: the segments of the first period are found, and each is repeated. Where one
 * side has few large blocks that is no help, since the period is longer than the axis; then segments of equal extents
 * in equal steps are joined one after another.
 */
#include "runs.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* After how many elements the processes of an axis come in the same order again, */
static int64_t period_of(const struct svm_axis *axis)
{
    int64_t period;

    return __builtin_mul_overflow(axis->block, axis->count, &period) ? INT64_MAX : period;
}

int64_t svm_axes_period(const struct svm_axis *dst, const struct svm_axis *src)
{
    const int64_t one = period_of(dst), other = period_of(src);
    int64_t both;

    if (one >= dst->extent || other >= dst->extent ||
        __builtin_mul_overflow(one / common_divisor(one, other), other, &both) || both >= dst->extent)
        return INT64_MAX;
    return both;
}

/* Where an index lies within what its process has. */
static int64_t local_of(const struct svm_axis *axis, int64_t index)
{
    return index / axis->block / axis->count * axis->block + index % axis->block;
}

/* --- lists ------------------------------------------------------------------- */

/* The run behind the last one in the same steps, so that both are one. */
static bool joins(struct svm_run *last, const struct svm_run *run)
{
    if (last->extent != run->extent || run->count != 1 || (last->count > 1 && last->dst_step == 0))
        return false;

    const int64_t dst_step = run->dst - (last->dst + (last->count - 1) * last->dst_step);
    const int64_t src_step = run->src - (last->src + (last->count - 1) * last->src_step);

    if (last->count > 1 && (dst_step != last->dst_step || src_step != last->src_step))
        return false;
    last->dst_step = dst_step;
    last->src_step = src_step;
    last->count++;
    return true;
}

static sv_status append(struct svm_runs *runs, const struct svm_run *run, bool is_repeated)
{
    if (!is_repeated && runs->count > 0 && joins(&runs->items[runs->count - 1], run))
        return SV_OK;

    struct svm_run *items = svm_grow(runs->items, runs->count, &runs->capacity, sizeof *items);

    if (items == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for the runs of an axis");
    runs->items = items;
    runs->items[runs->count++] = *run;
    return SV_OK;
}

void svm_runs_free(struct svm_runs *runs)
{
    free(runs->items);
    *runs = (struct svm_runs){0};
}

/* --- segments ---------------------------------------------------------------- */

/* The segment [begin, end) of the first period, and again in each period; the last one may be cut by the end. */
static sv_status add_segment(const struct svm_axis *dst, const struct svm_axis *src, int64_t period, int64_t begin,
                             int64_t end, struct svm_runs *out)
{
    const int64_t extent = end - begin;
    struct svm_run run = {extent, 1, local_of(dst, begin), 0, local_of(src, begin), 0};
    sv_status status;

    if (period == INT64_MAX)
        return append(out, &run, false);
    run.count = (dst->extent - end) / period + 1;
    if (run.count > 1) {
        run.dst_step = period / dst->count;
        run.src_step = period / src->count;
    }
    if ((status = append(out, &run, true)))
        return status;

    const int64_t next = begin + run.count * period; /* of the segment that the end may cut */

    if (next >= dst->extent)
        return SV_OK;
    return append(out, &(struct svm_run){dst->extent - next, 1, local_of(dst, next), 0, local_of(src, next), 0}, true);
}

sv_status svm_runs_find(const struct svm_axis *dst, int64_t to, const struct svm_axis *src, int64_t from,
                        struct svm_runs *out)
{
    const int64_t period = svm_axes_period(dst, src), end = least(period, dst->extent);
    sv_status status;

    for (int64_t block = from; block < end / src->block + (end % src->block != 0); block += src->count) {
        const int64_t begin = block * src->block, stop = end - begin < src->block ? end : begin + src->block;
        const int64_t first = begin / dst->block;
        const int64_t ahead = ((to - first) % dst->count + dst->count) % dst->count;

        for (int64_t other = first + ahead; other <= (stop - 1) / dst->block; other += dst->count) {
            const int64_t low = most(begin, other * dst->block);
            const int64_t high = stop - other * dst->block < dst->block ? stop : (other + 1) * dst->block;

            if ((status = add_segment(dst, src, period, low, high, out)))
                return status;
        }
        if (src->count > INT64_MAX - block)
            break;
    }
    return SV_OK;
}
