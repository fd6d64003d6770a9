/* What tracked memory resources count. */
#ifndef SVPY_RESOURCE_STATS_H
#define SVPY_RESOURCE_STATS_H

#include "base/python.h"

extern PyMethodDef svpy_counting[];

/* {name: number} of arrays that no allocator counts, a method of the module. */
PyObject *svpy_count_arrays(PyObject *module, PyObject *unused);

#endif
