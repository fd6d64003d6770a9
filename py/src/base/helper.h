/* Adds functions and methods to the module and its types, and finds functions that are written in Python. */
#ifndef SVPY_HELPER_H
#define SVPY_HELPER_H

#include "base/python.h"

/* How a method takes its arguments, in a PyMethodDef. */
#define SVPY_FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL
#define SVPY_NAMED(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS

/* A function written in Python, of a module of the package. */
PyObject *svpy_helper(const char *module, const char *name);

/* What it answers for self and the arguments of a method. keywords may be NULL. */
PyObject *svpy_call_helper(const char *module, const char *name, PyObject *self, PyObject *args, PyObject *keywords);

/* Put functions into the dictionary of self, the module or a type. Lookup finds them there without a call. */
int svpy_add_functions(PyObject *names, PyObject *self, PyMethodDef *table);

/* Add methods to those that a type was made with. */
int svpy_add_methods(PyTypeObject *type, PyMethodDef *table);

#endif
