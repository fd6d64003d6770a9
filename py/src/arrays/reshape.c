/* Methods of layouts and views that make other axes of the same elements in the same order. */
#include "arrays/reshape.h"

#include "arrays/rearrange.h"
#include "base/arguments.h"
#include "base/helper.h"
#include "base/state.h"
#include "objects/view_struct.h"

PyObject *svpy_reshape(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    int64_t shape[SV_MAX_NDIM];
    int32_t ndim = svpy_extents_of(args, nargs, shape);

    sv_status status;

    if (ndim < 0)
        return NULL;
    status = sv_layout_builder_reshape(svpy_start(self), ndim, shape);
    if (status != SV_ERROR_LAYOUT || !svpy_is_view(svpy_state_of(self), self))
        return svpy_finish(self, status);
    PyErr_Format(PyExc_ValueError, "%s; view.contiguous().reshape(...) copies", sv_last_message());
    return NULL;
}

static PyObject *reshape_axes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t count = svpy_items_or("reshape", "shape", nargs, kwnames);

    return count < 0 ? NULL : svpy_reshape(self, args, count);
}

/* Merge a range of axes into one, or raise ValueError: callers of view.flatten() rely on the number of axes. */
static PyObject *flatten_view(PyObject *self, int32_t start, int32_t end)
{
    sv_status status;

    if (sv_layout_ndim(svpy_layout_of(self)) == 0)
        return svpy_finish(self, sv_layout_builder_flatten(svpy_start(self), start, end));
    status = sv_layout_builder_merge_axes(svpy_start(self), start, end);
    if (status != SV_ERROR_LAYOUT)
        return svpy_finish(self, status);
    PyErr_Format(PyExc_ValueError, "only a copy can be flattened (%s): view.contiguous().flatten() does, and "
                 "view.view(view.layout.flattened()) merges what can be merged", sv_last_message());
    return NULL;
}

PyObject *svpy_flatten(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"flatten", 3, 0, {"start_axis", "end_axis", "mask"}, 0};
    PyObject *values[3];
    int32_t start = 0, end = -1;
    uintptr_t mask = 0;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (values[2] == NULL || values[2] == Py_None) {
        if (svpy_axis(values[0], &start) < 0)
            return NULL;
        if (svpy_axis(values[1], &end) < 0)
            return NULL;
        if (svpy_is_view(svpy_state_of(self), self))
            return flatten_view(self, start, end);
        return svpy_finish(self, sv_layout_builder_flatten(svpy_start(self), start, end));
    }
    if (svpy_address(values[2], &mask) < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_flatten_masked(svpy_start(self), mask));
}

static PyObject *merge_axes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"merge_axes", 2, 2, {"start_axis", "end_axis"}, 0};
    PyObject *values[2];
    int32_t start = 0, end = 0;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_axis(values[0], &start) < 0)
        return NULL;
    if (svpy_axis(values[1], &end) < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_merge_axes(svpy_start(self), start, end));
}

static PyObject *split_axis(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"split_axis", 2, 2, {"axis", "shape"}, 0};
    PyObject *values[2];
    int64_t extents[SV_MAX_NDIM];
    int32_t axis = 0, count;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_axis(values[0], &axis) < 0)
        return NULL;
    count = svpy_extents(values[1], extents);
    if (count < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_split_axis(svpy_start(self), axis, count, extents));
}

PyMethodDef svpy_reshaping[] = {
    {"reshape", SVPY_NAMED(reshape_axes),
     PyDoc_STR("reshape($self, *extents, shape=None)\n--\n\n"
               "The same elements in C order of their indices under another shape, one extent of which may\n"
               "be -1. Never copies: ValueError where only a copy could have that shape.")},
    {"flatten", SVPY_NAMED(svpy_flatten),
     PyDoc_STR("flatten($self, /, start_axis=0, end_axis=-1, mask=None)\n--\n\n"
               "Merge neighbouring axes that step as one: those of a range, both ends included, or those\n"
               "of which mask, if given, has a bit (see StridedLayout.flattened_axis_mask). Nothing is copied.\n"
               "A layout keeps axes apart that do not step as one. So does a view with mask; without it,\n"
               "one axis takes the place of the range, or ValueError says that only a copy could have it.")},
    {"merge_axes", SVPY_NAMED(merge_axes),
     PyDoc_STR("merge_axes($self, /, start_axis, end_axis)\n--\n\n"
               "Make one axis of a range of them, both ends included. ValueError where they do not step\n"
               "as one.")},
    {"split_axis", SVPY_NAMED(split_axis),
     PyDoc_STR("split_axis($self, /, axis, shape)\n--\n\n"
               "Put several axes in the place of one, in C order. One extent may be -1.")},
    {NULL, NULL, 0, NULL},
};
