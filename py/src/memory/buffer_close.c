/* The end of a Buffer: closed, or its memory given away. */
#include "memory/buffer_close.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "execution/call.h"
#include "execution/stream.h"
#include "execution/thread_stream.h"
#include "objects/buffer_object.h"
#include "objects/buffer_stream.h"
#include "objects/buffer_struct.h"

#define SELF(object) ((svpy_buffer *)(object))

static PyObject *buffer_close(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"close", 1, 0, {NULL}, SVPY_BIT(STREAM)};
    PyObject *options[SVPY_OPTIONS];
    uintptr_t stream;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, NULL, options) < 0)
        return NULL;
    if (svpy_buffer_stream(SELF(self), options[SVPY_STREAM], &stream) < 0)
        return NULL;
    if (svpy_buffer_shut(SELF(self), stream) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *buffer_enter(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return Py_NewRef(self);
}

static PyObject *buffer_exit(PyObject *self, PyObject *const *Py_UNUSED(args), Py_ssize_t Py_UNUSED(nargs))
{
    return svpy_buffer_shut(SELF(self), sv_buffer_stream(SELF(self)->handle)) < 0 ? NULL : Py_NewRef(Py_None);
}

/* How to free memory that no Buffer owns any more. */
struct recipe {
    void *pointer, *ctx;
    int64_t nbytes, alignment;
    int64_t stream; /* as svpy_remember() keeps it */
    int32_t device_type;
    sv_free_callback free; /* NULL once it was called */
};

static const char recipe_name[] = "strideview.detached";

static void end_recipe(PyObject *capsule)
{
    PyMem_Free(PyCapsule_GetPointer(capsule, recipe_name));
}

static PyObject *free_detached(PyObject *capsule, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"free", 1, 0, {NULL}, SVPY_BIT(STREAM)};
    struct recipe *recipe = PyCapsule_GetPointer(capsule, recipe_name);
    sv_free_callback release;
    PyObject *options[SVPY_OPTIONS];
    uintptr_t stream;
    svpy_call call;

    if (recipe == NULL)
        return NULL;
    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, NULL, options) < 0)
        return NULL;
    stream = (uintptr_t)svpy_recall(recipe->stream);
    if (svpy_is_given(options[SVPY_STREAM]) &&
        svpy_stream_for(recipe->device_type, options[SVPY_STREAM], &stream) < 0)
        return NULL;
    release = recipe->free;
    if (release == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the memory was freed before");
        return NULL;
    }
    recipe->free = NULL;
    call = svpy_call_begin(SVPY_CLOSING);
    if (svpy_call_end(call, release(recipe->ctx, recipe->pointer, recipe->nbytes, recipe->alignment, stream)) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef free_method = {
    "free", SVPY_NAMED(free_detached),
    PyDoc_STR("free(stream=None)\n--\n\nFree memory that detach() gave, once.")};

static PyObject *new_recipe(struct recipe **out)
{
    struct recipe *recipe = PyMem_Calloc(1, sizeof *recipe);
    PyObject *capsule = recipe == NULL ? PyErr_NoMemory() : PyCapsule_New(recipe, recipe_name, end_recipe);
    PyObject *function = capsule == NULL ? NULL : PyCFunction_NewEx(&free_method, capsule, NULL);

    if (capsule == NULL)
        PyMem_Free(recipe);
    Py_XDECREF(capsule);
    *out = recipe;
    return function;
}

static PyObject *buffer_detach(PyObject *self, PyObject *Py_UNUSED(unused))
{
    struct recipe *recipe;
    PyObject *function = new_recipe(&recipe);
    sv_buffer *handle = SELF(self)->handle; /* making a function can run the garbage collector */
    uintptr_t stream = 0;
    sv_status status;

    if (function == NULL)
        return NULL;
    recipe->device_type = sv_buffer_device_type(handle);
    status = sv_buffer_detach(handle, &recipe->pointer, &recipe->nbytes, &recipe->alignment, &stream, &recipe->free,
                              &recipe->ctx);
    if (status != SV_OK) {
        Py_DECREF(function);
        return svpy_raise(status);
    }
    recipe->stream = svpy_remember((int64_t)stream);
    Py_CLEAR(SELF(self)->resource);
    return Py_BuildValue("KLN", (unsigned long long)(uintptr_t)recipe->pointer, (long long)recipe->nbytes, function);
}

PyMethodDef svpy_buffer_ending[] = {
    {"close", SVPY_NAMED(buffer_close),
     PyDoc_STR("close($self, /, stream=None)\n--\n\n"
               "Free the memory now, in stream, by default the one that it is freed in.\n\n"
               "BufferError while it is in use by views, slices or lent buffers. Closing again does nothing. What\n"
               "deallocate() of a derived resource raises is raised. Of a slice: let go of its part.")},
    {"__enter__", buffer_enter, METH_NOARGS, PyDoc_STR("__enter__($self, /)\n--\n\nThe Buffer itself.")},
    {"__exit__", SVPY_FAST(buffer_exit), PyDoc_STR("__exit__($self, /, *exception)\n--\n\nclose() it.")},
    {"detach", buffer_detach, METH_NOARGS,
     PyDoc_STR("detach($self, /)\n--\n\n"
               "Give the memory away: (ptr, size, free), and close the Buffer.\n\n"
               "The memory lives until free(stream=None) is called, for ever if it is not. BufferError while it is\n"
               "in use, RuntimeError of a slice or a closed Buffer.")},
    {NULL, NULL, 0, NULL},
};
