/* copy(), which may scale. */
#ifndef SVPY_SCALED_H
#define SVPY_SCALED_H

#include "copies/factors.h"
#include "objects/view_struct.h"

/* sv_copy_scaled() or, where nothing scales, svpy_copy_views(). */
int svpy_copy_maybe_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                           PyObject *const *options);
PyObject *svpy_copy(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
