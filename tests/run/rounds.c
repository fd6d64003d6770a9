/* What a random test says when it fails is enough to find the same fault again: in one round, and in the layouts. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include <sys/wait.h>
#include <unistd.h>

#include "support/pairs.h"
#include "tap.h"

enum { ROUNDS = 1000, TEXT = 4000 };
enum ending { BY_EXIT, BY_ABORT, BY_SIGNAL };

/* Sanitizers keep the signals of crashes for their own reports. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { ENDINGS = BY_SIGNAL };
#else
enum { ENDINGS = BY_SIGNAL + 1 };
#endif

static const char *const names[] = {"exit", "abort", "a signal"};

/* A copy with a fault: an axis of 5 loses its last element where the source goes backwards. */
static bool is_copied(const struct test_pair *p)
{
    for (int32_t k = 0; k < p->ndim; k++)
        if (p->shape[k] == 5 && p->src[k] < 0)
            return test_pair_is_empty(p);
    return true;
}

static void end(enum ending ending)
{
    if (ending == BY_ABORT)
        abort();
    if (ending == BY_SIGNAL)
        raise(SIGSEGV);
    exit(1);
}

/* A random test, as all of them are. */
static void test_copies(enum ending ending)
{
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, ROUNDS); round++) {
        test_pair_random(&p, 3000);
        if (!is_copied(&p))
            end(ending);
    }
    exit(0);
}

/* What a child writes that runs the test; how it ended. */
static int run(enum ending ending, char *text)
{
    size_t length = 0;
    ssize_t more = 0;
    int status = -1, ends[2];
    pid_t child;

    if (pipe(ends) != 0)
        return -1;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        test_copies(ending);
    }
    close(ends[1]);
    while (child > 0 && (more = read(ends[0], text + length, TEXT - 1 - length)) > 0)
        length += (size_t)more;
    text[length] = '\0';
    close(ends[0]);
    if (child > 0)
        waitpid(child, &status, 0);
    return status;
}

/* Whether it names a round, which alone ends in the same way and says the same. */
static bool is_found_again(enum ending ending, char *text)
{
    char again[TEXT];
    const char *round;
    const int status = run(ending, text);
    bool same;

    if (status == 0 || (round = strstr(text, "SV_TEST_ROUND=")) == NULL)
        return false;
    setenv("SV_TEST_ROUND", round + strlen("SV_TEST_ROUND="), 1);
    same = run(ending, again) == status && strcmp(text, again) == 0;
    unsetenv("SV_TEST_ROUND");
    return same;
}

/* Whether the layouts of a command are those of a pair with the fault. */
static bool is_in_layouts(const char *text)
{
    char dst_text[500], src_text[500];
    sv_layout *dst = NULL, *src = NULL;
    struct test_pair p = {0};
    bool found = false;

    text = strstr(text, "python -m strideview explain");
    if (text == NULL || sscanf(text, "python -m strideview explain '%499[^']' '%499[^']'", dst_text, src_text) != 2)
        return false;
    if (sv_layout_parse(dst_text, &dst) == SV_OK && sv_layout_parse(src_text, &src) == SV_OK) {
        p.ndim = sv_layout_ndim(dst);
        memcpy(p.shape, sv_layout_shape(dst), (size_t)p.ndim * sizeof *p.shape);
        memcpy(p.src, sv_layout_byte_strides(src), (size_t)p.ndim * sizeof *p.src);
        found = !is_copied(&p);
    } else {
        tap_note("%s", sv_last_message());
    }
    sv_layout_release(dst);
    sv_layout_release(src);
    return found;
}

static void test_faults(void)
{
    char text[TEXT];

    for (int ending = 0; ending < ENDINGS; ending++) {
        if (!tap_ok(is_found_again(ending, text), "the round that ends by %s is found again, alone", names[ending]))
            tap_note("%s", text);
        if (!tap_ok(is_in_layouts(text), "and its layouts have the fault"))
            tap_note("%s", text);
    }
}

/* Rounds have numbers of their own, and the same wherever they are begun. */
static void test_numbers(void)
{
    uint64_t first[100];
    bool same = true, apart = true;

    for (int64_t round = 0; round < 100; round++) {
        test_begin_round(round);
        first[round] = test_random();
        apart &= round == 0 || first[round] != first[round - 1];
    }
    for (int64_t round = 99; round >= 0; round--) {
        test_begin_round(round);
        same &= first[round] == test_random();
    }
    setenv("SV_TEST_SEED", "1", 1);
    test_begin_round(0);
    tap_ok(same, "numbers of a round depend on no other");
    tap_ok(apart && first[0] != test_random(), "other rounds and other seeds have other numbers");
    unsetenv("SV_TEST_SEED");
    test_now.round = -1;
}

int main(void)
{
    unsetenv("SV_TEST_ROUND");
    unsetenv("SV_TEST_SEED");
    test_faults();
    test_numbers();
    return tap_done();
}
