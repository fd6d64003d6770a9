/* Methods of Buffer that read, write and fill its bytes, and order streams. */
#ifndef SVPY_BUFFER_ACCESS_H
#define SVPY_BUFFER_ACCESS_H

#include "base/python.h"

extern PyMethodDef svpy_buffer_working[];

#endif
