/* Scaled copies by every instruction set, of every layout and pair of types, with nothing mapped around either side. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "plan/affine.h"
#include "base/alloc.h"
#include "support/arena.h"
#include "support/numbers.h"
#include "support/scaled.h"
#include "support/no_memory.h"
#include "host/front/compound.h"
#include "host/convert/convert.h"
#include "host/isa/baseline.h"

TestSuite(host_affine, .init = set_up);

/* --- one by one ------------------------------------------------------------------- */

static double value_of(const struct svi_factor *factor, int64_t index, double none)
{
    return factor->values != NULL ? factor->values[index * svi_factor_step(factor)] : none;
}

/* index: along the axis of the pair. */
static void scale_one(const struct svi_affine *a, size_t item, int64_t index, unsigned char *dst,
                      const unsigned char *src)
{
    struct svi_chain chain;

    svi_affine_steps(a, (int64_t)item, &chain);
    test_scale_chain(&svi_isa_plain, &chain, value_of(&a->scale, index, 1), value_of(&a->bias, index, -0.0), dst, src);
}

/* --- any layout --------------------------------------------------------------------- */

static void random_shape(struct test_pair *p)
{
    int64_t left = 6000;

    p->ndim = (int32_t)test_between(0, 4);
    for (int32_t k = 0; k < p->ndim; k++) {
        const int64_t longest = test_between(0, 1) ? 5 : test_between(0, 9) ? 300 : 2000;

        p->shape[k] = test_between(1, longest < left ? longest : left);
        left /= p->shape[k];
    }
}

static void random_strides(const struct test_pair *p, int64_t item, bool repeats, int64_t *strides)
{
    int64_t next = item;
    int32_t axes[PAIR_NDIM];

    test_shuffle(p->ndim, axes);
    for (int32_t i = 0; i < p->ndim; i++) {
        const int32_t k = axes[i];

        if (test_between(0, 5) == 0)
            next += test_between(1, 3) * item;
        strides[k] = repeats && test_between(0, 9) == 0 ? 0 : test_between(0, 5) == 0 ? -next : next;
        next *= p->shape[k];
    }
}

/* Bytes from the first one of the hull to the element [0,...,0], and of the hull. */
static int64_t origin(const struct test_pair *p, const int64_t *strides, int64_t item, int64_t *nbytes)
{
    int64_t lower, upper;

    test_hull(p->ndim, p->shape, strides, item, &lower, &upper);
    *nbytes = upper - lower;
    return -lower;
}

/* Numbers for each index of the longest axis. */
static double factors[2][2000];

static struct svi_factor random_factor(const double *numbers_of_axis)
{
    const int64_t kind = test_between(0, 3);

    return (struct svi_factor){kind == 0 ? NULL : numbers_of_axis, kind > 1 ? INT32_MAX : 1};
}

/* Some of the types' own size, so that integers of it are not all out of range. */
static void random_factors(void)
{
    for (int k = 0; k < 2000; k++) {
        factors[0][k] = (double)test_between(-300, 300) / 128;
        factors[1][k] = (double)test_between(-5000, 5000) / 64;
    }
}

static void expect(const struct test_pair *p, const struct svi_affine *a, int32_t axis, unsigned char *dst,
                   const unsigned char *src)
{
    int64_t index[PAIR_NDIM] = {0};

    do
        scale_one(a, (size_t)p->itemsize, axis < 0 ? 0 : index[axis], dst + test_offset(p->ndim, index, p->dst),
                  src + test_offset(p->ndim, index, p->src));
    while (test_next(p->ndim, p->shape, index));
}

static void check_layout(const struct svi_machine *machine, const struct test_pair *p, const struct svi_affine *call,
                         int32_t axis)
{
    struct svi_plan plan;
    int64_t dst_bytes, src_bytes;
    const int64_t dst_origin = origin(p, p->dst, p->itemsize, &dst_bytes);
    int64_t src_origin;
    unsigned char *dst, *src;
    bool done;

    svi_affine_make_plan(p->ndim, p->shape, p->dst, p->src, 1, axis, call, &plan);
    src_origin = origin(p, p->src, plan.src_item, &src_bytes);
    dst = test_between(0, 1) ? dst_arena + ARENA - dst_bytes : dst_arena + test_between(0, 130);
    src = test_between(0, 1) ? src_arena + ARENA - src_bytes : src_arena + test_between(0, 130);
    memset(dst, 0xa5, (size_t)dst_bytes);
    memset(expected, 0xa5, (size_t)dst_bytes);
    expect(p, call, axis, expected + dst_origin, src + src_origin);
    done = svi_host_affine(machine, &plan, (char *)dst + dst_origin, (char *)src + src_origin);
    cr_assert(done);
    cr_assert_eq(memcmp(dst, expected, (size_t)dst_bytes), 0,
                 "%s, cache %lld: items of %d from %d, wide %d, whole %d, %d axes, axis %d of %d x %d x %d x %d",
                 machine->isa->name, (long long)machine->cache, (int)plan.item, (int)plan.src_item, call->wide, call->whole,
                 p->ndim, axis, (int)p->shape[0], (int)p->shape[1], (int)p->shape[2], (int)p->shape[3]);
}

enum { REALS = NUMBERS - 3 };

Test(host_affine, every_layout)
{
    const int rounds = test_rounds(3, 20, 200);

    random_factors();
    for (int64_t round = test_first_round(); test_round(round, rounds); round++)
        for (int i = 0; i < REALS; i++)
            for (int j = 0; j < REALS; j++) {
                struct test_pair p = {0};
                struct svi_affine call = {.scale = random_factor(factors[0]), .bias = random_factor(factors[1])};
                int32_t axis;

                cr_assert_eq(svi_affine_choose(numbers[i], numbers[j], test_between(0, 4) == 0, &call), SV_OK);
                random_shape(&p);
                axis = p.ndim == 0 ? -1 : (int32_t)test_between(0, p.ndim - 1);
                if (axis < 0)
                    call.scale.count = call.bias.count = 1;
                p.itemsize = sv_dtype_itemsize(numbers[i]);
                random_strides(&p, p.itemsize, false, p.dst);
                random_strides(&p, sv_dtype_itemsize(numbers[j]), true, p.src);
                check_layout(&machines[test_between(0, machine_count - 1)], &p, &call, axis);
            }
}

/* Layouts of images, of each machine: pixels to planes and back, of whole images and of parts, turned over. */
Test(host_affine, images)
{
    static const sv_dtype types[] = {SV_UINT8, SV_INT8, SV_UINT16, SV_INT16, SV_FLOAT16, SV_BFLOAT16, SV_FLOAT32};
    enum { H = 17, W = 101, TYPES = sizeof types / sizeof *types };

    random_factors();
    for (int m = 0; m < machine_count; m++)
        for (int t = 0; t < TYPES * TYPES; t++)
            for (int way = 0; way < 8; way++) {
                const int64_t item = sv_dtype_itemsize(types[t / TYPES]), from = sv_dtype_itemsize(types[t % TYPES]);
                const int64_t channels = 3 + (t + way) % 2, turned = way & 4 ? -1 : 1;
                struct test_pair p = {3, item, {channels, H, W}, {H * W * item, W * item, item},
                                      {H * W * from, W * from * turned, from * turned}};
                struct svi_affine call = {.scale = {factors[0], channels},
                                          .bias = {factors[1], way & 1 ? channels : 1}};
                int64_t *pixels = way & 2 ? p.dst : p.src, unit = way & 2 ? item : from;

                if (test_is_emulated() && (m + t + way) % 4 != 0)
                    continue;
                pixels[0] = unit;
                pixels[1] = W * channels * unit * (way & 2 ? 1 : turned);
                pixels[2] = channels * unit * (way & 2 ? 1 : turned);
                cr_assert_eq(svi_affine_choose(types[t / TYPES], types[t % TYPES], false, &call), SV_OK);
                check_layout(&machines[m], &p, &call, 0);
            }
}

/* --- in place, and without memory --------------------------------------------------- */

Test(host_affine, in_place)
{
    static const sv_dtype types[] = {SV_UINT8, SV_INT16, SV_FLOAT16, SV_FLOAT32, SV_INT32, SV_FLOAT64};

    random_factors();
    for (int64_t round = test_first_round(); test_round(round, test_rounds(100, 500, 5000)); round++) {
        const sv_dtype type = types[round % 6];
        const struct svi_machine *machine = &machines[test_between(0, machine_count - 1)];
        struct svi_affine call = {.scale = {factors[0], INT32_MAX}, .bias = {factors[1], INT32_MAX}};
        struct svi_plan plan;
        struct test_pair p = {0};
        int64_t nbytes, first;
        int32_t axis;

        random_shape(&p);
        p.itemsize = sv_dtype_itemsize(type);
        random_strides(&p, p.itemsize, false, p.dst);
        memcpy(p.src, p.dst, sizeof p.src);
        cr_assert_eq(svi_affine_choose(type, type, false, &call), SV_OK);
        axis = p.ndim - 1;
        if (axis < 0)
            call.scale.count = call.bias.count = 1;
        svi_affine_make_plan(p.ndim, p.shape, p.dst, p.src, 1, axis, &call, &plan);
        first = origin(&p, p.dst, p.itemsize, &nbytes);
        memcpy(dst_arena, src_arena + 8, (size_t)nbytes);
        memcpy(expected, dst_arena, (size_t)nbytes);
        expect(&p, &call, axis, expected + first, dst_arena + first);
        cr_assert(svi_host_affine(machine, &plan, (char *)dst_arena + first, (char *)dst_arena + first));
        cr_assert_eq(memcmp(dst_arena, expected, (size_t)nbytes), 0, "%s, %d axes, items of %d", machine->isa->name,
                     p.ndim, (int)p.itemsize);
    }
}

Test(host_affine, without_memory)
{
    const int64_t shape[1] = {100}, strides[1] = {1};
    struct svi_affine a = {.scale = {factors[0], 1}};
    struct svi_plan plan;

    cr_assert_eq(svi_affine_choose(SV_UINT8, SV_UINT8, false, &a), SV_OK);
    svi_affine_make_plan(1, shape, strides, strides, 1, -1, &a, &plan);
    memset(dst_arena, 0xa5, 100);
    svi_alloc.allocate = no_memory;
    cr_expect(!svi_host_affine(&machines[0], &plan, (char *)dst_arena, (char *)src_arena));
    svi_alloc.allocate = malloc;
    for (int k = 0; k < 100; k++)
        cr_expect_eq(dst_arena[k], 0xa5);
}
