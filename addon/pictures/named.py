# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom a finding names, whatever the kind: members, or all the blocks of its detail."""

from __future__ import annotations

from collections.abc import Mapping

from ...checks.result import Finding
from .voxel.told import MOST_NAMED, block_names, fault_cells


def at_fault(finding: Finding) -> tuple[str, ...]:
    """The members or blocks at fault, the finding's subject first; none where something is missing.

    A finding of blocks names one of them and has all in its detail.
    """
    detail = finding.detail
    if isinstance(detail, Mapping) and detail.get("blocks"):
        return tuple(block_names(fault_cells(finding)[:MOST_NAMED]))
    return (finding.subject,) if finding.subject_kind == "member" else ()


def involved(finding: Finding) -> tuple[str, ...]:
    """All that a finding names: its subject, all others at fault, then those that take part."""
    return tuple(dict.fromkeys((finding.subject, *at_fault(finding), *finding.related)))
