"""Events, decisions and options as sentences, in the language of who reads them.

Nothing here knows a game: sentences come from the catalogs under the names that the rules use (`<game>.<message>`,
`<game>.decision.<decision>`, `<game>.decision.<decision>.<option>`), and where a game has none, from the engine's own
(`engine.<kind>`) and from the terms of the names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from wongar_dsl import ir
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.engine.events import EVERYTHING, Event
from wongar_dsl.model import Type
from wongar_dsl.narration.lines import line_name, stand_ins
from wongar_dsl.text.escapes import visible
from wongar_dsl.words import Listing, Of, Player, Tally, Term, Text, Value, Words

# What the rules say themselves is told where a game has no words for it, and where somebody asks: only then it is
# imported, and the trees of the rules are read.
if TYPE_CHECKING:
    from wongar_dsl.narration.offering import Offering
    from wongar_dsl.prose.explain import Explained
    from wongar_dsl.prose.sentences import Sentences

Raw = int | tuple[int, ...] | None

#: The chapters of the rulebook that are articles of their own, and the one that says what definitions mean.
CHAPTERS = frozenset({"play", "setup", "terms"})


def title(words: Words, scope: str) -> str:
    """What a game is called, with its variants: `chess/blitz`.

    A variant can have the same name as something in it, and then a term of its own, `chess/blitz`.  Where a variant has
    another term for the game itself among its own words, that is what the whole is called.
    """
    game, *applied = scope.split("/")
    name, whole = words.term(game, game), words.term(game, scope)
    if whole != name:
        return whole
    named = []
    for at, variant in enumerate(applied, 1):
        own = ("/".join((game, *applied[:at])), f"{game}/{variant}")
        named.append(words.term(next((name for name in own if words.has_term(name, scope)), variant), scope))
    return words.say("engine.title", None, title=Text(name), variants=Text(words.chain(named))) if named else name


@dataclass(frozen=True, slots=True)
class Spoken:
    """What is said of an event: the message, the arguments that it comes from, and the values of its slots."""

    message: str
    arguments: Mapping[str, tuple[Type, Raw]]
    values: Mapping[str, Value]


class Narrator:
    """Tells one game in one language; `names` are the players' by seat."""

    def __init__(self, game: Game, words: Words, names: Sequence[str]) -> None:
        self.game, self.words, self.names = game, words, tuple(names)
        self.scope = game.name

    @cached_property
    def _offering(self) -> Offering:
        from wongar_dsl.narration.offering import Offering

        return Offering(self.game, self.words, self.names)

    # ---- values ----

    def value(self, kind: Type, value: Raw) -> Value:
        """A value of the game as an argument of a message; what is hidden (None) by the name of its sort."""
        if value is None:
            return Term(kind.name, self.scope) if kind.kind in ("cards", "enum", "board") else Text("?")
        if kind.kind == "tally":
            assert isinstance(value, tuple)
            pairs = enumerate(zip(value[::2], value[1::2], strict=True))
            return Tally(tuple((self.player(seat), number) for seat, (inside, number) in pairs if inside))
        if kind.kind == "place":
            return self._place(kind.name, value if isinstance(value, tuple) else (value,))
        assert isinstance(value, int)
        if kind.kind == "number":
            return value
        if kind.kind == "truth":
            return bool(value)
        if value < 0 and kind.kind != "direction":
            return Term("none")
        if kind.kind == "player":
            return self.player(value)
        return Term(self.game.model.value_name(kind, value), self.scope)

    def player(self, seat: int) -> Player:
        """The player of a seat."""
        return Player(self.names[seat])

    def _place(self, name: str, indices: tuple[int, ...]) -> Value:
        place = self.game.fields.get(name)
        head = Term(name, self.scope)
        if place is None or not place.indices:
            return head
        return Of(head, tuple(self.value(t, i) for t, i in zip(place.indices, indices, strict=False)))

    def term(self, name: str, spec: str = "", count: int | None = None) -> str:
        """A term of the game, with what `spec` asks for."""
        return self.words.term(name, self.scope, spec, count)

    def short(self, kind: Type, value: int) -> str:
        """The short form of a value's name, for pictures and tables."""
        if kind.kind == "player":
            return self.names[value]
        return self.term(self.game.model.value_name(kind, value), "short")

    # ---- events ----

    def event(self, event: Event, viewer: int | None) -> str | None:
        """What a seat (None: somebody who watches; `EVERYTHING`: a referee) is told of an event, None for nothing."""
        seen = self.seen(event, viewer)
        return None if seen is None else self.sentence(seen)

    def seen(self, event: Event, viewer: int | None) -> Event | None:
        """An event as a viewer sees it; None if it is not told."""
        return self.as_seen(event, viewer) if event.told else None

    def as_seen(self, event: Event, viewer: int | None) -> Event | None:
        """An event as a viewer sees it, be it told or not; None if they do not know of it."""
        return event if viewer == EVERYTHING else self.game.knowledge.seen(event, viewer)

    def sentence(self, seen: Event) -> str | None:
        """The sentence of an event as it is seen."""
        spoken = self.spoken(seen)
        return None if spoken is None else self.words.say(spoken.message, self.scope, **spoken.values)

    def spoken(self, seen: Event) -> Spoken | None:
        """What is said of an event as it is seen; None if nothing is."""
        if seen.spec.message:
            known = self.words.knows(seen.spec.message, self.scope)
            # Where nobody wrote a sentence, its arguments are told that somebody wrote.
            return self._spoken(seen.spec.message, seen.arguments() if known else seen.slots())
        return self._generic(seen)

    def _spoken(self, message: str, arguments: Mapping[str, tuple[Type, Raw]]) -> Spoken:
        values = {name: self.value(kind, value) for name, (kind, value) in arguments.items()}
        doer = values.get("player")
        return Spoken(message, arguments, {name: _of_the_doer(value, doer) for name, value in values.items()})

    def say(self, message: str, values: Mapping[str, tuple[Type, Raw]]) -> str:
        """A message of the game with typed values in its slots."""
        arguments = {name: self.value(kind, value) for name, (kind, value) in values.items()}
        return self.words.say(message, self.scope, **arguments)

    def _generic(self, event: Event) -> Spoken | None:
        fields, kind = event.fields(), event.spec.kind
        message = f"engine.{kind}"
        if kind == "game_ended":
            mask = fields["winners"][1]
            return self._ending([p for p in range(self.game.seats) if isinstance(mask, int) and mask >> p & 1])
        if kind == "points":
            number = fields["n"][1]
            lost = isinstance(number, int) and number < 0
            fields["n"] = (fields["n"][0], abs(number) if isinstance(number, int) else number)
            message = "engine.points_lost" if lost else "engine.points_gained"
        return self._spoken(message, fields) if self.words.knows(message) else None

    def _ending(self, winners: Sequence[int]) -> Spoken:
        if not winners:
            return Spoken("engine.nobody_wins", {}, {})
        return Spoken("engine.game_ended", {}, {"winners": Listing(tuple(self.player(p) for p in winners))})

    def ending(self, winners: Sequence[int]) -> str:
        """Who has won."""
        spoken = self._ending(winners)
        return self.words.say(spoken.message, None, **spoken.values)

    def title(self) -> str:
        """The name of the game, with its variants."""
        return title(self.words, self.scope)

    def opening(self) -> str:
        """The sentence that a game begins."""
        players = Listing(tuple(Player(n) for n in self.names))
        return self.words.say("engine.game_begins", title=Text(self.title()), players=players)

    # ---- where they come from ----

    def article(self, event: Event) -> dict[str, object]:
        """From which article an event of a marked game comes, as data: its name, title, file, line and sentence."""
        origin = event.spec.origin
        if origin is None:
            return {}
        found: dict[str, object] = {"name": origin.article}
        title = self._title(origin)
        if title is not None:
            found["title"] = title
        found |= {"file": Path(origin.span.source.name).name, "line": origin.span.line}
        sentence = self._sentence(origin)
        return {"article": found if sentence is None else {**found, "sentence": sentence}}

    def articles(self, origins: Iterable[ir.Origin]) -> str:
        """Articles, each with its title, its name and its line."""
        return self._articles([self._origin(origin) for origin in origins])

    def origins(self, events: Sequence[Event]) -> list[str]:
        """From which articles events of a marked game come, each once, with what the rulebook says there."""
        found = dict.fromkeys(event.spec.origin for event in events if event.spec.origin is not None)
        said: dict[str | None, list[str]] = {}
        for origin in found:
            said.setdefault(self._sentence(origin), []).append(self._origin(origin))
        return [self._articles(named, sentence) for sentence, named in said.items()]

    def _articles(self, named: Sequence[str], sentence: str | None = None) -> str:
        articles = Text(self.words.chain(named))
        if sentence is None:
            return self.words.say("story.articles", None, articles=articles)
        return self.words.say("story.articles.sentence", None, articles=articles, sentence=Text(sentence))

    def _sentence(self, origin: ir.Origin) -> str | None:
        return self._sentences.at(origin.span.source.name, origin.span.line)

    @cached_property
    def _sentences(self) -> Sentences:
        from wongar_dsl.prose.sentences import Sentences

        return Sentences(self.game.model, self.words, self.game.seats)

    def _origin(self, origin: ir.Origin) -> str:
        place = Text(visible(f"{Path(origin.span.source.name).name}:{origin.span.line}"))
        title, name = self._title(origin), Text(origin.article)
        if title is None:
            return self.words.say("story.article", None, name=name, place=place)
        return self.words.say("story.article.title", None, title=Text(title), name=name, place=place)

    def _title(self, origin: ir.Origin) -> str | None:
        """What the article is called that an event comes from: its title, the card’s word, or its chapter."""
        article, code = origin.article, self.game.model.code
        if self.words.knows(f"title.{article}", self.scope):
            return self.words.say(f"title.{article}", self.scope)
        if any(article == effect.name.text for cards in code.effects.values() for effect in cards):
            return self.words.capital(self.term(article)) if self.words.has_term(article, self.scope) else None
        chapter = "terms" if article in code.defines else article
        return self.words.say(f"rulebook.{chapter}", None) if chapter in CHAPTERS else None

    # ---- decisions ----

    def _around(self, state: State, message: str) -> dict[str, tuple[Type, Raw]]:
        """The names around a decision of which the sentence of a question or an option speaks; hidden ones are None."""
        scope = state.decision.scope if state.decision is not None else ()
        named = self.words.slots(message, self.scope) if scope else frozenset()
        # A slot for the seat that is asked is called `player`, whatever the rules call it.
        around = {name: (kind, at) for name, kind, at in scope if name in named and name != "player"}
        if not around or state.decision is None:
            return {}
        known = self.game.knowledge.spoken_of(state.decision)
        return {name: (kind, state.cells[at] if name in known else None) for name, (kind, at) in around.items()}

    def prompt(self, state: State) -> str:
        """The question that a state puts to the seat that decides; where it has words of its own, with how often it is
        put, if that is known."""
        decision, seat = state.decision, state.seat
        assert decision is not None
        message = f"decision.{decision.name}"
        if self.words.knows(message, self.scope):
            around = {name: self.value(kind, value) for name, (kind, value) in self._around(state, message).items()}
            question = self.words.say(message, self.scope, **(around | {"player": self.player(seat)}))
            reason = self.game.knowledge.reason(decision, state.cells)
            if reason is not None and self.words.knows(f"title.{reason}", self.scope):
                title = Text(self.words.say(f"title.{reason}", self.scope))
                question = self.words.say("engine.asked.reason", None, question=Text(question), reason=title)
            turn = self.game.knowledge.turn(decision, state.cells)
            if turn is None:
                return question
            now, times = (Text(str(number)) for number in turn)
            return self.words.say("engine.asked.turn", None, question=Text(question), turn=now, all=times)
        deeds = Listing(self._offering.question(state))
        if deeds.items:
            return self.words.say("engine.asked", self.scope, player=self.player(seat), deeds=deeds)
        return self.words.say("engine.turn_begins", player=self.player(seat))

    def option(self, state: State, move: Move) -> str:
        """An option of the state's decision as an entry of a menu."""
        decision = state.decision
        assert decision is not None
        spec = decision.options[move.option]
        message = f"decision.{decision.name}.{spec.name}"
        values = {name: (kind, value) for (name, kind), value in zip(spec.parameters, move.arguments, strict=True)}
        lines = stand_ins(self.game, decision, move.option)
        named = {x: line_name(self.game.model.value_name(*values[x]), line) for x, line in lines.items()}
        if self.words.knows(message, self.scope):
            around = self._around(state, message) | values
            arguments = {slot: self.value(kind, value) for slot, (kind, value) in around.items()}
            return self.words.say(message, self.scope, **arguments | {slot: Text(one) for slot, one in named.items()})
        name, deed = self.option_name(decision, move.option), self._offering.option(state, move)
        if deed is not None:
            name = self.words.capital(self.words.say(deed.said.message, self.scope, **deed.said.values))
            values = {slot: value for slot, value in values.items() if slot not in deed.told}
        if not values:
            return name
        shown = [
            self.words.say(f"option.{lines[slot]}", None, line=Text(named[slot]))
            if slot in named
            else self.words.value(self.value(kind, value), self.scope)
            for slot, (kind, value) in values.items()
        ]
        return self.words.say("engine.option", None, option=Text(name), values=Text(self.words.chain(shown)))

    def option_name(self, decision: ir.DecisionSpec, option: int) -> str:
        """The bare name of an option."""
        name = self.term(decision.options[option].name)
        return self.words.capital(name)

    # ---- cards ----

    def card(self, name: str) -> str | None:
        """What a card does, as the rules have it; None where they do nothing with it."""
        return self._explained.card(name)

    @cached_property
    def _explained(self) -> Explained:
        from wongar_dsl.prose.explain import Explained

        return Explained(self.game.model, self.words, self.scope, self.game.program.seats)


def _of_the_doer(value: Value, doer: Value | None) -> Value:
    """A place of somebody's of whom the sentence is, without saying again whose it is."""
    return value.head if isinstance(value, Of) and value.owners == (doer,) else value
