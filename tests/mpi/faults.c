/*
 * One rank fails, at each call of MPI, of the allocator and of libsv in turn: all ranks get an error, none waits for
 * ever, and what comes after works or is refused. Run by mpiexec; built with the sources of libsv_mpi, whose calls of
 * what is named here come to this file (--wrap, and MPI's own profiling names). "faults kill" ends one rank instead.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ranks.h"

enum { ROWS = 12, COLUMNS = 10, CHUNK = 64, LIMIT_SECONDS = 300 };

/* --- the call that fails ------------------------------------------------------ */

static int countdown = -1; /* calls until the one that fails; below 0: none does */
static const char *failed; /* the one that did */
static bool is_without_windows, is_killed;

static bool fails(const char *name)
{
    if (countdown < 0 || countdown-- > 0)
        return false;
    if (is_killed)
        raise(SIGKILL);
    failed = name;
    return true;
}

static void arm(bool is_here, int at)
{
    failed = NULL;
    countdown = is_here ? at : -1;
}

static void disarm(void)
{
    countdown = -1;
}

/* A call that one rank makes alone: MPI itself refuses it, by the error handler of the communicator or window. */
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Isend(buffer, count, type, fails(__func__) ? ranks + 7 : dest, tag, comm, request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Irecv(buffer, count, type, fails(__func__) ? ranks + 7 : source, tag, comm, request);
}

int MPI_Win_shared_query(MPI_Win window, int of, MPI_Aint *size, int *unit, void *base)
{
    return PMPI_Win_shared_query(window, fails(__func__) ? ranks + 7 : of, size, unit, base);
}

/* Calls that this file refuses. */
#define REFUSED(name, parameters, ...)                                                                                         \
    int name parameters                                                                                                        \
    {                                                                                                                          \
        return fails(#name) ? MPI_ERR_OTHER : P##name(__VA_ARGS__);                                                            \
    }

/* Calls that all ranks make together: done, and then said to have failed. */
#define DONE(name, parameters, ...)                                                                                            \
    int name parameters                                                                                                        \
    {                                                                                                                          \
        const int error = P##name(__VA_ARGS__);                                                                                \
                                                                                                                               \
        return fails(#name) ? MPI_ERR_OTHER : error;                                                                           \
    }

REFUSED(MPI_Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status), count, requests, index, status)
REFUSED(MPI_Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status), count, requests, index, flag,
        status)
REFUSED(MPI_Win_sync, (MPI_Win window), window)
REFUSED(MPI_Win_lock_all, (int mode, MPI_Win window), mode, window)
REFUSED(MPI_Group_translate_ranks, (MPI_Group a, int n, const int x[], MPI_Group b, int y[]), a, n, x, b, y)
DONE(MPI_Bcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm), buffer, count, type, root, comm)
DONE(MPI_Alltoall, (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other, MPI_Comm comm), from, n, type,
     to, m, other, comm)
DONE(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out), comm, type, key, info, out)

/* The agreements, and the first duplicate, by which ranks learn of failures, cannot themselves be told to fail. */
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window)
{
    const int error = PMPI_Win_allocate_shared(size, unit, info, comm, base, window);

    return fails(__func__) || (is_without_windows && rank == ranks - 1) ? MPI_ERR_OTHER : error;
}

#define WRAPPED(result, refusal, name, parameters, ...)                                                                        \
    result __real_##name parameters;                                                                                           \
    result __wrap_##name parameters;                                                                                           \
    result __wrap_##name parameters                                                                                            \
    {                                                                                                                          \
        return fails(#name) ? (refusal) : __real_##name(__VA_ARGS__);                                                          \
    }

WRAPPED(void *, NULL, malloc, (size_t size), size)
WRAPPED(void *, NULL, calloc, (size_t count, size_t size), count, size)
WRAPPED(void *, NULL, realloc, (void *memory, size_t size), memory, size)
WRAPPED(sv_status, SV_ERROR_MEMORY, sv_buffer_new, (sv_allocator * a, int64_t n, int64_t m, int64_t k, uint32_t f, sv_buffer **out),
        a, n, m, k, f, out)
WRAPPED(sv_status, SV_ERROR_MEMORY, sv_plan_new, (const sv_view *dst, const sv_view *src, uint32_t flags, sv_plan **out), dst, src,
        flags, out)
WRAPPED(sv_status, SV_ERROR_MEMORY, sv_plan_execute, (const sv_plan *plan, void *dst, const void *src, uintptr_t stream), plan, dst,
        src, stream)

/* --- a redistribution --------------------------------------------------------- */

static struct {
    sv_mpi_distribution *to, *from;
    double dst_memory[ROWS * COLUMNS], src_memory[ROWS * COLUMNS];
    sv_view *dst, *src;
    int64_t dst_shape[2], src_shape[2];
} data;

static const int32_t turned[] = {1, 0};

static void begin_data(void)
{
    const int64_t whole[] = {ROWS, COLUMNS}, result[] = {COLUMNS, ROWS}, grid[] = {ranks, 1}, block[] = {2, 0};

    sv_mpi_distribution_new(2, whole, grid, block, &data.from);
    sv_mpi_distribution_new(2, result, grid, NULL, &data.to);
    sv_mpi_distribution_local_shape(data.from, rank, data.src_shape);
    sv_mpi_distribution_local_shape(data.to, rank, data.dst_shape);
    sv_view_from_host(SV_FLOAT64, 2, data.src_shape, NULL, data.src_memory, 0, &data.src);
    sv_view_from_host(SV_FLOAT64, 2, data.dst_shape, NULL, data.dst_memory, 0, &data.dst);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        const int64_t index[] = {i / COLUMNS, i % COLUMNS};
        int64_t local[2];
        int32_t owner;

        sv_mpi_distribution_place(data.from, index, &owner, local);
        if (owner == rank)
            data.src_memory[local[0] * data.src_shape[1] + local[1]] = (double)i;
    }
}

static void end_data(void)
{
    sv_view_release(data.dst);
    sv_view_release(data.src);
    sv_mpi_distribution_release(data.to);
    sv_mpi_distribution_release(data.from);
}

static bool is_right(void)
{
    bool good = true;

    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        const int64_t index[] = {i % COLUMNS, i / COLUMNS};
        int64_t local[2];
        int32_t owner;

        sv_mpi_distribution_place(data.to, index, &owner, local);
        if (owner == rank)
            good &= data.dst_memory[local[0] * data.dst_shape[1] + local[1]] == (double)i;
    }
    return good;
}

static sv_mpi_plan *new_plan(sv_status *status)
{
    sv_mpi_plan *plan = NULL;

    *status = sv_mpi_plan_new(MPI_COMM_WORLD, data.to, data.from, turned, data.dst, data.src, 0, CHUNK, &plan);
    return plan;
}

/* In one call, or by turns of tests. */
static sv_status execute(sv_mpi_plan *plan, bool is_tested)
{
    sv_mpi_request *request = NULL;
    sv_status status;
    int32_t done = 0;

    memset(data.dst_memory, 0xee, sizeof data.dst_memory);
    if (!is_tested)
        return sv_mpi_plan_execute(plan, data.dst, data.src);
    status = sv_mpi_plan_start(plan, data.dst, data.src, &request);
    while (status == SV_OK && !done)
        status = sv_mpi_test(request, &done, NULL);
    return status;
}

/* --- every call in turn ------------------------------------------------------- */

static bool on_any(bool good)
{
    return !on_all(!good);
}

static bool complain(bool good, int at, const char *words)
{
    if (!good)
        printf("# rank %d: call %d (%s): %s: %s\n", rank, at, failed != NULL ? failed : "of another rank", words,
               sv_mpi_last_message());
    return good;
}

/* A plan that could not be made is there for nobody; one that could is as good as any. */
static bool fail_in_new(bool is_here, int at, bool *is_over)
{
    sv_mpi_plan *plan;
    sv_status status;
    bool good;

    arm(is_here, at);
    plan = new_plan(&status);
    disarm();
    *is_over = !on_any(failed != NULL);
    good = complain(on_all(status == SV_OK) || on_all(status != SV_OK), at, "some ranks have a plan") &&
           complain((plan == NULL) == (status != SV_OK), at, "a plan and an error");
    if (good && plan != NULL)
        good = complain(execute(plan, at % 2) == SV_OK && is_right(), at, "the plan does not work");
    sv_mpi_plan_free(plan);
    return good;
}

/* All ranks learn of it; then the plan works, or is refused by all. */
static bool fail_in_execution(bool is_here, int at, bool *is_over)
{
    sv_status status;
    sv_mpi_plan *plan = new_plan(&status);
    bool good = status == SV_OK;

    if (!on_all(good))
        return false;
    arm(is_here, at);
    status = execute(plan, at % 3 == 1);
    disarm();
    *is_over = !on_any(failed != NULL);
    good = complain(*is_over ? status == SV_OK && is_right() : status != SV_OK, at, "not all ranks know");
    status = execute(plan, at % 3 == 2);
    good &= complain(on_all(status == SV_OK) ? is_right() : on_all(status == SV_ERROR_STATE), at, "then it neither works nor is refused");
    sv_mpi_plan_free(plan);
    return good;
}

static bool fail_in_broadcast(bool is_here, int at, bool *is_over)
{
    const int64_t shape[] = {6, 4}, strides[] = {16, 96};
    double memory[48] = {0};
    sv_mpi_request *request = NULL;
    sv_view *view = NULL;
    MPI_Comm comm; /* of which nothing is kept yet */
    sv_status status;
    bool good;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    sv_view_from_host(SV_FLOAT64, 2, shape, strides, memory, 0, &view);
    for (int i = 0; i < 48 && rank == 0; i++)
        memory[i] = i;
    arm(is_here, at);
    status = sv_mpi_ibcast(view, 0, comm, &request);
    if (status == SV_OK)
        status = sv_mpi_wait(request, NULL);
    disarm();
    *is_over = !on_any(failed != NULL);
    good = complain(*is_over ? status == SV_OK && memory[46] == 46 : status != SV_OK, at, "not all ranks know of a broadcast");
    sv_view_release(view);
    MPI_Comm_free(&comm);
    return good;
}

/* --- a halo ------------------------------------------------------------------ */

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
    if (!*is_over && !is_copy && torus.shape[0] > 0)
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

    arm(rank == 0, ranks > 2 ? 2 : ranks - 1); /* behind its receives */
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

/* --- all of them ------------------------------------------------------------- */

static bool sweep(bool (*fail)(bool, int, bool *), int victim, int first, int step, const char *name)
{
    bool good = true, is_over = false;
    char title[100];
    int at = first;

    for (; good && !is_over; at += step)
        good = on_all(fail(rank == victim, at, &is_over));
    snprintf(title, sizeof title, "%s: rank %d fails at %d calls", name, victim, (at - first) / step);
    tap_ok(good, title);
    return good;
}

/* Ranks that have no memory in common send. */
static bool test_without_windows(void)
{
    sv_status status;
    sv_mpi_plan *plan;
    int64_t sent = 0;
    bool good;

    is_without_windows = true;
    plan = new_plan(&status);
    is_without_windows = false;
    good = status == SV_OK && execute(plan, false) == SV_OK && is_right() && execute(plan, true) == SV_OK && is_right() &&
           sv_mpi_plan_bytes(plan, &sent, NULL) == SV_OK && (sent > 0) == (ranks > 1);
    sv_mpi_plan_free(plan);
    return good;
}

/* Rank 1 is killed at one of its calls in an execution. */
static void kill_one(int at)
{
    sv_status status;
    sv_mpi_plan *plan = new_plan(&status);

    is_killed = true;
    arm(rank == 1, at);
    for (int round = 0; round < 1000 && status == SV_OK; round++)
        status = execute(plan, false);
    printf("# rank %d: %s\n", rank, sv_mpi_last_message());
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
    int step;

    alarm(LIMIT_SECONDS);
    ranks_begin(&argc, &argv);
    step = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 1;
    begin_data();
    begin_torus();
    if (argc > 2 && strcmp(argv[1], "kill") == 0)
        kill_one(atoi(argv[2]));
    tap_ok(test_without_windows(), "ranks that have no memory in common");
    if (ROWS >= ranks)
        tap_ok(test_copy_fails(), "a copy that fails in an exchange");
    for (int victim = 0; victim < ranks; victim += ranks > 1 ? ranks - 1 : 1) {
        sweep(fail_in_new, victim, 0, step, "a plan");
        sweep(fail_in_execution, victim, 0, step, "an execution");
        sweep(fail_in_broadcast, victim, 0, 1, "a broadcast");
        sweep(fail_in_halo, victim, 0, step, "a halo");
        sweep(fail_in_exchange, victim, 0, 1, "an exchange");
        is_without_windows = true;
        sweep(fail_in_new, victim, step / 2, step, "a plan without windows");
        sweep(fail_in_execution, victim, step / 2, step, "an execution without windows");
        is_without_windows = false;
    }
    end_torus();
    end_data();
    return ranks_end();
}
