"""Completion: keywords and names that fit at a position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from wongar_dsl.engine.library import builtin_names
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser import completions
from wongar_dsl.language.semantics import Type
from wongar_dsl.language.semantics.builtins import FUNCTIONS, NUMBERS, PROPERTIES
from wongar_dsl.language.server.symbols import DocumentView, Snapshot, TextPosition, declared_names
from wongar_dsl.nlg.words import Translator

#: Sorts of names that can be used as values.
_VALUES = (
    "value", "option", "remember", "zone", "score", "track", "table", "paths", "define", "rule", "facekind", "figure",
    "enum", "board", "cards", "coverings",
)  # fmt: skip
_ZONES = frozenset(get_args(s.ZoneKind))
_TYPES = ("enum", "board", "cards")
#: First words of lines that change a base, which a game does not have.
_CHANGES = frozenset({"set", "add", "before", "after", "allow", "replace", "remove"})
#: The line that a file has exactly once.
_HEAD = re.compile(r"(game|variant)\b")
#: Sorts of names expected after a word.
_AFTER: Mapping[str, tuple[str, ...]] = {
    "each": _TYPES, "gives": _TYPES, "by": ("enum", "shapes"), "never": ("facekind",), "take": ("figure",),
    "takes": ("figure",), "advance": ("track",), "choice": ("decision",), "tell": ("message",), "as": ("message",),
    "source": ("book",), "inferred": ("book",), "reconstruction": ("book",), "allow": ("choice",),
}  # fmt: skip
#: Words after which the author invents a new name.
_NEW = _ZONES | {"let", "game", "variant", "book", "choose", "chooses", *s.SORTS}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A completion: its text, its sort (`word` for a keyword), and its term for players.

    `wanted`: it has the expected type.
    """

    text: str
    sort: str
    detail: str = ""
    wanted: bool = True


def complete(view: DocumentView, place: TextPosition, words: Translator) -> tuple[Candidate, ...]:
    """Return the completions for the word that ends at a position."""
    if not 0 < place.line <= len(view.lines):
        return ()
    acceptable = completions(view.lines, place.line - 1, place.column - 1)
    fits = _beginning(view, place) if not acceptable.before else bool
    candidates = [Candidate(word, "word") for word in acceptable.words if fits(word)]
    if acceptable.name:
        candidates += _NameCandidates(view, place, acceptable.before, words).candidates()
    unique = {candidate.text: candidate for candidate in reversed(candidates)}
    return tuple(reversed(unique.values()))


def _beginning(view: DocumentView, place: TextPosition) -> Callable[[str], bool]:
    """Return a predicate for the first word of a line.

    A file has one head, which comes first, and changes need a base.
    """
    if view.lines[place.line - 1][:1].isspace():
        return bool
    heads = {line.split()[0] for n, line in enumerate(view.lines, 1) if n != place.line and _HEAD.match(line)}
    if not heads:
        return lambda word: word in ("game", "variant")
    unfit = {"game", "variant"} | (set() if "variant" in heads else _CHANGES)
    return lambda word: word not in unfit


class _NameCandidates:
    """Names that fit at a position."""

    def __init__(self, view: DocumentView, place: TextPosition, before: Sequence[str], words: Translator) -> None:
        self.view, self.place, self.before, self.words = view, place, list(before), words

    @cached_property
    def sorts(self) -> dict[str, str]:
        """Sort of each name."""
        return dict(_names_with_sorts(self.view.snapshot))

    @cached_property
    def locals(self) -> list[str]:
        """Local names visible at the position, the nearest first."""
        return list(reversed(list(dict.fromkeys(_locals(self.view.lines, self.place)))))

    def candidates(self) -> Iterator[Candidate]:
        sorts = self.wanted()
        if sorts is None:
            yield from self.values()
            return
        if "player" in sorts:
            yield Candidate("player", "builtin")
        if "game" in sorts:
            yield from (Candidate(name, "game") for name in builtin_names())
        for name, sort in self.sorts.items():
            if sort in sorts or ("zone" in sorts and sort in _ZONES):
                yield self.candidate(name, sort)

    def candidate(self, name: str, sort: str, wanted: bool = True) -> Candidate:
        game = self.view.snapshot.text_scope
        detail = self.words.term(name, game) if self.words.has_term(name, game) else ""
        return Candidate(name, sort, detail, wanted)

    def wanted(self) -> tuple[str, ...] | None:
        """Return the expected sorts of names; None for any value."""
        before = self.before
        first, last = (before[0], before[-1]) if before else ("", "")
        if first == "set" and len(before) == 1 and not self.view.lines[self.place.line - 1][:1].isspace():
            return ("option", "table", "facekind", "value")
        if len(before) == 1 and last in _NEW:
            return ()
        if first in ("before", "after", "remove") and len(before) == 1:
            return ("rule", "decision", "message", "value", "facekind", "choice", "remember")
        if first in ("add", "remove", "set", "before", "after") and last in s.SORTS and len(before) > 1:
            return ("facekind",) if last == "effect" else (last,)
        if first == "variant" and last == "of":
            return ("game",)
        if last == "each":
            return (*_TYPES, "player") if before[-2:-1] == ["of"] else ()
        if last in ("some", "every", "kind") or (last in ("for", "first", "random") and first != "effect"):
            return ()
        if last == ":" and first in ("rule", "define", "effect", "remember"):
            return (*_TYPES, "player")
        return _AFTER.get(last) or self._declaring(first, last)

    def _declaring(self, first: str, last: str) -> tuple[str, ...] | None:
        before = self.before
        if last in ("holds",) or before[-3:-1] == ["at", "most"]:
            return ("enum",) if s.zone_traits(first).tokens else ("cards",)
        if last == "of" and first in ("deck", "paths", "coverings"):
            return ("cards", "enum") if first != "coverings" else ("shapes",)
        if last == "on" and (first == "figure" or s.zone_traits(first).spread):
            return ("board",)
        if first == "fill" and before[-2:-1] == ["with"]:
            return ("value", "facekind")
        if {"gains", "gain", "loses", "lose"} & set(before[:-1]) and not set(before[-1]) & set("+-*([,"):
            return ("score",) if "for" not in before else None
        return None

    def values(self) -> Iterator[Candidate]:
        """Yield everything that has a value, names of the expected type first."""
        kind = self.index_type()
        enum = self.members(kind)
        types = self.local_types()
        start, filling = not self.before, self.before[:1] == ["fill"] and self.before[-1] == "with"
        for name in self.locals:
            yield Candidate(name, "local", str(types.get(name, "")), kind is None or types.get(name) == kind)
        for name, sort in self.sorts.items():
            if sort in _VALUES or sort in _ZONES or (filling and sort == "deck"):
                yield self.candidate(name, sort, sort == "rule" if start else kind is None or name in enum)
        for name in (*PROPERTIES, *FUNCTIONS, *NUMBERS, "player"):
            yield Candidate(name, "builtin", "", kind is None and not start)
        for name in self.view.snapshot.symbols.attributes:
            yield self.candidate(name, "attribute", kind is None and not start)

    def members(self, kind: Type | None) -> frozenset[str]:
        """Return the names of the values of a type."""
        model = self.view.snapshot.model
        if model is None or kind is None or kind.kind not in ("enum", "board", "cards"):
            return frozenset()
        return frozenset(model.value_name(kind, n).partition("(")[0] for n in range(model.size(kind, 0)))

    def local_types(self) -> dict[str, Type]:
        """Return the types of local names, if known; on equal names the nearest one wins."""
        model, line = self.view.snapshot.model, self.view.shift.older(self.place.line)
        nearest_last = (
            sorted(model.locals.values(), key=lambda binding: -abs(binding.span_node.span.line - line)) if model else []
        )
        return {local.name: local.type for local in nearest_last}

    def index_type(self) -> Type | None:
        """Return the type expected in the brackets around the position: a key of a table or a parameter of a rule."""
        model = self.view.snapshot.model
        opened: list[tuple[int, int]] = []
        for i, token in enumerate(self.before):
            if token in ("(", "["):
                opened.append((i, 0))
            elif token in (")", "]") and opened:
                opened.pop()
            elif token == "," and opened:
                opened[-1] = (opened[-1][0], opened[-1][1] + 1)
        if model is None or not opened or opened[-1][0] == 0 or self.before[-1] not in ("(", "[", ","):
            return None
        name, number = self.before[opened[-1][0] - 1], opened[-1][1]
        kinds: Sequence[Type] = ()
        if name in model.tables:
            kinds = model.tables[name].keys
        elif name in model.declared.zones:
            zone = model.declared.zones[name]
            kinds = (*zone.indices, zone.holds)
        elif name in model.declared.remembered:
            kinds = model.declared.remembered[name].indices
        elif name in model.code.rules or name in model.code.defines:
            article = model.code.rules.get(name) or model.code.defines[name]
            kinds = [local.type for local in model.parameters.get(article, ())]
        else:
            kinds = next((tuple(k for _, k in c.kinds[name]) for c in model.cards.values() if name in c.kinds), ())
        return kinds[number] if number < len(kinds) else None


def _names_with_sorts(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield all names of a game with their sorts."""
    for file in snapshot.files:
        for article in file.tree.articles:
            inner = article.new_article
            sort = "facekind" if isinstance(inner, s.Cards) or getattr(inner, "sort", "") == "cards" else "value"
            words = declared_names(inner) if isinstance(inner, s.Paths) else inner.inner_names
            yield from ((word.text, "paths" if isinstance(inner, s.Paths) else sort) for word in words)
            if inner.named:
                yield inner.name.text, inner.sort_text
        head = file.tree.head
        yield from ((book.name, "book") for book in (head.books if isinstance(head, s.Game | s.Variant) else ()))
    for message in snapshot.symbols.messages:
        yield message, "message"
    for decision, options in snapshot.symbols.options.items():
        yield decision, "decision"
        yield from ((option, "choice") for option in options)


_BINDERS = re.compile(
    r"\b(?:for each|some|every|no|first|random|number of|for|each|winner)\s+([A-Za-z]\w*)(?=\s+in\b|\s*$|\s+at\b)"
    r"|[(,]\s*([A-Za-z]\w*)\s*:|^\s*([A-Za-z]\w*)\s*:|\blet\s+([A-Za-z]\w*)"
)


def _locals(lines: Sequence[str], place: TextPosition) -> Iterator[str]:
    """Yield the names bound above a position in its article, in enclosing blocks, or before it in its line."""
    first = place.line - 1
    while first > 0 and (not lines[first].strip() or lines[first][0] in " \t#)]"):
        first -= 1
    bindings: list[tuple[int, bool, str]] = []
    line_start = lines[place.line - 1][: place.column - 1]
    for number, line in enumerate([*lines[first : place.line - 1], line_start]):
        text = re.sub(r'"[^"]*"', "", line).partition("#")[0]
        body = text.lstrip()
        last = number == place.line - 1 - first
        if not body and not last:
            continue
        indent = len(text) - len(body)
        bindings = [k for k in bindings if k[0] < indent or (k[0] == indent and k[1])]
        message = re.search(r"\b(?:tell|as)\s+\w+\(", text)
        for binder in _BINDERS.finditer(text[: message.start()] if message else text):
            name = next(group for group in binder.groups() if group)
            if name not in ("each", "in", "of"):
                bindings.append((indent, binder[4] is not None, name))
    yield from (name for _, _, name in bindings)
