/* A buffer moves to other memory: of another size, of another kind or on another device. */
#ifndef SVI_COPY_BUFFER_MIGRATE_H
#define SVI_COPY_BUFFER_MIGRATE_H

#include "memory/buffer.h"

/* What a buffer asks of its new memory. */
struct svi_move {
    const sv_allocator *allocator;
    int64_t nbytes, capacity, alignment;
    int64_t keep; /* first bytes of the old memory that the new one begins with */
    bool zero;    /* the others are 0 */
    uintptr_t stream;
};

/* Of a buffer that is moving: gives it new memory, and leaves the old one to be freed. An error changes nothing. */
sv_status svi_buffer_move(sv_buffer *buffer, const struct svi_move *move);

#endif
