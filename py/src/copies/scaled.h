/* copy(), which may scale. */
#ifndef SVPY_SCALED_H
#define SVPY_SCALED_H

#include "base/options.h"
#include "objects/view_struct.h"

/* What elements are multiplied by, what is added to them, and the axis along which these go: bits of a signature. */
#define SVPY_SCALING (SVPY_BIT(SCALE) | SVPY_BIT(BIAS) | SVPY_BIT(AXIS))

/* sv_copy_scaled() or, where nothing scales, svpy_copy_views(). */
int svpy_copy_maybe_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                           PyObject *const *options);
PyObject *svpy_copy(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
