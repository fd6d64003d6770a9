/* The dtypes of Python for items that are opaque to libsv, such as records. */
#ifndef SVPY_KEPT_DTYPE_H
#define SVPY_KEPT_DTYPE_H

#include "objects/view_struct.h"

/* The dtype that the exporter has for items that are opaque to libsv, records above all. New reference; NULL, mostly
 * without an exception, where there is none. */
PyObject *svpy_kept_dtype(const svpy_view *view);

/* Whether a view of items of so many bytes may keep a dtype (strideview._items): 1, 0, or -1 with an exception. */
int svpy_is_plain(struct svpy_state *state, PyObject *dtype, int64_t itemsize);

/* What elements of a dtype are: numbers that libsv knows, or opaque items of a size, whose dtype is kept. */
struct svpy_items {
    sv_dtype dtype;
    int64_t itemsize; /* 0 of "opaque", which says none */
    PyObject *kept;   /* owned; NULL for numbers and for raw bytes */
};

/* Those of a dtype that a caller gives: "float32", "M8[us]", "<U2", records. 0 or -1. */
int svpy_read_items(PyObject *given, struct svpy_items *out);

#endif
