"""Questions and options that a game has no words of its own for, said from what the rules do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.prose.choices import Choosing
from wongar_dsl.prose.offers import Deed, Offer, choosing_of
from wongar_dsl.prose.overall import Overall
from wongar_dsl.words import ADDRESSED, Name, Nominal, Term, Value, Words

#: In a question so many options are named at most; more of them are a matter of the menu.
MOST = 3
#: A question with more letters than that is no question any more.
LONGEST = 140


class Offering:
    """What the rules of a game offer, for whoever decides."""

    def __init__(self, game: Game, words: Words, names: Sequence[str]) -> None:
        self._game, self._words, self._names = game, words, names
        self._deeds: dict[tuple[object, ...], Deed | None] = {}

    def option(self, state: State, move: Move) -> Deed | None:
        """What a move does, and of which of its arguments that speaks; None where there are no words for it."""
        decision = state.decision
        assert decision is not None
        offer = self._offer(state, decision)
        if offer is None:
            return None
        key = (state.seat, decision.rule, decision.name, move.option, move.arguments, tuple(offer.given.items()))
        if key not in self._deeds:
            self._deeds[key] = offer.option(move.option, move.arguments)
        return self._deeds[key]

    def question(self, state: State) -> tuple[Value, ...]:
        """What the options of a decision do, or what they are called; nothing if these are many or have no words."""
        decision = state.decision
        assert decision is not None
        offer = self._offer(state, decision)
        if offer is None or len(decision.options) > MOST:
            return ()
        deeds = [offer.question(number) for number in range(len(decision.options))]
        called = map(self._name, decision.options)
        found = [deed or term for deed, term in zip(deeds, called, strict=True)]
        said = [self._words.value(one, self._game.name) for one in found if one is not None]
        tells = any(deeds) and None not in found and len({*said}) == len(said) and sum(map(len, said)) <= LONGEST
        return tuple(one for one in found if one is not None) if tells else ()

    def _name(self, option: ir.OptionSpec) -> Term | None:
        """What an option is called, where there is a word for it."""
        scope = self._game.name
        return Term(option.name, scope) if self._words.has_term(option.name, scope) else None

    def _offer(self, state: State, decision: ir.DecisionSpec) -> Offer | None:
        place = _place(self._game, decision)
        if place is None:
            return None
        known = self._game.knowledge.spoken_of(decision)
        given = {name: state.cells[at] for name, _, at in decision.scope if name in known}
        called = people(self._words, self._names, state.seat)
        return Offer(
            self._game.model, self._words, *place, self._game.seats, overall(self._game), given, called, state.seat
        )


def offered(game: Game, words: Words, decision: str, option: str) -> str:
    """What an option of a decision comes to, whatever its arguments are; else what it is called."""
    for spec in game.program.decisions:
        place = _place(game, spec) if spec.name == decision else None
        number = next((n for n, known in enumerate(spec.options) if known.name == option), None)
        if place is None or number is None:
            continue
        said = Offer(game.model, words, *place, game.seats, overall(game), {}).question(number)
        if said is not None:
            return words.say(said.message, game.name, **said.values)
    return words.term(option, game.name)


def people(words: Words, names: Sequence[str], reader: int | None) -> list[Nominal]:
    """How the players are spoken of, by seat; whoever reads it is spoken to, where the language does that."""
    found = [Nominal(Name(name, person=True)) for name in names]
    if reader is not None and words.addresses:
        found[reader] = Nominal(ADDRESSED)
    return found


def said_by_rules(game: Game, words: Words) -> frozenset[str]:
    """The questions and options that need no words of their own, by the names that their sentences would have."""
    found: set[str] = set()
    for decision in game.program.decisions:
        place = _place(game, decision)
        if place is None:
            continue
        offer = Offer(game.model, words, *place, game.seats, overall(game), {})
        name = f"decision.{decision.name}"
        found |= {name} if any(map(offer.question, range(len(decision.options)))) else set()
        for number, option in enumerate(decision.options):
            if offer.says(number) or (not option.parameters and words.has_term(option.name, game.name)):
                found.add(f"{name}.{option.name}")
    return frozenset(found)


@lru_cache(maxsize=256)
def _place(game: Game, decision: ir.DecisionSpec) -> tuple[s.Article, Choosing] | None:
    return choosing_of(game.model, decision.rule, decision.name, tuple(option.name for option in decision.options))


@lru_cache(maxsize=16)
def overall(game: Game) -> Overall:
    """What the rules of a game say as a whole."""
    return Overall.of(game.model)
