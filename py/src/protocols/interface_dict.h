/* The dictionaries that array interfaces are. */
#ifndef SVPY_INTERFACE_DICT_H
#define SVPY_INTERFACE_DICT_H

#include "base/state.h"

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
    bool any_order;    /* numbers in the other byte order are viewed as opaque items: the object is asked which they are */
};

/* New reference, because reading one value may run code that changes the dictionary. NULL for a missing key and for
 * None, with an exception only when the lookup failed. */
PyObject *svpy_dict_get(PyObject *dict, const char *key);

/* 0, out left as it is where there is no such key or it is None, or -1. */
int svpy_dict_int64(PyObject *dict, const char *key, int64_t *out);

/* 0 or -1; svpy_end_fields() is due after either. host: data may be a buffer. */
int svpy_read_fields(PyObject *object, PyObject *dict, struct svpy_fields *f, bool host);

/* The stream that the dictionary of a CUDA array tells, or SVPY_NOTHING. 0 or -1. */
int svpy_read_stream(PyObject *dict, int64_t *theirs);

/* The same of an object. 1, 0 where there is none, or -1 with an exception that must not be cleared. */
int svpy_interface_stream(const struct svpy_state *state, PyObject *object, int64_t *out);

/* A view, which takes the buffer. */
sv_view *svpy_view_of_fields(PyObject *object, struct svpy_fields *f, int32_t device_type, int32_t device_id);
void svpy_end_fields(struct svpy_fields *f);

#endif
