# SPDX-License-Identifier: GPL-3.0-or-later
"""A model builds inside a real Blender window, which stays free: isolated, and in the session.

The model is the local server, asked by the real SDKs. ``PLUMBLINE_PHOTOGRAPHS`` names a folder in
which photographs of the window are kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import cabin_model
import pytest
from model_server import ModelServer

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

SDKS = Path(__file__).parents[1] / "tools" / "sdks.py"

#: Counts what happens in the window while the agent is at work, with a timer of its own.
WATCH = """
beats, draws, texts = [], [], set()
def beat():
    beats.append(time.perf_counter())
    live = part("addon.session.current").now()
    if live is not None:
        texts.add(live.live.tail(60))
    return 0.02
bpy.app.timers.register(beat)
running, ticks = part("addon.session.current").Running, []
plain_tick = running.tick
def tick(self):
    started = time.perf_counter()
    plain_tick(self)
    ticks.append(time.perf_counter() - started)
running.tick = tick
drawing = bpy.types.SpaceView3D.draw_handler_add(
    lambda: draws.append(1), (), "WINDOW", "POST_PIXEL")
"""
UNWATCH = """
bpy.app.timers.unregister(beat)
running.tick = plain_tick
bpy.types.SpaceView3D.draw_handler_remove(drawing, "WINDOW")
gap = max(b - a for a, b in zip(beats, beats[1:]))
result = [len(beats), gap, max(ticks), len(draws), len(texts)]
"""

CURRENT = "part('addon.session.current')"
CONSENT = "part('addon.session.consent').consent"


@pytest.fixture
def agent(blender, tmp_path):
    """The window with a folder of its own for all that it keeps, and nothing going on."""
    blender.run(
        f"import os; os.environ['PLUMBLINE_CACHE'] = {str(tmp_path)!r}\n"
        "for name in ('ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_BASE_URL'):\n"
        "    os.environ.pop(name, None)\n"
        "agent = bpy.context.window_manager.plumbline_agent\n"
        "for name in agent.bl_rna.properties.keys():\n"
        "    agent.property_unset(name)\n"
        "model = part('addon.session.choices').model_of(bpy.context)\n"
        "model.provider, model.model, model.base_url = 'anthropic', 'm', ''\n"
        "state().task = 'timber/cabin'"
    )
    yield blender
    blender.run(f"{CURRENT}.close(); {CONSENT}.revoke()")


@pytest.fixture
def with_sdks(blender):
    """The SDKs for this Blender's Python, on its path."""
    python = blender.run("import sys; result = '%d.%d' % sys.version_info[:2]")
    done = subprocess.run([sys.executable, str(SDKS), python], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the SDKs can't be had here: {done.stderr.strip()[-300:]}")
    folder = done.stdout.strip()
    blender.run(f"if {folder!r} not in sys.path: sys.path.append({folder!r})")


def open_panel(blender) -> None:
    """Open the panel Agent by a click with Ctrl on its header, which closes the others."""
    mark = (
        "cls = bpy.types.PLUMBLINE_PT_agent; preset = cls.draw_header_preset\n"
        "cls.draw_header_preset = lambda self, context: self.layout.label(text='MMMM')"
    )
    place = blender.find_change(mark, "cls.draw_header_preset = preset")
    hands(blender, "keydown", "ctrl")
    blender.display.click(*place)
    hands(blender, "keyup", "ctrl")
    drawn = (
        "cls = bpy.types.PLUMBLINE_PT_agent; plain = cls.draw; seen = []\n"
        "cls.draw = lambda self, context: seen.append(1) or plain(self, context)\n"
        "redraw(2)\ncls.draw = plain\nresult = len(seen)"
    )
    assert blender.run(drawn), "the panel didn't open"


def hands(blender, *does: str) -> None:
    """What a mouse and a keyboard do beyond clicks, in xdotool's words."""
    subprocess.run(["xdotool", *does], env=blender.display.environment, check=True, timeout=60)
    time.sleep(0.6)


def press(blender, cls: str) -> None:
    """Click the button of an operator with the mouse."""
    grey = (
        f"cls = bpy.types.{cls}; poll = cls.__dict__.get('poll')\n"
        "cls.poll = classmethod(lambda cls, context: False)"
    )
    back = "if poll is None: del cls.poll\nelse: cls.poll = poll"
    blender.display.click(*blender.find_change(grey, back))


def photograph(blender, name: str) -> None:
    """Into the folder that ``PLUMBLINE_PHOTOGRAPHS`` names, if it does."""
    folder = os.environ.get("PLUMBLINE_PHOTOGRAPHS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        blender.run("for area in window().screen.areas: area.tag_redraw()")
        time.sleep(1)
        blender.display.photograph(Path(folder, f"{name}-{blender.version}.png"))


def live(blender, what: str):
    """Something of the live state."""
    return blender.run(f"result = {CURRENT}.now().live.{what}")


def wait(blender, timeout: float = 180.0) -> None:
    """Until the episode is over."""
    blender.wait_until(f"{CURRENT}.now() is not None and {CURRENT}.now().job.over", timeout)


def allow(blender) -> None:
    """Press Allow and agree in the dialog, by mouse and keyboard."""
    press(blender, "PLUMBLINE_OT_allow_session")
    photograph(blender, "agent-consent")
    assert not blender.run(f"result = {CONSENT}.given"), "the dialog asks first"
    blender.display.key("Return")
    blender.wait_until(f"{CONSENT}.given")


def start_and_wait(blender, settings: str) -> str:
    """Start as set, without the mouse; the kind of fault that it ends with."""
    blender.run(f"{settings}\nwith inside(): bpy.ops.plumbline.start_agent()")
    wait(blender)
    return live(blender, "fault")


ACCESS = "bpy.context.preferences.system.use_online_access"


@pytest.mark.only_in("4.3")
def test_without_network_and_sdk_it_says_so(agent):
    """The first one, before the SDKs are there."""
    assert start_and_wait(agent, f"{ACCESS} = False") == "offline"
    assert "Preferences" in live(agent, "message")
    assert start_and_wait(agent, "model.base_url = 'http://127.0.0.1:9'") == "missing"
    assert "anthropic" in live(agent, "message")
    assert agent.run("result = window().scene.name") == "Scene"


@pytest.mark.only_in("5.2")
def test_without_a_key_it_says_where_one_goes(agent, with_sdks):
    assert start_and_wait(agent, f"{ACCESS} = True") == "key"
    assert "ANTHROPIC_API_KEY" in live(agent, "message")
    agent.run(f"{ACCESS} = False")


@pytest.mark.only_in("5.2")
def test_an_isolated_episode_leaves_the_window_free(agent, with_sdks, record_property):
    """From the button: plan, phases, floating walls, mended walls, roof; one watches it grow."""
    open_panel(agent)
    mine = agent.run("result = window().scene.name")
    with ModelServer(cabin_model.managed(drip=0.02)) as server:
        agent.run(f"model.base_url = {server.url!r}; agent.protocol = 'managed'")
        agent.run(WATCH)
        press(agent, "PLUMBLINE_OT_start_agent")
        agent.wait_until(f"{CURRENT}.now() is not None")
        agent.wait_until(
            f"len({CURRENT}.now().gallery.landed) >= 3 or {CURRENT}.now().job.over", 180
        )
        agent.wait_until(f"{CURRENT}.now().live.text or {CURRENT}.now().job.over", 60)
        photograph(agent, "agent-at-work")
        pause_and_go_on(agent)
        wait(agent)
        beats, gap, tick, draws, texts = agent.run(UNWATCH)
    print(f"Blender {agent.version}: {beats} beats of the window, largest gap {gap:.2f} s, ")
    print(f"longest tick of ours {tick:.2f} s, {draws} redraws")
    record_property("largest gap between two ticks", gap)
    assert [live(agent, "end"), live(agent, "verdict")] == ["finished", "passed"]
    verdicts = agent.run(f"result = [t.verdict for t in {CURRENT}.now().live.tries.values()]")
    assert verdicts == ["passed", "passed", "failed", "passed", "passed"]
    assert beats > 50 and draws > 5, "the window stood still"
    assert texts > 5, "the model's text was not seen to come"
    assert len(agent.run("result = [s.name for s in bpy.data.scenes]")) == 6
    assert agent.run(f"result = len(bpy.data.scenes[{mine!r}].objects)") == 3
    assert agent.run("result = len(window().scene.objects)") == 199
    photograph(agent, "agent-done")
    key = agent.run(
        f"result = next(k for k, t in {CURRENT}.now().live.tries.items() if t.verdict == 'failed')"
    )
    agent.run(f"with inside(): bpy.ops.plumbline.show_try(key={key})")
    assert agent.run("result = review().judgement.verdict") == "failed"
    agent.run("with inside(): bpy.ops.plumbline.show_finding(row=0)\nredraw(2)")
    # Walls that hang in the air lack something below: a place, or a member that is selected.
    found = agent.run("result = [chosen()['kind'], len(bpy.context.selected_objects)]")
    assert found in (["place", 0], ["member", 1])
    photograph(agent, "agent-failed-try")
    read_code(agent)


def pause_and_go_on(blender) -> None:
    """It stands still before its next step, and its clock too; a click lets it go on."""
    blender.run("with inside(): bpy.ops.plumbline.pause_agent()")
    blender.wait_until(f"{CURRENT}.now().job.waiting", 60)
    job = f"job = {CURRENT}.now().job; result = [job.seconds, len({CURRENT}.now().live.tries)]"
    before = blender.run(job)
    photograph(blender, "agent-paused")
    time.sleep(1)
    assert blender.run(job) == pytest.approx(before)
    press(blender, "PLUMBLINE_OT_pause_agent")
    blender.wait_until(f"not {CURRENT}.now().job.waiting")


def read_code(blender) -> None:
    """Press Code: the program in a small window of its own, the person's window as it was."""
    kinds = "result = [a.type for a in window().screen.areas]"
    areas = blender.run(kinds)
    press(blender, "PLUMBLINE_OT_try_code")
    windows = "bpy.context.window_manager.windows"
    blender.wait_until(f"len({windows}) == 2")
    shown = (
        f"area = {windows}[-1].screen.areas[0]; result = [area.type, area.spaces.active.text.name]"
    )
    assert blender.run(shown) == ["TEXT_EDITOR", "cabin walls try 1.py"]
    photograph(blender, "agent-code")
    blender.run(
        f"with bpy.context.temp_override(window={windows}[-1]): bpy.ops.wm.window_close()\nredraw()"
    )
    assert blender.run(kinds) == areas


@pytest.mark.only_in("4.3")
def test_an_episode_in_the_session_is_asked_for_and_can_be_undone(agent, with_sdks):
    """Leave by the dialog, a copy of the file, a scene and an undo step each, no run after."""
    open_panel(agent)
    agent.run("agent.where = 'session'; redraw()")
    allow(agent)
    before = agent.run("result = [sorted(o.name for o in bpy.data.objects), len(bpy.data.scenes)]")
    with ModelServer(cabin_model.managed()) as server:
        agent.run(f"model.base_url = {server.url!r}; agent.protocol = 'managed'")
        press(agent, "PLUMBLINE_OT_start_agent")
        wait(agent)
    assert [live(agent, "end"), live(agent, "verdict")] == ["finished", "passed"]
    copies = agent.run(
        "result = [str(p) for p in part('addon.session.place').checkpoints().glob('*.blend')]"
    )
    assert copies, "no copy of the file was saved"
    assert agent.run("result = len(bpy.data.scenes)") == 6
    left = []
    for _ in range(5):
        agent.run("with inside(): bpy.ops.ed.undo()")
        left.append(agent.run("result = len(bpy.data.scenes)"))
    assert left == [5, 4, 3, 2, 1], "each try is one step"
    after = agent.run("result = [sorted(o.name for o in bpy.data.objects), len(bpy.data.scenes)]")
    assert after == before
    photograph(agent, "agent-in-session")
    press(agent, "PLUMBLINE_OT_revoke_session")
    agent.wait_until(f"not {CONSENT}.given")
    assert not agent.run("with inside(): result = bpy.ops.plumbline.start_agent.poll()")
    assert not agent.run("with inside(): result = bpy.ops.plumbline.run_in_session.poll()")


@pytest.mark.parametrize(
    ("protocol", "where"),
    [
        pytest.param("atomic", "isolated", marks=pytest.mark.only_in("4.3")),
        pytest.param("editing", "session", marks=pytest.mark.only_in("4.3")),
        pytest.param("reactive", "isolated", marks=pytest.mark.only_in("5.2")),
        pytest.param("tools", "session", marks=pytest.mark.only_in("5.2")),
    ],
)
def test_every_other_protocol(agent, with_sdks, protocol, where):
    """Each once, and both ways in each Blender.

    Every protocol goes both ways in tests/addon/session/test_protocols_in_session.py.
    """
    if protocol == "editing":
        agent.run(
            "state().task = 'timber/shed_roof'\n"
            "with inside(): bpy.ops.plumbline.build_task()\n"
            "state().task = 'timber/cabin'"
        )
    with ModelServer(getattr(cabin_model, protocol)()) as server:
        agent.run(
            f"{CONSENT}.give(); agent.protocol, agent.where = {protocol!r}, {where!r}\n"
            f"model.base_url = {server.url!r}"
        )
        agent.run(WATCH)
        agent.run("with inside(): bpy.ops.plumbline.start_agent()")
        wait(agent)
        beats, *_ = agent.run(UNWATCH)
    assert [live(agent, "end"), live(agent, "verdict")] == ["finished", "passed"]
    assert beats > 20, "the window stood still"


@pytest.mark.only_in("4.3")
def test_leave_ends_with_its_time_and_with_the_file(agent):
    agent.run(f"{CONSENT}.give(0.5)")
    agent.wait_until(f"not {CONSENT}.given", 10)
    agent.run(f"{CONSENT}.give()\nbpy.ops.wm.read_homefile(use_factory_startup=True)")
    assert not agent.run(f"result = {CONSENT}.given")


def run_text(blender, code: str) -> dict:
    """Run a text on the open scene; how it went."""
    return blender.run(
        "text = bpy.data.texts.get('mine') or bpy.data.texts.new('mine')\n"
        f"text.from_string({code!r})\nagent.source, agent.text = 'text', 'mine'\n"
        "bpy.ops.ed.undo_push(message='before')\n"
        "with inside(): bpy.ops.plumbline.run_in_session('EXEC_DEFAULT')\n"
        "done = part('addon.session.direct').last[0]\n"
        "result = dict(outcome=done.ran.outcome, message=done.ran.message, "
        "copy=str(done.checkpoint), output=done.ran.output, problems=len(done.problems))"
    )


@pytest.mark.only_in("4.3")
def test_a_text_runs_on_the_open_scene_as_one_step(agent):
    """Run, undo, an endless loop that the alarm stops, a forbidden one, the copy from before."""
    agent.run(f"{CONSENT}.give(); agent.code_seconds = 1.0")
    code = (
        "import bpy\nfor i in range(4):\n"
        "    bpy.data.objects['Cube'].location.z += 1\nprint('moved')\n"
    )
    height = "result = bpy.data.objects['Cube'].location.z"
    done = run_text(agent, code)
    assert (done["outcome"], done["output"]) == ("finished", "moved\n")
    assert agent.run(height) == 4.0
    agent.run("with inside(): bpy.ops.ed.undo()")
    assert agent.run(height) == 0.0
    agent.run("with inside(): bpy.ops.ed.redo()")
    assert agent.run(height) == 4.0
    forbidden = run_text(agent, "import os\nos.system('true')\n")
    assert forbidden["outcome"] == "refused" and forbidden["problems"] >= 1
    endless = run_text(agent, code + "while True: pass\n")
    assert endless["outcome"] == "timeout" and agent.run(height) == 8.0
    photograph(agent, "agent-run-in-session")
    copy = endless["copy"]
    agent.run(f"bpy.ops.plumbline.open_checkpoint('EXEC_DEFAULT', path={copy!r})")
    assert agent.run(height) == 4.0
    assert not agent.run(f"result = {CONSENT}.given")


@pytest.mark.only_in("5.2")
def test_what_is_not_its_own_is_put_back(agent):
    """A program that clears the whole file is undone, and the person's cube is there again."""
    agent.run(f"{CONSENT}.give(); agent.where = 'session'")
    outcome = agent.run(
        "bench_module, bridge = part('addon.session.session_bench'), part('addon.session.bridge')\n"
        "from pathlib import Path\nimport tempfile\nfolder = Path(tempfile.mkdtemp())\n"
        f"house = bench_module.House({CONSENT}, lambda code: (), folder, folder / 'copies')\n"
        "cancel = part('addon.agent.providers.base').Cancel()\n"
        "bench = bench_module.SessionBench(bridge.MainThread(cancel), house)\n"
        "bpy.ops.ed.undo_push(message='before')\n"
        "done = bench.execute('import bpy\\nfor o in list(bpy.data.objects):\\n"
        "    bpy.data.objects.remove(o)', None, 'rude')\n"
        "result = [done.outcome, done.message, sorted(bpy.data.objects.keys()),"
        " bpy.data.scenes.keys()]"
    )
    assert outcome[0] == "raised" and "it was undone" in outcome[1]
    assert outcome[2] == ["Camera", "Cube", "Light"] and outcome[3] == ["Scene"]


def test_stopping_and_disabling_leave_no_thread(agent, with_sdks):
    """In the midst of an answer that never ends."""
    from model_server import Step

    threads = "[t.name for t in threading.enumerate() if t.name.startswith('plumbline')]"
    with ModelServer([Step("a", trouble="hang")], then="repeat") as server:
        agent.run(f"import threading\nmodel.base_url = {server.url!r}")
        agent.run("with inside(): bpy.ops.plumbline.start_agent()")
        agent.wait_until(f"len({threads}) == 1")
        agent.run("with inside(): bpy.ops.plumbline.stop_agent()")
        wait(agent, 20)
        assert live(agent, "end") == "stopped"
        agent.run("with inside(): bpy.ops.plumbline.start_agent()")
        agent.run("bpy.ops.preferences.addon_disable(module=PACKAGE)")
        assert agent.run(f"result = {threads}") == []
        agent.run("bpy.ops.preferences.addon_enable(module=PACKAGE)\nopen_tab()")
