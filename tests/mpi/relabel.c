/*
 * Parts that are given to other ranks: against all permutations for few ranks, against the definition of what stays, and
 * in redistributions. Also which element a rank has where. Run by mpiexec with any number of ranks.
 */
#include <stdlib.h>
#include <string.h>

#include "../../mpi/src/assignment.h"
#include "ranks.h"

enum { MAX_NDIM = 3, MAX_PARTS = 64, MAX_ELEMENTS = 4096 };

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

/* --- distributions ------------------------------------------------------------ */

struct pair {
    int32_t ndim, axes[MAX_NDIM];
    int64_t shape[MAX_NDIM], turned[MAX_NDIM]; /* of from, and of to */
    sv_mpi_distribution *to, *from;
};

static void free_pair(struct pair *pair)
{
    sv_mpi_distribution_release(pair->to);
    sv_mpi_distribution_release(pair->from);
}

/* Grids of at most `limit` ranks, by blocks of any extent. */
static sv_mpi_distribution *choose_distribution(int32_t ndim, const int64_t *shape, int64_t limit)
{
    int64_t grid[MAX_NDIM], block[MAX_NDIM];
    sv_mpi_distribution *made = NULL;

    if (random_between(0, 15) == 0) {
        sv_mpi_distribution_on_rank(ndim, shape, (int32_t)random_between(0, limit - 1), &made);
        return made;
    }
    for (int32_t k = 0; k < ndim; k++) {
        grid[k] = random_between(1, limit);
        limit /= grid[k];
        block[k] = random_between(0, 1) ? 0 : random_between(1, 5);
    }
    sv_mpi_distribution_new(ndim, shape, grid, block, &made);
    return made;
}

static void choose_pair(struct pair *pair, int64_t limit)
{
    *pair = (struct pair){.ndim = (int32_t)random_between(1, MAX_NDIM)};
    for (int32_t k = 0; k < pair->ndim; k++) {
        const int32_t other = (int32_t)random_between(0, k);

        pair->axes[k] = pair->axes[other];
        pair->axes[other] = k;
        pair->shape[k] = random_between(0, 29) == 0 ? 0 : random_between(1, pair->ndim == 3 ? 12 : pair->ndim == 2 ? 30 : 300);
    }
    for (int32_t k = 0; k < pair->ndim; k++)
        pair->turned[k] = pair->shape[pair->axes[k]];
    pair->to = choose_distribution(pair->ndim, pair->turned, limit);
    pair->from = choose_distribution(pair->ndim, pair->shape, limit);
    if (random_between(0, 3) == 0) { /* a source that was relabelled before */
        sv_mpi_distribution *other = choose_distribution(pair->ndim, pair->turned, limit), *relabelled = NULL;
        int32_t back[MAX_NDIM];

        for (int32_t k = 0; k < pair->ndim; k++)
            back[pair->axes[k]] = k;
        if (sv_mpi_distribution_relabel(pair->from, other, back, &relabelled) == SV_OK) {
            sv_mpi_distribution_release(pair->from);
            pair->from = relabelled;
        }
        sv_mpi_distribution_release(other);
    }
}

/* The next index in C order; false behind the last. */
static bool advance(int32_t ndim, const int64_t *shape, int64_t *index)
{
    for (int32_t k = ndim - 1; k >= 0; k--) {
        if (++index[k] < shape[k])
            return true;
        index[k] = 0;
    }
    return false;
}

static bool is_empty(int32_t ndim, const int64_t *shape)
{
    for (int32_t k = 0; k < ndim; k++)
        if (shape[k] == 0)
            return true;
    return false;
}

/* Elements that each rank of `to` has of each rank of from, counted one by one. */
static bool count(const struct pair *pair, const sv_mpi_distribution *to, int64_t weights[MAX_PARTS][MAX_PARTS])
{
    int64_t index[MAX_NDIM] = {0}, source[MAX_NDIM];

    memset(weights, 0, sizeof(int64_t[MAX_PARTS][MAX_PARTS]));
    if (is_empty(pair->ndim, pair->turned))
        return true;
    do {
        int32_t one, other;

        for (int32_t k = 0; k < pair->ndim; k++)
            source[pair->axes[k]] = index[k];
        if (sv_mpi_distribution_place(to, index, &one, NULL) != SV_OK ||
            sv_mpi_distribution_place(pair->from, source, &other, NULL) != SV_OK || one >= MAX_PARTS || other >= MAX_PARTS)
            return false;
        weights[one][other]++;
    } while (advance(pair->ndim, pair->turned, index));
    return true;
}

static int64_t kept_of(const struct pair *pair, const sv_mpi_distribution *to)
{
    static int64_t weights[MAX_PARTS][MAX_PARTS];
    int64_t kept = 0;

    if (!count(pair, to, weights))
        return -1;
    for (int k = 0; k < MAX_PARTS; k++)
        kept += weights[k][k];
    return kept;
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

/* --- indices ------------------------------------------------------------------ */

/* Every element is where sv_mpi_distribution_place() says, seen from there. */
static bool test_indices(void)
{
    for (int round = 0; round < 500; round++) {
        int64_t index[MAX_NDIM] = {0}, local[MAX_NDIM], again[MAX_NDIM];
        sv_mpi_distribution *relabelled = NULL;
        struct pair pair;
        int32_t owner;
        bool good;

        random_begin((uint64_t)(200000 + round));
        choose_pair(&pair, 12);
        good = sv_mpi_distribution_relabel(pair.to, pair.from, pair.axes, &relabelled) == SV_OK;
        if (!is_empty(pair.ndim, pair.turned))
            do
                good = good && sv_mpi_distribution_place(relabelled, index, &owner, local) == SV_OK &&
                       sv_mpi_distribution_index(relabelled, owner, local, again) == SV_OK &&
                       memcmp(index, again, (size_t)pair.ndim * sizeof *index) == 0;
            while (good && advance(pair.ndim, pair.turned, index));
        sv_mpi_distribution_release(relabelled);
        free_pair(&pair);
        if (!good) {
            printf("# round %d\n", round);
            return false;
        }
    }
    return true;
}

/* --- redistributions ---------------------------------------------------------- */

static int64_t number_of(const struct pair *pair, const int64_t *index, const int32_t *axes)
{
    int64_t source[MAX_NDIM], number = 0;

    for (int32_t k = 0; k < pair->ndim; k++)
        source[axes != NULL ? axes[k] : k] = index[k];
    for (int32_t k = 0; k < pair->ndim; k++)
        number = number * pair->shape[k] + source[k];
    return number;
}

/* Writes the number of each element that this rank has, or compares it. */
static bool visit(const struct pair *pair, const sv_mpi_distribution *distribution, const int32_t *axes, int64_t *numbers,
                  bool is_written)
{
    int64_t shape[MAX_NDIM], local[MAX_NDIM] = {0}, index[MAX_NDIM];

    sv_mpi_distribution_local_shape(distribution, rank, shape);
    if (is_empty(pair->ndim, shape))
        return true;
    do {
        if (sv_mpi_distribution_index(distribution, rank, local, index) != SV_OK)
            return false;
        if (is_written)
            *numbers = number_of(pair, index, axes);
        else if (*numbers != number_of(pair, index, axes))
            return false;
        numbers++;
    } while (advance(pair->ndim, shape, local));
    return true;
}

static bool redistribute(const struct pair *pair, const sv_mpi_distribution *to)
{
    static int64_t dst_memory[MAX_ELEMENTS], src_memory[MAX_ELEMENTS];
    int64_t shape[MAX_NDIM], sent = 0, whole = 1;
    sv_view *dst = NULL, *src = NULL;
    sv_mpi_plan *plan = NULL;
    bool good = visit(pair, pair->from, NULL, src_memory, true);

    memset(dst_memory, 0xee, sizeof dst_memory);
    sv_mpi_distribution_local_shape(to, rank, shape);
    sv_view_from_host(SV_INT64, pair->ndim, shape, NULL, dst_memory, 0, &dst);
    sv_mpi_distribution_local_shape(pair->from, rank, shape);
    sv_view_from_host(SV_INT64, pair->ndim, shape, NULL, src_memory, 0, &src);
    good &= sv_mpi_plan_new(MPI_COMM_WORLD, to, pair->from, pair->axes, dst, src, 0, 0, &plan) == SV_OK &&
            sv_mpi_plan_execute(plan, dst, src) == SV_OK && sv_mpi_plan_bytes(plan, &sent, NULL) == SV_OK;
    good &= visit(pair, to, pair->axes, dst_memory, false);
    MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int32_t k = 0; k < pair->ndim; k++)
        whole *= pair->shape[k];
    good &= sent == 8 * (whole - kept_of(pair, to)); /* the rest is sent */
    sv_mpi_plan_free(plan);
    sv_view_release(dst);
    sv_view_release(src);
    return good;
}

static bool test_redistributions(int rounds)
{
    for (int round = 0; round < rounds; round++) {
        sv_mpi_distribution *relabelled = NULL;
        struct pair pair;
        bool good;

        random_begin((uint64_t)(300000 + round));
        choose_pair(&pair, ranks);
        good = sv_mpi_distribution_relabel(pair.to, pair.from, pair.axes, &relabelled) == SV_OK &&
               redistribute(&pair, relabelled);
        sv_mpi_distribution_release(relabelled);
        free_pair(&pair);
        if (!on_all(good)) {
            printf("# round %d, rank %d\n", round, rank);
            return false;
        }
    }
    return true;
}

/* --- refusals ----------------------------------------------------------------- */

static bool says(sv_status status, sv_status wanted, const char *words)
{
    if (status == wanted && strstr(sv_mpi_last_message(), words) != NULL)
        return true;
    printf("# %s %s, not %s %s\n", sv_status_name(status), sv_mpi_last_message(), sv_status_name(wanted), words);
    return false;
}

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

/* Parts on other ranks are another distribution, of which all ranks have to be told. */
static bool test_disagreement(void)
{
    const int64_t shape[] = {2, 2}, grid[] = {2, 2};
    const int32_t axes[] = {1, 0};
    static double memory[2][4];
    sv_mpi_distribution *to = NULL, *relabelled = NULL;
    sv_view *dst = NULL, *src = NULL;
    sv_mpi_plan *plan = NULL;
    int64_t local[2];
    bool good = sv_mpi_distribution_new(2, shape, grid, NULL, &to) == SV_OK &&
                sv_mpi_distribution_relabel(to, to, axes, &relabelled) == SV_OK;

    if (ranks >= 4) {
        sv_mpi_distribution_local_shape(to, rank, local);
        sv_view_from_host(SV_FLOAT64, 2, local, NULL, memory[0], 0, &dst);
        sv_view_from_host(SV_FLOAT64, 2, local, NULL, memory[1], 0, &src);
        good &= says(sv_mpi_plan_new(MPI_COMM_WORLD, rank == 3 ? to : relabelled, to, axes, dst, src, 0, 0, &plan),
                     SV_ERROR_STATE, "different");
        sv_view_release(src);
        sv_view_release(dst);
    }
    sv_mpi_distribution_release(relabelled);
    sv_mpi_distribution_release(to);
    return good && plan == NULL;
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    if (ranks == 1) { /* without messages: one rank is enough */
        tap_ok(test_all_permutations(), "relabelled parts against all permutations");
        tap_ok(test_greedy(), "greedy assignments beside exact ones");
        tap_ok(test_turned(5) && test_turned(22) && test_turned(40), "grids that are turned: nothing moves");
        tap_ok(test_huge(), "arrays that no machine has");
        tap_ok(test_indices(), "indices of elements that ranks have");
        tap_ok(test_refusals(), "refusals");
        tap_ok(test_allocations(3) && test_allocations(25), "allocations that fail");
    }
    tap_ok(test_redistributions(argc > 1 ? atoi(argv[1]) : 60), "redistributions to relabelled parts");
    tap_ok(test_disagreement(), "ranks that were told different ones");
    return ranks_end();
}
