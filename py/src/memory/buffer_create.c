/* Makes Buffers: from a resource, from existing memory, from another Buffer or another process. */
#include "memory/buffer_create.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/state.h"
#include "execution/call.h"
#include "execution/interruptible.h"
#include "execution/release.h"
#include "execution/stream.h"
#include "objects/buffer_object.h"
#include "objects/buffer_stream.h"
#include "objects/buffer_struct.h"
#include "objects/deallocate.h"
#include "objects/place.h"
#include "objects/resource_object.h"
#include "objects/resource_struct.h"

static struct svpy_state *state_of(PyObject *type)
{
    return svpy_state_of_derived((PyTypeObject *)type, svpy_buffer_dealloc);
}

/* --- new memory ------------------------------------------------------------------- */

/* Read the options of an allocation. 0, or -1 with an exception. */
static int read_allocating(const sv_allocator *allocator, PyObject *const *options, uintptr_t *stream,
                           int64_t *alignment, uint32_t *flags)
{
    int zero = 0;

    *alignment = 0;
    if (svpy_stream_for(sv_allocator_device_type(allocator), options[SVPY_STREAM], stream) < 0)
        return -1;
    if (options[SVPY_ALIGNMENT] != NULL && svpy_size(options[SVPY_ALIGNMENT], "alignment", alignment) < 0)
        return -1;
    if (svpy_flag(options[SVPY_ZERO], &zero) < 0)
        return -1;
    *flags = zero ? SV_BUFFER_ZERO : 0;
    return 0;
}

PyObject *svpy_buffer_allocate(struct svpy_state *state, PyTypeObject *type, PyObject *resource,
                               const sv_allocator *allocator, PyObject *size, PyObject *const *options)
{
    sv_buffer *made = NULL;
    int64_t nbytes, alignment;
    bool is_short;
    uintptr_t stream;
    uint32_t flags;
    svpy_call call;
    PyObject *self;

    if (allocator == NULL && !PyErr_Occurred())
        PyErr_Format(PyExc_NotImplementedError, "%.100s does not override allocate()", Py_TYPE(resource)->tp_name);
    if (allocator == NULL)
        return NULL;
    if (svpy_size(size, "size", &nbytes) < 0)
        return NULL;
    if (read_allocating(allocator, options, &stream, &alignment, &flags) < 0)
        return NULL;
    is_short = nbytes < SVPY_LONG_COPY && sv_allocator_kind(allocator) == SV_MEMORY_HOST;
    call = svpy_call_begin(is_short ? 0 : SVPY_UNLOCK);
    if (svpy_call_end(call, sv_buffer_new(allocator, nbytes, alignment, flags, stream, &made)) < 0)
        return NULL;
    self = svpy_buffer_wrap(state, type, made, resource);
    if (self != NULL && flags != 0)
        svpy_buffer_follow((svpy_buffer *)self, stream);
    return self;
}

static PyObject *make_of_resource(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"_allocate", 3, 2, {"mr", "size"}, SVPY_ALLOCATING};
    struct svpy_state *state = state_of(type);
    const sv_allocator *allocator;
    PyObject *values[2], *options[SVPY_OPTIONS], *resource, *made = NULL;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    resource = svpy_resource_given(state, values[0], "mr");
    if (resource == NULL)
        return NULL;
    allocator = svpy_allocator_of(resource);
    if (allocator != NULL)
        made = svpy_buffer_allocate(state, (PyTypeObject *)type, resource, allocator, values[1], options);
    Py_DECREF(resource);
    return made;
}

/* --- memory of somebody else -------------------------------------------------------- */

enum { POINTER, SIZE, RESOURCE, OWNER, BORROWED, KIND, DEVICE, FIELDS };

/* The arguments of from_handle(). */
struct told {
    uintptr_t address, stream;
    int64_t size;
    sv_memory kind;
    int32_t device_type, device_id;
    uint32_t flags;
    sv_free_callback free;
    PyObject *ctx; /* borrowed */
};

/* Exactly one of three says who frees it. */
static int read_keeper(const struct svpy_state *state, PyObject *const *values, struct told *told)
{
    int borrowed = 0;

    if (svpy_flag(values[BORROWED], &borrowed) < 0)
        return -1;
    if (borrowed + svpy_is_given(values[RESOURCE]) + svpy_is_given(values[OWNER]) != 1) {
        PyErr_SetString(PyExc_ValueError, "exactly one of mr, owner and borrowed=True says who keeps the memory");
        return -1;
    }
    if (borrowed) {
        told->flags |= SV_BUFFER_BORROWED;
        return 0;
    }
    if (svpy_is_given(values[OWNER])) {
        told->free = svpy_free_owner;
        told->ctx = values[OWNER];
        return 0;
    }
    if (!svpy_is_resource(state, values[RESOURCE])) {
        PyErr_Format(PyExc_TypeError, "mr must be a MemoryResource, not %.100s", Py_TYPE(values[RESOURCE])->tp_name);
        return -1;
    }
    told->free = svpy_free_by_resource;
    told->ctx = values[RESOURCE];
    return 0;
}

/* Find the kind of memory and its device: from the arguments, else from the resource, else from the driver. */
static int find_place(PyObject *const *values, struct told *told)
{
    if (svpy_is_given(values[RESOURCE])) {
        if (svpy_resource_place(values[RESOURCE], &told->kind, &told->device_type, &told->device_id) < 0)
            return -1;
        told->flags |= SV_BUFFER_TRUST;
    }
    if (svpy_is_given(values[KIND])) {
        if (svpy_memory_kind(values[KIND], &told->kind) < 0)
            return -1;
        told->device_type = svpy_device_type_of(told->kind);
    }
    return svpy_is_given(values[DEVICE]) ? svpy_ordinal(values[DEVICE], &told->device_id) : 0;
}

static int read_told(const struct svpy_state *state, PyObject *const *values, PyObject *const *options,
                     struct told *told)
{
    int readonly = 0;
    bool is_cuda;

    *told = (struct told){.device_type = SV_DEVICE_CPU};
    if (svpy_flag(options[SVPY_READONLY], &readonly) < 0)
        return -1;
    told->flags = readonly ? SV_READ_ONLY : 0;
    if (svpy_address(values[POINTER], &told->address) < 0)
        return -1;
    if (svpy_size(values[SIZE], "size", &told->size) < 0)
        return -1;
    if (read_keeper(state, values, told) < 0)
        return -1;
    if (find_place(values, told) < 0)
        return -1;
    is_cuda = told->kind == SV_MEMORY_UNKNOWN && svpy_is_given(options[SVPY_STREAM]);
    return svpy_stream_for(is_cuda ? SV_DEVICE_CUDA : told->device_type, options[SVPY_STREAM], &told->stream);
}

static PyObject *make_from_handle(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "from_handle", 4, 2, {"ptr", "size", "mr", "owner", "borrowed", "kind", "device_id"},
        SVPY_BIT(READONLY) | SVPY_BIT(STREAM)};
    struct svpy_state *state = state_of(type);
    PyObject *values[FIELDS], *options[SVPY_OPTIONS];
    struct told told;
    sv_buffer *made = NULL;
    sv_status status;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    if (read_told(state, values, options, &told) < 0)
        return NULL;
    status = sv_buffer_adopt((void *)told.address, told.size, told.kind, told.device_type, told.device_id, told.flags,
                             told.stream, told.free, told.ctx, &made);
    if (status != SV_OK)
        return svpy_raise(status);
    Py_XINCREF(told.ctx);
    return svpy_buffer_wrap(state, (PyTypeObject *)type, made,
                            svpy_is_given(values[RESOURCE]) ? values[RESOURCE] : NULL);
}

/* Page-lock the memory of an object, whose buffer is held meanwhile. */
static PyObject *make_registered(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"register", 1, 1, {"obj"}, SVPY_BIT(READONLY)};
    PyObject *object, *options[SVPY_OPTIONS];
    Py_buffer *pages;
    sv_buffer *made = NULL;
    sv_status status;
    int readonly = 0;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &object, options) < 0)
        return NULL;
    if (svpy_flag(options[SVPY_READONLY], &readonly) < 0)
        return NULL;
    pages = svpy_hold_buffer(object, readonly ? PyBUF_SIMPLE : PyBUF_WRITABLE);
    if (pages == NULL)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sv_buffer_register(pages->buf, pages->len, readonly ? SV_READ_ONLY : 0, svpy_end_buffer, pages, &made);
    Py_END_ALLOW_THREADS
    if (status == SV_OK)
        return svpy_buffer_wrap(state_of(type), (PyTypeObject *)type, made, NULL);
    svpy_end_buffer(pages);
    return svpy_raise(status);
}

/* --- memory of another Buffer, of another process --------------------------------------- */

static PyObject *make_sharing(PyObject *type, PyObject *other)
{
    struct svpy_state *state = state_of(type);

    if (!svpy_is_buffer(state, other)) {
        PyErr_Format(PyExc_TypeError, "a Buffer is needed, not %.100s", Py_TYPE(other)->tp_name);
        return NULL;
    }
    return svpy_buffer_share((svpy_buffer *)other, (PyTypeObject *)type);
}

static PyObject *make_of_ipc(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"import_ipc", 1, 1, {"blob"}, SVPY_BIT(READONLY)};
    PyObject *given, *options[SVPY_OPTIONS];
    Py_buffer blob;
    sv_buffer *made = NULL;
    sv_status status;
    int readonly = 0;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &given, options) < 0)
        return NULL;
    if (svpy_flag(options[SVPY_READONLY], &readonly) < 0)
        return NULL;
    if (PyObject_GetBuffer(given, &blob, PyBUF_SIMPLE) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sv_buffer_import_ipc(blob.buf, (size_t)blob.len, readonly ? SV_READ_ONLY : 0, &made);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&blob);
    if (status != SV_OK)
        return svpy_raise(status);
    return svpy_buffer_wrap(state_of(type), (PyTypeObject *)type, made, NULL);
}

#define MAKER(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS | METH_CLASS

PyMethodDef svpy_buffer_making[] = {
    {"from_handle", MAKER(make_from_handle),
     PyDoc_STR("from_handle($type, /, ptr, size, mr=None, owner=None, *, borrowed=False, kind=None, device_id=None,\n"
               "            readonly=False, stream=None)\n--\n\n"
               "A Buffer of memory that is there: size bytes from address ptr on.\n\n"
               "Exactly one of three says who keeps it: mr, a MemoryResource, whose deallocate(ptr, size, stream)\n"
               "frees it; owner, any object, which is kept as long as the memory is needed; or borrowed=True: the\n"
               "caller keeps it alive. kind is 'host', 'pinned', 'device', 'managed' or 'foreign'; None: what mr\n"
               "says, or else what the driver knows of the address. stream: where the memory was allocated.\n"
               "ValueError where size is negative, or ptr 0 with bytes.")},
    {"register", MAKER(make_registered),
     PyDoc_STR("register($type, /, obj, *, readonly=False)\n--\n\n"
               "Memory of obj, anything with a contiguous buffer such as a NumPy array, page-locked, so that CUDA\n"
               "devices read and write it too. obj is held until the pages are unlocked, which can be after the\n"
               "Buffer. BufferError where some of it is page-locked already; NotImplementedError without a device.\n"
               "readonly: nothing is written through the Buffer; then obj may be read-only.")},
    {"import_ipc", MAKER(make_of_ipc),
     PyDoc_STR("import_ipc($type, /, blob, *, readonly=False)\n--\n\n"
               "Memory of another process, told by its export_ipc(). blob is checked before the driver sees it, and\n"
               "its size with what the driver opens; BufferError where it was damaged. Take it from somebody trusted.\n"
               "The other process must keep its Buffer meanwhile.")},
    {"_allocate", MAKER(make_of_resource),
     PyDoc_STR("_allocate($type, /, mr, size, stream=None, *, alignment=0, zero=False)\n--\n\n"
               "mr.allocate() by way of C, as a Buffer of this class.")},
    {"_share", make_sharing, METH_O | METH_CLASS,
     PyDoc_STR("_share($type, buffer, /)\n--\n\nA Buffer of this class with the memory of another.")},
    {NULL, NULL, 0, NULL},
};
