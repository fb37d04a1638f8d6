# SPDX-License-Identifier: GPL-3.0-or-later
"""Who imports whom in the package, read from the source without running any of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "plumbline"
FOLDERS = ("addon", "checks", "operators", "panels", "tasks")


@dataclass(frozen=True)
class Import:
    """One import: ``target`` is absolute, within the package as ``plumbline.…``."""

    importer: str
    target: str
    line: int
    lazy: bool

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.target}"


def modules(root: Path) -> dict[str, Path]:
    """Every module of the package by its dotted name; programs of tasks are data, not modules."""
    found = {PACKAGE: root / "__init__.py"}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if all((root.joinpath(*parts[:n]) / "__init__.py").exists() for n in range(len(parts))):
                dotted = parts[:-1] if parts[-1] == "__init__" else parts
                found[".".join((PACKAGE, *dotted))] = path
    return found


def imports_of(name: str, path: Path, known: dict[str, Path]) -> Iterator[Import]:
    """Every import in the module ``name``, those inside functions too (``lazy``)."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    deferred = {
        inner
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for inner in ast.walk(function)
    }
    typing_only = {
        inner
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.dump(block.test)
        for inner in ast.walk(block)
    }
    for node in ast.walk(tree):
        lazy = node in deferred or node in typing_only
        for target in _targets(node, package, known):
            yield Import(name, target, node.lineno, lazy)


def _targets(node: ast.AST, package: str, known: dict[str, Path]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, *([base] if base else [])])
        for alias in node.names:
            inner = f"{base}.{alias.name}"
            yield inner if inner in known else base
    elif isinstance(node, ast.Constant) and re.fullmatch(r"(\.[a-z_]+)+", str(node.value)):
        # Tables of modules that are loaded by name, such as those of the profiles.
        named = package + node.value
        yield from [named] if named in known else []


def graph(root: Path) -> dict[str, list[Import]]:
    """The imports of every module of the package."""
    known = modules(root)
    return {name: list(imports_of(name, path, known)) for name, path in known.items()}


def reachable(starts: list[str], imports: dict[str, list[Import]]) -> set[str]:
    """Modules that are loaded, at once or later, when ``starts`` are; packages count with them."""
    seen: set[str] = set()
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        if name in seen or name not in imports:
            continue
        seen.add(name)
        waiting += [name.rpartition(".")[0]] if "." in name else []
        waiting += [found.target for found in imports[name]]
    return seen
