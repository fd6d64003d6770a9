/* What the objects of a type offer, and what of their numbers memory alone does not tell. */
#include "protocols/type_cache.h"

#include "base/attribute.h"
#include "base/state.h"
#include "protocols/exchange.h"
#include "protocols/ndarray.h"

int svpy_type_cache_init(struct svpy_state *state)
{
    state->type_cache = PyMem_Calloc(SVPY_TYPE_CACHE_SIZE, sizeof *state->type_cache);
    if (state->type_cache == NULL)
        PyErr_NoMemory();
    return state->type_cache == NULL ? -1 : 0;
}

/* --- types ---------------------------------------------------------------- */

static bool has_buffer(PyTypeObject *type)
{
    return type->tp_as_buffer != NULL && type->tp_as_buffer->bf_getbuffer != NULL;
}

/* Whether a type is an ndarray's, which is read in place at less cost than by DLPack. NumPy is not imported for it. */
static void look_for_ndarray(struct svpy_state *state, PyTypeObject *type, PyObject *dlpack,
                             struct svpy_protocols *protocols)
{
    unsigned int version = 0;
    PyTypeObject *array = svpy_ndarray_type(&version);
    PyObject *original = array == NULL ? NULL : svpy_try_attribute((PyObject *)array, state->names.dlpack);

    if (original == dlpack && original != NULL && PyType_IsSubtype(type, array)) {
        protocols->buffer_first = true;
        protocols->ndarray = svpy_ndarray_is_readable(type, array, version);
    }
    Py_XDECREF(original);
}

/* A descriptor of C that a type has by inheritance may be called for its objects; one that was put there may not. */
static bool is_own_descriptor(PyObject *found, PyTypeObject *kind, PyTypeObject *type)
{
    return Py_IS_TYPE(found, kind) && PyType_IsSubtype(type, PyDescr_TYPE(found));
}

static void find_grad(struct svpy_state *state, PyTypeObject *type, struct svpy_protocols *protocols)
{
    PyObject *found = svpy_try_attribute((PyObject *)type, state->names.requires_grad);

    protocols->grads = found != NULL;
    if (found != NULL && is_own_descriptor(found, &PyGetSetDescr_Type, type))
        protocols->grad = ((PyGetSetDescrObject *)found)->d_getset;
    Py_XDECREF(found);
}

/* Methods that tell whether numbers are still to be negated or conjugated. */
static void find_lazy(struct svpy_state *state, PyTypeObject *type, struct svpy_protocols *protocols)
{
    PyObject *const names[] = {state->names.is_neg, state->names.is_conj};
    int count = 0;

    for (int i = 0; i < 2 && count == i; i++) {
        PyObject *found = svpy_try_attribute((PyObject *)type, names[i]);
        const PyMethodDef *method = NULL;

        if (found != NULL && is_own_descriptor(found, &PyMethodDescr_Type, type))
            method = ((PyMethodDescrObject *)found)->d_method;
        if (method != NULL && method->ml_flags == METH_NOARGS)
            protocols->ask_lazy[i] = method->ml_meth;
        count += found != NULL;
        Py_XDECREF(found);
    }
    protocols->lazy = count == 2;
}

/* numpy.ma's arrays, and what is made after their model. Their other protocols tell of the numbers alone. */
static void find_mask(PyTypeObject *type, struct svpy_protocols *protocols)
{
    PyObject *filled = svpy_try_attribute_text((PyObject *)type, "filled");
    PyObject *mask = filled == NULL ? NULL : svpy_try_attribute_text((PyObject *)type, "mask");

    protocols->masked = mask != NULL;
    protocols->ndarray = protocols->ndarray && mask == NULL;
    Py_XDECREF(mask);
    Py_XDECREF(filled);
}

/* __arrow_c_array__(), which views have too. */
static void find_arrow(PyTypeObject *type, struct svpy_protocols *protocols)
{
    PyObject *method = svpy_try_attribute_text((PyObject *)type, "__arrow_c_array__");

    protocols->arrow = method != NULL;
    Py_XDECREF(method);
}

/* Nothing is asked while an exception is pending. */
static bool has_name(PyTypeObject *type, PyObject *name)
{
    PyObject *found = PyErr_Occurred() ? NULL : svpy_try_attribute((PyObject *)type, name);

    Py_XDECREF(found);
    return found != NULL;
}

static void find_all(struct svpy_state *state, PyTypeObject *type, struct svpy_protocols *protocols)
{
    PyObject *dlpack = svpy_try_attribute((PyObject *)type, state->names.dlpack);

    protocols->version = type->tp_version_tag; /* which the look-up gave to the type */
    protocols->dlpack = dlpack != NULL;
    protocols->buffer = has_buffer(type);
    protocols->buffer_first = protocols->buffer && dlpack == NULL;
    if (protocols->buffer && dlpack != NULL)
        look_for_ndarray(state, type, dlpack, protocols);
    Py_XDECREF(dlpack);
    if (PyErr_Occurred() || svpy_table_of(type, &protocols->table) < 0)
        return;
    find_lazy(state, type, protocols);
    protocols->cuda_interface = has_name(type, state->names.cuda_array_interface);
    protocols->sycl = has_name(type, state->names.sycl_usm_array_interface);
    if (!PyErr_Occurred())
        find_grad(state, type, protocols);
    if (!PyErr_Occurred())
        find_mask(type, protocols);
    if (!PyErr_Occurred())
        find_arrow(type, protocols);
    /* PyTorch's: what set_() and resize_() take away, they take from managed tensors too. */
    protocols->lent = protocols->lazy && protocols->grad != NULL && svpy_table_lends(protocols->table);
}

int svpy_protocols_of(struct svpy_state *state, PyTypeObject *type, struct svpy_protocols *out)
{
    struct svpy_protocols *known = svpy_type_cache_place(state, type);

    if (svpy_is_cached(known, type)) {
        *out = *known;
        return 0;
    }
    *out = (struct svpy_protocols){.type = type};
    find_all(state, type, out);
    if (PyErr_Occurred())
        return -1;
    if (out->version == type->tp_version_tag) /* else the type's own code changed it meanwhile */
        *known = *out;
    return 0;
}

bool svpy_is_ndarray(const struct svpy_state *state, PyObject *object)
{
    const struct svpy_protocols *known = svpy_type_cache_place(state, Py_TYPE(object));

    return svpy_is_cached(known, Py_TYPE(object)) && known->ndarray;
}

/* --- numbers that are not what is in memory --------------------------------- */

/*
 * PyTorch has complex tensors that are still to be conjugated, and imaginary
 * parts of those that are still to be negated. Neither its table nor its
 * capsules tell, so the tensor is asked. 1, 0, or -1; 1 also where it raises an
 * exception instead.
 */
static int is_lazy(struct svpy_state *state, PyObject *object, const sv_view *view,
                   const struct svpy_protocols *protocols)
{
    const uint32_t code = sv_view_dtype(view) & 0xff;
    PyObject *const names[] = {state->names.is_neg, state->names.is_conj};
    const int questions = code == (SV_FLOAT32 & 0xff) ? 1 : code == (SV_COMPLEX64 & 0xff) ? 2 : 0;

    for (int i = 0; i < questions; i++) {
        PyObject *answer = protocols->ask_lazy[i] != NULL ? protocols->ask_lazy[i](object, NULL)
                                                          : PyObject_CallMethodNoArgs(object, names[i]);
        bool lazy = answer != Py_False;

        Py_XDECREF(answer);
        if (lazy)
            return svpy_clear_exception() < 0 ? -1 : 1;
    }
    return 0;
}

/* Whoever changes numbers with a gradient spoils it, so __dlpack__() and NumPy refuse them; the table does not. */
static int needs_grad(struct svpy_state *state, PyObject *object, const sv_view *view, const PyGetSetDef *grad)
{
    const uint32_t code = sv_view_dtype(view) & 0xff;
    PyObject *answer;
    bool needs;

    if (code == (SV_INT8 & 0xff) || code == (SV_UINT8 & 0xff) || code == (SV_BOOL & 0xff))
        return 0;
    answer = grad != NULL ? grad->get(object, grad->closure) : PyObject_GetAttr(object, state->names.requires_grad);
    needs = answer == Py_True;
    if (answer == NULL && svpy_clear_exception() < 0)
        return -1;
    Py_XDECREF(answer);
    return needs;
}

int svpy_refusal_of_values(struct svpy_state *state, PyObject *object, const sv_view *view,
                           const struct svpy_protocols *protocols, const char **reason)
{
    const int lazy = protocols->lazy ? is_lazy(state, object, view, protocols) : 0;
    const int grad = lazy == 0 && protocols->grads ? needs_grad(state, object, view, protocols->grad) : 0;

    *reason = NULL;
    if (protocols->masked)
        *reason = "%.100s has a mask: view x.data, or x.filled(value)";
    else if (lazy > 0)
        *reason = "%.100s holds numbers still to be conjugated or negated: resolve it first";
    else if (grad > 0)
        *reason = "%.100s requires a gradient: view what its detach() gives";
    return lazy < 0 || grad < 0 ? -1 : 0;
}
