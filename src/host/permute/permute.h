/*
 * Copies as permutations of bytes within lines. The destination consists of records at a constant distance. After a
 * number of lines, the period, a line begins with a record again. Each line of a period has a table of the places that
 * its bytes come from, and from period to period the source advances by a constant step.
 */
#ifndef SVI_HOST_PERMUTE_H
#define SVI_HOST_PERMUTE_H

#include "base/checked.h"
#include "host/loop/facts.h"

struct svi_permutation {
    const struct svi_plan *plan;
    int32_t axis;   /* along which records follow each other; a record is made of the axes behind it */
    int64_t record; /* bytes from one to the next in the destination */
    int64_t nbytes; /* of a record, without a gap behind it */
    int64_t lines;  /* of a period */
};

static inline struct svi_permutation svi_permutation_by(const struct svi_plan *plan, int32_t axis)
{
    const int64_t record = plan->dst[axis];
    struct svi_permutation p = {plan, axis, record, plan->item, record / svi_smaller(record & -record, SVI_LINE)};

    for (int32_t k = axis + 1; k < plan->ndim; k++)
        p.nbytes += (plan->shape[k] - 1) * plan->dst[k];
    return p;
}

/* Whether there are gaps between the elements of a record, or behind them. */
static inline bool svi_has_gaps(const struct svi_permutation *p)
{
    int64_t nbytes = p->plan->item;

    for (int32_t k = p->axis + 1; k < p->plan->ndim; k++)
        nbytes *= p->plan->shape[k];
    return nbytes < p->record;
}

/* Whether the instruction set permutes bytes within lines. */
static inline bool svi_permutes(const struct svi_machine *machine)
{
    return machine->isa->permute != NULL;
}

/*
 * Runs the copy, if svi_permutes(). streams: whole lines are stored by non-temporal stores. False: nothing is done,
 * since a line has too many windows or memory for the tables is lacking.
 */
bool svi_permute(const struct svi_host_copy *c, const struct svi_permutation *p, bool streams);

#endif
