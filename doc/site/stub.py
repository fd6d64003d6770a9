"""What the stub of the package says of signatures, for pages of Python: the types of the package are made in C, which tells
names and defaults of parameters only."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
ALIAS = re.compile(r"\b_([A-Z]\w+)\b")  # _Array is shown as Array, which a page explains


class Stub:
    """Signatures by name, as "StridedLayout.permute"; of __new__ by the name of the class."""

    def __init__(self, path: Path) -> None:
        self.signatures: dict[str, list[str]] = {}
        self.names: set[str] = set()
        self.aliases: dict[str, str] = {}
        for node in ast.parse(path.read_text()).body:
            self.read(node, "")

    def read(self, node: ast.stmt, owner: str) -> None:
        if isinstance(node, ast.ClassDef):
            self.names.add(node.name)
            for child in node.body:
                self.read(child, f"{node.name}.")
        elif isinstance(node, Function):
            name = owner[:-1] if node.name == "__new__" else owner + node.name
            self.names.add(name)
            if not any(getattr(decorator, "id", "") == "property" for decorator in node.decorator_list):
                self.signatures.setdefault(name, []).append(signature(node, bool(owner)))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            self.names.add(owner + node.target.id)
        elif isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
            if target.id.startswith("_") and not isinstance(node.value, ast.Call):
                self.aliases[target.id[1:]] = ALIAS.sub(r"\1", ast.unparse(node.value))


def signature(node: Function, is_method: bool) -> str:
    """Parameters and result of a function, without self or cls."""
    arguments = node.args
    is_static = any(getattr(decorator, "id", "") == "staticmethod" for decorator in node.decorator_list)
    if is_method and not is_static:
        (arguments.posonlyargs or arguments.args).pop(0)
    result = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__new__" else ""
    return ALIAS.sub(r"\1", f"({ast.unparse(arguments)}){result}")


def types_page(stub: Stub) -> str:
    """What the short names of types in signatures stand for."""
    title = "Types in signatures"
    lines = [title, "=" * len(title), "", "These names stand for types, and are no part of the package:", ""]
    for name, meaning in stub.aliases.items():
        lines += [f"{name}", f"   ``{meaning}``", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(types_page(Stub(Path(sys.argv[1]))))
