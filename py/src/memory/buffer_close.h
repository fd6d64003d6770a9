/* Methods of Buffer that close it or give its memory away. */
#ifndef SVPY_BUFFER_CLOSE_H
#define SVPY_BUFFER_CLOSE_H

#include "base/python.h"

extern PyMethodDef svpy_buffer_ending[];

#endif
