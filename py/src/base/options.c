/* Options that functions share: their names, what is wanted of them, and flags among them. */
#include "base/options.h"

static const struct {
    const char *name, *wanted;
} rows[] = {
#define OPTION(identifier, name, absent, wanted) [SVPY_##identifier] = {name, wanted},
#include "base/options.def"
#undef OPTION
};

PyObject *const svpy_absent[SVPY_OPTIONS] = {NULL};

const char *svpy_option_name(enum svpy_option option)
{
    return rows[option].name;
}

int svpy_refuse_option(enum svpy_option option, PyObject *given)
{
    PyErr_Format(PyExc_TypeError, "%s must be %s, not %.100s", rows[option].name, rows[option].wanted,
                 Py_TYPE(given)->tp_name);
    return -1;
}

int svpy_read_flag(PyObject *given, int *out)
{
    const int truth = PyObject_IsTrue(given);

    if (truth < 0)
        return -1;
    *out = truth;
    return 0;
}
