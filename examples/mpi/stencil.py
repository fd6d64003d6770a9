"""Heat in a cube that is divided over a grid of processes: each step replaces an element by the mean of its six
neighbours. The layers at the faces of each part travel to the ranks beside it while the rest of the part is computed.
Every rank computes the whole cube alone, too, and compares.

    mpiexec -n 4 python stencil.py 40 10
"""

import sys

import numpy as np
from mpi4py import MPI

from strideview import mpi

comm = MPI.COMM_WORLD


def step(out, cube):
    """The means of the six neighbours of all elements but the outermost layer."""
    out[1:-1, 1:-1, 1:-1] = (cube[:-2, 1:-1, 1:-1] + cube[2:, 1:-1, 1:-1] + cube[1:-1, :-2, 1:-1] + cube[1:-1, 2:, 1:-1]
                             + cube[1:-1, 1:-1, :-2] + cube[1:-1, 1:-1, 2:]) / 6


# [halo]
def step_part(out, cube, halo):
    """One step of a part with a layer around it: while the layers are on their way, all that needs none of them."""
    layers = halo.start()
    step(out[1:-1, 1:-1, 1:-1], cube[1:-1, 1:-1, 1:-1])
    layers.wait()
    for axis in range(3):  # then the first and the last layer along each axis
        for three in slice(0, 3), slice(-3, None):
            box = tuple(three if k == axis else slice(None) for k in range(3))
            step(out[box], cube[box])
# [halo]


def main():
    n, steps = (int(word) for word in sys.argv[1:3] or (40, 10))
    grid = MPI.Compute_dims(comm.size, 3)
    parts = mpi.Distribution((n, n, n), grid)
    shape = parts.local_shape(comm.rank)
    place = np.unravel_index(comm.rank, grid)
    mine = tuple(slice(k * -(-n // count), k * -(-n // count) + extent)
                 for k, count, extent in zip(place, grid, shape, strict=True))

    i, j, k = np.ogrid[:n, :n, :n]
    alone = [np.pad((i * 31 + j * 17 + k * 7) % 97.0, 1) for _ in range(2)]
    cubes = [np.pad(alone[0][1:-1, 1:-1, 1:-1][mine], 1) for _ in range(2)]
    halos = [mpi.Halo(comm, parts, cube, 1, faces=True) for cube in cubes]
    for number in range(steps):
        now, after = number % 2, (number + 1) % 2
        step_part(cubes[after], cubes[now], halos[now])
        step(alone[after], alone[now])

    difference = np.abs(cubes[steps % 2] - np.pad(alone[steps % 2][1:-1, 1:-1, 1:-1][mine], 1))[1:-1, 1:-1, 1:-1]
    furthest = comm.allreduce(difference.max(initial=0), MPI.MAX)
    for halo in halos:
        halo.close()
    if comm.rank == 0:
        print(f"{n}^3 by {' x '.join(map(str, grid))} ranks, {steps} steps: differs by {furthest:g}")
    return bool(furthest != 0)


if __name__ == "__main__":
    sys.exit(main())
