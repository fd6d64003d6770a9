/* SV_TEST_MACHINES=n: the library is told that ranks are on n machines in turn, so that some pairs share memory and some do
 * not. */
#ifndef SVM_TESTS_MACHINES_H
#define SVM_TESTS_MACHINES_H

#include <mpi.h>
#include <stdlib.h>

/* The library finds this one first. */
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
    const char *machines = getenv("SV_TEST_MACHINES");
    MPI_Comm all;
    int number, error = PMPI_Comm_split_type(comm, type, key, info, &all);

    if (error != MPI_SUCCESS)
        return error;
    PMPI_Comm_rank(MPI_COMM_WORLD, &number);
    error = PMPI_Comm_split(all, machines != NULL ? number % atoi(machines) : 0, key, out);
    PMPI_Comm_free(&all);
    return error;
}

#endif
