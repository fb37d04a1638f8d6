# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension with its wheels in a real Blender: valid, installed, both SDKs importable."""

from __future__ import annotations

import pytest
from plumbline.addon.runs.extension import build_with_wheels, load_wheels

pytestmark = [pytest.mark.real_blender, pytest.mark.network]

#: A Blender and the Python that Debian's build of it has (official builds of 4.3 have 3.11).
BLENDER, PYTHON = "4.3", "3.13"

_IMPORTS = """
import sys
import numpy, anthropic, openai, scipy.spatial
where = "/.local/lib/python%d.%d/" % sys.version_info[:2]
for module in (anthropic, openai, scipy):
    assert where in module.__file__, module.__file__
assert where not in numpy.__file__, numpy.__file__
client = anthropic.Anthropic(api_key="none", base_url="http://127.0.0.1:9", max_retries=0)
try:
    client.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "hi"}])
except anthropic.APIConnectionError:
    print("IMPORTED")
"""


@pytest.mark.parametrize("blender_path", [BLENDER], indirect=True)
def test_models_can_be_asked_from_a_blender_that_has_nothing_else(blender, tmp_path):
    problem = load_wheels().WheelsProblem
    try:
        extension = build_with_wheels(tmp_path, "linux-x64", PYTHON)
    except problem as error:
        if "can't be reached" in str(error):
            pytest.skip(str(error))
        raise
    done = blender("--command", "extension", "validate", str(extension))
    assert done.returncode == 0, done.stdout + done.stderr
    install = ("install-file", "-r", "user_default", "--enable", str(extension))
    done = blender("--command", "extension", *install)
    assert done.returncode == 0, done.stdout + done.stderr
    done = blender("-b", "--python-exit-code", "3", "--python-expr", _IMPORTS)
    assert "IMPORTED" in done.stdout, done.stdout + done.stderr
