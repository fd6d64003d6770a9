/* The same memory by another layout, as another type, or both: what view.view() does, and a field of records. */
#include "arrays/view_as.h"

#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "objects/kept_dtype.h"
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

/* The dtype of opaque items must be of their size, which libsv does not know. 0 or -1. */
static int check_size(const sv_layout *layout, const struct svpy_items *items)
{
    if (items->dtype != SV_OPAQUE || items->itemsize == 0 || items->itemsize == sv_layout_itemsize(layout))
        return 0;
    PyErr_Format(PyExc_TypeError, "elements of dtype have %lld bytes, those of the layout %lld",
                 (long long)items->itemsize, (long long)sv_layout_itemsize(layout));
    return -1;
}

/* The view, which may be NULL, has this dtype, which may be, too. Takes both references. */
static PyObject *wrap_items(PyObject *view, PyObject *kept)
{
    if (view != NULL && kept != NULL)
        Py_XSETREF(((svpy_view *)view)->kept, kept);
    else
        Py_XDECREF(kept);
    return view;
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

/* The same memory as another type, whose size changes the last axis. NULL with an exception. */
static sv_view *view_as_items(PyObject *self, const struct svpy_items *items)
{
    const int64_t itemsize = items->dtype == SV_OPAQUE ? 0 : sv_dtype_itemsize(items->dtype);
    PyObject *layout = NULL;
    sv_view *made = NULL;
    sv_status status;

    if (itemsize == 0 || itemsize == sv_layout_itemsize(sv_view_layout(HANDLE(self)))) {
        if (check_size(sv_view_layout(HANDLE(self)), items) < 0)
            return NULL;
        status = sv_view_with_dtype(HANDLE(self), items->dtype, &made);
    } else {
        layout = find_repacked(self, itemsize);
        if (layout == NULL)
            return NULL;
        status = with_both(HANDLE(self), ((svpy_layout *)layout)->handle, items->dtype, &made);
    }
    Py_XDECREF(layout);
    return status == SV_OK ? made : svpy_raise(status);
}

static sv_view *lay_out_view(PyObject *self, const sv_layout *layout, bool typed, const struct svpy_items *items)
{
    sv_view *made = NULL;
    sv_status status;

    if (check_size(layout, items) < 0)
        return NULL;
    status = typed ? with_both(HANDLE(self), layout, items->dtype, &made)
                   : sv_view_with_layout(HANDLE(self), layout, &made);
    return status == SV_OK ? made : svpy_raise(status);
}

PyObject *svpy_view_as(PyObject *self, PyObject *given_layout, PyObject *given_dtype)
{
    const sv_layout *layout = NULL;
    struct svpy_items items = {SV_OPAQUE, 0, NULL};
    sv_view *made = NULL;
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
    if (layout == NULL && !typed)
        return Py_NewRef(self);
    if (typed && svpy_read_items(given_dtype, &items) < 0)
        return NULL;
    made = layout == NULL ? view_as_items(self, &items) : lay_out_view(self, layout, typed, &items);
    return wrap_items(made == NULL ? NULL : svpy_view_derive(made, (svpy_view *)self), items.kept);
}
