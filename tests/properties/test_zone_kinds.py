"""All zone kinds in all modules that handle zones: none may be left out."""

from __future__ import annotations

from pathlib import Path
from typing import cast, get_args

import pytest

from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.compiler.ir.containers import CONTAINERS, LAYOUT, PlacedCard, container, zone_container
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.hidden_information.determinization import determinize
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library import inspect, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.rule_cases.file import YamlNode
from wongar_dsl.engine.rule_cases.position_reader import PositionReader
from wongar_dsl.engine.rule_cases.position_writer import changed_places, full_position, position_difference
from wongar_dsl.language.ast.zones import ZONES, ContainerKind, ZoneKind, zone_traits
from wongar_dsl.language.checker import game_checks
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.render.text.position import picture
from wongar_dsl.render.text.scene import TextScene

KINDS: tuple[ZoneKind, ...] = get_args(ZoneKind)
#: A layout is always public.
HIDING = tuple(kind for kind in KINDS if not ZONES[kind][1].spread)

GAME = """
game kinds
    players 2
    source house rule
enum colour = red, blue, green
board field
    grid 2 by 2
cards tile
    piece(of: colour)
deck box of tile
    1 piece(red), 1 piece(blue), 1 piece(green)
tokens bag holds colour, seen by nobody
pile stack holds tile, seen by nobody
{kind} ground holds {holds}, seen {seen}
score points
setup
    fill bag with 1 red
    fill bag with 1 blue
    fill bag with 1 green
    fill stack with box
    shuffle stack
play
    player(1) chooses turn
        act
            {act}
        stop
            nothing
    player(2) chooses turn
        act
            {act}
        stop
            nothing
    end game
winner p
    most points of p
"""


def rules_text(kind: ZoneKind, seen: str = "by all") -> str:
    """Return a game in which things move from hidden places into a zone of this kind."""
    act = "move top of stack to ground"
    stored = ZONES[kind][0]
    if stored == "tokens":
        act = "move 1 blue from bag to ground"
    elif stored == "layout":
        act = "lay top of stack on ground at b1 turned 2"
    holds = {"tokens": "colour", "layout": "tile on field"}.get(stored, "tile")
    return GAME.format(kind=kind, holds=holds, seen=seen, act=act)


def game_of(folder: Path, kind: ZoneKind, seen: str = "by all") -> Game:
    path = folder / "kinds.rules"
    path.write_text(rules_text(kind, seen), encoding="utf-8")
    return load(path).game(2)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> ZoneKind:
    return cast(ZoneKind, request.param)


@pytest.fixture
def state(kind: ZoneKind, tmp_path: Path) -> State:
    """Return the position after a thing has moved into a public zone."""
    return state_with_contents(game_of(tmp_path, kind))


def state_with_contents(game: Game, seed: int = 3) -> State:
    state, _ = game.start(seed)
    state.apply(state.read("act"))
    return state


def contents(state: State, name: str) -> list[int]:
    """Return the contents of a zone."""
    field = state.game.fields[name]
    zone = container(field)
    assert zone is not None
    return zone.things(state.cells, field.base, field.width)


def yaml_node(value: object) -> YamlNode:
    """Return a value as a node of a case file."""
    if isinstance(value, dict):
        return YamlNode({key: yaml_node(item) for key, item in value.items()}, 1)
    return YamlNode([yaml_node(item) for item in value], 1) if isinstance(value, list) else YamlNode(str(value), 1)


def test_every_zone_kind_has_a_container() -> None:
    assert set(ZONES) == set(KINDS)
    assert set(CONTAINERS) == set(get_args(ContainerKind)) == {stored for stored, _ in ZONES.values()}


@pytest.mark.parametrize("kind", sorted(CONTAINERS))
def test_contents_are_read_as_written(kind: str) -> None:
    zone, traits, faces, capacity = CONTAINERS[kind], zone_traits(kind), 4, 5
    wide = zone.width(faces, capacity)
    cells = [7, *[zone.start] * wide, 7]
    put = [2] if traits.single else [0, 2, 3] if traits.spread else [0, 2, 2]
    if traits.spread:
        LAYOUT.replace_cards(cells, 1, wide, [PlacedCard(face, 10 + face, face) for face in put])
    else:
        zone.write(cells, 1, wide, put)
    assert zone.things(cells, 1, wide) == put
    assert zone.ordered_things(cells, 1, wide) == (put[::-1] if traits.ordered else put)
    assert zone.size(cells, 1, wide) == len(put)
    assert not zone.sized or cells[1] == len(put)
    assert zone.counts(cells, 1, wide, faces) == [put.count(face) for face in range(faces)]
    zone.take(cells, 1, wide, 2)
    remaining = put[:-1] if not traits.spread else [0, 3]
    assert zone.things(cells, 1, wide) == remaining
    assert zone.placed_cards(cells, 1, wide) == (
        tuple(PlacedCard(f, 10 + f, f) for f in remaining) if traits.spread else ()
    )
    with pytest.raises(ValueError, match="not in list"):
        zone.take(cells, 1, wide, 1)
    zone.empty(cells, 1, wide)
    assert cells == [7, *[zone.start] * wide, 7]


def test_checker_counts_the_cells_of_the_program(
    tmp_path: Path, kind: ZoneKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(tmp_path, kind)
    field = game.fields["ground"]
    assert field.width == zone_container(kind).width(game.model.size(field.type, 2), field.capacity)
    cells = sum(game.fields[name].width for name in ("bag", "stack", "ground"))
    monkeypatch.setattr(game_checks, "MAX_STATE", cells)
    assert inspect(tmp_path / "kinds.rules")[0] is not None
    monkeypatch.setattr(game_checks, "MAX_STATE", cells - 1)
    assert [d.code for d in inspect(tmp_path / "kinds.rules")[1]] == ["R0414"]


def test_public_zone_is_observed_and_not_resampled(kind: ZoneKind, state: State) -> None:
    (thing,) = contents(state, "ground")
    field = state.game.fields["ground"]
    name = state.game.model.value_name(field.type, thing)
    expected: dict[ContainerKind, object] = {
        "tokens": {name: 1}, "heap": {name: 1}, "pile": [name], "slot": name, "layout": {name: "b1/2"}
    }  # fmt: skip
    assert observe(state, None)["ground"] == expected[ZONES[kind][0]]
    (_, address) = next(copies(field))
    for seed in range(10):
        world = determinize(state, 0, Generator(seed))
        assert world.cells[address : address + field.width] == state.cells[address : address + field.width]


def test_written_position_restores_the_zone(state: State) -> None:
    before, _ = state.game.start(5)
    reader = PositionReader(state.game)
    for position in (
        full_position(state.game, state.cells),
        position_difference(state.game, before.cells, state.cells),
    ):
        laid = before.copy()
        reader.lay_out(laid, {name: yaml_node(value) for name, value in position.items()})
        assert contents(laid, "ground") == contents(state, "ground") != []
        assert not position_difference(state.game, laid.cells, state.cells)
    expected = {name: yaml_node(value) for name, value in changed_places(state.game, before.cells, state.cells).items()}
    assert list(reader.compare(state, expected)) == []
    assert list(reader.compare(before, expected))


@pytest.mark.parametrize("kind", HIDING)
def test_hidden_zone_is_observed_as_nothing_or_a_number(tmp_path: Path, kind: ZoneKind) -> None:
    assert "ground" not in observe(state_with_contents(game_of(tmp_path, kind, "by nobody")), 0)
    assert observe(state_with_contents(game_of(tmp_path, kind, "as a number")), 0)["ground"] == {"size": 1}


@pytest.mark.parametrize("kind", HIDING)
def test_hidden_zone_is_resampled(tmp_path: Path, kind: ZoneKind) -> None:
    state = state_with_contents(game_of(tmp_path, kind, "as a number"))
    source_zone = "bag" if ZONES[kind][0] == "tokens" else "stack"
    generator = Generator(1)
    worlds = [determinize(state, 0, generator) for _ in range(40)]
    assert len({tuple(contents(world, "ground")) for world in worlds}) == 3
    for world in worlds:
        assert len(contents(world, "ground")) == 1
        assert sorted(contents(world, "ground") + contents(world, source_zone)) == [0, 1, 2]


def test_revealing_move_cannot_be_undone(tmp_path: Path, kind: ZoneKind) -> None:
    match = Match.begin(game_of(tmp_path, kind), [Seat("human"), Seat("human")], 1, "hash")
    match.play(match.state.read("act"))
    assert not match.can_undo()


def test_position_is_placed_and_compared(tmp_path: Path, kind: ZoneKind) -> None:
    game = game_of(tmp_path, kind)
    state, _ = game.start(1)
    stored = ZONES[kind][0]
    name = "blue" if stored == "tokens" else "piece(blue)"
    # A heap can be written as counts and as a list.
    heap: object = {name: 1} if kind == "hand" else [name]
    shapes: dict[ContainerKind, object] = {
        "tokens": {name: 1}, "heap": heap, "pile": [name], "slot": name, "layout": {name: "a2/1"}
    }  # fmt: skip
    contents_data = shapes[stored]
    reader = PositionReader(game)
    position = {"ground": yaml_node(contents_data)}
    assert [d.code for d in reader.compare(state, position)] == ["cases.content"]
    reader.lay_out(state, position)
    assert list(reader.compare(state, position)) == []
    assert contents(state, "ground") == [1]


def test_cards_on_a_grid_lie_in_squares(tmp_path: Path) -> None:
    state = state_with_contents(game_of(tmp_path, "layout"))
    narrator = Narrator(state.game, Translator.load("en"), ("Anna", "Bert"))
    lines = [line_text(line) for line in picture(TextScene(state, narrator, "AB", None, 80, True))]
    name = narrator.short(state.game.fields["ground"].type, contents(state, "ground")[0])
    top, upper, lower, card = (
        next(i for i, line in enumerate(lines) if word in line) for word in ("┌", "a2", "a1", name)
    )
    assert top < upper < lower < card
    assert lines[card].index(name) > lines[card].index("│", 1)
    assert not any("/" in line or "\\" in line for line in lines)
