/* Memory resources of each kind. */
#ifndef SVPY_RESOURCE_CREATE_H
#define SVPY_RESOURCE_CREATE_H

#include "base/python.h"

extern PyMethodDef svpy_resource_making[];

#endif
