/* How a copy would be done: sv_copy_placement() of what Python gives. */
#include "copies/placement.h"

#include "base/signature.h"
#include "base/state.h"
#include "copies/casting.h"
#include "copies/copy.h"
#include "copies/opaque.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

static PyObject *place(struct svpy_state *state, const svpy_view *target, const svpy_view *source,
                       PyObject *const *options)
{
    const svpy_side to = svpy_side_of(target), from = svpy_side_of(source);
    int32_t by, type, id, waits, done, method;
    svpy_ordering order;
    sv_status status;

    if (svpy_check_items(state, target->handle, (PyObject *)target, source->handle, (PyObject *)source) < 0)
        return NULL;
    if (svpy_copy_how(options, &order) < 0)
        return NULL;
    if (svpy_check_casting(target->handle, source->handle, order.flags) < 0)
        return NULL;
    if (svpy_ordering_choose(state, &to, &from, &order) < 0)
        return NULL;
    status = sv_copy_placement(target->handle, source->handle, order.flags & ~SVPY_SAFE,
                               order.stream < 0 ? 0 : (uintptr_t)order.stream, &by, &type, &id, &waits, &done,
                               &method);
    if (svpy_copy_tell(status) < 0)
        return NULL;
    return Py_BuildValue("iiiiii", (int)by, (int)type, (int)id, (int)waits, (int)done, (int)method);
}

PyObject *svpy_placement(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"placement", 3, 2, {"dst", "src"}, SVPY_ORDERING | SVPY_CONVERTING};
    PyObject *values[2], *options[SVPY_OPTIONS], *target, *source = NULL, *told = NULL;
    struct svpy_state *state = svpy_state_of_module(module);

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    target = svpy_import(state, values[0], NULL);
    if (target != NULL)
        source = svpy_import_source(state, values[1], NULL);
    if (source != NULL)
        told = place(state, (svpy_view *)target, (svpy_view *)source, options);
    Py_XDECREF(source);
    Py_XDECREF(target);
    return told;
}
