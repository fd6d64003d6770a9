/*
 * Calls of libsv in which code of Python may run: resources written in Python,
 * loggers, owners of memory. Exceptions travel through libsv to who called it
 * by svpy_call_begin(); elsewhere they are unraisable. Threads that do not have
 * the interpreter's lock never wait for it to free memory: what they leave is
 * done by the next thread that has it.
 */
#include "execution/call.h"

#include <stdatomic.h>

#include "base/errors.h"
#include "base/state.h"
#include "execution/release.h"

/* How many calls of svpy_call_begin() this thread is in, and of those that close. */
static _Thread_local int calls, closings;

svpy_call svpy_call_begin(int flags)
{
    svpy_call call = {NULL, (flags & SVPY_CLOSING) != 0};

    calls++;
    closings += call.closing;
    if ((flags & SVPY_UNLOCK) != 0)
        call.thread = PyEval_SaveThread();
    return call;
}

int svpy_call_end(svpy_call call, sv_status status)
{
    if (call.thread != NULL)
        PyEval_RestoreThread(call.thread);
    calls--;
    closings -= call.closing;
    if (status != SV_OK && !PyErr_Occurred())
        svpy_raise(status);
    if (status == SV_OK && !call.closing)
        PyErr_Clear(); /* of an attempt after which there was another way */
    return PyErr_Occurred() ? -1 : 0;
}

bool svpy_callback_begin(svpy_callback *callback)
{
    if (!Py_IsInitialized())
        return false;
    callback->state = PyGILState_Ensure();
    PyErr_Fetch(&callback->pending[0], &callback->pending[1], &callback->pending[2]);
    return true;
}

void svpy_callback_forget(svpy_callback *callback)
{
    for (int i = 0; i < 3; i++)
        Py_CLEAR(callback->pending[i]);
}

bool svpy_callback_end(svpy_callback *callback, svpy_raiser raiser, PyObject *object)
{
    const bool failed = PyErr_Occurred() != NULL;
    const bool raised = raiser == SVPY_CALLER ? calls > 0 : raiser == SVPY_CLOSER && closings > 0;

    if (failed && raised && raiser == SVPY_CALLER)
        svpy_callback_forget(callback); /* the later one says why in the end nothing was got */
    if (failed && (!raised || callback->pending[0] != NULL))
        PyErr_WriteUnraisable(object);
    if (callback->pending[0] != NULL)
        PyErr_Restore(callback->pending[0], callback->pending[1], callback->pending[2]);
    PyGILState_Release(callback->state);
    return !failed;
}

bool svpy_may_call_now(void)
{
    return calls > 0 || svpy_has_lock();
}

/* --- what is left for others -------------------------------------------------- */

static _Atomic(struct svpy_later *) left;

void svpy_call_left(void)
{
    struct svpy_later *later = atomic_exchange(&left, NULL), *next;

    for (; later != NULL; later = next) {
        next = later->next;
        later->run(later);
    }
}

static int call_left(void *Py_UNUSED(unused))
{
    svpy_call_left();
    return 0;
}

/* Where the interpreter's own list is full, it is done together with later work. */
void svpy_call_later(struct svpy_later *later)
{
    later->next = atomic_load(&left);
    while (!atomic_compare_exchange_weak(&left, &later->next, later))
        continue;
    Py_AddPendingCall(call_left, NULL);
}
