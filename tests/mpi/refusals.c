/* What is refused: by one rank, so that all get an error and none waits; and by each function. Run by mpiexec. */
#include <stdlib.h>
#include <string.h>

#include "ranks.h"

/* --- arguments of one rank ---------------------------------------------------- */

static sv_view *view_of(int32_t ndim, const int64_t *shape, sv_dtype dtype, void *memory, uint32_t flags)
{
    sv_view *view = NULL;

    if (sv_view_from_host(dtype, ndim, shape, NULL, memory, flags, &view) != SV_OK)
        printf("# %s\n", sv_last_message());
    return view;
}

static bool test_null(void)
{
    static double memory[6];
    const int64_t shape[] = {2, 3};
    int64_t numbers[2];
    int32_t done = 7;
    sv_view *view = view_of(2, shape, SV_FLOAT64, memory, 0);
    sv_mpi_distribution *made = NULL;
    sv_mpi_request *request = NULL;
    MPI_Datatype type = MPI_BYTE;
    bool good = says(sv_mpi_type_new(NULL, &type), SV_ERROR_NULL, "view") && type == MPI_BYTE;

    good &= says(sv_mpi_type_new(view, NULL), SV_ERROR_NULL, "out");
    good &= says(sv_mpi_send(NULL, 0, 0, MPI_COMM_WORLD), SV_ERROR_NULL, "src");
    good &= says(sv_mpi_recv(NULL, 0, 0, MPI_COMM_WORLD, NULL), SV_ERROR_NULL, "dst");
    good &= says(sv_mpi_isend(NULL, 0, 0, MPI_COMM_WORLD, &request), SV_ERROR_NULL, "src");
    good &= says(sv_mpi_isend(view, 0, 0, MPI_COMM_WORLD, NULL), SV_ERROR_NULL, "out");
    good &= says(sv_mpi_irecv(NULL, 0, 0, MPI_COMM_WORLD, &request), SV_ERROR_NULL, "dst");
    good &= says(sv_mpi_irecv(view, 0, 0, MPI_COMM_WORLD, NULL), SV_ERROR_NULL, "out");
    good &= says(sv_mpi_wait(NULL, NULL), SV_ERROR_NULL, "request");
    good &= says(sv_mpi_test(NULL, &done, NULL), SV_ERROR_NULL, "request") && done == 7;
    good &= says(sv_mpi_distribution_new(2, NULL, shape, NULL, &made), SV_ERROR_NULL, "shape");
    good &= says(sv_mpi_distribution_new(2, shape, NULL, NULL, &made), SV_ERROR_NULL, "grid");
    good &= says(sv_mpi_distribution_new(2, shape, shape, NULL, NULL), SV_ERROR_NULL, "out");
    good &= says(sv_mpi_distribution_on_rank(2, NULL, 0, &made), SV_ERROR_NULL, "shape");
    good &= says(sv_mpi_distribution_on_rank(2, shape, 0, NULL), SV_ERROR_NULL, "out");
    good &= says(sv_mpi_distribution_local_shape(NULL, 0, numbers), SV_ERROR_NULL, "distribution");
    good &= says(sv_mpi_distribution_place(NULL, shape, NULL, NULL), SV_ERROR_NULL, "distribution");
    good &= says(sv_mpi_plan_execute(NULL, view, view), SV_ERROR_NULL, "plan");
    good &= says(sv_mpi_plan_start(NULL, view, view, &request), SV_ERROR_NULL, "plan");
    good &= says(sv_mpi_ibcast(view, 0, MPI_COMM_WORLD, NULL), SV_ERROR_NULL, "out");
    good &= says(sv_mpi_plan_bytes(NULL, NULL, NULL), SV_ERROR_NULL, "plan");
    good &= made == NULL && request == NULL && sv_mpi_distribution_ndim(NULL) == 0 && sv_mpi_distribution_ranks(NULL) == 0;
    sv_mpi_distribution_release(NULL);
    sv_mpi_plan_free(NULL);
    good &= sv_mpi_distribution_retain(NULL) == NULL;
    sv_view_release(view);
    return good;
}

static bool test_distributions(void)
{
    static const struct {
        int32_t ndim;
        int64_t shape[2], grid[2], block[2];
        sv_status status;
        const char *words;
    } cases[] = {
        {0, {0}, {0}, {0}, SV_ERROR_RANGE, "1 to 32 axes"},
        {33, {0}, {0}, {0}, SV_ERROR_RANGE, "not 33"},
        {2, {3, -1}, {1, 1}, {0}, SV_ERROR_INVALID, "extent -1 of axis 1"},
        {2, {3, 3}, {0, 1}, {0}, SV_ERROR_INVALID, "0 processes along axis 0"},
        {2, {3, 3}, {1, 1}, {0, -2}, SV_ERROR_INVALID, "block -2 of axis 1"},
        {2, {3, 3}, {1 << 16, 1 << 16}, {0}, SV_ERROR_OVERFLOW, "2^31"},
        {2, {INT64_MAX, 3}, {1, 1}, {0}, SV_ERROR_OVERFLOW, "2^63"},
    };
    const int64_t shape[] = {7, 4}, grid[] = {2, 3}, block[] = {2, 0}, outside[] = {7, 0}, negative[] = {0, -1};
    sv_mpi_distribution *made = NULL;
    int64_t numbers[2];
    int32_t owner;
    bool good = true;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        good &= says(sv_mpi_distribution_new(cases[i].ndim, cases[i].shape, cases[i].grid, cases[i].block, &made),
                     cases[i].status, cases[i].words) && made == NULL;
    good &= says(sv_mpi_distribution_on_rank(2, shape, -1, &made), SV_ERROR_INVALID, "rank -1");
    if (sv_mpi_distribution_new(2, shape, grid, block, &made) != SV_OK)
        return false;
    good &= says(sv_mpi_distribution_local_shape(made, -1, numbers), SV_ERROR_INVALID, "rank -1");
    good &= says(sv_mpi_distribution_place(made, outside, NULL, NULL), SV_ERROR_INDEX, "index 7 of axis 0");
    good &= says(sv_mpi_distribution_place(made, negative, NULL, NULL), SV_ERROR_INDEX, "index -1 of axis 1");
    /* Axis 0: blocks of 2 of 7 for two processes; axis 1: 2, 2 and 0 of 4 for three. */
    good &= sv_mpi_distribution_local_shape(made, 0, numbers) == SV_OK && numbers[0] == 4 && numbers[1] == 2;
    good &= sv_mpi_distribution_local_shape(made, 4, numbers) == SV_OK && numbers[0] == 3 && numbers[1] == 2;
    good &= sv_mpi_distribution_local_shape(made, 2, numbers) == SV_OK && numbers[0] == 4 && numbers[1] == 0;
    good &= sv_mpi_distribution_local_shape(made, 6, numbers) == SV_OK && numbers[0] == 0 && numbers[1] == 0;
    good &= sv_mpi_distribution_place(made, (int64_t[]){6, 3}, &owner, numbers) == SV_OK && owner == 4 && numbers[0] == 2 &&
            numbers[1] == 1;
    good &= sv_mpi_distribution_ranks(made) == 6 && sv_mpi_distribution_ndim(made) == 2;
    sv_mpi_distribution_release(made);
    return good;
}

static bool test_messages(void)
{
    static double memory[6], other[8];
    const int64_t shape[] = {2, 3}, larger[] = {2, 4}, zero[] = {0, 0};
    sv_view *view = view_of(2, shape, SV_FLOAT64, memory, 0), *large = view_of(2, larger, SV_FLOAT64, other, 0);
    sv_view *constant = view_of(2, shape, SV_FLOAT64, other, SV_READ_ONLY), *same = NULL;
    sv_mpi_request *request = NULL;
    bool good = says(sv_mpi_recv(constant, 0, 0, MPI_COMM_WORLD, NULL), SV_ERROR_READ_ONLY, "read-only");

    sv_view_from_host(SV_FLOAT64, 2, shape, zero, other, 0, &same);
    good &= says(sv_mpi_irecv(same, 0, 0, MPI_COMM_WORLD, &request), SV_ERROR_OVERLAP, "share bytes") && request == NULL;
    good &= sv_mpi_isend(view, rank, 3, MPI_COMM_WORLD, &request) == SV_OK;
    good &= says(sv_mpi_recv(large, rank, 3, MPI_COMM_WORLD, NULL), SV_ERROR_LAYOUT, "48 bytes came, dst has 64");
    good &= sv_mpi_wait(request, NULL) == SV_OK;
    good &= sv_mpi_send(view, MPI_PROC_NULL, 0, MPI_COMM_WORLD) == SV_OK;
    good &= sv_mpi_recv(view, MPI_PROC_NULL, 0, MPI_COMM_WORLD, NULL) == SV_OK;
    sv_view_release(same);
    sv_view_release(constant);
    sv_view_release(large);
    sv_view_release(view);
    return good;
}

/* --- one rank of all ---------------------------------------------------------- */

/* What the rank that refused gets, and what others get. */
static bool refused(sv_status status, int by, sv_status its, const char *words)
{
    char text[40];

    if (rank == by)
        return says(status, its, words);
    snprintf(text, sizeof text, "rank %d refused", by);
    return says(status, SV_ERROR_STATE, text);
}

/* An array of rows, divided by rows and by columns. */
struct arrays {
    sv_mpi_distribution *rows, *columns;
    double dst_memory[4096], src_memory[4096];
    sv_view *dst, *src;
};

static void begin_arrays(struct arrays *a)
{
    const int64_t shape[] = {12, 8}, by_rows[] = {ranks, 1}, by_columns[] = {1, ranks};
    int64_t local[2];

    sv_mpi_distribution_new(2, shape, by_rows, NULL, &a->rows);
    sv_mpi_distribution_new(2, shape, by_columns, NULL, &a->columns);
    sv_mpi_distribution_local_shape(a->columns, rank, local);
    a->dst = view_of(2, local, SV_FLOAT64, a->dst_memory, 0);
    sv_mpi_distribution_local_shape(a->rows, rank, local);
    a->src = view_of(2, local, SV_FLOAT64, a->src_memory, 0);
}

static void end_arrays(struct arrays *a)
{
    sv_view_release(a->dst);
    sv_view_release(a->src);
    sv_mpi_distribution_release(a->rows);
    sv_mpi_distribution_release(a->columns);
}

static bool test_plans(struct arrays *a)
{
    const int64_t wrong[] = {1, 77}, shape[] = {12, 9}, grid[] = {ranks + 1, 1};
    const int32_t twice[] = {0, 0}, axes[] = {1, 0};
    const int last = ranks - 1;
    const bool is_last = rank == last;
    static double memory[77];
    sv_view *other = view_of(2, wrong, SV_FLOAT64, memory, 0), *constant = NULL, *single = NULL;
    sv_mpi_distribution *wider = NULL, *larger = NULL;
    sv_mpi_plan *plan = NULL;
    bool good = true;

    sv_view_as_readonly(a->dst, &constant);
    sv_view_from_host(SV_FLOAT32, 2, sv_layout_shape(sv_view_layout(a->dst)), NULL, memory, 0, &single);
    sv_mpi_distribution_new(2, shape, (int64_t[]){1, ranks}, NULL, &wider);
    sv_mpi_distribution_new(2, (int64_t[]){12, 8}, grid, NULL, &larger);
    good &= refused(sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, NULL, is_last ? other : a->dst, a->src, 0, 0, &plan),
                    last, SV_ERROR_LAYOUT, "of dst has");
    good &= refused(sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, NULL, is_last ? NULL : a->dst, a->src, 0, 0, &plan),
                    last, SV_ERROR_NULL, "dst");
    good &= refused(sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, is_last ? twice : NULL, a->dst, a->src, 0, 0, &plan),
                    last, SV_ERROR_INVALID, "axis 0 is given twice");
    good &= refused(sv_mpi_plan_new(MPI_COMM_WORLD, is_last ? wider : a->columns, a->rows, NULL, a->dst, a->src, 0, 0, &plan),
                    last, SV_ERROR_LAYOUT, "axis 1 of to has 9");
    good &= refused(sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, NULL, is_last ? constant : a->dst, a->src, 0, 0, &plan),
                    last, SV_ERROR_READ_ONLY, "dst");
    good &= refused(sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, NULL, is_last ? single : a->dst, a->src, 0, 0, &plan),
                    last, SV_ERROR_DTYPE, "no flag");
    good &= refused(sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, NULL, a->dst, a->src, is_last ? 1 : 0, 0, &plan), last,
                    SV_ERROR_INVALID, "flags");
    good &= refused(sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, NULL, a->dst, a->src, 0, is_last ? 7 : 0, &plan), last,
                    SV_ERROR_RANGE, "chunk is 7");
    good &= says(sv_mpi_plan_new(MPI_COMM_WORLD, larger, a->rows, NULL, a->dst, a->src, 0, 0, &plan), SV_ERROR_LAYOUT, "ranks");
    good &= says(sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, axes, a->dst, a->src, 0, 0, &plan), SV_ERROR_LAYOUT,
                 "axis 0 of to has 12 elements, axis 1 of from 8");
    good &= says(sv_mpi_plan_new(MPI_COMM_NULL, a->columns, a->rows, NULL, a->dst, a->src, 0, 0, &plan), SV_ERROR_NULL, "comm");
    if (ranks > 1)
        good &= says(sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, NULL, a->dst, a->src, 0, is_last ? 4096 : 0, &plan),
                     SV_ERROR_STATE, "different");
    good &= plan == NULL;
    sv_mpi_distribution_release(wider);
    sv_mpi_distribution_release(larger);
    sv_view_release(single);
    sv_view_release(constant);
    sv_view_release(other);
    return good;
}

/* Records larger than a chunk travel one by one. */
static bool test_large_elements(void)
{
    enum { BYTES = 300001 };
    const int64_t shape[] = {3}, zero[] = {0};
    sv_mpi_distribution *to = NULL, *from = NULL;
    char *memory = calloc(4, BYTES), *came = calloc(4, BYTES);
    sv_view *src = NULL, *dst = NULL;
    sv_layout *all = NULL, *none = NULL;
    sv_mpi_plan *plan = NULL;
    bool good;

    sv_mpi_distribution_on_rank(1, shape, 0, &from);
    sv_mpi_distribution_on_rank(1, shape, ranks - 1, &to);
    sv_layout_new_bytes(1, shape, NULL, BYTES, &all);
    sv_layout_new_bytes(1, zero, NULL, BYTES, &none);
    memset(memory, rank == 0 ? 7 : 3, 3 * (size_t)BYTES);
    sv_view_from_pointer(rank == 0 ? all : none, SV_OPAQUE, memory, 3 * BYTES, 0, &src);
    sv_view_from_pointer(rank == ranks - 1 ? all : none, SV_OPAQUE, came, 3 * BYTES, 0, &dst);
    good = sv_mpi_plan_new(MPI_COMM_WORLD, to, from, NULL, dst, src, 0, 0, &plan) == SV_OK &&
           sv_mpi_plan_execute(plan, dst, src) == SV_OK;
    for (int64_t i = 0; i < 3 * BYTES && rank == ranks - 1; i++)
        good &= came[i] == 7;
    sv_mpi_plan_free(plan);
    sv_view_release(src);
    sv_view_release(dst);
    sv_layout_release(all);
    sv_layout_release(none);
    sv_mpi_distribution_release(to);
    sv_mpi_distribution_release(from);
    free(memory);
    free(came);
    return good;
}

/* After a refusal the plan is as good as before. */
static bool test_executions(struct arrays *a)
{
    const int last = ranks - 1;
    const bool is_last = rank == last;
    sv_view *constant = NULL, *other = NULL;
    sv_mpi_plan *plan = NULL;
    bool good = sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, NULL, a->dst, a->src, 0, 0, &plan) == SV_OK;

    sv_view_as_readonly(a->dst, &constant);
    sv_view_from_host(SV_INT64, 2, sv_layout_shape(sv_view_layout(a->src)), NULL, a->dst_memory, 0, &other);
    good &= refused(sv_mpi_plan_execute(plan, is_last ? constant : a->dst, a->src), last, SV_ERROR_READ_ONLY, "dst");
    good &= refused(sv_mpi_plan_execute(plan, a->dst, is_last ? NULL : a->src), last, SV_ERROR_NULL, "src");
    good &= refused(sv_mpi_plan_execute(plan, a->dst, is_last ? other : a->src), last, SV_ERROR_DTYPE, "src");
    if (sv_layout_size(sv_view_layout(a->dst)) > 0 && ranks == 1)
        good &= says(sv_mpi_plan_execute(plan, a->dst, a->dst), SV_ERROR_OVERLAP, "share bytes");
    good &= sv_mpi_plan_execute(plan, a->dst, a->src) == SV_OK;
    sv_mpi_plan_free(plan);
    sv_view_release(other);
    sv_view_release(constant);
    return good;
}

/* A second execution is refused by all while the first is under way on one rank, which goes on. */
static bool test_second_start(struct arrays *a)
{
    const int last = ranks - 1;
    sv_mpi_request *first = NULL, *second = NULL, *third = NULL;
    sv_mpi_plan *plan = NULL;
    bool good = sv_mpi_plan_new(MPI_COMM_WORLD, a->columns, a->rows, NULL, a->dst, a->src, 0, 0, &plan) == SV_OK;

    good &= says(sv_mpi_plan_start(plan, a->dst, a->src, NULL), SV_ERROR_NULL, "out");
    for (int i = 0; i < 96; i++)
        a->src_memory[i] = rank * 100 + i;
    memset(a->dst_memory, 0xee, sizeof a->dst_memory);
    good &= sv_mpi_plan_start(plan, a->dst, a->src, &first) == SV_OK;
    if (rank == last) { /* too early, twice; the others have waited for the first */
        good &= sv_mpi_plan_start(plan, a->dst, a->src, &second) == SV_OK;
        good &= sv_mpi_plan_start(plan, NULL, a->src, &third) == SV_OK;
        good &= sv_mpi_wait(first, NULL) == SV_OK;
    } else {
        good &= sv_mpi_wait(first, NULL) == SV_OK;
        good &= sv_mpi_plan_start(plan, a->dst, a->src, &second) == SV_OK;
        good &= refused(sv_mpi_wait(second, NULL), last, SV_ERROR_STATE, "");
        good &= sv_mpi_plan_start(plan, a->dst, a->src, &third) == SV_OK;
    }
    if (rank == last)
        good &= refused(sv_mpi_wait(second, NULL), last, SV_ERROR_STATE, "under way");
    good &= refused(sv_mpi_wait(third, NULL), last, SV_ERROR_STATE, "under way");
    for (int64_t i = 0; i < sv_layout_size(sv_view_layout(a->dst)); i++)
        good &= a->dst_memory[i] >= 0; /* all of it has come */

    /* What is refused is told when the request is done, and a plan that is freed meanwhile ends with it. */
    good &= sv_mpi_plan_start(plan, a->dst, rank == last ? a->dst : a->src, &first) == SV_OK;
    if (sv_layout_size(sv_view_layout(a->dst)) > 0 && ranks == 1)
        good &= refused(sv_mpi_wait(first, NULL), last, SV_ERROR_OVERLAP, "share bytes");
    else
        good &= refused(sv_mpi_wait(first, NULL), last, ranks == 1 ? SV_OK : SV_ERROR_LAYOUT, "");
    memset(a->dst_memory, 0xee, sizeof a->dst_memory);
    good &= sv_mpi_plan_start(plan, a->dst, a->src, &first) == SV_OK;
    sv_mpi_plan_free(plan);
    good &= sv_mpi_wait(first, NULL) == SV_OK;
    for (int64_t i = 0; i < sv_layout_size(sv_view_layout(a->dst)); i++)
        good &= a->dst_memory[i] >= 0;
    return good;
}

static bool test_ibcasts(void)
{
    static double memory[6];
    const int64_t shape[] = {2, 3}, smaller[] = {2, 2}, zero[] = {0, 0};
    const int last = ranks - 1;
    sv_view *view = view_of(2, shape, SV_FLOAT64, memory, 0), *small = view_of(2, smaller, SV_FLOAT64, memory, 0), *same = NULL;
    sv_mpi_request *request = NULL, *later = NULL;
    bool good = sv_mpi_ibcast(rank == last ? NULL : view, 0, MPI_COMM_WORLD, &request) == SV_OK;

    sv_view_from_host(SV_FLOAT64, 2, shape, zero, memory, 0, &same);
    good &= sv_mpi_ibcast(view, rank == last ? ranks : 0, MPI_COMM_WORLD, &later) == SV_OK; /* the other text */
    good &= refused(sv_mpi_wait(later, NULL), last, SV_ERROR_INDEX, "no rank of");
    good &= refused(sv_mpi_wait(request, NULL), last, SV_ERROR_NULL, "view");
    good &= sv_mpi_ibcast(view, rank == last ? -1 : 0, MPI_COMM_WORLD, &request) == SV_OK;
    good &= refused(sv_mpi_wait(request, NULL), last, SV_ERROR_INDEX, "root -1");
    if (ranks > 1) {
        good &= sv_mpi_ibcast(rank == last ? same : view, 0, MPI_COMM_WORLD, &request) == SV_OK;
        good &= refused(sv_mpi_wait(request, NULL), last, SV_ERROR_OVERLAP, "share bytes");
        good &= sv_mpi_ibcast(rank == last ? small : view, 0, MPI_COMM_WORLD, &request) == SV_OK;
        good &= says(sv_mpi_wait(request, NULL), SV_ERROR_STATE, "different");
    }
    sv_view_release(same);
    sv_view_release(small);
    sv_view_release(view);
    return good;
}

static bool test_bcasts(void)
{
    static double memory[6];
    const int64_t shape[] = {2, 3}, smaller[] = {2, 2};
    const int last = ranks - 1;
    sv_view *view = view_of(2, shape, SV_FLOAT64, memory, 0), *small = view_of(2, smaller, SV_FLOAT64, memory, 0);
    bool good = says(sv_mpi_bcast(view, ranks, MPI_COMM_WORLD), SV_ERROR_INDEX, "root");

    good &= refused(sv_mpi_bcast(rank == last ? NULL : view, 0, MPI_COMM_WORLD), last, SV_ERROR_NULL, "view");
    if (ranks > 1)
        good &= says(sv_mpi_bcast(rank == last ? small : view, 0, MPI_COMM_WORLD), SV_ERROR_STATE, "different");
    good &= sv_mpi_bcast(view, 0, MPI_COMM_WORLD) == SV_OK;
    sv_view_release(small);
    sv_view_release(view);
    return good;
}

int main(int argc, char **argv)
{
    static struct arrays arrays;

    ranks_begin(&argc, &argv);
    tap_ok(test_null(), "pointers that are NULL");
    tap_ok(test_distributions(), "distributions");
    tap_ok(test_messages(), "messages");
    begin_arrays(&arrays);
    tap_ok(test_plans(&arrays), "plans that one rank refuses");
    tap_ok(test_executions(&arrays), "executions that one rank refuses");
    tap_ok(test_second_start(&arrays), "executions of a plan that is under way");
    end_arrays(&arrays);
    tap_ok(test_large_elements(), "records that are larger than a chunk");
    tap_ok(test_bcasts(), "broadcasts that one rank refuses");
    tap_ok(test_ibcasts(), "broadcasts under way that one rank refuses");
    return ranks_end();
}
