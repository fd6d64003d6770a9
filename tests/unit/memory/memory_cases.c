/*
 * Edge cases of memory, one test each, as doc/memory_cases.md numbers them, on every kind of memory there is: that of
 * the host by the allocators of all sorts, and with SV_FAKE the kinds of a fake CUDA runtime.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "memory/deferred.h"
#ifdef SV_FAKE
#include "fake/fake.h"
#endif

enum { SIZE = 1000, SOURCES = 12 };

static struct source {
    const char *name;
    sv_allocator *allocator;
} sources[SOURCES];
static int source_count;

static void add(const char *name, sv_allocator *allocator)
{
    cr_assert_not_null(allocator, "%s: %s", name, sv_last_message());
    sources[source_count++] = (struct source){name, allocator};
}

/* --- callbacks that count --------------------------------------------------- */

static struct {
    int allocated, freed, released;
    int64_t nbytes;
} calls;

static sv_status allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    const size_t unit = (size_t)alignment;

    (void)ctx, (void)stream;
    calls.allocated++;
    calls.nbytes = nbytes;
    *out = aligned_alloc(unit, ((size_t)nbytes + unit - 1) / unit * unit);
    return *out == NULL ? SV_ERROR_MEMORY : SV_OK;
}

static sv_status free_it(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)alignment, (void)stream;
    calls.freed++;
    calls.nbytes = nbytes;
    free(pointer);
    return SV_OK;
}

static sv_status count_free(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)pointer, (void)alignment, (void)stream;
    calls.freed++;
    calls.nbytes = nbytes;
    return SV_OK;
}

static void count_release(void *ctx)
{
    (void)ctx;
    calls.released++;
}

static sv_allocator *counting(void)
{
    sv_allocator *out = NULL;

    memset(&calls, 0, sizeof calls);
    cr_assert_eq(sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, allocate, free_it, count_release, NULL, &out),
                 SV_OK, "%s", sv_last_message());
    return out;
}

/* --- around each test -------------------------------------------------------- */

static void start(void)
{
    sv_allocator *host = NULL, *tracked = NULL, *limited = NULL, *cached = NULL;

    sv_allocator_host(0, &host);
    sv_allocator_tracked(host, "cases", 0, &tracked);
    sv_allocator_limited(tracked, 1 << 20, &limited);
    add("host", host);
    add("tracked", tracked);
    sv_allocator_cached(limited, 1 << 16, &cached);
    add("limited", limited);
    add("cached", cached);
    add("callbacks", counting());
#ifdef SV_FAKE
    sv_allocator *out[5] = {NULL};

    fake_start(FAKE_LAZY, 1);
    sv_allocator_pinned(&out[0]);
    sv_allocator_device(1, &out[1]);
    sv_allocator_managed(0, &out[2]);
    sv_allocator_pool(SV_MEMORY_DEVICE, 1, 0, 0, 0, &out[3]);
    add("pinned", out[0]);
    add("device", out[1]);
    add("managed", out[2]);
    add("pool", out[3]);
    sv_allocator_cached(out[1], 1 << 16, &out[4]);
    add("cached device", out[4]);
#endif
}

/* Nothing is left, on the fake runtime either. */
static void stop(void)
{
    while (source_count > 0)
        sv_allocator_release(sources[--source_count].allocator);
    svi_deferred_drain(svi_cpu, true, SVI_EFFORT_WAIT);
#ifdef SV_FAKE
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
#endif
}

/* A test is done with each source in turn. */
#define EACH_SOURCE(a_)                                                                                               \
    for (const sv_allocator *a_ = (start(), sources[0].allocator); next_source(&a_);)

static int at;

static bool next_source(const sv_allocator **a)
{
    if (at == source_count) {
        at = 0;
        stop();
        return false;
    }
    *a = sources[at++].allocator;
    return true;
}

static const char *name(void)
{
    return sources[at - 1].name;
}

/* --- buffers ----------------------------------------------------------------- */

static sv_buffer *new_buffer(const sv_allocator *a, int64_t nbytes, int64_t alignment, uint32_t flags)
{
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_buffer_new(a, nbytes, alignment, flags, 0, &buffer), SV_OK, "%s: %s", name(), sv_last_message());
    return buffer;
}

/* Byte k is k + first. */
static sv_buffer *numbered(const sv_allocator *a, int64_t nbytes, int first)
{
    sv_buffer *buffer = new_buffer(a, nbytes, 0, 0);
    unsigned char bytes[SIZE];

    for (int k = 0; k < nbytes; k++)
        bytes[k] = (unsigned char)(k + first);
    cr_assert_eq(sv_buffer_write(buffer, 0, bytes, nbytes, 0, 0), SV_OK, "%s: %s", name(), sv_last_message());
    return buffer;
}

/* Whether bytes from offset on are first, first + 1 ... */
static bool is_numbered(const sv_buffer *buffer, int64_t offset, int64_t nbytes, int first)
{
    unsigned char bytes[SIZE];

    if (sv_buffer_read(buffer, offset, bytes, nbytes, SV_COPY_BLOCKING, 0) != SV_OK)
        return false;
    for (int k = 0; k < nbytes; k++)
        if (bytes[k] != (unsigned char)(k + first))
            return false;
    return true;
}

static bool is_all(const sv_buffer *buffer, int64_t offset, int64_t nbytes, unsigned char byte)
{
    unsigned char bytes[SIZE];

    if (sv_buffer_read(buffer, offset, bytes, nbytes, SV_COPY_BLOCKING, 0) != SV_OK)
        return false;
    for (int k = 0; k < nbytes; k++)
        if (bytes[k] != byte)
            return false;
    return true;
}

#define EXPECT(call_, status_) cr_expect_eq(call_, status_, "%s: %s", name(), sv_last_message())

/* --- size and alignment ------------------------------------------------------ */

Test(memory_cases, no_bytes) /* 1, 2, 7, 28 */
{
    static const int64_t alignments[] = {0, 1, 64, 512, 1 << 20};

    EACH_SOURCE(a)
        for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
            sv_buffer *b = new_buffer(a, 0, alignments[i], i % 2 ? SV_BUFFER_ZERO : 0), *part = NULL;
            unsigned char byte = 5;

            cr_expect_null(sv_buffer_data(b), "%s", name());
            cr_expect_null(sv_buffer_host_data(b));
            cr_expect_eq(sv_buffer_nbytes(b), 0);
            cr_expect_eq(sv_buffer_capacity(b), 0);
            EXPECT(sv_buffer_read(b, 0, NULL, 0, 0, 0), SV_OK);
            EXPECT(sv_buffer_write(b, 0, NULL, 0, 0, 0), SV_OK);
            EXPECT(sv_buffer_fill(b, 0, 0, &byte, 1, 0, 0), SV_OK);
            EXPECT(sv_buffer_copy(b, 0, b, 0, 0, 0, 0), SV_OK);
            EXPECT(sv_buffer_write(b, 0, &byte, 1, 0, 0), SV_ERROR_RANGE);
            EXPECT(sv_buffer_slice(b, 0, 0, 0, &part), SV_OK);
            cr_expect_eq(sv_buffer_nbytes(part), 0);
            sv_buffer_release(part);
            sv_buffer_release(b);
            cr_expect_eq(calls.allocated, 0, "%s", name());
        }
}

Test(memory_cases, alignments) /* 3, 4 */
{
    static const int64_t none[] = {3, -1, 96, INT64_MAX, INT64_MIN};

    EACH_SOURCE(a) {
        for (int64_t alignment = 1; alignment <= 1 << 16; alignment *= 2) {
            sv_buffer *b = new_buffer(a, 100, alignment, SV_BUFFER_ZERO);

            cr_expect_eq((uintptr_t)sv_buffer_data(b) % (uintptr_t)alignment, 0, "%s %d", name(), (int)alignment);
            cr_expect_geq(sv_buffer_alignment(b), alignment);
            cr_expect(is_all(b, 0, 100, 0), "%s %d", name(), (int)alignment);
            sv_buffer_release(b);
        }
        for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
            sv_buffer *b = NULL;

            EXPECT(sv_buffer_new(a, 100, none[i], 0, 0, &b), SV_ERROR_INVALID);
            cr_expect_null(b);
        }
    }
    cr_expect_eq(calls.allocated, calls.freed);
}

Test(memory_cases, memory_from_nowhere) /* 6 */
{
    EACH_SOURCE(a) {
        sv_buffer *b = numbered(a, 16, 1);

        EXPECT(sv_buffer_write(b, 0, NULL, 1, 0, 0), SV_ERROR_NULL);
        EXPECT(sv_buffer_read(b, 0, NULL, 1, 0, 0), SV_ERROR_NULL);
        cr_expect(is_numbered(b, 0, 16, 1), "%s", name());
        sv_buffer_release(b);
    }
}

/* --- adoption ----------------------------------------------------------------- */

Test(memory_cases, adoption) /* 9, 10, 11, 14, 52 */
{
    static char bytes[64];
    static const struct {
        const char *what;
        void *pointer;
        int64_t nbytes;
        sv_memory kind;
        int32_t device_type, device_id;
        uint32_t flags;
        bool frees;
        sv_status status;
    } cases[] = {
        {"with a free function", bytes, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, true, SV_OK},
        {"borrowed", bytes, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_BUFFER_BORROWED, false, SV_OK},
        {"both", bytes, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_BUFFER_BORROWED, true, SV_ERROR_INVALID},
        {"neither", bytes, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, false, SV_ERROR_INVALID},
        {"no bytes", bytes, 0, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, true, SV_OK},
        {"no bytes nowhere", NULL, 0, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, true, SV_OK},
        {"bytes nowhere", NULL, 1, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, true, SV_ERROR_NULL},
        {"fewer than none", bytes, -1, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, true, SV_ERROR_INVALID},
        {"of no kind", bytes, 64, 77, SV_DEVICE_CPU, 0, 0, true, SV_ERROR_INVALID},
        {"of another kind's device", bytes, 64, SV_MEMORY_HOST, SV_DEVICE_CUDA, 0, 0, true, SV_ERROR_DEVICE},
        {"foreign", bytes, 64, SV_MEMORY_FOREIGN, SV_DEVICE_ROCM, 3, 0, true, SV_OK},
        {"of unknown kind", bytes, 64, SV_MEMORY_UNKNOWN, 0, 0, 0, true, SV_OK},
        {"unknown flag", bytes, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0x8000, true, SV_ERROR_INVALID},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_buffer *b = NULL;

        memset(&calls, 0, sizeof calls);
        cr_expect_eq(sv_buffer_adopt(cases[i].pointer, cases[i].nbytes, cases[i].kind, cases[i].device_type,
                                     cases[i].device_id, cases[i].flags, 0, cases[i].frees ? count_free : NULL, &calls,
                                     &b),
                     cases[i].status, "%s: %s", cases[i].what, sv_last_message());
        cr_expect_eq(b != NULL, cases[i].status == SV_OK, "%s", cases[i].what);
        cr_expect_eq(calls.freed, 0, "%s: on failure nothing is called", cases[i].what);
        if (b != NULL && cases[i].frees) {
            cr_expect_eq(sv_buffer_context(b, count_free), &calls);
            cr_expect_eq(sv_buffer_context(b, NULL), &calls);
            cr_expect_null(sv_buffer_context(b, free_it), "another function's");
        }
        sv_buffer_release(b);
        cr_expect_eq(calls.freed, cases[i].status == SV_OK && cases[i].frees, "%s", cases[i].what);
    }
}

Test(memory_cases, memory_that_nobody_here_touches) /* 54 */
{
    static char bytes[64];
    sv_buffer *b = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_buffer_adopt(bytes, 64, SV_MEMORY_FOREIGN, SV_DEVICE_ROCM, 1, SV_BUFFER_BORROWED, 0, NULL, NULL,
                                 &b), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_device_type(b), SV_DEVICE_ROCM);
    cr_expect_eq(sv_buffer_device_id(b), 1);
    cr_expect_null(sv_buffer_host_data(b));
    cr_expect_neq(sv_buffer_read(b, 0, bytes, 1, 0, 0), SV_OK);
    cr_expect_neq(sv_buffer_write(b, 0, "x", 1, 0, 0), SV_OK);
    cr_expect_eq(bytes[0], 0);
    cr_expect_eq(sv_view_from_buffer(b, NULL, SV_UINT8, 0, 0, &view), SV_OK);
    cr_expect_eq(sv_view_device_type(view), SV_DEVICE_ROCM);
    sv_view_release(view);
    sv_buffer_release(b);
}

/* --- contents ------------------------------------------------------------------ */

Test(memory_cases, what_does_not_fit) /* 22, 25, 32, 35 */
{
    static const struct {
        int64_t offset, nbytes;
    } cases[] = {{0, 17}, {16, 1}, {1, 16}, {17, 0}, {-1, 1}, {-1, 0}, {0, INT64_MAX}, {INT64_MAX, 1},
                 {INT64_MAX, INT64_MAX}};

    EACH_SOURCE(a) {
        sv_buffer *b = numbered(a, 16, 1), *longer = numbered(a, 64, 100);
        unsigned char bytes[64] = {0};

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const int64_t offset = cases[i].offset, nbytes = cases[i].nbytes;

            EXPECT(sv_buffer_read(b, offset, bytes, nbytes, 0, 0), SV_ERROR_RANGE);
            EXPECT(sv_buffer_write(b, offset, bytes, nbytes, 0, 0), SV_ERROR_RANGE);
            EXPECT(sv_buffer_copy(b, offset, longer, 0, nbytes, 0, 0), SV_ERROR_RANGE);
            EXPECT(sv_buffer_copy(longer, 0, b, offset, nbytes, 0, 0), SV_ERROR_RANGE);
            EXPECT(sv_buffer_fill(b, offset, nbytes, bytes, 1, 0, 0), SV_ERROR_RANGE);
        }
        EXPECT(sv_buffer_read(b, 0, bytes, -1, 0, 0), SV_ERROR_RANGE);
        cr_expect_eq(bytes[0], 0);
        cr_expect(is_numbered(b, 0, 16, 1) && is_numbered(longer, 0, 64, 100), "%s", name());
        sv_buffer_release(b);
        sv_buffer_release(longer);
    }
}

Test(memory_cases, parts_leave_the_rest_alone) /* 23, 24 */
{
    EACH_SOURCE(a) {
        sv_buffer *b = new_buffer(a, 10, 0, SV_BUFFER_ZERO);
        char bytes[12];

        EXPECT(sv_buffer_write(b, 3, "abc", 3, 0, 0), SV_OK);
        memset(bytes, '.', sizeof bytes);
        EXPECT(sv_buffer_read(b, 0, bytes, 10, SV_COPY_BLOCKING, 0), SV_OK);
        cr_expect_eq(memcmp(bytes, "\0\0\0abc\0\0\0\0..", 12), 0, "%s", name());
        sv_buffer_release(b);
    }
}

Test(memory_cases, copies_from_kind_to_kind) /* 31 */
{
    start();
    for (int i = 0; i < source_count; i++)
        for (int j = 0; j < source_count; j++) {
            at = i + 1;
            sv_buffer *from = numbered(sources[i].allocator, SIZE, 3);
            sv_buffer *to = new_buffer(sources[j].allocator, SIZE, 0, 0);

            EXPECT(sv_buffer_copy(to, 0, from, 0, SIZE, SV_COPY_BLOCKING, 0), SV_OK);
            cr_expect(is_numbered(to, 0, SIZE, 3), "%s to %s", name(), sources[j].name);
            EXPECT(sv_buffer_copy(to, 7, from, 100, 50, SV_COPY_BLOCKING, 0), SV_OK);
            cr_expect(is_numbered(to, 7, 50, 103), "%s to %s", name(), sources[j].name);
            sv_buffer_release(from);
            sv_buffer_release(to);
        }
    at = 0;
    stop();
}

Test(memory_cases, fills) /* 34, 36 */
{
    static const unsigned char item[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const int32_t none[] = {0, 3, 5, 32, -1, INT32_MAX, INT32_MIN};

    EACH_SOURCE(a) {
        sv_buffer *b = new_buffer(a, SIZE, 0, SV_BUFFER_ZERO);
        unsigned char bytes[SIZE];

        for (int32_t size = 1; size <= 16; size *= 2) {
            EXPECT(sv_buffer_fill(b, 16, 160, item, size, 0, 0), SV_OK);
            EXPECT(sv_buffer_read(b, 0, bytes, SIZE, SV_COPY_BLOCKING, 0), SV_OK);
            for (int k = 16; k < 176; k++)
                cr_assert_eq(bytes[k], item[k % size], "%s %d", name(), (int)size);
            cr_expect(bytes[15] == 0 && bytes[176] == 0);
        }
        for (size_t i = 0; i < sizeof none / sizeof *none; i++)
            EXPECT(sv_buffer_fill(b, 0, 16, item, none[i], 0, 0), SV_ERROR_INVALID);
        EXPECT(sv_buffer_fill(b, 0, 1, item, 2, 0, 0), SV_ERROR_LAYOUT);
        cr_expect(is_all(b, 0, 16, 0), "%s", name());
        sv_buffer_release(b);
    }
}

Test(memory_cases, onto_itself) /* 43 */
{
    EACH_SOURCE(a) {
        sv_buffer *b = numbered(a, 100, 0);

        EXPECT(sv_buffer_copy(b, 0, b, 0, 100, 0, 0), SV_OK);
        cr_expect(is_numbered(b, 0, 100, 0), "%s", name());
        EXPECT(sv_buffer_copy(b, 10, b, 0, 90, 0, 0), SV_OK);
        cr_expect(is_numbered(b, 0, 10, 0) && is_numbered(b, 10, 90, 0), "%s: forwards", name());
        EXPECT(sv_buffer_copy(b, 0, b, 10, 90, 0, 0), SV_OK);
        cr_expect(is_numbered(b, 0, 90, 0), "%s: backwards", name());
        sv_buffer_release(b);
    }
}

Test(memory_cases, a_copy_has_no_spare_room) /* 41 */
{
    EACH_SOURCE(a) {
        sv_buffer *b = numbered(a, 100, 0), *copy;

        EXPECT(sv_buffer_reserve(b, 500, 0), SV_OK);
        copy = new_buffer(sv_buffer_allocator(b), sv_buffer_nbytes(b), sv_buffer_alignment(b), 0);
        EXPECT(sv_buffer_copy(copy, 0, b, 0, 100, 0, 0), SV_OK);
        cr_expect_eq(sv_buffer_capacity(copy), 100);
        cr_expect_eq(sv_buffer_kind(copy), sv_buffer_kind(b));
        cr_expect(is_numbered(copy, 0, 100, 0), "%s", name());
        sv_buffer_release(b);
        sv_buffer_release(copy);
    }
}

Test(memory_cases, the_empty_buffer) /* 42 */
{
    cr_expect_eq(sv_buffer_nbytes(NULL), 0);
    cr_expect_eq(sv_buffer_capacity(NULL), 0);
    cr_expect_null(sv_buffer_data(NULL));
    cr_expect_null(sv_buffer_retain(NULL));
    sv_buffer_release(NULL);
}

/* --- parts ---------------------------------------------------------------------------- */

Test(memory_cases, parts)
{
    EACH_SOURCE(a) {
        sv_buffer *b = numbered(a, 64, 0), *part = NULL, *inner = NULL;
        sv_allocator *given = NULL;

        EXPECT(sv_buffer_slice(b, 8, 48, 0, &part), SV_OK);
        EXPECT(sv_buffer_slice(part, 8, 8, SV_READ_ONLY, &inner), SV_OK);
        cr_expect(sv_buffer_parent(part) == b && sv_buffer_parent(inner) == b, "%s", name());
        cr_expect_null(sv_buffer_parent(b), "%s", name());
        cr_expect(is_numbered(inner, 0, 8, 16), "%s", name());
        cr_expect_eq((char *)sv_buffer_data(inner) - (char *)sv_buffer_data(b), 16);
        cr_expect_eq(sv_buffer_alignment(part), 8, "%s: as far as the offset keeps it", name());
        cr_expect_eq(sv_buffer_kind(inner), sv_buffer_kind(b));
        cr_expect_eq(sv_buffer_device_id(inner), sv_buffer_device_id(b));
        cr_expect_eq(sv_buffer_traits(inner), sv_buffer_traits(b) | SV_TRAIT_READ_ONLY, "%s", name());
        EXPECT(sv_buffer_write(inner, 0, "x", 1, 0, 0), SV_ERROR_READ_ONLY);
        EXPECT(sv_buffer_fill(inner, 0, 1, "x", 1, 0, 0), SV_ERROR_READ_ONLY);
        EXPECT(sv_buffer_slice(part, 40, 9, 0, &inner), SV_ERROR_RANGE);
        cr_expect_eq(sv_buffer_exports(b), 2, "%s", name());
        given = sv_allocator_retain(sv_buffer_allocator(b));
        cr_expect_eq(given, a, "%s", name());
        sv_allocator_release(given);
        EXPECT(sv_buffer_close(b, 0), SV_ERROR_BLOCKED);
        sv_buffer_release(b);
        cr_expect(is_numbered(part, 0, 48, 8), "%s: parts keep the memory", name());
        sv_buffer_release(part);
        sv_buffer_release(inner);
    }
}

Test(memory_cases, views_of_buffers)
{
    EACH_SOURCE(a) {
        sv_buffer *b = numbered(a, 64, 0);
        sv_view *view = NULL, *turned = NULL;

        EXPECT(sv_view_from_buffer(b, NULL, SV_INT16, 4, 0, &view), SV_OK);
        cr_expect_eq(sv_view_buffer(view), b, "%s", name());
        cr_expect_eq(sv_layout_size(sv_view_layout(view)), 30, "%s", name());
        EXPECT(sv_view_permute(view, 1, NULL, &turned), SV_OK);
        sv_view_release(view);
        cr_expect_eq(sv_buffer_exports(b), 1, "%s: views of views hold it once", name());
        sv_buffer_release(b);
        cr_expect_eq((char *)sv_view_data(turned) - (char *)sv_buffer_data(sv_view_buffer(turned)), 4, "%s", name());
        sv_view_release(turned);
    }
}

Test(memory_cases, released_later)
{
    sv_allocator *a = counting();
    sv_buffer *b = NULL;

    cr_assert_eq(sv_buffer_new(a, 100, 0, 0, 0, &b), SV_OK);
    sv_buffer_release_later(sv_buffer_retain(b));
    cr_expect(is_all(b, 0, 0, 0) && calls.freed == 0, "another reference holds it");
    sv_buffer_release_later(b);
    sv_buffer_release_later(NULL);
    cr_expect_eq(calls.freed, 0, "a finaliser calls nothing");
    cr_assert_eq(sv_buffer_new(a, 10, 0, 0, 0, &b), SV_OK);
    cr_expect_eq(calls.freed, 1, "the next allocation frees it");
    sv_buffer_release(b);
    sv_allocator_release(a);
    cr_expect(calls.freed == 2 && calls.released == 1);
}

Test(memory_cases, taken_out_of_its_hands)
{
    EACH_SOURCE(a) {
        sv_buffer *b = numbered(a, 100, 0), *other = sv_buffer_retain(b);
        int64_t nbytes = 0, alignment = 0;
        void *pointer = NULL, *ctx = NULL, *data = sv_buffer_data(b);
        uintptr_t stream = 7;
        sv_free_callback end = NULL;

        EXPECT(sv_buffer_detach(b, &pointer, &nbytes, &alignment, &stream, &end, &ctx), SV_ERROR_BLOCKED);
        sv_buffer_release(other);
        EXPECT(sv_buffer_begin_export(b), SV_OK);
        EXPECT(sv_buffer_detach(b, &pointer, &nbytes, &alignment, &stream, &end, &ctx), SV_ERROR_BLOCKED);
        sv_buffer_end_export(b);
        cr_expect(pointer == NULL && end == NULL && stream == 7, "%s: nothing is written on failure", name());
        EXPECT(sv_buffer_detach(b, &pointer, &nbytes, &alignment, &stream, &end, &ctx), SV_OK);
        cr_assert(pointer != NULL && nbytes == 100 && stream == 0 && end != NULL, "%s", name());
        cr_expect(pointer == data || sv_buffer_kind(b) == SV_MEMORY_PINNED, "%s", name());
        cr_expect_eq((uintptr_t)pointer % (uintptr_t)alignment, 0);
        cr_expect(sv_buffer_is_closed(b) && sv_buffer_data(b) == NULL && sv_buffer_nbytes(b) == 0, "%s", name());
        EXPECT(sv_buffer_detach(b, &pointer, &nbytes, &alignment, &stream, &end, &ctx), SV_ERROR_STATE);
        sv_buffer_release(b);
        EXPECT(end(ctx, pointer, nbytes, alignment, stream), SV_OK);
    }
    cr_expect_eq(calls.allocated, calls.freed);
}

/* --- owners ------------------------------------------------------------------------- */

Test(memory_cases, the_allocator_goes_first) /* 46 */
{
    sv_allocator *a = counting();
    sv_buffer *b = NULL;

    cr_assert_eq(sv_buffer_new(a, 100, 0, 0, 0, &b), SV_OK);
    sv_allocator_release(a);
    cr_expect(calls.allocated == 1 && calls.freed == 0 && calls.released == 0);
    sv_buffer_release(b);
    cr_expect(calls.freed == 1 && calls.released == 1);
}

Test(memory_cases, closed_twice) /* 48 */
{
    EACH_SOURCE(a) {
        sv_buffer *b = numbered(a, 64, 0), *part = NULL;
        sv_view *view = NULL;
        char byte;

        EXPECT(sv_buffer_close(b, 0), SV_OK);
        EXPECT(sv_buffer_close(b, 0), SV_OK);
        cr_expect(sv_buffer_is_closed(b) && sv_buffer_data(b) == NULL && sv_buffer_nbytes(b) == 0, "%s", name());
        EXPECT(sv_buffer_read(b, 0, &byte, 1, 0, 0), SV_ERROR_STATE);
        EXPECT(sv_buffer_write(b, 0, "x", 1, 0, 0), SV_ERROR_STATE);
        EXPECT(sv_buffer_slice(b, 0, 0, 0, &part), SV_ERROR_STATE);
        EXPECT(sv_buffer_begin_export(b), SV_ERROR_STATE);
        EXPECT(sv_view_from_buffer(b, NULL, SV_UINT8, 0, 0, &view), SV_ERROR_STATE);
        sv_buffer_release(b);
    }
}

Test(memory_cases, exports_end_what_they_hold) /* 52 */
{
    static char bytes[64];
    sv_buffer *b = NULL;
    sv_view *view = NULL;

    memset(&calls, 0, sizeof calls);
    cr_assert_eq(sv_buffer_adopt(bytes, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, 0, count_free, NULL, &b), SV_OK);
    cr_expect_eq(sv_view_from_buffer(b, NULL, SV_INT64, 1, 0, &view), SV_ERROR_LAYOUT);
    cr_expect_eq(sv_view_from_buffer(b, NULL, 12345, 0, 0, &view), SV_ERROR_DTYPE);
    cr_expect_eq(sv_buffer_exports(b), 0);
    cr_expect_eq(sv_buffer_references(b), 1);
    cr_assert_eq(sv_view_from_buffer(b, NULL, SV_INT64, 0, 0, &view), SV_OK);
    cr_expect_eq(sv_buffer_exports(b), 1);
    cr_expect_eq(sv_buffer_close(b, 0), SV_ERROR_BLOCKED);
    sv_view_release(view);
    cr_expect_eq(sv_buffer_exports(b), 0);
    cr_expect_eq(sv_buffer_close(b, 0), SV_OK);
    cr_expect_eq(calls.freed, 1);
    sv_buffer_release(b);
    cr_expect_eq(calls.freed, 1);
}

Test(memory_cases, statistics_are_differences) /* 59 */
{
    int64_t before = 0, after = 0;
    sv_buffer *older = NULL, *newer = NULL;

    cr_assert_eq(sv_buffer_new(NULL, 100, 0, 0, 0, &older), SV_OK);
    cr_expect_eq(sv_memory_stats(SV_MEMORY_HOST, SV_STAT_LIVE_BYTES, &before), SV_OK);
    cr_assert_eq(sv_buffer_new(NULL, 40, 0, 0, 0, &newer), SV_OK);
    sv_buffer_release(older);
    cr_expect_eq(sv_memory_stats(SV_MEMORY_HOST, SV_STAT_LIVE_BYTES, &after), SV_OK);
    cr_expect_eq(after - before, -60, "%d", (int)(after - before));
    sv_buffer_release(newer);
}

#ifdef SV_FAKE
Test(memory_cases, streams_by_number) /* 8 */
{
    static const uintptr_t streams[] = {0, 1, 2};

    EACH_SOURCE(a)
        for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
            sv_buffer *b = NULL;

            EXPECT(sv_buffer_new(a, 64, 0, SV_BUFFER_ZERO, streams[i], &b), SV_OK);
            EXPECT(sv_buffer_write(b, 0, "abc", 3, 0, streams[i]), SV_OK);
            cr_expect_eq(sv_buffer_stream(b), streams[i]);
            sv_buffer_release(b);
        }
}

Test(memory_cases, another_device_is_current) /* 44 */
{
    EACH_SOURCE(a)
        for (int device = 0; device < 2; device++) {
            sv_buffer *b;
            int current = -1;

            cr_assert_eq(svi_cuda_api.set_device(device), cudaSuccess);
            b = numbered(a, 64, 0);
            cr_expect(is_numbered(b, 0, 64, 0), "%s", name());
            sv_buffer_release(b);
            cr_expect_eq(svi_cuda_api.get_device(&current), cudaSuccess);
            cr_expect_eq(current, device, "%s", name());
            svi_cuda_api.set_device(0);
        }
}
#endif
