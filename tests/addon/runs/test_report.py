# SPDX-License-Identifier: GPL-3.0-or-later
"""The report stands alone, runs nothing of what it shows, and carries thousands of findings."""

import base64
import hashlib
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from html_page import Page
from plumbline.addon.runs.records import Result
from plumbline.addon.runs.report import write_report
from plumbline.addon.runs.runfolder import Key, RunFolderError, RunWriter, attempt_folder
from plumbline.checks.result import CheckResult, Finding, Judgement

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
EVIL = "</script><img src=x onerror=alert(1)>\"'&\x1b\x00\u202e"


@pytest.fixture
def make(tmp_path):
    """``make(*results)`` stores results in a run and returns the text of its report."""

    def build(*results, picture=None, transcript=False, **asked):
        out = tmp_path / "run"
        asked = {"agent": "scripted", "profile": "engineering", **asked}
        with RunWriter(out, asked, {"x": "1"}) as run:
            for number, result in enumerate(results, start=1):
                key = Key(result.task, result.agent, result.variant, number)
                folder = run.attempt(key)
                if picture:
                    (folder / "picture.png").write_bytes(picture)
                if transcript:
                    (folder / "transcript.jsonl").write_text("{}")
                name = result.attempt or attempt_folder(key)
                run.append(replace(result, attempt=name, epoch=number).to_record())
            run.finish({})
        return write_report(out).read_text(encoding="utf-8")

    return build


def test_it_says_what_was_found(make, result):
    page = Page(make(result, picture=PNG))
    text = " ".join(page.texts)
    for words in ("Joist_07", "4.120 m", "13' 6 3/16\"", "-210 mm", "-5%", "IRC R502.3.1"):
        assert words in text
    assert "3 faults, 2 more follow from them" in text
    assert "2 follow" in text and "there is no post" in text and "2 hidden objects" in text
    (image,) = [attributes for tag, attributes in page.tags if tag == "img"]
    assert base64.b64decode(image["src"].removeprefix("data:image/png;base64,")) == PNG
    assert "Sill_02" in image["alt"]


def test_nothing_comes_from_elsewhere_and_nothing_runs_but_ours(make, result):
    html = make(result)
    page = Page(html)
    for _, attributes in page.tags:
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        assert attributes.get("href", "#").startswith(("#", "attempts/"))
        assert "srcset" not in attributes
    assert "@import" not in html and "url(" not in html and "//" not in re.sub(
        r"<script>.*?</script>", "", html, flags=re.DOTALL
    )  # fmt: skip
    (policy,) = [a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a]
    for tag in ("script", "style"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", html, flags=re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_names_are_shown_and_never_obeyed(make):
    finding = Finding(EVIL, EVIL, EVIL, related=(EVIL,), unit=EVIL, measured=1.0, clause=EVIL)
    check = CheckResult(EVIL, "failed", (finding,))
    vacuous = CheckResult("b", "vacuous", reason=EVIL)
    judgement = Judgement("timber", EVIL, (check, vacuous), {EVIL: EVIL}, (EVIL,))
    html = make(
        Result(
            judgement,
            task=EVIL,
            title=EVIL,
            variant=EVIL,
            agent=EVIL,
            expectation={"met": False, "root": EVIL, "found": EVIL, "defect": EVIL},
            environment={"kind": "crash", "message": EVIL},
        ),
        picture=PNG,
    )
    page = Page(html)
    assert [tag for tag, _ in page.tags].count("img") == 1
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert "\x1b" not in html and "\x00" not in html and "\u202e" not in html
    assert r"\x1b\x00\u202e" in " ".join(page.texts)


USAGE = {"tokens": 12345, "cost": 0.25, "calls": 3}


def test_runs_of_models_show_what_they_were_asked_and_what_they_took(make, result):
    modelled = replace(
        result,
        model="claude-x",
        protocol="managed",
        end="retries",
        attempt=None,
        usage=USAGE,
        judgement=replace(
            result.judgement,
            metrics={"attempts": 7, "S": 0.4567, "joint": {"0.3": False}},
        ),
    )
    unknown = replace(modelled, usage={**USAGE, "cost": None})
    page = Page(make(modelled, unknown, transcript=True, protocol="managed", max_cost=3.5))
    text = " ".join(page.texts)
    for words in ("managed", "retries", "12,345", "0.2500", "unknown", "0.457", "dollars an"):
        assert words in text
    assert "pass@2 0.000 (1 task)" in text and "24,690 tokens, cost unknown" in text
    links = [a["href"] for t, a in page.tags if t == "a" and a["href"].startswith("attempts/")]
    assert set(links) == {f"attempts/timber/cabin/{k}/transcript.jsonl" for k in (1, 2)}


def test_runs_without_models_show_no_empty_columns(make, result):
    html = make(result, replace(result, task="timber/barn"))
    assert "dollars" not in html and "protocol" not in html


def test_what_judging_again_has_changed_is_shown(make, result):
    before = {"verdict": "passed", "profile": "paper", "faults": ["span:Joist_01"]}
    text = " ".join(Page(make(replace(result, rejudged={**before, "plumbline": "0.0.1"}))).texts)
    assert "Judged before: passed under paper, by version 0.0.1" in text
    assert "new: " in text and "gone: span:Joist_01" in text and "changed" in text


def test_thousands_of_findings_make_one_page(make, crowded):
    html = make(replace(crowded, task="timber/crowded"))
    assert html.count("<tbody>") == 500 and html.count("<tr class=follower>") == 4500
    assert len(html) < 4_000_000


def test_columns_without_content_are_left_out(make, result):
    check = CheckResult("load_path", "failed", (Finding("load_path", "Stud_01", "It floats."),))
    html = make(replace(result, judgement=Judgement("timber", "engineering", (check,))))
    headings = re.findall(r'<th scope="col"[^>]*>([^<]*)', html)
    assert headings == ["check", "member", "what is wrong"]


@pytest.mark.parametrize("name", ["../../secret", "/etc", "attempts/../..", "attempts"])
def test_a_record_cannot_reach_out_of_its_run(make, result, tmp_path, name):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/picture.png").write_bytes(PNG)
    assert "data:image" not in make(replace(result, attempt=name))


def test_an_unfinished_run_has_a_report_too(tmp_path):
    with RunWriter(tmp_path / "run", {"profile": "paper"}, {}):
        text = write_report(tmp_path / "run").read_text()
    assert "Nothing has been judged in this run yet" in text and "not ended" in text
    with pytest.raises(RunFolderError):
        write_report(tmp_path)


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_browser_runs_our_script_under_our_policy(make, result, tmp_path):
    make(result, replace(result, task="timber/barn"), replace(result, task="timber/hut"))
    page = (tmp_path / "run/report.html").as_uri()
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    done = subprocess.run(
        [CHROMIUM, *options, profile, "--dump-dom", page],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert 'class="scripted"' in done.stdout
    assert "Content Security Policy" not in done.stderr
    assert 'aria-expanded="false">2 follow' in done.stdout  # the first attempt was made ready
    assert "3 faults</output>" in done.stdout
