# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON that comes in and could not go out again."""

import pytest
from plumbline.addon.strict_json import DEEPEST, loads, mended

BAD = ["NaN", '{"a": [Infinity]}', "-1e999", "1" + "0" * 400, "[" * 100_000, "", "{", "\0"]
BAD += ["[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)]


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:12])
def test_what_can_t_go_out_doesn_t_come_in(text):
    with pytest.raises(ValueError):
        loads(text)


def test_halves_of_letters():
    assert loads(b'{"\\ud83d\\ude00": ["\\ud800", 1, 0.5, null]}') == {
        "😀": ["\ufffd", 1, 0.5, None]
    }
    assert mended("\ud83d" + "\ude00") == "😀" and mended("x\udc80") == "x\ufffd"
