/*
 * strideview._core: the types and functions of the package, and their state.
 *
 * It lies in the shared object of cffi's module and is loaded from there by strideview/__init__.py. An interpreter has
 * one state, however often the module is made: by importlib.reload(), or after its entry in sys.modules was deleted. A
 * later module gets the types and functions of the first one, which the interpreter keeps until it ends.
 */
#include "import.h"

#include <stddef.h>

#define NAME "strideview._core"

/* --- helpers of the other files ---------------------------------------------- */

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

/* type.__new__(type, ...), which hardly anybody calls: as type(...). */
PyObject *svpy_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    return PyObject_Call((PyObject *)type, args, keywords);
}

/* --- the state --------------------------------------------------------------- */

/* The one state, for what is called with neither an object nor the module. */
static struct svpy_state *here;

struct svpy_state *svpy_here(void)
{
    if (here != NULL && here->interpreter == PyInterpreterState_Get())
        return here;
    PyErr_SetString(PyExc_RuntimeError, "this interpreter has not imported strideview");
    return NULL;
}

#define ROW(member, text) {offsetof(struct svpy_names, member), text}
static const struct {
    size_t offset;
    const char *text;
} names[] = {
    ROW(array_interface, "__array_interface__"),
    ROW(cuda_array_interface, "__cuda_array_interface__"),
    ROW(dlpack, "__dlpack__"),
    ROW(dlpack_device, "__dlpack_device__"),
    ROW(get_usm_type, "get_usm_type"),
    ROW(is_conj, "is_conj"),
    ROW(is_neg, "is_neg"),
    ROW(requires_grad, "requires_grad"),
    ROW(sycl_usm_array_interface, "__sycl_usm_array_interface__"),
    ROW(usm_type, "usm_type"),
};
#undef ROW

_Static_assert(sizeof names / sizeof *names == sizeof(struct svpy_names) / sizeof(PyObject *), "each has its text");

static PyObject **name_at(struct svpy_state *state, size_t i)
{
    return (PyObject **)((char *)&state->names + names[i].offset);
}

static int init_state(struct svpy_state *state)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *name_at(state, i) = PyUnicode_InternFromString(names[i].text);
        if (*name_at(state, i) == NULL)
            return -1;
    }
    state->kinds = PyMem_Calloc(SVPY_KINDS, sizeof *state->kinds);
    state->dtypes = PyDict_New();
    if (state->kinds == NULL || state->dtypes == NULL || svpy_dlpack_init(&state->dlpack) < 0)
        return state->kinds == NULL ? (PyErr_NoMemory(), -1) : -1;
    return sv_layout_builder_new(&state->builder) == SV_OK ? 0 : (PyErr_NoMemory(), -1);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    const struct svpy_state *state = svpy_state_of_module(module);

    Py_VISIT(state->layout_type);
    Py_VISIT(state->view_type);
    Py_VISIT(state->plan_type);
    Py_VISIT(state->task_type);
    Py_VISIT(state->bounds_error);
    Py_VISIT(state->copy_error);
    Py_VISIT(state->protocol_error);
    Py_VISIT(state->too_hard_error);
    Py_VISIT(state->dtypes);
    return 0;
}

static void empty_pools(struct svpy_state *state)
{
    while (state->layouts.count > 0)
        PyObject_Free(state->layouts.objects[--state->layouts.count]);
    while (state->views.count > 0)
        PyObject_GC_Del(state->views.objects[--state->views.count]);
}

/* No object is left that has a pointer to the state: its type would have kept the module. */
static void module_free(void *module)
{
    struct svpy_state *state = svpy_state_of_module(module);

    if (here == state)
        here = NULL;
    empty_pools(state);
    Py_CLEAR(state->layout_type);
    Py_CLEAR(state->view_type);
    Py_CLEAR(state->plan_type);
    Py_CLEAR(state->task_type);
    Py_CLEAR(state->bounds_error);
    Py_CLEAR(state->copy_error);
    Py_CLEAR(state->protocol_error);
    Py_CLEAR(state->too_hard_error);
    Py_CLEAR(state->dtypes);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        Py_CLEAR(*name_at(state, i));
    Py_CLEAR(state->dlpack.host_device);
    Py_CLEAR(state->dlpack.version);
    Py_CLEAR(state->dlpack.with_version);
    Py_CLEAR(state->dlpack.with_stream);
    Py_CLEAR(state->dlpack.with_both);
    sv_layout_builder_release(state->builder);
    PyMem_Free(state->kinds);
}

/* --- the module -------------------------------------------------------------- */

static int fill_module(PyObject *module, struct svpy_state *state)
{
    PyObject *dict = PyModule_GetDict(module);

    return svpy_errors_init(state, module) < 0 || svpy_layout_init(state, module) < 0 ||
                   svpy_view_init(state, module) < 0 || svpy_plan_init(state, module) < 0 ||
                   svpy_threads_init(state, module) < 0 || svpy_exchange_init(state) < 0 ||
                   svpy_api_init(state, module) < 0 || svpy_add_functions(dict, module, svpy_functions) < 0 ||
                   svpy_add_functions(dict, module, svpy_deciding) < 0
               ? -1
               : 0;
}

/* Everything that the first module of this interpreter has, but for what the import system writes. */
static int copy_names(PyObject *module, PyObject *first)
{
    PyObject *name, *value;
    Py_ssize_t place = 0;

    while (PyDict_Next(PyModule_GetDict(first), &place, &name, &value)) {
        const char *text = PyUnicode_AsUTF8(name);

        if (text == NULL || (strncmp(text, "__", 2) != 0 && PyModule_AddObjectRef(module, text, value) < 0))
            return -1;
    }
    return 0;
}

/*
 * Types and exported memory are for one interpreter: who lets memory go need not know which one took it, and
 * PyGILState_Ensure() finds the main one.
 */
static int refuse_other_interpreters(void)
{
    if (PyInterpreterState_Get() == PyInterpreterState_Main())
        return 0;
    PyErr_SetString(PyExc_ImportError, "strideview works in the main interpreter only, not in a subinterpreter");
    return -1;
}

static int module_exec(PyObject *module)
{
    PyObject *kept = PyInterpreterState_GetDict(PyInterpreterState_Get()), *first;
    struct svpy_state *state = svpy_state_of_module(module);

    if (refuse_other_interpreters() < 0)
        return -1;
    first = kept == NULL ? NULL : PyDict_GetItemString(kept, NAME);
    if (first != NULL)
        return copy_names(module, first);
    state->interpreter = PyInterpreterState_Get();
    if (init_state(state) < 0)
        return -1;
    here = state;
    if (fill_module(module, state) < 0)
        return -1;
    return kept == NULL ? 0 : PyDict_SetItemString(kept, NAME, module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_exec},
#if PY_VERSION_HEX >= 0x030c0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030d0000
    {Py_mod_gil, Py_MOD_GIL_USED},
#endif
    {0, NULL},
};

PyModuleDef svpy_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = NAME,
    .m_doc = PyDoc_STR("The types and functions of strideview, which are to be used from there."),
    .m_size = sizeof(struct svpy_state),
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&svpy_module);
}
