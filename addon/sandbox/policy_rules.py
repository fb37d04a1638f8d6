# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of the policy, one look at every node of a program."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from ..agent.bench import Problem
from . import policy_tables as tables
from .policy_model import Policy
from .policy_names import Names
from .policy_paths import Paths, Refusal

# A field of str.format that follows an underscore: "{0.__class__}", "{x[__globals__]}".
_FORMAT_FIELD = re.compile(r"\{[^{}]{0,200}?[.\[]\s{0,9}_")
_DUNDER = re.compile(r"__\w+__\Z")

#: May be handed a part of bpy as a whole: they only look at it.
_LOOKERS = frozenset({"dir", "isinstance", "type", "bool", "repr", *tables.BY_TEXT})


class Reader:
    """Goes through one program once and says what the policy refuses in it."""

    def __init__(self, tree: ast.Module, policy: Policy) -> None:
        self._names = Names(tree)
        self._policy = policy
        self._paths = Paths(policy)
        self._found: list[Problem] = []
        self._told: set[int] = set()  # beginnings of chains of which the whole was refused
        self._docs = {id(d) for n in self._names.nodes if (d := _docstring(n)) is not None}
        # Nodes that are the beginning of a chain, are given a name, or are only looked at.
        self._inner = {id(n.value) for n in self._names.nodes if isinstance(n, ast.Attribute)} | {
            id(n) for n in self._names.aliases
        }
        self._called = {id(n.func) for n in self._names.nodes if isinstance(n, ast.Call)}
        for node in self._names.nodes:
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) in _LOOKERS:
                self._inner.update(id(argument) for argument in node.args)

    def problems(self) -> list[Problem]:
        """Everything that is refused, in no order; columns are Python's."""
        looks: dict[type[ast.AST], Callable[..., Iterator[tuple[ast.AST, Refusal]]]] = {
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.Constant: self._constant,
            ast.MatchClass: self._match_class,
        }
        for node in self._names.nodes:
            look = looks.get(type(node))
            if look is None:
                continue
            for where, (rule, message) in look(node):
                line, column = getattr(where, "lineno", 1), getattr(where, "col_offset", 0)
                self._found.append(Problem(line, column, rule, message))
        return self._found

    # ---- imports

    def _import(self, node: ast.Import) -> Iterator[tuple[ast.AST, Refusal]]:
        for alias in node.names:
            refusal = self._paths.module(alias.name)
            if refusal:
                yield node, refusal

    def _import_from(self, node: ast.ImportFrom) -> Iterator[tuple[ast.AST, Refusal]]:
        module = node.module or ""
        if node.level or not module:
            yield node, ("import", "There is no package around the program; leave `from .` out.")
            return
        if module != "__future__" and (refusal := self._paths.module(module)):
            yield node, refusal
            return
        for alias in node.names:
            if alias.name == "*":
                if not self._paths.is_harmless(module):
                    message = f"`from {module} import *` hides what is used; import it by name."
                    yield node, ("import", message)
            elif refusal := self._paths.refused(f"{module}.{alias.name}"):
                yield node, refusal

    # ---- names and attributes

    def _name(self, node: ast.Name) -> Iterator[tuple[ast.AST, Refusal]]:
        name = node.id
        if name in tables.NAMES and not self._by_text(node):
            yield node, ("name", f"`{name}` can't be used; {tables.NAMES[name]}.")
        elif _DUNDER.match(name) and name not in tables.DUNDERS:
            yield node, ("underscore", f"`{name}` is the inside of Python; leave it out.")
        elif isinstance(node.ctx, ast.Load):
            yield from self._whole(node)

    def _by_text(self, node: ast.Name) -> bool:
        """`getattr` and its kin when called on the spot; the call itself is looked at."""
        return node.id in tables.BY_TEXT and id(node) in self._called

    def _whole(self, node: ast.expr) -> Iterator[tuple[ast.AST, Refusal]]:
        """A module or a part of bpy that is handed on as a value."""
        if id(node) in self._inner:
            return
        paths, sure = self._names.paths(node)
        for path in sorted(paths) if sure else ():
            if self._paths.is_container(path):
                message = (
                    f"`{path}` is handed on as a whole; write `{path}.` and the part you need."
                )
                yield node, ("whole", message)
                return

    def _attribute(self, node: ast.Attribute) -> Iterator[tuple[ast.AST, Refusal]]:
        if id(node) in self._told:
            self._told.add(id(node.value))
            return
        stored = not isinstance(node.ctx, ast.Load)
        for problem in self._member(node, node.value, node.attr, stored):
            self._told.add(id(node.value))
            yield problem
        if not stored:
            yield from self._whole(node)

    def _member(
        self, node: ast.expr, owner: ast.AST, name: str, stored: bool
    ) -> Iterator[tuple[ast.AST, Refusal]]:
        """`owner.name`, however it was written."""
        owners, sure = self._names.paths(owner)
        known = False
        for path in sorted(owners):
            whole = f"{path}.{name}"
            refusal = self._paths.refused(whole, stored=stored, sure=sure)
            if refusal:
                yield node, refusal
                return
            known = known or self._paths.is_module_member(whole)
        refusal = self._by_name(name, bool(owners), known and sure)
        if refusal is None and stored and _is_class(owner):
            remedy = 'store values on an object, obj["name"] = value'
            refusal = (
                "lasting",
                f"`.{name}` of a class would change all of its objects; {remedy}.",
            )
        if refusal is None and stored and name in tables.NOT_ASSIGNED and not _is_render(owner):
            refusal = ("file", f"`.{name}` would read or write a file; leave it out.")
        if refusal:
            yield node, refusal

    def _by_name(self, name: str, of_path: bool, known: bool) -> Refusal | None:
        """What an attribute's name alone says."""
        own = name in self._names.own and not of_path
        if name.startswith("_"):
            harmless = name in tables.DUNDERS or name in tables.UNDERSCORES
            if harmless or (own and not _DUNDER.match(name)):
                return None
            message = f"`.{name}` is the inside of something; use what is public."
            return "underscore", message
        entry = tables.ATTRIBUTES.get(name)
        if entry is None or known or name in self._policy.attributes:
            return None
        rule, remedy = entry
        if own and rule not in ("inside", "dynamic"):
            return None
        return rule, f"`.{name}` can't be used; {remedy}."

    def _match_class(self, node: ast.MatchClass) -> Iterator[tuple[ast.AST, Refusal]]:
        for name in node.kwd_attrs:
            refusal = self._by_name(name, False, False)
            if refusal:
                yield node, refusal

    # ---- calls and texts

    def _call(self, node: ast.Call) -> Iterator[tuple[ast.AST, Refusal]]:
        called = node.func
        if not isinstance(called, ast.Name):
            return
        if called.id == "type" and (len(node.args) > 1 or _starred(node)):
            yield node, ("dynamic", "`type` with several arguments makes a class; write `class`.")
        if called.id not in tables.BY_TEXT or called.id == "hasattr":
            return
        if _starred(node) or len(node.args) < 2:
            texts = None
        else:
            texts = self._names.texts(node.args[1])
        if texts is None:
            remedy = tables.NAMES[called.id]
            message = f"`{called.id}` with a name that can't be read here; {remedy}."
            yield node, ("dynamic", message)
            return
        for text in sorted(texts):
            yield from self._member(node, node.args[0], text, called.id != "getattr")

    def _constant(self, node: ast.Constant) -> Iterator[tuple[ast.AST, Refusal]]:
        text = node.value
        if not isinstance(text, str) or id(node) in self._docs:
            return
        if _DUNDER.match(text) and text not in tables.DUNDERS:
            yield node, ("underscore", f"The text {text!r} names the inside of Python; remove it.")
        elif "{" in text and _FORMAT_FIELD.search(text):
            message = "A text with a field that begins with an underscore; write an f-string."
            yield node, ("format", message)


def _starred(node: ast.Call) -> bool:
    """Whether a call's arguments can't be counted."""
    return any(isinstance(part, ast.Starred) for part in node.args) or any(
        keyword.arg is None for keyword in node.keywords
    )


def _is_class(owner: ast.AST) -> bool:
    """Whether this is `x.__class__` or `type(x)`."""
    if isinstance(owner, ast.Call):
        return isinstance(owner.func, ast.Name) and owner.func.id == "type"
    return isinstance(owner, ast.Attribute) and owner.attr == "__class__"


def _is_render(owner: ast.AST) -> bool:
    """Whether this is `scene.render` or a variable called so: setting its path writes nothing."""
    name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
    return str(name).lower().endswith(("render", "rd"))


def _docstring(node: ast.AST) -> ast.AST | None:
    """The node of a text that stands alone as a statement."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value
    return None
