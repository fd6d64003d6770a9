/* Methods of Buffer that grow, shrink or move its memory. */
#ifndef SVPY_BUFFER_SIZE_H
#define SVPY_BUFFER_SIZE_H

#include "base/python.h"

extern PyMethodDef svpy_buffer_sizing[];

#endif
