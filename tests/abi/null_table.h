/* Every function that takes a pointer, for tests/run/calls.c.
 * Generated from include/sv.h by py/gen_bindings.py: do not edit. */
static int64_t call_sv_dtype_make(const struct argument *a)
{
    return sv_dtype_make((int32_t)a[0].number, (int32_t)a[1].number, (int32_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_dtype_name(const struct argument *a)
{
    return sv_dtype_name((sv_dtype)a[0].number, (size_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_dtype_parse(const struct argument *a)
{
    return sv_dtype_parse(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_dtype_typestr(const struct argument *a)
{
    return sv_dtype_typestr((sv_dtype)a[0].number, (size_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_dtype_from_typestr(const struct argument *a)
{
    return sv_dtype_from_typestr(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_dtype_format(const struct argument *a)
{
    return sv_dtype_format((sv_dtype)a[0].number, (size_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_dtype_from_format(const struct argument *a)
{
    return sv_dtype_from_format(a[0].pointer, (int64_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_new(const struct argument *a)
{
    return sv_layout_new((int32_t)a[0].number, a[1].pointer, a[2].pointer, (int64_t)a[3].number, a[4].pointer);
}
static int64_t call_sv_layout_new_bytes(const struct argument *a)
{
    return sv_layout_new_bytes((int32_t)a[0].number, a[1].pointer, a[2].pointer, (int64_t)a[3].number, a[4].pointer);
}
static int64_t call_sv_layout_new_dense(const struct argument *a)
{
    return sv_layout_new_dense(
        (int32_t)a[0].number, a[1].pointer, (sv_order)a[2].number, a[3].pointer, (int64_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_layout_parse(const struct argument *a)
{
    return sv_layout_parse(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_layout_retain(const struct argument *a)
{
    return (intptr_t)sv_layout_retain(a[0].pointer);
}
static int64_t call_sv_layout_release(const struct argument *a)
{
    sv_layout_release(a[0].pointer);
    return 0;
}
static int64_t call_sv_layout_ndim(const struct argument *a)
{
    return sv_layout_ndim(a[0].pointer);
}
static int64_t call_sv_layout_shape(const struct argument *a)
{
    return (intptr_t)sv_layout_shape(a[0].pointer);
}
static int64_t call_sv_layout_byte_strides(const struct argument *a)
{
    return (intptr_t)sv_layout_byte_strides(a[0].pointer);
}
static int64_t call_sv_layout_strides(const struct argument *a)
{
    return sv_layout_strides(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_layout_itemsize(const struct argument *a)
{
    return sv_layout_itemsize(a[0].pointer);
}
static int64_t call_sv_layout_size(const struct argument *a)
{
    return sv_layout_size(a[0].pointer);
}
static int64_t call_sv_layout_nbytes(const struct argument *a)
{
    return sv_layout_nbytes(a[0].pointer);
}
static int64_t call_sv_layout_byte_offset(const struct argument *a)
{
    return sv_layout_byte_offset(a[0].pointer);
}
static int64_t call_sv_layout_is_contiguous(const struct argument *a)
{
    return sv_layout_is_contiguous(a[0].pointer, (sv_order)a[1].number);
}
static int64_t call_sv_layout_is_dense(const struct argument *a)
{
    return sv_layout_is_dense(a[0].pointer);
}
static int64_t call_sv_layout_is_within(const struct argument *a)
{
    return sv_layout_is_within(a[0].pointer, (int64_t)a[1].number, (int64_t)a[2].number);
}
static int64_t call_sv_layout_byte_bounds(const struct argument *a)
{
    return sv_layout_byte_bounds(a[0].pointer, a[1].pointer, a[2].pointer);
}
static int64_t call_sv_layout_required_size(const struct argument *a)
{
    return sv_layout_required_size(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_layout_stride_order(const struct argument *a)
{
    return sv_layout_stride_order(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_layout_flatten_mask(const struct argument *a)
{
    return sv_layout_flatten_mask(a[0].pointer);
}
static int64_t call_sv_layout_alignment(const struct argument *a)
{
    return sv_layout_alignment(a[0].pointer, (uintptr_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_max_itemsize(const struct argument *a)
{
    return sv_layout_max_itemsize(
        a[0].pointer, (int64_t)a[1].number, (uintptr_t)a[2].number, (int32_t)a[3].number, a[4].pointer);
}
static int64_t call_sv_layout_equal(const struct argument *a)
{
    return sv_layout_equal(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_layout_hash(const struct argument *a)
{
    return sv_layout_hash(a[0].pointer);
}
static int64_t call_sv_layout_text(const struct argument *a)
{
    return sv_layout_text(a[0].pointer, (size_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_is_unique(const struct argument *a)
{
    return sv_layout_is_unique(a[0].pointer, (int64_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_overlap(const struct argument *a)
{
    return sv_layout_overlap(
        a[0].pointer, a[1].pointer, (uintptr_t)a[2].number, (uintptr_t)a[3].number, (int64_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_layout_same_bytes(const struct argument *a)
{
    return sv_layout_same_bytes(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_layout_common(const struct argument *a)
{
    return sv_layout_common(a[0].pointer, a[1].pointer, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_common_itemsize(const struct argument *a)
{
    return sv_layout_common_itemsize(
        a[0].pointer, a[1].pointer, (uintptr_t)a[2].number, (uintptr_t)a[3].number, (int64_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_layout_broadcast_shape(const struct argument *a)
{
    return sv_layout_broadcast_shape(a[0].pointer, a[1].pointer, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_permutation(const struct argument *a)
{
    return sv_layout_permutation(a[0].pointer, a[1].pointer, a[2].pointer);
}
static int64_t call_sv_layout_permute(const struct argument *a)
{
    return sv_layout_permute(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_slice(const struct argument *a)
{
    return sv_layout_slice(
        a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer, a[4].pointer, a[5].pointer);
}
static int64_t call_sv_layout_index(const struct argument *a)
{
    return sv_layout_index(a[0].pointer, (int32_t)a[1].number, (int64_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_layout_reshape(const struct argument *a)
{
    return sv_layout_reshape(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_broadcast(const struct argument *a)
{
    return sv_layout_broadcast(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_squeeze(const struct argument *a)
{
    return sv_layout_squeeze(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_unsqueeze(const struct argument *a)
{
    return sv_layout_unsqueeze(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_to_dense(const struct argument *a)
{
    return sv_layout_to_dense(
        a[0].pointer, (sv_order)a[1].number, (int32_t)a[2].number, a[3].pointer, (int64_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_layout_flatten(const struct argument *a)
{
    return sv_layout_flatten(a[0].pointer, (int32_t)a[1].number, (int32_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_layout_flatten_masked(const struct argument *a)
{
    return sv_layout_flatten_masked(a[0].pointer, (uint64_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_merge_axes(const struct argument *a)
{
    return sv_layout_merge_axes(a[0].pointer, (int32_t)a[1].number, (int32_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_layout_split_axis(const struct argument *a)
{
    return sv_layout_split_axis(a[0].pointer, (int32_t)a[1].number, (int32_t)a[2].number, a[3].pointer, a[4].pointer);
}
static int64_t call_sv_layout_move_axes(const struct argument *a)
{
    return sv_layout_move_axes(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer, a[4].pointer);
}
static int64_t call_sv_layout_swap_axes(const struct argument *a)
{
    return sv_layout_swap_axes(a[0].pointer, (int32_t)a[1].number, (int32_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_layout_flip(const struct argument *a)
{
    return sv_layout_flip(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_diagonal(const struct argument *a)
{
    return sv_layout_diagonal(
        a[0].pointer, (int64_t)a[1].number, (int32_t)a[2].number, (int32_t)a[3].number, a[4].pointer);
}
static int64_t call_sv_layout_window(const struct argument *a)
{
    return sv_layout_window(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer, a[4].pointer);
}
static int64_t call_sv_layout_repack(const struct argument *a)
{
    return sv_layout_repack(
        a[0].pointer, (int64_t)a[1].number, (uintptr_t)a[2].number, (int32_t)a[3].number, (int32_t)a[4].number,
        a[5].pointer);
}
static int64_t call_sv_layout_builder_new(const struct argument *a)
{
    return sv_layout_builder_new(a[0].pointer);
}
static int64_t call_sv_layout_builder_release(const struct argument *a)
{
    sv_layout_builder_release(a[0].pointer);
    return 0;
}
static int64_t call_sv_layout_builder_start(const struct argument *a)
{
    return sv_layout_builder_start(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_layout_builder_permute(const struct argument *a)
{
    return sv_layout_builder_permute(a[0].pointer, (int32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_builder_slice(const struct argument *a)
{
    return sv_layout_builder_slice(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer, a[4].pointer);
}
static int64_t call_sv_layout_builder_index(const struct argument *a)
{
    return sv_layout_builder_index(a[0].pointer, (int32_t)a[1].number, (int64_t)a[2].number);
}
static int64_t call_sv_layout_builder_reshape(const struct argument *a)
{
    return sv_layout_builder_reshape(a[0].pointer, (int32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_builder_broadcast(const struct argument *a)
{
    return sv_layout_builder_broadcast(a[0].pointer, (int32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_builder_squeeze(const struct argument *a)
{
    return sv_layout_builder_squeeze(a[0].pointer, (int32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_builder_unsqueeze(const struct argument *a)
{
    return sv_layout_builder_unsqueeze(a[0].pointer, (int32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_builder_to_dense(const struct argument *a)
{
    return sv_layout_builder_to_dense(
        a[0].pointer, (sv_order)a[1].number, (int32_t)a[2].number, a[3].pointer, (int64_t)a[4].number);
}
static int64_t call_sv_layout_builder_flatten(const struct argument *a)
{
    return sv_layout_builder_flatten(a[0].pointer, (int32_t)a[1].number, (int32_t)a[2].number);
}
static int64_t call_sv_layout_builder_flatten_masked(const struct argument *a)
{
    return sv_layout_builder_flatten_masked(a[0].pointer, (uint64_t)a[1].number);
}
static int64_t call_sv_layout_builder_merge_axes(const struct argument *a)
{
    return sv_layout_builder_merge_axes(a[0].pointer, (int32_t)a[1].number, (int32_t)a[2].number);
}
static int64_t call_sv_layout_builder_split_axis(const struct argument *a)
{
    return sv_layout_builder_split_axis(a[0].pointer, (int32_t)a[1].number, (int32_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_layout_builder_move_axes(const struct argument *a)
{
    return sv_layout_builder_move_axes(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_builder_swap_axes(const struct argument *a)
{
    return sv_layout_builder_swap_axes(a[0].pointer, (int32_t)a[1].number, (int32_t)a[2].number);
}
static int64_t call_sv_layout_builder_flip(const struct argument *a)
{
    return sv_layout_builder_flip(a[0].pointer, (int32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_layout_builder_diagonal(const struct argument *a)
{
    return sv_layout_builder_diagonal(a[0].pointer, (int64_t)a[1].number, (int32_t)a[2].number, (int32_t)a[3].number);
}
static int64_t call_sv_layout_builder_window(const struct argument *a)
{
    return sv_layout_builder_window(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_layout_builder_repack(const struct argument *a)
{
    return sv_layout_builder_repack(
        a[0].pointer, (int64_t)a[1].number, (uintptr_t)a[2].number, (int32_t)a[3].number, (int32_t)a[4].number);
}
static int64_t call_sv_layout_builder_finish(const struct argument *a)
{
    return sv_layout_builder_finish(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_device_probe(const struct argument *a)
{
    return sv_device_probe((int32_t)a[0].number, a[1].pointer, a[2].pointer);
}
static int64_t call_sv_device_text(const struct argument *a)
{
    return sv_device_text((int32_t)a[0].number, (size_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_device_property(const struct argument *a)
{
    return sv_device_property((int32_t)a[0].number, (int32_t)a[1].number, (int32_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_pointer_query(const struct argument *a)
{
    return sv_pointer_query(a[0].pointer, a[1].pointer, a[2].pointer, a[3].pointer, a[4].pointer, a[5].pointer);
}
static int64_t call_sv_allocator_host(const struct argument *a)
{
    return sv_allocator_host((uint32_t)a[0].number, a[1].pointer);
}
static int64_t call_sv_allocator_pinned(const struct argument *a)
{
    return sv_allocator_pinned(a[0].pointer);
}
static int64_t call_sv_allocator_device(const struct argument *a)
{
    return sv_allocator_device((int32_t)a[0].number, a[1].pointer);
}
static int64_t call_sv_allocator_managed(const struct argument *a)
{
    return sv_allocator_managed((int32_t)a[0].number, a[1].pointer);
}
static int64_t call_sv_allocator_pool(const struct argument *a)
{
    return sv_allocator_pool(
        (sv_memory)a[0].number, (int32_t)a[1].number, (int64_t)a[2].number, (int64_t)a[3].number,
        (int64_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_allocator_pool_view(const struct argument *a)
{
    return sv_allocator_pool_view((sv_memory)a[0].number, (int32_t)a[1].number, (uintptr_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_allocator_callbacks(const struct argument *a)
{
    return sv_allocator_callbacks(
        (sv_memory)a[0].number, (int32_t)a[1].number, (int32_t)a[2].number, (sv_allocate_callback)a[3].function,
        (sv_free_callback)a[4].function, (sv_release_callback)a[5].function, a[6].pointer, a[7].pointer);
}
static int64_t call_sv_allocator_tracked(const struct argument *a)
{
    return sv_allocator_tracked(a[0].pointer, a[1].pointer, (uint32_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_allocator_limited(const struct argument *a)
{
    return sv_allocator_limited(a[0].pointer, (int64_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_allocator_logged(const struct argument *a)
{
    return sv_allocator_logged(
        a[0].pointer, (sv_memory_callback)a[1].function, (sv_release_callback)a[2].function, a[3].pointer,
        a[4].pointer);
}
static int64_t call_sv_allocator_retrying(const struct argument *a)
{
    return sv_allocator_retrying(
        a[0].pointer, (int32_t)a[1].number, (sv_no_memory_callback)a[2].function, (sv_release_callback)a[3].function,
        a[4].pointer, a[5].pointer);
}
static int64_t call_sv_allocator_retain(const struct argument *a)
{
    return (intptr_t)sv_allocator_retain(a[0].pointer);
}
static int64_t call_sv_allocator_release(const struct argument *a)
{
    sv_allocator_release(a[0].pointer);
    return 0;
}
static int64_t call_sv_allocator_kind(const struct argument *a)
{
    return sv_allocator_kind(a[0].pointer);
}
static int64_t call_sv_allocator_device_type(const struct argument *a)
{
    return sv_allocator_device_type(a[0].pointer);
}
static int64_t call_sv_allocator_device_id(const struct argument *a)
{
    return sv_allocator_device_id(a[0].pointer);
}
static int64_t call_sv_allocator_traits(const struct argument *a)
{
    return sv_allocator_traits(a[0].pointer);
}
static int64_t call_sv_allocator_alignment(const struct argument *a)
{
    return sv_allocator_alignment(a[0].pointer);
}
static int64_t call_sv_allocator_name(const struct argument *a)
{
    return (intptr_t)sv_allocator_name(a[0].pointer);
}
static int64_t call_sv_allocator_allocate(const struct argument *a)
{
    return sv_allocator_allocate(
        a[0].pointer, (int64_t)a[1].number, (int64_t)a[2].number, (uintptr_t)a[3].number, a[4].pointer);
}
static int64_t call_sv_allocator_free(const struct argument *a)
{
    return sv_allocator_free(
        a[0].pointer, a[1].pointer, (int64_t)a[2].number, (int64_t)a[3].number, (uintptr_t)a[4].number);
}
static int64_t call_sv_allocator_stats(const struct argument *a)
{
    return sv_allocator_stats(a[0].pointer, (int32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_allocator_reset_peaks(const struct argument *a)
{
    return sv_allocator_reset_peaks(a[0].pointer);
}
static int64_t call_sv_allocator_visit(const struct argument *a)
{
    return sv_allocator_visit(a[0].pointer, (sv_block_callback)a[1].function, a[2].pointer);
}
static int64_t call_sv_allocator_from_handler(const struct argument *a)
{
    return sv_allocator_from_handler(
        (int32_t)a[0].number, (sv_handler_allocate_callback)a[1].function, (sv_handler_free_callback)a[2].function,
        (sv_release_callback)a[3].function, a[4].pointer, a[5].pointer);
}
static int64_t call_sv_handler_allocate_from(const struct argument *a)
{
    return sv_handler_allocate_from(a[0].pointer, a[1].pointer, (size_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_handler_free_to(const struct argument *a)
{
    return sv_handler_free_to(a[0].pointer, a[1].pointer, (size_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_allocator_from_torch(const struct argument *a)
{
    return sv_allocator_from_torch(
        (int32_t)a[0].number, (sv_torch_allocate_callback)a[1].function, (sv_torch_free_callback)a[2].function,
        a[3].pointer);
}
static int64_t call_sv_torch_use(const struct argument *a)
{
    return sv_torch_use((int32_t)a[0].number, a[1].pointer);
}
static int64_t call_sv_torch_allocate(const struct argument *a)
{
    return (intptr_t)sv_torch_allocate((int64_t)a[0].number, (int32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_torch_free(const struct argument *a)
{
    sv_torch_free(a[0].pointer, (int64_t)a[1].number, (int32_t)a[2].number, a[3].pointer);
    return 0;
}
static int64_t call_sv_buffer_new(const struct argument *a)
{
    return sv_buffer_new(
        a[0].pointer, (int64_t)a[1].number, (int64_t)a[2].number, (uint32_t)a[3].number, (uintptr_t)a[4].number,
        a[5].pointer);
}
static int64_t call_sv_buffer_adopt(const struct argument *a)
{
    return sv_buffer_adopt(
        a[0].pointer, (int64_t)a[1].number, (sv_memory)a[2].number, (int32_t)a[3].number, (int32_t)a[4].number,
        (uint32_t)a[5].number, (uintptr_t)a[6].number, (sv_free_callback)a[7].function, a[8].pointer, a[9].pointer);
}
static int64_t call_sv_buffer_register(const struct argument *a)
{
    return sv_buffer_register(
        a[0].pointer, (int64_t)a[1].number, (uint32_t)a[2].number, (sv_release_callback)a[3].function, a[4].pointer,
        a[5].pointer);
}
static int64_t call_sv_buffer_slice(const struct argument *a)
{
    return sv_buffer_slice(
        a[0].pointer, (int64_t)a[1].number, (int64_t)a[2].number, (uint32_t)a[3].number, a[4].pointer);
}
static int64_t call_sv_buffer_retain(const struct argument *a)
{
    return (intptr_t)sv_buffer_retain(a[0].pointer);
}
static int64_t call_sv_buffer_release(const struct argument *a)
{
    sv_buffer_release(a[0].pointer);
    return 0;
}
static int64_t call_sv_buffer_release_later(const struct argument *a)
{
    sv_buffer_release_later(a[0].pointer);
    return 0;
}
static int64_t call_sv_buffer_detach(const struct argument *a)
{
    return sv_buffer_detach(
        a[0].pointer, a[1].pointer, a[2].pointer, a[3].pointer, a[4].pointer, a[5].pointer, a[6].pointer);
}
static int64_t call_sv_buffer_close(const struct argument *a)
{
    return sv_buffer_close(a[0].pointer, (uintptr_t)a[1].number);
}
static int64_t call_sv_buffer_data(const struct argument *a)
{
    return (intptr_t)sv_buffer_data(a[0].pointer);
}
static int64_t call_sv_buffer_host_data(const struct argument *a)
{
    return (intptr_t)sv_buffer_host_data(a[0].pointer);
}
static int64_t call_sv_buffer_nbytes(const struct argument *a)
{
    return sv_buffer_nbytes(a[0].pointer);
}
static int64_t call_sv_buffer_capacity(const struct argument *a)
{
    return sv_buffer_capacity(a[0].pointer);
}
static int64_t call_sv_buffer_alignment(const struct argument *a)
{
    return sv_buffer_alignment(a[0].pointer);
}
static int64_t call_sv_buffer_kind(const struct argument *a)
{
    return sv_buffer_kind(a[0].pointer);
}
static int64_t call_sv_buffer_traits(const struct argument *a)
{
    return sv_buffer_traits(a[0].pointer);
}
static int64_t call_sv_buffer_device_type(const struct argument *a)
{
    return sv_buffer_device_type(a[0].pointer);
}
static int64_t call_sv_buffer_device_id(const struct argument *a)
{
    return sv_buffer_device_id(a[0].pointer);
}
static int64_t call_sv_buffer_stream(const struct argument *a)
{
    return sv_buffer_stream(a[0].pointer);
}
static int64_t call_sv_buffer_allocator(const struct argument *a)
{
    return (intptr_t)sv_buffer_allocator(a[0].pointer);
}
static int64_t call_sv_buffer_parent(const struct argument *a)
{
    return (intptr_t)sv_buffer_parent(a[0].pointer);
}
static int64_t call_sv_buffer_exports(const struct argument *a)
{
    return sv_buffer_exports(a[0].pointer);
}
static int64_t call_sv_buffer_references(const struct argument *a)
{
    return sv_buffer_references(a[0].pointer);
}
static int64_t call_sv_buffer_is_closed(const struct argument *a)
{
    return sv_buffer_is_closed(a[0].pointer);
}
static int64_t call_sv_buffer_context(const struct argument *a)
{
    return (intptr_t)sv_buffer_context(a[0].pointer, (sv_free_callback)a[1].function);
}
static int64_t call_sv_buffer_begin_export(const struct argument *a)
{
    return sv_buffer_begin_export(a[0].pointer);
}
static int64_t call_sv_buffer_end_export(const struct argument *a)
{
    sv_buffer_end_export(a[0].pointer);
    return 0;
}
static int64_t call_sv_buffer_read(const struct argument *a)
{
    return sv_buffer_read(
        a[0].pointer, (int64_t)a[1].number, a[2].pointer, (int64_t)a[3].number, (uint32_t)a[4].number,
        (uintptr_t)a[5].number);
}
static int64_t call_sv_buffer_write(const struct argument *a)
{
    return sv_buffer_write(
        a[0].pointer, (int64_t)a[1].number, a[2].pointer, (int64_t)a[3].number, (uint32_t)a[4].number,
        (uintptr_t)a[5].number);
}
static int64_t call_sv_buffer_copy(const struct argument *a)
{
    return sv_buffer_copy(
        a[0].pointer, (int64_t)a[1].number, a[2].pointer, (int64_t)a[3].number, (int64_t)a[4].number,
        (uint32_t)a[5].number, (uintptr_t)a[6].number);
}
static int64_t call_sv_buffer_fill(const struct argument *a)
{
    return sv_buffer_fill(
        a[0].pointer, (int64_t)a[1].number, (int64_t)a[2].number, a[3].pointer, (int64_t)a[4].number,
        (uint32_t)a[5].number, (uintptr_t)a[6].number);
}
static int64_t call_sv_buffer_resize(const struct argument *a)
{
    return sv_buffer_resize(a[0].pointer, (int64_t)a[1].number, (uint32_t)a[2].number, (uintptr_t)a[3].number);
}
static int64_t call_sv_buffer_reserve(const struct argument *a)
{
    return sv_buffer_reserve(a[0].pointer, (int64_t)a[1].number, (uintptr_t)a[2].number);
}
static int64_t call_sv_buffer_shrink(const struct argument *a)
{
    return sv_buffer_shrink(a[0].pointer, (uintptr_t)a[1].number);
}
static int64_t call_sv_buffer_migrate(const struct argument *a)
{
    return sv_buffer_migrate(a[0].pointer, a[1].pointer, (uint32_t)a[2].number, (uintptr_t)a[3].number);
}
static int64_t call_sv_buffer_set_stream(const struct argument *a)
{
    return sv_buffer_set_stream(a[0].pointer, (uintptr_t)a[1].number);
}
static int64_t call_sv_buffer_record_use(const struct argument *a)
{
    return sv_buffer_record_use(a[0].pointer, (uintptr_t)a[1].number);
}
static int64_t call_sv_buffer_prefetch(const struct argument *a)
{
    return sv_buffer_prefetch(
        (int64_t)a[0].number, a[1].pointer, (int32_t)a[2].number, (int32_t)a[3].number, (uint32_t)a[4].number,
        (uintptr_t)a[5].number);
}
static int64_t call_sv_buffer_discard(const struct argument *a)
{
    return sv_buffer_discard(
        (int64_t)a[0].number, a[1].pointer, (int32_t)a[2].number, (int32_t)a[3].number, (uint32_t)a[4].number,
        (uintptr_t)a[5].number);
}
static int64_t call_sv_buffer_advise(const struct argument *a)
{
    return sv_buffer_advise(
        (int64_t)a[0].number, a[1].pointer, (int32_t)a[2].number, (int32_t)a[3].number, (int32_t)a[4].number,
        (uint32_t)a[5].number);
}
static int64_t call_sv_buffer_export_ipc(const struct argument *a)
{
    return sv_buffer_export_ipc(a[0].pointer, (size_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_buffer_import_ipc(const struct argument *a)
{
    return sv_buffer_import_ipc(a[0].pointer, (size_t)a[1].number, (uint32_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_memory_collect(const struct argument *a)
{
    return sv_memory_collect((uint32_t)a[0].number, a[1].pointer);
}
static int64_t call_sv_memory_stats(const struct argument *a)
{
    return sv_memory_stats((sv_memory)a[0].number, (int32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_view_from_host(const struct argument *a)
{
    return sv_view_from_host(
        (sv_dtype)a[0].number, (int32_t)a[1].number, a[2].pointer, a[3].pointer, a[4].pointer, (uint32_t)a[5].number,
        a[6].pointer);
}
static int64_t call_sv_view_from_pointer(const struct argument *a)
{
    return sv_view_from_pointer(
        a[0].pointer, (sv_dtype)a[1].number, a[2].pointer, (int64_t)a[3].number, (uint32_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_view_new(const struct argument *a)
{
    return sv_view_new(
        a[0].pointer, (sv_dtype)a[1].number, a[2].pointer, (int64_t)a[3].number, (int64_t)a[4].number,
        (int32_t)a[5].number, (int32_t)a[6].number, (uint32_t)a[7].number, (sv_release_callback)a[8].function,
        a[9].pointer, a[10].pointer);
}
static int64_t call_sv_view_from_array(const struct argument *a)
{
    return sv_view_from_array(
        (sv_dtype)a[0].number, (int32_t)a[1].number, a[2].pointer, a[3].pointer, a[4].pointer, (int32_t)a[5].number,
        (int32_t)a[6].number, (uint32_t)a[7].number, (sv_release_callback)a[8].function, a[9].pointer, a[10].pointer);
}
static int64_t call_sv_view_from_buffer(const struct argument *a)
{
    return sv_view_from_buffer(
        a[0].pointer, a[1].pointer, (sv_dtype)a[2].number, (int64_t)a[3].number, (uint32_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_view_from_dlpack(const struct argument *a)
{
    return sv_view_from_dlpack(a[0].pointer, (uint32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_view_from_dlpack_unversioned(const struct argument *a)
{
    return sv_view_from_dlpack_unversioned(a[0].pointer, (uint32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_view_from_dltensor(const struct argument *a)
{
    return sv_view_from_dltensor(
        a[0].pointer, (uint32_t)a[1].number, (sv_release_callback)a[2].function, a[3].pointer, a[4].pointer);
}
static int64_t call_sv_view_from_pep3118(const struct argument *a)
{
    return sv_view_from_pep3118(
        a[0].pointer, (int64_t)a[1].number, (int32_t)a[2].number, a[3].pointer, a[4].pointer, a[5].pointer,
        (int64_t)a[6].number, (uint32_t)a[7].number, (sv_release_callback)a[8].function, a[9].pointer, a[10].pointer);
}
static int64_t call_sv_view_from_array_interface(const struct argument *a)
{
    return sv_view_from_array_interface(
        a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer, a[4].pointer, (int32_t)a[5].number,
        (int32_t)a[6].number, (uint32_t)a[7].number, (sv_release_callback)a[8].function, a[9].pointer, a[10].pointer);
}
static int64_t call_sv_view_with_layout(const struct argument *a)
{
    return sv_view_with_layout(a[0].pointer, a[1].pointer, a[2].pointer);
}
static int64_t call_sv_view_with_builder(const struct argument *a)
{
    return sv_view_with_builder(a[0].pointer, a[1].pointer, a[2].pointer);
}
static int64_t call_sv_view_permute(const struct argument *a)
{
    return sv_view_permute(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_view_slice(const struct argument *a)
{
    return sv_view_slice(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer, a[4].pointer, a[5].pointer);
}
static int64_t call_sv_view_index(const struct argument *a)
{
    return sv_view_index(a[0].pointer, (int32_t)a[1].number, (int64_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_view_reshape(const struct argument *a)
{
    return sv_view_reshape(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_view_broadcast(const struct argument *a)
{
    return sv_view_broadcast(a[0].pointer, (int32_t)a[1].number, a[2].pointer, a[3].pointer);
}
static int64_t call_sv_view_with_dtype(const struct argument *a)
{
    return sv_view_with_dtype(a[0].pointer, (sv_dtype)a[1].number, a[2].pointer);
}
static int64_t call_sv_view_as_readonly(const struct argument *a)
{
    return sv_view_as_readonly(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_view_retain(const struct argument *a)
{
    return (intptr_t)sv_view_retain(a[0].pointer);
}
static int64_t call_sv_view_release(const struct argument *a)
{
    sv_view_release(a[0].pointer);
    return 0;
}
static int64_t call_sv_view_data(const struct argument *a)
{
    return (intptr_t)sv_view_data(a[0].pointer);
}
static int64_t call_sv_view_layout(const struct argument *a)
{
    return (intptr_t)sv_view_layout(a[0].pointer);
}
static int64_t call_sv_view_dtype(const struct argument *a)
{
    return sv_view_dtype(a[0].pointer);
}
static int64_t call_sv_view_device_type(const struct argument *a)
{
    return sv_view_device_type(a[0].pointer);
}
static int64_t call_sv_view_device_id(const struct argument *a)
{
    return sv_view_device_id(a[0].pointer);
}
static int64_t call_sv_view_is_readonly(const struct argument *a)
{
    return sv_view_is_readonly(a[0].pointer);
}
static int64_t call_sv_view_bounds(const struct argument *a)
{
    return sv_view_bounds(a[0].pointer, a[1].pointer, a[2].pointer);
}
static int64_t call_sv_view_references(const struct argument *a)
{
    return sv_view_references(a[0].pointer);
}
static int64_t call_sv_view_context(const struct argument *a)
{
    return (intptr_t)sv_view_context(a[0].pointer, (sv_release_callback)a[1].function);
}
static int64_t call_sv_view_buffer(const struct argument *a)
{
    return (intptr_t)sv_view_buffer(a[0].pointer);
}
static int64_t call_sv_view_overlap(const struct argument *a)
{
    return sv_view_overlap(a[0].pointer, a[1].pointer, (int64_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_view_borrow(const struct argument *a)
{
    return (intptr_t)sv_view_borrow(a[0].pointer);
}
static int64_t call_sv_view_kernel_arg(const struct argument *a)
{
    return sv_view_kernel_arg(
        a[0].pointer, (int32_t)a[1].number, (int64_t)a[2].number, (uint32_t)a[3].number, (size_t)a[4].number,
        a[5].pointer);
}
static int64_t call_sv_view_to_dlpack(const struct argument *a)
{
    return sv_view_to_dlpack(a[0].pointer, (uint32_t)a[1].number, a[2].pointer);
}
static int64_t call_sv_view_to_dlpack_unversioned(const struct argument *a)
{
    return sv_view_to_dlpack_unversioned(a[0].pointer, a[1].pointer);
}
static int64_t call_sv_empty(const struct argument *a)
{
    return sv_empty(
        a[0].pointer, (sv_dtype)a[1].number, (int32_t)a[2].number, a[3].pointer, (uint32_t)a[4].number,
        (uintptr_t)a[5].number, a[6].pointer);
}
static int64_t call_sv_empty_layout(const struct argument *a)
{
    return sv_empty_layout(
        a[0].pointer, a[1].pointer, (sv_dtype)a[2].number, (uint32_t)a[3].number, (uintptr_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_empty_like(const struct argument *a)
{
    return sv_empty_like(
        a[0].pointer, a[1].pointer, (sv_order)a[2].number, (uint32_t)a[3].number, (uintptr_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_copy(const struct argument *a)
{
    return sv_copy(a[0].pointer, a[1].pointer, (uint32_t)a[2].number, (uintptr_t)a[3].number);
}
static int64_t call_sv_copy_with(const struct argument *a)
{
    return sv_copy_with(a[0].pointer, a[1].pointer, a[2].pointer, (uint32_t)a[3].number, (uintptr_t)a[4].number);
}
static int64_t call_sv_copy_scaled(const struct argument *a)
{
    return sv_copy_scaled(
        a[0].pointer, a[1].pointer, a[2].pointer, (int64_t)a[3].number, a[4].pointer, (int64_t)a[5].number,
        (int32_t)a[6].number, (uint32_t)a[7].number, (uintptr_t)a[8].number);
}
static int64_t call_sv_fill(const struct argument *a)
{
    return sv_fill(a[0].pointer, a[1].pointer, (int64_t)a[2].number, (uint32_t)a[3].number, (uintptr_t)a[4].number);
}
static int64_t call_sv_copy_batch(const struct argument *a)
{
    return sv_copy_batch(
        (int64_t)a[0].number, a[1].pointer, a[2].pointer, (uint32_t)a[3].number, (uintptr_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_copy_placement(const struct argument *a)
{
    return sv_copy_placement(
        a[0].pointer, a[1].pointer, (uint32_t)a[2].number, (uintptr_t)a[3].number, a[4].pointer, a[5].pointer,
        a[6].pointer, a[7].pointer, a[8].pointer, a[9].pointer);
}
static int64_t call_sv_plan_new(const struct argument *a)
{
    return sv_plan_new(a[0].pointer, a[1].pointer, (uint32_t)a[2].number, a[3].pointer);
}
static int64_t call_sv_plan_retain(const struct argument *a)
{
    return (intptr_t)sv_plan_retain(a[0].pointer);
}
static int64_t call_sv_plan_release(const struct argument *a)
{
    sv_plan_release(a[0].pointer);
    return 0;
}
static int64_t call_sv_plan_execute(const struct argument *a)
{
    return sv_plan_execute(a[0].pointer, a[1].pointer, a[2].pointer, (uintptr_t)a[3].number);
}
static int64_t call_sv_plan_execute_views(const struct argument *a)
{
    return sv_plan_execute_views(a[0].pointer, a[1].pointer, a[2].pointer, (uintptr_t)a[3].number);
}
static int64_t call_sv_plan_execute_batch(const struct argument *a)
{
    return sv_plan_execute_batch(
        (int64_t)a[0].number, a[1].pointer, a[2].pointer, a[3].pointer, (uintptr_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_plan_execute_views_batch(const struct argument *a)
{
    return sv_plan_execute_views_batch(
        a[0].pointer, (int64_t)a[1].number, a[2].pointer, a[3].pointer, (uintptr_t)a[4].number, a[5].pointer);
}
static int64_t call_sv_plan_class(const struct argument *a)
{
    return (intptr_t)sv_plan_class(a[0].pointer);
}
static int64_t call_sv_plan_kernel(const struct argument *a)
{
    return (intptr_t)sv_plan_kernel(a[0].pointer);
}
static int64_t call_sv_plan_explain(const struct argument *a)
{
    return sv_plan_explain(a[0].pointer, a[1].pointer, a[2].pointer, (size_t)a[3].number, a[4].pointer, a[5].pointer);
}
static int64_t call_sv_plan_nbytes(const struct argument *a)
{
    return sv_plan_nbytes(a[0].pointer);
}
static int64_t call_sv_plan_traffic(const struct argument *a)
{
    return sv_plan_traffic(a[0].pointer, a[1].pointer, a[2].pointer);
}
static int64_t call_sv_plan_launches(const struct argument *a)
{
    return sv_plan_launches(a[0].pointer);
}
static int64_t call_sv_copy_parallel(const struct argument *a)
{
    return sv_copy_parallel(
        a[0].pointer, a[1].pointer, (int32_t)a[2].number, (sv_parallel_callback)a[3].function, a[4].pointer,
        (uint32_t)a[5].number, (uintptr_t)a[6].number);
}
static int64_t call_sv_copy_scaled_parallel(const struct argument *a)
{
    return sv_copy_scaled_parallel(
        a[0].pointer, a[1].pointer, a[2].pointer, (int64_t)a[3].number, a[4].pointer, (int64_t)a[5].number,
        (int32_t)a[6].number, (int32_t)a[7].number, (sv_parallel_callback)a[8].function, a[9].pointer,
        (uint32_t)a[10].number, (uintptr_t)a[11].number);
}
static int64_t call_sv_plan_with_threads(const struct argument *a)
{
    return sv_plan_with_threads(
        a[0].pointer, (int32_t)a[1].number, (sv_parallel_callback)a[2].function, a[3].pointer, a[4].pointer);
}
static int64_t call_sv_plan_with_allocator(const struct argument *a)
{
    return sv_plan_with_allocator(a[0].pointer, a[1].pointer, a[2].pointer);
}
static int64_t call_sv_plan_measure(const struct argument *a)
{
    return sv_plan_measure(
        a[0].pointer, a[1].pointer, a[2].pointer, (int64_t)a[3].number, (uintptr_t)a[4].number, a[5].pointer);
}
static const struct function functions[] = {
    {"sv_dtype_make", call_sv_dtype_make, RETURNS_STATUS, 4,
     {{"int32_t", "code", 0},
      {"int32_t", "bits", 0},
      {"int32_t", "lanes", 0},
      {"sv_dtype *", "out", POINTER | OUT}}},
    {"sv_dtype_name", call_sv_dtype_name, RETURNS_STATUS, 4,
     {{"sv_dtype", "dtype", 0},
      {"size_t", "capacity", 0},
      {"char *", "text", POINTER | OPT | OUT},
      {"size_t *", "length", POINTER | OPT | OUT}}},
    {"sv_dtype_parse", call_sv_dtype_parse, RETURNS_STATUS, 2,
     {{"const char *", "name", POINTER},
      {"sv_dtype *", "out", POINTER | OUT}}},
    {"sv_dtype_typestr", call_sv_dtype_typestr, RETURNS_STATUS, 4,
     {{"sv_dtype", "dtype", 0},
      {"size_t", "capacity", 0},
      {"char *", "text", POINTER | OPT | OUT},
      {"size_t *", "length", POINTER | OPT | OUT}}},
    {"sv_dtype_from_typestr", call_sv_dtype_from_typestr, RETURNS_STATUS, 2,
     {{"const char *", "typestr", POINTER},
      {"sv_dtype *", "out", POINTER | OUT}}},
    {"sv_dtype_format", call_sv_dtype_format, RETURNS_STATUS, 4,
     {{"sv_dtype", "dtype", 0},
      {"size_t", "capacity", 0},
      {"char *", "text", POINTER | OPT | OUT},
      {"size_t *", "length", POINTER | OPT | OUT}}},
    {"sv_dtype_from_format", call_sv_dtype_from_format, RETURNS_STATUS, 3,
     {{"const char *", "format", POINTER | OPT},
      {"int64_t", "itemsize", 0},
      {"sv_dtype *", "out", POINTER | OUT}}},
    {"sv_layout_new", call_sv_layout_new, RETURNS_STATUS, 5,
     {{"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"const int64_t *", "strides", POINTER | OPT},
      {"int64_t", "itemsize", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_new_bytes", call_sv_layout_new_bytes, RETURNS_STATUS, 5,
     {{"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"const int64_t *", "byte_strides", POINTER | OPT},
      {"int64_t", "itemsize", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_new_dense", call_sv_layout_new_dense, RETURNS_STATUS, 6,
     {{"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"sv_order", "order", 0},
      {"const int32_t *", "axes", POINTER | OPT},
      {"int64_t", "itemsize", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_parse", call_sv_layout_parse, RETURNS_STATUS, 2,
     {{"const char *", "text", POINTER},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_retain", call_sv_layout_retain, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER | OPT}}},
    {"sv_layout_release", call_sv_layout_release, RETURNS_VALUE, 1,
     {{"sv_layout *", "layout", POINTER | OPT | TAKE}}},
    {"sv_layout_ndim", call_sv_layout_ndim, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_shape", call_sv_layout_shape, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_byte_strides", call_sv_layout_byte_strides, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_strides", call_sv_layout_strides, RETURNS_STATUS, 2,
     {{"const sv_layout *", "layout", POINTER},
      {"const int64_t **", "strides", POINTER | OUT}}},
    {"sv_layout_itemsize", call_sv_layout_itemsize, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_size", call_sv_layout_size, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_nbytes", call_sv_layout_nbytes, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_byte_offset", call_sv_layout_byte_offset, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_is_contiguous", call_sv_layout_is_contiguous, RETURNS_VALUE, 2,
     {{"const sv_layout *", "layout", POINTER},
      {"sv_order", "order", 0}}},
    {"sv_layout_is_dense", call_sv_layout_is_dense, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_is_within", call_sv_layout_is_within, RETURNS_VALUE, 3,
     {{"const sv_layout *", "layout", POINTER},
      {"int64_t", "lower", 0},
      {"int64_t", "upper", 0}}},
    {"sv_layout_byte_bounds", call_sv_layout_byte_bounds, RETURNS_STATUS, 3,
     {{"const sv_layout *", "layout", POINTER},
      {"int64_t *", "lower", POINTER | OUT},
      {"int64_t *", "upper", POINTER | OUT}}},
    {"sv_layout_required_size", call_sv_layout_required_size, RETURNS_STATUS, 2,
     {{"const sv_layout *", "layout", POINTER},
      {"int64_t *", "nbytes", POINTER | OUT}}},
    {"sv_layout_stride_order", call_sv_layout_stride_order, RETURNS_STATUS, 2,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t *", "axes", POINTER | OUT}}},
    {"sv_layout_flatten_mask", call_sv_layout_flatten_mask, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_alignment", call_sv_layout_alignment, RETURNS_STATUS, 3,
     {{"const sv_layout *", "layout", POINTER},
      {"uintptr_t", "address", 0},
      {"int64_t *", "alignment", POINTER | OUT}}},
    {"sv_layout_max_itemsize", call_sv_layout_max_itemsize, RETURNS_STATUS, 5,
     {{"const sv_layout *", "layout", POINTER},
      {"int64_t", "limit", 0},
      {"uintptr_t", "address", 0},
      {"int32_t", "axis", 0},
      {"int64_t *", "itemsize", POINTER | OUT}}},
    {"sv_layout_equal", call_sv_layout_equal, RETURNS_VALUE, 2,
     {{"const sv_layout *", "layout", POINTER},
      {"const sv_layout *", "other", POINTER}}},
    {"sv_layout_hash", call_sv_layout_hash, RETURNS_VALUE, 1,
     {{"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_text", call_sv_layout_text, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"size_t", "capacity", 0},
      {"char *", "text", POINTER | OPT | OUT},
      {"size_t *", "length", POINTER | OPT | OUT}}},
    {"sv_layout_is_unique", call_sv_layout_is_unique, RETURNS_STATUS, 3,
     {{"const sv_layout *", "layout", POINTER},
      {"int64_t", "work", 0},
      {"sv_answer *", "answer", POINTER | OUT}}},
    {"sv_layout_overlap", call_sv_layout_overlap, RETURNS_STATUS, 6,
     {{"const sv_layout *", "layout", POINTER},
      {"const sv_layout *", "other", POINTER},
      {"uintptr_t", "address", 0},
      {"uintptr_t", "other_address", 0},
      {"int64_t", "work", 0},
      {"sv_answer *", "answer", POINTER | OUT}}},
    {"sv_layout_same_bytes", call_sv_layout_same_bytes, RETURNS_VALUE, 2,
     {{"const sv_layout *", "layout", POINTER},
      {"const sv_layout *", "other", POINTER}}},
    {"sv_layout_common", call_sv_layout_common, RETURNS_STATUS, 4,
     {{"const sv_layout *", "dst", POINTER},
      {"const sv_layout *", "src", POINTER},
      {"sv_layout **", "dst_out", POINTER | OUT},
      {"sv_layout **", "src_out", POINTER | OUT}}},
    {"sv_layout_common_itemsize", call_sv_layout_common_itemsize, RETURNS_STATUS, 6,
     {{"const sv_layout *", "dst", POINTER},
      {"const sv_layout *", "src", POINTER},
      {"uintptr_t", "dst_address", 0},
      {"uintptr_t", "src_address", 0},
      {"int64_t", "limit", 0},
      {"int64_t *", "itemsize", POINTER | OUT}}},
    {"sv_layout_broadcast_shape", call_sv_layout_broadcast_shape, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"const sv_layout *", "other", POINTER},
      {"int32_t *", "ndim", POINTER | OUT},
      {"int64_t *", "shape", POINTER | OUT}}},
    {"sv_layout_permutation", call_sv_layout_permutation, RETURNS_STATUS, 3,
     {{"const sv_layout *", "layout", POINTER},
      {"const sv_layout *", "other", POINTER},
      {"int32_t *", "axes", POINTER | OUT}}},
    {"sv_layout_permute", call_sv_layout_permute, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "ndim", 0},
      {"const int32_t *", "axes", POINTER | OPT},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_slice", call_sv_layout_slice, RETURNS_STATUS, 6,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "count", 0},
      {"const int64_t *", "start", POINTER},
      {"const int64_t *", "stop", POINTER},
      {"const int64_t *", "step", POINTER | OPT},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_index", call_sv_layout_index, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "axis", 0},
      {"int64_t", "index", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_reshape", call_sv_layout_reshape, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_broadcast", call_sv_layout_broadcast, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_squeeze", call_sv_layout_squeeze, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER | OPT},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_unsqueeze", call_sv_layout_unsqueeze, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_to_dense", call_sv_layout_to_dense, RETURNS_STATUS, 6,
     {{"const sv_layout *", "layout", POINTER},
      {"sv_order", "order", 0},
      {"int32_t", "ndim", 0},
      {"const int32_t *", "axes", POINTER | OPT},
      {"int64_t", "itemsize", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_flatten", call_sv_layout_flatten, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "start_axis", 0},
      {"int32_t", "end_axis", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_flatten_masked", call_sv_layout_flatten_masked, RETURNS_STATUS, 3,
     {{"const sv_layout *", "layout", POINTER},
      {"uint64_t", "mask", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_merge_axes", call_sv_layout_merge_axes, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "start_axis", 0},
      {"int32_t", "end_axis", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_split_axis", call_sv_layout_split_axis, RETURNS_STATUS, 5,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "axis", 0},
      {"int32_t", "count", 0},
      {"const int64_t *", "extents", POINTER},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_move_axes", call_sv_layout_move_axes, RETURNS_STATUS, 5,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER},
      {"const int32_t *", "places", POINTER},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_swap_axes", call_sv_layout_swap_axes, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "axis", 0},
      {"int32_t", "other", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_flip", call_sv_layout_flip, RETURNS_STATUS, 4,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER | OPT},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_diagonal", call_sv_layout_diagonal, RETURNS_STATUS, 5,
     {{"const sv_layout *", "layout", POINTER},
      {"int64_t", "offset", 0},
      {"int32_t", "axis", 0},
      {"int32_t", "other", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_window", call_sv_layout_window, RETURNS_STATUS, 5,
     {{"const sv_layout *", "layout", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER | OPT},
      {"const int64_t *", "window", POINTER},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_repack", call_sv_layout_repack, RETURNS_STATUS, 6,
     {{"const sv_layout *", "layout", POINTER},
      {"int64_t", "itemsize", 0},
      {"uintptr_t", "address", 0},
      {"int32_t", "axis", 0},
      {"int32_t", "keep_dim", 0},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_layout_builder_new", call_sv_layout_builder_new, RETURNS_STATUS, 1,
     {{"sv_layout_builder **", "out", POINTER | OUT}}},
    {"sv_layout_builder_release", call_sv_layout_builder_release, RETURNS_VALUE, 1,
     {{"sv_layout_builder *", "builder", POINTER | OPT | TAKE}}},
    {"sv_layout_builder_start", call_sv_layout_builder_start, RETURNS_STATUS, 2,
     {{"sv_layout_builder *", "builder", POINTER},
      {"const sv_layout *", "layout", POINTER}}},
    {"sv_layout_builder_permute", call_sv_layout_builder_permute, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "ndim", 0},
      {"const int32_t *", "axes", POINTER | OPT}}},
    {"sv_layout_builder_slice", call_sv_layout_builder_slice, RETURNS_STATUS, 5,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "count", 0},
      {"const int64_t *", "start", POINTER},
      {"const int64_t *", "stop", POINTER},
      {"const int64_t *", "step", POINTER | OPT}}},
    {"sv_layout_builder_index", call_sv_layout_builder_index, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "axis", 0},
      {"int64_t", "index", 0}}},
    {"sv_layout_builder_reshape", call_sv_layout_builder_reshape, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER}}},
    {"sv_layout_builder_broadcast", call_sv_layout_builder_broadcast, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER}}},
    {"sv_layout_builder_squeeze", call_sv_layout_builder_squeeze, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER | OPT}}},
    {"sv_layout_builder_unsqueeze", call_sv_layout_builder_unsqueeze, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER}}},
    {"sv_layout_builder_to_dense", call_sv_layout_builder_to_dense, RETURNS_STATUS, 5,
     {{"sv_layout_builder *", "builder", POINTER},
      {"sv_order", "order", 0},
      {"int32_t", "ndim", 0},
      {"const int32_t *", "axes", POINTER | OPT},
      {"int64_t", "itemsize", 0}}},
    {"sv_layout_builder_flatten", call_sv_layout_builder_flatten, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "start_axis", 0},
      {"int32_t", "end_axis", 0}}},
    {"sv_layout_builder_flatten_masked", call_sv_layout_builder_flatten_masked, RETURNS_STATUS, 2,
     {{"sv_layout_builder *", "builder", POINTER},
      {"uint64_t", "mask", 0}}},
    {"sv_layout_builder_merge_axes", call_sv_layout_builder_merge_axes, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "start_axis", 0},
      {"int32_t", "end_axis", 0}}},
    {"sv_layout_builder_split_axis", call_sv_layout_builder_split_axis, RETURNS_STATUS, 4,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "axis", 0},
      {"int32_t", "count", 0},
      {"const int64_t *", "extents", POINTER}}},
    {"sv_layout_builder_move_axes", call_sv_layout_builder_move_axes, RETURNS_STATUS, 4,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER},
      {"const int32_t *", "places", POINTER}}},
    {"sv_layout_builder_swap_axes", call_sv_layout_builder_swap_axes, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "axis", 0},
      {"int32_t", "other", 0}}},
    {"sv_layout_builder_flip", call_sv_layout_builder_flip, RETURNS_STATUS, 3,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER | OPT}}},
    {"sv_layout_builder_diagonal", call_sv_layout_builder_diagonal, RETURNS_STATUS, 4,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int64_t", "offset", 0},
      {"int32_t", "axis", 0},
      {"int32_t", "other", 0}}},
    {"sv_layout_builder_window", call_sv_layout_builder_window, RETURNS_STATUS, 4,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int32_t", "count", 0},
      {"const int32_t *", "axes", POINTER | OPT},
      {"const int64_t *", "window", POINTER}}},
    {"sv_layout_builder_repack", call_sv_layout_builder_repack, RETURNS_STATUS, 5,
     {{"sv_layout_builder *", "builder", POINTER},
      {"int64_t", "itemsize", 0},
      {"uintptr_t", "address", 0},
      {"int32_t", "axis", 0},
      {"int32_t", "keep_dim", 0}}},
    {"sv_layout_builder_finish", call_sv_layout_builder_finish, RETURNS_STATUS, 2,
     {{"const sv_layout_builder *", "builder", POINTER},
      {"sv_layout **", "out", POINTER | OUT}}},
    {"sv_device_probe", call_sv_device_probe, RETURNS_STATUS, 3,
     {{"int32_t", "device_type", 0},
      {"sv_device_state *", "state", POINTER | OUT},
      {"int32_t *", "count", POINTER | OPT | OUT}}},
    {"sv_device_text", call_sv_device_text, RETURNS_STATUS, 4,
     {{"int32_t", "device_type", 0},
      {"size_t", "capacity", 0},
      {"char *", "text", POINTER | OPT | OUT},
      {"size_t *", "length", POINTER | OPT | OUT}}},
    {"sv_device_property", call_sv_device_property, RETURNS_STATUS, 4,
     {{"int32_t", "device_type", 0},
      {"int32_t", "device_id", 0},
      {"int32_t", "property", 0},
      {"int64_t *", "value", POINTER | OUT}}},
    {"sv_pointer_query", call_sv_pointer_query, RETURNS_STATUS, 6,
     {{"const void *", "pointer", POINTER | OPT},
      {"sv_memory *", "kind", POINTER | OUT},
      {"uint32_t *", "traits", POINTER | OPT | OUT},
      {"int32_t *", "device_id", POINTER | OPT | OUT},
      {"void **", "device_address", POINTER | OPT | OUT},
      {"void **", "host_address", POINTER | OPT | OUT}}},
    {"sv_allocator_host", call_sv_allocator_host, RETURNS_STATUS, 2,
     {{"uint32_t", "flags", 0},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_pinned", call_sv_allocator_pinned, RETURNS_STATUS, 1,
     {{"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_device", call_sv_allocator_device, RETURNS_STATUS, 2,
     {{"int32_t", "device_id", 0},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_managed", call_sv_allocator_managed, RETURNS_STATUS, 2,
     {{"int32_t", "device_id", 0},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_pool", call_sv_allocator_pool, RETURNS_STATUS, 6,
     {{"sv_memory", "kind", 0},
      {"int32_t", "device_id", 0},
      {"int64_t", "initial", 0},
      {"int64_t", "threshold", 0},
      {"int64_t", "most", 0},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_pool_view", call_sv_allocator_pool_view, RETURNS_STATUS, 4,
     {{"sv_memory", "kind", 0},
      {"int32_t", "device_id", 0},
      {"uintptr_t", "pool", 0},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_callbacks", call_sv_allocator_callbacks, RETURNS_STATUS, 8,
     {{"sv_memory", "kind", 0},
      {"int32_t", "device_type", 0},
      {"int32_t", "device_id", 0},
      {"sv_allocate_callback", "allocate", POINTER},
      {"sv_free_callback", "free", POINTER},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_tracked", call_sv_allocator_tracked, RETURNS_STATUS, 4,
     {{"const sv_allocator *", "base", POINTER},
      {"const char *", "name", POINTER | OPT},
      {"uint32_t", "flags", 0},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_limited", call_sv_allocator_limited, RETURNS_STATUS, 3,
     {{"const sv_allocator *", "base", POINTER},
      {"int64_t", "most", 0},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_logged", call_sv_allocator_logged, RETURNS_STATUS, 5,
     {{"const sv_allocator *", "base", POINTER},
      {"sv_memory_callback", "log", POINTER},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_retrying", call_sv_allocator_retrying, RETURNS_STATUS, 6,
     {{"const sv_allocator *", "base", POINTER},
      {"int32_t", "attempts", 0},
      {"sv_no_memory_callback", "ask", POINTER},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_allocator_retain", call_sv_allocator_retain, RETURNS_VALUE, 1,
     {{"const sv_allocator *", "allocator", POINTER | OPT}}},
    {"sv_allocator_release", call_sv_allocator_release, RETURNS_VALUE, 1,
     {{"sv_allocator *", "allocator", POINTER | OPT | TAKE}}},
    {"sv_allocator_kind", call_sv_allocator_kind, RETURNS_VALUE, 1,
     {{"const sv_allocator *", "allocator", POINTER}}},
    {"sv_allocator_device_type", call_sv_allocator_device_type, RETURNS_VALUE, 1,
     {{"const sv_allocator *", "allocator", POINTER}}},
    {"sv_allocator_device_id", call_sv_allocator_device_id, RETURNS_VALUE, 1,
     {{"const sv_allocator *", "allocator", POINTER}}},
    {"sv_allocator_traits", call_sv_allocator_traits, RETURNS_VALUE, 1,
     {{"const sv_allocator *", "allocator", POINTER}}},
    {"sv_allocator_alignment", call_sv_allocator_alignment, RETURNS_VALUE, 1,
     {{"const sv_allocator *", "allocator", POINTER}}},
    {"sv_allocator_name", call_sv_allocator_name, RETURNS_VALUE, 1,
     {{"const sv_allocator *", "allocator", POINTER}}},
    {"sv_allocator_allocate", call_sv_allocator_allocate, RETURNS_STATUS, 5,
     {{"const sv_allocator *", "allocator", POINTER},
      {"int64_t", "nbytes", 0},
      {"int64_t", "alignment", 0},
      {"uintptr_t", "stream", 0},
      {"void **", "pointer", POINTER | OUT}}},
    {"sv_allocator_free", call_sv_allocator_free, RETURNS_STATUS, 5,
     {{"const sv_allocator *", "allocator", POINTER},
      {"void *", "pointer", POINTER | OPT | TAKE},
      {"int64_t", "nbytes", 0},
      {"int64_t", "alignment", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_allocator_stats", call_sv_allocator_stats, RETURNS_STATUS, 3,
     {{"const sv_allocator *", "allocator", POINTER},
      {"int32_t", "stat", 0},
      {"int64_t *", "value", POINTER | OUT}}},
    {"sv_allocator_reset_peaks", call_sv_allocator_reset_peaks, RETURNS_STATUS, 1,
     {{"const sv_allocator *", "allocator", POINTER}}},
    {"sv_allocator_visit", call_sv_allocator_visit, RETURNS_STATUS, 3,
     {{"const sv_allocator *", "allocator", POINTER},
      {"sv_block_callback", "visit", POINTER},
      {"void *", "ctx", POINTER | OPT}}},
    {"sv_allocator_from_handler", call_sv_allocator_from_handler, RETURNS_STATUS, 6,
     {{"int32_t", "device_id", 0},
      {"sv_handler_allocate_callback", "allocate", POINTER},
      {"sv_handler_free_callback", "free", POINTER},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_handler_allocate_from", call_sv_handler_allocate_from, RETURNS_STATUS, 4,
     {{"void *", "allocator", POINTER},
      {"void **", "pointer", POINTER | OUT},
      {"size_t", "nbytes", 0},
      {"void *", "stream", POINTER | OPT}}},
    {"sv_handler_free_to", call_sv_handler_free_to, RETURNS_STATUS, 4,
     {{"void *", "allocator", POINTER},
      {"void *", "pointer", POINTER | OPT},
      {"size_t", "nbytes", 0},
      {"void *", "stream", POINTER | OPT}}},
    {"sv_allocator_from_torch", call_sv_allocator_from_torch, RETURNS_STATUS, 4,
     {{"int32_t", "device_id", 0},
      {"sv_torch_allocate_callback", "allocate", POINTER},
      {"sv_torch_free_callback", "free", POINTER},
      {"sv_allocator **", "out", POINTER | OUT}}},
    {"sv_torch_use", call_sv_torch_use, RETURNS_STATUS, 2,
     {{"int32_t", "device_id", 0},
      {"const sv_allocator *", "allocator", POINTER | OPT}}},
    {"sv_torch_allocate", call_sv_torch_allocate, RETURNS_VALUE, 3,
     {{"int64_t", "nbytes", 0},
      {"int32_t", "device", 0},
      {"void *", "stream", POINTER | OPT}}},
    {"sv_torch_free", call_sv_torch_free, RETURNS_VALUE, 4,
     {{"void *", "pointer", POINTER | OPT},
      {"int64_t", "nbytes", 0},
      {"int32_t", "device", 0},
      {"void *", "stream", POINTER | OPT}}},
    {"sv_buffer_new", call_sv_buffer_new, RETURNS_STATUS, 6,
     {{"const sv_allocator *", "allocator", POINTER | OPT},
      {"int64_t", "nbytes", 0},
      {"int64_t", "alignment", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0},
      {"sv_buffer **", "out", POINTER | OUT}}},
    {"sv_buffer_adopt", call_sv_buffer_adopt, RETURNS_STATUS, 10,
     {{"void *", "pointer", POINTER | OPT | TAKE},
      {"int64_t", "nbytes", 0},
      {"sv_memory", "kind", 0},
      {"int32_t", "device_type", 0},
      {"int32_t", "device_id", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0},
      {"sv_free_callback", "free", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_buffer **", "out", POINTER | OUT}}},
    {"sv_buffer_register", call_sv_buffer_register, RETURNS_STATUS, 6,
     {{"void *", "pages", POINTER | OPT},
      {"int64_t", "nbytes", 0},
      {"uint32_t", "flags", 0},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_buffer **", "out", POINTER | OUT}}},
    {"sv_buffer_slice", call_sv_buffer_slice, RETURNS_STATUS, 5,
     {{"const sv_buffer *", "buffer", POINTER},
      {"int64_t", "offset", 0},
      {"int64_t", "nbytes", 0},
      {"uint32_t", "flags", 0},
      {"sv_buffer **", "out", POINTER | OUT}}},
    {"sv_buffer_retain", call_sv_buffer_retain, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER | OPT}}},
    {"sv_buffer_release", call_sv_buffer_release, RETURNS_VALUE, 1,
     {{"sv_buffer *", "buffer", POINTER | OPT | TAKE}}},
    {"sv_buffer_release_later", call_sv_buffer_release_later, RETURNS_VALUE, 1,
     {{"sv_buffer *", "buffer", POINTER | OPT | TAKE}}},
    {"sv_buffer_detach", call_sv_buffer_detach, RETURNS_STATUS, 7,
     {{"sv_buffer *", "buffer", POINTER},
      {"void **", "pointer", POINTER | OUT},
      {"int64_t *", "nbytes", POINTER | OUT},
      {"int64_t *", "alignment", POINTER | OUT},
      {"uintptr_t *", "stream", POINTER | OUT},
      {"sv_free_callback *", "free", POINTER | OUT},
      {"void **", "ctx", POINTER | OUT}}},
    {"sv_buffer_close", call_sv_buffer_close, RETURNS_STATUS, 2,
     {{"sv_buffer *", "buffer", POINTER},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_data", call_sv_buffer_data, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_host_data", call_sv_buffer_host_data, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_nbytes", call_sv_buffer_nbytes, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_capacity", call_sv_buffer_capacity, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_alignment", call_sv_buffer_alignment, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_kind", call_sv_buffer_kind, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_traits", call_sv_buffer_traits, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_device_type", call_sv_buffer_device_type, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_device_id", call_sv_buffer_device_id, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_stream", call_sv_buffer_stream, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_allocator", call_sv_buffer_allocator, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_parent", call_sv_buffer_parent, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_exports", call_sv_buffer_exports, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_references", call_sv_buffer_references, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_is_closed", call_sv_buffer_is_closed, RETURNS_VALUE, 1,
     {{"const sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_context", call_sv_buffer_context, RETURNS_VALUE, 2,
     {{"const sv_buffer *", "buffer", POINTER},
      {"sv_free_callback", "free", POINTER | OPT}}},
    {"sv_buffer_begin_export", call_sv_buffer_begin_export, RETURNS_STATUS, 1,
     {{"sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_end_export", call_sv_buffer_end_export, RETURNS_VALUE, 1,
     {{"sv_buffer *", "buffer", POINTER}}},
    {"sv_buffer_read", call_sv_buffer_read, RETURNS_STATUS, 6,
     {{"const sv_buffer *", "buffer", POINTER},
      {"int64_t", "offset", 0},
      {"void *", "dst", POINTER},
      {"int64_t", "nbytes", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_write", call_sv_buffer_write, RETURNS_STATUS, 6,
     {{"sv_buffer *", "buffer", POINTER},
      {"int64_t", "offset", 0},
      {"const void *", "src", POINTER},
      {"int64_t", "nbytes", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_copy", call_sv_buffer_copy, RETURNS_STATUS, 7,
     {{"sv_buffer *", "dst", POINTER},
      {"int64_t", "dst_offset", 0},
      {"const sv_buffer *", "src", POINTER},
      {"int64_t", "src_offset", 0},
      {"int64_t", "nbytes", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_fill", call_sv_buffer_fill, RETURNS_STATUS, 7,
     {{"sv_buffer *", "buffer", POINTER},
      {"int64_t", "offset", 0},
      {"int64_t", "nbytes", 0},
      {"const void *", "item", POINTER},
      {"int64_t", "itemsize", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_resize", call_sv_buffer_resize, RETURNS_STATUS, 4,
     {{"sv_buffer *", "buffer", POINTER},
      {"int64_t", "nbytes", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_reserve", call_sv_buffer_reserve, RETURNS_STATUS, 3,
     {{"sv_buffer *", "buffer", POINTER},
      {"int64_t", "capacity", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_shrink", call_sv_buffer_shrink, RETURNS_STATUS, 2,
     {{"sv_buffer *", "buffer", POINTER},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_migrate", call_sv_buffer_migrate, RETURNS_STATUS, 4,
     {{"sv_buffer *", "buffer", POINTER},
      {"const sv_allocator *", "allocator", POINTER | OPT},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_set_stream", call_sv_buffer_set_stream, RETURNS_STATUS, 2,
     {{"sv_buffer *", "buffer", POINTER},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_record_use", call_sv_buffer_record_use, RETURNS_STATUS, 2,
     {{"const sv_buffer *", "buffer", POINTER},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_prefetch", call_sv_buffer_prefetch, RETURNS_STATUS, 6,
     {{"int64_t", "count", 0},
      {"sv_buffer *const *", "buffers", POINTER},
      {"int32_t", "device_type", 0},
      {"int32_t", "device_id", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_discard", call_sv_buffer_discard, RETURNS_STATUS, 6,
     {{"int64_t", "count", 0},
      {"sv_buffer *const *", "buffers", POINTER},
      {"int32_t", "device_type", 0},
      {"int32_t", "device_id", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_buffer_advise", call_sv_buffer_advise, RETURNS_STATUS, 6,
     {{"int64_t", "count", 0},
      {"sv_buffer *const *", "buffers", POINTER},
      {"int32_t", "advice", 0},
      {"int32_t", "device_type", 0},
      {"int32_t", "device_id", 0},
      {"uint32_t", "flags", 0}}},
    {"sv_buffer_export_ipc", call_sv_buffer_export_ipc, RETURNS_STATUS, 4,
     {{"const sv_buffer *", "buffer", POINTER},
      {"size_t", "capacity", 0},
      {"void *", "blob", POINTER | OPT | OUT},
      {"size_t *", "length", POINTER | OPT | OUT}}},
    {"sv_buffer_import_ipc", call_sv_buffer_import_ipc, RETURNS_STATUS, 4,
     {{"const void *", "blob", POINTER},
      {"size_t", "length", 0},
      {"uint32_t", "flags", 0},
      {"sv_buffer **", "out", POINTER | OUT}}},
    {"sv_memory_collect", call_sv_memory_collect, RETURNS_STATUS, 2,
     {{"uint32_t", "flags", 0},
      {"int64_t *", "left", POINTER | OPT | OUT}}},
    {"sv_memory_stats", call_sv_memory_stats, RETURNS_STATUS, 3,
     {{"sv_memory", "kind", 0},
      {"int32_t", "stat", 0},
      {"int64_t *", "value", POINTER | OUT}}},
    {"sv_view_from_host", call_sv_view_from_host, RETURNS_STATUS, 7,
     {{"sv_dtype", "dtype", 0},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"const int64_t *", "byte_strides", POINTER | OPT},
      {"void *", "pointer", POINTER | OPT},
      {"uint32_t", "flags", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_from_pointer", call_sv_view_from_pointer, RETURNS_STATUS, 6,
     {{"const sv_layout *", "layout", POINTER},
      {"sv_dtype", "dtype", 0},
      {"void *", "pointer", POINTER | OPT},
      {"int64_t", "nbytes", 0},
      {"uint32_t", "flags", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_new", call_sv_view_new, RETURNS_STATUS, 11,
     {{"const sv_layout *", "layout", POINTER},
      {"sv_dtype", "dtype", 0},
      {"void *", "base", POINTER | OPT},
      {"int64_t", "lower", 0},
      {"int64_t", "upper", 0},
      {"int32_t", "device_type", 0},
      {"int32_t", "device_id", 0},
      {"uint32_t", "flags", 0},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_from_array", call_sv_view_from_array, RETURNS_STATUS, 11,
     {{"sv_dtype", "dtype", 0},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"const int64_t *", "byte_strides", POINTER | OPT},
      {"void *", "pointer", POINTER | OPT},
      {"int32_t", "device_type", 0},
      {"int32_t", "device_id", 0},
      {"uint32_t", "flags", 0},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_from_buffer", call_sv_view_from_buffer, RETURNS_STATUS, 6,
     {{"sv_buffer *", "buffer", POINTER},
      {"const sv_layout *", "layout", POINTER | OPT},
      {"sv_dtype", "dtype", 0},
      {"int64_t", "offset", 0},
      {"uint32_t", "flags", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_from_dlpack", call_sv_view_from_dlpack, RETURNS_STATUS, 3,
     {{"struct DLManagedTensorVersioned *", "tensor", POINTER | TAKE},
      {"uint32_t", "flags", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_from_dlpack_unversioned", call_sv_view_from_dlpack_unversioned, RETURNS_STATUS, 3,
     {{"struct DLManagedTensor *", "tensor", POINTER | TAKE},
      {"uint32_t", "flags", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_from_dltensor", call_sv_view_from_dltensor, RETURNS_STATUS, 5,
     {{"const void *", "tensor", POINTER},
      {"uint32_t", "flags", 0},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_from_pep3118", call_sv_view_from_pep3118, RETURNS_STATUS, 11,
     {{"const char *", "format", POINTER | OPT},
      {"int64_t", "itemsize", 0},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER | OPT},
      {"const int64_t *", "byte_strides", POINTER | OPT},
      {"void *", "pointer", POINTER | OPT},
      {"int64_t", "nbytes", 0},
      {"uint32_t", "flags", 0},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_from_array_interface", call_sv_view_from_array_interface, RETURNS_STATUS, 11,
     {{"const char *", "typestr", POINTER},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"const int64_t *", "byte_strides", POINTER | OPT},
      {"void *", "pointer", POINTER | OPT},
      {"int32_t", "device_type", 0},
      {"int32_t", "device_id", 0},
      {"uint32_t", "flags", 0},
      {"sv_release_callback", "release", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT | TAKE},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_with_layout", call_sv_view_with_layout, RETURNS_STATUS, 3,
     {{"const sv_view *", "view", POINTER},
      {"const sv_layout *", "layout", POINTER},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_with_builder", call_sv_view_with_builder, RETURNS_STATUS, 3,
     {{"const sv_view *", "view", POINTER},
      {"const sv_layout_builder *", "builder", POINTER},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_permute", call_sv_view_permute, RETURNS_STATUS, 4,
     {{"const sv_view *", "view", POINTER},
      {"int32_t", "ndim", 0},
      {"const int32_t *", "axes", POINTER | OPT},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_slice", call_sv_view_slice, RETURNS_STATUS, 6,
     {{"const sv_view *", "view", POINTER},
      {"int32_t", "count", 0},
      {"const int64_t *", "start", POINTER},
      {"const int64_t *", "stop", POINTER},
      {"const int64_t *", "step", POINTER | OPT},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_index", call_sv_view_index, RETURNS_STATUS, 4,
     {{"const sv_view *", "view", POINTER},
      {"int32_t", "axis", 0},
      {"int64_t", "index", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_reshape", call_sv_view_reshape, RETURNS_STATUS, 4,
     {{"const sv_view *", "view", POINTER},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_broadcast", call_sv_view_broadcast, RETURNS_STATUS, 4,
     {{"const sv_view *", "view", POINTER},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_with_dtype", call_sv_view_with_dtype, RETURNS_STATUS, 3,
     {{"const sv_view *", "view", POINTER},
      {"sv_dtype", "dtype", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_as_readonly", call_sv_view_as_readonly, RETURNS_STATUS, 2,
     {{"const sv_view *", "view", POINTER},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_view_retain", call_sv_view_retain, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER | OPT}}},
    {"sv_view_release", call_sv_view_release, RETURNS_VALUE, 1,
     {{"sv_view *", "view", POINTER | OPT | TAKE}}},
    {"sv_view_data", call_sv_view_data, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER}}},
    {"sv_view_layout", call_sv_view_layout, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER}}},
    {"sv_view_dtype", call_sv_view_dtype, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER}}},
    {"sv_view_device_type", call_sv_view_device_type, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER}}},
    {"sv_view_device_id", call_sv_view_device_id, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER}}},
    {"sv_view_is_readonly", call_sv_view_is_readonly, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER}}},
    {"sv_view_bounds", call_sv_view_bounds, RETURNS_STATUS, 3,
     {{"const sv_view *", "view", POINTER},
      {"int64_t *", "lower", POINTER | OUT},
      {"int64_t *", "upper", POINTER | OUT}}},
    {"sv_view_references", call_sv_view_references, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER}}},
    {"sv_view_context", call_sv_view_context, RETURNS_VALUE, 2,
     {{"const sv_view *", "view", POINTER},
      {"sv_release_callback", "release", POINTER | OPT}}},
    {"sv_view_buffer", call_sv_view_buffer, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER}}},
    {"sv_view_overlap", call_sv_view_overlap, RETURNS_STATUS, 4,
     {{"const sv_view *", "view", POINTER},
      {"const sv_view *", "other", POINTER},
      {"int64_t", "work", 0},
      {"sv_answer *", "answer", POINTER | OUT}}},
    {"sv_view_borrow", call_sv_view_borrow, RETURNS_VALUE, 1,
     {{"const sv_view *", "view", POINTER}}},
    {"sv_view_kernel_arg", call_sv_view_kernel_arg, RETURNS_STATUS, 6,
     {{"const sv_view *", "view", POINTER},
      {"int32_t", "ndim", 0},
      {"int64_t", "itemsize", 0},
      {"uint32_t", "flags", 0},
      {"size_t", "capacity", 0},
      {"void *", "block", POINTER | OUT}}},
    {"sv_view_to_dlpack", call_sv_view_to_dlpack, RETURNS_STATUS, 3,
     {{"const sv_view *", "view", POINTER},
      {"uint32_t", "flags", 0},
      {"struct DLManagedTensorVersioned **", "out", POINTER | OUT}}},
    {"sv_view_to_dlpack_unversioned", call_sv_view_to_dlpack_unversioned, RETURNS_STATUS, 2,
     {{"const sv_view *", "view", POINTER},
      {"struct DLManagedTensor **", "out", POINTER | OUT}}},
    {"sv_empty", call_sv_empty, RETURNS_STATUS, 7,
     {{"const sv_allocator *", "allocator", POINTER | OPT},
      {"sv_dtype", "dtype", 0},
      {"int32_t", "ndim", 0},
      {"const int64_t *", "shape", POINTER},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_empty_layout", call_sv_empty_layout, RETURNS_STATUS, 6,
     {{"const sv_allocator *", "allocator", POINTER | OPT},
      {"const sv_layout *", "layout", POINTER},
      {"sv_dtype", "dtype", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_empty_like", call_sv_empty_like, RETURNS_STATUS, 6,
     {{"const sv_allocator *", "allocator", POINTER | OPT},
      {"const sv_view *", "view", POINTER},
      {"sv_order", "order", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0},
      {"sv_view **", "out", POINTER | OUT}}},
    {"sv_copy", call_sv_copy, RETURNS_STATUS, 4,
     {{"const sv_view *", "dst", POINTER},
      {"const sv_view *", "src", POINTER},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_copy_with", call_sv_copy_with, RETURNS_STATUS, 5,
     {{"const sv_view *", "dst", POINTER},
      {"const sv_view *", "src", POINTER},
      {"const sv_allocator *", "scratch", POINTER | OPT},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_copy_scaled", call_sv_copy_scaled, RETURNS_STATUS, 9,
     {{"const sv_view *", "dst", POINTER},
      {"const sv_view *", "src", POINTER},
      {"const double *", "scale", POINTER | OPT},
      {"int64_t", "nscale", 0},
      {"const double *", "bias", POINTER | OPT},
      {"int64_t", "nbias", 0},
      {"int32_t", "axis", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_fill", call_sv_fill, RETURNS_STATUS, 5,
     {{"const sv_view *", "dst", POINTER},
      {"const void *", "item", POINTER},
      {"int64_t", "itemsize", 0},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_copy_batch", call_sv_copy_batch, RETURNS_STATUS, 6,
     {{"int64_t", "count", 0},
      {"sv_view *const *", "dst", POINTER},
      {"sv_view *const *", "src", POINTER},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0},
      {"int64_t *", "failed", POINTER | OPT}}},
    {"sv_copy_placement", call_sv_copy_placement, RETURNS_STATUS, 10,
     {{"const sv_view *", "dst", POINTER},
      {"const sv_view *", "src", POINTER},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0},
      {"int32_t *", "by", POINTER | OPT | OUT},
      {"int32_t *", "device_type", POINTER | OPT | OUT},
      {"int32_t *", "device_id", POINTER | OPT | OUT},
      {"int32_t *", "waits", POINTER | OPT | OUT},
      {"int32_t *", "done", POINTER | OPT | OUT},
      {"int32_t *", "method", POINTER | OPT | OUT}}},
    {"sv_plan_new", call_sv_plan_new, RETURNS_STATUS, 4,
     {{"const sv_view *", "dst", POINTER},
      {"const sv_view *", "src", POINTER},
      {"uint32_t", "flags", 0},
      {"sv_plan **", "out", POINTER | OUT}}},
    {"sv_plan_retain", call_sv_plan_retain, RETURNS_VALUE, 1,
     {{"const sv_plan *", "plan", POINTER | OPT}}},
    {"sv_plan_release", call_sv_plan_release, RETURNS_VALUE, 1,
     {{"sv_plan *", "plan", POINTER | OPT | TAKE}}},
    {"sv_plan_execute", call_sv_plan_execute, RETURNS_STATUS, 4,
     {{"const sv_plan *", "plan", POINTER},
      {"void *", "dst", POINTER | OPT},
      {"const void *", "src", POINTER | OPT},
      {"uintptr_t", "stream", 0}}},
    {"sv_plan_execute_views", call_sv_plan_execute_views, RETURNS_STATUS, 4,
     {{"const sv_plan *", "plan", POINTER},
      {"const sv_view *", "dst", POINTER},
      {"const sv_view *", "src", POINTER},
      {"uintptr_t", "stream", 0}}},
    {"sv_plan_execute_batch", call_sv_plan_execute_batch, RETURNS_STATUS, 6,
     {{"int64_t", "count", 0},
      {"sv_plan *const *", "plans", POINTER},
      {"void *const *", "dst", POINTER},
      {"const void *const *", "src", POINTER},
      {"uintptr_t", "stream", 0},
      {"int64_t *", "failed", POINTER | OPT}}},
    {"sv_plan_execute_views_batch", call_sv_plan_execute_views_batch, RETURNS_STATUS, 6,
     {{"const sv_plan *", "plan", POINTER},
      {"int64_t", "count", 0},
      {"sv_view *const *", "dst", POINTER},
      {"sv_view *const *", "src", POINTER},
      {"uintptr_t", "stream", 0},
      {"int64_t *", "failed", POINTER | OPT}}},
    {"sv_plan_class", call_sv_plan_class, RETURNS_VALUE, 1,
     {{"const sv_plan *", "plan", POINTER}}},
    {"sv_plan_kernel", call_sv_plan_kernel, RETURNS_VALUE, 1,
     {{"const sv_plan *", "plan", POINTER}}},
    {"sv_plan_explain", call_sv_plan_explain, RETURNS_STATUS, 6,
     {{"const sv_plan *", "plan", POINTER},
      {"const void *", "dst", POINTER | OPT},
      {"const void *", "src", POINTER | OPT},
      {"size_t", "capacity", 0},
      {"char *", "text", POINTER | OPT | OUT},
      {"size_t *", "length", POINTER | OPT | OUT}}},
    {"sv_plan_nbytes", call_sv_plan_nbytes, RETURNS_VALUE, 1,
     {{"const sv_plan *", "plan", POINTER}}},
    {"sv_plan_traffic", call_sv_plan_traffic, RETURNS_STATUS, 3,
     {{"const sv_plan *", "plan", POINTER},
      {"int64_t *", "read", POINTER | OUT},
      {"int64_t *", "written", POINTER | OUT}}},
    {"sv_plan_launches", call_sv_plan_launches, RETURNS_VALUE, 1,
     {{"const sv_plan *", "plan", POINTER}}},
    {"sv_copy_parallel", call_sv_copy_parallel, RETURNS_STATUS, 7,
     {{"const sv_view *", "dst", POINTER},
      {"const sv_view *", "src", POINTER},
      {"int32_t", "threads", 0},
      {"sv_parallel_callback", "run", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_copy_scaled_parallel", call_sv_copy_scaled_parallel, RETURNS_STATUS, 12,
     {{"const sv_view *", "dst", POINTER},
      {"const sv_view *", "src", POINTER},
      {"const double *", "scale", POINTER | OPT},
      {"int64_t", "nscale", 0},
      {"const double *", "bias", POINTER | OPT},
      {"int64_t", "nbias", 0},
      {"int32_t", "axis", 0},
      {"int32_t", "threads", 0},
      {"sv_parallel_callback", "run", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT},
      {"uint32_t", "flags", 0},
      {"uintptr_t", "stream", 0}}},
    {"sv_plan_with_threads", call_sv_plan_with_threads, RETURNS_STATUS, 5,
     {{"const sv_plan *", "plan", POINTER},
      {"int32_t", "threads", 0},
      {"sv_parallel_callback", "run", POINTER | OPT},
      {"void *", "ctx", POINTER | OPT},
      {"sv_plan **", "out", POINTER | OUT}}},
    {"sv_plan_with_allocator", call_sv_plan_with_allocator, RETURNS_STATUS, 3,
     {{"const sv_plan *", "plan", POINTER},
      {"const sv_allocator *", "scratch", POINTER | OPT},
      {"sv_plan **", "out", POINTER | OUT}}},
    {"sv_plan_measure", call_sv_plan_measure, RETURNS_STATUS, 6,
     {{"const sv_plan *", "plan", POINTER},
      {"const sv_view *", "dst", POINTER},
      {"const sv_view *", "src", POINTER},
      {"int64_t", "limit_ns", 0},
      {"uintptr_t", "stream", 0},
      {"sv_plan **", "out", POINTER | OUT}}},
};
