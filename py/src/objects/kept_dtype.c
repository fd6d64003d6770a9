/*
 * The dtypes of Python for items that are opaque to libsv, such as records: the one that the exporter of a view tells, or
 * the one that the view keeps because no exporter tells it.
 */
#include "objects/kept_dtype.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/dtype.h"
#include "base/helper.h"
#include "base/state.h"
#include "objects/view_struct.h"

/* Whether a dtype says that its items have so many bytes: 1, 0, or -1 with an exception. */
static int has_size(PyObject *dtype, int64_t itemsize)
{
    PyObject *size = svpy_try_attribute_text(dtype, "itemsize");
    int64_t told = 0;
    int fits = size != NULL && svpy_int64(size, &told) == 0 && told == itemsize;

    Py_XDECREF(size);
    return svpy_clear_exception() < 0 ? -1 : fits;
}

/* The last one that was found plain is remembered: views of one array are asked again and again. */
int svpy_is_plain(struct svpy_state *state, PyObject *dtype, int64_t itemsize)
{
    const int fits = has_size(dtype, itemsize);
    PyObject *function, *answer = NULL;
    int plain;

    if (fits <= 0 || dtype == state->plain_dtype)
        return fits;
    function = svpy_helper("strideview._items", "is_plain");
    if (function != NULL)
        answer = PyObject_CallFunction(function, "OL", dtype, (long long)itemsize);
    plain = answer == NULL ? -1 : answer == Py_True;
    if (plain > 0)
        Py_XSETREF(state->plain_dtype, Py_NewRef(dtype));
    Py_XDECREF(answer);
    Py_XDECREF(function);
    return plain;
}

/* A dtype of NumPy's for items that the exporter's other protocols tell of: the format of a buffer, or an interface. */
static PyObject *find_described(const svpy_view *view)
{
    PyObject *function = svpy_helper("strideview._items", "described"), *found = NULL;

    if (function != NULL)
        found = PyObject_CallFunction(function, "OL", view->exporter,
                                      (long long)sv_layout_itemsize(sv_view_layout(view->handle)));
    Py_XDECREF(function);
    if (found == Py_None)
        Py_CLEAR(found);
    if (found == NULL)
        svpy_clear_exception();
    return found;
}

PyObject *svpy_kept_dtype(const svpy_view *view)
{
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(view->handle));
    PyObject *told;
    sv_dtype dtype;

    if (sv_view_dtype(view->handle) != SV_OPAQUE)
        return NULL;
    if (view->kept != NULL) {
        told = Py_NewRef(view->kept);
        if (has_size(told, itemsize) <= 0) /* another layout may have taken bytes of the items only */
            Py_CLEAR(told);
        return told;
    }
    if (view->exporter == NULL)
        return NULL;
    told = svpy_try_attribute_text(view->exporter, "dtype");
    if (told == NULL)
        return PyErr_Occurred() ? NULL : find_described(view);
    if (svpy_is_plain(view->state, told, itemsize) <= 0 || svpy_dtype(told, &dtype) == 0)
        Py_CLEAR(told);
    if (svpy_clear_exception() < 0)
        Py_CLEAR(told);
    return told;
}

/* Items that are no number of libsv, but of a dtype of NumPy's: 1, 0 where the dtype is none, or -1. */
static int read_plain_items(PyObject *given, struct svpy_items *out)
{
    PyObject *function = svpy_helper("strideview._items", "plain");
    PyObject *answer = function == NULL ? NULL : PyObject_CallOneArg(function, given), *kept;
    long long itemsize;
    int found = -1;

    Py_XDECREF(function);
    if (answer == Py_None) {
        found = 0;
    } else if (answer != NULL && PyArg_ParseTuple(answer, "OL", &kept, &itemsize)) {
        out->dtype = SV_OPAQUE;
        out->itemsize = itemsize;
        out->kept = kept == Py_None ? NULL : Py_NewRef(kept);
        found = 1;
    }
    Py_XDECREF(answer);
    return found;
}

int svpy_read_items(PyObject *given, struct svpy_items *out)
{
    PyObject *type, *value, *traceback;
    int found;

    *out = (struct svpy_items){SV_OPAQUE, 0, NULL};
    if (svpy_dtype(given, &out->dtype) == 0) {
        out->itemsize = sv_dtype_itemsize(out->dtype);
        return 0;
    }
    if (!PyErr_ExceptionMatches(PyExc_TypeError))
        return -1;
    PyErr_Fetch(&type, &value, &traceback);
    found = read_plain_items(given, out);
    if (found == 0) {
        PyErr_Restore(type, value, traceback);
        return -1;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return found < 0 ? -1 : 0;
}
