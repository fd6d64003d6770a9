/*
 * Rows of elements that are a step apart in the source, in the destination or in both, maybe some times each, by a
 * periodic permutation: each vector of the destination is put together from up to four of the source, and stored as far
 * as it has elements. Rows have any length and begin anywhere. To make the tables takes less
 * time than to copy some rows.
 */
#include "host/kernels.h"
#include "host/base/odometer.h"
#include "host/base/scratch.h"
#include "period.h"

enum {
    LEAST = 1024,    /* bytes of a copy: of fewer items one by one are always as fast */
    PIECE = 4096,    /* bytes of rows, or of a row, that go beyond the cache together, */
    LONG_ROW = 2048, /* and from which on others store whole lines of a row by themselves */
    SHORT = 3,       /* vectors of rows all of which are read by masks */
    SPREAD = 4,      /* times as far as they are wide are items at most: each vector is to have some; or a unit */
    WIDE_LOG = 3     /* of units that are worth it in the destination anyhow */
};

/* Items of a row, at a step of two or of more, and bytes of a copy, below which items one by one are as fast; by the
 * logarithm of a unit. */
static const int32_t least_count[] = {24, 16, 32, 24}, least_far[] = {24, 16, 96, 256};
static const int32_t least_bytes[] = {LEAST, LEAST, 4096, 8192};

/* --- what rows are ------------------------------------------------------------ */

/* The axis of the rows; behind it there is one of times, if any. */
static int32_t axis_of(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_REPEAT ? plan->ndim - 2 : plan->ndim - 1;
}

static int64_t times_of(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_REPEAT ? plan->shape[plan->ndim - 1] : 1;
}

/* Whether the times of an item follow each other, are few, and their bytes told by a mask. */
static bool is_again(const struct svi_plan *plan)
{
    return plan->dst[plan->ndim - 1] == plan->item && times_of(plan) <= SVI_CHANNELS &&
           (plan->item & (plan->item - 1)) == 0;
}

static bool is_for(const struct svi_plan *plan)
{
    const int32_t axis = axis_of(plan);
    const int64_t dst_step = plan->dst[axis], src_step = plan->src[axis], times = times_of(plan);
    const int64_t width = plan->item * times;
    const int log = __builtin_ctz((unsigned)(plan->item | dst_step | src_step | 8));
    const bool far = (dst_step == width || log < WIDE_LOG) && (src_step > 2 * plan->item || dst_step > 2 * width);

    if (plan->item == SVI_UNIT || (plan->kind == SVI_CLASS_REPEAT && !is_again(plan)))
        return false;
    return src_step >= plan->item && src_step <= SVI_LINE && dst_step >= width &&
           dst_step <= svi_smaller(svi_larger(SPREAD * width, SVI_UNIT), SVI_LINE) &&
           plan->shape[axis] >= (far ? least_far : least_count)[log] && plan->nbytes >= least_bytes[log];
}

static void begin(struct svi_period_rows *s, const struct svi_plan *plan, bool beyond_cache)
{
    const int32_t axis = axis_of(plan);

    s->count = plan->shape[axis];
    s->item = plan->item;
    s->times = times_of(plan);
    s->dst_step = plan->dst[axis];
    s->src_step = plan->src[axis];
    s->unit = 1 << __builtin_ctz((unsigned)(s->item | s->dst_step | s->src_step | 8));
    s->vectors = 0;
    s->body = 0;
    s->beyond_cache = beyond_cache;
}

/* --- tables ------------------------------------------------------------------- */

static void make(struct svi_period_rows *s, const struct svi_isa *isa, int64_t vector, struct svi_period_line *out)
{
    isa->make_period_line(s, vector, out);
    if (out->vectors > s->vectors)
        s->vectors = out->vectors;
}

/* Behind the last item of a row there may be nothing. */
static int64_t safe_body(const struct svi_period_rows *s, int64_t vectors)
{
    const int64_t end = (s->count - 1) * s->src_step + s->item;
    const int64_t reach = s->line[s->period - 1].from + s->vectors * SVI_LINE;

    return svi_safe_periods((vectors - 1) / s->period, s->step, reach, end).end * s->period;
}

/* False where they come again after too many vectors, or one needs too many of the source. */
static bool make_tables(struct svi_period_rows *s, const struct svi_isa *isa)
{
    const int64_t nbytes = (s->count - 1) * s->dst_step + s->item * s->times;
    const int64_t vectors = (nbytes + SVI_LINE - 1) / SVI_LINE;

    s->period = (int32_t)svi_period_lines(s->dst_step);
    if (s->period != 1 && s->period != SVI_PERIOD_LINES)
        return false;
    s->step = svi_period_step(s->dst_step, s->src_step);
    if (vectors > SHORT) {
        for (int32_t k = 0; k < s->period; k++)
            make(s, isa, k, &s->line[k]);
        s->body = safe_body(s, vectors);
    }
    if (vectors - s->body > SVI_PERIOD_ENDS)
        return false;
    s->ends = (int32_t)(vectors - s->body);
    for (int32_t k = 0; k < s->ends; k++)
        make(s, isa, s->body + k, &s->end[k]);
    return s->vectors <= SVI_PERIOD_VECTORS;
}

/* --- rows --------------------------------------------------------------------- */

/* Rows that follow each other in the destination, by way of a buffer. */
static void stream_rows(const struct svi_period_rows *s, const struct svi_isa *isa,
                        const struct svi_odometer_axis *rows, char *buffer, char *dst, const char *src)
{
    const int64_t nbytes = s->count * s->dst_step, most = PIECE / nbytes;

    for (int64_t i = 0; i < rows->extent; i += most) {
        const int64_t some = svi_smaller(most, rows->extent - i);

        isa->permute_period(s, buffer, nbytes, src + i * rows->src, rows->src, some);
        isa->stream_copy(dst + i * nbytes, buffer, (size_t)(some * nbytes));
    }
}

/* One row, in pieces of whole periods and what is behind them. */
static void stream_row(const struct svi_period_rows *s, const struct svi_isa *isa, char *buffer, char *dst,
                       const char *src)
{
    const int64_t vectors = PIECE / SVI_LINE / s->period * s->period, done = s->body / vectors;
    const int64_t step = vectors / s->period * s->step, nbytes = s->count * s->dst_step;
    struct svi_period_rows part = *s;

    part.body = vectors;
    part.ends = 0;
    for (int64_t i = 0; i < done; i++, dst += vectors * SVI_LINE) {
        isa->permute_period(&part, buffer, 0, src + i * step, 0, 1);
        isa->stream_copy(dst, buffer, (size_t)(vectors * SVI_LINE));
    }
    part.body = s->body - done * vectors;
    part.ends = s->ends;
    for (int32_t k = 0; k < s->ends; k++)
        part.end[k].from -= done * step;
    isa->permute_period(&part, buffer, 0, src + done * step, 0, 1);
    isa->stream_copy(dst, buffer, (size_t)(nbytes - done * vectors * SVI_LINE));
}

/* Rows without gaps in them, but short ones with gaps between them. */
static bool are_streamed(const struct svi_period_rows *s, const struct svi_odometer_axis *rows)
{
    const int64_t nbytes = s->count * s->dst_step;

    return s->beyond_cache && s->dst_step == s->item * s->times && (nbytes >= LONG_ROW || rows->dst == nbytes);
}

static void stream(const struct svi_period_rows *s, const struct svi_isa *isa, const struct svi_odometer_axis *rows,
                   char *buffer, char *dst, const char *src)
{
    const int64_t nbytes = s->count * s->dst_step;

    if (nbytes < LONG_ROW && rows->dst == nbytes)
        stream_rows(s, isa, rows, buffer, dst, src);
    else
        for (int64_t i = 0; i < rows->extent; i++)
            stream_row(s, isa, buffer, dst + i * rows->dst, src + i * rows->src);
}

/* The axis in front of that of the rows; one row where there is none. */
static struct svi_odometer_axis take_rows(struct svi_odometer *outer)
{
    if (outer->ndim == 0)
        return (struct svi_odometer_axis){.extent = 1};
    return svi_odometer_take(outer, outer->ndim - 1);
}

static void walk(const struct svi_period_rows *s, const struct svi_isa *isa, const struct svi_plan *plan, char *dst,
                 const char *src)
{
    struct svi_odometer outer;
    struct svi_odometer_axis rows;
    char *buffer = NULL;

    svi_odometer_init(&outer, plan, axis_of(plan), -1, dst, src);
    rows = take_rows(&outer);
    if (are_streamed(s, &rows))
        buffer = svi_scratch_new(PIECE + SVI_PERIOD_ENDS * SVI_LINE); /* without memory for it, through the cache */
    do
        if (buffer != NULL)
            stream(s, isa, &rows, buffer, outer.dst, outer.src);
        else
            isa->permute_period(s, outer.dst, rows.dst, outer.src, rows.src, rows.extent);
    while (svi_odometer_next(&outer));
    if (buffer != NULL)
        isa->fence();
    svi_scratch_free(buffer);
}

/* Whether rows are short, and of few bytes an item or such as follow each other in the destination. */
static bool has_short_rows(const struct svi_plan *plan)
{
    const int32_t axis = axis_of(plan);
    const int64_t nbytes = plan->shape[axis] * plan->dst[axis];

    return axis > 0 && nbytes < LONG_ROW && (plan->item < 1 << WIDE_LOG || plan->dst[axis - 1] == nbytes);
}

/* Whether others store whole lines of a row beyond the cache, or know small gaps. */
static bool is_for_others(const struct svi_plan *plan)
{
    return (plan->kind == SVI_CLASS_GATHER && !has_short_rows(plan)) || svi_is_scatter(plan);
}

bool svi_is_permute_period(const struct svi_host_copy *c)
{
    return c->plan->nbytes >= LEAST && c->machine->isa->permute_period != NULL && c->machine->bytes &&
           axis_of(c->plan) >= 0 && is_for(c->plan) && !(c->beyond_cache && is_for_others(c->plan));
}

bool svi_permute_period(const struct svi_host_copy *c)
{
    struct svi_period_rows s;

    begin(&s, c->plan, c->beyond_cache);
    if (!make_tables(&s, c->machine->isa))
        return false;
    if (!c->asks)
        walk(&s, c->machine->isa, c->plan, c->dst, c->src);
    return true;
}
