# SPDX-License-Identifier: GPL-3.0-or-later
"""Which houses a pack holds, and one of them made: everything but the drawing and the writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...checks.timber import judge as judge_timber
from ..houses.house import House
from ..houses.parameters import STYLES, ParameterError
from .entry import Entry, entry_of

#: What houses are judged by.
PROFILE = "engineering"


@dataclass(frozen=True)
class Wanted:
    """One house: a style, a seed, and the parameters that are not left to the seed."""

    style: str
    seed: int
    fixed: Mapping[str, Any]

    def plain(self) -> dict[str, Any]:
        """For another process."""
        return asdict(self)


@dataclass(frozen=True)
class Made:
    """A house as a task; ``verdict`` is ``None`` if nobody asked, ``fault`` its first finding."""

    entry: Entry
    verdict: str | None = None
    fault: str | None = None


def styles_named(text: str) -> tuple[str, ...]:
    """Styles from ``all`` or names with commas, in any case, or prefixes of ids.

    Raises :class:`ParameterError` for a name that is none.
    """
    if text.strip().casefold() == "all":
        return tuple(STYLES)
    known = {style.casefold(): style for style in STYLES}
    known |= {short.casefold(): style for style, short in STYLES.items()}
    found: dict[str, None] = {}
    for name in text.split(","):
        style = known.get(name.strip().casefold())
        if style is None:
            raise ParameterError(
                f"{name.strip()!r} is no style; choose all or some of {', '.join(STYLES)}"
            )
        found[style] = None
    return tuple(found)


def plan(styles: Sequence[str], count: int, seed: int, fixed: Mapping[str, Any]) -> list[Wanted]:
    """``count`` houses, the styles in turn; the first of each style has ``seed``, then seed + 1.

    So ``RN-0007`` is the same house in every pack without fixed parameters.
    """
    return [Wanted(styles[k % len(styles)], seed + k // len(styles), fixed) for k in range(count)]


def check_plan(wanted: Sequence[Wanted]) -> None:
    """Raise :class:`ParameterError` for the first house that can't be: nothing is built."""
    from ..houses.generate import sample

    for one in wanted:
        try:
            sample(one.style, one.seed, **one.fixed)
        except ParameterError as error:
            raise ParameterError(f"{one.style}, seed {one.seed}: {error}") from None


def make(wanted: Wanted, judge: bool, with_program: bool) -> Made:
    """Generate one house and, if asked, judge it. Raises :class:`ParameterError`."""
    entry, house = made_house(wanted, with_program)
    if not judge:
        return Made(entry)
    judgement = judge_timber(house.structure, house.brief, PROFILE)
    fault = next((f.message for f in judgement.findings), None)
    return Made(entry, judgement.verdict, fault)


def made_house(wanted: Wanted, with_program: bool) -> tuple[Entry, House]:
    """One house, and its task. Raises :class:`ParameterError`."""
    from ..houses.generate import generate

    try:
        house = generate(wanted.style, wanted.seed, **wanted.fixed)
    except ParameterError as error:
        raise ParameterError(f"{wanted.style}, seed {wanted.seed}: {error}") from None
    return entry_of(house, with_program), house
