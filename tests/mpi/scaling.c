/*
 * What doc/mpi_scaling.md has: times of a transposition and of a stencil with halos for a number of ranks, and the
 * parameters of the model of many ranks. Prints lines of words and numbers, medians of the slowest rank.
 *
 *     mpiexec -n 2 tests/mpi/scaling [ROUNDS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sv_mpi.h>

enum { MATRIX = 4096, CUBE = 256, PACKED = 64 << 20, ROW = 2048, MESSAGE = 4 << 20, REPEATS = 100, MAX_ROUNDS = 101 };
enum { SMALL = 128, CHUNK = 64, CHUNKS = SMALL / 2 * SMALL / 2 * 8 / CHUNK }; /* a matrix; bytes; chunks of two ranks */

static int rank, ranks, rounds;
static double times[MAX_ROUNDS];

static void check(int status)
{
    if (status != SV_OK) {
        fprintf(stderr, "rank %d: %s: %s\n", rank, sv_status_name(status), sv_mpi_last_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

/* The median of what all rounds of a piece of work take on the slowest rank, in seconds. */
static double median(void (*work)(void *), void *context)
{
    work(context);
    for (int round = 0; round < rounds; round++) {
        double begin, mine;

        MPI_Barrier(MPI_COMM_WORLD);
        begin = MPI_Wtime();
        work(context);
        mine = MPI_Wtime() - begin;
        MPI_Allreduce(&mine, &times[round], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(times, (size_t)rounds, sizeof *times, by_value);
    return times[rounds / 2];
}

static void tell(const char *name, double value, const char *unit)
{
    if (rank == 0)
        printf("%s %.4g %s\n", name, value, unit);
    fflush(stdout);
}

static void *memory_of(size_t nbytes)
{
    char *memory = aligned_alloc(4096, (nbytes + 4095) / 4096 * 4096);

    if (memory == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(memory, 1, nbytes);
    return memory;
}

/* --- redistributions ---------------------------------------------------------- */

struct redistribution {
    sv_mpi_plan *plan;
    sv_view *dst, *src;
    int repeats;
};

static void execute(void *context)
{
    const struct redistribution *it = context;

    for (int i = 0; i < it->repeats; i++)
        check(sv_mpi_plan_execute(it->plan, it->dst, it->src));
}

/* Of one execution: a square matrix, divided by rows, becomes its transpose, or divided by columns. */
static double time_matrix(int64_t extent, bool is_turned, int64_t chunk, int repeats)
{
    const int64_t whole[] = {extent, extent}, rows[] = {ranks, 1}, columns[] = {1, ranks};
    const int32_t axes[] = {1, 0};
    sv_mpi_distribution *from = NULL, *to = NULL;
    struct redistribution it = {.repeats = repeats};
    int64_t mine[2], theirs[2];
    double taken;

    check(sv_mpi_distribution_new(2, whole, rows, NULL, &from));
    check(sv_mpi_distribution_new(2, whole, is_turned ? rows : columns, NULL, &to));
    check(sv_mpi_distribution_local_shape(from, rank, mine));
    check(sv_mpi_distribution_local_shape(to, rank, theirs));

    double *src = memory_of((size_t)(mine[0] * mine[1] + 1) * sizeof *src);
    double *dst = memory_of((size_t)(theirs[0] * theirs[1] + 1) * sizeof *dst);

    check(sv_view_from_host(SV_FLOAT64, 2, mine, NULL, src, 0, &it.src));
    check(sv_view_from_host(SV_FLOAT64, 2, theirs, NULL, dst, 0, &it.dst));
    check(sv_mpi_plan_new(MPI_COMM_WORLD, to, from, is_turned ? axes : NULL, it.dst, it.src, 0, chunk, &it.plan));
    taken = median(execute, &it) / repeats;
    sv_mpi_plan_free(it.plan);
    sv_view_release(it.dst);
    sv_view_release(it.src);
    sv_mpi_distribution_release(to);
    sv_mpi_distribution_release(from);
    free(src);
    free(dst);
    return taken;
}

/* --- a stencil ---------------------------------------------------------------- */

/* A part of a cube that is divided by its first axis, with a layer on each side. */
struct part {
    int64_t shape[3];
    double *from, *to;
    sv_view *view;
};

static sv_view *layer(const struct part *part, int64_t index)
{
    const int64_t start[] = {index, 0, 0}, stop[] = {index + 1, part->shape[1], part->shape[2]};
    sv_view *view = NULL;

    check(sv_view_slice(part->view, 3, start, stop, NULL, &view));
    return view;
}

static void exchange(void *context)
{
    const struct part *part = context;
    sv_mpi_request *requests[4];
    int count = 0;

    for (int side = -1; side <= 1; side += 2) {
        const int other = rank + side < 0 || rank + side >= ranks ? MPI_PROC_NULL : rank + side;
        sv_view *theirs = layer(part, side < 0 ? 0 : part->shape[0] - 1);
        sv_view *mine = layer(part, side < 0 ? 1 : part->shape[0] - 2);

        check(sv_mpi_irecv(theirs, other, side < 0, MPI_COMM_WORLD, &requests[count++]));
        check(sv_mpi_isend(mine, other, side > 0, MPI_COMM_WORLD, &requests[count++]));
        sv_view_release(mine);
        sv_view_release(theirs);
    }
    for (int i = 0; i < count; i++)
        check(sv_mpi_wait(requests[i], NULL));
}

static void step(void *context)
{
    struct part *part = context;
    const int64_t row = part->shape[2], plane = part->shape[1] * row;
    const double *restrict in = part->from;
    double *restrict out = part->to;

    exchange(part);
    for (int64_t i = 1; i < part->shape[0] - 1; i++)
        for (int64_t j = 1; j < part->shape[1] - 1; j++)
            for (int64_t k = 1; k < part->shape[2] - 1; k++) {
                const int64_t at = i * plane + j * row + k;

                out[at] = (in[at - plane] + in[at + plane] + in[at - row] + in[at + row] + in[at - 1] + in[at + 1]) / 6;
            }
}

static void time_stencil(void)
{
    struct part part = {.shape = {CUBE / ranks + 2, CUBE, CUBE}};
    const size_t nbytes = (size_t)(part.shape[0] * part.shape[1] * part.shape[2]) * sizeof *part.from;

    part.from = memory_of(nbytes);
    part.to = memory_of(nbytes);
    check(sv_view_from_host(SV_FLOAT64, 3, part.shape, NULL, part.from, 0, &part.view));
    tell("stencil", 1e3 * median(step, &part), "ms");
    tell("halos", 1e3 * median(exchange, &part), "ms");
    sv_view_release(part.view);
    free(part.from);
    free(part.to);
}

/* --- parameters --------------------------------------------------------------- */

/* Columns of a matrix, as one side of a redistribution has them, packed and alone. */
struct packing {
    sv_view *strided, *run;
    MPI_Datatype type;
    char *memory;
};

static void copy_run(void *context)
{
    const struct packing *it = context;

    memcpy(sv_view_data(it->run), it->memory, PACKED);
}

static void pack(void *context)
{
    const struct packing *it = context;

    check(sv_copy(it->run, it->strided, 0, 0));
}

static void pack_by_type(void *context)
{
    const struct packing *it = context;
    int position = 0;

    MPI_Pack(it->memory, 1, it->type, sv_view_data(it->run), PACKED, &position, MPI_COMM_WORLD);
}

static void ping(void *context)
{
    const struct packing *it = context;
    const bool is_long = it->type == MPI_BYTE;
    const int nbytes = is_long ? MESSAGE : 0, repeats = is_long ? 1 : REPEATS;

    for (int i = 0; i < repeats; i++)
        if (rank == 0) {
            MPI_Send(it->memory, nbytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(it->memory, nbytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(it->memory, nbytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(it->memory, nbytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
}

/* What an execution takes without elements, and what a chunk takes without many. */
static void time_plans(void)
{
    const double empty = time_matrix(0, false, 0, REPEATS);

    tell("agreements", 1e6 * empty, "us");
    if (ranks == 2)
        tell("chunk", 1e6 * (time_matrix(SMALL, false, CHUNK, REPEATS) - empty) / CHUNKS, "us");
}

static void time_parameters(void)
{
    const int64_t shape[] = {PACKED / ROW, ROW}, strides[] = {2 * ROW, 1};
    struct packing it = {.memory = memory_of(2 * (size_t)PACKED)};
    char *run = memory_of(PACKED);

    check(sv_view_from_host(SV_UINT8, 2, shape, strides, it.memory, 0, &it.strided));
    check(sv_view_from_host(SV_UINT8, 2, shape, NULL, run, 0, &it.run));
    check(sv_mpi_type_new(it.strided, &it.type));
    tell("memcpy", PACKED / median(copy_run, &it) / 1e9, "GB/s");
    tell("pack", PACKED / median(pack, &it) / 1e9, "GB/s");
    tell("type", PACKED / median(pack_by_type, &it) / 1e9, "GB/s");
    MPI_Type_free(&it.type);
    it.type = MPI_BYTE;
    if (ranks > 1)
        tell("message", MESSAGE / (median(ping, &it) / 2) / 1e9, "GB/s");
    it.type = MPI_DATATYPE_NULL;
    if (ranks > 1)
        tell("latency", 1e6 * median(ping, &it) / (2 * REPEATS), "us");
    sv_view_release(it.strided);
    sv_view_release(it.run);
    free(it.memory);
    free(run);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rounds = argc > 1 ? atoi(argv[1]) : 15;
    rounds = rounds < 1 ? 1 : rounds > MAX_ROUNDS ? MAX_ROUNDS : rounds;
    tell("ranks", ranks, "");
    tell("columns", 1e3 * time_matrix(MATRIX, false, 0, 1), "ms");
    tell("transpose", 1e3 * time_matrix(MATRIX, true, 0, 1), "ms");
    time_plans();
    time_stencil();
    time_parameters();
    MPI_Finalize();
    return 0;
}
