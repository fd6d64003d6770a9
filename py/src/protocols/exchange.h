/* DLPack's exchange tables of other libraries. */
#ifndef SVPY_EXCHANGE_H
#define SVPY_EXCHANGE_H

#include "base/python.h"

#define SVPY_EXCHANGE_NAME "__dlpack_c_exchange_api__"     /* DLPack 1.3: a capsule */
#define SVPY_EXCHANGE_OLD_NAME "__c_dlpack_exchange_api__" /* DLPack 1.2: an int */
#define SVPY_EXCHANGE_CAPSULE "dlpack_exchange_api"

struct svpy_state;
struct svpy_streams;
struct DLPackExchangeAPI;

/* NULL without an exception where anything is odd, and __dlpack__() should say what; with one in a capture. */
sv_view *svpy_from_table(struct svpy_state *state, PyObject *object, struct svpy_streams *streams,
                         const struct DLPackExchangeAPI *table);

/* The stream of CUDA that the owner of a table, maybe NULL, works on now. 1, 0 where it does not tell, or -1. */
int svpy_table_stream(const struct DLPackExchangeAPI *table, int32_t device_id, int64_t *out);

/* The same of state->worker, which is not NULL. */
int svpy_worker_stream(const struct svpy_state *state, int32_t device_id, int64_t *out);

/* Host memory that the object itself keeps. NULL for all else, with an exception only if it must not be cleared. */
sv_view *svpy_from_lent(PyObject *object, const struct DLPackExchangeAPI *table);

/* The table of a type, or NULL. 0, or -1 with an exception that must not be cleared. */
int svpy_table_of(PyTypeObject *type, const struct DLPackExchangeAPI **out);

/* Whether there is a table that gives tensors without an owner. */
bool svpy_table_lends(const struct DLPackExchangeAPI *table);

#endif
