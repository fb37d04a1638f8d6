# SPDX-License-Identifier: GPL-3.0-or-later
"""What the policy refuses, of the hostile corpus and of texts that are no programs."""

from __future__ import annotations

import re

import hostile
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.addon.sandbox import policy_remedies as remedies
from plumbline.addon.sandbox import policy_tables as tables
from plumbline.addon.sandbox.policy import DEFAULT, LONGEST, MOST, PolicyError, vet

CORPUS = hostile.corpus()

#: Texts that make a parser stumble, each with the rule that names it.
NO_PROGRAMS = {
    "empty": ("", "empty"),
    "blank": (" \n\t\n", "empty"),
    "words": ("Here is the house:\n\n    build it", "syntax"),
    "fenced": ("```python\nimport bpy\n```", "syntax"),
    "null byte": ("import bpy\nx = 1\0", "syntax"),
    "half a letter": ("x = 1\ny = '\ud800'", "syntax"),
    "too many digits": ("x = " + "9" * 10_000, "syntax"),
    "unfinished": ("x = '''", "syntax"),
    "mixed indentation": ("if 1:\n\tx\n        y", "syntax"),
    "parentheses": ("(" * 100_000, "nesting"),
    "brackets": ("[" * 5_000 + "]" * 5_000, "nesting"),
    "minuses": ("-" * 100_000 + "1", "nesting"),
    "denials": ("not " * 60_000 + "1", "nesting"),
    "attributes": ("a" + ".b" * 140_000, "nesting"),
    "sums": ("1" + "+1" * 140_000, "nesting"),
    "calls": ("f" + "()" * 140_000, "nesting"),
    "functions": ("lambda:" * 40_000 + "1", "nesting"),
    "choices": ("x" + " if x else x" * 20_000, "nesting"),
    "ten megabytes": ("x = 1\n" * 1_700_000, "size"),
}


@pytest.mark.parametrize("program", CORPUS, ids=lambda program: program.name)
def test_verdict_on_each_hostile_program(program) -> None:
    rules = {problem.rule for problem in vet(program.source)}
    if program.rule is None:
        assert rules == set(), "the policy sees it after all: say so in its file"
    else:
        assert program.rule in rules


def test_the_corpus_is_as_large_and_wide_as_promised() -> None:
    assert len(CORPUS) >= 80
    assert {kind for program in CORPUS for kind in program.contained} == set(hostile.KINDS)
    assert sum(program.rule is None for program in CORPUS) >= 20, "not every route has a name"
    outcomes = {"finished", "raised", "timeout", "memory", "crashed"}
    assert {end for program in CORPUS for end in program.ends} <= outcomes


@pytest.mark.parametrize("program", CORPUS, ids=lambda program: program.name)
def test_problems_are_sentences_at_their_places(program) -> None:
    lines = program.source.splitlines()
    for problem in vet(program.source):
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        assert problem.message.endswith(".")
        assert "\n" not in problem.message
        assert len(problem.message) < 350
        assert re.search(r"[;:] ", problem.message), "it says what to do instead"


@pytest.mark.parametrize("name", NO_PROGRAMS)
def test_what_is_no_program_is_one_problem(name: str) -> None:
    text, rule = NO_PROGRAMS[name]
    problems = vet(text)
    assert [problem.rule for problem in problems] == [rule]
    assert problems[0].line >= 1 and problems[0].column >= 1


def test_place_is_counted_in_characters() -> None:
    (problem,) = vet('name = "Überzug ×"; eval("1")')
    assert (problem.line, problem.column, problem.rule) == (1, 21, "name")


def test_the_longest_allowed_program_is_read_to_its_end() -> None:
    line = "bpy.ops.wm.quit_blender()\n"
    program = "import bpy\n" + line * ((LONGEST - 11) // len(line))
    problems = vet(program)
    assert len(problems) == MOST
    assert [problem.line for problem in problems] == list(range(2, MOST + 2))


def test_a_chain_of_names_is_followed_only_so_far() -> None:
    chain = "import bpy\na0 = bpy\n" + "\n".join(f"a{i} = a{i - 1}.b" for i in range(1, 9000))
    assert {problem.rule for problem in vet(chain)} == {"blender"}
    vet("import bpy\na = bpy\n" + "a = a.b\n" * 20_000)


def test_the_way_to_clear_a_scene_is_said() -> None:
    for call in ("read_factory_settings(use_empty=True)", "read_homefile(use_empty=True)"):
        (problem,) = vet(f"import bpy\nbpy.ops.wm.{call}")
        assert problem.rule == "operator"
        remedy = problem.message.split("`")[3]
        assert vet(f"import bpy\n{remedy}") == (), "the remedy itself passes"


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("class A:\n    _os = 1\nimport bpy\nbpy.path._os", "underscore"),
        ("import bpy\nfor o in (bpy.ops, 1):\n    o.wm.quit_blender()", "operator"),
        ("import bpy\ndef f(o=bpy.ops):\n    o.wm.quit_blender()", "operator"),
        ("import bpy\nx = (bpy.data if 1 else 2).libraries", "whole"),
        ("import bpy\ngetattr(bpy, 'ops').wm.quit_blender()", "operator"),
        ("import bpy\nsetattr(bpy.types.Scene, 'x', 1)", "lasting"),
        ("import bpy\nbpy.context.blend_data.libraries", "data"),
        ("import bpy\nbpy.data.objects = 1", "data"),
        ("import bpy.utils\nbpy.utils.script_paths()", "blender"),
        ("from bpy import *", "import"),
        ("from . import x", "import"),
        ("import numpy as np\nnp.lib.npyio.load('x')", "import"),
        ("import numpy as np\nx = np.zeros(3)\nx.tofile('a')", "file"),
        ("x['__globals__']", "underscore"),
        ("type('X', *[(), {}])", "dynamic"),
        ("class A:\n    exec = 1\nA().exec('x')", "inside"),
        ("import json\njson.dumps = print", "lasting"),
        ("import math as m\nm.sqrt = abs", "lasting"),
        ("import bpy\nbpy.context.object.__class__.location = 1", "lasting"),
        ("type(x).location = property(print)", "lasting"),
    ],
)
def test_guises(code: str, rule: str) -> None:
    assert rule in {problem.rule for problem in vet(code)}


@pytest.mark.parametrize(
    ("code", "more"),
    [
        ("import scipy.spatial\nscipy.spatial.ConvexHull([])", {"imports": ["scipy.spatial"]}),
        ("import bpy\nbpy.ops.ptcache.bake_all()", {"operators": ["ptcache.bake_all"]}),
        ("import bpy\nbpy.ops.object.quick_smoke()", {"operators": ["object.quick_smoke"]}),
        ("import bpy\nbpy.ops.sculpt.x()\nbpy.ops.sculpt.y()", {"operators": ["sculpt.*"]}),
        ("import bpy\nbpy.data.texts.new('notes')", {"data": ["texts"]}),
        ("import bpy\nbpy.app.tempdir", {"blender": ["bpy.app.tempdir"]}),
        ("x.driver_add('location')", {"attributes": ["driver_add"]}),
    ],
)
def test_a_task_widens_the_policy(code: str, more: dict) -> None:
    assert vet(code)
    wider = DEFAULT.widened(more)
    assert vet(code, wider) == ()
    assert vet("import bpy\nbpy.path._os", wider)
    assert vet("eval('1')", wider)
    assert vet(code), "the default policy stays as it was"


def test_a_policy_has_no_other_fields() -> None:
    with pytest.raises(PolicyError, match="no field 'names'"):
        DEFAULT.widened({"names": ["eval"]})


def test_tables_agree_with_each_other() -> None:
    refused = {rule[1:] for rule in tables.OPERATORS if rule.startswith("-")}
    assert all(not DEFAULT.allows_operator(name) for name in refused)
    assert not tables.DATA & set(remedies.DATA_REMEDIES)
    for module, names in tables.IMPORTS.items():
        top, _, _ = module.rpartition(".")
        assert not top or top in tables.IMPORTS, f"{module} can't be reached"
        assert names or module in ("bpy", "bpy_extras")


def test_every_rule_is_explained(root) -> None:
    page = (root / "docs" / "model-code.md").read_text(encoding="utf-8")
    texts = [program.source for program in CORPUS] + [text for text, _ in NO_PROGRAMS.values()]
    rules = {problem.rule for text in texts for problem in vet(text)}
    assert len(rules) > 12
    assert {rule for rule in rules if f"`{rule}`" not in page} == set()


def _pieces() -> st.SearchStrategy[str]:
    words = [
        *("import bpy\n", "bpy", ".", "ops", "(", ")", "[", "]", "{", "}", ":", "=", ":=", "\n"),
        *("    ", "lambda ", "def f", "class A", "@", "'", '"""', "f'{", "}'", "\\", "#", ";"),
        *("getattr", ",", "'ops'", "*", "**", "for x in ", "if ", "else ", "match x:\n", "case "),
        *("a", "b", "_os", "__class__", "ｅｘｅｃ", "\0", "\ud800", "é", "0", "9" * 50, "\t", "\f"),
        *("import ", "from ", "async ", "await ", "yield ", "del ", "global a\n", "type X = int\n"),
    ]
    return st.lists(st.sampled_from(words), max_size=60).map("".join)


@settings(max_examples=400, deadline=None)
@given(st.one_of(_pieces(), st.text(max_size=200)))
def test_vet_answers_whatever_it_is_given(text: str) -> None:
    for problem in vet(text):
        assert problem.line >= 1 and problem.column >= 1 and problem.message


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_vet_answers_a_program_with_a_piece_of_another_in_it(data: st.DataObject) -> None:
    first = data.draw(st.sampled_from(CORPUS)).source
    second = data.draw(st.sampled_from(CORPUS)).source
    at = data.draw(st.integers(0, len(first)))
    low = data.draw(st.integers(0, len(second)))
    high = data.draw(st.integers(low, len(second)))
    for problem in vet(first[:at] + second[low:high] + first[at:]):
        assert problem.line >= 1 and problem.column >= 1 and problem.message
