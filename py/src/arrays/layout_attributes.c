/* The attributes of StridedLayout. */
#include "arrays/layout_attributes.h"

#include "arrays/layout_pair.h"
#include "arrays/rearrange.h"
#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "objects/layout_struct.h"

#define HANDLE(object) (((svpy_layout *)(object))->handle)

PyObject *svpy_layout_strides(const sv_layout *layout)
{
    const int64_t *strides;
    sv_status status = sv_layout_strides(layout, &strides);

    return status == SV_OK ? svpy_tuple(strides, sv_layout_ndim(layout)) : svpy_raise(status);
}

/* Convert bytes to elements; NULL with an exception where they are no whole number of elements. */
static PyObject *convert_to_elements(const sv_layout *layout, int64_t bytes)
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
    return PyBool_FromLong(sv_layout_is_dense(HANDLE(self)));
}

static PyObject *get_is_unique(PyObject *self, void *Py_UNUSED(closure))
{
    return svpy_decide_unique(HANDLE(self));
}

static PyObject *get_layout_ndim(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(sv_layout_ndim(HANDLE(self)));
}

static PyObject *get_layout_shape(PyObject *self, void *Py_UNUSED(closure))
{
    svpy_layout *layout = (svpy_layout *)self;

    if (layout->shape == NULL)
        layout->shape = svpy_tuple(sv_layout_shape(HANDLE(self)), sv_layout_ndim(HANDLE(self)));
    return Py_XNewRef(layout->shape);
}

static PyObject *get_layout_strides(PyObject *self, void *Py_UNUSED(closure))
{
    svpy_layout *layout = (svpy_layout *)self;

    if (layout->strides == NULL)
        layout->strides = svpy_layout_strides(HANDLE(self));
    return Py_XNewRef(layout->strides);
}

static PyObject *get_strides_in_bytes(PyObject *self, void *Py_UNUSED(closure))
{
    return svpy_tuple(sv_layout_byte_strides(HANDLE(self)), sv_layout_ndim(HANDLE(self)));
}

static PyObject *get_slice_offset(PyObject *self, void *Py_UNUSED(closure))
{
    return convert_to_elements(HANDLE(self), sv_layout_byte_offset(HANDLE(self)));
}

static PyObject *get_stride_order(PyObject *self, void *Py_UNUSED(closure))
{
    int32_t axes[SV_MAX_NDIM];

    sv_layout_stride_order(HANDLE(self), axes);
    return svpy_axes_tuple(axes, sv_layout_ndim(HANDLE(self)));
}

/* Offsets in elements of the first and the last element that is reached. The closure picks one of them; NULL means
 * both. */
static const int first_of_two = 0, second_of_two = 1;

static PyObject *get_offset_bounds(PyObject *self, void *closure)
{
    int64_t lower = 0, upper = 0;
    PyObject *first = NULL, *last = NULL;

    sv_layout_byte_bounds(HANDLE(self), &lower, &upper);
    if (closure != &second_of_two)
        first = convert_to_elements(HANDLE(self), lower);
    if (closure == &first_of_two)
        return first;
    if (closure == &second_of_two || first != NULL)
        last = convert_to_elements(HANDLE(self), upper - sv_layout_itemsize(HANDLE(self)));
    if (closure == &second_of_two)
        return last;
    if (last != NULL)
        return Py_BuildValue("(NN)", first, last);
    Py_XDECREF(first);
    return NULL;
}

static PyObject *get_layout_handle(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr(HANDLE(self));
}

PyGetSetDef svpy_layout_getset[] = {
    {"handle", get_layout_handle, NULL,
     PyDoc_STR("Address of the sv_layout, for callers of C; it lives as long as this object."), NULL},
    {"T", svpy_get_transposed, NULL, PyDoc_STR("The layout with its axes reversed."), NULL},
    {"ndim", get_layout_ndim, NULL, PyDoc_STR("Number of axes."), NULL},
    {"shape", get_layout_shape, NULL, PyDoc_STR("Extent of each axis."), NULL},
    {"strides", get_layout_strides, NULL,
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
    {"is_unique", get_is_unique, NULL,
     PyDoc_STR("Whether no two different indices share a byte. TooHardError where that is not decided, which\n"
               "happens with more than four axes only; strideview.is_unique() can be given more time."),
     NULL},
    {"stride_order", get_stride_order, NULL, PyDoc_STR("The axes by the size of their stride, the slowest first."),
     NULL},
    {"offset_bounds", get_offset_bounds, NULL,
     PyDoc_STR("First and last element reached, relative to the base; (0, -1) when there is none."), NULL},
    {"min_offset", get_offset_bounds, NULL, PyDoc_STR("The first of offset_bounds."), (void *)&first_of_two},
    {"max_offset", get_offset_bounds, NULL, PyDoc_STR("The second of offset_bounds."), (void *)&second_of_two},
    {NULL, NULL, NULL, NULL, NULL},
};

/* --- questions with arguments --------------------------------------------- */

static PyObject *find_flattened_axis_mask(PyObject *self, PyObject *Py_UNUSED(none))
{
    return PyLong_FromUnsignedLongLong(sv_layout_flatten_mask(HANDLE(self)));
}

static PyObject *find_required_size(PyObject *self, PyObject *Py_UNUSED(none))
{
    int64_t nbytes;
    sv_status status = sv_layout_required_size(HANDLE(self), &nbytes);

    return status == SV_OK ? PyLong_FromLongLong(nbytes) : svpy_raise(status);
}

static PyObject *find_alignment(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"alignment", 1, 0, {"address"}, 0};
    PyObject *values[1];
    uintptr_t address = 0;
    int64_t bytes;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_address(values[0], &address) < 0)
        return NULL;
    status = sv_layout_alignment(HANDLE(self), address, &bytes);
    return status == SV_OK ? PyLong_FromLongLong(bytes) : svpy_raise(status);
}

static PyObject *find_max_itemsize(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"max_compatible_itemsize", 3, 0, {"max_itemsize", "data_ptr", "axis"}, 0};
    PyObject *values[3];
    int64_t limit = 16, itemsize;
    uintptr_t address = 0;
    int32_t axis = -1;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (values[0] != NULL && svpy_int64(values[0], &limit) < 0)
        return NULL;
    if (svpy_address(values[1], &address) < 0)
        return NULL;
    if (svpy_axis(values[2], &axis) < 0)
        return NULL;
    status = sv_layout_max_itemsize(HANDLE(self), limit, address, axis, &itemsize);
    return status == SV_OK ? PyLong_FromLongLong(itemsize) : svpy_raise(status);
}

static PyObject *is_within(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"is_within", 2, 2, {"lower", "upper"}, 0};
    PyObject *values[2];
    int64_t lower, upper;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_int64(values[0], &lower) < 0)
        return NULL;
    if (svpy_int64(values[1], &upper) < 0)
        return NULL;
    return PyBool_FromLong(sv_layout_is_within(HANDLE(self), lower, upper));
}

PyMethodDef svpy_asking[] = {
    {"alignment", SVPY_NAMED(find_alignment),
     PyDoc_STR("alignment($self, /, address=0)\n--\n\n"
               "The largest power of two that divides the address of every element, with the base at address.")},
    {"is_within", SVPY_NAMED(is_within),
     PyDoc_STR("is_within($self, /, lower, upper)\n--\n\n"
               "Whether every byte of every element lies in [lower, upper), counted from the base.")},
    {"max_compatible_itemsize", SVPY_NAMED(find_max_itemsize),
     PyDoc_STR("max_compatible_itemsize($self, /, max_itemsize=16, data_ptr=0, axis=-1)\n--\n\n"
               "The largest item size, a divisor of max_itemsize, that repack() would take with the same\n"
               "data_ptr and axis; the present one where there is none larger.")},
    {"flattened_axis_mask", find_flattened_axis_mask, METH_NOARGS,
     PyDoc_STR("flattened_axis_mask($self, /)\n--\n\n"
               "Bit i is set when flatten() can merge axis i into axis i - 1. The & of the masks of several\n"
               "layouts of one shape tells what can be merged in all of them.")},
    {"required_size_in_bytes", find_required_size, METH_NOARGS,
     PyDoc_STR("required_size_in_bytes($self, /)\n--\n\n"
               "Bytes that memory must have, from offset 0 on, to hold every element. ValueError when an\n"
               "element lies below offset 0.")},
    {NULL, NULL, 0, NULL},
};
