/* Allocators in the shapes of NVIDIA's memory handlers and of PyTorch's pluggable allocator, in both directions. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "memory/allocator.h"

/* --- what others have --------------------------------------------------------------- */

/* As the libraries declare it, with int for numbers. */
struct memory_handler {
    void *ctx;
    int (*device_alloc)(void *ctx, void **pointer, size_t nbytes, void *stream);
    int (*device_free)(void *ctx, void *pointer, size_t nbytes, void *stream);
    char name[64];
};

static struct {
    int answer, free_answer;
    int moved, allocated, freed, released;
    size_t nbytes;
    void *stream;
    int device;
    _Alignas(4096) char memory[4096];
} theirs;

static int device_alloc(void *ctx, void **pointer, size_t nbytes, void *stream)
{
    cr_expect_eq(ctx, &theirs);
    theirs.allocated++;
    theirs.nbytes = nbytes;
    theirs.stream = stream;
    *pointer = theirs.memory + theirs.moved;
    return theirs.answer;
}

static int device_free(void *ctx, void *pointer, size_t nbytes, void *stream)
{
    cr_expect_eq(ctx, &theirs);
    cr_expect(pointer == theirs.memory + theirs.moved && nbytes == theirs.nbytes);
    theirs.freed++;
    theirs.stream = stream;
    return theirs.free_answer;
}

static void end(void *ctx)
{
    cr_expect_eq(ctx, &theirs);
    theirs.released++;
}

static sv_allocator *from_handler(void)
{
    sv_allocator *a = NULL;

    cr_assert_eq(sv_allocator_from_handler(3, device_alloc, device_free, end, &theirs, &a), SV_OK);
    return a;
}

static void expect_device_memory(const sv_allocator *a, const char *name)
{
    cr_expect_eq(sv_allocator_kind(a), SV_MEMORY_DEVICE);
    cr_expect(sv_allocator_device_type(a) == SV_DEVICE_CUDA && sv_allocator_device_id(a) == 3);
    cr_expect_eq(sv_allocator_traits(a), SV_TRAIT_CUDA | SV_TRAIT_ORDERED);
    cr_expect_eq(sv_allocator_alignment(a), 256);
    cr_expect_str_eq(sv_allocator_name(a), name);
}

/* --- handlers ------------------------------------------------------------------------- */

Test(adapter, a_handler_is_an_allocator)
{
    sv_allocator *a = from_handler();
    void *pointer = NULL, *stream = &theirs;

    expect_device_memory(a, "handler");
    cr_assert_eq(sv_allocator_allocate(a, 1000, 0, (uintptr_t)stream, &pointer), SV_OK);
    cr_expect(pointer == theirs.memory && theirs.nbytes == 1000 && theirs.stream == stream);
    cr_expect_eq(sv_allocator_free(a, pointer, 1000, 0, 0), SV_OK);
    cr_expect(theirs.freed == 1 && theirs.stream == NULL);
    cr_expect_eq(sv_allocator_allocate(a, 1000, 512, 0, &pointer), SV_ERROR_ALIGNMENT);
    cr_expect_eq(theirs.allocated, 1);
    cr_expect_eq(theirs.released, 0);
    sv_allocator_release(a);
    cr_expect_eq(theirs.released, 1);
}

/* It says that its own state is wrong, which is no reason to free the memory again and again. */
Test(adapter, a_handler_is_not_asked_again)
{
    sv_allocator *a = from_handler();
    sv_buffer *buffer = NULL;
    int64_t before = -1, after = -1;

    cr_assert_eq(sv_memory_stats(SV_MEMORY_DEVICE, SV_STAT_LOST_COUNT, &before), SV_OK);
    cr_assert_eq(sv_buffer_new(a, 1000, 0, 0, 0, &buffer), SV_OK, "%s", sv_last_message());
    theirs.free_answer = SV_ERROR_STATE;
    sv_buffer_release(buffer);
    cr_expect_eq(sv_memory_collect(0, NULL), SV_ERROR_STATE);
    cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
    cr_expect_eq(theirs.freed, 1);
    cr_assert_eq(sv_memory_stats(SV_MEMORY_DEVICE, SV_STAT_LOST_COUNT, &after), SV_OK);
    cr_expect_eq(after - before, 1);
    sv_allocator_release(a);
}

Test(adapter, what_a_handler_answers)
{
    static const struct {
        int answer;
        sv_status allocating, freeing;
    } cases[] = {
        {1, SV_ERROR_MEMORY, SV_ERROR_CUDA},          {2, SV_ERROR_MEMORY, SV_ERROR_CUDA},
        {INT32_MAX, SV_ERROR_MEMORY, SV_ERROR_CUDA},  {SV_ERROR_DEVICE, SV_ERROR_DEVICE, SV_ERROR_DEVICE},
        {-1000, SV_ERROR_MEMORY, SV_ERROR_CUDA},      {INT32_MIN, SV_ERROR_MEMORY, SV_ERROR_CUDA},
        {SV_ERROR_MEMORY, SV_ERROR_MEMORY, SV_ERROR_MEMORY},
    };
    sv_allocator *a = from_handler();
    void *pointer = &theirs;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        theirs.answer = theirs.free_answer = cases[i].answer;
        cr_expect_eq(sv_allocator_allocate(a, 8, 0, 0, &pointer), cases[i].allocating, "row %zu", i);
        cr_expect_not_null(strstr(sv_last_message(), "handler that allocates answered"), "%s", sv_last_message());
        cr_expect_eq(sv_allocator_free(a, theirs.memory, theirs.nbytes = 8, 0, 0), cases[i].freeing, "row %zu", i);
        cr_expect_not_null(strstr(sv_last_message(), "handler that frees answered"), "%s", sv_last_message());
    }
    cr_expect_eq(pointer, &theirs);
    theirs.answer = theirs.free_answer = 0;
    theirs.freed = 0;
    theirs.moved = 64;
    cr_expect_eq(sv_allocator_allocate(a, 8, 0, 0, &pointer), SV_ERROR_ALIGNMENT);
    cr_expect_eq(theirs.freed, 1);
    sv_allocator_release(a);
}

Test(adapter, an_allocator_is_a_handler)
{
    sv_allocator *a = NULL, *counted = NULL;
    struct memory_handler handler = {NULL, sv_handler_allocate_from, sv_handler_free_to, "libsv"};
    void *pointer = NULL;
    int64_t live = -1;

    cr_assert_eq(sv_allocator_host(0, &a), SV_OK);
    cr_assert_eq(sv_allocator_tracked(a, NULL, 0, &counted), SV_OK);
    handler.ctx = counted;
    cr_assert_eq(handler.device_alloc(handler.ctx, &pointer, 1000, NULL), 0);
    memset(pointer, 1, 1000);
    cr_expect(sv_allocator_stats(counted, SV_STAT_LIVE_BYTES, &live) == SV_OK && live == 1000);
    cr_expect_eq(handler.device_free(handler.ctx, pointer, 1000, NULL), 0);
    cr_expect_eq(handler.device_alloc(handler.ctx, &pointer, 0, NULL), 0);
    cr_expect_null(pointer);
    pointer = &handler;
    cr_expect_eq(handler.device_alloc(handler.ctx, &pointer, SIZE_MAX, NULL), SV_ERROR_OVERFLOW);
    cr_expect_eq(handler.device_free(handler.ctx, pointer, SIZE_MAX, NULL), SV_ERROR_OVERFLOW);
    cr_expect_eq(handler.device_alloc(NULL, &pointer, 8, NULL), SV_ERROR_NULL);
    cr_expect_eq(handler.device_free(NULL, pointer, 8, NULL), SV_ERROR_NULL);
    cr_expect_eq(pointer, &handler);
    sv_allocator_release(a);
    sv_allocator_release(counted);
}

/* An allocator, as a handler, as an allocator: statuses and texts come through. */
Test(adapter, there_and_back)
{
    sv_allocator *host = NULL, *limited = NULL, *a = NULL;
    void *pointer = NULL;

    cr_assert_eq(sv_allocator_host(0, &host), SV_OK);
    cr_assert_eq(sv_allocator_limited(host, 100, &limited), SV_OK);
    cr_assert_eq(sv_allocator_from_handler(0, sv_handler_allocate_from, sv_handler_free_to, NULL, limited, &a), SV_OK);
    cr_expect_eq(sv_allocator_allocate(a, 101, 0, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_not_null(strstr(sv_last_message(), "the limit is 100"), "%s", sv_last_message());
    cr_assert_eq(sv_allocator_allocate(a, 100, 64, 0, &pointer), SV_OK);
    cr_expect_eq(sv_allocator_free(a, pointer, 100, 64, 0), SV_OK);
    sv_allocator_release(a);
    sv_allocator_release(limited);
    sv_allocator_release(host);
}

/* --- PyTorch ----------------------------------------------------------------------------- */

static void *torch_malloc(ptrdiff_t nbytes, int device, void *stream)
{
    theirs.allocated++;
    theirs.nbytes = (size_t)nbytes;
    theirs.device = device;
    theirs.stream = stream;
    return theirs.answer == 0 ? theirs.memory + theirs.moved : NULL;
}

static void torch_free(void *pointer, ptrdiff_t nbytes, int device, void *stream)
{
    cr_expect(pointer == theirs.memory + theirs.moved && (size_t)nbytes == theirs.nbytes && device == theirs.device);
    theirs.freed++;
    theirs.stream = stream;
}

static sv_allocator *from_torch(void)
{
    sv_allocator *a = NULL;

    cr_assert_eq(sv_allocator_from_torch(3, torch_malloc, torch_free, &a), SV_OK);
    return a;
}

Test(adapter, functions_for_pytorch_are_an_allocator)
{
    sv_allocator *a = from_torch();
    void *pointer = NULL, *stream = &theirs;

    expect_device_memory(a, "torch");
    cr_assert_eq(sv_allocator_allocate(a, 1000, 0, (uintptr_t)stream, &pointer), SV_OK);
    cr_expect(pointer == theirs.memory && theirs.nbytes == 1000 && theirs.stream == stream && theirs.device == 3);
    cr_expect_eq(sv_allocator_free(a, pointer, 1000, 0, 0), SV_OK);
    cr_expect(theirs.freed == 1 && theirs.stream == NULL);
    theirs.answer = 1;
    cr_expect_eq(sv_allocator_allocate(a, 1000, 0, 0, &pointer), SV_ERROR_MEMORY);
    theirs.answer = 0;
    theirs.moved = 128;
    cr_expect_eq(sv_allocator_allocate(a, 1000, 0, 0, &pointer), SV_ERROR_ALIGNMENT);
    cr_expect_eq(theirs.freed, 2);
    sv_allocator_release(a);
}

Test(adapter, adapters_check_the_device)
{
    sv_allocator *a = NULL;

    cr_expect_eq(sv_allocator_from_handler(-1, device_alloc, device_free, end, &theirs, &a), SV_ERROR_DEVICE);
    cr_expect_eq(sv_allocator_from_torch(-1, torch_malloc, torch_free, &a), SV_ERROR_DEVICE);
    cr_expect(a == NULL && theirs.released == 0);
}

/* The symbols have the types that PyTorch casts them to. */
Test(adapter, pytorch_allocates_from_libsv)
{
    void *(*symbol_malloc)(ptrdiff_t, int, void *) = sv_torch_allocate;
    void (*symbol_free)(void *, ptrdiff_t, int, void *) = sv_torch_free;
    sv_allocator *a = from_torch(), *b = from_torch();
    void *pointer;

    cr_expect_null(symbol_malloc(8, 3, NULL));
    cr_expect_not_null(strstr(sv_last_message(), "sv_torch_use"), "%s", sv_last_message());
    symbol_free(NULL, 8, 3, NULL);
    cr_assert_eq(sv_torch_use(3, a), SV_OK);
    sv_allocator_release(a);
    pointer = symbol_malloc(1000, 3, &theirs);
    cr_expect(pointer == theirs.memory && theirs.stream == &theirs && theirs.nbytes == 1000);
    cr_expect_eq(sv_torch_use(3, b), SV_ERROR_BLOCKED);
    cr_expect_eq(sv_torch_use(3, NULL), SV_ERROR_BLOCKED);
    cr_expect_not_null(strstr(sv_last_message(), "1 blocks of device 3"), "%s", sv_last_message());
    symbol_free(pointer, 1000, 3, NULL);
    cr_expect_eq(theirs.freed, 1);
    cr_expect_null(symbol_malloc(0, 3, NULL));
    cr_expect_null(symbol_malloc(-1, 3, NULL));
    cr_expect_eq(sv_torch_use(3, b), SV_OK);
    cr_expect_eq(sv_torch_use(3, NULL), SV_OK);
    cr_expect_null(symbol_malloc(8, 3, NULL));
    symbol_free(theirs.memory, 1000, 3, NULL); /* a stray one finds nobody */
    cr_expect_eq(theirs.freed, 1);
    sv_allocator_release(b);
}

Test(adapter, pytorch_gets_memory_that_its_kernels_read)
{
    static const int32_t none[] = {-1, 128, INT32_MAX, INT32_MIN};
    sv_allocator *device = from_torch(), *host = NULL;

    cr_assert_eq(sv_allocator_host(0, &host), SV_OK);
    cr_expect_eq(sv_torch_use(3, host), SV_ERROR_DEVICE);
    cr_expect_eq(sv_torch_use(2, device), SV_ERROR_DEVICE);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        cr_expect_eq(sv_torch_use(none[i], device), SV_ERROR_DEVICE);
        cr_expect_eq(sv_torch_use(none[i], NULL), SV_ERROR_DEVICE);
        cr_expect_null(sv_torch_allocate(8, none[i], NULL));
        sv_torch_free(&theirs, 8, none[i], NULL);
    }
    sv_allocator_release(device);
    sv_allocator_release(host);
}

/* --- PyTorch by threads --------------------------------------------------------------------- */

enum { THREADS = 8, ROUNDS = 2000 };

static sv_status managed_allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    (void)ctx, (void)stream;
    *out = aligned_alloc((size_t)alignment, (size_t)(nbytes + alignment - 1) & ~(size_t)(alignment - 1));
    return *out != NULL ? SV_OK : SV_ERROR_MEMORY;
}

static sv_status managed_free(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)nbytes, (void)alignment, (void)stream;
    free(pointer);
    return SV_OK;
}

static sv_allocator *pair[2];

/* Half of them change the allocator while the others have blocks of it, or none. The last change is made in any case,
 * and an allocator stays: the others go on until each has had a block. */
static void *churn(void *arg)
{
    const intptr_t who = (intptr_t)arg;
    int had = 0;

    if (who % 2 == 0) {
        for (int i = 0; i < ROUNDS; i++)
            (void)sv_torch_use(0, i % 3 == 2 ? NULL : pair[i % 2]);
        while (sv_torch_use(0, pair[0]) == SV_ERROR_BLOCKED)
            sched_yield();
        return NULL;
    }
    for (int i = 0; i < ROUNDS || had == 0; i++) {
        void *block = sv_torch_allocate(100 + i % 7, 0, NULL);

        if (block != NULL)
            memset(block, (int)who, 100);
        else
            sched_yield();
        had += block != NULL;
        sv_torch_free(block, 100 + i % 7, 0, NULL);
    }
    return NULL;
}

Test(adapter, pytorch_by_eight_threads)
{
    pthread_t threads[THREADS];
    int64_t live, total[2];

    for (int i = 0; i < 2; i++) {
        sv_allocator *managed = NULL;

        cr_assert_eq(sv_allocator_callbacks(SV_MEMORY_MANAGED, SV_DEVICE_CUDA_MANAGED, i, managed_allocate,
                                            managed_free, NULL, NULL, &managed), SV_OK);
        cr_assert_eq(sv_allocator_tracked(managed, NULL, SV_ALLOCATOR_BLOCKS, &pair[i]), SV_OK);
        sv_allocator_release(managed);
    }
    for (intptr_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, churn, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(sv_torch_use(0, NULL), SV_OK, "%s", sv_last_message());
    for (int i = 0; i < 2; i++) {
        cr_expect(sv_allocator_stats(pair[i], SV_STAT_LIVE_COUNT, &live) == SV_OK && live == 0);
        cr_expect_eq(sv_allocator_stats(pair[i], SV_STAT_TOTAL_COUNT, &total[i]), SV_OK);
        sv_allocator_release(pair[i]);
    }
    cr_expect_geq(total[0] + total[1], THREADS / 2);
}
