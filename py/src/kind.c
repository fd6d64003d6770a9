/* What the objects of a type offer, and what of their numbers memory alone does not tell. */
#include "import.h"

struct svpy_kind svpy_kinds[SVPY_KINDS];
static PyObject *name_dlpack, *name_numpy, *name_grad, *name_sycl, *names_lazy[2];

int svpy_kind_init(void)
{
    name_dlpack = PyUnicode_InternFromString("__dlpack__");
    name_numpy = PyUnicode_InternFromString("numpy");
    name_grad = PyUnicode_InternFromString("requires_grad");
    name_sycl = PyUnicode_InternFromString("__sycl_usm_array_interface__");
    names_lazy[0] = PyUnicode_InternFromString("is_neg");
    names_lazy[1] = PyUnicode_InternFromString("is_conj");
    return name_dlpack && name_numpy && name_grad && name_sycl && names_lazy[0] && names_lazy[1] ? 0 : -1;
}

/* --- types ---------------------------------------------------------------- */

static bool has_buffer(PyTypeObject *type)
{
    return type->tp_as_buffer != NULL && type->tp_as_buffer->bf_getbuffer != NULL;
}

/* An ndarray, which tells as much without DLPack, and costs less. NumPy is not imported to find out. */
static void look_for_ndarray(PyTypeObject *type, PyObject *dlpack, struct svpy_kind *kind)
{
    PyObject *numpy = PyImport_GetModule(name_numpy);
    PyObject *array = numpy == NULL ? NULL : PyObject_GetAttrString(numpy, "ndarray");
    PyObject *original = array == NULL ? NULL : PyObject_GetAttr(array, name_dlpack);

    if (original == dlpack && original != NULL && PyType_Check(array) &&
        PyType_IsSubtype(type, (PyTypeObject *)array)) {
        kind->buffer_first = true;
        kind->ndarray = svpy_ndarray_is_readable(type, (PyTypeObject *)array);
    }
    Py_XDECREF(original);
    Py_XDECREF(array);
    Py_XDECREF(numpy);
    PyErr_Clear();
}

static void find_grad(PyTypeObject *type, struct svpy_kind *kind)
{
    PyObject *found = PyObject_GetAttr((PyObject *)type, name_grad);

    PyErr_Clear();
    kind->grads = found != NULL;
    if (found != NULL && Py_IS_TYPE(found, &PyGetSetDescr_Type))
        kind->grad = ((PyGetSetDescrObject *)found)->d_getset;
    Py_XDECREF(found);
}

struct svpy_kind svpy_kind_of(PyTypeObject *type)
{
    struct svpy_kind *known = svpy_kind_place(type), kind = {.type = type};
    PyObject *dlpack;

    if (svpy_kind_is(known, type))
        return *known;
    dlpack = PyObject_GetAttr((PyObject *)type, name_dlpack);
    PyErr_Clear();
    kind.dlpack = dlpack != NULL;
    kind.buffer = has_buffer(type);
    kind.buffer_first = kind.buffer && dlpack == NULL;
    if (kind.buffer && dlpack != NULL)
        look_for_ndarray(type, dlpack, &kind);
    kind.table = svpy_table_of(type);
    kind.lazy = PyObject_HasAttr((PyObject *)type, names_lazy[0]) &&
                PyObject_HasAttr((PyObject *)type, names_lazy[1]);
    kind.sycl = PyObject_HasAttr((PyObject *)type, name_sycl);
    find_grad(type, &kind);
    /* PyTorch's: what set_() and resize_() take away, they take from managed tensors too. */
    kind.lent = kind.lazy && kind.grad != NULL && svpy_table_lends(kind.table);
    kind.version = type->tp_version_tag;
    Py_XDECREF(dlpack);
    *known = kind;
    return kind;
}

bool svpy_is_ndarray(PyObject *object)
{
    const struct svpy_kind *known = svpy_kind_place(Py_TYPE(object));

    return svpy_kind_is(known, Py_TYPE(object)) && known->ndarray;
}

/* --- numbers that are not what is in memory --------------------------------- */

/*
 * PyTorch has tensors whose numbers are still to be conjugated or negated, and
 * neither its table nor its capsules tell. Asking costs: what can be negated
 * is a complex number or a part of one, so the strides are even.
 */
bool svpy_may_be_lazy(const sv_view *view)
{
    const sv_layout *layout = sv_view_layout(view);
    const int64_t *shape = sv_layout_shape(layout), *strides = sv_layout_byte_strides(layout);
    const int64_t itemsize = sv_layout_itemsize(layout);

    if ((sv_view_dtype(view) & 0xff) != (SV_FLOAT32 & 0xff))
        return (sv_view_dtype(view) & 0xff) == (SV_COMPLEX64 & 0xff);
    for (int32_t i = 0; i < sv_layout_ndim(layout); i++) {
        if (shape[i] > 1 && (strides[i] & itemsize) != 0) /* an odd number of items */
            return false;
    }
    return true;
}

static bool is_lazy(PyObject *object)
{
    bool lazy = false;

    for (int i = 0; i < 2 && !lazy; i++) {
        PyObject *answer = PyObject_CallMethodNoArgs(object, names_lazy[i]);

        lazy = answer != Py_False;
        Py_XDECREF(answer);
    }
    PyErr_Clear();
    return lazy;
}

bool svpy_needs_grad(PyObject *object, const sv_view *view, const PyGetSetDef *grad)
{
    const uint32_t code = sv_view_dtype(view) & 0xff;
    PyObject *answer;
    bool needs;

    if (code == (SV_INT8 & 0xff) || code == (SV_UINT8 & 0xff) || code == (SV_BOOL & 0xff))
        return false;
    answer = grad != NULL ? grad->get(object, grad->closure) : PyObject_GetAttr(object, name_grad);
    needs = answer == Py_True;
    if (answer == NULL)
        PyErr_Clear();
    Py_XDECREF(answer);
    return needs;
}

const char *svpy_kind_refusal(PyObject *object, const sv_view *view, const struct svpy_kind *kind)
{
    if (kind->lazy && svpy_may_be_lazy(view) && is_lazy(object))
        return "%.100s holds numbers still to be conjugated or negated: resolve it first";
    if (kind->grads && svpy_needs_grad(object, view, kind->grad))
        return "%.100s requires a gradient: view what its detach() gives";
    return NULL;
}
