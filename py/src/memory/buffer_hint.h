/* Methods of Buffer for managed memory, and for memory shared with other processes. */
#ifndef SVPY_BUFFER_HINT_H
#define SVPY_BUFFER_HINT_H

#include "base/python.h"

extern PyMethodDef svpy_buffer_hinting[];

#endif
