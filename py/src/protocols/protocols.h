/* The ways in: each gives a view handle, or NULL with an exception. */
#ifndef SVPY_PROTOCOLS_H
#define SVPY_PROTOCOLS_H

#include <stdbool.h>

#include "base/svpy.h"

struct DLPackExchangeAPI;
struct strideview_array;

/* What the objects of a type offer. */
struct svpy_kind {
    PyTypeObject *type;
    unsigned int version; /* of the type, 0 for none */
    bool dlpack, buffer;
    bool buffer_first; /* the buffer tells as much as DLPack does */
    bool ndarray;      /* svpy_from_ndarray() can read it */
    const struct DLPackExchangeAPI *table;
    bool lazy;  /* numbers in memory may not be the numbers meant: tensors of PyTorch */
    bool lent;  /* svpy_from_lent(): the object keeps its memory as long as a managed tensor of it would */
    bool sycl;  /* __sycl_usm_array_interface__ */
    bool grads; /* numbers may belong to a computation that is recorded */
    const PyGetSetDef *grad; /* what tells of that, where it can be called without a look-up */
    PyCFunction ask_lazy[2]; /* the same of is_neg() and is_conj() */
};

/* Streams of one import. */
struct svpy_streams {
    int64_t given; /* as svpy_stream() reads it */
    int64_t ready; /* of the view; SVPY_ABSENT: as given says */
};

enum { SVPY_KINDS = 64 };

/* A type is known again by its version, which no other state of any type ever has. */
static inline struct svpy_kind *svpy_kind_place(const struct svpy_state *state, const PyTypeObject *type)
{
    return &state->kinds[((uintptr_t)type >> 5) % SVPY_KINDS];
}

static inline bool svpy_kind_is(const struct svpy_kind *kind, const PyTypeObject *type)
{
    return kind->type == type && kind->version == type->tp_version_tag && kind->version != 0;
}

/* 0, or -1 with an exception that must not be cleared: see ask.c. */
int svpy_kind_of(struct svpy_state *state, PyTypeObject *type, struct svpy_kind *out);
/* Why what is in memory must not be viewed, a text with "%.100s" for the type; NULL when it may be. 0 or -1. */
int svpy_kind_refusal(struct svpy_state *state, PyObject *object, const sv_view *view, const struct svpy_kind *kind,
                      const char **reason);

/* A capsule; one that is refused stays as it was. Streams are as svpy_stream() reads them. */
sv_view *svpy_from_capsule(PyObject *capsule);
/* obj.__dlpack__(). */
sv_view *svpy_from_producer(struct svpy_state *state, PyObject *object, int64_t stream, const struct svpy_kind *kind);
/* NULL without an exception where anything is odd, and __dlpack__() should say what; with one in a capture. */
sv_view *svpy_from_table(struct svpy_state *state, PyObject *object, int64_t stream,
                         const struct DLPackExchangeAPI *table);
/* Host memory that the object itself keeps. NULL for all else, with an exception only if it must not be cleared. */
sv_view *svpy_from_lent(PyObject *object, const struct DLPackExchangeAPI *table);
/* The table of a type, or NULL. 0, or -1 with an exception that must not be cleared. */
int svpy_table_of(PyTypeObject *type, const struct DLPackExchangeAPI **out);
/* Whether there is a table that gives tensors without an owner. */
bool svpy_table_lends(const struct DLPackExchangeAPI *table);
/* numpy.ndarray, borrowed, with the version of NumPy's binary interface; NULL, mostly without an exception, where NumPy
 * was not imported. */
PyTypeObject *svpy_ndarray_type(unsigned int *version);
/* Whether an array of this type, ndarray's or one derived from it, can be read in place. */
bool svpy_ndarray_is_readable(const PyTypeObject *type, const PyTypeObject *ndarray, unsigned int version);
/* NULL without an exception where a number of a plain type is not all there is to it. */
sv_view *svpy_from_ndarray(PyObject *object);
/* Whether it is of a type that was met before and found readable. */
bool svpy_is_ndarray(const struct svpy_state *state, PyObject *object);
/* The dtype of one, borrowed. */
PyObject *svpy_ndarray_dtype(PyObject *object);
/* The same as C values, no reference taken. False, without an exception, where there is more to it. */
bool svpy_read_ndarray(PyObject *object, bool writable, struct strideview_array *out);
sv_view *svpy_from_buffer(PyObject *object);
/* A Py_buffer of its own block, ended by svpy_end_buffer() on any thread, with or without Python. */
Py_buffer *svpy_hold_buffer(PyObject *object, int flags);
void svpy_end_buffer(void *buffer);
/* Call end(ctx) at once, or, if the nesting is deep, when the outermost such call returns. Needs the GIL. */
void svpy_end_in_turn(void (*end)(void *ctx), void *ctx);
/* A release callback that drops a reference to ctx, on any thread, with or without Python. */
void svpy_end_object(void *ctx);
/* The same of a Buffer, which svpy_buffer_begin_lending() was called for. */
void svpy_end_lending(void *ctx);
/* The object that the memory of a view holds by one of these three callbacks, or NULL. The view object's own references
 * do not count. */
PyObject *svpy_held_by(const sv_view *view);
/* NULL without an exception where there is no such attribute. */
sv_view *svpy_from_interface(struct svpy_state *state, PyObject *object);
sv_view *svpy_from_cuda_interface(struct svpy_state *state, PyObject *object, struct svpy_streams *streams);

/* What the dictionary of an array interface says, and what keeps the memory. */
struct svpy_fields {
    int32_t ndim;
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM];
    bool strided;
    const char *typestr; /* text of holder */
    PyObject *holder;
    void *pointer;
    uint32_t flags;
    Py_buffer *buffer; /* data came as an object with a buffer */
    int64_t offset;    /* of pointer in the buffer */
};

/* New reference, because reading one value may run code that changes the dictionary. NULL for a missing key and for
 * None, with an exception only when the lookup failed. */
PyObject *svpy_dict_get(PyObject *dict, const char *key);
/* 0, out left as it is where there is no such key or it is None, or -1. */
int svpy_dict_int64(PyObject *dict, const char *key, int64_t *out);
/* 0 or -1; svpy_end_fields() is due after either. host: data may be a buffer. */
int svpy_read_fields(PyObject *object, PyObject *dict, struct svpy_fields *f, bool host);
/* A view, which takes the buffer. */
sv_view *svpy_view_of_fields(PyObject *object, struct svpy_fields *f, int32_t device_type, int32_t device_id);
void svpy_end_fields(struct svpy_fields *f);

/* __sycl_usm_array_interface__ of memory that the host reads, or does not; NULL without an exception for the other. */
sv_view *svpy_from_sycl(struct svpy_state *state, PyObject *object, bool shared);

#endif
