/* The C API for extension modules: the table of strideview.h. */
#ifndef SVPY_API_H
#define SVPY_API_H

#include "base/python.h"

struct svpy_state;

int svpy_api_init(struct svpy_state *state, PyObject *module);

#endif
