# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading the pages that we write: their tags, their texts, and whether all of it is closed."""

from __future__ import annotations

from html.parser import HTMLParser


class Page(HTMLParser):
    """Tags and texts, with the check that every element is closed in order."""

    VOID = frozenset({"meta", "img", "col", "input", "wbr", "path", "rect"})

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.texts.append(data)
