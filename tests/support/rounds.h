/*
 * Rounds of random tests. All numbers of a round come from (SV_TEST_SEED, round), so that each can be run alone:
 *
 *     for (int64_t round = test_first_round(); test_round(round, test_cases()); round++)
 *
 * A test that ends within a round says which one it was, and what test_tell() was told of it. With SV_TEST_ROUND in the
 * environment a test runs that round and ends.
 */
#ifndef SVI_TEST_ROUNDS_H
#define SVI_TEST_ROUNDS_H

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "failure.h"

static struct {
    uint64_t random;
    int64_t round; /* -1: none is running */
    size_t length;
    char told[8000];
} test_now = {.random = 88172645463325252u, .round = -1};

/* --- what a round says of itself --------------------------------------------- */

/* A number of the environment. */
static inline long long test_number(const char *name, long long otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? strtoll(text, NULL, 10) : otherwise;
}

/* A line that is printed if this round fails. */
__attribute__((format(printf, 1, 2))) static inline void test_tell(const char *format, ...)
{
    const size_t left = sizeof test_now.told - test_now.length;
    va_list args;
    int length;

    va_start(args, format);
    length = snprintf(test_now.told + test_now.length, left, "# ") +
             vsnprintf(test_now.told + test_now.length + 2, left > 2 ? left - 2 : 0, format, args) + 1;
    va_end(args);
    if ((size_t)length >= left) {
        test_now.told[test_now.length] = '\0';
        return;
    }
    test_now.length += (size_t)length;
    test_now.told[test_now.length - 1] = '\n';
    test_now.told[test_now.length] = '\0';
}

/* Prints what is known of the round that runs, if any does; once. */
static inline void test_report_round(void)
{
    static char text[sizeof test_now.told + 100];
    const int64_t round = test_now.round;

    if (round < 0)
        return;
    test_now.round = -1;
    snprintf(text, sizeof text, "# SV_TEST_SEED=%lld SV_TEST_ROUND=%" PRId64 "\n%.*s", test_number("SV_TEST_SEED", 0),
             round, (int)test_now.length, test_now.told);
    failure_print(text);
}

static inline void test_report_signal(int number)
{
    test_report_round();
    failure_signal(number);
}

/* When a test fails or crashes. Handlers of others, such as a sanitizer's, stay. */
static inline void test_report_later(void)
{
    static const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
    static bool done;

    if (done)
        return;
    done = true;
    failure_call(test_report_round);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        void (*const handler)(int) = signal(signals[i], test_report_signal);

        if (handler != SIG_DFL)
            signal(signals[i], handler);
    }
}

/* --- numbers ----------------------------------------------------------------- */

static inline uint64_t test_mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
    return x ^ x >> 33;
}

static inline uint64_t test_random(void)
{
    test_now.random ^= test_now.random << 13;
    test_now.random ^= test_now.random >> 7;
    test_now.random ^= test_now.random << 17;
    return test_now.random >> 11;
}

/* low to high, both included */
static inline int64_t test_between(int64_t low, int64_t high)
{
    return low + (int64_t)(test_random() % (uint64_t)(high - low + 1));
}

/* --- how many rounds --------------------------------------------------------- */

/* Whether programs run under valgrind or another processor's emulator: SV_EMULATOR has its command. */
static inline bool test_is_emulated(void)
{
    const char *emulator = getenv("SV_EMULATOR");

    return emulator != NULL && *emulator != '\0' && strcmp(emulator, "env") != 0;
}

/* How often a random test goes round: in make check (less under an emulator), in make check-full, in make check-long. */
static inline int test_rounds(int check, int full, int longest)
{
    const char *scale = getenv("SV_TEST_SCALE");

    if (test_is_emulated())
        return (check + 3) / 4;
    if (scale != NULL && strcmp(scale, "long") == 0)
        return longest;
    return scale != NULL && strcmp(scale, "full") == 0 ? full : check;
}

/* For tests whose rounds are short. */
static inline int test_cases(void)
{
    return test_rounds(20000, 100000, 1000000);
}

/* --- rounds ------------------------------------------------------------------ */

static inline void test_begin_round(int64_t round)
{
    test_report_later();
    test_now.random = test_mix(test_mix((uint64_t)test_number("SV_TEST_SEED", 0) + 1) + (uint64_t)round) | 1;
    test_now.round = round;
    test_now.length = 0;
}

static inline int64_t test_first_round(void)
{
    return test_number("SV_TEST_ROUND", 0);
}

/* Begins a round if goes_on. The process ends after the one round that SV_TEST_ROUND asks for. */
static inline bool test_round_if(int64_t round, bool goes_on)
{
    const int64_t alone = test_number("SV_TEST_ROUND", -1);

    test_now.round = -1;
    if (alone >= 0 && round > alone) {
        printf("# SV_TEST_ROUND=%" PRId64 " found nothing\n", alone);
        exit(0);
    }
    if (alone >= 0 ? round < alone : !goes_on)
        return false;
    test_begin_round(round);
    return true;
}

/* Begins a round if there are more. Where rounds are counted within other loops: false for those that are left out. */
static inline bool test_round(int64_t round, int64_t count)
{
    return test_round_if(round, round < count);
}

/*
 * The same for so many seconds of the processor, ten times as long in make check-full, a thousand times in make
 * check-long, a quarter of it under an emulator; but 100 rounds at least.
 */
static inline bool test_round_within(int64_t round, double seconds)
{
    const double wanted = seconds * test_rounds(4, 40, 4000) / 4;
    static clock_t began;

    if (round == 0)
        began = clock();
    return test_round_if(round, round < 100 || round % 16 != 0 ||
                                    (double)(clock() - began) < wanted * CLOCKS_PER_SEC);
}

#endif
