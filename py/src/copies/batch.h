/* Many copies in a call. */
#ifndef SVPY_BATCH_H
#define SVPY_BATCH_H

#include "base/python.h"

struct svpy_state;

/* svpy_copy_views() of many: dst and src are iterables. None, or NULL with an exception. */
PyObject *svpy_batch(struct svpy_state *state, const sv_plan *plan, PyObject *dst, PyObject *src,
                     PyObject *const *options);
PyObject *svpy_copy_batch(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* sv_copy_stack(): one target, many sources. */
PyObject *svpy_copy_stack(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
