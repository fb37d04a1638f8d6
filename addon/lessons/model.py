# SPDX-License-Identifier: GPL-3.0-or-later
"""What a lesson is: a building with one fault, a question, the rule, the mend, and what if.

No ``bpy`` here. Lengths in m, loads in kPa as people read them; sentences are for a class.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...checks.voxel.brief import VoxelBrief
from ..units import length_words

#: The steps of every lesson, in order: id and what the button says.
STEPS: tuple[tuple[str, str], ...] = (
    ("see", "See"),
    ("question", "Question"),
    ("show", "Show me"),
    ("rule", "Rule"),
    ("mend", "Mend it"),
    ("what_if", "What if"),
)
#: What each step is for, for tooltips.
STEP_TIPS: Mapping[str, str] = {
    "see": "What one sees on looking at the building",
    "question": "A question about it, before the answer is shown",
    "show": "Where the fault is, and how far it goes",
    "rule": "The rule that it breaks, with its clause",
    "mend": "How it is mended; the building is checked again",
    "what_if": "What happens when spans, sections or loads change",
}

#: Pa in one unit of a slider that changes a load.
PA = {"kPa": 1000.0}
#: The unit of a slider that changes blocks.
BLOCKS = "blocks"
#: The check that holds the stress of blocks against a limit.
STRESS_LIMIT = "structural_stability.fem_limit"


class LessonError(ValueError):
    """A lesson with a fault. One sentence: file, place in it, what is wrong, what to write."""

    def __init__(self, file: Path | str, place: str, problem: str, remedy: str) -> None:
        self.file = str(file)
        self.place = place
        self.problem = problem
        self.remedy = remedy
        where = f"{file}: {place}" if place else str(file)
        super().__init__(f"{where}: {problem}; {remedy}")


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to choose: its text, whether it is right, and why."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with exactly one right choice."""

    ask: str
    choices: tuple[Choice, ...]

    @property
    def right(self) -> int:
        """Place of the right choice."""
        return next(i for i, choice in enumerate(self.choices) if choice.right)


@dataclass(frozen=True, slots=True)
class Find:
    """A question that is answered by a click in the view: members that count as found."""

    ask: str
    accept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """What *Show me* goes to: the finding of a check, in which colours, and what to look at."""

    check: str
    colours: str
    say: str


@dataclass(frozen=True, slots=True)
class Rule:
    """The clause in plain words, and why it is there."""

    clause: str
    says: str
    why: str
    physics: str


@dataclass(frozen=True, slots=True)
class Mend:
    """What the button says, and what it does. The program is ``mend.py`` beside the lesson."""

    button: str
    says: str


@dataclass(frozen=True, slots=True)
class Tip:
    """Where it tips over: ``at`` a value that a rule names, or what the span tables say.

    ``table`` holds what :func:`.tipping.tip_of` needs; one of its entries is ``"value"``.
    """

    because: str
    at: float | None = None
    table: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Slider:
    """Something to try out on the mended building.

    Either ``brief`` names the load that it changes, or the program ``what_if_ID.py`` beside the
    lesson changes ``members`` (patterns of names), or blocks. ``check`` and ``subject`` say whose
    figure is shown, ``"*"`` that of the worst; ``beyond`` is a value at which that check finds a
    fault. With ``stops`` only those values are taken.
    """

    id: str
    title: str
    unit: str
    default: float
    low: float
    high: float
    ask: str
    check: str
    subject: str
    beyond: float
    tip: Tip
    brief: str | None = None
    members: tuple[str, ...] = ()
    stops: tuple[float, ...] = ()

    def taken(self, value: float) -> float:
        """The value that counts: within the ends, and the nearest stop where there are stops."""
        if not math.isfinite(value):
            return self.default
        value = min(max(value, self.low), self.high)
        return min(self.stops, key=lambda stop: abs(stop - value)) if self.stops else value

    def words(self, value: float, system: str = "metric") -> str:
        """The value with its unit, as people read it: ``235 mm``, ``1.44 kPa``, ``3 blocks``.

        With ``system`` ``"imperial"`` lengths are in feet and inches.
        """
        if self.unit == BLOCKS:
            return f"{value:g} block" + ("" if value == 1 else "s")
        if self.unit == "m" and system == "imperial":
            return length_words(system)(value)
        if self.unit == "m":
            return f"{value * 1000:.0f} mm" if self.high < 1.0 else f"{value:.2f} m"
        return f"{value:.2f} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson. ``id`` is the name of its folder.

    Its building is that of ``task`` and ``twin``, or, of blocks, what ``build.py`` beside the
    lesson builds, judged by ``brief``. Blocks have no ``find`` and no ``fall``. A lesson of motion
    has neither these nor sliders: it is mended by building the task as it should be, and
    ``otherwise`` is what the button says that plays it with the intervention of its criterion,
    empty where its fault shows in the scene as it is.
    """

    id: str
    kind: str
    title: str
    level: int
    aim: str
    task: str
    twin: str
    see: str
    question: Question
    find: Find | None
    show: Show
    rule: Rule
    mend: Mend
    fall: str
    misconceptions: tuple[str, ...]
    sliders: tuple[Slider, ...]
    path: Path
    brief: VoxelBrief | None = None
    otherwise: str = ""

    @property
    def of_motion(self) -> bool:
        """Whether it is about a scene that is simulated."""
        return self.kind == "reconstruction"

    @property
    def of_blocks(self) -> bool:
        """Whether its building is one of blocks."""
        return self.brief is not None

    @property
    def stress_limit(self) -> float | None:
        """The stress, Pa, that a lesson of blocks allows; ``None`` where it asks for none."""
        for call in self.brief.calls if self.brief is not None else ():
            if call.fn == STRESS_LIMIT:
                return float(call.args["limit"])
        return None

    def build_program(self) -> str:
        """The program that builds the flawed blocks. Raises :class:`LessonError`."""
        return read_text(self.path / "build.py")

    def slider(self, slider_id: str) -> Slider:
        """The slider of that id. Raises ``KeyError`` naming those there are."""
        for slider in self.sliders:
            if slider.id == slider_id:
                return slider
        known = ", ".join(slider.id for slider in self.sliders)
        raise KeyError(f"lesson {self.id} has no slider {slider_id!r}; known: {known}")

    def mend_program(self) -> str:
        """The program that mends the building. Raises :class:`LessonError`."""
        return read_text(self.path / "mend.py")

    def slider_program(self, slider: Slider) -> str:
        """The program with ``change(value)`` for a slider without ``brief``."""
        return read_text(self.path / f"what_if_{slider.id}.py")


def read_text(file: Path) -> str:
    """Text of a file of a lesson. Raises :class:`LessonError` if it can't be read."""
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise LessonError(file, "", "no such file", "the lesson needs it") from None
    except UnicodeDecodeError as error:
        place = f"byte {error.start}"
        raise LessonError(file, place, "not UTF-8 text", "save it as UTF-8") from None
    except OSError as error:
        raise LessonError(file, "", f"can't be read ({error.strerror})", "check it") from None
