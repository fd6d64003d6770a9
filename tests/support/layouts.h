/* Random layouts, and where their elements lie, for the tests of layouts. */
#ifndef SVI_TEST_LAYOUTS_H
#define SVI_TEST_LAYOUTS_H

#include <criterion/criterion.h>

#include "layout/layout.h"
#include "pairs.h"

enum { TEST_SIZE = 4096 }; /* elements of a random layout at most */

/* What stands where no layout is made, and must stay there. */
static sv_layout *const untouched = (sv_layout *)1;

static inline sv_layout *test_dense(int32_t ndim, const int64_t *shape, int64_t itemsize)
{
    sv_layout *layout;

    cr_assert_eq(sv_layout_new(ndim, shape, NULL, itemsize, &layout), SV_OK);
    return layout;
}

static inline void test_tell_layout(const sv_layout *layout)
{
    char text[3072];

    if (sv_layout_text(layout, sizeof text, text, NULL) == SV_OK)
        test_tell("layout %s", text);
}

/* 0 to max_ndim axes; negative, zero, overlapping and odd strides; at times empty, at times with an offset. */
static inline sv_layout *test_layout(int32_t max_ndim)
{
    int64_t shape[8], strides[8], start[8], stop[8], itemsize = test_between(1, 24);
    int32_t ndim = (int32_t)test_between(0, max_ndim), way = (int32_t)test_between(0, 3), axes[8];
    sv_layout *layout = NULL, *part = NULL;

    for (int32_t k = 0; k < ndim; k++) {
        shape[k] = test_between(0, 40) == 0 ? 0 : test_between(0, 3) == 0 ? 1 : test_between(2, ndim > 4 ? 3 : 5);
        strides[k] = test_between(-40, 40) * (test_between(0, 1) ? 1 : itemsize);
        start[k] = test_between(0, 4) == 0 ? 1 : 0;
        stop[k] = INT64_MAX;
    }
    if (way == 0) {
        cr_assert_eq(sv_layout_new_bytes(ndim, shape, strides, itemsize, &layout), SV_OK);
    } else {
        test_shuffle(ndim, axes);
        cr_assert_eq(sv_layout_new_dense(ndim, shape, way == 1 ? SV_ORDER_C : SV_ORDER_AXES, axes, itemsize, &layout),
                     SV_OK);
    }
    if (test_between(0, 1)) {
        test_tell_layout(layout);
        return layout;
    }
    cr_assert_eq(sv_layout_slice(layout, ndim, start, stop, NULL, &part), SV_OK);
    sv_layout_release(layout);
    test_tell_layout(part);
    return part;
}

static inline sv_layout *test_parse(const char *text)
{
    sv_layout *layout = NULL;

    cr_assert_eq(sv_layout_parse(text, &layout), SV_OK, "%s: %s", text, sv_last_message());
    return layout;
}

/* A layout that broadcasts to this one: some axes of 1, some gone from the front. */
static inline sv_layout *test_narrower(const sv_layout *layout)
{
    int64_t start[8] = {0}, stop[8];
    int32_t ndim = sv_layout_ndim(layout);
    sv_layout *part, *out;

    for (int32_t k = 0; k < ndim; k++)
        stop[k] = test_between(0, 3) == 0 && sv_layout_shape(layout)[k] > 0 ? 1 : INT64_MAX;
    cr_assert_eq(sv_layout_slice(layout, ndim, start, stop, NULL, &part), SV_OK);
    if (ndim > 0 && test_between(0, 2) == 0 && sv_layout_shape(part)[0] > 0) {
        cr_assert_eq(sv_layout_index(part, 0, 0, &out), SV_OK);
        sv_layout_release(part);
        part = out;
    }
    return part;
}

/* Byte offset of the element with this index. */
static inline int64_t test_element(const sv_layout *layout, const int64_t *index)
{
    return sv_layout_byte_offset(layout) +
           test_offset(sv_layout_ndim(layout), index, sv_layout_byte_strides(layout));
}

/* Offsets of all elements in C order. Returns their number. */
static inline int64_t test_offsets(const sv_layout *layout, int64_t *out)
{
    int64_t index[SV_MAX_NDIM] = {0}, count = 0;

    if (sv_layout_size(layout) == 0)
        return 0;
    do {
        cr_assert_lt(count, TEST_SIZE);
        out[count++] = test_element(layout, index);
    } while (test_next(sv_layout_ndim(layout), sv_layout_shape(layout), index));
    cr_assert_eq(count, sv_layout_size(layout));
    return count;
}

static inline bool test_same_offsets(const sv_layout *layout, const sv_layout *other)
{
    static int64_t offsets[TEST_SIZE], other_offsets[TEST_SIZE];
    int64_t count = test_offsets(layout, offsets);

    return test_offsets(other, other_offsets) == count &&
           memcmp(offsets, other_offsets, (size_t)count * sizeof *offsets) == 0;
}

static inline bool test_has(const sv_layout *layout, int32_t ndim, const int64_t *shape, const int64_t *byte_strides,
                            int64_t byte_offset)
{
    size_t nbytes = (size_t)ndim * sizeof *shape;

    return sv_layout_ndim(layout) == ndim && memcmp(sv_layout_shape(layout), shape, nbytes) == 0 &&
           memcmp(sv_layout_byte_strides(layout), byte_strides, nbytes) == 0 &&
           sv_layout_byte_offset(layout) == byte_offset;
}

/* What came of the operation of a row: nothing, or such a layout without an offset, which is released. */
static inline void test_expect(const char *name, sv_layout *out, sv_status status, int32_t ndim, const int64_t *shape,
                               const int64_t *byte_strides)
{
    if (status != SV_OK) {
        cr_expect_eq(out, untouched, "%s", name);
        return;
    }
    cr_assert_neq(out, untouched, "%s", name);
    cr_expect(test_has(out, ndim, shape, byte_strides, 0), "%s", name);
    sv_layout_release(out);
}

#endif
