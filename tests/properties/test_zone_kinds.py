"""Every kind of zone goes through everything that looks into zones: nobody may forget one."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from wongar_dsl.backends.chance import Generator
from wongar_dsl.cases.descriptions import changed, laid_over, whole
from wongar_dsl.cases.file import YamlNode
from wongar_dsl.cases.positions import PositionReader
from wongar_dsl.checker import limits
from wongar_dsl.cli.pictures.position import picture
from wongar_dsl.cli.pictures.scene import Scene
from wongar_dsl.cli.terminal.screen import plain
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.determinization import determinize
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.observation import observe
from wongar_dsl.engine.save_files import write_save
from wongar_dsl.engine.saves import read_save, replay
from wongar_dsl.ir.containers import CONTAINERS, LAYOUT, STORED_AS, ContainerKind, Laid, container, zone_facts
from wongar_dsl.library import inspect, load
from wongar_dsl.narration import Narrator
from wongar_dsl.syntax import ZoneKind
from wongar_dsl.words import Words

KINDS: tuple[ZoneKind, ...] = get_args(ZoneKind)
#: A layout lies open.
HIDING = tuple(kind for kind in KINDS if STORED_AS[kind] != "layout")

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


def written(kind: ZoneKind, seen: str = "by all") -> str:
    """A game in which things come from hidden places into a zone of a kind."""
    act = "move top of stack to ground"
    stored = STORED_AS[kind]
    if stored == "tokens":
        act = "move 1 blue from bag to ground"
    elif stored == "layout":
        act = "lay top of stack on ground at b1 turned 2"
    holds = {"tokens": "colour", "layout": "tile on field"}.get(stored, "tile")
    return GAME.format(kind=kind, holds=holds, seen=seen, act=act)


def game_of(folder: Path, kind: ZoneKind, seen: str = "by all") -> Game:
    path = folder / "kinds.rules"
    path.write_text(written(kind, seen), encoding="utf-8")
    return load(path).game(2)


def filled(game: Game, seed: int = 3) -> State:
    """The position after a thing has come into the zone."""
    state, _ = game.start(seed)
    state.apply(state.read("act"))
    return state


def things(state: State, name: str) -> list[int]:
    """What lies in a zone."""
    place = state.game.fields[name]
    zone = container(place)
    assert zone is not None
    return zone.things(state.cells, place.base, place.width)


def node(value: object) -> YamlNode:
    """A value as it stands in a cases file."""
    if isinstance(value, dict):
        return YamlNode({key: node(item) for key, item in value.items()}, 1)
    return YamlNode([node(item) for item in value], 1) if isinstance(value, list) else YamlNode(str(value), 1)


def test_every_kind_has_its_entry() -> None:
    assert set(STORED_AS) == set(KINDS)
    assert set(CONTAINERS) == set(get_args(ContainerKind)) == set(STORED_AS.values())


@pytest.mark.parametrize("kind", sorted(CONTAINERS))
def test_what_is_written_is_read_again(kind: str) -> None:
    zone, faces, capacity = CONTAINERS[kind], 4, 5
    wide = zone.width(faces, capacity)
    cells = [7, *[zone.start] * wide, 7]
    put = [2] if zone.single else [0, 2, 3] if zone.spread else [0, 2, 2]
    if zone.spread:
        LAYOUT.lay(cells, 1, wide, [Laid(face, 10 + face, face) for face in put])
    else:
        zone.write(cells, 1, wide, put)
    assert zone.things(cells, 1, wide) == put
    assert zone.told(cells, 1, wide) == (put[::-1] if zone.ordered else put)
    assert zone.size(cells, 1, wide) == len(put)
    assert not zone.sized or cells[1] == len(put)
    assert zone.counts(cells, 1, wide, faces) == [put.count(face) for face in range(faces)]
    zone.take(cells, 1, wide, 2)
    left = put[:-1] if not zone.spread else [0, 3]
    assert zone.things(cells, 1, wide) == left
    assert zone.laid(cells, 1, wide) == (tuple(Laid(f, 10 + f, f) for f in left) if zone.spread else ())
    with pytest.raises(ValueError, match="not in list"):
        zone.take(cells, 1, wide, 1)
    zone.empty(cells, 1, wide)
    assert cells == [7, *[zone.start] * wide, 7]


@pytest.mark.parametrize("kind", KINDS)
def test_the_checker_counts_the_cells_that_the_program_has(
    tmp_path: Path, kind: ZoneKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(tmp_path, kind)
    place = game.fields["ground"]
    assert place.width == zone_facts(kind).width(game.model.size(place.type, 2), place.capacity)
    cells = sum(game.fields[name].width for name in ("bag", "stack", "ground"))
    path = tmp_path / "kinds.rules"
    monkeypatch.setattr(limits, "MAX_STATE", cells)
    assert inspect(path)[0] is not None
    monkeypatch.setattr(limits, "MAX_STATE", cells - 1)
    assert [d.code for d in inspect(path)[1]] == ["R0414"]


@pytest.mark.parametrize("kind", KINDS)
def test_who_may_see_it_sees_it(tmp_path: Path, kind: ZoneKind) -> None:
    state = filled(game_of(tmp_path, kind))
    (thing,) = things(state, "ground")
    name = state.game.model.value_name(state.game.fields["ground"].type, thing)
    expected: dict[ContainerKind, object] = {
        "tokens": {name: 1}, "heap": {name: 1}, "pile": [name], "slot": name, "layout": {name: "b1/2"}
    }  # fmt: skip
    assert observe(state, None)["ground"] == expected[STORED_AS[kind]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_in_words_can_be_laid_out_again(tmp_path: Path, kind: ZoneKind) -> None:
    state = filled(game_of(tmp_path, kind))
    before, _ = state.game.start(5)
    reader = PositionReader(state.game)
    for position in (whole(state.game, state.cells), laid_over(state.game, before.cells, state.cells)):
        laid = before.copy()
        reader.lay(laid, {name: node(value) for name, value in position.items()})
        assert things(laid, "ground") == things(state, "ground")
        assert not laid_over(state.game, laid.cells, state.cells)
    expected = {name: node(value) for name, value in changed(state.game, before.cells, state.cells).items()}
    assert list(reader.compare(state, expected)) == []
    assert list(reader.compare(before, expected))


@pytest.mark.parametrize("kind", HIDING)
def test_who_may_not_see_it_sees_nothing_or_a_number(tmp_path: Path, kind: ZoneKind) -> None:
    assert "ground" not in observe(filled(game_of(tmp_path, kind, "by nobody")), 0)
    assert observe(filled(game_of(tmp_path, kind, "as a number")), 0)["ground"] == {"size": 1}


@pytest.mark.parametrize("kind", HIDING)
def test_what_is_hidden_is_dealt_anew(tmp_path: Path, kind: ZoneKind) -> None:
    state = filled(game_of(tmp_path, kind, "as a number"))
    other = "bag" if STORED_AS[kind] == "tokens" else "stack"
    generator = Generator(1)
    worlds = [determinize(state, 0, generator) for _ in range(40)]
    assert len({tuple(things(world, "ground")) for world in worlds}) == 3
    for world in worlds:
        assert len(things(world, "ground")) == 1
        assert sorted(things(world, "ground") + things(world, other)) == [0, 1, 2]


@pytest.mark.parametrize("kind", KINDS)
def test_what_lies_open_is_not_dealt_anew(tmp_path: Path, kind: ZoneKind) -> None:
    state = filled(game_of(tmp_path, kind))
    place = state.game.fields["ground"]
    (_, at) = next(copies(place))
    for seed in range(10):
        world = determinize(state, 0, Generator(seed))
        assert world.cells[at : at + place.width] == state.cells[at : at + place.width]


@pytest.mark.parametrize("kind", KINDS)
def test_what_came_to_light_is_not_taken_back(tmp_path: Path, kind: ZoneKind) -> None:
    match = Match.begin(game_of(tmp_path, kind), [Seat("human"), Seat("human")], 1, "hash")
    match.play(match.state.read("act"))
    assert not match.can_undo()


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_lays_it_out_and_compares_it(tmp_path: Path, kind: ZoneKind) -> None:
    game = game_of(tmp_path, kind)
    state, _ = game.start(1)
    stored = STORED_AS[kind]
    name = "blue" if stored == "tokens" else "piece(blue)"
    # A heap can be written as numbers and as a list.
    heap: object = {name: 1} if kind == "hand" else [name]
    shapes: dict[ContainerKind, object] = {
        "tokens": {name: 1}, "heap": heap, "pile": [name], "slot": name, "layout": {name: "a2/1"}
    }  # fmt: skip
    wanted = shapes[stored]
    reader = PositionReader(game)
    position = {"ground": node(wanted)}
    assert [d.code for d in reader.compare(state, position)] == ["cases.content"]
    reader.lay(state, position)
    assert list(reader.compare(state, position)) == []
    assert things(state, "ground") == [1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_save_brings_it_back(tmp_path: Path, kind: ZoneKind) -> None:
    game = game_of(tmp_path, kind)
    match = Match.begin(game, [Seat("human"), Seat("human")], 5, "hash")
    match.play(match.state.read("act"))
    write_save(tmp_path / "save.json", match)
    again = replay(game, "hash", read_save(tmp_path / "save.json"), tmp_path / "save.json")
    assert things(again.state, "ground") == things(match.state, "ground") != []


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_shows_it(tmp_path: Path, kind: ZoneKind) -> None:
    state = filled(game_of(tmp_path, kind))
    narrator = Narrator(state.game, Words.load("en"), ("Anna", "Bert"))
    scene = Scene(state, narrator, "AB", None, 80, True)
    text = "\n".join(plain(line) for line in picture(scene))
    (thing,) = things(state, "ground")
    shown = (
        scene.token(thing) if STORED_AS[kind] == "tokens" else narrator.short(state.game.fields["ground"].type, thing)
    )
    before, _ = state.game.start(3)
    assert text.count(shown) > "\n".join(
        plain(line) for line in picture(Scene(before, narrator, "AB", None, 80, True))
    ).count(shown)


def test_cards_on_a_grid_lie_in_squares(tmp_path: Path) -> None:
    state = filled(game_of(tmp_path, "layout"))
    narrator = Narrator(state.game, Words.load("en"), ("Anna", "Bert"))
    lines = [plain(line) for line in picture(Scene(state, narrator, "AB", None, 80, True))]
    name = narrator.short(state.game.fields["ground"].type, things(state, "ground")[0])
    top, upper, lower = (next(i for i, line in enumerate(lines) if word in line) for word in ("┌", "a2", "a1"))
    card = next(i for i, line in enumerate(lines) if name in line)
    assert top < upper < lower < card
    assert lines[card].index(name) > lines[card].index("│", 1)
    assert not any("/" in line or "\\" in line for line in lines)
