/*
 * Attribute lookups on foreign objects, which may lack the attribute. This file
 * decides which exceptions are cleared: AttributeError where something is absent,
 * any Exception where the answer is optional; but never MemoryError and RecursionError,
 * nor KeyboardInterrupt and other exceptions that are no Exception.
 */
#include "base/attribute.h"

PyObject *svpy_ask(PyObject *object, PyObject *name)
{
    PyObject *found;

#if PY_VERSION_HEX >= 0x030d0000
    PyObject_GetOptionalAttr(object, name, &found);
#else
    _PyObject_LookupAttr(object, name, &found);
#endif
    return found;
}

PyObject *svpy_ask_text(PyObject *object, const char *text)
{
    PyObject *name = PyUnicode_FromString(text);
    PyObject *found = name == NULL ? NULL : svpy_ask(object, name);

    Py_XDECREF(name);
    return found;
}

int svpy_has(PyObject *object, PyObject *name)
{
    PyObject *found = svpy_ask(object, name);
    int has = found != NULL ? 1 : PyErr_Occurred() ? -1 : 0;

    Py_XDECREF(found);
    return has;
}

bool svpy_must_travel(void)
{
    return !PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError) ||
           PyErr_ExceptionMatches(PyExc_RecursionError);
}

int svpy_forget(void)
{
    if (!PyErr_Occurred())
        return 0;
    if (svpy_must_travel())
        return -1;
    PyErr_Clear();
    return 0;
}

PyObject *svpy_probe(PyObject *object, PyObject *name)
{
    PyObject *found = svpy_ask(object, name);

    if (found == NULL)
        svpy_forget();
    return found;
}

PyObject *svpy_probe_text(PyObject *object, const char *text)
{
    PyObject *found = svpy_ask_text(object, text);

    if (found == NULL)
        svpy_forget();
    return found;
}

PyObject *svpy_loaded_module(const char *text)
{
    PyObject *name = PyUnicode_FromString(text);
    PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);

    Py_XDECREF(name);
    if (module == NULL)
        svpy_forget();
    return module;
}

const char *svpy_text(PyObject *text)
{
    Py_ssize_t length = 0;
    const char *utf8 = PyUnicode_AsUTF8AndSize(text, &length);

    if (utf8 == NULL || strlen(utf8) == (size_t)length)
        return utf8;
    PyErr_Format(PyExc_TypeError, "no dtype is named %A, which holds a NUL", text);
    return NULL;
}
