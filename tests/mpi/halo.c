/*
 * Random halos against the definition: every element is the number of its place in the whole array, which each rank
 * computes alone for its part and for all margins. Run by mpiexec with any number of ranks; rank 0 prints TAP.
 */
#include <stdlib.h>
#include <string.h>

#include "machines.h"
#include "ranks.h"

enum { MAX_NDIM = 4, MAX_RANKS = 64, FILL = 0xee };

/* --- a case ------------------------------------------------------------------ */

struct random_case {
    int32_t ndim, periodic[MAX_NDIM], order[MAX_NDIM];
    int64_t shape[MAX_NDIM], grid[MAX_NDIM], low[MAX_NDIM], high[MAX_NDIM], gaps[MAX_NDIM];
    bool is_backwards[MAX_NDIM];
    sv_dtype dtype;
    int64_t itemsize;
    uint32_t flags;
    bool has_large_pieces; /* which travel alone */
};

static void choose_case(struct random_case *it)
{
    static const struct {
        sv_dtype dtype;
        int64_t itemsize;
    } types[] = {{SV_INT64, 8}, {SV_INT32, 4}, {SV_UINT8, 1}, {SV_INT16, 2}, {SV_FLOAT32, 4}, {SV_COMPLEX128, 16}};
    const int64_t type = random_between(0, (int64_t)(sizeof types / sizeof *types) - 1);
    int64_t left = random_between(0, 3) > 0 ? ranks : random_between(1, ranks);

    it->ndim = (int32_t)random_between(1, MAX_NDIM);
    it->dtype = types[type].dtype;
    it->itemsize = types[type].itemsize;
    it->flags = random_between(0, 2) == 0 ? SV_MPI_HALO_FACES : 0;
    it->has_large_pieces = false;
    for (int32_t k = 0; k < it->ndim; k++) {
        it->grid[k] = random_between(0, 1) ? left : random_between(1, left);
        left /= it->grid[k];
        it->shape[k] = random_between(0, 29) == 0 ? 0 : random_between(1, it->ndim > 2 ? 7 : 20);
        it->low[k] = random_between(0, it->ndim > 2 ? 2 : 5) * random_between(0, 2);
        it->high[k] = random_between(0, 1) ? it->low[k] : random_between(0, 3);
        it->periodic[k] = (int32_t)random_between(0, 1);
    }
    for (int i = 0; i < 5 * rank; i++) /* memory of another order, with other gaps, on each rank */
        random_between(0, 1);
    for (int32_t k = 0; k < it->ndim; k++) {
        it->order[k] = k;
        it->gaps[k] = random_between(0, 3) == 0 ? 2 : 1;
        it->is_backwards[k] = random_between(0, 3) == 0;
    }
    for (int32_t k = it->ndim - 1; k > 0; k--) {
        const int32_t other = (int32_t)random_between(0, k), kept = it->order[k];

        it->order[k] = it->order[other];
        it->order[other] = kept;
    }
}

/* A part with its margins, in memory of which every byte is compared. */
struct array {
    sv_view *view;
    char *memory, *expected;
    int64_t nbytes, first; /* of the element [0,...,0] */
    int64_t shape[MAX_NDIM], strides[MAX_NDIM];
    int64_t begin[MAX_NDIM], end[MAX_NDIM]; /* of the part in the whole array */
};

/* Which elements of the whole array are of this rank. */
static void find_part(const struct random_case *it, const sv_mpi_distribution *distribution, struct array *array)
{
    int64_t index[MAX_NDIM] = {0}, size = 1;

    for (int32_t k = 0; k < it->ndim; k++) {
        array->begin[k] = INT64_MAX;
        array->end[k] = INT64_MIN;
        size *= it->shape[k];
    }
    for (int64_t i = 0; i < size; i++) {
        int64_t rest = i;
        int32_t owner;

        for (int32_t k = it->ndim - 1; k >= 0; rest /= it->shape[k--])
            index[k] = rest % it->shape[k];
        sv_mpi_distribution_place(distribution, index, &owner, NULL);
        for (int32_t k = 0; k < it->ndim && owner == rank; k++) {
            array->begin[k] = array->begin[k] < index[k] ? array->begin[k] : index[k];
            array->end[k] = array->end[k] > index[k] ? array->end[k] : index[k] + 1;
        }
    }
}

static void make_array(const struct random_case *it, const sv_mpi_distribution *distribution, struct array *out)
{
    int64_t step = it->itemsize;

    *out = (struct array){0};
    find_part(it, distribution, out);
    sv_mpi_distribution_local_shape(distribution, rank, out->shape);
    for (int32_t k = it->ndim - 1; k >= 0; k--) {
        const int32_t axis = it->order[k];

        out->shape[axis] += it->low[axis] + it->high[axis];
        out->strides[axis] = step;
        step *= (out->shape[axis] > 0 ? out->shape[axis] : 1) * it->gaps[axis];
        if (it->is_backwards[axis] && out->shape[axis] > 0) {
            out->first += (out->shape[axis] - 1) * out->strides[axis];
            out->strides[axis] = -out->strides[axis];
        }
    }
    out->nbytes = step;
    out->memory = malloc((size_t)step);
    out->expected = malloc((size_t)step);
    if (sv_view_from_host(it->dtype, it->ndim, out->shape, out->strides, out->memory + out->first, 0, &out->view) != SV_OK) {
        fprintf(stderr, "%s\n", sv_last_message());
        abort();
    }
}

static void free_array(struct array *array)
{
    sv_view_release(array->view);
    free(array->memory);
    free(array->expected);
}

/* --- what is expected -------------------------------------------------------- */

/* Elements that come from others, and who sends some of them. */
struct traffic {
    int64_t elements;
    bool from[MAX_RANKS];
};

/* The element of the whole array that belongs at this index of an array with margins, by its number and its owner. */
static bool find_source(const struct random_case *it, const struct array *array, const int64_t *index, int64_t *source,
                        int32_t *beyond)
{
    *beyond = 0;
    for (int32_t k = 0; k < it->ndim; k++) {
        int64_t at = array->begin[k] - it->low[k] + index[k];

        *beyond += at < array->begin[k] || at >= array->end[k];
        if (it->periodic[k])
            at = (at % it->shape[k] + it->shape[k]) % it->shape[k];
        if (at < 0 || at >= it->shape[k])
            return false;
        source[k] = at;
    }
    return true;
}

/* Writes the part into memory, and the part with its margins into what is expected. */
static void write_numbers(const struct random_case *it, const sv_mpi_distribution *distribution, struct array *array,
                          int64_t round, struct traffic *traffic)
{
    int64_t index[MAX_NDIM] = {0}, source[MAX_NDIM], local[MAX_NDIM], size = 1;

    memset(array->memory, FILL, (size_t)array->nbytes);
    memset(array->expected, FILL, (size_t)array->nbytes);
    *traffic = (struct traffic){0};
    sv_mpi_distribution_local_shape(distribution, rank, local);
    for (int32_t k = 0; k < it->ndim; k++)
        size *= local[k] > 0 ? array->shape[k] : 0;
    for (int64_t i = 0; i < size; i++) {
        int64_t rest = i, at = array->first, number = round * 1000003;
        int32_t beyond, owner;
        char item[16];

        for (int32_t k = it->ndim - 1; k >= 0; rest /= array->shape[k--])
            index[k] = rest % array->shape[k];
        if (!find_source(it, array, index, source, &beyond) || ((it->flags & SV_MPI_HALO_FACES) && beyond > 1))
            continue;
        sv_mpi_distribution_place(distribution, source, &owner, NULL);
        for (int32_t k = 0; k < it->ndim; k++) {
            number = number * it->shape[k] + source[k];
            at += index[k] * array->strides[k];
        }
        memset(item, 0x5a, sizeof item);
        memcpy(item, &number, sizeof number);
        memcpy(array->expected + at, item, (size_t)it->itemsize);
        if (beyond == 0)
            memcpy(array->memory + at, item, (size_t)it->itemsize);
        traffic->elements += owner != rank;
        traffic->from[owner] |= owner != rank;
    }
}

static bool is_expected(const struct array *array)
{
    return memcmp(array->memory, array->expected, (size_t)array->nbytes) == 0;
}

/* As many messages and bytes are sent by all ranks as they get; a pair of ranks has one message each way, but for large
 * pieces, and no byte is sent twice. */
static bool has_least_traffic(const struct random_case *it, const sv_mpi_halo *halo, const struct traffic *traffic)
{
    int64_t counts[4] = {0, traffic->elements * it->itemsize, 0, 0}, buffers;
    bool good = sv_mpi_halo_bytes(halo, &counts[2], &counts[3], &buffers) == SV_OK && buffers >= 0;

    for (int i = 0; i < MAX_RANKS; i++)
        counts[0] += traffic->from[i];
    MPI_Allreduce(MPI_IN_PLACE, counts, 4, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    good &= it->has_large_pieces ? counts[0] < counts[2] : counts[0] == counts[2];
    good &= counts[1] == counts[3];
    if (!good)
        printf("# %d messages, %d bytes, not %d, %d\n", (int)counts[2], (int)counts[3], (int)counts[0], (int)counts[1]);
    return good;
}

static bool complete(sv_mpi_request *request, bool tests)
{
    int32_t done = 0;

    if (!tests)
        return is_ok(sv_mpi_wait(request, NULL));
    while (!done)
        if (!is_ok(sv_mpi_test(request, &done, NULL)))
            return false;
    return true;
}

static bool run_case(const struct random_case *it)
{
    sv_mpi_distribution *distribution = NULL;
    struct array array;
    struct traffic traffic;
    sv_mpi_halo *halo = NULL;
    sv_mpi_request *request = NULL;
    bool good;

    if (sv_mpi_distribution_new(it->ndim, it->shape, it->grid, NULL, &distribution) != SV_OK)
        return false;
    make_array(it, distribution, &array);
    good = is_ok(sv_mpi_halo_new(MPI_COMM_WORLD, distribution, it->low, it->high, it->periodic, array.view, it->flags, &halo));
    for (int round = 0; round < 2 && halo != NULL; round++) { /* a halo serves often */
        write_numbers(it, distribution, &array, round, &traffic);
        good &= is_ok(sv_mpi_halo_start(halo, &request)) && complete(request, round == 1) && is_expected(&array);
    }
    if (halo != NULL)
        good &= has_least_traffic(it, halo, &traffic);
    sv_mpi_halo_free(halo);
    free_array(&array);
    sv_mpi_distribution_release(distribution);
    return good;
}

static bool test_random(int rounds)
{
    bool good = true;

    for (int round = 0; round < rounds && good; round++) {
        struct random_case it;

        random_begin((uint64_t)round);
        choose_case(&it);
        good = on_all(run_case(&it));
        if (!good && rank == 0)
            printf("# round %d\n", round);
    }
    return good;
}

/* --- cases that are fixed ---------------------------------------------------- */

/* Rows of more than 64 KiB, in which bytes are a run or not, with corners, which are small. */
static bool test_large_pieces(void)
{
    bool good = true;

    for (int turned = 0; turned < 2; turned++) {
        struct random_case it = {.ndim = 2, .periodic = {1, 1}, .shape = {3 * ranks, 9001}, .grid = {ranks, 1}, .low = {2, 1},
                                 .high = {1, 0}, .gaps = {1, 1}, .dtype = SV_INT64, .itemsize = 8, .has_large_pieces = ranks > 1};

        it.order[turned] = 0;
        it.order[1 - turned] = 1;
        it.gaps[turned] = 2;
        good &= on_all(run_case(&it));
    }
    return good;
}

/* Two halos that are under way at once, and ranks that are a step ahead of their neighbours. */
static bool test_two_at_once(void)
{
    struct random_case it = {.ndim = 2, .periodic = {1, 0}, .order = {0, 1}, .shape = {6, 5}, .grid = {ranks, 1},
                             .low = {2, 1}, .high = {1, 1}, .gaps = {1, 1}, .dtype = SV_INT32, .itemsize = 4};
    sv_mpi_distribution *distribution = NULL;
    sv_mpi_halo *halos[2] = {NULL, NULL};
    sv_mpi_request *requests[2] = {NULL, NULL};
    struct array arrays[2];
    struct traffic traffic;
    bool good = sv_mpi_distribution_new(2, it.shape, it.grid, NULL, &distribution) == SV_OK;

    for (int i = 0; i < 2; i++) {
        make_array(&it, distribution, &arrays[i]);
        good &= is_ok(sv_mpi_halo_new(MPI_COMM_WORLD, distribution, it.low, it.high, it.periodic, arrays[i].view, 0, &halos[i]));
    }
    for (int round = 0; round < 20 && good; round++) {
        for (int i = 0; i < 2; i++)
            write_numbers(&it, distribution, &arrays[i], 2 * round + i, &traffic);
        good &= is_ok(sv_mpi_halo_start(halos[0], &requests[0])) && is_ok(sv_mpi_halo_start(halos[1], &requests[1]));
        good &= complete(requests[1 - round % 2], rank % 2) && complete(requests[round % 2], false);
        good = on_all(good && is_expected(&arrays[0]) && is_expected(&arrays[1]));
    }
    write_numbers(&it, distribution, &arrays[0], 50, &traffic);
    good &= is_ok(sv_mpi_halo_start(halos[0], &requests[0]));
    for (int i = 0; i < 2; i++)
        sv_mpi_halo_free(halos[i]); /* the one that is under way ends with its request */
    good &= complete(requests[0], false) && is_expected(&arrays[0]);
    for (int i = 0; i < 2; i++)
        free_array(&arrays[i]);
    sv_mpi_distribution_release(distribution);
    return good;
}

/* Tells the ranks beside an even one that it has begun an exchange, or makes an odd one wait for those beside it. */
static void pass_on(bool is_told)
{
    for (int side = 1; side < ranks; side += ranks > 2 ? ranks - 2 : 1) {
        const int other = (rank + side) % ranks;

        if (other % 2 == rank % 2)
            continue;
        if (is_told)
            MPI_Send(NULL, 0, MPI_BYTE, other, 9, MPI_COMM_WORLD);
        else
            MPI_Recv(NULL, 0, MPI_BYTE, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Even ranks have begun the next exchange before odd ones look at what came in this one. */
static bool test_ahead(void)
{
    enum { ROUNDS = 6 };
    struct random_case it = {.ndim = 1, .periodic = {1}, .shape = {4 * ranks}, .grid = {ranks}, .low = {2}, .high = {1},
                             .gaps = {1}, .dtype = SV_INT64, .itemsize = 8};
    sv_mpi_distribution *distribution = NULL;
    sv_mpi_request *request = NULL;
    sv_mpi_halo *halo = NULL;
    struct array array;
    struct traffic traffic;
    bool good = sv_mpi_distribution_new(1, it.shape, it.grid, NULL, &distribution) == SV_OK;

    make_array(&it, distribution, &array);
    good &= is_ok(sv_mpi_halo_new(MPI_COMM_WORLD, distribution, it.low, it.high, it.periodic, array.view, 0, &halo));
    for (int round = 0; round < ROUNDS; round++) {
        write_numbers(&it, distribution, &array, round, &traffic);
        good &= is_ok(sv_mpi_halo_start(halo, &request));
        if (rank % 2 == 0 && round > 0)
            pass_on(true);
        if (rank % 2 != 0 && round < ROUNDS - 1)
            pass_on(false);
        good &= complete(request, false) && is_expected(&array);
    }
    sv_mpi_halo_free(halo);
    free_array(&array);
    sv_mpi_distribution_release(distribution);
    return good;
}

/* A message of more bytes than an int counts: all of rank 0's part is the margin of rank 1, which has one element. Of the
 * margin of rank 0, which lies outside of the array, no byte is touched. */
static bool test_large(void)
{
    const int64_t block = (INT64_C(1) << 31) + 100, shape[] = {block + 1}, grid[] = {2}, none[] = {0};
    const int64_t around[] = {block + (rank == 0 ? block : 1)};
    sv_mpi_distribution *distribution = NULL;
    sv_mpi_request *request = NULL;
    sv_mpi_halo *halo = NULL;
    sv_view *view = NULL;
    char *memory = malloc((size_t)around[0]);
    bool good = memory != NULL && sv_mpi_distribution_new(1, shape, grid, &block, &distribution) == SV_OK &&
                sv_view_from_host(SV_UINT8, 1, around, NULL, memory, 0, &view) == SV_OK;

    for (int64_t i = 0; good && rank == 0 && i < block; i++)
        memory[block + i] = (char)(i % 251);
    good = good && is_ok(sv_mpi_halo_new(MPI_COMM_WORLD, distribution, &block, none, NULL, view, 0, &halo)) &&
           is_ok(sv_mpi_halo_start(halo, &request)) && complete(request, false);
    for (int64_t i = 0; good && rank == 1 && i < block; i++)
        good = memory[i] == (char)(i % 251);
    sv_mpi_halo_free(halo);
    sv_view_release(view);
    sv_mpi_distribution_release(distribution);
    free(memory);
    return good;
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    tap_ok(test_random(argc > 1 ? atoi(argv[1]) : 300), "random halos");
    tap_ok(test_large_pieces(), "pieces that travel alone");
    tap_ok(test_two_at_once(), "two halos at once");
    tap_ok(test_ahead(), "ranks that are an exchange ahead");
    if (getenv("SV_TEST_BIG") != NULL && ranks == 2) /* 4 GiB of memory */
        tap_ok(test_large(), "messages beyond 2^31 bytes");
    return ranks_end();
}
