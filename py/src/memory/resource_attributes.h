/* The attributes of MemoryResource. */
#ifndef SVPY_RESOURCE_ATTRIBUTES_H
#define SVPY_RESOURCE_ATTRIBUTES_H

#include "base/python.h"

extern PyGetSetDef svpy_resource_getset[];

#endif
