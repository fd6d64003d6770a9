/*
 * Opaque items: records, dates, strings, raw bytes. libsv knows only their size,
 * so what they are is asked of the objects that the memory came from, before a
 * copy between two views of them and before a fill. Copies of numbers never come here.
 */
#include "copies/opaque.h"

#include "base/attribute.h"
#include "base/dtype.h"
#include "base/helper.h"
#include "base/state.h"
#include "objects/view_struct.h"
#include "protocols/ndarray.h"
#include "protocols/type_cache.h"

/* What holds the items: the exporter of a view, or the object that a handle was made of. Borrowed; NULL for none. */
static PyObject *exporter_of(const struct svpy_state *state, PyObject *object)
{
    return svpy_is_view(state, object) ? ((svpy_view *)object)->exporter : object;
}

/* The dtype that a view has kept, or answered before. Borrowed; NULL for none: "opaque" tells nothing. */
static PyObject *answered_dtype(const struct svpy_state *state, PyObject *object)
{
    PyObject *dtype = svpy_is_view(state, object) ? ((svpy_view *)object)->dtype : NULL;

    if (svpy_is_view(state, object) && ((svpy_view *)object)->kept != NULL)
        return ((svpy_view *)object)->kept;
    return dtype == NULL || PyUnicode_Check(dtype) ? NULL : dtype;
}

/* The same, or that of an array of NumPy's. Borrowed; NULL for none. */
static PyObject *known_dtype(const struct svpy_state *state, PyObject *object)
{
    PyObject *dtype = answered_dtype(state, object), *exporter = exporter_of(state, object);

    return dtype == NULL && exporter != NULL && svpy_is_ndarray(state, exporter) ? svpy_ndarray_dtype(exporter) : dtype;
}

/* The same, or the dtype of the exporter. New reference; NULL, mostly without an exception, where neither tells. */
static PyObject *told_dtype(const struct svpy_state *state, PyObject *object)
{
    PyObject *dtype = known_dtype(state, object), *exporter = exporter_of(state, object);

    if (dtype != NULL)
        return Py_NewRef(dtype);
    return exporter == NULL ? NULL : svpy_try_attribute_text(exporter, "dtype");
}

/* Whether both tell of equal dtypes, as in most copies: 1, 0, or -1 with an exception. */
static int are_told_equal(const struct svpy_state *state, PyObject *dst, PyObject *src)
{
    PyObject *target = told_dtype(state, dst), *source = target == NULL ? NULL : told_dtype(state, src);
    int equal = PyErr_Occurred() ? -1 : 0;

    if (source != NULL)
        equal = PyObject_RichCompareBool(target, source, Py_EQ);
    Py_XDECREF(source);
    Py_XDECREF(target);
    return equal;
}

/* Raw bytes tell nothing, also where somebody chose them. */
static PyObject *identity_of_kept(const svpy_view *view, int64_t itemsize)
{
    PyObject *function = svpy_helper("strideview._items", "known"), *found = NULL;

    if (function != NULL)
        found = PyObject_CallFunction(function, "OL", view->kept, (long long)itemsize);
    Py_XDECREF(function);
    return found;
}

/* The dtype of the items, text of a protocol, or None where nothing is known. New reference; NULL with an exception. */
static PyObject *find_identity(const struct svpy_state *state, PyObject *object, int64_t itemsize)
{
    PyObject *dtype = answered_dtype(state, object), *exporter = exporter_of(state, object), *function, *found;

    if (svpy_is_view(state, object) && ((svpy_view *)object)->kept != NULL)
        return identity_of_kept((svpy_view *)object, itemsize);
    if (dtype != NULL)
        return Py_NewRef(dtype);
    if (exporter == NULL)
        Py_RETURN_NONE;
    function = svpy_helper("strideview._items", "identity");
    found = function == NULL ? NULL : PyObject_CallFunction(function, "OL", exporter, (long long)itemsize);
    Py_XDECREF(function);
    return found;
}

/* Whether identities are equal, or one is missing. */
static int are_alike(const struct svpy_state *state, PyObject *dst, PyObject *src, int64_t itemsize)
{
    PyObject *target = find_identity(state, dst, itemsize);
    PyObject *source = target == NULL ? NULL : find_identity(state, src, itemsize);
    int alike = source == NULL ? -1 : 1;

    if (source != NULL && target != Py_None && source != Py_None)
        alike = PyObject_RichCompareBool(target, source, Py_EQ);
    if (alike == 0)
        PyErr_Format(PyExc_TypeError, "dst holds items of %S, src of %S: items that are no number are copied between "
                     "equal dtypes only, whatever casting says", target, source);
    Py_XDECREF(source);
    Py_XDECREF(target);
    return alike;
}

int svpy_check_opaque(const struct svpy_state *state, PyObject *dst, PyObject *src, int64_t itemsize)
{
    PyObject *known = known_dtype(state, dst);
    int equal = known != NULL && known == known_dtype(state, src) ? 1 : are_told_equal(state, dst, src);

    if (equal == 0)
        equal = are_alike(state, dst, src, itemsize);
    return equal == 1 ? 0 : -1;
}

/* The dtype of one side of a copy, or the name of its numbers; None for bytes of unknown meaning. New reference. */
static PyObject *find_side(const struct svpy_state *state, const sv_view *view, PyObject *object)
{
    if (sv_view_dtype(view) != SV_OPAQUE)
        return svpy_dtype_name(sv_view_dtype(view));
    return find_identity(state, object, sv_layout_itemsize(sv_view_layout(view)));
}

int svpy_refuse_items(const struct svpy_state *state, const sv_view *target, PyObject *dst, const sv_view *source,
                      PyObject *src)
{
    PyObject *function = svpy_helper("strideview._items", "refusal"), *to = NULL, *from = NULL, *text = NULL;

    if (function != NULL)
        to = find_side(state, target, dst);
    if (to != NULL)
        from = find_side(state, source, src);
    if (from != NULL)
        text = PyObject_CallFunction(function, "OLOL", to, (long long)sv_layout_itemsize(sv_view_layout(target)), from,
                                     (long long)sv_layout_itemsize(sv_view_layout(source)));
    if (text != NULL)
        PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(text);
    Py_XDECREF(from);
    Py_XDECREF(to);
    Py_XDECREF(function);
    return -1;
}

/* Whether a value of a scalar or an array is a number: 1, 0, or -1 with an exception. */
static int has_number_dtype(const struct svpy_state *state, PyObject *value)
{
    PyObject *told = told_dtype(state, value);
    sv_dtype dtype = SV_OPAQUE;
    int number = told != NULL && svpy_dtype(told, &dtype) == 0 && dtype != SV_OPAQUE;

    Py_XDECREF(told);
    return svpy_clear_exception() < 0 ? -1 : number;
}

/* A number has no bytes of an item that is known to be none: filling is not casting. */
static int check_number(const svpy_view *view, PyObject *value, int64_t itemsize)
{
    PyObject *target = find_identity(view->state, (PyObject *)view, itemsize);
    int failed = target != Py_None;

    if (target != NULL && failed)
        PyErr_Format(PyExc_TypeError, "items of %S are filled with bytes or with one of them, not with a number (%s): "
                     "view[...] = value packs it",
                     target, Py_TYPE(value)->tp_name);
    Py_XDECREF(target);
    return failed ? -1 : 0;
}

int svpy_check_filling(const svpy_view *view, PyObject *value, int64_t itemsize)
{
    int number;

    if (PyBytes_CheckExact(value) || PyByteArray_CheckExact(value))
        return 0;
    number = PyLong_Check(value) || PyFloat_Check(value) || PyComplex_Check(value) ? 1
                                                                               : has_number_dtype(view->state, value);
    if (number != 0)
        return number < 0 ? -1 : check_number(view, value, itemsize);
    return svpy_check_opaque(view->state, (PyObject *)view, value, itemsize);
}
