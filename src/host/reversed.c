/* Runs that the source has backwards: vectors turned round. */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

/* Bytes of a run. */
enum {
    LEAST_LINES = 512,     /* in cache */
    LEAST_QUARTERS = 16384 /* of 8 and 12 KiB it is level, of 4 KiB slower */
};

/* end: behind the last item of the run in the source, the first of the destination's; lines: whole ones are stored. */
SVI_INLINE void row(const struct svi_isa *isa, int64_t count, char *dst, const char *end, bool lines, bool past_cache,
                    bool quarters, size_t item)
{
    const int64_t size = (int64_t)item, line = SVI_LINE / size;
    int64_t head = lines ? (int64_t)(-(uintptr_t)dst % SVI_LINE) / size : 0, body;

    if (head > count)
        head = count;
    body = (count - head) / line * line;
    svi_line(count - head - body, dst + (head + body) * size, size, end - (head + body + 1) * size, -size, item);
    isa->reverse(dst + head * size, end - head * size, body * size, (int)item, past_cache, quarters && past_cache);
    svi_line(head, dst, size, end - size, -size, item);
}

SVI_INLINE void walk(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                     size_t item)
{
    const int32_t last = plan->ndim - 1;
    const bool past_cache = svi_is_past_cache(machine, plan);
    const bool lines = past_cache || plan->shape[last] * (int64_t)item >= LEAST_LINES;
    const bool quarters = machine->intel && plan->shape[last] * (int64_t)item >= LEAST_QUARTERS;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, last, -1, dst, src);
    if (past_cache)
        svi_odometer_by_source(&outer);
    do {
        const bool items = (uintptr_t)outer.dst % item == 0;

        row(machine->isa, plan->shape[last], outer.dst, outer.src + item, items && lines, items && past_cache,
            quarters, item);
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

/* Items of 3, 5, 6 and 7 bytes. */
static void odd_rows(const struct svi_isa *isa, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1, row = last - 1;
    const int64_t count = plan->shape[last];
    struct svi_odometer outer;

    if (row < 0) {
        isa->reverse_odd(dst, 0, src + plan->item, 0, 1, count, (int)plan->item);
        return;
    }
    svi_odometer_init(&outer, plan, row, -1, dst, src);
    do
        isa->reverse_odd(outer.dst, plan->dst[row], outer.src + plan->item, plan->src[row], plan->shape[row], count,
                         (int)plan->item);
    while (svi_odometer_next(&outer));
}

void svi_host_reversed(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const size_t item = (size_t)plan->item;

    if (machine->isa->reverse == NULL)
        svi_host_generic(machine, plan, dst, src);
    else if ((item & (item - 1)) == 0)
        walk(machine, plan, dst, src, item);
    else if (item < 8)
        odd_rows(machine->isa, plan, dst, src);
    else
        svi_by_item(plan, dst, src, wide_rows);
}
