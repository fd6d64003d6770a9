/* Methods and functions that make fresh memory like a view: empty_like(), copy(), astype() and so on. */
#ifndef SVPY_CLONE_H
#define SVPY_CLONE_H

#include "base/python.h"

extern PyMethodDef svpy_cloning[], svpy_likening[];

#endif
