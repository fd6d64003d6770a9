/*
 * Arrays in memory of devices, on the fake CUDA runtime, with an MPI that knows devices and with one that does not: every
 * call leaves the bytes that it leaves in arrays of the host. Run by mpiexec with any number of ranks; rank 0 prints TAP.
 */
#include <stdlib.h>

#include "fake/fake.h"
#include "pairs.h"

enum { MAX_BYTES = 1 << 19, MOST_AXES = 4 };

static int is_aware;

/* MPI's own, which the library finds here first. */
int MPIX_Query_cuda_support(void);

int MPIX_Query_cuda_support(void)
{
    return is_aware;
}

/* --- arrays ------------------------------------------------------------------ */

enum place { FIRST_DEVICE, SECOND_DEVICE, PINNED, HOST, MANAGED, PLACES };

/* An array of any layout, with bytes that begin with `seed`, and its twin in memory of the host. */
struct array {
    sv_view *view, *twin;
    sv_buffer *buffer;
    char *memory;
    int64_t nbytes;
};

static sv_status make_allocator(enum place place, sv_allocator **out)
{
    switch (place) {
    case FIRST_DEVICE:
    case SECOND_DEVICE: return sv_allocator_device(place == SECOND_DEVICE, out);
    case PINNED: return sv_allocator_pinned(out);
    case MANAGED: return sv_allocator_managed(0, out);
    default: return sv_allocator_host(0, out);
    }
}

static void fill(struct array *array, int seed)
{
    for (int64_t i = 0; i < array->nbytes; i++)
        array->memory[i] = (char)(i * 7 + (i >> 8) + seed);
    fake_write(sv_buffer_data(array->buffer), array->memory, (size_t)array->nbytes);
}

/* Whether the two have the same bytes, those between elements included. */
static bool is_like_twin(const struct array *array)
{
    static char bytes[MAX_BYTES];

    fake_read(bytes, sv_buffer_data(array->buffer), (size_t)array->nbytes);
    return memcmp(bytes, array->memory, (size_t)array->nbytes) == 0;
}

static void free_array(struct array *array)
{
    sv_view_release(array->view);
    sv_view_release(array->twin);
    sv_buffer_release(array->buffer);
    free(array->memory);
    *array = (struct array){0};
}

/* is_dense: C order without gaps. Else axes are in any order, with gaps, some backwards. */
static bool make_array(sv_dtype dtype, int64_t itemsize, int32_t ndim, const int64_t *shape, enum place place,
                       bool is_dense, struct array *out)
{
    int64_t strides[MOST_AXES], step = itemsize, first = 0;
    sv_allocator *allocator = NULL;
    sv_layout *layout = NULL;
    int32_t order[MOST_AXES];
    bool good;

    for (int32_t k = 0; k < ndim; k++) {
        const int32_t other = is_dense ? k : (int32_t)random_between(0, k);

        order[k] = order[other];
        order[other] = k;
    }
    for (int32_t k = ndim - 1; k >= 0; k--) {
        const int32_t axis = order[k];

        strides[axis] = step;
        step *= (shape[axis] > 0 ? shape[axis] : 1) * (is_dense || random_between(0, 3) > 0 ? 1 : 2);
        if (!is_dense && shape[axis] > 0 && random_between(0, 3) == 0) {
            first += (shape[axis] - 1) * strides[axis];
            strides[axis] = -strides[axis];
        }
    }
    *out = (struct array){.nbytes = step, .memory = malloc((size_t)step)};
    good = step <= MAX_BYTES && is_ok(make_allocator(place, &allocator)) &&
           is_ok(sv_buffer_new(allocator, step, 0, 0, 0, &out->buffer)) &&
           is_ok(sv_layout_new_bytes(ndim, shape, strides, itemsize, &layout)) &&
           is_ok(sv_view_from_buffer(out->buffer, layout, dtype, first, 0, &out->view)) &&
           is_ok(sv_view_from_host(dtype, ndim, shape, strides, out->memory + first, 0, &out->twin));
    sv_layout_release(layout);
    sv_allocator_release(allocator);
    if (good)
        fill(out, 1);
    return good;
}

/* --- what is compared -------------------------------------------------------- */

/* Each rank has its own places for both arrays. */
static enum place choose_place(void)
{
    for (int i = 0; i < rank; i++)
        random_between(0, 1);

    const int64_t chosen = random_between(0, PLACES + 3);

    return chosen < PLACES ? (enum place)chosen : FIRST_DEVICE;
}

static sv_status redistribute(const struct pair *pair, const sv_view *dst, const sv_view *src, int64_t chunk)
{
    sv_mpi_plan *plan = NULL;
    sv_status status =
        sv_mpi_plan_new(MPI_COMM_WORLD, pair->to, pair->from, pair->axes, dst, src, SV_COPY_CAST, chunk, &plan);

    for (int turn = 0; turn < 2 && status == SV_OK; turn++)
        status = sv_mpi_plan_execute(plan, dst, src);
    sv_mpi_plan_free(plan);
    return status;
}

static bool test_plan(void)
{
    static const struct {
        sv_dtype from, to;
        int64_t from_itemsize, to_itemsize;
    } types[] = {{SV_INT32, SV_INT32, 4, 4},
                 {SV_UINT8, SV_UINT8, 1, 1},
                 {SV_INT32, SV_INT64, 4, 8},
                 {SV_COMPLEX64, SV_COMPLEX64, 8, 8}};
    const int64_t type = random_between(0, 3), chunk = random_between(0, 1) ? 0 : random_between(8, 200);
    int64_t to[MAX_NDIM], from[MAX_NDIM];
    struct array dst = {0}, src = {0};
    struct pair pair;
    bool good;

    choose_pair(&pair, ranks);
    sv_mpi_distribution_local_shape(pair.to, rank, to);
    sv_mpi_distribution_local_shape(pair.from, rank, from);
    good = make_array(types[type].to, types[type].to_itemsize, pair.ndim, to, choose_place(), false, &dst) &&
           make_array(types[type].from, types[type].from_itemsize, pair.ndim, from, choose_place(), false, &src);
    good = on_all(good) && is_ok(redistribute(&pair, dst.twin, src.twin, chunk)) &&
           is_ok(redistribute(&pair, dst.view, src.view, chunk)) && is_like_twin(&dst) && is_like_twin(&src);
    free_array(&dst);
    free_array(&src);
    free_pair(&pair);
    return good;
}

/* A rank whose copy failed comes to the next exchange, as the others do. */
static sv_status exchange(const sv_mpi_distribution *distribution, const int64_t *low, const int64_t *high,
                          const int32_t *periodic, const sv_view *view)
{
    sv_mpi_halo *halo = NULL;
    sv_mpi_request *request = NULL;
    sv_status status = sv_mpi_halo_new(MPI_COMM_WORLD, distribution, low, high, periodic, view, 0, &halo);

    for (int turn = 0; turn < 2 && halo != NULL; turn++) {
        sv_status own = sv_mpi_halo_start(halo, &request);

        if (own == SV_OK)
            own = sv_mpi_wait(request, NULL);
        status = status == SV_OK ? own : status;
    }
    sv_mpi_halo_free(halo);
    return status;
}

static bool test_halo(void)
{
    const int32_t ndim = (int32_t)random_between(1, 3);
    int64_t shape[3], grid[3], low[3], high[3], local[3], left = ranks;
    sv_mpi_distribution *distribution = NULL;
    struct array array = {0};
    int32_t periodic[3];
    bool good;

    for (int32_t k = 0; k < ndim; k++) {
        grid[k] = random_between(0, 1) ? left : random_between(1, left);
        left /= grid[k];
        shape[k] = random_between(1, ndim > 1 ? 9 : 30000);
        low[k] = random_between(0, ndim > 1 ? 2 : 12000); /* those of 64 KiB travel alone */
        high[k] = random_between(0, 2);
        periodic[k] = (int32_t)random_between(0, 1);
    }
    if (!is_ok(sv_mpi_distribution_new(ndim, shape, grid, NULL, &distribution)))
        return false;
    sv_mpi_distribution_local_shape(distribution, rank, local);
    for (int32_t k = 0; k < ndim; k++)
        local[k] += low[k] + high[k];
    good = on_all(make_array(SV_FLOAT64, 8, ndim, local, choose_place(), random_between(0, 1), &array));
    good = good && is_ok(exchange(distribution, low, high, periodic, array.twin)) &&
           is_ok(exchange(distribution, low, high, periodic, array.view)) && is_like_twin(&array);
    free_array(&array);
    sv_mpi_distribution_release(distribution);
    return good;
}

/* To the next rank, from the one before. */
static sv_status pass_on(const sv_view *dst, const sv_view *src, bool is_waiting)
{
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    sv_mpi_request *sent = NULL, *received = NULL;
    sv_status status = SV_OK;

    if (is_waiting && ranks > 1) {
        if (rank % 2 == 0)
            status = sv_mpi_send(src, next, 7, MPI_COMM_WORLD);
        if (status == SV_OK)
            status = sv_mpi_recv(dst, before, 7, MPI_COMM_WORLD, NULL);
        return status == SV_OK && rank % 2 == 1 ? sv_mpi_send(src, next, 7, MPI_COMM_WORLD) : status;
    }
    if ((status = sv_mpi_irecv(dst, before, 7, MPI_COMM_WORLD, &received)) ||
        (status = sv_mpi_isend(src, next, 7, MPI_COMM_WORLD, &sent)) || (status = sv_mpi_wait(received, NULL)))
        return status;
    return sv_mpi_wait(sent, NULL);
}

static sv_status broadcast(const sv_view *view, int root, bool is_waiting)
{
    sv_mpi_request *request = NULL;
    sv_status status;

    if (is_waiting)
        return sv_mpi_bcast(view, root, MPI_COMM_WORLD);
    status = sv_mpi_ibcast(view, root, MPI_COMM_WORLD, &request);
    return status == SV_OK ? sv_mpi_wait(request, NULL) : status;
}

static bool test_messages(void)
{
    const bool is_waiting = random_between(0, 1);
    const int root = (int)random_between(0, ranks - 1);
    struct array dst = {0}, src = {0};
    int64_t shape[MOST_AXES];
    const int32_t ndim = (int32_t)random_between(0, MOST_AXES);
    bool good;

    for (int32_t k = 0; k < ndim; k++)
        shape[k] = random_between(0, 20) == 0 ? 0 : random_between(1, ndim > 2 ? 6 : 60);
    good = make_array(SV_INT16, 2, ndim, shape, choose_place(), random_between(0, 1), &dst) &&
           make_array(SV_INT16, 2, ndim, shape, choose_place(), random_between(0, 1), &src);
    good = on_all(good) && is_ok(pass_on(dst.twin, src.twin, is_waiting)) &&
           is_ok(pass_on(dst.view, src.view, is_waiting)) && is_ok(broadcast(src.twin, root, is_waiting)) &&
           is_ok(broadcast(src.view, root, is_waiting)) && is_like_twin(&dst) && is_like_twin(&src);
    free_array(&dst);
    free_array(&src);
    return good;
}

/* --- what is packed where ---------------------------------------------------- */

/* Blocks of rows that become blocks of columns: an MPI that knows devices gets memory of the device, another one pinned
 * memory. Dense messages are not copied at all by the one, and by the other one once. */
static bool test_routes(void)
{
    const int64_t shape[] = {8 * ranks, 8 * ranks}, rows[] = {ranks, 1}, columns[] = {1, ranks};
    const int64_t from[] = {8, 8 * ranks}, to[] = {8 * ranks, 8};
    const size_t before = fake_pinned_bytes();
    struct array dst = {0}, src = {0};
    struct pair pair = {.ndim = 2, .axes = {0, 1}};
    sv_mpi_plan *plan = NULL;
    int64_t sent = 0, buffers = 0, moved;
    bool good = is_ok(sv_mpi_distribution_new(2, shape, rows, NULL, &pair.from)) &&
                is_ok(sv_mpi_distribution_new(2, shape, columns, NULL, &pair.to)) &&
                make_array(SV_FLOAT32, 4, 2, to, FIRST_DEVICE, true, &dst) &&
                make_array(SV_FLOAT32, 4, 2, from, FIRST_DEVICE, true, &src);

    good = on_all(good) &&
           is_ok(sv_mpi_plan_new(MPI_COMM_WORLD, pair.to, pair.from, pair.axes, dst.view, src.view, 0, 0, &plan)) &&
           is_ok(sv_mpi_plan_bytes(plan, &sent, &buffers)) && sent == 4 * 64 * (ranks - 1) &&
           (buffers > 0) == (ranks > 1) && (fake_pinned_bytes() > before) == !is_aware;
    sv_mpi_plan_free(plan);
    free_array(&dst);
    good = on_all(good && make_array(SV_FLOAT32, 4, 2, from, FIRST_DEVICE, true, &dst));
    fake_reset();
    good = good && is_ok(pass_on(dst.view, src.view, false));
    moved = fake_moved();
    if (moved != (is_aware ? 0 : 2 * src.nbytes)) {
        printf("# %lld bytes of %lld were copied\n", (long long)moved, (long long)src.nbytes);
        good = false;
    }
    free_array(&dst);
    free_array(&src);
    free_pair(&pair);
    return good;
}

/* What a stream of the caller is still to write is there before MPI reads it. */
static bool test_order(void)
{
    const int64_t shape[] = {1000};
    cudaStream_t stream = fake_new_stream(0, cudaStreamDefault);
    struct array dst = {0}, src = {0}, other = {0};
    bool good = make_array(SV_UINT8, 1, 1, shape, FIRST_DEVICE, true, &dst) &&
                make_array(SV_UINT8, 1, 1, shape, FIRST_DEVICE, true, &src) &&
                make_array(SV_UINT8, 1, 1, shape, FIRST_DEVICE, true, &other);

    if (on_all(good)) {
        fill(&other, 5);
        fill(&dst, 9);
        memcpy(dst.memory, other.memory, sizeof(char[1000]));
        memcpy(src.memory, other.memory, sizeof(char[1000]));
        good = is_ok(sv_copy(src.view, other.view, 0, (uintptr_t)stream)) &&
               is_ok(pass_on(dst.view, src.view, false)) && is_like_twin(&dst) && is_like_twin(&src);
    }
    free_array(&dst);
    free_array(&src);
    free_array(&other);
    fake_end_stream(stream);
    return good;
}

/* --- failures ---------------------------------------------------------------- */

/* Each call of the runtime fails on one rank in turn: all ranks get an error or none, nobody waits, and the next plan and
 * exchange do as ever. */
static bool test_failures(int step)
{
    const int64_t shape[] = {4 * ranks, 6}, rows[] = {ranks, 1}, columns[] = {1, ranks}, low[] = {1, 0},
                  high[] = {1, 0};
    struct pair pair = {.ndim = 2, .axes = {0, 1}};
    bool good = is_ok(sv_mpi_distribution_new(2, shape, rows, NULL, &pair.from)) &&
                is_ok(sv_mpi_distribution_new(2, shape, columns, NULL, &pair.to));

    for (int nth = 1, left = 2; good && left > 0; nth += step) {
        int64_t to[2], from[2], local[2];
        struct array dst = {0}, src = {0}, halo = {0};
        bool is_plan, is_halo;
        int calls = 0;

        sv_mpi_distribution_local_shape(pair.to, rank, to);
        sv_mpi_distribution_local_shape(pair.from, rank, from);
        local[0] = from[0] + 2;
        local[1] = from[1];
        good = on_all(make_array(SV_FLOAT32, 4, 2, to, FIRST_DEVICE, true, &dst) &&
                      make_array(SV_FLOAT32, 4, 2, from, FIRST_DEVICE, true, &src) &&
                      make_array(SV_FLOAT32, 4, 2, local, FIRST_DEVICE, true, &halo));
        fake_reset();
        if (good && rank == nth % ranks)
            fake_fail(nth, cudaErrorUnknown);
        is_plan = good && redistribute(&pair, dst.view, src.view, 40) == SV_OK;
        is_halo = good && exchange(pair.from, low, high, NULL, halo.view) == SV_OK;
        calls = rank == nth % ranks ? fake_calls() : 0;
        fake_reset();
        fake_forgive();
        MPI_Bcast(&calls, 1, MPI_INT, nth % ranks, MPI_COMM_WORLD);
        left -= calls < nth; /* it was the call of nobody */
        if (on_all(is_plan) != is_plan) {
            printf("# rank %d: call %d failed, and the plan not on all ranks\n", rank, nth);
            good = false;
        }
        good = on_all(good && (is_halo || calls >= nth) && is_ok(redistribute(&pair, dst.view, src.view, 40)) &&
                      is_ok(exchange(pair.from, low, high, NULL, halo.view)));
        free_array(&dst);
        free_array(&src);
        free_array(&halo);
    }
    fake_forgive();
    fake_excuse();
    free_pair(&pair);
    return good;
}

/* --- all --------------------------------------------------------------------- */

static bool is_clean(void)
{
    if (fake_faults() > 0)
        printf("# rank %d: %s", rank, fake_text());
    return fake_faults() == 0;
}

static void run(int rounds, const char *names[5])
{
    fake_start(FAKE_LAZY, 1);
    fake_open_devices(is_aware);
    tap_ok(test_rounds(test_routes, 1) && is_clean(), names[0]);
    tap_ok(test_rounds(test_order, 1) && is_clean(), names[1]);
    tap_ok(test_rounds(test_messages, rounds) && is_clean(), names[2]);
    tap_ok(test_rounds(test_plan, rounds) && is_clean(), names[3]);
    tap_ok(test_rounds(test_halo, rounds) && is_clean(), names[4]);
    sv_memory_collect(1, NULL);
    tap_ok(fake_end()[0] == '\0', "nothing is left");
}

int main(int argc, char **argv)
{
    static const char *staged[] = {"messages in pinned memory", "the order of streams", "messages", "plans", "halos"};
    static const char *known[] = {"messages in memory of devices", "the order of streams, known", "messages, known",
                                  "plans, known", "halos, known"};
    int rounds;

    ranks_begin(&argc, &argv);
    rounds = argc > 1 ? atoi(argv[1]) : 60;
    run(rounds, staged);
    is_aware = 1;
    run(rounds, known);
    for (is_aware = 0; is_aware < 2; is_aware++) {
        fake_start(FAKE_EAGER, 1);
        fake_open_devices(is_aware);
        tap_ok(test_failures(rounds > 50 ? 1 : 7), is_aware ? "failing calls, known" : "failing calls");
        sv_memory_collect(1, NULL);
        fake_end();
    }
    return ranks_end();
}
