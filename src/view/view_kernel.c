/*
 * A view as an argument of a kernel: address, shape and strides in elements, in
 * one plain block that include/sv_kernel.hpp declares for CUDA C++. All that
 * would be a fault on the device, where nobody can be told of it, is refused here.
 */
#include "view/view.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_ALIGNMENT = 16 }; /* of what a thread loads at once */

/* In what the kernel was compiled for. */
static sv_status check_expected(const sv_view *view, int32_t ndim, int64_t itemsize, uint32_t flags)
{
    const sv_layout *l = view->layout;

    if (flags & ~(uint32_t)(SV_KERNEL_WRITES | SV_KERNEL_HOST))
        return svi_fail(SV_ERROR_INVALID, "flags %#" PRIx32 " are not known", flags);
    if (ndim < 0)
        return svi_fail(SV_ERROR_INVALID, "ndim is %" PRId32, ndim);
    if (ndim != l->ndim)
        return svi_fail(SV_ERROR_LAYOUT, "the view has %" PRId32 " axes, the kernel expects %" PRId32, l->ndim, ndim);
    if (itemsize != l->itemsize)
        return svi_fail(SV_ERROR_DTYPE, "elements have %" PRId64 " bytes, the kernel expects %" PRId64, l->itemsize,
                        itemsize);
    if (flags & SV_KERNEL_WRITES && view->flags & SV_READ_ONLY)
        return svi_fail(SV_ERROR_READ_ONLY, "the view is read-only, the kernel writes it");
    return SV_OK;
}

/* By what the kernel does with an address. */
static sv_status check_memory(const sv_view *view, uint32_t flags)
{
    const uint32_t usable = SV_TRAIT_CUDA | (flags & SV_KERNEL_HOST ? SV_TRAIT_HOST : 0);
    const int64_t power = view->layout->itemsize & -view->layout->itemsize;
    const uintptr_t alignment = power < MAX_ALIGNMENT ? (uintptr_t)power : MAX_ALIGNMENT;
    const uint32_t traits = svi_devices[view->device.type].traits;
    const uintptr_t address = (uintptr_t)view->borrowed.dl_tensor.data;

    if (!(traits & usable) || traits & SV_TRAIT_HANDLES)
        return svi_fail(SV_ERROR_DEVICE, "kernels do not use memory of %s:%" PRId32,
                        svi_devices[view->device.type].name, view->device.id);
    if (address % alignment != 0)
        return svi_fail(SV_ERROR_ALIGNMENT,
                        "the address %#" PRIxPTR " is no multiple of %d, for elements of %" PRId64 " bytes", address,
                        (int)alignment, view->layout->itemsize);
    return SV_OK;
}

sv_status sv_view_kernel_arg(const sv_view *view, int32_t ndim, int64_t itemsize, uint32_t flags, size_t capacity,
                             void *block)
{
    const int64_t *strides;
    uint64_t address;
    size_t axes, needed;
    char *at = block;

    SVI_TRY(svi_view_check(view, "view"));
    SVI_NEED(block);
    SVI_TRY(check_expected(view, ndim, itemsize, flags));
    SVI_TRY(check_memory(view, flags));
    SVI_TRY(sv_layout_strides(view->layout, &strides));
    axes = (size_t)ndim * sizeof *strides;
    needed = sizeof address + 2 * axes;
    if (capacity < needed)
        return svi_fail(SV_ERROR_BUFFER, "the block has %zu bytes, there are %zu", needed, capacity);
    address = (uintptr_t)view->borrowed.dl_tensor.data;
    memcpy(at, &address, sizeof address);
    if (axes != 0) {
        memcpy(at + sizeof address, svi_layout_shape(view->layout), axes);
        memcpy(at + sizeof address + axes, strides, axes);
    }
    return SV_OK;
}
