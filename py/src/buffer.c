/* The buffer protocol: a view as a Py_buffer, strides and all. */
#include "svpy.h"

static int refuse(Py_buffer *buffer, const char *reason)
{
    buffer->obj = NULL;
    if (reason != NULL)
        PyErr_SetString(PyExc_BufferError, reason);
    return -1;
}

/* What of the layout the request cannot take; NULL when it can. */
static const char *layout_refusal(const sv_layout *layout, int flags)
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

static int set_format(svpy_view *view)
{
    sv_status status = sv_dtype_format(sv_view_dtype(view->handle), sizeof view->format, view->format, NULL);
    PyObject *name;

    if (status == SV_OK)
        return 0;
    name = svpy_dtype_name(sv_view_dtype(view->handle));
    if (name != NULL) {
        PyErr_Format(PyExc_BufferError, "the buffer protocol has no format for %U; DLPack has", name);
        Py_DECREF(name);
    }
    return -1;
}

int svpy_getbuffer(PyObject *self, Py_buffer *buffer, int flags)
{
    svpy_view *view = (svpy_view *)self;
    const sv_layout *layout = sv_view_layout(view->handle);
    int has_axes = sv_layout_ndim(layout) > 0; /* else shape and strides must be NULL */
    int shaped = (flags & PyBUF_ND) != 0, strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    int readonly = sv_view_is_readonly(view->handle);
    const char *reason;

    if (!svpy_is_host(view->handle))
        return refuse(buffer, "the memory of the view cannot be read by the host");
    if (readonly && (flags & PyBUF_WRITABLE) != 0)
        return refuse(buffer, "the view is read-only");
    reason = layout_refusal(layout, flags);
    if (reason != NULL)
        return refuse(buffer, reason);
    if ((flags & PyBUF_FORMAT) != 0 && set_format(view) < 0)
        return refuse(buffer, NULL);

    buffer->buf = sv_view_data(view->handle);
    buffer->obj = Py_NewRef(self);
    buffer->len = sv_layout_nbytes(layout);
    buffer->itemsize = sv_layout_itemsize(layout);
    buffer->readonly = readonly;
    buffer->ndim = shaped ? sv_layout_ndim(layout) : 1;
    buffer->format = (flags & PyBUF_FORMAT) != 0 ? view->format : NULL;
    buffer->shape = shaped && has_axes ? (Py_ssize_t *)sv_layout_shape(layout) : NULL;
    buffer->strides = strided && has_axes ? (Py_ssize_t *)sv_layout_byte_strides(layout) : NULL;
    buffer->suboffsets = NULL;
    buffer->internal = NULL;
    return 0;
}
