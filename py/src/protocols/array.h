/* __array__(), of objects that have no other protocol. */
#ifndef SVPY_ARRAY_H
#define SVPY_ARRAY_H

#include "base/python.h"

/* The ndarray that an object's __array__() gives, new reference: of its own memory, or where it is read only once, of a
 * copy too. NULL without an exception where its type has no __array__(). */
PyObject *svpy_array_of(PyObject *object, bool may_copy);

#endif
