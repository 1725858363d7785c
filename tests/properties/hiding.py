"""Generated games that hide: every kind of place, every visibility and index, on every kind of board."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tests.properties.permuter import another_value, lay, places, seen_by, things
from wongar_dsl import ir
from wongar_dsl.engine import Game
from wongar_dsl.engine.match import Match, Seat

#: What a place holds, by its kind: a remembered value is a kind for each sort of value.
ZONES = {"tokens": "piece", "pile": "tile", "heap": "tile", "hand": "tile", "slot": "tile"}
VALUES = {"number": "number 0 to 9", "truth": "yes or no", "enum": "piece", "person": "player", "card": "tile"}
KINDS = (*ZONES, *VALUES)
SEEN = ("", "seen by all", "seen by owner", "seen by nobody", "seen as a number")
#: Each board with its article, the index by area, and where cards are laid.
BOARDS = {
    "rows": ("board sea\n    row bay reef\n    row cape\n    bay touches reef\n    reef touches bay, cape\n"
             "    cape touches reef\n", "sea", False),
    "bricks": ("board sea\n    row bay reef\n    row cape\n    rows offset by half\n", "sea", False),
    "grid": ("board sea\n    grid 3 by 2\n", "sea", False),
    "corners": ("board sea\n    grid 2 by 3\n    touching diagonally\n", "sea", False),
    "hexagons": ("board sea\n    hexagons 2 by 2\n", "sea", False),
    "rings": ("board sea\n    hexagons radius 1\n", "sea", False),
    "cards on a grid": ("board sea\n    grid 3 by 3\n", "isle", True),
    "cards on hexagons": ("board sea\n    hexagons 3 by 3\n", "isle", True),
    "track": ("enum age = bronze, iron\ntrack ages\n    bronze 3 spaces\n    iron 2 spaces\n", "age", False),
    "none": ("", "piece", False),
}  # fmt: skip

#: An area of each board, or a value by which there is one of each.
HERE = {"rows": "bay", "bricks": "reef", "grid": "c2", "corners": "b3", "hexagons": "a1", "rings": "h2_2",
        "cards on a grid": "high_isle", "cards on hexagons": "low_isle", "track": "iron", "none": "canoe"}  # fmt: skip
#: What is remembered, by the sort of value.
SET = {"number": "random n in 0 to 9", "truth": "1 = random n in 0 to 1", "enum": "random k in piece",
       "person": "random q in player", "card": "top of stack"}  # fmt: skip
#: The options of a game in which something moves, and how often everybody chooses.
OPTIONS, ROUNDS = 8, 4

GAME = """game hiding
    players 2
    source house rule
enum isle = high_isle, low_isle
enum piece = ship, raft, canoe
{board}cards tile
    land(of: isle)
    rock
deck box of tile
    8 land(high_isle), 8 land(low_isle), 8 rock
tokens bag holds piece, seen by nobody
pile stack holds tile, seen by nobody
score points
{layout}{places}setup
    fill bag with 20 ship
    fill bag with 20 raft
    fill bag with 20 canoe
    fill stack with box
{laying}play
    repeat {rounds} times
        for each p in player
            p chooses turn
{options}winner p
    most points of p
"""
QUIET = """                go
                    nothing
                stop(n: 1 to 2)
                    nothing
                name_it(what: {index})
                    nothing
"""
LAYING = """    lay land(high_isle) from stack on map at b2 turned 0
    lay land(low_isle) from stack on map at a1 turned 0
"""


@dataclass(frozen=True)
class Spec:
    """One place of a generated game."""

    kind: str
    seen: str
    by_area: bool
    by_player: bool
    by_part: bool = False

    def written(self, number: int, index: str) -> str:
        """Its article."""
        each = (f" of each {index}" if self.by_area else "") + (" of each piece" if self.by_part else "")
        each += " of each player" if self.by_player else ""
        seen = f", {self.seen}" if self.seen else ""
        name = f"{self.kind}_{number}"
        if self.kind in ZONES:
            return f"{self.kind} {name}{each} holds {ZONES[self.kind]}{seen}\n"
        return f"remember {name}{each}: {VALUES[self.kind]}{seen}\n"

    def named(self, number: int, here: str, whose: str) -> str:
        """How a statement names one of its copies."""
        indices = [here] * self.by_area + ["raft"] * self.by_part + [whose] * self.by_player
        return f"{self.kind}_{number}" + (f"[{', '.join(indices)}]" if indices else "")


def specs(board: str) -> Iterator[Spec]:
    """Every place that the language allows beside a board."""
    for kind, seen, by_area, by_player in product(KINDS, SEEN, (False, True), (False, True)):
        if seen == "seen by owner" and not by_player:
            continue
        if kind == "hand" and not by_player:
            continue
        if kind in VALUES and seen == "seen as a number":
            continue
        yield Spec(kind, seen, by_area, by_player)
        if kind == "tokens" and BOARDS[board][2] and by_area and by_player:
            yield Spec(kind, seen, by_area, by_player, by_part=True)


def written(board: str, chosen: list[Spec], moving: random.Random | None = None) -> str:
    """A game with these places; with dice, one in which the players move what lies in them."""
    article, index, laid = BOARDS[board]
    options = QUIET.format(index=index)
    if moving is not None:
        deeds = [deed(board, chosen, moving) for _ in range(OPTIONS)]
        block = "\n                    "
        options = "".join(
            f"                do_{n}(chosen: piece){block}{block.join(lines)}\n" for n, lines in enumerate(deeds)
        )
    return GAME.format(
        board=article,
        rounds=3 if moving is None else ROUNDS,
        options=options,
        layout="layout map holds tile on sea\n" if laid else "",
        laying=LAYING if laid else "",
        places="".join(spec.written(number, index) for number, spec in enumerate(chosen)),
    )


def deed(board: str, chosen: list[Spec], dice: random.Random) -> list[str]:
    """The lines of something that changes what lies in one of the places, perhaps by what lies in another."""
    number = dice.randrange(len(chosen))
    spec, whose = chosen[number], dice.choice(("p", "player(1)", "left of p"))
    there = spec.named(number, HERE[board], whose)
    if spec.kind in VALUES:
        return [f"set {there} to {SET[spec.kind]}"]
    alike = [n for n, one in enumerate(chosen) if ZONES.get(one.kind) == ZONES[spec.kind] and one.kind != "slot"]
    goal = dice.choice(alike) if alike and dice.random() < 0.5 else number
    into = chosen[goal].named(goal, HERE[board], dice.choice(("p", "player(2)")))
    if spec.kind == "slot":
        out = [f"    move {there} to {into}"] if goal != number else ["    nothing"]
        return [f"if {there} is empty", f"    move top of stack to {there}", "otherwise", *out]
    if goal != number:
        return [f"move all of {there} to {into}"]
    if spec.kind == "tokens":
        return ["let m = random n in 1 to 2", f"move m chosen from bag to {there}"]
    return [f"move top of stack to {there}"]


def filled(played: Game, dice: random.Random) -> Match:
    """A match at the first decision, with something in every place."""
    cells = played.backend.start(dice.getrandbits(32))
    played.backend.run(cells)
    for field, _, at in places(played):
        if field.kind in _FILLED:
            _fill(played, cells, field, at, dice, None)
    return Match(played, [Seat("human", name) for name in ("Ann", "Bob")], 1, "hash", cells)


def changed(match: Match, seat: int | None, dice: random.Random) -> Match:
    """The same match, in which everything has changed that a seat does not see."""
    cells = match.state.cells.copy()
    for field, indices, at in places(match.game):
        seen = seen_by(match.game, field, indices, seat)
        if seen != "all":
            _fill(match.game, cells, field, at, dice, len(things(cells, field, at)) if seen == "number" else None)
    return Match(match.game, match.seats, match.seed, match.rules_hash, cells)


_FILLED = ("remember", "tokens", "pile", "heap", "slot")


def _fill(played: Game, cells: list[int], field: ir.Field, at: int, dice: random.Random, size: int | None) -> None:
    """Put other things or another value there; as many as there should be, or as dice say."""
    if field.kind == "remember":
        cells[at] = another_value(played, field, cells[at], dice)
        return
    kinds = played.model.size(field.type, played.seats)
    most = 1 if field.kind == "slot" else 5 if field.kind != "pile" else min(5, field.width - 1)
    number = dice.randint(0, most) if size is None else size
    lay(cells, field, at, [dice.randrange(kinds) for _ in range(number)])
