/* Plans between addresses in two arrays that the host reads. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sv.h"
#include "support/pairs.h"
#include "support/views.h"

enum { PAGES = 40 };

/* Pages that are anywhere in two blocks. */
struct pages {
    struct test_pair pair;
    int64_t count;
    unsigned char *to, *from, *expected;
    size_t to_nbytes, from_nbytes;
    uint64_t entries[2 * PAGES]; /* addresses of dst and src by turns */
    sv_plan *plan;
};

/* The place of page i on a side, by pages in another order, and of the element [0,...,0] in it. */
static size_t find_page(int64_t count, int64_t i, int64_t times, int64_t lower, int64_t upper)
{
    return (size_t)(i * times % count * (upper - lower) - lower);
}

static void make_pages(struct pages *p, int64_t count)
{
    const struct test_pair *pair = &p->pair;
    int64_t dst_lower, dst_upper, src_lower, src_upper;
    sv_view *dst, *src;

    p->count = count;
    test_hull(pair->ndim, pair->shape, pair->dst, pair->itemsize, &dst_lower, &dst_upper);
    test_hull(pair->ndim, pair->shape, pair->src, pair->itemsize, &src_lower, &src_upper);
    p->to_nbytes = (size_t)((dst_upper - dst_lower) * count);
    p->from_nbytes = (size_t)((src_upper - src_lower) * count);
    p->to = calloc(p->to_nbytes + 1, 1);
    p->expected = calloc(p->to_nbytes + 1, 1);
    p->from = malloc(p->from_nbytes + 1);
    for (size_t k = 0; k < p->from_nbytes; k++)
        p->from[k] = (unsigned char)test_random();
    for (int64_t i = 0; i < count; i++) {
        const size_t to = find_page(count, i, 7, dst_lower, dst_upper), from = find_page(count, i, 11, src_lower, src_upper);

        p->entries[2 * i] = (uintptr_t)(p->to + to);
        p->entries[2 * i + 1] = (uintptr_t)(p->from + from);
        test_copy_one_by_one(pair, p->expected + to, p->from + from);
    }
    dst = test_view(p->to - dst_lower, pair->ndim, pair->shape, pair->dst, pair->itemsize, 0);
    src = test_view(p->from - src_lower, pair->ndim, pair->shape, pair->src, pair->itemsize, 0);
    cr_assert_eq(sv_plan_new(dst, src, 0, &p->plan), SV_OK, "%s", sv_last_message());
    sv_view_release(dst);
    sv_view_release(src);
}

static void forget_pages(struct pages *p)
{
    sv_plan_release(p->plan);
    free(p->to);
    free(p->from);
    free(p->expected);
}

/* count integers, so many bytes apart, on a device or not. */
static sv_view *array_of(void *first, int64_t count, int64_t step, sv_dtype dtype, int32_t device)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_bytes(1, &count, &step, 8, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, dtype, first, INT64_MIN, INT64_MAX, device, 0, SV_READ_ONLY, NULL, NULL, &view),
                 SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static sv_status execute(const struct pages *p, int64_t alignment, int64_t *failed)
{
    sv_view *dst = array_of((void *)p->entries, p->count, 16, SV_UINT64, SV_DEVICE_CPU);
    sv_view *src = array_of((void *)(p->entries + 1), p->count, 16, SV_INT64, SV_DEVICE_CPU);
    const sv_status status = sv_plan_execute_table(p->plan, dst, src, alignment, 0, failed);

    sv_view_release(dst);
    sv_view_release(src);
    return status;
}

Test(plan_table, random_pages)
{
    for (int64_t round = test_first_round(); test_round(round, 300); round++) {
        static const int64_t counts[] = {1, 2, 13, PAGES - 1};
        struct pages p;

        test_pair_random(&p.pair, 200);
        make_pages(&p, counts[round % 4]);
        cr_assert_eq(execute(&p, 1, NULL), SV_OK, "%s", sv_last_message());
        cr_assert(memcmp(p.to, p.expected, p.to_nbytes) == 0);
        forget_pages(&p);
    }
}

static const struct test_pair turned = {2, 4, {3, 5}, {20, 4}, {4, 12}};

Test(plan_table, addresses_are_those_of_an_item_unless_told_otherwise)
{
    static const struct {
        int64_t alignment, moved; /* bytes, of the source of page 3 */
        int64_t failed;
    } cases[] = {{0, 0, -1}, {0, 2, 3}, {1, 2, -1}, {1, 3, -1}, {2, 3, 3}, {2, 2, -1}, {4, 0, -1}, {8, 0, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pages p = {.pair = turned};
        int64_t failed = -1;

        make_pages(&p, 5);
        p.entries[2 * 3 + 1] -= (uint64_t)cases[i].moved;
        cr_expect_eq(execute(&p, cases[i].alignment, &failed), cases[i].failed < 0 ? SV_OK : SV_ERROR_ALIGNMENT,
                     "case %zu: %s", i, sv_last_message());
        cr_expect_eq(failed, cases[i].failed, "case %zu: place %d", i, (int)failed);
        forget_pages(&p);
    }
}

Test(plan_table, nothing_is_copied_where_an_address_is_refused)
{
    struct pages p = {.pair = turned};
    int64_t failed = -1;

    make_pages(&p, 5);
    p.entries[2 * 4] = 0;
    cr_expect_eq(execute(&p, 0, &failed), SV_ERROR_NULL);
    cr_expect_eq(failed, 4);
    for (size_t k = 0; k < p.to_nbytes; k++)
        cr_assert_eq(p.to[k], 0);
    p.entries[2 * 4] = UINTPTR_MAX - 3;
    cr_expect_eq(execute(&p, 0, NULL), SV_ERROR_OVERFLOW);
    forget_pages(&p);
}

Test(plan_table, arrays_are_refused)
{
    static const struct {
        const char *name;
        int64_t count, dst_at, dst_step; /* bytes */
        sv_dtype dtype;
        int32_t dst_device, src_device;
        int64_t alignment;
        sv_status status;
    } cases[] = {
        {"numbers of another type", 4, 0, 16, SV_FLOAT64, SV_DEVICE_CPU, SV_DEVICE_CPU, 0, SV_ERROR_DTYPE},
        {"fewer of one", 3, 0, 16, SV_INT64, SV_DEVICE_CPU, SV_DEVICE_CPU, 0, SV_ERROR_LAYOUT},
        {"between words", 4, 4, 16, SV_INT64, SV_DEVICE_CPU, SV_DEVICE_CPU, 0, SV_ERROR_ALIGNMENT},
        {"steps of no words", 4, 0, 12, SV_INT64, SV_DEVICE_CPU, SV_DEVICE_CPU, 0, SV_ERROR_ALIGNMENT},
        {"two devices", 4, 0, 16, SV_INT64, SV_DEVICE_CPU, SV_DEVICE_CUDA, 0, SV_ERROR_DEVICE},
        {"of a device, for the host", 4, 0, 16, SV_INT64, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 0, SV_ERROR_UNSUPPORTED},
        {"managed, for the host", 4, 0, 16, SV_INT64, SV_DEVICE_CUDA_MANAGED, SV_DEVICE_CUDA_MANAGED, 0,
         SV_ERROR_UNSUPPORTED},
        {"an alignment of 3", 4, 0, 16, SV_INT64, SV_DEVICE_CPU, SV_DEVICE_CPU, 3, SV_ERROR_INVALID},
        {"a negative alignment", 4, 0, 16, SV_INT64, SV_DEVICE_CPU, SV_DEVICE_CPU, INT64_MIN, SV_ERROR_INVALID},
        {"a large alignment", 0, 0, 16, SV_INT64, SV_DEVICE_CPU, SV_DEVICE_CPU, 1 << 20, SV_OK},
    };
    struct pages p = {.pair = turned};

    make_pages(&p, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_view *dst = array_of((char *)p.entries + cases[i].dst_at, cases[i].count, cases[i].dst_step, cases[i].dtype,
                                cases[i].dst_device);
        sv_view *src = array_of(p.entries + 1, cases[i].count == 0 ? 0 : 4, 16, SV_INT64, cases[i].src_device);

        cr_expect_eq(sv_plan_execute_table(p.plan, dst, src, cases[i].alignment, 0, NULL), cases[i].status, "%s: %s",
                     cases[i].name, sv_last_message());
        sv_view_release(dst);
        sv_view_release(src);
    }
    for (size_t k = 0; k < p.to_nbytes; k++)
        cr_assert_eq(p.to[k], 0);
    forget_pages(&p);
}

Test(plan_table, an_array_has_one_axis)
{
    struct pages p = {.pair = turned};
    const int64_t shape[2] = {2, 2};
    sv_view *array = NULL;

    make_pages(&p, 4);
    cr_assert_eq(sv_view_from_host(SV_UINT64, 2, shape, NULL, p.entries, 0, &array), SV_OK);
    cr_expect_eq(sv_plan_execute_table(p.plan, array, array, 0, 0, NULL), SV_ERROR_LAYOUT);
    sv_view_release(array);
    forget_pages(&p);
}

/* Pages without an element, and no pages. */
Test(plan_table, nothing)
{
    struct pages none = {.pair = {2, 4, {0, 5}, {20, 4}, {4, 12}}}, p = {.pair = turned};

    make_pages(&none, 3);
    cr_expect_eq(execute(&none, 0, NULL), SV_OK, "%s", sv_last_message());
    forget_pages(&none);
    make_pages(&p, 3);
    p.count = 0;
    cr_expect_eq(execute(&p, 0, NULL), SV_OK);
    cr_expect(memcmp(p.to, p.expected, p.to_nbytes) != 0);
    forget_pages(&p);
}
