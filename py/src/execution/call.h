/* Calls of libsv in which code of Python may run, and callbacks of libsv, on any thread. */
#ifndef SVPY_CALL_H
#define SVPY_CALL_H

#include "base/python.h"

/* A call whose caller raises what such code raises. It may be without the interpreter's lock. */
typedef struct {
    PyThreadState *thread;
    bool closing;
} svpy_call;

enum {
    SVPY_UNLOCK = 1, /* other threads run meanwhile */
    SVPY_CLOSING = 2 /* what is raised while memory is freed is raised too */
};

svpy_call svpy_call_begin(int flags);

/* 0, or -1 with an exception: that of the code, or else of the status. */
int svpy_call_end(svpy_call call, sv_status status);

/* A callback of libsv, on any thread: the lock, and the exception that was pending before. */
typedef struct {
    PyGILState_STATE state;
    PyObject *pending[3];
} svpy_callback;

/* Who raises an exception of a callback. */
typedef enum {
    SVPY_NOBODY, /* it is unraisable */
    SVPY_CALLER, /* of svpy_call_begin() */
    SVPY_CLOSER  /* of the same with SVPY_CLOSING */
} svpy_raiser;

/* False where Python has ended. */
bool svpy_callback_begin(svpy_callback *callback);

/* The exception of before is answered: it was that of an attempt which is made again. */
void svpy_callback_forget(svpy_callback *callback);

/* Whether it ended without an exception. object is named where nobody raises it. */
bool svpy_callback_end(svpy_callback *callback, svpy_raiser raiser, PyObject *object);

/* Whether what need not be done at once can be: here no thread waits for the lock that must not. */
bool svpy_may_call_now(void);

/* Work that a thread without the lock leaves for one that has it. */
struct svpy_later {
    void (*run)(struct svpy_later *later); /* with the lock; frees it by PyMem_RawFree() */
    struct svpy_later *next;
};
void svpy_call_later(struct svpy_later *later);

/* Do what was left. */
void svpy_call_left(void);

#endif
