# SPDX-License-Identifier: GPL-3.0-or-later
"""Templates: filled in strictly, versioned, told apart by their digest, and all of them whole."""

import hashlib
import re

import pytest
from plumbline.addon.agent.kinds import KINDS
from plumbline.addon.agent.prompts import PromptError, Prompts
from plumbline.addon.agent.prompts.loading import FOLDER

FILES = sorted(FOLDER.glob("*/*.txt"))


@pytest.fixture
def write(tmp_path):
    def put(name, text):
        path = tmp_path / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    return put


def test_values_are_filled_in_and_not_looked_into(write, tmp_path):
    write("common/hello", "# version 3\nHello $name, it costs $$5.\n")
    prompts = Prompts("timber", tmp_path)
    assert prompts.render("hello", {"name": "$who {{x}}"}) == "Hello $who {{x}}, it costs $5."
    assert prompts.versions == {"hello": 3}


def test_a_kind_has_its_own_words_before_the_common_ones(write, tmp_path):
    write("common/a", "# version 1\ncommon $x\n{{b}}\n")
    write("common/b", "# version 1\ncommon b\n")
    write("timber/b", "# version 2\ntimber b $x\n")
    assert Prompts("timber", tmp_path).render("a", {"x": 1}) == "common 1\ntimber b 1"
    assert Prompts("voxel", tmp_path).render("a", {"x": 1}) == "common 1\ncommon b"


def test_an_empty_value_leaves_no_hole(write, tmp_path):
    write("common/a", "# version 1\n$x\n\nfirst\n\n$x\n\nlast\n")
    assert Prompts("timber", tmp_path).render("a", {"x": ""}) == "first\n\nlast"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no version\n", "first line"),
        ("# version 1\n$gone\n", r"nothing is given for \$gone"),
        ("# version 1\ncosts $5\n", "a dollar"),
        ("# version 1\n{{a}}\n", "takes itself in"),
        ("# version 1\n{{missing}}\n", "missing.txt: can't be read"),
    ],
)
def test_a_broken_template_is_named(write, tmp_path, text, words):
    write("common/a", text)
    with pytest.raises(PromptError, match=words):
        Prompts("timber", tmp_path).render("a", {})


def test_the_digest_changes_with_every_character(write, tmp_path):
    write("common/a", "# version 1\nold\n")
    before = Prompts("timber", tmp_path).digest
    assert Prompts("timber", tmp_path).digest == before
    write("common/a", "# version 1\nold.\n")
    after = Prompts("timber", tmp_path).digest
    write("voxel/b", "# version 1\nof another kind\n")
    assert before != after == Prompts("timber", tmp_path).digest
    text = "a\0# version 1\nold.\n\0"
    assert after == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_template_has_a_version_and_readable_lines(path):
    text = path.read_text(encoding="utf-8")
    assert re.match(r"# version [1-9]\d*\n\S", text) and text.endswith("\n")


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_template_takes_in_is_there(kind):
    prompts = Prompts(kind)
    for name in prompts.versions:
        folder = FOLDER / (kind if (FOLDER / kind / f"{name}.txt").exists() else "common")
        taken = re.findall(r"\{\{(\w+)\}\}", (folder / f"{name}.txt").read_text("utf-8"))
        assert set(taken) <= set(prompts.versions)
