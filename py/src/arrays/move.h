/* Arrays in memory of another kind or device. */
#ifndef SVPY_MOVE_H
#define SVPY_MOVE_H

#include "base/python.h"

/* Methods of views. */
extern PyMethodDef svpy_moving[];

#endif
