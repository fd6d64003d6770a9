/* Which arguments a function takes, and those of a call found by place and by name. */
#ifndef SVPY_SIGNATURE_H
#define SVPY_SIGNATURE_H

#include "base/options.h"
#include "base/python.h"

typedef struct {
    const char *function;
    int positional;       /* how many may be given by place: the function's own first, then options */
    int required;         /* how many of its own must be given */
    const char *names[9]; /* of its own; ends with NULL */
    uint32_t options;     /* SVPY_BIT() of those that it shares with others */
} svpy_signature;

/*
 * The arguments of a call: values[i] is the function's own i-th, options[SVPY_OPTIONS] has the others by number. Both
 * are borrowed, and NULL where absent. 0, or -1 with an exception.
 */
int svpy_arguments_and_options(const svpy_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames, PyObject **values, PyObject **options);

/* The same of a function without options. */
static inline int svpy_arguments(const svpy_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames, PyObject **values)
{
    return svpy_arguments_and_options(signature, args, nargs, kwnames, values, NULL);
}

/* Arguments of f(name, *more): f(2, 3), f((2, 3)) and f(name=(2, 3)) mean the same. The number of items, or -1. */
Py_ssize_t svpy_named_item(const char *function, const char *name, PyObject *const *args, Py_ssize_t nargs,
                           PyObject *kwnames);

static inline Py_ssize_t svpy_items(const char *function, const char *name, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    return kwnames == NULL && nargs > 0 ? nargs : svpy_named_item(function, name, args, nargs, kwnames);
}

/* The same of f(*items, name=None), whose name means all of the items. */
Py_ssize_t svpy_items_or(const char *function, const char *name, Py_ssize_t nargs, PyObject *kwnames);

#endif
