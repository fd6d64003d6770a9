/*
 * Memory for a library that takes a memory handler, as cuDSS, cuStateVec, cuTensorNet and cuTENSOR do: counted, with a
 * limit, with a cache that makes room when the limit is reached, and with a list of what the library forgot to free.
 *
 * Host memory stands for the device's here, so that the program runs everywhere: with a GPU, take
 * sv_allocator_pool(SV_MEMORY_DEVICE, 0, ...) for sv_allocator_host().
 */
#include <stdio.h>
#include <stdlib.h>

#include <sv.h>

static void check(sv_status status)
{
    if (status == SV_OK)
        return;
    fprintf(stderr, "%s: %s\n", sv_status_name(status), sv_last_message());
    exit(1);
}

/* --- a library ------------------------------------------------------------- */

struct memory_handler {
    void *ctx;
    int (*device_alloc)(void *ctx, void **pointer, size_t nbytes, void *stream);
    int (*device_free)(void *ctx, void *pointer, size_t nbytes, void *stream);
    char name[64];
};

/* Needs two blocks, and frees one of them. */
static int solve(const struct memory_handler *handler, size_t nbytes)
{
    void *matrix = NULL, *scratch = NULL;

    if (handler->device_alloc(handler->ctx, &matrix, nbytes, NULL) != 0)
        return 1;
    if (handler->device_alloc(handler->ctx, &scratch, 1000, NULL) != 0) {
        handler->device_free(handler->ctx, matrix, nbytes, NULL);
        return 1;
    }
    return handler->device_free(handler->ctx, matrix, nbytes, NULL);
}

/* --- a cache that can be emptied --------------------------------------------- */

enum { CACHED = 600000, LIMIT = 1 << 20 };

struct cache {
    sv_allocator *allocator;
    void *block;
};

static int32_t make_room(void *ctx, int64_t nbytes, int32_t attempt)
{
    struct cache *cache = ctx;

    if (cache->block == NULL)
        return 0;
    printf("attempt %d: no room for %lld bytes, the cache is emptied\n", (int)attempt, (long long)nbytes);
    check(sv_allocator_free(cache->allocator, cache->block, CACHED, 0, 0));
    cache->block = NULL;
    return 1;
}

/* --- what is left --------------------------------------------------------------- */

static int32_t tell(void *ctx, int64_t number, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)pointer, (void)stream;
    printf("%s: block %lld, %lld bytes, was not freed\n", sv_allocator_name(ctx), (long long)number, (long long)nbytes);
    check(sv_allocator_free(ctx, (void *)(uintptr_t)pointer, nbytes, 0, 0));
    return 0;
}

int main(void)
{
    sv_allocator *host, *tracked, *limited, *retrying;
    struct cache cache = {NULL, NULL};
    struct memory_handler handler = {NULL, sv_handler_allocate_from, sv_handler_free_to, "libsv"};
    int64_t peak;

    check(sv_allocator_host(0, &host));
    check(sv_allocator_tracked(host, "solver", SV_ALLOCATOR_BLOCKS, &tracked));
    check(sv_allocator_limited(tracked, LIMIT, &limited));
    check(sv_allocator_retrying(limited, 1, make_room, NULL, &cache, &retrying));
    cache.allocator = limited;
    check(sv_allocator_allocate(limited, CACHED, 0, 0, &cache.block));

    handler.ctx = retrying;
    printf("500000 bytes: %s\n", solve(&handler, 500000) == 0 ? "solved" : sv_last_message());
    printf("2000000 bytes: %s\n", solve(&handler, 2000000) == 0 ? "solved" : sv_last_message());

    check(sv_allocator_stats(retrying, SV_STAT_PEAK_BYTES, &peak));
    printf("peak: %lld bytes\n", (long long)peak);
    check(sv_allocator_visit(retrying, tell, limited));
    sv_allocator_release(retrying);
    sv_allocator_release(limited);
    sv_allocator_release(tracked);
    sv_allocator_release(host);
    return 0;
}
