/* Which protocols the objects of a type offer, remembered by the version of the type. */
#ifndef SVPY_TYPE_CACHE_H
#define SVPY_TYPE_CACHE_H

#include "base/state.h"

struct DLPackExchangeAPI;

/* What the objects of a type offer. */
struct svpy_protocols {
    PyTypeObject *type;
    unsigned int version; /* of the type, 0 for none */
    bool dlpack, buffer;
    bool buffer_first; /* the buffer tells as much as DLPack does */
    bool ndarray;      /* svpy_from_ndarray() can read it */
    const struct DLPackExchangeAPI *table;
    bool lazy;  /* numbers in memory may not be the numbers meant: tensors of PyTorch */
    bool lent;  /* svpy_from_lent(): the object keeps its memory as long as a managed tensor of it would */
    bool arrow; /* __arrow_c_array__ */
    bool cuda_interface; /* __cuda_array_interface__ */
    bool sycl;  /* __sycl_usm_array_interface__ */
    bool masked; /* some numbers are not valid: numpy.ma's arrays */
    bool grads; /* numbers may belong to a computation that is recorded */
    const PyGetSetDef *grad; /* what tells of that, where it can be called without a look-up */
    PyCFunction ask_lazy[2]; /* the same of is_neg() and is_conj() */
};

enum { SVPY_TYPE_CACHE_SIZE = 64 }; /* places in the table of known types */

int svpy_type_cache_init(struct svpy_state *state);

/* A type is known again by its version, which no other state of any type ever has. */
static inline struct svpy_protocols *svpy_type_cache_place(const struct svpy_state *state, const PyTypeObject *type)
{
    return &state->type_cache[((uintptr_t)type >> 5) % SVPY_TYPE_CACHE_SIZE];
}

static inline bool svpy_is_cached(const struct svpy_protocols *protocols, const PyTypeObject *type)
{
    return protocols->type == type && protocols->version == type->tp_version_tag && protocols->version != 0;
}

/* 0, or -1 with an exception that must not be cleared: see attribute.c. */
int svpy_protocols_of(struct svpy_state *state, PyTypeObject *type, struct svpy_protocols *out);

/* Why what is in memory must not be viewed, a text with "%.100s" for the type; NULL when it may be. 0 or -1. */
int svpy_refusal_of_values(struct svpy_state *state, PyObject *object, const sv_view *view,
                           const struct svpy_protocols *protocols, const char **reason);

/* Whether it is of a type that was met before and found readable. */
bool svpy_is_ndarray(const struct svpy_state *state, PyObject *object);

#endif
