/* How a buffer gets its memory, and is told where that lies. */
#ifndef SVI_BUFFER_MAKE_H
#define SVI_BUFFER_MAKE_H

#include "memory/buffer.h"

/* Where memory lies. */
struct svi_place {
    char *data, *host_data;
    int64_t nbytes, capacity, alignment;
    sv_memory kind;
    uint32_t traits;
    struct svi_device device;
};

/* A buffer of memory of somebody else. storage: all but gone. Takes it over with SV_OK only. */
sv_status svi_buffer_take(const struct svi_place *place, const struct svi_storage *storage, uintptr_t stream,
                          sv_buffer **out);

/* Writes where the memory lies now; of a buffer that is moving. */
void svi_buffer_set_place(sv_buffer *buffer, const struct svi_place *place);

/* Where memory of an allocator lies that storage.h made. */
struct svi_place svi_place_of(const sv_allocator *allocator, const struct svi_want *want, char *data);

#endif
