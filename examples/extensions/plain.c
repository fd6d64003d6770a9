/*
 * An extension module that takes any array, in plain C.
 *
 *     cc -shared -fPIC $(python3-config --includes) -I$(python3 -c 'import strideview; print(strideview.get_include())') \
 *         plain.c -o plain.so
 *     python3 -c 'import numpy, plain; print(plain.total(numpy.ones((3, 4)).T))'
 */
#include <Python.h>

#include "strideview.h"

static const strideview_api *sv;

/* --- reading: the sum of the elements ----------------------------------------- */

static double sum(const char *at, int32_t ndim, const int64_t *shape, const int64_t *strides)
{
    double result = 0;

    if (ndim == 0)
        return *(const double *)at;
    for (int64_t i = 0; i < *shape; i++)
        result += sum(at + i * *strides, ndim - 1, shape + 1, strides + 1);
    return result;
}

/* An array of float64 numbers that the host can read. 0, or -1 with an exception. */
static int open_numbers(PyObject *object, uint32_t flags, strideview_array *array)
{
    if (sv->open(object, STRIDEVIEW_HOST | flags, 0, array) < 0)
        return -1;
    if (array->dtype == SV_FLOAT64)
        return 0;
    sv->close(array);
    PyErr_SetString(PyExc_TypeError, "float64 is needed");
    return -1;
}

static PyObject *total(PyObject *module, PyObject *object)
{
    strideview_array array;
    double result = 0;

    (void)module;
    if (open_numbers(object, 0, &array) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS /* the memory stays until the array is closed */
        if (array.size > 0) result = sum(array.data, array.ndim, array.shape, array.byte_strides);
    sv->close(&array);
    Py_END_ALLOW_THREADS return PyFloat_FromDouble(result);
}

/* --- writing: every element times a factor -------------------------------------- */

static void multiply(char *at, int32_t ndim, const int64_t *shape, const int64_t *strides, double factor)
{
    if (ndim == 0)
        *(double *)at *= factor;
    for (int64_t i = 0; ndim > 0 && i < *shape; i++)
        multiply(at + i * *strides, ndim - 1, shape + 1, strides + 1, factor);
}

static PyObject *scale(PyObject *module, PyObject *args)
{
    strideview_array array;
    PyObject *object;
    double factor;

    (void)module;
    if (!PyArg_ParseTuple(args, "Od", &object, &factor) || open_numbers(object, STRIDEVIEW_WRITABLE, &array) < 0)
        return NULL;
    if (array.size > 0)
        multiply(array.data, array.ndim, array.shape, array.byte_strides, factor);
    sv->close(&array);
    Py_RETURN_NONE;
}

/* --- asking, here by a handle: what a view says of the memory ------------------------ */

static PyObject *tuple(const int64_t *values, int32_t count)
{
    PyObject *result = PyTuple_New(count);

    for (int32_t i = 0; result != NULL && i < count; i++)
        PyTuple_SET_ITEM(result, i, PyLong_FromLongLong(values[i]));
    return result;
}

/* (address, shape, strides in bytes, dtype, readonly, device) */
static PyObject *facts(PyObject *module, PyObject *object)
{
    sv_view *view = sv->acquire(object, 0, 0);
    const sv_layout *layout;
    PyObject *result;
    char dtype[32];

    (void)module;
    if (view == NULL)
        return NULL;
    layout = sv->view_layout(view);
    sv->dtype_name(sv->view_dtype(view), sizeof dtype, dtype, NULL);
    result = Py_BuildValue("KNNsN(ii)", (unsigned long long)(uintptr_t)sv->view_data(view),
                           tuple(sv->layout_shape(layout), sv->layout_ndim(layout)),
                           tuple(sv->layout_byte_strides(layout), sv->layout_ndim(layout)), dtype,
                           PyBool_FromLong(sv->view_is_readonly(view)), (int)sv->view_device_type(view),
                           (int)sv->view_device_id(view));
    sv->view_release(view);
    return result;
}

/* --- making: another view of the same memory, as an object of Python ----------------- */

static PyObject *mirrored(PyObject *module, PyObject *object)
{
    sv_view *view = sv->acquire(object, 0, 0), *made = NULL;
    sv_layout *layout = NULL;
    PyObject *result;
    sv_status status;

    (void)module;
    if (view == NULL)
        return NULL;
    status = sv->layout_flip(sv->view_layout(view), 0, NULL, &layout);
    if (status == SV_OK)
        status = sv->view_with_layout(view, layout, &made);
    result = status == SV_OK ? sv->view_object(made, object) : sv->set_error(status);
    sv->view_release(made);
    sv->layout_release(layout);
    sv->view_release(view);
    return result;
}

/* --- the module --------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"total", total, METH_O, "total(array): the sum of float64 elements."},
    {"scale", scale, METH_VARARGS, "scale(array, factor): multiply float64 elements in place."},
    {"facts", facts, METH_O, "facts(array): (address, shape, strides in bytes, dtype, readonly, device)."},
    {"mirrored", mirrored, METH_O, "mirrored(array): a view with every axis the other way round."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "plain", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_plain(void)
{
    sv = strideview_import();
    return sv == NULL ? NULL : PyModule_Create(&definition);
}
