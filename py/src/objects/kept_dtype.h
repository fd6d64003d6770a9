/* The dtypes of Python for items that are opaque to libsv, such as records. */
#ifndef SVPY_KEPT_DTYPE_H
#define SVPY_KEPT_DTYPE_H

#include "objects/view_struct.h"

/* The dtype that the exporter has for items that are opaque to libsv, records above all. New reference; NULL, mostly
 * without an exception, where there is none. */
PyObject *svpy_kept_dtype(const svpy_view *view);

/* Whether a view of items of so many bytes may keep a dtype (strideview._items): 1, 0, or -1 with an exception. */
int svpy_is_plain(struct svpy_state *state, PyObject *dtype, int64_t itemsize);

#endif
