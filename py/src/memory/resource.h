/* The type MemoryResource. */
#ifndef SVPY_RESOURCE_H
#define SVPY_RESOURCE_H

#include "base/python.h"

struct svpy_state;

int svpy_resource_init(struct svpy_state *state, PyObject *module);

#endif
