# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages for people: what they link to is there, and their pictures are small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")

#: A picture of a whole window, and all others, bytes.
WHOLE, PART = 400_000, 250_000
WHOLE_WINDOWS = {"window-compare.png", "window-workspace.png"}


def links(page: Path) -> list[Path]:
    """What a page links to within the checkout."""
    return [(page.parent / link) for link in _LINK.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_everything_that_a_page_links_to_is_there(page):
    assert not [str(link) for link in links(page) if not link.exists()]


def test_every_picture_is_used_and_small():
    pictures = set((ROOT / "docs").rglob("*.png"))
    used = {link.resolve() for page in PAGES for link in links(page)}
    assert not sorted(path.name for path in pictures if path.resolve() not in used)
    for path in pictures:
        assert path.stat().st_size <= (WHOLE if path.name in WHOLE_WINDOWS else PART), path.name
