# SPDX-License-Identifier: GPL-3.0-or-later
"""Episodes whose code really runs in Blender, with pictures of what was built and should be."""

import bpy  # noqa: F401 - says to conftest that Blender is needed
import pytest
from episodes import (
    CLASHING_ROOF,
    HELPERS,
    NAMES,
    PHASES,
    QUIET,
    WHOLE,
    ListProvider,
    hut_task,
    names_of,
    program,
    run_episode,
)
from plumbline.addon.agent.agents import Limits, Target
from plumbline.addon.agent.messages import Picture
from plumbline.addon.agent.model_agent import Start
from plumbline.addon.agent.protocols import ProtocolOptions
from plumbline.addon.sandbox.bench import WorkerBench
from plumbline.addon.sandbox.client import BlenderWorker
from plumbline.addon.sandbox.policy import DEFAULT
from plumbline.addon.scene.cameras import VIEWS
from plumbline.addon.scene.pixels import read_png
from plumbline.tasks import load_task

pytestmark = pytest.mark.once

BROKEN = WHOLE.replace(PHASES["roof"], CLASHING_ROOF)
SEEING = ProtocolOptions(planner=False)


def code(text):
    return program(HELPERS + text)


@pytest.fixture(scope="module")
def worker():
    with BlenderWorker() as worker:
        yield worker


@pytest.fixture
def bench(worker, tmp_path):
    return WorkerBench(worker, tmp_path, 60.0, DEFAULT)


@pytest.fixture(scope="module")
def target(worker, tmp_path_factory):
    """The hut as it should be."""
    made = WorkerBench(worker, tmp_path_factory.mktemp("target"), 60.0)
    done = made.execute(HELPERS + WHOLE, None, "target")
    return Target(done.scene, done.structure, made.views(done.scene, None, tuple(VIEWS)))


def pictures_of(message):
    return [part for part in message.parts if isinstance(part, Picture)]


def test_a_fault_is_told_in_words_and_shown_in_colour(tmp_path, bench, target):
    provider = ListProvider([code(BROKEN), code(WHOLE)])
    episode = run_episode(tmp_path, provider, options=SEEING, bench=bench, target=lambda: target)
    assert episode.built.end == "finished" and len(names_of(episode.built.execution)) == 36
    first, second = provider.requests
    assert [p.name for p in pictures_of(first.messages[0])] == list(VIEWS)
    assert "back | +y | -x (mirrored against front)" in first.messages[0].text
    told = second.messages[-1]
    assert "Rafter_again" in told.text
    [shown] = pictures_of(told)
    assert read_png(shown.data).std() > 5


def test_managed_keeps_the_scene_before_a_phase_in_blender(tmp_path, bench):
    bad_floor = PHASES["floor"] + 'remove("Sill_N")\n'
    raising = PHASES["floor"] + "nails()\n"
    answers = [PHASES["foundation"], bad_floor, raising, *[PHASES[n] for n in NAMES[1:]]]
    provider = ListProvider([code(answer) for answer in answers])
    episode = run_episode(tmp_path, provider, "managed", bench=bench)
    built = episode.built
    assert built.end == "finished" and len(names_of(built.execution)) == 36
    assert "must stay as they are: Sill_N" in provider.requests[2].messages[-1].text
    told = provider.requests[3].messages[-1].text
    assert "NameError: name 'nails' is not defined" in told
    line = (HELPERS + raising).strip().splitlines().index("nails()") + 1
    assert f"line {line}" in told
    again = bench.execute(built.program, None, "again")
    assert again.structure["center"] == built.execution.structure["center"]
    assert sorted(names_of(again)) == sorted(names_of(built.execution))


def test_a_whole_bundled_house_in_phases(tmp_path, bench):
    """The known-good shed roof, split where its own functions split it."""
    task = load_task("timber/shed_roof")
    source, _, calls = task.program().rpartition("\n\n\n")
    assert calls.split() == ["foundation()", "floor()", "walls()", "roof()"]
    marked = source + "\n\n\n" + "".join(f"# phase: {n}\n{n}()\n" for n in NAMES)
    episode = run_episode(
        tmp_path, ListProvider([program(marked)]), "reactive", bench=bench, task=task
    )
    assert episode.built.end == "finished"
    assert [e["verdict"] for e in episode.of("judgement")] == ["passed"] * 5


@pytest.mark.parametrize(
    ("stopper", "outcome", "words"),
    [
        ("while True:\n    pass\n", "timeout", "took too long"),
        ("import bpy\nbpy.ops.wm.open_mainfile(filepath='x')\n", "refused", "was not run"),
    ],
)
def test_what_is_stopped_is_told_and_mended(worker, tmp_path, stopper, outcome, words):
    bench = WorkerBench(worker, tmp_path, 3.0, DEFAULT)
    provider = ListProvider([program(stopper), code(WHOLE)])
    episode = run_episode(tmp_path, provider, bench=bench)
    assert episode.of("execution")[0]["outcome"] == outcome
    assert words in provider.requests[1].messages[-1].text
    assert episode.built.end == "finished"


# --- Looks ----------------------------------------------------------------------------------------


def tall(top):
    """The walls and the roof on plates at this height, m."""
    text = PHASES["walls"] + PHASES["roof"]
    heights = {"2.378": top + 0.178, "2.238": top + 0.038, "2.2)": top}
    for old, new in heights.items():
        text = text.replace(old, f"{new:.3f}" + ")" * old.count(")"))
    return text


BASE = PHASES["foundation"] + PHASES["floor"]
#: Sound, but a metre lower than what was asked for.
LOW = BASE + tall(1.2)
#: What takes away all that stands on the floor.
CLEAR = """\
for item in list(bpy.data.objects):
    if not item.name.startswith(("Sill", "RimJoist", "Joist")):
        remove(item.name)
"""


def test_what_looks_wrong_is_sent_back_where_the_switch_asks_for_it(tmp_path, bench, target):
    options = ProtocolOptions(planner=False, require_visual_similarity=True)
    provider = ListProvider([code(LOW), code(WHOLE)])
    episode = run_episode(tmp_path, provider, options=options, bench=bench, target=lambda: target)
    told = provider.requests[1].messages[-1]
    assert "does not look enough like what was asked for" in told.text
    assert [p.name.partition(":")[0] for p in pictures_of(told)] == list(VIEWS)
    first, second = episode.built.metrics["similarity_by_step"].values()
    assert first < 0.4 and second == 1.0


def test_a_phase_is_compared_with_as_much_of_the_target(tmp_path, bench, target):
    options = ProtocolOptions(planner=False, pictures=False, require_visual_similarity=True)
    provider = ListProvider([code(PHASES[name]) for name in NAMES[:2]])
    limits = Limits(attempts=2)
    episode = run_episode(
        tmp_path, provider, "managed", options, bench=bench, target=lambda: target, limits=limits
    )
    assert episode.built.metrics["phases_done"] == 2
    assert set(episode.built.metrics["similarity_by_step"].values()) == {1.0}
    assert all("target" not in label for label in episode.labels("execution"))


def test_an_edit_is_kept_only_if_all_pass_and_it_looks_more_alike(tmp_path, bench, target):
    start = bench.execute(HELPERS + LOW, None, "old")
    clash = 'box("Stud_again", (0.01, 1.911, 0.216), (0.048, 2, 1.2))\n'
    worse = 'box("Stud_high", (0, 0, 1.378), (0.038, 0.089, 1.4))\n' + CLEAR + tall(1.1)
    better, best = CLEAR + tall(1.8), CLEAR + tall(2.2)
    provider = ListProvider(
        [code(clash), code(worse), "no code", code("oops("), code(better), code(best)]
    )
    options = ProtocolOptions(planner=False)
    episode = run_episode(
        tmp_path,
        provider,
        "editing",
        options,
        bench=bench,
        target=lambda: target,
        starts={"timber/hut": Start(start.scene, HELPERS + LOW)},
        task=hut_task(),
    )
    built = episode.built
    assert built.end == "finished", built.message
    assert built.metrics["edits_kept"] == 2 and built.metrics["edits_taken_back"] == 3
    told = [request.messages[-1].text for request in provider.requests]
    assert "Write the first edit." in provider.requests[0].messages[0].text
    assert "taken back" in told[1] and "[clash]" in told[1]
    assert "taken back" in told[2] and "the similarity fell or stayed" in told[2]
    assert "holds no Python program" in told[3]
    assert "was not run" in told[4]
    assert "The edit is kept" in told[5] and "z 1.838..1.978" in told[5]
    assert names_of(built.execution) == set(target.structure["names"])
    # Each edit ran on what stood, never on what was taken back.
    again = bench.execute(built.program, None, "again")
    assert again.structure["center"] == built.execution.structure["center"]


def test_what_is_no_start_for_edits_is_said(tmp_path, bench, target):
    broken = bench.execute(HELPERS + BROKEN, None, "broken")
    sound = bench.execute(HELPERS + WHOLE, None, "sound")
    cases = [
        (broken, lambda: target, "unsound_start"),
        (sound, lambda: None, "no_target"),
        (sound, lambda: target, "finished"),
    ]
    for number, (start, target_of, end) in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        episode = run_episode(
            folder,
            ListProvider([]),
            "editing",
            QUIET,
            bench=bench,
            target=target_of,
            starts={"timber/hut": start.scene},
            limits=Limits(attempts=1),
        )
        assert episode.built.end == end
    assert episode.built.notes == ("Nothing was edited: the similarity is 1.000 already.",)
