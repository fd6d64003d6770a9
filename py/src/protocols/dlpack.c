/* DLPack by the Python protocol: capsules in and capsules out. */
#include "protocols/dlpack.h"

#include <dlpack/dlpack.h>

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "execution/interruptible.h"
#include "execution/stream.h"
#include "execution/thread_stream.h"
#include "execution/threads.h"
#include "objects/allocate.h"
#include "objects/kept_dtype.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/current.h"
#include "protocols/interface_dict.h"
#include "protocols/type_cache.h"

#define VERSIONED "dltensor_versioned"
#define UNVERSIONED "dltensor"

/* --- in ------------------------------------------------------------------- */

/* Whether a buffer of the object may be written and holds all of the view: 1, 0, or -1 with an exception. */
static int lends_writable(PyObject *object, const sv_view *view)
{
    int64_t lower = 0, upper = 0, begin;
    Py_buffer buffer;
    int within;

    PyObject_GetBuffer(object, &buffer, PyBUF_WRITABLE);
    if (PyErr_Occurred())
        return svpy_clear_exception();
    sv_layout_byte_bounds(sv_view_layout(view), &lower, &upper);
    begin = (char *)sv_view_data(view) - (char *)buffer.buf;
    within = svpy_is_host(view) && begin + lower >= 0 && begin + upper <= buffer.len;
    PyBuffer_Release(&buffer);
    return within;
}

/* The old form cannot say whether writing is allowed, but a buffer of the same object can. Takes the view. */
static sv_view *limit_writing(sv_view *view, PyObject *lender)
{
    const int writable = lender == NULL ? 0 : lends_writable(lender, view);
    sv_view *readonly = NULL;

    if (writable > 0)
        return view;
    if (writable == 0) {
        const sv_status status = sv_view_as_readonly(view, &readonly);

        if (status != SV_OK)
            svpy_raise_exchange(status);
    }
    sv_view_release(view);
    return readonly;
}

/*
 * Take the tensor out of a capsule. The name tells which form it is, whatever
 * was asked for. A capsule that is refused stays as it was and frees itself.
 * lender: an object with a buffer that the tensor is of, or NULL.
 */
static sv_view *take_capsule(PyObject *capsule, PyObject *lender)
{
    const char *name = PyCapsule_GetName(capsule), *used = NULL;
    sv_view *view = NULL;
    sv_status status;
    bool limited = false;

    if (name != NULL && strcmp(name, VERSIONED) == 0) {
        status = sv_view_from_dlpack(PyCapsule_GetPointer(capsule, name), 0, &view);
        used = "used_" VERSIONED;
    } else if (name != NULL && strcmp(name, UNVERSIONED) == 0) {
        limited = lender != NULL;
        status = sv_view_from_dlpack_unversioned(PyCapsule_GetPointer(capsule, name), limited ? 0 : SV_READ_ONLY,
                                                 &view);
        used = "used_" UNVERSIONED;
    } else if (name != NULL && strncmp(name, "used_dltensor", 13) == 0) {
        PyErr_SetString(PyExc_ValueError, "the DLPack capsule was used before");
        return NULL;
    } else {
        PyErr_Format(PyExc_ValueError, "a capsule named '%.50s' holds no DLPack tensor", name == NULL ? "" : name);
        return NULL;
    }
    if (status != SV_OK)
        return svpy_raise_exchange(status);
    PyCapsule_SetName(capsule, used);
    return limited ? limit_writing(view, lender) : view;
}

sv_view *svpy_from_capsule(PyObject *capsule)
{
    return take_capsule(capsule, NULL);
}

/* After a failed call of obj.name(): a missing method is a ProtocolError that says what is needed. */
static void explain_missing(PyObject *object, PyObject *name)
{
    PyObject *type, *value, *traceback;
    int has;

    if (!PyErr_ExceptionMatches(PyExc_AttributeError))
        return;
    PyErr_Fetch(&type, &value, &traceback);
    has = svpy_has_attribute(object, name);
    if (has > 0) {
        PyErr_Restore(type, value, traceback);
        return;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    if (has == 0)
        PyErr_Format(svpy_protocol_error(), "%.100s has no %U(), so its memory cannot be viewed",
                     Py_TYPE(object)->tp_name, name);
}

static int ask_device(struct svpy_state *state, PyObject *object, int64_t *device_type)
{
    PyObject *device = PyObject_CallMethodNoArgs(object, state->names.dlpack_device);
    int failed;

    if (device == NULL) {
        explain_missing(object, state->names.dlpack_device);
        return -1;
    }
    if (!PyTuple_Check(device) || PyTuple_GET_SIZE(device) != 2) {
        PyErr_Format(PyExc_TypeError, "__dlpack_device__() of %.100s returned %.100s, not a pair of ints",
                     Py_TYPE(object)->tp_name, Py_TYPE(device)->tp_name);
        failed = -1;
    } else {
        failed = svpy_int64(PyTuple_GET_ITEM(device, 0), device_type);
    }
    Py_DECREF(device);
    return failed;
}

/* Where the caller names no stream and the producer tells its own, the view is ready on that; but the host, which reads
 * managed memory, cannot ask later. 1, 0 or -1. */
static int ask_stream(struct svpy_state *state, PyObject *object, int32_t device_type, struct svpy_streams *streams,
                      const struct svpy_protocols *protocols, int64_t *out)
{
    const uint32_t traits = sv_device_traits(device_type) & (SV_TRAIT_CUDA | SV_TRAIT_HOST);
    int told;

    if (streams->given != SVPY_ABSENT || !protocols->cuda_interface || traits != SV_TRAIT_CUDA)
        return 0;
    told = svpy_interface_stream(state, object, out);
    if (told > 0)
        streams->ready = SVPY_THEIRS;
    return told;
}

/* The stream to tell a producer, new reference; NULL without an exception for none. Said outright also where it is the
 * legacy default stream, because not every producer takes None for that. */
static PyObject *stream_for(struct svpy_state *state, PyObject *object, int64_t device, struct svpy_streams *streams,
                            const struct svpy_protocols *protocols)
{
    const int32_t device_type = device == (int32_t)device ? (int32_t)device : 0;
    int64_t stream;
    int told;

    if (!svpy_has_streams(device_type))
        return NULL;
    told = ask_stream(state, object, device_type, streams, protocols, &stream);
    if (told < 0 || (told == 0 && svpy_stream_on(device_type, streams->given, &stream) < 0))
        return NULL;
    return stream == SVPY_ABSENT ? NULL : PyLong_FromLongLong(stream);
}

/* obj.__dlpack__(max_version=..., stream=...), once more without a version for old producers. */
static PyObject *ask_capsule(struct svpy_state *state, PyObject *object, PyObject *stream)
{
    const struct svpy_dlpack_constants *constants = &state->dlpack;
    PyObject *name = state->names.dlpack, *arguments[3] = {object, constants->version, stream};
    PyObject *capsule = PyObject_VectorcallMethod(name, arguments, 1,
                                                  stream == NULL ? constants->with_version : constants->with_both);

    if (capsule == NULL && PyErr_Occurred() == PyExc_TypeError) { /* classes derived from it tell of other things */
        PyErr_Clear();
        arguments[1] = stream;
        capsule = PyObject_VectorcallMethod(name, arguments, 1, stream == NULL ? NULL : constants->with_stream);
    }
    if (capsule == NULL) {
        explain_missing(object, name);
    } else if (!PyCapsule_CheckExact(capsule)) {
        PyErr_Format(PyExc_TypeError, "__dlpack__() of %.100s returned %.100s, not a capsule",
                     Py_TYPE(object)->tp_name, Py_TYPE(capsule)->tp_name);
        Py_CLEAR(capsule);
    }
    return capsule;
}

/* Without a device to ask about, the keyword is left out: it stands for the legacy default stream. */
static PyObject *ask_object(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                            const struct svpy_protocols *protocols)
{
    PyObject *capsule, *stream;
    int64_t device_type;

    if (protocols->buffer && streams->given == SVPY_ABSENT)
        return ask_capsule(state, object, NULL);
    if (ask_device(state, object, &device_type) < 0)
        return NULL;
    stream = stream_for(state, object, device_type, streams, protocols);
    if (stream == NULL && PyErr_Occurred())
        return NULL;
    capsule = ask_capsule(state, object, stream);
    Py_XDECREF(stream);
    return capsule;
}

sv_view *svpy_from_producer(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                            const struct svpy_protocols *protocols)
{
    PyObject *capsule = ask_object(state, object, streams, protocols);
    sv_view *view;

    if (capsule == NULL)
        return NULL;
    view = take_capsule(capsule, protocols->buffer ? object : NULL);
    Py_DECREF(capsule);
    return view;
}

/* --- out ------------------------------------------------------------------ */

/* Whether nobody took it. Mostly the name is the very text that it was made with. */
static bool is_unused(PyObject *capsule, const char *name)
{
    return PyCapsule_GetName(capsule) == name || PyCapsule_IsValid(capsule, name);
}

/* The owner's code must not see an exception that is on its way. */
static inline void end_unused(PyObject *capsule, const char *name, void (*end)(void *tensor))
{
    PyObject *type, *value, *traceback;
    void *tensor;

    if (!is_unused(capsule, name))
        return;
    tensor = PyCapsule_GetPointer(capsule, name);
    if (PyErr_Occurred() == NULL) {
        end(tensor);
        return;
    }
    PyErr_Fetch(&type, &value, &traceback);
    end(tensor);
    PyErr_Restore(type, value, traceback);
}

static void delete_versioned(void *tensor)
{
    ((struct DLManagedTensorVersioned *)tensor)->deleter(tensor);
}

static void delete_unversioned(void *tensor)
{
    ((struct DLManagedTensor *)tensor)->deleter(tensor);
}

/* Destructors of capsules. */
static void end_versioned(PyObject *capsule)
{
    end_unused(capsule, VERSIONED, delete_versioned);
}

static void end_unversioned(PyObject *capsule)
{
    end_unused(capsule, UNVERSIONED, delete_unversioned);
}

static PyObject *versioned_capsule(const sv_view *view, uint32_t flags)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    sv_status status = sv_view_to_dlpack(view, flags, &tensor);
    PyObject *capsule;

    if (status != SV_OK)
        return svpy_raise_exchange(status);
    capsule = PyCapsule_New(tensor, VERSIONED, end_versioned);
    if (capsule == NULL)
        tensor->deleter(tensor);
    return capsule;
}

static PyObject *unversioned_capsule(const sv_view *view)
{
    struct DLManagedTensor *tensor = NULL;
    sv_status status = sv_view_to_dlpack_unversioned(view, &tensor);
    PyObject *capsule;

    if (status != SV_OK)
        return svpy_raise_exchange(status);
    capsule = PyCapsule_New(tensor, UNVERSIONED, end_unversioned);
    if (capsule == NULL)
        tensor->deleter(tensor);
    return capsule;
}

/* Two ints from a tuple: 1, or 0 for None, or -1. */
static int read_int_pair(PyObject *object, const char *name, int64_t pair[2])
{
    if (object == NULL || object == Py_None)
        return 0;
    if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) != 2) {
        PyErr_Format(PyExc_TypeError, "%s must be a tuple of two ints, not %R", name, object);
        return -1;
    }
    if (svpy_int64(PyTuple_GET_ITEM(object, 0), &pair[0]) < 0)
        return -1;
    return svpy_int64(PyTuple_GET_ITEM(object, 1), &pair[1]) < 0 ? -1 : 1;
}

/* Let a stream, or a mark of stream.h, wait for all work on the memory. */
static int order_after_work(const svpy_view *self, int64_t stream)
{
    int64_t ready = self->stream;

    if (stream >= 0 && svpy_ready_stream(self, &ready) < 0)
        return -1;
    return svpy_wait(self->handle, stream, ready);
}

/* Let the consumer's stream wait for what was done to the memory. The host waits for a copy by itself. */
static int order_for(const svpy_view *self, PyObject *given, int move)
{
    const int32_t device_type = sv_view_device_type(self->handle);
    int64_t stream;

    if (given == NULL && self->stream == SVPY_NOTHING)
        return 0;
    if (given == NULL && !move && svpy_is_host(self->handle)) /* NumPy names none, and reads managed memory at once */
        return svpy_await_work(self->handle, self->stream);
    if (svpy_stream(given, &stream) < 0)
        return -1;
    if (!move && svpy_has_streams(device_type))
        return svpy_stream_told(device_type, stream, &stream) < 0 ? -1 : order_after_work(self, stream);
    if (stream < 0)
        return move ? 0 : svpy_await_work(self->handle, self->stream); /* a copy to pinned memory may be on its way */
    PyErr_Format(PyExc_ValueError, "stream must be None for host memory, not %lld", (long long)stream);
    return -1;
}

/* Whether the elements must go to another device: 1, 0, or -1 where that cannot be. */
static int must_move(const sv_view *view, PyObject *wanted)
{
    int64_t device[2];
    int given = read_int_pair(wanted, "dl_device", device);

    if (given <= 0)
        return given;
    if (device[0] == sv_view_device_type(view) &&
        (device[0] == SV_DEVICE_CPU || device[1] == sv_view_device_id(view)))
        return 0;
    if (device[0] == SV_DEVICE_CPU)
        return 1;
    PyErr_Format(PyExc_BufferError, "memory of device (%d, %d) cannot be handed on as (%lld, %lld)",
                 (int)sv_view_device_type(view), (int)sv_view_device_id(view), (long long)device[0],
                 (long long)device[1]);
    return -1;
}

/* Other threads run during a long copy, and a very long one looks at signals. */
static sv_status fill_copy(sv_view *copy, const svpy_view *self, uintptr_t stream)
{
    const int64_t nbytes = sv_layout_nbytes(sv_view_layout(copy));
    svpy_threads threads = {.count = 1};
    sv_status status;

    if (nbytes < SVPY_LONG_COPY)
        return sv_copy(copy, self->handle, SV_COPY_BLOCKING, stream);
    if (svpy_is_host(copy) && svpy_is_host(self->handle))
        svpy_make_interruptible(nbytes, &threads);
    threads.state = PyEval_SaveThread();
    if (threads.count == 1)
        status = sv_copy(copy, self->handle, SV_COPY_BLOCKING, stream);
    else
        status = sv_copy_parallel(copy, self->handle, threads.count, threads.run, threads.ctx, SV_COPY_BLOCKING,
                                  stream);
    PyEval_RestoreThread(threads.state);
    return status;
}

/* Waits where the host does the copying, and tells the stream otherwise. */
static int find_copy_stream(const svpy_view *self, int64_t *stream)
{
    if (svpy_ready_stream(self, stream) < 0)
        return -1;
    return svpy_is_host(self->handle) ? svpy_await_work(self->handle, *stream) : 0;
}

static sv_view *allocate_packed(const sv_view *view)
{
    sv_layout *dense = NULL;
    sv_status status = sv_layout_to_dense(sv_view_layout(view), SV_ORDER_K, 0, NULL, 0, &dense);
    sv_view *copy;

    if (status != SV_OK)
        return svpy_raise_exchange(status);
    copy = svpy_allocate(dense, sv_view_dtype(view));
    sv_layout_release(dense);
    return copy;
}

/* A packed copy on the host, complete on return. */
static sv_view *copy_of(const svpy_view *self)
{
    sv_view *copy = allocate_packed(self->handle);
    sv_status status;
    int64_t stream;

    if (copy == NULL)
        return NULL;
    if (find_copy_stream(self, &stream) < 0) {
        sv_view_release(copy);
        return NULL;
    }
    status = fill_copy(copy, self, stream < 0 ? 0 : (uintptr_t)stream);
    if (status == SV_OK)
        return copy;
    if (!PyErr_Occurred()) /* a signal's */
        svpy_raise_exchange(status);
    sv_view_release(copy);
    return NULL;
}

static PyObject *capsule_of(const sv_view *view, int versioned, uint32_t flags)
{
    return versioned ? versioned_capsule(view, flags) : unversioned_capsule(view);
}

/* The capsule. Where there is none because numbers are in the other byte order, the exception says what to type. */
static PyObject *tell_order(const svpy_view *view, PyObject *capsule)
{
    PyObject *kept, *function, *native = NULL;

    if (capsule != NULL || sv_view_dtype(view->handle) != SV_OPAQUE || svpy_clear_exception() < 0)
        return capsule;
    kept = svpy_kept_dtype(view);
    function = kept == NULL ? NULL : svpy_helper("strideview._native", "native");
    if (function != NULL)
        native = PyObject_CallOneArg(function, kept);
    if (native != NULL && native != Py_None)
        PyErr_Format(PyExc_BufferError, "DLPack has no numbers in the other byte order (%S): view.astype('%U') is a copy in "
                     "this machine's", kept, native);
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_BufferError, "opaque items of %lld bytes have no DLPack type",
                     (long long)sv_layout_itemsize(sv_view_layout(view->handle)));
    Py_XDECREF(native);
    Py_XDECREF(function);
    Py_XDECREF(kept);
    return NULL;
}

static PyObject *capsule_of_copy(const svpy_view *self, int versioned)
{
    sv_view *copy = copy_of(self);
    PyObject *capsule = copy == NULL ? NULL : capsule_of(copy, versioned, SV_IS_COPIED);

    sv_view_release(copy);
    return capsule;
}

/* Whether to copy, from what is wished and what is needed: 1, 0, or -1. */
static int must_copy(const sv_view *view, PyObject *wish, int move)
{
    int wanted = wish == NULL || wish == Py_None ? move : PyObject_IsTrue(wish);

    if (wanted == 0 && move) {
        PyErr_SetString(svpy_copy_error(), "only a copy can move the elements to the host, and copy is False");
        return -1;
    }
    if (wanted == 1 && !move && sv_view_device_type(view) != SV_DEVICE_CPU) {
        PyErr_SetString(PyExc_BufferError, "copies are made in host memory only: ask for one with dl_device=(1, 0)");
        return -1;
    }
    return wanted;
}

/* Whether no more is asked than nearly always: host memory as it is, of no version or of one that is told. */
static int is_usual(const svpy_view *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, int *versioned)
{
    PyObject *with_version = self->state->dlpack.with_version;
    PyObject *version;

    *versioned = 0;
    if (nargs != 0 || sv_view_device_type(self->handle) != SV_DEVICE_CPU)
        return 0;
    if (kwnames == NULL)
        return 1;
    if (PyTuple_GET_SIZE(kwnames) != 1 || PyTuple_GET_ITEM(kwnames, 0) != PyTuple_GET_ITEM(with_version, 0))
        return 0;
    version = args[0];
    if (!PyTuple_CheckExact(version) || PyTuple_GET_SIZE(version) != 2 ||
        !svpy_is_small(PyTuple_GET_ITEM(version, 0)) || !svpy_is_small(PyTuple_GET_ITEM(version, 1)))
        return 0;
    *versioned = svpy_small(PyTuple_GET_ITEM(version, 0)) >= 1;
    return 1;
}

PyObject *svpy_dlpack(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"__dlpack__", 0, 0, {"stream", "max_version", "dl_device", "copy"}, 0};
    const svpy_view *self = (svpy_view *)object;
    PyObject *values[4];
    int64_t version[2] = {0, 0};
    int move, copy, versioned;

    if (is_usual(self, args, nargs, kwnames, &versioned))
        return tell_order(self, capsule_of(self->handle, versioned, 0));
    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (read_int_pair(values[1], "max_version", version) < 0)
        return NULL;
    move = must_move(self->handle, values[2]);
    if (move < 0)
        return NULL;
    copy = must_copy(self->handle, values[3], move);
    if (copy < 0)
        return NULL;
    if (order_for(self, values[0], move) < 0)
        return NULL;
    return tell_order(self,
                      copy ? capsule_of_copy(self, version[0] >= 1) : capsule_of(self->handle, version[0] >= 1, 0));
}

PyObject *svpy_dlpack_device(PyObject *self, PyObject *Py_UNUSED(none))
{
    const sv_view *view = ((svpy_view *)self)->handle;

    if (sv_view_device_type(view) == SV_DEVICE_CPU && sv_view_device_id(view) == 0)
        return Py_NewRef(((svpy_view *)self)->state->dlpack.host_device);
    return Py_BuildValue("(ii)", (int)sv_view_device_type(view), (int)sv_view_device_id(view));
}
