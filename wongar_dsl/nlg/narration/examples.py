"""Worked examples: rule cases told with players' names, as a position, the story of the moves, and refused moves.

A case marked `example: yes` is an example. The narrator tells its moves; a move that must be illegal is told with its
reason. The position before it names only what the case lays out and what the moves change. A case that lays out visible
things between its moves is told from there on. An example belongs to the declarations that its moves execute; the
declaration that the fewest examples execute comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import RuleFault
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine import IllegalMove, Move, PlayFault, State, notation
from wongar_dsl.engine.events import EVERYTHING, Event
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.rule_cases.coverage import mark_position
from wongar_dsl.engine.rule_cases.file import Case, CaseError, CaseStep, YamlNode
from wongar_dsl.engine.rule_cases.position_reader import ALL, PositionReader
from wongar_dsl.engine.rule_cases.runner import CaseRunner, StopCheck, skip_chance
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.nlg.narration.illegal_move import reason_for_illegal_move
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.narration.story import Story
from wongar_dsl.nlg.words import Listing, Sentence, Term, Text, Translator, Value, ValueList

#: Maximum number of sentences of an example, with those of its position.
MAX_SENTENCES = 12

#: Maximum number of equal tokens in a player's own supply that is a shortage; more do not matter.
MAX_SHORTAGE = 5

#: Copy of a field: the field, and its index values.
Spot = tuple[ir.Field, tuple[int, ...]]
#: Seats by the things that they have in a place; seat -1 for things without an owner.
_Holders = dict[tuple[tuple[int, int], ...], list[int]]
#: Why a case is no example: it does not pass, nothing is told, or it is too long.
Unsuitable = Literal["fails", "silent", "long"]


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A case that is told.

    `keys` are the declarations that its moves execute (`effect.queen`, `rule.draw`, `winner`), the most specific one
    first, and `decisions` the names of the decisions made or refused. `names` are the players' names by seat.
    `position` and `result` are the sentences about the `spots` that matter `before` and `after` the moves; a spot has
    the things in it that matter (None: all). `story` tells the moves in between, with the refused ones. `title` is
    empty if the catalogs have none.
    """

    case: Case
    keys: tuple[str, ...]
    decisions: tuple[str, ...]
    title: str
    names: tuple[str, ...]
    before: State
    after: State
    spots: Mapping[Spot, frozenset[int] | None]
    position: tuple[str, ...]
    story: tuple[str, ...]
    result: tuple[str, ...]

    def paragraphs(self) -> tuple[str, ...]:
        """Return the example as plain text: the position, then the story, each as a paragraph."""
        return tuple(" ".join(sentences) for sentences in (self.position, self.story) if sentences)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A case that is not told, the reason, its declarations, its number of sentences, and examples of the first one."""

    case: Case
    reason: Unsuitable
    keys: tuple[str, ...]
    sentences: int = 0
    instead: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class ExampleBook:
    """The examples of a game, in the order of the cases, and the cases that are left out."""

    told: tuple[WorkedExample, ...]
    left_out: tuple[LeftOut, ...]
    max_sentences: int = MAX_SENTENCES

    def about(self, key: str) -> tuple[WorkedExample, ...]:
        """Return the examples of a declaration, those first to which no other declaration is more specific."""
        return tuple(sorted((e for e in self.told if key in e.keys), key=lambda e: e.keys.index(key)))


def worked_examples(
    runner: CaseRunner,
    executed: Callable[[Case, bool], tuple[str, ...]],
    cases: Iterable[Case],
    words: Translator,
    should_stop: StopCheck = lambda: False,
) -> ExampleBook:
    """Tell the cases that are marked as examples, until `should_stop`.

    `runner` makes the games; `executed` returns the declarations that the told moves of a case execute
    (`executed_articles`), given whether the case holds here. Of one that does not, these are those of its own game.
    """
    tellings: list[_Telling] = []
    left_out: list[LeftOut] = []
    for case in (case for case in cases if case.example):
        if should_stop():
            break
        try:
            runner.game(case)
        except CaseError:
            left_out.append(LeftOut(case, "fails", ()))
        else:
            passes = runner.run(case, should_stop).passed
            if should_stop():
                break
            tellings.append(_Telling(runner, case, words))
            tellings[-1].tell(passes)
            with suppress(CaseError):
                tellings[-1].keys = executed(case, passes)
    frequency = Counter(key for telling in tellings for key in telling.keys)
    for telling in tellings:
        telling.keys = telling.ordered_keys(frequency)
    told = tuple(telling.example() for telling in tellings if telling.unsuitable is None)
    left_out += (
        LeftOut(telling.case, telling.unsuitable, telling.keys, telling.sentences, _instead(telling.keys, told))
        for telling in tellings
        if telling.unsuitable is not None
    )
    return ExampleBook(told, tuple(left_out))


def _instead(keys: Sequence[str], told: Sequence[WorkedExample]) -> tuple[Case, ...]:
    """Return the examples that are told and that share the most specific declaration of a case."""
    return tuple(example.case for example in told if keys and keys[0] in example.keys)


class _Telling:
    """A case while it is played and told."""

    def __init__(self, runner: CaseRunner, case: Case, words: Translator) -> None:
        self.runner, self.case = runner, case
        self.game = game = runner.game(case)
        self.names = cast(words, game.seats)
        self.narrator = Narrator(game, words, self.names)
        self.reader = PositionReader(game, case.names)
        self.state = State(game, game.backend.start(case.seed))
        self.before = self.after = self.state
        self.keys: tuple[str, ...] = ()
        #: The rule of each decision that was made.
        self.decisions: dict[str, str] = {}
        self.unsuitable: Unsuitable | None = None
        self.sentences = 0
        self.events: list[Event] = []
        self.lines: list[str] = []
        self._own_position, self._is_silent = case.own_position, False
        self._story = Story(EVERYTHING, standings=False)

    def tell(self, passes: bool) -> None:
        """Play and tell the case, which passes or not."""
        if not self.play() or not passes:
            self.unsuitable = "fails"
            return
        self.sentences = len(self.lines) + len(self._position()) if self.lines else 0
        if not 0 < self.sentences <= MAX_SENTENCES:
            self.unsuitable = "long" if self.sentences else "silent"

    def ordered_keys(self, frequency: Mapping[str, int]) -> tuple[str, ...]:
        """Return the executed declarations: those first that the case covers, by name or by heading, then rare ones."""
        covers, articles = set(self.case.covers), self.game.model.merged.texts()

        def rank(key: str) -> tuple[bool, bool, int, bool]:
            sources = articles[key].sources if key in articles else ()
            headings = {heading for source in sources for heading in source.headings}
            # Definitions say less than rules about what happens.
            return key not in covers, covers.isdisjoint(headings), frequency[key], key.startswith("define.")

        return tuple(sorted(self.keys, key=rank))

    def example(self) -> WorkedExample:
        """Return the example."""
        message, words = self.case.title_message, self.narrator.words
        title = words.say(message, self.game.name) if words.has_message(message, self.game.name) else ""
        spots = self._spots()
        position, result = self._position(), PositionText(self.narrator, self.after).sentences(self._changed())
        return WorkedExample(
            self.case, self.keys, tuple(self.decisions), title, self.names, self.before, self.after, spots,
            position, tuple(self.lines), result,
        )  # fmt: skip

    # ---- the moves ----

    def play(self, silently: bool = False) -> bool:
        """Play the case, and tell it unless `silently`; return whether all moves could be made."""
        self._is_silent = silently
        self.game.backend.reached_marks.clear()
        try:
            self._play()
        except (CaseError, IllegalMove, PlayFault, RuleFault):
            return False
        return True

    def _play(self) -> None:
        case, state = self.case, self.state
        if case.setup:
            first = [event for event in state.proceed() if event.told]
            self.before = state.copy()
        else:
            self.state = state = self.runner.at_play(case)
            for position in case.positions:
                self.reader.lay_out(state, position)
            self.before = state.copy()
            self.game.backend.reached_marks.clear()
            first = list(state.proceed())
        if _tells_beginning(case):
            self.events += first
        else:
            self._begin(case.own_position)
        for step in case.steps:
            self._step(step)
        self._tell()
        self.after = state.copy()

    def _begin(self, laid_out: Mapping[str, YamlNode]) -> None:
        """Begin the story here, at a position of which `laid_out` matters."""
        self.before, self._own_position = self.state.copy(), laid_out
        self.events, self.lines, self._story = [], [], Story(EVERYTHING, standings=False)
        self.decisions = {}
        self.game.backend.reached_marks.clear()

    def _is_visible(self, name: str) -> bool:
        """Return whether players see what lies in the copies of a field."""
        field = self.game.fields.get(name)
        return field is None or field.seen == "all" or field.owner is not None

    def _step(self, step: CaseStep) -> None:
        state = self.state
        if (step.move or step.illegal is not None) and state.decision is not None:
            self.decisions[state.decision.name] = state.decision.rule
        if step.illegal is not None:
            self._refuse(step.illegal["move"])
        elif step.position is not None:
            self.reader.lay_out(state, step.position)
            if any(self._is_visible(name) for name in step.position):
                self._begin(step.position)
        elif step.drawn is not None:
            skip_chance(state, self.case.seed, step.drawn)
        elif step.move and state.decision is not None:
            text, time = notation.split_time(step.move)
            self.events += state.apply(state.read(self.reader.with_seat_numbers(text)), time=time or 0)

    def _tell(self) -> None:
        """Tell the events that have not been told."""
        if self._is_silent:
            return
        lines = self._story.unreported(self.narrator, self.events)
        say = self.narrator.words.say
        self.lines += [
            say("position.sentence", None, clauses=Text(line.text)) if line.heading else line.text for line in lines
        ]

    def _refuse(self, node: YamlNode) -> None:
        """Tell why a move is illegal, if there are words for it."""
        if self._is_silent:
            return
        state, words = self.state, self.narrator.words
        try:
            state.read(self.reader.with_seat_numbers(node.text))
        except IllegalMove as error:
            reason, option = reason_for_illegal_move(error, state, self.narrator), self._illegal_option(node)
            if reason is None or not option:
                return
            self._tell()
            player = self.narrator.player(state.seat)
            self.lines.append(
                words.say("story.refused", None, player=player, option=Text(option), reason=Text(reason.text))
            )

    def _illegal_option(self, node: YamlNode) -> str:
        """Return the text of the option that an illegal move names; empty if it names none."""
        decision = self.state.decision
        assert decision is not None
        raw = notation.read(self.game.model, decision, self.reader.with_seat_numbers(node.text), self.game.seats)
        return (
            ""
            if raw is None
            else _inside_quotes(self.narrator.words, self.narrator.option(self.state, Move.from_raw(raw)))
        )

    # ---- the position ----

    def _position(self) -> tuple[str, ...]:
        return PositionText(self.narrator, self.before).sentences(self._spots())

    def _spots(self) -> dict[Spot, frozenset[int] | None]:
        """Return the copies that matter before the moves, with the things in them that matter (None: all)."""
        spots = dict(self._laid_out())
        for spot in self._changed():
            spots.setdefault(spot, None)
        return spots

    def _laid_out(self) -> Iterator[tuple[Spot, frozenset[int] | None]]:
        """Yield the copies that the case itself lays out one by one: what it lays out everywhere is not its point."""
        for name, node in self._own_position.items():
            explicit = _without_all(node)
            if explicit is None:
                continue
            for field, _, copy, _, inner in self.reader.place_copies({name: explicit}):
                things = None
                if isinstance(inner.value, dict) and field.traits.tokens:
                    things = frozenset(self.reader.value(field.type, YamlNode(key, 0)) for key in inner.value)
                yield (field, _indices(field, copy)), things

    def _changed(self) -> dict[Spot, frozenset[int] | None]:
        """Return the copies that the moves change: scores, figures, and tokens and cards that lie open."""
        spots: dict[Spot, frozenset[int] | None] = {}
        for field in self.game.shown_fields:
            if field.seen != "all" or field.kind == "track":
                continue
            for indices, at in copies(field):
                old, new = (state.cells[at : at + field.width] for state in (self.before, self.after))
                if old != new and _has_place(field):
                    spots[field, indices] = None
        return spots


def _has_place(field: ir.Field) -> bool:
    """Return whether a field is a score, holds a figure, or is a zone or an owner on a board."""
    located = any(kind.kind in ("board", "enum", "cards") for kind in field.indices)
    zone = container(field) is not None
    stands = field.kind == "remember" and field.indices == (PLAYER,) and field.type.kind in ("enum", "board")
    return field.kind in ("score", "place", "holder") or stands or (located and (zone or field.type == PLAYER))


def _tells_beginning(case: Case) -> bool:
    """Return whether a case is about what happens before its first move: it expects messages, or has no moves."""
    for step in case.steps:
        if step.move or step.illegal is not None:
            return False
        if step.expect is not None and step.expect.keys() & {"tells", "tells_exactly"}:
            return True
    return True


def executed_articles(marked: CaseRunner, case: Case, words: Translator) -> tuple[str, ...]:
    """Return the declarations that the told moves of a case execute, or whose decisions they make.

    The games of `marked` have coverage marks (`Rules.marked`). Raises `CaseError` for a case that has no game.
    """
    telling, by_position = _Telling(marked, case, words), marked.articles_by_position
    telling.play(silently=True)
    game = telling.game
    positions = (mark_position(game.program.marks[number]) for number in sorted(game.backend.reached_marks))
    articles = dict.fromkeys(by_position[position] for position in positions if position in by_position)
    decided = [article for article in game.model.code.articles if article.name.text in telling.decisions.values()]
    return tuple(dict.fromkeys(s.key_text(article) for article in (*articles, *decided)))


def _without_all(node: YamlNode) -> YamlNode | None:
    """Return a position without what is laid out in all copies; None if nothing remains."""
    if not isinstance(node.value, dict):
        return node
    kept = {key: _without_all(inner) for key, inner in node.value.items() if key != ALL}
    parts = {key: inner for key, inner in kept.items() if inner is not None}
    return YamlNode(parts, node.line) if parts else None


def _indices(field: ir.Field, copy: int) -> tuple[int, ...]:
    return next(indices for number, (indices, _) in enumerate(copies(field)) if number == copy)


def _inside_quotes(words: Translator, text: str) -> str:
    """Return a text for a place between quotation marks: its own ones become those of nested quotations."""
    marks = words.lexicon.quotation
    return text.translate(dict(zip(map(ord, marks[:2]), marks[2:4], strict=False)))


def cast(words: Translator, seats: int) -> tuple[str, ...]:
    """Return the names of the players in examples, by seat."""
    names = words.say("story.cast").split(", ")
    return tuple(
        names[seat % len(names)] + (f" {seat // len(names) + 1}" * (seat >= len(names))) for seat in range(seats)
    )


class PositionText:
    """Sentences about parts of a position that all players of an example see."""

    def __init__(self, narrator: Narrator, state: State) -> None:
        self._narrator, self._words, self._state = narrator, narrator.words, state
        self._game, self._scope = state.game, narrator.scope

    def sentences(self, spots: Mapping[Spot, Set[int] | None]) -> tuple[str, ...]:
        """Return the sentences about some copies of fields, with the things in them that matter (None: all)."""
        by_field: dict[str, dict[tuple[int, ...], Set[int] | None]] = {}
        for (field, indices), things in spots.items():
            by_field.setdefault(field.name, {})[indices] = things
        fields = [field for field in self._game.shown_fields if field.name in by_field and field.seen != "nobody"]
        return tuple(text for field in fields for text in self._field(field, by_field[field.name]))

    def _field(self, field: ir.Field, matter: Mapping[tuple[int, ...], Set[int] | None]) -> Iterator[str]:
        if field.kind == "score":
            yield from self._standing(field)
        elif field.kind == "holder":
            yield from self._holders(field, matter)
        elif field.kind == "place":
            for (figure,) in matter:
                yield from self._figure(field, figure)
        elif field.kind == "track":
            yield from self._track(field)
        elif container(field) is not None and not field.traits.spread:
            yield from self._zone(field, matter)
        elif field.kind == "remember":
            yield from self._remembered(field, matter)

    def _say(self, message: str, **values: Value) -> str:
        return self._words.say(message, self._scope, **values)

    def _standing(self, field: ir.Field) -> Iterator[str]:
        """Yield the scores of all players; none if all are 0."""
        scores = [self._state.cells[at] for _, at in copies(field)]
        if any(scores):
            standing = ValueList(tuple((self._narrator.player(seat), n) for seat, n in enumerate(scores)))
            yield self._say("position.standing", score=Text(self._narrator.score_title()), standing=standing)

    def _holders(self, field: ir.Field, matter: Iterable[tuple[int, ...]]) -> Iterator[str]:
        by_seat: dict[int, list[Value]] = {}
        for indices in matter:
            seat = self._state.cells[field.at(*indices)]
            by_seat.setdefault(seat, []).append(Term(self._game.model.figures[indices[0]], self._scope))
        for seat, figures in by_seat.items():
            if seat >= 0:
                yield self._say("position.holds", player=self._narrator.player(seat), figures=Listing(tuple(figures)))

    def _figure(self, field: ir.Field, figure: int) -> Iterator[str]:
        name = self._game.model.figures[figure]
        board, area = self._game.model.declared.figures[name].board, self._state.cells[field.at(figure)]
        if board is not None and area >= 0:
            place = self._narrator.thing(Type("board", board), area)
            yield self._say("position.stands", figure=Term(name, self._scope), place=place)

    def _track(self, field: ir.Field) -> Iterator[str]:
        space, phases = self._state.cells[field.base], self._game.model.tracks[field.name]
        last, length = 0, sum(spaces for _, spaces in phases)
        for phase, spaces in phases:
            last += spaces
            if space < last:
                status = self._say("drawing.track", phase=Text(self._narrator.term(phase)), n=space + 1, all=length)
                yield self._say("position.value", name=Term(field.name, self._scope), value=Text(status))
                return

    def _remembered(self, field: ir.Field, matter: Iterable[tuple[int, ...]]) -> Iterator[str]:
        values = {indices: self._state.cells[field.at(*indices)] for indices in matter}
        if field.type == PLAYER and field.indices:
            by_seat: dict[int, list[str]] = {}
            for indices, seat in values.items():
                by_seat.setdefault(seat, []).append(self._copy_name(field, indices))
            for seat in sorted(by_seat.keys() - {-1}):
                places = Listing(tuple(map(Text, by_seat[seat])))
                yield self._say("position.owns", player=self._narrator.player(seat), places=places)
            return
        if field.type.kind == "number" and field.indices == (PLAYER,):
            standing = ValueList(tuple((self._narrator.player(seat), n) for (seat,), n in values.items()))
            yield self._say("position.standing", score=Text(self._title(field)), standing=standing)
            return
        if field.type.kind in ("enum", "board") and field.indices == (PLAYER,):
            somewhere = [(seat, n) for (seat,), n in values.items() if n >= 0]
            if self._words.has_message(stands := f"is.{field.name}", self._scope):
                for seat, n in somewhere:
                    player, value = self._narrator.player(seat), self._narrator.value(field.type, n)
                    where = Sentence(stands, {"player": player, "one": player, "value": value})
                    yield self._words.say("prose.line", self._scope, said=where)
                return
            pairs = ((self._narrator.player(seat), self._narrator.value(field.type, n)) for seat, n in somewhere)
            standings = [Sentence("position.pair", {"player": player, "value": value}) for player, value in pairs]
            if standings:
                yield self._say("position.standing", score=Text(self._title(field)), standing=Listing(tuple(standings)))
            return
        for indices, value in values.items():
            if not indices and field.type.kind != "truth" and value >= 0:
                shown = self._narrator.value(field.type, value)
                yield self._say("position.value", name=Term(field.name, self._scope), value=shown)

    def _title(self, field: ir.Field) -> str:
        return self._words.capital(self._narrator.term(field.name))

    def _copy_name(self, field: ir.Field, indices: tuple[int, ...]) -> str:
        pairs = zip(field.indices, indices, strict=True)
        return self._words.chain([self._narrator.short(kind, value) for kind, value in pairs])

    # ---- zones ----

    def _zone(self, field: ir.Field, matter: Mapping[tuple[int, ...], Set[int] | None]) -> Iterator[str]:
        """Yield a sentence for each place: the players with equal things there together."""
        by_place: dict[tuple[int, ...], _Holders] = {}
        owner = field.indices.index(PLAYER) if PLAYER in field.indices else None
        for indices, things in matter.items():
            counts = tuple(self._counts(field, indices, things))
            place = tuple(value for at, value in enumerate(indices) if at != owner)
            by_place.setdefault(place, {}).setdefault(counts, []).append(-1 if owner is None else indices[owner])
        for places, holders in self._merged(by_place):
            nouns = [self._place(field, place) for place in places]
            # Lists of things make a sentence about several players hard to read.
            each = len(holders) > 1 and any(len(counts) > 1 for counts in holders)
            clauses: list[Value] = []
            for counts, seats in holders.items():
                clauses += self._clauses(field, counts, seats, nouns, bool(clauses))
                if each and clauses:
                    yield self._say("position.sentence", clauses=Listing(tuple(clauses)))
                    clauses = []
            if clauses:
                yield self._say("position.sentence", clauses=Listing(tuple(clauses)))

    @staticmethod
    def _merged(by_place: Mapping[tuple[int, ...], _Holders]) -> Iterator[tuple[list[tuple[int, ...]], _Holders]]:
        """Yield the holders of each place; places where only one player has equal things come together."""
        merged: list[tuple[list[tuple[int, ...]], _Holders]] = []
        for place, holders in by_place.items():
            (counts, seats), *others = holders.items()
            alone = not others and len(seats) == 1 and seats[0] >= 0 and bool(counts) and all(n for _, n in counts)
            equal = next((places for places, before in merged if alone and before == holders), None)
            if equal is None:
                merged.append(([place], holders))
            else:
                equal.append(place)
        yield from merged

    def _counts(self, field: ir.Field, indices: tuple[int, ...], things: Set[int] | None) -> Iterator[tuple[int, int]]:
        zone, model, own = container(field), self._game.model, all(kind == PLAYER for kind in field.indices)
        assert zone is not None
        size = model.size(field.type, self._game.seats)
        for thing, n in enumerate(zone.counts(self._state.cells, field.at(*indices), field.width, size)):
            if own and field.traits.tokens and n > MAX_SHORTAGE:
                continue
            if n if things is None else thing in things:
                yield thing, n

    def _place(self, field: ir.Field, place: tuple[int, ...]) -> Value:
        """Return the noun for where things lie: the area or other thing that the zone belongs to, or the zone."""
        kinds = [kind for kind in field.indices if kind != PLAYER]
        named = [self._narrator.value(kind, value) for kind, value in zip(kinds, place, strict=True)]
        if len(named) > 1 and isinstance(named[1], Term):
            # A part of a thing, such as a side of a card.
            return Sentence("position.part", {"part": named[1], "thing": named[0]})
        if named:
            return named[0]
        own = f"{field.name}.place"
        return Term(own if self._words.has_term(own, self._scope) else field.name, self._scope)

    def _clauses(
        self,
        field: ir.Field,
        counts: Sequence[tuple[int, int]],
        seats: Sequence[int],
        places: Sequence[Value],
        again: bool,
    ) -> Iterator[Value]:
        """Yield the clauses on the things of some players, or of none (seat -1), in places; `again`: just named."""
        if field.owner is None and field.seen != "all":
            return
        kept = tuple(self._narrator.thing(field.type, thing, n) for thing, n in counts if n)
        missing = tuple(self._narrator.thing(field.type, thing) for thing, n in counts if not n)
        players = Listing(tuple(self._narrator.player(seat) for seat in seats if seat >= 0))
        what = kept[0] if len(kept) == 1 else Listing(kept)
        own = "_own" if all(kind == PLAYER for kind in field.indices) else ""
        values: dict[str, Value] = {"what": what, "place": places[0]}
        if not players.items:
            if kept and field.traits.single:
                yield Sentence("position.lies_open", {**values, "what": replace(kept[0], count=None)})
            elif kept:
                yield Sentence("position.lies", values)
        elif kept and field.traits.single and own:
            for player in players.items:
                yield Sentence("position.has_card", {"player": player, "what": replace(kept[0], count=None)})
        elif len(places) > 1:
            placed = {"player": players.items[0], "what": what, "places": Listing(tuple(places))}
            yield Sentence("position.has_in_each", placed)
        elif missing:
            message = "position.has_but_none" if kept else "position.has_none"
            values |= {"missing": Listing(missing)} if kept else {"what": Listing(missing)}
            for player in players.items:
                yield Sentence(f"{message}{own}", {**values, "player": player})
        elif kept:
            end = own or "_there" * again
            if len(players.items) > 1:
                yield Sentence(f"position.each_has{end}", {**values, "players": players})
            else:
                yield Sentence(f"position.has{end}", {**values, "player": players.items[0]})
