#include <criterion/criterion.h>
#include <stdlib.h>

#include "overlap/overlap.h"
#include "support/pairs.h"
#include "support/views.h"
#include "view/view.h"

enum { GUARD = 32 };

/* --- views --------------------------------------------------------------- */

static sv_view *view_of(const sv_layout *layout, void *base, sv_dtype dtype, int32_t device, uint32_t flags)
{
    sv_view *view = NULL;
    sv_status status = sv_view_new(layout, dtype, base, INT64_MIN, INT64_MAX, device, 0, flags, NULL, NULL, &view);

    cr_assert_eq(status, SV_OK, "%s", sv_last_message());
    return view;
}

/* The same elements, now and then as the rest of a longer axis, so that there is an offset. */
static sv_view *view_somehow(unsigned char *origin, int32_t ndim, const int64_t *shape, const int64_t *strides,
                                  int64_t itemsize)
{
    int64_t longer[PAIR_NDIM], start[PAIR_NDIM] = {0}, stop[PAIR_NDIM];
    int32_t axis = (int32_t)test_between(0, 2 * PAIR_NDIM);
    sv_layout *whole = NULL, *rest = NULL;
    sv_view *view;

    if (axis >= ndim)
        return test_view(origin, ndim, shape, strides, itemsize, 0);
    for (int32_t k = 0; k < ndim; k++) {
        longer[k] = shape[k];
        stop[k] = INT64_MAX;
    }
    longer[axis] += 2;
    start[axis] = 2;
    cr_assert_eq(sv_layout_new_bytes(ndim, longer, strides, itemsize, &whole), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_layout_slice(whole, ndim, start, stop, NULL, &rest), SV_OK, "%s", sv_last_message());
    view = view_of(rest, origin - sv_layout_byte_offset(rest), SV_OPAQUE, SV_DEVICE_CPU, 0);
    sv_layout_release(whole);
    sv_layout_release(rest);
    return view;
}

/* src of a pair, now and then with extent 1, or no axis, where it repeats. */
static sv_view *make_source(const struct test_pair *p, unsigned char *origin)
{
    int64_t shape[PAIR_NDIM], strides[PAIR_NDIM];
    int32_t first = 0;

    memcpy(shape, p->shape, sizeof shape);
    memcpy(strides, p->src, sizeof strides);
    for (int32_t k = 0; k < p->ndim; k++)
        if (strides[k] == 0 && test_between(0, 1)) {
            shape[k] = 1;
            strides[k] = test_between(-100, 100);
        }
    while (first < p->ndim && p->src[first] == 0 && test_between(0, 1))
        first++;
    return view_somehow(origin, p->ndim - first, shape + first, strides + first, p->itemsize);
}

/* Every way to copy takes its turn. */
static sv_status copy_somehow(const sv_view *dst, const sv_view *src, int64_t round)
{
    sv_plan *plan = NULL;
    sv_status status;

    if (round % 4 < 2)
        return sv_copy(dst, src, 0, 0);
    status = sv_plan_new(dst, src, 0, &plan);
    if (status != SV_OK)
        return status;
    if (round % 4 == 2)
        status = sv_plan_execute(plan, sv_view_data(dst), sv_view_data(src), 0);
    else
        status = sv_plan_execute_views(plan, dst, src, 0);
    sv_plan_release(plan);
    return status;
}

/* --- against copying one by one ------------------------------------------ */

/*
 * Both sides lie in one block of memory, their hulls apart or, shared, anywhere.
 * All of the block, guards included, must be what copying one by one makes of it.
 */
static void check(const struct test_pair *p, bool shared, int64_t round)
{
    int64_t dst_lower, dst_upper, src_lower, src_upper, dst_at, src_at, nbytes;
    unsigned char *block, *before, *expected;
    sv_view *dst, *src;

    test_hull(p->ndim, p->shape, p->dst, p->itemsize, &dst_lower, &dst_upper);
    test_hull(p->ndim, p->shape, p->src, p->itemsize, &src_lower, &src_upper);
    dst_at = GUARD + test_between(0, 15) - dst_lower;
    src_at = (shared ? test_between(GUARD, GUARD + dst_upper - dst_lower) : dst_at + dst_upper + GUARD) - src_lower;
    nbytes = (dst_at + dst_upper > src_at + src_upper ? dst_at + dst_upper : src_at + src_upper) + GUARD;
    block = malloc((size_t)nbytes);
    before = malloc((size_t)nbytes);
    expected = malloc((size_t)nbytes);
    for (int64_t i = 0; i < nbytes; i++)
        block[i] = before[i] = expected[i] = (unsigned char)test_mix((uint64_t)i);
    test_copy_one_by_one(p, expected + dst_at, before + src_at);

    dst = view_somehow(block + dst_at, p->ndim, p->shape, p->dst, p->itemsize);
    src = make_source(p, block + src_at);
    cr_assert_eq(copy_somehow(dst, src, round), SV_OK, "%s", sv_last_message());
    cr_assert_eq(memcmp(block, expected, (size_t)nbytes), 0, "%d axes, %d bytes each", (int)p->ndim,
                 (int)p->itemsize);
    sv_view_release(dst);
    sv_view_release(src);
    free(block);
    free(before);
    free(expected);
}

Test(copy, random_layouts)
{
    const int count = test_rounds(5000, 100000, 1000000);
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, count); round++) {
        test_pair_random(&p, 2000);
        check(&p, false, round);
    }
}

Test(copy, random_layouts_in_one_place)
{
    const int count = test_rounds(5000, 100000, 1000000);
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, count); round++) {
        test_pair_random(&p, 500);
        check(&p, true, round);
    }
}

/* --- refusals ------------------------------------------------------------ */

static const struct {
    const char *name;
    int32_t dst_ndim;
    int64_t dst_shape[3], dst_strides[3];
    int64_t dst_itemsize;
    sv_dtype dst_dtype;
    int32_t dst_device;
    uint32_t dst_flags;
    int32_t src_ndim;
    int64_t src_shape[3], src_strides[3];
    int64_t src_itemsize;
    sv_dtype src_dtype;
    int32_t src_device;
    uint32_t flags;
    sv_status status;
    const char *says;
} refusals[] = {
    {"unknown flag", 1, {4}, {4}, 4, SV_FLOAT32, 1, 0, 1, {4}, {4}, 4, SV_FLOAT32, 1, 1 << 20, SV_ERROR_INVALID,
     "0x100000"},
    {"read-only", 1, {4}, {4}, 4, SV_FLOAT32, 1, SV_READ_ONLY, 1, {4}, {4}, 4, SV_FLOAT32, 1, 0,
     SV_ERROR_READ_ONLY, "dst"},
    {"read-only and empty", 1, {0}, {4}, 4, SV_FLOAT32, 1, SV_READ_ONLY, 1, {0}, {4}, 4, SV_FLOAT32, 1, 0,
     SV_ERROR_READ_ONLY, "dst"},
    {"other dtype of the same size", 1, {4}, {4}, 4, SV_FLOAT32, 1, 0, 1, {4}, {4}, 4, SV_INT32, 1, 0, SV_ERROR_DTYPE,
     "int32"},
    {"other dtype, empty", 1, {0}, {4}, 4, SV_FLOAT32, 1, 0, 1, {0}, {4}, 4, SV_INT32, 1, 0, SV_ERROR_DTYPE, "float32"},
    {"opaque and typed", 1, {4}, {4}, 4, SV_OPAQUE, 1, 0, 1, {4}, {4}, 4, SV_INT32, 1, 0, SV_ERROR_DTYPE, "opaque"},
    {"opaque of two sizes", 1, {4}, {6}, 6, SV_OPAQUE, 1, 0, 1, {4}, {7}, 7, SV_OPAQUE, 1, 0, SV_ERROR_DTYPE,
     "6 bytes"},
    {"other extent", 1, {4}, {4}, 4, SV_FLOAT32, 1, 0, 1, {3}, {4}, 4, SV_FLOAT32, 1, 0, SV_ERROR_LAYOUT, "3"},
    {"to fewer axes", 1, {4}, {4}, 4, SV_FLOAT32, 1, 0, 2, {1, 4}, {16, 4}, 4, SV_FLOAT32, 1, 0, SV_ERROR_LAYOUT,
     "src (1, 4) does not broadcast to dst (4,)"},
    {"dst broadcast", 1, {1}, {4}, 4, SV_FLOAT32, 1, 0, 1, {4}, {4}, 4, SV_FLOAT32, 1, 0, SV_ERROR_LAYOUT, "4"},
    {"elements to nothing", 1, {0}, {4}, 4, SV_FLOAT32, 1, 0, 1, {4}, {4}, 4, SV_FLOAT32, 1, 0, SV_ERROR_LAYOUT, "4"},
    {"dst repeats", 1, {4}, {0}, 4, SV_FLOAT32, 1, 0, 1, {4}, {4}, 4, SV_FLOAT32, 1, SV_COPY_TRUST, SV_ERROR_OVERLAP,
     "dst share"},
    {"dst is windows", 2, {3, 2}, {4, 4}, 4, SV_FLOAT32, 1, 0, 2, {3, 2}, {8, 4}, 4, SV_FLOAT32, 1, SV_COPY_TRUST,
     SV_ERROR_OVERLAP, "dst share"},
    {"a cast of a later kind", 1, {4}, {4}, 4, SV_INT32, 1, 0, 1, {4}, {4}, 4, SV_FLOAT32, 1, SV_COPY_CAST,
     SV_ERROR_DTYPE, "float32 to int32"},
    {"a cast of bytes", 1, {4}, {4}, 4, SV_OPAQUE, 1, 0, 1, {4}, {4}, 4, SV_INT32, 1, SV_COPY_CAST_UNSAFE,
     SV_ERROR_DTYPE, "opaque"},
    {"swapped bytes of another dtype", 1, {4}, {4}, 4, SV_UINT32, 1, 0, 1, {4}, {4}, 4, SV_INT32, 1, SV_COPY_SWAP,
     SV_ERROR_DTYPE, "int32"},
    {"a cast to the dst that repeats", 1, {4}, {0}, 4, SV_FLOAT32, 1, 0, 1, {4}, {4}, 4, SV_INT32, 1, SV_COPY_CAST,
     SV_ERROR_OVERLAP, "dst share"},
    {"no backend for src", 1, {4}, {4}, 4, SV_FLOAT32, 1, 0, 1, {4}, {4}, 4, SV_FLOAT32, SV_DEVICE_ONEAPI, 0,
     SV_ERROR_UNSUPPORTED, "oneAPI"},
    {"handles", 1, {4}, {4}, 4, SV_FLOAT32, SV_DEVICE_OPENCL, 0, 1, {4}, {4}, 4, SV_FLOAT32, SV_DEVICE_OPENCL, 0,
     SV_ERROR_UNSUPPORTED, "OpenCL"},
};

Test(copy, refusals_leave_dst_alone)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        unsigned char to[64], from[64];
        sv_layout *dst_layout = NULL, *src_layout = NULL;
        sv_plan *plan = NULL;
        sv_view *dst, *src;

        memset(to, 7, sizeof to);
        memset(from, 9, sizeof from);
        cr_assert_eq(sv_layout_new_bytes(refusals[i].dst_ndim, refusals[i].dst_shape, refusals[i].dst_strides,
                                         refusals[i].dst_itemsize, &dst_layout), SV_OK);
        cr_assert_eq(sv_layout_new_bytes(refusals[i].src_ndim, refusals[i].src_shape, refusals[i].src_strides,
                                         refusals[i].src_itemsize, &src_layout), SV_OK);
        dst = view_of(dst_layout, to, refusals[i].dst_dtype, refusals[i].dst_device, refusals[i].dst_flags);
        src = view_of(src_layout, from, refusals[i].src_dtype, refusals[i].src_device, 0);
        cr_expect_eq(sv_copy(dst, src, refusals[i].flags, 0), refusals[i].status, "%s: %s", refusals[i].name,
                     sv_last_message());
        cr_expect(strstr(sv_last_message(), refusals[i].says) != NULL, "%s: %s", refusals[i].name, sv_last_message());
        cr_expect_eq(sv_plan_new(dst, src, refusals[i].flags, &plan), refusals[i].status, "%s", refusals[i].name);
        cr_expect(strstr(sv_last_message(), refusals[i].says) != NULL, "%s: %s", refusals[i].name, sv_last_message());
        cr_expect_null(plan);
        for (size_t b = 0; b < sizeof to; b++)
            cr_expect_eq(to[b], 7, "%s: byte %zu", refusals[i].name, b);
        sv_view_release(dst);
        sv_view_release(src);
        sv_layout_release(dst_layout);
        sv_layout_release(src_layout);
    }
}

/* Item k of dst from item k of src, in the same memory: the destination's items are twice as large. */
Test(copy, casts_in_place_read_first)
{
    int16_t numbers[8] = {1, -2, 3, -4, 5, 6, 7, 8};
    static const int32_t expected[] = {1, -2, 3, -4};
    sv_layout *narrow = NULL, *wide = NULL;
    const int64_t count = 4;
    sv_view *dst, *src;

    cr_assert_eq(sv_layout_new(1, &count, NULL, 2, &narrow), SV_OK);
    cr_assert_eq(sv_layout_new(1, &count, NULL, 4, &wide), SV_OK);
    src = view_of(narrow, (unsigned char *)numbers, SV_INT16, SV_DEVICE_CPU, 0);
    dst = view_of(wide, (unsigned char *)numbers, SV_INT32, SV_DEVICE_CPU, 0);
    cr_expect_eq(sv_copy(dst, src, SV_COPY_CAST | SV_COPY_NO_TEMP, 0), SV_ERROR_OVERLAP);
    cr_expect_eq(numbers[1], -2);
    cr_expect_eq(sv_copy(dst, src, SV_COPY_CAST, 0), SV_OK, "%s", sv_last_message());
    for (int k = 0; k < 4; k++) {
        int32_t number;

        memcpy(&number, numbers + 2 * k, sizeof number);
        cr_expect_eq(number, expected[k]);
    }
    sv_view_release(src);
    sv_view_release(dst);
    sv_layout_release(narrow);
    sv_layout_release(wide);
}

Test(copy, null_handles)
{
    char byte = 1;
    sv_view *view = test_view(&byte, 0, NULL, NULL, 1, 0);

    cr_expect_eq(sv_copy(NULL, view, 0, 0), SV_ERROR_NULL);
    cr_expect_str_eq(sv_last_message(), "dst is NULL");
    cr_expect_eq(sv_copy(view, NULL, 0, 0), SV_ERROR_NULL);
    cr_expect_str_eq(sv_last_message(), "src is NULL");
    sv_view_release(view);
}

Test(copy, nothing_to_copy)
{
    static const int64_t shape[2] = {3, 0}, one[2] = {3, 1};
    sv_layout *layout = NULL, *broadcast = NULL;
    sv_view *dst, *src;

    cr_assert_eq(sv_layout_new(2, shape, NULL, 4, &layout), SV_OK);
    cr_assert_eq(sv_layout_new(2, one, NULL, 4, &broadcast), SV_OK);
    dst = view_of(layout, NULL, SV_FLOAT32, SV_DEVICE_CPU, 0);
    src = view_of(layout, NULL, SV_FLOAT32, SV_DEVICE_OPENCL, SV_READ_ONLY);
    cr_expect_eq(sv_copy(dst, src, SV_COPY_NO_TEMP, 0), SV_OK, "%s", sv_last_message());
    sv_view_release(src);
    src = view_of(broadcast, (float[3]){0}, SV_FLOAT32, SV_DEVICE_CPU, 0);
    cr_expect_eq(sv_copy(dst, src, 0, 0), SV_OK, "%s", sv_last_message());
    sv_view_release(src);
    sv_view_release(dst);
    sv_layout_release(layout);
    sv_layout_release(broadcast);
}

Test(copy, between_all_host_memories)
{
    static const int32_t devices[] = {SV_DEVICE_CPU, SV_DEVICE_CUDA_HOST, SV_DEVICE_ROCM_HOST, SV_DEVICE_CUDA_MANAGED};
    static const int64_t shape[1] = {3};
    sv_device_state cuda = SV_STATE_READY;
    sv_layout *layout = NULL;
    size_t count;

    cr_assert_eq(sv_device_probe(SV_DEVICE_CUDA, &cuda, NULL), SV_OK);
    count = cuda == SV_STATE_READY ? 3 : 4; /* a device would be asked to copy what is no managed memory */
    cr_assert_eq(sv_layout_new(1, shape, NULL, 4, &layout), SV_OK);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            int32_t to[3] = {0}, from[3] = {4, 5, 6};
            sv_view *dst = view_of(layout, to, SV_INT32, devices[i], 0);
            sv_view *src = view_of(layout, from, SV_INT32, devices[j], 0);

            cr_expect_eq(sv_copy(dst, src, SV_COPY_BLOCKING, 12345), SV_OK, "%s", sv_last_message());
            cr_expect_eq(memcmp(to, from, sizeof to), 0, "%d from %d", devices[i], devices[j]);
            sv_view_release(dst);
            sv_view_release(src);
        }
    sv_layout_release(layout);
}

/* --- what is too hard to decide ------------------------------------------- */

/*
 * No two subsets of these strides have one sum (the sequence of Conway and Guy,
 * proved by Bohman), so that no two elements of extents of 2 meet; but no
 * stride is larger than the sum of those below, and finding out takes long.
 */
static void strides_of_conway_and_guy(int32_t ndim, int64_t *strides)
{
    int64_t u[SV_MAX_NDIM] = {0, 1};

    for (int32_t n = 1; n < ndim; n++) {
        int32_t r = 0;

        while (r * (r + 1) < 2 * n) /* r is sqrt(2 n), rounded */
            r++;
        u[n + 1] = 2 * u[n] - u[n - r];
    }
    for (int32_t k = 0; k < ndim; k++)
        strides[k] = u[ndim] - u[k];
}

Test(copy, undecided_destination_needs_trust)
{
    enum { NDIM = 18 };
    int64_t shape[NDIM], strides[NDIM], sum = 1;
    const int64_t *dense;
    unsigned char *to, *from;
    sv_layout *layout = NULL;
    sv_view *dst, *src, *back;

    strides_of_conway_and_guy(NDIM, strides);
    for (int32_t k = 0; k < NDIM; k++) {
        shape[k] = 2;
        sum += strides[k];
    }
    cr_assert_eq(sv_layout_new(NDIM, shape, NULL, 1, &layout), SV_OK);
    dense = sv_layout_byte_strides(layout);
    to = calloc(1, (size_t)sum);
    from = malloc((size_t)2 << NDIM);
    for (size_t i = 0; i < (size_t)1 << NDIM; i++)
        from[i] = (unsigned char)test_mix(i);
    dst = test_view(to, NDIM, shape, strides, 1, 0);
    src = test_view(from, NDIM, shape, dense, 1, 0);
    back = test_view(from + ((size_t)1 << NDIM), NDIM, shape, dense, 1, 0);

    cr_assert_eq(svi_overlap_self(dst->layout, SVI_OVERLAP_WORK), SV_MAYBE);
    cr_expect_eq(sv_copy(dst, src, 0, 0), SV_ERROR_OVERLAP);
    for (int64_t i = 0; i < sum; i++)
        cr_assert_eq(to[i], 0, "byte %d", (int)i);
    cr_expect_eq(sv_copy(dst, src, SV_COPY_TRUST, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_copy(back, dst, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(memcmp(from, from + ((size_t)1 << NDIM), (size_t)1 << NDIM), 0);
    sv_view_release(dst);
    sv_view_release(src);
    sv_view_release(back);
    sv_layout_release(layout);
    free(to);
    free(from);
}

/* Two sides of which it is not found out whether they share bytes are copied as if they did. */
Test(copy, undecided_sides_are_read_first)
{
    enum { NDIM = 18 };
    int64_t shape[NDIM], strides[NDIM], sum = 1;
    sv_answer answer = SV_NO;
    unsigned char *block;

    strides_of_conway_and_guy(NDIM, strides);
    for (int32_t k = 0; k < NDIM; k++) {
        shape[k] = 2;
        sum += strides[k];
    }
    block = calloc(2, (size_t)sum);
    for (int64_t shift = sum / 2; shift < sum && answer != SV_MAYBE; shift += 1009) {
        sv_view *dst = test_view(block, NDIM, shape, strides, 1, 0);
        sv_view *src = test_view(block + shift, NDIM, shape, strides, 1, 0);

        answer = svi_overlap_two((uintptr_t)block, dst->layout, (uintptr_t)block + (uintptr_t)shift, src->layout,
                                 SVI_OVERLAP_WORK);
        if (answer == SV_MAYBE)
            cr_expect_eq(sv_copy(dst, src, SV_COPY_TRUST | SV_COPY_NO_TEMP, 0), SV_ERROR_OVERLAP);
        sv_view_release(dst);
        sv_view_release(src);
    }
    cr_expect_eq(answer, SV_MAYBE);
    free(block);
}

/* Sanitizers see an offset that is added to NULL. */
Test(copy, empty_views_at_null)
{
    static const int64_t counts[] = {0};
    sv_layout *layout = NULL;
    sv_view *view = NULL;
    sv_plan *plan = NULL;
    sv_view *views[1];

    cr_assert_eq(sv_layout_parse("(0,):(1,)*4-5", &layout), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_layout_byte_offset(layout), -5);
    cr_assert_eq(sv_view_new(layout, SV_INT32, NULL, 0, 0, SV_DEVICE_CPU, 0, 0, NULL, NULL, &view), SV_OK);
    views[0] = view;
    cr_expect_eq(sv_copy(view, view, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_copy(view, view, SV_COPY_NO_TEMP, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_fill(view, counts, 4, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_copy_batch(1, views, views, SV_COPY_NO_TEMP, 0, NULL), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_plan_new(view, view, 0, &plan), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_plan_execute_views(plan, view, view, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_plan_execute_views_batch(plan, 1, views, views, 0, NULL), SV_OK, "%s", sv_last_message());
    sv_plan_release(plan);
    sv_view_release(view);
    sv_layout_release(layout);
}
