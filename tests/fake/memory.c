/* Memory that is allocated and freed at once: of devices, pinned, registered, managed. What freeing it waits for. */
#include <stdlib.h>
#include <string.h>

#include "fake/runtime.h"

/* --- allocation ------------------------------------------------------------------------ */

static cudaError_t allocate(void **out, enum fake_kind kind, size_t nbytes)
{
    struct fake_region *r;

    if (nbytes == 0)
        return cudaErrorInvalidValue;
    r = fake_new_region(kind, nbytes);
    if (r == NULL)
        return cudaErrorMemoryAllocation;
    fake_protect(r, 0, r->npages);
    *out = r->at;
    return cudaSuccess;
}

cudaError_t cuda_allocate(void **pointer, size_t nbytes)
{
    cudaError_t error = ENTER(allocate, "%zu", nbytes);

    if (error == cudaSuccess)
        error = fake_unsafe();
    return fake_leave(error == cudaSuccess ? allocate(pointer, HELD_DEVICE, nbytes) : error);
}

cudaError_t cuda_allocate_managed(void **pointer, size_t nbytes, unsigned flags)
{
    cudaError_t error = ENTER(allocate_managed, "%zu", nbytes);

    if (error == cudaSuccess)
        error = fake_unsafe();
    if (error == cudaSuccess && fake.attributes[fake_thread()->device][cudaDevAttrManagedMemory] == 0)
        error = cudaErrorNotSupported;
    if (error == cudaSuccess && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        error = cudaErrorInvalidValue;
    return fake_leave(error == cudaSuccess ? allocate(pointer, HELD_MANAGED, nbytes) : error);
}

cudaError_t cuda_allocate_host(void **pointer, size_t nbytes, unsigned flags)
{
    cudaError_t error = ENTER(allocate_host, "%zu", nbytes);

    if (error == cudaSuccess)
        error = fake_unsafe();
    if (error == cudaSuccess)
        error = allocate(pointer, HELD_PINNED, nbytes);
    if (error == cudaSuccess)
        fake_find(*pointer)->flags = flags;
    return fake_leave(error);
}

/* --- release ----------------------------------------------------------------------------- */

static void excuse(const void *pointer)
{
    struct fake_region *r = fake_find(pointer);

    if (r != NULL)
        r->excused = true;
}

static struct fake_region *to_be_freed(void *pointer, const char *call)
{
    struct fake_region *r = fake_find(pointer);

    if (r != NULL && r->at == pointer && !r->freeing)
        return r;
    fake_fault(r == NULL && fake_find_in(fake.graves, pointer) == NULL ? "%s of what the runtime did not allocate"
               : r != NULL && r->at != pointer                         ? "%s of an address within an allocation"
                                                                       : "%s of memory that was freed",
               call);
    return NULL;
}

static void fault_if_used(const struct fake_region *r)
{
    bool writes;
    const struct fake_operation *o = fake_user(r, &writes);

    if (o != NULL)
        fake_fault("memory of %zu bytes is freed while %s that the host has not waited for %s it", r->nbytes, o->what,
                   writes ? "writes" : "reads");
}

static void end(struct fake_region *r)
{
    fault_if_used(r);
    fake_end_region(r);
}

/* Waits for the device. It takes memory of pools, too. */
cudaError_t cuda_release(void *pointer)
{
    cudaError_t error = ENTER(release, "%s", "");
    struct fake_region *r;

    if (error == cudaSuccess)
        error = fake_unsafe();
    if (error != cudaSuccess)
        excuse(pointer);
    if (error != cudaSuccess || pointer == NULL)
        return fake_leave(error);
    r = to_be_freed(pointer, "a release");
    if (r == NULL || (r->kind != HELD_DEVICE && r->kind != HELD_MANAGED))
        return fake_leave(cudaErrorInvalidValue);
    fake_perform_all(r->device);
    fake_learn_all(r->device);
    end(r);
    return fake_leave(cudaSuccess);
}

cudaError_t cuda_release_host(void *pointer)
{
    cudaError_t error = ENTER(release_host, "%s", "");
    struct fake_region *r;

    if (error == cudaSuccess)
        error = fake_unsafe();
    if (error != cudaSuccess)
        excuse(pointer);
    if (error != cudaSuccess || pointer == NULL)
        return fake_leave(error);
    r = to_be_freed(pointer, "a release");
    if (r == NULL || r->kind != HELD_PINNED)
        return fake_leave(cudaErrorInvalidValue);
    end(r);
    return fake_leave(cudaSuccess);
}

/* --- registered pages ----------------------------------------------------------------------- */

static bool is_known(const char *pages, size_t nbytes)
{
    for (const struct fake_region *r = fake.regions; r != NULL; r = r->next)
        if (r->at < pages + nbytes && pages < r->at + r->nbytes)
            return true;
    return false;
}

/* Only pages that belong to it alone are protected. */
static void enroll(char *pages, size_t nbytes, unsigned flags)
{
    const uintptr_t page = fake_page(), from = ((uintptr_t)pages + page - 1) & ~(page - 1);
    const uintptr_t to = ((uintptr_t)pages + nbytes) & ~(page - 1);
    struct fake_region *r = fake_new_region(HELD_REGISTERED, nbytes);

    r->at = pages;
    r->flags = flags;
    if (from < to) {
        r->pages = (char *)from;
        r->npages = (to - from) / page;
        free(r->users);
        r->users = calloc(r->npages, sizeof *r->users);
    }
    if (fake.attributes[r->device][cudaDevAttrCanUseHostPointerForRegisteredMem] == 0) {
        r->alias = fake_new_region(HELD_ALIAS, nbytes);
        r->alias->whose = r;
        fake_protect(r->alias, 0, r->alias->npages);
    }
}

cudaError_t cuda_register_host(void *pages, size_t nbytes, unsigned flags)
{
    cudaError_t error = ENTER(register_host, "%zu", nbytes);
    const int device = fake_thread()->device;

    if (error == cudaSuccess)
        error = fake_unsafe();
    if (error == cudaSuccess && (pages == NULL || nbytes == 0))
        error = cudaErrorInvalidValue;
    else if (error == cudaSuccess && fake.attributes[device][cudaDevAttrHostRegisterSupported] == 0)
        error = cudaErrorNotSupported;
    else if (error == cudaSuccess && is_known(pages, nbytes))
        error = cudaErrorHostMemoryAlreadyRegistered;
    else if (error == cudaSuccess && nbytes > fake.settings.host_memory - fake.locked)
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        enroll(pages, nbytes, flags);
    return fake_leave(error);
}

cudaError_t cuda_unregister_host(void *pages)
{
    cudaError_t error = ENTER(unregister_host, "%s", "");
    struct fake_region *r;

    if (error == cudaSuccess)
        error = fake_unsafe();
    if (error != cudaSuccess) {
        excuse(pages);
        return fake_leave(error);
    }
    r = fake_find(pages);
    if (r == NULL || r->kind != HELD_REGISTERED || r->at != pages)
        return fake_leave(cudaErrorHostMemoryNotRegistered);
    if (r->alias != NULL)
        end(r->alias);
    end(r);
    return fake_leave(cudaSuccess);
}

int fake_live_memory(void)
{
    int n = 0;

    for (const struct fake_region *r = fake.regions; r != NULL; r = r->next)
        n += !r->excused && (r->kind != HELD_ALIAS || r->imported);
    return n;
}

size_t fake_pinned_bytes(void)
{
    size_t nbytes = 0;

    for (const struct fake_region *r = fake.regions; r != NULL; r = r->next)
        if (r->kind == HELD_PINNED)
            nbytes += r->nbytes;
    return nbytes;
}

/* --- what tests have ------------------------------------------------------------------------- */

void *fake_allocate(enum cudaMemoryType type, int device, size_t nbytes)
{
    const int before = fake_current();
    void *out = NULL;

    fake_lock();
    fake_thread()->device = device;
    if (allocate(&out, type == cudaMemoryTypeDevice ? HELD_DEVICE : type == cudaMemoryTypeManaged ? HELD_MANAGED
                                                                                                  : HELD_PINNED,
                 nbytes) != cudaSuccess)
        abort();
    fake_thread()->device = before;
    fake_unlock();
    return out;
}

void fake_free(void *memory)
{
    struct fake_region *r;

    fake_lock();
    fake_perform_all(-1);
    fake_learn_all(-1);
    r = to_be_freed(memory, "a free");
    if (r != NULL)
        end(r);
    fake_unlock();
}

/* As if an operation did it. */
static void move(void *memory, const void *from, void *to, size_t nbytes)
{
    struct fake_operation o = {0};

    fake_lock();
    fake_perform_all(-1);
    if (fake_check(memory, nbytes) != cudaSuccess)
        abort();
    fake_touch(&o, memory, nbytes, true);
    fake_open(&o, true);
    fake_lose(&o.writes);
    memmove(to == NULL ? fake_bytes(memory) : to, from == NULL ? fake_bytes(memory) : from, nbytes);
    fake_lose(&o.writes);
    fake_open(&o, false);
    free(o.writes.at);
    fake_unlock();
}

void fake_write(void *memory, const void *bytes, size_t nbytes)
{
    if (nbytes > 0)
        move(memory, bytes, NULL, nbytes);
}

void fake_read(void *bytes, const void *memory, size_t nbytes)
{
    if (nbytes > 0)
        move((void *)memory, NULL, bytes, nbytes);
}
