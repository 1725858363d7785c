"""Invariants of an Ubongo game at every decision and at its end, for any answer times."""

from __future__ import annotations

from collections import Counter

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game
from wongar_dsl.engine.hidden_information.information import copies

#: Number of rounds of each variant, by the number of players.
ROUNDS = {"ubongo": {2: 9, 3: 9, 4: 9}, "ubongo/hard": {2: 9, 3: 9, 4: 9}, "ubongo/long": {2: 18, 3: 12, 4: 9}}


class Watched:
    """Random game with answer times from 0 to 80 seconds and checks at every decision."""

    def __init__(self, played: Game, seed: int) -> None:
        self.game, self.seats = played, played.seats
        self.fields = played.fields
        self.generator = Generator(seed)
        self.cells = played.backend.start(seed)
        self.options_seen: set[str] = set()

    def number(self, name: str) -> int:
        return self.cells[self.fields[name].base]

    def play(self) -> None:
        runner, cells = self.game.backend, self.cells
        runner.run(cells)
        while True:
            while cells[ir.AT_DECISION] == ir.READY:
                runner.run(cells)
            self.check()
            if cells[ir.AT_DECISION] < 0:
                break
            options = runner.options(cells)
            assert options
            option = options[self.generator.below(len(options))]
            self.options_seen.add(self.game.program.decisions[cells[ir.AT_DECISION]].options[option[0]].name)
            runner.choose(cells, option, self.generator.below(80_000) >> self.generator.below(8))
            runner.run(cells)
        assert self.number("round") == ROUNDS[self.game.name][self.seats]
        assert self.number("stack") == 0
        assert cells[ir.AT_WINNERS]

    def check(self) -> None:
        line, collection, bag = self.fields["line"], self.fields["collection"], self.fields["bag"]
        cells = self.cells
        colours: Counter[int] = Counter()
        for pile in (line, bag):
            for _, address in copies(pile):
                assert 0 <= cells[address] <= pile.capacity
                colours.update(cells[address + 1 : address + 1 + cells[address]])
        for _, address in copies(collection):
            held = cells[address + 1 : address + collection.width]
            assert cells[address] == sum(held)
            assert min(held) >= 0
            colours.update(dict(enumerate(held)))
        assert colours == dict.fromkeys(range(6), 12)
        standing = self.fields["standing"]
        placing = self.number("round") == 0
        for _, address in copies(standing):
            assert (-1 if placing else 0) <= cells[address] < 6
        tablets = self.number("stack") + self.number("played") + self.number("returned")
        tablets += sum(cells[address] >= 0 for _, address in copies(self.fields["puzzle"]))
        assert tablets == 36
        assert 0 <= self.number("finished") <= self.seats
