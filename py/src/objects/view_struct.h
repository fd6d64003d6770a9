/* The fields of a StridedMemoryView. */
#ifndef SVPY_VIEW_STRUCT_H
#define SVPY_VIEW_STRUCT_H

#include "base/state.h"
#include "objects/work.h"

typedef struct svpy_view {
    PyObject_HEAD
    struct svpy_state *state;
    sv_view *handle;
    PyObject *exporter; /* what the memory came from; NULL when it is our own */
    struct svpy_view *next, *previous; /* a ring of the views that were made from one; for the garbage collector */
    bool first; /* of the ring */
    bool owns;  /* it was made with its memory, which sys.getsizeof() counts */
    int64_t stream;     /* that the memory is ready on, as svpy_remember() keeps it; or a mark of stream.h */
    svpy_work *work;    /* on memory of our own on a device, besides; or NULL */
    PyObject *readonly; /* True or False, which never end */
    PyObject *kept; /* dtype of opaque items that the exporter does not tell: of fields and copies; maybe NULL */
    PyObject *shape, *strides, *layout, *dtype; /* answers, kept from the first time on; in no cycle */
    PyObject *weakrefs;
    PyObject *text; /* PEP 3118 format of a record; lives as long as the view, since lent buffers point into it */
    char format[8]; /* the same of a number; both are written when the buffer is first asked for */
} svpy_view;

/* Whether an object is a StridedMemoryView, or of a type derived from it, which is a heap type then. */
static inline int svpy_is_view(const struct svpy_state *state, PyObject *object)
{
    return Py_IS_TYPE(object, state->view_type) ||
           (PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_HEAPTYPE) && !Py_IS_TYPE(object, state->layout_type) &&
            PyType_IsSubtype(Py_TYPE(object), state->view_type));
}

#endif
