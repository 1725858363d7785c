"""Message arguments taken from statements, and errors for arguments that contradict them."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.engine.events import Event, event_json
from wongar_dsl.engine.library import Rules, inspect
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.words import Translator

GAME = """
game telling
    players 2
    source house rule
enum piece = coin, stone
enum reason = trade
enum period = early
board land
    row here there
    here touches there
    there touches here
board grid_of
    grid 2 by 2
cards sheet
    one
    two
figure ghost on land
figure cup held by player
track round
    early 4 spaces
score points by reason
tokens purse of each player holds piece, seen by all
tokens field of each land of each player holds piece, seen by all
pile stack holds at most 9 sheet, seen by nobody
heap holding of each player holds sheet, seen by owner
slot open of each land holds sheet, seen by all
layout table_top holds sheet on grid_of, seen by all
deck all_sheets of sheet
    2 one
    2 two
option gift = 2 in 0 to 9
remember danger: number 0 to 9 = 4
setup
    fill stack with all_sheets
    for each p in player
        fill purse of p with 9 coin
play
    let me = player(1)
    {}
    nobody wins
"""


def inspect_game(folder: Path, statement: str) -> tuple[Rules | None, list[Diagnostic]]:
    """Return the game with these statements and its errors, without warnings of unused parts."""
    path = folder / "telling.rules"
    path.write_text(GAME.replace("{}", statement), encoding="utf-8")
    rules, diagnostics = inspect(path)
    return rules, [d for d in diagnostics if d.severity.name == "ERROR"]


def last_message_event(folder: Path, statement: str) -> tuple[Rules, Event]:
    """Return the last event that has a message."""
    rules, errors = inspect_game(folder, statement)
    assert not errors, errors
    assert rules is not None
    _, events = rules.game(2).start(1)
    return rules, [e for e in events if e.spec.message][-1]


def message_arguments(folder: Path, statement: str) -> dict[str, object]:
    """Return the arguments available to the last message."""
    _, event = last_message_event(folder, statement)
    return {name: value for name, (_, value) in event.arguments().items()}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("move 3 coin from purse of me to field[there, me] as x", {"n": 3, "token": 0, "player": 0, "land": 1}),
        ("move gift coin from purse of me to purse of player(2) as x", {"n": 2, "token": 0}),
        ("move all of purse of me to field[there, me] as x", {"n": 9, "player": 0, "land": 1}),
        ("move top of stack to open of there as x(card)", {"land": 1}),
        ("move ghost to there as x", {"figure": 0, "to": 1, "land": 1}),
        ("me takes cup as x", {"figure": 1, "player": 0}),
        ("me gains 3 points for trade as x", {"player": 0, "n": 3, "origin": 0}),
        ("me loses 3 points for trade as x", {"player": 0, "n": 3, "origin": 0}),
        ("advance round by 2 as x", {"space": 3, "n": 2}),
        ("advance round by 9 as x", {"space": 4, "n": 3}),
        ("lay top of stack on table_top at a2 turned 9 as x", {"area": 0, "grid_of": 0, "turned": 1}),
    ],
)
def test_message_has_the_arguments_of_its_statement(tmp_path: Path, statement: str, expected: dict[str, int]) -> None:
    arguments = message_arguments(tmp_path, statement)
    assert expected.items() <= arguments.items()


def test_ambiguous_argument_is_not_available(tmp_path: Path) -> None:
    before = "move 1 coin from purse of me to field[here, me]"
    arguments = message_arguments(tmp_path, f"{before}\n    move 1 coin from field[here, me] to field[there, me] as x")
    assert "land" not in arguments
    assert arguments["player"] == 0


@pytest.mark.parametrize(
    "statement",
    [
        "move 3 coin from purse of me to field[there, me] as x(n: 2)",
        "move 3 coin from purse of me to field[there, me] as x(n: gift)",
        "move gift coin from purse of me to field[there, me] as x(n: 2)",
        "move 3 coin from purse of me to field[there, me] as x(land: here)",
        "move 3 coin from purse of me to field[there, me] as x(to: here)",
        "move ghost to there as x(land: here)",
        "move ghost to there as x(to: here)",
        "me gains 3 points for trade as x(n: 2)",
        "me loses 3 points for trade as x(n: 0 - 3)",
        "move all of purse of me to field[there, me] as x(n: 9)",
        "advance round by 2 as x(space: space of round)",
        "move top of stack to open of there as x(land: here)",
        "lay top of stack on table_top at a2 turned 2 as x(area: a1)",
        "let n = 2\n    move 3 coin from purse of me to field[there, me] as x(n)",
        "let n = 3\n    set n to 2\n    move 3 coin from purse of me to field[there, me] as x(n)",
    ],
)
def test_contradicting_argument_is_an_error(tmp_path: Path, statement: str) -> None:
    _, errors = inspect_game(tmp_path, statement)
    assert [d.code for d in errors] == ["R0424"]


@pytest.mark.parametrize(
    "statement",
    [
        "move 3 coin from purse of me to field[there, me] as x(n: 3, land: there, to: there, player: player(2))",
        "move 3 coin from purse of me to field[there, me] as x(danger, many: danger + 1)",
        "let n = 3\n    move n coin from purse of me to field[there, me] as x(n)",
        "let n = 3\n    move 3 coin from purse of me to field[there, me] as x(n)",
        "move all of purse of me to field[there, me] as x(n: size of purse of me)",
        "move ghost to there as x(n: danger)",
        "tell x(n: danger, land: here)",
        "me gains 1 points for trade as x(player: player(2))",
    ],
)
def test_equal_or_unrelated_argument_is_accepted(tmp_path: Path, statement: str) -> None:
    last_message_event(tmp_path, statement)


def test_record_has_the_listed_arguments_with_actual_values(tmp_path: Path) -> None:
    rules, event = last_message_event(tmp_path, "advance round by 9 as x(n)")
    game = rules.game(2)
    assert event_json(game.model, game.fields, event)["arguments"] == {"n": 3}
    rules, event = last_message_event(tmp_path, "advance round by 9 as x(n: 9)")
    assert event_json(game.model, game.fields, event)["arguments"] == {"n": 3}


def test_known_argument_is_listed_only_once_per_message(tmp_path: Path) -> None:
    _, event = last_message_event(
        tmp_path,
        "move 3 coin from purse of me to field[there, me] as x(n, player: me)\n"
        "    move 4 coin from purse of me to field[here, me] as x(player: me)",
    )
    assert {name: value for name, (_, value) in event.slots().items()} == {"n": 4, "player": 0}


def test_message_needs_the_same_arguments_everywhere(tmp_path: Path) -> None:
    for second_statement in ("tell x(player: me)", "tell x(n: 2)", "me takes cup as x(player: me)"):
        move = "move 3 coin from purse of me to field[there, me] as x(n, player: me)"
        _, errors = inspect_game(tmp_path, f"{move}\n    {second_statement}")
        assert [d.code for d in errors] == ["R0418"], second_statement


def test_translation_can_use_unlisted_arguments(tmp_path: Path) -> None:
    folder = tmp_path / "locales" / "en"
    folder.mkdir(parents=True)
    (folder / "messages.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgctxt "telling.x"\nmsgid "One coin is paid."\nmsgid_plural "{n} coins are paid."\n'
        'msgstr[0] ""\nmsgstr[1] ""\n',
        encoding="utf-8",
    )
    for amount, sentence in ((3, "3 coins are paid."), (1, "One coin is paid.")):
        rules, event = last_message_event(
            tmp_path, f"move {amount} coin from purse of me to field[there, me] as x(many: 7)"
        )
        words = Translator.load("en", [tmp_path / "locales"])
        assert Narrator(rules.game(2), words, ["Anna", "Bert"]).event(event, None) == sentence


# ---- variants --------------------------------------------------------------------------------------------------------

MOVE = "move 3 coin from purse of me to field[there, me] as x"


def inspect_variant(folder: Path, arguments: str) -> tuple[Rules | None, list[Diagnostic]]:
    """Return a variant that moves fewer coins and lists these arguments, and its errors."""
    inspect_game(folder, f"{MOVE}(n, player: me)\n    me gains 1 points for trade as x(n, player: me)")
    path = folder / "fewer.rules"
    play = (
        f"    let me = player(1)\n    {MOVE.replace('3', '2')}({arguments})\n    me gains 1 points for trade as x(n)\n"
    )
    text = f"variant fewer of telling\n    source house rule\n\nreplace play\n{play}    nobody wins\n"
    path.write_text(text, encoding="utf-8")
    rules, diagnostics = inspect(path)
    return rules, [d for d in diagnostics if d.severity.name == "ERROR"]


def test_changed_amount_of_a_variant_is_told(tmp_path: Path) -> None:
    rules, errors = inspect_variant(tmp_path, "n")
    assert rules is not None, errors
    first = next(e for e in rules.game(2).start(1)[1] if e.spec.message)
    assert first.arguments()["n"][1] == 2


@pytest.mark.parametrize("arguments", ["n: 3", "n, land: here"])
def test_contradicting_argument_is_reported_in_the_variant(tmp_path: Path, arguments: str) -> None:
    _, errors = inspect_variant(tmp_path, arguments)
    assert errors[0].code == "R0424"
    assert errors[0].span is not None
    assert errors[0].span.source.name.endswith("fewer.rules")


def test_variant_keeps_arguments_listed_elsewhere(tmp_path: Path) -> None:
    rules, errors = inspect_variant(tmp_path, "player: me")
    assert rules is not None, errors
    assert {name for name, _ in rules.model.messages["x"].slots} == {"player", "n"}
