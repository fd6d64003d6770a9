#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

enum { BATCH = 50000 }; /* ns that a batch takes at least */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_of(void (*once)(void), long calls)
{
    double begin = now();

    for (long i = 0; i < calls; i++)
        once();
    return now() - begin;
}

static long calls_in_batch(void (*once)(void))
{
    long calls = 1;

    while (time_of(once, calls) < BATCH)
        calls *= 2;
    return calls;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(int count, double *values)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

bool bench_is_right(const struct bench_row *row)
{
    const char *result;

    row->once();
    result = row->result();
    if (strcmp(result, row->expected) == 0)
        return true;
    printf("# %s: %s, not %s\n", row->name, result, row->expected);
    return false;
}

void bench_measure(int count, struct bench_row *rows, int rounds)
{
    double *times = malloc((size_t)count * (size_t)rounds * sizeof *times);
    long *calls = malloc((size_t)count * sizeof *calls);

    if (times == NULL || calls == NULL)
        abort();
    for (int i = 0; i < count; i++)
        calls[i] = calls_in_batch(rows[i].once);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++)
            times[i * rounds + round] = time_of(rows[i].once, calls[i]) / (double)calls[i];
    for (int i = 0; i < count; i++)
        rows[i].ns = median(rounds, times + i * rounds);
    free(calls);
    free(times);
}

static double ns_of(int count, const struct bench_row *rows, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].ns;
    abort();
}

double bench_limit(int count, const struct bench_row *rows, const struct bench_row *row)
{
    return row->plus + (row->base != NULL ? row->times * ns_of(count, rows, row->base) : 0);
}

static void limit_text(const struct bench_row *row, char *text, size_t size)
{
    int used = 0;

    text[0] = '\0';
    if (row->base != NULL)
        used = row->times == 1 ? snprintf(text, size, "%s", row->base)
                               : snprintf(text, size, "%g x %s", row->times, row->base);
    if (row->plus > 0)
        snprintf(text + used, size - (size_t)used, "%s%g ns", used > 0 ? " + " : "", row->plus);
}

void bench_print(int count, const struct bench_row *rows, const char *unit)
{
    double unit_ns = ns_of(count, rows, unit);
    char text[64];

    printf("%-40s %8s  %s\n", "", "ns", unit);
    for (int i = 0; i < count; i++) {
        double limit = bench_limit(count, rows, &rows[i]);

        printf("%-40s %8.1f %6.2f", rows[i].name, rows[i].ns, rows[i].ns / unit_ns);
        limit_text(&rows[i], text, sizeof text);
        if (limit > 0)
            printf("        %-6s  at most %.1f = %s", rows[i].ns <= limit ? "met" : "MISSED", limit, text);
        printf("\n");
    }
}

bool bench_write(int count, const struct bench_row *rows, const char *unit, const char *path)
{
    FILE *file = fopen(path, "w");
    char text[64];

    if (file == NULL)
        return false;
    fprintf(file, "{\"compiler\": \"%s\", \"unit\": \"%s\", \"rows\": [", COMPILER, unit);
    for (int i = 0; i < count; i++) {
        limit_text(&rows[i], text, sizeof text);
        fprintf(file, "%s\n  {\"name\": \"%s\", \"ns\": %.3f, \"limit\": %.3f, \"target\": \"%s\"}", i > 0 ? "," : "",
                rows[i].name, rows[i].ns, bench_limit(count, rows, &rows[i]), text);
    }
    fprintf(file, "\n]}\n");
    return fclose(file) == 0;
}
