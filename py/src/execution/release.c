/* Releases Python objects whose memory nobody needs any more: on any thread, with or without Python. */
#include "execution/release.h"

#include <stdlib.h>

/* PyGILState_Check() says yes too often once there have been subinterpreters. */
bool svpy_has_lock(void)
{
#if PY_VERSION_HEX >= 0x030d0000
    return PyThreadState_GetUnchecked() != NULL;
#elif PY_VERSION_HEX >= 0x030c0000
    return _PyThreadState_UncheckedGet() != NULL;
#else
    PyThreadState *state = PyGILState_GetThisThreadState();

    return state != NULL && state == _PyThreadState_UncheckedGet();
#endif
}

/* --- one after the other ---------------------------------------------------- */

/*
 * An object may own the last reference to another, and so on: memory that was
 * handed from library to library and back 100,000 times. Ends are nested this
 * deep at most; those beyond wait in a list for the outermost one, so that the
 * stack does not grow with the chain.
 */
enum { DEEPEST = 16 };

struct ending {
    void (*end)(void *ctx);
    void *ctx;
};

static _Thread_local struct {
    int depth;
    size_t count, room;
    struct ending *list;
} endings;

/* False where memory for the list is missing. */
static bool put_off(struct ending ending)
{
    const size_t room = endings.room == 0 ? 64 : 2 * endings.room;
    struct ending *list;

    if (endings.count == endings.room) {
        list = realloc(endings.list, room * sizeof *list);
        if (list == NULL)
            return false;
        endings.list = list;
        endings.room = room;
    }
    endings.list[endings.count++] = ending;
    return true;
}

static void run_ending(struct ending ending)
{
    endings.depth++;
    ending.end(ending.ctx);
    endings.depth--;
}

static void run_what_was_put_off(void)
{
    while (endings.count > 0)
        run_ending(endings.list[--endings.count]);
    free(endings.list);
    endings.list = NULL;
    endings.room = 0;
}

void svpy_end_in_turn(void (*end)(void *ctx), void *ctx)
{
    const struct ending ending = {end, ctx};
    PyObject *type = NULL, *value, *traceback;

    if (endings.depth >= DEEPEST && put_off(ending))
        return;
    if (PyErr_Occurred())
        PyErr_Fetch(&type, &value, &traceback); /* not for the code of objects to see */
    run_ending(ending);
    if (endings.depth == 0 && endings.room > 0)
        run_what_was_put_off();
    if (type != NULL)
        PyErr_Restore(type, value, traceback);
}

/* --- objects ----------------------------------------------------------------- */

static void drop_reference(void *object)
{
    Py_DECREF((PyObject *)object);
}

void svpy_drop_last(PyObject *object)
{
    svpy_end_in_turn(drop_reference, object);
}

/* Slow path: the last reference, or a thread without the interpreter's lock. */
static void end_anywhere(PyObject *object)
{
    PyGILState_STATE state;

    if (!Py_IsInitialized())
        return; /* the object is gone */
    state = PyGILState_Ensure();
    svpy_end_in_turn(drop_reference, object);
    PyGILState_Release(state);
}

void svpy_end_object(void *ctx)
{
    PyObject *object = ctx;

    if (svpy_has_lock() && Py_REFCNT(object) > 1) /* nearly always: nothing else happens */
        Py_DECREF(object);
    else
        end_anywhere(object);
}

/* --- buffers ----------------------------------------------------------------- */

Py_buffer *svpy_hold_buffer(PyObject *object, int flags)
{
    Py_buffer *buffer = PyMem_Malloc(sizeof *buffer);

    if (buffer == NULL)
        return (void *)PyErr_NoMemory();
    if (PyObject_GetBuffer(object, buffer, flags) < 0) {
        PyMem_Free(buffer);
        return NULL;
    }
    return buffer;
}

static void release_owner(void *ctx)
{
    PyBuffer_Release(ctx);
    PyMem_Free(ctx);
}

/* Called on any thread. After Python has ended, the buffer is not given back. */
void svpy_end_buffer(void *ctx)
{
    PyGILState_STATE state;

    if (!Py_IsInitialized())
        return;
    state = PyGILState_Ensure();
    svpy_end_in_turn(release_owner, ctx);
    PyGILState_Release(state);
}
