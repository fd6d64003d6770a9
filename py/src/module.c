/* What the package asks for once: put the types and functions into its names. */
#include "svpy.h"

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

void svpy_add_methods(PyMethodDef *table, const PyMethodDef *more)
{
    PyMethodDef *end = table;

    while (end->ml_name != NULL)
        end++;
    while (more->ml_name != NULL && end < table + SVPY_MOST_METHODS - 1)
        *end++ = *more++;
}

/* type.__new__(type, ...), which hardly anybody calls: as type(...). */
PyObject *svpy_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    return PyObject_Call((PyObject *)type, args, keywords);
}

/* address is id() of a dict. 0, or -1 after telling Python's unraisable hook why. */
int32_t svpy_install(uintptr_t address)
{
    PyGILState_STATE state = PyGILState_Ensure(); /* cffi drops the interpreter around every call */
    PyObject *names = (PyObject *)address;
    int failed = svpy_errors_init(names) < 0 || svpy_dlpack_init() < 0 || svpy_import_init() < 0 ||
                 svpy_rearrange_init() < 0 || svpy_layout_init(names) < 0 || svpy_view_init(names) < 0 ||
                 svpy_plan_init(names) < 0 || svpy_threads_init() < 0 || svpy_exchange_init() < 0 ||
                 svpy_api_init(names) < 0 || svpy_add_functions(names, NULL, svpy_functions) < 0 ||
                 svpy_add_functions(names, NULL, svpy_deciding) < 0;

    if (failed)
        PyErr_WriteUnraisable(names);
    PyGILState_Release(state);
    return failed ? -1 : 0;
}
