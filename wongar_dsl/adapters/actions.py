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
        index = 0
        for domain, value in zip(self.domains, values, strict=True):
            if not 0 <= value - domain.first < domain.size:
                return None
            index = index * domain.size + value - domain.first
        return self.first + index

    def values(self, number: int) -> tuple[int, ...]:
        """Return the argument values of an action number."""
        index, arguments = number - self.first, []
        for domain in reversed(self.domains):
            arguments.append(domain.first + index % domain.size)
            index //= domain.size
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
        self._number_limit = numbers if numbers is not None else max(1, inferred_ranges.max_component_count(game))
        self.ranges: list[ActionRange] = []
        self._ranges_of_option: dict[tuple[int, int], tuple[ActionRange, ...]] = {}
        self.size = 0
        for d, decision in enumerate(game.program.decisions):
            for o, spec in enumerate(decision.options):
                domains = tuple(self._domain(d, o, a) for a in range(len(spec.parameters)))
                if whole is None or prod(domain.size for domain in domains) <= whole or len(domains) == 1:
                    parts = [self._add(d, o, None, domains)]
                else:
                    parts = [self._add(d, o, number, (domain,)) for number, domain in enumerate(domains)]
                self._ranges_of_option[d, o] = tuple(parts)
        self._range_of = [s for s in self.ranges for _ in range(s.size)]

    def _domain(self, decision: int, option: int, number: int) -> ArgumentRange:
        _, kind = self.game.program.decisions[decision].options[option].parameters[number]
        if kind.kind != "number":
            return ArgumentRange(0, self.game.model.size(kind, self.game.seats))
        extent = inferred_ranges.argument(self.game, decision, option, number, self._number_limit)
        low, high = extent if extent is not None else (0, self._number_limit)
        return ArgumentRange(low, max(1, high - low + 1))

    def _add(self, decision: int, option: int, argument: int | None, domains: tuple[ArgumentRange, ...]) -> ActionRange:
        action_range = ActionRange(decision, option, argument, domains, self.size)
        self.ranges.append(action_range)
        self.size += action_range.size
        return action_range

    @property
    def multi_step_decisions(self) -> frozenset[int]:
        """Decisions with an option that is chosen argument by argument."""
        return frozenset(action_range.decision for action_range in self.ranges if action_range.argument is not None)

    def legal(self, decision: int, options: Iterable[Option], begun: Option = ()) -> list[int]:
        """Return the legal actions in ascending order.

        `options` are the options of the pending decision, `begun` the part of an option that is already chosen.
        """
        return sorted({self.number(decision, o, begun) for o in options if o[: len(begun)] == begun})

    def number(self, decision: int, option: Option, begun: Option = ()) -> int:
        """Return the action that chooses an option, or its next argument after `begun`.

        Raises ValueError for a number argument above the limit.
        """
        parts = self._ranges_of_option[decision, option[0]]
        if parts[0].argument is None:
            action = parts[0].number(option[1:])
        else:
            number = max(0, len(begun) - 1)
            action = parts[number].number(option[1 + number : 2 + number])
        if action is None:
            name = self.game.program.decisions[decision].options[option[0]].name
            raise ValueError(f"{name}{option[1:]} has a number above {self._number_limit}: ask for more with numbers=")
        return action

    def decode(self, action: int, begun: Option = ()) -> tuple[Option, bool]:
        """Return the option, or the part of it, that is chosen after an action, and whether it is complete."""
        action_range = self._range_of[action]
        if action_range.argument is None:
            return (action_range.option, *action_range.values(action)), True
        chosen = (*(begun or (action_range.option,)), *action_range.values(action))
        return chosen, action_range.argument + 1 == len(
            self._ranges_of_option[action_range.decision, action_range.option]
        )

    def decision(self, action: int) -> int:
        """Return the number of the decision that an action belongs to."""
        return self._range_of[action].decision

    def text(self, action: int) -> str:
        """Return an action as text, `take(queen)`, or `lay(…, queen, …)` for a single argument."""
        action_range = self._range_of[action]
        spec = self.game.program.decisions[action_range.decision].options[action_range.option]
        values, shown = iter(action_range.values(action)), []
        for number, (_, kind) in enumerate(spec.parameters):
            chosen = action_range.argument is None or number == action_range.argument
            shown.append(write_value(self.game.model, kind, next(values)) if chosen else "…")
        return f"{spec.name}({', '.join(shown)})" if shown else spec.name
