/* A plan in parts that threads do in any order. Pure. */
#ifndef SVI_SPLIT_H
#define SVI_SPLIT_H

#include "plan/detour.h"

/* Axis k in pieces of whole units, the last maybe not: every part has one piece of each. */
struct svi_split {
    int64_t count; /* of parts */
    int64_t lead;  /* items that the first piece of the last axis has besides */
    int64_t unit[SVI_PLAN_NDIM];
    int64_t pieces[SVI_PLAN_NDIM];
};

/* In how many parts the plan is best done by so many threads; 1: as a whole. */
int64_t svi_split_tasks(const struct svi_plan *plan, int32_t threads);

/*
 * About as many parts as wanted, which is 1 or more: less than twice as many; fewer where they would be small. They end
 * with lines of what begins at dst; anywhere else they are as right.
 */
void svi_split_make(const struct svi_plan *plan, const void *dst, int64_t wanted, struct svi_split *out);

/*
 * As few parts as can be of which the memory between two halves (detour.h), in the order of one side and with items of
 * one, has at most so many bytes each, or is a single item, and which are runs where the side is dense: only axes that
 * are slow on that side are cut.
 */
void svi_split_chunks(const struct svi_plan *plan, int32_t side, int32_t items, int64_t most, struct svi_split *out);

/* The box of one part in the plan's axes: where it begins, and its extents. */
void svi_split_box(const struct svi_plan *plan, const struct svi_split *split, int64_t index, int64_t *first,
                   int64_t *count);

/* The plan of one part, for the addresses of the whole; not of an empty plan. */
void svi_split_part(const struct svi_plan *plan, const struct svi_split *split, int64_t index, struct svi_plan *out);

#endif
