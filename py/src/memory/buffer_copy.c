/* Copies between Buffers, and between them and arrays. */
#include "memory/buffer_copy.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "copies/copy.h"
#include "objects/buffer_struct.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/buffer_export.h"
#include "protocols/import.h"

#define SELF(object) ((svpy_buffer *)(object))

/* The bytes of an array in the order of its axes, borrowed: the array outlives it. */
static PyObject *bytes_of_view(const svpy_view *view)
{
    const sv_layout *layout = sv_view_layout(view->handle);
    const int64_t nbytes = sv_layout_nbytes(layout);
    sv_layout *flat = NULL;
    sv_view *made = NULL;
    sv_status status;

    if (!sv_layout_is_contiguous(layout, SV_ORDER_C)) {
        PyErr_SetString(PyExc_ValueError, "only the bytes of a C-contiguous array can be copied as they are");
        return NULL;
    }
    status = sv_layout_new(1, &nbytes, NULL, 1, &flat);
    if (status == SV_OK)
        status = sv_view_new(flat, SV_UINT8, sv_view_data(view->handle), 0, nbytes, sv_view_device_type(view->handle),
                             sv_view_device_id(view->handle), sv_view_is_readonly(view->handle) ? SV_READ_ONLY : 0,
                             NULL, NULL, &made);
    sv_layout_release(flat);
    return status == SV_OK ? svpy_view_alias(made, view) : svpy_raise(status);
}

/* A view of the bytes of a Buffer or of any array, and the object that keeps them. */
static PyObject *bytes_of(struct svpy_state *state, PyObject *object, PyObject *stream, PyObject **kept)
{
    *kept = NULL;
    if (svpy_is_buffer(state, object))
        return svpy_buffer_bytes(SELF(object));
    *kept = svpy_import(state, object, stream);
    return *kept == NULL ? NULL : bytes_of_view((svpy_view *)*kept);
}

static int check_sizes(const svpy_view *dst, const svpy_view *src)
{
    const int64_t to = sv_layout_nbytes(sv_view_layout(dst->handle));
    const int64_t from = sv_layout_nbytes(sv_view_layout(src->handle));

    if (to == from)
        return 0;
    PyErr_Format(PyExc_ValueError, "%lld bytes cannot be copied to %lld: take slices of as many", (long long)from,
                 (long long)to);
    return -1;
}

/* Later work on a Buffer waits for the stream of this copy. */
static void follow_array(PyObject *object, PyObject *view, const struct svpy_state *state)
{
    if (svpy_is_buffer(state, object))
        SELF(object)->stream = ((svpy_view *)view)->stream;
}

/* options as for svpy_copy_views(). 0, or -1 with an exception. */
static int copy_bytes(struct svpy_state *state, PyObject *dst, PyObject *src, PyObject *const *options)
{
    PyObject *dst_kept, *src_kept = NULL, *source = NULL;
    PyObject *target = bytes_of(state, dst, options[SVPY_STREAM], &dst_kept);
    int failed = 1;

    if (target != NULL)
        source = bytes_of(state, src, options[SVPY_STREAM], &src_kept);
    if (source != NULL)
        failed = check_sizes((svpy_view *)target, (svpy_view *)source) < 0;
    if (!failed)
        failed = svpy_copy_views(state, NULL, (svpy_view *)target, (svpy_view *)source, options) < 0;
    if (!failed)
        follow_array(dst, target, state);
    Py_XDECREF(source);
    Py_XDECREF(target);
    Py_XDECREF(src_kept);
    Py_XDECREF(dst_kept);
    return failed ? -1 : 0;
}

/* A Buffer of the same size from the same resource. */
static PyObject *allocate_like(svpy_buffer *self, PyObject *stream)
{
    PyObject *resource = Py_XNewRef(svpy_buffer_root(self)->resource), *size, *made = NULL;

    if (resource == NULL) {
        PyErr_SetString(PyExc_ValueError, "dst is needed where the Buffer has no memory resource");
        return NULL;
    }
    size = PyLong_FromLongLong(sv_buffer_nbytes(self->handle));
    if (size != NULL) {
        PyObject *const args[] = {resource, size, stream == NULL ? Py_None : stream};

        made = PyObject_VectorcallMethod(self->state->names.allocate, args, 2, self->state->dlpack.with_stream);
    }
    Py_XDECREF(size);
    if (made != NULL && !svpy_is_buffer(self->state, made)) {
        PyErr_Format(PyExc_TypeError, "allocate() of %.100s gave no Buffer but %.100s", Py_TYPE(resource)->tp_name,
                     Py_TYPE(made)->tp_name);
        Py_CLEAR(made);
    }
    Py_DECREF(resource);
    return made;
}

static PyObject *buffer_copy_to(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy_to", 1, 0, {"dst"}, SVPY_ORDERING};
    PyObject *given, *options[SVPY_OPTIONS], *dst;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &given, options) < 0)
        return NULL;
    dst = svpy_is_given(given) ? Py_NewRef(given) : allocate_like(SELF(self), options[SVPY_STREAM]);
    if (dst != NULL && copy_bytes(SELF(self)->state, dst, self, options) < 0)
        Py_CLEAR(dst);
    return dst;
}

static PyObject *buffer_copy_from(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy_from", 1, 1, {"src"}, SVPY_ORDERING};
    PyObject *src, *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &src, options) < 0)
        return NULL;
    return copy_bytes(SELF(self)->state, self, src, options) < 0 ? NULL : Py_NewRef(Py_None);
}

PyMethodDef svpy_buffer_copying[] = {
    {"copy_to", SVPY_NAMED(buffer_copy_to),
     PyDoc_STR("copy_to($self, /, dst=None, *, stream=None, blocking=None)\n--\n\n"
               "Copy all bytes to dst, and return it.\n\n"
               "dst is a Buffer, anything view() takes whose memory is C-contiguous and writable, or None: a new\n"
               "Buffer of the same memory resource. It has as many bytes as this one (ValueError): take slices for\n"
               "parts. stream and blocking as for strideview.copy().")},
    {"copy_from", SVPY_NAMED(buffer_copy_from),
     PyDoc_STR("copy_from($self, /, src, *, stream=None, blocking=None)\n--\n\n"
               "Copy all bytes of src, a Buffer or anything C-contiguous that view() takes. See copy_to().")},
    {NULL, NULL, 0, NULL},
};
