/* kernel_arg(): a view as an argument of a kernel, the bytes that sv_view_kernel_arg() writes. */
#include "arrays/kernel_arg.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "objects/view_struct.h"

enum { NDIM, ITEMSIZE, WRITABLE, HOST, ARGUMENTS };


/* Read an integer; absent or None means the value of the view. */
static int read_expected(PyObject *value, int64_t own, int64_t *out)
{
    *out = own;
    return svpy_is_given(value) ? svpy_int64(value, out) : 0;
}

static PyObject *make_kernel_arg(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"kernel_arg", 2, 0, {"ndim", "itemsize", "writable", "host"}, 0};
    const sv_view *view = ((svpy_view *)self)->handle;
    const int32_t own = sv_layout_ndim(sv_view_layout(view));
    PyObject *values[ARGUMENTS];
    int64_t block[1 + 2 * SV_MAX_NDIM], ndim, itemsize;
    int writes = 0, host = 0;
    uint32_t flags;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (read_expected(values[NDIM], own, &ndim) < 0)
        return NULL;
    if (read_expected(values[ITEMSIZE], sv_layout_itemsize(sv_view_layout(view)), &itemsize) < 0)
        return NULL;
    if (svpy_flag(values[WRITABLE], &writes) < 0)
        return NULL;
    if (svpy_flag(values[HOST], &host) < 0)
        return NULL;
    if (ndim < 0 || ndim > SV_MAX_NDIM)
        return PyErr_Format(PyExc_ValueError, "ndim=%lld is no number of axes", (long long)ndim);
    flags = (writes ? SV_KERNEL_WRITES : 0) | (host ? SV_KERNEL_HOST : 0);
    status = sv_view_kernel_arg(view, (int32_t)ndim, itemsize, flags, sizeof block, block);
    if (status != SV_OK)
        return svpy_raise(status);
    return PyBytes_FromStringAndSize((const char *)block, (Py_ssize_t)(sizeof *block * (1 + 2 * (size_t)own)));
}

PyMethodDef svpy_kernels[] = {
    {"kernel_arg", SVPY_NAMED(make_kernel_arg),
     PyDoc_STR("kernel_arg($self, /, ndim=None, itemsize=None, *, writable=False, host=False)\n--\n\n"
               "The view for a CUDA kernel, as bytes: address, shape and strides in elements, 64-bit integers, as\n"
               "strideview::array<T, ndim> of sv_kernel.hpp has them; the kernel takes it by value.\n\n"
               "ndim and itemsize are what the kernel was compiled for; other views are refused. With writable\n"
               "read-only views are. Memory that CUDA devices cannot use is refused unless host is true. The\n"
               "bytes do not keep the memory alive, and no stream is waited for.")},
    {NULL, NULL, 0, NULL},
};
