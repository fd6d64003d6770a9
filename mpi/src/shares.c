/*
 * The indices of one axis that two processes share are counted block by block: a block of the side with larger blocks
 * meets each process of the other side in a number of indices that a formula has, and all there is repeats with the
 * common period of both sides. What two parts share of all axes is a product of such numbers, most of which are 0 for
 * grids of several axes: visits pass by the zeros.
 */
#include "shares.h"

#include <stdlib.h>

#include "failure.h"
#include "runs.h"

/* --- one axis ---------------------------------------------------------------- */

/* How many of the first `end` indices a process has. */
static int64_t below(const struct svm_axis *axis, int64_t end, int64_t process)
{
    const struct svm_axis cut = {end, axis->count, axis->block};

    return svm_axis_local_extent(&cut, process);
}

/* Add `times` what the processes share of the first `end` indices. counts has `step` numbers from one process of the
 * side with larger blocks to the next, and other_step from one of the other side to the next. */
static void add_shared(const struct svm_axis *large, const struct svm_axis *small, int64_t end, int64_t times,
                       int64_t *counts, int64_t step, int64_t other_step)
{
    for (int64_t block = 0, begin = 0; begin < end; block++) {
        const int64_t stop = end - begin < large->block ? end : begin + large->block;
        const int64_t first = begin / small->block, more = (stop - 1) / small->block - first;
        int64_t *row = counts + block % large->count * step;

        for (int64_t n = 0; n <= more && n < small->count; n++) {
            const int64_t process = (first + n) % small->count;

            row[process * other_step] += times * (below(small, stop, process) - below(small, begin, process));
        }
        begin = stop;
    }
}

static void count_shared(const struct svm_axis *to, const struct svm_axis *from, int64_t *counts)
{
    const int64_t period = svm_axes_period(to, from);
    const int64_t whole = period == INT64_MAX ? 0 : to->extent / period, rest = to->extent - whole * period;
    const bool is_to_large = to->block >= from->block;
    const struct svm_axis *large = is_to_large ? to : from, *small = is_to_large ? from : to;
    const int64_t step = is_to_large ? from->count : 1, other_step = is_to_large ? 1 : from->count;

    if (whole > 0)
        add_shared(large, small, period, whole, counts, step, other_step);
    add_shared(large, small, rest, 1, counts, step, other_step);
}

sv_status svm_shares_find(const struct sv_mpi_distribution *to, const struct sv_mpi_distribution *from,
                          const int32_t *axes, struct svm_shares *out)
{
    *out = (struct svm_shares){.to = to, .from = from};
    for (int32_t k = 0; k < to->ndim; k++) {
        const struct svm_axis *one = &to->axes[k], *other = &from->axes[axes[k]];

        out->axes[k] = axes[k];
        out->counts[k] = calloc((size_t)(one->count * other->count), sizeof *out->counts[k]);
        if (out->counts[k] == NULL)
            return svm_fail(SV_ERROR_MEMORY, "no memory for what two distributions share");
        count_shared(one, other, out->counts[k]);
    }
    return SV_OK;
}

void svm_shares_free(struct svm_shares *shares)
{
    for (int32_t k = 0; k < SVM_MAX_NDIM; k++)
        free(shares->counts[k]);
    *shares = (struct svm_shares){0};
}

/* --- parts and ranks --------------------------------------------------------- */

int64_t svm_shares_of(const struct svm_shares *shares, int32_t part, int32_t rank)
{
    int64_t to[SVM_MAX_NDIM], from[SVM_MAX_NDIM], elements = 1;

    if (!svm_distribution_coordinates(shares->from, rank, from))
        return 0;
    svm_part_coordinates(shares->to, part, to);
    for (int32_t k = 0; k < shares->to->ndim; k++) {
        const int32_t axis = shares->axes[k];

        elements *= shares->counts[k][to[k] * shares->from->axes[axis].count + from[axis]];
    }
    return elements;
}

/* The axes of the side that is gone through: what its processes share with the one place of the other side. */
struct walk {
    int32_t ndim;
    struct {
        const int64_t *counts; /* of process 0 */
        int64_t step, count;
    } axes[SVM_MAX_NDIM];
    void (*reach)(const struct walk *walk, int32_t number, int64_t elements);
    const struct svm_shares *shares;
    int32_t start; /* the part or rank whose partners are visited */
    svm_shares_visitor *visit;
    void *context;
};

static void go(const struct walk *walk, int32_t axis, int64_t number, int64_t elements)
{
    if (axis == walk->ndim) {
        walk->reach(walk, (int32_t)number, elements);
        return;
    }
    for (int64_t process = 0; process < walk->axes[axis].count; process++) {
        const int64_t shared = walk->axes[axis].counts[process * walk->axes[axis].step];

        if (shared > 0)
            go(walk, axis + 1, number * walk->axes[axis].count + process, elements * shared);
    }
}

static void reach_rank(const struct walk *walk, int32_t number, int64_t elements)
{
    const int32_t rank = svm_distribution_rank(walk->shares->from, number);

    if (rank >= walk->shares->to->first && rank < walk->shares->to->ranks)
        walk->visit(walk->context, walk->start, rank, elements);
}

static void reach_part(const struct walk *walk, int32_t number, int64_t elements)
{
    walk->visit(walk->context, number, walk->start, elements);
}

void svm_shares_visit_ranks(const struct svm_shares *shares, int32_t part, svm_shares_visitor *visit, void *context)
{
    const struct sv_mpi_distribution *to = shares->to, *from = shares->from;
    struct walk walk = {
        .ndim = to->ndim, .reach = reach_rank, .shares = shares, .start = part, .visit = visit, .context = context};
    int64_t place[SVM_MAX_NDIM];

    svm_part_coordinates(to, part, place);
    for (int32_t k = 0; k < to->ndim; k++) {
        const int32_t axis = shares->axes[k];

        walk.axes[axis].counts = shares->counts[k] + place[k] * from->axes[axis].count;
        walk.axes[axis].step = 1;
        walk.axes[axis].count = from->axes[axis].count;
    }
    go(&walk, 0, 0, 1);
}

void svm_shares_visit_parts(const struct svm_shares *shares, int32_t rank, svm_shares_visitor *visit, void *context)
{
    const struct sv_mpi_distribution *to = shares->to, *from = shares->from;
    struct walk walk = {
        .ndim = to->ndim, .reach = reach_part, .shares = shares, .start = rank, .visit = visit, .context = context};
    int64_t place[SVM_MAX_NDIM];

    if (!svm_distribution_coordinates(from, rank, place))
        return;
    for (int32_t k = 0; k < to->ndim; k++) {
        walk.axes[k].counts = shares->counts[k] + place[shares->axes[k]];
        walk.axes[k].step = from->axes[shares->axes[k]].count;
        walk.axes[k].count = to->axes[k].count;
    }
    go(&walk, 0, 0, 1);
}
