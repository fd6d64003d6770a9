/* Hints for managed memory: prefetch, advise, discard. */
#include <stdlib.h>
#include <string.h>

#include "fake/runtime.h"

enum { LOST = 0xa5 }; /* what is read where nothing is known */

static bool is_place(const struct cudaMemLocation *place)
{
    return place->type == cudaMemLocationTypeDevice ? place->id >= 0 && place->id < fake.settings.devices
                                                    : place->type != cudaMemLocationTypeInvalid;
}

/* Memory that is managed, or any of the host's that devices read by its page tables. */
static cudaError_t check(const void *pointer, size_t nbytes)
{
    const struct fake_region *r = fake_find(pointer);

    if (nbytes == 0)
        return cudaErrorInvalidValue;
    if (r == NULL)
        return fake.attributes[fake_thread()->device][cudaDevAttrPageableMemoryAccess] != 0 ? cudaSuccess
                                                                                             : cudaErrorInvalidValue;
    return r->kind == HELD_MANAGED ? fake_check(pointer, nbytes) : cudaErrorInvalidValue;
}

static bool moves_pages(int device)
{
    return device < 0 || (device < fake.settings.devices &&
                          fake.attributes[device][cudaDevAttrConcurrentManagedAccess] != 0);
}

/* --- what is lost ------------------------------------------------------------ */

static void mark(const struct fake_operation *o, bool discarded)
{
    struct fake_region *r = fake_find(o->dst);
    size_t at;

    if (r == NULL || r->kind != HELD_MANAGED || (r->discarded == NULL && !discarded))
        return;
    if (r->discarded == NULL)
        r->discarded = calloc(r->nbytes, sizeof *r->discarded);
    at = (size_t)(o->dst - r->at);
    for (size_t i = at; i < r->nbytes && i < at + o->nbytes; i++)
        r->discarded[i] = discarded;
}

void fake_lose(const struct fake_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        struct fake_region *r = fake_find((void *)spans->at[i].from);

        if (r == NULL || r->discarded == NULL)
            continue;
        for (char *p = (char *)spans->at[i].from; p < r->at + r->nbytes && p < (char *)spans->at[i].to; p++)
            if (r->discarded[p - r->at])
                *p = (char)LOST;
    }
}

/* --- prefetch, and discard as a write of what nobody knows --------------------- */

static void prefetch(struct fake_operation *o)
{
    mark(o, false);
}

/* Later writes are lost as well until a prefetch, as drivers of 13.0 do it. */
static void discard(struct fake_operation *o)
{
    memset(o->dst, LOST, o->nbytes);
    mark(o, true);
}

static void discard_and_prefetch(struct fake_operation *o)
{
    memset(o->dst, LOST, o->nbytes);
    mark(o, false);
}

static cudaError_t give(void *pointer, size_t nbytes, struct fake_stream *s, void (*run)(struct fake_operation *o),
                        const char *what)
{
    struct fake_operation *o = fake_new_operation(s, what);

    o->dst = pointer;
    o->nbytes = nbytes;
    o->run = run;
    if (run != prefetch) /* moving pages is no access that another one could run into */
        fake_touch(o, pointer, nbytes, true);
    return fake_give(o);
}

cudaError_t fake_prefetch(const void *pointer, size_t nbytes, int device, cudaStream_t stream)
{
    struct fake_stream *s = fake_find_stream(stream);
    cudaError_t error = check(pointer, nbytes);

    if (s == NULL)
        return cudaErrorInvalidResourceHandle;
    if (error != cudaSuccess)
        return error;
    if (!moves_pages(device))
        return cudaErrorInvalidDevice;
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return cudaErrorStreamCaptureImplicit;
    return give((void *)pointer, nbytes, s, prefetch, "a prefetch");
}

bool fake_all_move_pages(void)
{
    for (int device = 0; device < fake.settings.devices; device++)
        if (!moves_pages(device))
            return false;
    return true;
}

static cudaError_t discard_on(void *pointer, size_t nbytes, cudaStream_t stream,
                              void (*run)(struct fake_operation *o), const char *what)
{
    struct fake_stream *s = fake_find_stream(stream);
    cudaError_t error = check(pointer, nbytes);

    if (s == NULL)
        return cudaErrorInvalidResourceHandle;
    if (error != cudaSuccess)
        return error;
    return fake_all_move_pages() ? give(pointer, nbytes, s, run, what) : cudaErrorInvalidDevice;
}

cudaError_t fake_discard(void *pointer, size_t nbytes, cudaStream_t stream)
{
    return discard_on(pointer, nbytes, stream, discard, "a discard");
}

cudaError_t fake_discard_to(void *pointer, size_t nbytes, int device, cudaStream_t stream)
{
    if (device >= fake.settings.devices)
        return cudaErrorInvalidDevice;
    return discard_on(pointer, nbytes, stream, discard_and_prefetch, "a discard with a prefetch");
}

/* --- the table ------------------------------------------------------------------ */

cudaError_t cuda_prefetch(const void *pointer, size_t nbytes, struct cudaMemLocation place, unsigned flags,
                          cudaStream_t stream)
{
    cudaError_t error = ENTER(prefetch, "%zu to %d %s", nbytes,
                              place.type == cudaMemLocationTypeDevice ? place.id : -1, fake_stream_name(stream));

    if (error == cudaSuccess && (flags != 0 || !is_place(&place)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = fake_prefetch(pointer, nbytes, place.type == cudaMemLocationTypeDevice ? place.id : -1, stream);
    return fake_leave(error);
}

cudaError_t cuda_advise(const void *pointer, size_t nbytes, enum cudaMemoryAdvise advice, struct cudaMemLocation place)
{
    cudaError_t error = ENTER(advise, "%d %zu", (int)advice, nbytes);

    if (error == cudaSuccess)
        error = check(pointer, nbytes);
    if (error == cudaSuccess && ((int)advice < 1 || (int)advice > 6 || !is_place(&place)))
        error = cudaErrorInvalidValue;
    return fake_leave(error);
}
