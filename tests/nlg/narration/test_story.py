"""Aggregation of similar events into one sentence, without revealing hidden values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from wongar_dsl.nlg.narration import story
from wongar_dsl.nlg.narration.story import Story

from .told import game_of, narrator, write_words

GAME = """
cards sheet
    one
    two
deck sheets of sheet
    2 one
    2 two
enum colour = red, blue
pile stack holds sheet, seen by nobody
hand holding of each player holds sheet, seen by owner
tokens bowl holds colour, seen by all
tokens plate holds colour, seen by all
setup
    fill bowl with 9 red
    fill bowl with 9 blue
    fill stack with sheets
play
    {}
    nobody wins
"""

SENTENCES = {
    "rests": "{p} [rests|rest].",
    "leaves": "{p} [leaves|leave].",
    "leaves.together": "{parts:and} leave.",
    "leaves.each": "{p}",
    "drew": "{p} [draws|draw] {card:indef}.",
    "drew.together": "{p} draws {parts:and}.",
    "drew.each": "{card:num asis}",
    "moved": "{p} [moves|move] {kind:num}.",
    "moved.together": "{p} moves {parts:and}.",
    "moved.each": "{kind:num asis}",
    "gave": "{p} [gives|give] {kind:num} {q:to}.",
    "won": "{p} [gains|gain] {n:point} {kind:for pl}.",
    "seen": "{p} [sees|see] {kind:indef}.",
    "ends": "the game [is|are] nearly over.",
    "counted": "{kind:pl} have been counted.",
    "begins": "lap {n} [begins|begin].",
}
#: Messages for an event among others, in which some of the stories are told.
AMONG_OTHERS = {
    "rests.together": "{p} [rests|rest] {n:times}.",
    "rests.implied": "{p}",
    "leaves.after": "{p} [leaves|leave].",
    "leaves.together.after": "{parts:and} [go|go].",
    "moved.together": "{p} [moves|move] {parts:and}.",
    "moved.also": "{p} {kind:num}",
    "drew.together": "{p} [draws|draw] {parts:and}.",
    "drew.also": "{p} {card:indef}",
    "drew.together.also": "{p} {parts:and}",
    "gave.together": "{p} [gives|give] {parts:and}.",
    "gave.each": "{kind:num asis} {q:to}",
    "won.also": "{p} {n:point} {kind:for pl}",
    "counted.aside": "counted",
    "begins.heading": "Lap {n}",
}
LEXICON = """
games:
  small:
    sheet: {sg: sheet, pl: sheets}
    one: {sg: ace, pl: aces}
    two: {sg: deuce, pl: deuces}
    red: {sg: ruby, pl: rubies}
    blue: {sg: pearl, pl: pearls}
"""


def story_of(
    folder: Path,
    statements: Sequence[str],
    *among_others: str,
    without: str = "",
    viewer: int | None = None,
    joined: bool = True,
    clauses: str = "",
) -> list[str]:
    """Return the story of a game that consists of these statements; `joined` sentences have a marked verb."""
    sentences = SENTENCES | {name: AMONG_OTHERS[name] for name in among_others}
    if not joined:
        sentences = {name: re.sub(r"\[(\w+)\|\w+\]", r"\1", text) for name, text in sentences.items()}
    write_words(folder, clauses + LEXICON, {f"small.{name}": sentences[name] for name in sentences if name != without})
    game = game_of(folder, GAME.replace("{}", "\n    ".join(statements)))
    told = Story(viewer).unreported(narrator(game), game.start(1)[1])
    return [line.text for line in told if "game is over" not in line.text]


def tell(message: str, *players: int) -> list[str]:
    return [f"tell {message}(p: player({player}))" for player in players]


def move(*moves: tuple[int, str, int]) -> list[str]:
    return [f"move {n} {kind} from bowl to plate as moved(p: player({p}), kind: {kind})" for n, kind, p in moves]


def draw(*players: int) -> list[str]:
    return [f"move top of stack to holding of player({p}) as drew(p: player({p}), card)" for p in players]


LEAVE = tell("leaves", 1, 2)


@pytest.mark.parametrize(
    ("statements", "without", "lines"),
    [
        # The same action of several players, or of one player with several things, is one sentence.
        (LEAVE, "", ["Anna and Bert leave."]),
        (LEAVE[:1], "", ["Anna leaves."]),
        (move((2, "red", 1), (1, "blue", 1), (3, "red", 1)), "", ["Anna moves 5 rubies and one pearl."]),
        ([*LEAVE[:1], *LEAVE[:1]], "", ["Anna (twice) leave."]),
        # Not with an event in between, with other common values, or if one of the two messages is missing.
        ([LEAVE[0], *tell("rests", 2), LEAVE[1]], "", ["Anna leaves.", "Bert rests.", "Bert leaves."]),
        (move((2, "red", 1), (2, "red", 2)), "", ["Anna moves 2 rubies.", "Bert moves 2 rubies."]),
        (LEAVE, "leaves.together", ["Anna leaves.", "Bert leaves."]),
        (LEAVE, "leaves.each", ["Anna leaves.", "Bert leaves."]),
    ],
)
def test_similar_events_are_one_sentence(tmp_path: Path, statements: list[str], without: str, lines: list[str]) -> None:
    assert story_of(tmp_path, statements, without=without, viewer=0, joined=False) == lines


def test_number_of_aggregated_events_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit bounds the memory for the story of a step."""
    monkeypatch.setattr(story, "AT_ONCE", 1)
    assert story_of(tmp_path, LEAVE, joined=False) == ["Anna leaves.", "Bert leaves."]


def test_hidden_cards_are_counted_but_not_named(tmp_path: Path) -> None:
    assert story_of(tmp_path, draw(1, 1, 1, 1), viewer=1, joined=False) == ["Anna draws 4 sheets."]
    (line,) = story_of(tmp_path, draw(1, 1, 1, 1), viewer=0, joined=False)
    assert "2 aces" in line
    assert "2 deuces" in line
    assert "sheet" not in line


FIVE = [*tell("rests", 1), *move((1, "red", 1)), *draw(1), *LEAVE[:1], *move((1, "blue", 1))]
AFTER = [*draw(1), LEAVE[1], *tell("rests", 2)]
LISTS = ("drew.together", "drew.also")
GIFTS = [
    f"move {n} {kind} from bowl to plate as gave(p: player(1), kind: {kind}, q: player({p}))"
    for n, kind, p in ((2, "red", 1), (1, "blue", 1), (1, "red", 2))
]
GAINS = [f"tell won(p: player({p}), n: {n}, kind: red)" for p, n in ((1, 3), (2, 1))]
RETURN = [*move((1, "red", 1)), *tell("leaves", 2, 1)]
LAPS = [LEAVE[0], "tell begins(n: 2)", LEAVE[1]]
COUNTED, SEEN = "tell counted(kind: {})", "tell seen(p: player(1), kind: red)"


@pytest.mark.parametrize(
    ("statements", "among_others", "lines"),
    [
        # Up to four different actions of a player share a sentence.
        ([*LEAVE[:1], *tell("rests", 1)], (), ["Anna leaves and rests."]),
        (FIVE, (), ["Anna rests, moves one ruby, draws a sheet and leaves.", "Anna moves one pearl."]),
        ([*LEAVE[:1], *tell("rests", 1)] * 2, (), ["Anna leaves and rests.", "Anna leaves and rests."]),
        # An event is omitted only before the one that implies it.
        ([*tell("rests", 1), LEAVE[0]], ("rests.implied",), ["Anna leaves."]),
        ([*tell("rests", 1), LEAVE[1]], ("rests.implied",), ["Anna rests.", "Bert leaves."]),
        (tell("rests", 1), ("rests.implied",), ["Anna rests."]),
        # The actions of a second player can follow a semicolon, unless the first sentence names nothing.
        (AFTER, ("leaves.after",), ["Anna draws a sheet; Bert leaves and rests."]),
        (AFTER, (), ["Anna draws a sheet.", "Bert leaves and rests."]),
        (
            [*draw(1), "tell ends", LEAVE[1]],
            ("leaves.after",),
            ["Anna draws a sheet.", "The game is nearly over.", "Bert leaves."],
        ),
        (RETURN, ("leaves.together.after",), ["Anna moves one ruby; Bert and Anna go."]),
        (RETURN, (), ["Anna moves one ruby.", "Bert and Anna leave."]),
        # A verb shared by lists is named once, a counted noun only with the first number, and items by their noun.
        (draw(1, 1, 2, 2), LISTS, ["Anna draws 2 sheets.", "Bert draws 2 sheets."]),
        (draw(1, 1, 2, 2), (*LISTS, "drew.together.also"), ["Anna draws 2 sheets and Bert 2 sheets."]),
        (GAINS, ("won.also",), ["Anna gains 3 points for rubies and Bert one for rubies."]),
        (GIFTS, ("gave.together", "gave.each"), ["Anna gives 2 rubies to Anna, one to Bert and one pearl to Anna."]),
        (tell("rests", 1, 1, 1, 2), ("rests.together",), ["Anna rests three times.", "Bert rests."]),
        # An aside follows the value shared by both events.
        ([COUNTED.format("red"), SEEN], ("counted.aside",), ["Anna sees a ruby (counted)."]),
        ([COUNTED.format("blue"), SEEN], ("counted.aside",), ["Pearls have been counted.", "Anna sees a ruby."]),
        # A heading separates sentences.
        (LAPS, ("begins.heading",), ["Anna leaves.", "Lap 2", "Bert leaves."]),
        (LAPS, (), ["Anna leaves.", "Lap 2 begins.", "Bert leaves."]),
    ],
)
def test_neighbours_share_a_sentence(
    tmp_path: Path, statements: list[str], among_others: tuple[str, ...], lines: list[str]
) -> None:
    assert story_of(tmp_path, statements, *among_others) == lines


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        (((2, "red", 1), (1, "blue", 2), (3, "red", 2)), "Anna moves 2 rubies, and Bert one pearl and 3 rubies."),
        (((2, "red", 1), (1, "blue", 1), (3, "red", 2)), "Anna moves 2 rubies and one pearl, and Bert 3 rubies."),
    ],
)
def test_verb_shared_by_players_is_named_once(
    tmp_path: Path, moves: tuple[tuple[int, str, int], ...], line: str
) -> None:
    assert story_of(tmp_path, move(*moves), "moved.also", without="moved.together") == [line]


@pytest.mark.parametrize(("clauses", "comma"), [("", ","), ('clauses: {serial: ""}', "")])
def test_serial_comma_follows_a_list_if_the_language_has_one(tmp_path: Path, clauses: str, comma: str) -> None:
    deeds = [*move((2, "red", 1), (1, "blue", 1)), LEAVE[0]]
    lines = story_of(tmp_path, deeds, "moved.together", clauses=clauses)
    assert lines == [f"Anna moves 2 rubies and one pearl{comma} and leaves."]
