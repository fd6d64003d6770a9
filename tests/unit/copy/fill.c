#include <criterion/criterion.h>
#include <string.h>

#include "sv.h"
#include "support/pairs.h"

enum { ROOM = 1 << 16 };

static unsigned char memory[ROOM], expected[ROOM];
static const unsigned char item[16] = "abcdefghijklmnop";

/* A root view of the arena with that layout, or NULL where it does not fit. */
static sv_view *view_of(const sv_layout *layout, unsigned char *base, int64_t lower, int32_t device, uint32_t flags)
{
    sv_view *view = NULL;

    cr_assert_eq(sv_view_new(layout, SV_OPAQUE, base, lower, ROOM + lower, device, 0, flags, NULL, NULL, &view), SV_OK,
                 "%s", sv_last_message());
    return view;
}

static void fill_one_by_one(const struct test_pair *p, unsigned char *dst)
{
    int64_t index[PAIR_NDIM] = {0};

    if (test_pair_is_empty(p))
        return;
    do
        memcpy(dst + test_offset(p->ndim, index, p->dst), item, (size_t)p->itemsize);
    while (test_next(p->ndim, p->shape, index));
}

Test(fill, every_layout)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases() / 10); round++) {
        sv_layout *layout = NULL;
        int64_t lower, upper;
        struct test_pair p;
        sv_view *view;

        test_pair_random(&p, 300);
        if (p.itemsize > 16)
            continue;
        test_hull(p.ndim, p.shape, p.dst, p.itemsize, &lower, &upper);
        if (test_pair_is_empty(&p))
            lower = upper = 0;
        cr_assert(upper - lower <= ROOM);
        memset(memory, 7, ROOM);
        memset(expected, 7, ROOM);
        fill_one_by_one(&p, expected - lower);
        cr_assert_eq(sv_layout_new_bytes(p.ndim, p.shape, p.dst, p.itemsize, &layout), SV_OK);
        view = view_of(layout, memory - lower, lower, SV_DEVICE_CPU, 0);
        cr_assert_eq(sv_fill(view, item, p.itemsize, 0, 0), SV_OK, "%s", sv_last_message());
        cr_assert_eq(memcmp(memory, expected, ROOM), 0, "%d axes, items of %d", p.ndim,
                     (int)p.itemsize);
        sv_view_release(view);
        sv_layout_release(layout);
    }
}

Test(fill, item_of_dst_is_read_first)
{
    const int64_t count = 100;
    sv_layout *layout = NULL;
    sv_view *view;

    cr_assert_eq(sv_layout_new(1, &count, NULL, 8, &layout), SV_OK);
    view = view_of(layout, memory, 0, SV_DEVICE_CPU, 0);
    memcpy(memory + 13, item, 8);
    cr_assert_eq(sv_fill(view, memory + 13, 8, SV_COPY_BLOCKING, 77), SV_OK);
    for (int k = 0; k < 100; k++)
        cr_assert_eq(memcmp(memory + 8 * k, item, 8), 0, "item %d", k);
    sv_view_release(view);
    sv_layout_release(layout);
}

static const struct {
    const char *name;
    int64_t shape, stride, itemsize, given;
    int32_t device;
    uint32_t view_flags, flags;
    sv_status status;
    const char *says;
} refusals[] = {
    {"read-only", 4, 4, 4, 4, SV_DEVICE_CPU, SV_READ_ONLY, 0, SV_ERROR_READ_ONLY, "dst"},
    {"unknown flag", 4, 4, 4, 4, SV_DEVICE_CPU, 0, 1 << 20, SV_ERROR_INVALID, "0x100000"},
    {"a flag of copies", 4, 4, 4, 4, SV_DEVICE_CPU, 0, SV_COPY_CAST, SV_ERROR_INVALID, "0x8"},
    {"no bytes", 4, 4, 4, 0, SV_DEVICE_CPU, 0, 0, SV_ERROR_RANGE, "0 bytes"},
    {"less than none", 4, 4, 4, -1, SV_DEVICE_CPU, 0, 0, SV_ERROR_RANGE, "-1 bytes"},
    {"too many bytes", 4, 17, 17, 17, SV_DEVICE_CPU, 0, 0, SV_ERROR_RANGE, "17 bytes"},
    {"another size", 4, 8, 8, 4, SV_DEVICE_CPU, 0, 0, SV_ERROR_DTYPE, "8"},
    {"another size, empty", 0, 8, 8, 4, SV_DEVICE_CPU, 0, 0, SV_ERROR_DTYPE, "8"},
    {"repeats", 4, 0, 4, 4, SV_DEVICE_CPU, 0, SV_COPY_TRUST, SV_ERROR_OVERLAP, "share"},
    {"overlaps itself", 4, 3, 4, 4, SV_DEVICE_CPU, 0, 0, SV_ERROR_OVERLAP, "share"},
    {"foreign device", 4, 4, 4, 4, SV_DEVICE_ONEAPI, 0, 0, SV_ERROR_UNSUPPORTED, "oneAPI"},
};

Test(fill, refusals_leave_dst_alone)
{
    memset(memory, 7, ROOM);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        sv_layout *layout = NULL;
        sv_view *view;

        cr_assert_eq(sv_layout_new_bytes(1, &refusals[i].shape, &refusals[i].stride, refusals[i].itemsize, &layout),
                     SV_OK);
        view = view_of(layout, memory, 0, refusals[i].device, refusals[i].view_flags);
        cr_expect_eq(sv_fill(view, item, refusals[i].given, refusals[i].flags, 0), refusals[i].status, "%s: %s",
                     refusals[i].name, sv_last_message());
        cr_expect(strstr(sv_last_message(), refusals[i].says) != NULL, "%s: %s", refusals[i].name, sv_last_message());
        for (int k = 0; k < 100; k++)
            cr_assert_eq(memory[k], 7, "%s", refusals[i].name);
        sv_view_release(view);
        sv_layout_release(layout);
    }
}
