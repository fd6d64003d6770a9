/*
 * Fresh memory. That of the host is made here (array_memory) unless somebody wants to know of it: where a tag is set, a
 * recording runs or another resource is the default one of the host, and of memory=, device=, alignment= and
 * huge_pages=, resources and buffers are asked, by strideview._resources.
 */
#include "objects/allocate.h"

#include "base/arguments.h"
#include "base/dtype.h"
#include "base/errors.h"
#include "base/helper.h"
#include "execution/stream.h"
#include "objects/array_memory.h"
#include "objects/layout_object.h"
#include "objects/resource_struct.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"

sv_status svpy_allocate_plain(const sv_layout *layout, sv_dtype dtype, bool zeros, sv_view **out)
{
    return svpy_new_array_memory(NULL, layout, dtype, zeros, out);
}

static sv_view *allocate_host_view(const sv_allocator *large, const sv_layout *layout, sv_dtype dtype, bool zeros)
{
    sv_view *view = NULL;
    sv_status status = svpy_new_array_memory(large, layout, dtype, zeros, &view);

    if (status == SV_ERROR_MEMORY)
        return svpy_no_memory(sv_layout_nbytes(layout));
    return status == SV_OK ? view : svpy_raise(status);
}

sv_view *svpy_allocate(const sv_layout *layout, sv_dtype dtype)
{
    return allocate_host_view(NULL, layout, dtype, false);
}

/* --- elsewhere ------------------------------------------------------------ */

static PyObject *new_elsewhere(struct svpy_state *state, const sv_layout *layout, sv_dtype dtype, bool zeros,
                               PyObject *const *options)
{
    static const enum svpy_option places[] = {SVPY_MEMORY, SVPY_DEVICE, SVPY_ALIGNMENT, SVPY_STREAM, SVPY_HUGE_PAGES};
    PyObject *function = svpy_helper("strideview._resources", "array");
    PyObject *arguments[3 + sizeof places / sizeof *places] = {svpy_layout_wrap(state, sv_layout_retain(layout)),
                                                              svpy_dtype_name(dtype), zeros ? Py_True : Py_False};
    PyObject *made = NULL;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        arguments[3 + i] = options[places[i]] == NULL ? Py_None : options[places[i]];
    if (function != NULL && arguments[0] != NULL && arguments[1] != NULL)
        made = PyObject_Vectorcall(function, arguments, sizeof arguments / sizeof *arguments, NULL);
    if (made != NULL && !svpy_is_view(state, made)) {
        PyErr_Format(PyExc_TypeError, "a view was needed, not %.100s", Py_TYPE(made)->tp_name);
        Py_CLEAR(made);
    }
    Py_XDECREF(arguments[0]);
    Py_XDECREF(arguments[1]);
    Py_XDECREF(function);
    return made;
}

/* Whether options leave it open where the memory is, and nobody wants to know of it. */
static bool is_made_here(const struct svpy_state *state, PyObject *const *options)
{
    return state->arrays != NULL && !svpy_is_given(options[SVPY_MEMORY]) && !svpy_is_given(options[SVPY_DEVICE]) &&
           !svpy_is_given(options[SVPY_ALIGNMENT]) && !svpy_is_given(options[SVPY_HUGE_PAGES]);
}

PyObject *svpy_new_array(struct svpy_state *state, const sv_layout *layout, sv_dtype dtype, PyObject *kept, bool zeros,
                         PyObject *const *options)
{
    PyObject *made;

    if (is_made_here(state, options)) {
        sv_view *view = allocate_host_view(((svpy_resource *)state->arrays)->native, layout, dtype, zeros);

        made = view == NULL ? NULL : svpy_view_wrap(state, view, NULL, SVPY_NOTHING);
        if (made != NULL)
            ((svpy_view *)made)->owns = true;
    } else {
        made = new_elsewhere(state, layout, dtype, zeros, options);
    }
    if (made != NULL)
        Py_XSETREF(((svpy_view *)made)->kept, Py_XNewRef(kept));
    return made;
}

/* For strideview._resources: who large arrays come from, and that counts small ones, too; None: arrays are buffers. */
PyObject *svpy_set_array_resource(PyObject *module, PyObject *resource)
{
    struct svpy_state *state = svpy_state_of_module(module);

    if (resource != Py_None && (!svpy_is_resource(state, resource) || ((svpy_resource *)resource)->native == NULL)) {
        PyErr_Format(PyExc_TypeError, "a resource of libsv is needed, not %.100s", Py_TYPE(resource)->tp_name);
        return NULL;
    }
    if (resource != Py_None)
        ((svpy_resource *)resource)->counts_arrays = true;
    Py_XSETREF(state->arrays, resource == Py_None ? NULL : Py_NewRef(resource));
    Py_RETURN_NONE;
}
