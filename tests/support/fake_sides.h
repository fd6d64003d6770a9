/* Sides of copies over the fake runtime: a stream of the first device, and memory of every kind. */
#ifndef FAKE_SIDES_H
#define FAKE_SIDES_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "fake/fake.h"
#include "sv.h"

static cudaStream_t stream; /* of the first device */

/* Devices are looked for now, once in a process, so that the calls of that are not counted later. */
static inline void begin(enum fake_policy policy, unsigned seed)
{
    sv_device_state state = SV_STATE_BROKEN;

    fake_start(policy, seed);
    cr_assert(sv_device_probe(SV_DEVICE_CUDA, &state, NULL) == SV_OK && state == SV_STATE_READY);
    stream = fake_new_stream(0, cudaStreamNonBlocking);
    fake_reset();
}

static inline const char *end(void)
{
    fake_end_stream(stream);
    return fake_end();
}

/* --- memory, by the type of its device --------------------------------------------------------------- */

static inline char *side_new(int32_t type, int32_t device, size_t nbytes)
{
    if (type == SV_DEVICE_CPU)
        return malloc(nbytes);
    return fake_allocate(type == SV_DEVICE_CUDA        ? cudaMemoryTypeDevice
                         : type == SV_DEVICE_CUDA_HOST ? cudaMemoryTypeHost
                                                       : cudaMemoryTypeManaged,
                         device, nbytes);
}

static inline void side_free(int32_t type, char *memory)
{
    if (type == SV_DEVICE_CPU)
        free(memory);
    else
        fake_free(memory);
}

static inline void side_put(int32_t type, char *memory, const void *bytes, size_t nbytes)
{
    if (type == SV_DEVICE_CPU)
        memcpy(memory, bytes, nbytes);
    else
        fake_write(memory, bytes, nbytes);
}

static inline void side_get(int32_t type, void *bytes, const char *memory, size_t nbytes)
{
    if (type == SV_DEVICE_CPU)
        memcpy(bytes, memory, nbytes);
    else
        fake_read(bytes, memory, nbytes);
}

#endif
