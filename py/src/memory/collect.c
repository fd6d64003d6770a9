/* Frees that had to wait: strideview.memory.collect(). */
#include "memory/collect.h"

#include "execution/call.h"

PyObject *svpy_collect(PyObject *Py_UNUSED(module), PyObject *given)
{
    const int wait = PyObject_IsTrue(given);
    int64_t left = 0;
    svpy_call call;

    if (wait < 0)
        return NULL;
    svpy_call_left();
    call = svpy_call_begin(SVPY_CLOSING | SVPY_UNLOCK);
    if (svpy_call_end(call, sv_memory_collect(wait ? SV_COLLECT_WAIT : 0, &left)) < 0)
        return NULL;
    return PyLong_FromLongLong(left);
}
