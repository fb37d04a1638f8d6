# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Annotate*: what a person says of a finding and of the whole structure."""

CLASSES: tuple[type, ...] = ()
