# SPDX-License-Identifier: GPL-3.0-or-later
"""Action files that are plain lists of calls are read without running them; others need Node."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from plumbline.addon.voxel_files import BlocksError, NodeNeeded, read_action_files, read_blocks
from plumbline.addon.voxel_files.mindcraft import read_actions

PLACE = "await skills.placeBlock(bot, 'stone', {}, 0, 0);\n"


@pytest.fixture(autouse=True)
def _without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here nothing is run; what Node does with programs is told in its own file."""
    monkeypatch.setenv("PATH", "/nowhere")


def actions(program: str) -> tuple[list[tuple[object, ...]], list[str]]:
    faults: list[str] = []
    return [tuple(action) for _, action in read_actions(program, faults)], faults


def test_calls_in_order() -> None:
    found, faults = actions(
        """
        // a wall
        await skills.placeBlock(bot, "oak_planks", 1, 2, -3);
        skills.breakBlockAt(bot, 1, 2, -3)
        /* a
           comment */ await skills.placeBlock(bot, 'red_wool', +4, 0, 0, 'bottom', true);
        """
    )
    assert found == [
        ("place", 1, 2, -3, "oak_planks"),
        ("remove", 1, 2, -3, "unknown"),
        ("place", 4, 0, 0, "red_wool"),
    ]
    assert not faults


@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "export default async function main(bot) {{ {} }}",
        "export async function main(bot) {{ {} return true; }}",
        "(async (bot) => {{ {} log(bot, 'Code finished.'); }})",
        "export default (async (bot) => {{ {} }});",
        "async (bot) => {{ {} }}",
        "function main(bot, skills) {{ {} return; }}",
    ],
)
def test_one_function_may_stand_round_the_list(frame: str) -> None:
    found, _ = actions(frame.format(PLACE.format(7)))
    assert found == [("place", 7, 0, 0, "stone")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("-(2 - 5)", 3), ("10 / 4", 2), ("-7 / 2", -3)),
        *(("7 % 4", 3), ("-7 % 4", -3), ("2 ** 3 ** 2", 512), ("0x10", 16), ("1e2", 100)),
        *((".5 + 5.", 5), ("- -3", 3), ("'12'", 12), ("8 - 2 - 1", 5), ("24 / 4 / 2", 3)),
    ],
)
def test_arithmetic_of_numbers(text: str, value: int) -> None:
    found, _ = actions(PLACE.format(text))
    assert found[0][1] == value


def test_arithmetic_is_that_of_python_on_whole_numbers() -> None:
    """Sums and products written at random have the value that Python gives them."""
    chance = random.Random(3)

    def term(depth: int) -> str:
        if depth == 0 or chance.random() < 0.3:
            return str(chance.randrange(10))
        inner = f"{term(depth - 1)} {chance.choice('+-*')} {term(depth - 1)}"
        return f"({inner})" if chance.random() < 0.5 else inner

    for _ in range(200):
        text = term(4)
        assert actions(PLACE.format(text))[0][0][1] == eval(text), text


def test_skills_that_there_are_not_are_told() -> None:
    for name, hint in (
        ("placeBlok", "; perhaps placeBlock was meant"),
        ("breakBlock", "; perhaps breakBlockAt was meant"),
        ("buildWall", ""),
    ):
        wrong = f"skills.goToPosition(bot, 1, 2, 3);\nskills.{name}(bot, 0, 0, 0);\n"
        found, faults = actions(PLACE.format(7) + wrong + PLACE.format(8))
        assert found == [("place", 7, 0, 0, "stone")]
        assert faults == [
            f"line 3: there is no skills.{name}{hint}; a program ends there, so that what it "
            "placed until then counts"
        ]
    assert actions("return;\nskills.placeBlok(bot);") == ([], [])


def test_texts_with_escapes() -> None:
    for text, value in (
        (r'"oak\u005fplanks"', "oak_planks"),
        (r"'it\'s'", "it's"),
        ("`stone`", "stone"),
        (r"'\x41\n\u{1F3E0}'", "A\n\U0001f3e0"),
        ("''", "unknown"),
        ("null", "unknown"),
    ):
        assert actions(f"skills.placeBlock(bot, {text}, 0, 0, 0)")[0][0][4] == value


@pytest.mark.parametrize(
    ("program", "line", "what"),
    [
        ("\nfor (let i = 0; i < 3; i++) {}", 2, "'for'"),
        ("const x = 3;", 1, "'const'"),
        ("function a() {}\nfunction b() {}", 2, "'function'"),
        ("buildWall(3);", 1, "'buildWall'"),
        ("skills.placeBlock(bot, 'stone', x, 0, 0)", 1, "'x'"),
        ("skills.placeBlock(bot, 'stone', bot.x, 0, 0)", 1, "'.'"),
        ("skills.placeBlock(bot, `a${1}`, 0, 0, 0)", 1, "'`a${1}`"),
        ("skills.placeBlock(bot, 'stone', 0, 0", 1, "the end of the file"),
        ("skills.placeBlock(bot, 'stone', [0], 0, 0)", 1, "'['"),
        ("skills['placeBlock'](bot, 'stone', 0, 0, 0)", 1, "'['"),
        ("skills.placeBlock(bot, 'stone', 012, 0, 0)", 1, "'012"),
        ("skills.placeBlock(bot, 'stone', " + "(" * 5000 + "1", 1, "'('"),
        ("skills.placeBlock(bot, 'stone', " + "-" * 5000 + "1", 1, "'-'"),
        ("skills.placeBlock(bot, 'stone', " + "2**" * 5000 + "1", 1, "'2'"),
        ("/* never ends", 1, "'/*"),
        ("log('never ends)\n", 1, '"\'never ends)"'),
        ("if (true) { log(1); }", 1, "'if'"),
        ("async (bot) => { log(1);", 1, "the end of the file"),
        ("async (bot) => { log(1); } log(2)", 1, "'log'"),
        ("\x00", 1, "'\\x00'"),
    ],
)
def test_anything_more_has_to_be_run(program: str, line: int, what: str) -> None:
    with pytest.raises(NodeNeeded) as caught:
        actions(program)
    message = str(caught.value)
    assert message.startswith(f"line {line}: {what}")
    assert "needs Node" in message
    assert "\n" not in message


def test_what_follows_a_return_is_never_run() -> None:
    program = (
        "async function main(bot) { " + PLACE.format(1) + "return true;" + PLACE.format(2) + "}"
    )
    assert [a[1] for a in actions(program)[0]] == [1]


def test_calls_that_place_nothing_are_passed_over() -> None:
    found, faults = actions(
        "bot.chat('hi'); await skills.wait(bot, 5); log(bot, 'x'); console.log(1);;"
        "await skills.goToPosition(bot, 1, 2, 3); world.getNearestBlock(bot, 'stone', 16);"
    )
    assert (found, faults) == ([], [])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("skills.placeBlock(bot, 'stone', 1, 2)", "needs three coordinates"),
        ("skills.breakBlockAt(bot)", "needs three coordinates"),
        ("skills.placeBlock(bot, 5, 1, 2, 3)", "material must be a text"),
        ("skills.placeBlock(bot, 'stone', 1 / 0, 2, 3)", "is no number"),
        ("skills.placeBlock(bot, 'stone', 0 / 0, 2, 3)", "is no number"),
        ("skills.placeBlock(bot, 'stone', 10 ** 999, 2, 3)", "is no number"),
        ("skills.placeBlock(bot, 'stone', 'x', 2, 3)", "is no number"),
        ("skills.placeBlock(bot, 'stone', null, 2, 3)", "is no number"),
        ("skills.placeBlock(bot, 'stone', 1e7, 2, 3)", "more than 1000000 blocks from the origin"),
        ("skills.placeBlock(bot, 'stone', 1e300, 2, 3)", "more than 1000000 blocks"),
    ],
)
def test_a_faulty_call_is_left_out_and_told(tmp_path: Path, call: str, told: str) -> None:
    file = tmp_path / "a.js"
    file.write_text(f"\n{call};\n{PLACE.format(4)}")
    read = read_blocks(file)
    assert read.blocks.positions.tolist() == [[4, 0, 0]]
    (fault,) = read.faults
    assert fault.startswith(f"{file}: line 2: ")
    assert told in fault


def test_coordinates_that_are_not_whole_are_cut_and_told(tmp_path: Path) -> None:
    file = tmp_path / "a.js"
    file.write_text(PLACE.format(1.7) + PLACE.format("-7 / 2"))
    read = read_blocks(file)
    assert read.blocks.positions[:, 0].tolist() == [1, -3]
    assert "2 blocks were given coordinates that aren't whole" in read.faults[0]


def test_turns_are_merged_and_a_missing_one_keeps_the_blocks(tmp_path: Path) -> None:
    first, second = tmp_path / "0.js", tmp_path / "2.js"
    first.write_text(PLACE.format(0) + PLACE.format(1) + PLACE.format(1))
    second.write_text(
        "skills.breakBlockAt(bot, 0, 0, 0); skills.breakBlockAt(bot, 5, 0, 0);" + PLACE.format(2)
    )
    read = read_action_files([first, tmp_path / "1.js", second])
    turns = read.runs[0].turns
    assert [t.positions[:, 0].tolist() for t in turns] == [[0, 1], [0, 1], [1, 2]]
    assert all(t.ordered for t in turns)
    assert "1 block was placed where the same turn had placed one" in turns[0].notes[0]
    assert "1 removal changed nothing" in turns[2].notes[0]
    assert "1.js: isn't there" in read.faults[0]


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(BlocksError, match="can't be read"):
        read_blocks(tmp_path / "none.js")
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(BlocksError, match="the ending isn't known"):
        read_blocks(tmp_path / "a.txt")
    (tmp_path / "a.js").write_bytes(b"\xff")
    with pytest.raises(BlocksError, match="byte 0 isn't UTF-8"):
        read_blocks(tmp_path / "a.js")
    with pytest.raises(BlocksError, match="no action file was named"):
        read_action_files([])


def test_many_faults_are_summed_up(tmp_path: Path) -> None:
    file = tmp_path / "a.js"
    file.write_text("skills.placeBlock(bot, 'stone');\n" * 500)
    read = read_blocks(file)
    assert len(read.faults) == 21
    assert "480 more faults" in read.faults[-1]
    assert len(read.blocks) == 0
