/* Bytes of Buffers read, written and filled by the host, and the streams that use them. */
#include "memory/buffer_access.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "execution/call.h"
#include "execution/interruptible.h"
#include "execution/stream.h"
#include "execution/thread_stream.h"
#include "objects/buffer_stream.h"
#include "objects/buffer_struct.h"
#include "objects/lending.h"
#include "objects/place.h"
#include "objects/view_struct.h"
#include "protocols/current.h"

#define SELF(object) ((svpy_buffer *)(object))

/* --- streams --------------------------------------------------------------------- */

/* The stream to work on, which first waits for earlier work. Without stream= it is that of a library that captures a
 * graph, else the one that has that work. 0 or -1. */
static int order_access(const svpy_buffer *self, PyObject *given, uintptr_t *stream)
{
    const int32_t device_type = sv_buffer_device_type(self->handle);

    if (svpy_stream_for(device_type, given, stream) < 0)
        return -1;
    if (svpy_buffer_check_still(self) < 0)
        return -1;
    if ((given == NULL || given == Py_None) && svpy_has_streams(device_type)) {
        int64_t captured;
        const int found =
            svpy_captured_stream(self->state, device_type, sv_buffer_device_id(self->handle), &captured);

        if (found < 0)
            return -1;
        if (found > 0)
            *stream = (uintptr_t)captured;
        else if (self->stream >= 0)
            *stream = (uintptr_t)svpy_recall(self->stream);
    }
    return svpy_buffer_order(self, *stream);
}

/* Calls that take long or concern a device run without the interpreter's lock. */
static int call_flags(const svpy_buffer *self, int64_t nbytes)
{
    return nbytes >= SVPY_LONG_COPY || sv_buffer_device_type(self->handle) != SV_DEVICE_CPU ? SVPY_UNLOCK : 0;
}

static PyObject *buffer_record_use(PyObject *self, PyObject *given)
{
    uintptr_t stream;
    sv_status status;

    if (svpy_stream_for(sv_buffer_device_type(SELF(self)->handle), given, &stream) < 0)
        return NULL;
    status = sv_buffer_record_use(SELF(self)->handle, stream);
    return status == SV_OK ? Py_NewRef(Py_None) : svpy_raise(status);
}

static PyObject *buffer_set_stream(PyObject *self, PyObject *given)
{
    uintptr_t stream;
    sv_status status;

    if (svpy_stream_for(sv_buffer_device_type(SELF(self)->handle), given, &stream) < 0)
        return NULL;
    status = sv_buffer_set_stream(SELF(self)->handle, stream);
    return status == SV_OK ? Py_NewRef(Py_None) : svpy_raise(status);
}

/* For the package's modules: take over the pending work of a view of this memory. */
static PyObject *follow_view(PyObject *self, PyObject *view)
{
    if (!svpy_is_view(SELF(self)->state, view)) {
        PyErr_Format(PyExc_TypeError, "a view is needed, not %.100s", Py_TYPE(view)->tp_name);
        return NULL;
    }
    SELF(self)->stream = ((svpy_view *)view)->stream;
    Py_RETURN_NONE;
}

/* --- bytes of the host ------------------------------------------------------------------ */

static PyObject *read_buffer_bytes(svpy_buffer *self, int64_t offset, int64_t nbytes, PyObject *given)
{
    PyObject *bytes;
    uintptr_t stream;
    svpy_call call;
    sv_buffer *handle;
    sv_status status;
    int failed;

    if (order_access(self, given, &stream) < 0)
        return NULL;
    if (offset > sv_buffer_nbytes(self->handle) || nbytes > sv_buffer_nbytes(self->handle) - offset) {
        PyErr_Format(PyExc_ValueError, "%lld bytes at offset %lld are not within %lld bytes", (long long)nbytes,
                     (long long)offset, (long long)sv_buffer_nbytes(self->handle));
        return NULL;
    }
    bytes = svpy_new_bytes(nbytes);
    if (bytes == NULL)
        return NULL;
    handle = svpy_buffer_hold(self);
    call = svpy_call_begin(call_flags(self, nbytes));
    status = sv_buffer_read(handle, offset, PyBytes_AS_STRING(bytes), nbytes, SV_COPY_BLOCKING, stream);
    failed = svpy_call_end(call, status) < 0;
    sv_buffer_release(handle);
    if (failed)
        Py_CLEAR(bytes);
    return bytes;
}

static PyObject *buffer_tobytes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"tobytes", 1, 0, {NULL}, SVPY_BIT(STREAM)};
    PyObject *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, NULL, options) < 0)
        return NULL;
    return read_buffer_bytes(SELF(self), 0, sv_buffer_nbytes(SELF(self)->handle), options[SVPY_STREAM]);
}

static PyObject *buffer_read(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"read", 3, 2, {"offset", "nbytes"}, SVPY_BIT(STREAM)};
    PyObject *values[2], *options[SVPY_OPTIONS];
    int64_t offset, nbytes;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    if (svpy_size(values[0], "offset", &offset) < 0)
        return NULL;
    if (svpy_size(values[1], "nbytes", &nbytes) < 0)
        return NULL;
    return read_buffer_bytes(SELF(self), offset, nbytes, options[SVPY_STREAM]);
}

static PyObject *buffer_write(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"write", 3, 1, {"data", "offset"}, SVPY_BIT(STREAM)};
    svpy_buffer *self = SELF(object);
    PyObject *values[2], *options[SVPY_OPTIONS];
    Py_buffer data;
    int64_t offset = 0;
    uintptr_t stream;
    svpy_call call;
    sv_buffer *handle;
    int failed;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    if (values[1] != NULL && svpy_size(values[1], "offset", &offset) < 0)
        return NULL;
    if (PyObject_GetBuffer(values[0], &data, PyBUF_SIMPLE) < 0)
        return NULL;
    failed = order_access(self, options[SVPY_STREAM], &stream) < 0;
    if (!failed) {
        handle = svpy_buffer_hold(self);
        call = svpy_call_begin(call_flags(self, data.len));
        failed = svpy_call_end(call, sv_buffer_write(handle, offset, data.buf, data.len, SV_COPY_BLOCKING, stream)) < 0;
        sv_buffer_release(handle);
    }
    PyBuffer_Release(&data);
    return failed ? NULL : Py_NewRef(Py_None);
}

/* --- fill ---------------------------------------------------------------------------------- */

enum { LONGEST = 16 };

/* Read the item to fill with: an int is one byte, a buffer is the item. Its size in bytes, or -1 with an exception. */
static int32_t read_pattern(PyObject *value, char *item)
{
    Py_buffer bytes;
    int64_t number, size;

    if (PyIndex_Check(value) && !PyObject_CheckBuffer(value)) {
        if (svpy_int64(value, &number) < 0)
            return -1;
        if (number < 0 || number > 255) {
            PyErr_Format(PyExc_OverflowError, "%lld does not fit a byte", (long long)number);
            return -1;
        }
        item[0] = (char)number;
        return 1;
    }
    if (PyObject_GetBuffer(value, &bytes, PyBUF_SIMPLE) < 0)
        return -1;
    size = bytes.len;
    if (size <= LONGEST)
        memcpy(item, bytes.buf, (size_t)size);
    PyBuffer_Release(&bytes);
    if (size == 1 || size == 2 || size == 4 || size == 8 || size == LONGEST)
        return (int32_t)size;
    PyErr_Format(PyExc_ValueError, "an item of %lld bytes; 1, 2, 4, 8 or 16 are filled", (long long)size);
    return -1;
}

/* As after a copy: where it cannot be recorded the memory is in use no longer, or by a graph, which its owner keeps. */
static void record_access(const sv_buffer *handle, uintptr_t stream)
{
    if (sv_buffer_record_use(handle, stream) != SV_OK)
        sv_stream_synchronize(sv_buffer_device_type(handle), sv_buffer_device_id(handle), stream);
}

/* Fill memory that is lent, so that it cannot move before the fill is recorded. 0, or -1 with an exception. */
static int fill_lent(svpy_buffer *self, const char *item, int32_t itemsize, PyObject *given)
{
    const bool is_read_by_host = (sv_device_traits(sv_buffer_device_type(self->handle)) & SV_TRAIT_HOST) != 0;
    const bool is_ordered = (given != NULL && given != Py_None) || !is_read_by_host;
    const int64_t nbytes = sv_buffer_nbytes(self->handle);
    uintptr_t stream;
    svpy_call call;
    sv_status status;

    if (order_access(self, given, &stream) < 0)
        return -1;
    call = svpy_call_begin(call_flags(self, nbytes));
    status = sv_buffer_fill(self->handle, 0, nbytes, item, itemsize, is_ordered ? 0 : SV_COPY_BLOCKING, stream);
    if (status == SV_OK && is_ordered && svpy_has_streams(sv_buffer_device_type(self->handle)))
        record_access(self->handle, stream);
    if (svpy_call_end(call, status) < 0)
        return -1;
    if (is_ordered)
        svpy_buffer_follow(self, stream);
    return 0;
}

static PyObject *buffer_fill(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"fill", 1, 1, {"value"}, SVPY_BIT(STREAM)};
    svpy_buffer *self = SELF(object);
    PyObject *value, *options[SVPY_OPTIONS];
    char item[LONGEST];
    int32_t itemsize;
    int failed;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &value, options) < 0)
        return NULL;
    itemsize = read_pattern(value, item);
    if (itemsize < 0)
        return NULL;
    if (svpy_buffer_begin_lending(self) < 0)
        return NULL;
    failed = fill_lent(self, item, itemsize, options[SVPY_STREAM]) < 0;
    svpy_buffer_end_lending(self);
    return failed ? NULL : Py_NewRef(Py_None);
}

PyMethodDef svpy_buffer_working[] = {
    {"tobytes", SVPY_NAMED(buffer_tobytes),
     PyDoc_STR("tobytes($self, /, stream=None)\n--\n\n"
               "The contents as bytes, after what stream holds, or else what was last done to this Buffer.")},
    {"read", SVPY_NAMED(buffer_read),
     PyDoc_STR("read($self, /, offset, nbytes, stream=None)\n--\n\n"
               "nbytes bytes from offset on. ValueError where they are not all within the Buffer.")},
    {"write", SVPY_NAMED(buffer_write),
     PyDoc_STR("write($self, /, data, offset=0, stream=None)\n--\n\n"
               "Copy data, bytes or any other contiguous buffer, to offset. Done on return. ValueError, and\n"
               "nothing is written, where it does not fit.")},
    {"fill", SVPY_NAMED(buffer_fill),
     PyDoc_STR("fill($self, /, value, *, stream=None)\n--\n\n"
               "Write one item to everywhere.\n\n"
               "value is an int from 0 to 255 (else OverflowError), for every byte, or bytes or another buffer of\n"
               "1, 2, 4, 8 or 16 bytes, of which the size must be a multiple (else ValueError). Done on return\n"
               "unless a stream is given or the memory is a device's own, which is in order for what comes next.")},
    {"_follow", follow_view, METH_O,
     PyDoc_STR("_follow($self, view, /)\n--\n\nWhat comes next waits for the work that a view of the memory waits for.")},
    {"record_use", buffer_record_use, METH_O,
     PyDoc_STR("record_use($self, stream, /)\n--\n\n"
               "Work that stream holds now uses the memory: it is freed after that. What copies and fills of this\n"
               "package put on streams is recorded by them.")},
    {"set_deallocation_stream", buffer_set_stream, METH_O,
     PyDoc_STR("set_deallocation_stream($self, stream, /)\n--\n\n"
               "The stream that the memory is freed in, where it is stream-ordered.")},
    {NULL, NULL, 0, NULL},
};
