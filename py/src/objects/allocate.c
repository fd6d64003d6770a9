/*
 * Fresh memory. That of the host comes from the C library, at once, and from libsv where it is large, which asks for huge
 * pages; of memory=, device= and alignment= resources and buffers are made, by strideview._resources.
 */
#include "objects/allocate.h"

#include <stdlib.h>

#include "base/arguments.h"
#include "base/dtype.h"
#include "base/errors.h"
#include "base/helper.h"
#include "execution/stream.h"
#include "objects/layout_object.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"

enum { ALIGNMENT = 64, LARGE_BYTES = 1 << 22 /* from which on huge pages pay */ };

/* calloc() leaves large blocks to the system, whose pages are zero before they are touched, but has no alignment. */
static void *new_zeros(int64_t nbytes, void **block)
{
    *block = calloc((size_t)nbytes + ALIGNMENT, 1);
    return *block == NULL ? NULL : (void *)(((uintptr_t)*block + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static void *new_block(int64_t nbytes, void **block)
{
    *block = aligned_alloc(ALIGNMENT, ((size_t)nbytes / ALIGNMENT + 1) * ALIGNMENT);
    return *block;
}

sv_status svpy_allocate_plain(const sv_layout *layout, sv_dtype dtype, bool zeros, sv_view **out)
{
    int64_t nbytes = sv_layout_nbytes(layout);
    sv_status status;
    void *base, *block;

    if (nbytes > PY_SSIZE_T_MAX - ALIGNMENT)
        return SV_ERROR_MEMORY;
    if (nbytes >= LARGE_BYTES)
        return sv_empty_layout(NULL, layout, dtype, zeros ? SV_BUFFER_ZERO : 0, 0, out);
    base = zeros ? new_zeros(nbytes, &block) : new_block(nbytes, &block);
    if (base == NULL)
        return SV_ERROR_MEMORY;
    status = sv_view_new(layout, dtype, base, 0, nbytes, SV_DEVICE_CPU, 0, 0, free, block, out);
    if (status != SV_OK)
        free(block);
    return status;
}

static sv_view *allocate_host_view(const sv_layout *layout, sv_dtype dtype, bool zeros)
{
    sv_view *view = NULL;
    sv_status status = svpy_allocate_plain(layout, dtype, zeros, &view);

    if (status == SV_ERROR_MEMORY)
        return svpy_no_memory(sv_layout_nbytes(layout));
    return status == SV_OK ? view : svpy_raise(status);
}

sv_view *svpy_allocate(const sv_layout *layout, sv_dtype dtype)
{
    return allocate_host_view(layout, dtype, false);
}

/* --- elsewhere ------------------------------------------------------------ */

static PyObject *new_elsewhere(struct svpy_state *state, const sv_layout *layout, sv_dtype dtype, bool zeros,
                               PyObject *const *options)
{
    static const enum svpy_option places[] = {SVPY_MEMORY, SVPY_DEVICE, SVPY_ALIGNMENT, SVPY_STREAM};
    PyObject *function = svpy_helper("strideview._resources", "array");
    PyObject *arguments[3 + sizeof places / sizeof *places] = {svpy_layout_wrap(state, sv_layout_retain(layout)),
                                                              svpy_dtype_name(dtype), zeros ? Py_True : Py_False};
    PyObject *made = NULL;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        arguments[3 + i] = options[places[i]] == NULL ? Py_None : options[places[i]];
    if (function != NULL && arguments[0] != NULL && arguments[1] != NULL)
        made = PyObject_Vectorcall(function, arguments, sizeof arguments / sizeof *arguments, NULL);
    if (made != NULL && !svpy_is_view(state, made)) {
        PyErr_Format(PyExc_TypeError, "a view was needed, not %.100s", Py_TYPE(made)->tp_name);
        Py_CLEAR(made);
    }
    Py_XDECREF(arguments[0]);
    Py_XDECREF(arguments[1]);
    Py_XDECREF(function);
    return made;
}

PyObject *svpy_new_array(struct svpy_state *state, const sv_layout *layout, sv_dtype dtype, PyObject *kept, bool zeros,
                         PyObject *const *options)
{
    PyObject *made;

    if (svpy_is_given(options[SVPY_MEMORY]) || svpy_is_given(options[SVPY_DEVICE]) ||
        svpy_is_given(options[SVPY_ALIGNMENT])) {
        made = new_elsewhere(state, layout, dtype, zeros, options);
    } else {
        sv_view *view = allocate_host_view(layout, dtype, zeros);

        made = view == NULL ? NULL : svpy_view_wrap(state, view, NULL, SVPY_NOTHING);
    }
    if (made != NULL)
        Py_XSETREF(((svpy_view *)made)->kept, Py_XNewRef(kept));
    return made;
}
