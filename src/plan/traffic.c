/* How many bytes of whole cache lines a plan moves: a prediction, pure. */
#include "plan/traffic.h"

#include "base/checked.h"

enum { LINE = 64 };

/* Axes that move, the smallest stride first. */
struct side {
    int32_t ndim;
    int64_t shape[SVI_PLAN_NDIM];
    uint64_t strides[SVI_PLAN_NDIM];
};

static void sort_strides(const struct svi_plan *plan, const int64_t *strides, struct side *out)
{
    out->ndim = 0;
    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        const uint64_t stride = svi_abs(strides[k]);
        int32_t place = out->ndim;

        if (stride == 0)
            continue;
        for (; place > 0 && out->strides[place - 1] > stride; place--) {
            out->strides[place] = out->strides[place - 1];
            out->shape[place] = out->shape[place - 1];
        }
        out->strides[place] = stride;
        out->shape[place] = plan->shape[k];
        out->ndim++;
    }
}

static int64_t round_up(uint64_t nbytes, int64_t unit)
{
    return nbytes > (uint64_t)(INT64_MAX - unit) ? INT64_MAX / unit * unit : ((int64_t)nbytes + unit - 1) / unit * unit;
}

/*
 * Axes whose gaps are less than a line make runs of whole lines. The others
 * repeat that run: where their strides are multiples of g only, a run begins
 * anywhere in a line, by steps of g, and touches LINE - g bytes more of its
 * lines than it would from the beginning of one, on average. From the first byte
 * to the last may be more than an int64 holds.
 */
static int64_t count_lines(const struct svi_plan *plan, int64_t item, const int64_t *strides)
{
    struct side side;
    uint64_t run = (uint64_t)item, reach;
    int64_t g = LINE, nbytes;
    int32_t k = 0;

    sort_strides(plan, strides, &side);
    for (; k < side.ndim && side.strides[k] < run + LINE; k++)
        run += (uint64_t)(side.shape[k] - 1) * side.strides[k];
    reach = run;
    for (int32_t i = k; i < side.ndim; i++) {
        g = (int64_t)svi_gcd(side.strides[i], (uint64_t)g);
        reach += (uint64_t)(side.shape[i] - 1) * side.strides[i];
    }
    if (svi_add(round_up(run, g), LINE - g, &nbytes))
        nbytes = INT64_MAX;
    for (int32_t i = k; i < side.ndim; i++)
        if (svi_mul(nbytes, side.shape[i], &nbytes))
            nbytes = INT64_MAX;
    return round_up((uint64_t)nbytes < reach ? (uint64_t)nbytes : reach, LINE);
}

void svi_plan_traffic(const struct svi_plan *plan, int64_t *read, int64_t *written)
{
    *read = plan->kind == SVI_CLASS_EMPTY ? 0 : count_lines(plan, plan->src_item, plan->src);
    *written = plan->kind == SVI_CLASS_EMPTY ? 0 : count_lines(plan, plan->item, plan->dst);
}
