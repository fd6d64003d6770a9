/* The type StridedLayout. */
#ifndef SVPY_LAYOUT_H
#define SVPY_LAYOUT_H

#include "base/python.h"

struct svpy_state;

int svpy_layout_init(struct svpy_state *state, PyObject *module);

#endif
