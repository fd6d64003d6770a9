/* What the sources of the extension share. Of libsv they use sv.h alone. */
#ifndef SVPY_H
#define SVPY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/state.h"

_Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "shape and strides are lent to Py_buffer as they are");

typedef struct {
    PyObject_HEAD
    struct svpy_state *state;
    sv_layout *handle;
    PyObject *shape, *strides; /* answers, kept from the first time on */
    PyObject *weakrefs;
} svpy_layout;

typedef struct svpy_view {
    PyObject_HEAD
    struct svpy_state *state;
    sv_view *handle;
    PyObject *exporter; /* what the memory came from; NULL when it is our own */
    struct svpy_view *next, *previous; /* a ring of the views that were made from one; for the garbage collector */
    bool first; /* of the ring */
    int64_t stream;     /* that the memory is ready on, as svpy_remember() keeps it; or one of the marks below */
    PyObject *readonly; /* True or False, which never end */
    PyObject *kept; /* dtype of opaque items that the exporter does not tell: of fields and copies; maybe NULL */
    PyObject *shape, *strides, *layout, *dtype; /* answers, kept from the first time on; in no cycle */
    PyObject *weakrefs;
    PyObject *text; /* PEP 3118 format of a record; lives as long as the view, since lent buffers point into it */
    char format[8]; /* the same of a number; both are written when the buffer is first asked for */
} svpy_view;

/* Whether an object is a StridedMemoryView, or of a type derived from it, which is a heap type then. */
static inline int svpy_is_view(const struct svpy_state *state, PyObject *object)
{
    return Py_IS_TYPE(object, state->view_type) ||
           (PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_HEAPTYPE) && !Py_IS_TYPE(object, state->layout_type) &&
            PyType_IsSubtype(Py_TYPE(object), state->view_type));
}

static inline int svpy_is_layout(const struct svpy_state *state, PyObject *object)
{
    return PyObject_TypeCheck(object, state->layout_type);
}

/* What stands in the place of a stream. */
enum {
    SVPY_NOTHING = -1, /* there is no work to wait for */
    SVPY_ABSENT = -2   /* no stream was named, and none is known */
};

/* How a method takes its arguments, in a PyMethodDef. */
#define SVPY_FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL
#define SVPY_NAMED(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS

/* --- helper.c -------------------------------------------------------------- */

/* A function written in Python, of a module of the package. */
PyObject *svpy_helper(const char *module, const char *name);
/* Put functions into the dictionary of self, the module or a type, where they cost no call to be got. */
int svpy_add_functions(PyObject *names, PyObject *self, PyMethodDef *table);
/* Add methods to those that a type was made with. */
int svpy_add_methods(PyTypeObject *type, PyMethodDef *table);

/* --- ask.c: questions that may have no answer -------------------------------- */

/* An attribute, new reference; NULL without an exception where there is none. */
PyObject *svpy_ask(PyObject *object, PyObject *name);
PyObject *svpy_ask_text(PyObject *object, const char *name);
/* Whether there is one: 1, 0, or -1 with an exception. */
int svpy_has(PyObject *object, PyObject *name);
/* The same where the answer only helps: NULL, and only what may not be forgotten is raised. */
PyObject *svpy_probe(PyObject *object, PyObject *name);
PyObject *svpy_probe_text(PyObject *object, const char *name);
/* Clear a pending exception, if it may be. 0 when none is left, or -1. */
int svpy_forget(void);
/* Whether the pending exception must be raised, though there may be another way: it tells of the process. */
bool svpy_must_travel(void);
/* A module that was imported already; NULL, mostly without an exception, where it was not. */
PyObject *svpy_loaded_module(const char *name);
/* UTF-8 of the name of a dtype; NULL with an exception, a TypeError for a text that holds a NUL. */
const char *svpy_text(PyObject *text);

/* --- errors.c: a status as an exception; both return NULL ---------------- */

/* The exception that a caller of NumPy would expect. */
void *svpy_raise(sv_status status);
/* The same while exchanging memory: BufferError for what a protocol cannot do. */
void *svpy_raise_exchange(sv_status status);
/* MemoryError, which says how many bytes were wanted. Returns NULL. */
void *svpy_no_memory(int64_t nbytes);
/* bytes that are not written yet. */
PyObject *svpy_new_bytes(int64_t nbytes);
/* Borrowed: an index or an axis is outside; only a copy would do; an object has no memory to view. */
PyObject *svpy_bounds_error(void);
PyObject *svpy_copy_error(void);
PyObject *svpy_protocol_error(void);
/* A bool; TooHardError for SV_MAYBE. */
PyObject *svpy_decided(sv_status status, sv_answer answer);
int svpy_errors_init(struct svpy_state *state, PyObject *module);

/* --- arguments.c: 0, or -1 with an exception ----------------------------- */

typedef struct {
    const char *function;
    int positional; /* how many may be given by place */
    int required;
    const char *names[13]; /* ends with NULL */
} svpy_signature;

/* Find arguments by place and name; values[i] is borrowed, NULL when absent. */
int svpy_arguments(const svpy_signature *signature, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                   PyObject **values);
/* Arguments of f(name, *more): f(2, 3), f((2, 3)) and f(name=(2, 3)) mean the same. The number of items, or -1. */
Py_ssize_t svpy_named_item(const char *function, const char *name, PyObject *const *args, Py_ssize_t nargs,
                           PyObject *kwnames);
static inline Py_ssize_t svpy_items(const char *function, const char *name, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    return kwnames == NULL && nargs > 0 ? nargs : svpy_named_item(function, name, args, nargs, kwnames);
}
int svpy_int64(PyObject *object, int64_t *out);

/* Whether an object is an int of the usual small size, which costs no call to read. */
static inline int svpy_is_small(PyObject *object)
{
#if PY_VERSION_HEX >= 0x030c0000
    return PyLong_CheckExact(object) && PyUnstable_Long_IsCompact((PyLongObject *)object);
#else
    return PyLong_CheckExact(object) && Py_SIZE(object) >= -1 && Py_SIZE(object) <= 1;
#endif
}

static inline int64_t svpy_small(PyObject *object)
{
#if PY_VERSION_HEX >= 0x030c0000
    return PyUnstable_Long_CompactValue((PyLongObject *)object);
#else
    return Py_SIZE(object) * (int64_t)((PyLongObject *)object)->ob_digit[0];
#endif
}

/* An int or a sequence of ints, up to 64 of them. Returns how many. */
int32_t svpy_extents(PyObject *object, int64_t *out);
int32_t svpy_axes(PyObject *object, int32_t *out);
/* f(2, 3) and f((2, 3)) mean the same. */
int32_t svpy_extents_of(PyObject *const *args, Py_ssize_t nargs, int64_t *out);
int32_t svpy_axes_of(PyObject *const *args, Py_ssize_t nargs, int32_t *out);
/* One axis; NULL leaves out as it is. */
int svpy_axis(PyObject *object, int32_t *out);
/* NULL leaves out as it is. */
int svpy_address(PyObject *object, uintptr_t *out);
/* 'C', 'F', where allowed 'K', or a permutation, of which ndim tells the length. */
int svpy_order(PyObject *object, int allow_k, sv_order *order, int32_t *ndim, int32_t *axes);
PyObject *svpy_tuple(const int64_t *values, int32_t count);
PyObject *svpy_axes_tuple(const int32_t *axes, int32_t count);

/* --- thread_stream.c ------------------------------------------------------- */

/* What is kept of a stream. Number 2 is another stream on each thread: the thread that kept it finds 2 again, any other
 * one finds 1, the legacy default stream, which waits for the default streams of all threads. Marks stay. */
int64_t svpy_remember(int64_t stream);
int64_t svpy_recall(int64_t remembered);

/* --- stream.c, exchange.c: 0, or -1 with an exception; kept: by svpy_remember() -------- */

/* A stream as a caller names it: None, an int, or what has __cuda_stream__. */
int svpy_stream(PyObject *object, int64_t *out);
/* Host memory has none. */
int svpy_has_streams(int32_t device_type);
/* What that means for memory of a device type: its default stream, where it has one, for SVPY_ABSENT and 0. */
int svpy_stream_on(int32_t device_type, int64_t given, int64_t *out);
/* The same of a number that another library tells, by DLPack or the CUDA array interface: those forbid 0. */
int svpy_stream_told(int32_t device_type, int64_t told, int64_t *out);
/* A call without a stream is done on the default stream, which no capture holds: -1 where the last library that told
 * its stream is capturing that, so that the call was meant to be recorded. */
int svpy_check_recorded(int32_t device_type, int32_t device_id);
/* Raise what libsv says of a capture that cannot record a call. */
void svpy_raise_capture(void);
/* Let stream wait for the work on the memory of a view, which another stream does. */
int svpy_wait(const sv_view *view, int64_t stream, int64_t kept);
/* The same of a stream of the device of waiting, another view. */
int svpy_wait_on(const sv_view *waiting, int64_t stream, const sv_view *view, int64_t kept);
/* Wait for the work on the memory of a view that the host shall read. */
int svpy_settle(const sv_view *view, int64_t kept);
/* After work on a view was put on a stream, or (SVPY_NOTHING) on none; flags: SV_COPY bits. */
void svpy_follow(svpy_view *view, uint32_t flags, int64_t stream);
/* After such work that reads the view: the memory of a Buffer is not freed before it. */
void svpy_record(const sv_view *view, uint32_t flags, int64_t stream);

/* --- dtype.c -------------------------------------------------------------- */

PyObject *svpy_dtype_object(struct svpy_state *state, sv_dtype dtype);
PyObject *svpy_dtype_name(sv_dtype dtype);
int svpy_dtype(PyObject *object, sv_dtype *out);
/* The dtype that the exporter has for items that are opaque to libsv, records above all. New reference; NULL, mostly
 * without an exception, where there is none. */
PyObject *svpy_kept_dtype(const svpy_view *view);

/* Whether a view of items of so many bytes may keep a dtype (strideview._items): 1, 0, or -1 with an exception. */
int svpy_is_plain(struct svpy_state *state, PyObject *dtype, int64_t itemsize);

/* --- opaque.c ------------------------------------------------------------- */

/* TypeError where items of so many bytes, opaque to libsv, are known to differ; 0 or -1. Of each side either a view or
 * the object that its handle was made of. */
int svpy_check_opaque(const struct svpy_state *state, PyObject *dst, PyObject *src, int64_t itemsize);
/* TypeError that names the dtypes of a copy which libsv would refuse: opaque items on one side, or of two sizes; -1. */
int svpy_refuse_items(const struct svpy_state *state, const sv_view *target, PyObject *dst, const sv_view *source,
                      PyObject *src);
/* TypeError where a value of so many bytes is known to be another item than those of a view, or a number; 0 or -1. */
int svpy_check_filling(const svpy_view *view, PyObject *value, int64_t itemsize);

/* The same before a copy of anything: numbers cost nothing more. */
static inline int svpy_check_items(const struct svpy_state *state, const sv_view *target, PyObject *dst,
                                   const sv_view *source, PyObject *src)
{
    const bool opaque = sv_view_dtype(target) == SV_OPAQUE;
    int64_t itemsize;

    if (opaque != (sv_view_dtype(source) == SV_OPAQUE))
        return svpy_refuse_items(state, target, dst, source, src);
    if (!opaque)
        return 0;
    itemsize = sv_layout_itemsize(sv_view_layout(target));
    if (itemsize != sv_layout_itemsize(sv_view_layout(source)))
        return svpy_refuse_items(state, target, dst, source, src);
    return svpy_check_opaque(state, dst, src, itemsize);
}

/* --- rearrange.c, regroup.c: methods that layouts and views share --------- */

/* What layouts and views begin with. */
static inline struct svpy_state *svpy_state_of(PyObject *self)
{
    _Static_assert(offsetof(svpy_layout, state) == offsetof(svpy_view, state), "both are read");
    return ((svpy_layout *)self)->state;
}

/* Of a layout or a view. Borrowed. */
const sv_layout *svpy_layout_of(PyObject *self);
/*
 * return svpy_finish(self, sv_layout_builder_X(svpy_start(self), ...));
 *
 * What such a method does: a layout, or a view of the same memory, of what the
 * operation gives. No Python code may run between the two.
 */
sv_layout_builder *svpy_start(PyObject *self);
PyObject *svpy_finish(PyObject *self, sv_status status);

extern PyMethodDef svpy_rearranging[], svpy_regrouping[];
/* Those that have a second name, or that something else uses, as functions of items. */
PyObject *svpy_permute(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *svpy_reshape(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *svpy_squeeze(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *svpy_unsqueeze(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *svpy_flatten(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *svpy_get_transposed(PyObject *self, void *closure);

/* --- index.c -------------------------------------------------------------- */

/* self[key], of a layout or a view, by the rules of NumPy's basic indexing. */
PyObject *svpy_subscript(PyObject *self, PyObject *key);

/* --- assign.c ------------------------------------------------------------- */

/* self[key] of a view, where key may be a field of records as well, or several. */
PyObject *svpy_view_subscript(PyObject *self, PyObject *key);
int svpy_view_assign(PyObject *self, PyObject *key, PyObject *value);

/* view.view(layout, dtype), whatever a derived class makes of its name. Either is NULL or None for that of the view. */
PyObject *svpy_view_as(PyObject *self, PyObject *layout, PyObject *dtype);

/* --- scalar.c ------------------------------------------------------------- */

PyObject *svpy_view_int(PyObject *self);
PyObject *svpy_view_float(PyObject *self);
PyObject *svpy_view_index(PyObject *self);
int svpy_view_bool(PyObject *self);
extern PyMethodDef svpy_scalars[];

/* --- clone.c -------------------------------------------------------------- */

extern PyMethodDef svpy_cloning[], svpy_likening[];

/* --- layout_object.c, layout.c ------------------------------------------------------------- */

PyObject *svpy_layout_new(PyTypeObject *type, PyObject *args, PyObject *keywords);
void svpy_layout_dealloc(PyObject *self);
int svpy_layout_init(struct svpy_state *state, PyObject *module);
/* Takes the handle, also when it fails. */
PyObject *svpy_layout_wrap(struct svpy_state *state, sv_layout *handle);

/* --- facts.c: what layouts tell -------------------------------------------- */

/* Strides in elements, or NULL with an exception. */
PyObject *svpy_layout_strides(const sv_layout *layout);
extern PyGetSetDef svpy_layout_getset[];
extern PyMethodDef svpy_asking[];

/* --- pairs.c: questions about two layouts, and those that can be too hard --- */

/* A question to libsv about handles, which the caller keeps, that may be too hard. */
typedef struct svpy_question {
    sv_status (*ask)(const struct svpy_question *question, int64_t work, sv_answer *answer);
    const void *one, *other;
    uintptr_t address, other_address;
} svpy_question;

/* A bool, or NULL with an exception: TooHardError where it takes more work. Releases the GIL where it takes long. */
PyObject *svpy_decide(const svpy_question *question, int64_t work);
/* Whether a layout is unique, with the usual limit. */
PyObject *svpy_decide_unique(const sv_layout *layout);
extern PyMethodDef svpy_pairing[];
extern PyMethodDef svpy_deciding[];

/* --- picture.c: what notebooks show, of layouts and views ------------------ */

extern PyMethodDef svpy_showing[];

/* --- view_object.c, view.c --------------------------------------------------------------- */

int svpy_view_traverse(PyObject *self, visitproc visit, void *arg);
int svpy_view_clear(PyObject *self);
PyObject *svpy_view_new(PyTypeObject *type, PyObject *args, PyObject *keywords);
void svpy_view_dealloc(PyObject *self);
int svpy_view_init(struct svpy_state *state, PyObject *module);
/* Takes the handle, also when it fails; exporter may be NULL. */
PyObject *svpy_view_wrap(struct svpy_state *state, sv_view *handle, PyObject *exporter, int64_t stream);
/* A view that takes the tensor. On failure out is NULL, with a status, or with SV_OK and an exception set, and the
 * tensor stays the caller's. */
sv_status svpy_view_take(struct svpy_state *state, struct DLManagedTensorVersioned *tensor, PyObject **out);
/* The same for another view of the memory of self. */
PyObject *svpy_view_derive(sv_view *handle, const svpy_view *self);

/* Whether the host reads and writes the memory. */
static inline int svpy_is_host(const sv_view *view)
{
    const int32_t device_type = sv_view_device_type(view);

    return device_type == SV_DEVICE_CPU || (sv_device_traits(device_type) & SV_TRAIT_HOST) != 0;
}

/* Why the host cannot have the memory in place, and what to type instead. */
#define SVPY_UNREADABLE                                                                 \
    "the memory of the view cannot be read by the host: copy it there, with sv.copy(host, view) or "     \
    "view.copy_to(host), where host may be sv.empty_like(view, memory=\"host\")"

/* --- view_facts.c: what views tell ----------------------------------------- */

PyObject *svpy_view_repr(PyObject *self);
extern PyGetSetDef svpy_view_getset[];

/* --- kernel_arg.c --------------------------------------------------------- */

extern PyMethodDef svpy_kernels[];

/* --- dlpack.c ------------------------------------------------------------- */

PyObject *svpy_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *svpy_dlpack_device(PyObject *self, PyObject *unused);

/* --- kind.c --------------------------------------------------------------- */

/* The table of what known types offer. */
int svpy_kind_init(struct svpy_state *state);

/* --- import.c: views of objects; NULL on error ---------------------------- */

/* The handle alone, one reference, by the best way there is; and the stream that its memory is ready on. */
sv_view *svpy_acquire(struct svpy_state *state, PyObject *object, int64_t stream, int64_t *ready);
/* The same as an object. A view is returned as it is. */
PyObject *svpy_import(struct svpy_state *state, PyObject *object, PyObject *stream);
/* By one protocol. */
PyObject *svpy_import_dlpack(struct svpy_state *state, PyObject *object, PyObject *stream);
PyObject *svpy_import_interface(struct svpy_state *state, PyObject *object);
PyObject *svpy_import_cuda_interface(struct svpy_state *state, PyObject *object, PyObject *stream);

/* --- owner.c ---------------------------------------------------------------- */

/* Whether this thread runs Python now. */
bool svpy_has_lock(void);
/* Py_XDECREF() of what may be the last reference to an object that owns another, and so on. */
void svpy_drop_last(PyObject *object);
static inline void svpy_drop(PyObject *object)
{
    if (object != NULL && Py_REFCNT(object) > 1)
        Py_DECREF(object);
    else if (object != NULL)
        svpy_drop_last(object);
}

/* --- held.c ---------------------------------------------------------------- */

/* Of an int or ints, and of strides in elements or NULL. */
sv_layout *svpy_read_layout(PyObject *shape, PyObject *strides, int64_t itemsize);
PyObject *svpy_view_of_buffer(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* --- exchange.c, interface.c ---------------------------------------------- */

int svpy_exchange_init(struct svpy_state *state);
/* The dict, or NULL with an AttributeError. */
PyObject *svpy_array_interface(PyObject *self, void *unused);
PyObject *svpy_cuda_array_interface(PyObject *self, void *unused);

/* --- api.c: the table of strideview.h --------------------------------------- */

int svpy_api_init(struct svpy_state *state, PyObject *module);

/* --- buffer.c ------------------------------------------------------------- */

int svpy_getbuffer(PyObject *self, Py_buffer *buffer, int flags);

/* --- fill.c --------------------------------------------------------------- */

PyObject *svpy_view_fill(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *svpy_fill(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* --- collect.c ------------------------------------------------------------ */

PyObject *svpy_collect(PyObject *module, PyObject *wait);

/* --- allocate.c, memory.c ------------------------------------------------------------- */

/* Fresh host memory, aligned to 64 bytes, of a layout without gaps. */
sv_view *svpy_allocate(const sv_layout *layout, sv_dtype dtype);
/* Where an array is to lie, by name and by place: the last arguments of several functions, each maybe NULL. */
#define SVPY_PLACE_NAMES "memory", "device", "alignment", "stream"
enum { SVPY_PLACE_MEMORY, SVPY_PLACE_DEVICE, SVPY_PLACE_ALIGNMENT, SVPY_PLACE_STREAM, SVPY_PLACE };
/* A view of fresh memory there; zeros: its bytes are zero. kept: the dtype of opaque items, or NULL. */
PyObject *svpy_new_array(struct svpy_state *state, const sv_layout *layout, sv_dtype dtype, PyObject *kept, bool zeros,
                         PyObject *const *place);
/* The same without Python. SV_ERROR_MEMORY comes without a message. */
sv_status svpy_allocate_plain(const sv_layout *layout, sv_dtype dtype, bool zeros, sv_view **out);
extern PyMethodDef svpy_functions[];

/* --- casting.c ------------------------------------------------------------ */

#define SVPY_SAFE (1u << 31) /* among SV_COPY bits: only what loses nothing; no bit of libsv's */

/* Add the bits that a word of casting= stands for; NULL is 'no'. */
int svpy_casting(PyObject *casting, uint32_t *flags);
/* TypeError where flags ask for safe conversions and this one is not; 0 or -1. */
int svpy_check_casting(const sv_view *target, const sv_view *source, uint32_t flags);

/* --- copy.c ---------------------------------------------------------------- */

/* How a copy is to be done, by name and by place: the last arguments of several functions, each maybe NULL. */
#define SVPY_OPTION_NAMES "stream", "blocking", "casting", "byteswap", "executor", "threads", "allocator"
enum {
    SVPY_STREAM,
    SVPY_BLOCKING,
    SVPY_CASTING,
    SVPY_BYTESWAP,
    SVPY_EXECUTOR,
    SVPY_THREADS,
    SVPY_ALLOCATOR,
    SVPY_OPTIONS
};

enum { SVPY_LONG_COPY = 32768 }; /* bytes from which other threads may run meanwhile */

/* One side of a copy. */
typedef struct {
    const sv_view *handle;
    int64_t stream; /* that its memory is ready on */
} svpy_side;

/* The stream as it is named, and SV_COPY bits. */
int svpy_copy_how(PyObject *const *options, int64_t *given, uint32_t *flags);
/* Whether the host copies, and is done on return. */
int svpy_host_copies(const sv_view *target, const sv_view *source);
/* The stream that a copy goes by, which now waits for what it has to; SVPY_NOTHING on the host. */
int svpy_copy_order(const svpy_side *target, const svpy_side *source, int64_t given, int64_t *stream);

/* Before and after what a plan does: both wait for the stream where the flags of this execution say so, as plans
 * themselves do not. The first refuses a stream that is captured before anything is recorded. */
int svpy_plan_begin(const sv_view *target, const sv_view *source, uint32_t flags, int64_t given, int64_t stream);
int svpy_plan_finish(const sv_view *target, const sv_view *source, uint32_t flags, int64_t stream);
/* 0, or -1 with an exception: the executor's own, if it raised one. */
int svpy_copy_tell(sv_status status);
/* sv_copy(), or a plan unless it is NULL, without holding the interpreter for long. 0 or -1. */
int svpy_copy_views(struct svpy_state *state, const sv_plan *plan, svpy_view *target, const svpy_view *source,
                    PyObject *const *options);
/* sv_plan_measure(), without holding the interpreter. 0 or -1. */
int svpy_measure(const sv_plan *plan, svpy_view *target, const svpy_view *source, int64_t limit_ns, sv_plan **out);
/* SV_COPY bits of options. */
int svpy_copy_flags(PyObject *const *options, uint32_t *flags);

/* --- scaled.c -------------------------------------------------------------- */

/* What elements are multiplied by, what is added to them, and the axis along which these go; each maybe NULL. */
#define SVPY_FACTOR_NAMES "scale", "bias", "axis"
enum { SVPY_SCALE, SVPY_BIAS, SVPY_AXIS, SVPY_FACTORS };

/* sv_copy_scaled() or, where nothing scales, svpy_copy_views(). */
int svpy_copy_maybe_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                           PyObject *const *options, PyObject *const *factors);
PyObject *svpy_copy(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* --- batch.c --------------------------------------------------------------- */

/* The same of many: dst and src are iterables. None, or NULL with an exception. */
PyObject *svpy_batch(struct svpy_state *state, const sv_plan *plan, PyObject *dst, PyObject *src,
                     PyObject *const *options);
PyObject *svpy_copy_batch(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* --- threads.c ------------------------------------------------------------- */

typedef struct {
    PyObject *executor; /* borrowed; NULL: no threads */
    int32_t count; /* 1: run is not called */
    bool runs_python; /* run is that of an executor of Python's */
    int64_t nbytes;   /* of the copy */
    sv_parallel_callback run; /* the executor's, a parallel-for in C, or the pieces of a long copy in turn */
    void *ctx;
    PyThreadState *state; /* of the thread that copies, while it does not hold the interpreter */
    PyTypeObject *task_type;
} svpy_threads;

int svpy_threads_init(struct svpy_state *state, PyObject *module);
/* What copy(executor=, threads=) say; out stays where it is until the copy has ended. 0 or -1. */
int svpy_threads_of(struct svpy_state *state, PyObject *executor, PyObject *threads, svpy_threads *out);

/* --- pieces.c -------------------------------------------------------------- */

/* The copy writes so many bytes. Where one thread is to do that, and it takes long: let it look at signals meanwhile. */
void svpy_use_pieces(int64_t nbytes, svpy_threads *threads);

/* --- plan.c ---------------------------------------------------------------- */

int svpy_plan_init(struct svpy_state *state, PyObject *module);

#endif
