/* Streams of devices: how callers name them, and whose work comes first. */
#include "execution/stream.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "execution/thread_stream.h"

/* __cuda_stream__ of CUDA's Python libraries: (version, handle), or what returns that. A handle of 0 is the legacy
 * default stream. 1, 0 without an exception where there is none, or -1. */
static int from_protocol(PyObject *object, int64_t *out)
{
    PyObject *told = svpy_get_attribute_text(object, "__cuda_stream__"), *pair = told;
    int failed = -1;

    if (told == NULL)
        return PyErr_Occurred() ? -1 : 0;
    if (PyCallable_Check(told)) {
        pair = PyObject_CallNoArgs(told);
        Py_DECREF(told);
    }
    if (pair != NULL && PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2)
        failed = svpy_int64(PyTuple_GET_ITEM(pair, 1), out);
    else if (pair != NULL)
        PyErr_Format(PyExc_TypeError, "__cuda_stream__ of %.100s tells no pair of ints", Py_TYPE(object)->tp_name);
    if (failed == 0 && *out == 0)
        *out = 1;
    Py_XDECREF(pair);
    return failed < 0 ? -1 : 1;
}

/* What has a stream of that kind, as cuda.core's GraphBuilder has the one that it captures. */
static int from_holder(PyObject *object, int64_t *out)
{
    PyObject *held = svpy_get_attribute_text(object, "stream");
    int found = PyErr_Occurred() ? -1 : 0;

    if (held != NULL)
        found = from_protocol(held, out);
    Py_XDECREF(held);
    return found;
}

int svpy_stream(PyObject *object, int64_t *out)
{
    int found = 0;

    *out = SVPY_ABSENT;
    if (object == NULL || object == Py_None)
        return 0;
    if (!PyIndex_Check(object)) {
        found = from_protocol(object, out);
        if (found == 0)
            found = from_holder(object, out);
        if (found == 0)
            return svpy_refuse_option(SVPY_STREAM, object);
    }
    if (found < 0)
        return -1;
    if (found == 0 && svpy_int64(object, out) < 0)
        return -1;
    if (*out < SVPY_NOTHING) {
        PyErr_Format(PyExc_ValueError, "stream %lld is no stream", (long long)*out);
        return -1;
    }
    return 0;
}

/* Memory of the host has no streams in DLPack, pinned memory included; managed memory has those of its devices. */
int svpy_has_streams(int32_t device_type)
{
    return device_type != SV_DEVICE_CPU &&
           (sv_device_traits(device_type) & (SV_TRAIT_HOST | SV_TRAIT_MANAGED)) != SV_TRAIT_HOST;
}

/* The stream that None stands for. The array API numbers streams of CUDA and of ROCm; others have no default. */
static int64_t default_of(int32_t device_type)
{
    if (!svpy_has_streams(device_type))
        return SVPY_NOTHING;
    if (sv_device_traits(device_type) & SV_TRAIT_CUDA)
        return 1;
    return device_type == SV_DEVICE_ROCM ? 0 : SVPY_ABSENT;
}

int svpy_stream_on(int32_t device_type, int64_t given, int64_t *out)
{
    int64_t usual = default_of(device_type);

    if (given == 0 && usual == SVPY_ABSENT) {
        PyErr_Format(PyExc_ValueError, "stream 0 is the default stream, which %s devices have not",
                     sv_device_name(device_type) == NULL ? "such" : sv_device_name(device_type));
        return -1;
    }
    if (device_type == SV_DEVICE_ROCM && (given == 1 || given == 2)) {
        PyErr_Format(PyExc_BufferError, "ROCm has no stream %lld: its default stream is 0", (long long)given);
        return -1;
    }
    *out = given == SVPY_ABSENT || given == 0 || usual == SVPY_NOTHING ? usual : given;
    return 0;
}

int svpy_stream_told(int32_t device_type, int64_t told, int64_t *out)
{
    if (told != 0 || device_type == SV_DEVICE_ROCM)
        return svpy_stream_on(device_type, told, out);
    PyErr_SetString(PyExc_ValueError, "stream 0 is ambiguous in a protocol: the legacy default stream is 1");
    return -1;
}

void svpy_raise_capture(void)
{
    PyErr_Format(PyExc_RuntimeError, "a graph is being captured, which cannot record this: name the stream that is "
                 "captured as stream= (%s)", sv_last_message());
}

sv_status svpy_order_after(int32_t device_type, int32_t device_id, int64_t stream, int32_t other_type, int32_t other_id,
                           int64_t other)
{
    sv_status status = sv_stream_wait(device_type, device_id, (uintptr_t)stream, other_type, other_id,
                                      (uintptr_t)other);

    if (status != SV_ERROR_STATE)
        return status;
    Py_BEGIN_ALLOW_THREADS
    status = sv_stream_synchronize(other_type, other_id, (uintptr_t)other);
    Py_END_ALLOW_THREADS
    return status;
}

int svpy_wait(const sv_view *view, int64_t stream, int64_t kept)
{
    return svpy_wait_on(view, stream, view, kept);
}

int svpy_wait_on(const sv_view *waiting, int64_t stream, const sv_view *view, int64_t kept)
{
    const int64_t after = svpy_recall(kept);
    const int32_t device_type = sv_view_device_type(waiting), device_id = sv_view_device_id(waiting);
    sv_status status;

    if (stream < 0 || after == SVPY_NOTHING || (stream == after && (waiting == view || stream > 2)))
        return 0;
    if (after == SVPY_ABSENT) {
        PyErr_Format(PyExc_BufferError, "the stream that works on this memory is not known, so stream %lld cannot wait "
                     "for it: ask with stream=None or -1", (long long)stream);
        return -1;
    }
    status = svpy_order_after(device_type, device_id, stream, sv_view_device_type(view), sv_view_device_id(view), after);
    if (status == SV_OK)
        return 0;
    PyErr_Format(PyExc_BufferError,
                 "stream %lld cannot wait for the work on this memory, which is on stream %lld: "
                 "name that stream, or -1 to order nothing (%s)",
                 (long long)stream, (long long)after, sv_last_message());
    return -1;
}

int svpy_await_work(const sv_view *view, int64_t kept)
{
    const int64_t stream = svpy_recall(kept);
    sv_status status;

    if (stream < 0)
        return 0;
    Py_BEGIN_ALLOW_THREADS
    status = sv_stream_synchronize(sv_view_device_type(view), sv_view_device_id(view), (uintptr_t)stream);
    Py_END_ALLOW_THREADS
    if (status == SV_OK)
        return 0;
    PyErr_Format(PyExc_BufferError, "the work on this memory, on stream %lld, cannot be waited for: view it with "
                 "stream=-1 if there is none (%s)", (long long)stream, sv_last_message());
    return -1;
}

int svpy_stream_for(int32_t device_type, PyObject *object, uintptr_t *out)
{
    int64_t given, stream;

    if (svpy_stream(object, &given) < 0)
        return -1;
    if (given == SVPY_NOTHING) {
        PyErr_SetString(PyExc_ValueError, "stream -1 orders nothing; memory needs a stream or None");
        return -1;
    }
    if (svpy_stream_on(device_type, given, &stream) < 0)
        return -1;
    *out = stream < 0 ? 0 : (uintptr_t)stream;
    return 0;
}
