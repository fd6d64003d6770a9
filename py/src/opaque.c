/*
 * Opaque items: records, dates, strings, raw bytes. libsv knows only their size,
 * so what they are is asked of the objects that the memory came from, before a
 * copy between two views of them. Copies of numbers never come here.
 */
#include "svpy.h"

/* What holds the items: the exporter of a view, or the object that a handle was made of. Borrowed; NULL for none. */
static PyObject *exporter_of(const struct svpy_state *state, PyObject *object)
{
    return svpy_is_view(state, object) ? ((svpy_view *)object)->exporter : object;
}

/* The dtype of the items, text of a protocol, or None where nothing is known. New reference; NULL with an exception. */
static PyObject *find_identity(const struct svpy_state *state, PyObject *object, int64_t itemsize)
{
    PyObject *exporter = exporter_of(state, object), *function, *found;

    if (svpy_is_view(state, object)) {
        PyObject *known = ((svpy_view *)object)->dtype;

        if (known != NULL && !PyUnicode_Check(known)) /* "opaque" tells nothing */
            return Py_NewRef(known);
    }
    if (exporter == NULL)
        Py_RETURN_NONE;
    function = svpy_helper("strideview._items", "identity");
    found = function == NULL ? NULL : PyObject_CallFunction(function, "OL", exporter, (long long)itemsize);
    Py_XDECREF(function);
    return found;
}

int svpy_check_opaque(const struct svpy_state *state, PyObject *dst, PyObject *src, int64_t itemsize)
{
    PyObject *target = find_identity(state, dst, itemsize);
    PyObject *source = target == NULL ? NULL : find_identity(state, src, itemsize);
    int equal = source == NULL ? -1 : 1;

    if (source != NULL && target != Py_None && source != Py_None)
        equal = PyObject_RichCompareBool(target, source, Py_EQ);
    if (equal == 0)
        PyErr_Format(PyExc_TypeError, "dst holds items of %S, src of %S: items that are no number are copied between "
                     "equal dtypes only, whatever casting says", target, source);
    Py_XDECREF(source);
    Py_XDECREF(target);
    return equal == 1 ? 0 : -1;
}
