# SPDX-License-Identifier: GPL-3.0-or-later
"""Which names of a program stand for a module or a part of bpy, and which attributes are its own.

One look at the whole tree, without regard to order: a name that is bound to one path everywhere is
`sure`; one that is also bound to something else only `may` be that path.
"""

from __future__ import annotations

import ast
from collections import defaultdict

#: How many parts of a chain of attributes are followed; no path that matters is longer.
DEPTH = 10
#: How many paths one name may stand for.
MEANINGS = 16
#: How many elements of `for x in (a, b, …)` are read.
ELEMENTS = 256
#: How often names are followed to names: `a = bpy`, `b = a.ops`, `c = b`, ...
ROUNDS = 8

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Names:
    """What the names of ``tree`` stand for.

    ``own`` are attributes and fields that the program makes itself, ``imports`` the nodes of its
    import statements, ``aliases`` the nodes whose value a name was given (and which therefore need
    not be used on the spot).
    """

    def __init__(self, tree: ast.AST) -> None:
        self.nodes = list(ast.walk(tree))
        self.own: set[str] = set()
        self.aliases: set[ast.AST] = set()
        self._bound: dict[str, list[ast.expr | str | None]] = defaultdict(list)
        for node in self.nodes:
            self._bindings(node)
        self._paths: dict[str, frozenset[str]] = {}
        self._sure: set[str] = set()
        self._known: dict[tuple[str, str], frozenset[str]] = {}
        self._follow()

    def paths(self, node: ast.AST) -> tuple[frozenset[str], bool]:
        """Dotted paths that ``node`` may stand for, and whether it can stand for nothing else."""
        chain = _chain(node)
        if chain is None:
            return frozenset(), False
        return self._of_chain(chain), chain[0] in self._sure

    def texts(self, node: ast.AST) -> frozenset[str] | None:
        """The texts that ``node`` can be, ``None`` if that can't be told."""
        if isinstance(node, ast.Constant):
            return frozenset({node.value}) if isinstance(node.value, str) else None
        if not isinstance(node, ast.Name) or node.id not in self._bound:
            return None
        found: set[str] = set()
        for value in self._bound[node.id]:
            if not (isinstance(value, ast.Constant) and isinstance(value.value, str)):
                return None
            found.add(value.value)
        return frozenset(found) if len(found) <= ELEMENTS else None

    def is_bound(self, name: str) -> bool:
        """Whether the program binds ``name`` itself, anywhere."""
        return name in self._bound

    # ---- what is bound to what

    def _bindings(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                path = alias.name if alias.asname else alias.name.split(".")[0]
                self._bind(alias.asname or path, path)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                self._bind(alias.asname or alias.name, f"{node.module or ''}.{alias.name}")
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            self._assign(node.target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self._each(node.target, node.iter)
        elif isinstance(node, _FUNCTIONS):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            self._bind(node.name, None)
            self._fields(node)
        elif isinstance(node, ast.Call):
            self._tuple_class(node)
        else:
            self._other(node)

    def _other(self, node: ast.AST) -> None:
        """Bindings whose value can't be told: exceptions, patterns, `with`, `del`, `+=`."""
        if isinstance(node, ast.AugAssign):
            self._assign(node.target, None)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._assign(node.optional_vars, None)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            self._bind(node.name, None)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self._bind(node.rest, None)

    def _bind(self, name: str, value: ast.expr | str | None) -> None:
        self._bound[name].append(value)

    def _assign(self, target: ast.AST, value: ast.expr | None) -> None:
        pairs: list[tuple[ast.AST, ast.expr | None]] = [(target, value)]
        while pairs:
            target, value = pairs.pop()
            if isinstance(target, ast.Name):
                self._bind(target.id, value)
                if value is not None:
                    self.aliases.add(value)
            elif isinstance(target, ast.Attribute):
                self.own.add(target.attr)
            elif isinstance(target, ast.Starred):
                pairs.append((target.value, None))
            elif isinstance(target, (ast.Tuple, ast.List)):
                values: list[ast.expr | None] = [None] * len(target.elts)
                same = isinstance(value, (ast.Tuple, ast.List)) and not any(
                    isinstance(part, ast.Starred) for part in (*target.elts, *value.elts)
                )
                if same and len(value.elts) == len(values):  # type: ignore[union-attr]
                    values = list(value.elts)  # type: ignore[union-attr]
                pairs += zip(target.elts, values, strict=True)

    def _each(self, target: ast.AST, values: ast.expr) -> None:
        """`for target in (a, b)` gives the target each of them in turn."""
        if isinstance(values, (ast.Tuple, ast.List, ast.Set)) and values.elts:
            for value in values.elts[:ELEMENTS]:
                self._assign(target, value)
            if len(values.elts) > ELEMENTS:
                self._assign(target, None)
        else:
            self._assign(target, None)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        if not isinstance(node, ast.Lambda):
            self._bind(node.name, None)
        arguments = node.args
        placed = [*arguments.posonlyargs, *arguments.args]
        for argument in (*placed, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if argument is not None:
                self._bind(argument.arg, None)
        defaults = arguments.defaults
        for argument, value in zip(placed[len(placed) - len(defaults) :], defaults, strict=True):
            self._bind(argument.arg, value)
            self.aliases.add(value)

    def _fields(self, node: ast.ClassDef) -> None:
        for part in node.body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.own.add(part.name)
            elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                self.own.add(part.target.id)
            elif isinstance(part, ast.Assign):
                self.own.update(t.id for t in part.targets if isinstance(t, ast.Name))

    def _tuple_class(self, node: ast.Call) -> None:
        """Fields of `namedtuple("Beam", "name load")` and of `SimpleNamespace(load=2)`."""
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name == "SimpleNamespace":
            self.own.update(keyword.arg for keyword in node.keywords if keyword.arg)
        if name == "namedtuple" and len(node.args) > 1:
            fields = node.args[1]
            parts = fields.elts if isinstance(fields, (ast.Tuple, ast.List)) else [fields]
            for part in parts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    self.own.update(part.value.replace(",", " ").split())

    def _of_chain(self, chain: tuple[str, str]) -> frozenset[str]:
        if chain not in self._known:
            name, rest = chain
            heads = self._paths.get(name, frozenset())
            self._known[chain] = frozenset(_shortened(head + rest) for head in heads)
        return self._known[chain]

    def _follow(self) -> None:
        """From names to paths, until nothing new comes or names were followed often enough."""
        chains = {name: {_meaning(v) for v in values} for name, values in self._bound.items()}
        for _ in range(ROUNDS):
            changed = False
            for name, meanings in chains.items():
                found = set(self._paths.get(name, ()))
                before = len(found)
                sure = True
                for meaning in meanings:
                    paths = frozenset[str]()
                    if isinstance(meaning, str):
                        paths = frozenset({meaning})
                    elif meaning is not None:
                        paths = self._of_chain(meaning)
                    found |= paths
                    sure = sure and bool(paths)
                self._sure.discard(name)
                if sure and len(found) == 1:
                    self._sure.add(name)
                if len(found) > before and before < MEANINGS:
                    self._paths[name] = frozenset(sorted(found)[:MEANINGS])
                    changed = True
            self._known.clear()
            if not changed:
                return


def _meaning(value: ast.expr | str | None) -> tuple[str, str] | str | None:
    """A path, a chain that begins with a name, or nothing that could lead to a path."""
    return value if isinstance(value, str) or value is None else _chain(value)


def _chain(node: ast.AST) -> tuple[str, str] | None:
    """`a.b.c` as ``("a", ".b.c")``; ``None`` for what begins with something other than a name."""
    tail: list[str] = []
    while len(tail) < DEPTH:
        if isinstance(node, ast.Attribute):
            tail.append(node.attr)
            node = node.value
        elif isinstance(node, ast.NamedExpr):
            node = node.value
        else:
            text = attribute_by_text(node)
            if text is None:
                break
            tail.append(text)
            node = node.args[0]  # type: ignore[attr-defined]
    if not isinstance(node, ast.Name):
        return None
    return node.id, "".join(f".{part}" for part in reversed(tail))


def _shortened(path: str) -> str:
    return ".".join(path.split(".", DEPTH)[:DEPTH])


def attribute_by_text(node: ast.AST) -> str | None:
    """The name in `getattr(x, "name")`, ``None`` for any other node."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return None
    if node.func.id != "getattr" or len(node.args) < 2 or isinstance(node.args[0], ast.Starred):
        return None
    name = node.args[1]
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None
