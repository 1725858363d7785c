"""Messages and prompts do not reveal hidden cards, nor values computed from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import Game
from wongar_dsl.nlg.translation import messages_of

from .told import game_of, narrator, write_words

GAME = """
cards sheet
    one
    two
    three
table rank
    one 1
    two 2
    three 3
enum piece = coin, stone
deck sheets of sheet
    4 three
pile stack holds sheet, seen by nobody
hand holding of each player holds sheet, seen by owner
heap table_top holds sheet, seen by all
tokens secret_box holds piece, seen by nobody
tokens other_box holds piece, seen by nobody
tokens open_box holds piece, seen by all
remember laps: number 0 to 9 = 5
setup
    fill stack with sheets
    fill secret_box with 4 coin
rule draw_for(who: player)
    move top of stack to holding of who as drew(r: rank of top of stack)
rule deal_to(who: player)
    move top of stack to holding of who as dealt(who, r: rank of top of stack)
play
    {}
    player(1) chooses answer
        agree
            nobody wins
"""

WORDS = {
    "small.drew": "A card of rank {r}.",
    "small.decision.answer": "{player}, is it {r} or {open_number}?",
    "small.decision.answer.agree": "Agree to {r}",
}


def veils(folder: Path, statements: str) -> Game:
    write_words(folder, "", WORDS)
    return game_of(folder, GAME.replace("{}", statements))


def values(game: Game, slot: str) -> tuple[object, ...]:
    """Return the value in the last event at the start, as the two players and a spectator see it."""
    _, events = game.start(1)
    return tuple(game.knowledge.visible_event(events[-1], viewer).slots()[slot][1] for viewer in (0, 1, None))


DRAW = "move top of stack to holding of player(1) as drew"


@pytest.mark.parametrize(
    ("statements", "rank"),
    [
        ("draw_for(player(1))", 3),
        (f"{DRAW}(r: rank of top of stack)", 3),
        (f"{DRAW}(r: 2 * rank of top of stack - 2)", 4),
        (f"let r = rank of top of stack\n    {DRAW}(r)", 3),
        ("let c = top of stack\n    let r = rank of c\n    move c from stack to holding of player(1) as drew(r)", 3),
        (f"let r = (1 if rank of top of stack = 3 otherwise 2)\n    {DRAW}(r)", 1),
    ],
)
def test_value_computed_from_a_hidden_card_is_hidden(tmp_path: Path, statements: str, rank: int) -> None:
    game = veils(tmp_path, statements)
    assert values(game, "r") == (rank, None, None)
    event, teller = game.start(1)[1][-1], narrator(game)
    assert [teller.event(event, viewer) for viewer in (0, 1)] == [f"A card of rank {shown}." for shown in (rank, "?")]


@pytest.mark.parametrize(
    ("statements", "slot", "value"),
    [
        (f"{DRAW}(r: laps)", "r", 5),
        (f"{DRAW}(r: size of table_top)", "r", 0),
        (f"let r = laps + 1\n    {DRAW}(r)", "r", 6),
        # A card visible to all, an explicit announcement, and the receiver of a hidden card.
        ("move top of stack to table_top as drew(r: rank of top of stack)", "r", 3),
        ("tell drew(r: rank of top of stack)", "r", 3),
        ("deal_to(player(2))", "who", 1),
    ],
)
def test_public_values_are_shown_to_all(tmp_path: Path, statements: str, slot: str, value: int) -> None:
    assert values(veils(tmp_path, statements), slot) == (value,) * 3


@pytest.mark.parametrize(("goal", "number"), [("other_box", None), ("open_box", 4)])
def test_number_moved_between_hidden_zones_is_hidden(tmp_path: Path, goal: str, number: int | None) -> None:
    game = veils(tmp_path, f"move all of secret_box to {goal}")
    event = game.start(1)[1][-1]
    assert [game.knowledge.visible_event(event, viewer).fields()["n"][1] for viewer in (0, 1, None)] == [number] * 3
    assert event.fields()["n"][1] == 4
    assert "Everything" in (narrator(game).event(event, 0) or "")


def test_prompts_and_options_omit_hidden_values(tmp_path: Path) -> None:
    game = veils(tmp_path, "let r = rank of top of stack\n    let open_number = laps")
    state, _ = game.start(1)
    teller = narrator(game)
    assert teller.prompt(state) == "Anna, is it ? or 5?"
    assert teller.option(state, state.legal_moves()[0]) == "Agree to ?"
    slots = next(message.slots for message in messages_of(game) if message.name == "decision.answer")
    assert set(slots) == {"player", "open_number"}
