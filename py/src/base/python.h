/* Python.h and sv.h, which all other headers here include first. Of libsv nothing but sv.h is used. */
#ifndef SVPY_PYTHON_H
#define SVPY_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stddef.h>

#include "sv.h"

#endif
