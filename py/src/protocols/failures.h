/* Why the ways to view an object failed, and the exception that tells it. */
#ifndef SVPY_FAILURES_H
#define SVPY_FAILURES_H

#include "base/python.h"

/* The exceptions of attempts that failed. */
struct svpy_failures {
    int count;
    bool type_errors; /* and nothing else */
    PyObject *first[3];
    PyObject *text;
};

/* Put the pending exception on record, unless it is one that no other way could mend. */
void svpy_record_failure(struct svpy_failures *failed, const char *way);
void svpy_drop_failures(struct svpy_failures *failed);

/* Raise what is on record: one failure as it is, of several all. Where there is none, the object offers no way. */
void svpy_give_up(PyObject *object, struct svpy_failures *failed);

#endif
