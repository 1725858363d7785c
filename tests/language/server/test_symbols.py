"""Symbols of rule files, and positions across edits."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.parser import written_lines
from wongar_dsl.language.server.symbols import Encoding, LineShift, Symbol, column_at, read_snapshot, units

from .files import GAME, VARIANT, VARIANT_AT, occurrence_lines, position_of, snapshot_of


@pytest.mark.parametrize(("encoding", "count"), [("utf-8", 9), ("utf-16", 5), ("utf-32", 4)])
def test_columns_are_counted_in_the_agreed_encoding(encoding: Encoding, count: int) -> None:
    line = "a♞🙂bc"
    assert units(line, 5, encoding) == count
    assert column_at(line, count, encoding) == 5
    assert units(line, 99, encoding) == count + 1
    assert column_at(line, 99, encoding) == len(line) + 1


def test_position_inside_of_a_character_is_rounded_down() -> None:
    assert column_at("🙂x", 1, "utf-16") == 1


def test_lone_surrogate_is_handled() -> None:
    assert units("\ud83dx", 3, "utf-16") == 2
    assert column_at("\ud83dx", 1, "utf-8") == 2


def test_lines_below_an_insertion_shift_down() -> None:
    shift = LineShift.between(["a", "b", "c", "d"], ["a", "new", "newer", "c", "d"])
    assert [shift.newer(n) for n in (1, 2, 3, 4)] == [1, 2, 4, 5]
    assert [shift.older(n) for n in (1, 4, 5)] == [1, 3, 4]


def test_shifted_lines_stay_within_the_text() -> None:
    shift = LineShift.between(["a", "b", "c"], [""])
    assert {shift.newer(n) for n in (1, 2, 3)} == {1}


ROOT = Path(__file__).resolve().parents[3]


def test_parameters_are_local_symbols() -> None:
    snapshot = snapshot_of()
    declaration = snapshot.at(position_of(GAME, "place(kind", "kind"))
    use = snapshot.at(position_of(GAME, "1 kind", "kind"))
    assert declaration is not None
    assert use is not None
    assert declaration.symbol == use.symbol
    assert declaration.symbol.kind == "local"


def test_variant_refers_to_symbols_of_its_base() -> None:
    snapshot = snapshot_of(VARIANT_AT)
    kind = snapshot.at(position_of(VARIANT, "if kind", "kind"))
    assert kind is not None
    assert occurrence_lines(snapshot.everywhere[kind.symbol]) == [
        "kind meadow.rules:43", "kind meadow.rules:43", "kind meadow.rules:44", "kind rich.rules:9",
    ]  # fmt: skip
    assert occurrence_lines(snapshot.everywhere[Symbol("decision", "turn")]) == [
        "turn meadow.rules:42", "turn rich.rules:9", "turn rich.rules:12",
    ]  # fmt: skip
    assert occurrence_lines(snapshot.everywhere[Symbol("name", "worth")])[-1] == "worth rich.rules:6"


@pytest.mark.parametrize("option", [False, True])
def test_age_that_a_variant_sets_is_a_name_only_if_it_is_an_option(option: bool) -> None:
    base = GAME.replace("    book", '    age 8\n        source leaflet "Title"\n    book', 1)
    variant = 'variant rich of meadow\n\nset age to 9\n    source leaflet "Title"\n'
    snapshot = snapshot_of(VARIANT_AT, base=base + ("\noption age = 1 in 1 to 9\n" * option), variant=variant)
    assert (
        occurrence_lines(snapshot.everywhere.get(Symbol("name", "age"), ()))[option:] == ["age rich.rules:3"] * option
    )
    cited = occurrence_lines(snapshot.everywhere[Symbol("book", "leaflet")])
    assert (cited[0], cited[-1]) == ("leaflet meadow.rules:4", "leaflet rich.rules:4")
    assert len(cited) == GAME.count(" leaflet ") + 2


def test_replaced_rule_keeps_its_symbols() -> None:
    snapshot = snapshot_of(
        VARIANT_AT,
        variant="variant rich of meadow\n\nreplace rule take_turn(one: player)\n    tell passed(player: one)\n",
    )
    assert [n.symbol.kind for n in snapshot.names if n.symbol.name == "one"] == ["local", "local"]
    assert "take_turn rich.rules:3" in occurrence_lines(snapshot.everywhere[Symbol("name", "take_turn")])
    assert len(snapshot.everywhere[Symbol("name", "supply")]) == 7


def test_symbols_are_found_next_to_an_error() -> None:
    snapshot = snapshot_of(base=GAME.replace("take_turn(p)", "take_turn(p, worht[disc])"))
    assert snapshot.loaded.rules is None
    assert len(snapshot.everywhere[Symbol("name", "disc")]) == 6


@pytest.mark.parametrize("file", ["tongiaki/tongiaki.rules", "wongar/initiated.rules", "ubongo/hard.rules"])
def test_all_names_of_shipped_games_are_symbols(file: str) -> None:
    snapshot = read_snapshot(ROOT / "rules" / file, {})
    assert snapshot.file is not None
    assert snapshot.tree is not None
    text = snapshot.file.source.text
    written = [token for line in written_lines(text) for token in line.tokens if token.kind == "NAME"]
    found_positions = {(name.span.line, name.span.column) for name in snapshot.names}
    missed = {
        token.text
        for token in written
        if (text.count("\n", 0, token.start) + 1, token.start - text.rfind("\n", 0, token.start)) not in found_positions
    }
    # Argument names of messages are not symbols.
    calls = [
        a.name for ref in walk(tuple(snapshot.tree.articles)) if isinstance(ref, s.MessageRef) for a in ref.arguments
    ]
    assert missed <= {"I", *calls}
