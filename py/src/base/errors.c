/* sv_status as a Python exception. */
#include "base/errors.h"

#include "base/helper.h"
#include "base/state.h"

/* Exceptions of the package. Until it is imported, RuntimeError stands for them. */
PyObject *svpy_bounds_error(void)
{
    const struct svpy_state *state = svpy_here();

    return state == NULL ? PyExc_RuntimeError : state->bounds_error;
}

PyObject *svpy_copy_error(void)
{
    const struct svpy_state *state = svpy_here();

    return state == NULL ? PyExc_RuntimeError : state->copy_error;
}

PyObject *svpy_protocol_error(void)
{
    const struct svpy_state *state = svpy_here();

    return state == NULL ? PyExc_RuntimeError : state->protocol_error;
}

/* One row for each status: what is raised in general, and while memory is exchanged. */
static const struct {
    sv_status status;
    PyObject **general;
    PyObject **exchange;
} exceptions[] = {
    {SV_ERROR_NULL, &PyExc_ValueError, &PyExc_BufferError},
    {SV_ERROR_INVALID, &PyExc_ValueError, &PyExc_ValueError},
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

/* Flags in messages of libsv, and the keywords that Python's callers know them by. */
static const struct {
    const char *flag, *keyword;
} words[] = {
    {"SV_COPY_CAST_UNSAFE", "casting='unsafe'"},
    {"SV_COPY_CAST", "casting='same_kind'"},
    {"SV_COPY_SWAP", "byteswap=True"},
    {"SV_COPY_NON_TEMPORAL", "non_temporal=True"},
    {"sv_allocator_device()", "sv.memory.device()"},
};

/* sv_last_message() with Python's keywords, written to room where it changes. */
static const char *translate_message(char *room, size_t size)
{
    const char *message = sv_last_message();

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(message, words[i].flag);

        if (at == NULL)
            continue;
        PyOS_snprintf(room, size, "%.*s%s%s", (int)(at - message), message, words[i].keyword,
                      at + strlen(words[i].flag));
        return room;
    }
    return message;
}

static void *raise_by_table(sv_status status, int exchange)
{
    char room[576];
    const char *message = translate_message(room, sizeof room);

    if (status == SV_ERROR_INDEX) {
        PyErr_SetString(svpy_bounds_error(), message);
        return NULL;
    }
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
    return raise_by_table(status, 0);
}

void *svpy_raise_exchange(sv_status status)
{
    return raise_by_table(status, 1);
}

void *svpy_no_memory(int64_t nbytes)
{
    PyErr_Format(PyExc_MemoryError, "no memory for %lld bytes", (long long)nbytes);
    return NULL;
}

PyObject *svpy_new_bytes(int64_t nbytes)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)nbytes);

    if (bytes == NULL && (PyErr_ExceptionMatches(PyExc_MemoryError) || PyErr_ExceptionMatches(PyExc_OverflowError)))
        svpy_no_memory(nbytes);
    return bytes;
}

PyObject *svpy_decided(sv_status status, sv_answer answer)
{
    const struct svpy_state *state;

    if (status != SV_OK)
        return svpy_raise(status);
    if (answer != SV_MAYBE)
        return PyBool_FromLong(answer == SV_YES);
    state = svpy_here();
    if (state != NULL)
        PyErr_SetString(state->too_hard_error,
                        "elements that share a byte were neither found nor ruled out; more work might");
    return NULL;
}

/* For Python code of the package that calls libsv through cffi. */
static PyObject *raise_status(PyObject *Py_UNUSED(self), PyObject *status)
{
    const long number = PyLong_AsLong(status);

    return number == -1 && PyErr_Occurred() ? NULL : svpy_raise((sv_status)number);
}

static PyMethodDef functions[] = {
    {"_raise", raise_status, METH_O, PyDoc_STR("Raise the exception of a status, with the thread's message.")},
    {NULL, NULL, 0, NULL},
};

static PyObject *new_exception(PyObject *module, const char *name, const char *qualified, const char *doc,
                               PyObject *first, PyObject *second)
{
    PyObject *bases = second == NULL ? PyTuple_Pack(1, first) : PyTuple_Pack(2, first, second);
    PyObject *exception = bases == NULL ? NULL : PyErr_NewExceptionWithDoc(qualified, doc, bases, NULL);

    Py_XDECREF(bases);
    if (exception == NULL || PyModule_AddObjectRef(module, name, exception) < 0)
        Py_CLEAR(exception);
    return exception;
}

int svpy_errors_init(struct svpy_state *state, PyObject *module)
{
    state->bounds_error = new_exception(module, "BoundsError", "strideview.BoundsError",
                                        "An index or an axis outside the array.", PyExc_ValueError, PyExc_IndexError);
    state->copy_error = new_exception(module, "CopyError", "strideview.CopyError",
                                      "Only a copy could do what was asked, and copying was forbidden.",
                                      PyExc_BufferError, PyExc_ValueError);
    state->protocol_error = new_exception(module, "ProtocolError", "strideview.ProtocolError",
                                          "An object that speaks no protocol by which its memory could be viewed.",
                                          PyExc_TypeError, PyExc_BufferError);
    state->too_hard_error = new_exception(module, "TooHardError", "strideview.TooHardError",
                                          "A question that was not decided within its work limit.",
                                          PyExc_RuntimeError, NULL);
    return state->bounds_error == NULL || state->copy_error == NULL || state->protocol_error == NULL ||
                   state->too_hard_error == NULL ||
                   svpy_add_functions(PyModule_GetDict(module), module, functions) < 0
               ? -1
               : 0;
}
