/*
 * Typed access to the array of an object, by the table of strideview.h and by a Py_buffer: for tests, and for the
 * benchmark of both.
 */
#include <Python.h>

#include <pthread.h>

#include "strideview.h"

static const strideview_api *sv;

/* --- again and again ---------------------------------------------------------- */

/* What a caller reads; kept from being optimised away. */
static volatile int64_t seen;

static int read_by_table(PyObject *object)
{
    strideview_array a;

    if (sv->open(object, STRIDEVIEW_HOST, 0, &a) < 0)
        return -1;
    seen = (int64_t)(intptr_t)a.data + a.ndim + a.shape[0] + a.byte_strides[0] + a.dtype + a.readonly;
    sv->close(&a);
    return 0;
}

static int read_by_handle(PyObject *object)
{
    sv_view *view = sv->acquire(object, STRIDEVIEW_HOST, 0);
    const sv_layout *layout;

    if (view == NULL)
        return -1;
    layout = sv->view_layout(view);
    seen = (int64_t)(intptr_t)sv->view_data(view) + sv->layout_ndim(layout) + sv->layout_shape(layout)[0] +
           sv->layout_byte_strides(layout)[0] + sv->view_dtype(view) + sv->view_is_readonly(view);
    sv->view_release(view);
    return 0;
}

static int read_by_buffer(PyObject *object)
{
    Py_buffer buffer;

    if (PyObject_GetBuffer(object, &buffer, PyBUF_FULL_RO) < 0)
        return -1;
    seen = (int64_t)(intptr_t)buffer.buf + buffer.ndim + buffer.shape[0] + buffer.strides[0] + buffer.format[0] +
           buffer.readonly;
    PyBuffer_Release(&buffer);
    return 0;
}

static PyObject *repeat(PyObject *args, int (*read)(PyObject *object))
{
    PyObject *object;
    long count;

    if (!PyArg_ParseTuple(args, "Ol", &object, &count))
        return NULL;
    for (long i = 0; i < count; i++) {
        if (read(object) < 0)
            return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *by_table(PyObject *module, PyObject *args)
{
    (void)module;
    return repeat(args, read_by_table);
}

static PyObject *by_handle(PyObject *module, PyObject *args)
{
    (void)module;
    return repeat(args, read_by_handle);
}

static PyObject *by_buffer(PyObject *module, PyObject *args)
{
    (void)module;
    return repeat(args, read_by_buffer);
}

/* --- where a view is released --------------------------------------------------- */

static void *release(void *view)
{
    sv->view_release(view);
    return NULL;
}

static void *close_array(void *array)
{
    sv->close(array);
    return NULL;
}

/* With the lock, without it, and on a thread that Python does not know: 0, 1, 2. */
static void end(void *(*how)(void *what), void *what, int place)
{
    pthread_t thread;

    if (place == 0) {
        how(what);
        return;
    }
    Py_BEGIN_ALLOW_THREADS
    if (place == 1)
        how(what);
    else if (pthread_create(&thread, NULL, how, what) == 0)
        pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
}

static PyObject *close_at(PyObject *module, PyObject *args)
{
    strideview_array array;
    PyObject *object;
    int place;

    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &object, &place) || sv->open(object, 0, 0, &array) < 0)
        return NULL;
    end(close_array, &array, place);
    sv->close(&array); /* does nothing */
    Py_RETURN_NONE;
}

static PyObject *release_at(PyObject *module, PyObject *args)
{
    PyObject *object;
    sv_view *view;
    int place;

    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &object, &place) || (view = sv->acquire(object, 0, 0)) == NULL)
        return NULL;
    end(release, view, place);
    Py_RETURN_NONE;
}

/* --- the table itself -------------------------------------------------------------- */

static PyObject *tuple(const int64_t *values, int32_t count)
{
    PyObject *result = PyTuple_New(count);

    for (int32_t i = 0; result != NULL && i < count; i++)
        PyTuple_SET_ITEM(result, i, PyLong_FromLongLong(values[i]));
    return result;
}

/* What open(object, flags, stream) tells, as the examples' facts() do; then size and item size. */
static PyObject *opened(PyObject *module, PyObject *args)
{
    strideview_array a;
    PyObject *object, *result;
    unsigned flags;
    long long stream;
    char dtype[32];

    (void)module;
    if (!PyArg_ParseTuple(args, "OIL", &object, &flags, &stream) || sv->open(object, flags, stream, &a) < 0)
        return NULL;
    sv->dtype_name(a.dtype, sizeof dtype, dtype, NULL);
    result = Py_BuildValue("KNNsN(ii)LL", (unsigned long long)(uintptr_t)a.data, tuple(a.shape, a.ndim),
                           tuple(a.byte_strides, a.ndim), dtype, PyBool_FromLong(a.readonly), (int)a.device_type,
                           (int)a.device_id, (long long)a.size, (long long)a.itemsize);
    sv->close(&a);
    return result;
}

/* acquire(object, flags, stream) as a StridedMemoryView. */
static PyObject *acquire(PyObject *module, PyObject *args)
{
    PyObject *object, *result;
    unsigned flags;
    long long stream;
    sv_view *view;

    (void)module;
    if (!PyArg_ParseTuple(args, "OIL", &object, &flags, &stream) ||
        (view = sv->acquire(object, flags, stream)) == NULL)
        return NULL;
    result = sv->view_object(view, object);
    sv->view_release(view);
    return result;
}

/* open_as(object, flags, name of a dtype or None, ndim) as the address, or NULL with an exception, and what is open
 * then is closed. */
static PyObject *open_as(PyObject *module, PyObject *args)
{
    strideview_array a;
    PyObject *object;
    const char *name;
    sv_dtype dtype = SV_OPAQUE;
    int flags, ndim;

    (void)module;
    if (!PyArg_ParseTuple(args, "Oizi", &object, &flags, &name, &ndim))
        return NULL;
    if (name != NULL && sv->dtype_parse(name, &dtype) != SV_OK)
        return sv->set_error(SV_ERROR_DTYPE);
    if (sv->open_as(object, (uint32_t)flags, dtype, ndim, 0, &a) < 0)
        return NULL;
    object = PyLong_FromVoidPtr(a.data);
    sv->close(&a);
    return object;
}

/* The handle of a view, or of a layout, and an object of it again. */
static PyObject *again(PyObject *module, PyObject *object)
{
    (void)module;
    if (PyObject_TypeCheck(object, sv->layout_type)) {
        const sv_layout *layout = sv->layout_of(object);

        return layout == NULL ? NULL : sv->layout_object(layout);
    } else {
        const sv_view *view = sv->view_of(object);

        return view == NULL ? NULL : sv->view_object(view, object);
    }
}

static PyObject *of_null(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    return sv->view_object(NULL, NULL);
}

static PyObject *failed(PyObject *module, PyObject *none)
{
    sv_layout *layout = NULL;

    (void)module;
    (void)none;
    return sv->set_error(sv->layout_new(-1, NULL, NULL, 1, &layout));
}

/* (bytes of the table, ABI version, release, whether there is an instance mark) */
static PyObject *mark(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    return Py_BuildValue("Iisi", sv->size, sv->abi, sv->release, sv->instance != NULL);
}

/* A capsule as another release of the package would have it: a table of so many bytes less, of another ABI version. */
static PyObject *other_table(PyObject *module, PyObject *args)
{
    static strideview_api other;
    int less, newer;

    (void)module;
    if (!PyArg_ParseTuple(args, "ii", &less, &newer))
        return NULL;
    other = *sv;
    other.size -= (uint32_t)less;
    other.abi += newer;
    other.release = "9.8.7";
    return PyCapsule_New(&other, STRIDEVIEW_CAPSULE, NULL);
}

static PyObject *import_table(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    return strideview_import() == NULL ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"by_table", by_table, METH_VARARGS, NULL},
    {"by_handle", by_handle, METH_VARARGS, NULL},
    {"by_buffer", by_buffer, METH_VARARGS, NULL},
    {"release_at", release_at, METH_VARARGS, NULL},
    {"close_at", close_at, METH_VARARGS, NULL},
    {"opened", opened, METH_VARARGS, NULL},
    {"acquire", acquire, METH_VARARGS, NULL},
    {"open_as", open_as, METH_VARARGS, NULL},
    {"again", again, METH_O, NULL},
    {"of_null", of_null, METH_NOARGS, NULL},
    {"failed", failed, METH_NOARGS, NULL},
    {"mark", mark, METH_NOARGS, NULL},
    {"other_table", other_table, METH_VARARGS, NULL},
    {"import_table", import_table, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "access", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_access(void)
{
    PyObject *module;

    sv = strideview_import();
    module = sv == NULL ? NULL : PyModule_Create(&definition);
    if (module != NULL) {
        PyModule_AddIntMacro(module, STRIDEVIEW_WRITABLE);
        PyModule_AddIntMacro(module, STRIDEVIEW_HOST);
        PyModule_AddIntMacro(module, STRIDEVIEW_DLPACK);
        PyModule_AddIntMacro(module, STRIDEVIEW_C_ORDER);
        PyModule_AddIntMacro(module, STRIDEVIEW_F_ORDER);
    }
    return module;
}
