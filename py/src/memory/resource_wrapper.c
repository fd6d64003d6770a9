/* Memory resources made of another one: tracked, limited, cached, logged, retrying. */
#include "memory/resource_wrapper.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "execution/call.h"
#include "execution/release.h"
#include "objects/place.h"
#include "objects/python_allocator.h"
#include "objects/resource_object.h"
#include "objects/resource_struct.h"

#define SELF(object) ((svpy_resource *)(object))

/* --- functions of Python ------------------------------------------------------------ */

/* An event of a logged resource, which may be told later, on another thread. */
struct told {
    struct svpy_later later;
    svpy_resource *resource; /* a reference: after SV_EVENT_FREED that of the block */
    int32_t event;
    const void *pointer;
    int64_t nbytes;
    uintptr_t stream;
};

static void tell_event(const struct told *told)
{
    static const char *const names[] = {
        [SV_EVENT_ALLOCATED] = "allocated", [SV_EVENT_FREED] = "freed", [SV_EVENT_FAILED] = "failed"};
    PyObject *callable = told->resource->callable, *done;

    if (callable == NULL)
        return; /* cleared as garbage */
    Py_INCREF(callable);
    done = PyObject_CallFunction(callable, "sKLK", names[told->event], (unsigned long long)(uintptr_t)told->pointer,
                                 (long long)told->nbytes, (unsigned long long)told->stream);
    Py_XDECREF(done);
    Py_DECREF(callable);
}

/* Called with the interpreter's lock. Takes the reference. */
static void tell_here(const struct told *told)
{
    svpy_callback callback;

    if (!svpy_callback_begin(&callback))
        return;
    tell_event(told);
    svpy_callback_end(&callback, SVPY_NOBODY, (PyObject *)told->resource);
    svpy_end_object(told->resource);
}

static void tell_later(struct svpy_later *later)
{
    tell_here((struct told *)later);
    PyMem_RawFree(later);
}

/* That a block was freed need not be told at once. */
static void tell_freed(const struct told *told)
{
    struct told *later;

    if (!Py_IsInitialized())
        return;
    if (svpy_may_call_now()) {
        tell_here(told);
        return;
    }
    later = PyMem_RawMalloc(sizeof *later);
    if (later == NULL)
        return;
    *later = *told;
    later->later.run = tell_later;
    svpy_call_later(&later->later);
}

/* A live block has a reference to the resource, which it got here. */
static void log_event(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    struct told told = {
        .resource = ((struct svpy_cell *)ctx)->resource, .event = event, .pointer = pointer, .nbytes = nbytes,
        .stream = stream};
    svpy_callback callback;

    if (event == SV_EVENT_FREED) {
        if (told.resource != NULL)
            tell_freed(&told);
        return;
    }
    if (!svpy_callback_begin(&callback))
        return;
    told.resource = ((struct svpy_cell *)ctx)->resource;
    if (told.resource != NULL) {
        Py_INCREF(told.resource);
        tell_event(&told);
    }
    svpy_callback_end(&callback, SVPY_NOBODY, (PyObject *)told.resource);
    if (told.resource != NULL && event == SV_EVENT_FAILED)
        svpy_end_object(told.resource);
}

static int32_t ask_again(void *ctx, int64_t nbytes, int32_t attempt)
{
    svpy_callback callback;
    svpy_resource *self;
    PyObject *callable, *told = NULL;
    int again = 0;

    if (!svpy_callback_begin(&callback))
        return 0;
    self = ((struct svpy_cell *)ctx)->resource;
    callable = self == NULL ? NULL : Py_XNewRef(self->callable);
    if (callable != NULL)
        told = PyObject_CallFunction(callable, "Li", (long long)nbytes, (int)attempt);
    if (told != NULL)
        again = PyObject_IsTrue(told) > 0;
    Py_XDECREF(told);
    if (again)
        svpy_callback_forget(&callback);
    svpy_callback_end(&callback, SVPY_CALLER, callable);
    Py_XDECREF(callable);
    return again;
}

/* --- making one ----------------------------------------------------------------------- */

/* The result is a MemoryResource itself, not of a derived class. */
static PyObject *wrap_resource(PyObject *base, sv_status status, sv_allocator *made)
{
    struct svpy_state *state = SELF(base)->state;

    return status == SV_OK ? svpy_resource_wrap(state, state->resource_type, made, base) : svpy_raise(status);
}

static PyObject *resource_tracked(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"tracked", 2, 0, {"name", "blocks"}, 0};
    const sv_allocator *base;
    PyObject *values[2];
    const char *name = NULL;
    sv_allocator *made = NULL;
    sv_status status;
    int blocks = 0;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_is_given(values[0])) {
        name = svpy_utf8(values[0]);
        if (name == NULL)
            return NULL;
    }
    if (svpy_flag(values[1], &blocks) < 0)
        return NULL;
    base = svpy_allocator_of(self);
    if (base == NULL)
        return NULL;
    status = sv_allocator_tracked(base, name, blocks ? SV_ALLOCATOR_BLOCKS : 0, &made);
    return wrap_resource(self, status, made);
}

static PyObject *resource_limited(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"limited", 1, 1, {"most"}, 0};
    const sv_allocator *base;
    PyObject *given, *limited;
    int64_t most;
    sv_allocator *made = NULL;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, &given) < 0)
        return NULL;
    if (svpy_size(given, "most", &most) < 0)
        return NULL;
    base = svpy_allocator_of(self);
    if (base == NULL)
        return NULL;
    status = sv_allocator_limited(base, most, &made);
    limited = wrap_resource(self, status, made);
    if (limited != NULL) {
        SELF(limited)->is_limited = true;
        SELF(limited)->limit = most;
    }
    return limited;
}

static PyObject *resource_cached(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"cached", 1, 0, {"threshold"}, 0};
    const sv_allocator *base;
    PyObject *given;
    int64_t threshold = INT64_MAX;
    sv_allocator *made = NULL;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, &given) < 0)
        return NULL;
    if (svpy_is_given(given) && svpy_size(given, "threshold", &threshold) < 0)
        return NULL;
    base = svpy_allocator_of(self);
    if (base == NULL)
        return NULL;
    status = sv_allocator_cached(base, threshold, &made);
    return wrap_resource(self, status, made);
}

/* Check the callable and make its cell; 0, or -1 with an exception. */
static int prepare_calling(PyObject *self, PyObject *callable, const sv_allocator **base, struct svpy_cell **cell)
{
    if (!PyCallable_Check(callable)) {
        PyErr_Format(PyExc_TypeError, "a function is needed, not %.100s", Py_TYPE(callable)->tp_name);
        return -1;
    }
    *base = svpy_allocator_of(self);
    *cell = *base == NULL ? NULL : svpy_cell_new(NULL);
    return *cell == NULL ? -1 : 0;
}

/* Takes the cell, as the allocator does where it was made. */
static PyObject *wrap_calling(PyObject *base, sv_status status, sv_allocator *made, PyObject *callable,
                              struct svpy_cell *cell)
{
    PyObject *self = wrap_resource(base, status, made);

    if (status != SV_OK)
        svpy_cell_free(cell);
    if (self == NULL)
        return NULL;
    SELF(self)->callable = Py_NewRef(callable);
    SELF(self)->cell = cell;
    cell->resource = SELF(self);
    return self;
}

static PyObject *resource_logged(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"logged", 1, 1, {"callable"}, 0};
    const sv_allocator *base;
    struct svpy_cell *cell;
    PyObject *callable, *answer;
    sv_allocator *made = NULL;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, &callable) < 0)
        return NULL;
    if (prepare_calling(self, callable, &base, &cell) < 0)
        return NULL;
    status = sv_allocator_logged(base, log_event, svpy_cell_free, cell, &made);
    answer = wrap_calling(self, status, made, callable, cell);
    if (answer != NULL)
        SELF(answer)->keeps = true;
    return answer;
}

static PyObject *resource_retrying(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"retrying", 2, 1, {"callable", "attempts"}, 0};
    const sv_allocator *base;
    struct svpy_cell *cell;
    PyObject *values[2];
    int64_t attempts = 1;
    sv_allocator *made = NULL;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (values[1] != NULL && svpy_size(values[1], "attempts", &attempts) < 0)
        return NULL;
    if (prepare_calling(self, values[0], &base, &cell) < 0)
        return NULL;
    status = sv_allocator_retrying(base, attempts > INT32_MAX ? INT32_MAX : (int32_t)attempts, ask_again,
                                   svpy_cell_free, cell, &made);
    return wrap_calling(self, status, made, values[0], cell);
}

PyMethodDef svpy_wrapping[] = {
    {"tracked", SVPY_NAMED(resource_tracked),
     PyDoc_STR("tracked($self, /, name=None, blocks=False)\n--\n\n"
               "The same memory, counted: see stats(). blocks: also a list of the live blocks, for blocks().")},
    {"limited", SVPY_NAMED(resource_limited),
     PyDoc_STR("limited($self, /, most)\n--\n\n"
               "The same memory, of which at most so many bytes live at a time; MemoryError beyond.")},
    {"cached", SVPY_NAMED(resource_cached),
     PyDoc_STR("cached($self, /, threshold=None)\n--\n\n"
               "The same memory, kept when it is freed and given out again without a call of the driver.\n\n"
               "threshold: bytes that are kept at most; None: no limit. Memory of a device is then allocated and\n"
               "freed in the order of streams. sv.memory.collect() gives back what is kept, and so does an\n"
               "allocation on the device that finds no memory left.")},
    {"logged", SVPY_NAMED(resource_logged),
     PyDoc_STR("logged($self, /, callable)\n--\n\n"
               "The same memory; callable(event, ptr, nbytes, stream) is told of what happens.\n\n"
               "event is 'allocated', 'freed', before that is done, or 'failed', of an allocation (ptr is 0) or of\n"
               "the free that was told before. stream 0 is the default stream. It is called on the thread that\n"
               "allocates or frees; where that does not run Python, frees are told later. What it raises is\n"
               "unraisable.")},
    {"retrying", SVPY_NAMED(resource_retrying),
     PyDoc_STR("retrying($self, /, callable, attempts=1)\n--\n\n"
               "The same memory; where there is none left, callable(nbytes, attempt) may make room and return true:\n"
               "then it is tried again. It is asked attempts times for one allocation; attempt counts from 1. What\n"
               "it raises is raised in place of MemoryError.")},
    {NULL, NULL, 0, NULL},
};
