/*
 * Of what blocks a transpose past the cache is made, in whole lines: two axes or
 * more are their sides, the others go around them.
 */
#ifndef SVI_HOST_BLOCKING_H
#define SVI_HOST_BLOCKING_H

#include <stdbool.h>

#include "host/base/matrix.h"
#include "axis_group.h"

struct svi_shape {
    int64_t item;
    struct svi_side rows, columns; /* of the source */
    struct svi_plan outer;
    bool by_source; /* blocks are in the order of the source; or in that of the destination, but for those of a row */
};

/* As few items as are whole lines. */
static inline int64_t svi_items_of_lines(int64_t item)
{
    return SVI_LINE / (item & -item);
}

/*
 * What the blocks have of a matrix: rows in whole lines of the destination, from first on; rest is what they leave over
 * of a row of the source. Or rows, of all axes but the first outer, from item lead on: where the destination goes on
 * with an axis, next, those of each of its steps but the last, and up to there in the step behind it.
 */
struct svi_body {
    int64_t first, rows, columns, rest;
    int64_t lead;
    int32_t next; /* -1: none does, and what is no whole line at their end is left too */
    int32_t outer;
};

/* Whether a body is not all of it. */
bool svi_has_edges(const struct svi_matrix *m, const struct svi_body *body);

/* All of a transpose but its body, by tiles. */
void svi_host_edges(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                    const struct svi_body *body);

/* About so many rows and columns, in items, make a block. False where none are whole lines of the destination. */
bool svi_shape_choose(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m, int64_t rows,
                      int64_t columns, struct svi_body *body);

/*
 * Some lines of columns make a block, in the order of the source, with all rows, of one axis; ragged: rows need not be
 * whole lines of the destination.
 */
bool svi_shape_choose_lines(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m,
                            bool ragged, struct svi_body *body);

/* Its columns into blocks of so many at most, whole lines. */
void svi_shape_cut_columns(struct svi_shape *shape, int64_t items);

/* The outer axes: those that are not taken. */
void svi_shape_outer(struct svi_shape *shape, const struct svi_plan *plan, const bool *taken);

/* One more, the fastest. */
void svi_shape_axis(struct svi_plan *plan, int64_t count, int64_t dst, int64_t src);

#endif
