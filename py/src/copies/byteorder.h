/* Copies and fills of numbers in the other byte order, which are opaque items to libsv: strideview._byteorder. */
#ifndef SVPY_BYTEORDER_H
#define SVPY_BYTEORDER_H

#include "base/options.h"
#include "objects/view_struct.h"

/* A function that copies by options, or refuses. 0, or -1 with an exception. */
typedef int svpy_copier(struct svpy_state *state, svpy_view *target, const svpy_view *source, PyObject *const *options);

/* What the copier does where one side or both are opaque: if it refuses them, the copy may be one that swaps. */
int svpy_copy_opaque(struct svpy_state *state, svpy_view *target, const svpy_view *source, PyObject *const *options,
                     svpy_copier *copy);

static inline int svpy_copy_any(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                                PyObject *const *options, svpy_copier *copy)
{
    if (sv_view_dtype(target->handle) == SV_OPAQUE || sv_view_dtype(source->handle) == SV_OPAQUE)
        return svpy_copy_opaque(state, target, source, options, copy);
    return copy(state, target, source, options);
}

/* Two views that a plan copies between, of which one may be opaque: where it is of numbers in the other order, both become
 * numbers of this one, and *swaps is set. References are taken and given. 0, or -1 with an exception. */
int svpy_opaque_as_numbers(PyObject **target, PyObject **source, bool *swaps);

static inline int svpy_as_numbers(PyObject **target, PyObject **source, bool *swaps)
{
    *swaps = false;
    if ((sv_view_dtype(((svpy_view *)*target)->handle) == SV_OPAQUE) ==
        (sv_view_dtype(((svpy_view *)*source)->handle) == SV_OPAQUE)) /* both of one order, or none */
        return 0;
    return svpy_opaque_as_numbers(target, source, swaps);
}

/* After a fill was refused: 1 where it was one of numbers in the other order, and is done, 0 where the exception stands,
 * -1 with another one. */
int svpy_fill_swapped(svpy_view *view, PyObject *value, PyObject *stream);

/* A view of numbers of this machine's order that those of an object are copied to, new reference; NULL without an
 * exception where the object holds something else. */
PyObject *svpy_read_swapped(PyObject *object);

/* Whether a dtype is of such numbers: 1, 0, or -1 with an exception. */
int svpy_is_swapped(PyObject *dtype);

#endif
