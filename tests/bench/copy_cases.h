/* The copies that are measured: one list for C, for Python and for the test of what the planner chooses. */
#ifndef BENCH_COPY_CASES_H
#define BENCH_COPY_CASES_H

#include <stdbool.h>

#include "sv.h"

enum { BENCH_CASES = 4096, BENCH_NAME = 48 };

/* What its line in copy_cases.txt says. */
struct bench_case {
    char group[BENCH_NAME], name[BENCH_NAME];
    char dtype[BENCH_NAME], src_dtype[BENCH_NAME];
    sv_layout *dst, *src;  /* of one shape; repeated elements of src have strides of 0 */
    char unit[BENCH_NAME]; /* of the target */
    double target;         /* 0: none */
    char kind[BENCH_NAME]; /* what the planner calls it */
};

/* All cases of a file, in cases, which has room for BENCH_CASES. 0, with a line on stderr, where it cannot be read. */
int bench_cases_read(const char *path, struct bench_case *cases);
void bench_cases_release(int count, struct bench_case *cases);

/* The same copy of a few thousand elements: shorter axes, with the gaps that there were between elements. */
struct bench_case bench_case_small(const struct bench_case *from);

/* A view of as much memory as it needs. */
sv_view *bench_view(const sv_layout *layout, const char *dtype, void *base);

/* Bytes from the address that a layout counts from to behind its last element; it begins at 0 or later. */
int64_t bench_span(const sv_layout *layout);

#endif
