/*
 * Heat in a cube that is divided over a grid of processes: each step replaces an element by the mean of its six
 * neighbours. The layers at the faces of each part travel to the ranks beside it while the rest of the part is computed.
 * Every rank computes the whole cube alone, too, and compares.
 *
 *     mpicc stencil.c $(pkg-config --cflags --libs strideview-mpi) -o stencil
 *     mpiexec -n 4 ./stencil 40 10
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sv_mpi.h>

static int rank, ranks;

/* The part of this rank, and its first element in the cube. */
struct part {
    int dims[3]; /* of the grid */
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

/* One step over the box [begin, end) of an array with a layer of zeros, or of neighbours, around it. */
static void step_box(double *out, const double *in, const int64_t *shape, const int64_t *begin, const int64_t *end)
{
    const int64_t row = shape[2] + 2, plane = (shape[1] + 2) * row;

    for (int64_t i = begin[0]; i < end[0]; i++)
        for (int64_t j = begin[1]; j < end[1]; j++)
            for (int64_t k = begin[2]; k < end[2]; k++) {
                const int64_t at = i * plane + j * row + k;

                out[at] = (in[at - plane] + in[at + plane] + in[at - row] + in[at + row] + in[at - 1] + in[at + 1]) / 6;
            }
}

/* [halo] */
/* One step of the part: while the layers around it are on their way, all that needs none of them. */
static void step_part(double *out, const double *in, const int64_t *shape, sv_mpi_halo *halo)
{
    const int64_t second[] = {2, 2, 2};
    sv_mpi_request *request = NULL;

    check(sv_mpi_halo_start(halo, &request));
    step_box(out, in, shape, second, shape);
    check(sv_mpi_wait(request, NULL));
    for (int axis = 0; axis < 3 && shape[axis] > 0; axis++) { /* then the first and the last layer along each axis */
        int64_t begin[] = {1, 1, 1}, end[] = {shape[0] + 1, shape[1] + 1, shape[2] + 1};

        begin[axis] = shape[axis];
        step_box(out, in, shape, begin, end);
        begin[axis] = 1;
        end[axis] = 2;
        step_box(out, in, shape, begin, end);
    }
}
/* [halo] */

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
    int place = rank;

    MPI_Dims_create(ranks, 3, part->dims);
    for (int k = 2; k >= 0; k--) {
        grid[k] = part->dims[k];
        part->first[k] = place % grid[k] * ((n + grid[k] - 1) / grid[k]);
        place /= part->dims[k];
    }
    check(sv_mpi_distribution_new(3, whole, grid, NULL, &part->distribution));
    check(sv_mpi_distribution_local_shape(part->distribution, rank, part->shape));
}

/* The cube of this rank with one layer around it, which an exchange fills at the faces. */
static sv_mpi_halo *make_halo(const struct part *part, double *cube)
{
    const int64_t one[] = {1, 1, 1}, around[] = {part->shape[0] + 2, part->shape[1] + 2, part->shape[2] + 2};
    sv_mpi_halo *halo = NULL;
    sv_view *view = NULL;

    check(sv_view_from_host(SV_FLOAT64, 3, around, NULL, cube, 0, &view));
    check(sv_mpi_halo_new(MPI_COMM_WORLD, part->distribution, one, one, NULL, view, SV_MPI_HALO_FACES, &halo));
    sv_view_release(view); /* the halo keeps it */
    return halo;
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
    const int64_t one[] = {1, 1, 1}, behind[] = {n + 1, n + 1, n + 1};
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

    double *cubes[] = {make_cube(part.shape, part.first), make_cube(part.shape, part.first)};
    double *alone[] = {make_cube(all, zero), make_cube(all, zero)};
    sv_mpi_halo *halos[] = {make_halo(&part, cubes[0]), make_halo(&part, cubes[1])};

    for (int i = 0; i < steps; i++) {
        step_part(cubes[(i + 1) % 2], cubes[i % 2], part.shape, halos[i % 2]);
        step_box(alone[(i + 1) % 2], alone[i % 2], all, one, behind);
    }
    worst = difference(cubes[steps % 2], &part, alone[steps % 2], n);
    MPI_Reduce(&worst, &furthest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%lld^3 by %d x %d x %d ranks, %d steps: differs by %g\n", (long long)n, part.dims[0], part.dims[1],
               part.dims[2], steps, furthest);
    for (int i = 0; i < 2; i++) {
        sv_mpi_halo_free(halos[i]);
        free(cubes[i]);
        free(alone[i]);
    }
    sv_mpi_distribution_release(part.distribution);
    MPI_Finalize();
    return rank == 0 && furthest != 0;
}
