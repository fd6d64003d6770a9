/*
 * strideview.h: typed access, from C, Cython and C++, to the arrays that Python objects hold.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * For extension modules of Python. It comes with the Python package strideview, in the directory that
 * strideview.get_include() names, and needs that package at run time. Nothing is linked: every function is in a
 * table, which is got once, when the module is imported:
 *
 *     static const strideview_api *sv;
 *
 *     sv = strideview_import();                            // NULL with an ImportError
 *
 * Then an array is held for as long as it is needed, whatever library it is of, much as by a Py_buffer:
 *
 *     strideview_array a;
 *
 *     if (sv->open(object, STRIDEVIEW_HOST, 0, &a) < 0)    // with an exception
 *         return NULL;
 *     ... a.data, a.ndim, a.shape, a.byte_strides, a.dtype ...
 *     sv->close(&a);
 *
 * or by a handle, for everything that libsv can do with it:
 *
 *     sv_view *view = sv->acquire(object, 0, 0);           // NULL with an exception
 *     ... sv->view_borrow(view), sv->view_with_layout(...), sv->copy(...) ...
 *     sv->view_release(view);
 *
 * sv->view_X and sv->layout_X are sv_view_X() and sv_layout_X() of sv.h, which documents them. doc/extensions.md tells
 * the rest: lifetime, threads, streams, versions.
 */
#ifndef STRIDEVIEW_H
#define STRIDEVIEW_H

#include <Python.h>

#include "sv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What acquire() and open() are to insist on. Without the bit BufferError is not raised for it. */
enum {
    STRIDEVIEW_WRITABLE = 1, /* the memory may be written */
    STRIDEVIEW_HOST = 2,     /* the host can read it */
    STRIDEVIEW_DLPACK = 4,   /* DLPack can say it, so that view_borrow() gives a tensor: no records, no odd strides */
    STRIDEVIEW_C_ORDER = 8,  /* C-contiguous */
    STRIDEVIEW_F_ORDER = 16  /* Fortran-contiguous */
};

/* An array as C values, as a Py_buffer has them. It lies where the caller wants it, is filled by open() and ended by
 * close(), and is not to be copied or written. */
typedef struct strideview_array {
    void *data;                  /* address of the element with all indices 0; NULL when there are no elements */
    const int64_t *shape;        /* ndim extents */
    const int64_t *byte_strides; /* ndim strides in bytes: negative, 0, and no multiple of itemsize, as they come */
    int64_t size;                /* elements */
    int64_t itemsize;            /* bytes of one */
    int32_t ndim;
    sv_dtype dtype;
    int32_t device_type, device_id; /* SV_DEVICE number, ordinal */
    int32_t readonly;               /* 1 when the memory must not be written */

    /* Of strideview alone. */
    sv_view *view;
    PyObject *object;
    int64_t numbers[16];
} strideview_array;

/*
 * The table. Members are only ever appended; what makes older callers wrong raises the ABI version.
 *
 * The functions of the first part run Python code: the caller holds the interpreter's lock. close(), and those made
 * from sv.h, view_release() included, need no lock and no thread state.
 */
typedef struct strideview_api {
    uint32_t size;        /* bytes of this table */
    int32_t abi;          /* SV_ABI_VERSION of the library */
    const char *release;  /* of the package, "0.1.0" */
    const void *instance; /* differs between copies of the library: a handle never crosses from one to another */

    PyTypeObject *view_type;   /* StridedMemoryView */
    PyTypeObject *layout_type; /* StridedLayout */

    /*
     * View the memory of an object, in the order of strideview.view(): what it is of its own accord, DLPack, array
     * interfaces, the buffer protocol. The view keeps the memory alive and ends with view_release(), on any thread.
     * flags: STRIDEVIEW bits. stream: where memory of a device is going to be used: 0 not said, -1 order nothing, 1 the
     * legacy default stream, 2 the per-thread one, else the runtime's handle. NULL with an exception: TypeError for
     * what is no array, BufferError for what a flag or a protocol refuses.
     */
    sv_view *(*acquire)(PyObject *object, uint32_t flags, int64_t stream);

    /*
     * The same as C values, for half the cost: all that most callers need. 0, or -1 with an exception. close() ends it,
     * on any thread, and does nothing the second time.
     */
    int (*open)(PyObject *object, uint32_t flags, int64_t stream, strideview_array *out);
    void (*close)(strideview_array *array);

    /* The handle of a StridedMemoryView or StridedLayout, borrowed from it. NULL with a TypeError for other objects. */
    const sv_view *(*view_of)(PyObject *object);
    const sv_layout *(*layout_of)(PyObject *object);

    /* A new object that holds a reference of its own. exporter: what exporting_obj tells, may be NULL. */
    PyObject *(*view_object)(const sv_view *view, PyObject *exporter);
    PyObject *(*layout_object)(const sv_layout *layout);

    /* Set the exception that strideview raises for a status, with the text of this thread's last failure. NULL. */
    PyObject *(*set_error)(sv_status status);

    /*
     * open() of an array that is wanted with one dtype and number of axes: TypeError for another dtype, ValueError for
     * other axes, with what is needed and what came: "float32 with 2 axes is needed, got float64 of shape (5, 7)".
     * dtype: SV_OPAQUE takes any; ndim: -1 takes any.
     */
    int (*open_as)(PyObject *object, uint32_t flags, sv_dtype dtype, int32_t ndim, int64_t stream,
                   strideview_array *out);

    void *reserved[7]; /* NULL; for more functions of this kind */

    /* >>> from sv.h */
    int32_t (*version)(void);
    const char *(*version_text)(void);
    int32_t (*abi_version)(void);
    uint32_t (*features)(void);
    const char *(*status_name)(sv_status status);
    const char *(*last_message)(void);
    sv_status (*dtype_make)(int32_t code, int32_t bits, int32_t lanes, sv_dtype *out);
    int64_t (*dtype_itemsize)(sv_dtype dtype);
    int32_t (*dtype_code)(sv_dtype dtype);
    int32_t (*dtype_bits)(sv_dtype dtype);
    int32_t (*dtype_lanes)(sv_dtype dtype);
    sv_status (*dtype_name)(sv_dtype dtype, size_t capacity, char *text, size_t *length);
    sv_status (*dtype_parse)(const char *name, sv_dtype *out);
    sv_status (*dtype_typestr)(sv_dtype dtype, size_t capacity, char *text, size_t *length);
    sv_status (*dtype_from_typestr)(const char *typestr, sv_dtype *out);
    sv_status (*dtype_format)(sv_dtype dtype, size_t capacity, char *text, size_t *length);
    sv_status (*dtype_from_format)(const char *format, int64_t itemsize, sv_dtype *out);
    int32_t (*can_cast)(sv_dtype source, sv_dtype target, sv_casting casting);
    sv_status (*layout_new)(
        int32_t ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize, sv_layout **out);
    sv_status (*layout_new_bytes)(
        int32_t ndim, const int64_t *shape, const int64_t *byte_strides, int64_t itemsize, sv_layout **out);
    sv_status (*layout_new_dense)(
        int32_t ndim, const int64_t *shape, sv_order order, const int32_t *axes, int64_t itemsize, sv_layout **out);
    sv_status (*layout_parse)(const char *text, sv_layout **out);
    sv_layout *(*layout_retain)(const sv_layout *layout);
    void (*layout_release)(sv_layout *layout);
    int32_t (*layout_ndim)(const sv_layout *layout);
    const int64_t *(*layout_shape)(const sv_layout *layout);
    const int64_t *(*layout_byte_strides)(const sv_layout *layout);
    sv_status (*layout_strides)(const sv_layout *layout, const int64_t **strides);
    int64_t (*layout_itemsize)(const sv_layout *layout);
    int64_t (*layout_size)(const sv_layout *layout);
    int64_t (*layout_nbytes)(const sv_layout *layout);
    int64_t (*layout_byte_offset)(const sv_layout *layout);
    int32_t (*layout_is_contiguous)(const sv_layout *layout, sv_order order);
    int32_t (*layout_is_dense)(const sv_layout *layout);
    int32_t (*layout_is_within)(const sv_layout *layout, int64_t lower, int64_t upper);
    sv_status (*layout_byte_bounds)(const sv_layout *layout, int64_t *lower, int64_t *upper);
    sv_status (*layout_required_size)(const sv_layout *layout, int64_t *nbytes);
    sv_status (*layout_stride_order)(const sv_layout *layout, int32_t *axes);
    uint64_t (*layout_flatten_mask)(const sv_layout *layout);
    sv_status (*layout_alignment)(const sv_layout *layout, uintptr_t address, int64_t *alignment);
    sv_status (*layout_max_itemsize)(
        const sv_layout *layout, int64_t limit, uintptr_t address, int32_t axis, int64_t *itemsize);
    int32_t (*layout_equal)(const sv_layout *layout, const sv_layout *other);
    uint64_t (*layout_hash)(const sv_layout *layout);
    sv_status (*layout_text)(const sv_layout *layout, size_t capacity, char *text, size_t *length);
    sv_status (*layout_is_unique)(const sv_layout *layout, int64_t work, sv_answer *answer);
    sv_status (*layout_overlap)(
        const sv_layout *layout, const sv_layout *other, uintptr_t address, uintptr_t other_address, int64_t work,
        sv_answer *answer);
    int32_t (*layout_same_bytes)(const sv_layout *layout, const sv_layout *other);
    sv_status (*layout_common)(const sv_layout *dst, const sv_layout *src, sv_layout **dst_out, sv_layout **src_out);
    sv_status (*layout_common_itemsize)(
        const sv_layout *dst, const sv_layout *src, uintptr_t dst_address, uintptr_t src_address, int64_t limit,
        int64_t *itemsize);
    sv_status (*layout_broadcast_shape)(
        const sv_layout *layout, const sv_layout *other, int32_t *ndim, int64_t *shape);
    sv_status (*layout_permutation)(const sv_layout *layout, const sv_layout *other, int32_t *axes);
    sv_status (*layout_permute)(const sv_layout *layout, int32_t ndim, const int32_t *axes, sv_layout **out);
    sv_status (*layout_slice)(
        const sv_layout *layout, int32_t count, const int64_t *start, const int64_t *stop, const int64_t *step,
        sv_layout **out);
    sv_status (*layout_index)(const sv_layout *layout, int32_t axis, int64_t index, sv_layout **out);
    sv_status (*layout_reshape)(const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out);
    sv_status (*layout_broadcast)(const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out);
    sv_status (*layout_squeeze)(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out);
    sv_status (*layout_unsqueeze)(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out);
    sv_status (*layout_to_dense)(
        const sv_layout *layout, sv_order order, int32_t ndim, const int32_t *axes, int64_t itemsize, sv_layout **out);
    sv_status (*layout_flatten)(const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out);
    sv_status (*layout_flatten_masked)(const sv_layout *layout, uint64_t mask, sv_layout **out);
    sv_status (*layout_merge_axes)(const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out);
    sv_status (*layout_split_axis)(
        const sv_layout *layout, int32_t axis, int32_t count, const int64_t *extents, sv_layout **out);
    sv_status (*layout_move_axes)(
        const sv_layout *layout, int32_t count, const int32_t *axes, const int32_t *places, sv_layout **out);
    sv_status (*layout_swap_axes)(const sv_layout *layout, int32_t axis, int32_t other, sv_layout **out);
    sv_status (*layout_flip)(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out);
    sv_status (*layout_diagonal)(
        const sv_layout *layout, int64_t offset, int32_t axis, int32_t other, sv_layout **out);
    sv_status (*layout_window)(
        const sv_layout *layout, int32_t count, const int32_t *axes, const int64_t *window, sv_layout **out);
    sv_status (*layout_repack)(
        const sv_layout *layout, int64_t itemsize, uintptr_t address, int32_t axis, int32_t keep_dim, sv_layout **out);
    sv_status (*layout_builder_new)(sv_layout_builder **out);
    void (*layout_builder_release)(sv_layout_builder *builder);
    sv_status (*layout_builder_start)(sv_layout_builder *builder, const sv_layout *layout);
    sv_status (*layout_builder_permute)(sv_layout_builder *builder, int32_t ndim, const int32_t *axes);
    sv_status (*layout_builder_slice)(
        sv_layout_builder *builder, int32_t count, const int64_t *start, const int64_t *stop, const int64_t *step);
    sv_status (*layout_builder_index)(sv_layout_builder *builder, int32_t axis, int64_t index);
    sv_status (*layout_builder_reshape)(sv_layout_builder *builder, int32_t ndim, const int64_t *shape);
    sv_status (*layout_builder_broadcast)(sv_layout_builder *builder, int32_t ndim, const int64_t *shape);
    sv_status (*layout_builder_squeeze)(sv_layout_builder *builder, int32_t count, const int32_t *axes);
    sv_status (*layout_builder_unsqueeze)(sv_layout_builder *builder, int32_t count, const int32_t *axes);
    sv_status (*layout_builder_to_dense)(
        sv_layout_builder *builder, sv_order order, int32_t ndim, const int32_t *axes, int64_t itemsize);
    sv_status (*layout_builder_flatten)(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis);
    sv_status (*layout_builder_flatten_masked)(sv_layout_builder *builder, uint64_t mask);
    sv_status (*layout_builder_merge_axes)(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis);
    sv_status (*layout_builder_split_axis)(
        sv_layout_builder *builder, int32_t axis, int32_t count, const int64_t *extents);
    sv_status (*layout_builder_move_axes)(
        sv_layout_builder *builder, int32_t count, const int32_t *axes, const int32_t *places);
    sv_status (*layout_builder_swap_axes)(sv_layout_builder *builder, int32_t axis, int32_t other);
    sv_status (*layout_builder_flip)(sv_layout_builder *builder, int32_t count, const int32_t *axes);
    sv_status (*layout_builder_diagonal)(sv_layout_builder *builder, int64_t offset, int32_t axis, int32_t other);
    sv_status (*layout_builder_window)(
        sv_layout_builder *builder, int32_t count, const int32_t *axes, const int64_t *window);
    sv_status (*layout_builder_repack)(
        sv_layout_builder *builder, int64_t itemsize, uintptr_t address, int32_t axis, int32_t keep_dim);
    sv_status (*layout_builder_finish)(const sv_layout_builder *builder, sv_layout **out);
    const char *(*device_name)(int32_t device_type);
    uint32_t (*device_traits)(int32_t device_type);
    sv_status (*device_probe)(int32_t device_type, sv_device_state *state, int32_t *count);
    sv_status (*device_text)(int32_t device_type, size_t capacity, char *text, size_t *length);
    sv_status (*device_property)(int32_t device_type, int32_t device_id, int32_t property, int64_t *value);
    sv_status (*stream_wait)(
        int32_t device_type, int32_t device_id, uintptr_t stream, int32_t other_device_type, int32_t other_device_id,
        uintptr_t other);
    sv_status (*stream_synchronize)(int32_t device_type, int32_t device_id, uintptr_t stream);
    sv_status (*stream_query)(
        int32_t device_type, int32_t device_id, uintptr_t stream, int32_t *owner, int32_t *captured);
    const char *(*memory_name)(sv_memory kind);
    sv_status (*pointer_query)(
        const void *pointer, sv_memory *kind, uint32_t *traits, int32_t *device_id, void **device_address,
        void **host_address);
    sv_status (*allocator_host)(uint32_t flags, sv_allocator **out);
    sv_status (*allocator_pinned)(sv_allocator **out);
    sv_status (*allocator_device)(int32_t device_id, sv_allocator **out);
    sv_status (*allocator_managed)(int32_t device_id, sv_allocator **out);
    sv_status (*allocator_pool)(
        sv_memory kind, int32_t device_id, int64_t initial, int64_t threshold, int64_t most, sv_allocator **out);
    sv_status (*allocator_pool_view)(sv_memory kind, int32_t device_id, uintptr_t pool, sv_allocator **out);
    sv_status (*allocator_callbacks)(
        sv_memory kind, int32_t device_type, int32_t device_id, sv_allocate_callback allocate, sv_free_callback free,
        sv_release_callback release, void *ctx, sv_allocator **out);
    sv_status (*allocator_tracked)(const sv_allocator *base, const char *name, uint32_t flags, sv_allocator **out);
    sv_status (*allocator_limited)(const sv_allocator *base, int64_t most, sv_allocator **out);
    sv_status (*allocator_cached)(const sv_allocator *base, int64_t threshold, sv_allocator **out);
    sv_status (*allocator_logged)(
        const sv_allocator *base, sv_memory_callback log, sv_release_callback release, void *ctx, sv_allocator **out);
    sv_status (*allocator_retrying)(
        const sv_allocator *base, int32_t attempts, sv_no_memory_callback ask, sv_release_callback release, void *ctx,
        sv_allocator **out);
    sv_allocator *(*allocator_retain)(const sv_allocator *allocator);
    void (*allocator_release)(sv_allocator *allocator);
    sv_memory (*allocator_kind)(const sv_allocator *allocator);
    int32_t (*allocator_device_type)(const sv_allocator *allocator);
    int32_t (*allocator_device_id)(const sv_allocator *allocator);
    uint32_t (*allocator_traits)(const sv_allocator *allocator);
    int64_t (*allocator_alignment)(const sv_allocator *allocator);
    const char *(*allocator_name)(const sv_allocator *allocator);
    sv_status (*allocator_allocate)(
        const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uintptr_t stream, void **pointer);
    sv_status (*allocator_free)(
        const sv_allocator *allocator, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);
    sv_status (*allocator_stats)(const sv_allocator *allocator, int32_t stat, int64_t *value);
    sv_status (*allocator_reset_peaks)(const sv_allocator *allocator);
    sv_status (*allocator_visit)(const sv_allocator *allocator, sv_block_callback visit, void *ctx);
    sv_status (*allocator_from_handler)(
        int32_t device_id, sv_handler_allocate_callback allocate, sv_handler_free_callback free,
        sv_release_callback release, void *ctx, sv_allocator **out);
    sv_status (*handler_allocate_from)(void *allocator, void **pointer, size_t nbytes, void *stream);
    sv_status (*handler_free_to)(void *allocator, void *pointer, size_t nbytes, void *stream);
    sv_status (*allocator_from_torch)(
        int32_t device_id, sv_torch_allocate_callback allocate, sv_torch_free_callback free, sv_allocator **out);
    sv_status (*torch_use)(int32_t device_id, const sv_allocator *allocator);
    void *(*torch_allocate)(int64_t nbytes, int32_t device, void *stream);
    void (*torch_free)(void *pointer, int64_t nbytes, int32_t device, void *stream);
    sv_status (*buffer_new)(
        const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uint32_t flags, uintptr_t stream,
        sv_buffer **out);
    sv_status (*buffer_adopt)(
        void *pointer, int64_t nbytes, sv_memory kind, int32_t device_type, int32_t device_id, uint32_t flags,
        uintptr_t stream, sv_free_callback free, void *ctx, sv_buffer **out);
    sv_status (*buffer_register)(
        void *pages, int64_t nbytes, uint32_t flags, sv_release_callback release, void *ctx, sv_buffer **out);
    sv_status (*buffer_slice)(
        const sv_buffer *buffer, int64_t offset, int64_t nbytes, uint32_t flags, sv_buffer **out);
    sv_buffer *(*buffer_retain)(const sv_buffer *buffer);
    void (*buffer_release)(sv_buffer *buffer);
    void (*buffer_release_later)(sv_buffer *buffer);
    sv_status (*buffer_detach)(
        sv_buffer *buffer, void **pointer, int64_t *nbytes, int64_t *alignment, uintptr_t *stream,
        sv_free_callback *free, void **ctx);
    sv_status (*buffer_close)(sv_buffer *buffer, uintptr_t stream);
    void *(*buffer_data)(const sv_buffer *buffer);
    void *(*buffer_host_data)(const sv_buffer *buffer);
    int64_t (*buffer_nbytes)(const sv_buffer *buffer);
    int64_t (*buffer_capacity)(const sv_buffer *buffer);
    int64_t (*buffer_alignment)(const sv_buffer *buffer);
    sv_memory (*buffer_kind)(const sv_buffer *buffer);
    uint32_t (*buffer_traits)(const sv_buffer *buffer);
    int32_t (*buffer_device_type)(const sv_buffer *buffer);
    int32_t (*buffer_device_id)(const sv_buffer *buffer);
    uintptr_t (*buffer_stream)(const sv_buffer *buffer);
    const sv_allocator *(*buffer_allocator)(const sv_buffer *buffer);
    const sv_buffer *(*buffer_parent)(const sv_buffer *buffer);
    int64_t (*buffer_exports)(const sv_buffer *buffer);
    int64_t (*buffer_references)(const sv_buffer *buffer);
    int32_t (*buffer_is_closed)(const sv_buffer *buffer);
    void *(*buffer_context)(const sv_buffer *buffer, sv_free_callback free);
    sv_status (*buffer_begin_export)(sv_buffer *buffer);
    void (*buffer_end_export)(sv_buffer *buffer);
    sv_status (*buffer_read)(
        const sv_buffer *buffer, int64_t offset, void *dst, int64_t nbytes, uint32_t flags, uintptr_t stream);
    sv_status (*buffer_write)(
        sv_buffer *buffer, int64_t offset, const void *src, int64_t nbytes, uint32_t flags, uintptr_t stream);
    sv_status (*buffer_copy)(
        sv_buffer *dst, int64_t dst_offset, const sv_buffer *src, int64_t src_offset, int64_t nbytes, uint32_t flags,
        uintptr_t stream);
    sv_status (*buffer_fill)(
        sv_buffer *buffer, int64_t offset, int64_t nbytes, const void *item, int64_t itemsize, uint32_t flags,
        uintptr_t stream);
    sv_status (*buffer_resize)(sv_buffer *buffer, int64_t nbytes, uint32_t flags, uintptr_t stream);
    sv_status (*buffer_reserve)(sv_buffer *buffer, int64_t capacity, uintptr_t stream);
    sv_status (*buffer_shrink)(sv_buffer *buffer, uintptr_t stream);
    sv_status (*buffer_migrate)(sv_buffer *buffer, const sv_allocator *allocator, uint32_t flags, uintptr_t stream);
    sv_status (*buffer_set_stream)(sv_buffer *buffer, uintptr_t stream);
    sv_status (*buffer_record_use)(const sv_buffer *buffer, uintptr_t stream);
    sv_status (*buffer_prefetch)(
        int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id, uint32_t flags,
        uintptr_t stream);
    sv_status (*buffer_discard)(
        int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id, uint32_t flags,
        uintptr_t stream);
    sv_status (*buffer_advise)(
        int64_t count, sv_buffer *const *buffers, int32_t advice, int32_t device_type, int32_t device_id,
        uint32_t flags);
    sv_status (*buffer_export_ipc)(const sv_buffer *buffer, size_t capacity, void *blob, size_t *length);
    sv_status (*buffer_import_ipc)(const void *blob, size_t length, uint32_t flags, sv_buffer **out);
    sv_status (*memory_collect)(uint32_t flags, int64_t *left);
    sv_status (*memory_stats)(sv_memory kind, int32_t stat, int64_t *value);
    sv_status (*view_from_host)(
        sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *pointer,
        uint32_t flags, sv_view **out);
    sv_status (*view_from_pointer)(
        const sv_layout *layout, sv_dtype dtype, void *pointer, int64_t nbytes, uint32_t flags, sv_view **out);
    sv_status (*view_new)(
        const sv_layout *layout, sv_dtype dtype, void *base, int64_t lower, int64_t upper, int32_t device_type,
        int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
    sv_status (*view_from_array)(
        sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *pointer,
        int32_t device_type, int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
    sv_status (*view_from_buffer)(
        sv_buffer *buffer, const sv_layout *layout, sv_dtype dtype, int64_t offset, uint32_t flags, sv_view **out);
    sv_status (*view_from_dlpack)(struct DLManagedTensorVersioned *tensor, uint32_t flags, sv_view **out);
    sv_status (*view_from_dlpack_unversioned)(struct DLManagedTensor *tensor, uint32_t flags, sv_view **out);
    sv_status (*view_from_dltensor)(
        const void *tensor, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
    sv_status (*view_from_pep3118)(
        const char *format, int64_t itemsize, int32_t ndim, const int64_t *shape, const int64_t *byte_strides,
        void *pointer, int64_t nbytes, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
    sv_status (*view_from_array_interface)(
        const char *typestr, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *pointer,
        int32_t device_type, int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
    sv_status (*view_with_layout)(const sv_view *view, const sv_layout *layout, sv_view **out);
    sv_status (*view_with_builder)(const sv_view *view, const sv_layout_builder *builder, sv_view **out);
    sv_status (*view_permute)(const sv_view *view, int32_t ndim, const int32_t *axes, sv_view **out);
    sv_status (*view_slice)(
        const sv_view *view, int32_t count, const int64_t *start, const int64_t *stop, const int64_t *step,
        sv_view **out);
    sv_status (*view_index)(const sv_view *view, int32_t axis, int64_t index, sv_view **out);
    sv_status (*view_reshape)(const sv_view *view, int32_t ndim, const int64_t *shape, sv_view **out);
    sv_status (*view_broadcast)(const sv_view *view, int32_t ndim, const int64_t *shape, sv_view **out);
    sv_status (*view_with_dtype)(const sv_view *view, sv_dtype dtype, sv_view **out);
    sv_status (*view_as_readonly)(const sv_view *view, sv_view **out);
    sv_view *(*view_retain)(const sv_view *view);
    void (*view_release)(sv_view *view);
    void *(*view_data)(const sv_view *view);
    const sv_layout *(*view_layout)(const sv_view *view);
    sv_dtype (*view_dtype)(const sv_view *view);
    int32_t (*view_device_type)(const sv_view *view);
    int32_t (*view_device_id)(const sv_view *view);
    int32_t (*view_is_readonly)(const sv_view *view);
    sv_status (*view_bounds)(const sv_view *view, int64_t *lower, int64_t *upper);
    int64_t (*view_references)(const sv_view *view);
    void *(*view_context)(const sv_view *view, sv_release_callback release);
    const sv_buffer *(*view_buffer)(const sv_view *view);
    sv_status (*view_overlap)(const sv_view *view, const sv_view *other, int64_t work, sv_answer *answer);
    const struct DLManagedTensorVersioned *(*view_borrow)(const sv_view *view);
    sv_status (*view_kernel_arg)(
        const sv_view *view, int32_t ndim, int64_t itemsize, uint32_t flags, size_t capacity, void *block);
    sv_status (*view_to_dlpack)(const sv_view *view, uint32_t flags, struct DLManagedTensorVersioned **out);
    sv_status (*view_to_dlpack_unversioned)(const sv_view *view, struct DLManagedTensor **out);
    sv_status (*empty)(
        const sv_allocator *allocator, sv_dtype dtype, int32_t ndim, const int64_t *shape, uint32_t flags,
        uintptr_t stream, sv_view **out);
    sv_status (*empty_layout)(
        const sv_allocator *allocator, const sv_layout *layout, sv_dtype dtype, uint32_t flags, uintptr_t stream,
        sv_view **out);
    sv_status (*empty_like)(
        const sv_allocator *allocator, const sv_view *view, sv_order order, uint32_t flags, uintptr_t stream,
        sv_view **out);
    sv_status (*copy)(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream);
    sv_status (*copy_with)(
        const sv_view *dst, const sv_view *src, const sv_allocator *scratch, uint32_t flags, uintptr_t stream);
    sv_status (*copy_scaled)(
        const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale, const double *bias,
        int64_t nbias, int32_t axis, uint32_t flags, uintptr_t stream);
    sv_status (*copy_scaled_batch)(
        int64_t count, sv_view *const *dst, sv_view *const *src, const double *scale, int64_t nscale,
        const double *bias, int64_t nbias, int32_t axis, uint32_t flags, uintptr_t stream, int64_t *failed);
    sv_status (*fill)(const sv_view *dst, const void *item, int64_t itemsize, uint32_t flags, uintptr_t stream);
    sv_status (*copy_batch)(
        int64_t count, sv_view *const *dst, sv_view *const *src, uint32_t flags, uintptr_t stream, int64_t *failed);
    sv_status (*copy_stack)(
        const sv_view *dst, int32_t axis, int64_t count, sv_view *const *src, uint32_t flags, uintptr_t stream,
        int64_t *failed);
    sv_status (*copy_placement)(
        const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream, int32_t *by, int32_t *device_type,
        int32_t *device_id, int32_t *waits, int32_t *done, int32_t *method);
    sv_status (*plan_new)(const sv_view *dst, const sv_view *src, uint32_t flags, sv_plan **out);
    sv_status (*plan_new_scaled)(
        const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale, const double *bias,
        int64_t nbias, int32_t axis, uint32_t flags, sv_plan **out);
    sv_plan *(*plan_retain)(const sv_plan *plan);
    void (*plan_release)(sv_plan *plan);
    sv_status (*plan_execute)(const sv_plan *plan, void *dst, const void *src, uintptr_t stream);
    sv_status (*plan_execute_views)(const sv_plan *plan, const sv_view *dst, const sv_view *src, uintptr_t stream);
    sv_status (*plan_execute_batch)(
        int64_t count, sv_plan *const *plans, void *const *dst, const void *const *src, uintptr_t stream,
        int64_t *failed);
    sv_status (*plan_execute_views_batch)(
        const sv_plan *plan, int64_t count, sv_view *const *dst, sv_view *const *src, uintptr_t stream,
        int64_t *failed);
    sv_status (*plan_execute_table)(
        const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t alignment, uintptr_t stream,
        int64_t *failed);
    const char *(*plan_class)(const sv_plan *plan);
    const char *(*plan_kernel)(const sv_plan *plan);
    sv_status (*plan_explain)(
        const sv_plan *plan, const void *dst, const void *src, size_t capacity, char *text, size_t *length);
    int64_t (*plan_nbytes)(const sv_plan *plan);
    sv_status (*plan_traffic)(const sv_plan *plan, int64_t *read, int64_t *written);
    int64_t (*plan_launches)(const sv_plan *plan);
    sv_status (*copy_parallel)(
        const sv_view *dst, const sv_view *src, int32_t threads, sv_parallel_callback run, void *ctx, uint32_t flags,
        uintptr_t stream);
    sv_status (*copy_scaled_parallel)(
        const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale, const double *bias,
        int64_t nbias, int32_t axis, int32_t threads, sv_parallel_callback run, void *ctx, uint32_t flags,
        uintptr_t stream);
    sv_status (*plan_with_threads)(
        const sv_plan *plan, int32_t threads, sv_parallel_callback run, void *ctx, sv_plan **out);
    sv_status (*plan_with_allocator)(const sv_plan *plan, const sv_allocator *scratch, sv_plan **out);
    sv_status (*plan_measure)(
        const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t limit_ns, uintptr_t stream, sv_plan **out);
    /* <<< from sv.h */
} strideview_api;

#define STRIDEVIEW_CAPSULE "strideview._C_API"

/* The table of the installed package, which stays for ever; NULL with an ImportError. */
static inline const strideview_api *strideview_import(void)
{
    const strideview_api *api = (const strideview_api *)PyCapsule_Import(STRIDEVIEW_CAPSULE, 0);

    if (api == NULL)
        return NULL;
    if (api->abi == SV_ABI_VERSION && api->size >= sizeof *api)
        return api;
    PyErr_Format(PyExc_ImportError,
                 "strideview %s is installed (ABI version %d, a table of %u bytes); this module was built for %d.%d.%d "
                 "(ABI version %d, %u bytes)", api->release, (int)api->abi, (unsigned)api->size, SV_VERSION_MAJOR,
                 SV_VERSION_MINOR, SV_VERSION_PATCH, SV_ABI_VERSION, (unsigned)sizeof *api);
    return NULL;
}

#ifdef __cplusplus
}
#endif

#endif /* STRIDEVIEW_H */
