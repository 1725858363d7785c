"""Hostile files: each gets its diagnostic within seconds and a gigabyte, without an internal error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.language.hostile_files import game, hostile_files
from wongar_dsl.engine.library import inspect

CASES = {title: (content, codes) for title, content, codes in hostile_files()}
SECONDS = 10
#: The limit of steps is divided by this, and the time for them multiplied.
PART = 20

#: Reads, checks and plays the given files, and prints the result of each.
RUN = f"""
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from wongar_dsl.compiler.ir import program
program.BUDGET //= {PART}
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.library import inspect
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.diagnostic_text import render_text
say = Translator.load("en").say
for path in sys.argv[1:]:
    began = time.process_time()
    rules, found = inspect(path)
    render_text(found[:50], say)
    codes = {{d.code for d in found}}
    decisions, checked = 0, time.process_time()
    if rules is not None:
        try:
            state, _ = rules.game(2).start(1)
            while not state.over and decisions < 20:
                state.apply(state.legal_moves()[0])
                decisions += 1
        except PlayFault as fault:
            codes.add(fault.diagnostic.code)
    if decisions == 20:
        codes.add("many_decisions")
    seconds = checked - began + (time.process_time() - checked) * {PART}
    print(json.dumps([sorted(codes), seconds]), flush=True)
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[list[str], float]]:
    """The codes and the seconds for each case up to the first one that ends the process."""
    folder = tmp_path_factory.mktemp("hostile")
    for number, (content, _) in enumerate(CASES.values()):
        (folder / f"f{number}.rules").write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    paths = [str(folder / f"f{number}.rules") for number in range(len(CASES))]
    done = subprocess.run([sys.executable, "-c", RUN, *paths], capture_output=True, text=True, timeout=300)
    results = [tuple(json.loads(line)) for line in done.stdout.splitlines()]
    return dict(zip(CASES, [*results, ([done.stderr[-400:]], 0.0)], strict=False))


@pytest.mark.parametrize("title", CASES)
def test_hostile_file_is_diagnosed_in_time(title: str, outcomes: dict[str, tuple[list[str], float]]) -> None:
    codes, seconds = outcomes[title]
    expected = set(CASES[title][1].split())
    assert seconds < SECONDS
    assert set(codes) & expected if expected else not codes, codes


def test_paths_that_are_no_regular_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.rules").mkdir()
    (tmp_path / "a.rules").symlink_to(tmp_path / "b.rules")
    (tmp_path / "b.rules").symlink_to(tmp_path / "a.rules")
    for path in (
        tmp_path / "folder.rules",
        tmp_path / "a.rules",
        Path("/dev/null"),
        Path("/dev/zero"),
        tmp_path / "x\0y",
    ):
        rules, diagnostics = inspect(str(path))
        assert rules is None
        assert {d.code for d in diagnostics} <= {"R0001", "R0004"}
    os.mkfifo(tmp_path / "pipe.rules")
    assert {d.code for d in inspect(str(tmp_path / "pipe.rules"))[1]} == {"R0001"}


def test_cycles_and_long_chains_of_variants_are_refused(tmp_path: Path) -> None:
    for name, base in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{name}.rules").write_text(f"variant {name} of {base}\n")
    assert {d.code for d in inspect(str(tmp_path / "a.rules"))[1]} == {"R0005"}
    for i in range(40):
        (tmp_path / f"v{i}.rules").write_text(f"variant v{i} of v{i + 1}\n")
    (tmp_path / "v40.rules").write_text(game(""))
    assert {d.code for d in inspect(str(tmp_path / "v0.rules"))[1]} == {"R0005"}
    assert inspect(str(tmp_path / "v30.rules"))[0] is not None


def test_base_that_links_to_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.rules").symlink_to("/dev/zero")
    (tmp_path / "x.rules").write_text("variant x of bad\n")
    assert {d.code for d in inspect(str(tmp_path / "x.rules"))[1]} <= {"R0001", "R0006"}
