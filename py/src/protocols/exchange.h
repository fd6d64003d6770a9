/* DLPack's exchange table, ours and theirs. */
#ifndef SVPY_EXCHANGE_H
#define SVPY_EXCHANGE_H

#include "base/python.h"

struct svpy_state;
struct DLPackExchangeAPI;

/* A call without a stream is done on the default stream, which no capture holds: -1 where the last library that told
 * its stream is capturing that, so that the call was meant to be recorded. */
int svpy_check_recorded(int32_t device_type, int32_t device_id);
int svpy_exchange_init(struct svpy_state *state);

/* NULL without an exception where anything is odd, and __dlpack__() should say what; with one in a capture. */
sv_view *svpy_from_table(struct svpy_state *state, PyObject *object, int64_t stream,
                         const struct DLPackExchangeAPI *table);

/* Host memory that the object itself keeps. NULL for all else, with an exception only if it must not be cleared. */
sv_view *svpy_from_lent(PyObject *object, const struct DLPackExchangeAPI *table);

/* The table of a type, or NULL. 0, or -1 with an exception that must not be cleared. */
int svpy_table_of(PyTypeObject *type, const struct DLPackExchangeAPI **out);

/* Whether there is a table that gives tensors without an owner. */
bool svpy_table_lends(const struct DLPackExchangeAPI *table);

#endif
