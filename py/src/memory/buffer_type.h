/* The type Buffer. */
#ifndef SVPY_BUFFER_TYPE_H
#define SVPY_BUFFER_TYPE_H

#include "base/python.h"

struct svpy_state;

int svpy_buffer_init(struct svpy_state *state, PyObject *module);

#endif
