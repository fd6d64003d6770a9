/*
 * How long calls of a few nanoseconds take: the rows of a table run in turns,
 * in short batches, so that whatever else the machine does meets all of them;
 * the median of a row's batches counts.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdbool.h>

struct bench_row {
    const char *name;
    void (*once)(void);
    const char *(*result)(void); /* what once has done, as text, and what it must be */
    const char *expected;

    /* What is aimed at: at most times * the row named base + plus ns. Nothing when both are 0. */
    const char *base; /* NULL: plus alone */
    double times;
    double plus;

    double ns; /* of one call, once measured */
};

/* Whether calling once does what it must; else a line starting with # tells what it did. */
bool bench_is_right(const struct bench_row *row);

/* Fills in ns from so many rounds of batches. */
void bench_measure(int count, struct bench_row *rows, int rounds);

/* What a row may take, in ns; 0 when it has no target. */
double bench_limit(int count, const struct bench_row *rows, const struct bench_row *row);

/* A table to read, with ratios to the row named unit. */
void bench_print(int count, const struct bench_row *rows, const char *unit);

/* The same for report.py. False when the file cannot be written. */
bool bench_write(int count, const struct bench_row *rows, const char *unit, const char *path);

#endif
