/* Messages, broadcasts, derived types and redistributions of more than 2^31 bytes, from rank 0 to rank 1. Each rank has one
 * array of 2 GiB. Run by mpiexec -n 2 where SV_TEST_BIG is set. */
#include <stdlib.h>
#include <string.h>

#include "ranks.h"

enum { ROW = 4096 };
static const int64_t rows = (INT64_C(1) << 31) / ROW + 3;

static unsigned char *memory;
static sv_view *view, *upside_down;

/* What byte i of rank 0 is: one that repeats with no power of two. */
static unsigned char byte_of(int64_t i)
{
    return (unsigned char)(i % 251);
}

static void fill(void)
{
    for (int64_t i = 0; i < rows * ROW; i++)
        memory[i] = rank == 0 ? byte_of(i) : 0xee;
}

/* What rank 1 has now is what rank 0 had, with its rows in the same order, or backwards. */
static bool has_come(bool is_backwards)
{
    for (int64_t i = 0; i < rows * ROW && rank == 1; i++)
        if (memory[i] != byte_of(is_backwards ? (rows - 1 - i / ROW) * ROW + i % ROW : i))
            return false;
    return true;
}

static bool test_message(void)
{
    sv_mpi_request *request = NULL;
    sv_status status;

    fill();
    status = rank == 0 ? sv_mpi_send(view, 1, 0, MPI_COMM_WORLD) : sv_mpi_recv(view, 0, 0, MPI_COMM_WORLD, NULL);
    if (!on_all(status == SV_OK && has_come(false)))
        return false;
    fill();
    status = rank == 0 ? sv_mpi_isend(view, 1, 0, MPI_COMM_WORLD, &request) : sv_mpi_irecv(view, 0, 0, MPI_COMM_WORLD, &request);
    return status == SV_OK && sv_mpi_wait(request, NULL) == SV_OK && has_come(false);
}

static bool test_broadcast(void)
{
    sv_mpi_request *request = NULL;

    fill();
    if (!on_all(sv_mpi_bcast(view, 0, MPI_COMM_WORLD) == SV_OK && has_come(false)))
        return false;
    fill();
    return sv_mpi_ibcast(view, 0, MPI_COMM_WORLD, &request) == SV_OK && sv_mpi_wait(request, NULL) == SV_OK && has_come(false);
}

/* Rows upside down, without memory to pack them in. */
static bool test_type(void)
{
    MPI_Datatype type;
    int error;

    fill();
    if (sv_mpi_type_new(rank == 0 ? upside_down : view, &type) != SV_OK)
        return false;
    error = rank == 0 ? MPI_Send(sv_view_data(upside_down), 1, type, 1, 0, MPI_COMM_WORLD)
                      : MPI_Recv(memory, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    return error == MPI_SUCCESS && has_come(true);
}

static bool test_plan(void)
{
    const int64_t shape[] = {rows, ROW}, nothing[] = {0, 0};
    sv_mpi_distribution *to = NULL, *from = NULL;
    sv_view *none = NULL;
    sv_mpi_plan *plan = NULL;
    int64_t sent = 0;
    bool good;

    fill();
    sv_mpi_distribution_on_rank(2, shape, 0, &from);
    sv_mpi_distribution_on_rank(2, shape, 1, &to);
    sv_view_from_host(SV_UINT8, 2, nothing, NULL, memory, 0, &none);
    good = sv_mpi_plan_new(MPI_COMM_WORLD, to, from, NULL, rank == 1 ? upside_down : none, rank == 0 ? view : none, 0, 0, &plan) ==
               SV_OK &&
           sv_mpi_plan_execute(plan, rank == 1 ? upside_down : none, rank == 0 ? view : none) == SV_OK && has_come(true) &&
           sv_mpi_plan_bytes(plan, &sent, NULL) == SV_OK && sent == (rank == 0 ? rows * ROW : 0);
    sv_mpi_plan_free(plan);
    sv_view_release(none);
    sv_mpi_distribution_release(to);
    sv_mpi_distribution_release(from);
    return good;
}

int main(int argc, char **argv)
{
    const int64_t shape[] = {rows, ROW}, strides[] = {-ROW, 1};

    ranks_begin(&argc, &argv);
    memory = malloc((size_t)rows * ROW);
    if (memory == NULL || ranks != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    sv_view_from_host(SV_UINT8, 2, shape, NULL, memory, 0, &view);
    sv_view_from_host(SV_UINT8, 2, shape, strides, memory + (rows - 1) * ROW, 0, &upside_down);
    tap_ok(test_message(), "messages of 2 GiB");
    tap_ok(test_broadcast(), "broadcasts of 2 GiB");
    tap_ok(test_type(), "a derived type of 2 GiB");
    tap_ok(test_plan(), "a redistribution of 2 GiB");
    sv_view_release(upside_down);
    sv_view_release(view);
    free(memory);
    return ranks_end();
}
