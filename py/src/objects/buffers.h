/*
 * What the sources of Buffer and MemoryResource share.
 *
 * References that C code has to Python objects, unknown to the garbage collector:
 *   - a sv_buffer that from_handle() made has one to its owner, or to the resource that frees it;
 *   - each live block has one to every resource on its way that Python code takes part in: those whose allocate() is
 *     overridden, and logged ones. So a resource outlives its blocks, while an allocator alone does not keep it alive.
 * svpy_buffer_traverse() visits them for a Buffer that nothing else shares the memory of. Views and slices of such
 * memory therefore have references to the Buffer object, which the collector sees. Garbage is freed before anything of
 * it is cleared, by svpy_buffer_finalize(), but for memory that is lent: views of it may be read by finalizers.
 */
#ifndef SVPY_BUFFERS_H
#define SVPY_BUFFERS_H

#include "base/svpy.h"

struct svpy_resource;

/* What callbacks of an allocator have as ctx. It may outlive the resource. */
struct svpy_cell {
    struct svpy_resource *resource; /* borrowed; NULL when it is gone */
};

typedef struct svpy_resource {
    PyObject_HEAD
    struct svpy_state *state;
    sv_allocator *native; /* memory of its own; NULL where a derived class gives all of it */
    sv_allocator *source; /* of a class that overrides allocate(): calls it; made when it is first asked for */
    struct svpy_cell *source_cell; /* the ctx of source */
    struct svpy_cell *cell;        /* that of native where it calls a function of Python */
    struct svpy_resource *base;    /* the resource that native wraps, or NULL */
    bool by_source;                /* it wraps the source of base, else the native one */
    bool keeps;                    /* each block of native has a reference to this resource */
    bool padded;        /* allocate() was seen to give addresses that are not aligned as asked for */
    PyObject *callable; /* of logged() and retrying() */
    PyObject *blocks;   /* {address: what allocate() gave} of source */
    PyObject *weakrefs;
} svpy_resource;

typedef struct svpy_buffer {
    PyObject_HEAD
    struct svpy_state *state;
    sv_buffer *handle;                   /* NULL of a slice that was closed */
    PyObject *resource;                  /* NULL where there is none */
    struct svpy_buffer *parent;          /* of a slice: what it was cut from, no slice itself */
    struct svpy_buffer *next, *previous; /* a ring of a Buffer and its slices */
    int64_t lent;   /* references to handle that belong to references to this object: of views and Py_buffers */
    int64_t stream; /* as in svpy_view: where the last work on the memory was put */
    bool changes;   /* resize() or migrate() runs, without the interpreter's lock: stream is right when it has ended */
    PyObject *weakrefs;
} svpy_buffer;

/*
 * The handle for a call, released by the caller after it: whoever runs meanwhile may close a slice, whose handle is
 * freed then. Foreign code runs wherever an argument is read (__bool__, __index__, __cuda_stream__), an object is made
 * (the garbage collector) or the interpreter's lock is given away; so arguments come first, and what is asked of the
 * memory is asked after the last of them.
 */
static inline sv_buffer *svpy_buffer_hold(const svpy_buffer *self)
{
    return sv_buffer_retain(self->handle);
}

static inline int svpy_is_resource(const struct svpy_state *state, PyObject *object)
{
    return PyObject_TypeCheck(object, state->resource_type);
}

static inline int svpy_is_buffer(const struct svpy_state *state, PyObject *object)
{
    return PyObject_TypeCheck(object, state->buffer_type);
}

/* --- call.c: calls of libsv in which code of Python may run ------------------ */

/* A call whose caller raises what such code raises. It may be without the interpreter's lock. */
typedef struct {
    PyThreadState *thread;
    bool closing;
} svpy_call;

enum {
    SVPY_UNLOCK = 1, /* other threads run meanwhile */
    SVPY_CLOSING = 2 /* what is raised while memory is freed is raised too */
};
svpy_call svpy_call_begin(int flags);
/* 0, or -1 with an exception: that of the code, or else of the status. */
int svpy_call_end(svpy_call call, sv_status status);

/* A callback of libsv, on any thread: the lock, and the exception that was pending before. */
typedef struct {
    PyGILState_STATE state;
    PyObject *pending[3];
} svpy_callback;

/* Who raises an exception of a callback. */
typedef enum {
    SVPY_NOBODY, /* it is unraisable */
    SVPY_CALLER, /* of svpy_call_begin() */
    SVPY_CLOSER  /* of the same with SVPY_CLOSING */
} svpy_raiser;

/* False where Python has ended. */
bool svpy_callback_begin(svpy_callback *callback);
/* The exception of before is answered: it was that of an attempt which is made again. */
void svpy_callback_forget(svpy_callback *callback);
/* Whether it ended without an exception. object is named where nobody raises it. */
bool svpy_callback_end(svpy_callback *callback, svpy_raiser raiser, PyObject *object);
/* Whether what need not be done at once can be: here no thread waits for the lock that must not. */
bool svpy_may_call_now(void);

/* Work that a thread without the lock leaves for one that has it. */
struct svpy_later {
    void (*run)(struct svpy_later *later); /* with the lock; frees it by PyMem_RawFree() */
    struct svpy_later *next;
};
void svpy_call_later(struct svpy_later *later);
/* Do what was left. */
void svpy_call_left(void);

/* --- place.c: 0, or -1 with an exception ------------------------------------------ */

/* bytes >= 0, no bool. */
int svpy_size(PyObject *object, const char *name, int64_t *out);
/* What a text means. */
int svpy_memory_kind(PyObject *text, sv_memory *out);
/* The number of a device or of what a text names, such as "cuda:1"; -1 for "cpu". */
int svpy_device_number(PyObject *object, int64_t *out);
/* The number of a CUDA device; 0 for NULL. */
int svpy_ordinal(PyObject *object, int32_t *out);
int32_t svpy_device_type_of(sv_memory kind);
/* What kind says; and the device as libsv numbers it. */
int svpy_resource_kind(PyObject *self, sv_memory *out);
int svpy_resource_place(PyObject *self, sv_memory *kind, int32_t *device_type, int32_t *device_id);

/* --- stream.c ------------------------------------------------------------------------------- */

/* Let stream, or else the host, wait for work of before. 0, or -1 with an exception. */
int svpy_buffer_order(const svpy_buffer *self, uintptr_t stream);
/* Where memory of a device was written in the order of a stream, what comes next waits for that. */
void svpy_buffer_follow(svpy_buffer *self, uintptr_t stream);
/* A stream for memory of a device type, None for its default. 0, or -1 with an exception. */
int svpy_stream_for(int32_t device_type, PyObject *object, uintptr_t *out);
/* The same, None for the one that the memory is freed in. */
int svpy_buffer_stream(const svpy_buffer *self, PyObject *given, uintptr_t *out);
/* Wait until the host may read the memory. 0, or -1 with an exception. */
int svpy_buffer_settle(const svpy_buffer *self);

/* --- deallocate.c ------------------------------------------------------------------ */

/* None for the default stream, else an int. */
PyObject *svpy_stream_object(uintptr_t stream);
/* Call resource.deallocate(). */
int svpy_deallocate(svpy_resource *self, uintptr_t address, int64_t nbytes, uintptr_t stream);

/* Memory of a resource to be freed. */
struct svpy_freed {
    struct svpy_later later;
    svpy_resource *resource; /* a reference, which is dropped */
    uintptr_t address;
    int64_t nbytes;
    uintptr_t stream;
    void (*free)(const struct svpy_freed *freed);
};
/* Now, or later where this thread has not got the lock. */
sv_status svpy_free_block(const struct svpy_freed *freed);
/* By deallocate(). ctx: a MemoryResource, of which this takes a reference. */
sv_status svpy_free_by_resource(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);

/* --- source.c: resources written in Python ------------------------------------------ */

struct svpy_cell *svpy_cell_new(svpy_resource *resource);
void svpy_cell_free(void *cell);
/* Whether a class overrides allocate(). */
bool svpy_is_source(const svpy_resource *resource);
/* Its allocator, borrowed; NULL with an exception. */
const sv_allocator *svpy_source_of(svpy_resource *resource);

/* --- resource_object.c ---------------------------------------------------------------- */

/* Takes the handle, also when it fails; base, of which it is made, may be NULL. */
PyObject *svpy_resource_wrap(struct svpy_state *state, PyTypeObject *type, sv_allocator *handle, PyObject *base);
void svpy_resource_dealloc(PyObject *self);
int svpy_resource_traverse(PyObject *self, visitproc visit, void *arg);
int svpy_resource_clear(PyObject *self);
/* The allocator of a MemoryResource, borrowed; NULL with an exception. */
const sv_allocator *svpy_allocator_of(PyObject *resource);
/* An argument: a MemoryResource, or one that adapts an object of cuda.core's or RMM's interface. A new reference. */
PyObject *svpy_resource_given(const struct svpy_state *state, PyObject *object, const char *name);

/* --- resource.c, resource_make.c, resource_facts.c, resource_stats.c, wrapper.c --------------------------- */

int svpy_resource_init(struct svpy_state *state, PyObject *module);
extern PyMethodDef svpy_resource_making[], svpy_wrapping[], svpy_counting[];
extern PyGetSetDef svpy_resource_getset[];

/* --- buffer_object.c ---------------------------------------------------------------------- */

/* Takes the handle, also when it fails; resource may be NULL. */
PyObject *svpy_buffer_wrap(struct svpy_state *state, PyTypeObject *type, sv_buffer *handle, PyObject *resource);
/* Another object with the same memory. */
PyObject *svpy_buffer_share(svpy_buffer *self, PyTypeObject *type);
PyObject *svpy_buffer_slice(svpy_buffer *self, int64_t offset, int64_t nbytes, uint32_t flags);
void svpy_buffer_dealloc(PyObject *self);
int svpy_buffer_traverse(PyObject *self, visitproc visit, void *arg);
int svpy_buffer_clear(PyObject *self);
void svpy_buffer_finalize(PyObject *self);
/* BufferError while another thread moves the memory. 0, or -1 with an exception. */
int svpy_buffer_check_still(const svpy_buffer *self);
/* A reference to handle that keeps the memory in place, of one who has a reference to the object. 0, or -1. */
int svpy_buffer_begin_lending(svpy_buffer *self);
static inline void svpy_buffer_end_lending(svpy_buffer *self)
{
    self->lent--;
    sv_buffer_end_export(self->handle);
}
/* Close it; 0, or -1 with an exception. */
int svpy_buffer_shut(svpy_buffer *self, uintptr_t stream);
/* The Buffer that a slice was cut from, or the Buffer itself. */
static inline const svpy_buffer *svpy_buffer_root(const svpy_buffer *self)
{
    return self->parent != NULL ? self->parent : self;
}
/* Whether libsv has references to Python objects because of this memory. */
bool svpy_buffer_holds(const svpy_buffer *self);
/* Drops a reference to ctx: the free callback of from_handle(owner=). */
sv_status svpy_free_owner(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);
/* The owner, borrowed, or NULL. */
PyObject *svpy_buffer_owner(const svpy_buffer *self);

/* --- buffer_make.c -------------------------------------------------------------------------- */

/* values: size, stream, alignment, zero, of which all but the first may be NULL. allocator NULL: an exception. */
PyObject *svpy_buffer_allocate(struct svpy_state *state, PyTypeObject *type, PyObject *resource,
                               const sv_allocator *allocator, PyObject *const *values);

/* --- buffer_export.c ------------------------------------------------------------------------ */

/* A handle of layout (NULL: one axis) and dtype, from offset on. NULL with an exception. */
sv_view *svpy_buffer_handle(svpy_buffer *self, const sv_layout *layout, sv_dtype dtype, int64_t offset,
                            uint32_t flags);
/* A view of the bytes. */
PyObject *svpy_buffer_bytes(svpy_buffer *self);
int svpy_buffer_getbuffer(PyObject *self, Py_buffer *buffer, int flags);
void svpy_buffer_releasebuffer(PyObject *self, Py_buffer *buffer);
PyObject *svpy_buffer_cuda_interface(PyObject *self, void *unused);

/* --- buffer_facts.c, _view.c, _copy.c, _work.c, _end.c, _size.c, _hint.c ---------------- */

PyObject *svpy_buffer_repr(PyObject *self);
extern PyGetSetDef svpy_buffer_getset[];
extern PyMethodDef svpy_buffer_making[], svpy_buffer_viewing[], svpy_buffer_exporting[], svpy_buffer_copying[],
    svpy_buffer_working[], svpy_buffer_ending[], svpy_buffer_sizing[], svpy_buffer_hinting[];

/* --- buffer_type.c ---------------------------------------------------------------------------- */

int svpy_buffer_init(struct svpy_state *state, PyObject *module);

#endif
