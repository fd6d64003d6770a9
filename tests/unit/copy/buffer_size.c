/* Sizes, capacities and other allocators of buffers of host memory. */
#include <criterion/criterion.h>
#include <string.h>

#include "sv.h"

enum { RESIZE, RESERVE, SHRINK, LARGE = 1 << 18 };

static sv_buffer *make(int64_t nbytes, int64_t alignment)
{
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_buffer_new(NULL, nbytes, alignment, 0, 0, &buffer), SV_OK, "%s", sv_last_message());
    for (int64_t i = 0; i < nbytes; i++)
        ((char *)sv_buffer_data(buffer))[i] = (char)(i % 127 + 1);
    return buffer;
}

static bool has_bytes(sv_buffer *buffer, int64_t kept)
{
    const char *data = sv_buffer_data(buffer);

    for (int64_t i = 0; i < kept; i++)
        if (data[i] != (char)(i % 127 + 1))
            return false;
    return true;
}

static bool has_zeros(sv_buffer *buffer, int64_t first)
{
    const char *data = sv_buffer_data(buffer);

    for (int64_t i = first; i < sv_buffer_nbytes(buffer); i++)
        if (data[i] != 0)
            return false;
    return true;
}

static sv_status change(sv_buffer *buffer, int how, int64_t nbytes, uint32_t flags)
{
    switch (how) {
    case RESIZE:
        return sv_buffer_resize(buffer, nbytes, flags, 0);
    case RESERVE:
        return sv_buffer_reserve(buffer, nbytes, 0);
    default:
        return sv_buffer_shrink(buffer, 0);
    }
}

/* --- one after another --------------------------------------------------------- */

/* Of a buffer of n bytes, each after those above it up to a row that starts anew. */
static const struct {
    bool anew;
    int64_t n;
    int how;
    int64_t nbytes; /* asked for */
    uint32_t flags;
    int64_t size, capacity, kept; /* kept: so many first bytes are what they were */
    bool moves;
} rows[] = {
    /* smaller, and back within the capacity */
    {true, 100, RESIZE, 99, 0, 99, 100, 99, false},
    {false, 100, RESIZE, 100, 0, 100, 100, 100, false},
    {false, 100, RESIZE, 40, 0, 40, 100, 40, false},
    {false, 100, RESIZE, 60, SV_BUFFER_ZERO, 60, 100, 40, false},
    {false, 100, SHRINK, 0, 0, 60, 60, 40, true},
    {false, 100, SHRINK, 0, 0, 60, 60, 40, false},
    /* larger */
    {true, 100, RESIZE, 101, 0, 101, 101, 100, true},
    {true, 100, RESIZE, 300, SV_BUFFER_ZERO, 300, 300, 100, true},
    {true, LARGE, RESIZE, 2 * LARGE, SV_BUFFER_ZERO, 2 * LARGE, 2 * LARGE, LARGE, true},
    {true, LARGE, RESIZE, LARGE + 1, 0, LARGE + 1, LARGE + 1, LARGE, true},
    {true, 100, RESIZE, 200, SV_BUFFER_DISCARD, 200, 200, 0, true},
    {true, 100, RESIZE, 200, SV_BUFFER_DISCARD | SV_BUFFER_ZERO, 200, 200, 0, true},
    {true, 100, RESIZE, 50, SV_BUFFER_DISCARD | SV_BUFFER_ZERO, 50, 100, 0, false},
    {true, 100, RESIZE, 100, SV_BUFFER_DISCARD | SV_BUFFER_ZERO, 100, 100, 0, false},
    {true, 100, RESIZE, 100, SV_BUFFER_ZERO, 100, 100, 100, false},
    /* the capacity */
    {true, 100, RESERVE, 99, 0, 100, 100, 100, false},
    {false, 100, RESERVE, 0, 0, 100, 100, 100, false},
    {false, 100, RESERVE, 101, 0, 100, 101, 100, true},
    {false, 100, RESIZE, 101, SV_BUFFER_ZERO, 101, 101, 100, false},
    {false, 100, RESERVE, LARGE, 0, 101, LARGE, 100, true},
    {false, 100, SHRINK, 0, 0, 101, 101, 100, true},
    /* nothing, and from nothing */
    {true, 0, SHRINK, 0, 0, 0, 0, 0, false},
    {false, 0, RESIZE, 0, 0, 0, 0, 0, false},
    {false, 0, RESERVE, 10, 0, 0, 10, 0, true},
    {false, 0, RESIZE, 10, SV_BUFFER_ZERO, 10, 10, 0, false},
    {false, 0, RESIZE, 0, 0, 0, 10, 0, false},
    {false, 0, SHRINK, 0, 0, 0, 0, 0, true},
    {false, 0, RESIZE, 7, SV_BUFFER_ZERO, 7, 7, 0, true},
};

static void check(sv_buffer *buffer, size_t i, const char *before)
{
    cr_expect_eq(sv_buffer_nbytes(buffer), rows[i].size, "row %zu", i);
    cr_expect_eq(sv_buffer_capacity(buffer), rows[i].capacity, "row %zu", i);
    cr_expect_eq((char *)sv_buffer_data(buffer) != before, rows[i].moves, "row %zu", i);
    cr_expect_eq(sv_buffer_host_data(buffer), sv_buffer_data(buffer), "row %zu", i);
    cr_expect_eq(sv_buffer_data(buffer) == NULL, rows[i].capacity == 0, "row %zu", i);
    cr_expect_eq((uintptr_t)sv_buffer_data(buffer) % 64, 0, "row %zu", i);
    cr_expect(has_bytes(buffer, rows[i].kept), "row %zu", i);
    if (rows[i].how == RESIZE && rows[i].flags & SV_BUFFER_ZERO)
        cr_expect(has_zeros(buffer, rows[i].kept), "row %zu", i);
}

Test(buffer_size, sizes_and_capacities)
{
    sv_buffer *buffer = NULL;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *before;

        if (rows[i].anew) {
            sv_buffer_release(buffer);
            buffer = make(rows[i].n, 0);
        }
        before = sv_buffer_data(buffer);
        cr_assert_eq(change(buffer, rows[i].how, rows[i].nbytes, rows[i].flags), SV_OK, "row %zu: %s", i,
                     sv_last_message());
        check(buffer, i, before);
    }
    sv_buffer_release(buffer);
}

Test(buffer_size, the_alignment_stays)
{
    sv_buffer *buffer = make(100, 8192);

    cr_assert_eq(sv_buffer_resize(buffer, 1000, 0, 0), SV_OK);
    cr_expect_eq((uintptr_t)sv_buffer_data(buffer) % 8192, 0);
    cr_expect_eq(sv_buffer_alignment(buffer), 8192);
    cr_expect(has_bytes(buffer, 100));
    sv_buffer_release(buffer);
}

/* --- what is refused -------------------------------------------------------------- */

static const struct {
    int how;
    int64_t nbytes;
    uint32_t flags;
    sv_status status;
} refused[] = {
    {RESIZE, -1, 0, SV_ERROR_INVALID},
    {RESIZE, INT64_MIN, 0, SV_ERROR_INVALID},
    {RESERVE, -1, 0, SV_ERROR_INVALID},
    {RESIZE, 10, SV_BUFFER_STRICT, SV_ERROR_INVALID},
    {RESIZE, 10, 1u << 31, SV_ERROR_INVALID},
    {RESIZE, 10, SV_READ_ONLY, SV_ERROR_INVALID},
    {RESIZE, INT64_MAX, 0, SV_ERROR_OVERFLOW},
    {RESERVE, INT64_MAX, 0, SV_ERROR_OVERFLOW},
    {RESIZE, INT64_MAX - 4096, 0, SV_ERROR_MEMORY},
    {RESIZE, INT64_MAX - 4096, SV_BUFFER_DISCARD | SV_BUFFER_ZERO, SV_ERROR_MEMORY},
    {RESERVE, INT64_MAX - 4096, 0, SV_ERROR_MEMORY},
};

Test(buffer_size, a_refusal_changes_nothing)
{
    sv_buffer *buffer = make(100, 128);
    const char *before = sv_buffer_data(buffer);

    cr_assert_eq(sv_buffer_resize(buffer, 90, 0, 0), SV_OK);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sv_status status = change(buffer, refused[i].how, refused[i].nbytes, refused[i].flags);

        cr_expect_eq(status, refused[i].status, "row %zu: %s %s", i, sv_status_name(status), sv_last_message());
        cr_expect(sv_buffer_data(buffer) == before && sv_buffer_nbytes(buffer) == 90, "row %zu", i);
        cr_expect(sv_buffer_capacity(buffer) == 100 && has_bytes(buffer, 90), "row %zu", i);
    }
    sv_buffer_release(buffer);
}

/* Every call that moves memory, on a buffer of 100 bytes with room for 200. */
static sv_status try(sv_buffer *buffer, int which)
{
    switch (which) {
    case 0:
        return sv_buffer_resize(buffer, 99, 0, 0);
    case 1:
        return sv_buffer_resize(buffer, 101, 0, 0);
    case 2:
        return sv_buffer_resize(buffer, 201, 0, 0);
    case 3:
        return sv_buffer_reserve(buffer, 201, 0);
    case 4:
        return sv_buffer_shrink(buffer, 0);
    default:
        return sv_buffer_migrate(buffer, NULL, 0, 0);
    }
}

enum { CALLS = 6 };

static void expect_all(sv_buffer *buffer, sv_status expected, const char *what)
{
    for (int i = 0; i < CALLS; i++)
        cr_expect_eq(try(buffer, i), expected, "%s, call %d: %s", what, i, sv_last_message());
}

Test(buffer_size, what_points_into_the_memory_keeps_it)
{
    sv_buffer *buffer = make(100, 0), *slice = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_buffer_reserve(buffer, 200, 0), SV_OK);
    cr_assert_eq(sv_buffer_begin_export(buffer), SV_OK);
    expect_all(buffer, SV_ERROR_BLOCKED, "export");
    cr_expect_eq(sv_buffer_resize(buffer, 100, 0, 0), SV_OK, "nothing to do");
    cr_expect_eq(sv_buffer_reserve(buffer, 200, 0), SV_OK, "nothing to do");
    sv_buffer_end_export(buffer);

    cr_assert_eq(sv_view_from_buffer(buffer, NULL, SV_INT8, 0, 0, &view), SV_OK);
    expect_all(buffer, SV_ERROR_BLOCKED, "view");
    sv_view_release(view);

    cr_assert_eq(sv_buffer_slice(buffer, 10, 20, 0, &slice), SV_OK);
    expect_all(buffer, SV_ERROR_BLOCKED, "slice");
    expect_all(slice, SV_ERROR_STATE, "of a slice");
    cr_expect_eq(sv_buffer_resize(slice, 20, 0, 0), SV_ERROR_STATE);
    cr_expect_eq(sv_buffer_set_stream(slice, 2), SV_ERROR_STATE);
    cr_expect_eq(sv_buffer_record_use(slice, 2), SV_OK);
    sv_buffer_release(slice);

    cr_expect(sv_buffer_nbytes(buffer) == 100 && sv_buffer_capacity(buffer) == 200 && has_bytes(buffer, 100));
    cr_expect_eq(sv_buffer_close(buffer, 0), SV_OK);
    expect_all(buffer, SV_ERROR_STATE, "closed");
    cr_expect_eq(sv_buffer_resize(buffer, 0, 0, 0), SV_ERROR_STATE);
    cr_expect_eq(sv_buffer_set_stream(buffer, 2), SV_ERROR_STATE);
    cr_expect_eq(sv_buffer_record_use(buffer, 2), SV_ERROR_STATE);
    sv_buffer_release(buffer);
}

/* --- other allocators ---------------------------------------------------------------- */

static int freed;

static sv_status note_free(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    cr_expect_eq(pointer, ctx);
    cr_expect_eq(nbytes, 100);
    (void)alignment, (void)stream;
    freed++;
    return SV_OK;
}

Test(buffer_size, adopted_memory_grows_after_it_was_migrated)
{
    static _Alignas(64) char cells[100];
    sv_buffer *buffer = NULL;

    memset(cells, 7, sizeof cells);
    cr_assert_eq(sv_buffer_adopt(cells, 100, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_READ_ONLY, 0, note_free, cells,
                                 &buffer), SV_OK);
    cr_expect_eq(sv_buffer_resize(buffer, 101, 0, 0), SV_ERROR_UNSUPPORTED);
    cr_expect_eq(sv_buffer_resize(buffer, 60, 0, 0), SV_OK);
    cr_expect_eq(sv_buffer_shrink(buffer, 0), SV_ERROR_UNSUPPORTED);
    cr_expect_eq(sv_buffer_resize(buffer, 70, SV_BUFFER_ZERO, 0), SV_ERROR_READ_ONLY);
    cr_expect_eq(freed, 0);
    cr_expect_eq(sv_buffer_migrate(buffer, NULL, SV_BUFFER_ZERO, 0), SV_ERROR_INVALID);
    cr_assert_eq(sv_buffer_migrate(buffer, NULL, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(freed, 1);
    cr_expect(sv_buffer_data(buffer) != cells && sv_buffer_nbytes(buffer) == 60 && sv_buffer_capacity(buffer) == 60);
    cr_expect_eq(memcmp(sv_buffer_data(buffer), cells, 60), 0);
    cr_expect_eq(sv_buffer_traits(buffer), SV_TRAIT_HOST);
    cr_expect_null(sv_buffer_context(buffer, NULL));
    cr_expect_eq(sv_buffer_resize(buffer, 101, SV_BUFFER_ZERO, 0), SV_OK);
    cr_expect(has_zeros(buffer, 60));
    sv_buffer_release(buffer);
    cr_expect_eq(freed, 1);
}

static int64_t stat_of(const sv_allocator *allocator, int32_t stat)
{
    int64_t value = -1;

    cr_expect_eq(sv_allocator_stats(allocator, stat, &value), SV_OK);
    return value;
}

Test(buffer_size, between_allocators_nothing_is_left)
{
    sv_allocator *host = NULL, *tracked = NULL, *limited = NULL;
    sv_buffer *buffer = make(100, 0);

    cr_assert_eq(sv_allocator_host(0, &host), SV_OK);
    cr_assert_eq(sv_allocator_tracked(host, "t", 0, &tracked), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_allocator_limited(tracked, 1000, &limited), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_buffer_migrate(buffer, limited, 0, 3), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_allocator(buffer), limited);
    cr_expect_eq(sv_buffer_stream(buffer), 3);
    cr_expect_eq(stat_of(tracked, SV_STAT_LIVE_BYTES), 100);
    cr_expect_eq(sv_buffer_resize(buffer, 950, 0, 0), SV_ERROR_MEMORY, "the old memory is still there");
    cr_expect(sv_buffer_nbytes(buffer) == 100 && has_bytes(buffer, 100) && sv_buffer_stream(buffer) == 3);
    cr_expect_eq(sv_buffer_resize(buffer, 900, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(stat_of(tracked, SV_STAT_LIVE_BYTES), 900);
    cr_expect_eq(sv_buffer_migrate(buffer, limited, 0, 0), SV_OK, "nothing to do");
    cr_expect_eq(stat_of(tracked, SV_STAT_TOTAL_COUNT), 2);
    cr_expect_eq(sv_buffer_migrate(buffer, NULL, SV_BUFFER_DISCARD, 0), SV_OK);
    cr_expect_eq(stat_of(tracked, SV_STAT_LIVE_COUNT), 0);
    cr_expect_eq(sv_buffer_nbytes(buffer), 900);
    sv_buffer_release(buffer);
    sv_allocator_release(limited);
    sv_allocator_release(tracked);
    sv_allocator_release(host);
}
