"""Reference kinds: complete facts, and reads of those that may be `nobody` give nothing."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from tests.small_games import told_values
from wongar_dsl.engine.library import load
from wongar_dsl.language.ast import Let, walk
from wongar_dsl.language.dataflow.dependence import Nullability
from wongar_dsl.language.semantics.builtins import FUNCTIONS, NUMBERS, PROPERTIES, REFERENCES
from wongar_dsl.language.semantics.model import RefKind

#: For each kind of reference that may be `nobody`: such an expression, and the array that it indexes.
NOBODY = {
    "local": ("other", "mark_of_player"),
    "remember": ("chosen", "mark_of_tile"),
    "slot_card": ("show", "mark_of_tile"),
    "laid": ("map[b2]", "mark_of_tile"),
    "table": ("next_colour[blue]", "mark_of_colour"),
    "attribute": ("of of joker", "mark_of_colour"),
    "define": ("nowhere()", "mark_of_field"),
    "rule": ("found()", "mark_of_field"),
    "left": ("left of chief", "mark_of_player"),
    "right": ("right of chief", "mark_of_player"),
    "holder": ("holder of guard", "mark_of_player"),
    "place": ("place of guard", "mark_of_field"),
    "laid_at": ("place of joker", "mark_of_field"),
    "top": ("top of other_stack", "mark_of_tile"),
    "bottom": ("bottom of other_stack", "mark_of_tile"),
    "step": ("step(a1, south)", "mark_of_field"),
    "spot": ("spot(field, 9, 9)", "mark_of_field"),
    "player": ("player(9)", "mark_of_player"),
}

GAME = """
enum colour = red, blue
board field
    grid 2 by 2
figure guard on field held by player
cards tile
    piece(of: colour)
    joker
deck box of tile
    1 piece(red), 1 piece(blue), 1 joker
table next_colour
    red blue
    blue nobody
pile stack holds tile, seen by all
pile other_stack holds tile, seen by all
slot show holds tile, seen by all
layout map holds tile on field, seen by all
remember chosen: tile
remember chief: player
remember before: number = 77
remember mark_of_tile of each tile: number = 5
remember before_colours: number = 77
remember mark_of_colour of each colour: number = 5
remember before_fields: number = 77
remember mark_of_field of each field: number = 5
remember before_players: number = 77
remember mark_of_player of each player: number = 5
score points
setup
    fill stack with box
    lay piece(red) from stack on map at a1 turned 0
rule found() gives field
    give nobody
define nowhere() = step(a1, south)
play
    let other = player(9)
    {}
    player(1) chooses
        go_on
            nothing
    end game
winner p
    most points of p
"""


def test_every_reference_kind_has_facts() -> None:
    assert set(REFERENCES) == set(get_args(RefKind))


def test_each_builtin_has_its_own_reference_kind() -> None:
    named = [p.name for p in PROPERTIES.values()] + [f.name for f in FUNCTIONS.values()] + list(NUMBERS.values())
    assert len(named) == len(set(named))
    assert set(named) <= set(REFERENCES)


def test_every_nullable_kind_is_tested() -> None:
    assert set(NOBODY) == {kind for kind, facts in REFERENCES.items() if facts.absent != "never"}


def test_array_read_with_nobody_gives_nothing(tmp_path: Path) -> None:
    lets = "\n".join(f"let asked_{kind} = {expression}" for kind, (expression, _) in NOBODY.items())
    values = told_values(tmp_path, GAME, (f"{marked}[{expression}]" for expression, marked in NOBODY.values()), lets)
    assert values == [0] * len(NOBODY)
    model = load(tmp_path / "small.rules").model
    body = model.code.main_procedures[-1].body
    for let in (node for node in walk(body) if isinstance(node, Let) and node.variable.text.startswith("asked_")):
        assert model.refs[let.value].kind == let.variable.text.removeprefix("asked_")
        assert Nullability(model).may_be_none(let.value)
