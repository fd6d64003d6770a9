/* Checks of opaque items before a copy and before a fill: the two sides must be known to be the same. */
#ifndef SVPY_OPAQUE_H
#define SVPY_OPAQUE_H

#include "objects/view_struct.h"

/* TypeError where items of so many bytes, opaque to libsv, are known to differ; 0 or -1. Of each side either a view or
 * the object that its handle was made of. */
int svpy_check_opaque(const struct svpy_state *state, PyObject *dst, PyObject *src, int64_t itemsize);

/* TypeError that names the dtypes of a copy which libsv would refuse: opaque items on one side, or of two sizes; -1. */
int svpy_refuse_items(const struct svpy_state *state, const sv_view *target, PyObject *dst, const sv_view *source,
                      PyObject *src);

/* TypeError where a value of so many bytes is known to be another item than those of a view, or a number; 0 or -1. */
int svpy_check_filling(const svpy_view *view, PyObject *value, int64_t itemsize);

/* svpy_check_opaque() before a copy of anything: numbers cost nothing more. */
static inline int svpy_check_items(const struct svpy_state *state, const sv_view *target, PyObject *dst,
                                   const sv_view *source, PyObject *src)
{
    const bool opaque = sv_view_dtype(target) == SV_OPAQUE;
    int64_t itemsize;

    if (opaque != (sv_view_dtype(source) == SV_OPAQUE))
        return svpy_refuse_items(state, target, dst, source, src);
    if (!opaque)
        return 0;
    itemsize = sv_layout_itemsize(sv_view_layout(target));
    if (itemsize != sv_layout_itemsize(sv_view_layout(source)))
        return svpy_refuse_items(state, target, dst, source, src);
    return svpy_check_opaque(state, dst, src, itemsize);
}

#endif
