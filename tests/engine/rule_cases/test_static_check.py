"""Static check of cases by `wongar validate`: each fault is reported once and with its line, and no case is run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from wongar_dsl.cli.main import main

RULES = """
game small
    players 2 to 3
    source house rule
option bonus = 1 in 0 to 3
enum colour = red, blue
cards card
    plain
deck pack of card
    2 plain
pile stack holds at most 2 card, seen by nobody
tokens stock of each player holds colour, seen by all
score points
setup
    fill stack with pack
    for each p in player
        fill stock of p with 3 red
play
    repeat until points of player(1) > 20
        player(1) chooses turn
            take(c: colour) if stock[player(1), c] > 0
                player(1) gains bonus points
            pass
                nothing
winner p
    most points of p
"""
HEAD = "players: 2\ncases:\n  - name: it\n    "

Validate = Callable[..., tuple[int, list[tuple[str, int, str]]]]


@pytest.fixture
def validate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Validate:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WONGAR_LANG", "en")
    Path("small.rules").write_text(RULES, encoding="utf-8")

    def run(cases: str, file: str = "small.cases.yaml") -> tuple[int, list[tuple[str, int, str]]]:
        Path(file).write_text(cases, encoding="utf-8")
        code = main(["validate", "small.rules", "--format", "json"])
        diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
        assert all(d["code"] == "R0701" and d["place"]["file"] == file for d in diagnostics)
        return code, [(d["message"], d["place"]["line"], d["advice"]) for d in diagnostics]

    return run


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("options: {bonus: 9, bonsu: 1}", ["9 is not possible here", "bonsu is unknown (option)."]),
        ("seats: [a, b, c, d]", ["This game cannot have 4 seats; 2 to 3 are possible."]),
        ("position: {stok: {1: [red]}, stock: {3: [red]}}", ["There is no place stok.", "3 is unknown (player)."]),
        ("position: {stock: {1: {rde: 1}}}", ["rde is unknown (colour)."]),
        ("position: {stack: [plain, plain, plain]}", ["stack holds at most 2."]),
        ("moves: [position: {stok: 1}]", ["There is no place stok."]),
        ("position: {points: {1: many}}", ["Expected here: a number"]),
        (
            "moves: [3: pass, tke(red), take(green), take]",
            ["3 is un", "tke(red) is un", "take(green) is un", "take is un"],
        ),
        ("moves: [illegal: {move: tke(red), reason: condition}]", ["tke(red) is unknown (move)."]),
        ("expect: {seat: 3, winners: [2, 9]}", ["3 is unknown (player).", "9 is unknown (player)."]),
        ("expect: {decision: tun}", ["tun is unknown (decision)."]),
        ("expect: {options: [pas], offers: pas1, offers_not: [pas2]}", ["pas is", "pas1 is", "pas2 is"]),
        (
            "expect: {position: {stok: {1: [red]}}, totals: {tokens: {red: 1}}}",
            ["There is no place stok.", "There is no"],
        ),
        ("expect: {position: 3}", ["Expected here: keys with values."]),
        ("expect: {tells: [gained], tells_not: [points: {by: 1}]}", ["never tells “gained”", "no argument “by”"]),
        ("expect: {sees: {9: {position: {stock: {1: [rd]}}, tells: [sung]}}}", ["9 is", "rd is", "never tells “sung”"]),
        ("mooves: [pass]", ["Unknown key mooves."]),
    ],
)
def test_unknown_names_are_reported(body: str, told: list[str], validate: Validate) -> None:
    code, diagnostics = validate(HEAD + body + "\n")
    assert code == 1
    assert {line for _, line, _ in diagnostics} == {3 if body.startswith("seats") else 4}
    assert len(diagnostics) == len(told)
    assert all(part in message for part, (message, _, _) in zip(told, diagnostics, strict=True))


def test_valid_cases_are_accepted(validate: Validate) -> None:
    good = """
players: 2
position: {stock: {1: {red: 2}}, stack: {top: [plain]}}
cases:
  - name: with names
    seats: [anna, ben]
    options: {bonus: 2}
    moves:
      - anna: take(red) @ 3.5
      - illegal: take(green)
      - illegal: {move: fly, reason: unknown}
      - illegal: {move: take(blue), reason: condition}
    expect:
      seat: anna
      decision: turn
      offers: [take(red)]
      tells: [points: {player: anna, n: 2}]
      position: {points: {anna: 2}, stack: 2}
      totals: {card: {plain: 2}}
      sees: {"anna, watcher": {position: {stack: 2}, tells: points}, all: {position: {stock: {all: {blue: 0}}}}}
"""
    assert validate(good) == (0, [])


def test_fault_of_the_whole_file_is_reported_once(validate: Validate) -> None:
    cases = "players: 2\nposition: {stok: 1}\ncases:\n  - name: a\n  - name: b\n"
    assert [(line, advice) for _, line, advice in validate(cases)[1]] == [(2, "did you mean “stock”?")]


@pytest.mark.parametrize(
    ("tells", "advice"),
    [("tells: [points: {by: 1}], wins: 1", "did you mean “winners”?"),
     ("tells: [points: {by: 1}]", "hint: Possible here: n or player.")],
)  # fmt: skip
def test_possible_names_are_suggested(tells: str, advice: str, validate: Validate) -> None:
    assert [told for _, _, told in validate(HEAD + f"expect: {{{tells}}}\n")[1]] == [advice]


@pytest.mark.parametrize(
    ("cases", "line", "told"),
    [
        ("cases: [", 2, "not valid YAML"),
        ("cases: []", 1, "no case"),
        ("game: gone.rules\ncases: [{name: a, players: 2}]", 1, "no game called “gone.rules”"),
        ("game: ../small.rules\ncases: [{name: a, players: 2}]", 1, "not in the folder"),
    ],
)
@pytest.mark.parametrize("file", ["small.cases.yaml", "more.cases.yaml"])
def test_unusable_file_is_reported(cases: str, line: int, told: str, file: str, validate: Validate) -> None:
    code, diagnostics = validate(cases, file)
    assert code == 1
    assert [(reported_line, told in message) for message, reported_line, _ in diagnostics] == [(line, True)]


def test_unknown_game_is_an_error_unless_the_rules_have_the_name_of_the_cases(validate: Validate) -> None:
    cases = "game: wongaar\ncases: [{name: a, players: 2}]"
    assert validate(cases, "small.cases.yaml") == (0, [])
    code, ((message, line, _),) = validate(cases, "more.cases.yaml")
    assert (code, line) == (1, 1)
    assert "no game called “wongaar”" in message


def test_cases_of_other_rules_are_ignored(validate: Validate) -> None:
    Path("other.rules").write_text(RULES.replace("game small", "game other"), encoding="utf-8")
    assert validate(HEAD + "moves: [fly]\n", "other.cases.yaml") == (0, [])
    assert validate("game: other.rules\n" + HEAD + "moves: [fly]\n", "third.cases.yaml") == (0, [])
    code, diagnostics = validate("game: small.rules\n" + HEAD + "moves: [fly]\n", "third.cases.yaml")
    assert (code, [line for _, line, _ in diagnostics]) == (1, [5])


def test_cases_are_checked_even_with_wrong_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.rules").write_text(RULES.replace("stock of p", "stok of p"), encoding="utf-8")
    Path("small.cases.yaml").write_text("kases: []\n", encoding="utf-8")
    assert main(["--lang", "en", "validate", ".", "--format", "github"]) == 1
    assert [line.split("::")[1] for line in capsys.readouterr().out.splitlines()] == [
        "error file=small.rules,line=17,col=14,title=R0201",
        "error file=small.cases.yaml,line=1,col=1,title=R0701",
    ]


def test_text_output_shows_the_line(validate: Validate, capsys: pytest.CaptureFixture[str]) -> None:
    validate(HEAD + "moves: [pas]\n")
    assert main(["validate", "small.rules"]) == 1
    out = capsys.readouterr().out
    assert " --> small.cases.yaml:4:5\n" in out
    assert "4 |     moves: [pas]" in out
    assert "OK" not in out


def test_no_case_is_run(validate: Validate) -> None:
    """The setup of these rules takes as long as the step budget allows."""
    Path("small.rules").write_text(
        RULES.replace(
            "setup\n", "setup\n    for each a in 1 to 1000\n        for each b in 1 to 9000\n            nothing\n"
        ),
        encoding="utf-8",
    )
    begun = time.process_time()
    assert validate(HEAD + "moves: [" + "pass, " * 2000 + "pas]\n")[0] == 1
    assert time.process_time() - begun < 3
