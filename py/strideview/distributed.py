"""Arrays that are divided over processes, in one call: for programs that need not know what carries the elements.

    from mpi4py import MPI
    import strideview as sv
    from strideview import distributed, mpi

    comm = MPI.COMM_WORLD
    rows = mpi.Distribution((1000, 700), grid=(comm.size, 1))
    columns = mpi.Distribution((1000, 700), grid=(1, comm.size))
    mine = sv.zeros(rows.local_shape(comm.rank), "float64")
    divided = distributed.redistribute(mine, rows, columns, comm)

Today that is MPI, by strideview.mpi, whose Plan does the same often, also while the caller goes on.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from . import StridedMemoryView, empty_like, ffi, lib, mpi, view

__all__ = ["redistribute"]

MOST_PLANS, MOST_BYTES = 8, 64 << 20  # that a communicator keeps


# --- plans that are kept --------------------------------------------------------

class Kept(NamedTuple):
    """A plan, what this rank made it of, and the memory of its messages on the rank where that is the largest."""

    plan: mpi.Plan
    key: Any
    nbytes: int


class Plans:
    """The plans of a communicator, the one used last at the end: the same ones in the same order on all ranks."""

    def __init__(self) -> None:
        self.kept: list[Kept] = []

    def find(self, comm: Any, key: Any) -> mpi.Plan | None:
        """One that all ranks made of what they have now. Collective; key: of this rank, None: it has none."""
        own = sum(1 << i for i, kept in enumerate(self.kept) if key is not None and kept.key == key)
        common = of_all(comm, own, "BAND")
        if common == 0:
            return None
        found = self.kept.pop(common.bit_length() - 1)
        self.kept.append(found)
        return found.plan

    def keep(self, comm: Any, key: Any, plan: mpi.Plan) -> bool:
        """Keep a plan in the place of those that were not used for the longest time; False: it is too large. Collective."""
        nbytes = of_all(comm, plan.nbytes[1], "MAX")
        if nbytes > MOST_BYTES:
            return False
        while len(self.kept) >= MOST_PLANS or sum(kept.nbytes for kept in self.kept) + nbytes > MOST_BYTES:
            self.kept.pop(0).plan.close()
        self.kept.append(Kept(plan, key, nbytes))
        return True


def of_all(comm: Any, number: int, operation: str) -> int:
    """Of a number of each rank."""
    from mpi4py import MPI
    found = array("q", [0])
    comm.Allreduce([array("q", [number]), MPI.INT64_T], [found, MPI.INT64_T], getattr(MPI, operation))
    return found[0]


@cache
def keyval() -> int:
    """The attribute of communicators that has their plans, which end when the communicator is freed."""
    from mpi4py import MPI

    def end_all(_comm: Any, _keyval: int, plans: Plans) -> None:
        while plans.kept:
            plans.kept.pop(0).plan.close()
    return int(MPI.Comm.Create_keyval(delete_fn=end_all))


def plans_of(comm: Any) -> Plans | None:
    """None: what comm is has no plans, as mpi.Plan will say."""
    from mpi4py import MPI
    if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
        return None
    kept = comm.Get_attr(keyval())
    plans = kept if isinstance(kept, Plans) else Plans()
    if plans is not kept:
        comm.Set_attr(keyval(), plans)
    return plans


def form_of(one: StridedMemoryView) -> tuple[Any, ...]:
    """What a plan needs to know of an array."""
    dtype = lib.sv_view_dtype(ffi.cast("sv_view *", one.handle))
    return dtype, one.itemsize, one.shape, one.layout.strides_in_bytes, one.device


# --- redistributions ------------------------------------------------------------

def redistribute(src: Any, from_: mpi.Distribution, to: mpi.Distribution, comm: Any, *, axes: Sequence[int] | None = None,
                 dtype: Any = None, casting: str = "same_kind", dst: Any = None) -> StridedMemoryView:
    """What this rank gets when an array that is distributed one way becomes distributed another way. Collective.

    src: what this rank has. comm: a communicator of mpi4py. axes: axis k of the result is axis axes[k] of the source.
    dtype: of the result; None: that of src. casting: "no", "same_kind" or "unsafe", where the dtypes differ. dst: where
    the result goes; None: a new array of the host, or of the device of src.

    Planning takes longer than small arrays do. The communicator keeps the plans of the last eight calls that were unlike,
    with at most 64 MiB of memory for messages, until comm.Free(); mpi.Plan is for who wants to end one.
    """
    source: StridedMemoryView | None = None
    target: StridedMemoryView | None = None
    key: Any = None
    failure: Exception | None = None
    try:
        source = src if isinstance(src, StridedMemoryView) else view(src)
        target = dst if dst is not None else empty_like(source, dtype, order="C", shape=to.local_shape(comm.rank))
        target = target if isinstance(target, StridedMemoryView) else view(target)
        key = (from_.key, to.key, None if axes is None else tuple(axes), casting, form_of(source), mpi.is_shared(source.ptr),
               form_of(target))
        hash(key)
    except Exception as error:  # other ranks learn of it by the plan
        key, failure = None, error
    plans = plans_of(comm)
    plan = plans.find(comm, key) if plans is not None else None
    is_kept = plan is not None
    try:
        if plan is None:
            plan = mpi.Plan(comm, to, from_, target, source, axes=axes, casting=casting)
            is_kept = plans is not None and plans.keep(comm, key, plan)
        plan.execute(target, source)
    except Exception:
        if is_kept and plans is not None:
            plans.kept.pop()
        if plan is not None:
            plan.close()
        if failure is not None:
            raise failure from None
        raise
    if not is_kept:
        plan.close()
    assert target is not None
    return target
