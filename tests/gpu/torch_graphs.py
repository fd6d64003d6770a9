"""Copies inside PyTorch's `with torch.cuda.graph(...)`, where PyTorch is: recorded, or refused while it goes on."""

from functools import partial

from machine import Driver

import strideview as sv


def find_torch(machine):
    """PyTorch, if it is there and sees the device that libsv does."""
    try:
        import torch
    except ImportError:
        return None
    return torch if torch.cuda.is_available() and isinstance(machine, Driver) else None


def is_refused(call):
    try:
        call()
    except (BufferError, RuntimeError):
        return True
    return False


def recorded(torch, call):
    """call(target, source, views made before, stream) is a part of the graph, and is not done by the capture."""
    source, target = torch.rand(64, 48, device="cuda"), torch.zeros(48, 64, device="cuda")
    views, graph = (sv.view(target), sv.view(source).T), torch.cuda.CUDAGraph()
    sv.copy(*views)  # loads the kernels
    target.zero_()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        call(target, source, views, torch.cuda.current_stream())
    before = bool(target.any())
    graph.replay()
    torch.cuda.synchronize()
    return "it was done by the capture" if before else "" if torch.equal(target, source.T) else "the graph copies else"


def refused(torch, call):
    """call(target, source, views made before, stream) is refused, and the capture goes on."""
    source, target, count = (torch.rand(64, 48, device="cuda"), torch.zeros(48, 64, device="cuda"),
                             torch.zeros(1, device="cuda"))
    views, graph = (sv.view(target), sv.view(source).T), torch.cuda.CUDAGraph()
    sv.copy(*views)  # loads the kernels
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        found = is_refused(lambda: call(target, source, views, torch.cuda.current_stream()))
        count += 1
    graph.replay()
    torch.cuda.synchronize()
    return "it was not refused" if not found else "" if count.item() == 1 else "the capture was lost"


def default_stream(torch, stream):
    """PyTorch's default stream has the number 0."""
    source, target = torch.rand(64, 48, device="cuda"), torch.zeros(48, 64, device="cuda")
    sv.copy(target, sv.view(source).T, stream)
    return "" if torch.equal(target, source.T) else "the bytes differ"


def by_new_views(target, source, stream):
    sv.copy(sv.view(target, stream), sv.view(source, stream).T, stream)


RECORDED = {
    "a stream": lambda target, source, views, stream: by_new_views(target, source, stream),
    "the number of a stream": lambda target, source, views, stream: by_new_views(target, source, stream.cuda_stream),
    "views of before": lambda target, source, views, stream: sv.copy(*views, stream),
    "tensors without a stream": lambda target, source, views, stream: sv.copy(target, sv.view(source).T),
    "views without a stream": lambda target, source, views, stream: sv.copy(*views),
    "a plan without a stream": lambda target, source, views, stream: sv.Plan(*views).execute(*views),
    "a batch without a stream": lambda target, source, views, stream: sv.copy_batch([target], [sv.view(source).T]),
    "axes rearranged without a stream": lambda target, source, views, stream: sv.rearrange(source, "h w -> w h",
                                                                                         out=target),
    "fills without a stream": lambda target, source, views, stream: (sv.fill(target, 0), sv.copy(*views)),
}
REFUSED = {
    "a copy that waits": lambda target, source, views, stream: sv.copy(
        sv.view(target, stream), sv.view(source, stream).T, stream, blocking=True),
    "a copy to the host": lambda target, source, views, stream: sv.copy(
        sv.empty((64, 48), "float32"), sv.view(source, stream), stream),
}


def fault(check, torch, *arguments):
    """What is wrong; "". A capture that is lost is an error of PyTorch's."""
    try:
        return check(torch, *arguments)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def rows_of(torch):
    """Calls without a stream only where PyTorch tells the one that it works on."""
    has_table = any(hasattr(torch.Tensor, f"__{name}_exchange_api__") for name in ("dlpack_c", "c_dlpack"))
    for name, stream_of in (("stream", lambda stream: stream), ("number", lambda stream: stream.cuda_stream)):
        yield f"default stream by {name}", partial(fault, default_stream, torch, stream_of(torch.cuda.default_stream()))
    for name, call in RECORDED.items():
        if has_table or "without" not in name:
            yield f"recorded: {name}", partial(fault, recorded, torch, call)
    for name, call in REFUSED.items():
        yield f"refused: {name}", partial(fault, refused, torch, call)


def torch_graphs(ground, machine):
    """Calls inside `with torch.cuda.graph(...)`, recorded or refused."""
    torch = find_torch(machine)
    if torch is not None:
        for name, check in rows_of(torch):
            yield "torch graphs", name, check
