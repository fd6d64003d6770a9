/* Memory resources made of another one: tracked, limited, cached, logged, retrying. */
#ifndef SVPY_RESOURCE_WRAPPER_H
#define SVPY_RESOURCE_WRAPPER_H

#include "base/python.h"

extern PyMethodDef svpy_wrapping[];

#endif
