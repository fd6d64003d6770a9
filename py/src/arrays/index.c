/* layout[key]: ints, slices, Ellipsis and None, as NumPy's basic indexing reads them. */
#include "arrays/index.h"

#include "arrays/rearrange.h"
#include "base/arguments.h"
#include "base/errors.h"

/*
 * A key becomes three steps: slice the leading axes (an int takes one index),
 * drop the axes that an int took, insert the axes that a None asks for.
 */
typedef struct {
    int32_t sliced, dropped, inserted, kept;
    int64_t start[SV_MAX_NDIM], stop[SV_MAX_NDIM], step[SV_MAX_NDIM];
    int32_t drop[SV_MAX_NDIM], insert[SV_MAX_NDIM];
} index_steps;

static void keep_axes(index_steps *steps, int32_t count)
{
    for (; count > 0; count--) {
        steps->start[steps->sliced] = 0;
        steps->stop[steps->sliced] = INT64_MAX;
        steps->step[steps->sliced++] = 1;
        steps->kept++;
    }
}

/* Arrays have an __index__(), too, whose errors do not say what to call. */
static int refuse_item(PyObject *item)
{
    if (PyBool_Check(item) || ((PyMapping_Check(item) || PySequence_Check(item)) && !PyUnicode_Check(item)))
        PyErr_Format(PyExc_TypeError, "an index is an int, a slice, Ellipsis or None, not %.100s; what is chosen by "
                     "arrays of indices or by a mask is a copy: np.asarray(v)[index], on a device "
                     "torch.from_dlpack(v)[index]", Py_TYPE(item)->tp_name);
    else
        PyErr_Format(PyExc_TypeError, "an index is an int, a slice, Ellipsis or None, not %.100s",
                     Py_TYPE(item)->tp_name);
    return -1;
}

static int take_index(index_steps *steps, const sv_layout *layout, PyObject *item)
{
    int32_t axis = steps->sliced;
    int64_t extent = sv_layout_shape(layout)[axis], index;

    if (svpy_int64(item, &index) < 0) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            return refuse_item(item);
        if (PyErr_ExceptionMatches(PyExc_OverflowError))
            PyErr_Format(svpy_bounds_error(), "index %R is outside axis %d of extent %lld", item, axis,
                         (long long)extent);
        return -1;
    }
    if (index < -extent || index >= extent) {
        PyErr_Format(svpy_bounds_error(), "index %lld is outside axis %d of extent %lld", (long long)index, axis,
                     (long long)extent);
        return -1;
    }
    if (index < 0)
        index += extent;
    steps->start[axis] = index;
    steps->stop[axis] = index + 1;
    steps->step[axis] = 1;
    steps->sliced++;
    steps->drop[steps->dropped++] = axis;
    return 0;
}

/* Read a bound of a slice without a call: None, or a small int. */
static int is_plain(PyObject *bound)
{
    return bound == Py_None || svpy_is_small(bound);
}

static int take_slice(index_steps *steps, PyObject *item)
{
    const PySliceObject *slice = (PySliceObject *)item;
    Py_ssize_t start, stop, step;

    if (is_plain(slice->start) && is_plain(slice->stop) && is_plain(slice->step)) {
        step = slice->step == Py_None ? 1 : svpy_small(slice->step);
        start = slice->start != Py_None ? svpy_small(slice->start) : step < 0 ? INT64_MAX : 0;
        stop = slice->stop != Py_None ? svpy_small(slice->stop) : step < 0 ? INT64_MIN : INT64_MAX;
    } else if (PySlice_Unpack(item, &start, &stop, &step) < 0) {
        return -1;
    }
    steps->start[steps->sliced] = start;
    steps->stop[steps->sliced] = stop;
    steps->step[steps->sliced++] = step;
    steps->kept++;
    return 0;
}

static int insert_axis(index_steps *steps)
{
    if (steps->inserted == SV_MAX_NDIM) {
        PyErr_Format(svpy_bounds_error(), "more than %d new axes", SV_MAX_NDIM);
        return -1;
    }
    steps->insert[steps->inserted] = steps->kept + steps->inserted;
    steps->inserted++;
    return 0;
}

/* How many axes an Ellipsis stands for, after checking the number of items. */
static int32_t axes_left(const sv_layout *layout, PyObject *const *items, Py_ssize_t count)
{
    int32_t ndim = sv_layout_ndim(layout);
    Py_ssize_t used = 0, ellipses = 0;

    for (Py_ssize_t i = 0; i < count; i++) {
        ellipses += items[i] == Py_Ellipsis;
        used += items[i] != Py_Ellipsis && items[i] != Py_None;
    }
    if (ellipses > 1) {
        PyErr_SetString(svpy_bounds_error(), "more than one Ellipsis");
        return -1;
    }
    if (used > ndim) {
        PyErr_Format(svpy_bounds_error(), "%zd indices for %d axes", used, ndim);
        return -1;
    }
    return ndim - (int32_t)used;
}

static int read_index_item(index_steps *steps, const sv_layout *layout, PyObject *item, int32_t left)
{
    if (item == Py_None)
        return insert_axis(steps);
    if (item == Py_Ellipsis) {
        keep_axes(steps, left);
        return 0;
    }
    if (PySlice_Check(item))
        return take_slice(steps, item);
    if (PyBool_Check(item) || !PyIndex_Check(item))
        return refuse_item(item);
    return take_index(steps, layout, item);
}

static sv_status run_index_steps(sv_layout_builder *builder, const index_steps *steps)
{
    sv_status status = SV_OK;

    if (steps->sliced > 0)
        status = sv_layout_builder_slice(builder, steps->sliced, steps->start, steps->stop, steps->step);
    if (status == SV_OK && steps->dropped > 0)
        status = sv_layout_builder_squeeze(builder, steps->dropped, steps->drop);
    if (status == SV_OK && steps->inserted > 0)
        status = sv_layout_builder_unsqueeze(builder, steps->inserted, steps->insert);
    return status;
}

/* Fast path: self[3] is one call of libsv. */
static PyObject *index_first(PyObject *self, PyObject *key)
{
    int64_t index;

    if (svpy_int64(key, &index) < 0) {
        PyErr_Format(svpy_bounds_error(), "index %R is outside axis 0", key);
        return NULL;
    }
    return svpy_finish(self, sv_layout_builder_index(svpy_start(self), 0, index));
}

PyObject *svpy_subscript(PyObject *self, PyObject *key)
{
    const sv_layout *layout = svpy_layout_of(self);
    PyObject *const *items = PyTuple_Check(key) ? ((PyTupleObject *)key)->ob_item : &key;
    Py_ssize_t count = PyTuple_Check(key) ? PyTuple_GET_SIZE(key) : 1;
    index_steps steps;
    int32_t left;

    if (PyLong_CheckExact(key))
        return index_first(self, key);
    left = axes_left(layout, items, count);
    if (left < 0)
        return NULL;
    steps.sliced = steps.dropped = steps.inserted = steps.kept = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (read_index_item(&steps, layout, items[i], left) < 0)
            return NULL;
    }
    return svpy_finish(self, run_index_steps(svpy_start(self), &steps));
}
