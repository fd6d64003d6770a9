/* copy(), which may scale. */
#ifndef SVPY_SCALED_H
#define SVPY_SCALED_H

#include "objects/view_struct.h"

/* What elements are multiplied by, what is added to them, and the axis along which these go; each maybe NULL. */
#define SVPY_FACTOR_NAMES "scale", "bias", "axis"
enum { SVPY_SCALE, SVPY_BIAS, SVPY_AXIS, SVPY_FACTORS };

/* sv_copy_scaled() or, where nothing scales, svpy_copy_views(). */
int svpy_copy_maybe_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                           PyObject *const *options, PyObject *const *factors);
PyObject *svpy_copy(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
