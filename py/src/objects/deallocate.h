/* Memory freed by deallocate() of a resource. */
#ifndef SVPY_DEALLOCATE_H
#define SVPY_DEALLOCATE_H

#include "execution/call.h"
#include "objects/resource_struct.h"

/* None for the default stream, else an int. */
PyObject *svpy_stream_object(uintptr_t stream);

/* Call resource.deallocate(). */
int svpy_deallocate(svpy_resource *self, uintptr_t address, int64_t nbytes, uintptr_t stream);

/* Memory of a resource to be freed. */
struct svpy_freed {
    struct svpy_later later;
    svpy_resource *resource; /* a reference, which is dropped */
    uintptr_t address;
    int64_t nbytes;
    uintptr_t stream;
    void (*free)(const struct svpy_freed *freed);
};

/* Free the block now, or later where this thread does not have the interpreter's lock. */
sv_status svpy_free_block(const struct svpy_freed *freed);

/* A free callback that calls deallocate(). ctx is a MemoryResource; the callback takes its reference. */
sv_status svpy_free_by_resource(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);

#endif
