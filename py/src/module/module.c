/*
 * strideview._core: the types and functions of the package, and their state.
 *
 * It lies in the shared object of cffi's module and is loaded from there by strideview/__init__.py. An interpreter has
 * one state, however often the module is made: by importlib.reload(), or after its entry in sys.modules was deleted. A
 * later module gets the types and functions of the first one, which the interpreter keeps until it ends.
 */
#include "arrays/clone.h"
#include "arrays/layout.h"
#include "arrays/layout_pair.h"
#include "arrays/view.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "copies/plan.h"
#include "execution/threads.h"
#include "memory/buffer_type.h"
#include "memory/resource.h"
#include "module/api.h"
#include "module/functions.h"
#include "protocols/exchange_export.h"
#include "protocols/type_cache.h"

#define NAME "strideview._core"

/* --- the state --------------------------------------------------------------- */

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    const struct svpy_state *state = svpy_state_of_module(module);

    Py_VISIT(state->layout_type);
    Py_VISIT(state->view_type);
    Py_VISIT(state->plan_type);
    Py_VISIT(state->task_type);
    Py_VISIT(state->buffer_type);
    Py_VISIT(state->resource_type);
    Py_VISIT(state->bounds_error);
    Py_VISIT(state->copy_error);
    Py_VISIT(state->protocol_error);
    Py_VISIT(state->too_hard_error);
    Py_VISIT(state->arrays);
    Py_VISIT(state->dtypes);
    Py_VISIT(state->plain_dtype);
    return 0;
}

/* No object is left that has a pointer to the state: its type would have kept the module. */
static void module_free(void *module)
{
    svpy_state_end(svpy_state_of_module(module));
}

/* --- the module -------------------------------------------------------------- */

static int fill_module(PyObject *module, struct svpy_state *state)
{
    typedef int initializer(struct svpy_state *, PyObject *);
    static initializer *const initializers[] = {
        svpy_errors_init, svpy_layout_init,   svpy_view_init,   svpy_plan_init,
        svpy_threads_init, svpy_resource_init, svpy_buffer_init, svpy_api_init,
    };
    static PyMethodDef *const tables[] = {svpy_functions, svpy_deciding, svpy_likening};

    for (size_t i = 0; i < sizeof initializers / sizeof *initializers; i++)
        if (initializers[i](state, module) < 0)
            return -1;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (svpy_add_functions(PyModule_GetDict(module), module, tables[i]) < 0)
            return -1;
    return svpy_exchange_init(state);
}

/* Everything that the first module of this interpreter has, but for what the import system writes. */
static int copy_names(PyObject *module, PyObject *first)
{
    PyObject *name, *value;
    Py_ssize_t place = 0;

    while (PyDict_Next(PyModule_GetDict(first), &place, &name, &value)) {
        const char *text = PyUnicode_AsUTF8(name);

        if (text == NULL)
            return -1;
        if (strncmp(text, "__", 2) != 0 && PyModule_AddObjectRef(module, text, value) < 0)
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
    if (svpy_state_init(state) < 0)
        return -1;
    if (svpy_type_cache_init(state) < 0)
        return -1;
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

static PyModuleDef svpy_module = {
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
