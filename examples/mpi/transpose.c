/*
 * A matrix that is divided by rows becomes its transpose, divided by rows: the step between the two passes of a parallel
 * Fourier transform. Every rank makes its rows, and looks whether it has those of the transpose afterwards.
 *
 *     mpicc transpose.c $(pkg-config --cflags --libs strideview-mpi) -o transpose
 *     mpiexec -n 4 ./transpose 1000 700
 */
#include <stdio.h>
#include <stdlib.h>
#include <sv_mpi.h>

static int rank, ranks;

static void *need(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "rank %d: out of memory\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void check(sv_status status)
{
    if (status != SV_OK) {
        fprintf(stderr, "rank %d: %s: %s\n", rank, sv_status_name(status), sv_mpi_last_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* [transpose] */
/* columns x rows from rows x columns, both divided by their first axis. */
static void transpose(double *result, const double *matrix, int64_t rows, int64_t columns)
{
    const int64_t whole[] = {rows, columns}, turned[] = {columns, rows}, grid[] = {ranks, 1};
    const int32_t axes[] = {1, 0}; /* axis 0 of the result is axis 1 of the matrix */
    sv_mpi_distribution *from = NULL, *to = NULL;
    sv_view *source = NULL, *target = NULL;
    sv_mpi_plan *plan = NULL;
    int64_t mine[2];

    check(sv_mpi_distribution_new(2, whole, grid, NULL, &from));
    check(sv_mpi_distribution_local_shape(from, rank, mine));
    check(sv_view_from_host(SV_FLOAT64, 2, mine, NULL, (void *)matrix, SV_READ_ONLY, &source));
    check(sv_mpi_distribution_new(2, turned, grid, NULL, &to));
    check(sv_mpi_distribution_local_shape(to, rank, mine));
    check(sv_view_from_host(SV_FLOAT64, 2, mine, NULL, result, 0, &target));
    check(sv_mpi_plan_new(MPI_COMM_WORLD, to, from, axes, target, source, 0, 0, &plan)); /* once */
    check(sv_mpi_plan_execute(plan, target, source));                                    /* often */
    sv_mpi_plan_free(plan);
    sv_view_release(target);
    sv_view_release(source);
    sv_mpi_distribution_release(to);
    sv_mpi_distribution_release(from);
}
/* [transpose] */

int main(int argc, char **argv)
{
    const int64_t rows = argc > 2 ? atol(argv[1]) : 1000, columns = argc > 2 ? atol(argv[2]) : 700;
    int wrong = 0, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rows < 1 || columns < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: transpose ROWS COLUMNS\n");
        MPI_Finalize();
        return 2;
    }

    /* What each rank has: a part of ceil(rows / ranks) rows, the last ones fewer or none. */
    const int64_t height = (rows + ranks - 1) / ranks, width = (columns + ranks - 1) / ranks;
    double *matrix = need(malloc((size_t)(height * columns) * sizeof *matrix));
    double *result = need(malloc((size_t)(width * rows) * sizeof *result));

    for (int64_t i = 0; i < height * columns; i++)
        matrix[i] = (double)(rank * height * columns + i);
    transpose(result, matrix, rows, columns);
    for (int64_t column = 0; column < width && rank * width + column < columns; column++)
        for (int64_t row = 0; row < rows; row++)
            wrong += result[column * rows + row] != (double)(row * columns + rank * width + column);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%lld x %lld by %d ranks: %d elements are wrong\n", (long long)rows, (long long)columns, ranks, all);
    free(matrix);
    free(result);
    MPI_Finalize();
    return rank == 0 && all != 0;
}
