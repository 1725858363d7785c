"""The choices of a game as numbers, the same for all its positions.

Each option of each decision has a stretch of numbers of its own: one for every combination of the values that its
arguments can have (the last one counting fastest), whether or not the rules ever offer it.  An option with more than
`WHOLE` combinations is chosen argument by argument instead: then each argument has a stretch, one number a value, and
the same seat chooses again until the last one is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from wongar_dsl.adapters import bounds
from wongar_dsl.backends import Option
from wongar_dsl.engine import Game
from wongar_dsl.engine.notation import write_value

#: With more combinations of arguments than this, an option is chosen argument by argument.
WHOLE = 1000


@dataclass(frozen=True, slots=True)
class Domain:
    """The values of one argument: numbers from the first to the last one."""

    first: int
    size: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """The numbers of an option, or of one argument of it.

    `first` is the first one; `argument` is the argument that they are for, None for all of the option.
    """

    decision: int
    option: int
    argument: int | None
    domains: tuple[Domain, ...]
    first: int

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return prod(domain.size for domain in self.domains)

    def number(self, values: Iterable[int]) -> int | None:
        """The number of values of the arguments; None where one lies outside of its domain."""
        place = 0
        for domain, value in zip(self.domains, values, strict=True):
            if not 0 <= value - domain.first < domain.size:
                return None
            place = place * domain.size + value - domain.first
        return self.first + place

    def values(self, number: int) -> tuple[int, ...]:
        """The values that a number stands for."""
        place, found = number - self.first, []
        for domain in reversed(self.domains):
            found.append(domain.first + place % domain.size)
            place //= domain.size
        return tuple(reversed(found))


class Actions:
    """All actions of a game; `size` is how many there are."""

    def __init__(self, game: Game, whole: int | None = WHOLE, numbers: int | None = None) -> None:
        """`whole` is how many combinations of arguments an option may have before it is chosen argument by argument
        (None: as many as there are); `numbers` is the greatest number that an argument can be which the rules do not
        bound: without it, as many as there are cards or tokens of one sort."""
        self.game = game
        self._most = numbers if numbers is not None else max(1, bounds.things(game))
        self.stretches: list[Stretch] = []
        self._of: dict[tuple[int, int], tuple[Stretch, ...]] = {}
        self.size = 0
        for d, decision in enumerate(game.program.decisions):
            for o, spec in enumerate(decision.options):
                domains = tuple(self._domain(d, o, a) for a in range(len(spec.parameters)))
                if whole is None or prod(domain.size for domain in domains) <= whole or len(domains) == 1:
                    parts = [self._add(d, o, None, domains)]
                else:
                    parts = [self._add(d, o, number, (domain,)) for number, domain in enumerate(domains)]
                self._of[d, o] = tuple(parts)
        self._stretch = [s for s in self.stretches for _ in range(s.size)]

    def _domain(self, decision: int, option: int, number: int) -> Domain:
        _, kind = self.game.program.decisions[decision].options[option].parameters[number]
        if kind.kind != "number":
            return Domain(0, self.game.model.size(kind, self.game.seats))
        found = bounds.argument(self.game, decision, option, number, self._most)
        low, high = found if found is not None else (0, self._most)
        return Domain(low, max(1, high - low + 1))

    def _add(self, decision: int, option: int, argument: int | None, domains: tuple[Domain, ...]) -> Stretch:
        stretch = Stretch(decision, option, argument, domains, self.size)
        self.stretches.append(stretch)
        self.size += stretch.size
        return stretch

    @property
    def in_parts(self) -> frozenset[int]:
        """The decisions with an option that is chosen argument by argument."""
        return frozenset(stretch.decision for stretch in self.stretches if stretch.argument is not None)

    def legal(self, decision: int, options: Iterable[Option], begun: Option = ()) -> list[int]:
        """The actions that there are, in ascending order, given the options of a decision that is at hand, and what of
        one is chosen already."""
        return sorted({self.number(decision, o, begun) for o in options if o[: len(begun)] == begun})

    def number(self, decision: int, option: Option, begun: Option = ()) -> int:
        """The action with which an option is taken, or gone on with; raises ValueError where it has none."""
        parts = self._of[decision, option[0]]
        if parts[0].argument is None:
            found = parts[0].number(option[1:])
        else:
            number = max(0, len(begun) - 1)
            found = parts[number].number(option[1 + number : 2 + number])
        if found is None:
            name = self.game.program.decisions[decision].options[option[0]].name
            raise ValueError(f"{name}{option[1:]} has a number above {self._most}: ask for more with numbers=")
        return found

    def taken(self, action: int, begun: Option = ()) -> tuple[Option, bool]:
        """What is chosen once an action is taken, and whether that is all of an option."""
        stretch = self._stretch[action]
        if stretch.argument is None:
            return (stretch.option, *stretch.values(action)), True
        chosen = (*(begun or (stretch.option,)), *stretch.values(action))
        return chosen, stretch.argument + 1 == len(self._of[stretch.decision, stretch.option])

    def decision(self, action: int) -> int:
        """The number of the decision that an action belongs to."""
        return self._stretch[action].decision

    def text(self, action: int) -> str:
        """An action as text, `take(queen)`; of an option that is chosen argument by argument, `lay(…, queen, …)`."""
        stretch = self._stretch[action]
        spec = self.game.program.decisions[stretch.decision].options[stretch.option]
        values, shown = iter(stretch.values(action)), []
        for number, (_, kind) in enumerate(spec.parameters):
            chosen = stretch.argument is None or number == stretch.argument
            shown.append(write_value(self.game.model, kind, next(values)) if chosen else "…")
        return f"{spec.name}({', '.join(shown)})" if shown else spec.name
