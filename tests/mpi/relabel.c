/*
 * Parts that are given to other ranks, without messages: assignments against all permutations for few ranks, and what is
 * refused. Run by mpiexec; one rank is enough.
 */
#include <stdlib.h>

#include "../../mpi/src/assignment.h"
#include "pairs.h"

/* --- allocations that fail ---------------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);
extern void __libc_free(void *);

static bool is_counted;
static int until_failure = -1, live;

static bool fails(void)
{
    return is_counted && until_failure >= 0 && until_failure-- == 0;
}

static void *counted(void *memory)
{
    live += is_counted && memory != NULL;
    return memory;
}

void *malloc(size_t nbytes)
{
    return fails() ? NULL : counted(__libc_malloc(nbytes));
}

void *calloc(size_t count, size_t nbytes)
{
    return fails() ? NULL : counted(__libc_calloc(count, nbytes));
}

void free(void *memory)
{
    live -= is_counted && memory != NULL;
    __libc_free(memory);
}

/* --- assignments -------------------------------------------------------------- */

/* The most that any assignment of the rows from `row` on to columns that are not taken keeps. */
static int64_t most_kept(int64_t weights[MAX_PARTS][MAX_PARTS], int row, int end, uint64_t taken, int first)
{
    int64_t most = 0;

    for (int column = first; column < end && row < end; column++)
        if (!(taken >> column & 1)) {
            const int64_t kept = weights[row][column] + most_kept(weights, row + 1, end, taken | UINT64_C(1) << column, first);

            most = kept > most ? kept : most;
        }
    return most;
}

/* Ranks that have the same numbers of elements as before, in some order: who has parts does not change. */
static bool has_same_ranks(const sv_mpi_distribution *one, const sv_mpi_distribution *other, int32_t ndim)
{
    int64_t sums[2] = {0}, squares[2] = {0};
    const sv_mpi_distribution *both[] = {one, other};

    for (int i = 0; i < 2; i++)
        for (int32_t k = 0; k < sv_mpi_distribution_ranks(both[i]); k++) {
            int64_t shape[MAX_NDIM], size = 1;

            sv_mpi_distribution_local_shape(both[i], k, shape);
            for (int32_t axis = 0; axis < ndim; axis++)
                size *= shape[axis];
            sums[i] += size;
            squares[i] += size * size;
        }
    return sv_mpi_distribution_ranks(one) == sv_mpi_distribution_ranks(other) && sums[0] == sums[1] &&
           squares[0] == squares[1];
}

/* All permutations of up to six ranks. */
static bool test_all_permutations(void)
{
    static int64_t weights[MAX_PARTS][MAX_PARTS];

    for (int round = 0; round < 3000; round++) {
        sv_mpi_distribution *relabelled = NULL;
        struct pair pair;
        int64_t most, kept;
        bool good;

        random_begin((uint64_t)round);
        choose_pair(&pair, 6);
        good = count(&pair, pair.to, weights) &&
               sv_mpi_distribution_relabel(pair.to, pair.from, pair.axes, &relabelled) == SV_OK;
        most = most_kept(weights, pair.to->first, pair.to->ranks, 0, pair.to->first);
        kept = good ? kept_of(&pair, relabelled) : -1;
        good = good && kept == most && has_same_ranks(relabelled, pair.to, pair.ndim);
        if (!good)
            printf("# round %d: keeps %lld, not %lld\n", round, (long long)kept, (long long)most);
        sv_mpi_distribution_release(relabelled);
        free_pair(&pair);
        if (!good)
            return false;
    }
    return true;
}

/* No part and rank that both share more with each other than with whom they got: what a half of the most follows from. */
static bool is_stable(const struct pair *pair, int64_t weights[MAX_PARTS][MAX_PARTS], const int32_t *ranks_of)
{
    const int32_t count = svm_distribution_parts(pair->to), first = pair->to->first;

    for (int32_t part = 0; part < count; part++)
        for (int32_t other = 0; other < count; other++) {
            const int64_t *mine = weights[svm_distribution_rank(pair->to, part)];
            const int64_t *theirs = weights[svm_distribution_rank(pair->to, other)];
            const int32_t rank_of_other = first + ranks_of[other];

            if (mine[rank_of_other] > mine[first + ranks_of[part]] && mine[rank_of_other] > theirs[rank_of_other])
                return false;
        }
    return true;
}

/* The two ways beside each other: neither is a permutation with too little. */
static bool test_greedy(void)
{
    static int64_t weights[MAX_PARTS][MAX_PARTS];
    int64_t sums[2] = {0};

    for (int round = 0; round < 2000; round++) {
        int32_t ranks_of[2][MAX_PARTS];
        int64_t kept[2] = {0};
        struct svm_shares shares = {0};
        struct pair pair;
        bool good;

        random_begin((uint64_t)(100000 + round));
        choose_pair(&pair, round % 2 ? 6 : MAX_PARTS);
        good = count(&pair, pair.to, weights) && svm_shares_find(pair.to, pair.from, pair.axes, &shares) == SV_OK &&
               svm_assign_exactly(&shares, ranks_of[0]) == SV_OK && svm_assign_greedily(&shares, ranks_of[1]) == SV_OK;
        for (int way = 0; way < 2 && good; way++) {
            uint64_t met = 0;

            for (int32_t part = 0; part < svm_distribution_parts(pair.to); part++) {
                met |= UINT64_C(1) << ranks_of[way][part];
                kept[way] += weights[svm_distribution_rank(pair.to, part)][pair.to->first + ranks_of[way][part]];
            }
            good &= __builtin_popcountll(met) == svm_distribution_parts(pair.to);
            sums[way] += kept[way];
        }
        good = good && is_stable(&pair, weights, ranks_of[1]);
        svm_shares_free(&shares);
        free_pair(&pair);
        if (!good || kept[1] > kept[0] || 2 * kept[1] < kept[0]) {
            printf("# round %d: greedy keeps %lld of %lld\n", round, (long long)kept[1], (long long)kept[0]);
            return false;
        }
    }
    printf("# greedy assignments keep %.3f of what exact ones keep\n", (double)sums[1] / (double)sums[0]);
    return true;
}

/* A square grid whose axes are turned: every part has a rank that has all of it. */
static bool test_turned(int64_t side)
{
    const int64_t shape[] = {3 * side, 2 * side}, turned[] = {2 * side, 3 * side}, grid[] = {side, side};
    struct pair pair = {2, {1, 0}, {3 * side, 2 * side}, {2 * side, 3 * side}, NULL, NULL};
    sv_mpi_distribution *relabelled = NULL;
    bool good = sv_mpi_distribution_new(2, turned, grid, NULL, &pair.to) == SV_OK &&
                sv_mpi_distribution_new(2, shape, grid, NULL, &pair.from) == SV_OK &&
                sv_mpi_distribution_relabel(pair.to, pair.from, pair.axes, &relabelled) == SV_OK;

    for (int64_t k = 0; k < side * side && good; k++) {
        int32_t one, other;

        good = sv_mpi_distribution_place(relabelled, (int64_t[]){2 * (k % side), 3 * (k / side)}, &one, NULL) == SV_OK &&
               sv_mpi_distribution_place(pair.from, (int64_t[]){3 * (k / side), 2 * (k % side)}, &other, NULL) == SV_OK &&
               one == other;
    }
    sv_mpi_distribution_release(relabelled);
    free_pair(&pair);
    return good;
}

/* Arrays that no machine has, all of whose elements one rank has: nothing overflows. */
static bool test_huge(void)
{
    const int64_t shape[] = {INT64_MAX, 1}, grid[] = {3, 1}, block[] = {INT64_MAX, 1};
    sv_mpi_distribution *from = NULL, *to = NULL, *relabelled = NULL;
    int32_t owner = -1;
    bool good = sv_mpi_distribution_on_rank(2, shape, 1, &from) == SV_OK &&
                sv_mpi_distribution_new(2, shape, grid, block, &to) == SV_OK &&
                sv_mpi_distribution_relabel(to, from, NULL, &relabelled) == SV_OK &&
                sv_mpi_distribution_place(relabelled, (int64_t[]){INT64_MAX - 1, 0}, &owner, NULL) == SV_OK && owner == 1;

    sv_mpi_distribution_release(relabelled);
    sv_mpi_distribution_release(to);
    sv_mpi_distribution_release(from);
    return good;
}

/* --- refusals ----------------------------------------------------------------- */

static bool test_refusals(void)
{
    const int64_t shape[] = {12, 8}, grid[] = {2, 2}, large[] = {1 << 14, 2}, local[] = {6, 0}, negative[] = {0, -1};
    sv_mpi_distribution *to = NULL, *other = NULL, *wide = NULL, *made = NULL;
    int64_t index[] = {7, 7};
    bool good = sv_mpi_distribution_new(2, shape, grid, NULL, &to) == SV_OK &&
                sv_mpi_distribution_new(1, shape, grid, NULL, &other) == SV_OK &&
                sv_mpi_distribution_new(2, shape, large, NULL, &wide) == SV_OK;

    good &= says(sv_mpi_distribution_relabel(NULL, to, NULL, &made), SV_ERROR_NULL, "to is");
    good &= says(sv_mpi_distribution_relabel(to, NULL, NULL, &made), SV_ERROR_NULL, "from is");
    good &= says(sv_mpi_distribution_relabel(to, to, NULL, NULL), SV_ERROR_NULL, "out is");
    good &= says(sv_mpi_distribution_relabel(to, other, NULL, &made), SV_ERROR_LAYOUT, "from has 1");
    good &= says(sv_mpi_distribution_relabel(to, to, (int32_t[]){1, 0}, &made), SV_ERROR_LAYOUT, "axis 0 of to has 12");
    good &= says(sv_mpi_distribution_relabel(to, to, (int32_t[]){0, 0}, &made), SV_ERROR_INVALID, "axis 0 is given twice");
    good &= says(sv_mpi_distribution_relabel(to, to, (int32_t[]){0, 2}, &made), SV_ERROR_INDEX, "axes[1]");
    good &= says(sv_mpi_distribution_relabel(wide, to, NULL, &made), SV_ERROR_UNSUPPORTED, "grid of to has 32768");
    good &= says(sv_mpi_distribution_relabel(to, wide, NULL, &made), SV_ERROR_UNSUPPORTED, "grid of from has 32768");
    good &= says(sv_mpi_distribution_index(NULL, 0, local, index), SV_ERROR_NULL, "distribution");
    good &= says(sv_mpi_distribution_index(to, 0, NULL, index), SV_ERROR_NULL, "local");
    good &= says(sv_mpi_distribution_index(to, 0, local, NULL), SV_ERROR_NULL, "index");
    good &= says(sv_mpi_distribution_index(to, -1, local, index), SV_ERROR_INVALID, "rank -1");
    good &= says(sv_mpi_distribution_index(to, 0, local, index), SV_ERROR_INDEX, "local index 6 of axis 0 is not in [0, 6)");
    good &= says(sv_mpi_distribution_index(to, 0, negative, index), SV_ERROR_INDEX, "local index -1 of axis 1");
    good &= says(sv_mpi_distribution_index(to, 4, (int64_t[]){0, 0}, index), SV_ERROR_INDEX, "not in [0, 0)");
    good &= made == NULL && index[0] == 7 && index[1] == 7;
    sv_mpi_distribution_release(wide);
    sv_mpi_distribution_release(other);
    sv_mpi_distribution_release(to);
    return good;
}

/* Every allocation fails in turn: a status, nothing written and nothing left; then it works. */
static bool test_allocations(int64_t side)
{
    const int64_t shape[] = {side, side}, grid[] = {side, side};
    const int32_t axes[] = {1, 0};
    sv_mpi_distribution *to = NULL, *made = NULL;
    bool good = sv_mpi_distribution_new(2, shape, grid, NULL, &to) == SV_OK;
    sv_status status = SV_ERROR_MEMORY;
    int failures = 0;

    for (; status == SV_ERROR_MEMORY && good; failures++) {
        until_failure = failures;
        live = 0;
        is_counted = true;
        status = sv_mpi_distribution_relabel(to, to, axes, &made);
        is_counted = false;
        good = status == SV_OK ? made != NULL && live == 1 : status == SV_ERROR_MEMORY && made == NULL && live == 0;
    }
    until_failure = -1;
    sv_mpi_distribution_release(made);
    sv_mpi_distribution_release(to);
    return good && status == SV_OK && failures > 5;
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    tap_ok(test_all_permutations(), "relabelled parts against all permutations");
    tap_ok(test_greedy(), "greedy assignments beside exact ones");
    tap_ok(test_turned(5) && test_turned(22) && test_turned(40), "grids that are turned: nothing moves");
    tap_ok(test_huge(), "arrays that no machine has");
    tap_ok(test_refusals(), "refusals");
    tap_ok(test_allocations(3) && test_allocations(25), "allocations that fail");
    return ranks_end();
}
