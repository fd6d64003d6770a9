/*
 * What the package keeps between calls: the state of the module strideview._core. There is one in an interpreter.
 *
 * Objects have a pointer to it, functions of the module find it by svpy_state_of_module(), what the types themselves
 * are called with by svpy_state_of_type(). Only what is given none of these, entry points for C and the raising of
 * exceptions, asks svpy_here(). The interpreter's lock guards all of it.
 */
#ifndef SVPY_STATE_H
#define SVPY_STATE_H

#include "base/options.h"
#include "base/python.h"

/* A free list of one type: most objects live for one expression only. */
typedef struct {
    int count;
    PyObject *objects[16];
} svpy_pool;

/* Interned strings. state.c has a row with the text of each. */
struct svpy_names {
    PyObject *allocate, *array_interface, *cuda_array_interface, *deallocate, *dlpack, *dlpack_device, *get_usm_type,
        *is_conj, *is_neg, *requires_grad, *same_kind, *sycl_usm_array_interface, *unsafe, *usm_type;
};

/* Constants that dlpack.c passes to producers. */
struct svpy_dlpack_constants {
    PyObject *host_device, *version, *with_version, *with_stream, *with_both;
};

struct svpy_protocols; /* type_cache.h */

struct svpy_state {
    PyInterpreterState *interpreter;
    PyTypeObject *layout_type, *view_type, *plan_type, *task_type, *buffer_type, *resource_type;
    PyObject *bounds_error, *copy_error, *protocol_error, *too_hard_error;
    PyObject *arrays; /* the resource that arrays without options are counted by; NULL: they are buffers of _resources */
    PyObject *worker; /* a weak reference to the type whose table was last seen to tell a stream of work; NULL: none */
    const struct DLPackExchangeAPI *worker_table;
    PyObject *dtypes; /* {sv_dtype: what .dtype answers} */
    PyObject *known_dtypes; /* {text or type that a caller gave: sv_dtype} */
    PyObject *plain_dtype; /* the last one that svpy_is_plain() found so; NULL at first */
    struct svpy_names names;
    PyObject *options[SVPY_OPTIONS]; /* the names of options, interned, as calls give them */
    struct svpy_dlpack_constants dlpack;
    struct svpy_protocols *type_cache; /* what the objects of known types offer */
    sv_layout_builder *builder; /* of svpy_start(); no Python code runs while it is used */
    svpy_pool layouts, views, buffers;
};

/* self of a function that svpy_add_functions() put into the module. */
static inline struct svpy_state *svpy_state_of_module(PyObject *module)
{
    return PyModule_GetState(module);
}

/* self of a function that svpy_add_functions() put into a type, or the type that is called. */
static inline struct svpy_state *svpy_state_of_type(PyObject *type)
{
    return PyType_GetModuleState((PyTypeObject *)type);
}

/* The state of the type that has this dealloc, or of a type derived from it. */
static inline struct svpy_state *svpy_state_of_derived(PyTypeObject *type, destructor dealloc)
{
    while (type->tp_dealloc != dealloc)
        type = type->tp_base;
    return svpy_state_of_type((PyObject *)type);
}

/* Fill zeros; 0, or -1 with an exception. From then on it is the one that svpy_here() finds. */
int svpy_state_init(struct svpy_state *state);
void svpy_state_end(struct svpy_state *state);

/* The one state, for callers that have neither an object nor the module; NULL for none. Another interpreter that shares
 * the GIL may read there which built-in types are known. */
extern struct svpy_state *svpy_only_state;

/* The state of this interpreter; NULL with a RuntimeError where it has not imported the package. */
struct svpy_state *svpy_not_here(void);
static inline struct svpy_state *svpy_here(void)
{
    struct svpy_state *state = svpy_only_state;

    return state != NULL && state->interpreter == PyInterpreterState_Get() ? state : svpy_not_here();
}

/* An object from the free list, whose fields are to be set; NULL where the list is empty. */
static inline PyObject *svpy_pool_take(svpy_pool *pool, PyTypeObject *type)
{
    return pool->count > 0 ? PyObject_Init(pool->objects[--pool->count], type) : NULL;
}

/* Put an object whose fields were released on the free list; 0 where the list is full. */
static inline int svpy_pool_keep(svpy_pool *pool, PyObject *object)
{
    if (pool->count == (int)(sizeof pool->objects / sizeof *pool->objects))
        return 0;
    pool->objects[pool->count++] = object;
    return 1;
}

#endif
