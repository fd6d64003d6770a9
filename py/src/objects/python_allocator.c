/*
 * Memory resources written in Python, as allocators: allocate() and
 * deallocate() of a derived class are called by libsv, on any thread.
 *
 * What allocate() gave is kept until libsv frees the block: a Buffer is closed
 * then, an address goes to deallocate(). While a block lives it has a reference
 * to the resource.
 */
#include "objects/python_allocator.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/errors.h"
#include "base/state.h"
#include "execution/call.h"
#include "objects/buffer_object.h"
#include "objects/buffer_struct.h"
#include "objects/deallocate.h"
#include "objects/lending.h"
#include "objects/place.h"
#include "objects/resource_struct.h"

/* --- the ctx of callbacks --------------------------------------------------------- */

/* Freed on any thread, so it is no memory of Python's. */
struct svpy_cell *svpy_cell_new(svpy_resource *resource)
{
    struct svpy_cell *cell = PyMem_RawMalloc(sizeof *cell);

    if (cell == NULL)
        return (void *)PyErr_NoMemory();
    cell->resource = resource;
    return cell;
}

void svpy_cell_free(void *cell)
{
    PyMem_RawFree(cell);
}

/* --- the class ------------------------------------------------------------------ */

bool svpy_is_source(const svpy_resource *resource)
{
    PyTypeObject *type = Py_TYPE((PyObject *)resource), *ours = resource->state->resource_type;
    PyObject *name = resource->state->names.allocate;

    return type != ours && _PyType_Lookup(type, name) != _PyType_Lookup(ours, name);
}

/* --- allocate --------------------------------------------------------------------- */

static PyObject *call_allocate(svpy_resource *self, int64_t nbytes, uintptr_t stream)
{
    PyObject *size = PyLong_FromLongLong(nbytes), *told = svpy_stream_object(stream), *made = NULL;
    PyObject *const args[] = {(PyObject *)self, size, told};

    if (size != NULL && told != NULL)
        made = PyObject_VectorcallMethod(self->state->names.allocate, args, 2,
                                         self->state->dlpack.with_stream);
    Py_XDECREF(told);
    Py_XDECREF(size);
    return made;
}

/* An attribute that is a number: 1; 0, without an exception, where there is none; or -1. */
static int read_number_attribute(PyObject *object, const char *name, uintptr_t *out)
{
    PyObject *told = svpy_get_attribute_text(object, name);
    int found = told != NULL && PyIndex_Check(told);

    if (found && svpy_address(told, out) < 0)
        found = -1;
    if (told == NULL && PyErr_Occurred())
        found = -1;
    Py_XDECREF(told);
    return found;
}

/* The address and the size of what allocate() gave: as read_number_attribute() answers. */
static int read_memory(PyObject *made, int64_t nbytes, uintptr_t *address, uintptr_t *size)
{
    int found;

    if (PyLong_Check(made) && !PyBool_Check(made)) {
        *size = (uintptr_t)nbytes;
        return svpy_address(made, address) < 0 ? -1 : 1;
    }
    found = read_number_attribute(made, "handle", address);
    return found <= 0 ? found : read_number_attribute(made, "size", size);
}

/* Where the bytes are that allocate() gave. */
static int find_memory(svpy_resource *self, PyObject *made, int64_t nbytes, uintptr_t *address)
{
    uintptr_t size = 0;
    int found;

    *address = 0;
    found = read_memory(made, nbytes, address, &size);
    if (found == 0)
        PyErr_Format(PyExc_TypeError, "allocate(%lld) of %.100s gave %.100s: it must give a Buffer, or an object with a "
                     "handle and a size, or an address, which is an int", (long long)nbytes,
                     Py_TYPE((PyObject *)self)->tp_name, Py_TYPE(made)->tp_name);
    if (found <= 0)
        return -1;
    if (*address != 0 && size >= (uintptr_t)nbytes)
        return 0;
    PyErr_Format(PyExc_ValueError, "allocate(%lld) of %.100s gave %llu bytes at address %llu", (long long)nbytes,
                 Py_TYPE((PyObject *)self)->tp_name, (unsigned long long)size, (unsigned long long)*address);
    return -1;
}

/* A Buffer is closed; what another library made frees itself when it is dropped. */
static int give_back(svpy_resource *self, PyObject *made, uintptr_t address, int64_t nbytes, uintptr_t stream)
{
    if (PyLong_Check(made))
        return svpy_deallocate(self, address, nbytes, stream);
    if (!svpy_is_buffer(self->state, made))
        return 0;
    svpy_buffer_end_lending((svpy_buffer *)made);
    return svpy_buffer_shut((svpy_buffer *)made, stream);
}

/* A block of so many bytes, and its address. A Buffer stays as it is before it is asked where it is. */
static PyObject *take_block(svpy_resource *self, int64_t nbytes, uintptr_t stream, uintptr_t *address)
{
    PyObject *made = call_allocate(self, nbytes, stream);
    const bool is_lent = made != NULL && svpy_is_buffer(self->state, made);

    if (is_lent && svpy_buffer_begin_lending((svpy_buffer *)made) < 0)
        Py_CLEAR(made);
    if (made == NULL || find_memory(self, made, nbytes, address) == 0)
        return made;
    if (is_lent)
        svpy_buffer_end_lending((svpy_buffer *)made);
    Py_DECREF(made);
    return NULL;
}

/* The same at a multiple of alignment. A class that does not know of alignments is asked for more from then on. */
static PyObject *take_aligned(svpy_resource *self, int64_t nbytes, int64_t alignment, uintptr_t stream,
                              uintptr_t *address, int64_t *taken)
{
    PyObject *made;

    if (!self->padded) {
        *taken = nbytes;
        made = take_block(self, nbytes, stream, address);
        if (made == NULL || *address % (uintptr_t)alignment == 0)
            return made;
        self->padded = true;
        give_back(self, made, *address, nbytes, stream);
        Py_DECREF(made);
        if (PyErr_Occurred())
            return NULL;
    }
    if (nbytes > INT64_MAX - alignment) {
        PyErr_NoMemory();
        return NULL;
    }
    *taken = nbytes + alignment - 1;
    return take_block(self, *taken, stream, address);
}

/* Keep what was made under the address that libsv gets. */
static int keep_block(svpy_resource *self, PyObject *made, uintptr_t address, int64_t taken, uintptr_t aligned)
{
    PyObject *key = PyLong_FromUnsignedLongLong(aligned);
    PyObject *kept = Py_BuildValue("OKL", made, (unsigned long long)address, (long long)taken);
    int failed = 1;

    if (self->blocks == NULL)
        self->blocks = PyDict_New();
    if (key != NULL && kept != NULL && self->blocks != NULL)
        failed = PyDict_SetItem(self->blocks, key, kept) < 0;
    Py_XDECREF(kept);
    Py_XDECREF(key);
    return failed ? -1 : 0;
}

static int allocate_here(svpy_resource *self, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    uintptr_t address = 0, aligned;
    int64_t taken;
    PyObject *made = take_aligned(self, nbytes, alignment, stream, &address, &taken);
    int failed = made == NULL;

    if (failed)
        return -1;
    aligned = (address + (uintptr_t)alignment - 1) & ~((uintptr_t)alignment - 1);
    if (keep_block(self, made, address, taken, aligned) < 0) {
        failed = 1;
    } else {
        Py_INCREF(self); /* the block's */
        *out = (void *)aligned;
    }
    Py_DECREF(made);
    return failed ? -1 : 0;
}

/* What libsv is told of an exception. */
static sv_status status_of_exception(void)
{
    if (!PyErr_Occurred())
        return SV_OK;
    return PyErr_ExceptionMatches(PyExc_MemoryError) ? SV_ERROR_MEMORY : SV_ERROR_STATE;
}

static sv_status allocate_by_source(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    svpy_callback callback;
    svpy_resource *self;
    sv_status status;

    if (!svpy_callback_begin(&callback))
        return SV_ERROR_STATE;
    svpy_callback_forget(&callback);
    svpy_call_left();
    self = ((struct svpy_cell *)ctx)->resource;
    Py_XINCREF(self);
    if (self == NULL)
        PyErr_SetString(PyExc_RuntimeError, "the memory resource that this memory came from is gone");
    else
        allocate_here(self, nbytes, alignment, stream, out);
    status = status_of_exception();
    svpy_callback_end(&callback, SVPY_CALLER, (PyObject *)self);
    Py_XDECREF(self);
    return status;
}

/* --- free --------------------------------------------------------------------------- */

/* Take out what was kept under an address. */
static PyObject *take_kept(svpy_resource *self, uintptr_t address)
{
    PyObject *key = PyLong_FromUnsignedLongLong(address);
    PyObject *kept = NULL;

    if (key != NULL && self->blocks != NULL)
        kept = Py_XNewRef(PyDict_GetItemWithError(self->blocks, key));
    if (kept != NULL && PyDict_DelItem(self->blocks, key) < 0)
        Py_CLEAR(kept);
    if (kept == NULL && !PyErr_Occurred())
        PyErr_Format(PyExc_RuntimeError, "no block of %.100s is at address %llu", Py_TYPE((PyObject *)self)->tp_name,
                     (unsigned long long)address);
    Py_XDECREF(key);
    return kept;
}

static void free_kept(const struct svpy_freed *freed)
{
    PyObject *kept = take_kept(freed->resource, freed->address), *made;
    unsigned long long start;
    long long taken;

    if (kept != NULL && PyArg_ParseTuple(kept, "OKL", &made, &start, &taken))
        give_back(freed->resource, made, (uintptr_t)start, taken, freed->stream);
    Py_XDECREF(kept);
}

/* The resource of a live block is there: the block has a reference to it. */
static sv_status free_by_source(void *ctx, void *pointer, int64_t nbytes, int64_t Py_UNUSED(alignment),
                                uintptr_t stream)
{
    const struct svpy_freed freed = {
        .resource = ((struct svpy_cell *)ctx)->resource, .address = (uintptr_t)pointer, .nbytes = nbytes,
        .stream = stream, .free = free_kept};

    return svpy_free_block(&freed);
}

/* --- the allocator -------------------------------------------------------------------- */

const sv_allocator *svpy_source_of(svpy_resource *self)
{
    sv_allocator *made = NULL;
    struct svpy_cell *cell;
    sv_status status;
    sv_memory kind;
    int32_t device_type, device_id;

    if (self->source != NULL)
        return self->source;
    if (svpy_resource_place((PyObject *)self, &kind, &device_type, &device_id) < 0)
        return NULL;
    cell = svpy_cell_new(self);
    if (cell == NULL)
        return NULL;
    status = sv_allocator_callbacks(kind, device_type, device_id, allocate_by_source, free_by_source, svpy_cell_free,
                                    cell, &made);
    if (status != SV_OK) {
        svpy_cell_free(cell);
        return svpy_raise(status);
    }
    if (self->source != NULL) { /* code of the class asked for it meanwhile */
        sv_allocator_release(made);
        return self->source;
    }
    self->source_cell = cell;
    self->source = made;
    return made;
}
