/* A status as an exception; svpy_raise() and its like return NULL. */
#ifndef SVPY_ERRORS_H
#define SVPY_ERRORS_H

#include "base/python.h"

struct svpy_state;

/* The exception that a caller of NumPy would expect. */
void *svpy_raise(sv_status status);

/* The same while exchanging memory: BufferError for what a protocol cannot do. */
void *svpy_raise_exchange(sv_status status);

/* MemoryError, which says how many bytes were wanted. Returns NULL. */
void *svpy_no_memory(int64_t nbytes);

/* A bytes object whose contents are not written yet. */
PyObject *svpy_new_bytes(int64_t nbytes);

/* Exceptions, borrowed: an index or axis is out of bounds; only a copy would do; an object has no memory to view. */
PyObject *svpy_bounds_error(void);
PyObject *svpy_copy_error(void);
PyObject *svpy_protocol_error(void);

/* A bool; TooHardError for SV_MAYBE. */
PyObject *svpy_decided(sv_status status, sv_answer answer);
int svpy_errors_init(struct svpy_state *state, PyObject *module);

#endif
