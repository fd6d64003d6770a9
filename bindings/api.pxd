# The C table for Cython: typed access to the arrays of Python objects. strideview.h tells about it.
# Generated from include/sv.h by py/gen_bindings.py: do not edit.
from cpython.ref cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uintptr_t
from strideview.sv cimport *

cdef extern from "strideview.h":
    enum:
        STRIDEVIEW_WRITABLE
        STRIDEVIEW_HOST
        STRIDEVIEW_DLPACK
        STRIDEVIEW_C_ORDER
        STRIDEVIEW_F_ORDER
    ctypedef struct strideview_array:
        void *data
        const int64_t *shape
        const int64_t *byte_strides
        int64_t size
        int64_t itemsize
        int32_t ndim
        sv_dtype dtype
        int32_t device_type
        int32_t device_id
        int32_t readonly
    ctypedef struct strideview_api:
        uint32_t size
        int32_t abi
        const char *release
        const void *instance
        sv_view *(*acquire)(object, uint32_t flags, int64_t stream) except NULL
        int (*open)(object, uint32_t flags, int64_t stream, strideview_array *out) except -1
        int (*open_as)(
            object, uint32_t flags, sv_dtype dtype, int32_t ndim, int64_t stream, strideview_array *out) except -1
        void (*close)(strideview_array *array) noexcept nogil
        const sv_view *(*view_of)(object) except NULL
        const sv_layout *(*layout_of)(object) except NULL
        object (*view_object)(const sv_view *view, PyObject *exporter)
        object (*layout_object)(const sv_layout *layout)
        object (*set_error)(sv_status status)
        int32_t (*version)() noexcept nogil
        const char *(*version_text)() noexcept nogil
        int32_t (*abi_version)() noexcept nogil
        uint32_t (*features)() noexcept nogil
        const char *(*status_name)(sv_status status) noexcept nogil
        const char *(*last_message)() noexcept nogil
        sv_status (*dtype_make)(int32_t code, int32_t bits, int32_t lanes, sv_dtype *out) noexcept nogil
        int64_t (*dtype_itemsize)(sv_dtype dtype) noexcept nogil
        int32_t (*dtype_code)(sv_dtype dtype) noexcept nogil
        int32_t (*dtype_bits)(sv_dtype dtype) noexcept nogil
        int32_t (*dtype_lanes)(sv_dtype dtype) noexcept nogil
        sv_status (*dtype_name)(sv_dtype dtype, size_t capacity, char *text, size_t *length) noexcept nogil
        sv_status (*dtype_parse)(const char *name, sv_dtype *out) noexcept nogil
        sv_status (*dtype_typestr)(sv_dtype dtype, size_t capacity, char *text, size_t *length) noexcept nogil
        sv_status (*dtype_from_typestr)(const char *typestr, sv_dtype *out) noexcept nogil
        sv_status (*dtype_format)(sv_dtype dtype, size_t capacity, char *text, size_t *length) noexcept nogil
        sv_status (*dtype_from_format)(const char *format, int64_t itemsize, sv_dtype *out) noexcept nogil
        int32_t (*can_cast)(sv_dtype source, sv_dtype target, sv_casting casting) noexcept nogil
        sv_status (*layout_new)(
            int32_t ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize, sv_layout **out) noexcept nogil
        sv_status (*layout_new_bytes)(
            int32_t ndim, const int64_t *shape, const int64_t *byte_strides, int64_t itemsize, sv_layout **out) noexcept nogil
        sv_status (*layout_new_dense)(
            int32_t ndim, const int64_t *shape, sv_order order, const int32_t *axes, int64_t itemsize, sv_layout **out) noexcept nogil
        sv_status (*layout_parse)(const char *text, sv_layout **out) noexcept nogil
        sv_layout *(*layout_retain)(const sv_layout *layout) noexcept nogil
        void (*layout_release)(sv_layout *layout) noexcept nogil
        int32_t (*layout_ndim)(const sv_layout *layout) noexcept nogil
        const int64_t *(*layout_shape)(const sv_layout *layout) noexcept nogil
        const int64_t *(*layout_byte_strides)(const sv_layout *layout) noexcept nogil
        sv_status (*layout_strides)(const sv_layout *layout, const int64_t **strides) noexcept nogil
        int64_t (*layout_itemsize)(const sv_layout *layout) noexcept nogil
        int64_t (*layout_size)(const sv_layout *layout) noexcept nogil
        int64_t (*layout_nbytes)(const sv_layout *layout) noexcept nogil
        int64_t (*layout_byte_offset)(const sv_layout *layout) noexcept nogil
        int32_t (*layout_is_contiguous)(const sv_layout *layout, sv_order order) noexcept nogil
        int32_t (*layout_is_dense)(const sv_layout *layout) noexcept nogil
        int32_t (*layout_is_within)(const sv_layout *layout, int64_t lower, int64_t upper) noexcept nogil
        sv_status (*layout_byte_bounds)(const sv_layout *layout, int64_t *lower, int64_t *upper) noexcept nogil
        sv_status (*layout_required_size)(const sv_layout *layout, int64_t *nbytes) noexcept nogil
        sv_status (*layout_stride_order)(const sv_layout *layout, int32_t *axes) noexcept nogil
        uint64_t (*layout_flatten_mask)(const sv_layout *layout) noexcept nogil
        sv_status (*layout_alignment)(const sv_layout *layout, uintptr_t address, int64_t *alignment) noexcept nogil
        sv_status (*layout_max_itemsize)(
            const sv_layout *layout, int64_t limit, uintptr_t address, int32_t axis, int64_t *itemsize) noexcept nogil
        int32_t (*layout_equal)(const sv_layout *layout, const sv_layout *other) noexcept nogil
        uint64_t (*layout_hash)(const sv_layout *layout) noexcept nogil
        sv_status (*layout_text)(const sv_layout *layout, size_t capacity, char *text, size_t *length) noexcept nogil
        sv_status (*layout_is_unique)(const sv_layout *layout, int64_t work, sv_answer *answer) noexcept nogil
        sv_status (*layout_overlap)(
            const sv_layout *layout, const sv_layout *other, uintptr_t address, uintptr_t other_address, int64_t work,
            sv_answer *answer) noexcept nogil
        int32_t (*layout_same_bytes)(const sv_layout *layout, const sv_layout *other) noexcept nogil
        sv_status (*layout_common)(
            const sv_layout *dst, const sv_layout *src, sv_layout **dst_out, sv_layout **src_out) noexcept nogil
        sv_status (*layout_common_itemsize)(
            const sv_layout *dst, const sv_layout *src, uintptr_t dst_address, uintptr_t src_address, int64_t limit,
            int64_t *itemsize) noexcept nogil
        sv_status (*layout_broadcast_shape)(
            const sv_layout *layout, const sv_layout *other, int32_t *ndim, int64_t *shape) noexcept nogil
        sv_status (*layout_permutation)(const sv_layout *layout, const sv_layout *other, int32_t *axes) noexcept nogil
        sv_status (*layout_permute)(
            const sv_layout *layout, int32_t ndim, const int32_t *axes, sv_layout **out) noexcept nogil
        sv_status (*layout_slice)(
            const sv_layout *layout, int32_t count, const int64_t *start, const int64_t *stop, const int64_t *step,
            sv_layout **out) noexcept nogil
        sv_status (*layout_index)(
            const sv_layout *layout, int32_t axis, int64_t index, sv_layout **out) noexcept nogil
        sv_status (*layout_reshape)(
            const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out) noexcept nogil
        sv_status (*layout_broadcast)(
            const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out) noexcept nogil
        sv_status (*layout_squeeze)(
            const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out) noexcept nogil
        sv_status (*layout_unsqueeze)(
            const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out) noexcept nogil
        sv_status (*layout_to_dense)(
            const sv_layout *layout, sv_order order, int32_t ndim, const int32_t *axes, int64_t itemsize,
            sv_layout **out) noexcept nogil
        sv_status (*layout_flatten)(
            const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out) noexcept nogil
        sv_status (*layout_flatten_masked)(const sv_layout *layout, uint64_t mask, sv_layout **out) noexcept nogil
        sv_status (*layout_merge_axes)(
            const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out) noexcept nogil
        sv_status (*layout_split_axis)(
            const sv_layout *layout, int32_t axis, int32_t count, const int64_t *extents, sv_layout **out) noexcept nogil
        sv_status (*layout_move_axes)(
            const sv_layout *layout, int32_t count, const int32_t *axes, const int32_t *places, sv_layout **out) noexcept nogil
        sv_status (*layout_swap_axes)(
            const sv_layout *layout, int32_t axis, int32_t other, sv_layout **out) noexcept nogil
        sv_status (*layout_flip)(
            const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out) noexcept nogil
        sv_status (*layout_diagonal)(
            const sv_layout *layout, int64_t offset, int32_t axis, int32_t other, sv_layout **out) noexcept nogil
        sv_status (*layout_window)(
            const sv_layout *layout, int32_t count, const int32_t *axes, const int64_t *window, sv_layout **out) noexcept nogil
        sv_status (*layout_repack)(
            const sv_layout *layout, int64_t itemsize, uintptr_t address, int32_t axis, int32_t keep_dim,
            sv_layout **out) noexcept nogil
        sv_status (*layout_builder_new)(sv_layout_builder **out) noexcept nogil
        void (*layout_builder_release)(sv_layout_builder *builder) noexcept nogil
        sv_status (*layout_builder_start)(sv_layout_builder *builder, const sv_layout *layout) noexcept nogil
        sv_status (*layout_builder_permute)(
            sv_layout_builder *builder, int32_t ndim, const int32_t *axes) noexcept nogil
        sv_status (*layout_builder_slice)(
            sv_layout_builder *builder, int32_t count, const int64_t *start, const int64_t *stop, const int64_t *step) noexcept nogil
        sv_status (*layout_builder_index)(sv_layout_builder *builder, int32_t axis, int64_t index) noexcept nogil
        sv_status (*layout_builder_reshape)(
            sv_layout_builder *builder, int32_t ndim, const int64_t *shape) noexcept nogil
        sv_status (*layout_builder_broadcast)(
            sv_layout_builder *builder, int32_t ndim, const int64_t *shape) noexcept nogil
        sv_status (*layout_builder_squeeze)(
            sv_layout_builder *builder, int32_t count, const int32_t *axes) noexcept nogil
        sv_status (*layout_builder_unsqueeze)(
            sv_layout_builder *builder, int32_t count, const int32_t *axes) noexcept nogil
        sv_status (*layout_builder_to_dense)(
            sv_layout_builder *builder, sv_order order, int32_t ndim, const int32_t *axes, int64_t itemsize) noexcept nogil
        sv_status (*layout_builder_flatten)(
            sv_layout_builder *builder, int32_t start_axis, int32_t end_axis) noexcept nogil
        sv_status (*layout_builder_flatten_masked)(sv_layout_builder *builder, uint64_t mask) noexcept nogil
        sv_status (*layout_builder_merge_axes)(
            sv_layout_builder *builder, int32_t start_axis, int32_t end_axis) noexcept nogil
        sv_status (*layout_builder_split_axis)(
            sv_layout_builder *builder, int32_t axis, int32_t count, const int64_t *extents) noexcept nogil
        sv_status (*layout_builder_move_axes)(
            sv_layout_builder *builder, int32_t count, const int32_t *axes, const int32_t *places) noexcept nogil
        sv_status (*layout_builder_swap_axes)(sv_layout_builder *builder, int32_t axis, int32_t other) noexcept nogil
        sv_status (*layout_builder_flip)(
            sv_layout_builder *builder, int32_t count, const int32_t *axes) noexcept nogil
        sv_status (*layout_builder_diagonal)(
            sv_layout_builder *builder, int64_t offset, int32_t axis, int32_t other) noexcept nogil
        sv_status (*layout_builder_window)(
            sv_layout_builder *builder, int32_t count, const int32_t *axes, const int64_t *window) noexcept nogil
        sv_status (*layout_builder_repack)(
            sv_layout_builder *builder, int64_t itemsize, uintptr_t address, int32_t axis, int32_t keep_dim) noexcept nogil
        sv_status (*layout_builder_finish)(const sv_layout_builder *builder, sv_layout **out) noexcept nogil
        const char *(*device_name)(int32_t device_type) noexcept nogil
        uint32_t (*device_traits)(int32_t device_type) noexcept nogil
        sv_status (*device_probe)(int32_t device_type, sv_device_state *state, int32_t *count) noexcept nogil
        sv_status (*device_text)(int32_t device_type, size_t capacity, char *text, size_t *length) noexcept nogil
        sv_status (*device_property)(
            int32_t device_type, int32_t device_id, int32_t property, int64_t *value) noexcept nogil
        sv_status (*stream_wait)(
            int32_t device_type, int32_t device_id, uintptr_t stream, int32_t other_device_type,
            int32_t other_device_id, uintptr_t other) noexcept nogil
        sv_status (*stream_synchronize)(int32_t device_type, int32_t device_id, uintptr_t stream) noexcept nogil
        sv_status (*stream_query)(
            int32_t device_type, int32_t device_id, uintptr_t stream, int32_t *owner, int32_t *captured) noexcept nogil
        const char *(*memory_name)(sv_memory kind) noexcept nogil
        sv_status (*pointer_query)(
            const void *pointer, sv_memory *kind, uint32_t *traits, int32_t *device_id, void **device_address,
            void **host_address) noexcept nogil
        sv_status (*allocator_host)(uint32_t flags, sv_allocator **out) noexcept nogil
        sv_status (*allocator_pinned)(sv_allocator **out) noexcept nogil
        sv_status (*allocator_device)(int32_t device_id, sv_allocator **out) noexcept nogil
        sv_status (*allocator_managed)(int32_t device_id, sv_allocator **out) noexcept nogil
        sv_status (*allocator_pool)(
            sv_memory kind, int32_t device_id, int64_t initial, int64_t threshold, int64_t most, sv_allocator **out) noexcept nogil
        sv_status (*allocator_pool_view)(
            sv_memory kind, int32_t device_id, uintptr_t pool, sv_allocator **out) noexcept nogil
        sv_status (*allocator_callbacks)(
            sv_memory kind, int32_t device_type, int32_t device_id, sv_allocate_callback allocate,
            sv_free_callback free, sv_release_callback release, void *ctx, sv_allocator **out) noexcept nogil
        sv_status (*allocator_tracked)(
            const sv_allocator *base, const char *name, uint32_t flags, sv_allocator **out) noexcept nogil
        sv_status (*allocator_limited)(const sv_allocator *base, int64_t most, sv_allocator **out) noexcept nogil
        sv_status (*allocator_cached)(const sv_allocator *base, int64_t threshold, sv_allocator **out) noexcept nogil
        sv_status (*allocator_logged)(
            const sv_allocator *base, sv_memory_callback log, sv_release_callback release, void *ctx,
            sv_allocator **out) noexcept nogil
        sv_status (*allocator_retrying)(
            const sv_allocator *base, int32_t attempts, sv_no_memory_callback ask, sv_release_callback release,
            void *ctx, sv_allocator **out) noexcept nogil
        sv_allocator *(*allocator_retain)(const sv_allocator *allocator) noexcept nogil
        void (*allocator_release)(sv_allocator *allocator) noexcept nogil
        sv_memory (*allocator_kind)(const sv_allocator *allocator) noexcept nogil
        int32_t (*allocator_device_type)(const sv_allocator *allocator) noexcept nogil
        int32_t (*allocator_device_id)(const sv_allocator *allocator) noexcept nogil
        uint32_t (*allocator_traits)(const sv_allocator *allocator) noexcept nogil
        int64_t (*allocator_alignment)(const sv_allocator *allocator) noexcept nogil
        const char *(*allocator_name)(const sv_allocator *allocator) noexcept nogil
        sv_status (*allocator_allocate)(
            const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uintptr_t stream, void **pointer) noexcept nogil
        sv_status (*allocator_free)(
            const sv_allocator *allocator, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream) noexcept nogil
        sv_status (*allocator_stats)(const sv_allocator *allocator, int32_t stat, int64_t *value) noexcept nogil
        sv_status (*allocator_reset_peaks)(const sv_allocator *allocator) noexcept nogil
        sv_status (*allocator_visit)(const sv_allocator *allocator, sv_block_callback visit, void *ctx) noexcept nogil
        sv_status (*allocator_from_handler)(
            int32_t device_id, sv_handler_allocate_callback allocate, sv_handler_free_callback free,
            sv_release_callback release, void *ctx, sv_allocator **out) noexcept nogil
        sv_status (*handler_allocate_from)(
            void *allocator, void **pointer, size_t nbytes, void *stream) noexcept nogil
        sv_status (*handler_free_to)(void *allocator, void *pointer, size_t nbytes, void *stream) noexcept nogil
        sv_status (*allocator_from_torch)(
            int32_t device_id, sv_torch_allocate_callback allocate, sv_torch_free_callback free, sv_allocator **out) noexcept nogil
        sv_status (*torch_use)(int32_t device_id, const sv_allocator *allocator) noexcept nogil
        void *(*torch_allocate)(int64_t nbytes, int32_t device, void *stream) noexcept nogil
        void (*torch_free)(void *pointer, int64_t nbytes, int32_t device, void *stream) noexcept nogil
        sv_status (*buffer_new)(
            const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uint32_t flags, uintptr_t stream,
            sv_buffer **out) noexcept nogil
        sv_status (*buffer_adopt)(
            void *pointer, int64_t nbytes, sv_memory kind, int32_t device_type, int32_t device_id, uint32_t flags,
            uintptr_t stream, sv_free_callback free, void *ctx, sv_buffer **out) noexcept nogil
        sv_status (*buffer_register)(
            void *pages, int64_t nbytes, uint32_t flags, sv_release_callback release, void *ctx, sv_buffer **out) noexcept nogil
        sv_status (*buffer_slice)(
            const sv_buffer *buffer, int64_t offset, int64_t nbytes, uint32_t flags, sv_buffer **out) noexcept nogil
        sv_buffer *(*buffer_retain)(const sv_buffer *buffer) noexcept nogil
        void (*buffer_release)(sv_buffer *buffer) noexcept nogil
        void (*buffer_release_later)(sv_buffer *buffer) noexcept nogil
        sv_status (*buffer_detach)(
            sv_buffer *buffer, void **pointer, int64_t *nbytes, int64_t *alignment, uintptr_t *stream,
            sv_free_callback *free, void **ctx) noexcept nogil
        sv_status (*buffer_close)(sv_buffer *buffer, uintptr_t stream) noexcept nogil
        void *(*buffer_data)(const sv_buffer *buffer) noexcept nogil
        void *(*buffer_host_data)(const sv_buffer *buffer) noexcept nogil
        int64_t (*buffer_nbytes)(const sv_buffer *buffer) noexcept nogil
        int64_t (*buffer_capacity)(const sv_buffer *buffer) noexcept nogil
        int64_t (*buffer_alignment)(const sv_buffer *buffer) noexcept nogil
        sv_memory (*buffer_kind)(const sv_buffer *buffer) noexcept nogil
        uint32_t (*buffer_traits)(const sv_buffer *buffer) noexcept nogil
        int32_t (*buffer_device_type)(const sv_buffer *buffer) noexcept nogil
        int32_t (*buffer_device_id)(const sv_buffer *buffer) noexcept nogil
        uintptr_t (*buffer_stream)(const sv_buffer *buffer) noexcept nogil
        const sv_allocator *(*buffer_allocator)(const sv_buffer *buffer) noexcept nogil
        const sv_buffer *(*buffer_parent)(const sv_buffer *buffer) noexcept nogil
        int64_t (*buffer_exports)(const sv_buffer *buffer) noexcept nogil
        int64_t (*buffer_references)(const sv_buffer *buffer) noexcept nogil
        int32_t (*buffer_is_closed)(const sv_buffer *buffer) noexcept nogil
        void *(*buffer_context)(const sv_buffer *buffer, sv_free_callback free) noexcept nogil
        sv_status (*buffer_begin_export)(sv_buffer *buffer) noexcept nogil
        void (*buffer_end_export)(sv_buffer *buffer) noexcept nogil
        sv_status (*buffer_read)(
            const sv_buffer *buffer, int64_t offset, void *dst, int64_t nbytes, uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*buffer_write)(
            sv_buffer *buffer, int64_t offset, const void *src, int64_t nbytes, uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*buffer_copy)(
            sv_buffer *dst, int64_t dst_offset, const sv_buffer *src, int64_t src_offset, int64_t nbytes,
            uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*buffer_fill)(
            sv_buffer *buffer, int64_t offset, int64_t nbytes, const void *item, int64_t itemsize, uint32_t flags,
            uintptr_t stream) noexcept nogil
        sv_status (*buffer_resize)(sv_buffer *buffer, int64_t nbytes, uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*buffer_reserve)(sv_buffer *buffer, int64_t capacity, uintptr_t stream) noexcept nogil
        sv_status (*buffer_shrink)(sv_buffer *buffer, uintptr_t stream) noexcept nogil
        sv_status (*buffer_migrate)(
            sv_buffer *buffer, const sv_allocator *allocator, uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*buffer_set_stream)(sv_buffer *buffer, uintptr_t stream) noexcept nogil
        sv_status (*buffer_record_use)(const sv_buffer *buffer, uintptr_t stream) noexcept nogil
        sv_status (*buffer_prefetch)(
            int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id, uint32_t flags,
            uintptr_t stream) noexcept nogil
        sv_status (*buffer_discard)(
            int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id, uint32_t flags,
            uintptr_t stream) noexcept nogil
        sv_status (*buffer_advise)(
            int64_t count, sv_buffer *const *buffers, int32_t advice, int32_t device_type, int32_t device_id,
            uint32_t flags) noexcept nogil
        sv_status (*buffer_export_ipc)(
            const sv_buffer *buffer, size_t capacity, void *blob, size_t *length) noexcept nogil
        sv_status (*buffer_import_ipc)(
            const void *blob, size_t length, uint32_t flags, sv_buffer **out) noexcept nogil
        sv_status (*memory_collect)(uint32_t flags, int64_t *left) noexcept nogil
        sv_status (*memory_stats)(sv_memory kind, int32_t stat, int64_t *value) noexcept nogil
        sv_status (*view_from_host)(
            sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *pointer,
            uint32_t flags, sv_view **out) noexcept nogil
        sv_status (*view_from_pointer)(
            const sv_layout *layout, sv_dtype dtype, void *pointer, int64_t nbytes, uint32_t flags, sv_view **out) noexcept nogil
        sv_status (*view_new)(
            const sv_layout *layout, sv_dtype dtype, void *base, int64_t lower, int64_t upper, int32_t device_type,
            int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out) noexcept nogil
        sv_status (*view_from_array)(
            sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *pointer,
            int32_t device_type, int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx,
            sv_view **out) noexcept nogil
        sv_status (*view_from_buffer)(
            sv_buffer *buffer, const sv_layout *layout, sv_dtype dtype, int64_t offset, uint32_t flags, sv_view **out) noexcept nogil
        sv_status (*view_from_dlpack)(DLManagedTensorVersioned *tensor, uint32_t flags, sv_view **out) noexcept nogil
        sv_status (*view_from_dlpack_unversioned)(
            DLManagedTensor *tensor, uint32_t flags, sv_view **out) noexcept nogil
        sv_status (*view_from_dltensor)(
            const void *tensor, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out) noexcept nogil
        sv_status (*view_from_pep3118)(
            const char *format, int64_t itemsize, int32_t ndim, const int64_t *shape, const int64_t *byte_strides,
            void *pointer, int64_t nbytes, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out) noexcept nogil
        sv_status (*view_from_array_interface)(
            const char *typestr, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *pointer,
            int32_t device_type, int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx,
            sv_view **out) noexcept nogil
        sv_status (*view_with_layout)(const sv_view *view, const sv_layout *layout, sv_view **out) noexcept nogil
        sv_status (*view_with_builder)(
            const sv_view *view, const sv_layout_builder *builder, sv_view **out) noexcept nogil
        sv_status (*view_permute)(
            const sv_view *view, int32_t ndim, const int32_t *axes, sv_view **out) noexcept nogil
        sv_status (*view_slice)(
            const sv_view *view, int32_t count, const int64_t *start, const int64_t *stop, const int64_t *step,
            sv_view **out) noexcept nogil
        sv_status (*view_index)(const sv_view *view, int32_t axis, int64_t index, sv_view **out) noexcept nogil
        sv_status (*view_reshape)(
            const sv_view *view, int32_t ndim, const int64_t *shape, sv_view **out) noexcept nogil
        sv_status (*view_broadcast)(
            const sv_view *view, int32_t ndim, const int64_t *shape, sv_view **out) noexcept nogil
        sv_status (*view_with_dtype)(const sv_view *view, sv_dtype dtype, sv_view **out) noexcept nogil
        sv_status (*view_as_readonly)(const sv_view *view, sv_view **out) noexcept nogil
        sv_view *(*view_retain)(const sv_view *view) noexcept nogil
        void (*view_release)(sv_view *view) noexcept nogil
        void *(*view_data)(const sv_view *view) noexcept nogil
        const sv_layout *(*view_layout)(const sv_view *view) noexcept nogil
        sv_dtype (*view_dtype)(const sv_view *view) noexcept nogil
        int32_t (*view_device_type)(const sv_view *view) noexcept nogil
        int32_t (*view_device_id)(const sv_view *view) noexcept nogil
        int32_t (*view_is_readonly)(const sv_view *view) noexcept nogil
        sv_status (*view_bounds)(const sv_view *view, int64_t *lower, int64_t *upper) noexcept nogil
        int64_t (*view_references)(const sv_view *view) noexcept nogil
        void *(*view_context)(const sv_view *view, sv_release_callback release) noexcept nogil
        const sv_buffer *(*view_buffer)(const sv_view *view) noexcept nogil
        sv_status (*view_overlap)(
            const sv_view *view, const sv_view *other, int64_t work, sv_answer *answer) noexcept nogil
        const DLManagedTensorVersioned *(*view_borrow)(const sv_view *view) noexcept nogil
        sv_status (*view_kernel_arg)(
            const sv_view *view, int32_t ndim, int64_t itemsize, uint32_t flags, size_t capacity, void *block) noexcept nogil
        sv_status (*view_to_dlpack)(
            const sv_view *view, uint32_t flags, DLManagedTensorVersioned **out) noexcept nogil
        sv_status (*view_to_dlpack_unversioned)(const sv_view *view, DLManagedTensor **out) noexcept nogil
        sv_status (*empty)(
            const sv_allocator *allocator, sv_dtype dtype, int32_t ndim, const int64_t *shape, uint32_t flags,
            uintptr_t stream, sv_view **out) noexcept nogil
        sv_status (*empty_layout)(
            const sv_allocator *allocator, const sv_layout *layout, sv_dtype dtype, uint32_t flags, uintptr_t stream,
            sv_view **out) noexcept nogil
        sv_status (*empty_like)(
            const sv_allocator *allocator, const sv_view *view, sv_order order, uint32_t flags, uintptr_t stream,
            sv_view **out) noexcept nogil
        sv_status (*copy)(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*copy_with)(
            const sv_view *dst, const sv_view *src, const sv_allocator *scratch, uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*copy_scaled)(
            const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale, const double *bias,
            int64_t nbias, int32_t axis, uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*copy_scaled_batch)(
            int64_t count, sv_view *const *dst, sv_view *const *src, const double *scale, int64_t nscale,
            const double *bias, int64_t nbias, int32_t axis, uint32_t flags, uintptr_t stream, int64_t *failed) noexcept nogil
        sv_status (*fill)(
            const sv_view *dst, const void *item, int64_t itemsize, uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*copy_batch)(
            int64_t count, sv_view *const *dst, sv_view *const *src, uint32_t flags, uintptr_t stream, int64_t *failed) noexcept nogil
        sv_status (*copy_stack)(
            const sv_view *dst, int32_t axis, int64_t count, sv_view *const *src, uint32_t flags, uintptr_t stream,
            int64_t *failed) noexcept nogil
        sv_status (*copy_placement)(
            const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream, int32_t *by,
            int32_t *device_type, int32_t *device_id, int32_t *waits, int32_t *done, int32_t *method) noexcept nogil
        sv_status (*plan_new)(const sv_view *dst, const sv_view *src, uint32_t flags, sv_plan **out) noexcept nogil
        sv_status (*plan_new_scaled)(
            const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale, const double *bias,
            int64_t nbias, int32_t axis, uint32_t flags, sv_plan **out) noexcept nogil
        sv_plan *(*plan_retain)(const sv_plan *plan) noexcept nogil
        void (*plan_release)(sv_plan *plan) noexcept nogil
        sv_status (*plan_execute)(const sv_plan *plan, void *dst, const void *src, uintptr_t stream) noexcept nogil
        sv_status (*plan_execute_views)(
            const sv_plan *plan, const sv_view *dst, const sv_view *src, uintptr_t stream) noexcept nogil
        sv_status (*plan_execute_batch)(
            int64_t count, sv_plan *const *plans, void *const *dst, const void *const *src, uintptr_t stream,
            int64_t *failed) noexcept nogil
        sv_status (*plan_execute_views_batch)(
            const sv_plan *plan, int64_t count, sv_view *const *dst, sv_view *const *src, uintptr_t stream,
            int64_t *failed) noexcept nogil
        sv_status (*plan_execute_table)(
            const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t alignment, uintptr_t stream,
            int64_t *failed) noexcept nogil
        const char *(*plan_class)(const sv_plan *plan) noexcept nogil
        const char *(*plan_kernel)(const sv_plan *plan) noexcept nogil
        sv_status (*plan_explain)(
            const sv_plan *plan, const void *dst, const void *src, size_t capacity, char *text, size_t *length) noexcept nogil
        int64_t (*plan_nbytes)(const sv_plan *plan) noexcept nogil
        sv_status (*plan_traffic)(const sv_plan *plan, int64_t *read, int64_t *written) noexcept nogil
        int64_t (*plan_launches)(const sv_plan *plan) noexcept nogil
        sv_status (*copy_parallel)(
            const sv_view *dst, const sv_view *src, int32_t threads, sv_parallel_callback run, void *ctx,
            uint32_t flags, uintptr_t stream) noexcept nogil
        sv_status (*copy_scaled_parallel)(
            const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale, const double *bias,
            int64_t nbias, int32_t axis, int32_t threads, sv_parallel_callback run, void *ctx, uint32_t flags,
            uintptr_t stream) noexcept nogil
        sv_status (*plan_with_threads)(
            const sv_plan *plan, int32_t threads, sv_parallel_callback run, void *ctx, sv_plan **out) noexcept nogil
        sv_status (*plan_with_allocator)(
            const sv_plan *plan, const sv_allocator *scratch, sv_plan **out) noexcept nogil
        sv_status (*plan_measure)(
            const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t limit_ns, uintptr_t stream,
            sv_plan **out) noexcept nogil
    const strideview_api *strideview_import() except NULL
