/*
 * One rank fails where a halo is made or used, at each of its calls in turn: who has to know of it gets an error, none waits
 * for ever, and what comes after works or is refused. Run by mpiexec.
 */
#include "failing.h"

enum { ROWS = 12, COLUMNS = 10, MANY = 100000 };

/* The rows of a torus, and one more element around them. */
static struct {
    sv_mpi_distribution *rows;
    double memory[(ROWS + 2) * (COLUMNS + 2)];
    int64_t shape[2], first;
    sv_view *view;
} torus;

static void begin_torus(void)
{
    const int64_t whole[] = {ROWS, COLUMNS}, grid[] = {ranks, 1};

    sv_mpi_distribution_new(2, whole, grid, NULL, &torus.rows);
    sv_mpi_distribution_local_shape(torus.rows, rank, torus.shape);
    torus.first = rank * ((ROWS + ranks - 1) / ranks);
    sv_view_from_host(SV_FLOAT64, 2, (int64_t[]){torus.shape[0] + 2, COLUMNS + 2}, NULL, torus.memory, 0, &torus.view);
}

static void end_torus(void)
{
    sv_view_release(torus.view);
    sv_mpi_distribution_release(torus.rows);
}

static sv_mpi_halo *new_halo(sv_status *status)
{
    const int64_t one[] = {1, 1};
    const int32_t periodic[] = {1, 1};
    sv_mpi_halo *halo = NULL;

    *status = sv_mpi_halo_new(MPI_COMM_WORLD, torus.rows, one, one, periodic, torus.view, 0, &halo);
    return halo;
}

/* The number of an element of the torus that belongs at a place of the array. */
static double number_at(int64_t i, int64_t j)
{
    return (double)((torus.first + i - 1 + ROWS) % ROWS * COLUMNS + (j - 1 + COLUMNS) % COLUMNS);
}

static bool is_filled(void)
{
    bool good = true;

    for (int64_t i = 0; i < torus.shape[0] + 2 && torus.shape[0] > 0; i++)
        for (int64_t j = 0; j < COLUMNS + 2; j++)
            good &= torus.memory[i * (COLUMNS + 2) + j] == number_at(i, j);
    return good;
}

static sv_status exchange(sv_mpi_halo *halo, bool is_tested)
{
    sv_mpi_request *request = NULL;
    sv_status status;
    int32_t done = 0;

    memset(torus.memory, 0xee, sizeof torus.memory);
    for (int64_t i = 1; i <= torus.shape[0]; i++)
        for (int64_t j = 1; j <= COLUMNS; j++)
            torus.memory[i * (COLUMNS + 2) + j] = number_at(i, j);
    if ((status = sv_mpi_halo_start(halo, &request)))
        return status;
    while (status == SV_OK && is_tested && !done)
        status = sv_mpi_test(request, &done, NULL);
    return is_tested ? status : sv_mpi_wait(request, NULL);
}

static bool fail_in_halo(bool is_here, int at, bool *is_over)
{
    sv_mpi_halo *halo;
    sv_status status;
    bool good;

    arm(is_here, at);
    halo = new_halo(&status);
    disarm();
    *is_over = !on_any(failed != NULL);
    good = complain(on_all(status == SV_OK) || on_all(status != SV_OK), at, "some ranks have a halo") &&
           complain((halo == NULL) == (status != SV_OK), at, "a halo and an error");
    if (good && halo != NULL)
        good = complain(exchange(halo, at % 2) == SV_OK && is_filled(), at, "the halo does not work");
    sv_mpi_halo_free(halo);
    return good;
}

/* Of a copy that fails its receiver learns, and the halo works again. Where MPI fails all learn: its neighbours in the next
 * exchange at the latest, theirs in the one after it, and so on. */
static bool fail_in_exchange(bool is_here, int at, bool *is_over)
{
    sv_status first, later;
    sv_mpi_halo *halo = new_halo(&first);
    bool good = first == SV_OK, is_copy;

    if (!on_all(good))
        return false;
    arm(is_here, at);
    first = exchange(halo, at % 3 == 1);
    disarm();
    *is_over = !on_any(failed != NULL);
    is_copy = on_any(failed != NULL && strcmp(failed, "sv_plan_execute") == 0);
    good = complain(failed == NULL || first != SV_OK, at, "the rank itself does not know");
    good &= complain(!*is_over || (first == SV_OK && is_filled()), at, "the exchange does not work");
    later = exchange(halo, at % 3 == 2);
    if (*is_over || is_copy)
        good &= complain(later == SV_OK && is_filled(), at, "then it does not work");
    for (int i = 1; i <= ranks && first == SV_OK && later == SV_OK && !*is_over && !is_copy; i++)
        later = exchange(halo, at % 3 == 0);
    for (int i = 0; i < MANY && torus.shape[0] == 0 && first == SV_OK && later == SV_OK && !*is_over && !is_copy; i++)
        later = exchange(halo, false); /* without neighbours a rank looks at each sixteenth one */
    if (!*is_over && !is_copy)
        good &= complain(first != SV_OK || later != SV_OK, at, "not all ranks know of an exchange");
    sv_mpi_halo_free(halo);
    return good;
}

/* Rank 0 cannot pack its first message, which is for rank 1. */
static bool test_copy_fails(void)
{
    sv_status status;
    sv_mpi_halo *halo = new_halo(&status);
    bool good = status == SV_OK;

    arm(rank == 0, 0);
    status = exchange(halo, false);
    disarm();
    if (rank == 0)
        good &= complain(status == SV_ERROR_MEMORY, 0, "a copy did not fail");
    else if (rank == 1)
        good &= complain(status == SV_ERROR_STATE && strstr(sv_mpi_last_message(), "rank 0 failed") != NULL, 0, "nobody told");
    else
        good &= complain(status == SV_OK && is_filled(), 0, "a rank that has nothing to do with it");
    sv_mpi_halo_free(halo);
    return good;
}

/* Ranks that have no memory in common send. */
static bool test_without_windows(void)
{
    sv_status status;
    sv_mpi_halo *halo;
    bool good;

    is_without_windows = true;
    halo = new_halo(&status);
    is_without_windows = false;
    good = status == SV_OK && exchange(halo, false) == SV_OK && is_filled() && exchange(halo, true) == SV_OK && is_filled();
    sv_mpi_halo_free(halo);
    return good;
}

int main(int argc, char **argv)
{
    int step;

    alarm(LIMIT_SECONDS);
    ranks_begin(&argc, &argv);
    step = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 1;
    begin_torus();
    tap_ok(test_without_windows(), "ranks that have no memory in common");
    tap_ok(test_copy_fails(), "a copy that fails in an exchange");
    for (int victim = 0; victim < ranks; victim += ranks > 1 ? ranks - 1 : 1) {
        sweep(fail_in_halo, victim, 0, step, "a halo");
        sweep(fail_in_exchange, victim, 0, step, "an exchange");
        is_without_windows = true;
        sweep(fail_in_halo, victim, step / 2, step, "a halo without windows");
        sweep(fail_in_exchange, victim, step / 2, step, "an exchange without windows");
        is_without_windows = false;
    }
    end_torus();
    return ranks_end();
}
