/*
 * Times redistributions and MPI_Alltoallw of subarray types, which take turns: from a source in any memory, and from one in
 * memory that other ranks read. Prints medians of the slowest rank's time.
 *
 *     mpiexec -n 2 tests/mpi/speed [ROUNDS [CHUNK]]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sv_mpi.h>

static int rank, ranks;
static int64_t chunk; /* bytes of messages at most, 0: that of the library */

struct speed_case {
    const char *name;
    int32_t ndim;
    int64_t shape[3];
    int from_axis, to_axis; /* which is divided */
    int32_t axes[3];        /* of the result */
    sv_dtype dst, src;
    int64_t dst_itemsize, src_itemsize;
};

static const struct speed_case cases[] = {
    {"slabs, axis 0 to 1", 3, {512, 256, 256}, 0, 1, {0, 1, 2}, SV_FLOAT64, SV_FLOAT64, 8, 8},
    {"slabs, axis 1 to 0", 3, {512, 256, 256}, 1, 0, {0, 1, 2}, SV_FLOAT64, SV_FLOAT64, 8, 8},
    {"slabs, axis 0 to 2", 3, {512, 256, 256}, 0, 2, {0, 1, 2}, SV_FLOAT64, SV_FLOAT64, 8, 8},
    {"axes reversed", 3, {512, 256, 256}, 0, 0, {2, 1, 0}, SV_FLOAT64, SV_FLOAT64, 8, 8},
    {"matrix transposed", 2, {4096, 4096, 1}, 0, 0, {1, 0, 0}, SV_FLOAT64, SV_FLOAT64, 8, 8},
    {"float32 slabs", 3, {512, 512, 256}, 0, 1, {0, 1, 2}, SV_FLOAT32, SV_FLOAT32, 4, 4},
    {"float32, axes reversed", 3, {512, 512, 256}, 0, 0, {2, 1, 0}, SV_FLOAT32, SV_FLOAT32, 4, 4},
    {"16-bit slabs", 3, {512, 512, 512}, 0, 1, {0, 1, 2}, SV_INT16, SV_INT16, 2, 2},
    {"small slabs", 3, {64, 64, 64}, 0, 1, {0, 1, 2}, SV_FLOAT64, SV_FLOAT64, 8, 8},
    {"128 KiB", 3, {16, 32, 32}, 0, 1, {0, 1, 2}, SV_FLOAT64, SV_FLOAT64, 8, 8},
    {"4 KiB", 3, {8, 8, 8}, 0, 1, {0, 1, 2}, SV_FLOAT64, SV_FLOAT64, 8, 8},
    {"to half as many bytes", 3, {512, 256, 256}, 0, 1, {0, 1, 2}, SV_FLOAT32, SV_FLOAT64, 4, 8},
};

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

static void local_shape(int32_t ndim, const int64_t *shape, int axis, int of, int64_t *out, int64_t *first)
{
    const int64_t block = (shape[axis] + ranks - 1) / ranks;

    for (int32_t k = 0; k < ndim; k++)
        out[k] = shape[k];
    *first = of * block < shape[axis] ? of * block : shape[axis];
    out[axis] = *first + block < shape[axis] ? block : shape[axis] - *first;
}

static MPI_Datatype native(int64_t itemsize)
{
    return itemsize == 8 ? MPI_DOUBLE : itemsize == 4 ? MPI_FLOAT : MPI_INT16_T;
}

/* What a program without libsv_mpi writes: a subarray of each side for each rank; vectors of vectors where the order of
 * the axes changes. */
static void make_types(const struct speed_case *it, const int64_t *dst_shape, const int64_t *src_shape,
                       MPI_Datatype *send, MPI_Datatype *receive)
{
    int64_t whole[3];

    for (int32_t k = 0; k < it->ndim; k++)
        whole[k] = it->shape[it->axes[k]];
    for (int other = 0; other < ranks; other++) {
        int64_t shape[3], first, strides[3], step = it->src_itemsize;
        MPI_Datatype type, outer;
        int sizes[3], part[3], starts[3];

        local_shape(it->ndim, whole, it->to_axis, other, shape, &first);
        for (int32_t k = it->ndim - 1; k >= 0; k--) {
            strides[k] = step;
            step *= src_shape[k];
        }
        MPI_Type_dup(native(it->src_itemsize), &type);
        for (int32_t k = it->ndim - 1; k >= 0; k--) {
            const int64_t extent = it->axes[k] == it->from_axis ? src_shape[it->from_axis] : shape[k];

            if (k == it->ndim - 1 && strides[it->axes[k]] == it->src_itemsize) /* as a subarray has it */
                MPI_Type_contiguous((int)extent, type, &outer);
            else
                MPI_Type_create_hvector((int)extent, 1, (MPI_Aint)strides[it->axes[k]], type, &outer);
            MPI_Type_free(&type);
            type = outer;
        }
        MPI_Type_commit(&type);
        send[other] = type;

        local_shape(it->ndim, it->shape, it->from_axis, other, shape, &first);
        for (int32_t k = 0; k < it->ndim; k++) {
            sizes[k] = (int)dst_shape[k];
            part[k] = it->axes[k] == it->from_axis ? (int)shape[it->from_axis] : sizes[k];
            starts[k] = it->axes[k] == it->from_axis ? (int)first : 0;
        }
        MPI_Type_create_subarray(it->ndim, sizes, part, starts, MPI_ORDER_C, native(it->src_itemsize), &receive[other]);
        MPI_Type_commit(&receive[other]);
    }
}

/* Where in src the part of each rank begins. */
static void make_starts(const struct speed_case *it, const int64_t *src_shape, int *starts)
{
    int64_t whole[3], shape[3], first, step = it->src_itemsize;

    for (int32_t k = 0; k < it->ndim; k++)
        whole[k] = it->shape[it->axes[k]];
    for (int32_t k = it->ndim - 1; k > it->axes[it->to_axis]; k--)
        step *= src_shape[k];
    for (int other = 0; other < ranks; other++) {
        local_shape(it->ndim, whole, it->to_axis, other, shape, &first);
        starts[other] = (int)(first * step);
    }
}

/* The three ways that take turns, and what they need. */
enum way { PACKED, READ, ALLTOALLW, WAYS };

struct race {
    sv_view *dst, *src[2]; /* in any memory, and in such that others read */
    sv_mpi_plan *plan[2];
    sv_buffer *block;
    char *dst_memory, *src_memory;
    MPI_Datatype send[64], receive[64];
    int counts[64], starts[64];
};

static void need(sv_status status)
{
    if (status != SV_OK) {
        printf("%s\n", sv_mpi_last_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static char *memory_of(int64_t nbytes, int value)
{
    char *memory = aligned_alloc(4096, ((size_t)nbytes + 4095) / 4096 * 4096);

    if (memory == NULL)
        need(SV_ERROR_MEMORY);
    return memset(memory, value, (size_t)nbytes);
}

static void begin(const struct speed_case *it, struct race *race)
{
    int64_t whole[3] = {0}, dst_shape[3], src_shape[3], grid_to[3] = {1, 1, 1}, grid_from[3] = {1, 1, 1}, first;
    int64_t dst_bytes = it->dst_itemsize, src_bytes = it->src_itemsize;
    sv_mpi_distribution *to, *from;
    sv_allocator *allocator;

    for (int32_t k = 0; k < it->ndim; k++)
        whole[k] = it->shape[it->axes[k]];
    local_shape(it->ndim, whole, it->to_axis, rank, dst_shape, &first);
    local_shape(it->ndim, it->shape, it->from_axis, rank, src_shape, &first);
    grid_to[it->to_axis] = grid_from[it->from_axis] = ranks;
    for (int32_t k = 0; k < it->ndim; k++) {
        dst_bytes *= dst_shape[k];
        src_bytes *= src_shape[k];
    }
    race->dst_memory = memory_of(dst_bytes, 1);
    race->src_memory = memory_of(src_bytes, 2);
    need(sv_mpi_allocator_shared(&allocator));
    need(sv_buffer_new(allocator, src_bytes, 0, SV_BUFFER_ZERO, 0, &race->block));
    sv_allocator_release(allocator);
    need(sv_view_from_host(it->dst, it->ndim, dst_shape, NULL, race->dst_memory, 0, &race->dst));
    need(sv_view_from_host(it->src, it->ndim, src_shape, NULL, race->src_memory, SV_READ_ONLY, &race->src[PACKED]));
    need(sv_view_from_host(it->src, it->ndim, src_shape, NULL, sv_buffer_data(race->block), SV_READ_ONLY, &race->src[READ]));
    need(sv_mpi_distribution_new(it->ndim, whole, grid_to, NULL, &to));
    need(sv_mpi_distribution_new(it->ndim, it->shape, grid_from, NULL, &from));
    for (int way = PACKED; way <= READ; way++)
        need(sv_mpi_plan_new(MPI_COMM_WORLD, to, from, it->axes, race->dst, race->src[way], SV_COPY_CAST_UNSAFE, chunk,
                             &race->plan[way]));
    sv_mpi_distribution_release(to);
    sv_mpi_distribution_release(from);
    make_types(it, dst_shape, src_shape, race->send, race->receive);
    make_starts(it, src_shape, race->starts);
    for (int k = 0; k < ranks; k++)
        race->counts[k] = 1;
}

static void end(struct race *race)
{
    for (int k = 0; k < ranks; k++) {
        MPI_Type_free(&race->send[k]);
        MPI_Type_free(&race->receive[k]);
    }
    for (int way = PACKED; way <= READ; way++) {
        sv_mpi_plan_free(race->plan[way]);
        sv_view_release(race->src[way]);
    }
    sv_view_release(race->dst);
    sv_buffer_release(race->block);
    free(race->dst_memory);
    free(race->src_memory);
}

/* How often a way is gone in one measurement: small arrays take less time than MPI_Barrier() differs by. */
static int repeats_of(const struct speed_case *it)
{
    int64_t nbytes = it->src_itemsize;

    for (int32_t k = 0; k < it->ndim; k++)
        nbytes *= it->shape[k];
    return nbytes < 1 << 20 ? 50 : 1;
}

static void go(const struct race *race, int way)
{
    static const int zeros[64];

    if (way == ALLTOALLW)
        MPI_Alltoallw(race->src_memory, race->counts, race->starts, race->send, race->dst_memory, race->counts, zeros,
                      race->receive, MPI_COMM_WORLD);
    else
        need(sv_mpi_plan_execute(race->plan[way], race->dst, race->src[way]));
}

static void run(const struct speed_case *it, int rounds)
{
    static double times[WAYS][101];
    const int ways = it->dst == it->src ? WAYS : ALLTOALLW; /* which converts nothing */
    const int repeats = repeats_of(it);
    struct race race;

    begin(it, &race);
    for (int round = 0; round < rounds; round++)
        for (int way = 0; way < ways; way++) {
            double start, mine;

            MPI_Barrier(MPI_COMM_WORLD);
            start = MPI_Wtime();
            for (int i = 0; i < repeats; i++)
                go(&race, way);
            mine = (MPI_Wtime() - start) / repeats;
            MPI_Allreduce(&mine, &times[way][round], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }
    for (int way = 0; way < ways; way++)
        qsort(times[way], (size_t)rounds, sizeof(double), by_value);
    end(&race);

    const double packed = times[PACKED][rounds / 2], read = times[READ][rounds / 2], other = times[ALLTOALLW][rounds / 2];

    if (rank == 0 && ways < WAYS)
        printf("%-24s %9.3f ms  read %9.3f ms\n", it->name, packed * 1e3, read * 1e3);
    else if (rank == 0)
        printf("%-24s %9.3f ms  read %9.3f ms  Alltoallw %9.3f ms  ratios %6.2f %6.2f\n", it->name, packed * 1e3, read * 1e3,
               other * 1e3, other / packed, other / read);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 9;

    chunk = argc > 2 ? atol(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rounds = rounds < 1 ? 1 : rounds > 101 ? 101 : rounds;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run(&cases[i], rounds);
    MPI_Finalize();
    return 0;
}
