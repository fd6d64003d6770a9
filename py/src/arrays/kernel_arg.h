/* StridedMemoryView.kernel_arg(). */
#ifndef SVPY_KERNEL_ARG_H
#define SVPY_KERNEL_ARG_H

#include "base/python.h"

extern PyMethodDef svpy_kernels[];

#endif
