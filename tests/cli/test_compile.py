"""`wongar compile`: a source and its header are written, and nothing else that lies there is overwritten."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from .command import LANGUAGES, START, Command

EXAMPLE = Path(__file__).parents[2] / "examples" / "c"


@pytest.fixture
def here(wongar: Command) -> Path:
    """An empty folder, which is where the command is."""
    folder = wongar.home / "mine"
    folder.mkdir()
    wongar.patch.chdir(folder)
    return folder


def test_a_source_is_written_with_its_header_beside_it(wongar: Command, here: Path) -> None:
    done = wongar("compile", "nim", "--seats", "2", "--out", "own.c", "--prefix", "nim")
    assert (done.code, done.err) == (0, "")
    assert sorted(path.name for path in here.iterdir()) == ["own.c", "own.h"]
    source, header = ((here / name).read_text(encoding="utf-8") for name in ("own.c", "own.h"))
    assert source.startswith(header)
    assert "int32_t nim_start(" in header
    streamed = wongar("compile", "nim", "--seats", "2", "--out", "-", "--prefix", "nim")
    assert (streamed.code, streamed.out, streamed.err) == (0, source, "")


def test_without_a_file_it_is_named_after_the_game(wongar: Command, here: Path) -> None:
    assert wongar("compile", "wongar/initiated", "--seats", "3").code == 0
    assert sorted(path.name for path in here.iterdir()) == ["wongar_initiated.c", "wongar_initiated.h"]
    # What it made itself it may make anew.
    assert wongar("compile", "wongar/initiated", "--seats", "4").code == 0
    assert "for 4" in (here / "wongar_initiated.h").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("there", ["nim.c", "nim.h"])
def test_what_lies_there_is_not_overwritten(wongar: Command, here: Path, language: str, there: str) -> None:
    (here / there).write_text("mine", encoding="utf-8")
    done = wongar("compile", "nim", "--lang", language)
    assert (done.code, done.out) == (2, "")
    assert there in done.err
    assert [path.name for path in here.iterdir()] == [there]
    assert (here / there).read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--out", "nim.h"), 2),
        (("--out", "nim"), 2),
        (("--prefix", "Nim*"), 2),
        (("--prefix", ""), 2),
        (("--seats", "9"), 2),
        (("--set", "nothing=1"), 2),
        (("--out", "no/folder/nim.c"), 1),
    ],
)
def test_what_cannot_be_done_is_said(
    wongar: Command, here: Path, language: str, arguments: tuple[str, ...], code: int
) -> None:
    done = wongar("compile", "nim", *arguments, "--lang", language)
    assert (done.code, done.out) == (code, "")
    assert done.err.strip()
    assert not list(here.iterdir())


def test_the_example_is_made_by_its_makefile(wongar: Command, here: Path) -> None:
    for name in ("main.c", "Makefile"):
        shutil.copy(EXAMPLE / name, here)
    make = ["make", "GAME=nim", "SEATS=2", "CFLAGS=-O0", f"WONGAR={shlex.join(START)}"]
    subprocess.run(make, check=True, capture_output=True, env=wongar.environment())
    told = subprocess.run(["./play", "perft", "2"], check=True, capture_output=True, encoding="utf-8").stdout
    shown = wongar("perft", "nim", "--seats", "2", "--depth", "2").out.splitlines()[1:3]
    assert [line.split()[1] for line in told.splitlines()] == [line.split()[1] for line in shown]
    subprocess.run(["make", "clean"], check=True, capture_output=True)
    assert sorted(path.name for path in here.iterdir()) == ["Makefile", "main.c"]
