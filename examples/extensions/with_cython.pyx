# cython: language_level=3
"""An extension module that takes any array, in Cython.

    cythonize -i with_cython.pyx      # with CFLAGS=-I<what strideview.get_include() says>
"""
from cpython.ref cimport PyObject
from libc.stdint cimport int32_t, int64_t

from strideview.api cimport *

cdef const strideview_api *sv = strideview_import()


cdef int open_numbers(object array, int flags, strideview_array *opened) except -1:
    """An array of float64 numbers that the host can read."""
    return sv.open_as(array, STRIDEVIEW_HOST | flags, SV_FLOAT64, -1, 0, opened)


cdef double add(const char *at, int32_t ndim, const int64_t *shape, const int64_t *strides) noexcept nogil:
    cdef double result = 0
    cdef int64_t i
    if ndim == 0:
        return (<const double *>at)[0]
    for i in range(shape[0]):
        result += add(at + i * strides[0], ndim - 1, shape + 1, strides + 1)
    return result


def total(array):
    """The sum of float64 elements."""
    cdef strideview_array a
    cdef double result = 0
    open_numbers(array, 0, &a)
    with nogil:  # the memory stays until the array is closed
        if a.size > 0:
            result = add(<const char *>a.data, a.ndim, a.shape, a.byte_strides)
        sv.close(&a)
    return result


cdef void multiply(char *at, int32_t ndim, const int64_t *shape, const int64_t *strides, double factor) noexcept nogil:
    cdef int64_t i
    if ndim == 0:
        (<double *>at)[0] *= factor
        return
    for i in range(shape[0]):
        multiply(at + i * strides[0], ndim - 1, shape + 1, strides + 1, factor)


def scale(array, double factor):
    """Multiply float64 elements in place."""
    cdef strideview_array a
    open_numbers(array, STRIDEVIEW_WRITABLE, &a)
    if a.size > 0:
        multiply(<char *>a.data, a.ndim, a.shape, a.byte_strides, factor)
    sv.close(&a)


def facts(array):
    """(address, shape, strides in bytes, dtype, readonly, device)"""
    cdef sv_view *view = sv.acquire(array, 0, 0)
    cdef const sv_layout *layout = sv.view_layout(view)
    cdef const int64_t *shape = sv.layout_shape(layout)
    cdef const int64_t *strides = sv.layout_byte_strides(layout)
    cdef char dtype[32]
    try:
        sv.dtype_name(sv.view_dtype(view), sizeof(dtype), dtype, NULL)
        return (<size_t>sv.view_data(view), tuple(shape[i] for i in range(sv.layout_ndim(layout))),
                tuple(strides[i] for i in range(sv.layout_ndim(layout))), dtype.decode(),
                bool(sv.view_is_readonly(view)), (sv.view_device_type(view), sv.view_device_id(view)))
    finally:
        sv.view_release(view)


def mirrored(array):
    """A view with every axis the other way round."""
    cdef sv_view *view = sv.acquire(array, 0, 0)
    cdef sv_view *made = NULL
    cdef sv_layout *layout = NULL
    cdef sv_status status
    try:
        status = sv.layout_flip(sv.view_layout(view), 0, NULL, &layout)
        if status == SV_OK:
            status = sv.view_with_layout(view, layout, &made)
        if status != SV_OK:
            sv.set_error(status)
        return sv.view_object(made, <PyObject *>array)
    finally:
        sv.view_release(made)
        sv.layout_release(layout)
        sv.view_release(view)
