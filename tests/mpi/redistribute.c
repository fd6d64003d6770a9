/*
 * Random redistributions against the definition: every element is the number of its place in the whole array, and is
 * looked for where sv_mpi_distribution_place() says it is. Run by mpiexec with any number of ranks; rank 0 prints TAP.
 */
#include <stdlib.h>
#include <string.h>

#include "machines.h"
#include "ranks.h"

enum { MAX_NDIM = 4 };

/* --- arrays of this rank ----------------------------------------------------- */

/* Memory in which an array of any order, with gaps and backwards, has its place. */
struct array {
    sv_view *view;
    char *memory;
    int64_t nbytes, itemsize;
};

static void make_array(sv_dtype dtype, int64_t itemsize, int32_t ndim, const int64_t *shape, const int32_t *order,
                       const int64_t *gaps, const bool *is_backwards, const bool *is_repeated, struct array *out)
{
    int64_t strides[MAX_NDIM], step = itemsize, first = 0;

    for (int32_t k = ndim - 1; k >= 0; k--) {
        const int32_t axis = order[k];

        strides[axis] = step;
        step *= (shape[axis] > 0 ? shape[axis] : 1) * gaps[axis];
        if (is_backwards[axis] && shape[axis] > 0) {
            first += (shape[axis] - 1) * strides[axis];
            strides[axis] = -strides[axis];
        }
    }
    for (int32_t k = 0; k < ndim; k++)
        if (is_repeated[k])
            strides[k] = 0;
    out->nbytes = step;
    out->itemsize = itemsize;
    out->memory = malloc((size_t)step);
    memset(out->memory, 0xee, (size_t)step);
    if (sv_view_from_host(dtype, ndim, shape, strides, out->memory + first, 0, &out->view) != SV_OK) {
        fprintf(stderr, "%s\n", sv_last_message());
        abort();
    }
}

static void free_array(struct array *array)
{
    sv_view_release(array->view);
    free(array->memory);
}

static char *element(const struct array *array, const int64_t *index)
{
    const sv_layout *layout = sv_view_layout(array->view);
    char *at = sv_view_data(array->view);

    for (int32_t k = 0; k < sv_layout_ndim(layout); k++)
        at += index[k] * sv_layout_byte_strides(layout)[k];
    return at;
}

static void write_number(char *at, sv_dtype dtype, int64_t itemsize, int64_t number)
{
    if (dtype == SV_FLOAT32) {
        const float value = (float)number;

        memcpy(at, &value, sizeof value);
    } else if (dtype == SV_FLOAT64) {
        const double value = (double)number;

        memcpy(at, &value, sizeof value);
    } else {
        memset(at, 0x5a, (size_t)itemsize); /* little endian on all machines that this runs on, else of the same bytes */
        memcpy(at, &number, itemsize < 8 ? (size_t)itemsize : 8);
    }
}

/* --- a case ------------------------------------------------------------------ */

struct random_case {
    int32_t to_rank, from_rank; /* all is on this one; -1: divided */
    int32_t ndim, axes[MAX_NDIM], dst_order[MAX_NDIM], src_order[MAX_NDIM];
    int64_t to_shape[MAX_NDIM], from_shape[MAX_NDIM], to_grid[MAX_NDIM], from_grid[MAX_NDIM], to_block[MAX_NDIM],
        from_block[MAX_NDIM];
    int64_t gaps[2][MAX_NDIM], chunk;
    bool is_backwards[2][MAX_NDIM], is_repeated[MAX_NDIM]; /* an axis of the source with steps of 0 */
    sv_dtype dst_dtype, src_dtype;
    int64_t dst_itemsize, src_itemsize;
};

static void shuffle(int32_t ndim, int32_t *axes)
{
    for (int32_t k = 0; k < ndim; k++)
        axes[k] = k;
    for (int32_t k = ndim - 1; k > 0; k--) {
        const int32_t other = (int32_t)random_between(0, k), kept = axes[k];

        axes[k] = axes[other];
        axes[other] = kept;
    }
}

/* A grid of all ranks, or of fewer. */
static void choose_grid(int32_t ndim, int64_t *grid, int64_t *block)
{
    int64_t left = random_between(0, 3) > 0 ? ranks : random_between(1, ranks);

    for (int32_t k = 0; k < ndim; k++) {
        grid[k] = random_between(1, left);
        left /= grid[k];
        block[k] = random_between(0, 1) ? 0 : random_between(1, 5);
    }
}

/* On a rank of its own, seldom: a gather or a scatter. */
static int32_t choose_rank(void)
{
    return random_between(0, 7) == 0 ? (int32_t)random_between(0, ranks - 1) : -1;
}

static void choose_case(struct random_case *it)
{
    static const struct {
        sv_dtype dst, src;
        int64_t dst_itemsize, src_itemsize;
    } types[] = {{SV_INT64, SV_INT64, 8, 8},     {SV_INT32, SV_INT32, 4, 4},     {SV_UINT8, SV_UINT8, 1, 1},
                 {SV_INT16, SV_INT16, 2, 2},     {SV_FLOAT32, SV_FLOAT64, 4, 8}, {SV_FLOAT64, SV_FLOAT32, 8, 4},
                 {SV_COMPLEX128, SV_COMPLEX128, 16, 16}};
    const int64_t type = random_between(0, (int64_t)(sizeof types / sizeof *types) - 1);

    it->ndim = (int32_t)random_between(1, MAX_NDIM);
    shuffle(it->ndim, it->axes);
    shuffle(it->ndim, it->dst_order);
    shuffle(it->ndim, it->src_order);
    choose_grid(it->ndim, it->to_grid, it->to_block);
    choose_grid(it->ndim, it->from_grid, it->from_block);
    it->to_rank = choose_rank();
    it->from_rank = choose_rank();
    for (int32_t k = 0; k < it->ndim; k++) {
        it->from_shape[k] = random_between(0, 19) == 0 ? 0 : random_between(1, it->ndim > 2 ? 9 : 40);
        for (int side = 0; side < 2; side++) {
            it->gaps[side][k] = random_between(0, 3) == 0 ? 2 : 1;
            it->is_backwards[side][k] = random_between(0, 3) == 0;
        }
        it->is_repeated[k] = random_between(0, 11) == 0;
    }
    for (int32_t k = 0; k < it->ndim; k++)
        it->to_shape[k] = it->from_shape[it->axes[k]];
    it->dst_dtype = types[type].dst;
    it->src_dtype = types[type].src;
    it->dst_itemsize = types[type].dst_itemsize;
    it->src_itemsize = types[type].src_itemsize;
    it->chunk = random_between(0, 2) == 0 ? 0 : random_between(16, 600);
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

/* Writes the number of each element that this rank has of the array, or compares it; how many there were. */
static int64_t visit(const sv_mpi_distribution *distribution, const int64_t *shape, int32_t ndim, const int32_t *axes,
                     const struct random_case *it, const struct array *array, sv_dtype dtype, bool is_written, bool *good)
{
    int64_t index[MAX_NDIM] = {0}, seen = 0;

    for (int32_t k = 0; k < ndim; k++)
        if (shape[k] == 0)
            return 0;
    do {
        int64_t local[MAX_NDIM], source[MAX_NDIM], number = 0;
        char expected[16];
        int32_t owner;

        if (sv_mpi_distribution_place(distribution, index, &owner, local) != SV_OK) {
            *good = false;
            return seen;
        }
        if (owner != rank)
            continue;
        for (int32_t k = 0; k < ndim; k++)
            source[axes != NULL ? axes[k] : k] = index[k];
        for (int32_t k = 0; k < ndim; k++)
            number = number * it->from_shape[k] + (it->is_repeated[k] ? 0 : source[k]);
        write_number(expected, dtype, array->itemsize, number);
        if (is_written)
            memcpy(element(array, local), expected, (size_t)array->itemsize);
        else if (memcmp(element(array, local), expected, (size_t)array->itemsize) != 0)
            *good = false;
        seen++;
    } while (advance(ndim, shape, index));
    return seen;
}

/* --- what is tried with it ----------------------------------------------------- */

/* The distributions, arrays and a plan of a case. */
struct trial {
    const struct random_case *it;
    sv_mpi_distribution *to, *from;
    struct array dst, src;
    sv_mpi_plan *plan;
};

static sv_status new_distribution(int32_t ndim, const int64_t *shape, const int64_t *grid, const int64_t *block, int32_t all_on,
                                  sv_mpi_distribution **out)
{
    return all_on >= 0 ? sv_mpi_distribution_on_rank(ndim, shape, all_on, out)
                       : sv_mpi_distribution_new(ndim, shape, grid, block, out);
}

static bool begin_trial(const struct random_case *it, struct trial *trial)
{
    const bool none[MAX_NDIM] = {false};
    int64_t dst_shape[MAX_NDIM], src_shape[MAX_NDIM];
    bool good = true;

    trial->it = it;
    if (new_distribution(it->ndim, it->to_shape, it->to_grid, it->to_block, it->to_rank, &trial->to) != SV_OK ||
        new_distribution(it->ndim, it->from_shape, it->from_grid, it->from_block, it->from_rank, &trial->from) != SV_OK)
        return false;
    sv_mpi_distribution_local_shape(trial->to, rank, dst_shape);
    sv_mpi_distribution_local_shape(trial->from, rank, src_shape);
    make_array(it->dst_dtype, it->dst_itemsize, it->ndim, dst_shape, it->dst_order, it->gaps[0], it->is_backwards[0], none,
               &trial->dst);
    make_array(it->src_dtype, it->src_itemsize, it->ndim, src_shape, it->src_order, it->gaps[1], it->is_backwards[1],
               it->is_repeated, &trial->src);
    visit(trial->from, it->from_shape, it->ndim, NULL, it, &trial->src, it->src_dtype, true, &good);
    return sv_mpi_plan_new(MPI_COMM_WORLD, trial->to, trial->from, it->axes, trial->dst.view, trial->src.view,
                           SV_COPY_CAST_UNSAFE, it->chunk, &trial->plan) == SV_OK &&
           good;
}

static void end_trial(struct trial *trial)
{
    sv_mpi_plan_free(trial->plan);
    free_array(&trial->dst);
    free_array(&trial->src);
    sv_mpi_distribution_release(trial->to);
    sv_mpi_distribution_release(trial->from);
}

static bool is_right(const struct trial *trial)
{
    const struct random_case *it = trial->it;
    bool good = true;
    const int64_t seen =
        visit(trial->to, it->to_shape, it->ndim, it->axes, it, &trial->dst, it->dst_dtype, false, &good);

    return good && seen == sv_layout_size(sv_view_layout(trial->dst.view));
}

static sv_status start(const struct trial *trial, sv_mpi_request **request)
{
    memset(trial->dst.memory, 0xdd, (size_t)trial->dst.nbytes);
    return sv_mpi_plan_start(trial->plan, trial->dst.view, trial->src.view, request);
}

/* A plan serves often, in each form. */
static bool run_case(const struct random_case *it)
{
    struct trial trial = {0};
    int64_t sent, buffers;
    bool good = begin_trial(it, &trial);

    for (int form = 0; form < 3 && good; form++) {
        sv_mpi_request *request = NULL;
        int32_t done = 0;
        sv_status status;

        if (form == 0)
            status = sv_mpi_plan_execute(trial.plan, trial.dst.view, trial.src.view);
        else
            status = start(&trial, &request);
        if (form == 1 && status == SV_OK)
            status = sv_mpi_wait(request, NULL);
        while (form == 2 && status == SV_OK && !done)
            status = sv_mpi_test(request, &done, NULL);
        good = status == SV_OK && is_right(&trial);
    }
    good = good && sv_mpi_plan_bytes(trial.plan, &sent, &buffers) == SV_OK && sent >= 0 && buffers >= 0;
    if (!good)
        printf("# rank %d: %s\n", rank, sv_mpi_last_message());
    end_trial(&trial);
    return good;
}

/* Two plans under way on one communicator; ranks go on with them in another order each. */
static bool run_two(const struct random_case *it, const struct random_case *other)
{
    struct trial trials[2] = {{0}, {0}};
    sv_mpi_request *requests[2] = {NULL, NULL};
    int32_t done[2] = {0, 0};
    bool good = begin_trial(it, &trials[0]) && begin_trial(other, &trials[1]);
    sv_status status = SV_OK;

    for (int turn = 0; turn < 2 && good; turn++)
        good = start(&trials[turn ^ (rank & 1)], &requests[turn ^ (rank & 1)]) == SV_OK;
    for (int turn = rank; (!done[0] || !done[1]) && status == SV_OK && good; turn++)
        if (!done[turn & 1])
            status = sv_mpi_test(requests[turn & 1], &done[turn & 1], NULL);
    good = good && status == SV_OK && is_right(&trials[0]) && is_right(&trials[1]);
    if (!good)
        printf("# rank %d: %s\n", rank, sv_mpi_last_message());
    end_trial(&trials[0]);
    end_trial(&trials[1]);
    return good;
}

static bool test_one(void)
{
    struct random_case it;

    choose_case(&it);
    return run_case(&it);
}

static bool test_two(void)
{
    struct random_case it, other;

    choose_case(&it);
    choose_case(&other);
    return run_two(&it, &other);
}

/* Messages that are large enough for the ranks to find out how to pack them, from any memory. */
static bool test_large(void)
{
    const int64_t extent = 520 * ranks; /* 4 MiB and more to each other rank */
    const struct random_case transposed = {
        .to_rank = -1, .from_rank = -1, .ndim = 2, .axes = {1, 0}, .dst_order = {0, 1}, .src_order = {0, 1},
        .to_shape = {extent, extent}, .from_shape = {extent, extent}, .to_grid = {ranks, 1}, .from_grid = {ranks, 1},
        .gaps = {{1, 1}, {1, 1}}, .dst_dtype = SV_COMPLEX128, .src_dtype = SV_COMPLEX128, .dst_itemsize = 16,
        .src_itemsize = 16};

    return run_case(&transposed);
}

int main(int argc, char **argv)
{
    int rounds;

    ranks_begin(&argc, &argv);
    rounds = argc > 1 ? atoi(argv[1]) : 300;
    tap_ok(test_rounds(test_one, rounds), "random redistributions");
    tap_ok(test_rounds(test_two, 1 + rounds / 4), "two at once");
    if (ranks < 4)
        tap_ok(test_large(), "large messages");
    return ranks_end();
}
