/* The type StridedMemoryView. */
#ifndef SVPY_VIEW_H
#define SVPY_VIEW_H

#include "base/python.h"

struct svpy_state;

int svpy_view_init(struct svpy_state *state, PyObject *module);

#endif
