"""A matrix that is divided by rows becomes its transpose, divided by rows: what a parallel Fourier transform does between
its two passes. Every rank makes its rows, and looks whether it has those of the transpose afterwards.

    mpiexec -n 4 python transpose.py 1000 700
"""

import sys

import numpy as np
from mpi4py import MPI

from strideview import distributed, mpi

comm = MPI.COMM_WORLD


def rows_of(matrix, distribution):
    """What this rank has of a matrix that is divided by rows."""
    height, _ = distribution.local_shape(0)
    return matrix[comm.rank * height:][:distribution.local_shape(comm.rank)[0]]


def main():
    rows, columns = (int(word) for word in sys.argv[1:3] or (1000, 700))
    whole = np.arange(rows * columns, dtype="float64").reshape(rows, columns)  # on all ranks, to compare with
    by_rows = mpi.Distribution((rows, columns), grid=(comm.size, 1))
    by_columns = mpi.Distribution((columns, rows), grid=(comm.size, 1))

    mine = rows_of(whole, by_rows)
    turned = distributed.redistribute(mine, by_rows, by_columns, comm, axes=(1, 0))  # axis 0 is axis 1 of the matrix

    wrong = comm.allreduce(int(np.sum(np.asarray(turned) != rows_of(whole.T, by_columns))))
    if comm.rank == 0:
        print(f"{rows} x {columns} by {comm.size} ranks: {wrong} elements are wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
