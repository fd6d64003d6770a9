/* DLPack's exchange tables of other libraries: no capsule, no Python call. */
#include "protocols/exchange.h"

#include <dlpack/dlpack.h>

#include "base/attribute.h"
#include "base/errors.h"
#include "base/state.h"
#include "execution/release.h"
#include "execution/stream.h"

/* A capsule by the new name, an int by the old one; anything else is no table. */
static const DLPackExchangeAPI *find_exchange_table(PyTypeObject *type)
{
    PyObject *capsule = svpy_try_attribute_text((PyObject *)type, SVPY_EXCHANGE_NAME), *address;
    const DLPackExchangeAPI *table = NULL;

    if (capsule != NULL && PyCapsule_IsValid(capsule, SVPY_EXCHANGE_CAPSULE))
        table = PyCapsule_GetPointer(capsule, SVPY_EXCHANGE_CAPSULE);
    Py_XDECREF(capsule);
    if (table != NULL || PyErr_Occurred())
        return table;
    address = svpy_try_attribute_text((PyObject *)type, SVPY_EXCHANGE_OLD_NAME);
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

int svpy_table_stream(const DLPackExchangeAPI *table, int32_t device_id, int64_t *out)
{
    void *told;

    if (table == NULL || table->current_work_stream == NULL)
        return 0;
    if (table->current_work_stream(kDLCUDA, device_id, &told) != 0)
        return svpy_clear_exception();
    *out = told == NULL ? 1 : (int64_t)(uintptr_t)told;
    return 1;
}

int svpy_worker_stream(const struct svpy_state *state, int32_t device_id, int64_t *out)
{
    PyObject *type = PyObject_CallNoArgs(state->worker);
    int told;

    if (type == NULL)
        return -1;
    told = type == Py_None ? 0 : svpy_table_stream(state->worker_table, device_id, out);
    Py_DECREF(type);
    return told;
}

/* The table orders nothing, but tells the stream that its owner works on: who names none works on that. Whether there
 * is nothing left to order; an exception that must not be cleared may be pending where there is. */
static bool is_ordered(struct svpy_state *state, PyObject *object, const struct DLManagedTensorVersioned *tensor,
                       struct svpy_streams *streams, const DLPackExchangeAPI *table)
{
    const int32_t device_type = (int32_t)tensor->dl_tensor.device.device_type;
    const int32_t device_id = tensor->dl_tensor.device.device_id;
    int64_t stream, theirs = SVPY_NOTHING;
    sv_status status;
    int told;

    if (svpy_stream_on(device_type, streams->given, &stream) < 0)
        return false;
    if (stream == SVPY_NOTHING)
        return true;
    told = (sv_device_traits(device_type) & SV_TRAIT_CUDA) != 0 ? svpy_table_stream(table, device_id, &theirs) : 0;
    if (told <= 0 || remember_worker(state, object, table) < 0)
        return false;
    if (streams->given == SVPY_ABSENT && (sv_device_traits(device_type) & SV_TRAIT_HOST) == 0) {
        streams->ready = SVPY_THEIRS;
        return true;
    }
    status = svpy_order_after(device_type, device_id, stream, device_type, device_id, theirs);
    if (status == SV_ERROR_STATE)
        svpy_raise_capture();
    return status == SV_OK;
}

/* That the stream is captured is said at once: a producer's own wait would end the capture. */
sv_view *svpy_from_table(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                         const DLPackExchangeAPI *table)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    sv_view *view = NULL;
    bool ordered = true;

    if (table->managed_tensor_from_py_object_no_sync(object, &tensor) == 0 && tensor != NULL) {
        if (tensor->version.major == DLPACK_MAJOR_VERSION)
            ordered = is_ordered(state, object, tensor, streams, table);
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
