"""Narrator: events, decisions and options as sentences in the reader's language.

It is independent of the game. Sentences come from the catalogs under the names in the rules (`<game>.<message>`,
`<game>.decision.<decision>`, `<game>.decision.<decision>.<option>`). The fallback is the engine's own messages
(`engine.<kind>`) and the terms of the names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from wongar_dsl.base.span import Span
from wongar_dsl.base.terminal_text import escape_line
from wongar_dsl.compiler import ir
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.engine.events import EVERYTHING, Event
from wongar_dsl.language.semantics import Type
from wongar_dsl.language.semantics.boards import SQUARE
from wongar_dsl.nlg.words import Genitive, Listing, PlayerName, Sentence, Term, Text, Translator, Value, ValueList

if TYPE_CHECKING:
    # Text from the rules is a fallback, or wanted on request; the verbaliser and the syntax trees are loaded then.
    from wongar_dsl.nlg.narration.option_text import RuleTexts

Raw = int | tuple[int, ...] | None

#: The beginning of a name that reads like a count.
_LIKE_A_COUNT = re.compile(r"[0-9]+ \D")
#: The usual name of a score, and its term if the game has none.
_POINTS, _POINT = "points", "point"
#: The rulebook chapters that are declarations, and the chapter of definitions.
CHAPTERS = frozenset({"play", "setup", "terms"})


def title(words: Translator, scope: str) -> str:
    """Return the title of a game with its variants: `chess/blitz`.

    A variant with the same name as a component of the game has a separate term, `chess/blitz`. If the variant's own
    words define another term for the game itself, that term is the whole title.
    """
    game, *applied = scope.split("/")
    name, whole = words.term(game, game), words.term(game, scope)
    if whole != name:
        return whole
    named = []
    for index, variant in enumerate(applied, 1):
        candidates = ("/".join((game, *applied[:index])), f"{game}/{variant}")
        named.append(words.term(next((name for name in candidates if words.has_term(name, scope)), variant), scope))
    return words.say("engine.title", None, title=Text(name), variants=Text(words.chain(named))) if named else name


@dataclass(frozen=True, slots=True)
class SpokenEvent:
    """The message for an event, with its typed arguments and the values of its slots."""

    message: str
    arguments: Mapping[str, tuple[Type, Raw]]
    values: Mapping[str, Value]


class Narrator:
    """Narrator of one game in one language; `names` are the players' names by seat."""

    def __init__(self, game: Game, words: Translator, names: Sequence[str]) -> None:
        self.game, self.names, self.scope = game, tuple(names), game.name
        self.words = words.without_outdated(game.name, game.changes)

    @cached_property
    def _by_rules(self) -> RuleTexts:
        from wongar_dsl.nlg.narration.option_text import RuleTexts

        return RuleTexts(self.game, self.words, self.names)

    # ---- values ----

    def value(self, kind: Type, value: Raw) -> Value:
        """Convert a value of the game to a message argument; a hidden value (None) becomes the name of its kind."""
        if value is None:
            return Term(kind.name, self.scope) if kind.kind in ("cards", "enum", "board") else Text("?")
        if kind.kind == "tally":
            assert isinstance(value, tuple)
            pairs = enumerate(zip(value[::2], value[1::2], strict=True))
            return ValueList(tuple((self.player(seat), number) for seat, (inside, number) in pairs if inside))
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
        return self.thing(kind, value)

    def thing(self, kind: Type, value: int, count: int | None = None) -> Term:
        """Return the term of a card, or another thing with a name in the rules."""
        name = self.game.model.value_name(kind, value)
        sort = kind.name if kind.kind in ("cards", "enum") else "direction" if kind.kind == "direction" else ""
        return Term(name, self.scope, count, sort=sort)

    def player(self, seat: int) -> PlayerName:
        """Return the player of a seat."""
        return PlayerName(self.names[seat])

    def _place(self, name: str, indices: tuple[int, ...]) -> Value:
        place = self.game.fields.get(name)
        head = Term(name, self.scope)
        if place is None or not place.indices:
            return head
        return Genitive(head, tuple(self.value(t, i) for t, i in zip(place.indices, indices, strict=False)))

    def term(self, name: str, spec: str = "", count: int | None = None) -> str:
        """Render a term of the game with the request `spec`."""
        return self.words.term(name, self.scope, spec, count)

    def short(self, kind: Type, value: int) -> str:
        """Return the short form of a value's name, for diagrams and tables."""
        if kind.kind == "player":
            return self.names[value]
        return self.term(self.game.model.value_name(kind, value), "short")

    def listed(self, name: str) -> str:
        """Return a name as it stands in a list of things, quoted if it reads like a count: *“4 birds”*."""
        return self.words.say("engine.quoted", text=Text(name)) if _LIKE_A_COUNT.match(name) else name

    # ---- events ----

    def event(self, event: Event, viewer: int | None) -> str | None:
        """Return the sentence of an event for a seat (None: spectator; `EVERYTHING`: referee), or None."""
        seen = self.narrated(event, viewer)
        return None if seen is None else self.sentence(seen)

    def narrated(self, event: Event, viewer: int | None) -> Event | None:
        """Return an event as a viewer sees it; None if it is not narrated."""
        return self.visible_event(event, viewer) if event.told else None

    def visible_event(self, event: Event, viewer: int | None) -> Event | None:
        """Return an event as a viewer sees it, narrated or not; None if it is hidden from them."""
        return event if viewer == EVERYTHING else self.game.knowledge.visible_event(event, viewer)

    def sentence(self, seen: Event) -> str | None:
        """Return the sentence of an event as seen."""
        spoken = self.spoken_event(seen)
        return None if spoken is None else self.words.say(spoken.message, self.scope, **spoken.values)

    def spoken_event(self, seen: Event) -> SpokenEvent | None:
        """Return the message for an event as seen; None if there is none."""
        if seen.spec.message:
            known = self.words.has_message(seen.spec.message, self.scope)
            # Without a sentence in the catalogs, the fallback shows the arguments that the rule's author wrote.
            return self._spoken(seen.spec.message, seen.arguments() if known else seen.slots())
        return self._generic(seen)

    def _spoken(self, message: str, arguments: Mapping[str, tuple[Type, Raw]]) -> SpokenEvent:
        values = {name: self.value(kind, value) for name, (kind, value) in arguments.items()}
        for name, value in values.items():
            # A place of the subject of the sentence does not repeat its owner.
            if isinstance(value, Genitive) and value.owners == (values.get("player"),):
                values[name] = value.head
        return SpokenEvent(message, arguments, values)

    def say(self, message: str, values: Mapping[str, tuple[Type, Raw]]) -> str:
        """Render a message of the game with typed values in its slots."""
        arguments = {name: self.value(kind, value) for name, (kind, value) in values.items()}
        return self.words.say(message, self.scope, **arguments)

    def _generic(self, event: Event) -> SpokenEvent | None:
        fields, kind = event.fields(), event.spec.kind
        message = f"engine.{kind}"
        if kind == "game_ended":
            mask = fields["winners"][1]
            return self._ending([p for p in range(self.game.seats) if isinstance(mask, int) and mask >> p & 1])
        n: Raw = None
        if kind == "points":
            number, n = fields["n"]
            lost = isinstance(n, int) and n < 0
            n = abs(n) if isinstance(n, int) else n
            fields["n"] = number, n
            message = "engine.points_lost" if lost else "engine.points_gained"
        if not self.words.has_message(message):
            return None
        spoken = self._spoken(message, fields)
        # Points are named by the noun of the game's score.
        return replace(spoken, values={**spoken.values, "n": self._score(n)}) if isinstance(n, int) else spoken

    def best_score(self) -> Callable[[Sequence[int]], int] | None:
        """Return the function for the best of several scores; None if the ranking first compares something else."""
        model = self.game.model
        ranking = model.code.winner.ranking if model.code.winner is not None else ()
        ref = model.refs.get(ranking[0].measure) if ranking else None
        if ranking and (ref is None or ref.kind != "score"):
            return None
        return min if ranking and ranking[0].extreme == "fewest" else max

    def score_title(self) -> str:
        """Return the name of the game's score as a heading."""
        score = self._score(2)
        return self.words.capital(self.term(score.name, "" if score.name == _POINT else "short", score.count))

    def _score(self, count: int) -> Term:
        """Return the noun of the game's score; plain `points` need no term of their own."""
        score = self.game.program.score
        name = score.name if score is not None else _POINTS
        return Term(
            _POINT if name == _POINTS and not self.words.has_term(name, self.scope) else name, self.scope, count
        )

    def _ending(self, winners: Sequence[int]) -> SpokenEvent:
        if not winners:
            return SpokenEvent("engine.nobody_wins", {}, {})
        return SpokenEvent("engine.game_ended", {}, {"winners": Listing(tuple(self.player(p) for p in winners))})

    def ending(self, winners: Sequence[int]) -> str:
        """Return the sentence that names the winners."""
        spoken = self._ending(winners)
        return self.words.say(spoken.message, None, **spoken.values)

    def title(self) -> str:
        """Return the title of the game with its variants."""
        return title(self.words, self.scope)

    def opening(self) -> str:
        """Return the sentence that announces the start of the game."""
        players = Listing(tuple(PlayerName(n) for n in self.names))
        return self.words.say("engine.game_begins", title=Text(self.title()), players=players)

    # ---- source positions ----

    def article(self, event: Event) -> dict[str, object]:
        """Return the declaration behind an event of a marked game as data: name, title, file, line and sentence."""
        origin = event.spec.origin
        if origin is None:
            return {}
        place = {"file": Path(origin.span.source.name).name, "line": origin.span.line}
        words = {"title": self._title(origin), **place, "sentence": self.sentence_at(origin.span)}
        return {"article": {"name": origin.article, **{key: word for key, word in words.items() if word is not None}}}

    def articles(self, origins: Sequence[ir.SourceOrigin]) -> str | None:
        """Return a list of declarations with titles, names and lines; None if it is empty."""
        return self._articles([self._origin(origin) for origin in origins]) if origins else None

    def sections(self, origins: Iterable[ir.SourceOrigin]) -> str | None:
        """Return the sections of the rulebook that hold declarations; None if none of them has a title."""
        titles = dict.fromkeys(title for origin in origins if (title := self._title(origin)) is not None)
        return self.words.say("story.sections", None, titles=Text(self.words.chain([*titles]))) if titles else None

    def sentence_at(self, span: Span) -> str | None:
        """Return the sentence of the rulebook for a place in the rules, or None."""
        return self._by_rules.sentences.at(span.source.name, span.line)

    def origins(self, events: Sequence[Event]) -> list[str]:
        """Return the declarations behind events of a marked game, each once, with the text of the rulebook."""
        unique = dict.fromkeys(event.spec.origin for event in events if event.spec.origin is not None)
        by_sentence: dict[str | None, list[str]] = {}
        for origin in unique:
            by_sentence.setdefault(self.sentence_at(origin.span), []).append(self._origin(origin))
        return [self._articles(named, sentence) for sentence, named in by_sentence.items()]

    def _articles(self, named: Sequence[str], sentence: str | None = None) -> str:
        name = "story.articles" if sentence is None else "story.articles.sentence"
        return self.words.say(name, None, articles=Text(self.words.chain(named)), sentence=Text(sentence or ""))

    def _origin(self, origin: ir.SourceOrigin) -> str:
        place = Text(escape_line(f"{Path(origin.span.source.name).name}:{origin.span.line}"))
        title = self._title(origin)
        message = "story.article" if title is None else "story.article.title"
        return self.words.say(message, None, title=Text(title or ""), name=Text(origin.article), place=place)

    def _title(self, origin: ir.SourceOrigin) -> str | None:
        """Return the title of the declaration behind an event: its own, the card’s term, or its chapter."""
        article, code = origin.article, self.game.model.code
        if self.words.has_message(f"title.{article}", self.scope):
            return self.words.say(f"title.{article}", self.scope)
        if any(article == effect.name.text for cards in code.effects.values() for effect in cards):
            return self.words.capital(self.term(article)) if self.words.has_term(article, self.scope) else None
        chapter = "terms" if article in code.defines else article
        return self.words.say(f"rulebook.{chapter}", None) if chapter in CHAPTERS else None

    # ---- decisions ----

    def _scope_values(self, state: State, message: str) -> dict[str, tuple[Type, Raw]]:
        """Return the names in scope of a decision that a sentence uses; hidden values are None."""
        scope = state.decision.scope if state.decision is not None else ()
        named = self.words.slots(message, self.scope) if scope else frozenset()
        # The slot of the deciding seat is always called `player`.
        around = {name: (kind, address) for name, kind, address in scope if name in named and name != "player"}
        if not around or state.decision is None:
            return {}
        visible_names = self.game.knowledge.public_names_in_scope(state.decision)
        return {
            name: (kind, state.cells[address] if name in visible_names else None)
            for name, (kind, address) in around.items()
        }

    def _prompt_message(self, decision: ir.DecisionSpec) -> str | None:
        """Return the message of a decision's own prompt; None if there is none, or it was written for other options."""
        message = f"decision.{decision.name}"
        options = [f"{message}.{option.name}" for option in decision.options]
        worded = all(
            self._option_message(decision, n) or not self._has_sentence(name) for n, name in enumerate(options)
        )
        return message if worded and self._has_sentence(message, {"player", *_names(decision)}) else None

    def _option_message(self, decision: ir.DecisionSpec, option: int) -> str | None:
        """Return the message of an option's own text; None if there is none, or it names parameters that are gone."""
        spec = decision.options[option]
        message = f"decision.{decision.name}.{spec.name}"
        parameters = {name for name, _ in spec.parameters}
        return message if self._has_sentence(message, parameters | _names(decision)) else None

    def _has_sentence(self, message: str, values: Set[str] | None = None) -> bool:
        """Return whether a message has a sentence, and `values` fill its slots."""
        fits = values is None or self.words.slots(message, self.scope) <= values
        return self.words.has_message(message, self.scope) and fits

    def prompt(self, state: State) -> str:
        """Return the prompt for the deciding seat.

        A prompt with its own wording also says which repetition it is, if that is known.
        """
        decision, seat = _decision(state), state.seat
        message = self._prompt_message(decision)
        if message is not None:
            around = {name: self.value(*typed) for name, typed in self._scope_values(state, message).items()}
            question = self.words.say(message, self.scope, **(around | {"player": self.player(seat)}))
            reason = self.game.knowledge.reason(decision, state.cells)
            if reason is not None and self.words.has_message(f"title.{reason}", self.scope):
                title = Text(self.words.say(f"title.{reason}", self.scope))
                question = self.words.say("engine.asked.reason", None, question=Text(question), reason=title)
            turn = self.game.knowledge.iteration(decision, state.cells)
            if turn is None:
                return question
            now, times = (Text(str(number)) for number in turn)
            return self.words.say("engine.asked.turn", None, question=Text(question), turn=now, all=times)
        deeds = Listing(self._by_rules.prompt_topics(state))
        if deeds.items:
            return self.words.say("engine.asked", self.scope, player=self.player(seat), deeds=deeds)
        return self.words.say("engine.turn_begins", player=self.player(seat))

    def option(self, state: State, move: Move) -> str:
        """Return an option of the state's decision as a menu entry."""
        decision = _decision(state)
        spec = decision.options[move.option]
        message = self._option_message(decision, move.option)
        values = {name: (kind, value) for (name, kind), value in zip(spec.parameters, move.arguments, strict=True)}
        boards = self.game.model.boards
        squares = any(t.kind == "board" and boards[t.name].directions == SQUARE for _, t in spec.parameters)
        lines = self._by_rules.lines(decision, move.option) if squares else {}
        named = {x: line_name(self.game.model.value_name(*values[x]), line) for x, line in lines.items()}
        if message is not None:
            around = self._scope_values(state, message) | values
            arguments = {slot: self.value(kind, value) for slot, (kind, value) in around.items()}
            return self.words.say(
                message, self.scope, **arguments | {slot: Text(line_text) for slot, line_text in named.items()}
            )
        name, deed = self.option_name(decision, move.option), self._by_rules.option(state, move)
        if deed is not None:
            name = self.words.capital(self.words.say(deed.sentence.message, self.scope, **deed.sentence.values))
            values = {slot: value for slot, value in values.items() if slot not in deed.mentioned}
        if not values:
            return name
        shown = [
            self.words.say(f"option.{lines[slot]}", None, line=Text(named[slot]))
            if slot in named
            else self.words.value(self.value(kind, value), self.scope)
            for slot, (kind, value) in values.items()
        ]
        return self.words.say("engine.option", None, option=Text(name), values=Text(self.words.chain(shown)))

    def option_title(self, state: State, move: Move, text: str) -> str:
        """Return the part of an option's text that names it, without an explanation that is the same for all moves."""
        message = self._option_message(_decision(state), move.option)
        return text if message is None else self.words.without_fixed_end(text, message, self.scope)

    def option_rule(self, state: State, move: Move) -> str:
        """Return the sentences of the rulebook for an option that is shown by its bare name; empty for others."""
        worded = self._option_message(_decision(state), move.option) is not None
        nodes = () if worded else self._by_rules.explained(state, move)
        return self._by_rules.sentences.within(*nodes) if nodes else ""

    def tells_several(self, state: State, move: Move) -> bool:
        """Return whether the text of an option is generated and tells several effects."""
        if self._option_message(_decision(state), move.option) is not None:
            return False
        deed = self._by_rules.option(state, move)
        return deed is not None and deed.several

    def option_name(self, decision: ir.DecisionSpec, option: int) -> str:
        """Return the bare name of an option; in quotes if a variant changed what the option does."""
        name = decision.options[option].name
        if not self.game.is_changed(f"choice.{decision.name}.{name}", {self.game.model.name}):
            return self.words.capital(self.term(name))
        deed = Sentence("prose.chooses_option", {"option": Term(name, self.scope)})
        return self.words.capital(self.words.say("prose.option", self.scope, deed=deed))

    # ---- cards ----

    def card(self, name: str) -> str | None:
        """Return the effect of a card according to the rules; None if it has none."""
        return self._by_rules.cards.card(name)


def _decision(state: State) -> ir.DecisionSpec:
    """Return the decision of a state, which must have one."""
    assert state.decision is not None
    return state.decision


def _names(decision: ir.DecisionSpec) -> set[str]:
    """Return the names in scope of a decision that its texts can use."""
    return {name for name, _, _ in decision.scope if name != "player"}


def line_name(area: str, line: str) -> str:
    """Return the letters of a square's column, or the number of its row."""
    column = area.rstrip("0123456789")
    return column if line == "column" else area.removeprefix(column)


#: Shares closer than this to 0 or 1 are described in words instead of tenths.
EDGE = 0.05


def probability_text(words: Translator, share: float, certain: bool = False) -> Text:
    """Describe an expected share of the win, as words after a colon; `certain`: the result is decided."""
    if certain:
        return Text(words.say("chance.won" if share >= 1 else "chance.shared" if share > 0 else "chance.lost"))
    if share < EDGE or share > 1 - EDGE:
        return Text(words.say("chance.hardly" if share < EDGE else "chance.nearly"))
    return Text(words.say("chance.tenths", tenths=min(9, max(1, round(share * 10)))))
