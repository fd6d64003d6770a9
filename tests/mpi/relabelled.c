/*
 * Redistributions to parts that were given to other ranks: every element arrives where sv_mpi_distribution_index() says,
 * and what was to stay is not sent. Run by mpiexec with any number of ranks.
 */
#include <stdlib.h>

#include "pairs.h"

enum { MAX_ELEMENTS = 4096 };

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
    tap_ok(test_indices(), "indices of elements that ranks have");
    tap_ok(test_redistributions(argc > 1 ? atoi(argv[1]) : 60), "redistributions to relabelled parts");
    tap_ok(test_disagreement(), "ranks that were told different ones");
    return ranks_end();
}
