# SPDX-License-Identifier: GPL-3.0-or-later
"""Every word of the window that a translator may meet, found in Blender's registry and the source.

Registered classes tell labels, tooltips, names and choices of fields. The rest is literal text in
panels and operators: it is read from their source. Needs the extension registered.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: Contexts that Blender looks words up in.
PLAIN, BUTTON = "*", "Operator"

# Functions whose keyword ``text`` is shown, and the context in which Blender looks it up.
_TEXTS = {"label": PLAIN, "prop": PLAIN, "menu": PLAIN, "popover": PLAIN, "operator": BUTTON,
          "operator_menu_enum": BUTTON, "prop_search": PLAIN, "prop_menu_enum": PLAIN}  # fmt: skip
# Functions of ours and of Blender's with the sentence at a place among their arguments.
_SENTENCES = {"wrapped": (2,), "say": (0,), "say_count": (1, 2), "poll_message_set": (0,),
              "report": (1,)}  # fmt: skip
_KEYWORDS = {"confirm_text": PLAIN, "title": PLAIN, "placeholder": PLAIN}


@dataclass(frozen=True)
class Word:
    """English as the source has it, the context it is looked up in, and the file it stands in."""

    context: str
    english: str
    file: str


def every_word() -> list[Word]:
    """All of them, each once a file, sorted by file."""
    found = [*of_classes(), *of_sources(), *of_checks()]
    shown = {w for w in found if any(c.isalpha() for c in w.english)}
    return sorted(shown, key=lambda w: (w.file, w.context, w.english))


def of_classes() -> Iterator[Word]:
    """Labels, tooltips and fields of registered classes."""
    import bpy
    from plumbline.addon import registration

    for cls in registration.classes():
        file = cls.__module__.removeprefix("plumbline.").replace(".", "/") + ".py"
        is_operator = issubclass(cls, bpy.types.Operator)
        context = BUTTON if is_operator else PLAIN
        if label := getattr(cls, "bl_label", ""):
            yield Word(context, label, file)
        description = getattr(cls, "bl_description", "")
        if description and isinstance(description, str):
            yield Word(PLAIN, description, file)
        rna = cls.bl_rna
        if is_operator:
            module, _, name = cls.bl_idname.partition(".")
            rna = getattr(getattr(bpy.ops, module), name).get_rna_type()
        ours = {name for base in cls.__mro__ for name in inspect.get_annotations(base)}
        for name, prop in rna.properties.items():
            if name in ours and not prop.is_hidden and prop.type != "COLLECTION":
                yield from _of_property(prop, file)


def _of_property(prop, file: str) -> Iterator[Word]:
    """Blender looks names up in the field's own context, and tooltips always in the plain one."""
    context = prop.translation_context or PLAIN
    if prop.name and prop.name != prop.identifier:
        yield Word(context, prop.name, file)
    if prop.description:
        yield Word(PLAIN, prop.description, file)
    if prop.type == "ENUM":
        for item in prop.enum_items_static:
            if item.name:
                yield Word(context, item.name, file)
            if item.description:
                yield Word(PLAIN, item.description, file)


def of_sources() -> Iterator[Word]:
    """Literal texts of panels and operators."""
    for room in ("panels", "operators", "addon/session"):
        for path in sorted((ROOT / room).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield from _of_call(node, file)


def _of_call(node: ast.Call, file: str) -> Iterator[Word]:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    called = node.func.id if isinstance(node.func, ast.Name) else called
    for place in _SENTENCES.get(called, ()):
        if place < len(node.args):
            yield from (Word(PLAIN, text, file) for text in _literals(node.args[place]))
    for keyword in node.keywords:
        context = _KEYWORDS.get(keyword.arg or "")
        if keyword.arg == "text":
            context = _TEXTS.get(called)
        own = next((k.value for k in node.keywords if k.arg == "text_ctxt"), None)
        if context:
            context = own.value if isinstance(own, ast.Constant) else context
            yield from (Word(context, text, file) for text in _literals(keyword.value))


def _literals(node: ast.AST) -> Iterator[str]:
    """The texts that an expression may be, where they stand in it as they are shown."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _literals(value)


def of_checks() -> Iterator[Word]:
    """Names of checks, how they come out, and titles that stand in a table."""
    from plumbline.addon import physics_words, words
    from plumbline.addon.runs.wording import STATUS_WORDS, VERDICT_WORDS
    from plumbline.checks.timber import profiles
    from plumbline.checks.timber.structure import TimberStructure
    from plumbline.panels import preferences

    nothing = TimberStructure.from_boxes((), (), (), ())
    for profile in profiles.PROFILES:
        for check in profiles.judge(nothing, profile=profile).checks:
            yield Word(PLAIN, words.check_title(check.id), "addon/words.py")
    for tables in (physics_words.PROBES, physics_words.CHANGES, physics_words.FALLS):
        for word in (word for words_ in tables.values() for word in words_):
            yield Word(PLAIN, word, "addon/physics_words.py")
    for word in physics_words.FAULTS.values():
        yield Word(PLAIN, word, "addon/physics_words.py")
    for _, title, _ in preferences.SECTIONS:
        yield Word(PLAIN, title, "panels/preferences.py")
    for table in (STATUS_WORDS, VERDICT_WORDS):
        for word in table.values():
            yield Word(PLAIN, word, "addon/runs/wording.py")
