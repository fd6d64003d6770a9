/*
 * What allocators and buffers cost in C.
 *
 *     memory            does each row once and says as TAP whether it did right
 *     memory FILE       measures them, prints a table and writes it to FILE
 */
#include <stdlib.h>
#include <string.h>

#include "sv.h"
#include "tap.h"
#include "timing.h"

enum { ROUNDS = 1001 };

static volatile int64_t nbytes = 4096; /* not known to the compiler */
static void *volatile block;

static sv_allocator *host, *by_callbacks, *tracked, *limited, *listed, *logged, *retrying;

static void by_malloc(void)
{
    block = malloc((size_t)nbytes);
    free(block);
}

static void use(const sv_allocator *allocator)
{
    void *pointer = NULL;

    if (sv_allocator_allocate(allocator, nbytes, 16, 0, &pointer) != SV_OK)
        abort();
    block = pointer;
    if (sv_allocator_free(allocator, pointer, nbytes, 16, 0) != SV_OK)
        abort();
}

static void by_host(void)
{
    use(host);
}

static void by_host_aligned(void)
{
    void *pointer = NULL;

    if (sv_allocator_allocate(host, nbytes, 0, 0, &pointer) != SV_OK)
        abort();
    block = pointer;
    if (sv_allocator_free(host, pointer, nbytes, 0, 0) != SV_OK)
        abort();
}

static void through_callbacks(void)
{
    use(by_callbacks);
}

static void counted(void)
{
    use(tracked);
}

static void counted_and_limited(void)
{
    use(limited);
}

static void counted_and_listed(void)
{
    use(listed);
}

static void told(void)
{
    use(logged);
}

static void tried_again(void)
{
    use(retrying);
}

/* --- buffers --------------------------------------------------------------- */

static sv_buffer *kept;

static void make(const sv_allocator *allocator)
{
    sv_buffer *buffer = NULL;

    if (sv_buffer_new(allocator, nbytes, 0, 0, 0, &buffer) != SV_OK)
        abort();
    block = sv_buffer_data(buffer);
    sv_buffer_release(buffer);
}

static void new_buffer(void)
{
    make(NULL);
}

static void new_buffer_counted_and_limited(void)
{
    make(limited);
}

static void slice(void)
{
    sv_buffer *part = NULL;

    if (sv_buffer_slice(kept, 64, 64, 0, &part) != SV_OK)
        abort();
    block = sv_buffer_data(part);
    sv_buffer_release(part);
}

static void export(void)
{
    if (sv_buffer_begin_export(kept) != SV_OK)
        abort();
    sv_buffer_end_export(kept);
}

static void view(void)
{
    sv_view *of = NULL;

    if (sv_view_from_buffer(kept, NULL, SV_FLOAT32, 0, 0, &of) != SV_OK)
        abort();
    block = (void *)sv_view_data(of);
    sv_view_release(of);
}

static const char *kept_is_free(void)
{
    return sv_buffer_exports(kept) == 0 && sv_buffer_references(kept) == 1 ? "no export" : "exports";
}

static const char *allocated(void)
{
    return block != NULL ? "a block" : "nothing";
}

#define MALLOC "malloc + free of 4 KiB"
#define HOST "host allocator"

static struct bench_row rows[] = {
    {MALLOC, by_malloc, allocated, "a block", NULL, 0, 0, 0},
    {HOST, by_host, allocated, "a block", MALLOC, 1, 20, 0},
    {"host allocator, aligned to 64", by_host_aligned, allocated, "a block", MALLOC, 1, 20, 0},
    {"callbacks", through_callbacks, allocated, "a block", MALLOC, 1, 20, 0},
    {"host, tracked", counted, allocated, "a block", HOST, 1, 100, 0},
    {"host, tracked and limited", counted_and_limited, allocated, "a block", HOST, 1, 100, 0},
    {"host, tracked with a list of blocks", counted_and_listed, allocated, "a block", NULL, 0, 0, 0},
    {"host, logged", told, allocated, "a block", NULL, 0, 0, 0},
    {"host, retrying", tried_again, allocated, "a block", NULL, 0, 0, 0},
    {"buffer of host memory", new_buffer, allocated, "a block", MALLOC, 1, 60, 0},
    {"buffer, tracked and limited", new_buffer_counted_and_limited, allocated, "a block", NULL, 0, 0, 0},
    {"slice of a buffer", slice, kept_is_free, "no export", NULL, 0, 40, 0},
    {"begin and end of an export", export, kept_is_free, "no export", NULL, 0, 10, 0},
    {"view of a buffer", view, kept_is_free, "no export", NULL, 0, 0, 0},
};

enum { COUNT = sizeof rows / sizeof *rows };

/* --- all of it ------------------------------------------------------------ */

static sv_status give_block(void *ctx, int64_t size, int64_t alignment, uintptr_t stream, void **out)
{
    (void)ctx, (void)alignment, (void)stream;
    *out = malloc((size_t)size);
    return *out != NULL ? SV_OK : SV_ERROR_MEMORY;
}

static sv_status take_block(void *ctx, void *pointer, int64_t size, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)size, (void)alignment, (void)stream;
    free(pointer);
    return SV_OK;
}

static void ignore(void *ctx, int32_t event, const void *pointer, int64_t size, uintptr_t stream)
{
    (void)ctx, (void)event, (void)pointer, (void)size, (void)stream;
}

static int32_t refuse(void *ctx, int64_t size, int32_t attempt)
{
    (void)ctx, (void)size, (void)attempt;
    return 0;
}

static bool set_up(void)
{
    return sv_allocator_host(0, &host) == SV_OK &&
           sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, give_block, take_block, NULL, NULL,
                                  &by_callbacks) == SV_OK &&
           sv_allocator_tracked(host, NULL, 0, &tracked) == SV_OK &&
           sv_allocator_limited(tracked, 1 << 20, &limited) == SV_OK &&
           sv_allocator_tracked(host, NULL, SV_ALLOCATOR_BLOCKS, &listed) == SV_OK &&
           sv_allocator_logged(host, ignore, NULL, NULL, &logged) == SV_OK &&
           sv_allocator_retrying(host, 1, refuse, NULL, NULL, &retrying) == SV_OK &&
           sv_buffer_new(NULL, nbytes, 0, 0, 0, &kept) == SV_OK;
}

static void tear_down(void)
{
    sv_allocator *const all[] = {host, by_callbacks, tracked, limited, listed, logged, retrying};

    sv_buffer_release(kept);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sv_allocator_release(all[i]);
}

static void verify(void)
{
    for (int i = 0; i < COUNT; i++)
        tap_ok(bench_is_right(&rows[i]), "%s", rows[i].name);
}

static int measure(const char *path)
{
    bench_measure(COUNT, rows, ROUNDS);
    bench_print(COUNT, rows, MALLOC);
    return bench_write(COUNT, rows, MALLOC, path) ? 0 : 1;
}

int main(int argc, char **argv)
{
    int status = 0;

    if (!set_up())
        return 1;
    if (argc > 1)
        status = measure(argv[1]);
    else
        verify();
    tear_down();
    return argc > 1 ? status : tap_done();
}
