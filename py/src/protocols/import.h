/* Views of objects by the best of their protocols; NULL with an exception on failure. */
#ifndef SVPY_IMPORT_H
#define SVPY_IMPORT_H

#include "protocols/current.h"

/* The handle alone, one reference, by the best way there is; and what is known of its memory, whose producer is object or
 * what object is a view of. */
sv_view *svpy_acquire(struct svpy_state *state, PyObject *object, int64_t stream, svpy_side *out);

/* The same as an object. A view is returned as it is. */
PyObject *svpy_import(struct svpy_state *state, PyObject *object, PyObject *stream);

/* By one protocol. */
PyObject *svpy_import_dlpack(struct svpy_state *state, PyObject *object, PyObject *stream);
PyObject *svpy_import_interface(struct svpy_state *state, PyObject *object);
PyObject *svpy_import_cuda_interface(struct svpy_state *state, PyObject *object, PyObject *stream);

#endif
