"""Generated games with hidden information: each kind of zone and value, each visibility and index, on each board."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from tests.properties.permuter import another_value, contents, places, seen_by, write_contents
from wongar_dsl.compiler import ir
from wongar_dsl.engine import Game
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.match import Match, Seat

#: Contents of each kind of zone. Remembered values have a kind per type of value.
ZONES = {"tokens": "piece", "pile": "tile", "heap": "tile", "hand": "tile", "slot": "tile"}
VALUES = {"number": "number 0 to 9", "truth": "yes or no", "enum": "piece", "person": "player", "card": "tile"}
KINDS = (*ZONES, *VALUES)
SEEN = ("", "seen by all", "seen by owner", "seen by nobody", "seen as a number")
#: Each board with its declaration, the type of its areas, and whether cards are placed on it.
BOARDS = {
    "rows": ("board sea\n    row bay reef\n    row cape\n    bay touches reef\n    reef touches bay, cape\n"
             "    cape touches reef\n", "sea", False),
    "bricks": ("board sea\n    row bay reef\n    row cape\n    rows offset by half\n", "sea", False),
    "grid": ("board sea\n    grid 3 by 2\n", "sea", False),
    "hexagons": ("board sea\n    hexagons 2 by 2\n", "sea", False),
    "rings": ("board sea\n    hexagons radius 1\n", "sea", False),
    "cards on a grid": ("board sea\n    grid 3 by 3\n", "isle", True),
    "cards on hexagons": ("board sea\n    hexagons 3 by 3\n", "isle", True),
    "track": ("enum age = bronze, iron\ntrack ages\n    bronze 3 spaces\n    iron 2 spaces\n", "age", False),
    "none": ("", "piece", False),
}  # fmt: skip

#: An area of each board, or a value used as the index instead.
HERE = {"rows": "bay", "bricks": "reef", "grid": "c2", "hexagons": "a1", "rings": "h2_2",
        "cards on a grid": "high_isle", "cards on hexagons": "low_isle", "track": "iron", "none": "canoe"}  # fmt: skip
#: Assigned value, by the type of the remembered value.
SET = {"number": "random n in 0 to 9", "truth": "1 = random n in 0 to 1", "enum": "random k in piece",
       "person": "random q in player", "card": "top of stack"}  # fmt: skip
#: The number of options of a game with moves, and the rounds of decisions.
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


#: The indices of a zone or value; `area` is the area of the board, or the value used instead.
INDICES: tuple[tuple[str, ...], ...] = ((), ("player",), ("area",), ("area", "player"))
#: Further indices: of enumerations, cards, players and areas, in any order.
MORE_INDICES = (
    *(("piece",), ("tile",), ("piece", "piece"), ("piece", "player"), ("player", "piece"), ("player", "tile")),
    *(("player", "player"), ("player", "area"), ("area", "area"), ("area", "piece"), ("piece", "area")),
    *(("area", "tile"), ("area", "piece", "player")),
)


@dataclass(frozen=True)
class Spec:
    """One zone or value of a generated game."""

    kind: str
    seen: str
    indices: tuple[str, ...]

    @property
    def is_zone(self) -> bool:
        return self.kind in ZONES

    def rules_text(self, number: int, index: str) -> str:
        """Return its declaration."""
        index_clauses = "".join(f" of each {index if kind == 'area' else kind}" for kind in self.indices)
        seen = f", {self.seen}" if self.seen else ""
        name = f"{self.kind}_{number}"
        if self.is_zone:
            return f"{self.kind} {name}{index_clauses} holds {ZONES[self.kind]}{seen}\n"
        return f"remember {name}{index_clauses}: {VALUES[self.kind]}{seen}\n"

    def named(self, number: int, here: str, whose: str) -> str:
        """Return the expression for one of its copies."""
        values = {"area": here, "piece": "raft", "tile": "rock", "player": whose}
        return f"{self.kind}_{number}" + (
            f"[{', '.join(map(values.__getitem__, self.indices))}]" if self.indices else ""
        )


def all_specs(board: str) -> Iterator[Spec]:
    """Yield every spec that the language allows with a board, with the usual indices."""
    for spec in specs(INDICES):
        yield spec
        if spec.kind == "tokens" and BOARDS[board][2] and spec.indices == ("area", "player"):
            yield replace(spec, indices=("area", "piece", "player"))


def specs(indices: Sequence[tuple[str, ...]]) -> Iterator[Spec]:
    """Yield every spec with one of these indices that the language allows."""
    for kind, seen, chosen in product(KINDS, SEEN, indices):
        if seen == "seen by owner" and chosen.count("player") != 1:
            continue
        if kind == "hand" and "player" not in chosen:
            continue
        if kind in VALUES and seen == "seen as a number":
            continue
        yield Spec(kind, seen, chosen)


def rules_text(board: str, chosen: list[Spec], moving: random.Random | None = None) -> str:
    """Return a game with these zones and values; with `moving`, its options move their contents."""
    board_declaration, index, has_layout = BOARDS[board]
    options = QUIET.format(index=index)
    if moving is not None:
        effects = [random_effect(board, chosen, moving) for _ in range(OPTIONS)]
        block = "\n                    "
        options = "".join(
            f"                do_{n}(chosen: piece){block}{block.join(lines)}\n" for n, lines in enumerate(effects)
        )
    return GAME.format(
        board=board_declaration,
        rounds=3 if moving is None else ROUNDS,
        options=options,
        layout="layout map holds tile on sea\n" if has_layout else "",
        laying=LAYING if has_layout else "",
        places="".join(spec.rules_text(number, index) for number, spec in enumerate(chosen)),
    )


def load_rules(folder: Path, text: str) -> Rules:
    """Return the rules of a generated game."""
    path = folder / "hiding.rules"
    path.write_text(text, encoding="utf-8")
    return load(path)


def begun_match(rules: Rules) -> Match:
    """Return a match that is only played to its first position, which needs no code."""
    return Match.begin(rules.game(2, backend="reference"), seated(), 1, "hash")


def seated() -> list[Seat]:
    return [Seat("human", name) for name in ("Ann", "Bob")]


def random_effect(board: str, chosen: list[Spec], dice: random.Random) -> list[str]:
    """Return lines that change one of the zones or values, possibly from the contents of another."""
    number = dice.randrange(len(chosen))
    spec, whose = chosen[number], dice.choice(("p", "player(1)", "left of p"))
    target = spec.named(number, HERE[board], whose)
    if spec.kind in VALUES:
        return [f"set {target} to {SET[spec.kind]}"]
    compatible = [
        n
        for n, other_spec in enumerate(chosen)
        if ZONES.get(other_spec.kind) == ZONES[spec.kind] and other_spec.kind != "slot"
    ]
    goal = dice.choice(compatible) if compatible and dice.random() < 0.5 else number
    destination = chosen[goal].named(goal, HERE[board], dice.choice(("p", "player(2)")))
    if spec.kind == "slot":
        move_lines = [f"    move {target} to {destination}"] if goal != number else ["    nothing"]
        return [f"if {target} is empty", f"    move top of stack to {target}", "otherwise", *move_lines]
    if goal != number:
        return [f"move all of {target} to {destination}"]
    if spec.kind == "tokens":
        return ["let m = random n in 1 to 2", f"move m chosen from bag to {target}"]
    return [f"move top of stack to {target}"]


def match_with_contents(played: Game, dice: random.Random) -> Match:
    """Return a match at the first decision with random contents in every zone and value."""
    cells = played.backend.start(dice.getrandbits(32))
    played.backend.run(cells)
    for field, _, address in places(played):
        if field.kind in _FILLED:
            _fill(played, cells, field, address, dice, None)
    return Match(played, seated(), 1, "hash", cells)


def with_hidden_changed(match: Match, seat: int | None, dice: random.Random) -> Match:
    """Return the same match with everything changed that a seat does not see."""
    cells = match.state.cells.copy()
    for field, indices, address in places(match.game):
        seen = seen_by(match.game, field, indices, seat)
        if seen != "all":
            _fill(
                match.game,
                cells,
                field,
                address,
                dice,
                len(contents(cells, field, address)) if seen == "number" else None,
            )
    return Match(match.game, match.seats, match.seed, match.rules_hash, cells)


_FILLED = ("remember", "tokens", "pile", "heap", "slot")


def _fill(played: Game, cells: list[int], field: ir.Field, at: int, dice: random.Random, size: int | None) -> None:
    """Put other contents into a copy: `size` things, or a random number of them."""
    if field.kind == "remember":
        cells[at] = another_value(played, field, cells[at], dice)
        return
    kinds = played.model.size(field.type, played.seats)
    most = 1 if field.kind == "slot" else 5 if field.kind != "pile" else min(5, field.width - 1)
    number = dice.randint(0, most) if size is None else size
    write_contents(cells, field, at, [dice.randrange(kinds) for _ in range(number)])
