/* A pair copied by a machine's kernels, and one by one, at places in the arena with nothing mapped around them. */
#ifndef SVI_TEST_COMPARE_H
#define SVI_TEST_COMPARE_H

#include "plan/split.h"
#include "two_threads.h"
#include "support/arena.h"
#include "host/front/compound.h"

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
        svi_split_make(plan, dst, count, &parts.split);
    if (count > 1 && parts.split.count > 1)
        cr_assert_eq(two_threads(NULL, parts.split.count, run_part, &parts), SV_OK);
    else
        svi_host_run(machine, plan, dst, src);
}

/* A pair at two places, and what becomes of the destination, with a margin: expected from from to to. */
struct placed {
    const struct test_pair *pair;
    int64_t dst_place, src_place;
    unsigned char *dst, *src; /* the first elements */
    unsigned char *from, *to;
    struct svi_plan plan;
};

static inline struct placed place(const struct test_pair *p, int64_t dst_place, int64_t src_place, const char *name)
{
    struct placed at = {.pair = p, .dst_place = dst_place, .src_place = src_place};
    int64_t dst_lower, dst_upper, src_lower, src_upper;

    test_tell_pair(p);
    test_hull(p->ndim, p->shape, p->dst, p->itemsize, &dst_lower, &dst_upper);
    test_hull(p->ndim, p->shape, p->src, p->itemsize, &src_lower, &src_upper);
    cr_assert(dst_upper - dst_lower <= ARENA && src_upper - src_lower <= ARENA, "%s is too large", name);
    at.dst = origin_in(dst_arena, dst_lower, dst_upper, dst_place);
    at.src = origin_in(src_arena, src_lower, src_upper, src_place);
    at.from = at.dst + dst_lower > dst_arena + MARGIN ? at.dst + dst_lower - MARGIN : dst_arena;
    at.to = at.dst + dst_upper < dst_arena + ARENA - MARGIN ? at.dst + dst_upper + MARGIN : dst_arena + ARENA;
    memset(expected, 0xa5, (size_t)(at.to - at.from));
    test_copy_one_by_one(p, expected + (at.dst - at.from), at.src);
    svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &at.plan);
    return at;
}

static inline void check_at(const struct svi_machine *machine, const struct placed *at, int64_t count, const char *name)
{
    memset(at->from, 0xa5, (size_t)(at->to - at->from));
    if (at->plan.kind != SVI_CLASS_EMPTY)
        run(machine, &at->plan, count, (char *)at->dst, (const char *)at->src);
    cr_assert_eq(memcmp(at->from, expected, (size_t)(at->to - at->from)), 0,
                 "%s by %s, cache of %lld: class %s, %d axes, item %d, %d x %d, places %d and %d", name,
                 machine->isa->name, (long long)machine->cache, svi_class_name(at->plan.kind), at->plan.ndim,
                 (int)at->plan.item, (int)at->pair->shape[0], (int)at->pair->shape[1], (int)at->dst_place,
                 (int)at->src_place);
}

static inline void check(const struct svi_machine *machine, const struct test_pair *p, int64_t count, int64_t dst_place,
                         int64_t src_place, const char *name)
{
    const struct placed at = place(p, dst_place, src_place, name);

    check_at(machine, &at, count, name);
}

/* At each of five places in turn; under an emulator, which is slow, each pair has one of them. */
static inline void check_all(const struct test_pair *p, const char *name)
{
    static const int64_t places[][2] = {{0, 0}, {-1, -1}, {64, 0}, {4096 + 1, 7}, {4096 + 16, 4096 + 48}};
    enum { PLACES = sizeof places / sizeof *places };
    static size_t pairs;
    const bool one = test_is_emulated();

    pairs++;
    for (size_t i = one ? pairs % PLACES : 0; i < PLACES; i += one ? PLACES : 1) {
        const struct placed at = place(p, places[i][0], places[i][1], name);

        for (int m = 0; m < machine_count; m++)
            check_at(&machines[m], &at, 1, name);
    }
}

static inline int64_t whole_lines(int64_t nbytes)
{
    return (nbytes + 63) / 64 * 64;
}

#endif
