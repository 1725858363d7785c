"""A direction is a number in the rules and in records, and a word to players."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import Game
from wongar_dsl.engine.events import plain
from wongar_dsl.library import load
from wongar_dsl.narration.messages import messages_of
from wongar_dsl.narration.narrator import Narrator
from wongar_dsl.narration.untranslated import uncovered
from wongar_dsl.words import Words

GAME = """
game compass
    players 1
    source house rule
board place_of
    {}
play
    for each begun in direction of place_of where begun = {}
        player(1) chooses slide
            go(here: place_of, way: direction of place_of where step(here, way) is not nobody)
                tell gone(here, way)
                nobody wins
            otherwise
                impossible
"""


def compass(folder: Path, board: str, first: int = 1) -> Game:
    path = folder / "compass.rules"
    path.write_text(GAME.format(board, first), encoding="utf-8")
    return load(path).game(1)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("north", "northeast", "east")),
        ("de", ("Norden", "Nordosten", "Osten")),
        ("nl", ("noorden", "noordoosten", "oosten")),
        ("it", ("nord", "nord-est", "est")),
    ],
)
def test_players_read_words(tmp_path: Path, language: str, words: tuple[str, ...]) -> None:
    game = compass(tmp_path, "grid 2 by 2")
    state, _ = game.start(1)
    narrator = Narrator(game, Words.load(language), ["Anna"])
    moves = [
        move for move in state.legal_moves() if move.arguments[0] == game.model.boards["place_of"].areas.index("a1")
    ]
    said = [narrator.option(state, move) for move in moves]
    assert [text.rpartition(" ")[2] for text in said] == list(words)
    (event, *_) = state.apply(moves[2])
    assert (narrator.event(event, None) or "").endswith(f"(a1, {words[2]})")


def test_programs_read_numbers(tmp_path: Path) -> None:
    game = compass(tmp_path, "grid 2 by 2")
    state, _ = game.start(1)
    move = state.read("go(a1, 2)")
    assert move is not None
    assert state.write(move) == "go(a1, 2)"
    (event, *_) = state.apply(move)
    assert plain(game.model, game.fields, event)["arguments"] == {"here": "a1", "way": 2}


def test_on_hexagons_the_same_numbers_are_other_words(tmp_path: Path) -> None:
    game = compass(tmp_path, "hexagons radius 1")
    state, _ = game.start(1)
    narrator = Narrator(game, Words.load("en"), ["Anna"])
    middle = [move for move in state.legal_moves() if state.write(move).startswith("go(h2_2,")]
    said = [narrator.option(state, move).rpartition(" ")[2] for move in middle]
    assert said == ["northeast", "east", "southeast", "southwest", "west", "northwest"]


def test_a_sentence_speaks_of_a_direction_as_of_a_term(tmp_path: Path) -> None:
    messages = {message.name: message.slots for message in messages_of(compass(tmp_path, "grid 2 by 2"))}
    assert messages["gone"]["way"] == "term:direction"
    assert messages["decision.slide.go"]["way"] == "term:direction"
    assert messages["decision.slide"]["begun"] == "term:direction"


def test_a_language_without_words_for_directions_is_told(tmp_path: Path) -> None:
    (tmp_path / "locales" / "xx").mkdir(parents=True)
    lexicon = "name: Xx\nnumbers: {other: pl}\nfeatures: {number: [sg, pl]}\ngames:\n  compass:\n    compass: compass\n"
    (tmp_path / "locales" / "xx" / "lexicon.yaml").write_text(lexicon, encoding="utf-8")
    found = uncovered(compass(tmp_path, "grid 2 by 2"), [tmp_path / "locales"])
    assert {"north", "southwest"} <= {d.arguments["name"] for d in found if d.code == "R0501"}
