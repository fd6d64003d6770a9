/* executor= and threads=: a copy by the threads of an executor. */
#ifndef SVPY_THREADS_H
#define SVPY_THREADS_H

#include "execution/progress.h"

struct svpy_state;

typedef struct {
    PyObject *executor; /* borrowed; NULL: no threads */
    int32_t count; /* 1: run is not called */
    bool runs_python; /* run is that of an executor of Python's */
    int64_t nbytes;   /* of the copy; 0 where run is called for each chunk of a device's */
    sv_parallel_callback run; /* the executor's, a parallel-for in C, or the pieces of a long copy in turn */
    void *ctx;
    PyThreadState *state; /* of the thread that copies, while it does not hold the interpreter */
    PyTypeObject *task_type;
    svpy_progress progress;
} svpy_threads;

int svpy_threads_init(struct svpy_state *state, PyObject *module);

/* What copy(executor=, threads=, progress=) say; out stays where it is until the copy has ended. 0 or -1. */
int svpy_threads_of(struct svpy_state *state, PyObject *const *options, svpy_threads *out);

/* The copy is done: that is told. 0, or -1 with an exception. */
static inline int svpy_threads_done(svpy_threads *threads, int64_t nbytes)
{
    threads->progress.total = nbytes;
    return threads->progress.callable == NULL ? 0 : svpy_progress_tell(&threads->progress, 1, 1);
}

#endif
