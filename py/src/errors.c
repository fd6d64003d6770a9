/* sv_status as a Python exception. */
#include "svpy.h"

PyObject *svpy_bounds_error;
PyObject *svpy_copy_error;
PyObject *svpy_too_hard_error;

/* One row for each status: what is raised in general, and while memory is exchanged. */
static const struct {
    sv_status status;
    PyObject **general;
    PyObject **exchange;
} exceptions[] = {
    {SV_ERROR_NULL, &PyExc_ValueError, &PyExc_BufferError},
    {SV_ERROR_INVALID, &PyExc_ValueError, &PyExc_ValueError},
    {SV_ERROR_INDEX, &svpy_bounds_error, &svpy_bounds_error},
    {SV_ERROR_RANGE, &PyExc_ValueError, &PyExc_BufferError},
    {SV_ERROR_OVERFLOW, &PyExc_OverflowError, &PyExc_OverflowError},
    {SV_ERROR_DTYPE, &PyExc_TypeError, &PyExc_BufferError},
    {SV_ERROR_LAYOUT, &PyExc_ValueError, &PyExc_BufferError},
    {SV_ERROR_OVERLAP, &PyExc_ValueError, &PyExc_ValueError},
    {SV_ERROR_READ_ONLY, &PyExc_ValueError, &PyExc_BufferError},
    {SV_ERROR_ALIGNMENT, &PyExc_ValueError, &PyExc_BufferError},
    {SV_ERROR_DEVICE, &PyExc_ValueError, &PyExc_BufferError},
    {SV_ERROR_VERSION, &PyExc_BufferError, &PyExc_BufferError},
    {SV_ERROR_PROTOCOL, &PyExc_BufferError, &PyExc_BufferError},
    {SV_ERROR_UNSUPPORTED, &PyExc_NotImplementedError, &PyExc_BufferError},
    {SV_ERROR_MEMORY, &PyExc_MemoryError, &PyExc_MemoryError},
    {SV_ERROR_CUDA, &PyExc_RuntimeError, &PyExc_RuntimeError},
    {SV_ERROR_STATE, &PyExc_RuntimeError, &PyExc_RuntimeError},
    {SV_ERROR_BLOCKED, &PyExc_BufferError, &PyExc_BufferError},
    {SV_ERROR_FORKED, &PyExc_RuntimeError, &PyExc_RuntimeError},
    {SV_ERROR_BUFFER, &PyExc_ValueError, &PyExc_ValueError},
};

static void *raise(sv_status status, int exchange)
{
    const char *message = sv_last_message();

    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        if (exceptions[i].status == status) {
            PyErr_SetString(exchange ? *exceptions[i].exchange : *exceptions[i].general, message);
            return NULL;
        }
    }
    PyErr_Format(PyExc_RuntimeError, "%s: %s", sv_status_name(status), message);
    return NULL;
}

void *svpy_raise(sv_status status)
{
    return raise(status, 0);
}

void *svpy_raise_exchange(sv_status status)
{
    return raise(status, 1);
}

PyObject *svpy_decided(sv_status status, sv_answer answer)
{
    if (status != SV_OK)
        return svpy_raise(status);
    if (answer != SV_MAYBE)
        return PyBool_FromLong(answer == SV_YES);
    PyErr_SetString(svpy_too_hard_error, "elements that share a byte were neither found nor ruled out; more work "
                                         "might");
    return NULL;
}

static PyObject *new_exception(PyObject *names, const char *name, const char *qualified, const char *doc,
                               PyObject *first, PyObject *second)
{
    PyObject *bases = second == NULL ? PyTuple_Pack(1, first) : PyTuple_Pack(2, first, second);
    PyObject *exception = bases == NULL ? NULL : PyErr_NewExceptionWithDoc(qualified, doc, bases, NULL);

    Py_XDECREF(bases);
    if (exception == NULL || PyDict_SetItemString(names, name, exception) < 0)
        Py_CLEAR(exception);
    return exception;
}

int svpy_errors_init(PyObject *names)
{
    svpy_bounds_error = new_exception(names, "BoundsError", "strideview.BoundsError",
                                      "An index or an axis outside the array.", PyExc_ValueError, PyExc_IndexError);
    svpy_copy_error = new_exception(names, "CopyError", "strideview.CopyError",
                                    "Only a copy could do what was asked, and copying was forbidden.",
                                    PyExc_BufferError, PyExc_ValueError);
    svpy_too_hard_error = new_exception(names, "TooHardError", "strideview.TooHardError",
                                        "A question that was not decided within its work limit.", PyExc_RuntimeError,
                                        NULL);
    return svpy_bounds_error == NULL || svpy_copy_error == NULL || svpy_too_hard_error == NULL ? -1 : 0;
}
