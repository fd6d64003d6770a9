/*
 * Blocks of memory without a name in any file system (memfd), which other processes of the same user map by way of
 * /proc. A list has those of this process, so that an array is found by its address, whoever made the view of it.
 */
#define _GNU_SOURCE /* memfd_create */

#include "block.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

struct block {
    struct block *next;
    char *base;
    int64_t nbytes, number, inode;
    int descriptor;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct block *blocks;
static int64_t last_number;

/* --- of this process ---------------------------------------------------------- */

static sv_status refused(const char *call, int64_t nbytes)
{
    return svm_fail(SV_ERROR_MEMORY, "%s of %" PRId64 " bytes to share: %s", call, nbytes, strerror(errno));
}

static sv_status open_block(int64_t nbytes, struct block *out)
{
    struct stat file;
    sv_status status = SV_OK;

    *out = (struct block){.base = MAP_FAILED, .nbytes = nbytes, .descriptor = memfd_create("libsv_mpi", MFD_CLOEXEC)};
    if (out->descriptor < 0)
        return refused("memfd_create", nbytes);
    if (ftruncate(out->descriptor, nbytes) != 0 || fstat(out->descriptor, &file) != 0)
        status = refused("ftruncate", nbytes);
    else if ((out->base = mmap(NULL, (size_t)nbytes, PROT_READ | PROT_WRITE, MAP_SHARED, out->descriptor, 0)) ==
             MAP_FAILED)
        status = refused("mmap", nbytes);
    if (status != SV_OK) {
        close(out->descriptor);
        return status;
    }
    madvise(out->base, (size_t)nbytes, MADV_HUGEPAGE); /* a hint, which systems may be told to ignore for such memory */
    out->inode = (int64_t)file.st_ino;
    return SV_OK;
}

static sv_status allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    struct block *block;
    sv_status status;

    (void)ctx;
    (void)stream;
    if (alignment > sysconf(_SC_PAGESIZE))
        return svm_fail(SV_ERROR_UNSUPPORTED, "memory to share at multiples of %" PRId64 " bytes", alignment);
    if ((block = malloc(sizeof *block)) == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for a block to share");
    if ((status = open_block(nbytes, block))) {
        free(block);
        return status;
    }
    pthread_mutex_lock(&lock);
    block->number = ++last_number;
    block->next = blocks;
    blocks = block;
    pthread_mutex_unlock(&lock);
    *out = block->base;
    return SV_OK;
}

static sv_status release(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    struct block **at = &blocks, *found;

    (void)ctx;
    (void)nbytes;
    (void)alignment;
    (void)stream;
    pthread_mutex_lock(&lock);
    while (*at != NULL && (*at)->base != pointer)
        at = &(*at)->next;
    if ((found = *at) != NULL)
        *at = found->next;
    pthread_mutex_unlock(&lock);
    if (found == NULL)
        return svm_fail(SV_ERROR_INVALID, "no block to share begins there");
    munmap(found->base, (size_t)found->nbytes);
    close(found->descriptor);
    free(found);
    return SV_OK;
}

sv_status sv_mpi_allocator_shared(sv_allocator **out)
{
    const sv_status status = svm_need(out, "out");

    if (status != SV_OK)
        return status;
    return svm_of_libsv(sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, allocate, release, NULL, NULL, out));
}

void svm_block_find(const char *address, int64_t lower, int64_t upper, struct svm_place *out)
{
    *out = (struct svm_place){0};
    pthread_mutex_lock(&lock);
    for (const struct block *it = blocks; it != NULL && out->number == 0; it = it->next) {
        const uintptr_t offset = (uintptr_t)address - (uintptr_t)it->base;

        if (offset <= (uintptr_t)it->nbytes && lower >= -(int64_t)offset && upper <= it->nbytes - (int64_t)offset)
            *out = (struct svm_place){it->number, getpid(), it->descriptor, it->inode, it->nbytes, (int64_t)offset};
    }
    pthread_mutex_unlock(&lock);
}

/* --- of others ---------------------------------------------------------------- */

/* What a number stands for in the process that told it may be another file here: the inode tells. */
static bool is_block(int descriptor, const struct svm_place *place)
{
    struct stat file;

    return fstat(descriptor, &file) == 0 && (int64_t)file.st_ino == place->inode && file.st_size >= place->nbytes;
}

sv_status svm_block_map(const struct svm_place *place, struct svm_mapping *mapping)
{
    char path[64];
    void *base = MAP_FAILED;
    int descriptor;

    if (mapping->number == place->number)
        return SV_OK;
    svm_block_unmap(mapping);
    snprintf(path, sizeof path, "/proc/%" PRId64 "/fd/%" PRId64, place->process, place->descriptor);
    if ((descriptor = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return svm_fail(SV_ERROR_MEMORY, "%s, memory of another rank: %s", path, strerror(errno));
    if (is_block(descriptor, place))
        base = mmap(NULL, (size_t)place->nbytes, PROT_READ, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (base == MAP_FAILED)
        return svm_fail(SV_ERROR_MEMORY, "%s, memory of another rank, cannot be mapped", path);
    madvise(base, (size_t)place->nbytes, MADV_HUGEPAGE);
    *mapping = (struct svm_mapping){place->number, place->nbytes, base};
    return SV_OK;
}

void svm_block_unmap(struct svm_mapping *mapping)
{
    if (mapping->number != 0)
        munmap(mapping->base, (size_t)mapping->nbytes);
    *mapping = (struct svm_mapping){0};
}
