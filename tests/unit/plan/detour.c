/* One copy as two: they do what the plan does, and the memory between them is dense and in the order asked for. */
#include <criterion/criterion.h>

#include "backend/backend.h"
#include "plan/detour.h"
#include "support/pairs.h"
#include "host/front/host.h"

static const char *const side_names[] = {"dst", "src"};

/* Bytes of memory that one side of a random pair reaches. */
struct memory {
    size_t nbytes;
    char *bytes, *origin;
};

static struct memory allocate(int32_t ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize)
{
    struct memory m;
    int64_t lower, upper;

    test_hull(ndim, shape, strides, itemsize, &lower, &upper);
    m.nbytes = (size_t)(upper - lower);
    m.bytes = malloc(m.nbytes);
    m.origin = m.bytes - lower;
    for (size_t i = 0; i < m.nbytes; i++)
        m.bytes[i] = (char)(test_random() % 100);
    return m;
}

static void run(const struct svi_plan *plan, char *dst, const char *src)
{
    cr_assert_eq(svi_host.copy(&(struct svi_request){plan, svi_cpu, dst, svi_cpu, src, 0, 0, NULL, NULL}), SV_OK);
}

/* The memory is allocated to the byte, so that a sanitizer sees what leaves it. */
static void expect_same(const struct svi_plan *plan, int32_t side, int32_t items, struct memory dst, const char *src)
{
    const int64_t nbytes = svi_detour_nbytes(plan, items);
    char *memory = malloc((size_t)nbytes), *expected = malloc(dst.nbytes);
    const ptrdiff_t origin = dst.origin - dst.bytes;
    struct svi_plan in, out;

    memcpy(expected, dst.bytes, dst.nbytes);
    run(plan, expected + origin, src);
    svi_detour_make(plan, side, items, &in, &out);
    cr_assert_eq(in.nbytes, nbytes, "every byte of the memory is written once");
    cr_assert_eq(out.nbytes, plan->nbytes);
    run(&in, memory, src);
    run(&out, dst.origin, memory);
    cr_assert_eq(memcmp(dst.bytes, expected, dst.nbytes), 0, "by %s: class %s", side_names[side],
                 svi_class_name(plan->kind));
    free(expected);
    free(memory);
}

Test(detour, random_copies)
{
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 4); round++) {
        struct memory dst, src;
        struct svi_plan plan;

        test_pair_random(&p, 1500);
        if (test_pair_is_empty(&p))
            continue;
        svi_plan_make(p.ndim, p.shape, p.dst, p.src, p.itemsize, &plan);
        dst = allocate(p.ndim, p.shape, p.dst, p.itemsize);
        src = allocate(p.ndim, p.shape, p.src, p.itemsize);
        expect_same(&plan, round % 2 == 0 ? SVI_SIDE_DST : SVI_SIDE_SRC, SVI_SIDE_SRC, dst, src.origin);
        free(dst.bytes);
        free(src.bytes);
    }
}

/* The memory holds what the source has, and the second step converts, or what the destination has. */
Test(detour, random_conversions)
{
    static const sv_dtype dtypes[][2] = {
        {SV_FLOAT32, SV_INT16}, {SV_UINT8, SV_FLOAT64}, {SV_COMPLEX64, SV_INT8}, {SV_INT64, SV_BOOL}};
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 4); round++) {
        const sv_dtype *dtype = dtypes[test_between(0, 3)];
        const int32_t items = round / 2 % 2 == 0 ? SVI_SIDE_DST : SVI_SIDE_SRC;
        struct memory dst, src;
        struct svi_chain chain;
        struct svi_plan plan, in, out;

        test_pair_random(&p, 1500);
        if (test_pair_is_empty(&p))
            continue;
        cr_assert_eq(svi_chain_find(dtype[0], dtype[1], true, false, &chain), SV_OK);
        test_spread(p.ndim, p.shape, (int64_t)svi_chain_dst_bytes(&chain), p.dst);
        svi_plan_make_cast(p.ndim, p.shape, p.dst, p.src, &chain, 1, &plan);
        dst = allocate(p.ndim, p.shape, p.dst, plan.item);
        src = allocate(p.ndim, p.shape, p.src, plan.src_item);
        expect_same(&plan, round % 2 == 0 ? SVI_SIDE_DST : SVI_SIDE_SRC, items, dst, src.origin);
        svi_detour_make(&plan, SVI_SIDE_DST, items, &in, &out);
        cr_assert_eq(in.kind == SVI_CLASS_CAST, items == SVI_SIDE_DST);
        cr_assert_eq(out.kind == SVI_CLASS_CAST, items == SVI_SIDE_SRC);
        cr_assert_leq(svi_detour_nbytes(&plan, svi_detour_narrow(&plan)), svi_detour_nbytes(&plan, items));
        free(dst.bytes);
        free(src.bytes);
    }
}

/* What is dense on a side is contiguous in the step of that side, and what is repeated is held once. */
Test(detour, order_of_a_side)
{
    enum { DST = 1, SRC = 2 };
    static const struct {
        const char *name;
        int64_t shape[3], dst[3], src[3], nbytes; /* items of 4 bytes */
        int dense; /* sides */
    } cases[] = {
        {"transpose", {5, 6, 7}, {168, 28, 4}, {4, 20, 120}, 840, DST | SRC},
        {"a source with gaps", {5, 6, 7}, {168, 28, 4}, {4, 24, 168}, 840, DST},
        {"into gaps", {5, 6, 7}, {8, 40, 240}, {168, 28, 4}, 840, SRC},
        {"a reversed source", {5, 6, 7}, {168, 28, 4}, {168, -28, -4}, 840, DST | SRC},
        {"repeated rows", {5, 6, 7}, {168, 28, 4}, {28, 0, 4}, 140, SRC},
        {"one item", {5, 6, 7}, {168, 28, 4}, {0, 0, 0}, 4, SRC},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct svi_plan plan, in, out;

        svi_plan_make(3, cases[i].shape, cases[i].dst, cases[i].src, 4, &plan);
        cr_expect_eq(svi_detour_nbytes(&plan, SVI_SIDE_SRC), cases[i].nbytes, "%s", cases[i].name);
        svi_detour_make(&plan, SVI_SIDE_SRC, SVI_SIDE_SRC, &in, &out);
        cr_expect_eq(in.kind == SVI_CLASS_CONTIGUOUS, (cases[i].dense & SRC) != 0, "%s: in is %s", cases[i].name,
                     svi_class_name(in.kind));
        svi_detour_make(&plan, SVI_SIDE_DST, SVI_SIDE_SRC, &in, &out);
        cr_expect_eq(out.kind == SVI_CLASS_CONTIGUOUS, (cases[i].dense & DST) != 0, "%s: out is %s", cases[i].name,
                     svi_class_name(out.kind));
    }
}
