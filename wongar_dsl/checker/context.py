"""What the parts of the checker share: the model as it grows, the findings, and the global names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wongar_dsl import syntax as s
from wongar_dsl.checker.draft import Draft
from wongar_dsl.ir.containers import zone_facts
from wongar_dsl.model import NONE, NUMBER, PLAYER, UNKNOWN, Code, Local, Ref, Type
from wongar_dsl.model.builtins import NAMED_TYPES, NUMBERS, TAKEN, TYPES
from wongar_dsl.model.types import TypeKind
from wongar_dsl.text.budget import WORK, Budget, OverBudget
from wongar_dsl.text.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.text.foreign import KEYWORDS, WORDS
from wongar_dsl.text.foreign import TYPES as FOREIGN_TYPES
from wongar_dsl.text.span import Span
from wongar_dsl.text.suggest import did_you_mean

MANY = 300
#: So few names that could stand at a place are all told.
FEW = 5

#: A name for something that cannot have the name that it was given, by what it is.
_OTHER_NAMES = {
    "rule": "do_{}", "define": "the_{}", "remember": "{}_now", "cards": "{}_card", "facekind": "{}_card",
    "value": "{}_value", "enum": "{}_kind", "zone": "{}_place",
    "board": "{}_board", "deck": "{}_deck", "score": "{}_score", "track": "{}_track", "table": "{}_table",
    "option": "{}_option", "shapes": "{}_shapes", "coverings": "{}_coverings",
}  # fmt: skip

#: Words that lines are built of; an option of that name is a line that went wrong.
OF_LINES = frozenset(
    {"and", "each", "every", "for", "if", "in", "is", "let", "no", "not", "of", "or", "otherwise", "repeat", "some"}
    | {"until", "where", "while", "with", "yes"}
)  # fmt: skip

#: Functions of other languages, and what is said here.
SAID_OTHERWISE = {"min": "least", "max": "greatest", "abs": "greatest", "len": "size", "length": "size"}


#: What a declared name is: the sort of its article, or a part of one.
GlobalKind = Literal[s.Sort, "value", "facekind"]


@dataclass(frozen=True, slots=True)
class Global:
    """A declared name: what it is, where it stands, and which value it is of which type."""

    kind: GlobalKind
    node: s.Node
    type: Type = UNKNOWN
    number: int = 0


class Known(NamedTuple):
    """What a statement knows under a name: its type, where its event has it, and the expressions that mean the same.

    `sure` is false where there are several: then a sentence cannot have it without saying which.
    """

    type: Type
    field: str
    part: int | None = None
    ways: tuple[Way, ...] = ()
    sure: bool = True


class Way(NamedTuple):
    """An expression of a statement, and where the event of the statement has its value: a field, or an index of it."""

    said: s.Expression
    field: str
    part: int | None = None


class Site(NamedTuple):
    """A place where a message is told: with what the statement knows, and the types of what is written."""

    told: s.MessageRef
    known: dict[str, Known]
    types: dict[str, Type]


def _is_listed(kind: Type | None) -> bool:
    """Whether the values of a type have names that can be listed."""
    return kind is not None and kind.kind in ("enum", "cards", "board")


def _name_of(place: s.Node, name: str) -> Span:
    """The name itself, where a place goes on behind it."""
    span = place.span
    short = span.line == span.end_line and span.end_column - span.column <= len(name)
    return span if short else Span(span.source, span.line, span.column, span.line, span.column + len(name))


@dataclass(slots=True)
class Context:
    """One run of the checker."""

    model: Draft
    reserved: frozenset[str]
    #: What an expression over a domain is: expressions hold domains, which hold expressions.
    quantified: Callable[[Context, s.Quantified], Type]
    found: list[Diagnostic] = field(default_factory=list)
    names: dict[str, Global] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    scopes: list[dict[str, Local]] = field(default_factory=list)
    article: s.Article | None = None
    code: Code = field(default_factory=Code)
    checking: list[s.Article] = field(default_factory=list)
    used_locals: set[Local] = field(default_factory=set)
    one_piece: list[s.ForEach] = field(default_factory=list)
    #: The values of `let` names, the names that get another value later, and where messages are told.
    lets: dict[Local, s.Expression] = field(default_factory=dict)
    assigned: set[Local] = field(default_factory=set)
    sites: list[Site] = field(default_factory=list)
    budget: Budget = field(default_factory=Budget)
    #: What has been charged once: tables are made once, however often they are looked up.
    overspent: bool = False
    charged: set[tuple[object, ...]] = field(default_factory=set)

    def report(
        self,
        code: str,
        place: s.Node | Span,
        labels: tuple[Label, ...] = (),
        suggestion: str | None = None,
        hint: Hint | None = None,
        **arguments: str | int | tuple[str, ...],
    ) -> None:
        """Note a finding."""
        span = place if isinstance(place, Span) else place.span
        self.found.append(Diagnostic(code, span, arguments, labels, suggestion, hint))

    @contextmanager
    def within_budget(self, place: s.Node, what: str) -> Iterator[None]:
        """Do something that is charged; what is too much for the file as a whole is noted, at the first place."""
        try:
            yield
        except OverBudget:
            # Where nothing is left, all that comes after is too much: that is no further mistake.
            if not self.overspent:
                self.report("R0426", place, what=what, limit=WORK)
            self.overspent = True

    def charge(self, place: s.Node, what: str, work: int, key: tuple[object, ...]) -> None:
        """Charge for a table that lowering will make; `key` tells which it is."""
        if key not in self.charged:
            self.charged.add(key)
            with self.within_budget(place, what):
                self.budget.take(work)

    def unknown(
        self, place: s.Node, name: str, known: Iterable[str] | None = None, expected: Type | None = None
    ) -> None:
        """Note an unknown name, with the nearest of the known ones, or of those that have a value of a type."""
        if name in self.reserved:
            near = did_you_mean(name, known, 0.75) if known is not None else None
            listed = tuple(self.values(expected) if known is None else known) if near is None else ()
            used = (
                Hint("one_of", {"values": listed}) if listed and (known or _is_listed(expected)) else Hint("word_used")
            )
            special = {"player": Hint("one_player"), "empty": Hint("is_empty")}.get(name, used)
            self.report("R0205", place, suggestion=near, hint=special, name=name)
            return
        known = list(known) if known is not None else None
        said = (SAID_OTHERWISE.get(name) or FOREIGN_TYPES.get(name.lower())) if known is not None else WORDS.get(name)
        if known is not None and said is not None and said.split()[0] not in (*known, "yes"):
            said = None
        named_few = known is not None and 0 < len(known) <= FEW
        if known is None:
            known = list(self.values(expected))
            if said not in ("yes", "no", "nobody"):
                said = None
        # Near names are worth a search as long as there are not too many of them, or of the mistakes.
        near = said or (did_you_mean(name, list(known)[:MANY]) if len(self.found) < MANY else None)
        listed = tuple(known) if _is_listed(expected) or named_few or expected == PLAYER else ()
        hint = Hint("one_of", {"values": listed}) if near is None and listed else None
        self.report("R0201", _name_of(place, name), suggestion=near, hint=hint, name=name)

    def values(self, expected: Type | None) -> Iterator[str]:
        """The names that stand for a value, of a type that is expected if one is."""
        wanted = expected if expected is not None else UNKNOWN
        for scope in self.scopes:
            yield from (name for name, local in scope.items() if self.fits(wanted, local.type))
        for name, declared in self.names.items():
            kind = self._value_of(name, declared)
            if kind is not None and self.fits(wanted, kind):
                yield name
        if self.fits(wanted, NUMBER):
            yield from NUMBERS

    def _value_of(self, name: str, declared: Global) -> Type | None:
        """The type of the value that a declared name stands for by itself; None where it needs more, or is no value."""
        article = self.model.articles.get((declared.kind, name)) if declared.kind != "facekind" else None
        match article:
            case s.Option():
                return self.model.settings[name].type if name in self.model.settings else UNKNOWN
            case s.Remember(each=()):
                return TYPES.get(article.type.name) or self.named(article.type.name) or UNKNOWN
            case s.Zone(each=()):
                return self.held(article) if zone_facts(article.kind).single else Type("zone", name)
        return declared.type if declared.kind in ("value", "facekind") and declared.type != UNKNOWN else None

    def taken(self, place: s.Node, kind: str, name: str = "") -> None:
        """Note a word of the language that is used as a name for something of this kind, with a name that would do."""
        name = place.text if isinstance(place, s.Word) else name
        hint = Hint("another_name", {"example": _OTHER_NAMES.get(kind, "this_{}").format(name)})
        self.report("R0205", place, hint=hint, name=name)

    def foreign(self, word: s.Word, suggestion: str | None = None) -> bool:
        """Whether the name of an option is a word that other lines are built of, here or elsewhere, which is noted."""
        if word.text in OF_LINES:
            self.report(
                "R0205",
                word,
                suggestion=suggestion,
                hint=Hint("another_name", {"example": f"{word.text}_it"}),
                name=word.text,
            )
            return True
        instead = KEYWORDS.get(word.text.lower())
        if instead is None:
            return False
        hint = Hint("say_instead", {"word": instead}) if instead else None
        self.report("R0215", word, suggestion=suggestion, hint=hint, name=word.text)
        return True

    def declare(self, word: s.Word, new: Global) -> bool:
        """Enter a global name; False where it cannot be."""
        if word.text in self.reserved or word.text in TAKEN:
            self.taken(word, new.kind)
            self.names.setdefault(word.text, new)
            return True
        if word.text in self.names:
            first = Label(self.names[word.text].node.span, "declared")
            self.report("R0202", word, (first,), name=word.text)
            return False
        self.names[word.text] = new
        return True

    # ---- local names ----

    def bind(self, word: s.Word, kind: Type) -> Local:
        """Enter a local name in the innermost scope."""
        local = Local(word.text, kind, word)
        if word.text in self.reserved or (word.text in TAKEN and word.text != "me"):
            self.taken(word, "local")
        for scope in self.scopes:
            if word.text in scope:
                first = Label(scope[word.text].span_node.span, "declared")
                self.report("R0209", word, (first,), name=word.text)
                break
        else:
            if word.text in self.names:
                first = Label(self.names[word.text].node.span, "declared")
                self.report("R0209", word, (first,), name=word.text)
        self.scopes[-1][word.text] = local
        self.model.locals[word] = local
        return local

    def look_up(self, name: str) -> Local | None:
        """The local name as it stands in the scopes around."""
        for scope in reversed(self.scopes):
            if name in scope:
                self.used_locals.add(scope[name])
                return scope[name]
        return None

    # ---- types ----

    def fits(self, expected: Type, found: Type) -> bool:
        """Whether a value of type `found` may stand where `expected` is needed."""
        return expected == found or UNKNOWN in (expected, found) or (found == NONE and expected.can_be_none)

    def held(self, zone: s.Zone) -> Type:
        """What lies in a zone; unknown where that is declared wrongly."""
        kind = zone_facts(zone.kind).holds
        return self.named(zone.holds.text, kind) or UNKNOWN

    def named(self, name: str, *kinds: TypeKind) -> Type | None:
        """The type that a declaration's name means, of one of `kinds`; None where it means none."""
        declared = self.names.get(name)
        kind = NAMED_TYPES.get(declared.kind) if declared is not None else None
        return Type(kind, name) if kind is not None and (not kinds or kind in kinds) else None

    def expect(self, place: s.Node, expected: Type, found: Type) -> None:
        """Note a wrong type."""
        if not self.fits(expected, found):
            self.report("R0301", place, found=str(found), expected=str(expected))

    def record_type(self, node: s.Expression, kind: Type, ref: Ref | None = None) -> Type:
        """Write down what was found out about an expression."""
        self.model.types[node] = kind
        if ref is not None:
            self.model.refs[node] = ref
        return kind

    def type_of(self, written: s.TypeName) -> Type:
        """The type that a type name means."""
        if written.name in TYPES:
            return TYPES[written.name]
        declared = self.names.get(written.name)
        if declared is None:
            kinds = [n for n, g in self.names.items() if g.kind in ("enum", "board", "cards")]
            self.unknown(written, written.name, [*kinds, "number", "player"])
            return UNKNOWN
        found = self.named(written.name)
        if found is None:
            self.report("R0203", written, name=written.name, found=declared.kind, expected=("enum", "board", "cards"))
            return UNKNOWN
        self.used.add(written.name)
        return found
