/* The fields of a MemoryResource. */
#ifndef SVPY_RESOURCE_STRUCT_H
#define SVPY_RESOURCE_STRUCT_H

#include "base/state.h"

struct svpy_resource;

/* What callbacks of an allocator have as ctx. It may outlive the resource. */
struct svpy_cell {
    struct svpy_resource *resource; /* borrowed; NULL when it is gone */
};

typedef struct svpy_resource {
    PyObject_HEAD
    struct svpy_state *state;
    sv_allocator *native; /* memory of its own; NULL where a derived class gives all of it */
    sv_allocator *source; /* of a class that overrides allocate(): calls it; made when it is first asked for */
    struct svpy_cell *source_cell; /* the ctx of source */
    struct svpy_cell *cell;        /* that of native where it calls a function of Python */
    struct svpy_resource *base;    /* the resource that native wraps, or NULL */
    bool by_source;                /* it wraps the source of base, else the native one */
    bool keeps;                    /* each block of native has a reference to this resource */
    bool counts_arrays;            /* its stats() are also those of arrays that no allocator counts */
    bool is_limited;    /* to so many bytes in use at a time: */
    int64_t limit;
    bool padded;        /* allocate() was seen to give addresses that are not aligned as asked for */
    PyObject *callable; /* of logged() and retrying() */
    PyObject *blocks;   /* {address: what allocate() gave} of source */
    PyObject *weakrefs;
} svpy_resource;

static inline int svpy_is_resource(const struct svpy_state *state, PyObject *object)
{
    return PyObject_TypeCheck(object, state->resource_type);
}

#endif
