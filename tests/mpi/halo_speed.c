/*
 * Times halos beside what programs write without libsv_mpi, and beside a second order of work, alternately: all margins in
 * one step; axis after axis, by one halo an axis whose parts have the margins that were filled before; and persistent
 * messages of MPI's subarray types to each neighbour. Prints messages and bytes that a rank sends, and medians of the
 * slowest rank's time.
 *
 *     mpiexec -n 2 tests/mpi/halo_speed [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sv_mpi.h>

enum { NDIM = 3, NEIGHBOURS = 27, ONE_STEP = 0, BY_AXES = 1, SUBARRAYS = 2, WAYS = 3, MAX_ROUNDS = 1001 };

static int rank, ranks;

struct speed_case {
    const char *name;
    int64_t extent; /* of a part, along all axes */
    int64_t width;
    int axis; /* the one that is divided; -1: as many as MPI_Dims_create() chooses */
    sv_dtype dtype;
    int64_t itemsize;
};

static const struct speed_case cases[] = {
    {"float32, 256^3, slowest axis", 256, 1, 0, SV_FLOAT32, 4},
    {"float32, 256^3, middle axis", 256, 1, 1, SV_FLOAT32, 4},
    {"float32, 256^3, fastest axis", 256, 1, 2, SV_FLOAT32, 4},
    {"float64, 128^3, fastest axis", 128, 1, 2, SV_FLOAT64, 8},
    {"float64, 128^3, fastest axis, width 3", 128, 3, 2, SV_FLOAT64, 8},
    {"float64, 128^3, all axes", 128, 1, -1, SV_FLOAT64, 8},
    {"float64, 32^3, all axes", 32, 1, -1, SV_FLOAT64, 8},
    {"float64, 8^3, all axes", 8, 1, -1, SV_FLOAT64, 8},
};

/* The ways of one case; messages of axes follow one another. */
struct bench {
    int dims[NDIM], place[NDIM], periodic[NDIM];
    char *memory;
    sv_view *view;
    sv_mpi_halo *whole, *axes[NDIM];
    MPI_Request requests[2 * NEIGHBOURS];
    MPI_Status statuses[2 * NEIGHBOURS];
    int count;
};

static void check(sv_status status)
{
    if (status != SV_OK) {
        fprintf(stderr, "%s\n", sv_mpi_last_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* A halo along the axes from `first` to `last`, of parts that have the margins of all axes before. */
static sv_mpi_halo *make_halo(const struct speed_case *it, const struct bench *bench, int first, int last)
{
    int64_t shape[NDIM], grid[NDIM], width[NDIM], start[NDIM], stop[NDIM];
    sv_mpi_distribution *distribution = NULL;
    sv_mpi_halo *halo = NULL;
    sv_view *part = NULL;

    for (int k = 0; k < NDIM; k++) {
        const int64_t margins = k < first ? 2 * it->width : 0;

        grid[k] = bench->dims[k];
        shape[k] = grid[k] * (it->extent + margins);
        width[k] = k >= first && k <= last ? it->width : 0;
        start[k] = k > last ? it->width : 0;
        stop[k] = k > last ? it->width + it->extent : it->extent + 2 * it->width;
    }
    check(sv_mpi_distribution_new(NDIM, shape, grid, NULL, &distribution));
    check(sv_view_slice(bench->view, NDIM, start, stop, NULL, &part));
    check(sv_mpi_halo_new(MPI_COMM_WORLD, distribution, width, width, bench->periodic, part, 0, &halo));
    sv_view_release(part);
    sv_mpi_distribution_release(distribution);
    return halo;
}

/* A neighbour's rank, -1 where the array ends. */
static int neighbour(const struct bench *bench, const int *offset)
{
    int other = 0;

    for (int k = 0; k < NDIM; k++) {
        const int place = bench->place[k] + offset[k];

        if (!bench->periodic[k] && (place < 0 || place >= bench->dims[k]))
            return -1;
        other = other * bench->dims[k] + (place + bench->dims[k]) % bench->dims[k];
    }
    return other;
}

static MPI_Datatype subarray(const struct speed_case *it, const int *offset, int is_sent)
{
    const MPI_Datatype item = it->itemsize == 8 ? MPI_DOUBLE : MPI_FLOAT;
    const int extent = (int)it->extent, width = (int)it->width;
    int sizes[NDIM], shape[NDIM], starts[NDIM];
    MPI_Datatype type;

    for (int k = 0; k < NDIM; k++) {
        sizes[k] = extent + 2 * width;
        shape[k] = offset[k] == 0 ? extent : width;
        starts[k] = offset[k] == 0 ? width : offset[k] < 0 ? (is_sent ? width : 0) : (is_sent ? extent : width + extent);
    }
    MPI_Type_create_subarray(NDIM, sizes, shape, starts, MPI_ORDER_C, item, &type);
    MPI_Type_commit(&type);
    return type;
}

static void make_messages(const struct speed_case *it, struct bench *bench)
{
    for (int number = 0; number < NEIGHBOURS; number++) {
        const int offset[] = {number / 9 - 1, number / 3 % 3 - 1, number % 3 - 1};
        const int other = neighbour(bench, offset);

        if (number == NEIGHBOURS / 2 || other < 0)
            continue;

        MPI_Datatype sent = subarray(it, offset, 1), received = subarray(it, offset, 0);

        MPI_Recv_init(bench->memory, 1, received, other, NEIGHBOURS - 1 - number, MPI_COMM_WORLD, &bench->requests[bench->count++]);
        MPI_Send_init(bench->memory, 1, sent, other, number, MPI_COMM_WORLD, &bench->requests[bench->count++]);
        MPI_Type_free(&sent);
        MPI_Type_free(&received);
    }
}

static void open_bench(const struct speed_case *it, struct bench *bench)
{
    const int64_t around[] = {it->extent + 2 * it->width, it->extent + 2 * it->width, it->extent + 2 * it->width};
    const size_t nbytes = (size_t)(around[0] * around[1] * around[2] * it->itemsize);

    *bench = (struct bench){0};
    for (int k = 0; k < NDIM; k++)
        bench->dims[k] = it->axis < 0 ? 0 : it->axis == k ? ranks : 1;
    MPI_Dims_create(ranks, NDIM, bench->dims);
    for (int k = NDIM - 1, rest = rank; k >= 0; rest /= bench->dims[k--]) {
        bench->place[k] = rest % bench->dims[k];
        bench->periodic[k] = bench->dims[k] > 1;
    }
    bench->memory = aligned_alloc(4096, (nbytes + 4095) / 4096 * 4096);
    memset(bench->memory, 1, nbytes);
    check(sv_view_from_host(it->dtype, NDIM, around, NULL, bench->memory, 0, &bench->view));
    bench->whole = make_halo(it, bench, 0, NDIM - 1);
    for (int k = 0; k < NDIM; k++)
        bench->axes[k] = make_halo(it, bench, k, k);
    make_messages(it, bench);
}

static void close_bench(struct bench *bench)
{
    sv_mpi_halo_free(bench->whole);
    for (int k = 0; k < NDIM; k++)
        sv_mpi_halo_free(bench->axes[k]);
    for (int k = 0; k < bench->count; k++)
        MPI_Request_free(&bench->requests[k]);
    sv_view_release(bench->view);
    free(bench->memory);
}

static void exchange(sv_mpi_halo *halo)
{
    sv_mpi_request *request = NULL;

    check(sv_mpi_halo_start(halo, &request));
    check(sv_mpi_wait(request, NULL));
}

static double time_way(struct bench *bench, int way)
{
    double begin, mine, slowest;

    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    if (way == ONE_STEP) {
        exchange(bench->whole);
    } else if (way == BY_AXES) {
        for (int k = 0; k < NDIM; k++)
            exchange(bench->axes[k]);
    } else {
        MPI_Startall(bench->count, bench->requests);
        MPI_Waitall(bench->count, bench->requests, bench->statuses);
    }
    mine = MPI_Wtime() - begin;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest * 1e6;
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

static void run(const struct speed_case *it, int rounds)
{
    static double times[WAYS][MAX_ROUNDS];
    int64_t messages, sent, more, bytes, by_axes = 0, axes_sent = 0;
    struct bench bench;

    open_bench(it, &bench);
    check(sv_mpi_halo_bytes(bench.whole, &messages, &sent, NULL));
    for (int k = 0; k < NDIM; k++) {
        check(sv_mpi_halo_bytes(bench.axes[k], &more, &bytes, NULL));
        by_axes += more;
        axes_sent += bytes;
    }
    for (int round = 0; round < rounds; round++)
        for (int way = 0; way < WAYS; way++)
            times[way][round] = time_way(&bench, way);
    for (int way = 0; way < WAYS; way++)
        qsort(times[way], (size_t)rounds, sizeof(double), by_value);
    if (rank == 0)
        printf("%-38s %2d messages %8d bytes %9.1f us | by axes %2d messages %8d bytes %9.1f us | subarrays %2d messages %9.1f us\n",
               it->name, (int)messages, (int)sent, times[ONE_STEP][rounds / 2], (int)by_axes, (int)axes_sent,
               times[BY_AXES][rounds / 2], bench.count / 2, times[SUBARRAYS][rounds / 2]);
    fflush(stdout);
    close_bench(&bench);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 101;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rounds = rounds < 1 ? 1 : rounds > MAX_ROUNDS ? MAX_ROUNDS : rounds;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run(&cases[i], rounds);
    MPI_Finalize();
    return 0;
}
