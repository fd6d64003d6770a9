/*
 * progress=: a callable that is told how far a copy is, between the pieces of a long one and at its end. What it raises
 * ends the copy. It takes (done, total), or as tqdm's update() one number, the bytes since the last call. Its signature,
 * which is read once per copy, tells which.
 */
#include "execution/progress.h"

#include "base/helper.h"
#include "base/options.h"

int svpy_progress_of(PyObject *given, svpy_progress *out)
{
    PyObject *function, *steps;

    *out = (svpy_progress){.callable = NULL};
    if (given == Py_None)
        return 0;
    if (!PyCallable_Check(given))
        return svpy_refuse_option(SVPY_PROGRESS, given);
    function = svpy_helper("strideview._arguments", "takes_one");
    steps = function == NULL ? NULL : PyObject_CallOneArg(function, given);
    Py_XDECREF(function);
    if (steps == NULL)
        return -1;
    out->by_steps = steps == Py_True;
    out->callable = given;
    Py_DECREF(steps);
    return 0;
}

/* So many bytes, of a product that may not fit. */
static int64_t scale_bytes(int64_t total, int64_t done, int64_t count)
{
    return done == count ? total : (int64_t)((double)total * ((double)done / (double)count));
}

int svpy_progress_tell(svpy_progress *progress, int64_t done, int64_t count)
{
    const int64_t nbytes = scale_bytes(progress->total, done, count);
    PyObject *answer;

    if (progress->callable == NULL || nbytes < progress->told)
        return 0;
    if (progress->by_steps)
        answer = PyObject_CallFunction(progress->callable, "L", (long long)(nbytes - progress->told));
    else
        answer = PyObject_CallFunction(progress->callable, "LL", (long long)nbytes, (long long)progress->total);
    progress->told = nbytes;
    Py_XDECREF(answer);
    return answer == NULL ? -1 : 0;
}
