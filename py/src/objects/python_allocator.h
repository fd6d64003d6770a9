/* Memory resources written in Python, as allocators. */
#ifndef SVPY_PYTHON_ALLOCATOR_H
#define SVPY_PYTHON_ALLOCATOR_H

#include "objects/resource_struct.h"

struct svpy_cell *svpy_cell_new(svpy_resource *resource);
void svpy_cell_free(void *cell);

/* Whether a class overrides allocate(). */
bool svpy_is_source(const svpy_resource *resource);

/* Its allocator, borrowed; NULL with an exception. */
const sv_allocator *svpy_source_of(svpy_resource *resource);

#endif
