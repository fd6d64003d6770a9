/*
 * Memory freed by deallocate() of a resource. A thread that does not have the
 * interpreter's lock leaves it for one that has.
 */
#include "objects/deallocate.h"

#include "base/state.h"
#include "execution/call.h"
#include "execution/release.h"
#include "objects/resource_struct.h"

PyObject *svpy_stream_object(uintptr_t stream)
{
    return stream == 0 ? Py_NewRef(Py_None) : PyLong_FromUnsignedLongLong(stream);
}

int svpy_deallocate(svpy_resource *self, uintptr_t address, int64_t nbytes, uintptr_t stream)
{
    PyObject *pointer = PyLong_FromUnsignedLongLong(address), *size = PyLong_FromLongLong(nbytes);
    PyObject *told = svpy_stream_object(stream), *done = NULL;
    PyObject *const args[] = {(PyObject *)self, pointer, size, told};

    if (pointer != NULL && size != NULL && told != NULL)
        done = PyObject_VectorcallMethod(self->state->names.deallocate, args, 3,
                                         self->state->dlpack.with_stream);
    Py_XDECREF(told);
    Py_XDECREF(size);
    Py_XDECREF(pointer);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

/* With the lock; takes the reference of the block. */
static sv_status free_here(const struct svpy_freed *freed)
{
    PyObject *resource = (PyObject *)freed->resource;
    svpy_callback callback;
    bool done;

    if (!svpy_callback_begin(&callback))
        return SV_ERROR_STATE;
    freed->free(freed);
    done = svpy_callback_end(&callback, SVPY_CLOSER, resource);
    svpy_end_object(resource);
    return done ? SV_OK : SV_ERROR_STATE;
}

static void free_later(struct svpy_later *later)
{
    free_here((struct svpy_freed *)later);
    PyMem_RawFree(later);
}

sv_status svpy_free_block(const struct svpy_freed *freed)
{
    struct svpy_freed *later;

    if (!Py_IsInitialized())
        return SV_ERROR_STATE;
    if (svpy_may_call_now())
        return free_here(freed);
    later = PyMem_RawMalloc(sizeof *later);
    if (later == NULL)
        return SV_ERROR_MEMORY;
    *later = *freed;
    later->later.run = free_later;
    svpy_call_later(&later->later);
    return SV_OK;
}

static void free_directly(const struct svpy_freed *freed)
{
    svpy_deallocate(freed->resource, freed->address, freed->nbytes, freed->stream);
}

sv_status svpy_free_by_resource(void *ctx, void *pointer, int64_t nbytes, int64_t Py_UNUSED(alignment),
                                uintptr_t stream)
{
    const struct svpy_freed freed = {
        .resource = ctx, .address = (uintptr_t)pointer, .nbytes = nbytes, .stream = stream, .free = free_directly};

    return svpy_free_block(&freed);
}
