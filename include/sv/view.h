/*
 * libsv: views, which are arrays.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * A view is memory read through a layout: an address, a layout, an element type and a device. It is made of your own
 * memory, of the array of another library, or of new memory; rearranged; copied (sv/copy.h); and handed on as a
 * DLPack tensor. No element is moved but by a copy.
 *
 *     float numbers[6] = {0, 1, 2, 3, 4, 5};
 *     int64_t shape[2] = {2, 3}, start[2] = {0, 1}, stop[2] = {2, 3};
 *     sv_view *matrix, *columns;
 *
 *     sv_view_from_host(SV_FLOAT32, 2, shape, NULL, numbers, 0, &matrix);
 *     sv_view_slice(matrix, 2, start, stop, NULL, &columns);            columns[0][0] is 1
 *     sv_view_release(matrix);                                          columns stays valid
 *     sv_view_release(columns);                                         numbers may end from here on
 *
 * Of the functions that make a view of memory:
 *
 *     pointer  is the address of the element with all indices 0, on its device. It may be NULL when there are none
 *     flags    is 0, or SV_READ_ONLY: libsv does not write through this view, nor through any made from it
 *     release  is called with ctx when the last view of the memory is gone. Without one, the caller keeps the memory
 *              alive, and in place, until the view and all views made from it are released
 *     bounds   are the bytes that may be touched. Where no size of the memory is given, they are those that shape and
 *              strides reach, which are trusted to be there. A view past its bounds is SV_ERROR_RANGE
 *     streams  are not waited for: order the producer's stream first
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

/** Memory of somebody else, read through a layout. OpenCL, Vulkan, Metal and WebGPU hand out handles instead of
 * addresses (see SV_TRAIT_HANDLES). Such a handle may be NULL and is never added to; the offset stays in the layout.
 * */
typedef struct sv_view sv_view;

/* Both are defined by <dlpack/dlpack.h>, 1.0 or later, which is needed only to look into them. */
struct DLManagedTensorVersioned;
struct DLManagedTensor;

/** Bits of a view's flags. */
enum {
    SV_READ_ONLY = 1, /**< libsv must not write through this view */
    SV_IS_COPIED = 2  /**< for exports: nobody else shares this memory */
};

/** View an array in host memory that the caller keeps alive. SV_OPAQUE is refused, as by sv_view_from_array(). */
SV_API sv_status sv_view_from_host(sv_dtype dtype, int32_t ndim, const int64_t *shape,
                                   SV_OPT const int64_t *byte_strides, SV_OPT void *pointer, uint32_t flags,
                                   SV_OUT sv_view **out);

/** View host memory that the caller keeps alive, through a layout and within a size.
 *
 * @param dtype    element type, of the layout's item size (else SV_ERROR_DTYPE); or SV_OPAQUE
 * @param pointer  start of the memory, which the layout counts from
 * @param nbytes   size of the memory, which every element must lie in (else SV_ERROR_RANGE) */
SV_API sv_status sv_view_from_pointer(const sv_layout *layout, sv_dtype dtype, SV_OPT void *pointer, int64_t nbytes,
                                      uint32_t flags, SV_OUT sv_view **out);

/** View memory of any device, with an owner, through a layout: the general form of sv_view_from_pointer().
 *
 * @param dtype  element type, of the layout's item size (else SV_ERROR_DTYPE); or SV_OPAQUE
 * @param base   address that the layout counts from, on the device
 * @param lower  lowest byte that may be touched, relative to base; INT64_MIN where the limit is not known
 * @param upper  end of the bytes that may be touched, relative to base; INT64_MAX where the limit is not known
 *
 * SV_ERROR_RANGE  an element lies outside the memory, or lower is above upper */
SV_API sv_status sv_view_new(const sv_layout *layout, sv_dtype dtype, SV_OPT void *base, int64_t lower, int64_t upper,
                             int32_t device_type, int32_t device_id, uint32_t flags,
                             SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx, SV_OUT sv_view **out);

/** View an array of any device, with an owner: the general form of sv_view_from_host(). It does in one allocation what
 * sv_layout_new_bytes() and sv_view_new() do in two. SV_OPAQUE is SV_ERROR_DTYPE. */
SV_API sv_status sv_view_from_array(sv_dtype dtype, int32_t ndim, const int64_t *shape,
                                    SV_OPT const int64_t *byte_strides, SV_OPT void *pointer, int32_t device_type,
                                    int32_t device_id, uint32_t flags, SV_OPT sv_release_callback release,
                                    SV_OPT SV_TAKE void *ctx, SV_OUT sv_view **out);

/** View the bytes of a buffer through a layout. The buffer stays alive, and its memory in place, until the view and
 * all made from it are released; the whole buffer is the bounds of the view. Views of read-only memory are read-only.
 *
 * @param layout  how to read it; NULL: one axis of all items from offset on
 * @param dtype   element type, of the layout's item size; or SV_OPAQUE, with a layout
 * @param offset  byte of the buffer that the layout counts from
 *
 * SV_ERROR_RANGE    an element, or offset, lies outside the buffer
 * SV_ERROR_DTYPE    another item size than the layout's
 * SV_ERROR_LAYOUT   without a layout: the bytes are no whole number of items
 * SV_ERROR_STATE    the buffer is closed or detached
 * SV_ERROR_BLOCKED  another thread moves its memory */
SV_API sv_status sv_view_from_buffer(sv_buffer *buffer, SV_OPT const sv_layout *layout, sv_dtype dtype,
                                     int64_t offset, uint32_t flags, SV_OUT sv_view **out);

/** View a DLPack tensor of major version 1.
 *
 * Shape and strides are copied out, so the tensor's own may change afterwards. Its deleter, unless NULL, runs once,
 * when the last view of the memory is released; but at once for a tensor that this copy of libsv exported, because
 * the view then keeps the exported memory itself. So an array can be handed on any number of times without a chain of
 * owners. Where memory has addresses, base is the element with all indices 0.
 *
 * Strides of NULL mean C order. Any alignment and any strides are accepted, and for empty tensors any data. Flags
 * that DLPack 1.3 does not have are ignored. SV_READ_ONLY makes the view read-only even if the tensor may be written.
 *
 * Elements below a byte, packed, are taken in groups that fill bytes, along the last axis of stride 1: int4 of 2 x 6
 * becomes int4x2 of 2 x 3. Those that the tensor says are padded to bytes stay what they are.
 *
 * SV_ERROR_VERSION      another major version; no other field was read
 * SV_ERROR_PROTOCOL     negative ndim or extent, shape missing, or no data though there are elements
 * SV_ERROR_LAYOUT       packed elements below a byte that cannot be grouped: no axis of stride 1, an odd extent or
 *                       stride
 * SV_ERROR_UNSUPPORTED  vectors of sub-byte elements padded to bytes */
SV_API sv_status sv_view_from_dlpack(SV_TAKE struct DLManagedTensorVersioned *tensor, uint32_t flags,
                                     SV_OUT sv_view **out);

/** View a DLPack tensor of the old form, which has no version and no flags; else as sv_view_from_dlpack(). The old
 * form cannot say that memory is read-only: pass SV_READ_ONLY unless it is known that it may be written. */
SV_API sv_status sv_view_from_dlpack_unversioned(SV_TAKE struct DLManagedTensor *tensor, uint32_t flags,
                                                 SV_OUT sv_view **out);

/** View what a bare DLTensor describes, which does not own its memory; else as sv_view_from_dlpack().
 *
 * @param tensor  address of a DLTensor, which is not needed after the call */
SV_API sv_status sv_view_from_dltensor(const void *tensor, uint32_t flags, SV_OPT sv_release_callback release,
                                       SV_OPT SV_TAKE void *ctx, SV_OUT sv_view **out);

/** View host memory as a Py_buffer or its like describes it (PEP 3118). Formats of one number become its type.
 * Records, strings, repeats, pointers and whatever else the grammar allows become SV_OPAQUE items of itemsize bytes,
 * and so do items whose format and item size disagree, as those of ctypes do.
 *
 * @param format  format text; NULL means "B"
 * @param shape   ndim extents; NULL with one axis: as many items as there are
 * @param nbytes  bytes of all items, each index counted
 *
 * SV_ERROR_DTYPE        format breaks the grammar, nests more than 32 deep, or holds references to Python objects
 * SV_ERROR_UNSUPPORTED  a number in the other byte order; opaque items are taken in any
 * SV_ERROR_PROTOCOL     nbytes is not what the shape has */
SV_API sv_status sv_view_from_pep3118(SV_OPT const char *format, int64_t itemsize, int32_t ndim,
                                      SV_OPT const int64_t *shape, SV_OPT const int64_t *byte_strides,
                                      SV_OPT void *pointer, int64_t nbytes, uint32_t flags,
                                      SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                      SV_OUT sv_view **out);

/** View memory as the fields of __array_interface__ or of __cuda_array_interface__ (version 3) describe it. Types that
 * DLPack does not have, as "|V7", "<U5" and "<M8[s]", become SV_OPAQUE items.
 *
 * @param typestr  type string, "<f4"
 *
 * SV_ERROR_DTYPE        no type string, or one of Python objects or of bits
 * SV_ERROR_UNSUPPORTED  a number in the other byte order; opaque items are taken in any */
SV_API sv_status sv_view_from_array_interface(const char *typestr, int32_t ndim, const int64_t *shape,
                                              SV_OPT const int64_t *byte_strides, SV_OPT void *pointer,
                                              int32_t device_type, int32_t device_id, uint32_t flags,
                                              SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                              SV_OUT sv_view **out);

/** Read the same memory, from the same base, through another layout of the same item size.
 *
 * SV_ERROR_DTYPE  another item size, and the type is not SV_OPAQUE
 * SV_ERROR_RANGE  an element lies outside the memory */
SV_API sv_status sv_view_with_layout(const sv_view *view, const sv_layout *layout, SV_OUT sv_view **out);

/** Read the same memory, from the same base, through what a builder holds; SV_ERROR_STATE if it was not started. It is
 * sv_layout_builder_finish() and sv_view_with_layout() in one allocation. */
SV_API sv_status sv_view_with_builder(const sv_view *view, const sv_layout_builder *builder, SV_OUT sv_view **out);

/** The sv_layout operation of the same name, on a view: the same memory, rearranged. Parameters and statuses are those
 * of the sv_layout function. Each makes one allocation. For any other operation, or several, rearrange the layout and
 * use sv_view_with_layout() or sv_view_with_builder(). */
SV_API sv_status sv_view_permute(const sv_view *view, int32_t ndim, SV_OPT const int32_t *axes, SV_OUT sv_view **out);
SV_API sv_status sv_view_slice(const sv_view *view, int32_t count, const int64_t *start, const int64_t *stop,
                               SV_OPT const int64_t *step, SV_OUT sv_view **out);
SV_API sv_status sv_view_index(const sv_view *view, int32_t axis, int64_t index, SV_OUT sv_view **out);
SV_API sv_status sv_view_reshape(const sv_view *view, int32_t ndim, const int64_t *shape, SV_OUT sv_view **out);
SV_API sv_status sv_view_broadcast(const sv_view *view, int32_t ndim, const int64_t *shape, SV_OUT sv_view **out);

/** Read the same elements as another type of the same size (else SV_ERROR_DTYPE). */
SV_API sv_status sv_view_with_dtype(const sv_view *view, sv_dtype dtype, SV_OUT sv_view **out);

/** The same view, through which nothing can be written. */
SV_API sv_status sv_view_as_readonly(const sv_view *view, SV_OUT sv_view **out);

SV_API sv_view *sv_view_retain(SV_OPT const sv_view *view); /**< Add a reference. */
/** Drop a reference. With the last view of some memory, and the last export of one, its owner is told. */
SV_API void sv_view_release(SV_OPT SV_TAKE sv_view *view);

/** Address of the element with all indices 0; NULL of an empty view. Where memory goes by handles, the handle. */
SV_API void *sv_view_data(const sv_view *view);

SV_API const sv_layout *sv_view_layout(const sv_view *view); /**< The layout. */
SV_API sv_dtype sv_view_dtype(const sv_view *view);          /**< Element type. */
SV_API int32_t sv_view_device_type(const sv_view *view);     /**< SV_DEVICE number of the memory. */
SV_API int32_t sv_view_device_id(const sv_view *view);       /**< Ordinal of the device. */
SV_API int32_t sv_view_is_readonly(const sv_view *view);     /**< Whether writing through the view is refused. */

/** The bytes that may be touched, relative to the base: [lower, upper), with the unknown limits of sv_view_new(). */
SV_API sv_status sv_view_bounds(const sv_view *view, SV_OUT int64_t *lower, SV_OUT int64_t *upper);

/** Number of references that keep the memory of a view.
 *
 * They are those to this view and to the view that it was made from, which has one of each view made from it. An
 * export counts as a view. 1: when this reference ends, the memory is let go. Only then, and while no other thread
 * uses this handle, the number stays what it is.
 *
 * Garbage collectors ask this: what keeps the memory may be collected together with the holder of the only reference.
 */
SV_API int64_t sv_view_references(const sv_view *view);

/** The ctx that the memory of a view, or of the view that it was made from, is let go with, if by this release. Else
 * NULL. The memory may end with the last reference to the view. */
SV_API void *sv_view_context(const sv_view *view, SV_OPT sv_release_callback release);

/** The buffer that a view, or the view it was made from, was made of; NULL when there is none. */
SV_API const sv_buffer *sv_view_buffer(const sv_view *view);

/** Whether elements of two views share a byte; those of an empty view do not.
 *
 * Host and CUDA memory of any kind and device has one address space. Of other memory only such of the same device
 * type is compared by address: on another device it is apart, of another type it may be shared. Handles are compared
 * the same way, and two different ones may share memory.
 *
 * @param work  as for sv_layout_is_unique() */
SV_API sv_status sv_view_overlap(const sv_view *view, const sv_view *other, int64_t work, SV_OUT sv_answer *answer);

/** Look at a view as a standard DLPack structure, for typed access. Costs nothing. It belongs to the view; deleter and
 * manager_ctx are NULL. The answer is NULL, with a message, where DLPack cannot say it: strides that are no multiple
 * of the item size, opaque items, or an offset below a handle. */
SV_API const struct DLManagedTensorVersioned *sv_view_borrow(const sv_view *view);

/** Flags of sv_view_kernel_arg(). */
enum {
    SV_KERNEL_WRITES = 1, /**< the kernel writes elements: SV_ERROR_READ_ONLY of a read-only view */
    SV_KERNEL_HOST = 2    /**< memory of the host alone is taken too */
};

/** Describe a view for a kernel, as a plain block that is passed by value:
 *
 *     address of the element with all indices 0    uint64_t
 *     shape[ndim]                                  int64_t each
 *     strides[ndim], in elements                   int64_t each
 *
 * without padding, 8 + 16 * ndim bytes. In CUDA C++ it is strideview::array<T, ndim> of sv_kernel.hpp, which is
 * installed beside sv.h. The block keeps nothing alive, and orders nothing: the memory must live, and what writes it
 * be waited for, as with any pointer that a kernel is given.
 *
 * Kernels are compiled for a number of axes and a type, which the caller tells. Strides may be negative or 0; that of
 * an axis of one element is of no account. After an error nothing was written.
 *
 * @param ndim      axes that the kernel expects
 * @param itemsize  bytes of an element that the kernel expects
 * @param flags     SV_KERNEL bits. Without SV_KERNEL_HOST the memory must be such that CUDA devices use: pinned, of a
 *                  device, or managed. With it ordinary memory is taken, for code that runs on the host and devices
 *                  that read all of its memory
 * @param capacity  bytes of block, of which only those that are needed are written
 * @param block     receives the block; it need not be aligned
 *
 * SV_ERROR_INVALID    unknown flag; a negative ndim
 * SV_ERROR_LAYOUT     the view has another number of axes, or a stride in bytes is no multiple of the item size
 * SV_ERROR_DTYPE      the elements have another size
 * SV_ERROR_ALIGNMENT  the address is no multiple of the largest power of two, at most 16, that divides the item size,
 *                     as C++ has it
 * SV_ERROR_READ_ONLY  SV_KERNEL_WRITES, and the view is read-only
 * SV_ERROR_DEVICE     memory that is known by a handle, of another kind of device, or, without SV_KERNEL_HOST, of the
 *                     host alone */
SV_API sv_status sv_view_kernel_arg(const sv_view *view, int32_t ndim, int64_t itemsize, uint32_t flags,
                                    size_t capacity, SV_OUT void *block);

/** Hand a view on as a DLPack tensor, version 1.3, which keeps the memory alive. The caller ends it with its deleter,
 * on any thread.
 *
 * @param flags  0 or SV_IS_COPIED; read-only is told by itself
 *
 * SV_ERROR_LAYOUT  strides are no multiple of the item size, or an offset lies below a handle
 * SV_ERROR_DTYPE   opaque items */
SV_API sv_status sv_view_to_dlpack(const sv_view *view, uint32_t flags, SV_OUT struct DLManagedTensorVersioned **out);

/** Hand a view on as a DLPack tensor of the old form; else as sv_view_to_dlpack().
 *
 * SV_ERROR_READ_ONLY    the old form cannot tell that a view is read-only
 * SV_ERROR_UNSUPPORTED  nor that sub-byte elements are padded */
SV_API sv_status sv_view_to_dlpack_unversioned(const sv_view *view, SV_OUT struct DLManagedTensor **out);

/* --- empty -------------------------------------------------------------- */

/** Make a new array: dense, in C order, in memory of its own. The memory is freed when the view and all views and
 * exports made from it are released. sv_view_buffer() tells its buffer. This function and the next two answer what
 * sv_buffer_new() does, too.
 *
 * @param allocator  where the memory comes from; NULL: ordinary host memory
 * @param dtype      element type, not SV_OPAQUE (SV_ERROR_DTYPE)
 * @param flags      0: the elements are not initialised; SV_BUFFER_ZERO: all their bytes are 0
 * @param stream     as for sv_buffer_new(); 0 for host memory */
SV_API sv_status sv_empty(SV_OPT const sv_allocator *allocator, sv_dtype dtype, int32_t ndim, const int64_t *shape,
                          uint32_t flags, uintptr_t stream, SV_OUT sv_view **out);

/** Make a new array of a given layout, of any strides, in memory of exactly the bytes that its elements reach. A
 * byte_offset, and bytes between elements, are kept as the layout says, but nothing lies before the first and behind
 * the last element. SV_BUFFER_ZERO zeroes gaps too.
 *
 * @param dtype  element type, of the layout's item size (else SV_ERROR_DTYPE); or SV_OPAQUE */
SV_API sv_status sv_empty_layout(SV_OPT const sv_allocator *allocator, const sv_layout *layout, sv_dtype dtype,
                                 uint32_t flags, uintptr_t stream, SV_OUT sv_view **out);

/** Make a new dense array of the shape and element type of another one: "a tensor like this one, on the device". No
 * element of the other one is read, and what memory it has does not matter.
 *
 * @param order  SV_ORDER_C, SV_ORDER_F, or SV_ORDER_K: the axes in the order that they have in memory; axes of stride
 *               0 get memory. Another order is SV_ERROR_INVALID */
SV_API sv_status sv_empty_like(SV_OPT const sv_allocator *allocator, const sv_view *view, sv_order order,
                               uint32_t flags, uintptr_t stream, SV_OUT sv_view **out);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_VIEW_H */
