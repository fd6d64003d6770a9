/* StridedLayout: shape, strides, item size and offset. */
#include "arrays/layout.h"

#include <structmember.h>

#include "arrays/index.h"
#include "arrays/layout_attributes.h"
#include "arrays/layout_pair.h"
#include "arrays/rearrange.h"
#include "arrays/reshape.h"
#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/notebook.h"
#include "base/state.h"
#include "objects/layout_object.h"
#include "objects/layout_struct.h"

#define HANDLE(object) (((svpy_layout *)(object))->handle)
#define STATE(object) (((svpy_layout *)(object))->state)

static PyObject *wrap_layout(struct svpy_state *state, sv_status status, sv_layout *const *made)
{
    return status == SV_OK ? svpy_layout_wrap(state, *made) : svpy_raise(status);
}

/* --- making one ----------------------------------------------------------- */

/* Both constructors. Strides are in elements, or in bytes that may have to be multiples of the item size; None
 * means C order. */
static PyObject *new_strided(struct svpy_state *state, PyObject *shape, PyObject *strides, PyObject *itemsize,
                             int bytes, int divisible)
{
    int64_t extents[SV_MAX_NDIM], steps[SV_MAX_NDIM], size;
    int32_t ndim = svpy_extents(shape, extents), count = ndim;
    const int64_t *given = strides == Py_None ? NULL : steps, *elements;
    sv_layout *made = NULL;
    sv_status status;

    if (ndim < 0)
        return NULL;
    if (svpy_int64(itemsize, &size) < 0)
        return NULL;
    if (given != NULL)
        count = svpy_extents(strides, steps);
    if (count < 0)
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
    return wrap_layout(state, status, &made);
}

static PyObject *layout_call(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "StridedLayout", 4, 3, {"shape", "strides", "itemsize", "divide_strides"}, 0};
    PyObject *values[4];
    int divide = 0;

    if (svpy_arguments(&signature, args, PyVectorcall_NARGS(nargsf), kwnames, values) < 0)
        return NULL;
    if (svpy_flag(values[3], &divide) < 0)
        return NULL;
    return new_strided(svpy_state_of_type(type), values[0], values[1], values[2], divide, divide);
}

static PyObject *layout_from_byte_strides(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"from_byte_strides", 3, 3, {"shape", "byte_strides", "itemsize"}, 0};
    PyObject *values[3];

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    return new_strided(svpy_state_of_type(type), values[0], values[1], values[2], 1, 0);
}

static PyObject *layout_dense(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"dense", 3, 2, {"shape", "itemsize", "stride_order"}, 0};
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
    return wrap_layout(svpy_state_of_type(type), sv_layout_new_dense(ndim, extents, order, axes, itemsize, &made),
                       &made);
}

static PyObject *layout_parse(PyObject *type, PyObject *text)
{
    sv_layout *made = NULL;
    const char *utf8;
    Py_ssize_t length;

    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "a str is needed, not %.100s", Py_TYPE(text)->tp_name);
        return NULL;
    }
    utf8 = PyUnicode_AsUTF8AndSize(text, &length);
    if (utf8 == NULL)
        return NULL;
    if (strlen(utf8) != (size_t)length) {
        PyErr_SetString(PyExc_ValueError, "the text of a layout holds no NUL");
        return NULL;
    }
    return wrap_layout(svpy_state_of_type(type), sv_layout_parse(utf8, &made), &made);
}

static PyObject *dense_copy(PyObject *self, PyObject *order_given, PyObject *itemsize_given)
{
    int32_t axes[SV_MAX_NDIM], count = 0;
    sv_order order = SV_ORDER_K;
    int64_t itemsize = 0; /* as it is */
    sv_layout *made = NULL;

    if (order_given != NULL && svpy_order(order_given, 1, &order, &count, axes) < 0)
        return NULL;
    if (itemsize_given != NULL && itemsize_given != Py_None) {
        if (svpy_int64(itemsize_given, &itemsize) < 0)
            return NULL;
        if (itemsize == 0) {
            PyErr_SetString(PyExc_ValueError, "item size of 0 bytes, the least is 1");
            return NULL;
        }
    }
    return wrap_layout(STATE(self), sv_layout_to_dense(HANDLE(self), order, count, axes, itemsize, &made), &made);
}

static PyObject *layout_to_dense(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"to_dense", 2, 0, {"stride_order", "itemsize"}, 0};
    PyObject *values[2];

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    return dense_copy(self, values[0], values[1]);
}

static PyObject *layout_dense_like(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"dense_like", 2, 1, {"other", "stride_order"}, 0};
    PyObject *values[2];

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (!svpy_is_layout(svpy_state_of_type(type), values[0])) {
        PyErr_Format(PyExc_TypeError, "a StridedLayout is needed, not %.100s", Py_TYPE(values[0])->tp_name);
        return NULL;
    }
    return dense_copy(values[0], values[1], NULL);
}

static PyObject *layout_repack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"repack", 4, 1, {"itemsize", "data_ptr", "axis", "keep_dim"}, 0};
    PyObject *values[4];
    uintptr_t address = 0;
    int64_t itemsize;
    int32_t axis = -1;
    int keep = 1;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_int64(values[0], &itemsize) < 0)
        return NULL;
    if (svpy_address(values[1], &address) < 0)
        return NULL;
    if (svpy_axis(values[2], &axis) < 0)
        return NULL;
    if (svpy_flag(values[3], &keep) < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_repack(svpy_start(self), itemsize, address, axis, keep));
}

/* --- cuda.core's names of methods that views have too, with cuda.core's names of parameters --- */

typedef PyObject *of_items(PyObject *self, PyObject *const *args, Py_ssize_t nargs);

static inline PyObject *call_of_items(of_items *method, const char *function, const char *name, PyObject *self,
                               PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t count = svpy_items(function, name, args, nargs, kwnames);

    return count < 0 ? NULL : method(self, args, count);
}

static PyObject *layout_permuted(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return call_of_items(svpy_permute, "permuted", "axis_order", self, args, nargs, kwnames);
}

static PyObject *layout_reshaped(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return call_of_items(svpy_reshape, "reshaped", "shape", self, args, nargs, kwnames);
}

static PyObject *layout_unsqueezed(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return call_of_items(svpy_unsqueeze, "unsqueezed", "axis", self, args, nargs, kwnames);
}

static PyObject *layout_sliced(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"sliced", 1, 1, {"slices"}, 0};
    PyObject *key;

    if (nargs == 1 && kwnames == NULL)
        return svpy_subscript(self, args[0]);
    return svpy_arguments(&signature, args, nargs, kwnames, &key) < 0 ? NULL : svpy_subscript(self, key);
}

/* --- what every object of Python has -------------------------------------- */

static PyObject *layout_richcompare(PyObject *self, PyObject *other, int op)
{
    int equal;

    if ((op != Py_EQ && op != Py_NE) || !svpy_is_layout(STATE(self), other))
        Py_RETURN_NOTIMPLEMENTED;
    equal = sv_layout_equal(HANDLE(self), HANDLE(other));
    return PyBool_FromLong(op == Py_EQ ? equal : !equal);
}

static Py_hash_t layout_hash(PyObject *self)
{
    Py_hash_t hash = (Py_hash_t)sv_layout_hash(HANDLE(self));

    return hash == -1 ? -2 : hash;
}

static PyObject *layout_str(PyObject *self)
{
    char text[3072]; /* always enough */
    size_t length;
    sv_status status = sv_layout_text(HANDLE(self), sizeof text, text, &length);

    return status == SV_OK ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)length) : svpy_raise(status);
}

static PyObject *layout_reduce(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *parse = PyObject_GetAttrString((PyObject *)STATE(self)->layout_type, "parse");

    return parse == NULL ? NULL : Py_BuildValue("(N(N))", parse, layout_str(self));
}

/* A layout is immutable, so its copies are itself. */
static PyObject *layout_itself(PyObject *self, PyObject *Py_UNUSED(memo))
{
    return Py_NewRef(self);
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

/* Static methods of the type. */
static PyMethodDef layout_makers[] = {
    {"dense", SVPY_NAMED(layout_dense),
     PyDoc_STR("dense(shape, itemsize, stride_order='C')\n--\n\n"
               "A layout without gaps, in order 'C', 'F' or a permutation of the axes, the slowest first.")},
    {"dense_like", SVPY_NAMED(layout_dense_like),
     PyDoc_STR("dense_like(other, stride_order='K')\n--\n\n"
               "The layout of a packed copy of other; see to_dense().")},
    {"from_byte_strides", SVPY_NAMED(layout_from_byte_strides),
     PyDoc_STR("from_byte_strides(shape, byte_strides, itemsize)\n--\n\n"
               "A layout whose strides in bytes need not be multiples of itemsize.")},
    {"parse", layout_parse, METH_O,
     PyDoc_STR("parse(text, /)\n--\n\n"
               "Read a layout from text: shape, then strides (in bytes with a b behind) unless it is C order,\n"
               "item size and offset in bytes: '(2, 3):(4, 1)*8+16'. str(layout) writes it.")},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef layout_methods[] = {
    {"to_dense", SVPY_NAMED(layout_to_dense),
     PyDoc_STR("to_dense($self, /, stride_order='K', itemsize=None)\n--\n\n"
               "The layout that a packed copy would have: same shape, no gaps, no offset.\n\n"
               "stride_order is 'K' (as the strides already are), 'C', 'F' or a permutation. With itemsize it is\n"
               "the layout of a copy that converts to items of another size.")},
    {"repack", SVPY_NAMED(layout_repack),
     PyDoc_STR("repack($self, /, itemsize, data_ptr=0, axis=-1, keep_dim=True)\n--\n\n"
               "The same bytes as items of another size: along an axis of neighbouring items several become\n"
               "one, or one becomes several. Larger items must be aligned, counting from the address data_ptr.\n"
               "With keep_dim=False an axis that larger items leave with one index is dropped.")},
    {"repacked", SVPY_NAMED(layout_repack),
     PyDoc_STR("repacked($self, /, itemsize, data_ptr=0, axis=-1, keep_dim=True)\n--\n\nThe same as repack().")},
    {"permuted", SVPY_NAMED(layout_permuted),
     PyDoc_STR("permuted($self, /, axis_order, *more)\n--\n\nThe same as permute().")},
    {"reshaped", SVPY_NAMED(layout_reshaped),
     PyDoc_STR("reshaped($self, /, shape, *more)\n--\n\nThe same as reshape().")},
    {"flattened", SVPY_NAMED(svpy_flatten),
     PyDoc_STR("flattened($self, /, start_axis=0, end_axis=-1, mask=None)\n--\n\nThe same as flatten().")},
    {"squeezed", SVPY_FAST(svpy_squeeze), PyDoc_STR("squeezed($self, *axes)\n--\n\nThe same as squeeze().")},
    {"unsqueezed", SVPY_NAMED(layout_unsqueezed),
     PyDoc_STR("unsqueezed($self, /, axis, *more)\n--\n\nThe same as unsqueeze().")},
    {"sliced", SVPY_NAMED(layout_sliced),
     PyDoc_STR("sliced($self, /, slices)\n--\n\nThe same as layout[slices]: ints, slices, Ellipsis and None.")},
    {"__reduce__", layout_reduce, METH_NOARGS, PyDoc_STR("__reduce__($self, /)\n--\n\nPickled as its text.")},
    {"__copy__", layout_itself, METH_NOARGS, PyDoc_STR("__copy__($self, /)\n--\n\nItself: it does not change.")},
    {"__deepcopy__", layout_itself, METH_O,
     PyDoc_STR("__deepcopy__($self, memo, /)\n--\n\nItself: it does not change.")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef layout_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(svpy_layout, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static const char layout_doc[] = PyDoc_STR(
    "StridedLayout(shape, strides, itemsize, divide_strides=False)\n--\n\n"
    "Shape, strides, item size and offset of an array; no memory, no type. It does not change.\n\n"
    "strides count elements, or bytes with divide_strides=True; None means C order.\n"
    "Methods of a derived class give objects of this one.");

static PyType_Slot layout_slots[] = {
    {Py_tp_doc, (void *)layout_doc},
    {Py_tp_new, svpy_layout_new},
    {Py_tp_dealloc, svpy_layout_dealloc},
    {Py_tp_repr, layout_repr},
    {Py_tp_str, layout_str},
    {Py_tp_hash, layout_hash},
    {Py_tp_richcompare, layout_richcompare},
    {Py_tp_methods, layout_methods},
    {Py_tp_getset, svpy_layout_getset},
    {Py_tp_members, layout_members},
    {Py_mp_subscript, svpy_subscript},
    {0, NULL},
};

static PyType_Spec layout_spec = {
    .name = "strideview.StridedLayout",
    .basicsize = sizeof(svpy_layout),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = layout_slots,
};

int svpy_layout_init(struct svpy_state *state, PyObject *module)
{
    static PyMethodDef *const shared[] = {svpy_rearranging, svpy_reshaping, svpy_asking,
                                          svpy_pairing,     svpy_drawing,   svpy_showing};
    PyObject *made = PyType_FromModuleAndSpec(module, &layout_spec, NULL);
    PyTypeObject *type = (PyTypeObject *)made;

    state->layout_type = type;
    if (type == NULL)
        return -1;
    type->tp_vectorcall = layout_call;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (svpy_add_methods(type, shared[i]) < 0)
            return -1;
    if (svpy_add_functions(type->tp_dict, made, layout_makers) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "StridedLayout", made);
}
