/* Pages of the host that are page-locked for devices, over the fake runtime. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory/buffer.h"
#include "fake/fake.h"

enum { PAGE = 4096, PAGES = 4 * PAGE };

static _Alignas(PAGE) char pages[PAGES];
static int released;

static void count(void *ctx)
{
    (void)ctx;
    released++;
}

static void start(void)
{
    released = 0;
    fake_start(FAKE_LAZY, 1);
}

TestSuite(buffer_register, .init = start);

static void expect_silence(void)
{
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

/* What a release left for later. */
static sv_status finish(void)
{
    svi_deferred_drain(svi_cpu, true, SVI_EFFORT_WAIT);
    return svi_failure_tell();
}

static const struct part {
    int64_t offset, nbytes;
    uint32_t flags;
    int64_t alignment;
} parts[] = {
    {0, PAGES, 0, 0},
    {PAGE, 100, SV_READ_ONLY, 0},
    {64, 5000, 0, 64},
    {7, 1, 0, 1},
};

enum { PARTS = sizeof parts / sizeof *parts };

static void expect_facts(const sv_buffer *b, const struct part *p, bool same_address)
{
    const uint32_t traits = SV_TRAIT_HOST | SV_TRAIT_CUDA | SV_TRAIT_REGISTERED |
                            (p->flags & SV_READ_ONLY ? SV_TRAIT_READ_ONLY : 0);

    cr_expect_eq(sv_buffer_host_data(b), pages + p->offset);
    cr_expect_eq(sv_buffer_data(b) == pages + p->offset, same_address);
    cr_expect_eq(sv_buffer_nbytes(b), p->nbytes);
    cr_expect_eq(sv_buffer_capacity(b), p->nbytes);
    cr_expect_eq(sv_buffer_kind(b), SV_MEMORY_PINNED);
    cr_expect_eq(sv_buffer_device_type(b), SV_DEVICE_CUDA_HOST);
    cr_expect_eq(sv_buffer_device_id(b), 0);
    cr_expect_eq(sv_buffer_traits(b), traits, "%x", sv_buffer_traits(b));
    cr_expect_null(sv_buffer_allocator(b));
    cr_expect_eq(sv_buffer_context(b, NULL), &released);
    if (p->alignment > 0)
        cr_expect_eq(sv_buffer_alignment(b), p->alignment);
}

Test(buffer_register, facts)
{
    for (int same = 0; same < 2; same++) {
        fake_set_attribute(-1, cudaDevAttrCanUseHostPointerForRegisteredMem, same);
        for (int i = 0; i < PARTS; i++) {
            sv_buffer *b = NULL;

            released = 0;
            cr_assert_eq(sv_buffer_register(pages + parts[i].offset, parts[i].nbytes, parts[i].flags, count, &released,
                                            &b),
                         SV_OK, "row %d: %s", i, sv_last_message());
            expect_facts(b, &parts[i], same == 1);
            sv_buffer_release(b);
            cr_expect_eq(released, 0, "unlocking can wait, so a release must not");
            cr_expect_eq(finish(), SV_OK);
            cr_expect_eq(released, 1);
        }
    }
    expect_silence();
}

Test(buffer_register, what_is_refused)
{
    static const struct {
        char *at;
        int64_t nbytes;
        uint32_t flags;
        sv_status status;
    } cases[] = {
        {NULL, 1, 0, SV_ERROR_NULL},
        {pages, -1, 0, SV_ERROR_INVALID},
        {pages, INT64_MIN, 0, SV_ERROR_INVALID},
        {pages, PAGE, SV_BUFFER_BORROWED, SV_ERROR_INVALID},
        {pages, PAGE, 1u << 31, SV_ERROR_INVALID},
        {(char *)UINTPTR_MAX, 16, 0, SV_ERROR_OVERFLOW},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_buffer *b = NULL;
        const sv_status status = sv_buffer_register(cases[i].at, cases[i].nbytes, cases[i].flags, count, NULL, &b);

        cr_expect_eq(status, cases[i].status, "row %zu: %s", i, sv_last_message());
        cr_expect_null(b);
    }
    cr_expect_eq(sv_buffer_register(pages, PAGE, 0, count, NULL, NULL), SV_ERROR_NULL);
    cr_expect_eq(released, 0);
    cr_expect_eq(fake_count(FAKE_CALL(register_host)), 0);
    expect_silence();
}

Test(buffer_register, no_bytes_need_no_driver)
{
    sv_buffer *b = NULL;

    cr_assert_eq(sv_buffer_register(NULL, 0, 0, count, &released, &b), SV_OK, "%s", sv_last_message());
    cr_expect_null(sv_buffer_data(b));
    cr_expect_null(sv_buffer_host_data(b));
    sv_buffer_release(b);
    cr_expect_eq(released, 1);
    cr_expect_eq(fake_calls(), 0);
    expect_silence();
}

Test(buffer_register, pages_are_locked_once)
{
    static const struct part taken[] = {{0, PAGES, 0, 0}, {PAGE, 10, 0, 0}, {3 * PAGE, PAGE, 0, 0}};
    sv_buffer *first = NULL, *b = NULL;

    cr_assert_eq(sv_buffer_register(pages, PAGES, 0, count, &released, &first), SV_OK, "%s", sv_last_message());
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        cr_expect_eq(sv_buffer_register(pages + taken[i].offset, taken[i].nbytes, 0, count, &released, &b),
                     SV_ERROR_BLOCKED, "row %zu: %s", i, sv_last_message());
        cr_expect_not_null(strstr(sv_last_message(), "page-locked already"), "%s", sv_last_message());
        cr_expect_null(b);
    }
    cr_expect_eq(released, 0);
    sv_buffer_release(first);
    cr_expect_eq(finish(), SV_OK);
    cr_expect_eq(released, 1);
    cr_expect_eq(sv_buffer_register(pages, PAGES, 0, NULL, NULL, &b), SV_OK, "%s", sv_last_message());
    sv_buffer_release(b);
    cr_expect_eq(finish(), SV_OK);
    expect_silence();
}

/* What takes the memory out of the buffer ends the lock, and then the owner is told. */
Test(buffer_register, detached_and_closed)
{
    sv_buffer *b = NULL;
    void *pointer = NULL, *ctx = NULL;
    int64_t nbytes = 0, alignment = 0;
    uintptr_t stream = 0;
    sv_free_callback free = NULL;

    cr_assert_eq(sv_buffer_register(pages, PAGE, 0, count, &released, &b), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_buffer_detach(b, &pointer, &nbytes, &alignment, &stream, &free, &ctx), SV_OK);
    cr_expect_eq(pointer, pages);
    cr_expect_eq(nbytes, PAGE);
    sv_buffer_release(b);
    cr_expect_eq(released, 0);
    cr_expect_eq(free(ctx, pointer, nbytes, alignment, stream), SV_OK);
    cr_expect_eq(released, 1);
    cr_assert_eq(sv_buffer_register(pages, PAGE, 0, count, &released, &b), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_close(b, 0), SV_OK);
    cr_expect_eq(released, 2);
    sv_buffer_release(b);
    cr_expect_eq(released, 2);
    expect_silence();
}

/* Copies take the host's address, whatever devices use. */
Test(buffer_register, copies_to_a_device)
{
    for (int same = 0; same < 2; same++) {
        char back[100] = "";
        sv_allocator *device = NULL;
        sv_buffer *b = NULL, *d = NULL;

        fake_set_attribute(-1, cudaDevAttrCanUseHostPointerForRegisteredMem, same);
        memset(pages, 'x', sizeof back);
        cr_assert_eq(sv_allocator_device(0, &device), SV_OK);
        cr_assert_eq(sv_buffer_new(device, sizeof back, 0, 0, 0, &d), SV_OK);
        cr_assert_eq(sv_buffer_register(pages, PAGE, 0, NULL, NULL, &b), SV_OK, "%s", sv_last_message());
        cr_expect_eq(sv_buffer_copy(d, 0, b, 0, sizeof back, 0, 0), SV_OK, "%s", sv_last_message());
        cr_expect_eq(sv_buffer_read(d, 0, back, sizeof back, SV_COPY_BLOCKING, 0), SV_OK, "%s", sv_last_message());
        cr_expect_arr_eq(back, pages, sizeof back);
        sv_buffer_release(d);
        sv_buffer_release(b);
        sv_allocator_release(device);
        cr_expect_eq(finish(), SV_OK);
    }
    expect_silence();
}

/* --- failure -------------------------------------------------------------------- */

static int64_t lost;

static int64_t count_lost(void *with)
{
    (void)with;
    return lost;
}

static sv_status lock_and_unlock(void *with)
{
    sv_buffer *b = NULL;
    sv_status status = sv_buffer_register(pages, PAGES, 0, count, &released, &b);

    (void)with;
    lost = 0;
    released = 0;
    cr_expect_eq(b != NULL, status == SV_OK);
    if (status != SV_OK)
        lost = fake_live_memory(); /* what could not be unlocked again */
    SVI_TRY(status);
    sv_buffer_release(b);
    status = finish();
    lost = status != SV_OK;
    cr_expect_eq(released, status == SV_OK, "the owner is told when nobody uses the pages: %d", (int)status);
    return status;
}

Test(buffer_register, each_call_fails_once)
{
    const struct fake_settings settings = {.policy = FAKE_LAZY};
    struct fake_trial trial = {.run = lock_and_unlock, .lost = count_lost};
    int rounds = 0;

    for (int stays = 0; stays < 2; stays++) {
        const char *wrong;

        trial.stays = stays;
        wrong = fake_fail_each(&trial, &settings, &rounds);
        cr_expect_str_eq(wrong, "", "stays %d: %s", stays, wrong);
        cr_expect_gt(rounds, 5, "%d", rounds);
    }
}

Test(buffer_register, without_a_device_the_probe_says_why)
{
    sv_buffer *b = NULL;

    fake_start_with(&(struct fake_settings){.driver = FAKE_NO_DRIVER, .counting = cudaErrorInsufficientDriver});
    cr_expect_eq(sv_buffer_register(pages, PAGE, 0, count, NULL, &b), SV_ERROR_UNSUPPORTED, "%s", sv_last_message());
    cr_expect_not_null(strstr(sv_last_message(), "no driver"), "%s", sv_last_message());
    cr_expect_null(b);
    cr_expect_eq(released, 0);
    fake_end();
}

/* The child has a copy of the pages, which nothing locks. */
static int in_the_child(sv_buffer *old)
{
    sv_buffer *b = NULL;

    if (sv_buffer_register(pages + PAGE, PAGE, 0, NULL, NULL, &b) != SV_ERROR_FORKED)
        return 1;
    sv_buffer_release(old);
    if (finish() != SV_OK)
        return 2;
    return released == 1 ? 0 : 3;
}

Test(buffer_register, a_child_is_told_that_it_was_forked)
{
    sv_buffer *b = NULL;
    int status = 0;
    pid_t child;

    cr_assert_eq(sv_buffer_register(pages, PAGE, 0, count, &released, &b), SV_OK, "%s", sv_last_message());
    child = fork();
    if (child == 0)
        _exit(in_the_child(b));
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", status);
    sv_buffer_release(b);
    cr_expect_eq(finish(), SV_OK);
    cr_expect_eq(released, 1);
    expect_silence();
}
