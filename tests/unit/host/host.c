#include <criterion/criterion.h>
#include <stdlib.h>

#include "host/front/host.h"
#include "backend/backend.h"
#include "host/loop/facts.h"
#include "host/dispatch/loops.h"
#include "support/pairs.h"

enum { GUARD = 64 };

/* Memory of the hull of a layout between guards; origin is the first element's address. */
struct memory {
    unsigned char *bytes;
    size_t nbytes;
    unsigned char *origin;
};

static struct memory allocate(const struct test_pair *p, const int64_t *strides, int64_t guard, unsigned char seed)
{
    struct memory m;
    int64_t lower, upper, skew = test_between(0, 15);

    test_hull(p->ndim, p->shape, strides, p->itemsize, &lower, &upper);
    m.nbytes = (size_t)(upper - lower + skew + 2 * guard);
    m.bytes = malloc(m.nbytes);
    for (size_t i = 0; i < m.nbytes; i++)
        m.bytes[i] = (unsigned char)(test_mix(i + seed * 1000003u));
    m.origin = m.bytes + guard + skew - lower;
    return m;
}

/* The whole destination, guards included, is what copying one by one makes of it. forced: NULL for the class's own. */
static void check(const struct test_pair *p, svi_host_kernel *forced, const char *name, int number)
{
    const struct svi_device cpu = {SV_DEVICE_CPU, 0};
    /* No guard behind the source: a sanitizer sees what is read there. */
    struct memory dst = allocate(p, p->dst, GUARD, 1), src = allocate(p, p->src, 0, 2);
    unsigned char *expected = malloc(dst.nbytes);
    struct svi_machine machine = svi_machine();
    struct svi_plan plan;

    memcpy(expected, dst.bytes, dst.nbytes);
    test_copy_one_by_one(p, expected + (dst.origin - dst.bytes), src.origin);
    svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &plan);
    if (forced != NULL)
        forced(&machine, &plan, (char *)dst.origin + plan.dst_offset, (const char *)src.origin + plan.src_offset);
    else
        cr_assert_eq(svi_host.copy(&(struct svi_request){&plan, cpu, dst.origin, cpu, src.origin, 0, 0, NULL, NULL}), SV_OK);
    cr_assert_eq(memcmp(dst.bytes, expected, dst.nbytes), 0, "%s %d: class %s, %d axes, item %d", name, number,
                 svi_class_name(plan.kind), plan.ndim, (int)plan.item);
    free(dst.bytes);
    free(src.bytes);
    free(expected);
}

Test(host, random_copies)
{
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, 12000); round++) {
        test_pair_random(&p, 3000);
        check(&p, NULL, "random", 0);
    }
}

static void run_elements(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const struct svi_host_copy c = {.machine = machine, .plan = plan, .dst = dst, .src = src,
                                    .beyond_cache = svi_is_beyond_cache(machine, plan)};

    svi_loop_elements.run(&c);
}

static void run_element_tiles(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const struct svi_host_copy c = {.machine = machine, .plan = plan, .dst = dst, .src = src};

    svi_loop_element_tiles.run(&c);
}

/* Kernels that take more than their class must be right there too. */
Test(host, forced_kernels)
{
    struct test_pair p;
    struct svi_plan plan;

    for (int64_t round = test_first_round(); test_round(round, 6000); round++) {
        test_pair_random(&p, 3000);
        svi_plan_make(p.ndim, p.shape, p.dst, p.src, p.itemsize, &plan);
        if (plan.kind == SVI_CLASS_EMPTY || plan.ndim == 0)
            continue;
        check(&p, run_elements, "elements", 0);
        if (plan.src_axis >= 0 && plan.src_axis < plan.ndim - 1)
            check(&p, run_element_tiles, "tile", 0);
    }
}

/* Long enough for every loop of the kernels, and their ends. */
Test(host, runs_of_every_length)
{
    for (int64_t length = 1; length <= 600; length++) {
        struct test_pair rows = {2, 1, {3, length}, {length + 5, 1}, {length + 9, 1}};
        struct test_pair fill = {2, 1 + length % 16, {3, length}, {0, 1 + length % 16}, {1, 0}};

        fill.dst[0] = length * fill.itemsize + 7;
        check(&rows, NULL, "rows", (int)length);
        check(&fill, NULL, "fill", (int)length);
    }
}

Test(host, long_fills)
{
    for (int64_t itemsize = 1; itemsize <= 24; itemsize++) {
        struct test_pair fill = {1, itemsize, {5000}, {itemsize}, {0}};

        check(&fill, NULL, "fill", (int)itemsize);
    }
}

Test(host, tiles_of_every_item)
{
    static const int64_t shapes[][2] = {{300, 530}, {4200, 3}, {3, 4200}, {17, 300}, {257, 257}};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int64_t itemsize = 1; itemsize <= 24; itemsize++) {
            int64_t rows = shapes[i][0], columns = shapes[i][1];
            struct test_pair p = {
                2, itemsize, {rows, columns}, {columns * itemsize, itemsize}, {itemsize, rows * itemsize}};

            check(&p, NULL, "transpose", (int)itemsize);
            p.src[0] = -p.src[0];
            check(&p, NULL, "transpose backwards", (int)itemsize);
        }
}
