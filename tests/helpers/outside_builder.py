# SPDX-License-Identifier: GPL-3.0-or-later
"""A small outside agent: ``python outside_builder.py MODE [BUILD.py]`` in a working folder.

It reads TASK.md and calls ``plumbline-session``, as a real one would. Modes: ``build`` and
``submit`` build well, without and with handing in; of a folder of tasks they take the program of
theirs. Other modes go wrong in the way of their name.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

SCRIPT = str(Path("plumbline-session.cmd" if os.name == "nt" else "plumbline-session").resolve())


def ask(*words: str, text: str | None = None) -> dict:
    done = subprocess.run([SCRIPT, *words], input=text, capture_output=True, text=True)
    print(words[:2], done.returncode, done.stdout[:300], done.stderr, flush=True)
    if done.returncode == 2:
        raise SystemExit(7)
    return json.loads(done.stdout)


def own(folder: str) -> str:
    """The known-good program of the task that TASK.md speaks of."""
    task = Path("TASK.md").read_text(encoding="utf-8")
    for file in sorted(Path(folder).glob("*/task.json")):
        if json.loads(file.read_text(encoding="utf-8"))["title"] in task:
            return str(file.with_name("build.py"))
    raise SystemExit(8)


def build(file: str, fresh: bool = True) -> dict:
    arguments = {"code": Path(file).read_text(encoding="utf-8"), "fresh": fresh}
    Path("arguments.json").write_text(json.dumps(arguments), encoding="utf-8")
    return ask("call", "run_code", "@arguments.json")


def main(mode: str, file: str) -> None:
    assert "Build the timber frame" in Path("TASK.md").read_text(encoding="utf-8")
    file = own(file) if Path(file).is_dir() else file
    if mode in ("build", "submit"):
        assert build(file)["ok"]
        assert ask("call", "check")["verdict"] == "passed"
    if mode == "submit":
        assert ask("call", "submit")["submitted"]
    elif mode == "crash":
        build(file)
        os.abort()
    elif mode == "never_begins":
        raise SystemExit("no key for the model")
    elif mode == "hang":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path("hanging").write_text(str(os.getpid()), encoding="utf-8")
        time.sleep(600)
    elif mode == "lingers":
        build(file)
        ask("finish")
        time.sleep(600)
    elif mode == "tamper":
        assert build(file)["ok"]
        blend = next(Path("..").rglob("run-*.blend"))
        blend.write_bytes(blend.read_bytes()[:-1] + b"?")
    elif mode == "wrong":
        ask("call", "run_code", "{nonsense")
        ask("call", "run_code", "[1]")
        ask("call", "run_code", '{"code": "import os", "fresh": true, "please": 1}')
        ask("call", "fly")
        ask("call", "run_code", "-", text='{"code": "raise ValueError(1)", "fresh": true}')
        strange = subprocess.run([SCRIPT, "dance"], capture_output=True, text=True)
        assert strange.returncode == 2 and "usage" in strange.stderr
    elif mode == "greedy":
        for _ in range(6):
            answer = ask("call", "run_code", '{"code": "import bpy", "fresh": true}')
        assert answer["kind"] == "budget", answer
        together = [threading.Thread(target=ask, args=("status",)) for _ in range(4)]
        for thread in together:
            thread.start()
        for thread in together:
            thread.join()
        print("environment", os.environ.get("PLUMBLINE_EFFORT"), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
