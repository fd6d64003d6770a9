/* Adds functions and methods to the module and its types, and finds functions that are written in Python. */
#include "base/helper.h"

int svpy_add_functions(PyObject *names, PyObject *self, PyMethodDef *table)
{
    PyObject *module = PyUnicode_FromString("strideview");
    int failed = module == NULL;

    for (PyMethodDef *entry = table; !failed && entry->ml_name != NULL; entry++) {
        PyObject *function = PyCFunction_NewEx(entry, self, module);

        failed = function == NULL || PyDict_SetItemString(names, entry->ml_name, function) < 0;
        Py_XDECREF(function);
    }
    Py_XDECREF(module);
    return failed ? -1 : 0;
}

PyObject *svpy_helper(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *function = module == NULL ? NULL : PyObject_GetAttrString(module, name);

    Py_XDECREF(module);
    return function;
}

PyObject *svpy_call_helper(const char *module, const char *name, PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *function = svpy_helper(module, name), *answer = NULL;
    PyObject *all = function == NULL ? NULL : PyTuple_New(1 + PyTuple_GET_SIZE(args));

    if (all != NULL) {
        PyTuple_SET_ITEM(all, 0, Py_NewRef(self));
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); i++)
            PyTuple_SET_ITEM(all, 1 + i, Py_NewRef(PyTuple_GET_ITEM(args, i)));
        answer = PyObject_Call(function, all, keywords);
    }
    Py_XDECREF(all);
    Py_XDECREF(function);
    return answer;
}

int svpy_add_methods(PyTypeObject *type, PyMethodDef *table)
{
    int failed = 0;

    for (PyMethodDef *entry = table; !failed && entry->ml_name != NULL; entry++) {
        PyObject *method = PyDescr_NewMethod(type, entry);

        failed = method == NULL || PyDict_SetItemString(type->tp_dict, entry->ml_name, method) < 0;
        Py_XDECREF(method);
    }
    PyType_Modified(type);
    return failed ? -1 : 0;
}
