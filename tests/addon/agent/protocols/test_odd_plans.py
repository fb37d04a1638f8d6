# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that are no plans: the model is told in a few lines, and nothing else is at fault."""

import json

import pytest
from episodes import WHOLE, ListProvider, hut_task, plan, program, run_episode
from plumbline.addon.agent.kinds.timber_plan import check_plan
from plumbline.addon.agent.protocols.options import ProtocolOptions

SOUND = json.loads(plan()[plan().index("{") : plan().rindex("}") + 1])
FIRST = SOUND["steps"][0]
HUGE = 10**400
ODD = {
    "not a number": {"lot_size": {"width": float("nan"), "depth": float("inf")}},
    "huge": {"lot_size": {"width": HUGE, "depth": -HUGE}, "stories": HUGE},
    "huge bounds": {"sections": [{"name": "x", "bounds": {axis: [-HUGE, HUGE] for axis in "xyz"}}]},
    "nested": {"extra": json.loads("[" * 900 + "]" * 900)},
    "many": {"steps": [{"phase": "x" * 900, "member_types": [], "depends_on": [9]}] * 500},
    "long": {"roof_type": "x" * 100_000},
    "types": {"steps": [{"phase": [], "member_types": [[], {}], "depends_on": [None, 1e9]}]},
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_plan_is_told_shortly_and_the_episode_goes_on(name, tmp_path):
    answer = f"```json\n{json.dumps({**SOUND, **ODD[name]})}\n```"
    model = ListProvider([answer] * 4 + [program(WHOLE)])
    options = ProtocolOptions(planner=True, pictures=False)
    episode = run_episode(tmp_path, model, "atomic", options)
    assert episode.built.end == "finished" and episode.built.fault is None
    told = [request.messages[-1].text for request in model.requests[1:4]]
    assert all(0 < len(text) < 40_000 for text in told)
    assert episode.built.metrics["plan_accepted"] is False


def test_numbers_beyond_all_floats():
    wide = {"name": "x", "bounds": {axis: [-HUGE, HUGE] for axis in "xyz"}}
    assert check_plan(hut_task(), {**SOUND, "sections": [wide], "lot_size": {"width": HUGE}})
