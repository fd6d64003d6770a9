/* Permute, reshape, squeeze, unsqueeze, broadcast: Python arguments in, a new layout out. */
#include "svpy.h"

/* f(2, 3) and f((2, 3)) mean the same. */
static int32_t extents_of(PyObject *const *args, Py_ssize_t nargs, int64_t *out)
{
    if (nargs == 1)
        return svpy_extents(args[0], out);
    if (nargs > SV_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "%zd axes; at most %d are possible", nargs, SV_MAX_NDIM);
        return -1;
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (svpy_int64(args[i], &out[i]) < 0)
            return -1;
    }
    return (int32_t)nargs;
}

static int32_t axes_of(PyObject *const *args, Py_ssize_t nargs, int32_t *out)
{
    PyObject *axes;
    int32_t count;

    if (nargs == 1)
        return svpy_axes(args[0], out);
    axes = PyTuple_New(nargs);
    if (axes == NULL)
        return -1;
    for (Py_ssize_t i = 0; i < nargs; i++)
        PyTuple_SET_ITEM(axes, i, Py_NewRef(args[i]));
    count = svpy_axes(axes, out);
    Py_DECREF(axes);
    return count;
}

static sv_layout *answer(sv_status status, sv_layout *const *made)
{
    return status == SV_OK ? *made : svpy_raise(status);
}

sv_layout *svpy_permute(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs)
{
    int32_t axes[SV_MAX_NDIM], count;
    sv_layout *made = NULL;

    if (nargs == 0 && sv_layout_ndim(layout) > 0) {
        PyErr_SetString(PyExc_TypeError, "axes are needed");
        return NULL;
    }
    count = axes_of(args, nargs, axes);
    return count < 0 ? NULL : answer(sv_layout_permute(layout, count, axes, &made), &made);
}

sv_layout *svpy_reshape(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs)
{
    int64_t shape[SV_MAX_NDIM];
    int32_t ndim = extents_of(args, nargs, shape);
    sv_layout *made = NULL;

    return ndim < 0 ? NULL : answer(sv_layout_reshape(layout, ndim, shape, &made), &made);
}

sv_layout *svpy_squeeze(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs)
{
    int32_t axes[SV_MAX_NDIM], count = 0;
    int every = nargs == 0 || (nargs == 1 && args[0] == Py_None);
    sv_layout *made = NULL;

    if (!every && (count = axes_of(args, nargs, axes)) < 0)
        return NULL;
    return answer(sv_layout_squeeze(layout, count, every ? NULL : axes, &made), &made);
}

sv_layout *svpy_unsqueeze(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs)
{
    int32_t axes[SV_MAX_NDIM], count = axes_of(args, nargs, axes);
    sv_layout *made = NULL;

    return count < 0 ? NULL : answer(sv_layout_unsqueeze(layout, count, axes, &made), &made);
}

sv_layout *svpy_broadcast(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs)
{
    int64_t shape[SV_MAX_NDIM];
    int32_t ndim = extents_of(args, nargs, shape);
    sv_layout *made = NULL;

    return ndim < 0 ? NULL : answer(sv_layout_broadcast(layout, ndim, shape, &made), &made);
}
