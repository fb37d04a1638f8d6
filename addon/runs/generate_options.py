# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``plumbline tasks generate``."""

from __future__ import annotations

import argparse
from typing import Any

from .run_options import positive

IMAGES = ("none", "frame", "skin", "both")
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
        "generate", help="make a pack of seeded houses with ground truth", allow_abbrev=False
    )
    generate.add_argument("--style", default="all", metavar="all|NAME,...", help="default: all 13")
    generate.add_argument("--count", type=houses, default=39, metavar="N", help="default: 39")
    generate.add_argument(
        "--seed",
        type=natural,
        default=7,
        metavar="N",
        help="of the first house of each style; default: 7",
    )
    generate.add_argument(
        "--out", required=True, metavar="PACK", help="a folder, or a file that ends in .dhpack"
    )
    generate.add_argument(
        "--images",
        choices=IMAGES,
        default="none",
        help="draw the frame, the closed house, or both; default: none",
    )
    generate.add_argument("--workers", type=positive, default=1, metavar="N", help="processes")
    generate.add_argument(
        "--judge", action="store_true", help="judge each house; leave out those that fail"
    )
    generate.add_argument("--force", action="store_true", help="replace the pack that is there")
    fixed = generate.add_argument_group("parameters that are not left to the seed")
    for option, (name, kind, text) in FIXED.items():
        fixed.add_argument(option, dest=name, type=kind, metavar=name.upper(), help=text)
    return generate


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
