/* DLPack's exchange table: ours for others, theirs for us. No capsule, no Python call. */
#include "protocols/exchange.h"

#include <dlpack/dlpack.h>

#include "base/attribute.h"
#include "base/errors.h"
#include "base/state.h"
#include "execution/release.h"
#include "execution/stream.h"
#include "objects/allocate.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"

#define NAME "__dlpack_c_exchange_api__"     /* DLPack 1.3: a capsule */
#define OLD_NAME "__c_dlpack_exchange_api__" /* DLPack 1.2: an int */
#define CAPSULE "dlpack_exchange_api"

/* --- theirs --------------------------------------------------------------- */

/* A capsule by the new name, an int by the old one; anything else is no table. */
static const DLPackExchangeAPI *find_exchange_table(PyTypeObject *type)
{
    PyObject *capsule = svpy_try_attribute_text((PyObject *)type, NAME), *address;
    const DLPackExchangeAPI *table = NULL;

    if (capsule != NULL && PyCapsule_IsValid(capsule, CAPSULE))
        table = PyCapsule_GetPointer(capsule, CAPSULE);
    Py_XDECREF(capsule);
    if (table != NULL || PyErr_Occurred())
        return table;
    address = svpy_try_attribute_text((PyObject *)type, OLD_NAME);
    if (address != NULL && PyLong_CheckExact(address)) {
        table = PyLong_AsVoidPtr(address);
        svpy_clear_exception(); /* no address */
    }
    Py_XDECREF(address);
    return table;
}

int svpy_table_of(PyTypeObject *type, const DLPackExchangeAPI **out)
{
    const DLPackExchangeAPI *table = find_exchange_table(type);

    *out = NULL;
    if (PyErr_Occurred())
        return -1;
    while (table != NULL && table->header.version.major > DLPACK_MAJOR_VERSION)
        table = (const DLPackExchangeAPI *)table->header.prev_api;
    if (table != NULL && table->header.version.major == DLPACK_MAJOR_VERSION &&
        table->managed_tensor_from_py_object_no_sync != NULL)
        *out = table;
    return 0;
}

/* Remembers a library that tells the stream it works on. Tables live as long as their types. 0, or -1: exception. */
static int remember_worker(struct svpy_state *state, PyObject *object, const DLPackExchangeAPI *table)
{
    if (state->worker_table == table && state->worker != NULL)
        return 0;
    Py_CLEAR(state->worker);
    state->worker_table = table;
    state->worker = PyWeakref_NewRef((PyObject *)Py_TYPE(object), NULL);
    return state->worker == NULL ? -1 : 0;
}

/* The table orders nothing, but tells the stream that its owner works on. */
static sv_status order_work(DLDevice device, int64_t stream, const DLPackExchangeAPI *table)
{
    void *theirs;

    if (stream < 0 || table->current_work_stream == NULL ||
        table->current_work_stream(device.device_type, device.device_id, &theirs) != 0)
        return SV_ERROR_UNSUPPORTED;
    return sv_stream_wait((int32_t)device.device_type, device.device_id, (uintptr_t)stream,
                          (int32_t)device.device_type, device.device_id, (uintptr_t)theirs);
}

static bool is_ordered(struct svpy_state *state, PyObject *object, const struct DLManagedTensorVersioned *tensor,
                       int64_t given, const DLPackExchangeAPI *table)
{
    const DLDevice device = tensor->dl_tensor.device;
    sv_status status;
    int64_t stream;

    if (svpy_stream_on((int32_t)device.device_type, given, &stream) < 0)
        return false;
    if (device.device_type == kDLCUDA && table->current_work_stream != NULL &&
        remember_worker(state, object, table) < 0)
        return false;
    if (stream == SVPY_NOTHING)
        return true;
    status = order_work(device, stream, table);
    if (status == SV_ERROR_STATE)
        svpy_raise_capture();
    return status == SV_OK;
}

/* That the stream is captured is said at once: a producer's own wait would end the capture. */
sv_view *svpy_from_table(struct svpy_state *state, PyObject *object, int64_t stream, const DLPackExchangeAPI *table)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    sv_view *view = NULL;
    bool ordered = true;

    if (table->managed_tensor_from_py_object_no_sync(object, &tensor) == 0 && tensor != NULL) {
        if (tensor->version.major == DLPACK_MAJOR_VERSION)
            ordered = is_ordered(state, object, tensor, stream, table);
        if (tensor->version.major != DLPACK_MAJOR_VERSION || !ordered ||
            sv_view_from_dlpack(tensor, 0, &view) != SV_OK) {
            if (tensor->deleter != NULL)
                tensor->deleter(tensor);
        }
    }
    if (view == NULL && (ordered || !PyErr_ExceptionMatches(PyExc_RuntimeError)))
        svpy_clear_exception(); /* __dlpack__() will say what is wrong */
    return view;
}

int svpy_check_recorded(int32_t device_type, int32_t device_id)
{
    const DLDevice device = {kDLCUDA, device_id};
    struct svpy_state *state = svpy_here();
    PyObject *type;
    sv_status status;

    if (state == NULL)
        return -1;
    if (state->worker == NULL || (sv_device_traits(device_type) & SV_TRAIT_CUDA) == 0)
        return 0;
    type = PyObject_CallNoArgs(state->worker);
    if (type == NULL)
        return -1;
    status = type == Py_None ? SV_OK : order_work(device, 1, state->worker_table);
    Py_DECREF(type);
    if (status != SV_ERROR_STATE)
        return svpy_clear_exception();
    svpy_raise_capture();
    return -1;
}

bool svpy_table_lends(const DLPackExchangeAPI *table)
{
    return table != NULL && table->dltensor_from_py_object_no_sync != NULL;
}

sv_view *svpy_from_lent(PyObject *object, const DLPackExchangeAPI *table)
{
    DLTensor tensor;
    sv_view *view = NULL;

    if (table->dltensor_from_py_object_no_sync(object, &tensor) != 0)
        svpy_clear_exception();
    else if (tensor.device.device_type == kDLCPU &&
             sv_view_from_dltensor(&tensor, 0, svpy_end_object, object, &view) == SV_OK)
        Py_INCREF(object);
    return view;
}

/* --- ours ----------------------------------------------------------------- */

static sv_status new_tensor(const DLTensor *prototype, struct DLManagedTensorVersioned **out)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;
    sv_dtype dtype = SV_OPAQUE;
    sv_status status =
        sv_dtype_make(prototype->dtype.code, prototype->dtype.bits, prototype->dtype.lanes, &dtype);

    if (status == SV_OK)
        status = sv_layout_new(prototype->ndim, prototype->shape, NULL, sv_dtype_itemsize(dtype), &layout);
    if (status == SV_OK)
        status = svpy_allocate_plain(layout, dtype, false, &view);
    if (status == SV_OK)
        status = sv_view_to_dlpack(view, 0, out);
    sv_view_release(view);
    sv_layout_release(layout);
    return status;
}

static int allocate_tensor(DLTensor *prototype, struct DLManagedTensorVersioned **out, void *error_ctx,
                           void (*set_error)(void *error_ctx, const char *kind, const char *message))
{
    sv_status status;

    if ((int32_t)prototype->device.device_type != SV_DEVICE_CPU) {
        if (set_error != NULL)
            set_error(error_ctx, "BufferError", "strideview allocates host memory only");
        return -1;
    }
    if (prototype->dtype.bits * prototype->dtype.lanes % 8 != 0) {
        if (set_error != NULL)
            set_error(error_ctx, "BufferError", "a DLTensor cannot say whether elements below a byte are padded");
        return -1;
    }
    status = new_tensor(prototype, out);
    if (status == SV_OK)
        return 0;
    if (set_error != NULL && status == SV_ERROR_MEMORY)
        set_error(error_ctx, "MemoryError", "there is no memory for so many elements");
    else if (set_error != NULL)
        set_error(error_ctx, "BufferError", sv_last_message());
    return -1;
}

static const sv_view *get_exporter_handle(PyObject *object)
{
    struct svpy_state *state = svpy_here();

    if (state == NULL)
        return NULL;
    if (svpy_is_view(state, object))
        return ((svpy_view *)object)->handle;
    PyErr_Format(PyExc_TypeError, "the exchange table serves StridedMemoryView, not %.100s", Py_TYPE(object)->tp_name);
    return NULL;
}

static int tensor_of(void *object, struct DLManagedTensorVersioned **out)
{
    const sv_view *view = get_exporter_handle(object);
    sv_status status;

    if (view == NULL)
        return -1;
    status = sv_view_to_dlpack(view, 0, out);
    if (status == SV_OK)
        return 0;
    svpy_raise_exchange(status);
    return -1;
}

/* After a failure the caller still owns the tensor. */
static int object_of(struct DLManagedTensorVersioned *tensor, void **out)
{
    struct svpy_state *state = svpy_here();
    PyObject *view = NULL;
    sv_status status = state == NULL ? SV_OK : svpy_view_take(state, tensor, &view);

    if (status != SV_OK)
        svpy_raise_exchange(status);
    if (view == NULL)
        return -1;
    *out = view;
    return 0;
}

/* A DLTensor has no flags, so a view that needs one is not lent this way. */
static int lend_tensor(void *object, DLTensor *out)
{
    const sv_view *view = get_exporter_handle(object);
    const struct DLManagedTensorVersioned *borrowed;

    if (view == NULL)
        return -1;
    borrowed = sv_view_borrow(view);
    if (borrowed == NULL || borrowed->flags != 0) {
        PyErr_SetString(PyExc_BufferError, borrowed == NULL ? sv_last_message()
                                           : sv_view_is_readonly(view)
                                               ? "a DLTensor cannot say that the view is read-only"
                                               : "a DLTensor cannot say that the elements are padded to bytes");
        return -1;
    }
    *out = borrowed->dl_tensor;
    return 0;
}

/* No work is done on a stream of our own: the default stream. */
static int work_stream(DLDeviceType Py_UNUSED(type), int32_t Py_UNUSED(id), void **out)
{
    *out = NULL;
    return 0;
}

static const DLPackExchangeAPI our_table = {
    .header = {.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}},
    .managed_tensor_allocator = allocate_tensor,
    .managed_tensor_from_py_object_no_sync = tensor_of,
    .managed_tensor_to_py_object_no_sync = object_of,
    .dltensor_from_py_object_no_sync = lend_tensor,
    .current_work_stream = work_stream,
};

int svpy_exchange_init(struct svpy_state *state)
{
    PyObject *capsule = PyCapsule_New((void *)&our_table, CAPSULE, NULL);
    PyObject *address = PyLong_FromVoidPtr((void *)&our_table);
    PyObject *names = state->view_type->tp_dict; /* the type refuses changes from Python only */
    int failed = capsule == NULL || address == NULL;

    if (!failed)
        failed = PyDict_SetItemString(names, NAME, capsule) < 0;
    if (!failed)
        failed = PyDict_SetItemString(names, OLD_NAME, address) < 0;
    PyType_Modified(state->view_type);
    Py_XDECREF(capsule);
    Py_XDECREF(address);
    return failed ? -1 : 0;
}
