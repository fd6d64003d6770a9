/*
 * Attribute lookups on foreign objects, which may lack the attribute. This file
 * decides which exceptions are cleared: AttributeError where something is absent,
 * any Exception where the answer is optional; but never MemoryError and RecursionError,
 * nor KeyboardInterrupt and other exceptions that are no Exception.
 */
#include "base/attribute.h"

PyObject *svpy_get_attribute(PyObject *object, PyObject *name)
{
    PyObject *found;

#if PY_VERSION_HEX >= 0x030d0000
    PyObject_GetOptionalAttr(object, name, &found);
#else
    _PyObject_LookupAttr(object, name, &found);
#endif
    return found;
}

PyObject *svpy_get_attribute_text(PyObject *object, const char *text)
{
    PyObject *name = PyUnicode_FromString(text);
    PyObject *found = name == NULL ? NULL : svpy_get_attribute(object, name);

    Py_XDECREF(name);
    return found;
}

int svpy_has_attribute(PyObject *object, PyObject *name)
{
    PyObject *found = svpy_get_attribute(object, name);
    int has = found != NULL ? 1 : PyErr_Occurred() ? -1 : 0;

    Py_XDECREF(found);
    return has;
}

bool svpy_must_propagate(void)
{
    return !PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError) ||
           PyErr_ExceptionMatches(PyExc_RecursionError);
}

int svpy_clear_exception(void)
{
    if (!PyErr_Occurred())
        return 0;
    if (svpy_must_propagate())
        return -1;
    PyErr_Clear();
    return 0;
}

PyObject *svpy_try_attribute(PyObject *object, PyObject *name)
{
    PyObject *found = svpy_get_attribute(object, name);

    if (found == NULL)
        svpy_clear_exception();
    return found;
}

PyObject *svpy_try_attribute_text(PyObject *object, const char *text)
{
    PyObject *found = svpy_get_attribute_text(object, text);

    if (found == NULL)
        svpy_clear_exception();
    return found;
}

PyObject *svpy_loaded_module(const char *text)
{
    PyObject *name = PyUnicode_FromString(text);
    PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);

    Py_XDECREF(name);
    if (module == NULL)
        svpy_clear_exception();
    return module;
}

const char *svpy_utf8(PyObject *text)
{
    Py_ssize_t length = 0;
    const char *utf8 = PyUnicode_AsUTF8AndSize(text, &length);

    if (utf8 == NULL || strlen(utf8) == (size_t)length)
        return utf8;
    PyErr_Format(PyExc_TypeError, "no dtype is named %A, which holds a NUL", text);
    return NULL;
}
