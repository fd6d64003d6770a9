/*
 * Rows of elements that are a step apart in the source, in the destination or in both, maybe some times each, by a
 * periodic permutation: each vector of the destination is put together from up to four of the source, and stored as far
 * as it has elements. Rows have any length and begin anywhere. To make the tables takes less
 * time than to copy some rows.
 */
#include "host/kernels.h"
#include "host/base/odometer.h"
#include "host/base/buffer.h"
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

/* --- tables ------------------------------------------------------------------- */

enum { PERIOD_LINES = 3, MAX_ENDS = 8 };

struct rows {
    const struct svi_isa *isa;
    struct svi_period_row row;
    bool beyond_cache;
    int64_t nbytes; /* of a row in the destination, the gap behind its last item as well */
    int64_t period; /* lines after which they come again: 1 or 3 */
    int64_t step;   /* bytes from period to period in the source */
    int64_t body;   /* lines of whole periods, of which all windows may be read, */
    int64_t ends;   /* and those behind them */
    struct svi_sources_line line[PERIOD_LINES], end[MAX_ENDS];
};

/* Behind the last item of a row there may be nothing. */
static int64_t safe_body(const struct rows *s, int64_t lines)
{
    const int64_t end = (s->row.count - 1) * s->row.src_step + s->row.item;
    int64_t reach = 0;

    for (int64_t k = 0; k < s->period; k++)
        reach = svi_larger(reach, s->line[k].from[0] + s->line[k].windows * SVI_LINE);
    return svi_safe_periods((lines - 1) / s->period, s->step, reach, end).end * s->period;
}

/* False where lines come again after too many, or one needs too many windows. */
static bool make_tables(struct rows *s)
{
    const int64_t nbytes = (s->row.count - 1) * s->row.dst_step + s->row.item * s->row.times;
    const int64_t lines = (nbytes + SVI_LINE - 1) / SVI_LINE;
    bool fits = true;

    s->nbytes = s->row.count * s->row.dst_step;
    s->period = svi_period_lines(s->row.dst_step);
    s->step = svi_period_step(s->row.dst_step, s->row.src_step);
    s->body = 0;
    if (s->period != 1 && s->period != PERIOD_LINES)
        return false;
    if (lines > SHORT) {
        for (int64_t k = 0; k < s->period && fits; k++)
            fits = s->isa->make_period_line(&s->row, k, &s->line[k]);
        s->body = fits ? safe_body(s, lines) : 0;
    }
    s->ends = lines - s->body;
    if (s->ends > MAX_ENDS)
        return false;
    for (int64_t k = 0; k < s->ends && fits; k++)
        fits = s->isa->make_period_line(&s->row, s->body + k, &s->end[k]);
    return fits;
}

/* --- rows --------------------------------------------------------------------- */

static void permute_body(const struct rows *s, char *dst, const char *src, int64_t periods)
{
    svi_permute_periods(s->isa, s->line, s->period, dst, s->period * SVI_LINE, src, s->step, periods, true,
                        s->beyond_cache);
}

/* dst: of the first line behind the body. */
static void permute_ends(const struct rows *s, char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch,
                         int64_t rows)
{
    svi_permute_periods(s->isa, s->end, s->ends, dst, dst_pitch, src, src_pitch, rows, false,
                        s->beyond_cache);
}

static void permute_rows(const struct rows *s, char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch,
                         int64_t rows)
{
    if (s->body == 0) {
        permute_ends(s, dst, dst_pitch, src, src_pitch, rows);
        return;
    }
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        permute_body(s, dst, src, s->body / s->period);
        permute_ends(s, dst + s->body * SVI_LINE, 0, src, 0, 1);
    }
}

/* Rows that follow each other in the destination, by way of a buffer. */
static void stream_rows(const struct rows *s, const struct svi_odometer_axis *rows, char *buffer, char *dst,
                        const char *src)
{
    const int64_t most = PIECE / s->nbytes;

    for (int64_t i = 0; i < rows->extent; i += most) {
        const int64_t some = svi_smaller(most, rows->extent - i);

        permute_rows(s, buffer, s->nbytes, src + i * rows->src, rows->src, some);
        s->isa->stream_copy(dst + i * s->nbytes, buffer, (size_t)(some * s->nbytes));
    }
}

/* One row, in pieces of whole periods, the last of which has what is behind them. */
static void stream_row(const struct rows *s, char *buffer, char *dst, const char *src)
{
    const int64_t periods = s->body / s->period, most = PIECE / SVI_LINE / s->period;
    int64_t k = 0;

    for (; periods - k > most; k += most, dst += most * s->period * SVI_LINE) {
        permute_body(s, buffer, src + k * s->step, most);
        s->isa->stream_copy(dst, buffer, (size_t)(most * s->period * SVI_LINE));
    }
    permute_body(s, buffer, src + k * s->step, periods - k);
    permute_ends(s, buffer + (periods - k) * s->period * SVI_LINE, 0, src, 0, 1);
    s->isa->stream_copy(dst, buffer, (size_t)(s->nbytes - k * s->period * SVI_LINE));
}

/* Rows without gaps in them, but short ones with gaps between them. */
static bool are_streamed(const struct rows *s, const struct svi_odometer_axis *rows)
{
    return s->row.dst_step == s->row.item * s->row.times && (s->nbytes >= LONG_ROW || rows->dst == s->nbytes);
}

static void stream(const struct rows *s, const struct svi_odometer_axis *rows, char *buffer, char *dst, const char *src)
{
    if (s->nbytes < LONG_ROW && rows->dst == s->nbytes)
        stream_rows(s, rows, buffer, dst, src);
    else
        for (int64_t i = 0; i < rows->extent; i++)
            stream_row(s, buffer, dst + i * rows->dst, src + i * rows->src);
}

/* The axis in front of that of the rows; one row where there is none. */
static struct svi_odometer_axis take_rows(struct svi_odometer *outer)
{
    if (outer->ndim == 0)
        return (struct svi_odometer_axis){.extent = 1};
    return svi_odometer_take(outer, outer->ndim - 1);
}

static void walk(const struct rows *s, const struct svi_host_copy *c)
{
    struct svi_odometer outer;
    struct svi_odometer_axis rows;
    char *buffer = NULL;

    svi_odometer_init(&outer, c->plan, axis_of(c->plan), -1, c->dst, c->src);
    rows = take_rows(&outer);
    if (c->beyond_cache && are_streamed(s, &rows))
        buffer = svi_scratch_new(PIECE + MAX_ENDS * SVI_LINE); /* without memory for it, through the cache */
    do
        if (buffer != NULL)
            stream(s, &rows, buffer, outer.dst, outer.src);
        else
            permute_rows(s, outer.dst, rows.dst, outer.src, rows.src, rows.extent);
    while (svi_odometer_next(&outer));
    if (buffer != NULL)
        s->isa->fence();
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
    return c->plan->nbytes >= LEAST && c->machine->isa->make_period_line != NULL && c->machine->bytes &&
           axis_of(c->plan) >= 0 && is_for(c->plan) && !(c->beyond_cache && is_for_others(c->plan));
}

bool svi_permute_period(const struct svi_host_copy *c)
{
    const int32_t axis = axis_of(c->plan);
    struct rows s;

    s.isa = c->machine->isa;
    s.beyond_cache = c->beyond_cache;
    s.row = (struct svi_period_row){c->plan->shape[axis], c->plan->item, c->plan->src[axis], times_of(c->plan),
                                    c->plan->dst[axis]};
    if (!make_tables(&s))
        return false;
    if (!c->asks)
        walk(&s, c);
    return true;
}
