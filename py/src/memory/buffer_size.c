/* Grows and shrinks the memory of a Buffer, and moves it to another kind. */
#include "memory/buffer_size.h"

#include "base/arguments.h"
#include "base/helper.h"
#include "base/state.h"
#include "execution/call.h"
#include "execution/interruptible.h"
#include "execution/stream.h"
#include "objects/buffer_stream.h"
#include "objects/buffer_struct.h"
#include "objects/lending.h"
#include "objects/place.h"
#include "objects/resource_object.h"

#define SELF(object) ((svpy_buffer *)(object))

/* Adds bit to flags where an argument is true. 0, or -1 with an exception. */
static int add_flag(PyObject *given, uint32_t bit, uint32_t *flags)
{
    int truth = 0;

    if (svpy_flag(given, &truth) < 0)
        return -1;
    *flags |= truth ? bit : 0;
    return 0;
}

/* A change of the memory: the function that does it and its arguments. */
struct change {
    sv_status (*call)(sv_buffer *handle, const struct change *change);
    int64_t nbytes;
    const sv_allocator *allocator;
    uint32_t flags;
    uintptr_t stream;
};

/* Let the host wait for a stream, where the device has streams. 0, or -1 with an exception. */
static int wait_for(int32_t device_type, int32_t device_id, uintptr_t stream)
{
    svpy_call call;

    if (!svpy_has_streams(device_type))
        return 0;
    call = svpy_call_begin(SVPY_UNLOCK);
    return svpy_call_end(call, sv_stream_synchronize(device_type, device_id, stream));
}

/* The contents are there after what stream does now. Where the device is another one, it has two default streams. */
static int follow_move(svpy_buffer *self, int32_t device_type, int32_t device_id, uintptr_t stream)
{
    const int32_t new_type = sv_buffer_device_type(self->handle), new_id = sv_buffer_device_id(self->handle);

    if (new_type == device_type && new_id == device_id) {
        svpy_buffer_follow(self, stream);
        return 0;
    }
    if (wait_for(device_type, device_id, stream) < 0)
        return -1;
    if (wait_for(new_type, new_id, stream) < 0)
        return -1;
    self->stream = SVPY_NOTHING;
    return 0;
}

/* Do the change while no other work is put on the memory. 0, or -1 with an exception. */
static int change_alone(svpy_buffer *self, const struct change *change)
{
    sv_buffer *handle = svpy_buffer_hold(self);
    const int32_t device_type = sv_buffer_device_type(handle), device_id = sv_buffer_device_id(handle);
    const bool is_short = device_type == SV_DEVICE_CPU && change->allocator == NULL && change->nbytes < SVPY_LONG_COPY;
    int failed = svpy_buffer_order(self, change->stream) < 0;

    if (!failed) {
        svpy_call call = svpy_call_begin(is_short ? 0 : SVPY_UNLOCK);

        failed = svpy_call_end(call, change->call(handle, change)) < 0;
    }
    sv_buffer_release(handle);
    return failed ? -1 : follow_move(self, device_type, device_id, change->stream);
}

static int do_change(svpy_buffer *self, const struct change *change)
{
    int failed;

    if (svpy_buffer_check_still(self) < 0)
        return -1;
    self->changes = true;
    failed = change_alone(self, change);
    self->changes = false;
    return failed;
}

/* Do the change in the stream and with the flags of the options. */
static int change_by_options(svpy_buffer *self, PyObject *const *options, struct change *change)
{
    if (svpy_buffer_stream(self, options[SVPY_STREAM], &change->stream) < 0)
        return -1;
    if (add_flag(options[SVPY_ZERO], SV_BUFFER_ZERO, &change->flags) < 0)
        return -1;
    if (add_flag(options[SVPY_DISCARD], SV_BUFFER_DISCARD, &change->flags) < 0)
        return -1;
    return do_change(self, change);
}

static sv_status call_resize(sv_buffer *handle, const struct change *change)
{
    return sv_buffer_resize(handle, change->nbytes, change->flags, change->stream);
}

static sv_status call_reserve(sv_buffer *handle, const struct change *change)
{
    return sv_buffer_reserve(handle, change->nbytes, change->stream);
}

static sv_status call_shrink(sv_buffer *handle, const struct change *change)
{
    return sv_buffer_shrink(handle, change->stream);
}

static sv_status call_migrate(sv_buffer *handle, const struct change *change)
{
    return sv_buffer_migrate(handle, change->allocator, change->flags, change->stream);
}

static PyObject *buffer_resize(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "resize", 2, 1, {"size"}, SVPY_BIT(STREAM) | SVPY_BIT(ZERO) | SVPY_BIT(DISCARD)};
    struct change change = {.call = call_resize};
    PyObject *size, *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &size, options) < 0)
        return NULL;
    if (svpy_size(size, "size", &change.nbytes) < 0)
        return NULL;
    return change_by_options(SELF(self), options, &change) < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *buffer_reserve(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"reserve", 2, 1, {"capacity"}, SVPY_BIT(STREAM)};
    struct change change = {.call = call_reserve};
    PyObject *capacity, *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &capacity, options) < 0)
        return NULL;
    if (svpy_size(capacity, "capacity", &change.nbytes) < 0)
        return NULL;
    return change_by_options(SELF(self), options, &change) < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *buffer_shrink(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"shrink_to_fit", 1, 0, {NULL}, SVPY_BIT(STREAM)};
    struct change change = {.call = call_shrink, .nbytes = sv_buffer_nbytes(SELF(self)->handle)};
    PyObject *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, NULL, options) < 0)
        return NULL;
    return change_by_options(SELF(self), options, &change) < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *buffer_migrate(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"migrate", 2, 1, {"mr"}, SVPY_BIT(STREAM) | SVPY_BIT(DISCARD)};
    struct change change = {.call = call_migrate};
    PyObject *given, *options[SVPY_OPTIONS], *resource;
    int failed = 1;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, &given, options) < 0)
        return NULL;
    resource = svpy_resource_given(SELF(self)->state, given, "mr");
    if (resource == NULL)
        return NULL;
    change.allocator = svpy_allocator_of(resource);
    if (change.allocator != NULL)
        failed = change_by_options(SELF(self), options, &change) < 0;
    if (failed) {
        Py_DECREF(resource);
        return NULL;
    }
    Py_XSETREF(SELF(self)->resource, resource);
    Py_RETURN_NONE;
}

PyMethodDef svpy_buffer_sizing[] = {
    {"resize", SVPY_NAMED(buffer_resize),
     PyDoc_STR("resize($self, /, size, stream=None, *, zero=False, discard=False)\n--\n\n"
               "Change how many bytes there are. Within the capacity the memory stays where it is.\n\n"
               "zero: new bytes are 0, else undefined. discard: so may be the others. BufferError while it is in\n"
               "use and would move or end before what is used.")},
    {"reserve", SVPY_NAMED(buffer_reserve),
     PyDoc_STR("reserve($self, /, capacity, stream=None)\n--\n\n"
               "Get room for as many bytes, for resize(). It never gets less.")},
    {"shrink_to_fit", SVPY_NAMED(buffer_shrink),
     PyDoc_STR("shrink_to_fit($self, /, stream=None)\n--\n\nGive back the room that is not used.")},
    {"migrate", SVPY_NAMED(buffer_migrate),
     PyDoc_STR("migrate($self, /, mr, stream=None, *, discard=False)\n--\n\n"
               "Move the contents to memory of another resource, of any kind or device; the Buffer stays the same\n"
               "object. discard: the contents need not be kept. Done on return where the kind or the device is\n"
               "another one. BufferError while it is in use.")},
    {NULL, NULL, 0, NULL},
};
