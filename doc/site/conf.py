"""Sphinx's configuration of the site. make site runs it on what stage.py and headers.py wrote; SITE_SOURCE is the source tree,
SITE_XML what Doxygen wrote, SITE_PACKAGE the folder of the built Python package."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

source = Path(os.environ["SITE_SOURCE"]).resolve()
package = os.environ["SITE_PACKAGE"]
sys.path[:0] = [package, str(source / "doc/site")]
sys.dont_write_bytecode = True

import strideview  # noqa: E402
from stub import Stub  # noqa: E402

project = "libsv"
author = "the libsv authors"
copyright = author
version = release = strideview.__version__

extensions = ["breathe", "myst_parser", "sphinx.ext.autodoc"]

myst_heading_anchors = 6

breathe_projects = {"sv": os.environ["SITE_XML"]}
breathe_default_project = "sv"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

html_theme = "furo"
html_title = f"libsv {release}"
html_favicon = str(source / "doc/site/static/icon.svg")
html_show_sphinx = False
html_copy_source = False
html_static_path = [str(source / "doc/site/static")]
html_css_files = ["site.css"]

smartquotes = False  # what is quoted is mostly code
autodoc_member_order = "groupwise"
python_maximum_signature_line_length = 88
c_id_attributes = ["SV_OPT", "SV_OUT", "SV_TAKE"]  # what a parameter means to a caller
c_maximum_signature_line_length = 100

PARAMETERS = re.compile(r"[a-z_]+(, [a-z_]+)*: ")

stub = Stub(Path(package) / "strideview/__init__.pyi")


def name_in_stub(name: str) -> str:
    return re.sub(r"^strideview\.(memory\.)?", "", name)


def signature_of_stub(app: Any, what: str, name: str, obj: Any, options: Any, signature: str | None,
                      result: str | None) -> tuple[str, str] | None:
    """The stub's signatures, one a line; overloads are all there."""
    found = stub.signatures.get(name_in_stub(name))
    return ("\n".join(found), "") if found else None


def plain_docstring(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text: nothing in them is markup, what is indented stays as it is, and a line that begins with
    the names of parameters begins a paragraph."""
    out: list[str] = []
    for block in re.split(r"\n\s*\n", "\n".join(lines).strip("\n")):
        if block.startswith("    "):
            out += ["::", "", *block.split("\n"), ""]
            continue
        for line in block.split("\n"):
            out += [""] * bool(PARAMETERS.match(line)) + [re.sub(r"([\\*`_|])", r"\\\1", line).strip()]
        out.append("")
    lines[:] = out


def is_hint(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Names of NumPy and PyTorch, of which StridedMemoryView only says what to type, are no part of it."""
    return True if type(obj).__name__ == "Hint" else None


def every_name_is_there(app: Any, env: Any) -> None:
    """A name of the C library or the package that no page describes is a warning, which is an error."""
    from sphinx.util import logging
    functions = {name for name, *_ in env.get_domain("c").get_objects()}
    for name in sorted(set((source / "bindings/libsv.sym").read_text().split()) - functions):
        logging.getLogger(__name__).warning("no page describes %s", name)
    described = {name for name, *_ in env.get_domain("py").get_objects()}
    for name in sorted(described):
        owner, _, member = name_in_stub(name).rpartition(".")
        if owner in ("StridedMemoryView", "StridedLayout", "Buffer", "MemoryResource", "Plan") and \
                f"{owner}.{member}" not in stub.names:
            logging.getLogger(__name__).warning("%s is not in the stub", name)
    for module in (strideview, strideview.memory):
        for name in module.__all__:
            if f"{module.__name__}.{name}" not in described and f"strideview.{name}" not in described:
                logging.getLogger(__name__).warning("no page describes %s.%s", module.__name__, name)


def setup(app: Any) -> None:
    app.connect("autodoc-process-signature", signature_of_stub)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("autodoc-skip-member", is_hint)
    app.connect("env-check-consistency", every_name_is_there)
