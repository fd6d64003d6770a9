/* The table of strideview.h, for extension modules. */
#include "module/api.h"

#include "base/arguments.h"
#include "base/dtype.h"
#include "base/errors.h"
#include "base/state.h"
#include "execution/release.h"
#include "execution/stream.h"
#include "objects/layout_object.h"
#include "objects/layout_struct.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/current.h"
#include "protocols/import.h"
#include "protocols/ndarray.h"
#include "protocols/type_cache.h"
#include "strideview.h"

/* --- what an object must be ------------------------------------------------ */

static const char *find_layout_refusal(const sv_layout *layout, uint32_t flags)
{
    if ((flags & STRIDEVIEW_C_ORDER) != 0 && !sv_layout_is_contiguous(layout, SV_ORDER_C))
        return "the array is not C-contiguous";
    if ((flags & STRIDEVIEW_F_ORDER) != 0 && !sv_layout_is_contiguous(layout, SV_ORDER_F))
        return "the array is not Fortran-contiguous";
    return NULL;
}

/* Why a view does not meet the flags; NULL where it does. */
static const char *find_refusal(const sv_view *view, uint32_t flags)
{
    if ((flags & STRIDEVIEW_WRITABLE) != 0 && sv_view_is_readonly(view))
        return "the array is read-only";
    if ((flags & STRIDEVIEW_HOST) != 0 && !svpy_is_host(view))
        return "the memory of the array cannot be read by the host: copy it to host memory with sv.copy(host, array)";
    if ((flags & STRIDEVIEW_DLPACK) != 0 && sv_view_borrow(view) == NULL)
        return sv_last_message();
    return find_layout_refusal(sv_view_layout(view), flags);
}

/* Whether the memory is ready: for the host, or on the default stream where none is named. */
static bool is_made_ready(struct svpy_state *state, const svpy_side *side, uint32_t flags, int64_t stream)
{
    int64_t usual;

    if ((flags & STRIDEVIEW_HOST) != 0)
        return svpy_await_work(side->handle, side->stream) == 0;
    if (stream != 0 || sv_view_device_type(side->handle) == SV_DEVICE_CPU)
        return true;
    return svpy_stream_on(sv_view_device_type(side->handle), SVPY_ABSENT, &usual) == 0 &&
           svpy_wait_for_side(state, side->handle, usual, side, true) == 0;
}

static sv_view *acquire_view(PyObject *object, uint32_t flags, int64_t stream)
{
    static const uint32_t known = STRIDEVIEW_WRITABLE | STRIDEVIEW_HOST | STRIDEVIEW_DLPACK | STRIDEVIEW_C_ORDER |
                                  STRIDEVIEW_F_ORDER;
    struct svpy_state *state = svpy_here();
    const char *reason;
    svpy_side side;
    sv_view *view;

    if (state == NULL)
        return NULL;
    if ((flags & ~known) != 0) {
        PyErr_Format(PyExc_ValueError, "flags 0x%x, known are 0x%x", (unsigned)flags, (unsigned)known);
        return NULL;
    }
    if (stream < SVPY_NOTHING) {
        PyErr_Format(PyExc_ValueError, "stream %lld is no stream", (long long)stream);
        return NULL;
    }
    view = svpy_acquire(state, object, stream == 0 ? SVPY_ABSENT : stream, &side, false);
    reason = view == NULL || flags == 0 ? NULL : find_refusal(view, flags);
    if (reason != NULL)
        PyErr_SetString(PyExc_BufferError, reason);
    else if (view == NULL || is_made_ready(state, &side, flags, stream))
        return view;
    sv_view_release(view);
    return NULL;
}

/* --- arrays as C values ----------------------------------------------------- */

static void fill_array(sv_view *view, strideview_array *out)
{
    const sv_layout *layout = sv_view_layout(view);

    out->data = sv_view_data(view);
    out->shape = sv_layout_shape(layout);
    out->byte_strides = sv_layout_byte_strides(layout);
    out->size = sv_layout_size(layout);
    out->itemsize = sv_layout_itemsize(layout);
    out->ndim = sv_layout_ndim(layout);
    out->dtype = sv_view_dtype(view);
    out->device_type = sv_view_device_type(view);
    out->device_id = sv_view_device_id(view);
    out->readonly = sv_view_is_readonly(view);
    out->view = view;
    out->object = NULL;
}

static int open_array(PyObject *object, uint32_t flags, int64_t stream, strideview_array *out)
{
    const struct svpy_state *known = svpy_only_state;
    sv_view *view;

    if ((flags & ~(uint32_t)(STRIDEVIEW_HOST | STRIDEVIEW_WRITABLE)) == 0 && stream >= SVPY_NOTHING &&
        known != NULL && svpy_is_ndarray(known, object) &&
        svpy_read_ndarray(object, (flags & STRIDEVIEW_WRITABLE) != 0, out)) {
        out->object = Py_NewRef(object);
        return 0;
    }
    view = acquire_view(object, flags, stream);
    if (view == NULL)
        return -1;
    fill_array(view, out);
    return 0;
}

static void close_array(strideview_array *array)
{
    PyObject *object = array->object;
    sv_view *view = array->view;

    array->object = NULL;
    array->view = NULL;
    if (object != NULL)
        svpy_end_object(object);
    else
        sv_view_release(view);
}

/* "2 axes", "1 axis" */
static const char *name_axes(int32_t ndim)
{
    return ndim == 1 ? "axis" : "axes";
}

/* TypeError or ValueError that says what is needed and what came. */
static int refuse_array(const strideview_array *array, sv_dtype dtype, int32_t ndim)
{
    PyObject *wanted = svpy_dtype_name(dtype), *got = wanted == NULL ? NULL : svpy_dtype_name(array->dtype);
    PyObject *shape = got == NULL ? NULL : svpy_tuple(array->shape, array->ndim);
    const bool typed = dtype != SV_OPAQUE;
    PyObject *type = typed && array->dtype != dtype ? PyExc_TypeError : PyExc_ValueError;

    if (shape != NULL && typed && ndim >= 0)
        PyErr_Format(type, "%U with %d %s is needed, got %U of shape %R", wanted, (int)ndim, name_axes(ndim), got,
                     shape);
    else if (shape != NULL && typed)
        PyErr_Format(type, "%U is needed, got %U of shape %R", wanted, got, shape);
    else if (shape != NULL)
        PyErr_Format(type, "%d %s needed, got %U of shape %R", (int)ndim, ndim == 1 ? "axis is" : "axes are", got,
                     shape);
    Py_XDECREF(shape);
    Py_XDECREF(got);
    Py_XDECREF(wanted);
    return -1;
}

static int open_array_as(PyObject *object, uint32_t flags, sv_dtype dtype, int32_t ndim, int64_t stream,
                         strideview_array *out)
{
    int refused;

    if (open_array(object, flags, stream, out) < 0)
        return -1;
    if ((dtype == SV_OPAQUE || out->dtype == dtype) && (ndim < 0 || out->ndim == ndim))
        return 0;
    refused = refuse_array(out, dtype, ndim);
    close_array(out);
    return refused;
}

/* --- handles and objects ---------------------------------------------------- */

static const sv_view *get_exported_view(PyObject *object)
{
    struct svpy_state *state = svpy_here();

    if (state == NULL)
        return NULL;
    if (svpy_is_view(state, object))
        return ((svpy_view *)object)->handle;
    PyErr_Format(PyExc_TypeError, "a StridedMemoryView is needed, not %.100s", Py_TYPE(object)->tp_name);
    return NULL;
}

static const sv_layout *layout_of(PyObject *object)
{
    struct svpy_state *state = svpy_here();

    if (state == NULL)
        return NULL;
    if (svpy_is_layout(state, object))
        return ((svpy_layout *)object)->handle;
    PyErr_Format(PyExc_TypeError, "a StridedLayout is needed, not %.100s", Py_TYPE(object)->tp_name);
    return NULL;
}

static PyObject *no_handle(void)
{
    PyErr_SetString(PyExc_ValueError, "the handle is NULL");
    return NULL;
}

static PyObject *view_object(const sv_view *view, PyObject *exporter)
{
    struct svpy_state *state = svpy_here();

    if (state == NULL || view == NULL)
        return state == NULL ? NULL : no_handle();
    return svpy_view_wrap(state, sv_view_retain(view), exporter, SVPY_NOTHING);
}

static PyObject *layout_object(const sv_layout *layout)
{
    struct svpy_state *state = svpy_here();

    if (state == NULL || layout == NULL)
        return state == NULL ? NULL : no_handle();
    return svpy_layout_wrap(state, sv_layout_retain(layout));
}

static PyObject *set_error(sv_status status)
{
    return svpy_raise(status);
}

/* --- the table -------------------------------------------------------------- */

static strideview_api table = {
    .size = sizeof table,
    .abi = SV_ABI_VERSION,
    .instance = &table,
    .acquire = acquire_view,
    .open = open_array,
    .open_as = open_array_as,
    .close = close_array,
    .view_of = get_exported_view,
    .layout_of = layout_of,
    .view_object = view_object,
    .layout_object = layout_object,
    .set_error = set_error,
    /* >>> from sv.h */
    .version = sv_version,
    .version_text = sv_version_text,
    .abi_version = sv_abi_version,
    .features = sv_features,
    .status_name = sv_status_name,
    .last_message = sv_last_message,
    .dtype_make = sv_dtype_make,
    .dtype_itemsize = sv_dtype_itemsize,
    .dtype_code = sv_dtype_code,
    .dtype_bits = sv_dtype_bits,
    .dtype_lanes = sv_dtype_lanes,
    .dtype_name = sv_dtype_name,
    .dtype_parse = sv_dtype_parse,
    .dtype_typestr = sv_dtype_typestr,
    .dtype_from_typestr = sv_dtype_from_typestr,
    .dtype_format = sv_dtype_format,
    .dtype_from_format = sv_dtype_from_format,
    .can_cast = sv_can_cast,
    .layout_new = sv_layout_new,
    .layout_new_bytes = sv_layout_new_bytes,
    .layout_new_dense = sv_layout_new_dense,
    .layout_parse = sv_layout_parse,
    .layout_retain = sv_layout_retain,
    .layout_release = sv_layout_release,
    .layout_ndim = sv_layout_ndim,
    .layout_shape = sv_layout_shape,
    .layout_byte_strides = sv_layout_byte_strides,
    .layout_strides = sv_layout_strides,
    .layout_itemsize = sv_layout_itemsize,
    .layout_size = sv_layout_size,
    .layout_nbytes = sv_layout_nbytes,
    .layout_byte_offset = sv_layout_byte_offset,
    .layout_is_contiguous = sv_layout_is_contiguous,
    .layout_is_dense = sv_layout_is_dense,
    .layout_is_within = sv_layout_is_within,
    .layout_byte_bounds = sv_layout_byte_bounds,
    .layout_required_size = sv_layout_required_size,
    .layout_stride_order = sv_layout_stride_order,
    .layout_flatten_mask = sv_layout_flatten_mask,
    .layout_alignment = sv_layout_alignment,
    .layout_max_itemsize = sv_layout_max_itemsize,
    .layout_equal = sv_layout_equal,
    .layout_hash = sv_layout_hash,
    .layout_text = sv_layout_text,
    .layout_is_unique = sv_layout_is_unique,
    .layout_overlap = sv_layout_overlap,
    .layout_same_bytes = sv_layout_same_bytes,
    .layout_common = sv_layout_common,
    .layout_common_itemsize = sv_layout_common_itemsize,
    .layout_broadcast_shape = sv_layout_broadcast_shape,
    .layout_permutation = sv_layout_permutation,
    .layout_permute = sv_layout_permute,
    .layout_slice = sv_layout_slice,
    .layout_index = sv_layout_index,
    .layout_reshape = sv_layout_reshape,
    .layout_broadcast = sv_layout_broadcast,
    .layout_squeeze = sv_layout_squeeze,
    .layout_unsqueeze = sv_layout_unsqueeze,
    .layout_to_dense = sv_layout_to_dense,
    .layout_flatten = sv_layout_flatten,
    .layout_flatten_masked = sv_layout_flatten_masked,
    .layout_merge_axes = sv_layout_merge_axes,
    .layout_split_axis = sv_layout_split_axis,
    .layout_move_axes = sv_layout_move_axes,
    .layout_swap_axes = sv_layout_swap_axes,
    .layout_flip = sv_layout_flip,
    .layout_diagonal = sv_layout_diagonal,
    .layout_window = sv_layout_window,
    .layout_repack = sv_layout_repack,
    .layout_builder_new = sv_layout_builder_new,
    .layout_builder_release = sv_layout_builder_release,
    .layout_builder_start = sv_layout_builder_start,
    .layout_builder_permute = sv_layout_builder_permute,
    .layout_builder_slice = sv_layout_builder_slice,
    .layout_builder_index = sv_layout_builder_index,
    .layout_builder_reshape = sv_layout_builder_reshape,
    .layout_builder_broadcast = sv_layout_builder_broadcast,
    .layout_builder_squeeze = sv_layout_builder_squeeze,
    .layout_builder_unsqueeze = sv_layout_builder_unsqueeze,
    .layout_builder_to_dense = sv_layout_builder_to_dense,
    .layout_builder_flatten = sv_layout_builder_flatten,
    .layout_builder_flatten_masked = sv_layout_builder_flatten_masked,
    .layout_builder_merge_axes = sv_layout_builder_merge_axes,
    .layout_builder_split_axis = sv_layout_builder_split_axis,
    .layout_builder_move_axes = sv_layout_builder_move_axes,
    .layout_builder_swap_axes = sv_layout_builder_swap_axes,
    .layout_builder_flip = sv_layout_builder_flip,
    .layout_builder_diagonal = sv_layout_builder_diagonal,
    .layout_builder_window = sv_layout_builder_window,
    .layout_builder_repack = sv_layout_builder_repack,
    .layout_builder_finish = sv_layout_builder_finish,
    .device_name = sv_device_name,
    .device_traits = sv_device_traits,
    .device_probe = sv_device_probe,
    .device_text = sv_device_text,
    .device_property = sv_device_property,
    .stream_wait = sv_stream_wait,
    .stream_synchronize = sv_stream_synchronize,
    .stream_query = sv_stream_query,
    .memory_name = sv_memory_name,
    .pointer_query = sv_pointer_query,
    .allocator_host = sv_allocator_host,
    .allocator_pinned = sv_allocator_pinned,
    .allocator_device = sv_allocator_device,
    .allocator_managed = sv_allocator_managed,
    .allocator_pool = sv_allocator_pool,
    .allocator_pool_view = sv_allocator_pool_view,
    .allocator_callbacks = sv_allocator_callbacks,
    .allocator_tracked = sv_allocator_tracked,
    .allocator_limited = sv_allocator_limited,
    .allocator_cached = sv_allocator_cached,
    .allocator_logged = sv_allocator_logged,
    .allocator_retrying = sv_allocator_retrying,
    .allocator_retain = sv_allocator_retain,
    .allocator_release = sv_allocator_release,
    .allocator_kind = sv_allocator_kind,
    .allocator_device_type = sv_allocator_device_type,
    .allocator_device_id = sv_allocator_device_id,
    .allocator_traits = sv_allocator_traits,
    .allocator_alignment = sv_allocator_alignment,
    .allocator_name = sv_allocator_name,
    .allocator_allocate = sv_allocator_allocate,
    .allocator_free = sv_allocator_free,
    .allocator_stats = sv_allocator_stats,
    .allocator_reset_peaks = sv_allocator_reset_peaks,
    .allocator_visit = sv_allocator_visit,
    .allocator_from_handler = sv_allocator_from_handler,
    .handler_allocate_from = sv_handler_allocate_from,
    .handler_free_to = sv_handler_free_to,
    .allocator_from_torch = sv_allocator_from_torch,
    .torch_use = sv_torch_use,
    .torch_allocate = sv_torch_allocate,
    .torch_free = sv_torch_free,
    .buffer_new = sv_buffer_new,
    .buffer_adopt = sv_buffer_adopt,
    .buffer_register = sv_buffer_register,
    .buffer_slice = sv_buffer_slice,
    .buffer_retain = sv_buffer_retain,
    .buffer_release = sv_buffer_release,
    .buffer_release_later = sv_buffer_release_later,
    .buffer_detach = sv_buffer_detach,
    .buffer_close = sv_buffer_close,
    .buffer_data = sv_buffer_data,
    .buffer_host_data = sv_buffer_host_data,
    .buffer_nbytes = sv_buffer_nbytes,
    .buffer_capacity = sv_buffer_capacity,
    .buffer_alignment = sv_buffer_alignment,
    .buffer_kind = sv_buffer_kind,
    .buffer_traits = sv_buffer_traits,
    .buffer_device_type = sv_buffer_device_type,
    .buffer_device_id = sv_buffer_device_id,
    .buffer_stream = sv_buffer_stream,
    .buffer_allocator = sv_buffer_allocator,
    .buffer_parent = sv_buffer_parent,
    .buffer_exports = sv_buffer_exports,
    .buffer_references = sv_buffer_references,
    .buffer_is_closed = sv_buffer_is_closed,
    .buffer_context = sv_buffer_context,
    .buffer_begin_export = sv_buffer_begin_export,
    .buffer_end_export = sv_buffer_end_export,
    .buffer_read = sv_buffer_read,
    .buffer_write = sv_buffer_write,
    .buffer_copy = sv_buffer_copy,
    .buffer_fill = sv_buffer_fill,
    .buffer_resize = sv_buffer_resize,
    .buffer_reserve = sv_buffer_reserve,
    .buffer_shrink = sv_buffer_shrink,
    .buffer_migrate = sv_buffer_migrate,
    .buffer_set_stream = sv_buffer_set_stream,
    .buffer_record_use = sv_buffer_record_use,
    .buffer_prefetch = sv_buffer_prefetch,
    .buffer_discard = sv_buffer_discard,
    .buffer_advise = sv_buffer_advise,
    .buffer_export_ipc = sv_buffer_export_ipc,
    .buffer_import_ipc = sv_buffer_import_ipc,
    .memory_collect = sv_memory_collect,
    .memory_stats = sv_memory_stats,
    .view_from_host = sv_view_from_host,
    .view_from_pointer = sv_view_from_pointer,
    .view_new = sv_view_new,
    .view_from_array = sv_view_from_array,
    .view_from_buffer = sv_view_from_buffer,
    .view_from_dlpack = sv_view_from_dlpack,
    .view_from_dlpack_unversioned = sv_view_from_dlpack_unversioned,
    .view_from_dltensor = sv_view_from_dltensor,
    .view_from_pep3118 = sv_view_from_pep3118,
    .view_from_array_interface = sv_view_from_array_interface,
    .view_with_layout = sv_view_with_layout,
    .view_with_builder = sv_view_with_builder,
    .view_permute = sv_view_permute,
    .view_slice = sv_view_slice,
    .view_index = sv_view_index,
    .view_reshape = sv_view_reshape,
    .view_broadcast = sv_view_broadcast,
    .view_with_dtype = sv_view_with_dtype,
    .view_as_readonly = sv_view_as_readonly,
    .view_retain = sv_view_retain,
    .view_release = sv_view_release,
    .view_data = sv_view_data,
    .view_layout = sv_view_layout,
    .view_dtype = sv_view_dtype,
    .view_device_type = sv_view_device_type,
    .view_device_id = sv_view_device_id,
    .view_is_readonly = sv_view_is_readonly,
    .view_bounds = sv_view_bounds,
    .view_references = sv_view_references,
    .view_context = sv_view_context,
    .view_buffer = sv_view_buffer,
    .view_overlap = sv_view_overlap,
    .view_borrow = sv_view_borrow,
    .view_kernel_arg = sv_view_kernel_arg,
    .view_to_dlpack = sv_view_to_dlpack,
    .view_to_dlpack_unversioned = sv_view_to_dlpack_unversioned,
    .empty = sv_empty,
    .empty_layout = sv_empty_layout,
    .empty_like = sv_empty_like,
    .copy = sv_copy,
    .copy_with = sv_copy_with,
    .copy_scaled = sv_copy_scaled,
    .copy_scaled_batch = sv_copy_scaled_batch,
    .fill = sv_fill,
    .copy_batch = sv_copy_batch,
    .copy_stack = sv_copy_stack,
    .copy_placement = sv_copy_placement,
    .plan_new = sv_plan_new,
    .plan_new_scaled = sv_plan_new_scaled,
    .plan_retain = sv_plan_retain,
    .plan_release = sv_plan_release,
    .plan_execute = sv_plan_execute,
    .plan_execute_views = sv_plan_execute_views,
    .plan_execute_batch = sv_plan_execute_batch,
    .plan_execute_views_batch = sv_plan_execute_views_batch,
    .plan_execute_table = sv_plan_execute_table,
    .plan_class = sv_plan_class,
    .plan_kernel = sv_plan_kernel,
    .plan_explain = sv_plan_explain,
    .plan_nbytes = sv_plan_nbytes,
    .plan_traffic = sv_plan_traffic,
    .plan_launches = sv_plan_launches,
    .copy_parallel = sv_copy_parallel,
    .copy_scaled_parallel = sv_copy_scaled_parallel,
    .plan_with_threads = sv_plan_with_threads,
    .plan_with_allocator = sv_plan_with_allocator,
    .plan_measure = sv_plan_measure,
    /* <<< from sv.h */
};

/* Called after the types have been made. */
int svpy_api_init(struct svpy_state *state, PyObject *module)
{
    PyObject *capsule = PyCapsule_New(&table, STRIDEVIEW_CAPSULE, NULL);
    int failed;

    table.release = sv_version_text();
    table.view_type = state->view_type;
    table.layout_type = state->layout_type;
    failed = capsule == NULL || PyModule_AddObjectRef(module, "_C_API", capsule) < 0;
    Py_XDECREF(capsule);
    return failed ? -1 : 0;
}
