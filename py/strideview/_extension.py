"""Loads strideview._core, the module of the types and functions written in C.

It lies in the file of _strideview, cffi's module, so that both use one libsv. The import system looks for a module in a
file of its own name.
"""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import ExtensionFileLoader


def load_core(path: str) -> None:
    """Put strideview._core, out of the extension file at path, where import statements find it."""
    name = f"{__package__}._core"
    if name in sys.modules:
        return
    loader = ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None  # as it has a loader
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[name] = module
