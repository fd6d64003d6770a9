/* What notebooks show of layouts and views. */
#ifndef SVPY_PICTURE_H
#define SVPY_PICTURE_H

#include "base/python.h"

extern PyMethodDef svpy_showing[];

#endif
