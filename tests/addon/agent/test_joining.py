# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of several turns as one: what a piece takes for itself is given back to the next."""

import pytest
from plumbline.addon.agent.joining import bound, joined_pieces
from plumbline.addon.scene.block_api import block_names
from plumbline.addon.scene.block_log import BlockLog


def built(code):
    log = BlockLog()
    exec(compile(code, "<program>", "exec"), block_names(log))
    return dict(zip(log.cells, log.material, strict=True)), log.turns


def test_pieces_without_names_of_their_own_are_left_as_they_are():
    joined = joined_pieces([("one", 'place_block(0, 0, 0, "stone")\n'), ("two", "next_turn()\n")])
    assert joined == '# one\nplace_block(0, 0, 0, "stone")\n\n\n# two\nnext_turn()\n'
    assert joined_pieces([]) == ""


@pytest.mark.parametrize(
    "taking",
    [
        "def fill(n):\n    return n\n",
        "fill = range = 3\n",
        "import math as fill\n",
        "for fill in (1, 2):\n    pass\n",
        "def take():\n    global fill\n    fill = 1\ntake()\n",
        "class fill:\n    pass\n",
    ],
)
def test_a_name_that_was_taken_is_given_back(taking):
    pieces = [("one", taking), ("two", 'fill(0, 0, 0, 1, 0, 0, "stone")\nlist(range(2))\n')]
    assert "fill" in bound(taking)
    assert built(joined_pieces(pieces))[0].keys() == {(0, 0, 0), (1, 0, 0)}


def test_a_name_within_a_function_takes_nothing():
    assert bound("def own():\n    fill = 1\n    return fill\n") == {"own"}
    assert bound("no python(") == set()


def test_imports_from_the_future_stand_first():
    future = "from __future__ import annotations\n"
    joined = joined_pieces([("one", f'"""Doc."""\n{future}x = 1\n'), ("two", f"{future}y = x\n")])
    assert joined.splitlines()[0] == future.strip() and joined.count("__future__") == 1
    built(joined)
