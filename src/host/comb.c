/*
 * Rows of items that are a step apart in the source, in the destination or in
 * both, by combs: vectors of the destination that are each put together from up
 * to four of the source, and stored as far as they are items. Rows of any length,
 * which begin anywhere; what tells how takes less time to make than some rows.
 */
#include "checked.h"
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum {
    PIECE = 4096,    /* bytes of rows that go past the cache together, */
    LONG_ROW = 2048, /* and from which on others store whole lines of a row by themselves */
    SHORT = 3,       /* vectors of rows all of which are read by masks */
    WIDE_LOG = 3     /* of units that are worth it in the destination anyhow */
};

/* Items of a row, at a step of two or of more, and bytes of a copy, below which items one by one are as fast; by the
 * logarithm of a unit. */
static const int32_t least_count[] = {24, 16, 32, 24}, least_far[] = {24, 16, 96, 256};
static const int32_t least_bytes[] = {SVI_COMB_LEAST, SVI_COMB_LEAST, 4096, 8192};

/* --- what rows are ------------------------------------------------------------ */

static bool is_for(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t dst_step = plan->dst[last], src_step = plan->src[last];
    const int log = __builtin_ctz((unsigned)(plan->item | dst_step | src_step | 8));
    const bool dense = dst_step == plan->item;
    const bool far = svi_larger(dst_step, src_step) > 2 * plan->item && (dense || log < WIDE_LOG);

    return src_step >= plan->item && src_step <= SVI_LINE && dst_step <= SVI_LINE &&
           plan->shape[last] >= (far ? least_far : least_count)[log] && plan->nbytes >= least_bytes[log];
}

/* Past the cache: rows of the destination that others store in whole lines, or with small gaps. */
static bool is_for_others(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t nbytes = plan->shape[last] * plan->item;

    if (plan->dst[last] != plan->item)
        return svi_is_scatter(plan);
    return last == 0 || plan->dst[last - 1] != nbytes || nbytes >= LONG_ROW;
}

static void begin(struct svi_combs *s, const struct svi_plan *plan, bool past_cache)
{
    const int32_t last = plan->ndim - 1;

    s->count = plan->shape[last];
    s->item = plan->item;
    s->dst_step = plan->dst[last];
    s->src_step = plan->src[last];
    s->unit = 1 << __builtin_ctz((unsigned)(s->item | s->dst_step | s->src_step | 8));
    s->vectors = 0;
    s->body = 0;
    s->past_cache = past_cache;
}

/* --- combs -------------------------------------------------------------------- */

static void make(struct svi_combs *s, const struct svi_isa *isa, int64_t vector, struct svi_comb *out)
{
    isa->make_comb(s, vector, out);
    if (out->vectors > s->vectors)
        s->vectors = out->vectors;
}

/* Behind the last item of a row there may be nothing. */
static int64_t safe_body(const struct svi_combs *s, int64_t vectors)
{
    const int64_t end = (s->count - 1) * s->src_step + s->item;
    const int64_t reach = s->comb[s->period - 1].from + s->vectors * SVI_LINE;

    return end < reach ? 0 : svi_smaller((end - reach) / s->step + 1, (vectors - 1) / s->period) * s->period;
}

/* False where they come again after too many vectors, or one needs too many of the source. */
static bool make_combs(struct svi_combs *s, const struct svi_isa *isa)
{
    const int64_t nbytes = (s->count - 1) * s->dst_step + s->item, vectors = (nbytes + SVI_LINE - 1) / SVI_LINE;

    s->period = (int32_t)(s->dst_step / svi_smaller(s->dst_step & -s->dst_step, SVI_LINE));
    if (s->period != 1 && s->period != SVI_COMB_PERIOD)
        return false;
    s->step = s->period * SVI_LINE / s->dst_step * s->src_step;
    if (vectors > SHORT) {
        for (int32_t k = 0; k < s->period; k++)
            make(s, isa, k, &s->comb[k]);
        s->body = safe_body(s, vectors);
    }
    if (vectors - s->body > SVI_COMB_ENDS)
        return false;
    s->ends = (int32_t)(vectors - s->body);
    for (int32_t k = 0; k < s->ends; k++)
        make(s, isa, s->body + k, &s->end[k]);
    return s->vectors <= SVI_COMB_VECTORS;
}

/* --- rows --------------------------------------------------------------------- */

/* The axis in front of that of the rows; one row where there is none. */
static struct svi_odometer_axis take_rows(struct svi_odometer *outer)
{
    if (outer->ndim == 0)
        return (struct svi_odometer_axis){.extent = 1};
    return svi_odometer_take(outer, outer->ndim - 1);
}

static void in_place(const struct svi_combs *s, const struct svi_isa *isa, const struct svi_plan *plan, char *dst,
                     const char *src)
{
    struct svi_odometer outer;
    struct svi_odometer_axis rows;

    svi_odometer_init(&outer, plan, plan->ndim - 1, -1, dst, src);
    rows = take_rows(&outer);
    do
        isa->comb_rows(s, outer.dst, rows.dst, outer.src, rows.src, rows.extent);
    while (svi_odometer_next(&outer));
}

/* Rows that follow each other in the destination, by way of a buffer. */
static void past_cache(const struct svi_combs *s, const struct svi_isa *isa, const struct svi_plan *plan, char *dst,
                       const char *src)
{
    _Alignas(SVI_LINE) char buffer[PIECE];
    const int64_t nbytes = s->count * s->item, most = PIECE / nbytes;
    struct svi_odometer outer;
    struct svi_odometer_axis rows;

    svi_odometer_init(&outer, plan, plan->ndim - 1, -1, dst, src);
    rows = take_rows(&outer);
    do
        for (int64_t i = 0; i < rows.extent; i += most) {
            const int64_t some = svi_smaller(most, rows.extent - i);

            isa->comb_rows(s, buffer, nbytes, outer.src + i * rows.src, rows.src, some);
            isa->stream_copy(outer.dst + i * nbytes, buffer, (size_t)(some * nbytes));
        }
    while (svi_odometer_next(&outer));
    isa->fence();
}

/* Apart from what asks: most plans have no use for its memory. */
static __attribute__((noinline)) bool run(const struct svi_machine *machine, const struct svi_plan *plan, char *dst,
                                          const char *src)
{
    struct svi_combs s;

    begin(&s, plan, svi_is_past_cache(machine, plan));
    if ((s.past_cache && is_for_others(plan)) || !make_combs(&s, machine->isa))
        return false;
    if (s.past_cache && s.dst_step == s.item)
        past_cache(&s, machine->isa, plan, dst, src);
    else
        in_place(&s, machine->isa, plan, dst, src);
    return true;
}

bool svi_host_comb(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    if (machine->isa->comb_rows == NULL || !machine->bytes || !is_for(plan))
        return false;
    return run(machine, plan, dst, src);
}
