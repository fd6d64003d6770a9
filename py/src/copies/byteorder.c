/*
 * Numbers in the other byte order. Their views are opaque to libsv and keep the dtype, so a copy that meets numbers is
 * refused; only then strideview._byteorder is asked whether it is a copy that swaps bytes. Other copies pay nothing.
 */
#include "copies/byteorder.h"

#include "base/helper.h"

static PyObject *call_helper(const char *name, PyObject *first, PyObject *second, PyObject *third)
{
    PyObject *function = svpy_helper("strideview._byteorder", name);
    PyObject *answer;

    answer = function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, first, second, third, NULL);
    Py_XDECREF(function);
    return answer;
}

/* The truth of an answer, whose reference is taken: 1, 0, or -1. */
static int truth_of(PyObject *answer)
{
    const int truth = answer == NULL ? -1 : answer == Py_True;

    Py_XDECREF(answer);
    return truth;
}

/* Options that were given, by name. New reference. */
static PyObject *name_options(PyObject *const *options)
{
    PyObject *named = PyDict_New();

    for (int i = 0; named != NULL && i < SVPY_OPTIONS; i++)
        if (options[i] != NULL && PyDict_SetItemString(named, svpy_option_name(i), options[i]) < 0)
            Py_CLEAR(named);
    return named;
}

/* 1: it was such a copy, and is done. 0: it is another one. -1: exception. */
static int copy_swapped(svpy_view *target, const svpy_view *source, PyObject *const *options)
{
    PyObject *named = name_options(options);
    int done = -1;

    if (named != NULL)
        done = truth_of(call_helper("copy_swapped", (PyObject *)target, (PyObject *)source, named));
    Py_XDECREF(named);
    return done;
}

/* Put away the pending exception while it is found out whether the call can be done after all. */
struct exception {
    PyObject *type, *value, *traceback;
};

static struct exception put_away(void)
{
    struct exception e;

    PyErr_Fetch(&e.type, &e.value, &e.traceback);
    return e;
}

/* done: 0 where the exception stands; else it is dropped. */
static int end_attempt(struct exception e, int done)
{
    if (done == 0) {
        PyErr_Restore(e.type, e.value, e.traceback);
        return 0;
    }
    Py_XDECREF(e.type);
    Py_XDECREF(e.value);
    Py_XDECREF(e.traceback);
    return done;
}

int svpy_copy_opaque(struct svpy_state *state, svpy_view *target, const svpy_view *source, PyObject *const *options,
                     svpy_copier *copy)
{
    const bool both = sv_view_dtype(target->handle) == sv_view_dtype(source->handle);
    const int done = both ? 0 : copy_swapped(target, source, options);
    struct exception e;

    if (done != 0)
        return done < 0 ? -1 : 0;
    if (copy(state, target, source, options) == 0)
        return 0;
    if (!both || !PyErr_ExceptionMatches(PyExc_TypeError))
        return -1;
    e = put_away();
    return end_attempt(e, copy_swapped(target, source, options)) == 1 ? 0 : -1;
}

/* What a helper answered, in the place of what was held. */
static void replace(PyObject **held, PyObject *with)
{
    PyObject *before = *held;

    *held = Py_NewRef(with);
    Py_DECREF(before);
}

int svpy_opaque_as_numbers(PyObject **target, PyObject **source, bool *swaps)
{
    PyObject *answer = call_helper("pair", *target, *source, Py_False), *to, *from;
    int swapped = 0;

    if (answer == NULL || !PyArg_ParseTuple(answer, "OOp", &to, &from, &swapped)) {
        Py_XDECREF(answer);
        return -1;
    }
    replace(target, to);
    replace(source, from);
    *swaps = swapped;
    Py_DECREF(answer);
    return 0;
}

int svpy_fill_swapped(svpy_view *view, PyObject *value, PyObject *stream)
{
    struct exception e;

    if (sv_view_dtype(view->handle) != SV_OPAQUE ||
        !(PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError)))
        return 0;
    e = put_away();
    return end_attempt(e, truth_of(call_helper("fill_swapped", (PyObject *)view, value,
                                               stream == NULL ? Py_None : stream)));
}

PyObject *svpy_read_swapped(PyObject *object)
{
    PyObject *made = call_helper("read", object, NULL, NULL);

    if (made == Py_None)
        Py_CLEAR(made);
    return made;
}

int svpy_is_swapped(PyObject *dtype)
{
    PyObject *function = svpy_helper("strideview._native", "native");
    PyObject *name = function == NULL ? NULL : PyObject_CallOneArg(function, dtype);
    const int swapped = name == NULL ? -1 : name != Py_None;

    Py_XDECREF(function);
    Py_XDECREF(name);
    return swapped;
}
