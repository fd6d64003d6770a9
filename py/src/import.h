/* The ways in: each gives a view handle, or NULL with an exception. */
#ifndef SVPY_IMPORT_H
#define SVPY_IMPORT_H

#include <stdbool.h>

#include "svpy.h"

struct DLPackExchangeAPI;

/* What the objects of a type offer. */
struct svpy_kind {
    PyTypeObject *type;
    unsigned int version; /* of the type, 0 for none */
    bool dlpack, buffer;
    bool buffer_first; /* the buffer tells as much as DLPack does */
    const struct DLPackExchangeAPI *table;
    bool lazy;  /* numbers in memory may not be the numbers meant */
    bool grads; /* numbers may belong to a computation that is recorded */
};

/* Streams of one import. */
struct svpy_streams {
    int64_t given; /* as svpy_stream() reads it */
    int64_t ready; /* of the view; SVPY_ABSENT: as given says */
};

struct svpy_kind svpy_kind_of(PyTypeObject *type);

/* A capsule; one that is refused stays as it was. Streams are as svpy_stream() reads them. */
sv_view *svpy_from_capsule(PyObject *capsule);
/* obj.__dlpack__(). */
sv_view *svpy_from_producer(PyObject *object, int64_t stream, const struct svpy_kind *kind);
/* NULL without an exception where anything is odd, and __dlpack__() should say what. */
sv_view *svpy_from_table(PyObject *object, int64_t stream, const struct DLPackExchangeAPI *table);
const struct DLPackExchangeAPI *svpy_table_of(PyTypeObject *type);
sv_view *svpy_from_buffer(PyObject *object);
/* A Py_buffer of its own block, ended by svpy_end_buffer() on any thread, with or without Python. */
Py_buffer *svpy_hold_buffer(PyObject *object, int flags);
void svpy_end_buffer(void *buffer);
/* NULL without an exception where there is no such attribute. */
sv_view *svpy_from_interface(PyObject *object);
sv_view *svpy_from_cuda_interface(PyObject *object, struct svpy_streams *streams);

int svpy_interface_init(void);

#endif
