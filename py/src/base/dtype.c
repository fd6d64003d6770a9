/* sv_dtype and the dtypes of Python: names, type strings, NumPy's dtypes. */
#include "base/dtype.h"

#include "base/attribute.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"

PyObject *svpy_dtype_name(sv_dtype dtype)
{
    char text[64];
    size_t length;
    sv_status status = sv_dtype_name(dtype, sizeof text, text, &length);

    return status == SV_OK ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)length) : svpy_raise(status);
}

/* Ask the package's Python code, which uses NumPy where it is loaded. */
static PyObject *find_object(sv_dtype dtype)
{
    PyObject *function = svpy_helper("strideview._dtype", "public"), *name = NULL, *found = NULL;
    char typestr[64] = "";

    if (function != NULL)
        name = svpy_dtype_name(dtype);
    if (name != NULL) {
        sv_dtype_typestr(dtype, sizeof typestr, typestr, NULL);
        found = PyObject_CallFunction(function, "Os", name, typestr);
    }
    Py_XDECREF(name);
    Py_XDECREF(function);
    return found;
}

enum { MOST_KEPT = 1024 }; /* there are 65,535 vectors of each type */

PyObject *svpy_dtype_object(struct svpy_state *state, sv_dtype dtype)
{
    PyObject *key, *found;

    key = PyLong_FromUnsignedLong(dtype);
    if (key == NULL)
        return NULL;
    found = Py_XNewRef(PyDict_GetItemWithError(state->dtypes, key));
    if (found == NULL && !PyErr_Occurred()) {
        found = find_object(dtype);
        if (PyDict_GET_SIZE(state->dtypes) >= MOST_KEPT)
            PyDict_Clear(state->dtypes);
        if (found != NULL && PyDict_SetItem(state->dtypes, key, found) < 0)
            Py_CLEAR(found);
    }
    Py_DECREF(key);
    return found;
}

static int parse_dtype(PyObject *text, sv_dtype *out)
{
    const char *utf8 = svpy_utf8(text);
    sv_status status;

    if (utf8 == NULL)
        return -1;
    status = sv_dtype_parse(utf8, out);
    /* "<f4" and ">f4" are type strings; a name starts with a letter. */
    if (status == SV_ERROR_DTYPE && utf8[0] != '\0' && strchr("<>=|", utf8[0]) != NULL)
        status = sv_dtype_from_typestr(utf8, out);
    if (status == SV_OK)
        return 0;
    svpy_raise(status == SV_ERROR_UNSUPPORTED ? SV_ERROR_DTYPE : status);
    return -1;
}

/* Ask the package's Python code, which takes a microsecond. */
static int find_dtype(PyObject *object, sv_dtype *out)
{
    const char *name = PyUnicode_Check(object) ? svpy_utf8(object) : NULL;
    PyObject *function, *text;
    int failed;

    if (name != NULL && sv_dtype_parse(name, out) == SV_OK)
        return 0;
    if (PyErr_Occurred())
        return -1;
    function = svpy_helper("strideview._dtype", "text");
    if (function == NULL)
        return -1;
    text = PyObject_CallOneArg(function, object);
    Py_DECREF(function);
    if (text == NULL)
        return -1;
    failed = parse_dtype(text, out);
    Py_DECREF(text);
    return failed;
}

/* Texts, and types that live as long as the process, mean the same dtype each time: float, numpy.float32. */
static bool can_be_kept(PyObject *object)
{
    return PyUnicode_CheckExact(object) ||
           (PyType_CheckExact(object) && !PyType_HasFeature((PyTypeObject *)object, Py_TPFLAGS_HEAPTYPE));
}

static int keep_dtype(PyObject *known, PyObject *object, sv_dtype dtype)
{
    PyObject *value = PyLong_FromUnsignedLong(dtype);
    int failed;

    if (PyDict_GET_SIZE(known) >= MOST_KEPT)
        PyDict_Clear(known);
    failed = value == NULL || PyDict_SetItem(known, object, value) < 0;
    Py_XDECREF(value);
    return failed ? -1 : 0;
}

int svpy_dtype(PyObject *object, sv_dtype *out)
{
    struct svpy_state *state = can_be_kept(object) ? svpy_here() : NULL;
    PyObject *value = state == NULL ? NULL : PyDict_GetItemWithError(state->known_dtypes, object);

    if (value != NULL) {
        *out = (sv_dtype)PyLong_AsUnsignedLong(value);
        return 0;
    }
    if (PyErr_Occurred() || find_dtype(object, out) < 0)
        return -1;
    return state == NULL ? 0 : keep_dtype(state->known_dtypes, object, *out);
}
