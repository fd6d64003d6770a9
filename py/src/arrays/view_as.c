/* The same memory by another layout, as another type, or both: what view.view() does, and a field of records. */
#include "arrays/view_as.h"

#include "base/dtype.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "objects/layout_object.h"
#include "objects/layout_struct.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"

#define STATE(object) (((svpy_view *)(object))->state)
#define HANDLE(object) (((svpy_view *)(object))->handle)

/* Another layout, another type, or both at once: the item size may change only with both. */
static sv_status with_both(const sv_view *view, const sv_layout *layout, sv_dtype dtype, sv_view **out)
{
    sv_view *opaque = NULL, *laid_out = NULL;
    sv_status status = sv_view_with_dtype(view, SV_OPAQUE, &opaque);

    if (status == SV_OK)
        status = sv_view_with_layout(opaque, layout, &laid_out);
    if (status == SV_OK)
        status = sv_view_with_dtype(laid_out, dtype, out);
    sv_view_release(laid_out);
    sv_view_release(opaque);
    return status;
}

/* The layout of the same bytes as items of another size. */
static PyObject *find_repacked(PyObject *self, int64_t itemsize)
{
    PyObject *function = svpy_helper("strideview._axes", "of_itemsize");
    PyObject *layout = svpy_layout_wrap(STATE(self), sv_layout_retain(sv_view_layout(HANDLE(self)))), *made = NULL;

    if (function != NULL && layout != NULL)
        made = PyObject_CallFunction(function, "OL", layout, (long long)itemsize);
    if (made != NULL && !svpy_is_layout(STATE(self), made)) {
        PyErr_Format(PyExc_TypeError, "a layout was needed, not %.100s", Py_TYPE(made)->tp_name);
        Py_CLEAR(made);
    }
    Py_XDECREF(layout);
    Py_XDECREF(function);
    return made;
}

/* The same memory as another type, whose size changes the last axis. */
static PyObject *view_as_type(PyObject *self, sv_dtype dtype)
{
    const int64_t itemsize = sv_dtype_itemsize(dtype);
    PyObject *layout = NULL;
    sv_view *made = NULL;
    sv_status status;

    if (dtype == SV_OPAQUE || itemsize == sv_layout_itemsize(sv_view_layout(HANDLE(self)))) {
        status = sv_view_with_dtype(HANDLE(self), dtype, &made);
    } else {
        layout = find_repacked(self, itemsize);
        if (layout == NULL)
            return NULL;
        status = with_both(HANDLE(self), ((svpy_layout *)layout)->handle, dtype, &made);
    }
    Py_XDECREF(layout);
    return status == SV_OK ? svpy_view_derive(made, (svpy_view *)self) : svpy_raise(status);
}

PyObject *svpy_view_as(PyObject *self, PyObject *given_layout, PyObject *given_dtype)
{
    const sv_layout *layout = NULL;
    sv_dtype dtype = SV_OPAQUE;
    sv_view *made = NULL;
    sv_status status;
    int typed;

    if (given_layout != NULL && given_layout != Py_None) {
        if (!svpy_is_layout(STATE(self), given_layout)) {
            PyErr_Format(PyExc_TypeError, "layout must be a StridedLayout, not %.100s; another element type is passed "
                         "as dtype=", Py_TYPE(given_layout)->tp_name);
            return NULL;
        }
        layout = ((svpy_layout *)given_layout)->handle;
    }
    typed = given_dtype != NULL && given_dtype != Py_None;
    if (typed && svpy_dtype(given_dtype, &dtype) < 0)
        return NULL;
    if (layout == NULL)
        return typed ? view_as_type(self, dtype) : Py_NewRef(self);
    status = typed ? with_both(HANDLE(self), layout, dtype, &made)
                   : sv_view_with_layout(HANDLE(self), layout, &made);
    return status == SV_OK ? svpy_view_derive(made, (svpy_view *)self) : svpy_raise(status);
}
