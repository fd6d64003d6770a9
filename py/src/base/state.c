/* What the package keeps between calls: made, found and ended. */
#include "base/state.h"

#include <dlpack/dlpack.h>
#include <stddef.h>

struct svpy_state *svpy_only_state;

struct svpy_state *svpy_not_here(void)
{
    PyErr_SetString(PyExc_RuntimeError, "this interpreter has not imported strideview");
    return NULL;
}

#define ROW(member, text) {offsetof(struct svpy_names, member), text}
static const struct {
    size_t offset;
    const char *text;
} names[] = {
    ROW(allocate, "allocate"),
    ROW(array_interface, "__array_interface__"),
    ROW(cuda_array_interface, "__cuda_array_interface__"),
    ROW(deallocate, "deallocate"),
    ROW(dlpack, "__dlpack__"),
    ROW(dlpack_device, "__dlpack_device__"),
    ROW(get_usm_type, "get_usm_type"),
    ROW(is_conj, "is_conj"),
    ROW(is_neg, "is_neg"),
    ROW(requires_grad, "requires_grad"),
    ROW(same_kind, "same_kind"),
    ROW(sycl_usm_array_interface, "__sycl_usm_array_interface__"),
    ROW(unsafe, "unsafe"),
    ROW(usm_type, "usm_type"),
};
#undef ROW

_Static_assert(sizeof names / sizeof *names == sizeof(struct svpy_names) / sizeof(PyObject *), "each has its text");

static PyObject **name_at(struct svpy_state *state, size_t i)
{
    return (PyObject **)((char *)&state->names + names[i].offset);
}

static int intern_names(struct svpy_state *state)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *name_at(state, i) = PyUnicode_InternFromString(names[i].text);
        if (*name_at(state, i) == NULL)
            return -1;
    }
    for (int i = 0; i < SVPY_OPTIONS; i++) {
        state->options[i] = PyUnicode_InternFromString(svpy_option_name(i));
        if (state->options[i] == NULL)
            return -1;
    }
    return 0;
}

/* Keyword names, interned so that producers know them by their address. */
static PyObject *pack_names(const char *first, const char *second)
{
    PyObject *one = PyUnicode_InternFromString(first);
    PyObject *two = second == NULL ? NULL : PyUnicode_InternFromString(second);
    PyObject *names = two == NULL ? Py_BuildValue("(O)", one) : Py_BuildValue("(OO)", one, two);

    Py_XDECREF(one);
    Py_XDECREF(two);
    return names;
}

static int init_dlpack(struct svpy_dlpack_constants *constants)
{
    constants->host_device = Py_BuildValue("(ii)", SV_DEVICE_CPU, 0);
    constants->version = Py_BuildValue("(ii)", DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION);
    constants->with_version = pack_names("max_version", NULL);
    constants->with_stream = pack_names("stream", NULL);
    constants->with_both = pack_names("max_version", "stream");
    return constants->host_device && constants->version && constants->with_version && constants->with_stream &&
                   constants->with_both
               ? 0
               : -1;
}

int svpy_state_init(struct svpy_state *state)
{
    state->interpreter = PyInterpreterState_Get();
    if (intern_names(state) < 0)
        return -1;
    state->dtypes = PyDict_New();
    state->known_dtypes = PyDict_New();
    if (state->dtypes == NULL || state->known_dtypes == NULL)
        return -1;
    if (init_dlpack(&state->dlpack) < 0)
        return -1;
    if (sv_layout_builder_new(&state->builder) != SV_OK) {
        PyErr_NoMemory();
        return -1;
    }
    svpy_only_state = state;
    return 0;
}

static void empty_pools(struct svpy_state *state)
{
    while (state->layouts.count > 0)
        PyObject_Free(state->layouts.objects[--state->layouts.count]);
    while (state->views.count > 0)
        PyObject_GC_Del(state->views.objects[--state->views.count]);
    while (state->buffers.count > 0)
        PyObject_GC_Del(state->buffers.objects[--state->buffers.count]);
}

void svpy_state_end(struct svpy_state *state)
{
    if (svpy_only_state == state)
        svpy_only_state = NULL;
    empty_pools(state);
    Py_CLEAR(state->layout_type);
    Py_CLEAR(state->view_type);
    Py_CLEAR(state->plan_type);
    Py_CLEAR(state->task_type);
    Py_CLEAR(state->buffer_type);
    Py_CLEAR(state->resource_type);
    Py_CLEAR(state->bounds_error);
    Py_CLEAR(state->copy_error);
    Py_CLEAR(state->protocol_error);
    Py_CLEAR(state->too_hard_error);
    Py_CLEAR(state->arrays);
    Py_CLEAR(state->worker);
    Py_CLEAR(state->dtypes);
    Py_CLEAR(state->known_dtypes);
    Py_CLEAR(state->plain_dtype);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        Py_CLEAR(*name_at(state, i));
    for (int i = 0; i < SVPY_OPTIONS; i++)
        Py_CLEAR(state->options[i]);
    Py_CLEAR(state->dlpack.host_device);
    Py_CLEAR(state->dlpack.version);
    Py_CLEAR(state->dlpack.with_version);
    Py_CLEAR(state->dlpack.with_stream);
    Py_CLEAR(state->dlpack.with_both);
    sv_layout_builder_release(state->builder);
    PyMem_Free(state->type_cache);
}
