/* progress=: who is told how far a copy is. */
#ifndef SVPY_PROGRESS_H
#define SVPY_PROGRESS_H

#include "base/python.h"

typedef struct {
    PyObject *callable; /* borrowed; NULL: nobody */
    bool by_steps;      /* it takes one argument: the bytes since the last call */
    int64_t total, told; /* bytes of the copy, and of what it was told; not set without a callable */
} svpy_progress;

/* What progress= says; None says nothing. 0, or -1 with a TypeError. */
int svpy_progress_of(PyObject *given, svpy_progress *out);

/* Called with the interpreter's lock: done of count pieces are done. 0, or -1 with what the callable raised. */
int svpy_progress_tell(svpy_progress *progress, int64_t done, int64_t count);

#endif
