/* Methods of layouts and views that reorder, repeat or choose axes and elements. They move nothing. */
#include "arrays/rearrange.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "objects/layout_object.h"
#include "objects/layout_struct.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"

const sv_layout *svpy_layout_of(PyObject *self)
{
    return svpy_is_view(svpy_state_of(self), self) ? sv_view_layout(((svpy_view *)self)->handle)
                                              : ((svpy_layout *)self)->handle;
}

/* No Python code runs between start and finish, so the interpreter's lock guards the one builder. */
sv_layout_builder *svpy_start(PyObject *self)
{
    sv_layout_builder *builder = svpy_state_of(self)->builder;

    sv_layout_builder_start(builder, svpy_layout_of(self));
    return builder;
}

PyObject *svpy_finish(PyObject *self, sv_status status)
{
    struct svpy_state *state = svpy_state_of(self);
    sv_layout *layout;
    sv_view *view;

    if (status != SV_OK)
        return svpy_raise(status);
    if (svpy_is_view(state, self)) {
        svpy_view *from = (svpy_view *)self;

        status = sv_view_with_builder(from->handle, state->builder, &view);
        return status == SV_OK ? svpy_view_derive(view, from) : svpy_raise(status);
    }
    status = sv_layout_builder_finish(state->builder, &layout);
    return status == SV_OK ? svpy_layout_wrap(state, layout) : svpy_raise(status);
}

/* No argument and None both mean all axes. */
static int means_all(PyObject *const *args, Py_ssize_t nargs)
{
    return nargs == 0 || (nargs == 1 && args[0] == Py_None);
}

/* transpose(0, 2) of PyTorch exchanges two axes. Whether it was that, with an exception. */
static bool refuse_two(PyObject *self, const int32_t *axes, int32_t count)
{
    const int32_t ndim = sv_layout_ndim(svpy_layout_of(self));

    if (count != 2 || ndim <= 2)
        return false;
    PyErr_Format(PyExc_ValueError, "2 axes given for a layout of %d: swapaxes(%d, %d) exchanges two", (int)ndim,
                 (int)axes[0], (int)axes[1]);
    return true;
}

PyObject *svpy_permute(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    int32_t axes[SV_MAX_NDIM], count;

    if (nargs == 0 && sv_layout_ndim(svpy_layout_of(self)) > 0) {
        PyErr_SetString(PyExc_TypeError, "axes are needed");
        return NULL;
    }
    count = svpy_axes_of(args, nargs, axes);
    if (count < 0 || refuse_two(self, axes, count))
        return NULL;
    return svpy_finish(self, sv_layout_builder_permute(svpy_start(self), count, axes));
}

PyObject *svpy_get_transposed(PyObject *self, void *Py_UNUSED(closure))
{
    return svpy_finish(self, sv_layout_builder_permute(svpy_start(self), 0, NULL));
}

static PyObject *permute_axes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t count = svpy_items_or("permute", "dims", nargs, kwnames);

    return count < 0 ? NULL : svpy_permute(self, args, count);
}

static PyObject *transpose_axes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    nargs = svpy_items_or("transpose", "axes", nargs, kwnames);
    if (nargs < 0)
        return NULL;
    return means_all(args, nargs) ? svpy_get_transposed(self, NULL) : svpy_permute(self, args, nargs);
}

static PyObject *move_axes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"moveaxis", 2, 2, {"source", "destination"}, 0};
    int32_t axes[SV_MAX_NDIM], places[SV_MAX_NDIM], count, wanted;
    PyObject *values[2];

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    count = svpy_axes(values[0], axes);
    if (count < 0)
        return NULL;
    wanted = svpy_axes(values[1], places);
    if (wanted < 0)
        return NULL;
    if (count != wanted) {
        PyErr_Format(PyExc_ValueError, "%d axes for %d places", count, wanted);
        return NULL;
    }
    return svpy_finish(self, sv_layout_builder_move_axes(svpy_start(self), count, axes, places));
}

static PyObject *swap_axes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"swapaxes", 2, 2, {"axis1", "axis2"}, 0};
    PyObject *values[2];
    int32_t axis = 0, other = 0;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_axis(values[0], &axis) < 0)
        return NULL;
    if (svpy_axis(values[1], &other) < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_swap_axes(svpy_start(self), axis, other));
}

static PyObject *flip_axes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t given = svpy_items_or("flip", "axis", nargs, kwnames);
    const int all = means_all(args, given);
    int32_t axes[SV_MAX_NDIM], count = 0;

    if (given < 0)
        return NULL;
    nargs = given;
    if (!all)
        count = svpy_axes_of(args, nargs, axes);
    if (count < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_flip(svpy_start(self), count, all ? NULL : axes));
}

PyObject *svpy_squeeze(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    int32_t axes[SV_MAX_NDIM], count = 0;
    int all = means_all(args, nargs);

    if (!all)
        count = svpy_axes_of(args, nargs, axes);
    if (count < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_squeeze(svpy_start(self), count, all ? NULL : axes));
}

PyObject *svpy_squeeze_leading(PyObject *self, int32_t count)
{
    int32_t axes[SV_MAX_NDIM];

    for (int32_t i = 0; i < count; i++)
        axes[i] = i;
    return svpy_finish(self, sv_layout_builder_squeeze(svpy_start(self), count, axes));
}

PyObject *svpy_unsqueeze(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    int32_t axes[SV_MAX_NDIM], count = svpy_axes_of(args, nargs, axes);

    if (count < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_unsqueeze(svpy_start(self), count, axes));
}

static PyObject *squeeze_axes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t count = svpy_items_or("squeeze", "axis", nargs, kwnames);

    return count < 0 ? NULL : svpy_squeeze(self, args, count);
}

static PyObject *unsqueeze_axes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t count = svpy_items_or("unsqueeze", "axis", nargs, kwnames);

    return count < 0 ? NULL : svpy_unsqueeze(self, args, count);
}

static PyObject *repeat_to_shape(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t count = svpy_items("broadcast_to", "shape", args, nargs, kwnames);
    int64_t shape[SV_MAX_NDIM];
    int32_t ndim = count < 0 ? -1 : svpy_extents_of(args, count, shape);

    if (ndim < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_broadcast(svpy_start(self), ndim, shape));
}

static PyObject *take_diagonal(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"diagonal", 3, 0, {"offset", "axis1", "axis2"}, 0};
    PyObject *values[3];
    int64_t offset = 0;
    int32_t axis = 0, other = 1;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (values[0] != NULL && svpy_int64(values[0], &offset) < 0)
        return NULL;
    if (svpy_axis(values[1], &axis) < 0)
        return NULL;
    if (svpy_axis(values[2], &other) < 0)
        return NULL;
    return svpy_finish(self, sv_layout_builder_diagonal(svpy_start(self), offset, axis, other));
}

static PyObject *make_windows(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"sliding_window", 2, 1, {"window_shape", "axis"}, 0};
    PyObject *values[2];
    int64_t extents[SV_MAX_NDIM];
    int32_t axes[SV_MAX_NDIM], count, given;
    int all;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    all = values[1] == NULL || values[1] == Py_None;
    count = given = svpy_extents(values[0], extents);
    if (count < 0)
        return NULL;
    if (!all)
        given = svpy_axes(values[1], axes);
    if (given < 0)
        return NULL;
    if (count != given) {
        PyErr_Format(PyExc_ValueError, "a window of %d axes along %d", count, given);
        return NULL;
    }
    return svpy_finish(self, sv_layout_builder_window(svpy_start(self), count, all ? NULL : axes, extents));
}

PyMethodDef svpy_rearranging[] = {
    {"permute", SVPY_NAMED(permute_axes),
     PyDoc_STR("permute($self, *order, dims=None)\n--\n\nReorder the axes: axis i of the result is axis order[i]. dims= takes the order, too.")},
    {"transpose", SVPY_NAMED(transpose_axes),
     PyDoc_STR("transpose($self, *order, axes=None)\n--\n\nThe same as permute(); without axes, or with None, they are reversed.")},
    {"moveaxis", SVPY_NAMED(move_axes),
     PyDoc_STR("moveaxis($self, /, source, destination)\n--\n\n"
               "Move axes to other places; the rest keep their order.")},
    {"swapaxes", SVPY_NAMED(swap_axes),
     PyDoc_STR("swapaxes($self, /, axis1, axis2)\n--\n\nExchange two axes.")},
    {"flip", SVPY_NAMED(flip_axes),
     PyDoc_STR("flip($self, *axes, axis=None)\n--\n\nTurn axes round, those given or all: index 0 becomes the last one.")},
    {"squeeze", SVPY_NAMED(squeeze_axes),
     PyDoc_STR("squeeze($self, *axes, axis=None)\n--\n\nDrop axes of extent 1: those given, or all.")},
    {"unsqueeze", SVPY_NAMED(unsqueeze_axes),
     PyDoc_STR("unsqueeze($self, *axes, axis=None)\n--\n\nInsert axes of extent 1 at these places of the result.")},
    {"broadcast_to", SVPY_NAMED(repeat_to_shape),
     PyDoc_STR("broadcast_to($self, /, shape, *more)\n--\n\nRepeat along new leading axes and axes of extent 1.")},
    {"diagonal", SVPY_NAMED(take_diagonal),
     PyDoc_STR("diagonal($self, /, offset=0, axis1=0, axis2=1)\n--\n\n"
               "The elements whose index along axis2 is offset more than along axis1. The two axes go, the\n"
               "diagonal comes last.")},
    {"sliding_window", SVPY_NAMED(make_windows),
     PyDoc_STR("sliding_window($self, /, window_shape, axis=None)\n--\n\n"
               "Every place of a window. The axes given, or all, count the places; the axes of the window\n"
               "come last.")},
    {NULL, NULL, 0, NULL},
};
