"""Action space of a game: a number for every choice, the same in all positions.

Each option of each decision has its own range of numbers, one for every combination of argument values (the last
argument varies fastest), even if the rules never offer it.  An option with more than `WHOLE` combinations is chosen
argument by argument.  Each argument then has a range with one number per value, and the same seat acts until all
arguments are chosen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from wongar_dsl.adapters import inferred_ranges
from wongar_dsl.compiler.backends import Option
from wongar_dsl.engine import Game
from wongar_dsl.engine.notation import write_value

#: Maximum number of argument combinations of an option that is chosen by a single action.
WHOLE = 1000


@dataclass(frozen=True, slots=True)
class ArgumentRange:
    """Range of values of one argument: least value and number of values."""

    first: int
    size: int


@dataclass(frozen=True, slots=True)
class ActionRange:
    """Range of action numbers for an option, or for one argument of it.

    `first` is the least action number.  `argument` is the index of the argument, or None for a whole option.
    """

    decision: int
    option: int
    argument: int | None
    domains: tuple[ArgumentRange, ...]
    first: int

    @property
    def size(self) -> int:
        """Number of actions in this range."""
        return prod(domain.size for domain in self.domains)

    def number(self, values: Iterable[int]) -> int | None:
        """Return the action number for argument values; None if a value is out of range."""
        place = 0
        for domain, value in zip(self.domains, values, strict=True):
            if not 0 <= value - domain.first < domain.size:
                return None
            place = place * domain.size + value - domain.first
        return self.first + place

    def values(self, number: int) -> tuple[int, ...]:
        """Return the argument values of an action number."""
        place, arguments = number - self.first, []
        for domain in reversed(self.domains):
            arguments.append(domain.first + place % domain.size)
            place //= domain.size
        return tuple(reversed(arguments))


class Actions:
    """Action space of a game; `size` is the number of actions."""

    def __init__(self, game: Game, whole: int | None = WHOLE, numbers: int | None = None) -> None:
        """Number the actions of a game.

        `whole` is the maximum number of argument combinations of an option that is chosen by a single action (None: no
        limit).  `numbers` is the upper limit of number arguments that the rules do not bound; the default is the number
        of cards or tokens of the most frequent type.
        """
        self.game = game
        self._most = numbers if numbers is not None else max(1, inferred_ranges.max_component_count(game))
        self.stretches: list[ActionRange] = []
        self._of: dict[tuple[int, int], tuple[ActionRange, ...]] = {}
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

    def _domain(self, decision: int, option: int, number: int) -> ArgumentRange:
        _, kind = self.game.program.decisions[decision].options[option].parameters[number]
        if kind.kind != "number":
            return ArgumentRange(0, self.game.model.size(kind, self.game.seats))
        extent = inferred_ranges.argument(self.game, decision, option, number, self._most)
        low, high = extent if extent is not None else (0, self._most)
        return ArgumentRange(low, max(1, high - low + 1))

    def _add(self, decision: int, option: int, argument: int | None, domains: tuple[ArgumentRange, ...]) -> ActionRange:
        stretch = ActionRange(decision, option, argument, domains, self.size)
        self.stretches.append(stretch)
        self.size += stretch.size
        return stretch

    @property
    def multi_step_decisions(self) -> frozenset[int]:
        """Decisions with an option that is chosen argument by argument."""
        return frozenset(stretch.decision for stretch in self.stretches if stretch.argument is not None)

    def legal(self, decision: int, options: Iterable[Option], begun: Option = ()) -> list[int]:
        """Return the legal actions in ascending order.

        `options` are the options of the pending decision, `begun` the part of an option that is already chosen.
        """
        return sorted({self.number(decision, o, begun) for o in options if o[: len(begun)] == begun})

    def number(self, decision: int, option: Option, begun: Option = ()) -> int:
        """Return the action that chooses an option, or its next argument after `begun`.

        Raises ValueError for a number argument above the limit.
        """
        parts = self._of[decision, option[0]]
        if parts[0].argument is None:
            action = parts[0].number(option[1:])
        else:
            number = max(0, len(begun) - 1)
            action = parts[number].number(option[1 + number : 2 + number])
        if action is None:
            name = self.game.program.decisions[decision].options[option[0]].name
            raise ValueError(f"{name}{option[1:]} has a number above {self._most}: ask for more with numbers=")
        return action

    def decode(self, action: int, begun: Option = ()) -> tuple[Option, bool]:
        """Return the option, or the part of it, that is chosen after an action, and whether it is complete."""
        stretch = self._stretch[action]
        if stretch.argument is None:
            return (stretch.option, *stretch.values(action)), True
        chosen = (*(begun or (stretch.option,)), *stretch.values(action))
        return chosen, stretch.argument + 1 == len(self._of[stretch.decision, stretch.option])

    def decision(self, action: int) -> int:
        """Return the number of the decision that an action belongs to."""
        return self._stretch[action].decision

    def text(self, action: int) -> str:
        """Return an action as text, `take(queen)`, or `lay(…, queen, …)` for a single argument."""
        stretch = self._stretch[action]
        spec = self.game.program.decisions[stretch.decision].options[stretch.option]
        values, shown = iter(stretch.values(action)), []
        for number, (_, kind) in enumerate(spec.parameters):
            chosen = stretch.argument is None or number == stretch.argument
            shown.append(write_value(self.game.model, kind, next(values)) if chosen else "…")
        return f"{spec.name}({', '.join(shown)})" if shown else spec.name
