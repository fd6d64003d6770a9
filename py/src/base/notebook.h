/* How notebooks show objects of the package. */
#ifndef SVPY_NOTEBOOK_H
#define SVPY_NOTEBOOK_H

#include "base/python.h"

/* Methods of every type that is shown: a block of HTML. */
extern PyMethodDef svpy_showing[];

/* And of those that have a layout: a picture. */
extern PyMethodDef svpy_drawing[];

#endif
