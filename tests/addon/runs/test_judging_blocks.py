# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of blocks through the entry that judges anything: logs, turns, schematics, wrong kinds."""

from __future__ import annotations

import json

import pytest
from plumbline.addon.runs.cli import main
from plumbline.addon.runs.judging import InputError, judge, judge_each, judge_turns
from plumbline.addon.runs.stress_asked import StressAsked
from plumbline.addon.scene.plain import structure_from_plain, structure_to_plain
from plumbline.checks.timber.structure import TimberStructure
from plumbline.checks.voxel.structure import VoxelStructure

REVISED = "voxel/4-cm-9-multi(2)-turn-revision-01-01"


def program(tmp_path, name, *calls):
    """An action file with these calls."""
    lines = [f"await skills.{call};" for call in calls]
    path = tmp_path / name
    path.write_text("\n".join(["export default async function (bot) {", *lines, "}"]))
    return path


def placed(x, y, z, material="stone"):
    return f"placeBlock(bot, '{material}', {x}, {y}, {z})"


def test_an_action_file_is_judged_without_a_task(tmp_path):
    result = judge(program(tmp_path, "a.js", placed(0, 0, 0), placed(0, 2, 0)))
    record = result.to_record()
    assert (record["kind"], record["profile"], record["verdict"]) == ("voxel", "paper", "failed")
    assert record["metrics"] == {"blocks": 2}
    (finding,) = result.findings
    assert finding.subject == "block (0, 2, 0)" and finding.location == (0.0, 0.0, 2.0)


def test_a_file_without_an_order_passes_where_nobody_asked_for_one(tmp_path):
    blocks = VoxelStructure.from_blocks([(0, 0, 0, "stone"), (1, 0, 0, "stone")], ordered=False)
    result = judge(blocks)
    assert result.verdict == "passed"
    assert [check.status for check in result.checks] == ["passed", "not_run"]


def test_the_task_names_the_checks_and_both_turns_are_judged(tmp_path):
    files = [program(tmp_path, f"{turn}.js", placed(turn, 0, 0)) for turn in range(2)]
    record = judge_turns(files, REVISED).to_record()
    assert record["task"] == REVISED and record["verdict"] == "failed"
    turns = {check["figures"]["turn"] for check in record["checks"]}
    assert turns == {1, 2} and all(
        check["id"].startswith(f"turn{check['figures']['turn']}.") for check in record["checks"]
    )
    alone = judge(files[1], REVISED).to_record()
    unknown = [c for c in alone["checks"] if c["figures"]["turn"] == 1]
    assert unknown and all(c["status"] == "not_run" for c in unknown)


def test_a_turn_whose_file_is_gone_keeps_what_stood(tmp_path):
    files = [program(tmp_path, "0.js", placed(0, 0, 0)), tmp_path / "gone.js"]
    result = judge_turns(files, REVISED)
    assert any("gone.js" in note for note in result.judgement.notes)
    ground = [c for c in result.checks if c.id.endswith("is_ground_connected")]
    assert [c.status for c in ground] == ["passed", "passed"]


def test_turns_are_action_files_of_blocks(tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    log.write_text('{"actions": []}')
    first = program(tmp_path, "0.js", placed(0, 0, 0))
    with pytest.raises(InputError, match=r"^[^:]*log.jsonl: is no action file of a turn"):
        judge_turns([first, log])
    assert main(["check", "--turns", "--kind", "timber", str(first)]) == 2
    assert "--turns is for blocks, not for timber" in capsys.readouterr().err


def test_after_a_turn_that_nobody_built_the_blocks_of_the_one_before_stand(tmp_path):
    result = judge_turns([program(tmp_path, "0.js", placed(0, 0, 0))], REVISED)
    assert any("has 2 turns and 1 came" in note for note in result.judgement.notes)
    ground = [c for c in result.checks if c.id.endswith("is_ground_connected")]
    assert [c.status for c in ground] == ["passed", "passed"] and result.verdict == "failed"


def test_a_list_of_tasks_is_told_from_what_is_judged(tmp_path):
    path = tmp_path / "walls.json"
    path.write_text(json.dumps([{"prompts": [["Build."]], "checks": [[]]}]))
    for kind in (None, "voxel"):
        with pytest.raises(InputError) as caught:
            judge(path, kind=kind)
        assert str(caught.value) == (
            f"{path}: this is a list of tasks; judge blocks with --task {path}/01-01, or use "
            f"`plumbline tasks validate {path}`"
        )
    path.write_text("[]")
    with pytest.raises(InputError, match="members"):
        judge(path)


def test_a_log_of_several_problems_gives_a_result_each(tmp_path):
    path = tmp_path / "log.jsonl"
    check = {"fn": "material.is_block_cnt_geq", "args": {"min_count": 2}}
    rows = [
        {"run_idx": run, "actions": [["place", x, 0, 0, "stone"] for x in range(run + 1)]}
        for run in range(2)
    ]
    path.write_text("".join(json.dumps({**row, "checks": [check]}) + "\n" for row in rows))
    results = list(judge_each(path))
    assert [r.verdict for r in results] == ["failed", "passed"]
    assert [r.source for r in results] == [f"{path}: run 0", f"{path}: run 1"]
    with pytest.raises(InputError, match="holds 2 problems"):
        judge(path)


def test_faults_of_a_log_stand_with_their_problem(tmp_path):
    path = tmp_path / "log.jsonl"
    sound = json.dumps({"run_idx": 0, "actions": [["place", 0, 0, 0, "stone"]]})
    faulty = json.dumps({"run_idx": 1, "actions": [["place", 0, 0, 0, "stone"], ["lay", 1]]})
    path.write_text(f"{sound}\n{faulty}\n{faulty}\n{{run_idx: 2}}\n")
    first, second = ([n for n in r.judgement.notes if "line" in n] for r in judge_each(path))
    assert first == [
        f"{path}: line 4 isn't JSON (Expecting property name enclosed in double quotes at column "
        "2): mend or remove it"
    ]
    assert second[0] == first[0] and len(second) == 3
    assert "line 3: it gives a turn that was given before" in second[1]
    assert "line 2, action 2: must be" in second[2]


def test_kinds_do_not_mix(tmp_path):
    path = program(tmp_path, "a.js", placed(0, 0, 0))
    with pytest.raises(InputError, match="holds blocks, and timber is judged by members"):
        judge(path, "timber/cabin")
    with pytest.raises(InputError, match="voxel has no profile 'engineering'; known: paper, code"):
        judge(path, profile="engineering")
    house = TimberStructure.from_boxes((), (), (), ())
    with pytest.raises(InputError, match="holds members, and voxel is judged by blocks"):
        judge(house, REVISED)


def test_blocks_survive_the_way_between_processes():
    first = VoxelStructure.from_blocks([(0, 0, 0, "stone")])
    rows = [(0, 0, 0, "stone"), (-3, 1, 2, "oak_planks")]
    blocks = VoxelStructure.from_blocks(rows, notes=("n",), source={"a": 1}, earlier=(first,))
    again = structure_from_plain(json.loads(json.dumps(structure_to_plain(blocks))))
    assert isinstance(again, VoxelStructure)
    assert structure_to_plain(again) == structure_to_plain(blocks)
    assert again.materials == blocks.materials and len(again.earlier) == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"codes": [0, -1]}, "palette"),
        ({"codes": [0, 7]}, "wrong kind"),
        ({"positions": [[0, 0], [1, 1]]}, "shape"),
        ({"positions": [[0, 0, 0], [0.5, 0, 0]]}, "whole numbers"),
        ({"palette": [1, 2]}, "material must be a text"),
        ({"earlier": [{}]}, "lack the field"),
    ],
)
def test_damaged_blocks_are_one_sentence(change, why):
    blocks = VoxelStructure.from_blocks([(0, 0, 0, "stone"), (1, 0, 0, "dirt")])
    with pytest.raises(ValueError, match=why):
        structure_from_plain({**structure_to_plain(blocks), **change})


class TestStress:
    """The check ``stress`` beside those of the task, where it is asked for."""

    def check(self, found):
        return next(c for c in found.checks if c.id == "stress")

    def test_it_is_told_and_judges_nothing_without_a_reference(self, tmp_path):
        file = program(tmp_path, "a.js", placed(0, 0, 0), placed(0, 1, 0))
        (found,) = judge_each(file, stress=StressAsked("fem"))
        check = self.check(found)
        assert found.verdict == "passed" and not check.required
        assert check.figures["greatest"] > 1e4 and check.figures["at"] == [0, 0, 0]

    def test_a_reference_can_fail_it(self, tmp_path):
        file = program(tmp_path, "a.js", placed(0, 0, 0), placed(0, 1, 0))
        (found,) = judge_each(file, stress=StressAsked("fem", "100"))
        assert found.verdict == "failed" and self.check(found).findings[0].subject == (
            "block (0, 0, 0)"
        )
        found = judge_turns([file], stress=StressAsked("fem", "arch_2_2"))
        assert self.check(found).status == "passed"
        unknown = judge_turns([file], stress=StressAsked("fem", "dome"))
        assert "no reference 'dome'" in self.check(unknown).reason

    def test_members_have_none(self):
        with pytest.raises(InputError, match="that of blocks"):
            list(judge_each(TimberStructure.from_boxes((), (), (), ()), stress=StressAsked("fem")))
