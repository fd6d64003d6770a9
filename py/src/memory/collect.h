/* strideview.memory.collect(). */
#ifndef SVPY_COLLECT_H
#define SVPY_COLLECT_H

#include "base/python.h"

PyObject *svpy_collect(PyObject *module, PyObject *wait);

#endif
