"""All rule cases of the shipped games, and tests of the case runner."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from wongar_dsl.cli.case_files import failure_lines
from wongar_dsl.cli.commands.test import files
from wongar_dsl.cli.declarations import COMMANDS
from wongar_dsl.engine import library
from wongar_dsl.engine.rule_cases.file import MAX_FILE_BYTES, SUFFIX, Case, CaseError, CaseFile, parse_yaml, read
from wongar_dsl.engine.rule_cases.runner import CaseResult, CaseRunner
from wongar_dsl.nlg.words import Text, Translator

RULES = Path(__file__).resolve().parents[3] / "rules"
FILES = {str(p.relative_to(RULES)): read(p) for p in sorted(RULES.rglob(f"*{SUFFIX}"))}
CASES = [pytest.param(name, case, id=f"{name}: {case.name}") for name, file in FILES.items() for case in file.cases]
ENGLISH = Translator.load("en")


@cache
def shipped_runner(name: str) -> CaseRunner:
    return runner(FILES[name].game)


def runner(game: str) -> CaseRunner:
    rules = library.load(game)
    return CaseRunner(rules.model, rules.game)


def findings_text(outcome: CaseResult) -> str:
    return "\n".join(line for f in outcome.findings for line in failure_lines(f, Path("cases"), ENGLISH))


@pytest.mark.parametrize(("name", "case"), CASES)
def test_case(name: str, case: Case) -> None:
    outcome = shipped_runner(name).run(case)
    assert outcome.passed, "\n" + findings_text(outcome)


def test_every_variant_has_cases() -> None:
    expected = {f"wongar/{rules.name.removesuffix('.rules')}{SUFFIX}" for rules in (RULES / "wongar").glob("*.rules")}
    assert expected <= set(FILES)


def test_every_ruling_has_a_case() -> None:
    covered = {
        c for name, file in FILES.items() if name.startswith("wongar") for case in file.cases for c in case.covers
    }
    assert {f"W{n}" for n in range(1, 19)} <= covered


# ---- case runner ---------------------------------------------------------------------------------------------------

GAME = """
game tiny
    players 2 to 3
    book own "No book"
enum colour = red, blue
    source house rule
cards face
    plain
    dear(colour: colour)
    source house rule
deck all_cards of face
    2 plain
    1 dear(red)
    1 dear(blue)
    source house rule
tokens stock of each player holds colour, seen by all
pile heap_of_cards holds face, seen as a number
heap mine of each player holds face, seen by owner
score points
remember done: number = 0
setup
    source house rule
    fill heap_of_cards with all_cards
    for each p in player
        fill stock of p with 2 red
play
    source house rule
    repeat until heap_of_cards is empty
        for each p in player
            p chooses turn
                pay(kind: colour where stock[p, kind] > 0)
                    move 1 kind from stock of p to stock of left of p as paid(player: p, colour: kind)
                draw if heap_of_cards is not empty
                    move top of heap_of_cards to mine of p as drawn(player: p, card: top of heap_of_cards)
                    p gains 2 points
                rest
                    set done to done + 1
    end game
winner p
    most points of p
    source house rule
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tiny.rules").write_text(GAME, encoding="utf-8")
    return tmp_path


def write_cases(folder: Path, text: str) -> CaseFile:
    path = folder / "tiny.cases.yaml"
    path.write_text(text, encoding="utf-8")
    return read(path)


def run_case(folder: Path, body: str) -> list[str]:
    """Return the runner's output for one case, line by line, without folders."""
    file = write_cases(
        folder, "cases:\n- name: it\n  players: 2\n" + "".join(f"  {line}\n" for line in body.splitlines())
    )
    outcome = runner(file.game).run(file.cases[0])
    text = findings_text(outcome).replace(str(folder) + "/", "")
    return [line.strip() for line in text.splitlines()]


GOOD = """\
position:
  heap_of_cards: [dear(blue), plain, plain]
  stock: {1: {blue: 1}, 2: [red]}
moves:
  - expect: {seat: 1, decision: turn, options: [pay(red), pay(blue), draw, rest]}
  - 1: draw
  - illegal: pay(blue)
  - illegal: {move: pay(blue), reason: condition, condition: "stock[p, kind] > 0"}
  - 2: pay(red)
  - rest
  - expect:
      tells: [drawn: {player: 1, card: dear(blue)}, paid: {player: 2}]
      position: {done: 1, heap_of_cards: [plain, plain], stock: {1: 4, 2: []}, points: {1: 2, 2: 0}}
  - draw
  - draw
  - rest
expect: {winners: 1}
"""


def test_position_is_replaced_while_a_decision_is_pending(folder: Path) -> None:
    body = "moves: [draw, position: {stock: {2: [blue]}}, expect: {options: [pay(blue), draw, rest]}, pay(blue)]"
    assert run_case(folder, body) == []


def test_totals_count_all_zones_together(folder: Path) -> None:
    body = "moves: [draw, expect: {totals: {face: [plain, plain, dear(red), dear(blue)], colour: {red: 4}}}]"
    assert run_case(folder, body) == []
    assert run_case(folder, body.replace("red: 4", "red: 3"))[1:] == ["- expected, + found:", "- 3 red", "+ 4 red"]
    assert run_case(folder, "expect: {totals: {faces: 3}}")[0] == "cases:4: There is no place faces."


SEEN = """\
position: {heap_of_cards: [dear(blue), plain], mine: {1: [plain]}}
moves:
  - 1: draw
  - expect:
      sees:
        1: {position: {mine: {1: [plain, dear(blue)], 2: 0}}, tells: [drawn: {card: dear(blue)}]}
        2: {position: {mine: {1: 2}, heap_of_cards: 1, stock: {1: [red, red]}}, tells: [drawn: {card: hidden}]}
        all: {position: {done: 0, points: {1: 2}}, tells_exactly: [drawn: {player: 1}, points]}
        watcher: {position: {mine: {1: 2, 2: 0}}, tells_not: paid}
"""
#: Events up to the expectation of `GOOD`.
TOLD = ["Found:", "drawn(player: 1, card: dear(blue))", "points(player: 1, n: 2)", "paid(player: 2, colour: red)"]


def test_correct_case_passes(folder: Path) -> None:
    assert run_case(folder, GOOD) == run_case(folder, SEEN) == []


def test_zone_seen_by_nobody_is_hidden_from_all(folder: Path) -> None:
    (folder / "tiny.rules").write_text(GAME.replace("seen by owner", "seen by nobody"), encoding="utf-8")
    assert run_case(folder, "moves: [draw, {expect: {sees: {'1, watcher': {position: {mine: {all: hidden}}}}}}]") == []


#: A correct case, a change that makes it wrong, and the report.
WRONG = [
    (GOOD, "seat: 1, decision: turn,", "seat: 2,", ["cases:8: 2 should decide, but 1 does."]),
    (GOOD, "decision: turn", "decision: pay", ["cases:8: The decision should be pay, but it is turn."]),
    (GOOD, "options: [pay(red), pay(blue), draw, rest]", "options: [pay(red), sleep, draw, rest]", [
        "cases:8: The options differ (- missing, + unexpected):", "- sleep", "+ pay(blue)",
        "Found:", "pay(red)", "pay(blue)", "draw", "rest",
    ]),
    (GOOD, "options: [", "offers_not: [draw, jump, ", [
        "cases:8: The options differ (- missing, + unexpected):", "+ pay(red)", "+ pay(blue)", "+ draw", "+ rest",
        "Found:", "pay(red)", "pay(blue)", "draw", "rest",
    ]),
    (GOOD, "- 1: draw", "- 2: draw", ["cases:9: draw: 2 should decide, but 1 does."]),
    (GOOD, "- 2: pay(red)", "- 2: pay(blue)", [
        "cases:12: pay(blue) is not possible (condition).", "Fails at tiny.rules:31:40: stock[p, kind] > 0",
        "Found:", "pay(red)", "draw", "rest",
    ]),
    (GOOD, "- illegal: pay(blue)", "- illegal: pay(red)", ["cases:10: pay(red) should not be possible."]),
    (GOOD, "reason: condition, condition", "reason: argument, condition", [
        "cases:11: pay(blue) should fail because of argument, but it fails because of condition.",
    ]),
    (GOOD, '"stock[p, kind] > 0"', "rain", [
        "cases:11: pay(blue) should fail at “rain”, but it fails at “stock[p, kind] > 0”.",
    ]),
    (GOOD, "paid: {player: 2}]", "paid: {player: 1}]", [
        "cases:15: This is not told, or not in this order: {paid: {player: 1}}", *TOLD,
    ]),
    (GOOD, "tells: [", "tells_exactly: [", [
        "cases:15: This is not told, or not in this order: {paid: {player: 2}}", *TOLD,
    ]),
    (GOOD, "tells: [drawn: {player: 1, card: dear(blue)}, ", "tells_not: [", [
        "cases:15: This should not be told: {paid: {player: 2}}", *TOLD,
    ]),
    (GOOD, "done: 1", "done: 3", ["cases:16: done is not as expected.", "- expected, + found:", "- 3", "+ 1"]),
    (GOOD, "done: 1, heap_of_cards: [plain, plain]", "heap_of_cards: [dear(red), plain]", [
        "cases:16: heap_of_cards is not as expected.", "- expected, + found:", "- dear(red)",
    ]),
    (GOOD, "1: 4, 2: []", "1: 3, 2: [blue]", [
        "cases:16: stock[1] is not as expected.", "- expected, + found:", "- 3", "+ 4",
        "cases:16: stock[2] is not as expected.", "- expected, + found:", "- 1 blue", "+ 0 blue",
    ]),
    (GOOD, "winners: 1", "winners: [1, 2]", [
        "cases:20: The winners are not as expected.", "- expected, + found:", "- 2",
    ]),
    (GOOD, "  - draw\n  - draw\n  - rest\n", "", ["cases:17: The game should be over, but 2 decides."]),
    (SEEN, "1: [plain, dear(blue)], 2: 0", "1: 2", [
        "cases:9: What 1 sees of mine[1] is not as expected.", "- expected, + found:", "- 2", "+ 1 plain",
        "+ 1 dear(blue)",
    ]),
    (SEEN, "mine: {1: 2}", "mine: {1: [plain, dear(blue)]}", [
        "cases:10: What 2 sees of mine[1] is not as expected.", "- expected, + found:", "- 1 plain", "- 1 dear(blue)",
        "+ 2",
    ]),
    (SEEN, "heap_of_cards: 1", "heap_of_cards: hidden", [
        "cases:10: What 2 sees of heap_of_cards is not as expected.", "- expected, + found:", "- hidden", "+ 1",
    ]),
    (SEEN, "done: 0", "done: hidden", [
        "cases:11: What 1 sees of done is not as expected.", "- expected, + found:", "- hidden", "+ 0",
        "cases:11: What 2 sees of done is not as expected.", "- expected, + found:", "- hidden", "+ 0",
    ]),
    (SEEN, "[drawn: {card: hidden}]", "[drawn: {card: dear(blue)}]", [
        "cases:10: 2 is not told this, or not in this order: {drawn: {card: dear(blue)}}", "Found:",
        "drawn(player: 1, card: hidden)", "points(player: 1, n: 2)",
    ]),
    (SEEN, "tells_not: paid", "tells_not: [drawn: {card: hidden}]", [
        "cases:12: watcher should not be told this: {drawn: {card: hidden}}", "Found:",
        "drawn(player: 1, card: hidden)", "points(player: 1, n: 2)",
    ]),
    (SEEN, "1: {position: {mine: {1: [plain, dear(blue)], 2: 0}}, tells: [", "1: {tells_exactly: [", [
        "cases:9: 1 should not be told this: points(player: 1, n: 2)", *TOLD[:3],
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("good", "old", "new", "lines"), WRONG)
def test_wrong_expectation_fails_with_a_difference(
    folder: Path, good: str, old: str, new: str, lines: list[str]
) -> None:
    assert good.count(old) == 1
    assert run_case(folder, good.replace(old, new)) == lines


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("position: {stock: {1: {red: many}}}", "cases:4: Expected here: a number that is possible here."),
        ("position: {stock: {1: {red: -2}}}", "cases:4: -2 is not possible here; expected: a number that is possible "
         "here."),
        ("position: {heap_of_cards: {top: [plain, plain, plain]}}", "cases:4: plain is not in this pile (any more)."),
        ("position: {heap_of_cards: {bottom: [plain]}}", "cases:4: Expected here: a list from the top down, or `top` "
         "with such a list."),
        ("expect: {tells: [sung]}", "cases:4: The game never tells “sung”."),
        ("moves: [draw, expect: {tells: [drawn: {by: 1}]}]", "cases:4: This message has no argument “by”."),
        ("options: {speed: 3}", "cases:4: speed is unknown (option)."),
        ("moves: [fly]", "cases:4: fly is not possible (unknown)."),
    ],
)  # fmt: skip
def test_impossible_case_fails_with_its_line(folder: Path, body: str, line: str) -> None:
    """Other names are tested with `wongar validate` in `test_static_check.py`, which reads them alike."""
    assert run_case(folder, body)[0] == line


def test_too_many_seats_are_refused(folder: Path) -> None:
    file = write_cases(folder, "cases: [{name: it, players: 9}]")
    assert "This game cannot have 9 seats" in findings_text(runner(file.game).run(file.cases[0]))


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("cases: ]", "cases.yaml", 1),
        ("cases:\n  - name: a\n\tplayers: 2", "cases.yaml", 3),
        ("cases: &a []\nmore: *a", "cases.alias", 1),
        ("cases: " + "[" * 5000, "cases.too_deep", 1),
        ("- 1", "cases.shape", 1),
        ("", "cases.shape", 1),
        ("cases: {}", "cases.shape", 1),
        ("cases: []", "cases.none", 1),
        ("cases: []\ncases: []", "cases.twice", 2),
        ("kases: []", "cases.unknown_key", 1),
        ("players: 2", "cases.missing_key", 1),
        ("cases:\n- players: 2", "cases.missing_key", 2),
        ("cases:\n- name: a", "cases.missing_key", 2),
        ("cases:\n- {name: a, players: 2}\n- {name: a, players: 2}", "cases.twice", 3),
        ("cases:\n- name: a\n  players: some", "cases.shape", 3),
        ("cases:\n- name: a\n  players: 100000", "cases.value", 2),
        ("cases:\n- name: a\n  players: 2\n  move: [x]", "cases.unknown_key", 4),
        ("cases:\n- name: a\n  players: 2\n  expect: {winner: 1}", "cases.unknown_key", 4),
        ("cases:\n- name: a\n  players: 2\n  expect: {sees: {1: {seat: 1}}}", "cases.unknown_key", 4),
        ("cases:\n- name: a\n  players: 2\n  expect: {sees: 1}", "cases.shape", 4),
        ("cases:\n- name: a\n  players: 2\n  moves: [{1: x, 2: y}]", "cases.shape", 4),
        ("cases:\n- name: a\n  players: 2\n  moves: [place(a, b)]", "cases.cut", 4),
        ("cases:\n- name: a\n  players: 2\n  moves: [illegal: {reason: over}]", "cases.missing_key", 4),
        ("cases:\n- name: a\n  players: 2\n  from: middle", "cases.value", 4),
        ("cases:\n- name: a\n  players: 2\n  from: setup\n  position: {}", "cases.no_position", 5),
        ("cases:\n- name: a\n  seats: [x, x]", "cases.value", 3),
        ("cases:\n- name: a\n  seats: ['a b']", "cases.value", 3),
        *(
            (f"cases:\n- name: a\n  seats: [x, {word}]", "cases.value", 3)
            for word in ("position", "drawn", "expect", "illegal", "all", "watcher")
        ),
        ("cases:\n- ? [a]\n  : b", "cases.shape", 2),
        ("\x00", "cases.yaml", 1),
    ],
)
def test_broken_file_is_reported_with_code_and_line(tmp_path: Path, text: str, code: str, line: int) -> None:
    with pytest.raises(CaseError) as caught:
        write_cases(tmp_path, text)
    assert (caught.value.finding.code, caught.value.finding.line) == (code, line)
    for language in ("de", "nl", "it", "en"):
        assert list(failure_lines(caught.value.finding, Path("x"), Translator.load(language, strict=True)))


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    for data, code in ((b"a" * (MAX_FILE_BYTES + 1), "cases.too_large"), (b"a\n\xff", "cases.not_utf8")):
        path = tmp_path / "x.cases.yaml"
        path.write_bytes(data)
        with pytest.raises(CaseError) as caught:
            read(path)
        assert caught.value.finding.code == code
    os.mkfifo(tmp_path / f"pipe{SUFFIX}")
    for name in ("none", "pipe"):
        with pytest.raises(CaseError) as caught:
            read(tmp_path / f"{name}{SUFFIX}")
        assert caught.value.finding.code == "cases.unreadable"


def test_yaml_scalars_stay_texts() -> None:
    node = parse_yaml("{a: no, b: 1:30, c: 2020-01-01, d: null}")
    assert {k: n.text for k, n in node.mapping.items()} == {"a": "no", "b": "1:30", "c": "2020-01-01", "d": "null"}


# ---- command -------------------------------------------------------------------------------------------------------


def test_command_reports_failures_in_every_language(folder: Path) -> None:
    bad = "moves: [expect: {sees: {2: {tells: drawn, tells_not: [], position: {mine: {1: hidden}}}}}, pay(blue)]"
    write_cases(folder, f"cases:\n- {{name: good, players: 2, moves: [draw]}}\n- {{name: bad, players: 2, {bad}}}")
    tested = {"file": Text(str(folder / "tiny.cases.yaml")), "rules": Text(str(folder / "tiny.rules"))}
    for language in ("de", "nl", "it", "en"):
        words = Translator.load(language, strict=True)
        code, output = invoke(str(folder), words=words)
        assert code == 1
        assert words.say("cases.sees", seat=Text("2"), place=Text("mine[1]")) in output
        assert words.say("cases.seat_not_told", seat=Text("2"), event=Text("drawn")) in output
        assert "bad" in output
        assert "pay(red)" in output
        assert words.say("cases.passed", n=1, **tested) in output
    assert invoke(str(folder), "--only", "good")[0] == 0


def test_command_runs_the_shipped_cases_without_paths() -> None:
    assert {path.name for path in files((), ENGLISH)} == {Path(name).name for name in FILES}


def invoke(*arguments: str, words: Translator = ENGLISH) -> tuple[object, str]:
    """Return the result and the output of the command."""
    result = CliRunner().invoke(COMMANDS["test"].build("test", words), list(arguments), standalone_mode=False)
    return result.return_value, result.output


def test_command_refuses_invalid_case_files(folder: Path) -> None:
    (folder / "bad.cases.yaml").write_text("cases: [", encoding="utf-8")
    (folder / "lost.cases.yaml").write_text("cases: [{name: a, players: 2}]", encoding="utf-8")
    for name in ("bad", "lost", "none"):
        code, output = invoke(str(folder / f"{name}.cases.yaml"))
        assert code == 1
        assert output
    (folder / "empty").mkdir()
    assert invoke(str(folder / "empty"))[0] == 2


def test_cases_share_a_time_limit() -> None:
    cases = FILES["classics/nim.cases.yaml"].cases
    outcomes = list(runner("nim").run_all(cases, lambda: True))
    assert [[f.code for f in outcome.findings] for outcome in outcomes] == [["cases.out_of_time"]]
    assert "nothing below was tested" in findings_text(outcomes[0])
    assert len(list(runner("nim").run_all(cases, lambda: False))) == len(cases)


def test_time_limit_is_checked_between_steps() -> None:
    case = max(FILES["wongar/wongar.cases.yaml"].cases, key=lambda case: len(case.steps))
    stop_answers = iter([False] * 3 + [True] * 99)
    outcome = runner("wongar").run(case, lambda: next(stop_answers))
    assert [f.code for f in outcome.findings] == ["cases.out_of_time"]
