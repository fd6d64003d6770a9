/* DLPack's exchange table of our own views, for other libraries. */
#include "protocols/exchange_export.h"

#include <dlpack/dlpack.h>

#include "base/errors.h"
#include "base/state.h"
#include "execution/stream.h"
#include "objects/allocate.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/current.h"
#include "protocols/exchange.h"

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

/* The view that a call of the table is about, ready on the stream that work_stream() tells; NULL with an exception. */
static const sv_view *get_ready_handle(PyObject *object)
{
    struct svpy_state *state = svpy_here();
    int64_t ready, usual;
    svpy_view *view;

    if (state == NULL)
        return NULL;
    if (!svpy_is_view(state, object)) {
        PyErr_Format(PyExc_TypeError, "the exchange table serves StridedMemoryView, not %.100s",
                     Py_TYPE(object)->tp_name);
        return NULL;
    }
    view = (svpy_view *)object;
    if (svpy_is_host(view->handle))
        return svpy_await_work(view->handle, view->stream) < 0 ? NULL : view->handle;
    if (svpy_stream_on(sv_view_device_type(view->handle), SVPY_ABSENT, &usual) < 0)
        return NULL;
    if (svpy_ready_stream(view, &ready) < 0)
        return NULL;
    return svpy_wait(view->handle, usual, ready) < 0 ? NULL : view->handle;
}

static int tensor_of(void *object, struct DLManagedTensorVersioned **out)
{
    const sv_view *view = get_ready_handle(object);
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
    const sv_view *view = get_ready_handle(object);
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

/* The default stream: tensors are ready on it. */
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
    PyObject *capsule = PyCapsule_New((void *)&our_table, SVPY_EXCHANGE_CAPSULE, NULL);
    PyObject *address = PyLong_FromVoidPtr((void *)&our_table);
    PyObject *names = state->view_type->tp_dict; /* the type refuses changes from Python only */
    int failed = capsule == NULL || address == NULL;

    if (!failed)
        failed = PyDict_SetItemString(names, SVPY_EXCHANGE_NAME, capsule) < 0;
    if (!failed)
        failed = PyDict_SetItemString(names, SVPY_EXCHANGE_OLD_NAME, address) < 0;
    PyType_Modified(state->view_type);
    Py_XDECREF(capsule);
    Py_XDECREF(address);
    return failed ? -1 : 0;
}
