"""A contributor adds a statement by the recipe in CONTRIBUTING and uses it in all front ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.test_contributing import copy_changed_program, run_script
from tests.journeys.person import Person

#: The statement of the example as written in the game.
SHOWN = "expect total < 20"
#: Game with the example statement at every possible position, and without words for options; its variant adds one more.
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
#: Input at the table: help, help and reason for an option, and choices.
TYPED = "?\n? 1\nhelp 2\nwhy 1\nrules\nundo\n1\n2\n3\n1\n1\n1\n1\n1\n1\n"
#: Script that runs the commands on such a game and checks their exit codes.
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
run("explain R0604")
run("games tried.rules")
run("simulate tried.rules --games 20 --seed 1", codes=(0, 1))
"""
#: Script that sends an editor's requests about a file with the statement to the language server.
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
#: Script that plays a game with the statement in a test browser and opens the rules.
BROWSED = """
import re, time
from pathlib import Path
from starlette.testclient import TestClient
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine.match import Seat
from wongar_dsl.web.app import application
from wongar_dsl.web.host import Host
from wongar_dsl.web.render_worker import WorkerSettings
HERE = "http://testserver"
host = Host(WorkerSettings(str(Cache(Path("kept")).folder), (), "python"), Path("saves"), "en", HERE, 0, time.monotonic)
session = host.create_table("tried.rules", [Seat("human"), Seat("random")], [], 1)
with TestClient(application(host, ("testserver",), time.monotonic), headers={"origin": HERE}) as browser:
    came = browser.post("/join/" + host.store.key("any", session.key), data={"seat": "0", "name": "Ada", "lang": "en"})
    assert came.status_code == 200, came.text
    table = "/t/" + session.key
    for number in range(3):
        end = time.monotonic() + 30
        while len(choices := re.findall('name="choice" value="([^"]*)"', page := browser.get(table).text)) <= number:
            assert time.monotonic() < end, page  # The computer has its turn in between.
            time.sleep(0.05)
        choice = choices[number]
        version = re.findall('name="version" value="([^"]*)"', page)[0]
        done = browser.post(table + "/move", data={"choice": choice, "version": version, "once": str(number)})
        assert done.status_code == 200, done.text
    rules = browser.get(table + "/rules")
    assert rules.status_code == 200
    assert "__SHOWN__" in rules.text.replace("&lt;", "<"), rules.text
"""


@pytest.fixture(scope="module")
def program_with_statement(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the program with all examples applied, a game and a variant with the statement."""
    place = tmp_path_factory.mktemp("changed")
    copy_changed_program(place)
    (place / "games" / "tried.rules").write_text(TRIED)
    (place / "games" / "more.rules").write_text(MORE)
    return place


def test_added_statement_works_in_every_command(program_with_statement: Path) -> None:
    run_script(program_with_statement, BY_HAND.replace("__TYPED__", repr(TYPED)).replace("__SHOWN__", SHOWN))


def test_added_statement_works_in_an_editor(program_with_statement: Path) -> None:
    run_script(program_with_statement, EDITED.replace("__SHOWN__", SHOWN))


def test_added_statement_works_in_a_browser(program_with_statement: Path) -> None:
    run_script(program_with_statement, BROWSED.replace("__SHOWN__", SHOWN))


def test_game_with_added_statement_is_played_to_its_end(
    program_with_statement: Path, person: Callable[[str, Path], Person]
) -> None:
    player = person("en", program_with_statement)
    player.runs("play", str(program_with_statement / "games" / "tried.rules"))
    while "Play again" not in player.settles():
        player.types(str(min(player.options())) if player.options() else "")
    player.types("n")
    assert player.leaves() == 0
    player.runs("rulebook", str(program_with_statement / "games" / "tried.rules"))
    assert player.leaves() == 0
    assert f"[{SHOWN}" in player.scrolled
