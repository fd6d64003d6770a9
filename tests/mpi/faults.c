/*
 * One rank fails in a plan, an execution or a broadcast, at each of its calls in turn: all ranks get an error, none waits
 * for ever, and what comes after works or is refused. Run by mpiexec. "faults kill" ends one rank instead.
 */
#include "failing.h"

enum { ROWS = 12, COLUMNS = 10, CHUNK = 64 };

/* --- a redistribution --------------------------------------------------------- */

static struct {
    sv_mpi_distribution *to, *from;
    double dst_memory[ROWS * COLUMNS], src_memory[ROWS * COLUMNS];
    sv_buffer *block; /* memory that other ranks read */
    sv_view *dst, *src, *lent; /* lent: as src, in the block */
    int64_t dst_shape[2], src_shape[2];
} data;

static void swap_sources(void)
{
    sv_view *other = data.lent;

    data.lent = data.src;
    data.src = other;
}

static const int32_t turned[] = {1, 0};

static void begin_data(void)
{
    const int64_t whole[] = {ROWS, COLUMNS}, result[] = {COLUMNS, ROWS}, grid[] = {ranks, 1}, block[] = {2, 0};
    sv_allocator *shared = NULL;

    sv_mpi_distribution_new(2, whole, grid, block, &data.from);
    sv_mpi_distribution_new(2, result, grid, NULL, &data.to);
    sv_mpi_distribution_local_shape(data.from, rank, data.src_shape);
    sv_mpi_distribution_local_shape(data.to, rank, data.dst_shape);
    sv_view_from_host(SV_FLOAT64, 2, data.src_shape, NULL, data.src_memory, 0, &data.src);
    sv_view_from_host(SV_FLOAT64, 2, data.dst_shape, NULL, data.dst_memory, 0, &data.dst);
    sv_mpi_allocator_shared(&shared);
    sv_buffer_new(shared, sizeof data.src_memory, 0, 0, 0, &data.block);
    sv_allocator_release(shared);
    sv_view_from_host(SV_FLOAT64, 2, data.src_shape, NULL, sv_buffer_data(data.block), 0, &data.lent);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        const int64_t index[] = {i / COLUMNS, i % COLUMNS};
        int64_t local[2];
        int32_t owner;

        sv_mpi_distribution_place(data.from, index, &owner, local);
        if (owner == rank)
            data.src_memory[local[0] * data.src_shape[1] + local[1]] = (double)i;
    }
    memcpy(sv_buffer_data(data.block), data.src_memory, sizeof data.src_memory);
}

static void end_data(void)
{
    sv_view_release(data.dst);
    sv_view_release(data.src);
    sv_view_release(data.lent);
    sv_buffer_release(data.block);
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

/* In one call, or by sv_mpi_test() until it is done. */
static sv_status execute(sv_mpi_plan *plan, bool is_tested)
{
    sv_mpi_request *request = NULL;
    sv_status status;
    int32_t done = 0;

    memset(data.dst_memory, 0xee, sizeof data.dst_memory);
    if (!is_tested)
        return sv_mpi_plan_execute(plan, data.dst, data.src);
    /* [under_way] */
    status = sv_mpi_plan_start(plan, data.dst, data.src, &request);
    while (status == SV_OK && !done)
        status = sv_mpi_test(request, &done, NULL); /* copies what can be copied now; a program computes in between */
    /* [under_way] */
    return status;
}

/* --- every call in turn ------------------------------------------------------- */

/* Either no rank has a plan, and all know the status of the one that failed, or all have one that works. */
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
           complain((plan == NULL) == (status != SV_OK), at, "a plan and an error") &&
           complain(status == SV_OK || strstr(sv_mpi_last_message(), "UNKNOWN") == NULL, at, "a status without a name");
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
    if (argc > 2 && strcmp(argv[1], "kill") == 0)
        kill_one(atoi(argv[2]));
    tap_ok(test_without_windows(), "ranks that have no memory in common");
    for (int victim = 0; victim < ranks; victim += ranks > 1 ? ranks - 1 : 1) {
        sweep(fail_in_new, victim, 0, step, "a plan");
        sweep(fail_in_execution, victim, 0, step, "an execution");
        sweep(fail_in_broadcast, victim, 0, 1, "a broadcast");
        swap_sources();
        sweep(fail_in_new, victim, step / 3, step, "a plan of sources that others read");
        sweep(fail_in_execution, victim, step / 3, step, "an execution of sources that others read");
        swap_sources();
        is_far = true;
        sweep(fail_in_new, victim, step / 4, step, "a plan for ranks that share no cache");
        sweep(fail_in_execution, victim, step / 4, step, "an execution for them");
        is_far = false;
        is_without_windows = true;
        sweep(fail_in_new, victim, step / 2, step, "a plan without windows");
        sweep(fail_in_execution, victim, step / 2, step, "an execution without windows");
        is_without_windows = false;
    }
    end_data();
    return ranks_end();
}
