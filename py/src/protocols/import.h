/* Views of objects by the best of their protocols; NULL with an exception on failure. */
#ifndef SVPY_IMPORT_H
#define SVPY_IMPORT_H

#include "protocols/current.h"

/* The handle alone, one reference, by the best way there is; and what is known of its memory, whose producer is object or
 * what object is a view of. may_copy: as svpy_import_source() does it. */
sv_view *svpy_acquire(struct svpy_state *state, PyObject *object, int64_t stream, svpy_side *out, bool may_copy);

/* The same as an object. A view is returned as it is. */
PyObject *svpy_import(struct svpy_state *state, PyObject *object, PyObject *stream);

/* The same of an object that is read once: where __array__() is all that it has, a converted copy will do. */
PyObject *svpy_import_source(struct svpy_state *state, PyObject *object, PyObject *stream);

/* TypeError where a shape or a dtype stands in the place of view()'s stream; 0 or -1. */
int svpy_check_second(PyObject *second);

/* By one protocol. */
PyObject *svpy_import_dlpack(struct svpy_state *state, PyObject *object, PyObject *stream);
PyObject *svpy_import_interface(struct svpy_state *state, PyObject *object);
PyObject *svpy_import_cuda_interface(struct svpy_state *state, PyObject *object, PyObject *stream);

#endif
