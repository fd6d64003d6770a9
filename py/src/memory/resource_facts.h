/* The attributes of MemoryResource. */
#ifndef SVPY_RESOURCE_FACTS_H
#define SVPY_RESOURCE_FACTS_H

#include "base/python.h"

extern PyGetSetDef svpy_resource_getset[];

#endif
