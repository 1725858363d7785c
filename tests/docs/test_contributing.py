"""What `CONTRIBUTING.md` names is there, and its examples can be followed to the letter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.floors import ROOMS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: Paths in the text, and files that the examples change; what an example adds, and rooms kept free, are not there yet.
NAMED = set(
    re.findall(
        r"[` ]((?:[\w.]+/)+(?:[\w.]+\.\w+)?|[\w.]+\.md)(?=[` ])", re.sub(r"^````.*?^````$", "", TEXT, flags=re.M | re.S)
    )
)
CHANGED = set(re.findall(r"^--- a/(\S+)$", TEXT, re.M))


@pytest.mark.parametrize("path", sorted((NAMED | CHANGED) - set(ROOMS)))
def test_named_files_exist(path: str) -> None:
    assert (ROOT / path).exists()


def test_examples_show_files() -> None:
    assert len(NAMED) > 20
    assert len(CHANGED) > 10


FILE = re.compile(r"^--- (\S+)\n\+\+\+ b/(\S+)\n", re.M)
#: What the installed package holds under other names.
PLACES = {"cli": "cli", "rules": "rules", "locales": "locales", "examples": "tests/diagnostics/examples"}
#: A game with all that the examples add to the language; what it expects at its end does not hold.
RULES = """game small
    players 1
    source house rule
cards tile
    piece
deck box of tile
    2 piece
pile stack holds tile, seen by nobody
display offer holds tile
enum stretch = low
track way
    low 3 spaces
setup
    fill stack with box
play
    player(1) chooses turn
        go
            move top of stack to offer
            expect offer is not empty
            advance way by 2
    player(1) chooses last
        stop
            expect stack is empty
    nobody wins
"""
COMMANDS = """
from wongar_dsl.cli.main import main
def run(line, code=0):
    came = main(line.split())
    assert came == code, (line, came)
run("validate small.rules")
run("test small.cases.yaml")
run("play small.rules --seats random", 1)
run("validate last_stick --lang de")
run("test last_stick.cases.yaml")
run("play nim --lang fr --seats random,random --seed 1")
run("validate R0490.rules --lang de")
run("validate R0490.good.rules")
run("explain R0490 --lang de")
"""
CASES = """game: small.rules
players: 1
cases:
  - name: a display takes cards, and a track that has come to its end is told
    from: setup
    moves:
      - go
    expect:
      tells: [card_moved, track_advanced, track_ended]
      position: {offer: {piece: 1}}
"""


def changes() -> Iterator[tuple[str, str, list[str]]]:
    """The section, the file, and the hunks of each change in the examples; no hunk is empty."""
    for section in re.split(r"^## ", TEXT, flags=re.M)[1:]:
        for example in re.findall(r"^````diff\n(.*?)^````$", section, re.M | re.S):
            found = FILE.split(example)[1:]
            for new, body in zip(found[1::3], found[2::3], strict=True):
                hunks = [hunk for hunk in re.split(r"^@@\n", body, flags=re.M) if hunk]
                yield section.partition("\n")[0], new, hunks


def followed(path: Path, hunks: list[str]) -> None:
    """Change a file as an example says: each place is there once, and they are in order."""
    text, reached = (path.read_text(encoding="utf-8") if path.exists() else ""), 0
    for hunk in hunks:
        lines = hunk.splitlines()
        before = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
        after = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
        assert text.count(before, reached) == 1 or text == "", f"{path}: {before}"
        reached = text.index(before, reached)
        text = text[:reached] + after + text[reached + len(before) :]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_an_example_touches_five_files_at_most() -> None:
    touched: dict[str, set[str]] = {}
    for section, path, _ in changes():
        kind = path if path.endswith(".po") or "examples" not in path else path.rpartition("/")[0]
        touched.setdefault(section, set()).add(kind)
    assert len(touched) == 6
    assert all(len(paths) <= 5 for paths in touched.values()), touched


def changed_program(place: Path) -> None:
    """Copy the program to a folder, with all examples followed there, and a folder `games` in it."""
    package = place / "wongar_dsl"
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "wongar_dsl", package, symlinks=True, ignore=unwanted)
    for name, where in PLACES.items():
        shutil.copytree(ROOT / where, place / where, ignore=unwanted)
        (package / name).unlink(missing_ok=True)
        (package / name).symlink_to(place / where, target_is_directory=True)
    for name in {path for _, path, _ in changes()}:
        if not (place / name).exists() and (ROOT / name).exists():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
    for _, name, hunks in changes():
        followed(place / name, hunks)
    (place / "games").mkdir()


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """The program with all examples followed, and games that use what they add."""
    changed_program(tmp_path)
    games = tmp_path / "games"
    (games / "small.rules").write_text(RULES)
    (games / "small.cases.yaml").write_text(CASES)
    for made in ("rules/classics/last_stick.cases.yaml", "tests/diagnostics/examples/R0490.rules",
                 "tests/diagnostics/examples/R0490.good.rules"):  # fmt: skip
        shutil.copy(tmp_path / made, games)
    return tmp_path


def carried_out(place: Path, script: str) -> None:
    """Run a script in the changed program."""
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(place),
        "PYTHONPATH": str(place),
        "LANG": "en_GB.UTF-8",
    }
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=place / "games",
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=240,
    )
    print(done.stdout + done.stderr)
    assert done.returncode == 0, done.stderr


def test_examples_can_be_followed_and_do_what_they_say(changed: Path) -> None:
    carried_out(changed, COMMANDS)
