/* The C API for cffi. Generated from include/sv.h by py/gen_bindings.py: do not edit. */

/* version */
enum {
    SV_VERSION_MAJOR = 0,
    SV_VERSION_MINOR = 1,
    SV_VERSION_PATCH = 0,
    SV_ABI_VERSION = 0
};
enum {
    SV_FEATURE_CUDA = 1,
    SV_FEATURE_CHECKS = 2
};
int32_t sv_version(void);
const char *sv_version_text(void);
int32_t sv_abi_version(void);
uint32_t sv_features(void);

/* status */
typedef int32_t sv_status;
enum {
    SV_OK = 0,
    SV_ERROR_NULL = -1,
    SV_ERROR_INVALID = -2,
    SV_ERROR_INDEX = -3,
    SV_ERROR_RANGE = -4,
    SV_ERROR_OVERFLOW = -5,
    SV_ERROR_DTYPE = -6,
    SV_ERROR_LAYOUT = -7,
    SV_ERROR_OVERLAP = -8,
    SV_ERROR_READ_ONLY = -9,
    SV_ERROR_ALIGNMENT = -10,
    SV_ERROR_DEVICE = -11,
    SV_ERROR_VERSION = -12,
    SV_ERROR_PROTOCOL = -13,
    SV_ERROR_UNSUPPORTED = -14,
    SV_ERROR_MEMORY = -15,
    SV_ERROR_CUDA = -16,
    SV_ERROR_STATE = -17,
    SV_ERROR_BLOCKED = -18,
    SV_ERROR_FORKED = -19,
    SV_ERROR_BUFFER = -20
};
const char *sv_status_name(sv_status status);
const char *sv_last_message(void);

/* dtype */
typedef uint32_t sv_dtype;
enum {
    SV_OPAQUE = 0,
    SV_BOOL = 0x010806,
    SV_INT8 = 0x010800,
    SV_INT16 = 0x011000,
    SV_INT32 = 0x012000,
    SV_INT64 = 0x014000,
    SV_UINT8 = 0x010801,
    SV_UINT16 = 0x011001,
    SV_UINT32 = 0x012001,
    SV_UINT64 = 0x014001,
    SV_FLOAT16 = 0x011002,
    SV_FLOAT32 = 0x012002,
    SV_FLOAT64 = 0x014002,
    SV_FLOAT128 = 0x018002,
    SV_BFLOAT16 = 0x011004,
    SV_COMPLEX32 = 0x012005,
    SV_COMPLEX64 = 0x014005,
    SV_COMPLEX128 = 0x018005,
    SV_FLOAT8_E3M4 = 0x010807,
    SV_FLOAT8_E4M3 = 0x010808,
    SV_FLOAT8_E4M3B11FNUZ = 0x010809,
    SV_FLOAT8_E4M3FN = 0x01080a,
    SV_FLOAT8_E4M3FNUZ = 0x01080b,
    SV_FLOAT8_E5M2 = 0x01080c,
    SV_FLOAT8_E5M2FNUZ = 0x01080d,
    SV_FLOAT8_E8M0FNU = 0x01080e,
    SV_FLOAT4_E2M1FN_X2 = 0x020411
};
sv_status sv_dtype_make(int32_t code, int32_t bits, int32_t lanes, sv_dtype *out);
int64_t sv_dtype_itemsize(sv_dtype dtype);
int32_t sv_dtype_code(sv_dtype dtype);
int32_t sv_dtype_bits(sv_dtype dtype);
int32_t sv_dtype_lanes(sv_dtype dtype);
sv_status sv_dtype_name(sv_dtype dtype, size_t capacity, char *text, size_t *length);
sv_status sv_dtype_parse(const char *name, sv_dtype *out);
sv_status sv_dtype_typestr(sv_dtype dtype, size_t capacity, char *text, size_t *length);
sv_status sv_dtype_from_typestr(const char *typestr, sv_dtype *out);
sv_status sv_dtype_format(sv_dtype dtype, size_t capacity, char *text, size_t *length);
sv_status sv_dtype_from_format(const char *format, int64_t itemsize, sv_dtype *out);
typedef int32_t sv_casting;
enum {
    SV_CASTING_NO = 0,
    SV_CASTING_EQUIV = 1,
    SV_CASTING_SAFE = 2,
    SV_CASTING_SAME_KIND = 3,
    SV_CASTING_UNSAFE = 4
};
int32_t sv_can_cast(sv_dtype source, sv_dtype target, sv_casting casting);

/* layout */
typedef struct sv_layout sv_layout;
enum {
    SV_MAX_NDIM = 64
};
typedef int32_t sv_order;
enum {
    SV_ORDER_C = 0,
    SV_ORDER_F = 1,
    SV_ORDER_K = 2,
    SV_ORDER_AXES = 3
};
typedef int32_t sv_answer;
enum {
    SV_NO = 0,
    SV_YES = 1,
    SV_MAYBE = 2
};
sv_status sv_layout_new(
    int32_t ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize, sv_layout **out);
sv_status sv_layout_new_bytes(
    int32_t ndim, const int64_t *shape, const int64_t *byte_strides, int64_t itemsize, sv_layout **out);
sv_status sv_layout_new_dense(
    int32_t ndim, const int64_t *shape, sv_order order, const int32_t *axes, int64_t itemsize, sv_layout **out);
sv_status sv_layout_parse(const char *text, sv_layout **out);
sv_layout *sv_layout_retain(const sv_layout *layout);
void sv_layout_release(sv_layout *layout);
int32_t sv_layout_ndim(const sv_layout *layout);
const int64_t *sv_layout_shape(const sv_layout *layout);
const int64_t *sv_layout_byte_strides(const sv_layout *layout);
sv_status sv_layout_strides(const sv_layout *layout, const int64_t **strides);
int64_t sv_layout_itemsize(const sv_layout *layout);
int64_t sv_layout_size(const sv_layout *layout);
int64_t sv_layout_nbytes(const sv_layout *layout);
int64_t sv_layout_byte_offset(const sv_layout *layout);
int32_t sv_layout_is_contiguous(const sv_layout *layout, sv_order order);
int32_t sv_layout_is_dense(const sv_layout *layout);
int32_t sv_layout_is_within(const sv_layout *layout, int64_t lower, int64_t upper);
sv_status sv_layout_byte_bounds(const sv_layout *layout, int64_t *lower, int64_t *upper);
sv_status sv_layout_required_size(const sv_layout *layout, int64_t *nbytes);
sv_status sv_layout_stride_order(const sv_layout *layout, int32_t *axes);
uint64_t sv_layout_flatten_mask(const sv_layout *layout);
sv_status sv_layout_alignment(const sv_layout *layout, uintptr_t address, int64_t *alignment);
sv_status sv_layout_max_itemsize(
    const sv_layout *layout, int64_t limit, uintptr_t address, int32_t axis, int64_t *itemsize);
int32_t sv_layout_equal(const sv_layout *layout, const sv_layout *other);
uint64_t sv_layout_hash(const sv_layout *layout);
sv_status sv_layout_text(const sv_layout *layout, size_t capacity, char *text, size_t *length);
sv_status sv_layout_is_unique(const sv_layout *layout, int64_t work, sv_answer *answer);
sv_status sv_layout_overlap(
    const sv_layout *layout, const sv_layout *other, uintptr_t address, uintptr_t other_address, int64_t work,
    sv_answer *answer);
int32_t sv_layout_same_bytes(const sv_layout *layout, const sv_layout *other);
sv_status sv_layout_common(const sv_layout *dst, const sv_layout *src, sv_layout **dst_out, sv_layout **src_out);
sv_status sv_layout_common_itemsize(
    const sv_layout *dst, const sv_layout *src, uintptr_t dst_address, uintptr_t src_address, int64_t limit,
    int64_t *itemsize);
sv_status sv_layout_broadcast_shape(const sv_layout *layout, const sv_layout *other, int32_t *ndim, int64_t *shape);
sv_status sv_layout_permutation(const sv_layout *layout, const sv_layout *other, int32_t *axes);
sv_status sv_layout_permute(const sv_layout *layout, int32_t ndim, const int32_t *axes, sv_layout **out);
sv_status sv_layout_slice(
    const sv_layout *layout, int32_t count, const int64_t *start, const int64_t *stop, const int64_t *step,
    sv_layout **out);
sv_status sv_layout_index(const sv_layout *layout, int32_t axis, int64_t index, sv_layout **out);
sv_status sv_layout_reshape(const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out);
sv_status sv_layout_broadcast(const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out);
sv_status sv_layout_squeeze(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out);
sv_status sv_layout_unsqueeze(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out);
sv_status sv_layout_to_dense(
    const sv_layout *layout, sv_order order, int32_t ndim, const int32_t *axes, int64_t itemsize, sv_layout **out);
sv_status sv_layout_flatten(const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out);
sv_status sv_layout_flatten_masked(const sv_layout *layout, uint64_t mask, sv_layout **out);
sv_status sv_layout_merge_axes(const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out);
sv_status sv_layout_split_axis(
    const sv_layout *layout, int32_t axis, int32_t count, const int64_t *extents, sv_layout **out);
sv_status sv_layout_move_axes(
    const sv_layout *layout, int32_t count, const int32_t *axes, const int32_t *places, sv_layout **out);
sv_status sv_layout_swap_axes(const sv_layout *layout, int32_t axis, int32_t other, sv_layout **out);
sv_status sv_layout_flip(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out);
sv_status sv_layout_diagonal(const sv_layout *layout, int64_t offset, int32_t axis, int32_t other, sv_layout **out);
sv_status sv_layout_window(
    const sv_layout *layout, int32_t count, const int32_t *axes, const int64_t *window, sv_layout **out);
sv_status sv_layout_repack(
    const sv_layout *layout, int64_t itemsize, uintptr_t address, int32_t axis, int32_t keep_dim, sv_layout **out);

/* layout builder */
typedef struct sv_layout_builder sv_layout_builder;
sv_status sv_layout_builder_new(sv_layout_builder **out);
void sv_layout_builder_release(sv_layout_builder *builder);
sv_status sv_layout_builder_start(sv_layout_builder *builder, const sv_layout *layout);
sv_status sv_layout_builder_permute(sv_layout_builder *builder, int32_t ndim, const int32_t *axes);
sv_status sv_layout_builder_slice(
    sv_layout_builder *builder, int32_t count, const int64_t *start, const int64_t *stop, const int64_t *step);
sv_status sv_layout_builder_index(sv_layout_builder *builder, int32_t axis, int64_t index);
sv_status sv_layout_builder_reshape(sv_layout_builder *builder, int32_t ndim, const int64_t *shape);
sv_status sv_layout_builder_broadcast(sv_layout_builder *builder, int32_t ndim, const int64_t *shape);
sv_status sv_layout_builder_squeeze(sv_layout_builder *builder, int32_t count, const int32_t *axes);
sv_status sv_layout_builder_unsqueeze(sv_layout_builder *builder, int32_t count, const int32_t *axes);
sv_status sv_layout_builder_to_dense(
    sv_layout_builder *builder, sv_order order, int32_t ndim, const int32_t *axes, int64_t itemsize);
sv_status sv_layout_builder_flatten(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis);
sv_status sv_layout_builder_flatten_masked(sv_layout_builder *builder, uint64_t mask);
sv_status sv_layout_builder_merge_axes(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis);
sv_status sv_layout_builder_split_axis(
    sv_layout_builder *builder, int32_t axis, int32_t count, const int64_t *extents);
sv_status sv_layout_builder_move_axes(
    sv_layout_builder *builder, int32_t count, const int32_t *axes, const int32_t *places);
sv_status sv_layout_builder_swap_axes(sv_layout_builder *builder, int32_t axis, int32_t other);
sv_status sv_layout_builder_flip(sv_layout_builder *builder, int32_t count, const int32_t *axes);
sv_status sv_layout_builder_diagonal(sv_layout_builder *builder, int64_t offset, int32_t axis, int32_t other);
sv_status sv_layout_builder_window(
    sv_layout_builder *builder, int32_t count, const int32_t *axes, const int64_t *window);
sv_status sv_layout_builder_repack(
    sv_layout_builder *builder, int64_t itemsize, uintptr_t address, int32_t axis, int32_t keep_dim);
sv_status sv_layout_builder_finish(const sv_layout_builder *builder, sv_layout **out);

/* device */
enum {
    SV_DEVICE_CPU = 1,
    SV_DEVICE_CUDA = 2,
    SV_DEVICE_CUDA_HOST = 3,
    SV_DEVICE_OPENCL = 4,
    SV_DEVICE_VULKAN = 7,
    SV_DEVICE_METAL = 8,
    SV_DEVICE_VPI = 9,
    SV_DEVICE_ROCM = 10,
    SV_DEVICE_ROCM_HOST = 11,
    SV_DEVICE_EXT = 12,
    SV_DEVICE_CUDA_MANAGED = 13,
    SV_DEVICE_ONEAPI = 14,
    SV_DEVICE_WEBGPU = 15,
    SV_DEVICE_HEXAGON = 16,
    SV_DEVICE_MAIA = 17,
    SV_DEVICE_TRN = 18
};
enum {
    SV_TRAIT_HOST = 1,
    SV_TRAIT_CUDA = 2,
    SV_TRAIT_MANAGED = 4,
    SV_TRAIT_HANDLES = 8,
    SV_TRAIT_READ_ONLY = 16,
    SV_TRAIT_ORDERED = 32,
    SV_TRAIT_REGISTERED = 64,
    SV_TRAIT_SHARED = 128
};
const char *sv_device_name(int32_t device_type);
uint32_t sv_device_traits(int32_t device_type);
typedef int32_t sv_device_state;
enum {
    SV_STATE_READY = 0,
    SV_STATE_NO_BACKEND = 1,
    SV_STATE_NO_DRIVER = 2,
    SV_STATE_DRIVER_TOO_OLD = 3,
    SV_STATE_NO_DEVICE = 4,
    SV_STATE_STUB_DRIVER = 5,
    SV_STATE_BROKEN = 6
};
sv_status sv_device_probe(int32_t device_type, sv_device_state *state, int32_t *count);
sv_status sv_device_text(int32_t device_type, size_t capacity, char *text, size_t *length);
enum {
    SV_PROPERTY_MEMORY_TOTAL = 1,
    SV_PROPERTY_MEMORY_FREE = 2,
    SV_PROPERTY_PAGEABLE_ACCESS = 3,
    SV_PROPERTY_CONCURRENT_MANAGED = 4,
    SV_PROPERTY_POOLS = 5,
    SV_PROPERTY_HOST_POOLS = 6,
    SV_PROPERTY_MANAGED_POOLS = 7,
    SV_PROPERTY_IPC = 8,
    SV_PROPERTY_COMPUTE_CAPABILITY = 9,
    SV_PROPERTY_MULTIPROCESSORS = 10
};
sv_status sv_device_property(int32_t device_type, int32_t device_id, int32_t property, int64_t *value);

/* stream */
sv_status sv_stream_wait(
    int32_t device_type, int32_t device_id, uintptr_t stream, int32_t other_device_type, int32_t other_device_id,
    uintptr_t other);
sv_status sv_stream_synchronize(int32_t device_type, int32_t device_id, uintptr_t stream);
sv_status sv_stream_query(
    int32_t device_type, int32_t device_id, uintptr_t stream, int32_t *owner, int32_t *captured);

/* memory */
typedef int32_t sv_memory;
enum {
    SV_MEMORY_UNKNOWN = 0,
    SV_MEMORY_HOST = 1,
    SV_MEMORY_PINNED = 2,
    SV_MEMORY_DEVICE = 3,
    SV_MEMORY_MANAGED = 4,
    SV_MEMORY_FOREIGN = 5
};
const char *sv_memory_name(sv_memory kind);
sv_status sv_pointer_query(
    const void *pointer, sv_memory *kind, uint32_t *traits, int32_t *device_id, void **device_address,
    void **host_address);
enum {
    SV_ADVICE_READ_MOSTLY = 1,
    SV_ADVICE_NOT_READ_MOSTLY = 2,
    SV_ADVICE_PREFER = 3,
    SV_ADVICE_NOT_PREFER = 4,
    SV_ADVICE_ACCESSED_BY = 5,
    SV_ADVICE_NOT_ACCESSED_BY = 6
};
typedef void (*sv_release_callback)(void *ctx);

/* allocator */
typedef struct sv_allocator sv_allocator;
enum {
    SV_ALLOCATOR_HUGE_PAGES = 1,
    SV_ALLOCATOR_BLOCKS = 2,
    SV_ALLOCATOR_GUARD = 4,
    SV_ALLOCATOR_NO_HUGE_PAGES = 8
};
typedef sv_status (*sv_allocate_callback)(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out);
typedef sv_status (*sv_free_callback)(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);
enum {
    SV_EVENT_ALLOCATED = 1,
    SV_EVENT_FREED = 2,
    SV_EVENT_FAILED = 3
};
typedef void (*sv_memory_callback)(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream);
typedef int32_t (*sv_no_memory_callback)(void *ctx, int64_t nbytes, int32_t attempt);
typedef int32_t (*sv_block_callback)(void *ctx, int64_t number, const void *pointer, int64_t nbytes, uintptr_t stream);
sv_status sv_allocator_host(uint32_t flags, sv_allocator **out);
sv_status sv_allocator_pinned(sv_allocator **out);
sv_status sv_allocator_device(int32_t device_id, sv_allocator **out);
sv_status sv_allocator_managed(int32_t device_id, sv_allocator **out);
sv_status sv_allocator_pool(
    sv_memory kind, int32_t device_id, int64_t initial, int64_t threshold, int64_t most, sv_allocator **out);
sv_status sv_allocator_pool_view(sv_memory kind, int32_t device_id, uintptr_t pool, sv_allocator **out);
sv_status sv_allocator_callbacks(
    sv_memory kind, int32_t device_type, int32_t device_id, sv_allocate_callback allocate, sv_free_callback free,
    sv_release_callback release, void *ctx, sv_allocator **out);
sv_status sv_allocator_tracked(const sv_allocator *base, const char *name, uint32_t flags, sv_allocator **out);
sv_status sv_allocator_limited(const sv_allocator *base, int64_t most, sv_allocator **out);
sv_status sv_allocator_cached(const sv_allocator *base, int64_t threshold, sv_allocator **out);
sv_status sv_allocator_logged(
    const sv_allocator *base, sv_memory_callback log, sv_release_callback release, void *ctx, sv_allocator **out);
sv_status sv_allocator_retrying(
    const sv_allocator *base, int32_t attempts, sv_no_memory_callback ask, sv_release_callback release, void *ctx,
    sv_allocator **out);
sv_allocator *sv_allocator_retain(const sv_allocator *allocator);
void sv_allocator_release(sv_allocator *allocator);
sv_memory sv_allocator_kind(const sv_allocator *allocator);
int32_t sv_allocator_device_type(const sv_allocator *allocator);
int32_t sv_allocator_device_id(const sv_allocator *allocator);
uint32_t sv_allocator_traits(const sv_allocator *allocator);
int64_t sv_allocator_alignment(const sv_allocator *allocator);
const char *sv_allocator_name(const sv_allocator *allocator);
sv_status sv_allocator_allocate(
    const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uintptr_t stream, void **pointer);
sv_status sv_allocator_free(
    const sv_allocator *allocator, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);
enum {
    SV_STAT_LIVE_BYTES = 0,
    SV_STAT_LIVE_COUNT = 1,
    SV_STAT_PEAK_BYTES = 2,
    SV_STAT_PEAK_COUNT = 3,
    SV_STAT_TOTAL_BYTES = 4,
    SV_STAT_TOTAL_COUNT = 5,
    SV_STAT_FAILED_COUNT = 6,
    SV_STAT_DEFERRED_BYTES = 7,
    SV_STAT_DEFERRED_COUNT = 8,
    SV_STAT_LOST_BYTES = 9,
    SV_STAT_LOST_COUNT = 10,
    SV_STAT_CACHED_BYTES = 11,
    SV_STAT_CACHED_COUNT = 12
};
sv_status sv_allocator_stats(const sv_allocator *allocator, int32_t stat, int64_t *value);
sv_status sv_allocator_reset_peaks(const sv_allocator *allocator);
sv_status sv_allocator_visit(const sv_allocator *allocator, sv_block_callback visit, void *ctx);
typedef int32_t (*sv_handler_allocate_callback)(void *ctx, void **pointer, size_t nbytes, void *stream);
typedef int32_t (*sv_handler_free_callback)(void *ctx, void *pointer, size_t nbytes, void *stream);
sv_status sv_allocator_from_handler(
    int32_t device_id, sv_handler_allocate_callback allocate, sv_handler_free_callback free,
    sv_release_callback release, void *ctx, sv_allocator **out);
sv_status sv_handler_allocate_from(void *allocator, void **pointer, size_t nbytes, void *stream);
sv_status sv_handler_free_to(void *allocator, void *pointer, size_t nbytes, void *stream);
typedef void * (*sv_torch_allocate_callback)(int64_t nbytes, int32_t device, void *stream);
typedef void (*sv_torch_free_callback)(void *pointer, int64_t nbytes, int32_t device, void *stream);
sv_status sv_allocator_from_torch(
    int32_t device_id, sv_torch_allocate_callback allocate, sv_torch_free_callback free, sv_allocator **out);
sv_status sv_torch_use(int32_t device_id, const sv_allocator *allocator);
void *sv_torch_allocate(int64_t nbytes, int32_t device, void *stream);
void sv_torch_free(void *pointer, int64_t nbytes, int32_t device, void *stream);

/* buffer */
typedef struct sv_buffer sv_buffer;
enum {
    SV_BUFFER_ZERO = 2,
    SV_BUFFER_DISCARD = 4,
    SV_BUFFER_BORROWED = 8,
    SV_BUFFER_TRUST = 16,
    SV_BUFFER_STRICT = 32
};
sv_status sv_buffer_new(
    const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uint32_t flags, uintptr_t stream,
    sv_buffer **out);
sv_status sv_buffer_adopt(
    void *pointer, int64_t nbytes, sv_memory kind, int32_t device_type, int32_t device_id, uint32_t flags,
    uintptr_t stream, sv_free_callback free, void *ctx, sv_buffer **out);
sv_status sv_buffer_register(
    void *pages, int64_t nbytes, uint32_t flags, sv_release_callback release, void *ctx, sv_buffer **out);
sv_status sv_buffer_slice(const sv_buffer *buffer, int64_t offset, int64_t nbytes, uint32_t flags, sv_buffer **out);
sv_buffer *sv_buffer_retain(const sv_buffer *buffer);
void sv_buffer_release(sv_buffer *buffer);
void sv_buffer_release_later(sv_buffer *buffer);
sv_status sv_buffer_detach(
    sv_buffer *buffer, void **pointer, int64_t *nbytes, int64_t *alignment, uintptr_t *stream, sv_free_callback *free,
    void **ctx);
sv_status sv_buffer_close(sv_buffer *buffer, uintptr_t stream);
void *sv_buffer_data(const sv_buffer *buffer);
void *sv_buffer_host_data(const sv_buffer *buffer);
int64_t sv_buffer_nbytes(const sv_buffer *buffer);
int64_t sv_buffer_capacity(const sv_buffer *buffer);
int64_t sv_buffer_alignment(const sv_buffer *buffer);
sv_memory sv_buffer_kind(const sv_buffer *buffer);
uint32_t sv_buffer_traits(const sv_buffer *buffer);
int32_t sv_buffer_device_type(const sv_buffer *buffer);
int32_t sv_buffer_device_id(const sv_buffer *buffer);
uintptr_t sv_buffer_stream(const sv_buffer *buffer);
const sv_allocator *sv_buffer_allocator(const sv_buffer *buffer);
const sv_buffer *sv_buffer_parent(const sv_buffer *buffer);
int64_t sv_buffer_exports(const sv_buffer *buffer);
int64_t sv_buffer_references(const sv_buffer *buffer);
int32_t sv_buffer_is_closed(const sv_buffer *buffer);
void *sv_buffer_context(const sv_buffer *buffer, sv_free_callback free);
sv_status sv_buffer_begin_export(sv_buffer *buffer);
void sv_buffer_end_export(sv_buffer *buffer);
sv_status sv_buffer_read(
    const sv_buffer *buffer, int64_t offset, void *dst, int64_t nbytes, uint32_t flags, uintptr_t stream);
sv_status sv_buffer_write(
    sv_buffer *buffer, int64_t offset, const void *src, int64_t nbytes, uint32_t flags, uintptr_t stream);
sv_status sv_buffer_copy(
    sv_buffer *dst, int64_t dst_offset, const sv_buffer *src, int64_t src_offset, int64_t nbytes, uint32_t flags,
    uintptr_t stream);
sv_status sv_buffer_fill(
    sv_buffer *buffer, int64_t offset, int64_t nbytes, const void *item, int64_t itemsize, uint32_t flags,
    uintptr_t stream);
sv_status sv_buffer_resize(sv_buffer *buffer, int64_t nbytes, uint32_t flags, uintptr_t stream);
sv_status sv_buffer_reserve(sv_buffer *buffer, int64_t capacity, uintptr_t stream);
sv_status sv_buffer_shrink(sv_buffer *buffer, uintptr_t stream);
sv_status sv_buffer_migrate(sv_buffer *buffer, const sv_allocator *allocator, uint32_t flags, uintptr_t stream);
sv_status sv_buffer_set_stream(sv_buffer *buffer, uintptr_t stream);
sv_status sv_buffer_record_use(const sv_buffer *buffer, uintptr_t stream);
sv_status sv_buffer_prefetch(
    int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id, uint32_t flags, uintptr_t stream);
sv_status sv_buffer_discard(
    int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id, uint32_t flags, uintptr_t stream);
sv_status sv_buffer_advise(
    int64_t count, sv_buffer *const *buffers, int32_t advice, int32_t device_type, int32_t device_id, uint32_t flags);
enum {
    SV_IPC_NBYTES = 160
};
sv_status sv_buffer_export_ipc(const sv_buffer *buffer, size_t capacity, void *blob, size_t *length);
sv_status sv_buffer_import_ipc(const void *blob, size_t length, uint32_t flags, sv_buffer **out);
enum {
    SV_COLLECT_WAIT = 1
};
sv_status sv_memory_collect(uint32_t flags, int64_t *left);
sv_status sv_memory_stats(sv_memory kind, int32_t stat, int64_t *value);

/* view */
typedef struct sv_view sv_view;
struct DLManagedTensorVersioned;
struct DLManagedTensor;
enum {
    SV_READ_ONLY = 1,
    SV_IS_COPIED = 2
};
sv_status sv_view_from_host(
    sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *pointer, uint32_t flags,
    sv_view **out);
sv_status sv_view_from_pointer(
    const sv_layout *layout, sv_dtype dtype, void *pointer, int64_t nbytes, uint32_t flags, sv_view **out);
sv_status sv_view_new(
    const sv_layout *layout, sv_dtype dtype, void *base, int64_t lower, int64_t upper, int32_t device_type,
    int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
sv_status sv_view_from_array(
    sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *pointer,
    int32_t device_type, int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
sv_status sv_view_from_buffer(
    sv_buffer *buffer, const sv_layout *layout, sv_dtype dtype, int64_t offset, uint32_t flags, sv_view **out);
sv_status sv_view_from_dlpack(struct DLManagedTensorVersioned *tensor, uint32_t flags, sv_view **out);
sv_status sv_view_from_dlpack_unversioned(struct DLManagedTensor *tensor, uint32_t flags, sv_view **out);
sv_status sv_view_from_dltensor(
    const void *tensor, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
sv_status sv_view_from_pep3118(
    const char *format, int64_t itemsize, int32_t ndim, const int64_t *shape, const int64_t *byte_strides,
    void *pointer, int64_t nbytes, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
sv_status sv_view_from_array_interface(
    const char *typestr, int32_t ndim, const int64_t *shape, const int64_t *byte_strides, void *pointer,
    int32_t device_type, int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx, sv_view **out);
sv_status sv_view_with_layout(const sv_view *view, const sv_layout *layout, sv_view **out);
sv_status sv_view_with_builder(const sv_view *view, const sv_layout_builder *builder, sv_view **out);
sv_status sv_view_permute(const sv_view *view, int32_t ndim, const int32_t *axes, sv_view **out);
sv_status sv_view_slice(
    const sv_view *view, int32_t count, const int64_t *start, const int64_t *stop, const int64_t *step, sv_view **out);
sv_status sv_view_index(const sv_view *view, int32_t axis, int64_t index, sv_view **out);
sv_status sv_view_reshape(const sv_view *view, int32_t ndim, const int64_t *shape, sv_view **out);
sv_status sv_view_broadcast(const sv_view *view, int32_t ndim, const int64_t *shape, sv_view **out);
sv_status sv_view_with_dtype(const sv_view *view, sv_dtype dtype, sv_view **out);
sv_status sv_view_as_readonly(const sv_view *view, sv_view **out);
sv_view *sv_view_retain(const sv_view *view);
void sv_view_release(sv_view *view);
void *sv_view_data(const sv_view *view);
const sv_layout *sv_view_layout(const sv_view *view);
sv_dtype sv_view_dtype(const sv_view *view);
int32_t sv_view_device_type(const sv_view *view);
int32_t sv_view_device_id(const sv_view *view);
int32_t sv_view_is_readonly(const sv_view *view);
sv_status sv_view_bounds(const sv_view *view, int64_t *lower, int64_t *upper);
int64_t sv_view_references(const sv_view *view);
void *sv_view_context(const sv_view *view, sv_release_callback release);
const sv_buffer *sv_view_buffer(const sv_view *view);
sv_status sv_view_overlap(const sv_view *view, const sv_view *other, int64_t work, sv_answer *answer);
const struct DLManagedTensorVersioned *sv_view_borrow(const sv_view *view);
enum {
    SV_KERNEL_WRITES = 1,
    SV_KERNEL_HOST = 2
};
sv_status sv_view_kernel_arg(
    const sv_view *view, int32_t ndim, int64_t itemsize, uint32_t flags, size_t capacity, void *block);
sv_status sv_view_to_dlpack(const sv_view *view, uint32_t flags, struct DLManagedTensorVersioned **out);
sv_status sv_view_to_dlpack_unversioned(const sv_view *view, struct DLManagedTensor **out);

/* empty */
sv_status sv_empty(
    const sv_allocator *allocator, sv_dtype dtype, int32_t ndim, const int64_t *shape, uint32_t flags,
    uintptr_t stream, sv_view **out);
sv_status sv_empty_layout(
    const sv_allocator *allocator, const sv_layout *layout, sv_dtype dtype, uint32_t flags, uintptr_t stream,
    sv_view **out);
sv_status sv_empty_like(
    const sv_allocator *allocator, const sv_view *view, sv_order order, uint32_t flags, uintptr_t stream,
    sv_view **out);

/* copy */
enum {
    SV_COPY_NO_TEMP = 1,
    SV_COPY_TRUST = 2,
    SV_COPY_BLOCKING = 4,
    SV_COPY_CAST = 8,
    SV_COPY_CAST_UNSAFE = 16,
    SV_COPY_SWAP = 32,
    SV_COPY_NO_WAIT = 64,
    SV_COPY_NON_TEMPORAL = 128
};
sv_status sv_copy(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream);
sv_status sv_copy_with(
    const sv_view *dst, const sv_view *src, const sv_allocator *scratch, uint32_t flags, uintptr_t stream);
sv_status sv_copy_scaled(
    const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale, const double *bias, int64_t nbias,
    int32_t axis, uint32_t flags, uintptr_t stream);
sv_status sv_copy_scaled_batch(
    int64_t count, sv_view *const *dst, sv_view *const *src, const double *scale, int64_t nscale, const double *bias,
    int64_t nbias, int32_t axis, uint32_t flags, uintptr_t stream, int64_t *failed);
sv_status sv_fill(const sv_view *dst, const void *item, int64_t itemsize, uint32_t flags, uintptr_t stream);
sv_status sv_copy_batch(
    int64_t count, sv_view *const *dst, sv_view *const *src, uint32_t flags, uintptr_t stream, int64_t *failed);
sv_status sv_copy_stack(
    const sv_view *dst, int32_t axis, int64_t count, sv_view *const *src, uint32_t flags, uintptr_t stream,
    int64_t *failed);
enum {
    SV_WAITS_NOTHING = 0,
    SV_WAITS_RING = 1,
    SV_WAITS_STREAM = 2,
    SV_WAITS_DEVICES = 3
};
enum {
    SV_DONE_NOTHING = 0,
    SV_DONE_READING = 1,
    SV_DONE_ALL = 2
};
enum {
    SV_METHOD_NOTHING = 0,
    SV_METHOD_DIRECT = 1,
    SV_METHOD_RING = 2,
    SV_METHOD_IN_PLACE = 3,
    SV_METHOD_TEMPORARY = 4,
    SV_METHOD_HOST_TEMPORARY = 5,
    SV_METHOD_TASKS = 6
};
sv_status sv_copy_placement(
    const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream, int32_t *by, int32_t *device_type,
    int32_t *device_id, int32_t *waits, int32_t *done, int32_t *method);

/* plan */
typedef struct sv_plan sv_plan;
sv_status sv_plan_new(const sv_view *dst, const sv_view *src, uint32_t flags, sv_plan **out);
sv_status sv_plan_new_scaled(
    const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale, const double *bias, int64_t nbias,
    int32_t axis, uint32_t flags, sv_plan **out);
sv_plan *sv_plan_retain(const sv_plan *plan);
void sv_plan_release(sv_plan *plan);
sv_status sv_plan_execute(const sv_plan *plan, void *dst, const void *src, uintptr_t stream);
sv_status sv_plan_execute_views(const sv_plan *plan, const sv_view *dst, const sv_view *src, uintptr_t stream);
sv_status sv_plan_execute_batch(
    int64_t count, sv_plan *const *plans, void *const *dst, const void *const *src, uintptr_t stream, int64_t *failed);
sv_status sv_plan_execute_views_batch(
    const sv_plan *plan, int64_t count, sv_view *const *dst, sv_view *const *src, uintptr_t stream, int64_t *failed);
sv_status sv_plan_execute_table(
    const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t alignment, uintptr_t stream, int64_t *failed);
const char *sv_plan_class(const sv_plan *plan);
const char *sv_plan_kernel(const sv_plan *plan);
sv_status sv_plan_explain(
    const sv_plan *plan, const void *dst, const void *src, size_t capacity, char *text, size_t *length);
int64_t sv_plan_nbytes(const sv_plan *plan);
sv_status sv_plan_traffic(const sv_plan *plan, int64_t *read, int64_t *written);
int64_t sv_plan_launches(const sv_plan *plan);

/* threads */
typedef void (*sv_task_callback)(void *ctx, int64_t index);
typedef sv_status (*sv_parallel_callback)(void *ctx, int64_t count, sv_task_callback task, void *task_ctx);
sv_status sv_copy_parallel(
    const sv_view *dst, const sv_view *src, int32_t threads, sv_parallel_callback run, void *ctx, uint32_t flags,
    uintptr_t stream);
sv_status sv_copy_scaled_parallel(
    const sv_view *dst, const sv_view *src, const double *scale, int64_t nscale, const double *bias, int64_t nbias,
    int32_t axis, int32_t threads, sv_parallel_callback run, void *ctx, uint32_t flags, uintptr_t stream);
sv_status sv_plan_with_threads(
    const sv_plan *plan, int32_t threads, sv_parallel_callback run, void *ctx, sv_plan **out);
sv_status sv_plan_with_allocator(const sv_plan *plan, const sv_allocator *scratch, sv_plan **out);
sv_status sv_plan_measure(
    const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t limit_ns, uintptr_t stream, sv_plan **out);
