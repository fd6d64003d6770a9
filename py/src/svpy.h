/* What the sources of the extension share. Of libsv they use sv.h alone. */
#ifndef SVPY_H
#define SVPY_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "sv.h"

_Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "shape and strides are lent to Py_buffer as they are");

typedef struct {
    PyObject_HEAD
    sv_layout *handle;
    PyObject *weakrefs;
} svpy_layout;

typedef struct {
    PyObject_HEAD
    sv_view *handle;
    PyObject *exporter; /* what the memory came from; NULL when it is our own */
    PyObject *weakrefs;
    char format[8]; /* PEP 3118 format, written when the buffer is first asked for */
} svpy_view;

/* Made by svpy_install(), once in a process. */
extern PyTypeObject *svpy_layout_type;
extern PyTypeObject *svpy_view_type;
extern PyObject *svpy_bounds_error;
extern PyObject *svpy_copy_error;

/* --- errors.c: a status as an exception; both return NULL ---------------- */

/* The exception that a caller of NumPy would expect. */
void *svpy_raise(sv_status status);
/* The same while exchanging memory: BufferError for what a protocol cannot do. */
void *svpy_raise_exchange(sv_status status);
int svpy_errors_init(PyObject *names);

/* --- arguments.c: 0, or -1 with an exception ----------------------------- */

typedef struct {
    const char *function;
    int positional; /* how many may be given by place */
    int required;
    const char *names[5]; /* ends with NULL */
} svpy_signature;

/* Find arguments by place and name; values[i] is borrowed, NULL when absent. */
int svpy_arguments(const svpy_signature *signature, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                   PyObject **values);
int svpy_int64(PyObject *object, int64_t *out);
/* An int or a sequence of ints, up to 64 of them. Returns how many. */
int32_t svpy_extents(PyObject *object, int64_t *out);
int32_t svpy_axes(PyObject *object, int32_t *out);
/* 'C', 'F', where allowed 'K', or a permutation, of which ndim tells the length. */
int svpy_order(PyObject *object, int allow_k, sv_order *order, int32_t *ndim, int32_t *axes);
/* None is no stream; a stream is -1, 1, 2 or a handle. Returns 1 when there is one. */
int svpy_stream(PyObject *object, int64_t *out);
PyObject *svpy_tuple(const int64_t *values, int32_t count);

/* --- dtype.c -------------------------------------------------------------- */

/* A function of strideview._dtype, which may know NumPy. */
PyObject *svpy_dtype_helper(const char *name);
PyObject *svpy_dtype_object(sv_dtype dtype);
PyObject *svpy_dtype_name(sv_dtype dtype);
int svpy_dtype(PyObject *object, sv_dtype *out);

/* --- rearrange.c: what layouts and views have in common; NULL on error ---- */

typedef sv_layout *(*svpy_rearrangement)(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs);

sv_layout *svpy_permute(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs);
sv_layout *svpy_reshape(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs);
sv_layout *svpy_squeeze(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs);
sv_layout *svpy_unsqueeze(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs);
sv_layout *svpy_broadcast(const sv_layout *layout, PyObject *const *args, Py_ssize_t nargs);

/* --- index.c -------------------------------------------------------------- */

/* layout[key] by the rules of NumPy's basic indexing. */
sv_layout *svpy_index(const sv_layout *layout, PyObject *key);

/* --- layout.c ------------------------------------------------------------- */

int svpy_layout_init(PyObject *names);
/* Takes the handle, also when it fails; NULL passes an exception on. */
PyObject *svpy_layout_wrap(sv_layout *handle);
/* Strides in elements, or NULL with an exception. */
PyObject *svpy_layout_strides(const sv_layout *layout);

/* --- view.c --------------------------------------------------------------- */

int svpy_view_init(PyObject *names);
/* Takes the handle, also when it fails; exporter may be NULL. */
PyObject *svpy_view_wrap(sv_view *handle, PyObject *exporter);
int svpy_is_host(const sv_view *view);

/* --- dlpack.c ------------------------------------------------------------- */

int svpy_dlpack_init(void);
/* View any object that speaks DLPack, or a capsule; a view as it is. */
PyObject *svpy_import(PyObject *object, PyObject *stream);
PyObject *svpy_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *svpy_dlpack_device(PyObject *self, PyObject *unused);

/* --- buffer.c ------------------------------------------------------------- */

int svpy_getbuffer(PyObject *self, Py_buffer *buffer, int flags);

/* --- memory.c ------------------------------------------------------------- */

/* Fresh host memory, aligned to 64 bytes, of a layout without gaps. */
sv_view *svpy_allocate(const sv_layout *layout, sv_dtype dtype);
/* sv_copy() without holding the interpreter for long. 0 or -1. */
int svpy_copy_views(const sv_view *target, const sv_view *source, PyObject *stream);
extern PyMethodDef svpy_functions[];

#endif
