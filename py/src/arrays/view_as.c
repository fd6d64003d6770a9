/* The same memory by another layout, as another type, or both: what view.view() does, and a field of records. */
#include "arrays/view_as.h"

#include "base/dtype.h"
#include "base/errors.h"
#include "base/state.h"
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
    if (layout == NULL && !typed)
        return Py_NewRef(self);
    if (layout != NULL && typed)
        status = with_both(HANDLE(self), layout, dtype, &made);
    else
        status = layout != NULL ? sv_view_with_layout(HANDLE(self), layout, &made)
                                : sv_view_with_dtype(HANDLE(self), dtype, &made);
    return status == SV_OK ? svpy_view_derive(made, (svpy_view *)self) : svpy_raise(status);
}
