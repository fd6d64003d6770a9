/*
 * Heat in a cube that is divided over a grid of processes: each step replaces an element by the mean of its six
 * neighbours. The layers at the faces of each part are sent to the ranks beside it, as views of any strides, while
 * nothing is packed by hand. Every rank computes the whole cube alone, too, and compares.
 *
 *     mpicc stencil.c $(pkg-config --cflags --libs strideview-mpi) -o stencil
 *     mpiexec -n 4 ./stencil 40 10
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sv_mpi.h>

static int rank, ranks;

/* The part of this rank, with a layer more on each side. */
struct part {
    int dims[3], place[3]; /* of the grid, and of this rank in it */
    int64_t shape[3], first[3];
    sv_mpi_distribution *distribution;
};

static void check(sv_status status)
{
    if (status != SV_OK) {
        fprintf(stderr, "rank %d: %s: %s\n", rank, sv_status_name(status), sv_mpi_last_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void *need(void *memory)
{
    if (memory == NULL)
        check(SV_ERROR_MEMORY);
    return memory;
}

/* The rank beside this one, or MPI_PROC_NULL where there is none or it has nothing. */
static int neighbour(const struct part *part, int axis, int side)
{
    int place[3] = {part->place[0], part->place[1], part->place[2]}, other;
    int64_t shape[3];

    place[axis] += side;
    if (place[axis] < 0 || place[axis] >= part->dims[axis])
        return MPI_PROC_NULL;
    other = (place[0] * part->dims[1] + place[1]) * part->dims[2] + place[2];
    check(sv_mpi_distribution_local_shape(part->distribution, other, shape));
    return shape[0] * shape[1] * shape[2] > 0 ? other : MPI_PROC_NULL;
}

/* [halo] */
/* One layer of the part across an axis, without the edges: of itself (0 is the first) or of what is around it (-1). */
static sv_view *layer(const sv_view *whole, const struct part *part, int axis, int64_t index)
{
    int64_t start[3] = {1, 1, 1}, stop[3];
    sv_view *view = NULL;

    for (int k = 0; k < 3; k++)
        stop[k] = part->shape[k] + 1;
    start[axis] = index + 1;
    stop[axis] = index + 2;
    check(sv_view_slice(whole, 3, start, stop, NULL, &view));
    return view;
}

/* Every rank gets the layers around its part from the ranks beside it. */
static void exchange(const sv_view *whole, const struct part *part)
{
    sv_mpi_request *requests[12];
    int count = 0;

    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            const int other = neighbour(part, axis, side);
            const int64_t last = part->shape[axis] - 1;
            sv_view *mine = layer(whole, part, axis, side < 0 ? 0 : last);
            sv_view *theirs = layer(whole, part, axis, side < 0 ? -1 : last + 1);

            check(sv_mpi_irecv(theirs, other, 2 * axis + (side < 0), MPI_COMM_WORLD, &requests[count++]));
            check(sv_mpi_isend(mine, other, 2 * axis + (side > 0), MPI_COMM_WORLD, &requests[count++]));
            sv_view_release(mine); /* requests keep their views */
            sv_view_release(theirs);
        }
    for (int i = 0; i < count; i++)
        check(sv_mpi_wait(requests[i], NULL));
}
/* [halo] */

/* One step over an array with a layer of zeros, or of neighbours, around it. */
static void step(double *out, const double *in, const int64_t *shape)
{
    const int64_t row = shape[2] + 2, plane = (shape[1] + 2) * row;

    for (int64_t i = 1; i <= shape[0]; i++)
        for (int64_t j = 1; j <= shape[1]; j++)
            for (int64_t k = 1; k <= shape[2]; k++) {
                const int64_t at = i * plane + j * row + k;

                out[at] = (in[at - plane] + in[at + plane] + in[at - row] + in[at + row] + in[at - 1] + in[at + 1]) / 6;
            }
}

static double begin_value(int64_t i, int64_t j, int64_t k)
{
    return (double)((i * 31 + j * 17 + k * 7) % 97);
}

static double *make_cube(const int64_t *shape, const int64_t *first)
{
    const int64_t row = shape[2] + 2, plane = (shape[1] + 2) * row;
    double *cube = need(calloc((size_t)((shape[0] + 2) * plane), sizeof *cube));

    for (int64_t i = 0; i < shape[0]; i++)
        for (int64_t j = 0; j < shape[1]; j++)
            for (int64_t k = 0; k < shape[2]; k++)
                cube[(i + 1) * plane + (j + 1) * row + k + 1] = begin_value(first[0] + i, first[1] + j, first[2] + k);
    return cube;
}

static void divide(int64_t n, struct part *part)
{
    const int64_t whole[] = {n, n, n};
    int64_t grid[3];

    MPI_Dims_create(ranks, 3, part->dims);
    for (int k = 0; k < 3; k++)
        grid[k] = part->dims[k];
    part->place[0] = rank / (part->dims[1] * part->dims[2]);
    part->place[1] = rank / part->dims[2] % part->dims[1];
    part->place[2] = rank % part->dims[2];
    check(sv_mpi_distribution_new(3, whole, grid, NULL, &part->distribution));
    check(sv_mpi_distribution_local_shape(part->distribution, rank, part->shape));
    for (int k = 0; k < 3; k++)
        part->first[k] = part->place[k] * ((n + grid[k] - 1) / grid[k]);
}

/* How far the part is from the same elements of the cube that was computed alone. */
static double difference(const double *mine, const struct part *part, const double *whole, int64_t n)
{
    const int64_t row = part->shape[2] + 2, plane = (part->shape[1] + 2) * row;
    double most = 0;

    for (int64_t i = 1; i <= part->shape[0]; i++)
        for (int64_t j = 1; j <= part->shape[1]; j++)
            for (int64_t k = 1; k <= part->shape[2]; k++) {
                const int64_t at = ((part->first[0] + i) * (n + 2) + part->first[1] + j) * (n + 2) + part->first[2] + k;

                most = fmax(most, fabs(mine[i * plane + j * row + k] - whole[at]));
            }
    return most;
}

int main(int argc, char **argv)
{
    const int64_t n = argc > 1 ? atol(argv[1]) : 40, zero[] = {0, 0, 0}, all[] = {n, n, n};
    const int steps = argc > 2 ? atoi(argv[2]) : 10;
    struct part part = {0};
    double worst, furthest;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (n < 1 || steps < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: stencil EXTENT STEPS\n");
        MPI_Finalize();
        return 2;
    }
    divide(n, &part);

    const int64_t around[] = {part.shape[0] + 2, part.shape[1] + 2, part.shape[2] + 2};
    const int is_empty = part.shape[0] * part.shape[1] * part.shape[2] == 0;
    double *now = make_cube(part.shape, part.first), *next = make_cube(part.shape, part.first);
    double *whole = make_cube(all, zero), *other = make_cube(all, zero);

    for (int i = 0; i < steps; i++) {
        double *kept = now;
        sv_view *view = NULL;

        check(sv_view_from_host(SV_FLOAT64, 3, around, NULL, now, 0, &view));
        if (!is_empty)
            exchange(view, &part);
        sv_view_release(view);
        step(next, now, part.shape);
        now = next;
        next = kept;
        step(other, whole, all);
        kept = whole;
        whole = other;
        other = kept;
    }
    worst = difference(now, &part, whole, n);
    MPI_Reduce(&worst, &furthest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%lld^3 by %d x %d x %d ranks, %d steps: differs by %g\n", (long long)n, part.dims[0], part.dims[1],
               part.dims[2], steps, furthest);
    sv_mpi_distribution_release(part.distribution);
    free(now);
    free(next);
    free(whole);
    free(other);
    MPI_Finalize();
    return rank == 0 && furthest != 0;
}
