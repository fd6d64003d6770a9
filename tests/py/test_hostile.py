"""Objects whose own code, called in the middle of an import, pulls the ground away."""

import pytest

from apart import run_apart

# --- dictionaries that change while they are read ------------------------------

CLEARING = """
    import numpy as np, strideview as sv

    source = np.arange(24, dtype="f4").reshape(2, 3, 4)[:, ::-1]

    class Clearing:
        '''A number that empties the dictionary it stands in when it is asked for.'''
        def __init__(self, number):
            self.number = number
        def ask(self):
            self.fields.clear()
            [tuple(range(900, 900 + n)) for n in range(1, 8) for _ in range(100)]
            return self.number
        __index__ = __bool__ = ask

    class Exporter:
        pass

    address, shape, strides = source.__array_interface__["data"][0], source.shape, source.strides
    for cuda in (False, True):
        fields = {"version": 3, "shape": shape, "strides": strides, "typestr": "".join(["<", "f4"]),
                  "data": (address, False), "mask": None, "stream": None, "descr": [("", "<f4")]}
        fields = {key: tuple(list(value)) if isinstance(value, tuple) else value for key, value in fields.items()}
        clearing = Clearing(%s)
        fields[%r] = %s
        clearing.fields, fields = fields, None
        exporter = Exporter()
        setattr(exporter, "__cuda_array_interface__" if cuda else "__array_interface__", clearing.fields)
        try:
            view = sv.view(exporter)
        except (TypeError, ValueError, BufferError) as error:
            continue
        assert view.ptr == address and view.shape == shape, view
        assert view.layout.strides_in_bytes in (strides, (48, 16, 4)), view
    """

PLACES = [
    ("shape", "2", "(clearing, 3, 4)"),
    ("shape", "4", "(2, 3, clearing)"),
    ("strides", "48", "(clearing, -16, 4)"),
    ("strides", "4", "(48, -16, clearing)"),
    ("data", "address", "(clearing, False)"),
    ("data", "False", "(address, clearing)"),
    ("version", "3", "clearing"),
    ("stream", "-1", "clearing"),
    ("offset", "0", "clearing"),
]


@pytest.mark.parametrize("key, number, value", PLACES)
def test_dictionary_that_is_cleared_while_it_is_read(key, number, value):
    run_apart(CLEARING % (number, key, value))


def test_sycl_dictionary_that_is_cleared_while_it_is_read():
    run_apart("""
        import strideview as sv

        class Clearing:
            def __index__(self):
                fields.clear()
                [tuple(range(900, 900 + n)) for n in range(1, 8) for _ in range(100)]
                return 2

        for key in ("shape", "strides", "offset"):
            fields = {"version": 1, "shape": (2, 2), "strides": (2, 2), "typestr": "".join(["<", "f4"]),
                      "data": (4096, False), "offset": 2, "syclobj": None}
            fields[key] = Clearing() if key == "offset" else (Clearing(), 2)
            exporter = type("Exporter", (), {"__sycl_usm_array_interface__": fields})()
            try:
                view = sv.view(exporter)
            except (TypeError, ValueError, BufferError):
                continue
            assert view.shape == (2, 2), view
        """)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
