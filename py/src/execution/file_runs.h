/* Runs of bytes between an open file and memory: strideview._core._move_runs(). */
#ifndef SVPY_FILE_RUNS_H
#define SVPY_FILE_RUNS_H

#include "base/python.h"

PyObject *svpy_move_runs(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
