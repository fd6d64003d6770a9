/* executor= and threads=: a copy by the threads of an executor. */
#ifndef SVPY_THREADS_H
#define SVPY_THREADS_H

#include "base/python.h"

struct svpy_state;

typedef struct {
    PyObject *executor; /* borrowed; NULL: no threads */
    int32_t count; /* 1: run is not called */
    bool runs_python; /* run is that of an executor of Python's */
    int64_t nbytes;   /* of the copy */
    sv_parallel_callback run; /* the executor's, a parallel-for in C, or the pieces of a long copy in turn */
    void *ctx;
    PyThreadState *state; /* of the thread that copies, while it does not hold the interpreter */
    PyTypeObject *task_type;
} svpy_threads;

int svpy_threads_init(struct svpy_state *state, PyObject *module);

/* What copy(executor=, threads=) say; out stays where it is until the copy has ended. 0 or -1. */
int svpy_threads_of(struct svpy_state *state, PyObject *executor, PyObject *threads, svpy_threads *out);

#endif
