/*
 * Every public function with every one of its allocations failing in turn:
 * SV_ERROR_MEMORY, nothing leaked, outputs as they were, ownership unmoved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dlpack/dlpack.h>

#include "alloc.h"
#include "sv.h"
#include "tap.h"

/* --- allocations, counted ------------------------------------------------ */

static int asked, live, failing; /* the failing-th request of a run fails; 0: none */

static void *count_allocate(size_t nbytes)
{
    void *pointer = ++asked == failing ? NULL : malloc(nbytes);

    live += pointer != NULL;
    return pointer;
}

static void count_free(void *pointer)
{
    live--;
    free(pointer);
}

/* --- what the calls are given -------------------------------------------- */

static int32_t cells[64];
static int ended; /* deleters and release callbacks run */
static sv_layout *table, *row, *unit, *back;
static sv_layout_builder *builder;
static sv_view *whole, *source, *target, *reversed;
static sv_plan *moving; /* reversed: the memory of target backwards */

static void end_versioned(struct DLManagedTensorVersioned *self)
{
    (void)self;
    ended++;
}

static void end_unversioned(struct DLManagedTensor *self)
{
    (void)self;
    ended++;
}

static void end_memory(void *ctx)
{
    (void)ctx;
    ended++;
}

static const int64_t unit_shape[3] = {1, 24, 1}, shape[2] = {4, 6}, start[2] = {1, 1}, stop[2] = {3, 4};
static const int32_t axes[2] = {1, 0};
static int64_t foreign_shape[2] = {4, 6}, foreign_strides[2] = {8, 1};
static struct DLManagedTensorVersioned versioned = {.version = {1, 3}, .deleter = end_versioned};
static struct DLManagedTensor unversioned = {.deleter = end_unversioned};

static bool make_inputs(void)
{
    static const int64_t extent = 24, from = INT64_MAX, to = INT64_MIN, step = -1;

    for (int i = 0; i < 64; i++)
        cells[i] = i;
    versioned.dl_tensor = (DLTensor){.data = cells,
                                     .device = {kDLCPU, 0},
                                     .ndim = 2,
                                     .dtype = {kDLInt, 32, 1},
                                     .shape = foreign_shape,
                                     .strides = foreign_strides};
    unversioned.dl_tensor = versioned.dl_tensor;
    return sv_layout_builder_new(&builder) == SV_OK && sv_layout_new(2, shape, NULL, 4, &table) == SV_OK &&
           sv_layout_new(1, &extent, NULL, 4, &row) == SV_OK &&
           sv_layout_new(3, unit_shape, NULL, 4, &unit) == SV_OK &&
           sv_view_from_pointer(table, cells, sizeof cells, SV_INT32, 0, &whole) == SV_OK &&
           sv_view_from_pointer(row, cells + 32, 96, SV_INT32, 0, &source) == SV_OK &&
           sv_view_from_pointer(row, cells + 1, 96, SV_INT32, 0, &target) == SV_OK &&
           sv_layout_slice(row, 1, &from, &to, &step, &back) == SV_OK &&
           sv_view_with_layout(target, back, &reversed) == SV_OK &&
           sv_plan_new(target, source, 0, &moving) == SV_OK;
}

static void drop_inputs(void)
{
    sv_layout_builder_release(builder);
    sv_layout_release(table);
    sv_layout_release(row);
    sv_layout_release(unit);
    sv_layout_release(back);
    sv_view_release(whole);
    sv_view_release(source);
    sv_view_release(target);
    sv_view_release(reversed);
    sv_plan_release(moving);
}

/* --- the calls ----------------------------------------------------------- */

/* All that a call writes to. */
struct out {
    sv_layout *layout;
    sv_layout_builder *builder;
    sv_view *view;
    sv_plan *plan;
    struct DLManagedTensorVersioned *versioned;
    struct DLManagedTensor *unversioned;
    const int64_t *strides;
    int64_t numbers[2];
    int32_t axes[2];
    size_t length;
    char text[256];
    sv_dtype dtype;
    int32_t count;
    sv_device_state state;
    sv_answer answer;
    sv_layout *other_layout;
    int64_t extents[SV_MAX_NDIM];
};

/* Functions that cannot fail: SV_OK when the answer is right. */
static sv_status right(bool answer)
{
    return answer ? SV_OK : SV_ERROR_INVALID;
}

static sv_status version(struct out *o)
{
    (void)o;
    return right(sv_version() >= 0);
}

static sv_status version_text(struct out *o)
{
    (void)o;
    return right(sv_version_text()[0] != '\0');
}

static sv_status abi_version(struct out *o)
{
    (void)o;
    return right(sv_abi_version() == SV_ABI_VERSION);
}

static sv_status features(struct out *o)
{
    (void)o;
    return right((sv_features() & ~3u) == 0);
}

static sv_status status_name(struct out *o)
{
    (void)o;
    return right(strcmp(sv_status_name(SV_OK), "SV_OK") == 0);
}

static sv_status last_message(struct out *o)
{
    (void)o;
    return right(sv_last_message() != NULL);
}

static sv_status dtype_make(struct out *o)
{
    return sv_dtype_make(kDLFloat, 32, 1, &o->dtype);
}

static sv_status dtype_itemsize(struct out *o)
{
    (void)o;
    return right(sv_dtype_itemsize(SV_FLOAT32) == 4);
}

static sv_status dtype_name(struct out *o)
{
    return sv_dtype_name(SV_FLOAT32, sizeof o->text, o->text, &o->length);
}

static sv_status dtype_parse(struct out *o)
{
    return sv_dtype_parse("float32", &o->dtype);
}

static sv_status dtype_typestr(struct out *o)
{
    return sv_dtype_typestr(SV_FLOAT32, sizeof o->text, o->text, &o->length);
}

static sv_status dtype_from_typestr(struct out *o)
{
    return sv_dtype_from_typestr("<f4", &o->dtype);
}

static sv_status dtype_format(struct out *o)
{
    return sv_dtype_format(SV_FLOAT32, sizeof o->text, o->text, &o->length);
}

static sv_status dtype_from_format(struct out *o)
{
    return sv_dtype_from_format("f", 4, &o->dtype);
}

static sv_status layout_new(struct out *o)
{
    return sv_layout_new(2, shape, NULL, 4, &o->layout);
}

static sv_status layout_new_bytes(struct out *o)
{
    return sv_layout_new_bytes(2, shape, NULL, 4, &o->layout);
}

static sv_status layout_new_dense(struct out *o)
{
    return sv_layout_new_dense(2, shape, SV_ORDER_AXES, axes, 4, &o->layout);
}

static sv_status layout_retain_release(struct out *o)
{
    (void)o;
    sv_layout_release(sv_layout_retain(table));
    return right(sv_layout_ndim(table) == 2);
}

static sv_status layout_ndim(struct out *o)
{
    (void)o;
    return right(sv_layout_ndim(table) == 2);
}

static sv_status layout_shape(struct out *o)
{
    (void)o;
    return right(sv_layout_shape(table)[1] == 6);
}

static sv_status layout_byte_strides(struct out *o)
{
    (void)o;
    return right(sv_layout_byte_strides(table)[0] == 24);
}

static sv_status layout_strides(struct out *o)
{
    return sv_layout_strides(table, &o->strides);
}

static sv_status layout_itemsize(struct out *o)
{
    (void)o;
    return right(sv_layout_itemsize(table) == 4);
}

static sv_status layout_size(struct out *o)
{
    (void)o;
    return right(sv_layout_size(table) == 24);
}

static sv_status layout_nbytes(struct out *o)
{
    (void)o;
    return right(sv_layout_nbytes(table) == 96);
}

static sv_status layout_byte_offset(struct out *o)
{
    (void)o;
    return right(sv_layout_byte_offset(table) == 0);
}

static sv_status layout_is_contiguous(struct out *o)
{
    (void)o;
    return right(sv_layout_is_contiguous(table, SV_ORDER_K) == 1);
}

static sv_status layout_byte_bounds(struct out *o)
{
    return sv_layout_byte_bounds(table, &o->numbers[0], &o->numbers[1]);
}

static sv_status layout_required_size(struct out *o)
{
    return sv_layout_required_size(table, &o->numbers[0]);
}

static sv_status layout_equal(struct out *o)
{
    (void)o;
    return right(sv_layout_equal(table, row) == 0);
}

static sv_status layout_parse(struct out *o)
{
    return sv_layout_parse("(3, 450):(1, -3)*4+5388", &o->layout);
}

static sv_status layout_is_dense(struct out *o)
{
    (void)o;
    return right(sv_layout_is_dense(table) == 1);
}

static sv_status layout_is_within(struct out *o)
{
    (void)o;
    return right(sv_layout_is_within(table, 0, 96) == 1);
}

static sv_status layout_alignment(struct out *o)
{
    return sv_layout_alignment(table, 64, &o->numbers[0]);
}

static sv_status layout_max_itemsize(struct out *o)
{
    return sv_layout_max_itemsize(table, 16, 0, -1, &o->numbers[0]);
}

static sv_status layout_hash(struct out *o)
{
    (void)o;
    return right(sv_layout_hash(table) != sv_layout_hash(row));
}

static sv_status layout_text(struct out *o)
{
    return sv_layout_text(table, sizeof o->text, o->text, &o->length);
}

static sv_status layout_same_bytes(struct out *o)
{
    (void)o;
    return right(sv_layout_same_bytes(table, row) == 1);
}

static sv_status layout_common(struct out *o)
{
    return sv_layout_common(row, back, &o->layout, &o->other_layout);
}

static sv_status layout_common_itemsize(struct out *o)
{
    return sv_layout_common_itemsize(row, back, 0, 0, 16, &o->numbers[0]);
}

static sv_status layout_broadcast_shape(struct out *o)
{
    return sv_layout_broadcast_shape(row, unit, &o->count, o->extents);
}

static sv_status layout_permutation(struct out *o)
{
    return sv_layout_permutation(table, table, o->axes);
}

static sv_status layout_is_unique(struct out *o)
{
    return sv_layout_is_unique(table, 0, &o->answer);
}

static sv_status layout_overlap(struct out *o)
{
    return sv_layout_overlap(table, row, 0, 64, 0, &o->answer);
}

static sv_status layout_permute(struct out *o)
{
    return sv_layout_permute(table, 2, axes, &o->layout);
}

static sv_status layout_slice(struct out *o)
{
    return sv_layout_slice(table, 2, start, stop, NULL, &o->layout);
}

static sv_status layout_index(struct out *o)
{
    return sv_layout_index(table, 0, -1, &o->layout);
}

static sv_status layout_reshape(struct out *o)
{
    return sv_layout_reshape(row, 2, shape, &o->layout);
}

static sv_status layout_broadcast(struct out *o)
{
    const int64_t wide[2] = {5, 24};

    return sv_layout_broadcast(row, 2, wide, &o->layout);
}

static sv_status layout_squeeze(struct out *o)
{
    return sv_layout_squeeze(unit, 0, NULL, &o->layout);
}

static sv_status layout_unsqueeze(struct out *o)
{
    return sv_layout_unsqueeze(row, 2, axes, &o->layout);
}

static sv_status layout_to_dense(struct out *o)
{
    return sv_layout_to_dense(table, SV_ORDER_F, 0, NULL, &o->layout);
}

static sv_status layout_stride_order(struct out *o)
{
    return sv_layout_stride_order(table, o->axes);
}

static sv_status layout_flatten_mask(struct out *o)
{
    (void)o;
    return right(sv_layout_flatten_mask(table) == 2);
}

static sv_status layout_flatten(struct out *o)
{
    return sv_layout_flatten(table, 0, -1, &o->layout);
}

static sv_status layout_flatten_masked(struct out *o)
{
    return sv_layout_flatten_masked(table, 2, &o->layout);
}

static sv_status layout_merge_axes(struct out *o)
{
    return sv_layout_merge_axes(table, 0, 1, &o->layout);
}

static sv_status layout_split_axis(struct out *o)
{
    return sv_layout_split_axis(row, 0, 2, shape, &o->layout);
}

static sv_status layout_move_axes(struct out *o)
{
    return sv_layout_move_axes(table, 1, axes, axes + 1, &o->layout);
}

static sv_status layout_swap_axes(struct out *o)
{
    return sv_layout_swap_axes(table, 0, 1, &o->layout);
}

static sv_status layout_flip(struct out *o)
{
    return sv_layout_flip(table, 0, NULL, &o->layout);
}

static sv_status layout_diagonal(struct out *o)
{
    return sv_layout_diagonal(table, 1, 0, 1, &o->layout);
}

static sv_status layout_window(struct out *o)
{
    return sv_layout_window(table, 2, NULL, start, &o->layout);
}

static sv_status layout_repack(struct out *o)
{
    return sv_layout_repack(table, 8, 0, 1, 1, &o->layout);
}

static sv_status builder_new(struct out *o)
{
    return sv_layout_builder_new(&o->builder);
}

static sv_status builder_release(struct out *o)
{
    (void)o;
    sv_layout_builder_release(NULL);
    return SV_OK;
}

static sv_status builder_start(struct out *o)
{
    (void)o;
    return sv_layout_builder_start(builder, table);
}

static bool started(struct out *o)
{
    return builder_start(o) == SV_OK;
}

static sv_status builder_permute(struct out *o)
{
    return started(o) ? sv_layout_builder_permute(builder, 2, axes) : SV_ERROR_STATE;
}

static sv_status builder_slice(struct out *o)
{
    return started(o) ? sv_layout_builder_slice(builder, 2, start, stop, NULL) : SV_ERROR_STATE;
}

static sv_status builder_index(struct out *o)
{
    return started(o) ? sv_layout_builder_index(builder, 0, -1) : SV_ERROR_STATE;
}

static sv_status builder_reshape(struct out *o)
{
    return started(o) ? sv_layout_builder_reshape(builder, 1, unit_shape + 1) : SV_ERROR_STATE;
}

static sv_status builder_broadcast(struct out *o)
{
    return started(o) ? sv_layout_builder_broadcast(builder, 2, shape) : SV_ERROR_STATE;
}

static sv_status builder_squeeze(struct out *o)
{
    return started(o) ? sv_layout_builder_squeeze(builder, 0, NULL) : SV_ERROR_STATE;
}

static sv_status builder_unsqueeze(struct out *o)
{
    return started(o) ? sv_layout_builder_unsqueeze(builder, 2, axes) : SV_ERROR_STATE;
}

static sv_status builder_to_dense(struct out *o)
{
    return started(o) ? sv_layout_builder_to_dense(builder, SV_ORDER_F, 0, NULL) : SV_ERROR_STATE;
}

static sv_status builder_flatten(struct out *o)
{
    return started(o) ? sv_layout_builder_flatten(builder, 0, -1) : SV_ERROR_STATE;
}

static sv_status builder_flatten_masked(struct out *o)
{
    return started(o) ? sv_layout_builder_flatten_masked(builder, 2) : SV_ERROR_STATE;
}

static sv_status builder_merge_axes(struct out *o)
{
    return started(o) ? sv_layout_builder_merge_axes(builder, 0, 1) : SV_ERROR_STATE;
}

static sv_status builder_split_axis(struct out *o)
{
    return started(o) ? sv_layout_builder_split_axis(builder, 1, 1, shape + 1) : SV_ERROR_STATE;
}

static sv_status builder_move_axes(struct out *o)
{
    return started(o) ? sv_layout_builder_move_axes(builder, 1, axes, axes + 1) : SV_ERROR_STATE;
}

static sv_status builder_swap_axes(struct out *o)
{
    return started(o) ? sv_layout_builder_swap_axes(builder, 0, 1) : SV_ERROR_STATE;
}

static sv_status builder_flip(struct out *o)
{
    return started(o) ? sv_layout_builder_flip(builder, 0, NULL) : SV_ERROR_STATE;
}

static sv_status builder_diagonal(struct out *o)
{
    return started(o) ? sv_layout_builder_diagonal(builder, 1, 0, 1) : SV_ERROR_STATE;
}

static sv_status builder_window(struct out *o)
{
    return started(o) ? sv_layout_builder_window(builder, 2, NULL, start) : SV_ERROR_STATE;
}

static sv_status builder_repack(struct out *o)
{
    return started(o) ? sv_layout_builder_repack(builder, 8, 0, 1, 1) : SV_ERROR_STATE;
}

static sv_status builder_finish(struct out *o)
{
    return started(o) ? sv_layout_builder_finish(builder, &o->layout) : SV_ERROR_STATE;
}

static sv_status builder_view(struct out *o)
{
    return started(o) ? sv_layout_builder_view(builder, whole, &o->view) : SV_ERROR_STATE;
}

static sv_status device_probe(struct out *o)
{
    return sv_device_probe(SV_DEVICE_CPU, &o->state, &o->count);
}

static sv_status device_probe_cuda(struct out *o)
{
    return sv_device_probe(SV_DEVICE_CUDA, &o->state, &o->count);
}

static sv_status device_text(struct out *o)
{
    return sv_device_text(SV_DEVICE_CUDA, sizeof o->text, o->text, &o->length);
}

static sv_status stream_wait(struct out *o)
{
    (void)o;
    return sv_stream_wait(SV_DEVICE_CPU, 0, 5, 6);
}

static sv_status stream_synchronize(struct out *o)
{
    (void)o;
    return sv_stream_synchronize(SV_DEVICE_CPU, 0, 5);
}

static sv_status view_from_pointer(struct out *o)
{
    return sv_view_from_pointer(table, cells, sizeof cells, SV_INT32, 0, &o->view);
}

static sv_status view_new(struct out *o)
{
    return sv_view_new(table, cells, 0, 96, SV_INT32, SV_DEVICE_CPU, 0, 0, end_memory, cells, &o->view);
}

static sv_status view_from_dlpack(struct out *o)
{
    return sv_view_from_dlpack(&versioned, 0, &o->view);
}

static sv_status view_from_dlpack_unversioned(struct out *o)
{
    return sv_view_from_dlpack_unversioned(&unversioned, 0, &o->view);
}

static sv_status view_from_dltensor(struct out *o)
{
    return sv_view_from_dltensor(&versioned.dl_tensor, 0, NULL, NULL, &o->view);
}

static sv_status view_from_pep3118(struct out *o)
{
    return sv_view_from_pep3118("i", 4, 2, shape, NULL, cells, 96, 0, end_memory, cells, &o->view);
}

static sv_status view_from_array(struct out *o)
{
    return sv_view_from_array(SV_INT32, 2, shape, NULL, cells, SV_DEVICE_CPU, 0, 0, end_memory, cells, &o->view);
}

static sv_status view_from_array_interface(struct out *o)
{
    return sv_view_from_array_interface("<i4", 2, shape, NULL, cells, SV_DEVICE_CPU, 0, 0, end_memory, cells, &o->view);
}

static sv_status view_with_layout(struct out *o)
{
    return sv_view_with_layout(whole, row, &o->view);
}

static sv_status view_with_dtype(struct out *o)
{
    return sv_view_with_dtype(whole, SV_FLOAT32, &o->view);
}

static sv_status view_as_readonly(struct out *o)
{
    return sv_view_as_readonly(whole, &o->view);
}

static sv_status view_retain_release(struct out *o)
{
    (void)o;
    sv_view_release(sv_view_retain(whole));
    return right(sv_view_data(whole) == cells);
}

static sv_status view_data(struct out *o)
{
    (void)o;
    return right(sv_view_data(whole) == cells);
}

static sv_status view_layout(struct out *o)
{
    (void)o;
    return right(sv_view_layout(whole) == table);
}

static sv_status view_dtype(struct out *o)
{
    (void)o;
    return right(sv_view_dtype(whole) == SV_INT32);
}

static sv_status view_device_type(struct out *o)
{
    (void)o;
    return right(sv_view_device_type(whole) == SV_DEVICE_CPU);
}

static sv_status view_device_id(struct out *o)
{
    (void)o;
    return right(sv_view_device_id(whole) == 0);
}

static sv_status view_is_readonly(struct out *o)
{
    (void)o;
    return right(sv_view_is_readonly(whole) == 0);
}

static sv_status view_bounds(struct out *o)
{
    return sv_view_bounds(whole, &o->numbers[0], &o->numbers[1]);
}

static sv_status view_borrow(struct out *o)
{
    (void)o;
    return right(sv_view_borrow(whole) != NULL);
}

static sv_status view_overlap(struct out *o)
{
    return sv_view_overlap(source, target, 0, &o->answer);
}

static sv_status view_to_dlpack(struct out *o)
{
    return sv_view_to_dlpack(whole, 0, &o->versioned);
}

static sv_status view_to_dlpack_unversioned(struct out *o)
{
    return sv_view_to_dlpack_unversioned(whole, &o->unversioned);
}

static sv_status copy(struct out *o)
{
    (void)o;
    return sv_copy(target, source, 0, 0);
}

static sv_status fill(struct out *o)
{
    (void)o;
    return sv_fill(target, "abcd", 4, 0, 0);
}

static sv_status copy_swapping(struct out *o)
{
    (void)o;
    return sv_copy(target, source, SV_COPY_SWAP, 0);
}

static sv_status copy_swapping_overlapping(struct out *o)
{
    (void)o;
    return sv_copy(target, reversed, SV_COPY_SWAP, 0);
}

static sv_status copy_overlapping(struct out *o)
{
    (void)o;
    return sv_copy(target, reversed, 0, 0);
}

static sv_status plan_new(struct out *o)
{
    return sv_plan_new(target, source, 0, &o->plan);
}

static sv_status plan_retain_release(struct out *o)
{
    (void)o;
    sv_plan_release(sv_plan_retain(moving));
    return SV_OK;
}

static sv_status plan_execute(struct out *o)
{
    (void)o;
    return sv_plan_execute(moving, sv_view_data(target), sv_view_data(source), 0);
}

static sv_status plan_execute_views(struct out *o)
{
    (void)o;
    return sv_plan_execute_views(moving, target, source, 0);
}

static sv_status plan_class(struct out *o)
{
    (void)o;
    return right(strcmp(sv_plan_class(moving), "contiguous") == 0);
}

static sv_status plan_kernel(struct out *o)
{
    (void)o;
    return right(strcmp(sv_plan_kernel(moving), "contiguous") == 0);
}

static sv_status plan_nbytes(struct out *o)
{
    (void)o;
    return right(sv_plan_nbytes(moving) == 96);
}

static sv_status plan_traffic(struct out *o)
{
    return sv_plan_traffic(moving, &o->numbers[0], &o->numbers[1]);
}

static sv_status run_tasks(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    (void)ctx;
    for (int64_t i = 0; i < count; i++)
        task(task_ctx, i);
    return SV_OK;
}

static sv_status copy_parallel(struct out *o)
{
    (void)o;
    return sv_copy_parallel(target, source, 2, run_tasks, NULL, 0, 0);
}

static sv_status copy_batch(struct out *o)
{
    const sv_view *dst[2] = {target, target}, *src[2] = {source, source};

    return sv_copy_batch(2, dst, src, 0, 0, &o->numbers[0]);
}

static sv_status plan_execute_batch(struct out *o)
{
    const sv_plan *plans[2] = {moving, moving};
    void *dst[2] = {sv_view_data(target), sv_view_data(target)};
    const void *src[2] = {sv_view_data(source), sv_view_data(source)};

    return sv_plan_execute_batch(2, plans, dst, src, 0, &o->numbers[0]);
}

static sv_status plan_parallel(struct out *o)
{
    return sv_plan_parallel(moving, 2, run_tasks, NULL, &o->plan);
}

static const struct row {
    const char *name;
    sv_status (*call)(struct out *o);
    int allocations;
    bool takes; /* ownership of something */
} rows[] = {
    {"sv_version", version, 0, false},
    {"sv_version_text", version_text, 0, false},
    {"sv_abi_version", abi_version, 0, false},
    {"sv_features", features, 0, false},
    {"sv_status_name", status_name, 0, false},
    {"sv_last_message", last_message, 0, false},
    {"sv_dtype_make", dtype_make, 0, false},
    {"sv_dtype_itemsize", dtype_itemsize, 0, false},
    {"sv_dtype_name", dtype_name, 0, false},
    {"sv_dtype_parse", dtype_parse, 0, false},
    {"sv_dtype_typestr", dtype_typestr, 0, false},
    {"sv_dtype_from_typestr", dtype_from_typestr, 0, false},
    {"sv_dtype_format", dtype_format, 0, false},
    {"sv_dtype_from_format", dtype_from_format, 0, false},
    {"sv_layout_new", layout_new, 1, false},
    {"sv_layout_new_bytes", layout_new_bytes, 1, false},
    {"sv_layout_new_dense", layout_new_dense, 1, false},
    {"sv_layout_parse", layout_parse, 1, false},
    {"sv_layout_retain", layout_retain_release, 0, false},
    {"sv_layout_release", layout_retain_release, 0, false},
    {"sv_layout_ndim", layout_ndim, 0, false},
    {"sv_layout_shape", layout_shape, 0, false},
    {"sv_layout_byte_strides", layout_byte_strides, 0, false},
    {"sv_layout_strides", layout_strides, 0, false},
    {"sv_layout_itemsize", layout_itemsize, 0, false},
    {"sv_layout_size", layout_size, 0, false},
    {"sv_layout_nbytes", layout_nbytes, 0, false},
    {"sv_layout_byte_offset", layout_byte_offset, 0, false},
    {"sv_layout_is_contiguous", layout_is_contiguous, 0, false},
    {"sv_layout_byte_bounds", layout_byte_bounds, 0, false},
    {"sv_layout_required_size", layout_required_size, 0, false},
    {"sv_layout_equal", layout_equal, 0, false},
    {"sv_layout_is_dense", layout_is_dense, 0, false},
    {"sv_layout_is_within", layout_is_within, 0, false},
    {"sv_layout_alignment", layout_alignment, 0, false},
    {"sv_layout_max_itemsize", layout_max_itemsize, 0, false},
    {"sv_layout_hash", layout_hash, 0, false},
    {"sv_layout_text", layout_text, 0, false},
    {"sv_layout_same_bytes", layout_same_bytes, 0, false},
    {"sv_layout_common", layout_common, 2, false},
    {"sv_layout_common_itemsize", layout_common_itemsize, 0, false},
    {"sv_layout_broadcast_shape", layout_broadcast_shape, 0, false},
    {"sv_layout_permutation", layout_permutation, 0, false},
    {"sv_layout_is_unique", layout_is_unique, 0, false},
    {"sv_layout_overlap", layout_overlap, 0, false},
    {"sv_layout_permute", layout_permute, 1, false},
    {"sv_layout_slice", layout_slice, 1, false},
    {"sv_layout_index", layout_index, 1, false},
    {"sv_layout_reshape", layout_reshape, 1, false},
    {"sv_layout_broadcast", layout_broadcast, 1, false},
    {"sv_layout_squeeze", layout_squeeze, 1, false},
    {"sv_layout_unsqueeze", layout_unsqueeze, 1, false},
    {"sv_layout_to_dense", layout_to_dense, 1, false},
    {"sv_layout_stride_order", layout_stride_order, 0, false},
    {"sv_layout_flatten_mask", layout_flatten_mask, 0, false},
    {"sv_layout_flatten", layout_flatten, 1, false},
    {"sv_layout_flatten_masked", layout_flatten_masked, 1, false},
    {"sv_layout_merge_axes", layout_merge_axes, 1, false},
    {"sv_layout_split_axis", layout_split_axis, 1, false},
    {"sv_layout_move_axes", layout_move_axes, 1, false},
    {"sv_layout_swap_axes", layout_swap_axes, 1, false},
    {"sv_layout_flip", layout_flip, 1, false},
    {"sv_layout_diagonal", layout_diagonal, 1, false},
    {"sv_layout_window", layout_window, 1, false},
    {"sv_layout_repack", layout_repack, 1, false},
    {"sv_layout_builder_new", builder_new, 1, false},
    {"sv_layout_builder_release", builder_release, 0, false},
    {"sv_layout_builder_start", builder_start, 0, false},
    {"sv_layout_builder_permute", builder_permute, 0, false},
    {"sv_layout_builder_slice", builder_slice, 0, false},
    {"sv_layout_builder_index", builder_index, 0, false},
    {"sv_layout_builder_reshape", builder_reshape, 0, false},
    {"sv_layout_builder_broadcast", builder_broadcast, 0, false},
    {"sv_layout_builder_squeeze", builder_squeeze, 0, false},
    {"sv_layout_builder_unsqueeze", builder_unsqueeze, 0, false},
    {"sv_layout_builder_to_dense", builder_to_dense, 0, false},
    {"sv_layout_builder_flatten", builder_flatten, 0, false},
    {"sv_layout_builder_flatten_masked", builder_flatten_masked, 0, false},
    {"sv_layout_builder_merge_axes", builder_merge_axes, 0, false},
    {"sv_layout_builder_split_axis", builder_split_axis, 0, false},
    {"sv_layout_builder_move_axes", builder_move_axes, 0, false},
    {"sv_layout_builder_swap_axes", builder_swap_axes, 0, false},
    {"sv_layout_builder_flip", builder_flip, 0, false},
    {"sv_layout_builder_diagonal", builder_diagonal, 0, false},
    {"sv_layout_builder_window", builder_window, 0, false},
    {"sv_layout_builder_repack", builder_repack, 0, false},
    {"sv_layout_builder_finish", builder_finish, 1, false},
    {"sv_layout_builder_view", builder_view, 1, false},
    {"sv_device_probe", device_probe, 0, false},
    {"sv_device_probe", device_probe_cuda, 0, false},
    {"sv_device_text", device_text, 0, false},
    {"sv_stream_wait", stream_wait, 0, false},
    {"sv_stream_synchronize", stream_synchronize, 0, false},
    {"sv_view_from_pointer", view_from_pointer, 1, false},
    {"sv_view_new", view_new, 1, true},
    {"sv_view_from_dlpack", view_from_dlpack, 1, true},
    {"sv_view_from_dlpack_unversioned", view_from_dlpack_unversioned, 1, true},
    {"sv_view_from_dltensor", view_from_dltensor, 1, false},
    {"sv_view_from_pep3118", view_from_pep3118, 1, true},
    {"sv_view_from_array", view_from_array, 1, true},
    {"sv_view_from_array_interface", view_from_array_interface, 1, true},
    {"sv_view_with_layout", view_with_layout, 1, false},
    {"sv_view_with_dtype", view_with_dtype, 1, false},
    {"sv_view_as_readonly", view_as_readonly, 1, false},
    {"sv_view_retain", view_retain_release, 0, false},
    {"sv_view_release", view_retain_release, 0, false},
    {"sv_view_data", view_data, 0, false},
    {"sv_view_layout", view_layout, 0, false},
    {"sv_view_dtype", view_dtype, 0, false},
    {"sv_view_device_type", view_device_type, 0, false},
    {"sv_view_device_id", view_device_id, 0, false},
    {"sv_view_is_readonly", view_is_readonly, 0, false},
    {"sv_view_bounds", view_bounds, 0, false},
    {"sv_view_overlap", view_overlap, 0, false},
    {"sv_view_borrow", view_borrow, 0, false},
    {"sv_view_to_dlpack", view_to_dlpack, 1, false},
    {"sv_view_to_dlpack_unversioned", view_to_dlpack_unversioned, 1, false},
    {"sv_copy", copy, 0, false},
    {"sv_copy", copy_overlapping, 1, false},
    {"sv_fill", fill, 0, false},
    {"sv_copy", copy_swapping, 0, false},
    {"sv_copy", copy_swapping_overlapping, 1, false},
    {"sv_plan_new", plan_new, 1, false},
    {"sv_plan_retain", plan_retain_release, 0, false},
    {"sv_plan_release", plan_retain_release, 0, false},
    {"sv_plan_execute", plan_execute, 0, false},
    {"sv_plan_execute_views", plan_execute_views, 0, false},
    {"sv_plan_class", plan_class, 0, false},
    {"sv_plan_kernel", plan_kernel, 0, false},
    {"sv_plan_nbytes", plan_nbytes, 0, false},
    {"sv_plan_traffic", plan_traffic, 0, false},
    {"sv_copy_parallel", copy_parallel, 0, false},
    {"sv_plan_parallel", plan_parallel, 1, false},
    {"sv_copy_batch", copy_batch, 0, false},
    {"sv_plan_execute_batch", plan_execute_batch, 0, false},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* --- trying them --------------------------------------------------------- */

static void drop(struct out *o)
{
    sv_layout_release(o->layout);
    sv_layout_builder_release(o->builder);
    sv_layout_release(o->other_layout);
    sv_view_release(o->view);
    sv_plan_release(o->plan);
    if (o->versioned != NULL)
        o->versioned->deleter(o->versioned);
    if (o->unversioned != NULL)
        o->unversioned->deleter(o->unversioned);
}

/* One call with its nth allocation failing. What is wrong, or NULL. */
static const char *attempt(const struct row *r, int nth, sv_status *status)
{
    static struct out blank;
    struct out o, before;
    int32_t cells_before[64];
    int live_before = live;
    bool failed;

    memset(&o, 0, sizeof o);
    memset(o.text, '~', sizeof o.text);
    memcpy(&before, &o, sizeof o);
    memcpy(cells_before, cells, sizeof cells);
    asked = ended = 0;
    failing = nth;
    *status = r->call(&o);
    failing = 0;
    failed = nth > 0 && nth <= r->allocations;
    if (asked != (failed ? nth : r->allocations))
        return "another number of allocations than the table says";
    if (failed) {
        if (*status != SV_ERROR_MEMORY)
            return "a failed allocation is not told";
        if (strstr(sv_last_message(), "no memory for") == NULL)
            return "no message";
        if (memcmp(&o, &before, sizeof o) != 0 || memcmp(cells, cells_before, sizeof cells) != 0)
            return "outputs written by a failed call";
        if (ended != 0)
            return "ownership taken by a failed call";
    } else if (*status != SV_OK) {
        return "refused though there is memory";
    }
    drop(failed ? &blank : &o);
    if (ended != (!failed && r->takes))
        return "owners told another number of times than once";
    return live == live_before ? NULL : "leaked or freed too much";
}

static void try_row(const struct row *r)
{
    const char *wrong = NULL;
    sv_status status = SV_OK;
    int nth = 0;

    while (wrong == NULL && nth <= r->allocations + 1)
        wrong = attempt(r, nth++, &status);
    tap_ok(wrong == NULL, "%s: %d allocations", r->name, r->allocations);
    if (wrong != NULL)
        tap_note("%s; allocation %d failing, %d asked for, status %s %s", wrong, nth - 1, asked, sv_status_name(status),
                 sv_last_message());
}

/* --- every function of the header has a row ------------------------------ */

static bool has_row(const char *name, size_t length)
{
    for (int i = 0; i < ROWS; i++)
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
            return true;
    return false;
}

static bool is_name(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static void check_header(void)
{
    static char text[1 << 18];
    FILE *file = fopen(SV_HEADER, "r");
    const char *at;
    int functions = 0, missing = 0;

    if (!tap_ok(file != NULL, "the header can be read"))
        return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    at = strstr(text, ">>> declarations");
    while (at != NULL && (at = strstr(at, "\nSV_API ")) != NULL) {
        const char *end = at + strcspn(at, "("), *name = end;

        while (is_name(name[-1]))
            name--;
        functions++;
        if (!has_row(name, (size_t)(end - name))) {
            missing++;
            tap_note("no row: %.*s", (int)(end - name), name);
        }
        at = end;
    }
    tap_ok(functions > 60 && missing == 0, "each of %d functions of sv.h has a row", functions);
}

int main(void)
{
    svi_alloc = (struct svi_alloc){count_allocate, count_free};
    check_header();
    if (tap_ok(make_inputs(), "inputs"))
        for (int i = 0; i < ROWS; i++)
            try_row(&rows[i]);
    drop_inputs();
    tap_ok(live == 0, "nothing is left");
    return tap_done();
}
