/* The functions of the package that are no method of a type. */
#ifndef SVPY_FUNCTIONS_H
#define SVPY_FUNCTIONS_H

#include "base/python.h"

extern PyMethodDef svpy_functions[];

#endif
