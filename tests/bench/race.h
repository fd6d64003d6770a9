/* Copies that take from nanoseconds to seconds, timed in turns, so that whatever else the machine does meets all. */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include <stdbool.h>

enum { BENCH_ROUNDS = 31 };

struct bench_racer {
    const char *name;
    void (*run)(void *ctx);
    void *ctx;

    int rounds;               /* in which it took part */
    double ns[BENCH_ROUNDS]; /* of one run */
};

/* Seconds: of this thread, so that what else runs does not count but for the memory's bandwidth; or of the clock. */
double bench_thread_seconds(void);
double bench_clock_seconds(void);

/*
 * Each racer runs for a millisecond or once in each of rounds, there and back; slow ones only in the first three. By
 * the clock, each waits until the threads of the one before are asleep. What other programs disturbed, as far as the
 * system tells, is run again, four times at most. Rounds of earlier calls stay, up to BENCH_ROUNDS in all.
 */
void bench_race(int count, struct bench_racer *racers, int rounds, double (*seconds)(void));

/* Whether other threads do a part of what it does. Runs it for a millisecond, or once. */
bool bench_takes_threads(const struct bench_racer *racer);

double bench_median(int count, const double *values);

/* Median over the rounds that both took part in of how many times longer one takes than other. */
double bench_ratio(const struct bench_racer *one, const struct bench_racer *other);
double bench_least_ratio(const struct bench_racer *one, const struct bench_racer *other);

#endif
