"""Memory of a device, and ways to copy within it and over the link, for the questions of `run tune`."""

import compare

import strideview as sv

SIDES = (4096, 16384, 65536, 262144, 1048576, 4194304, 16777216)  # bytes of a copy
START = 256  # bytes in front of what is copied


class Tools:
    """Memory, a stream, and ways to copy. Sizes beyond most bytes are left out."""

    def __init__(self, machine, stream, most):
        self.machine, self.stream, self.most = machine, stream, most
        self.ground = compare.Ground(4 * most + 4096, START)

    def sizes(self, sizes=SIDES):
        return [size for size in sizes if size <= self.most]

    def buffer(self, side, kind):
        return self.ground.buffer(side, kind)

    def views(self, dst, src, shape, dst_strides, src_strides, dtype="float32", offsets=(0, 0)):
        """Of two buffers, with strides in items and offsets in bytes."""
        return [buffer.view(dtype, shape, strides, offset=START + offset)
                for buffer, strides, offset in zip((dst, src), (dst_strides, src_strides), offsets)]

    def planned(self, *arguments, **options):
        """A planned copy between two buffers."""
        views = self.views(*arguments, **options)
        plan = sv.Plan(*views)

        def run():
            plan.execute(*views, self.stream)

        run.kernel = plan.kernel
        return run

    def mapped(self, dst, src, *arguments, **options):
        """The same by a kernel that reads or writes pinned memory: a plan for the device, executed with its address."""
        devices = self.buffer("dst", "device"), self.buffer("src", "device")
        to, of = self.views(*devices, *arguments, **options)
        out = sv.ffi.new("sv_plan **")
        if sv.lib.sv_plan_new(*(sv.ffi.cast("sv_view *", view.handle) for view in (to, of)), 0, out) != 0:
            raise RuntimeError(sv.ffi.string(sv.lib.sv_last_message()).decode())
        plan, execute = sv.ffi.gc(out[0], sv.lib.sv_plan_release), sv.lib.sv_plan_execute
        addresses = [sv.ffi.cast("void *", buffer.handle + view.ptr - device.handle)
                     for buffer, view, device in zip((dst, src), (to, of), devices)]

        def run():
            if execute(plan, *addresses, self.stream) != 0:
                raise RuntimeError(sv.ffi.string(sv.lib.sv_last_message()).decode())

        run.kernel = sv.Plan(to, of).kernel
        return run

    def on_device(self, *arguments, **options):
        return self.planned(self.buffer("dst", "device"), self.buffer("src", "device"), *arguments, **options)

    def dense(self, nbytes, dst="device", src="device"):
        """The driver's own copy."""
        to, of = self.buffer("dst", dst).handle, self.buffer("src", src).handle
        return lambda: self.machine.copy(to, of, nbytes, self.stream)


def side_of(nbytes):
    """Of a square of float32."""
    return int((nbytes / 4) ** 0.5)


def one_after_another(*runs):
    def run():
        for each in runs:
            each()

    return run
