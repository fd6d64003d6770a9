/* DLPack by the Python protocol. */
#ifndef SVPY_DLPACK_H
#define SVPY_DLPACK_H

#include "base/python.h"

struct svpy_protocols;
struct svpy_state;
struct svpy_streams;

PyObject *svpy_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *svpy_dlpack_device(PyObject *self, PyObject *unused);

/* A capsule; one that is refused stays as it was. Streams are as svpy_stream() reads them. */
sv_view *svpy_from_capsule(PyObject *capsule);

/* obj.__dlpack__(). */
sv_view *svpy_from_producer(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                            const struct svpy_protocols *protocols);

#endif
