/* Runs that the source has backwards: vectors turned round. */
#include "checked.h"
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

/* Bytes of a run. */
enum {
    LEAST_LONG = 1024,     /* in cache: where it pays to begin with lines, */
    LEAST_STREAMED = 512,  /* and past it */
    SHORT_ODD = 3,         /* items of no power of 2 */
    LEAST_QUARTERS = 16384 /* of 8 and 12 KiB it is level, of 4 KiB slower */
};

/* Items that lie before the first line of a run, and are whole in front of it. */
SVI_INLINE int64_t head_of(const char *dst, size_t item)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % SVI_LINE);

    return before % (int64_t)item == 0 ? before / (int64_t)item : 0;
}

/* Items of a power of two of bytes, the source from the last one on. */
static void backwards(int64_t count, char *dst, const char *src, size_t item)
{
    switch (item) {
    case 1: svi_line(count, dst, 1, src, -1, 1); break;
    case 2: svi_line(count, dst, 2, src, -2, 2); break;
    case 4: svi_line(count, dst, 4, src, -4, 4); break;
    case 8: svi_line(count, dst, 8, src, -8, 8); break;
    default: svi_line(count, dst, 16, src, -16, 16); break;
    }
}

/* end: behind the last item of the run in the source, the first of the destination's. */
SVI_INLINE void stream_row(const struct svi_isa *isa, int64_t count, char *dst, const char *end, bool quarters,
                           size_t item)
{
    const int64_t size = (int64_t)item, line = SVI_LINE / size, head = svi_smaller(head_of(dst, item), count);
    const int64_t body = (count - head) / line * line;

    backwards(count - head - body, dst + (head + body) * size, end - (head + body + 1) * size, item);
    isa->reverse(dst + head * size, end - head * size, body * size, (int)item, true, quarters);
    backwards(head, dst, end - size, item);
}

/* In lines, and where they begin within one, the first and the last wherever they are. */
SVI_INLINE void near_row(const struct svi_isa *isa, int64_t count, char *dst, const char *end, size_t item)
{
    const int64_t nbytes = count * (int64_t)item, last = nbytes - SVI_LINE;
    const int64_t head = head_of(dst, item) * (int64_t)item, body = (nbytes - head) / SVI_LINE * SVI_LINE;

    if (head > 0)
        isa->reverse(dst, end, SVI_LINE, (int)item, false, false);
    isa->reverse(dst + head, end - head, body, (int)item, false, false);
    if (head + body < nbytes)
        isa->reverse(dst + last, end - last, SVI_LINE, (int)item, false, false);
}

SVI_INLINE void walk(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                     size_t item)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last];
    const int64_t next_end = (last > 0 ? plan->dst[last - 1] : 0) + count * (int64_t)item - 1;
    const bool past_cache = svi_is_past_cache(machine, plan);
    const bool quarters = machine->tuning->row_streams && count * (int64_t)item >= LEAST_QUARTERS;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, last, -1, dst, src);
    if (past_cache)
        svi_odometer_by_source(&outer);
    do {
        if (past_cache && (uintptr_t)outer.dst % item == 0) {
            __builtin_prefetch(outer.dst + next_end, 1); /* what is no whole line there is stored first */
            stream_row(machine->isa, count, outer.dst, outer.src + item, quarters, item);
        } else {
            near_row(machine->isa, count, outer.dst, outer.src + item, item);
        }
    } while (svi_odometer_next(&outer));
    if (past_cache)
        machine->isa->fence();
}

/* Items of 9 bytes or more, but 16: behind each in memory is the one before. */
SVI_INLINE void wide_rows(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    const int32_t last = plan->ndim - 1;
    struct svi_odometer rows;

    svi_odometer_init(&rows, plan, last, -1, dst, src);
    do {
        memcpy(rows.dst, rows.src, item);
        svi_wide_line(plan->shape[last] - 1, rows.dst + item, rows.src - item, -(int64_t)item, item);
    } while (svi_odometer_next(&rows));
}

/* In cache; items of up to 8 bytes, or of 16. */
static void short_rows(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1, row = last - 1;
    const int64_t count = plan->shape[last];
    struct svi_odometer outer;

    if (row < 0) {
        isa->reverse_rows(dst, 0, src + plan->item, 0, 1, count, (int)plan->item);
        return;
    }
    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        isa->reverse_rows(outer.dst, plan->dst[row], outer.src + plan->item, plan->src[row], plan->shape[row], count,
                          (int)plan->item);
    while (svi_odometer_next(&outer));
}

/* Items of a power of two of bytes that rows have enough of, */
static bool is_long(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int64_t nbytes = plan->shape[plan->ndim - 1] * plan->item;

    return (plan->item & (plan->item - 1)) == 0 &&
           nbytes >= (svi_is_past_cache(machine, plan) ? LEAST_STREAMED : LEAST_LONG);
}

/* or any items of which they have not even a vector. */
static bool is_short(const struct svi_plan *plan)
{
    const int64_t count = plan->shape[plan->ndim - 1];

    return (plan->item & (plan->item - 1)) == 0 ? count * plan->item < SVI_UNIT : count <= SHORT_ODD;
}

/* --- which of them ------------------------------------------------------------- */

static bool has_vectors(const struct svi_host_copy *c)
{
    return c->machine->isa->reverse != NULL && !is_short(c->plan);
}

bool svi_is_reversed_long(const struct svi_host_copy *c)
{
    return has_vectors(c) && is_long(c->machine, c->plan);
}

bool svi_is_reversed_short(const struct svi_host_copy *c)
{
    return has_vectors(c) && (c->plan->item <= 8 || c->plan->item == SVI_UNIT);
}

bool svi_is_reversed_wide(const struct svi_host_copy *c)
{
    return has_vectors(c);
}

bool svi_reversed_long(const struct svi_host_copy *c)
{
    walk(c->machine, c->plan, c->dst, c->src, (size_t)c->plan->item);
    return true;
}

bool svi_reversed_short(const struct svi_host_copy *c)
{
    short_rows(c->machine->isa, c->plan, c->dst, c->src);
    return true;
}

bool svi_reversed_wide(const struct svi_host_copy *c)
{
    svi_by_item(c->plan, c->dst, c->src, wide_rows);
    return true;
}
