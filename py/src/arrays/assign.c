/*
 * view[key] = value: a number to every element, or a copy of an array, which is broadcast. The key is one of basic
 * indexing, or names fields of records.
 */
#include "arrays/assign.h"

#include "arrays/index.h"
#include "arrays/rearrange.h"
#include "arrays/view_as.h"
#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "copies/byteorder.h"
#include "copies/copy.h"
#include "copies/fill.h"
#include "execution/stream.h"
#include "objects/kept_dtype.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

#define HANDLE(object) (((svpy_view *)(object))->handle)
#define LAYOUT(object) sv_view_layout(HANDLE(object))

/* --- a key ---------------------------------------------------------------------- */

/* The part of each record that a field, or a list of fields, is. */
static PyObject *find_field(PyObject *self, PyObject *key)
{
    PyObject *function = svpy_helper("strideview._items", "field"), *part = NULL, *made = NULL;
    PyObject *layout, *dtype, *kept;

    if (function != NULL)
        part = PyObject_CallFunctionObjArgs(function, self, key, NULL);
    if (part != NULL && PyArg_ParseTuple(part, "OOO", &layout, &dtype, &kept)) {
        made = svpy_view_as(self, layout, dtype);
        if (made != NULL && kept != Py_None)
            Py_XSETREF(((svpy_view *)made)->kept, Py_NewRef(kept));
    }
    Py_XDECREF(part);
    Py_XDECREF(function);
    return made;
}

PyObject *svpy_view_subscript(PyObject *self, PyObject *key)
{
    return PyUnicode_Check(key) || PyList_Check(key) ? find_field(self, key) : svpy_subscript(self, key);
}

/* --- a value -------------------------------------------------------------------- */

/* The source without leading axes of extent 1 that the target lacks, as NumPy drops them. New reference. */
static PyObject *drop_leading(const svpy_view *target, PyObject *source)
{
    const sv_layout *layout = LAYOUT(source);
    const int32_t more = sv_layout_ndim(layout) - sv_layout_ndim(LAYOUT(target));

    for (int32_t i = 0; i < more; i++)
        if (sv_layout_shape(layout)[i] != 1)
            return Py_NewRef(source); /* the copy tells what is wrong */
    return more <= 0 ? Py_NewRef(source) : svpy_squeeze_leading(source, more);
}

/* An assignment has no casting=, so its exception also names the call that has. */
static void tell_how_to_cast(const svpy_view *target, PyObject *source)
{
    PyObject *type, *value, *traceback;

    if (sv_view_dtype(target->handle) == SV_OPAQUE || sv_view_dtype(HANDLE(source)) == SV_OPAQUE)
        return;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_Format(type, "%S: sv.copy(dst, x, casting='unsafe')", value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

static int assign_array(svpy_view *target, PyObject *value)
{
    PyObject *source = svpy_import_source(target->state, value, NULL), *fitting;
    int failed = 1;

    if (source == NULL)
        return -1;
    fitting = drop_leading(target, source);
    if (fitting != NULL)
        failed = svpy_copy_converted(target, (svpy_view *)fitting, target->state->names.same_kind) < 0;
    if (failed && PyErr_ExceptionMatches(PyExc_TypeError))
        tell_how_to_cast(target, source);
    Py_XDECREF(fitting);
    Py_DECREF(source);
    return failed ? -1 : 0;
}

/* Write the bytes of one opaque item to every element. */
static int assign_bytes(svpy_view *target, PyObject *value)
{
    const int64_t itemsize = sv_layout_itemsize(LAYOUT(target));
    sv_layout *layout = NULL;
    sv_view *item = NULL;
    sv_status status;
    Py_buffer buffer;
    PyObject *source;
    int failed = 1;

    if (PyObject_GetBuffer(value, &buffer, PyBUF_SIMPLE) < 0)
        return -1;
    if (buffer.len != itemsize) {
        PyErr_Format(PyExc_ValueError, "%zd bytes for items of %lld", buffer.len, (long long)itemsize);
        PyBuffer_Release(&buffer);
        return -1;
    }
    status = sv_layout_new(0, NULL, NULL, itemsize, &layout);
    if (status == SV_OK)
        status = sv_view_new(layout, SV_OPAQUE, buffer.buf, 0, itemsize, SV_DEVICE_CPU, 0, SV_READ_ONLY, NULL, NULL,
                             &item);
    sv_layout_release(layout);
    source = status == SV_OK ? svpy_view_wrap(target->state, item, NULL, SVPY_NOTHING) : svpy_raise(status);
    if (source != NULL)
        failed = svpy_copy_converted(target, (svpy_view *)source, target->state->names.same_kind) < 0;
    Py_XDECREF(source);
    PyBuffer_Release(&buffer);
    return failed ? -1 : 0;
}

/* Write a value that NumPy packs into one item: a tuple for a record, a text, a date. */
static int assign_packed(svpy_view *target, PyObject *kept, PyObject *value)
{
    PyObject *function = svpy_helper("strideview._items", "packed");
    PyObject *bytes = function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, value, kept, NULL);
    int failed = bytes == NULL || assign_bytes(target, bytes) < 0;

    Py_XDECREF(bytes);
    Py_XDECREF(function);
    return failed ? -1 : 0;
}

/* Copy an array of equal items. view() refuses numbers of the other byte order, but their bytes can be copied. */
static int assign_equal(svpy_view *target, PyObject *kept, PyObject *value)
{
    PyObject *function = svpy_helper("strideview._items", "assignable");
    PyObject *viewed = function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, value, kept, NULL);
    int failed = viewed == NULL || assign_array(target, viewed) < 0;

    Py_XDECREF(viewed);
    Py_XDECREF(function);
    return failed ? -1 : 0;
}

static int assign_opaque(svpy_view *target, PyObject *value)
{
    PyObject *kept;
    int failed, swapped = 0;

    if ((PyBytes_Check(value) || PyByteArray_Check(value)) &&
        PyObject_Size(value) == sv_layout_itemsize(LAYOUT(target)))
        return assign_bytes(target, value);
    kept = svpy_kept_dtype(target);
    if (kept == NULL)
        return PyErr_Occurred() ? -1 : assign_array(target, value);
    if (!svpy_is_number(value) && !PyObject_CheckBuffer(value))
        swapped = svpy_is_swapped(kept);
    if (swapped < 0)
        failed = -1;
    else if (PyObject_CheckBuffer(value) && PySequence_Check(value) && !PyBytes_Check(value))
        failed = assign_equal(target, kept, value);
    else if (swapped)
        failed = assign_array(target, value);
    else
        failed = assign_packed(target, kept, value);
    Py_DECREF(kept);
    return failed;
}

static int assign_value(svpy_view *target, PyObject *value)
{
    PyObject *filled, *error[3];

    if (sv_view_dtype(target->handle) == SV_OPAQUE)
        return assign_opaque(target, value);
    if (!svpy_is_number(value))
        return assign_array(target, value);
    filled = svpy_view_fill((PyObject *)target, &value, 1, NULL);
    Py_XDECREF(filled);
    if (filled != NULL || !PyObject_CheckBuffer(value) || !PyErr_ExceptionMatches(PyExc_TypeError))
        return filled != NULL ? 0 : -1;
    PyErr_Fetch(&error[0], &error[1], &error[2]); /* a scalar of NumPy's of another kind */
    for (int k = 0; k < 3; k++)
        Py_XDECREF(error[k]);
    return assign_array(target, value);
}

int svpy_view_assign(PyObject *self, PyObject *key, PyObject *value)
{
    PyObject *target;
    int failed;

    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "elements of a view cannot be deleted");
        return -1;
    }
    target = svpy_view_subscript(self, key);
    if (target == NULL)
        return -1;
    failed = assign_value((svpy_view *)target, value);
    Py_DECREF(target);
    return failed;
}
