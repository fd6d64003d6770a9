/* The type Plan: copies that are planned once. */
#ifndef SVPY_PLAN_H
#define SVPY_PLAN_H

#include "base/python.h"

struct svpy_state;

int svpy_plan_init(struct svpy_state *state, PyObject *module);

#endif
