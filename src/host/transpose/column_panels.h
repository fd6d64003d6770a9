/*
 * Walks over two axes, or more, of a copy beyond the cache: those that are a run
 * in the source are its columns, those that are one in the destination its
 * rows. A strip is some columns of all rows, one below the other.
 */
#ifndef SVI_HOST_COLUMN_PANELS_H
#define SVI_HOST_COLUMN_PANELS_H

#include <stdbool.h>

#include "host/base/matrix.h"
#include "host/base/odometer.h"

/* Axes of the plan that go on with a run on one side of the copy; bytes between their items on the other. */
struct svi_run {
    int32_t ndim;
    int64_t count; /* items of all axes */
    int64_t shape[SVI_PLAN_NDIM], other[SVI_PLAN_NDIM];
};

/* Bytes from the first item to another, on the other side. */
int64_t svi_run_offset(const struct svi_run *run, int64_t index);

struct svi_strips {
    int64_t item;
    int64_t width; /* columns of a strip at most */
    int64_t fold;  /* rows that are read as one, which follow each other in the source; else 1 */
    struct svi_run rows, columns;
    struct svi_plan outer; /* the axes that are left: shape, dst, src */
};

/* Axes of the plan that go on with those of m are taken until a row has least bytes, and a strip its width. */
void svi_strips_make(struct svi_strips *s, const struct svi_plan *plan, const struct svi_matrix *m, int64_t least);

/* Whether the only strip is one run in the source. */
bool svi_strips_are_dense(const struct svi_strips *s);

/* Where a walk is: in a row of a strip. */
struct svi_strip {
    const struct svi_strips *strips;
    struct svi_odometer outer;
    int64_t column, columns; /* of this strip */
    int64_t row;
    int64_t left;   /* rows of the first axis, this one too */
    int64_t offset; /* of the row in the source */
};

void svi_strip_begin(struct svi_strip *s, const struct svi_strips *strips, char *dst, const char *src);

/* Enters the first row of the next strip. False after the last. */
bool svi_strip_next(struct svi_strip *s);

/* Rows of the strips, line by line. */
struct svi_strip_reader {
    struct svi_strip strip;
    const char *at, *end;
    bool done;
};

void svi_strip_reader_begin(struct svi_strip_reader *r, const struct svi_strip *strip);

/* Fetches so many lines. */
void svi_strip_fetch(struct svi_strip_reader *r, int64_t lines);

/* Where rows are copied to. */
struct svi_strip_buffer {
    char *to;
    int64_t pitch;
    int64_t rows; /* still to come, this one too; folded ones are one */
    int64_t at;   /* bytes of this row that are there */
};

/* Copies so many lines, while there are rows to come. How many it did. */
int64_t svi_strip_copy(struct svi_strip_reader *r, struct svi_strip_buffer *buffer, int64_t lines);

#endif
