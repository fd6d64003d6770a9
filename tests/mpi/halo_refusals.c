/* What halos refuse: by one rank, so that all get an error and none waits, or by all; and out of turn. Run by mpiexec. */
#include "ranks.h"

enum fault {
    NONE, NO_DISTRIBUTION, NO_LOW, NO_HIGH, NO_VIEW, NO_OUT, FLAGS, LOW, HIGH, HUGE_WIDTH, SHAPE, AXES, CYCLIC, LARGE_GRID,
    CONSTANT, OVERLAP, OTHER_WIDTH, OTHER_PERIODIC, OTHER_FLAGS, OTHER_DTYPE, NO_COMM
};

/* A halo of one column more on each side, of which one argument is wrong where is_wrong. */
static sv_status make_wrong(enum fault fault, bool is_wrong, sv_mpi_halo **out)
{
    static char memory[8192];
    const enum fault here = is_wrong ? fault : NONE;
    const int64_t shape[] = {3, 4 * ranks}, grid[] = {1, here == LARGE_GRID ? ranks + 1 : ranks};
    const int64_t block[] = {0, here == CYCLIC ? 1 : 0}, zero[] = {0, 0};
    int64_t low[] = {0, here == LOW ? -1 : here == HUGE_WIDTH ? INT64_MAX : here == OTHER_WIDTH ? 0 : 1};
    int64_t high[] = {0, here == HIGH ? -1 : here == OTHER_WIDTH ? 2 : 1}, around[] = {3, 6, 1};
    int32_t periodic[] = {0, here != OTHER_PERIODIC};
    const sv_dtype dtype = here == OTHER_DTYPE ? SV_INT64 : SV_FLOAT64;
    sv_mpi_distribution *distribution = NULL;
    sv_view *view = NULL;
    sv_status status;

    around[1] += here == SHAPE;
    sv_mpi_distribution_new(2, shape, grid, block, &distribution);
    sv_view_from_host(dtype, here == AXES ? 3 : 2, around, here == OVERLAP ? zero : NULL, memory,
                      here == CONSTANT ? SV_READ_ONLY : 0, &view);
    status = sv_mpi_halo_new(here == NO_COMM ? MPI_COMM_NULL : MPI_COMM_WORLD, here == NO_DISTRIBUTION ? NULL : distribution,
                             here == NO_LOW ? NULL : low, here == NO_HIGH ? NULL : high, periodic,
                             here == NO_VIEW ? NULL : view,
                             here == FLAGS ? 2 : here == OTHER_FLAGS ? SV_MPI_HALO_FACES : 0, here == NO_OUT ? NULL : out);
    sv_view_release(view);
    sv_mpi_distribution_release(distribution);
    return status;
}

/* The last rank is wrong, or all are. */
static bool test_refusals(void)
{
    static const struct {
        enum fault fault;
        sv_status status;
        const char *words;
    } cases[] = {
        {NO_DISTRIBUTION, SV_ERROR_NULL, "distribution is NULL"},
        {NO_LOW, SV_ERROR_NULL, "low is NULL"},
        {NO_HIGH, SV_ERROR_NULL, "high is NULL"},
        {NO_VIEW, SV_ERROR_NULL, "view is NULL"},
        {NO_OUT, SV_ERROR_NULL, "out is NULL"},
        {FLAGS, SV_ERROR_INVALID, "not 0x2"},
        {LOW, SV_ERROR_INVALID, "axis 1 has margins of -1 and 1"},
        {HIGH, SV_ERROR_INVALID, "axis 1 has margins of 1 and -1"},
        {HUGE_WIDTH, SV_ERROR_OVERFLOW, "axis 1 and its margins"},
        {SHAPE, SV_ERROR_LAYOUT, "axis 1 of view has 7 elements: the part has 4, its margins have 2"},
        {AXES, SV_ERROR_LAYOUT, "view has 3 axes, distribution has 2"},
        {CYCLIC, SV_ERROR_UNSUPPORTED, "axis 1 is cyclic, in blocks of 1"},
        {LARGE_GRID, SV_ERROR_LAYOUT, "ranks, comm has"},
        {CONSTANT, SV_ERROR_READ_ONLY, "view is read-only"},
        {OVERLAP, SV_ERROR_OVERLAP, "share bytes"},
    };
    static const enum fault others[] = {OTHER_WIDTH, OTHER_PERIODIC, OTHER_FLAGS, OTHER_DTYPE};
    sv_mpi_halo *halo = NULL;
    char text[40];
    bool good = true;

    snprintf(text, sizeof text, "rank %d refused", ranks - 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int all = 0; all < 2; all++) {
            const bool is_wrong = all || rank == ranks - 1;

            if (cases[i].fault == CYCLIC && ranks == 1)
                continue; /* one process has all blocks, as one */
            good &= says(make_wrong(cases[i].fault, is_wrong, &halo), is_wrong ? cases[i].status : SV_ERROR_STATE,
                         is_wrong ? cases[i].words : text) && halo == NULL;
        }
    for (size_t i = 0; i < sizeof others / sizeof *others && ranks > 1; i++)
        good &= says(make_wrong(others[i], rank == 0, &halo), SV_ERROR_STATE, "different") && halo == NULL;
    return good && says(make_wrong(NO_COMM, true, &halo), SV_ERROR_NULL, "comm") && halo == NULL;
}

static bool test_states(void)
{
    sv_mpi_halo *halo = NULL;
    sv_mpi_request *request = NULL, *second = NULL;
    int64_t number = -7;
    bool good = is_ok(make_wrong(NONE, false, &halo));

    good &= says(sv_mpi_halo_start(NULL, &request), SV_ERROR_NULL, "halo") && request == NULL;
    good &= says(sv_mpi_halo_start(halo, NULL), SV_ERROR_NULL, "out");
    good &= says(sv_mpi_halo_bytes(NULL, &number, &number, &number), SV_ERROR_NULL, "halo") && number == -7;
    for (int round = 0; round < 2; round++) {
        good &= is_ok(sv_mpi_halo_start(halo, &request));
        good &= says(sv_mpi_halo_start(halo, &second), SV_ERROR_STATE, "under way") && second == NULL;
        good &= says(sv_mpi_test(request, NULL, NULL), SV_ERROR_NULL, "done");
        good &= is_ok(sv_mpi_wait(request, NULL));
    }
    good &= is_ok(sv_mpi_halo_bytes(halo, NULL, NULL, NULL));
    sv_mpi_halo_free(NULL);
    sv_mpi_halo_free(halo);
    return good;
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    tap_ok(test_refusals(), "halos that one rank refuses, or all");
    tap_ok(test_states(), "exchanges out of turn");
    return ranks_end();
}
