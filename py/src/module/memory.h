/* The functions of the package that are no method of a type. */
#ifndef SVPY_MEMORY_H
#define SVPY_MEMORY_H

#include "base/python.h"

extern PyMethodDef svpy_functions[];

#endif
