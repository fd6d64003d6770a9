/* StridedLayout: shape, strides, item size and offset. */
#include "svpy.h"

#include <structmember.h>

PyTypeObject *svpy_layout_type;

#define HANDLE(object) (((svpy_layout *)(object))->handle)

PyObject *svpy_layout_wrap(sv_layout *handle)
{
    svpy_layout *self;

    if (handle == NULL)
        return NULL;
    self = PyObject_New(svpy_layout, svpy_layout_type);
    if (self == NULL) {
        sv_layout_release(handle);
        return NULL;
    }
    self->handle = handle;
    self->weakrefs = NULL;
    return (PyObject *)self;
}

static PyObject *wrap(sv_status status, sv_layout *const *made)
{
    return status == SV_OK ? svpy_layout_wrap(*made) : svpy_raise(status);
}

static void layout_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    if (((svpy_layout *)self)->weakrefs != NULL)
        PyObject_ClearWeakRefs(self);
    sv_layout_release(HANDLE(self));
    PyObject_Free(self);
    Py_DECREF(type);
}

/* --- making one ----------------------------------------------------------- */

/* Both constructors: strides in elements or in bytes, None for C order. */
static PyObject *new_strided(PyObject *shape, PyObject *strides, PyObject *itemsize, int bytes, int divisible)
{
    int64_t extents[SV_MAX_NDIM], steps[SV_MAX_NDIM], size;
    int32_t ndim = svpy_extents(shape, extents), count = ndim;
    const int64_t *given = strides == Py_None ? NULL : steps, *elements;
    sv_layout *made = NULL;
    sv_status status;

    if (ndim < 0 || svpy_int64(itemsize, &size) < 0)
        return NULL;
    if (given != NULL && (count = svpy_extents(strides, steps)) < 0)
        return NULL;
    if (count != ndim) {
        PyErr_Format(PyExc_ValueError, "%d strides for %d axes", count, ndim);
        return NULL;
    }
    status = (bytes ? sv_layout_new_bytes : sv_layout_new)(ndim, extents, given, size, &made);
    if (status == SV_OK && divisible) {
        status = sv_layout_strides(made, &elements);
        if (status != SV_OK)
            sv_layout_release(made);
    }
    return wrap(status, &made);
}

static PyObject *layout_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"shape", "strides", "itemsize", "divide_strides", NULL};
    PyObject *shape, *strides, *itemsize;
    int divide = 0;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO|p:StridedLayout", names, &shape, &strides, &itemsize,
                                     &divide))
        return NULL;
    return new_strided(shape, strides, itemsize, divide, 1);
}

static PyObject *layout_from_byte_strides(PyObject *Py_UNUSED(type), PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    static const svpy_signature signature = {"from_byte_strides", 3, 3, {"shape", "byte_strides", "itemsize"}};
    PyObject *values[3];

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    return new_strided(values[0], values[1], values[2], 1, 0);
}

static PyObject *layout_dense(PyObject *Py_UNUSED(type), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"dense", 3, 2, {"shape", "itemsize", "stride_order"}};
    int64_t extents[SV_MAX_NDIM], itemsize;
    int32_t axes[SV_MAX_NDIM], count = 0, ndim;
    sv_order order = SV_ORDER_C;
    PyObject *values[3];
    sv_layout *made = NULL;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    ndim = svpy_extents(values[0], extents);
    if (ndim < 0 || svpy_int64(values[1], &itemsize) < 0)
        return NULL;
    if (values[2] != NULL && svpy_order(values[2], 0, &order, &count, axes) < 0)
        return NULL;
    if (order == SV_ORDER_AXES && count != ndim) {
        PyErr_Format(PyExc_ValueError, "an order of %d axes for %d", count, ndim);
        return NULL;
    }
    return wrap(sv_layout_new_dense(ndim, extents, order, axes, itemsize, &made), &made);
}

static PyObject *dense_copy(const sv_layout *layout, PyObject *order_given)
{
    int32_t axes[SV_MAX_NDIM], count = 0;
    sv_order order = SV_ORDER_K;
    sv_layout *made = NULL;

    if (order_given != NULL && svpy_order(order_given, 1, &order, &count, axes) < 0)
        return NULL;
    return wrap(sv_layout_to_dense(layout, order, count, axes, &made), &made);
}

static PyObject *layout_to_dense(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"to_dense", 1, 0, {"stride_order"}};
    PyObject *values[1];

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    return dense_copy(HANDLE(self), values[0]);
}

static PyObject *layout_dense_like(PyObject *Py_UNUSED(type), PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    static const svpy_signature signature = {"dense_like", 2, 1, {"other", "stride_order"}};
    PyObject *values[2];

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (!Py_IS_TYPE(values[0], svpy_layout_type)) {
        PyErr_Format(PyExc_TypeError, "a StridedLayout is needed, not %.100s", Py_TYPE(values[0])->tp_name);
        return NULL;
    }
    return dense_copy(HANDLE(values[0]), values[1]);
}

/* --- rearranging ---------------------------------------------------------- */

static PyObject *layout_permute(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return svpy_layout_wrap(svpy_permute(HANDLE(self), args, nargs));
}

static PyObject *layout_reshape(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return svpy_layout_wrap(svpy_reshape(HANDLE(self), args, nargs));
}

static PyObject *layout_squeeze(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return svpy_layout_wrap(svpy_squeeze(HANDLE(self), args, nargs));
}

static PyObject *layout_unsqueeze(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return svpy_layout_wrap(svpy_unsqueeze(HANDLE(self), args, nargs));
}

static PyObject *layout_broadcast(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return svpy_layout_wrap(svpy_broadcast(HANDLE(self), args, nargs));
}

static PyObject *layout_subscript(PyObject *self, PyObject *key)
{
    return svpy_layout_wrap(svpy_index(HANDLE(self), key));
}

/* --- asking --------------------------------------------------------------- */

PyObject *svpy_layout_strides(const sv_layout *layout)
{
    const int64_t *strides;
    sv_status status = sv_layout_strides(layout, &strides);

    return status == SV_OK ? svpy_tuple(strides, sv_layout_ndim(layout)) : svpy_raise(status);
}

/* A number of bytes in elements; NULL with an exception when it is not whole. */
static PyObject *in_elements(const sv_layout *layout, int64_t bytes)
{
    int64_t itemsize = sv_layout_itemsize(layout);

    if (bytes % itemsize != 0) {
        PyErr_Format(PyExc_ValueError, "%lld bytes are no multiple of the item size %lld", (long long)bytes,
                     (long long)itemsize);
        return NULL;
    }
    return PyLong_FromLongLong(bytes / itemsize);
}

/* The numbers a layout tells without fail share one getter; the closure says which. */
typedef struct {
    int64_t (*ask)(const sv_layout *layout);
} number;

static const number size_of = {sv_layout_size}, nbytes_of = {sv_layout_nbytes}, itemsize_of = {sv_layout_itemsize},
                    byte_offset_of = {sv_layout_byte_offset};
static const sv_order order_c = SV_ORDER_C, order_f = SV_ORDER_F, order_k = SV_ORDER_K;

static PyObject *get_number(PyObject *self, void *closure)
{
    return PyLong_FromLongLong(((const number *)closure)->ask(HANDLE(self)));
}

static PyObject *get_contiguous(PyObject *self, void *closure)
{
    return PyBool_FromLong(sv_layout_is_contiguous(HANDLE(self), *(const sv_order *)closure));
}

static PyObject *get_is_dense(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(sv_layout_is_contiguous(HANDLE(self), SV_ORDER_K) &&
                           sv_layout_byte_offset(HANDLE(self)) == 0);
}

static PyObject *get_ndim(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(sv_layout_ndim(HANDLE(self)));
}

static PyObject *get_shape(PyObject *self, void *Py_UNUSED(closure))
{
    return svpy_tuple(sv_layout_shape(HANDLE(self)), sv_layout_ndim(HANDLE(self)));
}

static PyObject *get_strides(PyObject *self, void *Py_UNUSED(closure))
{
    return svpy_layout_strides(HANDLE(self));
}

static PyObject *get_strides_in_bytes(PyObject *self, void *Py_UNUSED(closure))
{
    return svpy_tuple(sv_layout_byte_strides(HANDLE(self)), sv_layout_ndim(HANDLE(self)));
}

static PyObject *get_slice_offset(PyObject *self, void *Py_UNUSED(closure))
{
    return in_elements(HANDLE(self), sv_layout_byte_offset(HANDLE(self)));
}

/* Whether axis a comes before axis b in memory: wider strides first, then wider extents. */
static int is_slower(const sv_layout *layout, int32_t a, int32_t b)
{
    const int64_t *shape = sv_layout_shape(layout), *strides = sv_layout_byte_strides(layout);
    uint64_t step_a = strides[a] < 0 ? 0 - (uint64_t)strides[a] : (uint64_t)strides[a];
    uint64_t step_b = strides[b] < 0 ? 0 - (uint64_t)strides[b] : (uint64_t)strides[b];

    return step_a != step_b ? step_a > step_b : shape[a] > shape[b];
}

static PyObject *get_stride_order(PyObject *self, void *Py_UNUSED(closure))
{
    int32_t ndim = sv_layout_ndim(HANDLE(self));
    int64_t order[SV_MAX_NDIM];

    for (int32_t i = 0; i < ndim; i++) {
        int32_t place = i;

        for (; place > 0 && is_slower(HANDLE(self), i, (int32_t)order[place - 1]); place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
    return svpy_tuple(order, ndim);
}

/* First and last element reached, both included. */
static PyObject *get_offset_bounds(PyObject *self, void *Py_UNUSED(closure))
{
    int64_t lower = 0, upper = 0;
    sv_status status = sv_layout_byte_bounds(HANDLE(self), &lower, &upper);
    PyObject *first, *last;

    if (status != SV_OK)
        return svpy_raise(status);
    first = in_elements(HANDLE(self), lower);
    last = first == NULL ? NULL : in_elements(HANDLE(self), upper - sv_layout_itemsize(HANDLE(self)));
    return last == NULL ? (Py_XDECREF(first), NULL) : Py_BuildValue("(NN)", first, last);
}

static PyObject *layout_required_size(PyObject *self, PyObject *Py_UNUSED(none))
{
    int64_t nbytes;
    sv_status status = sv_layout_required_size(HANDLE(self), &nbytes);

    return status == SV_OK ? PyLong_FromLongLong(nbytes) : svpy_raise(status);
}

static PyObject *layout_richcompare(PyObject *self, PyObject *other, int op)
{
    int equal;

    if ((op != Py_EQ && op != Py_NE) || !Py_IS_TYPE(other, svpy_layout_type))
        Py_RETURN_NOTIMPLEMENTED;
    equal = sv_layout_equal(HANDLE(self), HANDLE(other));
    return PyBool_FromLong(op == Py_EQ ? equal : !equal);
}

/* Of what sv_layout_equal() looks at. */
static Py_hash_t layout_hash(PyObject *self)
{
    const sv_layout *layout = HANDLE(self);
    int32_t ndim = sv_layout_ndim(layout);
    int empty = sv_layout_size(layout) == 0;
    PyObject *facts = Py_BuildValue("(NNLL)", svpy_tuple(sv_layout_shape(layout), ndim),
                                    svpy_tuple(sv_layout_byte_strides(layout), empty ? 0 : ndim),
                                    (long long)sv_layout_itemsize(layout),
                                    (long long)(empty ? 0 : sv_layout_byte_offset(layout)));
    Py_hash_t hash = facts == NULL ? -1 : PyObject_Hash(facts);

    Py_XDECREF(facts);
    return hash;
}

static PyObject *layout_repr(PyObject *self)
{
    const sv_layout *layout = HANDLE(self);
    int32_t ndim = sv_layout_ndim(layout);
    int64_t itemsize = sv_layout_itemsize(layout), offset = sv_layout_byte_offset(layout);
    const int64_t *elements;
    int whole = sv_layout_strides(layout, &elements) == SV_OK && offset % itemsize == 0;
    PyObject *shape = svpy_tuple(sv_layout_shape(layout), ndim), *text = NULL;
    PyObject *strides = svpy_tuple(whole ? elements : sv_layout_byte_strides(layout), ndim);

    if (shape != NULL && strides != NULL) {
        text = PyUnicode_FromFormat("StridedLayout(shape=%R, %s=%R, itemsize=%lld", shape,
                                    whole ? "strides" : "strides_in_bytes", strides, (long long)itemsize);
        if (text != NULL && offset != 0)
            PyUnicode_AppendAndDel(&text, PyUnicode_FromFormat(whole ? ", slice_offset=%lld" : ", offset_in_bytes=%lld",
                                                               (long long)(whole ? offset / itemsize : offset)));
        PyUnicode_AppendAndDel(&text, PyUnicode_FromString(")"));
    }
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    return text;
}

/* --- the type ------------------------------------------------------------- */

#define FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL
#define NAMED(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS

static PyMethodDef layout_methods[] = {
    {"dense", NAMED(layout_dense) | METH_CLASS,
     PyDoc_STR("dense($type, /, shape, itemsize, stride_order='C')\n--\n\n"
               "A layout without gaps, in order 'C', 'F' or a permutation of the axes, the slowest first.")},
    {"dense_like", NAMED(layout_dense_like) | METH_CLASS,
     PyDoc_STR("dense_like($type, /, other, stride_order='K')\n--\n\n"
               "The layout of a packed copy of other; see to_dense().")},
    {"from_byte_strides", NAMED(layout_from_byte_strides) | METH_CLASS,
     PyDoc_STR("from_byte_strides($type, /, shape, byte_strides, itemsize)\n--\n\n"
               "A layout whose strides in bytes need not be multiples of itemsize.")},
    {"to_dense", NAMED(layout_to_dense),
     PyDoc_STR("to_dense($self, /, stride_order='K')\n--\n\n"
               "The layout that a packed copy would have: same shape, no gaps, no offset.\n\n"
               "stride_order is 'K' (as the strides already are), 'C', 'F' or a permutation.")},
    {"permute", FAST(layout_permute),
     PyDoc_STR("permute($self, *axes)\n--\n\nReorder the axes: axis i of the result is axis axes[i].")},
    {"reshape", FAST(layout_reshape),
     PyDoc_STR("reshape($self, *shape)\n--\n\n"
               "The same elements in C order of their indices under another shape, one extent of which may\n"
               "be -1. ValueError where only a copy could have that shape.")},
    {"squeeze", FAST(layout_squeeze),
     PyDoc_STR("squeeze($self, *axes)\n--\n\nDrop axes of extent 1: those given, or all.")},
    {"unsqueeze", FAST(layout_unsqueeze),
     PyDoc_STR("unsqueeze($self, *axes)\n--\n\nInsert axes of extent 1 at these places of the result.")},
    {"broadcast_to", FAST(layout_broadcast),
     PyDoc_STR("broadcast_to($self, *shape)\n--\n\nRepeat along new leading axes and axes of extent 1.")},
    {"permuted", FAST(layout_permute), PyDoc_STR("permuted($self, *axes)\n--\n\nThe same as permute().")},
    {"reshaped", FAST(layout_reshape), PyDoc_STR("reshaped($self, *shape)\n--\n\nThe same as reshape().")},
    {"squeezed", FAST(layout_squeeze), PyDoc_STR("squeezed($self, *axes)\n--\n\nThe same as squeeze().")},
    {"unsqueezed", FAST(layout_unsqueeze), PyDoc_STR("unsqueezed($self, *axes)\n--\n\nThe same as unsqueeze().")},
    {"sliced", (PyCFunction)layout_subscript, METH_O,
     PyDoc_STR("sliced($self, key, /)\n--\n\nThe same as layout[key]: ints, slices, Ellipsis and None.")},
    {"required_size_in_bytes", layout_required_size, METH_NOARGS,
     PyDoc_STR("required_size_in_bytes($self, /)\n--\n\n"
               "Bytes that memory must have, from offset 0 on, to hold every element. ValueError when an\n"
               "element lies below offset 0.")},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef layout_getset[] = {
    {"ndim", get_ndim, NULL, PyDoc_STR("Number of axes."), NULL},
    {"shape", get_shape, NULL, PyDoc_STR("Extent of each axis."), NULL},
    {"strides", get_strides, NULL,
     PyDoc_STR("Strides in elements. ValueError when a stride is no multiple of the item size."), NULL},
    {"strides_in_bytes", get_strides_in_bytes, NULL, PyDoc_STR("Strides in bytes."), NULL},
    {"itemsize", get_number, NULL, PyDoc_STR("Bytes of one element."), (void *)&itemsize_of},
    {"volume", get_number, NULL, PyDoc_STR("Number of elements."), (void *)&size_of},
    {"size", get_number, NULL, PyDoc_STR("Number of elements."), (void *)&size_of},
    {"nbytes", get_number, NULL, PyDoc_STR("Bytes of all elements: size * itemsize."), (void *)&nbytes_of},
    {"slice_offset", get_slice_offset, NULL, PyDoc_STR("Elements from the base to the one with all indices 0."), NULL},
    {"slice_offset_in_bytes", get_number, NULL, PyDoc_STR("Bytes from the base to the element with all indices 0."),
     (void *)&byte_offset_of},
    {"is_contiguous_c", get_contiguous, NULL, PyDoc_STR("Whether there are no gaps in C order. The offset is ignored."),
     (void *)&order_c},
    {"is_contiguous_f", get_contiguous, NULL, PyDoc_STR("Whether there are no gaps in Fortran order."),
     (void *)&order_f},
    {"is_contiguous_any", get_contiguous, NULL, PyDoc_STR("Whether there are no gaps in some order of the axes."),
     (void *)&order_k},
    {"is_dense", get_is_dense, NULL, PyDoc_STR("is_contiguous_any, and the offset is 0."), NULL},
    {"stride_order", get_stride_order, NULL, PyDoc_STR("The axes by the size of their stride, the slowest first."),
     NULL},
    {"offset_bounds", get_offset_bounds, NULL,
     PyDoc_STR("First and last element reached, relative to the base; (0, -1) when there is none."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef layout_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(svpy_layout, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static const char layout_doc[] = PyDoc_STR(
    "StridedLayout(shape, strides, itemsize, divide_strides=False)\n--\n\n"
    "Shape, strides, item size and offset of an array; no memory, no type. It does not change.\n\n"
    "strides count elements, or bytes with divide_strides=True; None means C order.");

static PyType_Slot layout_slots[] = {
    {Py_tp_doc, (void *)layout_doc},
    {Py_tp_new, layout_new},
    {Py_tp_dealloc, layout_dealloc},
    {Py_tp_repr, layout_repr},
    {Py_tp_hash, layout_hash},
    {Py_tp_richcompare, layout_richcompare},
    {Py_tp_methods, layout_methods},
    {Py_tp_getset, layout_getset},
    {Py_tp_members, layout_members},
    {Py_mp_subscript, layout_subscript},
    {0, NULL},
};

static PyType_Spec layout_spec = {
    .name = "strideview.StridedLayout",
    .basicsize = sizeof(svpy_layout),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = layout_slots,
};

int svpy_layout_init(PyObject *names)
{
    svpy_layout_type = (PyTypeObject *)PyType_FromSpec(&layout_spec);
    if (svpy_layout_type == NULL)
        return -1;
    return PyDict_SetItemString(names, "StridedLayout", (PyObject *)svpy_layout_type);
}
