#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "race.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLOW_ROUNDS = 3, TRIES = 5 };
static const double batch = 2e-3, slow_ns = 150e6; /* a batch takes so many seconds, or more */
static const double idle = 5e-5; /* seconds that sleeping threads may take in a millisecond */
static const double helped = 0.2; /* of a thread's time, by others */
static const double lost = 0.02; /* of a batch: longer must no thread have waited for a processor */

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

/* Of this process, without this thread. */
static double others_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) - bench_thread_seconds();
}

/* OpenMP's threads wait for more work at full speed, for milliseconds: who comes next would have a processor less. */
static void wait_for_other_threads(void)
{
    const struct timespec millisecond = {0, 1000000};
    double before, after = others_seconds();

    do {
        before = after;
        nanosleep(&millisecond, NULL);
        after = others_seconds();
    } while (after - before > idle);
}

static double time_of(const struct bench_racer *racer, long calls, double (*seconds)(void))
{
    double begin = seconds();

    for (long k = 0; k < calls; k++)
        racer->run(racer->ctx);
    return seconds() - begin;
}

static double waited_by(const char *thread)
{
    unsigned long long running = 0, waiting = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/self/task/%.20s/schedstat", thread);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%llu %llu", &running, &waiting) != 2)
        waiting = 0;
    fclose(file);
    return (double)waiting * 1e-9;
}

/* Seconds that this process' threads had to wait since they began, because others had the processors; 0 where the
   system does not tell. */
static double waited(void)
{
    DIR *threads = opendir("/proc/self/task");
    const struct dirent *thread;
    double seconds = 0;

    while (threads != NULL && (thread = readdir(threads)) != NULL)
        if (thread->d_name[0] != '.')
            seconds += waited_by(thread->d_name);
    if (threads != NULL)
        closedir(threads);
    return seconds;
}

/* Seconds of a call. */
static double run_batch(const struct bench_racer *racer, double (*seconds)(void))
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
    return time / (double)calls;
}

/* Where another program wants a processor a copy of 10 us by two threads takes milliseconds: once more. */
static void run_round(struct bench_racer *racer, double (*seconds)(void))
{
    double before, begin, time;
    int tries = 0;

    do {
        before = waited();
        begin = bench_clock_seconds();
        time = run_batch(racer, seconds);
    } while (waited() - before > lost * (bench_clock_seconds() - begin) && ++tries < TRIES);
    racer->ns[racer->rounds++] = time * 1e9;
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

bool bench_takes_threads(const struct bench_racer *racer)
{
    double own = bench_thread_seconds(), others = others_seconds(), began = bench_clock_seconds();

    do
        racer->run(racer->ctx);
    while (bench_clock_seconds() - began < batch);
    own = bench_thread_seconds() - own;
    return others_seconds() - others > helped * own;
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

static int ratios_of(const struct bench_racer *one, const struct bench_racer *other, double *ratios)
{
    int rounds = one->rounds < other->rounds ? one->rounds : other->rounds;

    for (int k = 0; k < rounds; k++)
        ratios[k] = one->ns[k] / other->ns[k];
    return rounds;
}

double bench_ratio(const struct bench_racer *one, const struct bench_racer *other)
{
    double ratios[BENCH_ROUNDS];
    int rounds = ratios_of(one, other, ratios);

    return bench_median(rounds, ratios);
}

double bench_least_ratio(const struct bench_racer *one, const struct bench_racer *other)
{
    double ratios[BENCH_ROUNDS], least = HUGE_VAL;
    int rounds = ratios_of(one, other, ratios);

    for (int k = 0; k < rounds; k++)
        least = ratios[k] < least ? ratios[k] : least;
    return least;
}
