/* One copy, and everybody who does it: libsv, the ways to copy bytes that follow each other, and peers. */
#ifndef BENCH_COPY_FIELD_H
#define BENCH_COPY_FIELD_H

#include <stdio.h>

#include "contiguous.h"
#include "copy_cases.h"
#include "race.h"

enum { BENCH_RACERS = 24 };

/* Views of memory of a case's own, in huge pages where the system gives them, and a plan for them. */
struct bench_sides {
    char *dst, *src;
    int64_t dst_bytes, src_bytes;
    sv_view *to, *from;
    void *to_data, *from_data; /* of the views */
    sv_plan *plan;
    uint32_t flags;
    int32_t threads;
};

/* For sv_copy(). */
uint32_t bench_flags(const struct bench_case *c);

struct bench_sides bench_sides_open(const struct bench_case *c, int32_t threads);
void bench_sides_close(struct bench_sides *s);

/* Whether sv_copy() and the plan copy the case; the source is written first. */
bool bench_sides_are_right(const struct bench_case *c, struct bench_sides *s);

/* A case in full: libsv's copy and, in cache, its plan; contiguous ways; peers. */
struct bench_field {
    const struct bench_case *c;
    struct bench_sides sides;
    struct bench_racer racers[BENCH_RACERS];
    struct bench_contiguous_run {
        const struct bench_contiguous *way;
        char *dst;
        const char *src;
        size_t nbytes;
        bool fill;
        int32_t threads;
    } flats[BENCH_RACERS];
    char *flat_dst, *flat_src;
    int ours, ways, peers; /* racers, in this order */
    bool right;            /* what libsv copied; peers that copy something else take no part */
};

void bench_field_open(struct bench_field *field, const struct bench_case *c, bool peers, int32_t threads);
void bench_field_close(struct bench_field *field);
void bench_field_run(struct bench_field *field, int rounds);

void bench_field_print(const struct bench_field *field);
void bench_field_write(const struct bench_field *field, FILE *file); /* one row, as JSON */

#endif
