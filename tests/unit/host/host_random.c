/* Random copies by every instruction set: in one piece of memory, and between islands of it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/alloc.h"
#include "support/compare.h"
#include "host/front/compound.h"

TestSuite(host_random, .init = set_up);

/* Axes in a random order, with gaps, some of them to whole lines, some backwards. */
static void random_strides(struct test_pair *p, int64_t *strides)
{
    int64_t next = p->itemsize;
    int32_t axes[PAIR_NDIM];

    test_shuffle(p->ndim, axes);
    for (int32_t i = 0; i < p->ndim; i++) {
        const int32_t k = axes[i];

        if (test_between(0, 5) == 0)
            next += test_between(1, 3) * p->itemsize;
        if (i > 0 && test_between(0, 2) == 0)
            next = whole_lines(next);
        strides[k] = test_between(0, 5) == 0 ? -next : next;
        next *= p->shape[k];
    }
}

static int64_t hull_size(const struct test_pair *p, const int64_t *strides)
{
    int64_t lower, upper;

    test_hull(p->ndim, p->shape, strides, p->itemsize, &lower, &upper);
    return upper - lower;
}

static void random_pair(struct test_pair *p)
{
    static const int64_t items[] = {1, 1, 2, 4, 4, 8, 16, 3, 6, 12, 24, 5};
    int64_t left;

    p->ndim = (int32_t)test_between(1, 4);
    p->itemsize = items[test_between(0, sizeof items / sizeof *items - 1)];
    left = 40000 / p->itemsize;
    for (int32_t k = 0; k < p->ndim; k++) {
        const int64_t most = test_between(0, 1) ? 5 : test_between(0, 9) ? 200 : 4000;

        p->shape[k] = test_between(1, most < left ? most : left);
        left /= p->shape[k];
    }
    do
        random_strides(p, p->dst);
    while (hull_size(p, p->dst) > ARENA / 2);
    do
        random_strides(p, p->src);
    while (hull_size(p, p->src) > ARENA / 2);
    for (int32_t k = 0; k < p->ndim; k++)
        if (test_between(0, 11) == 0)
            p->src[k] = 0;
}

static int64_t random_place(void)
{
    const int64_t kind = test_between(0, 3);

    if (kind < 2)
        return -kind;
    return kind == 2 ? 64 * test_between(1, 64) : test_between(1, 4096);
}

/* Every second one is of the class whose turn it is. */
static void random_pair_in_turn(int64_t round, struct test_pair *p)
{
    const int32_t kind = SVI_CLASS_CONTIGUOUS + (int32_t)(round / 2) % (SVI_CLASS_CAST - SVI_CLASS_CONTIGUOUS);
    struct svi_plan plan;

    do {
        random_pair(p);
        svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &plan);
    } while (round % 2 == 0 && plan.kind != kind);
}

/* Now and then one whose caches are neither large nor none: what is past some of them is not past others. */
static struct svi_machine random_machine(void)
{
    struct svi_machine machine = machines[test_between(0, machine_count - 1)];

    if (test_between(0, 2) == 0) {
        machine.cache = (int64_t)1 << test_between(8, 20);
        machine.l2_bytes = (int64_t)1 << test_between(8, 20);
    }
    if (test_between(0, 2) == 0)
        machine.tuning = random_tuning(machine.tuning);
    return machine;
}

/* In parts now and then, and at times short of memory. */
Test(host_random, random_copies)
{
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round_within(round, 1); round++) {
        const int64_t parts = round % 5 == 0 ? test_between(2, 9) : 1;
        const struct svi_machine machine = random_machine();

        svi_alloc.allocate = round % 5 == 1 ? sometimes_memory : malloc;
        random_pair_in_turn(round, &p);
        check(&machine, &p, parts, random_place(), random_place(), "random");
    }
}

/* Large enough for several blocks of every way to transpose. */
static void large_transpose(struct test_pair *p)
{
    static const int64_t items[] = {1, 2, 4, 8, 16, 3, 6, 12, 24};
    const int64_t gap = 16 * test_between(0, 8), planes = test_between(1, 2);
    int64_t rows, columns;

    p->ndim = 3;
    p->itemsize = items[test_between(0, sizeof items / sizeof *items - 1)];
    rows = test_between(1, 3) * test_between(16, 300);
    columns = test_between(16, ARENA / 4 / rows / p->itemsize + 16);
    if (test_between(0, 1))
        rows = whole_lines(rows), columns = whole_lines(columns);
    for (int32_t k = 0; k < 3; k++)
        p->shape[k] = k == 0 ? planes : k == 1 ? columns : rows;
    p->dst[2] = p->src[1] = p->itemsize;
    p->dst[1] = rows * p->itemsize + gap * test_between(0, 1);
    p->src[2] = columns * p->itemsize + gap * test_between(0, 1);
    p->dst[0] = columns * p->dst[1];
    p->src[0] = rows * p->src[2];
}

static bool fits(const struct test_pair *p)
{
    return p->shape[0] * p->dst[0] <= ARENA / 4 * 3 && p->shape[0] * p->src[0] <= ARENA / 4 * 3;
}

/* All of its loops ask for blocks, buffers and distances of the tuning. */
Test(host_random, transposes_of_any_tuning)
{
    const int count = test_rounds(300, 3000, 30000);
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, count); round++) {
        struct svi_machine machine = machines[test_between(0, machine_count - 1)];

        machine.tuning = random_tuning(machine.tuning);
        if (test_between(0, 1))
            machine.l2_bytes = 1 << 15;
        do
            large_transpose(&p);
        while (!fits(&p));
        check(&machine, &p, 1, random_place(), random_place(), "large transpose");
    }
}

/* --- nothing mapped between rows --------------------------------------------- */

enum { ISLANDS = 64, INNER = 4096 /* bytes on one at most */ };

/* ISLANDS times PAGE bytes, as many of nothing in front of each and behind the last. */
static unsigned char *islands(void)
{
    unsigned char *all = mmap(NULL, (2 * ISLANDS + 1) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    cr_assert(all != MAP_FAILED);
    for (size_t k = 0; k < ISLANDS; k++)
        cr_assert_eq(mprotect(all + (2 * k + 1) * PAGE, PAGE, PROT_READ | PROT_WRITE), 0);
    return all + PAGE;
}

/* Axes in a random order, those that are further out step from island to island. Bytes on one; 0: too many islands. */
static int64_t island_strides(const struct test_pair *p, int64_t *strides)
{
    int64_t next = p->itemsize, on = next;
    int32_t axes[PAIR_NDIM];

    test_shuffle(p->ndim, axes);
    for (int32_t i = 0; i < p->ndim; i++) {
        const int32_t k = axes[i];

        if (on == next && test_between(0, 7) == 0)
            next *= 2;
        if (next < 2 * PAGE && next * p->shape[k] > INNER)
            next = 2 * PAGE;
        strides[k] = test_between(0, 3) == 0 ? -next : next;
        next *= p->shape[k];
        on = next <= INNER ? next : on;
    }
    return next <= INNER || next / (2 * PAGE) <= ISLANDS ? on : 0;
}

/* The rows begin with the islands or end with them, or are anywhere there. */
static unsigned char *island_origin(unsigned char *first, const struct test_pair *p, const int64_t *strides, int64_t on)
{
    const int64_t kind = test_between(0, 3), place = kind == 0 ? 0 : kind < 3 ? PAGE - on : test_between(0, PAGE - on);
    int64_t lower, upper;

    test_hull(p->ndim, p->shape, strides, p->itemsize, &lower, &upper);
    return first + place - lower;
}

static void check_elements(const struct svi_machine *machine, const struct test_pair *p, const unsigned char *dst,
                           const unsigned char *src, const char *class)
{
    int64_t index[PAIR_NDIM] = {0};

    do
        cr_assert_eq(memcmp(dst + test_offset(p->ndim, index, p->dst), src + test_offset(p->ndim, index, p->src),
                            (size_t)p->itemsize), 0, "%s by %s, cache of %lld: items of %d, %d x %d x %d", class,
                     machine->isa->name, (long long)machine->cache, (int)p->itemsize, (int)p->shape[0],
                     (int)p->shape[1], (int)p->shape[2]);
    while (test_next(p->ndim, p->shape, index));
}

Test(host_random, islands)
{
    unsigned char *const to = islands(), *const from = islands();
    const int count = test_cases();

    for (int64_t k = 0; k < ISLANDS; k++)
        memcpy(from + 2 * k * PAGE, src_arena + 256 * k, PAGE);
    for (int64_t round = test_first_round(); test_round(round, count); round++) {
        const struct svi_machine machine = random_machine();
        struct test_pair p = {.shape = {1, 1, 1}};
        int64_t on_dst, on_src;
        unsigned char *dst, *src;
        struct svi_plan plan;

        do {
            random_pair(&p);
            on_dst = island_strides(&p, p.dst);
            on_src = island_strides(&p, p.src);
        } while (on_dst == 0 || on_src == 0);
        test_tell_pair(&p);
        dst = island_origin(to, &p, p.dst, on_dst);
        src = island_origin(from, &p, p.src, on_src);
        svi_plan_make(p.ndim, p.shape, p.dst, p.src, p.itemsize, &plan);
        svi_host_run(&machine, &plan, (char *)dst, (const char *)src);
        check_elements(&machine, &p, dst, src, svi_class_name(plan.kind));
    }
}
