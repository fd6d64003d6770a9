/* Questions about two layouts or views, and questions that can be too hard to answer. */
#ifndef SVPY_LAYOUT_PAIR_H
#define SVPY_LAYOUT_PAIR_H

#include "base/python.h"

/* A question to libsv about handles, which the caller keeps, that may be too hard. */
typedef struct svpy_question {
    sv_status (*ask)(const struct svpy_question *question, int64_t work, sv_answer *answer);
    const void *one, *other;
    uintptr_t address, other_address;
} svpy_question;

/* A bool, or NULL with an exception: TooHardError where it takes more work. Releases the GIL where it takes long. */
PyObject *svpy_decide(const svpy_question *question, int64_t work);

/* Whether a layout is unique, with the usual limit. */
PyObject *svpy_decide_unique(const sv_layout *layout);
extern PyMethodDef svpy_pairing[];
extern PyMethodDef svpy_deciding[];

#endif
