/* Derived types, messages and broadcasts of views, against what sv_copy() packs. Run by mpiexec. */
#include <stdlib.h>
#include <string.h>

#include "ranks.h"

enum { MAX_NDIM = 4, MAX_BYTES = 1 << 16 };

/* A view of any layout, whose elements are bytes that begin with `seed`. */
struct strided {
    char memory[MAX_BYTES];
    sv_view *view;
};

static int64_t choose_shape(int64_t *shape, int32_t *ndim)
{
    int64_t size = 1;

    *ndim = (int32_t)random_between(0, MAX_NDIM);
    for (int32_t k = 0; k < *ndim; k++)
        size *= shape[k] = random_between(0, 15) == 0 ? 0 : random_between(1, 6);
    return size;
}

/* Axes in any order, with gaps, backwards. */
static void make_strided(sv_dtype dtype, int64_t itemsize, int32_t ndim, const int64_t *shape, int seed,
                         struct strided *out)
{
    int64_t strides[MAX_NDIM], step = itemsize, first = 0;
    int32_t order[MAX_NDIM];

    for (int32_t k = 0; k < ndim; k++)
        order[k] = k;
    for (int32_t k = ndim - 1; k > 0; k--) {
        const int64_t other = random_between(0, k);
        const int32_t kept = order[k];

        order[k] = order[other];
        order[other] = kept;
    }
    for (int32_t k = 0; k < ndim; k++) {
        const int32_t axis = order[k];

        strides[axis] = step;
        step *= (shape[axis] > 0 ? shape[axis] : 1) * random_between(1, 2);
        if (random_between(0, 2) == 0 && shape[axis] > 0) {
            first += (shape[axis] - 1) * strides[axis];
            strides[axis] = -strides[axis];
        }
    }
    for (int64_t i = 0; i < MAX_BYTES; i++)
        out->memory[i] = (char)(i * 7 + seed);
    out->view = NULL;
    if (sv_view_from_host(dtype, ndim, shape, strides, out->memory + first, 0, &out->view) != SV_OK)
        printf("# %s\n", sv_last_message());
}

/* The elements of a view in C order. */
static int64_t pack(const sv_view *view, char *out)
{
    const sv_layout *layout = sv_view_layout(view);
    sv_view *dense = NULL;

    if (sv_view_from_host(sv_view_dtype(view), sv_layout_ndim(layout), sv_layout_shape(layout), NULL, out, 0, &dense) != SV_OK ||
        sv_copy(dense, view, 0, 0) != SV_OK)
        return -1;
    sv_view_release(dense);
    return sv_layout_nbytes(layout);
}

static const struct {
    sv_dtype dtype;
    int64_t itemsize;
} types[] = {{SV_UINT8, 1}, {SV_INT16, 2}, {SV_FLOAT32, 4}, {SV_FLOAT64, 8}, {SV_COMPLEX128, 16}};

static struct strided one, other;
static char expected[MAX_BYTES], found[MAX_BYTES];

/* A derived type reads the same bytes, in the same order, as sv_copy(), and writes them. */
static bool test_type(void)
{
    const int64_t type = random_between(0, 4);
    int64_t shape[MAX_NDIM], nbytes;
    MPI_Datatype made;
    int32_t ndim;
    int size;
    bool good;

    choose_shape(shape, &ndim);
    make_strided(types[type].dtype, types[type].itemsize, ndim, shape, 1, &one);
    make_strided(types[type].dtype, types[type].itemsize, ndim, shape, 2, &other);
    nbytes = pack(one.view, expected);
    if (sv_mpi_type_new(one.view, &made) != SV_OK)
        return false;
    MPI_Type_size(made, &size);
    MPI_Sendrecv(sv_view_data(one.view), 1, made, rank, 1, found, (int)nbytes, MPI_BYTE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    good = size == nbytes && memcmp(found, expected, (size_t)nbytes) == 0;
    MPI_Type_free(&made);
    if (sv_mpi_type_new(other.view, &made) != SV_OK)
        return false;
    MPI_Sendrecv(expected, (int)nbytes, MPI_BYTE, rank, 1, sv_view_data(other.view), 1, made, rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&made);
    good = good && pack(other.view, found) == nbytes && memcmp(found, expected, (size_t)nbytes) == 0;
    sv_view_release(one.view);
    sv_view_release(other.view);
    return good;
}

/* Types of more elements than an int counts, by what MPI says of them: no memory is there, and none is read. */
static bool test_large_types(void)
{
    enum { STEP = 1 << 30 }; /* at which constructors are repeated */
    static const struct {
        int64_t count, stride, inner;
    } cases[] = {{STEP - 1, 3, 1},        {STEP, 3, 1},     {STEP + 1, 3, 1},  {2 * (int64_t)STEP + 5, 1, 1}, {3 * (int64_t)STEP, -2, 1},
                 {5 * (int64_t)STEP + 7, 16, 9}, {STEP + 2, -40, 3}, {INT64_C(1) << 40, 2, 1}, {33, INT64_C(1) << 33, 5}};
    char *memory = (char *)(UINTPTR_MAX >> 19); /* far from both ends of all addresses */
    bool good = true;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t shape[] = {cases[i].count, cases[i].inner}, strides[] = {cases[i].stride, 1};
        const int64_t size = cases[i].count * cases[i].inner, last = (cases[i].count - 1) * cases[i].stride;
        MPI_Count found = 0, low = 0, extent = 0;
        MPI_Datatype type;
        sv_view *view = NULL;

        if (sv_view_from_host(SV_UINT8, 2, shape, strides, memory, SV_READ_ONLY, &view) != SV_OK ||
            sv_mpi_type_new(view, &type) != SV_OK)
            return false;
        MPI_Type_size_x(type, &found);
        MPI_Type_get_true_extent_x(type, &low, &extent);
        if (found != size || low != (last < 0 ? last : 0) || extent != (last < 0 ? -last : last) + cases[i].inner) {
            printf("# case %d: %lld bytes from %lld over %lld\n", (int)i, (long long)found, (long long)low, (long long)extent);
            good = false;
        }
        MPI_Type_free(&type);
        sv_view_release(view);
    }
    return good;
}

/* To the next rank and from the one before, in each form. */
static bool test_message(int form)
{
    const int64_t type = random_between(0, 4);
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    int64_t shape[MAX_NDIM], nbytes;
    sv_mpi_request *sent = NULL, *received = NULL;
    sv_status status = SV_OK;
    MPI_Status came = {.MPI_SOURCE = -5};
    int32_t ndim, done = 0;
    bool good;

    choose_shape(shape, &ndim);
    make_strided(types[type].dtype, types[type].itemsize, ndim, shape, 1, &one); /* what all send */
    nbytes = pack(one.view, expected);
    make_strided(types[type].dtype, types[type].itemsize, ndim, shape, 2, &other);
    if (form == 0 && rank % 2 == 0 && ranks > 1) {
        status = sv_mpi_send(one.view, next, 7, MPI_COMM_WORLD);
        if (status == SV_OK)
            status = sv_mpi_recv(other.view, before, 7, MPI_COMM_WORLD, &came);
    } else if (form == 0 && ranks > 1) {
        status = sv_mpi_recv(other.view, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &came);
        if (status == SV_OK)
            status = sv_mpi_send(one.view, next, 7, MPI_COMM_WORLD);
    } else {
        status = sv_mpi_irecv(other.view, before, 7, MPI_COMM_WORLD, &received);
        if (status == SV_OK)
            status = sv_mpi_isend(one.view, next, 7, MPI_COMM_WORLD, &sent);
        while (status == SV_OK && form == 1 && !done)
            status = sv_mpi_test(received, &done, &came);
        if (status == SV_OK && form != 1)
            status = sv_mpi_wait(received, &came);
        if (status == SV_OK)
            status = sv_mpi_wait(sent, NULL);
    }
    good = status == SV_OK && came.MPI_SOURCE == before && came.MPI_TAG == 7 && pack(other.view, found) == nbytes &&
           memcmp(found, expected, (size_t)nbytes) == 0;
    sv_view_release(one.view);
    sv_view_release(other.view);
    return good;
}

/* Waited for, or under way: alone, or with another one that began after it. */
static sv_status broadcast(const sv_view *view, int root, int form)
{
    static int32_t numbers[3];
    int own[3] = {rank, rank + 1, rank + 2};
    const int64_t shape[] = {3};
    MPI_Request running;
    sv_mpi_request *first = NULL, *second = NULL;
    sv_view *more = NULL;
    int32_t done = 0;
    sv_status status;

    if (form == 0)
        return sv_mpi_bcast(view, root, MPI_COMM_WORLD);
    sv_view_from_host(SV_INT32, 1, shape, NULL, numbers, 0, &more);
    for (int i = 0; i < 3; i++)
        numbers[i] = rank == ranks - 1 ? i + 5 : 0;
    if ((status = sv_mpi_ibcast(view, root, MPI_COMM_WORLD, &first)) == SV_OK)
        status = sv_mpi_ibcast(more, ranks - 1, MPI_COMM_WORLD, &second);
    sv_view_release(more); /* its request keeps it */
    for (int turn = (rank + root + form) % 3 * 4; status == SV_OK && turn > 0 && !done; turn--)
        status = sv_mpi_test(first, &done, NULL);
    MPI_Ibcast(own, 3, MPI_INT, 0, MPI_COMM_WORLD, &running); /* the communicator is the caller's, at whatever stage */
    MPI_Wait(&running, MPI_STATUS_IGNORE);
    while (status == SV_OK && form == 2 && !done)
        status = sv_mpi_test(first, &done, NULL);
    if (status == SV_OK && rank % 2 == 0) /* each rank in its order */
        status = sv_mpi_wait(second, NULL);
    if (status == SV_OK && !done)
        status = sv_mpi_wait(first, NULL);
    if (status == SV_OK && rank % 2 == 1)
        status = sv_mpi_wait(second, NULL);
    return numbers[2] == 7 && own[1] == 1 ? status : SV_ERROR_STATE;
}

static bool test_bcast(void)
{
    const int root = (int)random_between(0, ranks - 1), form = (int)random_between(0, 2);
    int64_t shape[MAX_NDIM], nbytes;
    int32_t ndim;
    bool good;

    choose_shape(shape, &ndim);
    make_strided(SV_INT32, 4, ndim, shape, 1, &one);
    nbytes = pack(one.view, expected);
    for (int i = 0; i < rank; i++) /* another layout on each rank */
        random_between(0, 1);
    make_strided(SV_INT32, 4, ndim, shape, 3, &other);
    good = broadcast(rank == root ? one.view : other.view, root, form) == SV_OK &&
           pack(rank == root ? one.view : other.view, found) == nbytes && memcmp(found, expected, (size_t)nbytes) == 0;
    sv_view_release(one.view);
    sv_view_release(other.view);
    return good;
}

static bool test_messages(int rounds)
{
    bool good = true;

    for (int round = 0; round < rounds && good; round++) {
        random_begin((uint64_t)round);
        good = on_all(test_message(round % 3));
    }
    return good;
}

int main(int argc, char **argv)
{
    int rounds;

    ranks_begin(&argc, &argv);
    rounds = argc > 1 ? atoi(argv[1]) : 60;
    tap_ok(test_rounds(test_type, 4 * rounds), "derived types");
    tap_ok(test_large_types(), "derived types of many elements");
    tap_ok(test_messages(rounds), "messages around a ring");
    tap_ok(test_rounds(test_bcast, rounds), "broadcasts");
    return ranks_end();
}
