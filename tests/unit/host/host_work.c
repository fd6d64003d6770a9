/* How many bytes a transpose beyond the cache stores: what is copied twice is right, and takes twice as long. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "support/compare.h"

TestSuite(host_work, .init = set_up);

enum { SIZE = 2, ITEM = 1 << SIZE, LINE_ITEMS = SVI_LINE / ITEM, UNIT_ITEMS = SVI_UNIT / ITEM };

/* The table that is counted, one of its own, and the bytes that its kernels for ITEM stored. */
static struct svi_isa own, counting;
static struct svi_nt_kernels counting_nt;
static struct svi_shift_kernels counting_shift;
static struct svi_source_order_kernels counting_source_order;
static int64_t stored;

static void store(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, int64_t item)
{
    stored += count * own.store[SIZE].rows * own.store[SIZE].columns * ITEM;
    own.store[SIZE].run(dst, dst_pitch, src, src_pitch, count, item);
}

static void stream(const struct svi_line_tiles *t)
{
    stored += t->count * t->width / t->item * SVI_LINE;
    own.nt->tiles(t);
}

static void shift(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry, int64_t item)
{
    stored += count * UNIT_ITEMS * SVI_LINE;
    own.shift->columns(dst, src, src_pitch, count, carry, item);
}

static void source_lines(const struct svi_columns *columns, const char *src, const char *next, int64_t pitch,
                         int64_t rows, int64_t item)
{
    stored += rows * LINE_ITEMS * ITEM;
    own.source_order->lines(columns, src, next, pitch, rows, item);
}

static struct svi_machine count(const struct svi_machine *machine)
{
    struct svi_machine out = *machine;

    own = counting = *machine->isa;
    if (own.store[SIZE].rows != 0)
        counting.store[SIZE].run = store;
    if (own.nt != NULL) {
        counting_nt = *own.nt;
        counting_nt.tiles = stream;
        counting.nt = &counting_nt;
    }
    if (own.shift != NULL) {
        counting_shift = *own.shift;
        counting_shift.columns = shift;
        counting.shift = &counting_shift;
    }
    if (own.source_order != NULL) {
        counting_source_order = *own.source_order;
        counting_source_order.lines = source_lines;
        counting.source_order = &counting_source_order;
    }
    out.isa = &counting;
    return out;
}

/* All of it is whole lines, of columns and rows that one axis makes, or two or three together. */
static const struct test_pair together[] = {
    {2, ITEM, {320, 400}, {0}, {4, 1280}},
    {3, ITEM, {3, 32, 512}, {0}, {4, 12, 384}},
    {3, ITEM, {5, 48, 512}, {0}, {4, 20, 960}},
    {3, ITEM, {32, 3, 1024}, {0}, {12, 4, 384}},
    {3, ITEM, {17, 96, 64}, {0}, {4, 68, 6528}},
    {3, ITEM, {640, 16, 7}, {0}, {4, 17920, 2560}},
    {4, ITEM, {3, 5, 64, 64}, {0}, {4, 12, 60, 3840}},
    {4, ITEM, {3, 64, 5, 64}, {0}, {4, 60, 12, 3840}},
    {4, ITEM, {2, 3, 32, 512}, {0}, {384 * 512, 4, 12, 384}},
};

Test(host_work, axes_that_make_lines_together)
{
    for (int m = 0; m < machine_count; m++)
        for (size_t i = 0; i < sizeof together / sizeof *together; i++) {
            const struct svi_machine machine = count(&machines[m]);
            struct test_pair p = together[i];
            int64_t nbytes = ITEM;

            if (machine.isa->nt == NULL || machine.cache > 1)
                continue;
            for (int32_t k = p.ndim - 1; k >= 0; nbytes *= p.shape[k--])
                p.dst[k] = nbytes;
            stored = 0;
            check(&machine, &p, 1, 0, 0, "counted");
            cr_assert_eq(stored, nbytes, "case %d by %s, Intel's %d: %lld bytes", (int)i,
                         machine.isa->name, machine.tuning == &svi_tuning_intel, (long long)stored);
        }
}
