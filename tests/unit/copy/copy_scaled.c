/* sv_copy_scaled(): what numbers become, along which axis, what is refused, and sides that share memory. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sv.h"
#include "two_threads.h"
#include "support/no_memory.h"

static sv_view *view_on(int32_t device_type, void *memory, sv_dtype dtype, int32_t ndim, const int64_t *shape,
                        const int64_t *byte_strides, uint32_t flags)
{
    const int64_t itemsize = sv_dtype_itemsize(dtype);
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    if (byte_strides == NULL)
        cr_assert_eq(sv_layout_new_dense(ndim, shape, SV_ORDER_C, NULL, itemsize, &layout), SV_OK, "%s",
                     sv_last_message());
    else
        cr_assert_eq(sv_layout_new_bytes(ndim, shape, byte_strides, itemsize, &layout), SV_OK, "%s",
                     sv_last_message());
    cr_assert_eq(sv_view_new(layout, dtype, memory, INT64_MIN, INT64_MAX, device_type, 0, flags, NULL, NULL, &view),
                 SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static sv_view *view_of(void *memory, sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides)
{
    return view_on(SV_DEVICE_CPU, memory, dtype, ndim, shape, byte_strides, 0);
}

/* Dense, in C order. */
static sv_view *dense(void *memory, sv_dtype dtype, int32_t ndim, const int64_t *shape)
{
    return view_of(memory, dtype, ndim, shape, NULL);
}

static sv_view *floats(float *memory, const int64_t *count)
{
    return dense(memory, SV_FLOAT32, 1, count);
}

/* Ends the views. */
static sv_status scale(sv_view *dst, sv_view *src, const double *factor, int64_t nscale, const double *bias,
                       int64_t nbias, int32_t axis, uint32_t flags)
{
    const sv_status status = sv_copy_scaled(dst, src, factor, nscale, bias, nbias, axis, flags, 0);

    sv_view_release(dst);
    sv_view_release(src);
    return status;
}

/* --- single numbers ------------------------------------------------------------- */

static const struct {
    const char *name;
    sv_dtype dst, src;
    uint64_t to, from;
    double scale, bias;
} rows[] = {
    {"a byte by 1/255", SV_FLOAT32, SV_UINT8, 0x3f800000, 255, 1.0 / 255, 0},
    {"the product is rounded before the sum", SV_FLOAT32, SV_UINT8, 0, 3, 1.0 / 3, -1},
    {"halves go to even: 0.5", SV_UINT8, SV_FLOAT32, 0, 0x3f000000, 1, 0},
    {"halves go to even: 1.5", SV_UINT8, SV_FLOAT32, 2, 0x3fc00000, 1, 0},
    {"halves go to even: -2.5", SV_INT8, SV_FLOAT32, 0xfe, 0xc0200000, 1, 0},
    {"255.5 is the end of the range", SV_UINT8, SV_FLOAT32, 255, 0x437f8000, 1, 0},
    {"-1 is the other end", SV_UINT16, SV_FLOAT32, 0, 0xbf800000, 1, 0},
    {"1e30 to int16", SV_INT16, SV_FLOAT32, 0x7fff, 0x7149f2ca, 1, 0},
    {"-infinity to int16", SV_INT16, SV_FLOAT32, 0x8000, 0xff800000, 1, 0},
    {"NaN is 0", SV_INT8, SV_FLOAT32, 0, 0x7fc00000, 1, 7},
    {"NaN is 0 in int64", SV_INT64, SV_FLOAT64, 0, 0xfff8000000000000, 1, 0},
    {"2^63 to int64", SV_INT64, SV_FLOAT64, 0x7fffffffffffffff, 0x43e0000000000000, 1, 0},
    {"-2^63 to int64", SV_INT64, SV_FLOAT64, 0x8000000000000000, 0xc3e0000000000000, 1, 0},
    {"2^64 to uint64", SV_UINT64, SV_FLOAT64, 0xffffffffffffffff, 0x43f0000000000000, 1, 0},
    {"2^63 to uint64", SV_UINT64, SV_FLOAT64, 0x8000000000000000, 0x43e0000000000000, 1, 0},
    {"2.5 to uint64", SV_UINT64, SV_FLOAT64, 2, 0x4004000000000000, 1, 0},
    {"int32 goes by float64", SV_INT32, SV_INT32, 0x7ffffffe, 0x7fffffff, 1, -1},
    {"uint32", SV_UINT32, SV_UINT32, 0xffffffff, 0xffffffff, 1, 1},
    {"16 bits by float32: 65535 + 2^-9 is 65535", SV_UINT16, SV_UINT16, 65535, 65535, 1, 0x1p-9},
    {"too large for float16", SV_FLOAT16, SV_UINT16, 0x7c00, 65535, 1, 0},
    {"to float16 once", SV_FLOAT16, SV_FLOAT64, 0x3c01, 0x3ff0020000000001, 1, 0},
    {"bfloat16", SV_BFLOAT16, SV_UINT8, 0x3f80, 2, 0.5, 0},
    {"from bfloat16", SV_FLOAT32, SV_BFLOAT16, 0x40400000, 0x4000, 2, -1},
    {"to an 8-bit floating type", SV_FLOAT8_E4M3FN, SV_UINT8, 0x38, 4, 0.25, 0},
    {"bool is 0 or 1", SV_FLOAT32, SV_BOOL, 0x40a00000, 2, 2, 3},
    {"to bool: not 0", SV_BOOL, SV_UINT8, 1, 3, 1, 0},
    {"to bool: 0", SV_BOOL, SV_UINT8, 0, 3, 1, -3},
};

Test(copy_scaled, single_numbers)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t from = rows[i].from, to = 0;

        cr_assert_eq(scale(dense(&to, rows[i].dst, 0, NULL), dense(&from, rows[i].src, 0, NULL),
                           &rows[i].scale, 1, &rows[i].bias, 1, 0, 0),
                     SV_OK, "%s", sv_last_message());
        cr_expect_eq(to, rows[i].to, "%s: 0x%llx", rows[i].name, (unsigned long long)to);
    }
}

/* What is left out changes nothing, -0 and what float32 has no room for included. */
Test(copy_scaled, left_out)
{
    const int64_t shape[1] = {4};
    float from[4] = {-0.0f, 1, 0x1p-149f, 3}, to[4];
    const double two = 2, one = 1;

    cr_assert_eq(scale(floats(to, shape), floats(from, shape), NULL, 0, NULL, 0, 99, 0), SV_OK);
    cr_expect(memcmp(to, from, sizeof to) == 0);
    cr_assert_eq(scale(floats(to, shape), floats(from, shape), &two, 1, NULL, 0, 99, 0), SV_OK);
    cr_expect(memcmp(to, (float[4]){-0.0f, 2, 0x1p-148f, 6}, sizeof to) == 0);
    cr_assert_eq(scale(floats(to, shape), floats(from, shape), NULL, 0, &one, 1, 99, 0), SV_OK);
    cr_expect(memcmp(to, (float[4]){1, 2, 1, 4}, sizeof to) == 0);
}

/* --- axes ----------------------------------------------------------------------- */

enum { H = 9, W = 50, C = 3 };

static const double factors[C] = {0.5, 2, -3}, added[C] = {1, 0, 7};

/* Pixels to planes and back, the planes forwards and backwards along each axis. */
Test(copy_scaled, channels)
{
    const int64_t shape[3] = {C, H, W}, pixels[3] = {1, W * C, C};
    uint8_t from[H * W * C];
    float to[H * W * C];

    for (int k = 0; k < H * W * C; k++)
        from[k] = (uint8_t)(k * 7);
    for (int turned = 0; turned < 8; turned++) {
        const int signs[3] = {turned & 1 ? -1 : 1, turned & 2 ? -1 : 1, turned & 4 ? -1 : 1};
        const int64_t strides[3] = {signs[0] * H * W * 4, signs[1] * W * 4, signs[2] * 4};
        float *first = to + (turned & 1 ? (C - 1) * H * W : 0) + (turned & 2 ? (H - 1) * W : 0) +
                       (turned & 4 ? W - 1 : 0);

        cr_assert_eq(scale(view_of(first, SV_FLOAT32, 3, shape, strides), view_of(from, SV_UINT8, 3, shape, pixels),
                           factors, C, added, C, turned % 2 ? -3 : 0, 0), SV_OK, "%s", sv_last_message());
        for (int c = 0; c < C; c++)
            for (int h = 0; h < H; h++)
                for (int w = 0; w < W; w++)
                    cr_assert_eq(first[signs[0] * c * H * W + signs[1] * h * W + signs[2] * w],
                                 (float)from[h * W * C + w * C + c] * (float)factors[c] + (float)added[c],
                                 "%d, channel %d, row %d, column %d", turned, c, h, w);
    }
}

/* One scale for all, and a bias along an axis that the source repeats. */
Test(copy_scaled, repeated_along_the_axis)
{
    const int64_t shape[2] = {C, 2}, one[2] = {1, 2};
    const double two = 2;
    int16_t from[2] = {10, 20};
    int32_t to[C][2];

    cr_assert_eq(scale(dense(to, SV_INT32, 2, shape), dense(from, SV_INT16, 2, one), &two, 1, added, C,
                       0, 0), SV_OK, "%s", sv_last_message());
    for (int c = 0; c < C; c++)
        cr_expect(to[c][0] == 20 + (int)added[c] && to[c][1] == 40 + (int)added[c]);
}

/* So many channels that their factors are laid out piece by piece. */
Test(copy_scaled, many_channels)
{
    enum { MANY = 3000, PIXELS = 7 };
    const int64_t shape[2] = {PIXELS, MANY};
    double *many = malloc(MANY * sizeof *many);
    uint16_t *from = malloc(PIXELS * MANY * sizeof *from);
    float *to = malloc(PIXELS * MANY * sizeof *to);

    for (int c = 0; c < MANY; c++)
        many[c] = c * 0.25;
    for (int k = 0; k < PIXELS * MANY; k++)
        from[k] = (uint16_t)(k * 11);
    cr_assert_eq(scale(dense(to, SV_FLOAT32, 2, shape), dense(from, SV_UINT16, 2, shape), many, MANY,
                       many, MANY, 1, 0), SV_OK, "%s", sv_last_message());
    for (int k = 0; k < PIXELS * MANY; k++)
        cr_assert_eq(to[k], (float)from[k] * (float)many[k % MANY] + (float)many[k % MANY], "%d", k);
    free(many);
    free(from);
    free(to);
}

/* --- threads of the caller -------------------------------------------------------- */

static sv_status count_tasks(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    *(int64_t *)ctx += count;
    return two_threads(NULL, count, task, task_ctx);
}

static sv_status forget_one(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    return count_tasks(ctx, count - 1, task, task_ctx);
}

/* The axis of the factors is cut, too: its planes run backwards. */
Test(copy_scaled, by_several_threads)
{
    enum { PLANES = 40, SIDE = 100, ALL = PLANES * SIDE * SIDE };
    const int64_t shape[3] = {PLANES, SIDE, SIDE};
    const int64_t planes[3] = {-SIDE * SIDE * 4, SIDE * 4, 4}, pixels[3] = {1, SIDE * PLANES, PLANES};
    double many[PLANES];
    uint8_t *from = malloc(ALL);
    float *to = malloc(ALL * sizeof *to), *first = to + (PLANES - 1) * SIDE * SIDE;
    sv_view *dst = view_of(first, SV_FLOAT32, 3, shape, planes), *src = view_of(from, SV_UINT8, 3, shape, pixels);
    int64_t tasks = 0;

    for (int k = 0; k < ALL; k++)
        from[k] = (uint8_t)(k * 13);
    for (int c = 0; c < PLANES; c++)
        many[c] = c * 0.5 - 3;
    cr_assert_eq(sv_copy_scaled_parallel(dst, src, many, PLANES, many, PLANES, 0, 4, count_tasks, &tasks, 0, 0), SV_OK,
                 "%s", sv_last_message());
    cr_expect_geq(tasks, 4);
    for (int k = 0; k < ALL; k++) {
        const int c = k % PLANES, pixel = k / PLANES;

        cr_assert_eq(first[pixel - c * SIDE * SIDE], (float)from[k] * (float)many[c] + (float)many[c], "%d", k);
    }
    cr_expect_eq(sv_copy_scaled_parallel(dst, src, many, PLANES, NULL, 0, 0, 4, forget_one, &tasks, 0, 0),
                 SV_ERROR_STATE);
    cr_expect_eq(sv_copy_scaled_parallel(dst, src, many, PLANES, NULL, 0, 0, 0, count_tasks, &tasks, 0, 0),
                 SV_ERROR_INVALID);
    cr_expect_eq(sv_copy_scaled_parallel(dst, src, many, PLANES, NULL, 0, 0, 2, NULL, &tasks, 0, 0), SV_ERROR_NULL);
    tasks = 0;
    cr_expect_eq(sv_copy_scaled_parallel(dst, src, many, PLANES, NULL, 0, 0, 1, NULL, NULL, 0, 0), SV_OK);
    cr_expect_eq(tasks, 0);
    sv_view_release(dst);
    sv_view_release(src);
    free(from);
    free(to);
}

/* --- what is refused ------------------------------------------------------------ */

static const struct {
    const char *name;
    sv_dtype dst, src;
    bool has_scale, has_bias;
    int64_t nscale, nbias;
    int32_t axis;
    uint32_t flags;
    sv_status status;
} wrong[] = {
    {"scale is NULL", SV_FLOAT32, SV_UINT8, false, true, 1, 1, 0, 0, SV_ERROR_NULL},
    {"bias is NULL", SV_FLOAT32, SV_UINT8, true, false, 1, 3, 0, 0, SV_ERROR_NULL},
    {"negative count", SV_FLOAT32, SV_UINT8, true, true, -1, 1, 0, 0, SV_ERROR_INVALID},
    {"negative count of bias", SV_FLOAT32, SV_UINT8, true, true, 1, INT64_MIN, 0, 0, SV_ERROR_INVALID},
    {"too few", SV_FLOAT32, SV_UINT8, true, true, 2, 1, 0, 0, SV_ERROR_LAYOUT},
    {"too many of bias", SV_FLOAT32, SV_UINT8, true, true, 1, INT64_MAX, 0, 0, SV_ERROR_LAYOUT},
    {"as many as another axis has", SV_FLOAT32, SV_UINT8, true, true, 3, 3, 1, 0, SV_ERROR_LAYOUT},
    {"no such axis", SV_FLOAT32, SV_UINT8, true, true, 3, 1, 2, 0, SV_ERROR_INDEX},
    {"no such axis from the end", SV_FLOAT32, SV_UINT8, true, true, 1, 3, -3, 0, SV_ERROR_INDEX},
    {"complex source", SV_FLOAT32, SV_COMPLEX64, true, true, 1, 1, 0, 0, SV_ERROR_UNSUPPORTED},
    {"complex destination", SV_COMPLEX128, SV_FLOAT32, true, true, 1, 1, 0, 0, SV_ERROR_UNSUPPORTED},
    {"below a byte", SV_FLOAT32, 0x010401, true, true, 1, 1, 0, 0, SV_ERROR_DTYPE},
    {"unknown flag", SV_FLOAT32, SV_UINT8, true, true, 1, 1, 0, 1u << 30, SV_ERROR_INVALID},
};

Test(copy_scaled, refused)
{
    const int64_t shape[2] = {3, 4};
    double values[4] = {1, 1, 1, 1};
    char from[256] = {0}, to[256], before[256];

    memset(to, 0x5a, sizeof to);
    memcpy(before, to, sizeof to);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const sv_status status = scale(dense(to, wrong[i].dst, 2, shape), dense(from, wrong[i].src, 2, shape),
                                       wrong[i].has_scale ? values : NULL, wrong[i].nscale,
                                       wrong[i].has_bias ? values : NULL, wrong[i].nbias, wrong[i].axis,
                                       wrong[i].flags);

        cr_expect_eq(status, wrong[i].status, "%s: %s, %s", wrong[i].name, sv_status_name(status), sv_last_message());
        cr_expect(memcmp(to, before, sizeof to) == 0, "%s", wrong[i].name);
    }
}

Test(copy_scaled, refused_views)
{
    const int64_t shape[1] = {4}, longer[1] = {5}, still[1] = {0};
    const double two = 2;
    float from[5] = {0}, to[5] = {0};
    sv_layout *layout = NULL;
    sv_view *opaque = NULL;

    cr_expect_eq(scale(view_on(SV_DEVICE_CPU, to, SV_FLOAT32, 1, shape, NULL, SV_READ_ONLY),
                       floats(from, shape), &two, 1, NULL, 0, 0, 0), SV_ERROR_READ_ONLY);
    cr_expect_eq(scale(floats(to, shape), floats(from, longer), &two, 1, NULL, 0, 0, 0), SV_ERROR_LAYOUT);
    cr_expect_eq(scale(view_of(to, SV_FLOAT32, 1, shape, still), floats(from, shape), &two, 1, NULL,
                       0, 0, 0), SV_ERROR_OVERLAP);
    cr_expect_eq(scale(floats(to, shape), view_on(SV_DEVICE_METAL, from, SV_FLOAT32, 1, shape, NULL, 0), &two, 1, NULL,
                       0, 0, 0),
                 SV_ERROR_UNSUPPORTED);
    cr_assert_eq(sv_layout_new_dense(1, shape, SV_ORDER_C, NULL, 4, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, SV_OPAQUE, from, INT64_MIN, INT64_MAX, SV_DEVICE_CPU, 0, 0, NULL, NULL, &opaque),
                 SV_OK);
    sv_layout_release(layout);
    cr_expect_eq(sv_copy_scaled(opaque, opaque, &two, 1, NULL, 0, 0, 0, 0), SV_ERROR_DTYPE);
    sv_view_release(opaque);
}

/* Without elements nothing is done, and wrong counts are wrong. */
Test(copy_scaled, empty)
{
    const int64_t shape[2] = {0, 3};
    const double values[3] = {1, 2, 3};

    cr_expect_eq(scale(dense(NULL, SV_FLOAT32, 2, shape), dense(NULL, SV_UINT8, 2, shape), values, 3,
                       NULL, 0, 1, 0), SV_OK);
    cr_expect_eq(scale(dense(NULL, SV_FLOAT32, 2, shape), dense(NULL, SV_UINT8, 2, shape), values, 2,
                       NULL, 0, 1, 0), SV_ERROR_LAYOUT);
}

/* --- sides that share memory ----------------------------------------------------- */

enum { MANY = 5000 };

Test(copy_scaled, in_place)
{
    const int64_t shape[1] = {MANY}, backwards[1] = {-4}, words[1] = {4};
    const double two = 2, one = 1;
    float cells[MANY];

    for (int k = 0; k < MANY; k++)
        cells[k] = (float)k;
    cr_assert_eq(scale(floats(cells, shape), floats(cells, shape), &two, 1,
                       &one, 1, 0, SV_COPY_NO_TEMP), SV_OK, "%s", sv_last_message());
    for (int k = 0; k < MANY; k++)
        cr_assert_eq(cells[k], 2 * k + 1);
    cr_expect_eq(scale(floats(cells, shape), view_of(cells + MANY - 1, SV_FLOAT32, 1, shape, backwards), &two, 1, NULL,
                       0, 0, SV_COPY_NO_TEMP),
                 SV_ERROR_OVERLAP);
    cr_assert_eq(scale(floats(cells, shape),
                       view_of(cells + MANY - 1, SV_FLOAT32, 1, shape, backwards), &two, 1, NULL, 0, 0, 0), SV_OK);
    for (int k = 0; k < MANY; k++)
        cr_assert_eq(cells[k], 2 * (2 * (MANY - 1 - k) + 1));
    cr_assert_eq(scale(view_of(cells, SV_INT16, 1, shape, words), floats(cells, shape), NULL, 0, NULL, 0, 0, 0), SV_OK);
    for (int k = 0; k < MANY; k++) {
        int16_t found;

        memcpy(&found, cells + k, sizeof found);
        cr_assert_eq(found, 2 * (2 * (MANY - 1 - k) + 1));
    }
}

Test(copy_scaled, without_memory)
{
    const int64_t shape[1] = {4};
    const double two = 2;
    float from[4] = {1, 2, 3, 4}, to[4] = {0};
    sv_view *dst = floats(to, shape), *src = floats(from, shape);

    svi_alloc.allocate = no_memory;
    cr_expect_eq(sv_copy_scaled(dst, src, &two, 1, NULL, 0, 0, 0, 0), SV_ERROR_MEMORY);
    svi_alloc.allocate = malloc;
    cr_expect(to[0] == 0 && to[3] == 0);
    sv_view_release(dst);
    sv_view_release(src);
}
