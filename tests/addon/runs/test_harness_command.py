# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline harness`` where the harness is, where it is not, and where Blender is not."""

from importlib import metadata
from pathlib import Path

import pytest
from plumbline.addon.harness import validator
from plumbline.addon.runs.cli import main


@pytest.fixture
def server(tmp_path, monkeypatch):
    """The folder of an installed harness's server, as far as its record of files goes."""
    record = tmp_path / "dreamhouse-0.1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: dreamhouse\nVersion: 0.1.0\n")
    (record / "RECORD").write_text("server/validator_runner.py,,\n")
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "validator_runner.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / "server"


def test_it_prints_the_file(capfd):
    assert main(["harness"]) == 0
    assert Path(capfd.readouterr().out.strip()) == Path(validator.__file__)


def test_without_a_harness_it_says_how_to_get_one(capfd):
    if any(d.metadata["Name"] == "dreamhouse" for d in metadata.distributions()):
        pytest.skip("dreamhouse is installed here")
    assert main(["harness", "--install"]) == 2
    assert "`pip install dreamhouse` in the same environment" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("blender", "sentence"),
    [("/nowhere/blender", "can't be started; set BLENDER_PATH"), ("/bin/true", "did not compile")],
)
def test_without_a_blender_nothing_is_written(server, monkeypatch, capfd, blender, sentence):
    monkeypatch.setenv("BLENDER_PATH", blender)
    assert main(["harness", "--install"]) == 2
    assert sentence in capfd.readouterr().err
    assert not (server / "_private").exists()


def test_a_file_that_is_not_ours_is_left_alone(server, capfd):
    theirs = server / "_private" / "validation.pyc"
    theirs.parent.mkdir()
    theirs.write_bytes(b"theirs")
    assert main(["harness", "--remove"]) == 2
    assert "is no file of Plumbline's; nothing was changed" in capfd.readouterr().err
    assert theirs.read_bytes() == b"theirs"


def test_a_folder_in_its_place_is_left_alone(server, capfd):
    (server / "_private" / "validation.pyc").mkdir(parents=True)
    assert main(["harness", "--remove"]) == 2
    said = capfd.readouterr().err
    assert "validation.pyc: can't be removed (Is a directory)" in said and said.count("\n") == 1
