/* What tracked memory resources count. */
#ifndef SVPY_RESOURCE_STATS_H
#define SVPY_RESOURCE_STATS_H

#include "base/python.h"

extern PyMethodDef svpy_counting[];

#endif
