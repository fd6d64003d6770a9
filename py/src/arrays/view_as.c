/* The same memory by another layout, as another type, or both: what view.view() does, and a field of records. */
#include "arrays/view_as.h"

#include "base/errors.h"
#include "base/state.h"
#include "objects/kept_dtype.h"
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

PyObject *svpy_view_as(PyObject *self, PyObject *given_layout, PyObject *given_dtype)
{
    const sv_layout *layout = NULL;
    struct svpy_items items = {SV_OPAQUE, 0, NULL};
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
    if (layout == NULL && !typed)
        return Py_NewRef(self);
    if (typed && svpy_read_items(given_dtype, &items) < 0)
        return NULL;
    if (check_size(layout != NULL ? layout : sv_view_layout(HANDLE(self)), &items) < 0) {
        Py_XDECREF(items.kept);
        return NULL;
    }
    if (layout != NULL && typed)
        status = with_both(HANDLE(self), layout, items.dtype, &made);
    else
        status = layout != NULL ? sv_view_with_layout(HANDLE(self), layout, &made)
                                : sv_view_with_dtype(HANDLE(self), items.dtype, &made);
    return status == SV_OK ? wrap_items(svpy_view_derive(made, (svpy_view *)self), items.kept)
                           : wrap_items(svpy_raise(status), items.kept);
}
