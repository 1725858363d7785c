"""Which names stand where, and what each stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl import syntax as s
from wongar_dsl.language_server.snapshot import take
from wongar_dsl.language_server.symbols import Symbol
from wongar_dsl.parser import written_lines
from wongar_dsl.syntax import walk

from .files import GAME, VARIANT, VARIANT_AT, place, read, shown

ROOT = Path(__file__).resolve().parents[2]


def test_names_of_rules_are_local_to_them() -> None:
    snapshot = read()
    one = snapshot.at(place(GAME, "place(kind", "kind"))
    other = snapshot.at(place(GAME, "1 kind", "kind"))
    assert one is not None
    assert other is not None
    assert one.symbol == other.symbol
    assert one.symbol.kind == "local"


def test_a_variant_speaks_of_the_names_of_its_base() -> None:
    snapshot = read(VARIANT_AT)
    kind = snapshot.at(place(VARIANT, "if kind", "kind"))
    assert kind is not None
    assert shown(snapshot.everywhere[kind.symbol]) == [
        "kind meadow.rules:43", "kind meadow.rules:43", "kind meadow.rules:44", "kind rich.rules:9",
    ]  # fmt: skip
    assert shown(snapshot.everywhere[Symbol("decision", "turn")]) == [
        "turn meadow.rules:42", "turn rich.rules:9", "turn rich.rules:12",
    ]  # fmt: skip
    assert shown(snapshot.everywhere[Symbol("name", "worth")])[-1] == "worth rich.rules:6"


def test_what_is_replaced_still_has_its_names() -> None:
    snapshot = read(
        VARIANT_AT,
        variant="variant rich of meadow\n\nreplace rule take_turn(one: player)\n    tell passed(player: one)\n",
    )
    assert [n.symbol.kind for n in snapshot.names if n.symbol.name == "one"] == ["local", "local"]
    assert "take_turn rich.rules:3" in shown(snapshot.everywhere[Symbol("name", "take_turn")])
    assert len(snapshot.everywhere[Symbol("name", "supply")]) == 7


def test_a_name_with_a_mistake_beside_it_is_still_known() -> None:
    snapshot = read(base=GAME.replace("take_turn(p)", "take_turn(p, worht[disc])"))
    assert snapshot.loaded.rules is None
    assert len(snapshot.everywhere[Symbol("name", "disc")]) == 6


@pytest.mark.parametrize("file", ["tongiaki/tongiaki.rules", "wongar/initiated.rules", "ubongo/hard.rules"])
def test_every_name_of_a_shipped_game_is_found(file: str) -> None:
    snapshot = take(ROOT / "rules" / file, {})
    assert snapshot.own is not None
    assert snapshot.tree is not None
    text = snapshot.own.source.text
    written = [token for line in written_lines(text) for token in line.tokens if token.kind == "NAME"]
    found = {(name.span.line, name.span.column) for name in snapshot.names}
    missed = {
        token.text
        for token in written
        if (text.count("\n", 0, token.start) + 1, token.start - text.rfind("\n", 0, token.start)) not in found
    }
    # What a message calls its arguments is no name of the rules.
    calls = [
        a.name for ref in walk(tuple(snapshot.tree.articles)) if isinstance(ref, s.MessageRef) for a in ref.arguments
    ]
    assert missed <= {"I", *calls}
