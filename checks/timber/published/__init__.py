# SPDX-License-Identifier: GPL-3.0-or-later
"""The two published profiles: the paper's ten tests and the ten keys of the released server.

Entries are :func:`..paper.judge_paper` and :func:`..release.judge_release`; the tests here take a
:class:`.scene.Scene` and return one check result each.
"""
