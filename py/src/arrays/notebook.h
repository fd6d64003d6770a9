/* How notebooks draw layouts and views. */
#ifndef SVPY_NOTEBOOK_H
#define SVPY_NOTEBOOK_H

#include "base/python.h"

extern PyMethodDef svpy_showing[];

#endif
