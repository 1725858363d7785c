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
#: A game in which the statement of the example stands wherever one can; no option has words. Its variant has one more.
TRIED = """game tried
    players 2
    source house rule
remember total: number 0 to 30 = 0
play
    repeat 3 times
        for each p in player
            p chooses turn
                raise
                    expect total < 20
                    set total to total + 1
                hold
                    expect total < 30
                double(n: 1 to 3 where total + n < 20)
                    if n = 2
                        expect total >= 0
                        set total to total + n
            checked(p)
    nobody wins
rule checked(me: player)
    let before = total
    expect total >= before
"""
MORE = """variant more of tried
    source house rule
before play
    expect total = 0
"""
#: What a person types at the table: help, an option's help, its reason, and choices.
TYPED = "?\n? 1\nhelp 2\nwhy 1\nrules\nundo\n1\n2\n3\n1\n1\n1\n1\n1\n1\n"
#: What a person does with such a game, each with the exit code that it may have.
BY_HAND = """
import contextlib, io, sys
from wongar_dsl.cli.main import main
def run(line, typed="", codes=(0,)):
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()))
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        came = main(line.split())
    told = out.buffer.getvalue().decode()
    print("==", line, came)
    print(told)
    assert came in codes, line
    assert "Traceback" not in told and "AssertionError" not in told, line
    return told
TYPED = __TYPED__
for lang in ("en", "de", "nl", "it"):
    book = run(f"rulebook tried.rules --lang {lang}")
    assert "__SHOWN__" in book, lang
    assert "expect total" in run(f"rulebook tried.rules --lang {lang} --format md")
    run(f"rulebook tried.rules --lang {lang} --format html")
    run(f"diff tried.rules more.rules --lang {lang}")
    run(f"validate tried.rules --lang {lang}", codes=(0, 1))
    run(f"play tried.rules --seats human,random --seed 1 --plain --lang {lang}", TYPED, (0, 1))
run("play more.rules --seats human,human --seed 1 --plain", TYPED, (0, 1))
shown = run("show more.rules")
assert "__SHOWN__" in shown
run("fmt tried.rules more.rules")
run("games tried.rules")
run("simulate tried.rules --games 20 --seed 1", codes=(0, 1))
"""
#: What an editor asks of the language server about a file with the statement.
EDITED = """
import json, subprocess, sys
TEXT = open("tried.rules").read()
URI = "file:///nowhere/tried.rules"
document = {"uri": URI}
row = next(i for i, line in enumerate(TEXT.splitlines()) if "__SHOWN__" in line)
place = {"line": row, "character": TEXT.splitlines()[row].index("total")}
asked = {
    "textDocument/documentSymbol": {"textDocument": document},
    "textDocument/hover": {"textDocument": document, "position": place},
    "textDocument/formatting": {"textDocument": document, "options": {"tabSize": 4, "insertSpaces": True}},
    "textDocument/rename": {"textDocument": document, "position": place, "newName": "amount"},
}
sent = [("initialize", {"processId": None, "rootUri": None, "capabilities": {}}), ("initialized", {}),
        ("textDocument/didOpen", {"textDocument": {**document, "languageId": "none", "version": 1, "text": TEXT}})]
START = "import sys; from wongar_dsl.cli.main import main; main(['lsp'])"
server = subprocess.Popen([sys.executable, "-c", START], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def send(method, params, number=None):
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if number else {})})
    server.stdin.write(f"Content-Length: {len(body.encode())}\\r\\n\\r\\n{body}".encode())
    server.stdin.flush()
def answer(wanted):
    while True:
        length = 0
        while (line := server.stdout.readline().strip()):
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        found = json.loads(server.stdout.read(length))
        if wanted(found):
            return found
send(*sent[0], 1)
answer(lambda found: found.get("id") == 1)
send(*sent[1])
send(*sent[2])
told = answer(lambda found: found.get("method") == "textDocument/publishDiagnostics")["params"]["diagnostics"]
assert not [one for one in told if one["severity"] == 1], told
for number, (method, params) in enumerate(asked.items(), 2):
    send(method, params, number)
    found = answer(lambda found: found.get("id") == number)
    assert "error" not in found, (method, found)
    print(method, json.dumps(found["result"])[:400])
    if method.endswith("rename"):
        edits = [edit for part in found["result"].get("documentChanges", []) for edit in part["edits"]]
        edits += [edit for part in found["result"].get("changes", {}).values() for edit in part]
        assert len(edits) == TEXT.count("total"), edits
    elif not method.endswith("formatting"):
        assert found["result"], method
send("shutdown", None, 99)
send("exit", None)
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


GAMES = {"small.rules": RULES, "small.cases.yaml": CASES, "tried.rules": TRIED, "more.rules": MORE}


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with all examples followed, and a folder `games` in it."""
    place = tmp_path_factory.mktemp("changed")
    package = place / "wongar_dsl"
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "wongar_dsl", package, ignore=unwanted)
    for name, where in PLACES.items():
        shutil.copytree(ROOT / where, place / where, ignore=unwanted)
        (package / name).symlink_to(place / where, target_is_directory=True)
    for name in {path for _, path, _ in changes()}:
        if not (place / name).exists() and (ROOT / name).exists():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
    for _, name, hunks in changes():
        followed(place / name, hunks)
    games = place / "games"
    games.mkdir()
    for name, text in {
        "small.rules": RULES,
        "small.cases.yaml": CASES,
        "tried.rules": TRIED,
        "more.rules": MORE,
    }.items():
        (games / name).write_text(text)
    for made in ("rules/classics/last_stick.cases.yaml", "tests/diagnostics/examples/R0490.rules",
                 "tests/diagnostics/examples/R0490.good.rules"):  # fmt: skip
        shutil.copy(place / made, games)
    return place


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


#: The statement of the example, as it stands in the game.
SHOWN = "expect total < 20"


def test_a_statement_that_the_recipe_adds_works_in_every_command(changed: Path) -> None:
    carried_out(changed, BY_HAND.replace("__TYPED__", repr(TYPED)).replace("__SHOWN__", SHOWN))


def test_a_statement_that_the_recipe_adds_works_in_an_editor(changed: Path) -> None:
    carried_out(changed, EDITED.replace("__SHOWN__", SHOWN))
