/* Hints for managed memory, and memory shared with other processes. */
#include "memory/buffer_hint.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "execution/call.h"
#include "execution/stream.h"
#include "objects/buffer_struct.h"
#include "objects/place.h"

#define SELF(object) ((svpy_buffer *)(object))

/* Read the device that a hint names: -1 is the host, None the Buffer's device. 0, or -1 with an exception. */
static int read_hint_place(const svpy_buffer *self, PyObject *given, int32_t *device_type, int32_t *device_id)
{
    int64_t id;

    *device_type = SV_DEVICE_CUDA;
    *device_id = sv_buffer_device_id(self->handle);
    if (given == NULL || given == Py_None)
        return 0;
    if (svpy_device_number(given, &id) < 0)
        return -1;
    if (id < -1 || id > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "there is no device %lld; -1 is the host", (long long)id);
        return -1;
    }
    *device_type = id < 0 ? SV_DEVICE_CPU : SV_DEVICE_CUDA;
    *device_id = id < 0 ? 0 : (int32_t)id;
    return 0;
}

static int read_strict(PyObject *given, uint32_t *flags)
{
    int strict = 0;

    if (svpy_flag(given, &strict) < 0)
        return -1;
    *flags = strict ? SV_BUFFER_STRICT : 0;
    return 0;
}

/* End a call and release the handle that was held for it. */
static PyObject *end_hint(sv_buffer *handle, svpy_call call, sv_status status)
{
    const int failed = svpy_call_end(call, status) < 0;

    sv_buffer_release(handle);
    return failed ? NULL : Py_NewRef(Py_None);
}

typedef sv_status ordered_hint(int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id,
                               uint32_t flags, uintptr_t stream);

/* A hint that takes effect in the order of a stream. */
static PyObject *hint_in_order(svpy_buffer *self, const svpy_signature *signature, ordered_hint *hint,
                               PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *device, *options[SVPY_OPTIONS];
    int32_t device_type, device_id;
    uint32_t flags;
    uintptr_t stream;
    sv_buffer *handle;
    svpy_call call;

    if (svpy_arguments_and_options(signature, args, nargs, kwnames, &device, options) < 0)
        return NULL;
    if (read_hint_place(self, device, &device_type, &device_id) < 0)
        return NULL;
    if (svpy_stream_for(sv_buffer_device_type(self->handle), options[SVPY_STREAM], &stream) < 0)
        return NULL;
    if (read_strict(options[SVPY_STRICT], &flags) < 0)
        return NULL;
    handle = svpy_buffer_hold(self);
    call = svpy_call_begin(0);
    return end_hint(handle, call, hint(1, &handle, device_type, device_id, flags, stream));
}

static PyObject *buffer_prefetch(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"prefetch", 2, 0, {"device_id"}, SVPY_BIT(STREAM) | SVPY_BIT(STRICT)};

    return hint_in_order(SELF(self), &signature, sv_buffer_prefetch, args, nargs, kwnames);
}

static PyObject *buffer_discard(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"discard", 2, 0, {"device_id"}, SVPY_BIT(STREAM) | SVPY_BIT(STRICT)};

    return hint_in_order(SELF(self), &signature, sv_buffer_discard, args, nargs, kwnames);
}

static const struct {
    const char *name;
    int32_t advice;
} advices[] = {
    {"read_mostly", SV_ADVICE_READ_MOSTLY},   {"not_read_mostly", SV_ADVICE_NOT_READ_MOSTLY},
    {"prefer", SV_ADVICE_PREFER},             {"not_prefer", SV_ADVICE_NOT_PREFER},
    {"accessed_by", SV_ADVICE_ACCESSED_BY},   {"not_accessed_by", SV_ADVICE_NOT_ACCESSED_BY},
};

static int read_advice(PyObject *given, int32_t *out)
{
    for (size_t i = 0; PyUnicode_Check(given) && i < sizeof advices / sizeof *advices; i++) {
        if (PyUnicode_CompareWithASCIIString(given, advices[i].name) == 0) {
            *out = advices[i].advice;
            return 0;
        }
    }
    PyErr_Format(PyUnicode_Check(given) ? PyExc_ValueError : PyExc_TypeError,
                 "advice must be 'read_mostly', 'prefer' or 'accessed_by', with or without 'not_', not %R", given);
    return -1;
}

static PyObject *buffer_advise(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"advise", 2, 1, {"advice", "device_id"}, SVPY_BIT(STRICT)};
    PyObject *values[2], *options[SVPY_OPTIONS];
    int32_t advice, device_type, device_id;
    uint32_t flags;
    sv_buffer *handle;
    svpy_call call;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    if (read_advice(values[0], &advice) < 0)
        return NULL;
    if (read_hint_place(SELF(self), values[1], &device_type, &device_id) < 0)
        return NULL;
    if (read_strict(options[SVPY_STRICT], &flags) < 0)
        return NULL;
    handle = svpy_buffer_hold(SELF(self));
    call = svpy_call_begin(0);
    return end_hint(handle, call, sv_buffer_advise(1, &handle, advice, device_type, device_id, flags));
}

static PyObject *buffer_export_ipc(PyObject *self, PyObject *Py_UNUSED(unused))
{
    char blob[512];
    size_t length = 0;
    sv_status status = sv_buffer_export_ipc(SELF(self)->handle, sizeof blob, blob, &length);

    if (status != SV_ERROR_DEVICE)
        return status == SV_OK ? PyBytes_FromStringAndSize(blob, (Py_ssize_t)length) : svpy_raise(status);
    PyErr_Format(PyExc_ValueError, "%s; of the host, sv.view() takes the buf of multiprocessing.shared_memory.SharedMemory()",
                 sv_last_message());
    return NULL;
}

PyMethodDef svpy_buffer_hinting[] = {
    {"prefetch", SVPY_NAMED(buffer_prefetch),
     PyDoc_STR("prefetch($self, /, device_id=None, stream=None, *, strict=False)\n--\n\n"
               "Let the driver move managed memory to a device before it is used there, in the order of stream.\n\n"
               "device_id -1 or 'cpu' is the host, None the device of the Buffer. Other kinds of memory ignore it, unless\n"
               "strict: ValueError.")},
    {"discard", SVPY_NAMED(buffer_discard),
     PyDoc_STR("discard($self, /, device_id=None, stream=None, *, strict=False)\n--\n\n"
               "As prefetch(), of memory whose contents are not needed any more: they are undefined until they are\n"
               "written. Drivers before 13.0 cannot do it, nor can any on the legacy default stream.")},
    {"advise", SVPY_NAMED(buffer_advise),
     PyDoc_STR("advise($self, /, advice, device_id=None, *, strict=False)\n--\n\n"
               "Tell the driver how managed memory will be used: 'read_mostly', 'prefer' (to lie on the device) or\n"
               "'accessed_by' (the device), or 'not_read_mostly' and so on to take it back. See prefetch().")},
    {"export_ipc", buffer_export_ipc, METH_NOARGS,
     PyDoc_STR("export_ipc($self, /)\n--\n\n"
               "Bytes by which another process can import_ipc() the memory, which must live meanwhile.\n"
               "NotImplementedError where this memory cannot be shared.")},
    {NULL, NULL, 0, NULL},
};
