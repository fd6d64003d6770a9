/*
 * Fresh memory like a view, and copies into it: empty_like(), copy(), astype(), contiguous(), tobytes(). It lies on the
 * host, or on the CUDA device of the view.
 *
 * Records and other opaque items keep their dtype in svpy_view.kept, since no exporter is left to be asked.
 */
#include "arrays/clone.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "copies/copy.h"
#include "execution/stream.h"
#include "objects/allocate.h"
#include "objects/kept_dtype.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

#define HANDLE(object) (((svpy_view *)(object))->handle)
#define LAYOUT(object) sv_view_layout(HANDLE(object))

/* What a fresh view holds. */
struct items {
    sv_dtype dtype;
    int64_t itemsize;
    PyObject *kept; /* of opaque items; owned, or NULL */
    bool zeros;     /* whether bytes are zero */
};

static int read_same_items(const svpy_view *view, struct items *out)
{
    out->dtype = sv_view_dtype(view->handle);
    out->itemsize = sv_layout_itemsize(LAYOUT(view));
    out->zeros = false;
    out->kept = svpy_kept_dtype(view);
    return out->kept == NULL && PyErr_Occurred() ? -1 : 0;
}

/* Items of the given dtype. NULL, None and the view's own dtype mean the items of the view. */
static int read_new_items(const svpy_view *view, PyObject *dtype, struct items *out)
{
    struct svpy_items read;
    int equal;

    if (read_same_items(view, out) < 0)
        return -1;
    if (dtype == NULL || dtype == Py_None)
        return 0;
    equal = out->kept == NULL ? 0 : PyObject_RichCompareBool(out->kept, dtype, Py_EQ);
    if (equal > 0)
        return 0;
    Py_CLEAR(out->kept);
    if (equal < 0)
        return -1;
    if (svpy_read_items(dtype, &read) < 0)
        return -1;
    out->dtype = read.dtype;
    out->itemsize = read.itemsize != 0 ? read.itemsize : out->itemsize;
    out->kept = read.kept;
    return 0;
}

/* 'C', 'F', 'K' or a permutation of the view's axes. */
struct order {
    sv_order order;
    int32_t count, axes[SV_MAX_NDIM];
};

static int read_order(PyObject *given, sv_order absent, struct order *out)
{
    out->order = absent;
    out->count = 0;
    return given == NULL ? 0 : svpy_order(given, 1, &out->order, &out->count, out->axes);
}

/* The number of the CUDA device that has the view, on which fresh memory is made by default. NULL with an exception. */
static PyObject *find_like_device(const svpy_view *view)
{
    if (sv_view_device_type(view->handle) == SV_DEVICE_CUDA)
        return PyLong_FromLong(sv_view_device_id(view->handle));
    PyErr_SetString(PyExc_NotImplementedError,
                    "new memory is that of the host and of CUDA devices, and the view is neither: "
                    "say memory='host', or make memory on its device and use copy_to()");
    return NULL;
}

/* Where options say, or else beside the view. */
static PyObject *allocate_view_like(const svpy_view *like, const sv_layout *layout, const struct items *items,
                                    PyObject *const *options)
{
    PyObject *there[SVPY_OPTIONS], *device, *made;

    if (svpy_is_given(options[SVPY_MEMORY]) || svpy_is_given(options[SVPY_DEVICE]) || svpy_is_host(like->handle))
        return svpy_new_array(like->state, layout, items->dtype, items->kept, items->zeros, options);
    device = find_like_device(like);
    if (device == NULL)
        return NULL;
    memcpy(there, options, sizeof there);
    there[SVPY_DEVICE] = device;
    made = svpy_new_array(like->state, layout, items->dtype, items->kept, items->zeros, there);
    Py_DECREF(device);
    return made;
}

static PyObject *new_like(const svpy_view *view, const struct items *items, const struct order *order,
                          PyObject *const *options)
{
    sv_layout *dense = NULL;
    sv_status status = sv_layout_to_dense(LAYOUT(view), order->order, order->count,
                                          order->order == SV_ORDER_AXES ? order->axes : NULL, items->itemsize, &dense);
    PyObject *made;

    if (status != SV_OK)
        return svpy_raise(status);
    made = allocate_view_like(view, dense, items, options);
    sv_layout_release(dense);
    return made;
}

/* Takes the references of items. */
static PyObject *clone_as(const svpy_view *view, struct items *items, const struct order *order, PyObject *casting)
{
    PyObject *made = new_like(view, items, order, svpy_absent);

    Py_CLEAR(items->kept);
    if (made != NULL && svpy_copy_converted((svpy_view *)made, view, casting) < 0)
        Py_CLEAR(made);
    return made;
}

static PyObject *clone_in(PyObject *self, PyObject *order_given, sv_order absent)
{
    struct order order;
    struct items items;

    if (read_order(order_given, absent, &order) < 0)
        return NULL;
    if (read_same_items((svpy_view *)self, &items) < 0)
        return NULL;
    return clone_as((svpy_view *)self, &items, &order, NULL);
}

/* --- methods -------------------------------------------------------------------- */

static PyObject *view_copy(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy", 1, 0, {"order"}, 0};
    PyObject *order;

    if (svpy_arguments(&signature, args, nargs, kwnames, &order) < 0)
        return NULL;
    return clone_in(self, order, SV_ORDER_C);
}

static PyObject *copy_shallow(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return clone_in(self, NULL, SV_ORDER_K);
}

static PyObject *copy_deep(PyObject *self, PyObject *Py_UNUSED(memo))
{
    return clone_in(self, NULL, SV_ORDER_K);
}

static int is_in_order(const svpy_view *view, sv_order order)
{
    return order == SV_ORDER_K || (order != SV_ORDER_AXES && sv_layout_is_contiguous(LAYOUT(view), order));
}

static PyObject *make_contiguous(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"contiguous", 1, 0, {"order"}, 0};
    PyObject *given;
    struct order order;

    if (svpy_arguments(&signature, args, nargs, kwnames, &given) < 0)
        return NULL;
    if (read_order(given, SV_ORDER_C, &order) < 0)
        return NULL;
    if (order.order != SV_ORDER_K && is_in_order((svpy_view *)self, order.order))
        return Py_NewRef(self);
    return clone_in(self, given, SV_ORDER_C);
}

/* Whether opaque items are of the dtype that the view has. Where that cannot be found out they are not. */
static bool are_same_items(const svpy_view *view, const struct items *items)
{
    PyObject *kept = items->kept == NULL ? NULL : svpy_kept_dtype(view);
    const int same = kept == NULL ? items->kept == NULL : PyObject_RichCompareBool(kept, items->kept, Py_EQ);

    Py_XDECREF(kept);
    PyErr_Clear();
    return same > 0;
}

static PyObject *convert_view(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"astype", 1, 1, {"dtype", "order", "casting", "copy"}, 0};
    const svpy_view *view = (svpy_view *)self;
    PyObject *values[4];
    struct items items;
    struct order order;
    int copies = 1;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (read_order(values[1], SV_ORDER_K, &order) < 0)
        return NULL;
    if (svpy_flag(values[3], &copies) < 0)
        return NULL;
    if (read_new_items(view, values[0], &items) < 0)
        return NULL;
    if (!copies && items.dtype == sv_view_dtype(view->handle) && is_in_order(view, order.order) &&
        (items.dtype != SV_OPAQUE || are_same_items(view, &items))) {
        Py_CLEAR(items.kept);
        return Py_NewRef(self);
    }
    return clone_as(view, &items, &order, values[2] != NULL ? values[2] : view->state->names.unsafe);
}

/* Make a bytes object and copy into it through a view. */
static PyObject *copy_to_bytes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"tobytes", 1, 0, {"order"}, 0};
    const svpy_view *view = (svpy_view *)self;
    PyObject *given, *bytes, *target = NULL;
    sv_layout *dense = NULL;
    sv_view *handle = NULL;
    struct order order;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, &given) < 0)
        return NULL;
    if (read_order(given, SV_ORDER_C, &order) < 0)
        return NULL;
    bytes = svpy_new_bytes(sv_layout_nbytes(LAYOUT(view)));
    if (bytes == NULL)
        return NULL;
    status = sv_layout_to_dense(LAYOUT(view), order.order, order.count,
                                order.order == SV_ORDER_AXES ? order.axes : NULL, sv_layout_itemsize(LAYOUT(view)),
                                &dense);
    if (status == SV_OK)
        status = sv_view_new(dense, sv_view_dtype(view->handle), PyBytes_AS_STRING(bytes), 0,
                             sv_layout_nbytes(LAYOUT(view)), SV_DEVICE_CPU, 0, 0, NULL, NULL, &handle);
    sv_layout_release(dense);
    target = status == SV_OK ? svpy_view_wrap(view->state, handle, NULL, SVPY_NOTHING) : svpy_raise(status);
    if (target == NULL || svpy_copy_converted((svpy_view *)target, view, NULL) < 0)
        Py_CLEAR(bytes);
    Py_XDECREF(target);
    return bytes;
}

/* Pickling; strideview._pickle does the work. */
static PyObject *reduce_view(PyObject *self, PyObject *protocol)
{
    PyObject *function = svpy_helper("strideview._pickle", "reduce");
    PyObject *answer = function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, self, protocol, NULL);

    Py_XDECREF(function);
    return answer;
}

/* What Dask calls a view by; strideview._dask does the work. */
static PyObject *name_for_dask(PyObject *self, PyObject *unused)
{
    PyObject *function = svpy_helper("strideview._dask", "name_of");
    PyObject *answer = function == NULL ? NULL : PyObject_CallOneArg(function, self);

    (void)unused;
    Py_XDECREF(function);
    return answer;
}

PyMethodDef svpy_cloning[] = {
    {"copy", SVPY_NAMED(view_copy),
     PyDoc_STR("copy($self, /, order='C')\n--\n\n"
               "A copy in fresh memory without gaps, which can be written: on the host, or on the view's CUDA\n"
               "device.\n\n"
               "order is 'C', 'F', 'K' (as the strides are) or a permutation of the axes, the slowest first.\n"
               "copy.copy(view) and copy.deepcopy(view) are view.copy('K').")},
    {"__copy__", copy_shallow, METH_NOARGS, PyDoc_STR("__copy__($self, /)\n--\n\nThe same as copy('K').")},
    {"__deepcopy__", copy_deep, METH_O, PyDoc_STR("__deepcopy__($self, memo, /)\n--\n\nThe same as copy('K').")},
    {"__reduce_ex__", reduce_view, METH_O,
     PyDoc_STR("__reduce_ex__($self, protocol, /)\n--\n\n"
               "Memory of the host is pickled, without gaps; from protocol 5 on it can go out of band. Memory of a\n"
               "CUDA device is copied to the host for that, and by pickle.loads() to a device.")},
    {"__dask_tokenize__", name_for_dask, METH_NOARGS,
     PyDoc_STR("__dask_tokenize__($self, /)\n--\n\n"
               "By what Dask calls the view: dtype, shape, order of the axes and a hash of the elements.")},
    {"contiguous", SVPY_NAMED(make_contiguous),
     PyDoc_STR("contiguous($self, /, order='C')\n--\n\n"
               "The view itself where it is contiguous in this order, else copy(order).")},
    {"astype", SVPY_NAMED(convert_view),
     PyDoc_STR("astype($self, /, dtype, *, order='K', casting='unsafe', copy=True)\n--\n\n"
               "A copy in fresh memory with its elements converted to a dtype; see strideview.copy().\n\n"
               "With copy=False the view itself where dtype and order are right already.")},
    {"tobytes", SVPY_NAMED(copy_to_bytes),
     PyDoc_STR("tobytes($self, /, order='C')\n--\n\n"
               "The bytes of all elements without gaps, in an order as copy() takes it. Memory of a device is\n"
               "copied to the host.")},
    {NULL, NULL, 0, NULL},
};

/* --- empty_like() ------------------------------------------------------------------ */

static PyObject *new_of_shape(const svpy_view *view, const struct items *items, const struct order *order,
                              PyObject *shape, PyObject *const *options)
{
    const int32_t ndim = sv_layout_ndim(LAYOUT(view));
    int64_t extents[SV_MAX_NDIM];
    int32_t count = svpy_extents(shape, extents), axes[SV_MAX_NDIM];
    sv_order chosen = order->order;
    sv_layout *layout = NULL;
    sv_status status = SV_OK;
    PyObject *made;

    if (count < 0)
        return NULL;
    if (chosen == SV_ORDER_AXES && order->count != count) {
        PyErr_Format(PyExc_ValueError, "an order of %d axes for %d", (int)order->count, (int)count);
        return NULL;
    }
    if (chosen == SV_ORDER_K)
        chosen = count == ndim ? SV_ORDER_AXES : SV_ORDER_C;
    if (order->order == SV_ORDER_K && count == ndim)
        status = sv_layout_stride_order(LAYOUT(view), axes);
    if (status == SV_OK)
        status = sv_layout_new_dense(count, extents, chosen, order->order == SV_ORDER_K ? axes : order->axes,
                                     items->itemsize, &layout);
    if (status != SV_OK)
        return svpy_raise(status);
    made = allocate_view_like(view, layout, items, options);
    sv_layout_release(layout);
    return made;
}

enum { LIKE, DTYPE, ORDER, SHAPE, FRESH_LIKE };

/* values: x, dtype, order and shape. */
static PyObject *make_fresh_like(PyObject *module, PyObject *const *values, PyObject *const *options, bool zeros)
{
    PyObject *view, *made = NULL;
    struct items items = {0};
    struct order order;

    if (read_order(values[ORDER], SV_ORDER_K, &order) < 0)
        return NULL;
    view = svpy_import(svpy_state_of_module(module), values[LIKE], NULL);
    if (view == NULL)
        return NULL;
    if (read_new_items((svpy_view *)view, values[DTYPE], &items) == 0) {
        items.zeros = zeros;
        if (values[SHAPE] == NULL || values[SHAPE] == Py_None)
            made = new_like((svpy_view *)view, &items, &order, options);
        else
            made = new_of_shape((svpy_view *)view, &items, &order, values[SHAPE], options);
    }
    Py_XDECREF(items.kept);
    Py_DECREF(view);
    return made;
}

static PyObject *make_empty_like(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"empty_like", 2, 1, {"x", "dtype", "order", "shape"}, SVPY_PLACING};
    PyObject *values[FRESH_LIKE], *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    return make_fresh_like(module, values, options, false);
}

static PyObject *make_zeros_like(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"zeros_like", 2, 1, {"x", "dtype", "order", "shape"}, SVPY_PLACING};
    PyObject *values[FRESH_LIKE], *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    return make_fresh_like(module, values, options, true);
}

/* For the package's modules: set the dtype that a view of opaque items keeps. */
static PyObject *set_kept_dtype(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    struct svpy_state *state = svpy_state_of_module(module);
    int plain;

    if (nargs != 2 || !svpy_is_view(state, args[0])) {
        PyErr_SetString(PyExc_TypeError, "a view and a dtype are needed");
        return NULL;
    }
    plain = svpy_is_plain(state, args[1], sv_layout_itemsize(LAYOUT(args[0])));
    if (plain == 0)
        PyErr_Format(PyExc_ValueError, "dtype %S cannot be kept: items of %lld bytes hold nothing but bytes", args[1],
                     (long long)sv_layout_itemsize(LAYOUT(args[0])));
    if (plain <= 0)
        return NULL;
    Py_XSETREF(((svpy_view *)args[0])->kept, Py_NewRef(args[1]));
    return Py_NewRef(args[0]);
}

PyMethodDef svpy_likening[] = {
    {"_keep", SVPY_FAST(set_kept_dtype),
     PyDoc_STR("_keep(view, dtype, /)\n--\n\nThe view, which now has this dtype.")},
    {"_zeros_like", SVPY_NAMED(make_zeros_like),
     PyDoc_STR("_zeros_like(x, dtype=None, *, order='K', shape=None, memory=None, device=None, alignment=None,\n"
               "            huge_pages=None, stream=None)\n--\n\nempty_like() whose bytes are zero.")},
    {"empty_like", SVPY_NAMED(make_empty_like),
     PyDoc_STR("empty_like(x, dtype=None, *, order='K', shape=None, memory=None, device=None, alignment=None,\n"
               "           huge_pages=None, stream=None)\n--\n\n"
               "A view of fresh memory, not initialised, like x: a view or anything view() takes.\n\n"
               "None means as x has it: records keep their dtype. order is 'C', 'F', 'K' (as the strides of x\n"
               "are) or a permutation of the axes, the slowest first. memory, device, alignment and stream are those\n"
               "of empty(); without them the memory is of the host, or of the CUDA device that x is on.")},
    {NULL, NULL, 0, NULL},
};
