/* The attributes of StridedLayout, and its methods that only answer. */
#ifndef SVPY_LAYOUT_ATTRIBUTES_H
#define SVPY_LAYOUT_ATTRIBUTES_H

#include "base/python.h"

/* Strides in elements, or NULL with an exception. */
PyObject *svpy_layout_strides(const sv_layout *layout);
extern PyGetSetDef svpy_layout_getset[];
extern PyMethodDef svpy_asking[];

#endif
