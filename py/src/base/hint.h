/* Names that NumPy, PyTorch or einops have and this package has not: the AttributeError says what to call instead. */
#ifndef SVPY_HINT_H
#define SVPY_HINT_H

#include "base/python.h"

/* Put what raises AttributeError into a dictionary, under the names of functions in the table. */
PyObject *svpy_hint_functions(PyObject *module, PyObject *names);

/* {name: text} of functions and of methods, for tests. */
PyObject *svpy_all_hints(PyObject *module, PyObject *unused);

/* Let the names of methods in the table raise AttributeErrors that say what to call. */
int svpy_hint_methods(PyTypeObject *type, PyObject *module);

/* object.__dir__() without such names. */
PyObject *svpy_dir_without_hints(PyObject *self, PyObject *unused);

#endif
