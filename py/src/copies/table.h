/* Copies by a plan between addresses that lie in two arrays. */
#ifndef SVPY_TABLE_H
#define SVPY_TABLE_H

#include "base/python.h"

struct svpy_state;

/* sv_plan_execute_table(). None, or NULL with an exception. */
PyObject *svpy_execute_table(struct svpy_state *state, const sv_plan *plan, PyObject *dst, PyObject *src,
                             PyObject *const *options);

#endif
