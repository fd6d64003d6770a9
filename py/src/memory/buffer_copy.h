/* Methods of Buffer that copy. */
#ifndef SVPY_BUFFER_COPY_H
#define SVPY_BUFFER_COPY_H

#include "base/python.h"

extern PyMethodDef svpy_buffer_copying[];

#endif
