/*
 * libsv: views of memory, and new arrays.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 */
#ifndef SV_VIEW_H
#define SV_VIEW_H

#include "dtype.h"
#include "layout.h"
#include "memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* >>> declarations */

/* --- view --------------------------------------------------------------- */

/**
 * Memory of somebody else, read through a layout: base address, layout,
 * element type, device, and what keeps the memory alive.
 *
 * OpenCL, Vulkan, Metal and WebGPU hand out handles instead of addresses (see
 * SV_TRAIT_HANDLES). Such a handle may be NULL and is never added to; the offset
 * stays in the layout.
 */
typedef struct sv_view sv_view;

/* Both are defined by <dlpack/dlpack.h>, 1.0 or later, which is needed only to look into them. */
struct DLManagedTensorVersioned;
struct DLManagedTensor;

/** Bits of a view's flags. */
enum {
    SV_READ_ONLY = 1, /**< libsv must not write through this view */
    SV_IS_COPIED = 2  /**< for exports: nobody else shares this memory */
};

/**
 * View an array in host memory, which stays alive, and in place, until the view
 * and all views made from it are released. The bytes that it reaches are the
 * bounds of the view.
 *
 * @param dtype         element type, not SV_OPAQUE
 * @param ndim          axes, 0 to 64
 * @param shape         ndim extents
 * @param byte_strides  ndim strides in bytes, which need not be multiples of
 *                      the item size; NULL means C order
 * @param pointer       address of the element with all indices 0
 * @param flags         0 or SV_READ_ONLY
 * @param out           receives the view
 *
 * Statuses as of sv_view_from_array(), the general form of this function.
 */
SV_API sv_status sv_view_from_host(sv_dtype dtype, int32_t ndim, const int64_t *shape,
                                   SV_OPT const int64_t *byte_strides, SV_OPT void *pointer, uint32_t flags,
                                   SV_OUT sv_view **out);

/**
 * View host memory that stays alive, and in place, until the view and all
 * views made from it are released, through a layout and within its size.
 *
 * @param layout   how to read it; retained
 * @param dtype    element type, of the layout's item size; or SV_OPAQUE
 * @param pointer  start of the memory; may be NULL when layout is empty
 * @param nbytes   size of the memory, which every element must lie in
 * @param flags    0 or SV_READ_ONLY
 * @param out      receives the view
 *
 * SV_ERROR_RANGE     an element lies outside the memory, or nbytes is negative
 * SV_ERROR_DTYPE     no type, or another item size than the layout's
 * SV_ERROR_INVALID   unknown flag
 * SV_ERROR_NULL      pointer is NULL though there are elements
 * SV_ERROR_OVERFLOW  an element lies past the end of the address space
 */
SV_API sv_status sv_view_from_pointer(const sv_layout *layout, sv_dtype dtype, SV_OPT void *pointer, int64_t nbytes,
                                      uint32_t flags, SV_OUT sv_view **out);

/**
 * View memory of any device, with an owner: the general form of
 * sv_view_from_pointer().
 *
 * @param layout       how to read it; retained
 * @param dtype        element type, of the layout's item size; or SV_OPAQUE
 * @param base         address that the layout counts from, on the device
 * @param lower        lowest byte that may be touched, relative to base
 * @param upper        end of the bytes that may be touched, relative to base;
 *                     INT64_MIN and INT64_MAX where a limit is not known
 * @param device_type  SV_DEVICE number
 * @param device_id    ordinal of the device, 0 or more
 * @param flags        0 or SV_READ_ONLY
 * @param release      called with ctx when the last view of the memory is
 *                     gone; NULL: the caller keeps the memory alive
 * @param ctx          what release needs
 * @param out          receives the view
 *
 * Statuses as of sv_view_from_pointer(), and
 * SV_ERROR_RANGE   lower is above upper
 * SV_ERROR_DEVICE  no such device type, or a negative device_id
 */
SV_API sv_status sv_view_new(const sv_layout *layout, sv_dtype dtype, SV_OPT void *base, int64_t lower, int64_t upper,
                             int32_t device_type, int32_t device_id, uint32_t flags,
                             SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx, SV_OUT sv_view **out);

/**
 * View an array as its shape, byte strides and type tell: in one allocation what
 * sv_layout_new_bytes() and sv_view_new() do in two. The bytes that it reaches
 * are the bounds of the view.
 *
 * @param dtype         element type, not SV_OPAQUE
 * @param ndim          axes, 0 to 64
 * @param shape         ndim extents
 * @param byte_strides  ndim strides in bytes, which need not be multiples of
 *                      the item size; NULL means C order
 * @param pointer       address of the element with all indices 0
 * @param device_type   SV_DEVICE number
 * @param device_id     ordinal of the device, 0 or more
 * @param flags         0 or SV_READ_ONLY
 * @param release       called with ctx when the last view of the memory is
 *                      gone; NULL: the caller keeps the memory alive
 * @param ctx           what release needs
 * @param out           receives the view
 *
 * SV_ERROR_DTYPE     no type, or opaque
 * SV_ERROR_RANGE     more than 64 axes
 * SV_ERROR_INVALID   an extent is negative, or an unknown flag
 * SV_ERROR_DEVICE    no such device type, or a negative device_id
 * SV_ERROR_NULL      pointer is NULL though there are elements
 * SV_ERROR_OVERFLOW  sizes, offsets or addresses do not fit
 */
SV_API sv_status sv_view_from_array(sv_dtype dtype, int32_t ndim, const int64_t *shape,
                                    SV_OPT const int64_t *byte_strides, SV_OPT void *pointer, int32_t device_type,
                                    int32_t device_id, uint32_t flags, SV_OPT sv_release_callback release,
                                    SV_OPT SV_TAKE void *ctx, SV_OUT sv_view **out);

/**
 * View the bytes of a buffer through a layout. The buffer stays alive, and its
 * memory in place, until the view and all made from it are released; the whole
 * buffer is the bounds of the view.
 *
 * @param buffer  the memory; views of read-only memory are read-only
 * @param layout  how to read it, retained; NULL: one axis of all items from
 *                offset on
 * @param dtype   element type, of the layout's item size; or SV_OPAQUE, with a
 *                layout
 * @param offset  byte of the buffer that the layout counts from
 * @param flags   0 or SV_READ_ONLY
 * @param out     receives the view
 *
 * SV_ERROR_RANGE    an element, or offset, lies outside the buffer
 * SV_ERROR_DTYPE    no type, or another item size than the layout's
 * SV_ERROR_LAYOUT   without a layout: the bytes are no whole number of items
 * SV_ERROR_INVALID  unknown flag
 * SV_ERROR_STATE    the buffer is closed or detached
 * SV_ERROR_BLOCKED  another thread moves its memory
 */
SV_API sv_status sv_view_from_buffer(sv_buffer *buffer, SV_OPT const sv_layout *layout, sv_dtype dtype,
                                     int64_t offset, uint32_t flags, SV_OUT sv_view **out);

/**
 * View a DLPack tensor. No element is moved.
 *
 * Shape and strides are copied out, so the tensor's own may change afterwards.
 * Its deleter, unless NULL, runs once, when the last view of the memory is
 * released; but at once for a tensor that this copy of libsv exported, because
 * the view then keeps the exported memory itself. So an array can be handed on
 * any number of times without a chain of owners. DLPack carries no size of the memory: the bytes that its shape and
 * strides reach are trusted to be there, and are the bounds of the view. Where
 * memory has addresses, base is the element with all indices 0.
 *
 * Strides of NULL mean C order. Any alignment, negative and zero strides, and
 * for empty tensors any data will do. Flags that DLPack 1.3 does not have are
 * not looked at.
 *
 * Elements below a byte, packed, are taken in groups that fill bytes, along the
 * last axis of stride 1: int4 of 2 x 6 becomes int4x2 of 2 x 3. Those that the
 * tensor says are padded to bytes stay what they are.
 *
 * @param tensor  DLPack major version 1
 * @param flags   0, or SV_READ_ONLY to read only even where writing is allowed
 * @param out     receives the view
 *
 * SV_ERROR_VERSION      another major version; nothing behind it was read
 * SV_ERROR_PROTOCOL     negative ndim or extent, shape missing, or no data
 *                       though there are elements
 * SV_ERROR_RANGE        more than 64 axes
 * SV_ERROR_DTYPE        element type unknown
 * SV_ERROR_LAYOUT       packed elements below a byte that cannot be grouped: no
 *                       axis of stride 1, an odd extent or stride
 * SV_ERROR_UNSUPPORTED  vectors of sub-byte elements padded to bytes
 * SV_ERROR_DEVICE       device type unknown, or a negative device number
 * SV_ERROR_OVERFLOW     sizes, offsets or addresses do not fit
 * SV_ERROR_INVALID      unknown flag
 *
 * Does not wait for a device: order the producer's stream first.
 */
SV_API sv_status sv_view_from_dlpack(SV_TAKE struct DLManagedTensorVersioned *tensor, uint32_t flags,
                                     SV_OUT sv_view **out);

/**
 * View a DLPack tensor of the old form, which has no version and no flags.
 *
 * It cannot say that it is read-only: who does not know passes SV_READ_ONLY.
 * Parameters and statuses as of sv_view_from_dlpack().
 */
SV_API sv_status sv_view_from_dlpack_unversioned(SV_TAKE struct DLManagedTensor *tensor, uint32_t flags,
                                                 SV_OUT sv_view **out);

/**
 * View a bare DLTensor, which does not own its memory. The structure itself is
 * not needed after the call.
 *
 * @param tensor   address of a DLTensor
 * @param flags    0 or SV_READ_ONLY
 * @param release  called with ctx when the last view of the memory is gone;
 *                 NULL: the caller keeps the memory alive
 * @param ctx      what release needs
 * @param out      receives the view
 *
 * Statuses as of sv_view_from_dlpack().
 */
SV_API sv_status sv_view_from_dltensor(const void *tensor, uint32_t flags, SV_OPT sv_release_callback release,
                                       SV_OPT SV_TAKE void *ctx, SV_OUT sv_view **out);

/**
 * View host memory as a Py_buffer or its like describes it (PEP 3118).
 *
 * Formats of one number become its type. Records, strings, repeats, pointers
 * and whatever else the grammar allows become SV_OPAQUE items of itemsize
 * bytes, and so do items whose format and item size disagree, as those of
 * ctypes do.
 *
 * @param format        format text; NULL means "B"
 * @param itemsize      bytes of one item, 1 or more
 * @param ndim          axes, 0 to 64
 * @param shape         ndim extents; NULL with one axis: as many items as there are
 * @param byte_strides  ndim strides in bytes, which need not be multiples of
 *                      itemsize; NULL means C order
 * @param pointer       address of the element with all indices 0
 * @param nbytes        bytes of all items, each index counted
 * @param flags         0 or SV_READ_ONLY
 * @param release       called with ctx when the last view of the memory is
 *                      gone; NULL: the caller keeps the memory alive
 * @param ctx           what release needs
 * @param out           receives the view
 *
 * SV_ERROR_RANGE        ndim or itemsize outside its limits
 * SV_ERROR_DTYPE        format breaks the grammar, nests more than 32 deep, or
 *                       holds references to Python objects
 * SV_ERROR_UNSUPPORTED  a number in the other byte order; opaque items are taken
 *                       in any
 * SV_ERROR_INVALID      an extent is negative, or an unknown flag
 * SV_ERROR_PROTOCOL     nbytes is not what the shape has
 * SV_ERROR_NULL         pointer is NULL though there are elements
 * SV_ERROR_OVERFLOW     sizes, offsets or addresses do not fit
 */
SV_API sv_status sv_view_from_pep3118(SV_OPT const char *format, int64_t itemsize, int32_t ndim,
                                      SV_OPT const int64_t *shape, SV_OPT const int64_t *byte_strides,
                                      SV_OPT void *pointer, int64_t nbytes, uint32_t flags,
                                      SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                      SV_OUT sv_view **out);

/**
 * View memory as the fields of __array_interface__ or of
 * __cuda_array_interface__ (version 3) describe it.
 *
 * Types that DLPack does not have, as "|V7", "<U5" and "<M8[s]", become
 * SV_OPAQUE items.
 *
 * @param typestr       type string, "<f4"
 * @param ndim          axes, 0 to 64
 * @param shape         ndim extents
 * @param byte_strides  ndim strides in bytes, which need not be multiples of
 *                      the item size; NULL means C order
 * @param pointer       address of the element with all indices 0
 * @param device_type   SV_DEVICE number
 * @param device_id     ordinal of the device, 0 or more
 * @param flags         0 or SV_READ_ONLY
 * @param release       called with ctx when the last view of the memory is
 *                      gone; NULL: the caller keeps the memory alive
 * @param ctx           what release needs
 * @param out           receives the view
 *
 * SV_ERROR_DTYPE        no type string, or one of Python objects or of bits
 * SV_ERROR_UNSUPPORTED  a number in the other byte order; opaque items are taken
 *                       in any
 * SV_ERROR_RANGE        more than 64 axes
 * SV_ERROR_INVALID      an extent is negative, or an unknown flag
 * SV_ERROR_DEVICE       no such device type, or a negative device_id
 * SV_ERROR_NULL         pointer is NULL though there are elements
 * SV_ERROR_OVERFLOW     sizes, offsets or addresses do not fit
 *
 * Does not wait for a device: order the producer's stream first.
 */
SV_API sv_status sv_view_from_array_interface(const char *typestr, int32_t ndim, const int64_t *shape,
                                              SV_OPT const int64_t *byte_strides, SV_OPT void *pointer,
                                              int32_t device_type, int32_t device_id, uint32_t flags,
                                              SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                              SV_OUT sv_view **out);

/**
 * Read the same memory, from the same base, through another layout.
 *
 * @param view    view to start from; its memory stays alive with the new one
 * @param layout  the other layout, of the same item size; retained
 * @param out     receives the new view
 *
 * SV_ERROR_DTYPE     another item size, and the type is not SV_OPAQUE
 * SV_ERROR_RANGE     an element lies outside the memory
 * SV_ERROR_NULL      the base is NULL though there are elements
 * SV_ERROR_OVERFLOW  an element lies past the end of the address space
 */
SV_API sv_status sv_view_with_layout(const sv_view *view, const sv_layout *layout, SV_OUT sv_view **out);

/**
 * Read the same memory, from the same base, through what a builder holds: as
 * sv_layout_builder_finish() and sv_view_with_layout(), in one allocation.
 *
 * Statuses as of sv_view_with_layout(), and
 * SV_ERROR_STATE  the builder was not started
 */
SV_API sv_status sv_view_with_builder(const sv_view *view, const sv_layout_builder *builder, SV_OUT sv_view **out);

/**
 * sv_layout_permute() of the layout of a view: the same memory with its axes in
 * another order.
 *
 * This and the next four functions make one allocation each. For any other
 * operation, or several, rearrange the layout and use sv_view_with_layout() or
 * sv_view_with_builder().
 *
 * @param view  view to start from; its memory stays alive with the new one
 * @param ndim  number of axes given: that of view; not read when axes is NULL
 * @param axes  each axis once; NULL reverses them
 * @param out   receives the new view
 *
 * Statuses as of sv_layout_permute().
 */
SV_API sv_status sv_view_permute(const sv_view *view, int32_t ndim, SV_OPT const int32_t *axes, SV_OUT sv_view **out);

/**
 * sv_layout_slice() of the layout of a view: every step-th index of its leading
 * axes, by the numbers of a Python slice.
 *
 * @param view   view to start from; its memory stays alive with the new one
 * @param count  axes sliced, 0 to ndim; the others stay whole
 * @param start  count first indices
 * @param stop   count end indices
 * @param step   count steps, not 0; NULL means 1 everywhere
 * @param out    receives the new view
 *
 * Statuses as of sv_layout_slice().
 */
SV_API sv_status sv_view_slice(const sv_view *view, int32_t count, const int64_t *start, const int64_t *stop,
                               SV_OPT const int64_t *step, SV_OUT sv_view **out);

/**
 * sv_layout_index() of the layout of a view: one index of an axis, which goes.
 *
 * @param view   view to start from; its memory stays alive with the new one
 * @param axis   the axis
 * @param index  -extent to extent - 1; negative ones count from the end
 * @param out    receives the new view
 *
 * Statuses as of sv_layout_index().
 */
SV_API sv_status sv_view_index(const sv_view *view, int32_t axis, int64_t index, SV_OUT sv_view **out);

/**
 * sv_layout_reshape() of the layout of a view: the same elements, in C order of
 * their indices, in another shape. Nothing is moved.
 *
 * @param view   view to start from; its memory stays alive with the new one
 * @param ndim   axes of the new shape, 0 to 64
 * @param shape  extents; one may be -1 and is then found
 * @param out    receives the new view
 *
 * Statuses as of sv_layout_reshape(); SV_ERROR_LAYOUT where only a copy could
 * have this shape.
 */
SV_API sv_status sv_view_reshape(const sv_view *view, int32_t ndim, const int64_t *shape, SV_OUT sv_view **out);

/**
 * sv_layout_broadcast() of the layout of a view: repeated along new leading axes
 * and axes of extent 1, by strides of 0.
 *
 * @param view   view to start from; its memory stays alive with the new one
 * @param ndim   axes of the new shape, at least those of view
 * @param shape  extents; the last ones meet those of view
 * @param out    receives the new view
 *
 * Statuses as of sv_layout_broadcast().
 */
SV_API sv_status sv_view_broadcast(const sv_view *view, int32_t ndim, const int64_t *shape, SV_OUT sv_view **out);

/**
 * Read the same elements as another type of the same size.
 *
 * SV_ERROR_DTYPE  no type, or another item size
 */
SV_API sv_status sv_view_with_dtype(const sv_view *view, sv_dtype dtype, SV_OUT sv_view **out);

/**
 * The same view, through which nothing can be written.
 */
SV_API sv_status sv_view_as_readonly(const sv_view *view, SV_OUT sv_view **out);

/**
 * Add a reference. Returns its argument.
 */
SV_API sv_view *sv_view_retain(SV_OPT const sv_view *view);

/**
 * Drop a reference. With the last view of some memory, and the last export of
 * one, its owner is told. NULL does nothing.
 */
SV_API void sv_view_release(SV_OPT SV_TAKE sv_view *view);

/**
 * Address of the element with all indices 0: base plus byte offset. NULL of an
 * empty view. Where memory goes by handles, the handle.
 */
SV_API void *sv_view_data(const sv_view *view);

/**
 * The layout, borrowed.
 */
SV_API const sv_layout *sv_view_layout(const sv_view *view);

/**
 * Element type.
 */
SV_API sv_dtype sv_view_dtype(const sv_view *view);

/**
 * SV_DEVICE number of the memory.
 */
SV_API int32_t sv_view_device_type(const sv_view *view);

/**
 * Ordinal of the device.
 */
SV_API int32_t sv_view_device_id(const sv_view *view);

/**
 * Whether writing through the view is refused: 1 or 0.
 */
SV_API int32_t sv_view_is_readonly(const sv_view *view);

/**
 * The bytes that may be touched, relative to the base: [lower, upper), with
 * INT64_MIN and INT64_MAX where a limit is not known.
 */
SV_API sv_status sv_view_bounds(const sv_view *view, SV_OUT int64_t *lower, SV_OUT int64_t *upper);

/**
 * Number of references that keep the memory of a view: those to this view and
 * to the view that it was made from, which has one of each view made from it.
 * An export counts as a view. 1: when this reference ends, the memory is let
 * go. Only then, and while no other thread uses this handle, the number stays
 * what it is. 0 for NULL.
 *
 * Garbage collectors ask this: what keeps the memory may be collected together
 * with the holder of the only reference.
 */
SV_API int64_t sv_view_references(const sv_view *view);

/**
 * The context that the memory of a view is let go with, when release is what
 * lets it go: ctx of sv_view_new() and its like, also for views made from
 * another. Else, and for NULL, NULL. It is borrowed: the memory may end with
 * the last reference to the view.
 */
SV_API void *sv_view_context(const sv_view *view, SV_OPT sv_release_callback release);

/**
 * The buffer that a view, or the view it was made from, was made of; NULL when
 * there is none. It is borrowed, and lives as long as the view.
 */
SV_API const sv_buffer *sv_view_buffer(const sv_view *view);

/**
 * Whether elements of two views share a byte.
 *
 * Host and CUDA memory of any kind and device has one address space. Of other
 * memory only such of the same device type is compared by address: on another
 * device it is apart, of another type it may be shared. Handles are compared
 * the same way, and two different ones may share memory.
 *
 * @param view    one view
 * @param other   the other
 * @param work    as of sv_layout_is_unique()
 * @param answer  receives SV_YES, SV_NO or SV_MAYBE; SV_NO when one is empty
 *
 * SV_ERROR_INVALID  work is negative
 * SV_ERROR_MEMORY   no room for a search, which few layouts need
 */
SV_API sv_status sv_view_overlap(const sv_view *view, const sv_view *other, int64_t work, SV_OUT sv_answer *answer);

/**
 * Look at a view as a standard DLPack structure, for typed access.
 *
 * It belongs to the view and lives as long as it; deleter and manager_ctx are
 * NULL. Costs nothing. NULL, with a message, where DLPack cannot say it:
 * strides that are no multiple of the item size, opaque items, or an offset
 * below a handle.
 */
SV_API const struct DLManagedTensorVersioned *sv_view_borrow(const sv_view *view);

/** Flags of sv_view_kernel_arg(). */
enum {
    SV_KERNEL_WRITES = 1, /**< the kernel writes elements: SV_ERROR_READ_ONLY of a read-only view */
    SV_KERNEL_HOST = 2    /**< memory of the host alone is taken too */
};

/**
 * Describe a view for a kernel, as a plain block that is passed by value:
 *
 *     address of the element with all indices 0    uint64_t
 *     shape[ndim]                                  int64_t each
 *     strides[ndim], in elements                   int64_t each
 *
 * without padding, 8 + 16 * ndim bytes. In CUDA C++ it is strideview::array<T, ndim>
 * of sv_kernel.hpp, which is installed beside this header. The block keeps nothing
 * alive, and orders nothing: the memory must live, and what writes it be waited
 * for, as with any pointer that a kernel is given.
 *
 * Kernels are compiled for a number of axes and a type, which the caller tells.
 * Strides may be negative or 0; that of an axis of one element is of no account.
 *
 * @param view      view to describe
 * @param ndim      axes that the kernel expects
 * @param itemsize  bytes of an element that the kernel expects
 * @param flags     SV_KERNEL bits. Without SV_KERNEL_HOST the memory must be such
 *                  that CUDA devices use: pinned, of a device, or managed. With it
 *                  ordinary memory is taken, for code that runs on the host and
 *                  devices that read all of its memory.
 * @param capacity  bytes of block, of which only those that are needed are written
 * @param block     receives the block; it need not be aligned
 *
 * SV_ERROR_INVALID    unknown flag; a negative ndim
 * SV_ERROR_LAYOUT     the view has another number of axes, or a stride in bytes
 *                     is no multiple of the item size
 * SV_ERROR_DTYPE      the elements have another size
 * SV_ERROR_ALIGNMENT  the address is no multiple of the largest power of two, at
 *                     most 16, that divides the item size, as C++ has it
 * SV_ERROR_READ_ONLY  SV_KERNEL_WRITES, and the view is read-only
 * SV_ERROR_DEVICE     memory that is known by a handle, of another kind of device,
 *                     or, without SV_KERNEL_HOST, of the host alone
 * SV_ERROR_BUFFER     capacity is too small
 *
 * After an error nothing was written.
 */
SV_API sv_status sv_view_kernel_arg(const sv_view *view, int32_t ndim, int64_t itemsize, uint32_t flags,
                                    size_t capacity, SV_OUT void *block);

/**
 * Hand a view on as a DLPack tensor, version 1.3.
 *
 * The tensor keeps the memory alive. Its deleter may run on any thread.
 *
 * @param view   view to hand on
 * @param flags  0 or SV_IS_COPIED; read-only is told by itself
 * @param out    receives the tensor, which the caller ends with its deleter
 *
 * SV_ERROR_LAYOUT   strides are no multiple of the item size, or an offset lies
 *                   below a handle
 * SV_ERROR_DTYPE    opaque items
 * SV_ERROR_INVALID  unknown flag
 */
SV_API sv_status sv_view_to_dlpack(const sv_view *view, uint32_t flags, SV_OUT struct DLManagedTensorVersioned **out);

/**
 * Hand a view on as a DLPack tensor of the old form.
 *
 * The tensor and the statuses are those of sv_view_to_dlpack(), and
 * SV_ERROR_READ_ONLY    the old form cannot tell that a view is read-only
 * SV_ERROR_UNSUPPORTED  nor that sub-byte elements are padded
 */
SV_API sv_status sv_view_to_dlpack_unversioned(const sv_view *view, SV_OUT struct DLManagedTensor **out);

/* --- empty -------------------------------------------------------------- */

/**
 * Make a new array: dense, in C order, in memory of its own, which is freed when
 * the view and all views and exports made from it are released.
 *
 * @param allocator  where the memory comes from; NULL: ordinary host memory
 * @param dtype      element type, not SV_OPAQUE
 * @param ndim       axes, 0 to 64
 * @param shape      ndim extents
 * @param flags      0: the elements are not initialised; SV_BUFFER_ZERO: all
 *                   their bytes are 0
 * @param stream     as of sv_buffer_new(); 0 for host memory
 * @param out        receives the view; sv_view_buffer() tells its buffer
 *
 * SV_ERROR_DTYPE     no type, or opaque
 * SV_ERROR_RANGE     more than 64 axes
 * SV_ERROR_INVALID   an extent is negative, or an unknown flag
 * SV_ERROR_OVERFLOW  the size does not fit int64
 * and what sv_buffer_new() answers.
 */
SV_API sv_status sv_empty(SV_OPT const sv_allocator *allocator, sv_dtype dtype, int32_t ndim, const int64_t *shape,
                          uint32_t flags, uintptr_t stream, SV_OUT sv_view **out);

/**
 * Make a new array of a given layout, in memory of exactly the bytes that its
 * elements reach. A byte_offset, and bytes between elements, are kept as the
 * layout says, but nothing lies before the first and behind the last element.
 *
 * @param allocator  as of sv_empty()
 * @param layout     shape and strides, any; it is copied
 * @param dtype      element type, of the layout's item size; or SV_OPAQUE
 * @param flags      as of sv_empty(); gaps are zeroed too
 * @param stream     as of sv_empty()
 * @param out        receives the view
 *
 * SV_ERROR_DTYPE  no type, or another item size than the layout's
 * and what sv_buffer_new() answers.
 */
SV_API sv_status sv_empty_layout(SV_OPT const sv_allocator *allocator, const sv_layout *layout, sv_dtype dtype,
                                 uint32_t flags, uintptr_t stream, SV_OUT sv_view **out);

/**
 * Make a new dense array of the shape and element type of another one, of which
 * no element is read: "a tensor like this one, on the device".
 *
 * @param allocator  as of sv_empty(); what memory view has does not matter
 * @param view       the other array
 * @param order      SV_ORDER_C, SV_ORDER_F, or SV_ORDER_K: the axes in the order
 *                   that they have in memory; axes of stride 0 get memory
 * @param flags      as of sv_empty()
 * @param stream     as of sv_empty()
 * @param out        receives the view
 *
 * SV_ERROR_INVALID   another order, or an unknown flag
 * SV_ERROR_OVERFLOW  the size does not fit int64
 * and what sv_buffer_new() answers.
 */
SV_API sv_status sv_empty_like(SV_OPT const sv_allocator *allocator, const sv_view *view, sv_order order,
                               uint32_t flags, uintptr_t stream, SV_OUT sv_view **out);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_VIEW_H */
