#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include "race.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLOW_ROUNDS = 3 };
static const double batch = 2e-3, slow_ns = 150e6; /* a batch takes so many seconds, or more */
static const double idle = 5e-5; /* seconds that sleeping threads may take in a millisecond */

static double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double bench_thread_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double bench_clock_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* OpenMP's threads wait for more work at full speed, for milliseconds: who comes next would have a processor less. */
static void wait_for_other_threads(void)
{
    const struct timespec millisecond = {0, 1000000};
    double before, after = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - bench_thread_seconds();

    do {
        before = after;
        nanosleep(&millisecond, NULL);
        after = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - bench_thread_seconds();
    } while (after - before > idle);
}

static double time_of(const struct bench_racer *racer, long calls, double (*seconds)(void))
{
    double begin = seconds();

    for (long k = 0; k < calls; k++)
        racer->run(racer->ctx);
    return seconds() - begin;
}

static void run_round(struct bench_racer *racer, double (*seconds)(void))
{
    double time;
    long calls = 1;

    if (seconds != bench_thread_seconds)
        wait_for_other_threads();
    time = time_of(racer, 1, seconds); /* also brings the data to the cache, where they fit */
    while (time < batch) {
        calls *= 4;
        time = time_of(racer, calls, seconds);
    }
    racer->ns[racer->rounds++] = time / (double)calls * 1e9;
}

void bench_race(int count, struct bench_racer *racers, int rounds, double (*seconds)(void))
{
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < count; k++) {
            struct bench_racer *racer = &racers[round % 2 == 0 ? k : count - 1 - k];

            if (racer->rounds < SLOW_ROUNDS || racer->ns[SLOW_ROUNDS - 1] < slow_ns)
                run_round(racer, seconds);
        }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double bench_median(int count, const double *values)
{
    double sorted[BENCH_ROUNDS];

    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return sorted[count / 2];
}

double bench_ratio(const struct bench_racer *one, const struct bench_racer *other)
{
    int rounds = one->rounds < other->rounds ? one->rounds : other->rounds;
    double ratios[BENCH_ROUNDS];

    for (int k = 0; k < rounds; k++)
        ratios[k] = one->ns[k] / other->ns[k];
    return bench_median(rounds, ratios);
}
