/*
 * Elements as objects of Python: item(), tolist(), int(view), float(view), complex(view), bool(view) and views as
 * indices.
 *
 * Bools, integers and the usual floating types are read where they lie. Other floating types, and memory that the host
 * cannot read, are copied first, converted to a type that can be read. Records and other opaque items become what
 * their NumPy dtype makes of them, or bytes.
 */
#include "arrays/scalar.h"

#include "arrays/index.h"
#include "base/arguments.h"
#include "base/dtype.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "copies/copy.h"
#include "execution/stream.h"
#include "objects/allocate.h"
#include "objects/kept_dtype.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"

#define HANDLE(object) (((svpy_view *)(object))->handle)
#define LAYOUT(object) sv_view_layout(HANDLE(object))

/* How the elements of a view are read. */
struct reading {
    sv_dtype one; /* of one lane; SV_OPAQUE: bytes */
    int32_t lanes;
    int64_t lane_bytes, itemsize;
};

static struct reading reading_of(const sv_view *view)
{
    const sv_dtype dtype = sv_view_dtype(view);
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(view));
    const int32_t lanes = dtype == SV_OPAQUE ? 1 : (int32_t)(dtype >> 16);

    return (struct reading){dtype == SV_OPAQUE ? SV_OPAQUE : (dtype & 0xffff) | 1u << 16, lanes, itemsize / lanes,
                            itemsize};
}

static bool is_read_in_place(sv_dtype one)
{
    switch (one) {
    case SV_BOOL: case SV_INT8: case SV_INT16: case SV_INT32: case SV_INT64:
    case SV_UINT8: case SV_UINT16: case SV_UINT32: case SV_UINT64:
    case SV_FLOAT16: case SV_BFLOAT16: case SV_FLOAT32: case SV_FLOAT64: case SV_COMPLEX64: case SV_COMPLEX128:
        return true;
    default: return false;
    }
}

/* The dtype of one lane that elements of this dtype are read as: the first of these that has all of its values. 0 where
 * Python has no number for them. */
static sv_dtype find_readable_dtype(sv_dtype one)
{
    static const sv_dtype wider[] = {SV_INT64, SV_FLOAT32, SV_FLOAT64, SV_COMPLEX64, SV_COMPLEX128};

    if (is_read_in_place(one))
        return one;
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++)
        if (sv_can_cast(one, wider[i], SV_CASTING_SAFE))
            return wider[i];
    return 0;
}

/* --- one element -------------------------------------------------------------- */

#define READ(type, make)                                                                                              \
    {                                                                                                                 \
        type value;                                                                                                   \
        memcpy(&value, at, sizeof value);                                                                             \
        return make(value);                                                                                           \
    }

static PyObject *read_bfloat16(const char *at)
{
    uint16_t half;
    uint32_t bits;
    float value;

    memcpy(&half, at, sizeof half);
    bits = (uint32_t)half << 16;
    memcpy(&value, &bits, sizeof value);
    return PyFloat_FromDouble(value);
}

static PyObject *read_complex64(const char *at)
{
    float parts[2];

    memcpy(parts, at, sizeof parts);
    return PyComplex_FromDoubles(parts[0], parts[1]);
}

static PyObject *read_complex128(const char *at)
{
    double parts[2];

    memcpy(parts, at, sizeof parts);
    return PyComplex_FromDoubles(parts[0], parts[1]);
}

/* Read an element of a dtype that find_readable_dtype() gives. */
static PyObject *read_vector_lane(sv_dtype one, const char *at)
{
    switch (one) {
    case SV_BOOL: return PyBool_FromLong(*at != 0);
    case SV_INT8: READ(int8_t, PyLong_FromLong)
    case SV_INT16: READ(int16_t, PyLong_FromLong)
    case SV_INT32: READ(int32_t, PyLong_FromLong)
    case SV_INT64: READ(int64_t, PyLong_FromLongLong)
    case SV_UINT8: READ(uint8_t, PyLong_FromLong)
    case SV_UINT16: READ(uint16_t, PyLong_FromLong)
    case SV_UINT32: READ(uint32_t, PyLong_FromUnsignedLong)
    case SV_UINT64: READ(uint64_t, PyLong_FromUnsignedLongLong)
    case SV_FLOAT16: {
        double value = PyFloat_Unpack2(at, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

        return value == -1. && PyErr_Occurred() ? NULL : PyFloat_FromDouble(value);
    }
    case SV_BFLOAT16: return read_bfloat16(at);
    case SV_FLOAT32: READ(float, PyFloat_FromDouble)
    case SV_FLOAT64: READ(double, PyFloat_FromDouble)
    case SV_COMPLEX64: return read_complex64(at);
    default: return read_complex128(at);
    }
}

static PyObject *read_view_element(const struct reading *r, const char *at)
{
    PyObject *lanes;

    if (r->one == SV_OPAQUE)
        return PyBytes_FromStringAndSize(at, (Py_ssize_t)r->itemsize);
    if (r->lanes == 1)
        return read_vector_lane(r->one, at);
    lanes = PyTuple_New(r->lanes);
    for (int32_t k = 0; lanes != NULL && k < r->lanes; k++) {
        PyObject *lane = read_vector_lane(r->one, at + k * r->lane_bytes);

        if (lane == NULL)
            Py_CLEAR(lanes);
        else
            PyTuple_SET_ITEM(lanes, k, lane);
    }
    return lanes;
}

/* --- memory that is read ------------------------------------------------------ */

static PyObject *refuse_dtype(sv_dtype dtype)
{
    PyObject *name = svpy_dtype_name(dtype);

    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "Python has no number for elements of %U; view(dtype='uint8') has their bytes",
                     name);
    Py_XDECREF(name);
    return NULL;
}

/* Host memory with the same elements, of a dtype that is read as it is. */
static PyObject *copy_readable(svpy_view *view, sv_dtype dtype)
{
    const sv_layout *layout = LAYOUT(view);
    const int64_t itemsize = dtype == SV_OPAQUE ? sv_layout_itemsize(layout) : sv_dtype_itemsize(dtype);
    PyObject *made = NULL;
    sv_layout *dense = NULL;
    sv_view *handle = NULL;
    sv_status status = sv_layout_new_dense(sv_layout_ndim(layout), sv_layout_shape(layout), SV_ORDER_C, NULL, itemsize,
                                           &dense);

    if (status != SV_OK)
        return svpy_raise(status);
    handle = svpy_allocate(dense, dtype);
    sv_layout_release(dense);
    if (handle != NULL)
        made = svpy_view_wrap(view->state, handle, NULL, SVPY_NOTHING);
    if (made != NULL && svpy_copy_converted((svpy_view *)made, view, view->state->names.same_kind) < 0)
        Py_CLEAR(made);
    return made;
}

/* The view, or a copy of it, whose elements read_view_element() can read. New reference. */
static PyObject *make_readable(svpy_view *view)
{
    const struct reading r = reading_of(view->handle);
    const sv_dtype read = r.one == SV_OPAQUE ? SV_OPAQUE : find_readable_dtype(r.one);

    if (read == 0 && r.one != SV_OPAQUE)
        return refuse_dtype(sv_view_dtype(view->handle));
    if (read != r.one || !svpy_is_host(view->handle))
        return copy_readable(view, read == SV_OPAQUE ? read : (read & 0xffff) | (uint32_t)r.lanes << 16);
    return svpy_await_work(view->handle, view->stream) < 0 ? NULL : Py_NewRef(view);
}

/* What NumPy makes of opaque items whose dtype is known; NULL without an exception where it is not. */
static PyObject *values_of_kept(svpy_view *view)
{
    PyObject *kept = svpy_kept_dtype(view), *function, *values;

    if (kept == NULL)
        return NULL;
    function = svpy_helper("strideview._items", "values");
    values = function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, (PyObject *)view, kept, NULL);
    Py_XDECREF(function);
    Py_DECREF(kept);
    return values;
}

/* --- item() --------------------------------------------------------------------- */

static int check_index(int64_t *index, int64_t extent, int32_t axis)
{
    if (*index < -extent || *index >= extent) {
        PyErr_Format(svpy_bounds_error(), "index %lld is outside axis %d of extent %lld", (long long)*index, (int)axis,
                     (long long)extent);
        return -1;
    }
    *index += *index < 0 ? extent : 0;
    return 0;
}

/* The address of the only element, or of the given one in C order. */
static int find_flat(const sv_layout *layout, PyObject *given, int64_t *indices)
{
    const int64_t *shape = sv_layout_shape(layout), size = sv_layout_size(layout);
    int64_t flat = 0;

    if (given == NULL && size != 1) {
        PyErr_Format(PyExc_ValueError, "item() without an index needs one element, not %lld", (long long)size);
        return -1;
    }
    if (given != NULL && svpy_int64(given, &flat) < 0)
        return -1;
    if (flat < -size || flat >= size) {
        PyErr_Format(svpy_bounds_error(), "index %lld is outside %lld elements", (long long)flat, (long long)size);
        return -1;
    }
    flat += flat < 0 ? size : 0;
    for (int32_t axis = sv_layout_ndim(layout) - 1; axis >= 0; flat /= shape[axis--])
        indices[axis] = flat % shape[axis];
    return 0;
}

static int find_element(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs, int64_t *indices)
{
    const int32_t ndim = sv_layout_ndim(layout);
    int32_t count;

    if (nargs == 0 || (nargs == 1 && ndim != 1 && !PyTuple_Check(args[0])))
        return find_flat(layout, nargs == 0 ? NULL : args[0], indices);
    count = svpy_extents_of(args, nargs, indices);
    if (count >= 0 && count != ndim)
        PyErr_Format(svpy_bounds_error(), "%d indices for %d axes", (int)count, (int)ndim);
    for (int32_t axis = 0; count == ndim && axis < ndim; axis++)
        if (check_index(&indices[axis], sv_layout_shape(layout)[axis], axis) < 0)
            return -1;
    return count == ndim ? 0 : -1;
}

PyObject *svpy_read_single(svpy_view *view)
{
    PyObject *value = sv_view_dtype(view->handle) == SV_OPAQUE ? values_of_kept(view) : NULL, *memory;
    struct reading r;

    if (value != NULL || PyErr_Occurred())
        return value;
    memory = make_readable(view);
    if (memory == NULL)
        return NULL;
    r = reading_of(HANDLE(memory));
    value = read_view_element(&r, sv_view_data(HANDLE(memory)));
    Py_DECREF(memory);
    return value;
}

static PyObject *item_at(PyObject *self, const int64_t *indices)
{
    PyObject *key = svpy_tuple(indices, sv_layout_ndim(LAYOUT(self)));
    PyObject *single = key == NULL ? NULL : svpy_subscript(self, key);
    PyObject *value = single == NULL ? NULL : svpy_read_single((svpy_view *)single);

    Py_XDECREF(single);
    Py_XDECREF(key);
    return value;
}

static PyObject *read_one_item(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    svpy_view *view = (svpy_view *)self;
    const sv_layout *layout = LAYOUT(self);
    const struct reading r = reading_of(view->handle);
    int64_t indices[SV_MAX_NDIM];
    const char *at;

    if (find_element(layout, args, nargs, indices) < 0)
        return NULL;
    if (r.one == SV_OPAQUE || find_readable_dtype(r.one) != r.one || !svpy_is_host(view->handle))
        return item_at(self, indices);
    if (svpy_await_work(view->handle, view->stream) < 0)
        return NULL;
    at = sv_view_data(view->handle);
    for (int32_t axis = 0; axis < sv_layout_ndim(layout); axis++)
        at += indices[axis] * sv_layout_byte_strides(layout)[axis];
    return read_view_element(&r, at);
}

/* --- tolist() --------------------------------------------------------------------- */

static PyObject *list_from(const struct reading *r, const sv_layout *layout, int32_t axis, const char *at)
{
    const int64_t extent = axis == sv_layout_ndim(layout) ? 0 : sv_layout_shape(layout)[axis];
    PyObject *list;

    if (axis == sv_layout_ndim(layout))
        return read_view_element(r, at);
    list = PyList_New((Py_ssize_t)extent);
    if (list == NULL && PyErr_ExceptionMatches(PyExc_MemoryError) && extent <= INT64_MAX / (int64_t)sizeof list)
        svpy_no_memory(extent * (int64_t)sizeof list);
    for (int64_t i = 0; list != NULL && i < extent; i++) {
        PyObject *part = list_from(r, layout, axis + 1, at + i * sv_layout_byte_strides(layout)[axis]);

        if (part == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, part);
    }
    return list;
}

static PyObject *make_lists(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *list = sv_view_dtype(HANDLE(self)) == SV_OPAQUE ? values_of_kept((svpy_view *)self) : NULL, *memory;
    struct reading r;

    if (list != NULL || PyErr_Occurred())
        return list;
    memory = make_readable((svpy_view *)self);
    if (memory == NULL)
        return NULL;
    r = reading_of(HANDLE(memory));
    list = list_from(&r, LAYOUT(memory), 0, sv_view_data(HANDLE(memory)));
    Py_DECREF(memory);
    return list;
}

/* --- as a number ------------------------------------------------------------------ */

static PyObject *read_single_value(PyObject *self, const char *wanted)
{
    if (sv_layout_ndim(LAYOUT(self)) == 0)
        return svpy_read_single((svpy_view *)self);
    PyErr_Format(PyExc_TypeError, "only a view without axes can be converted to %s; item() gives an element", wanted);
    return NULL;
}

PyObject *svpy_view_int(PyObject *self)
{
    PyObject *value = read_single_value(self, "int"), *number = value == NULL ? NULL : PyNumber_Long(value);

    Py_XDECREF(value);
    return number;
}

PyObject *svpy_view_float(PyObject *self)
{
    PyObject *value = read_single_value(self, "float"), *number = value == NULL ? NULL : PyNumber_Float(value);

    Py_XDECREF(value);
    return number;
}

static PyObject *as_complex(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *value = read_single_value(self, "complex");
    PyObject *number = value == NULL ? NULL : PyObject_CallOneArg((PyObject *)&PyComplex_Type, value);

    Py_XDECREF(value);
    return number;
}

PyObject *svpy_view_index(PyObject *self)
{
    PyObject *value = read_single_value(self, "an index");

    if (value != NULL && (!PyLong_Check(value) || PyBool_Check(value))) {
        PyErr_SetString(PyExc_TypeError, "only a view of an integer can be an index");
        Py_CLEAR(value);
    }
    return value;
}

int svpy_view_bool(PyObject *self)
{
    static const int64_t first[SV_MAX_NDIM];
    const int64_t size = sv_layout_size(LAYOUT(self));
    PyObject *value;
    int truth;

    if (size != 1) {
        PyErr_Format(PyExc_ValueError, "the truth of a view of %lld elements is ambiguous", (long long)size);
        return -1;
    }
    value = item_at(self, first);
    truth = value == NULL ? -1 : PyObject_IsTrue(value);
    Py_XDECREF(value);
    return truth;
}

PyMethodDef svpy_scalars[] = {
    {"item", SVPY_FAST(read_one_item),
     PyDoc_STR("item($self, /, *index)\n--\n\n"
               "One element as an object of Python: the only one, or that at an index, which is an int for each\n"
               "axis, their tuple, or one int that counts elements in C order.\n\n"
               "It is a bool, an int, a float or a complex number; a tuple of lanes; of records and other items\n"
               "with a NumPy dtype what NumPy makes of them, a tuple or a date; of other opaque items bytes.\n"
               "Numbers below a byte and float128 have none (TypeError).")},
    {"tolist", make_lists, METH_NOARGS,
     PyDoc_STR("tolist($self, /)\n--\n\n"
               "The elements as nested lists, one level an axis; without axes the element itself. See item().")},
    {"__complex__", as_complex, METH_NOARGS, PyDoc_STR("__complex__($self, /)\n--\n\ncomplex(self), without axes.")},
    {NULL, NULL, 0, NULL},
};
