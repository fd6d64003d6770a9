/*
 * A side of the blocks of a transpose: the rows of the source, or its columns.
 * They are a run on one side of the copy; where an axis is short, axes that go
 * on with its run belong to the side too, and on the other side of the copy the
 * items lie anywhere.
 */
#ifndef SVI_HOST_AXIS_GROUP_H
#define SVI_HOST_AXIS_GROUP_H

#include <stdbool.h>

#include "plan.h"

enum { SVI_SIDE = 4096 }; /* offsets at most */

struct svi_side {
    int64_t unit;             /* items of the axes that are in each block whole */
    int64_t steps;            /* along the axis that is cut into blocks */
    int64_t block;            /* items of one */
    int64_t run, other;       /* bytes of such a step: where the side is a run, and on the other side of the copy */
    int64_t items;            /* that blocks have, all of them but for svi_side_cut_behind; */
    int64_t lead;             /* it lets them begin so many later */
    int64_t offset[SVI_SIDE]; /* there, of each item of a block, from the beginning of a unit on; with a lead of all */
};

/* Which axis that is not taken has steps of so many bytes in run; -1: none. */
int32_t svi_side_axis(const struct svi_plan *plan, const int64_t *run, int64_t nbytes, const bool *taken);

/*
 * Of the axis that has so many steps. Further axes of the plan that go on in
 * run, its strides there, are taken, and marked so, while a block has fewer
 * than least items; other has their strides on the other side.
 */
void svi_side_make(struct svi_side *side, const struct svi_plan *plan, const int64_t *run, const int64_t *other,
                   int64_t steps, int64_t other_step, int64_t least, bool *taken);

/* Cuts it into blocks of about so many items, and of whole lines. False where that takes more than twice as many. */
bool svi_side_cut(struct svi_side *side, int64_t item, int64_t items);

/*
 * The same, of a side that is whole lines and has no more than SVI_SIDE / 2 items, but from item lead on, less than a
 * line: behind the last one is the first again, next bytes away on the other side of the copy. Or, ends, nothing is, and
 * what is no whole line there belongs to no block.
 */
void svi_side_cut_behind(struct svi_side *side, int64_t item, int64_t items, int64_t lead, int64_t next, bool ends);

/* Cuts it into blocks of whole units: of so many items at most, which are not less than the least of svi_side_make. */
void svi_side_cut_units(struct svi_side *side, int64_t items);

/* Cuts it into blocks of so many items, or of all, that begin with any item of a unit. */
void svi_side_cut_anywhere(struct svi_side *side, int64_t items);

static inline int64_t svi_side_items(const struct svi_side *side)
{
    return side->items;
}

#endif
