/* A pair copied by a machine's kernels, and one by one, at places in the arena with nothing mapped around them. */
#ifndef SVI_TEST_COMPARE_H
#define SVI_TEST_COMPARE_H

#include "split.h"
#include "two_threads.h"
#include "unit/arena.h"

/* Where the first element is when the hull begins with the arena, or ends with it, or begins place bytes after. */
static inline unsigned char *origin_in(unsigned char *arena, int64_t lower, int64_t upper, int64_t place)
{
    if (place == 0)
        return arena - lower;
    return place < 0 ? arena + ARENA - upper : arena + place - lower;
}

struct parts {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    struct svi_split split;
    char *dst;
    const char *src;
};

static inline void run_part(void *ctx, int64_t index)
{
    const struct parts *parts = ctx;
    struct svi_plan part;

    svi_split_part(parts->plan, &parts->split, index, &part);
    svi_host_run(parts->machine, &part, parts->dst, parts->src);
}

/* In parts by two threads where there are several. */
static inline void run(const struct svi_machine *machine, const struct svi_plan *plan, int64_t count, char *dst,
                       const char *src)
{
    struct parts parts = {.machine = machine, .plan = plan, .dst = dst, .src = src};

    if (count > 1)
        svi_split_make(plan, count, &parts.split);
    if (count > 1 && parts.split.count > 1)
        cr_assert_eq(two_threads(NULL, parts.split.count, run_part, &parts), SV_OK);
    else
        svi_host_run(machine, plan, dst, src);
}

static inline void check(const struct svi_machine *machine, const struct test_pair *p, int64_t count, int64_t dst_place,
                         int64_t src_place, const char *name)
{
    int64_t dst_lower, dst_upper, src_lower, src_upper;
    unsigned char *dst, *src, *from, *to;
    struct svi_plan plan;

    test_hull(p->ndim, p->shape, p->dst, p->itemsize, &dst_lower, &dst_upper);
    test_hull(p->ndim, p->shape, p->src, p->itemsize, &src_lower, &src_upper);
    cr_assert(dst_upper - dst_lower <= ARENA && src_upper - src_lower <= ARENA, "%s is too large", name);
    dst = origin_in(dst_arena, dst_lower, dst_upper, dst_place);
    src = origin_in(src_arena, src_lower, src_upper, src_place);
    from = dst + dst_lower > dst_arena + MARGIN ? dst + dst_lower - MARGIN : dst_arena;
    to = dst + dst_upper < dst_arena + ARENA - MARGIN ? dst + dst_upper + MARGIN : dst_arena + ARENA;
    memset(from, 0xa5, (size_t)(to - from));
    memset(expected, 0xa5, (size_t)(to - from));
    test_copy_one_by_one(p, expected + (dst - from), src);
    svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &plan);
    if (plan.kind != SVI_CLASS_EMPTY)
        run(machine, &plan, count, (char *)dst, (const char *)src);
    cr_assert_eq(memcmp(from, expected, (size_t)(to - from)), 0,
                 "%s by %s, cache of %lld: class %s, %d axes, item %d, %d x %d, places %d and %d", name,
                 machine->isa->name, (long long)machine->cache, svi_class_name(plan.kind), plan.ndim, (int)plan.item,
                 (int)p->shape[0], (int)p->shape[1], (int)dst_place, (int)src_place);
}

static inline void check_all(const struct test_pair *p, const char *name)
{
    static const int64_t places[][2] = {{0, 0}, {-1, -1}, {64, 0}, {4096 + 1, 7}, {4096 + 16, 4096 + 48}};

    for (int m = 0; m < machine_count; m++)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            check(&machines[m], p, 1, places[i][0], places[i][1], name);
}

static inline int64_t whole_lines(int64_t nbytes)
{
    return (nbytes + 63) / 64 * 64;
}

#endif
