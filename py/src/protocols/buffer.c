/* The buffer protocol: a view of a Py_buffer, and a view as one, strides and all. */
#include "protocols/buffer.h"

#include "base/attribute.h"
#include "base/dtype.h"
#include "base/errors.h"
#include "base/helper.h"
#include "execution/release.h"
#include "execution/stream.h"
#include "objects/kept_dtype.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"

_Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "shape and strides are lent to Py_buffer as they are");

/* --- in ------------------------------------------------------------------- */

static bool is_indirect(const Py_buffer *buffer)
{
    for (int i = 0; buffer->suboffsets != NULL && i < buffer->ndim; i++) {
        if (buffer->suboffsets[i] >= 0)
            return true;
    }
    return false;
}

/* Whether a type is made by ctypes, whose types are of types of its own. */
static bool is_of_ctypes(const PyTypeObject *type)
{
    for (const PyTypeObject *meta = Py_TYPE(type); meta != NULL && meta != &PyType_Type; meta = meta->tp_base) {
        if (strncmp(meta->tp_name, "_ctypes.", sizeof "_ctypes." - 1) == 0)
            return true;
    }
    return false;
}

/* Whether the items are structures or unions of ctypes, of which CPython's format may be of numbers, and may hide
 * references to Python objects. 1, 0, or -1 with an exception. */
static int ask_structure(const Py_buffer *buffer)
{
    PyObject *owner = buffer->obj, *function, *answer;
    int found;

    if (owner != NULL && PyMemoryView_Check(owner))
        owner = PyMemoryView_GET_BUFFER(owner)->obj;
    if (owner == NULL || !is_of_ctypes(Py_TYPE(owner)) || buffer->format == NULL ||
        (buffer->format[0] != 'B' && buffer->format[0] != 'T'))
        return 0;
    function = svpy_helper("strideview._ctypes_items", "check");
    answer = function == NULL ? NULL : PyObject_CallFunction(function, "On", owner, buffer->itemsize);
    found = answer == NULL ? -1 : answer == Py_True;
    Py_XDECREF(function);
    Py_XDECREF(answer);
    return found;
}

#define OPAQUE_FORMAT "x"

static sv_status view_as_format(Py_buffer *b, const char *format, sv_view **out)
{
    return sv_view_from_pep3118(format, b->itemsize, b->ndim, (const int64_t *)b->shape, (const int64_t *)b->strides,
                                b->buf, b->len, b->readonly ? SV_READ_ONLY : 0, svpy_end_buffer, b, out);
}

/* Where there is a view it ends the buffer. */
static sv_view *view_of_buffer(Py_buffer *b)
{
    sv_view *view = NULL;
    sv_status status;
    int is_structure;

    if (is_indirect(b)) {
        PyErr_SetString(PyExc_BufferError, "the buffer is an array of pointers (suboffsets)");
        return NULL;
    }
    is_structure = ask_structure(b);
    if (is_structure < 0)
        return NULL;
    status = view_as_format(b, is_structure ? OPAQUE_FORMAT : b->format, &view);
    if (status == SV_ERROR_UNSUPPORTED) /* numbers in the other byte order: the exporter tells which */
        status = view_as_format(b, OPAQUE_FORMAT, &view);
    return status == SV_OK ? view : svpy_raise_exchange(status);
}

sv_view *svpy_from_buffer(PyObject *object)
{
    Py_buffer *b = svpy_hold_buffer(object, PyBUF_FULL_RO);
    sv_view *view = b == NULL ? NULL : view_of_buffer(b);

    if (b != NULL && view == NULL)
        svpy_end_buffer(b);
    return view;
}

/* --- out ------------------------------------------------------------------ */

static int refuse_view_buffer(Py_buffer *buffer, const char *reason)
{
    buffer->obj = NULL;
    if (reason != NULL)
        PyErr_SetString(PyExc_BufferError, reason);
    return -1;
}

/* What of the layout the request cannot take; NULL when it can. */
static const char *find_buffer_refusal(const sv_layout *layout, int flags)
{
    int c = sv_layout_is_contiguous(layout, SV_ORDER_C);

    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !c)
        return "the view is not C-contiguous";
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !sv_layout_is_contiguous(layout, SV_ORDER_F))
        return "the view is not Fortran-contiguous";
    if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !c && !sv_layout_is_contiguous(layout, SV_ORDER_F))
        return "the view is not contiguous";
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !c)
        return "the view is not C-contiguous and the request takes no strides";
    return NULL;
}

/* The text of items that are no number: of their dtype, or else of the buffer that the memory came from. New reference;
 * NULL, mostly without an exception, where there is none. */
static PyObject *find_text(const svpy_view *view)
{
    PyObject *kept = svpy_kept_dtype(view), *function, *text = NULL;

    if (kept != NULL) {
        function = svpy_helper("strideview._records", "record_format");
        text = function == NULL ? NULL : PyObject_CallOneArg(function, kept);
    } else {
        if (sv_view_dtype(view->handle) != SV_OPAQUE || view->exporter == NULL || view->kept != NULL ||
            PyErr_Occurred())
            return NULL;
        function = svpy_helper("strideview._items", "lent_format");
        if (function != NULL)
            text = PyObject_CallFunction(function, "OL", view->exporter,
                                         (long long)sv_layout_itemsize(sv_view_layout(view->handle)));
    }
    Py_XDECREF(function);
    Py_XDECREF(kept);
    return text;
}

/* The view keeps its text from now on. NULL, mostly without an exception, where there is none. */
static const char *kept_format(svpy_view *view)
{
    PyObject *text = view->text == NULL ? find_text(view) : NULL;

    if (text != NULL && PyUnicode_Check(text) && view->text == NULL)
        view->text = Py_NewRef(text); /* for good, whatever other threads find */
    Py_XDECREF(text);
    svpy_clear_exception();
    return PyErr_Occurred() || view->text == NULL ? NULL : PyUnicode_AsUTF8(view->text);
}

static int set_format(svpy_view *view, const char **out)
{
    sv_status status = sv_dtype_format(sv_view_dtype(view->handle), sizeof view->format, view->format, NULL);
    PyObject *name;

    *out = status == SV_OK ? view->format : kept_format(view);
    if (*out != NULL || PyErr_Occurred())
        return *out != NULL ? 0 : -1;
    if (sv_view_dtype(view->handle) == SV_OPAQUE) {
        PyErr_SetString(PyExc_BufferError, "opaque items have no format of the buffer protocol");
        return -1;
    }
    name = svpy_dtype_name(sv_view_dtype(view->handle));
    if (name != NULL)
        PyErr_Format(PyExc_BufferError, "the buffer protocol has no format for %U; DLPack has", name);
    Py_XDECREF(name);
    return -1;
}

int svpy_getbuffer(PyObject *self, Py_buffer *buffer, int flags)
{
    svpy_view *view = (svpy_view *)self;
    const sv_layout *layout = sv_view_layout(view->handle);
    int has_axes = sv_layout_ndim(layout) > 0; /* else shape and strides must be NULL */
    int shaped = (flags & PyBUF_ND) != 0, strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    int readonly = sv_view_is_readonly(view->handle);
    const char *reason, *format = NULL;

    if (!svpy_is_host(view->handle))
        return refuse_view_buffer(buffer, SVPY_UNREADABLE);
    if (readonly && (flags & PyBUF_WRITABLE) != 0)
        return refuse_view_buffer(buffer, "the view is read-only");
    reason = find_buffer_refusal(layout, flags);
    if (reason != NULL)
        return refuse_view_buffer(buffer, reason);
    if ((flags & PyBUF_FORMAT) != 0 && set_format(view, &format) < 0)
        return refuse_view_buffer(buffer, NULL);
    if (svpy_await_work(view->handle, view->stream) < 0)
        return refuse_view_buffer(buffer, NULL);

    buffer->buf = sv_view_data(view->handle);
    if (buffer->buf == NULL)
        buffer->buf = view->format; /* nothing is read there, but pyarrow ends the process over NULL */
    buffer->obj = Py_NewRef(self);
    buffer->len = sv_layout_nbytes(layout);
    buffer->itemsize = sv_layout_itemsize(layout);
    buffer->readonly = readonly;
    buffer->ndim = shaped ? sv_layout_ndim(layout) : 1;
    buffer->format = (char *)format;
    buffer->shape = shaped && has_axes ? (Py_ssize_t *)sv_layout_shape(layout) : NULL;
    buffer->strides = strided && has_axes ? (Py_ssize_t *)sv_layout_byte_strides(layout) : NULL;
    if (buffer->strides != NULL && sv_layout_ndim(layout) == 1 && sv_layout_size(layout) == 0)
        buffer->strides = &buffer->itemsize; /* memoryview takes no elements with a step of 0 for gaps */
    buffer->suboffsets = NULL;
    buffer->internal = NULL;
    return 0;
}
