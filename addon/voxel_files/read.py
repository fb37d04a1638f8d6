# SPDX-License-Identifier: GPL-3.0-or-later
"""Any file of blocks by its path; faults name file, place and remedy."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...checks.voxel.structure import VoxelError, VoxelStructure
from .blocks import BlocksError, BlocksFile, Run, few, replay, within_reach
from .json_lines import read_lines
from .litematica import read_litematica
from .mcedit import read_mcedit
from .mindcraft import read_actions
from .nbt import NbtError, read_nbt
from .node import NodeNeeded
from .sponge import read_sponge
from .volume import structure

#: Endings of the files that can be read.
SUFFIXES = (".js", ".mjs", ".jsonl", ".schem", ".schematic", ".litematic")
_PROGRAMS = (".js", ".mjs")
_PACKED = (".schem", ".schematic", ".litematic")
# Bytes. Action files have some 100 kB, and so have schematics.
_LARGEST_FILE = 64 << 20
_LARGEST_PROGRAM = 8 << 20


def read_blocks(path: str | Path) -> BlocksFile:
    """The blocks of a file, by what it holds; only the text formats are told by their ending.

    Raises :class:`~.blocks.BlocksError` (:class:`~.mindcraft.NodeNeeded` for programs) with one
    sentence if nothing of it can be read.
    """
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise BlocksError(f"{file}: the ending isn't known; it may be {', '.join(SUFFIXES)}")
    if suffix in _PROGRAMS:
        return read_action_files([file])
    data = _bytes(file)
    faults: list[str] = []
    try:
        if suffix in _PACKED:
            return BlocksFile((Run((_schematic(data, str(file)),)),))
        runs = read_lines(_text(data), str(file), faults)
    except NbtError as error:
        raise BlocksError(f"{file}: {error}; save it again, as gzip-packed NBT") from None
    except BlocksError as error:
        raise BlocksError(f"{file}: {error}") from None
    runs = tuple(replace(run, faults=_told(file, run.faults)) for run in runs)
    return BlocksFile(runs, _told(file, faults))


def read_action_files(paths: Iterable[str | Path]) -> BlocksFile:
    """One problem from the action files of its turns, in order.

    The blocks of a turn whose file isn't there are those of the turn before, as published. Raises
    as :func:`read_blocks`; for the first file also if it isn't there.
    """
    turns: list[VoxelStructure] = []
    faults: list[str] = []
    for path in paths:
        file = Path(path)
        if file.suffix.lower() not in _PROGRAMS:
            known = " or ".join(_PROGRAMS)
            raise BlocksError(f"{file}: is no action file of a turn; give one, {known}")
        if turns and not file.exists():
            faults.append(f"{file}: isn't there; the blocks of the turn before stand")
            turns.append(turns[-1])
            continue
        found: list[str] = []
        try:
            actions = within_reach(
                read_actions(_text(_bytes(file, _LARGEST_PROGRAM)), found), found
            )
            turns.append(replay(turns[-1] if turns else None, actions, str(file)))
        except NodeNeeded as error:
            raise NodeNeeded(f"{file}: {error}") from None
        except BlocksError as error:
            message = str(error)
            raise BlocksError(
                message if message.startswith(str(file)) else f"{file}: {error}"
            ) from None
        faults += [f"{file}: {fault}" for fault in found]
    if not turns:
        raise BlocksError("no action file was named; name one a turn")
    told = few(faults)
    return BlocksFile((Run(tuple(turns), faults=told),), told)


def _told(file: Path, faults: Iterable[str]) -> tuple[str, ...]:
    """The first faults with their file."""
    return few([f"{file}: {fault}" for fault in faults])


def _schematic(data: bytes, source: str) -> VoxelStructure:
    """The blocks of NBT of any of the three kinds, told apart by what they hold."""
    _, root = read_nbt(data)
    inner = root.get("Schematic")
    content: dict[str, Any] = inner if isinstance(inner, dict) else root
    try:
        if "Regions" in content:
            kind, volumes = "Litematica", read_litematica(content)
        elif "Version" in content:
            kind, volumes = "Sponge", read_sponge(content)
        elif "Blocks" in content:
            kind, volumes = "MCEdit", read_mcedit(content)
        else:
            raise BlocksError("it is no Sponge, MCEdit or Litematica schematic")
        return structure(volumes, {"file": source, "format": kind})
    except (BlocksError, VoxelError) as error:
        raise BlocksError(f"{error}; save it again from the program it is of") from None


def _bytes(file: Path, most: int = _LARGEST_FILE) -> bytes:
    try:
        status = file.stat()
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):  # it may never end
            raise BlocksError(f"{file}: is a pipe or a device; save what comes from it as a file")
        if status.st_size > most:
            raise BlocksError(f"{file}: has more than {most >> 20} MiB; name a smaller one")
        return file.read_bytes()
    except OSError as error:
        raise BlocksError(f"{file}: can't be read ({error.strerror}); check the path") from None


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BlocksError(f"byte {error.start} isn't UTF-8; save it as UTF-8") from None
