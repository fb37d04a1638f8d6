# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``plumbline tasks generate``."""

from __future__ import annotations

import argparse
from typing import Any

from .run_options import positive

KINDS = ("timber", "voxel")
IMAGES = ("none", "frame", "skin", "both")
#: Seed of the first house of each style where none is given, and that of the voxel problems, which
#: is the one that the bundled ones have.
SEEDS = {"timber": 7, "voxel": 0}
#: Option -> its name and the value that it has where it isn't given: what one kind has for itself.
OF_HOUSES: dict[str, tuple[str, Any]] = {
    "--style": ("style", "all"),
    "--count": ("count", 39),
    "--images": ("images", "none"),
    "--workers": ("workers", 1),
    "--judge": ("judge", False),
}
OF_BLOCKS: dict[str, tuple[str, Any]] = {
    "--lite": ("lite", None),
    "--vary": ("vary", None),
    "--table": ("table", None),
}
#: Most houses of a pack: all are held in memory, some 20 kB each, before the pack is written.
MOST = 100_000
#: Option -> (parameter of houses, its type, help).
FIXED: dict[str, tuple[str, type, str]] = {
    "--footprint-x": ("footprint_x", float, "m along the ridge"),
    "--footprint-y": ("footprint_y", float, "m across it"),
    "--stories": ("stories", int, "storeys"),
    "--pitch": ("pitch", float, "slope of the roof, degrees"),
    "--overhang": ("overhang", float, "of the roof, m"),
    "--wings": ("wings", int, "how many"),
    "--wing-length": ("wing_length", float, "how far they stand out, m"),
    "--openings": ("openings", float, "share of the possible ones, 0 to 1"),
    "--spacing": ("spacing", float, "on centre, 0.406 or 0.610 m"),
    "--species": ("species", str, "such as hem-fir"),
    "--grade": ("grade", str, "SS, 1, 2 or 3"),
    "--snow": ("ground_snow", float, "on the ground, Pa"),
}


def add_generate(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
) -> argparse.ArgumentParser:
    """Add the command; returns its parser."""
    generate = actions.add_parser(
        "generate", help="make a pack of seeded houses, or files of voxel problems",
        allow_abbrev=False,
    )  # fmt: skip
    generate.add_argument("--kind", choices=KINDS, default="timber", help="default: timber")
    generate.add_argument(
        "--seed",
        type=natural,
        metavar="N",
        help="of the first house of each style, default: 7; of the sentences of voxel problems, "
        "default: 0",
    )
    generate.add_argument(
        "--out",
        required=True,
        metavar="PACK",
        help="a folder, or for houses a file that ends in .dhpack",
    )
    generate.add_argument("--force", action="store_true", help="replace the pack that is there")
    _add_houses(generate.add_argument_group("houses"))
    _add_blocks(generate.add_argument_group("voxel problems"))
    fixed = generate.add_argument_group("parameters that are not left to the seed")
    for option, (name, kind, text) in FIXED.items():
        fixed.add_argument(option, dest=name, type=kind, metavar=name.upper(), help=text)
    return generate


def _add_houses(houses_group: argparse._ArgumentGroup) -> None:
    add = houses_group.add_argument
    add("--style", default="all", metavar="all|NAME,...", help="default: all 13")
    add("--count", type=houses, default=39, metavar="N", help="default: 39")
    add(
        "--images",
        choices=IMAGES,
        default="none",
        help="draw the frame, the closed house, or both; default: none",
    )
    add("--workers", type=positive, default=1, metavar="N", help="processes")
    add("--judge", action="store_true", help="judge each house; leave out those that fail")


def _add_blocks(blocks_group: argparse._ArgumentGroup) -> None:
    which = blocks_group.add_mutually_exclusive_group()
    which.add_argument(
        "--lite", type=natural, metavar="SEED", help="one problem of each file, drawn by this seed"
    )
    which.add_argument(
        "--table",
        type=int,
        choices=(6, 7, 8),
        help="the problems behind a table of the paper, a folder an arm",
    )
    blocks_group.add_argument(
        "--vary",
        action="append",
        type=variation,
        metavar="DIMENSION=VALUE",
        help="word the problems so: verb, term, building, order or cue; may be given again",
    )


def misplaced(options: argparse.Namespace) -> str | None:
    """A sentence on an option that the kind doesn't have, ``None`` where all fit."""
    others = OF_HOUSES | {name: (field, None) for name, (field, _, _) in FIXED.items()}
    wrong, kind = (others, "houses") if options.kind == "voxel" else (OF_BLOCKS, "voxel problems")
    for option, (name, default) in wrong.items():
        if getattr(options, name) != default:
            return f"{option} is for {kind}; leave it out, or choose another --kind"
    if options.kind == "voxel" and options.table and options.vary:
        return "--table has words of its own; leave --vary out"
    return None


def variation(text: str) -> tuple[str, str]:
    """A dimension of wordings and its value: ``cue=order_aware``."""
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise argparse.ArgumentTypeError(f"{text!r} is no DIMENSION=VALUE such as cue=order_aware")
    return name, value


def fixed_parameters(options: argparse.Namespace) -> dict[str, Any]:
    """The parameters that were given."""
    given = {name: getattr(options, name) for name, _, _ in FIXED.values()}
    return {name: value for name, value in given.items() if value is not None}


def houses(text: str) -> int:
    """How many houses: a whole number from 1 up."""
    number = positive(text)
    if number > MOST:
        raise argparse.ArgumentTypeError(f"{text!r} are too many houses: at most {MOST:,} a pack")
    return number


def natural(text: str) -> int:
    """A seed: a whole number from 0 up."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number < 10**9:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed: write a whole number from 0 up")
    return number
