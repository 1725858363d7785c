"""What a game of Ubongo must hold at every decision and at its end, whatever time the players take."""

from __future__ import annotations

from collections import Counter

from wongar_dsl import ir
from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine import Game
from wongar_dsl.engine.knowledge import copies

#: How many rounds each variant has, by the number of players.
ROUNDS = {"ubongo": {2: 9, 3: 9, 4: 9}, "ubongo/hard": {2: 9, 3: 9, 4: 9}, "ubongo/long": {2: 18, 3: 12, 4: 9}}


class Watched:
    """One game at random, with times from 0 to 80 seconds, and what must hold all the time."""

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
        for place in (line, bag):
            for _, at in copies(place):
                assert 0 <= cells[at] <= place.capacity
                colours.update(cells[at + 1 : at + 1 + cells[at]])
        for _, at in copies(collection):
            held = cells[at + 1 : at + collection.width]
            assert cells[at] == sum(held)
            assert min(held) >= 0
            colours.update(dict(enumerate(held)))
        assert colours == dict.fromkeys(range(6), 12)
        standing = self.fields["standing"]
        placing = self.number("round") == 0
        for _, at in copies(standing):
            assert (-1 if placing else 0) <= cells[at] < 6
        tablets = self.number("stack") + self.number("played") + self.number("returned")
        tablets += sum(cells[at] >= 0 for _, at in copies(self.fields["puzzle"]))
        assert tablets == 36
        assert 0 <= self.number("finished") <= self.seats
