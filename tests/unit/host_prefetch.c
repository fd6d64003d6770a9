/*
 * What permutations ask the processor to prefetch is what they read, a quarter more at most. The file is compiled here
 * once more, with a function that counts lines in place of the prefetch.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

static void count_prefetch(const void *at);
#include "host/base/memory_hints.h"
#define svi_prefetch count_prefetch
#include "host/permute/permute.c"
#undef svi_prefetch

#include "unit/arena.h"

TestSuite(host_prefetch, .init = set_up);

enum { LINE = 64, ARENA_LINES = ARENA / LINE };

static int64_t prefetched;
static bool is_read_line[ARENA_LINES];

static void count_prefetch(const void *at)
{
    (void)at;
    prefetched++;
}

/* Lines of the source that a plan reads, each once. */
static int64_t lines_read(const struct svi_plan *plan, const unsigned char *src)
{
    struct svi_odometer o;
    int64_t count = 0;

    memset(is_read_line, 0, sizeof is_read_line);
    svi_odometer_init(&o, plan, plan->ndim, -1, NULL, (const char *)src);
    do
        for (int64_t i = 0; i < plan->item; i++) {
            bool *const line = &is_read_line[((const unsigned char *)o.src + i - src_arena) / LINE];

            count += !*line;
            *line = true;
        }
    while (svi_odometer_next(&o));
    return count;
}

/* Shape and strides of a C-ordered array of the source, and the order of its axes in the destination. */
struct copy {
    const char *name;
    int64_t item;
    int32_t ndim;
    int64_t shape[7];
    int32_t axes[7];
};

static const struct copy copies[] = {
    {"planes of records", 2, 2, {7, 20000}, {1, 0}},
    {"records to planes, few to a run", 2, 3, {100, 200, 5}, {1, 0, 2}},
    {"short axes of a tensor", 4, 6, {8, 8, 8, 8, 8, 6}, {4, 1, 3, 0, 5, 2}},
    {"rows of short records that lie apart", 2, 4, {28, 8, 60, 32}, {2, 0, 3, 1}},
    {"narrow pictures, axes swapped", 8, 3, {480, 17, 9}, {1, 0, 2}},
    {"triples reversed in groups", 1, 4, {1, 1000, 100, 5}, {0, 2, 1, 3}},
    {"twenty items of sixteen records of five", 2, 4, {200, 20, 16, 5}, {1, 0, 3, 2}},
};

static struct svi_plan plan_of(const struct copy *c)
{
    int64_t stride[7], shape[7], dst[7], src[7], next = c->item;
    struct svi_plan plan;

    for (int32_t k = c->ndim - 1; k >= 0; next *= c->shape[k], k--)
        stride[k] = next;
    cr_assert(next <= ARENA);
    next = c->item;
    for (int32_t k = c->ndim - 1; k >= 0; next *= shape[k], k--) {
        shape[k] = c->shape[c->axes[k]];
        src[k] = stride[c->axes[k]];
        dst[k] = next;
    }
    svi_plan_make(c->ndim, shape, dst, src, c->item, &plan);
    return plan;
}

Test(host_prefetch, nothing_but_what_is_read)
{
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        const struct svi_plan plan = plan_of(&copies[i]);
        const int64_t read = lines_read(&plan, src_arena);

        for (int m = 0; m < machine_count; m++) {
            prefetched = 0;
            svi_host_run(&machines[m], &plan, (char *)dst_arena, (const char *)src_arena);
            cr_expect(prefetched <= read + read / 4, "%s by %s: %lld lines of %lld are prefetched", copies[i].name,
                      machines[m].isa->name, (long long)prefetched, (long long)read);
        }
    }
}
