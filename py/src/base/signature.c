/*
 * The arguments of a call, found by place and by name, for all functions of the package that are written in C. What is
 * wrong with the names or the number of arguments is said here; what is wrong with a value, by its reader.
 */
#include "base/signature.h"

#include "base/attribute.h"
#include "base/helper.h"
#include "base/state.h"

/* The first option of some bits. Loops over options take the bits away one by one. */
static enum svpy_option first_option(uint32_t bits)
{
    return (enum svpy_option)__builtin_ctz(bits);
}

/* --- errors ------------------------------------------------------------------------- */

/* The name of an argument that was probably meant, new reference, or NULL, mostly without an exception. */
static PyObject *find_nearest(const svpy_signature *signature, PyObject *name)
{
    PyObject *function = svpy_helper("strideview._arguments", "nearest"), *nearest = NULL;
    char names[512] = "";
    size_t length = 0;

    for (int i = 0; signature->names[i] != NULL; i++)
        length += (size_t)PyOS_snprintf(names + length, sizeof names - length, "%s ", signature->names[i]);
    for (uint32_t left = signature->options; left != 0; left &= left - 1)
        length += (size_t)PyOS_snprintf(names + length, sizeof names - length, "%s ",
                                        svpy_option_name(first_option(left)));
    if (function != NULL)
        nearest = PyObject_CallFunction(function, "Os", name, names);
    Py_XDECREF(function);
    if (nearest == NULL)
        svpy_clear_exception();
    return nearest;
}

static int refuse_name(const svpy_signature *signature, PyObject *name)
{
    PyObject *nearest = find_nearest(signature, name);

    if (nearest != NULL && nearest != Py_None)
        PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'. Did you mean '%U'?",
                     signature->function, name, nearest);
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", signature->function, name);
    Py_XDECREF(nearest);
    return -1;
}

static int refuse_second(const svpy_signature *signature, PyObject *name)
{
    PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", signature->function, name);
    return -1;
}

static int refuse_count(const svpy_signature *signature, Py_ssize_t nargs)
{
    PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments (%zd given)", signature->function,
                 signature->positional, nargs);
    return -1;
}

static int refuse_missing(const svpy_signature *signature, int i)
{
    PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s'", signature->function, signature->names[i]);
    return -1;
}

/* --- a call --------------------------------------------------------------------------- */

/* What comes after the function's own arguments by place. */
static void place_options(uint32_t bits, PyObject *const *args, Py_ssize_t count, PyObject **options)
{
    for (; count > 0; count--, bits &= bits - 1)
        options[first_option(bits)] = *args++;
}

/* Where an argument of this name goes; NULL for none. Names in calls are interned, so that most of the options are
 * found by their address. */
static PyObject **find_named(const svpy_signature *signature, PyObject *name, PyObject **values, PyObject **options)
{
    const struct svpy_state *state = svpy_only_state;

    for (uint32_t left = state == NULL ? 0 : signature->options; left != 0; left &= left - 1)
        if (state->options[first_option(left)] == name)
            return &options[first_option(left)];
    for (int i = 0; signature->names[i] != NULL; i++)
        if (PyUnicode_CompareWithASCIIString(name, signature->names[i]) == 0)
            return &values[i];
    for (uint32_t left = signature->options; left != 0; left &= left - 1)
        if (PyUnicode_CompareWithASCIIString(name, svpy_option_name(first_option(left))) == 0)
            return &options[first_option(left)];
    return NULL;
}

static int take_named(const svpy_signature *signature, PyObject *name, PyObject *value, PyObject **values,
                      PyObject **options)
{
    PyObject **place = find_named(signature, name, values, options);

    if (place == NULL)
        return refuse_name(signature, name);
    if (*place != NULL)
        return refuse_second(signature, name);
    *place = value;
    return 0;
}

/* Apart from calls without names, which need few registers. */
static __attribute__((noinline)) int take_keywords(const svpy_signature *signature, PyObject *kwnames,
                                                   PyObject *const *named, PyObject **values, PyObject **options)
{
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(kwnames); k++)
        if (take_named(signature, PyTuple_GET_ITEM(kwnames, k), named[k], values, options) < 0)
            return -1;
    return 0;
}

int svpy_arguments_and_options(const svpy_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames, PyObject **values, PyObject **options)
{
    int own = 0;

    if (nargs > signature->positional)
        return refuse_count(signature, nargs);
    for (; signature->names[own] != NULL; own++)
        values[own] = own < nargs ? args[own] : NULL;
    if (options != NULL)
        svpy_clear_options(options);
    if (nargs > own)
        place_options(signature->options, args + own, nargs - own, options);
    if (kwnames != NULL && take_keywords(signature, kwnames, args + nargs, values, options) < 0)
        return -1;
    for (int i = 0; i < signature->required; i++)
        if (values[i] == NULL)
            return refuse_missing(signature, i);
    return 0;
}

Py_ssize_t svpy_named_item(const char *function, const char *name, PyObject *const *args, Py_ssize_t nargs,
                           PyObject *kwnames)
{
    const svpy_signature signature = {.function = function, .positional = 1, .required = 1, .names = {name}};
    PyObject *value;

    return svpy_arguments(&signature, args, nargs, kwnames, &value) < 0 ? -1 : 1; /* args[0], however it was named */
}

Py_ssize_t svpy_items_or(const char *function, const char *name, Py_ssize_t nargs, PyObject *kwnames)
{
    const svpy_signature signature = {.function = function, .names = {name}};

    for (Py_ssize_t k = 0; kwnames != NULL && k < PyTuple_GET_SIZE(kwnames); k++) {
        PyObject *given = PyTuple_GET_ITEM(kwnames, k);

        if (PyUnicode_CompareWithASCIIString(given, name) != 0) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'. Did you mean '%s'?", function,
                         given, name);
            return -1;
        }
        if (nargs > 0)
            return refuse_second(&signature, given);
    }
    return kwnames == NULL ? nargs : 1;
}
