"""Plans between addresses that lie in two arrays, on the fake CUDA runtime."""

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import runtime  # noqa: F401  (a fixture)
from test_fake import DeviceArray
from test_fake_capture import captured

SHAPE = (6, 10)


def device_array(numbers, kind=fake.DEVICE):
    """Memory of the device with these numbers, for as long as the view is there."""
    numbers = np.asarray(numbers)
    view = sv.view(DeviceArray(numbers.shape, numbers.dtype, 0, kind), -1)
    sv.copy(view, numbers)
    return view


def read(view):
    out = np.empty(view.shape, view.dtype)
    sv.copy(out, view)
    return out


def launches():
    return sum(":launch" in line for line in fake.log())


@pytest.mark.parametrize("where, count, expected", [("device", 700, 1), ("cpu", 100, 1), ("cpu", 300, 3), ("cpu", 700, 1)])
def test_pages_within_a_device(runtime, where, count, expected):
    source = np.arange(count * 60, dtype="f4").reshape(count, *SHAPE)
    from_pages, to_pages = device_array(source), device_array(np.zeros((count, *SHAPE[::-1]), "f4"))
    order = np.random.default_rng(2).permutation(count)
    src = from_pages.ptr + 240 * order
    dst = to_pages.ptr + 240 * np.arange(count)
    plan = sv.Plan(to_pages[0], from_pages[0].T)
    tables = [device_array(dst), device_array(src)] if where == "device" else [dst, src]
    runtime.fake_reset()
    plan.execute_table(*tables)
    assert launches() == expected
    assert np.array_equal(read(to_pages), source[order].transpose(0, 2, 1))
    del from_pages, to_pages, tables


def test_a_graph_holds_one_launch(runtime):
    stream = fake.lib.fake_new_stream(0, 1)
    from_pages, to_pages = device_array(np.zeros((4, 60), "u1")), device_array(np.zeros((4, 60), "f4"))
    table = device_array(np.array([to_pages.ptr + 240 * np.arange(4), from_pages.ptr + 60 * np.arange(4)]))
    plan = sv.Plan(to_pages[0], from_pages[0], scale=2)
    assert captured(stream, lambda: plan.execute_table(table[0], table[1], stream)) == "a kernel; "
    del from_pages, to_pages, table
    runtime.fake_end_stream(stream)


def test_a_device_does_not_read_for_the_host(runtime):
    page, table = np.zeros(4, "f4"), device_array(np.zeros(3, "i8"))
    with pytest.raises(NotImplementedError, match="CUDA memory"):
        sv.Plan(page, page).execute_table(table, table)
    del table


if __name__ == "__main__":
    import tap

    tap.main(__file__)
