"""Arrays that are divided over processes, in one call: for programs that need not know what carries the elements.

    from mpi4py import MPI
    import strideview as sv
    from strideview import distributed, mpi

    comm = MPI.COMM_WORLD
    rows = mpi.Distribution((1000, 700), grid=(comm.size, 1))
    columns = mpi.Distribution((1000, 700), grid=(1, comm.size))
    mine = sv.zeros(rows.local_shape(comm.rank), "float64")
    divided = distributed.redistribute(mine, rows, columns, comm)

Today that is MPI, by strideview.mpi, whose Plan does the same often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import StridedMemoryView, empty, mpi, view

__all__ = ["redistribute"]


def redistribute(src: Any, from_: mpi.Distribution, to: mpi.Distribution, comm: Any, *, axes: Sequence[int] | None = None,
                 dtype: Any = None, casting: str = "same_kind", dst: Any = None) -> StridedMemoryView:
    """What this rank gets when an array that is distributed one way becomes distributed another way. Collective.

    src: what this rank has. comm: a communicator of mpi4py. axes: axis k of the result is axis axes[k] of the source.
    dtype: of the result; None: that of src. casting: "no", "same_kind" or "unsafe", where the dtypes differ. dst: where
    the result goes; None: a new array of host memory.
    """
    source: StridedMemoryView | None = None
    target: StridedMemoryView | None = None
    failure: Exception | None = None
    try:
        source = src if isinstance(src, StridedMemoryView) else view(src)
        target = dst if dst is not None else empty(to.local_shape(comm.rank), source.dtype if dtype is None else dtype)
        target = target if isinstance(target, StridedMemoryView) else view(target)
    except Exception as error:  # other ranks learn of it by the plan
        failure = error
    try:
        with mpi.Plan(comm, to, from_, target, source, axes=axes, casting=casting) as plan:
            plan.execute(target, source)
    except Exception:
        if failure is not None:
            raise failure from None
        raise
    assert target is not None
    return target
