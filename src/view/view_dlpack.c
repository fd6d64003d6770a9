#include "view/view.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "view/view_query.h"

/* --- import -------------------------------------------------------------- */

/* How many elements of the tensor fill whole bytes: 1 but for packed types below a byte, which are taken in groups. */
static int32_t group_of(DLDataType type, bool padded)
{
    uint32_t bits = (uint32_t)type.bits * type.lanes;

    if (padded)
        return 1;
    return bits % 8 == 0 ? 1 : bits % 4 == 0 ? 2 : bits % 2 == 0 ? 4 : 8;
}

static sv_status read_dtype(DLDataType type, bool padded, sv_dtype *out)
{
    sv_dtype ignored;

    if (padded && type.bits % 8 != 0 && type.lanes > 1 && sv_dtype_make(type.code, type.bits, 1, &ignored) == SV_OK)
        return svi_fail(SV_ERROR_UNSUPPORTED, "vectors of %d elements of %d bits padded to bytes (type code %d)",
                        type.lanes, type.bits, type.code);
    return sv_dtype_make(type.code, type.bits, type.lanes * group_of(type, padded), out);
}

/* The last axis along which one element follows the other, as far as it can be grouped; -1 when there is none. */
static int32_t grouped_axis(int32_t ndim, const int64_t *shape, const int64_t *strides, int32_t group)
{
    for (int32_t i = ndim; i-- > 0;)
        if (shape[i] > 1 && (strides == NULL || strides[i] == 1))
            return shape[i] % group == 0 ? i : -1;
    return -1;
}

/* Shape and strides (NULL: C order) of elements become those of groups. */
static sv_status regroup_axes(int32_t ndim, int64_t *shape, int64_t *strides, DLDataType type)
{
    int32_t group = group_of(type, false), inner = grouped_axis(ndim, shape, strides, group);
    bool empty = false;

    for (int32_t i = 0; i < ndim; i++)
        empty = empty || shape[i] == 0;
    if (inner < 0 && !empty)
        return svi_fail(SV_ERROR_LAYOUT,
                        "elements of %d bits: no axis of stride 1 has a multiple of %" PRId32 ", which fill bytes",
                        type.bits * type.lanes, group);
    if (inner >= 0)
        shape[inner] /= group;
    for (int32_t i = 0; strides != NULL && i < ndim; i++) {
        if (i == inner)
            continue;
        if (shape[i] > 1 && !empty && strides[i] % group != 0)
            return svi_fail(SV_ERROR_LAYOUT, "axis %" PRId32 ": %" PRId64 " elements of %d bits end within a byte", i,
                            strides[i], type.bits * type.lanes);
        strides[i] /= group;
    }
    return SV_OK;
}

/* The axes of elements below a byte. */
static sv_status read_groups(const DLTensor *tensor, int64_t itemsize, struct svi_geometry *g,
                             struct svi_extent *extent)
{
    int64_t shape[SV_MAX_NDIM], values[SV_MAX_NDIM], *strides = tensor->strides == NULL ? NULL : values;

    for (int32_t i = 0; i < tensor->ndim; i++) {
        shape[i] = tensor->shape[i];
        if (strides != NULL)
            strides[i] = tensor->strides[i];
    }
    SVI_TRY(regroup_axes(tensor->ndim, shape, strides, tensor->dtype));
    return svi_geometry_read(g, tensor->ndim, shape, strides, itemsize, itemsize, extent);
}

static sv_status read_geometry(const DLTensor *tensor, bool padded, int64_t itemsize, struct svi_geometry *g,
                               struct svi_extent *extent)
{
    int32_t ndim = tensor->ndim;

    if (ndim < 0)
        return svi_fail(SV_ERROR_PROTOCOL, "ndim is %d", (int)ndim);
    if (ndim > SV_MAX_NDIM)
        return svi_fail(SV_ERROR_RANGE, "ndim is %d, at most %d", (int)ndim, SV_MAX_NDIM);
    if (ndim > 0 && tensor->shape == NULL)
        return svi_fail(SV_ERROR_PROTOCOL, "shape is NULL, ndim is %d", (int)ndim);

    for (int32_t i = 0; i < ndim; i++)
        if (tensor->shape[i] < 0)
            return svi_fail(SV_ERROR_PROTOCOL, "extent of axis %d is %" PRId64, (int)i, tensor->shape[i]);
    if (group_of(tensor->dtype, padded) > 1)
        return read_groups(tensor, itemsize, g, extent);
    return svi_geometry_read(g, ndim, tensor->shape, tensor->strides, itemsize, itemsize, extent);
}

/* On devices with addresses the base is that of element [0,...,0]; a handle keeps its offset apart. */
static sv_status read_address(const DLTensor *tensor, struct svi_geometry *g, struct svi_extent *extent, char **base)
{
    uintptr_t address = (uintptr_t)tensor->data;

    if (tensor->byte_offset > INT64_MAX)
        return svi_fail(SV_ERROR_OVERFLOW, "byte_offset %" PRIu64 " does not fit int64", tensor->byte_offset);
    if (svi_device_has((int32_t)tensor->device.device_type, SV_TRAIT_HANDLES)) {
        g->byte_offset = (int64_t)tensor->byte_offset;
        *base = tensor->data;
        return svi_geometry_measure(g, extent);
    }
    if (extent->size == 0) {
        *base = tensor->data;
        return SV_OK;
    }
    if (address == 0)
        return svi_fail(SV_ERROR_PROTOCOL, "data is NULL, there are elements");
    if (tensor->byte_offset > UINTPTR_MAX - address)
        return svi_fail(SV_ERROR_OVERFLOW,
                        "byte_offset %" PRIu64 " from address 0x%" PRIxPTR " leaves the address space",
                        tensor->byte_offset, address);
    *base = (char *)(address + (uintptr_t)tensor->byte_offset);
    return SV_OK;
}

/* Each field once: the producer's own may change meanwhile. One by one, as they were written a moment ago: a processor
 * waits with a wider load until the stores are done. */
static DLTensor read_tensor(const volatile DLTensor *tensor)
{
    return (DLTensor){.data = tensor->data,
                      .device = {tensor->device.device_type, tensor->device.device_id},
                      .ndim = tensor->ndim,
                      .dtype = {tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes},
                      .shape = tensor->shape,
                      .strides = tensor->strides,
                      .byte_offset = tensor->byte_offset};
}

/* Who keeps the memory of a tensor alive: a view of ours, or else release(ctx). */
struct owner {
    const sv_view *view;
    sv_release_callback release;
    void *ctx;
};

static sv_status import_tensor(const DLTensor *theirs, uint64_t foreign_flags, uint32_t flags,
                               const struct owner *owner, sv_view **out)
{
    const DLTensor tensor = read_tensor(theirs);
    bool padded = (foreign_flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0;
    uint32_t readonly = (foreign_flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0 ? SV_READ_ONLY : 0;
    struct svi_view_memory memory = {.device = {(int32_t)tensor.device.device_type, tensor.device.device_id},
                                     .flags = flags | readonly,
                                     .release = owner->release,
                                     .ctx = owner->ctx,
                                     .root = svi_view_root(owner->view)};
    struct svi_geometry g;
    struct svi_extent extent;

    SVI_TRY(svi_device_check_type(memory.device.type));
    SVI_TRY(read_dtype(tensor.dtype, padded, &memory.dtype));
    SVI_TRY(read_geometry(&tensor, padded, svi_dtype_bytes(memory.dtype), &g, &extent));
    SVI_TRY(read_address(&tensor, &g, &extent, &memory.base));
    return svi_view_make(&memory, &g, &extent, out);
}

/* Deleters of the tensors that are exported. */
static void end_versioned(struct DLManagedTensorVersioned *self)
{
    sv_view *view = self->manager_ctx;

    svi_free(self);
    sv_view_release(view);
}

static void end_unversioned(struct DLManagedTensor *self)
{
    sv_view *view = self->manager_ctx;

    svi_free(self);
    sv_view_release(view);
}

static void delete_versioned(void *ctx)
{
    struct DLManagedTensorVersioned *tensor = ctx;

    if (tensor->deleter != NULL)
        tensor->deleter(tensor);
}

static void delete_unversioned(void *ctx)
{
    struct DLManagedTensor *tensor = ctx;

    if (tensor->deleter != NULL)
        tensor->deleter(tensor);
}

/*
 * A tensor that this copy of libsv exported, as its deleter tells, is not kept: the new view retains the root of the
 * view that was exported. Else arrays that are handed on many times would be chains of tensors and views, each of which
 * ends the next one: the last release would need a stack as deep.
 */
sv_status sv_view_from_dlpack(struct DLManagedTensorVersioned *tensor, uint32_t flags, sv_view **out)
{
    struct owner owner = {.release = delete_versioned, .ctx = tensor};

    SVI_NEED(tensor);
    SVI_NEED(out);
    if (tensor->version.major != 1)
        return svi_fail(SV_ERROR_VERSION, "DLPack version %" PRIu32 ".%" PRIu32 ", only major version 1 is known",
                        tensor->version.major, tensor->version.minor);
    if (tensor->deleter == end_versioned)
        owner = (struct owner){.view = tensor->manager_ctx};
    SVI_TRY(import_tensor(&tensor->dl_tensor, tensor->flags, flags, &owner, out));
    if (owner.view != NULL)
        end_versioned(tensor);
    return SV_OK;
}

sv_status sv_view_from_dlpack_unversioned(struct DLManagedTensor *tensor, uint32_t flags, sv_view **out)
{
    struct owner owner = {.release = delete_unversioned, .ctx = tensor};

    SVI_NEED(tensor);
    SVI_NEED(out);
    if (tensor->deleter == end_unversioned)
        owner = (struct owner){.view = tensor->manager_ctx};
    SVI_TRY(import_tensor(&tensor->dl_tensor, 0, flags, &owner, out));
    if (owner.view != NULL)
        end_unversioned(tensor);
    return SV_OK;
}

sv_status sv_view_from_dltensor(const void *tensor, uint32_t flags, sv_release_callback release, void *ctx,
                                sv_view **out)
{
    SVI_NEED(tensor);
    SVI_NEED(out);
    return import_tensor(tensor, 0, flags, &(struct owner){.release = release, .ctx = ctx}, out);
}

/* --- export -------------------------------------------------------------- */

/* One allocation each. The numbers are copies, because consumers have been seen to write into them. */
struct versioned_export {
    struct DLManagedTensorVersioned tensor;
    int64_t values[];
};

struct unversioned_export {
    struct DLManagedTensor tensor;
    int64_t values[];
};

static size_t values_size(const sv_view *view)
{
    return 2 * (size_t)view->layout->ndim * sizeof(int64_t);
}

static DLTensor export_tensor(const sv_view *view, int64_t *values)
{
    DLTensor tensor = view->borrowed.dl_tensor;
    size_t ndim = (size_t)tensor.ndim;

    if (ndim > 0) {
        memcpy(values, tensor.shape, ndim * sizeof *values);
        memcpy(values + ndim, tensor.strides, ndim * sizeof *values);
        tensor.shape = values;
        tensor.strides = values + ndim;
    }
    return tensor;
}

sv_status sv_view_to_dlpack(const sv_view *view, uint32_t flags, struct DLManagedTensorVersioned **out)
{
    struct versioned_export *export;

    SVI_TRY(svi_view_check(view, "view"));
    SVI_NEED(out);
    if (flags & ~(uint32_t)SV_IS_COPIED)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_IS_COPIED is known", flags);
    SVI_TRY(svi_view_check_borrowable(view));
    export = svi_malloc(sizeof *export + values_size(view));
    if (export == NULL)
        return SV_ERROR_MEMORY;
    export->tensor = view->borrowed;
    export->tensor.dl_tensor = export_tensor(view, export->values);
    if (flags & SV_IS_COPIED)
        export->tensor.flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
    export->tensor.manager_ctx = sv_view_retain(view);
    export->tensor.deleter = end_versioned;
    *out = &export->tensor;
    return SV_OK;
}

sv_status sv_view_to_dlpack_unversioned(const sv_view *view, struct DLManagedTensor **out)
{
    struct unversioned_export *export;

    SVI_TRY(svi_view_check(view, "view"));
    SVI_NEED(out);
    if (view->flags & SV_READ_ONLY)
        return svi_fail(SV_ERROR_READ_ONLY, "a tensor without version cannot say that it is read-only");
    if (svi_dtype_is_padded(view->dtype))
        return svi_fail(SV_ERROR_UNSUPPORTED, "a tensor without version cannot say that elements of %d bits are padded",
                        (int)svi_dtype_bits(view->dtype));
    SVI_TRY(svi_view_check_borrowable(view));
    export = svi_malloc(sizeof *export + values_size(view));
    if (export == NULL)
        return SV_ERROR_MEMORY;
    export->tensor = (struct DLManagedTensor){.dl_tensor = export_tensor(view, export->values),
                                              .manager_ctx = sv_view_retain(view),
                                              .deleter = end_unversioned};
    *out = &export->tensor;
    return SV_OK;
}
