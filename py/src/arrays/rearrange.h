/* Methods of layouts and views that reorder, repeat or choose axes and elements; and how such a method is written. */
#ifndef SVPY_REARRANGE_H
#define SVPY_REARRANGE_H

#include "base/state.h"
#include "objects/layout_struct.h"
#include "objects/view_struct.h"

/* The fields that layouts and views begin with. */
static inline struct svpy_state *svpy_state_of(PyObject *self)
{
    _Static_assert(offsetof(svpy_layout, state) == offsetof(svpy_view, state), "both are read");
    return ((svpy_layout *)self)->state;
}

/* The layout of a layout or a view, borrowed. */
const sv_layout *svpy_layout_of(PyObject *self);

/*
 * return svpy_finish(self, sv_layout_builder_X(svpy_start(self), ...));
 *
 * What such a method does: a layout, or a view of the same memory, of what the
 * operation gives. No Python code may run between the two.
 */
sv_layout_builder *svpy_start(PyObject *self);
PyObject *svpy_finish(PyObject *self, sv_status status);
extern PyMethodDef svpy_rearranging[];

/* Methods that have a second name or another caller, as functions of their arguments. */
PyObject *svpy_permute(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *svpy_squeeze(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *svpy_squeeze_leading(PyObject *self, int32_t count);
PyObject *svpy_unsqueeze(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *svpy_get_transposed(PyObject *self, void *closure);

#endif
