/* Views as arguments of kernels: what the block says, and what is refused. */
#include <string.h>

#include "support/cells.h"

struct block {
    uint64_t address;
    int64_t shape[3], strides[3];
};

static sv_view *view_of(sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *base,
                        int32_t device_type, uint32_t flags)
{
    sv_view *view = NULL;

    cr_assert_eq(sv_view_from_array(dtype, ndim, shape, byte_strides, base, device_type, 0, flags, NULL, NULL, &view),
                 SV_OK, "%s", sv_last_message());
    return view;
}

/* Axes that go forwards, backwards and nowhere; strides come in bytes and are told in elements. */
static const struct {
    int64_t shape[3], byte_strides[3], strides[3];
} layouts[] = {
    {{2, 3, 4}, {48, 16, 4}, {12, 4, 1}},
    {{4, 3, 2}, {4, 16, 48}, {1, 4, 12}},
    {{2, 3, 4}, {-48, 16, -8}, {-12, 4, -2}},
    {{5, 3, 4}, {0, 16, 0}, {0, 4, 0}},
};

Test(view_kernel, block_tells_shape_and_strides)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        sv_view *view = view_of(SV_FLOAT32, 3, layouts[i].shape, layouts[i].byte_strides, cells + 64, SV_DEVICE_CPU, 0);
        struct block block;

        cr_assert_eq(sv_view_kernel_arg(view, 3, 4, SV_KERNEL_WRITES | SV_KERNEL_HOST, sizeof block, &block), SV_OK,
                     "%s", sv_last_message());
        cr_expect_eq(block.address, (uintptr_t)(cells + 64));
        cr_expect_arr_eq(block.shape, layouts[i].shape, sizeof block.shape);
        cr_expect_arr_eq(block.strides, layouts[i].strides, sizeof block.strides);
        sv_view_release(view);
    }
}

Test(view_kernel, block_is_as_long_as_its_axes)
{
    static const int64_t shape[SV_MAX_NDIM] = {[0 ... SV_MAX_NDIM - 1] = 1};

    for (int32_t ndim = 0; ndim <= SV_MAX_NDIM; ndim++) {
        const size_t nbytes = 8 + 16 * (size_t)ndim;
        sv_view *view = view_of(SV_INT32, ndim, shape, NULL, cells, SV_DEVICE_CUDA, 0);
        char block[8 + 16 * SV_MAX_NDIM + 2], untouched[sizeof block];

        memset(block, 'x', sizeof block);
        memset(untouched, 'x', sizeof untouched);
        cr_expect_eq(sv_view_kernel_arg(view, ndim, 4, 0, nbytes - 1, block + 1), SV_ERROR_BUFFER);
        cr_expect_arr_eq(block, untouched, sizeof block);
        cr_expect_eq(sv_view_kernel_arg(view, ndim, 4, 0, nbytes + 1, block + 1), SV_OK); /* not aligned */
        cr_expect_eq(block[0], 'x');
        cr_expect_eq(block[1 + nbytes], 'x');
        sv_view_release(view);
    }
}

Test(view_kernel, empty_view_has_no_address)
{
    static const int64_t shape[3] = {2, 0, 3};
    sv_view *view = view_of(SV_FLOAT64, 3, shape, NULL, cells, SV_DEVICE_CUDA, 0);
    struct block block;

    cr_assert_eq(sv_view_kernel_arg(view, 3, 8, 0, sizeof block, &block), SV_OK);
    cr_expect_eq(block.address, 0);
    cr_expect_arr_eq(block.shape, shape, sizeof shape);
    sv_view_release(view);
}

/* Each is the good call, a view of two axes of eight-byte items for a kernel that writes, with one thing amiss. */
static const struct {
    const char *name;
    sv_status status;
    sv_dtype dtype;
    int32_t device_type;
    int64_t offset, stride; /* bytes */
    uint32_t view_flags, flags;
    int32_t ndim;
    int64_t itemsize;
} cases[] = {
    {"nothing", SV_OK, SV_FLOAT64, SV_DEVICE_CUDA, 0, 8, 0, SV_KERNEL_WRITES, 2, 8},
    {"read only, and only read", SV_OK, SV_FLOAT64, SV_DEVICE_CUDA, 0, 8, SV_READ_ONLY, 0, 2, 8},
    {"pinned", SV_OK, SV_FLOAT64, SV_DEVICE_CUDA_HOST, 0, 8, 0, SV_KERNEL_WRITES, 2, 8},
    {"managed", SV_OK, SV_FLOAT64, SV_DEVICE_CUDA_MANAGED, 0, 8, 0, SV_KERNEL_WRITES, 2, 8},
    {"host, told", SV_OK, SV_FLOAT64, SV_DEVICE_CPU, 0, 8, 0, SV_KERNEL_WRITES | SV_KERNEL_HOST, 2, 8},
    {"device, host told", SV_OK, SV_FLOAT64, SV_DEVICE_CUDA, 0, 8, 0, SV_KERNEL_HOST, 2, 8},
    {"items of 16 bytes", SV_OK, SV_COMPLEX128, SV_DEVICE_CUDA, 16, 16, 0, SV_KERNEL_WRITES, 2, 16},
    {"fewer axes", SV_ERROR_LAYOUT, SV_FLOAT64, SV_DEVICE_CUDA, 0, 8, 0, SV_KERNEL_WRITES, 1, 8},
    {"more axes", SV_ERROR_LAYOUT, SV_FLOAT64, SV_DEVICE_CUDA, 0, 8, 0, SV_KERNEL_WRITES, 3, 8},
    {"no number of axes", SV_ERROR_INVALID, SV_FLOAT64, SV_DEVICE_CUDA, 0, 8, 0, SV_KERNEL_WRITES, -1, 8},
    {"another type", SV_ERROR_DTYPE, SV_FLOAT64, SV_DEVICE_CUDA, 0, 8, 0, SV_KERNEL_WRITES, 2, 4},
    {"odd strides", SV_ERROR_LAYOUT, SV_FLOAT64, SV_DEVICE_CUDA, 0, 12, 0, SV_KERNEL_WRITES, 2, 8},
    {"odd address", SV_ERROR_ALIGNMENT, SV_FLOAT64, SV_DEVICE_CUDA, 4, 8, 0, SV_KERNEL_WRITES, 2, 8},
    {"half aligned", SV_ERROR_ALIGNMENT, SV_COMPLEX128, SV_DEVICE_CUDA, 8, 16, 0, SV_KERNEL_WRITES, 2, 16},
    {"read only", SV_ERROR_READ_ONLY, SV_FLOAT64, SV_DEVICE_CUDA, 0, 8, SV_READ_ONLY, SV_KERNEL_WRITES, 2, 8},
    {"ordinary memory", SV_ERROR_DEVICE, SV_FLOAT64, SV_DEVICE_CPU, 0, 8, 0, SV_KERNEL_WRITES, 2, 8},
    {"a handle", SV_ERROR_DEVICE, SV_FLOAT64, SV_DEVICE_OPENCL, 0, 8, 0, SV_KERNEL_HOST, 2, 8},
    {"another maker's device", SV_ERROR_DEVICE, SV_FLOAT64, SV_DEVICE_ROCM, 0, 8, 0, SV_KERNEL_HOST, 2, 8},
    {"unknown flag", SV_ERROR_INVALID, SV_FLOAT64, SV_DEVICE_CUDA, 0, 8, 0, 4, 2, 8},
};

Test(view_kernel, refused)
{
    static const int64_t shape[2] = {2, 3};
    static _Alignas(16) char memory[128];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t strides[2] = {48, cases[i].stride};
        sv_view *view = view_of(cases[i].dtype, 2, shape, strides, memory + cases[i].offset, cases[i].device_type,
                                cases[i].view_flags);
        const struct block before = {77, {1, 2, 3}, {4, 5, 6}};
        struct block block = before;
        const sv_status status =
            sv_view_kernel_arg(view, cases[i].ndim, cases[i].itemsize, cases[i].flags, sizeof block, &block);

        cr_expect_eq(status, cases[i].status, "%s: %d, %s", cases[i].name, (int)status, sv_last_message());
        cr_expect(status == SV_OK || memcmp(&block, &before, sizeof block) == 0, "%s", cases[i].name);
        sv_view_release(view);
    }
}
