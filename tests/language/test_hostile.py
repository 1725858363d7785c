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

#: Reads, checks and plays the given files, and prints the result of each.
RUN = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.library import inspect
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.diagnostic_text.diagnostics import render_text
say = Translator.load("en").say
for path in sys.argv[1:]:
    began = time.process_time()
    print(json.dumps([path]), flush=True)
    rules, found = inspect(path)
    render_text(found[:50], say)
    codes = {d.code for d in found}
    decisions = 0
    if rules is not None:
        try:
            state, _ = rules.game(2).start(1)
            while not state.over and decisions < 20:
                state.apply(state.legal_moves()[0])
                decisions += 1
        except PlayFault as fault:
            codes.add(fault.diagnostic.code)
    if decisions == 20:
        codes.add("many decisions")
    print(json.dumps([path, sorted(codes), time.process_time() - began]), flush=True)
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[list[str], float]]:
    """The codes and the seconds for each case."""
    folder = tmp_path_factory.mktemp("hostile")
    paths = {}
    for number, (title, (content, _)) in enumerate(CASES.items()):
        path = folder / f"f{number}.rules"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        paths[str(path)] = title
    results: dict[str, tuple[list[str], float]] = {}
    waiting = list(paths)
    while waiting:
        done = subprocess.run(
            [sys.executable, "-c", RUN, *waiting], capture_output=True, text=True, errors="replace", timeout=300
        )
        printed = [json.loads(line) for line in done.stdout.splitlines()]
        for line in printed:
            if len(line) == 3:
                results[paths[line[0]]] = (line[1], line[2])
        last = printed[-1][0] if printed else waiting[0]
        if paths[last] not in results:
            results[paths[last]] = ([f"broken: {done.stderr[-400:]}"], 0.0)
        waiting = waiting[waiting.index(last) + 1 :]
    return results


@pytest.mark.parametrize("title", CASES)
def test_hostile_file_is_diagnosed_in_time(title: str, outcomes: dict[str, tuple[list[str], float]]) -> None:
    codes, seconds = outcomes[title]
    expected = CASES[title][1].split() if CASES[title][1] != "many decisions" else ["many decisions"]
    assert not any(code.startswith("broken") for code in codes), codes
    assert seconds < SECONDS
    if expected:
        assert set(codes) & set(expected), codes
    else:
        assert not codes


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
