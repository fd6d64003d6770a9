/*
 * Random halos against the definition: every element is the number of its place in the whole array, which each rank
 * computes alone for its part and for all margins. Run by mpiexec with any number of ranks; rank 0 prints TAP.
 */
#include <stdlib.h>
#include <string.h>

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

static bool is_ok(sv_status status)
{
    if (status != SV_OK)
        printf("# rank %d: %s: %s\n", rank, sv_status_name(status), sv_mpi_last_message());
    return status == SV_OK;
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
        good &= is_expected(&arrays[0]) && is_expected(&arrays[1]);
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

/* Messages of more bytes than an int counts: memory of 4.4 GiB a rank, so that it runs where it is asked for. */
static bool test_large(void)
{
    const int64_t part = (INT64_C(1) << 31) + 100, shape[] = {part * ranks}, grid[] = {ranks}, width[] = {part}, none[] = {0};
    const int64_t around[] = {2 * part};
    sv_mpi_distribution *distribution = NULL;
    sv_view *view = NULL;
    sv_mpi_halo *halo = NULL;
    sv_mpi_request *request = NULL;
    char *memory = malloc((size_t)(2 * part));
    bool good = memory != NULL;

    memset(memory, rank + 1, (size_t)part);
    memset(memory + part, FILL, (size_t)part);
    good &= sv_mpi_distribution_new(1, shape, grid, NULL, &distribution) == SV_OK;
    good &= sv_view_from_host(SV_UINT8, 1, around, NULL, memory, 0, &view) == SV_OK;
    good &= is_ok(sv_mpi_halo_new(MPI_COMM_WORLD, distribution, none, width, (int32_t[]){1}, view, 0, &halo));
    good &= is_ok(sv_mpi_halo_start(halo, &request)) && complete(request, false);
    for (int64_t i = 0; i < part; i++)
        good &= memory[part + i] == (rank + 1) % ranks + 1;
    sv_mpi_halo_free(halo);
    sv_view_release(view);
    sv_mpi_distribution_release(distribution);
    free(memory);
    return good;
}

/* --- what is refused --------------------------------------------------------- */

static bool says(sv_status status, sv_status wanted, const char *words)
{
    if (status == wanted && strstr(sv_mpi_last_message(), words) != NULL)
        return true;
    printf("# rank %d: %s %s, not %s %s\n", rank, sv_status_name(status), sv_mpi_last_message(), sv_status_name(wanted), words);
    return false;
}

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
        good &= says(sv_mpi_test(request, NULL, NULL), SV_ERROR_NULL, "done") && complete(request, round);
    }
    good &= is_ok(sv_mpi_halo_bytes(halo, NULL, NULL, NULL));
    sv_mpi_halo_free(NULL);
    sv_mpi_halo_free(halo);
    return good;
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    tap_ok(test_random(argc > 1 ? atoi(argv[1]) : 300), "random halos");
    tap_ok(test_large_pieces(), "pieces that travel alone");
    tap_ok(test_two_at_once(), "two halos at once");
    tap_ok(test_refusals(), "halos that one rank refuses, or all");
    tap_ok(test_states(), "exchanges out of turn");
    if (getenv("SV_TEST_BIG") != NULL)
        tap_ok(test_large(), "messages beyond 2^31 bytes");
    return ranks_end();
}
