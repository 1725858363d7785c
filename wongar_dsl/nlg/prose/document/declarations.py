"""Rulebook blocks for declarations: components, set-up, zones, stored values, settings and tables.

The set-up is evaluated to count the cards, tokens and other things that a game needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import CardSort, Local, Model
from wongar_dsl.nlg.prose.content.values import evaluate, numbered_directions
from wongar_dsl.nlg.prose.document.document_model import (
    Block,
    BookTable,
    BookTableRow,
    CountItem,
    CountList,
    Note,
    PicturePlace,
    Prose,
    notes_of,
)
from wongar_dsl.nlg.prose.game_facts import GameFacts, closure, rules_called
from wongar_dsl.nlg.prose.micro.sentence_plan import Message, PlanLine, VerbalisationLog
from wongar_dsl.nlg.words import Listing, Sentence, Term, Text, Translator, Value, quoted

#: Maximum number of statements to evaluate; later counts are then unknown.
MAX_STATEMENTS = 200_000

Values = Mapping[Local, int]


@dataclass(slots=True)
class ComponentCounts:
    """Counts of the decks, tokens and cards that the set-up uses, for a number of players.

    `unknown` are components whose count depends on chance or on decisions. `laid` counts the cards that the set-up puts
    into each zone with the values of its indices; `uncounted` are zones that it fills with an unknown number.
    """

    model: Model
    seats: int
    filled: Counter[str] = field(default_factory=Counter)
    unknown: set[str] = field(default_factory=set)
    laid: Counter[tuple[str, tuple[int | None, ...]]] = field(default_factory=Counter)
    uncounted: set[str] = field(default_factory=set)
    left: int = MAX_STATEMENTS
    #: The `fill` statements below each tree and the rules that it calls.
    fills: dict[object, tuple[s.Fill, ...]] = field(default_factory=dict)

    @classmethod
    def by_seats(cls, model: Model, seats: Iterable[int]) -> dict[int, ComponentCounts]:
        """Evaluate the set-up of a game for each of several numbers of players."""
        fills: dict[object, tuple[s.Fill, ...]] = {}
        counts_by_seats = {number: cls(model, number, fills=fills) for number in seats}
        for counts in counts_by_seats.values():
            for article in model.code.main_procedures:
                if isinstance(article, s.Setup):
                    counts.body(article.body, {}, frozenset())
            if counts.left <= 0:
                counts.unknown |= set(counts.filled)
        return counts_by_seats

    def count(self, name: str) -> int | None:
        """Return the count of a component, None if unknown."""
        return None if name in self.unknown else self.filled[name]

    def body(self, body: s.Block, values: Values, calls: frozenset[str]) -> None:
        """Evaluate the statements of a block; `calls` are the active calls."""
        bindings = dict(values)
        for statement in body:
            self.left -= 1
            if self.left <= 0:
                return
            self._statement(statement, bindings, calls)

    def _statement(self, statement: s.Statement, values: dict[Local, int], calls: frozenset[str]) -> None:
        match statement:
            case s.Fill():
                self._fill(statement, values)
            case s.Let(variable=variable, value=value):
                local, number = self.model.locals.get(variable), self.value(value, values)
                if local is not None and number is not None:
                    values[local] = number
            case s.ForEach(variable=variable, domain=domain, body=body):
                self._each(self.model.locals[variable], domain, body, values, calls)
            case s.Repeat(kind="times", subject=subject, body=body) if subject is not None:
                times = self.value(subject, values)
                if times is None:
                    self._doubt(body)
                for _ in range(min(times or 0, self.left)):
                    self.body(body, values, calls)
            case s.If():
                self._when(statement, values, calls)
            case s.Call(call=s.Called(name=name, arguments=arguments)) if name in self.model.code.rules:
                rule = self.model.code.rules[name]
                if name in calls:
                    self._doubt(rule.body)
                    return
                numbers = (self.value(argument, values) for argument in arguments)
                bound = zip(self.model.parameters.get(rule, ()), numbers, strict=False)
                self.body(rule.body, {local: n for local, n in bound if n is not None}, calls | {name})
            case _:
                self._doubt(statement)

    def _each(
        self, local: Local, domain: s.Domain, body: s.Block, values: dict[Local, int], calls: frozenset[str]
    ) -> None:
        every = domain.kind == "all" or (local.type.kind == "player" and domain.kind in ("from", "after"))
        if not every or domain.extreme is not None or local.type.kind not in ("player", "enum", "board", "cards"):
            self._doubt(body)
            return
        for number in range(self.model.size(local.type, self.seats)):
            bindings = {**values, local: number}
            included = 1 if domain.where is None else self.value(domain.where, bindings)
            if included is None:
                self._doubt(body)
            elif included:
                self.body(body, bindings, calls)

    def _when(self, statement: s.If, values: dict[Local, int], calls: frozenset[str]) -> None:
        for condition, body in statement.branches:
            holds = self.value(condition, values)
            if holds is None:
                self._doubt((*(body for _, body in statement.branches), statement.otherwise))
                return
            if holds:
                self.body(body, values, calls)
                return
        self.body(statement.otherwise, values, calls)

    def _fill(self, fill: s.Fill, values: Values) -> None:
        names = self._named(fill.filling, values)
        count = 1 if fill.count is None else self.value(fill.count, values)
        if count is None or len(names) != 1:
            self.unknown |= names
        else:
            [name] = names
            self.filled[name] += count
            zone, indices = self._place(fill.zone)
            deck = self.model.declared.decks.get(name)
            key = (zone, tuple(self.value(index, values) for index in indices))
            self.laid[key] += count * (deck.total if deck is not None else 1)

    def _named(self, e: s.Expression, values: Values) -> set[str]:
        """Return the deck, token or card that fills a place; all candidates if it is unknown."""
        kind = self.model.types.get(e)
        if isinstance(e, s.Name) and e.text in self.model.declared.decks:
            return {e.text}
        if kind is None or kind.kind not in ("enum", "cards"):
            return set()
        number = self.value(e, values)
        numbers = range(self.model.size(kind, self.seats)) if number is None else (number,)
        return {self.model.value_name(kind, n) for n in numbers}

    def _doubt(self, tree: object) -> None:
        """Mark everything that a tree and its called rules fill in as unknown."""
        for fill in self._fills(tree):
            self.unknown |= self._named(fill.filling, {})
            self.uncounted.add(self._place(fill.zone)[0])

    def _fills(self, tree: object) -> tuple[s.Fill, ...]:
        """Return the `fill` statements of a tree and of the rules that it calls, searched for once."""
        if tree not in self.fills:
            bodies = closure([tree], lambda part: [rule.body for rule in rules_called(self.model, part)])
            self.fills[tree] = tuple(node for body in bodies for node in s.walk(body) if isinstance(node, s.Fill))
        return self.fills[tree]

    def value(self, e: s.Expression, values: Values) -> int | None:
        """Return the value of an expression, None if it depends on play."""
        return evaluate(self.model, e, self.seats, values)

    # ---- limits ----

    def may_be_full(self, zone: str, capacity: int, moves: Sequence[s.Move | s.Lay | s.MoveAll]) -> bool:
        """Return whether a zone may hold as many cards as it has room for.

        It cannot if cards only come back to it from zones that got them from it, each with the same indices. `moves`
        are the movements of the game.
        """
        closed, waiting = set[str](), [zone]
        while waiting:
            closed.add(here := waiting.pop())
            for move in moves:
                target, indices = self._place(move.target)
                if target != here:
                    continue
                source = move.origin if isinstance(move, s.MoveAll) else move.origin or move.what
                origin, origin_indices = self._place(source)
                if not origin or len(indices) != len(origin_indices) or not all(map(s.same, indices, origin_indices)):
                    return True
                waiting += [origin] if origin not in closed else []
        by_indices: Counter[tuple[int | None, ...]] = Counter()
        for (name, values), count in self.laid.items():
            by_indices[values] += count if name in closed else 0
        play = tuple(a for a in self.model.code.procedures if not isinstance(a, s.Setup | s.Rule))
        uncounted = self.uncounted | {self._place(fill.zone)[0] for fill in self._fills(play)}
        if closed & uncounted or any(None in values for values, count in by_indices.items() if count):
            return True
        return max(by_indices.values(), default=0) >= capacity

    def _place(self, e: s.Expression) -> tuple[str, tuple[s.Expression, ...]]:
        """Return the zone and indices of a place, of a card in a slot, or of a card at the end of a pile."""
        return zone_name(self.model, e), s.index_nodes(_without_end(e))


def zone_name(model: Model, e: s.Expression) -> str:
    """Return the zone of a place, of a card in a slot, or of a card at the end of a pile; empty for anything else."""
    ref = model.ref(_without_end(e))
    return ref.name if ref.name in model.declared.zones else ""


def _without_end(e: s.Expression) -> s.Expression:
    return e.owner if isinstance(e, s.Of) and e.name in ("top", "bottom") else e


@dataclass(slots=True)
class DeclarationProse:
    """Builder of the blocks for the declarations of one game, for some numbers of players."""

    model: Model
    words: Translator
    players: tuple[int, ...]
    log: VerbalisationLog
    facts: GameFacts
    component_counts: dict[int, ComponentCounts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # One player more than the maximum distinguishes components per player from single ones.
        low, high = self.model.players
        self.component_counts = ComponentCounts.by_seats(self.model, {*self.players, low, high, high + 1})

    # ---- words ----

    def term(self, name: str, count: int | None = None) -> Term:
        """Return a term of the game."""
        return Term(name, None, count)

    def title(self, name: str) -> Value:
        """Return the heading of a declaration: its own title, or else its term."""
        has_title = self.words.has_message(f"title.{name}", self.model.scope)
        return Sentence(f"title.{name}") if has_title else self.term(name)

    def notes(self, *articles: s.Declaration) -> tuple[Note, ...]:
        """Return the distinct sources of declarations, and mark them as said."""
        self.log.mark_said(*(source for article in articles for source in article.sources))
        return notes_of(self.model, *articles)

    def _table(
        self,
        key: str,
        title: Value | None,
        corner: Value | None,
        columns: Iterable[Value],
        rows: Iterable[tuple[str, Value, Iterable[Value | None], s.Node]],
        articles: Sequence[s.Declaration],
    ) -> BookTable:
        """Return a table that tells all of some declarations; a row has its key, heading, cells and node."""
        self.log.mark_said(*s.walk(tuple(articles)))
        lines = tuple(BookTableRow(name, heading, tuple(cells), node) for name, heading, cells, node in rows)
        return BookTable(key, title, corner, tuple(columns), lines, articles[0], self.notes(*articles))

    def value(self, e: s.Expression) -> Value | None:
        """Return a value as a table cell."""
        match e:
            case s.Truth(value=value):
                return Term("yes" if value else "no")
            case s.Name(text=text) if any(text in self.model.enums[shapes] for shapes in self.model.shapes):
                return self._shape(text)
            case s.Name(text=text):
                return self.term(text)
            case s.Called(name=name, arguments=arguments):
                inside = ", ".join(a.text for a in arguments if isinstance(a, s.Name))
                return self.term(f"{name}({inside})")
        return s.written_number(e)

    def _shape(self, name: str) -> Value:
        """Return the name of a shape: its term, or else its letter."""
        return self.term(name) if self.words.has_term(name, self.model.scope) else Text(name)

    # ---- components ----

    def contents(self) -> CountList:
        """Return all components of the game with their counts."""
        items = [item for article in self.model.merged.articles for item in self._items(article)]
        unequal = any(item.count is None and item.each is None and item.counts for item in items)
        return CountList("contents", tuple(items), self.model.merged.head, self.players if unequal else ())

    def _items(self, article: s.Declaration) -> Iterator[CountItem]:
        name, key = article.name.text, s.key_text(article)
        yield from self._stands_for(article)
        match article:
            case s.Board() if name not in self._grounds():
                areas = self.term(name, len(self.model.boards[name].areas))
                picture = PicturePlace(key, "board", name, article)
                board = Sentence("rulebook.item.board", {"areas": areas})
                yield CountItem(key, board, article, self._always(1), picture=picture)
            case s.Figure():
                yield CountItem(key, self.term(name), article, self._always(1))
            case s.Track():
                spaces = sum(phase.spaces for phase in article.phases)
                track = Sentence("rulebook.item.track", {"track": self.title(name), "n": spaces})
                picture = PicturePlace(key, "track", name, article)
                yield CountItem(key, track, article, self._always(1), picture=picture)
            case s.Enumeration() if any(z.holds.name == name for z in self.model.declared.zones.values()):
                for word in article.values:
                    yield self._counted(f"{key}.{word.text}", word.text, word)
            case s.Cards() if self.facts.faces[name]:
                counts = self._cards(name, range(len(self.model.cards[name].faces)))
                yield CountItem(key, self.term(name), article, counts)
            case s.Shapes() if any(c.pieces == name for c in self.model.coverings.values()):
                yield self._pieces(article)

    def _stands_for(self, article: s.Declaration) -> Iterator[CountItem]:
        """Yield the thing that players use for a declaration, if the game has a term for it: a die, a pawn."""
        item = f"{article.name.text}.item"
        if not self.words.has_term(item, self.model.scope):
            return
        number, each_player = 1, isinstance(article, s.Score)
        if isinstance(article, s.Remember):
            # As many as the largest value, for each area and player.
            per, high = [word.text for word in article.each], article.type.high
            each_player = "player" in per
            number = (s.written_number(high) if high is not None else None) or 1
            number *= prod(len(self.model.boards[name].areas) for name in per if name in self.model.boards)
        counts = tuple(number * (seats if each_player else 1) for seats in self.players)
        key = f"{s.key_text(article)}.item"
        yield CountItem(key, self.term(item), article, counts, number if each_player else None)

    def _grounds(self) -> set[str | None]:
        """Return the lattices on which cards are laid, which are no physical boards."""
        return {zone.board for zone in self.model.declared.zones.values()}

    def _always(self, number: int) -> tuple[int, ...]:
        return (number,) * len(self.players)

    def _pieces(self, article: s.Shapes) -> CountItem:
        """Return the pieces of coverings; a simultaneous puzzle needs a set per player."""
        name, number = article.name.text, len(article.drawings)
        at_once = [
            part
            for node in self.facts.nodes(s.ChooseSimultaneously)
            for part in s.walk(node)
            if isinstance(part, s.OptionParameter) and (kind := self.model.locals[part.name].type).kind == "coverings"
            if self.model.coverings[kind.name].pieces == name
        ]
        self.log.depends_on(article, *at_once)
        if not at_once:
            return CountItem(s.key_text(article), self.term(name), article, self._always(number))
        counts = tuple(number * seats for seats in self.players)
        return CountItem(s.key_text(article), self.term(name), article, counts, number)

    def _counted(self, key: str, name: str, origin: s.Node, times: int = 1) -> CountItem:
        """Return an item with the count from the set-up."""
        low, high = self.model.players
        by_seats = {seats: stock.count(name) for seats, stock in self.component_counts.items()}
        counts = [by_seats[seats] for seats in self.players]
        multiplied = [count * times for count in counts if count is not None]
        if len(multiplied) < len(counts) or not any(multiplied):
            return CountItem(key, self.term(name), origin)
        first, more = by_seats[low], by_seats[high + 1]
        each = first // low if first is not None and first % low == 0 else 0
        shared = all(count is not None and count == each * seats for seats, count in by_seats.items())
        return CountItem(key, self.term(name), origin, tuple(multiplied), each * times if shared and more else None)

    def faces(self, article: s.Cards, kind: str) -> CountList:
        """Return the cards of one kind that are in the game, with their counts in the whole game."""
        sort = self.model.cards[article.name.text]
        key, items = f"effect.{kind}.cards", []
        for number, face in enumerate(sort.faces):
            if face.kind == kind and number in self.facts.faces[sort.name]:
                picture = PicturePlace(f"{key}.{face.name}", "card", face.name, article, sort.name)
                counts = self._cards(sort.name, (number,))
                items.append(CountItem(f"{key}.{face.name}", self.term(face.name), article, counts, picture=picture))
        unequal = any(item.count is None and item.counts for item in items)
        return CountList(key, tuple(items), article, self.players if unequal else ())

    def _cards(self, sort: str, faces: Iterable[int]) -> tuple[int, ...]:
        """Return the counts of some cards in all decks, by number of players; empty if unknown."""
        decks = [deck for deck in self.model.declared.decks.values() if deck.cards.name == sort]
        selected = set(faces)
        names = [self.model.cards[sort].faces[face].name for face in selected]
        counts = []
        for seats in self.players:
            stock = self.component_counts[seats]
            parts = [stock.count(deck.name) for deck in decks]
            single = [stock.count(name) for name in names]
            if None in parts or None in single:
                return ()
            inside = [sum(n for face, n in deck.copies if face in selected) for deck in decks]
            # A deck that the set-up does not use comes into play later, so it counts once.
            used = sum(many * (n or 1) for many, n in zip(inside, parts, strict=True))
            counts.append(used + sum(n for n in single if n is not None))
        return tuple(counts) if any(counts) else ()

    def deck(self, article: s.Deck) -> CountList:
        """Return the cards of a deck."""
        deck = self.model.declared.decks[article.name.text]
        sort = self.model.cards[deck.cards.name]
        key, items = s.key_text(article), []
        for face, count in deck.copies:
            if not count:
                continue  # A variant has removed all copies.
            name = sort.faces[face].name
            picture = PicturePlace(f"{key}.{name}", "card", name, article, sort.name)
            kind, apart = self._of_kind(sort, face)
            counts = self._always(count)
            items.append(CountItem(f"{key}.{name}", self.term(name), article, counts, None, picture, kind, apart))
        self.log.mark_said(*s.walk(article))
        times = self._counted(key, deck.name, article)
        title, cards = self.title(deck.name), self.term(sort.name, deck.total)
        if times.count is not None and times.count > 1:
            title = Sentence("rulebook.deck.times", {"deck": title, "times": times.count, "cards": cards})
        elif times.each is not None:
            values: dict[str, Value] = {"deck": title, "times": times.each, "cards": cards}
            title = Sentence("rulebook.deck.for_each" if times.each == 1 else "rulebook.deck.times_for_each", values)
        else:
            title = Sentence("rulebook.deck", {"deck": title, "cards": cards})
        return CountList(key, tuple(items), article, (), self.notes(article), title)

    def _of_kind(self, sort: CardSort, number: int) -> tuple[Term | None, tuple[Value, ...]]:
        """Return the kind of a card, if that has a name, and the values that distinguish it within its kind."""
        face = sort.faces[number]
        if not face.arguments or not self.words.has_term(face.kind, self.model.scope):
            return None, ()
        values = zip(sort.kinds[face.kind], face.arguments, strict=True)
        return self.term(face.kind), tuple(self.term(self.model.value_name(kind, n)) for (_, kind), n in values)

    # ---- boards, tracks and figures ----

    def board(self, article: s.Board) -> Iterator[Block]:
        """Yield the blocks of a board: picture, dimensions, and adjacency."""
        name, key = article.name.text, s.key_text(article)
        graph, notes = self.model.boards[name], self.notes(article)
        self.log.mark_said(*s.walk(article))
        near = (domain for domain in self.facts.nodes(s.Domain) if domain.kind in ("touching", "within", "reached"))
        touching = [domain for domain in near if isinstance(domain.base, s.Name) and domain.base.text == name]
        self.log.depends_on(article, *touching)
        if article.lattice is not None:
            kind, width, height = article.lattice
            shape: str = "diagonal" if article.diagonal and kind == "square" else kind
            many = self.term(name, len(graph.areas))
            values: dict[str, Value] = {"areas": many, "width": width, "height": height}
            place = "ground" if name in self._grounds() else "board"
            if kind == "square" and not touching:
                shape = "plain" if place == "board" else kind
            lines = (PlanLine(Sentence(f"rulebook.{place}.{shape}", values), article), *self._directions(article))
            yield Prose(key, lines, article, notes)
            if place == "board":
                yield PicturePlace(key, "board", name, article)
            return
        yield PicturePlace(key, "board", name, article)
        if not touching:
            return
        near_all = ((area, graph.touching[index]) for index, area in enumerate(graph.areas))
        rows = [
            (f"{key}.{area}", self.term(area), (self._every(graph.areas[other] for other in others),), article)
            for area, others in near_all
        ]
        title = self.title(name) if len(self.model.boards) > 1 else None
        yield self._table(f"{key}.touches", title, self.term(name), (Sentence("rulebook.touches"),), rows, (article,))

    def _directions(self, article: s.Board) -> Iterator[PlanLine]:
        """Yield the line that names the directions of a lattice by their numbers, if the rules use these."""
        name = article.name.text
        numbered = numbered_directions(self.model, self.facts, name)
        self.log.depends_on(article, *numbered)
        if numbered:
            names = enumerate(self.model.boards[name].direction_names)
            ways = (Sentence("rulebook.direction", {"n": n, "way": self.term(way)}) for n, way in names)
            yield PlanLine(Sentence("rulebook.directions", {"ways": Listing(tuple(ways))}), article)

    def track(self, article: s.Track) -> Iterator[Block]:
        """Yield the blocks of a track: picture, and number of spaces per phase."""
        name, key = article.name.text, s.key_text(article)
        yield PicturePlace(key, "track", name, article)
        phases = ((phase.name.text, phase) for phase in article.phases)
        rows = ((f"{key}.{word}", self.term(word), (phase.spaces,), phase) for word, phase in phases)
        yield self._table(key, self.title(name), Term("phase"), (Sentence("rulebook.spaces"),), rows, (article,))

    def setup_boards(self, boards: Sequence[s.Board], tracks: Sequence[s.Track]) -> Iterator[Prose]:
        """Yield the initial placement of boards and track markers."""
        grounds = self._grounds()
        lines = [
            *(PlanLine(Sentence("rulebook.board_laid"), b) for b in boards if b.name.text not in grounds),
            *(PlanLine(Sentence("rulebook.track_start", {"what": self.term(t.name.text)}), t) for t in tracks),
        ]
        if lines:
            yield Prose("setup.board", tuple(lines), (*boards, *tracks)[0])

    def figures(self, articles: Sequence[s.Figure]) -> Prose:
        """Return the locations and owners of figures."""
        lines = []
        for article in articles:
            self.log.mark_said(*s.walk(article))
            figure = {"figure": self.term(article.name.text)}
            said: list[Value] = []
            if article.board is not None:
                said.append(Sentence("rulebook.figure.board", {**figure, "area": self.term(article.board.text)}))
            if article.held:
                said.append(Sentence("rulebook.figure.held", figure, joined=bool(said)))
            lines.append(PlanLine(Sentence(Message.AND, {"all": Listing(tuple(said))}), article))
        return Prose("figures", tuple(lines), articles[0], self.notes(*articles))

    # ---- places ----

    def zones(self, articles: Sequence[s.Zone]) -> BookTable:
        """Return the table of zones: owner, kind, content, visibility and limits."""
        rows = []
        for article in articles:
            name = article.name.text
            one_for_all = self.words.is_shared(name, self.model.scope)
            cells = (
                self._every(word.text for word in article.each if not (one_for_all and word.text == "player")),
                self._zone_kind(article),
                self.term(article.holds.text, 2),
                Sentence(f"rulebook.seen.{article.seen}{'.chooser' if self._is_chosen_from(article) else ''}"),
                self._limits(article),
            )
            rows.append((s.key_text(article), self.term(name), cells, article))
        columns = (Sentence(f"rulebook.zones.{head}") for head in ("per", "sort", "holds", "seen", "limit"))
        return self._table("zones", None, Sentence("rulebook.zones.place"), columns, rows, articles)

    def _is_chosen_from(self, article: s.Zone) -> bool:
        """Return whether a player who chooses a card from a hidden place sees all of its cards."""
        domains = [offered.domain for offered in self.facts.nodes(s.OptionParameter)]
        domains = [domain for domain in domains if zone_name(self.model, domain.base) == article.name.text]
        self.log.depends_on(article, *domains)
        return bool(domains) and article.seen in ("nobody", "number")

    def _is_shuffled(self, article: s.Zone) -> bool:
        """Return whether the order of a pile is unknown to all players: it is shuffled after every addition."""
        procedures = self.model.code.procedures
        self.log.depends_on(article, *procedures)
        every = (block for procedure in procedures for block in s.all_blocks(procedure.body))
        return article.traits.ordered and not any(self._ends_unshuffled(block, article) for block in every)

    def _ends_unshuffled(self, block: s.Block, article: s.Zone) -> bool:
        """Return whether a block adds to a pile and does not shuffle it afterwards."""
        added = False
        for statement in block:
            match statement:
                case s.Shuffle(zone=zone) if zone_name(self.model, zone) == article.name.text:
                    added = False
                case s.Fill(zone=zone) | s.Move(target=zone) | s.MoveAll(target=zone):
                    added = added or zone_name(self.model, zone) == article.name.text
        return added

    def _zone_kind(self, article: s.Zone) -> Sentence:
        """Return the name of a kind of zone, as written in the rules if it has no words."""
        kind = article.kind
        message = "rulebook.zone.shuffled" if self._is_shuffled(article) else f"rulebook.zone.{kind}"
        if self.words.has_message(message, self.model.scope):
            return Sentence(message)
        return Sentence("engine.quoted", {"text": quoted(kind)})

    def _every(self, names: Iterable[str]) -> Value | None:
        terms = tuple(map(self.term, names))
        return Sentence("rulebook.all", {"what": Listing(terms)}) if terms else None

    def _limits(self, article: s.Zone) -> Value | None:
        limits: list[Value] = []
        stock, capacity = self.component_counts[max(self.component_counts)], article.capacity
        if capacity is not None and not article.traits.single:
            nodes = self.facts.nodes
            decks = (a for a in self.model.merged.articles if isinstance(a, s.Deck))
            self.log.depends_on(article, *self.model.code.procedures, *decks)
            if stock.may_be_full(article.name.text, capacity, (*nodes(s.Move), *nodes(s.Lay), *nodes(s.MoveAll))):
                limits.append(Sentence("rulebook.limit", {"what": self.term(article.holds.text, capacity)}))
        if article.never:
            never = Listing(tuple(self.term(word.text, 2) for word in article.never))
            limits.append(Sentence("rulebook.never", {"what": never}))
        return Listing(tuple(limits)) if len(limits) > 1 else limits[0] if limits else None

    def remembered(self, articles: Sequence[s.Remember], again: Mapping[str, Value]) -> BookTable:
        """Return the table of stored values: owner, range, start, and visibility.

        Values that start over during play (`again`) have a table of their own, with the occasion.
        """
        passing = articles[0].name.text in again
        key = "remembered.passing" if passing else "remembered"
        rows = []
        for article in articles:
            name = article.name.text
            reset = (Sentence("rulebook.again", {"condition": again[name]}),) if passing else ()
            each, seen = self._every(word.text for word in article.each), Sentence(f"rulebook.seen.{article.seen}")
            cells = (each, self._range(article.type), self._start(article), *reset, seen)
            rows.append((s.key_text(article), self.term(name), cells, article))
        heads = ("values", "start", "again") if passing else ("values", "start")
        columns = ("zones.per", *(f"remembered.{head}" for head in heads), "zones.seen")
        heading, what = Sentence(f"rulebook.{key}"), Sentence("rulebook.remembered.what")
        return self._table(key, heading, what, (Sentence(f"rulebook.{name}") for name in columns), rows, articles)

    def _range(self, kind: s.TypeName) -> Value:
        low, high = (s.written_number(e) if e is not None else None for e in (kind.low, kind.high))
        if kind.name == "number" and low is not None and high is not None:
            return Sentence("rulebook.range", {"low": low, "high": high})
        if kind.name == "yes or no":
            return Sentence("rulebook.truth")
        if kind.name == "number":
            return Sentence("rulebook.number")
        return self.term(kind.name)

    def _start(self, article: s.Remember) -> Value | None:
        if article.start is not None:
            start, none = self.value(article.start), f"none.{article.name.text}"
            if isinstance(start, int) and start < 0 and self.words.has_message(none, self.model.scope):
                return Sentence("rulebook.nothing", {"n": start})
            return start
        kind = article.type
        if kind.name == "number":
            return max((s.written_number(kind.low) if kind.low is not None else None) or 0, 0)
        return Term("no") if kind.name == "yes or no" else None

    # ---- numbers ----

    def options(self, articles: Sequence[s.Setting]) -> BookTable:
        """Return the table of settings: current value, range, and what it decides."""
        rows, explained = [], any(self._about(article) is not None for article in articles)
        for article in articles:
            setting = self.model.settings[article.name.text]
            number = setting.type.kind == "number"
            start: Value = setting.start if number else Term("yes" if setting.start else "no")
            span: Value = Sentence("rulebook.truth")
            if number:
                span = Sentence("rulebook.range", {"low": setting.low, "high": setting.high})
            cells = (start, span, *((self._about(article),) if explained else ()))
            rows.append((s.key_text(article), self.term(article.name.text), cells, article))
        heads = ("here", "range", "about") if explained else ("here", "range")
        columns = (Sentence(f"rulebook.options.{head}") for head in heads)
        return self._table("options", None, Sentence("rulebook.options.what"), columns, rows, articles)

    def _about(self, article: s.Setting) -> Value | None:
        """Return what the game says about a setting."""
        message = f"about.{article.name.text}"
        return Sentence(message) if self.words.has_message(message, self.model.scope) else None

    def table(self, article: s.LookupTable) -> BookTable:
        """Return a table of the rules; one indexed by number of players is limited to the possible numbers."""
        name, key = article.name.text, s.key_text(article)
        data, rows = self.model.tables[name], []
        lookups = [e for e, ref in self.model.refs.items() if (ref.kind, ref.name) == ("table", name)]
        keys = [self.model.ref(next(s.operands(e))).kind for e in lookups if isinstance(e, s.Indexed | s.Of)]
        by_players = bool(keys) and all(kind == "players" for kind in keys)
        for row in (article, *article.rows):
            self.log.depends_on(row, *lookups)
        for row in article.rows:
            heading = self._heading(row.key)
            if by_players and heading not in self.players:
                continue
            if by_players:
                heading = Sentence("rulebook.players.column", {"n": heading})
            rows.append((f"{key}.{_written(row.key)}", heading, map(self._cell, row.cells), row))
        by_term = data.keys[0].kind in ("enum", "board", "cards") and not by_players
        corner = self.term(data.keys[0].name) if by_term else None
        return self._table(key, self.title(name), corner, map(self._heading, article.columns), rows, (article,))

    def _heading(self, e: s.Expression) -> Value:
        """Return the heading of a row or column."""
        value = self.value(e)
        return Text("") if value is None else value

    def _cell(self, e: s.Expression) -> Value | None:
        is_empty = isinstance(e, s.Nobody) or (isinstance(e, s.Name) and e.text in ("none", "nobody"))
        return None if is_empty else self.value(e)

    def paths(self, article: s.Paths) -> BookTable:
        """Return the table of connections between card edges."""
        key, rows = s.key_text(article), []
        for row in article.rows:
            connections = []
            for path in row.paths:
                values: dict[str, Value] = {"one": path.sides[0], "other": path.sides[1], "n": path.number}
                connections.append(Sentence("rulebook.path.number" if path.number else "rulebook.path", values))
            rows.append((f"{key}.{_written(row.key)}", self._heading(row.key), connections, row))
        return self._table(key, self.title(article.name.text), self.term(article.keys.text), (), rows, (article,))

    def coverings(self, article: s.Coverings) -> BookTable:
        """Return the table of pieces for each area to cover."""
        key, rows = s.key_text(article), []
        for row in article.rows:
            sets = [Text(" ".join(word.text for word in pieces)) for pieces in row.sets]
            rows.append((f"{key}.{row.area.text}", self._shape(row.area.text), sets, row))
        columns = map(self.term, self.model.enums[article.key.text] if article.key is not None else ())
        title, corner = self.title(article.name.text), self.title(article.areas.text)
        return self._table(key, title, corner, columns, rows, (article,))

    def shapes(self, article: s.Shapes) -> Iterator[Block]:
        """Yield a picture for each shape."""
        key = s.key_text(article)
        self.log.mark_said(*s.walk(article))
        for drawing in article.drawings:
            name = drawing.name.text
            yield PicturePlace(f"{key}.{name}", "shape", name, drawing, article.name.text)

    def enumerations(self, articles: Iterable[s.Enumeration]) -> Iterator[PlanLine]:
        """Yield the values of each enumeration."""
        for article in articles:
            self.log.mark_said(*s.walk(article))
            if article.name.text in self._shown():
                continue
            values = Listing(tuple(self.term(word.text) for word in article.values))
            # Expressions that use the position within an enumeration make its order matter.
            positions = (e for e, ref in self.model.refs.items() if ref.kind == "position")
            queries = [e for e in positions if isinstance(e, s.Indexed | s.Of)]
            name = article.name.text
            ranked = tuple(e for e in queries if self.model.types[s.index_nodes(e)[0]].name == name)
            message = "rulebook.kinds.ranked" if ranked else "rulebook.kinds"
            kinds: dict[str, Value] = {"kind": self.term(article.name.text), "values": values}
            yield PlanLine(Sentence(message, kinds), article, others=ranked)

    def _shown(self) -> set[str]:
        """Return the enumerations that appear elsewhere: in the contents, on tracks, as origins, in tables."""
        zones = {zone.holds.name for zone in self.model.declared.zones.values()}
        origins = {score.by.name for score in self.model.declared.scores.values() if score.by is not None}
        phases = {tuple(phase for phase, _ in track) for track in self.model.tracks.values()}
        tables = {kind.name for table in self.model.tables.values() for kind in table.keys}
        tracks = {name for name, values in self.model.enums.items() if values in phases}
        return zones | origins | tables | tracks

    def scores(self, articles: Sequence[s.Score]) -> Prose:
        """Return the scores of each player, and their origins."""
        lines = []
        for article in articles:
            self.log.mark_said(*s.walk(article))
            values: dict[str, Value] = {"score": self.term(article.name.text, 2)}
            lost, changes = _point_loss(self.model, self.facts, article.name.text)
            below = "rulebook.score.below" if lost else "rulebook.score"
            lines.append(PlanLine(Sentence(below, values), article, others=changes))
            if article.by is not None:
                origins = self.model.enums[article.by.text]
                values["origins"] = Listing(tuple(self.term(origin) for origin in origins))
                lines.append(PlanLine(Sentence("rulebook.score.by", values), article.by))
        return Prose("scores", tuple(lines), articles[0], self.notes(*articles))


def _written(e: s.Expression) -> str:
    """Return a table key as part of a name."""
    match e:
        case s.Name(text=text):
            return text
        case s.Called(name=name, arguments=arguments):
            return f"{name}({', '.join(map(_written, arguments))})"
    number = s.written_number(e)
    return "" if number is None else str(number)


def _point_loss(model: Model, facts: GameFacts, score: str) -> tuple[bool, tuple[s.Node, ...]]:
    """Return whether a score can decrease, so that it has no lower bound, and the nodes that decide this."""
    gains = [node for node in facts.nodes(s.Gain) if node.score.text == score]
    switches = [
        (node, block, ref.name)
        for node in facts.nodes(s.If)
        for condition, block in node.branches
        if (ref := model.ref(condition)).kind == "option"
    ]
    off = {g for _, block, name in switches if not model.settings[name].start for g in s.walk(block)}
    around = [node for node, _, _ in switches if not set(gains).isdisjoint(s.walk(node))]
    return any(gain.loses and gain not in off for gain in gains), (*gains, *around)
