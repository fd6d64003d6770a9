/* Buffer.view(): the memory as an array. */
#ifndef SVPY_BUFFER_VIEW_H
#define SVPY_BUFFER_VIEW_H

#include "base/python.h"

extern PyMethodDef svpy_buffer_viewing[];

#endif
