/* What becomes of a Python object when nothing needs its memory any more: on any thread, with or without Python. */
#include "import.h"

/* Whether this thread runs Python now. PyGILState_Check() says so too often once there have been subinterpreters. */
static bool has_lock(void)
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

void svpy_end_object(void *ctx)
{
    PyObject *object = ctx;
    PyObject *type, *value, *traceback;
    PyGILState_STATE state;

    if (has_lock() && Py_REFCNT(object) > 1) { /* nearly always: nothing else happens */
        Py_DECREF(object);
        return;
    }
    if (!Py_IsInitialized())
        return; /* the object is gone */
    state = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &traceback); /* not for the object's code to see */
    Py_DECREF(object);
    PyErr_Restore(type, value, traceback);
    PyGILState_Release(state);
}
