"""Files named in `CONTRIBUTING.md` exist, and its examples work literally."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.floors import ROOMS
from tests.docs.walkthrough import apply_diff

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: Paths in the text and files changed by the examples, without files that examples add or folders reserved for later.
NAMED = set(
    re.findall(
        r"[` ]((?:[\w.]+/)+(?:[\w.]+\.\w+)?|[\w.]+\.md)(?=[` ])", re.sub(r"^````.*?^````$", "", TEXT, flags=re.M | re.S)
    )
)
CHANGED = set(re.findall(r"^--- a/(\S+)$", TEXT, re.M))


def test_named_and_changed_files_exist() -> None:
    assert len(NAMED) > 20
    assert len(CHANGED) > 10
    assert [path for path in sorted((NAMED | CHANGED) - set(ROOMS)) if not (ROOT / path).exists()] == []


FILE = re.compile(r"^--- (\S+)\n\+\+\+ b/(\S+)\n", re.M)
#: Folders that the installed package contains under other names.
PLACES = {"cli": "cli", "rules": "rules", "locales": "locales", "examples": "tests/diagnostics/examples"}
#: A game with all language additions of the examples; its last expectation fails.
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
#: Script that runs the commands of the examples, and those that show their additions in each language.
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
import io, sys
for lang in ("en", "de", "nl", "it"):
    for line in ("rulebook small.rules --style reference", "play small.rules --seats human --plain",
                 "games small.rules", "rulebook last_stick", "validate R0490.rules", "explain R0490"):
        sys.stdin = io.TextIOWrapper(io.BytesIO(b"?\\n? 1\\nrules\\n1\\n1\\n"))
        print("==", line, lang)
        main([*line.split(), "--lang", lang])
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


def changes() -> Iterator[tuple[str, str, str]]:
    """Yield section, file and diff of each change in the examples."""
    for section in re.split(r"^## ", TEXT, flags=re.M)[1:]:
        for example in re.findall(r"^````diff\n(.*?)^````$", section, re.M | re.S):
            parts = FILE.split(example)[1:]
            for new, body in zip(parts[1::3], parts[2::3], strict=True):
                yield section.partition("\n")[0], new, body


def test_examples_change_at_most_five_files() -> None:
    touched: dict[str, set[str]] = {}
    for section, path, _ in changes():
        kind = path if path.endswith(".po") or "examples" not in path else path.rpartition("/")[0]
        touched.setdefault(section, set()).add(kind)
    assert len(touched) == 6
    assert all(len(paths) <= 5 for paths in touched.values()), touched
    assert len(touched["Adding a zone kind"]) <= 4


#: Beginnings of the keys of messages.
KEYS = {
    key.partition(".")[0]
    for path in (ROOT / "locales" / "en").glob("*.po")
    for key in re.findall(r'^msgctxt "(\w+\.[^"]*)"$', path.read_text(encoding="utf-8"), re.M)
}


def test_examples_work_as_described_and_what_they_add_has_words(tmp_path: Path) -> None:
    copy_changed_program(tmp_path)
    games = tmp_path / "games"
    (games / "small.rules").write_text(RULES)
    (games / "small.cases.yaml").write_text(CASES)
    for made in ("rules/classics/last_stick.cases.yaml", "tests/diagnostics/examples/R0490.rules",
                 "tests/diagnostics/examples/R0490.good.rules"):  # fmt: skip
        shutil.copy(tmp_path / made, games)
    shown = run_script(tmp_path, COMMANDS).partition("\n== ")[2]
    assert shown.count("\n== ") == 23
    assert [key for key in re.findall(r"\b(\w+)\.\w+", shown) if key in KEYS] == []
    assert "“display”" in shown
    assert "offene Auslage" in shown


def run_script(place: Path, script: str) -> str:
    """Run a script in the changed program, in its folder `games`; return its output."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(place), "PYTHONPATH": str(place), "LANG": "en_GB.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=place / "games", env=environment, capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copy_changed_program(place: Path) -> None:
    """Copy the program to a folder, apply all examples and create a folder `games`."""
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
    for _, name, diff in changes():
        apply_diff(place / name, diff)
    (place / "games").mkdir()
