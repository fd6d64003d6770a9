/*
 * Runs that the source has backwards: vectors are reversed in registers. Long runs are stored by whole cache lines,
 * past the NT threshold by non-temporal stores; short ones row by row without any head or tail.
 */
#include "checked.h"
#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/kernels.h"

enum {
    MIN_LONG_BYTES = 1024,   /* of a run that is worth its head and tail, in cache, */
    MIN_LONG_NT_BYTES = 512, /* and beyond the NT threshold */
    MAX_ODD_ITEMS = 3,       /* of a run of elements of no power of two of bytes that goes one by one */
    MIN_QUARTERS_BYTES = 16384 /* of a run whose four quarters are stored alternately */
};

/* Elements in front of the first line of a run; 0 where they do not fit there. */
static int64_t head_of(const char *dst, int64_t item)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % SVI_LINE);

    return before % item == 0 ? before / item : 0;
}

/* Elements of a power of two of bytes one by one, the source from the last one on. */
static void reverse_elements(int64_t count, char *dst, const char *src, int64_t item)
{
    switch (item) {
    case 1: svi_line(count, dst, 1, src, -1, 1); break;
    case 2: svi_line(count, dst, 2, src, -2, 2); break;
    case 4: svi_line(count, dst, 4, src, -4, 4); break;
    case 8: svi_line(count, dst, 8, src, -8, 8); break;
    default: svi_line(count, dst, 16, src, -16, 16); break;
    }
}

/* end: behind the last element of the run in the source, the first of the destination's. */
static void long_row_nt(const struct svi_isa *isa, int64_t count, char *dst, const char *end, int64_t item,
                        bool quarters)
{
    const int64_t line = SVI_LINE / item, head = svi_smaller(head_of(dst, item), count);
    const int64_t body = (count - head) / line * line, done = head + body;

    reverse_elements(count - done, dst + done * item, end - (done + 1) * item, item);
    isa->reverse(dst + head * item, end - head * item, body * item, (int)item, true, quarters);
    reverse_elements(head, dst, end - item, item);
}

/* The first and the last line may overlap the aligned ones between them. */
static void long_row_cached(const struct svi_isa *isa, int64_t count, char *dst, const char *end, int64_t item)
{
    const int64_t nbytes = count * item, last = nbytes - SVI_LINE;
    const int64_t head = head_of(dst, item) * item, body = (nbytes - head) / SVI_LINE * SVI_LINE;

    if (head > 0)
        isa->reverse(dst, end, SVI_LINE, (int)item, false, false);
    isa->reverse(dst + head, end - head, body, (int)item, false, false);
    if (head + body < nbytes)
        isa->reverse(dst + last, end - last, SVI_LINE, (int)item, false, false);
}

static bool is_power_of_2(int64_t item)
{
    return (item & (item - 1)) == 0;
}

/* Runs of less than a vector go element by element. */
static bool has_vectors(const struct svi_host_copy *c)
{
    const int64_t count = c->plan->shape[c->plan->ndim - 1], item = c->plan->item;

    return c->machine->isa->reverse != NULL &&
           (is_power_of_2(item) ? count * item >= SVI_UNIT : count > MAX_ODD_ITEMS);
}

/* --- reversed_long ------------------------------------------------------------------- */

bool svi_is_reversed_long(const struct svi_host_copy *c)
{
    return has_vectors(c) && is_power_of_2(c->plan->item) &&
           svi_row_nbytes(c->plan) >= (c->beyond_cache ? MIN_LONG_NT_BYTES : MIN_LONG_BYTES);
}

bool svi_reversed_long(const struct svi_host_copy *c)
{
    const struct svi_isa *const isa = c->machine->isa;
    const int32_t last = c->plan->ndim - 1;
    const int64_t count = c->plan->shape[last], item = c->plan->item, nbytes = count * item;
    const int64_t next_end = (last > 0 ? c->plan->dst[last - 1] : 0) + nbytes - 1;
    const bool quarters = c->machine->tuning->row_streams && nbytes >= MIN_QUARTERS_BYTES;
    struct svi_odometer outer;

    svi_odometer_init(&outer, c->plan, last, -1, c->dst, c->src);
    if (c->beyond_cache)
        svi_odometer_by_source(&outer);
    do {
        if (c->beyond_cache && (uintptr_t)outer.dst % (uintptr_t)item == 0) {
            __builtin_prefetch(outer.dst + next_end, 1); /* the tail of the next row is stored first */
            long_row_nt(isa, count, outer.dst, outer.src + item, item, quarters);
        } else {
            long_row_cached(isa, count, outer.dst, outer.src + item, item);
        }
    } while (svi_odometer_next(&outer));
    if (c->beyond_cache)
        isa->fence();
    return true;
}

/* --- reversed_short ------------------------------------------------------------------ */

bool svi_is_reversed_short(const struct svi_host_copy *c)
{
    return has_vectors(c) && (c->plan->item <= 8 || c->plan->item == SVI_UNIT);
}

bool svi_reversed_short(const struct svi_host_copy *c)
{
    const int32_t last = c->plan->ndim - 1;
    const int64_t item = c->plan->item;
    const struct svi_plane rows = svi_plane_of(c->plan, last - 1, last);
    struct svi_odometer outer;

    svi_odometer_init(&outer, c->plan, last - 1, -1, c->dst, c->src);
    do
        c->machine->isa->reverse_rows(outer.dst, rows.dst[0], outer.src + item, rows.src[0], rows.count[0],
                                      rows.count[1], (int)item);
    while (svi_odometer_next(&outer));
    return true;
}

/* --- reversed_wide ------------------------------------------------------------------- */

/* Behind each element in memory is the one before, so 16 bytes may be read. */
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

bool svi_is_reversed_wide(const struct svi_host_copy *c)
{
    return has_vectors(c);
}

bool svi_reversed_wide(const struct svi_host_copy *c)
{
    svi_by_item(c->plan, c->dst, c->src, wide_rows);
    return true;
}
