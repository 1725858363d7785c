"""State that the checks share (growing model, diagnostics, symbol table), and the resolution of single names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Literal, NamedTuple, TypeVar

from wongar_dsl.base.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.foreign_words import KEYWORDS, WORDS
from wongar_dsl.base.foreign_words import TYPES as FOREIGN_TYPES
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import (
    NONE,
    NUMBER,
    PLAYER,
    UNKNOWN,
    CodeDeclarations,
    Declarations,
    Local,
    Model,
    Ref,
    Type,
)  # fmt: skip
from wongar_dsl.language.semantics.builtins import NAMED_TYPES, NUMBERS, TAKEN, TYPES
from wongar_dsl.language.semantics.model import TypeKind
from wongar_dsl.language.semantics.shapes import WORK, OverBudgetError, WorkBudget

A = TypeVar("A", bound=s.Declaration)


@dataclass(frozen=True, slots=True)
class ModelBuilder(Model):
    """A model under construction, with the articles that it is built from."""

    articles: dict[tuple[str, str], s.Declaration] = field(default_factory=dict)

    def all_of(self, sort: type[A]) -> list[A]:
        """Return all articles of a sort, in the order of the file."""
        return [article for article in self.articles.values() if isinstance(article, sort)]

    def article(self, sort: type[A], name: str = "") -> A | None:
        """Return the article of a sort with this name, None if there is none."""
        article = self.articles.get((sort.keyword, name))
        return article if isinstance(article, sort) else None

    def finished(self, code: CodeDeclarations, declared: Declarations) -> Model:
        """Return the finished, read-only model."""
        values = {f.name: getattr(self, f.name) for f in fields(Model) if f.init}
        return Model(**values | {"code": code, "declared": declared})


#: Number of diagnostics above which no similar names are searched, and of names searched.
MAX_ERRORS = 300
#: Maximum number of possible names for which a diagnostic lists all of them.
MAX_LISTED_NAMES = 5

#: Patterns for a valid name, by the kind of thing that was given a reserved one.
_OTHER_NAMES = {
    "rule": "do_{}", "define": "the_{}", "remember": "{}_now", "cards": "{}_card", "facekind": "{}_card",
    "value": "{}_value", "enum": "{}_kind", "zone": "{}_place",
    "board": "{}_board", "deck": "{}_deck", "score": "{}_score", "track": "{}_track", "table": "{}_table",
    "option": "{}_option", "shapes": "{}_shapes", "coverings": "{}_coverings",
}  # fmt: skip

#: Keywords that cannot name an option: with those inside of lines it comes from a malformed line, and a variant that
#: names the option reads the others as a value or as the sort of an article.
NO_OPTION_NAMES = frozenset(
    {"and", "each", "every", "for", "if", "in", "is", "let", "no", "not", "of", "or", "otherwise", "repeat", "some"}
    | {"until", "where", "while", "with", "yes", "I", "first", "impossible", "my", "nobody", "none"}
    | {"nothing", "random"}
    | {sort for sort, article in s.SORTS.items() if article.removable}
)  # fmt: skip

#: Functions of other languages, and their equivalents in the rule language.
FOREIGN_FUNCTIONS = {"min": "least", "max": "greatest", "abs": "greatest", "len": "size", "length": "size"}


#: Kind of a global name: the sort of its article, or of a part of one.
GlobalKind = Literal[s.Sort, "value", "facekind"]


@dataclass(frozen=True, slots=True)
class GlobalSymbol:
    """A global symbol: its kind, declaration, type and value."""

    kind: GlobalKind
    node: s.Node
    type: Type = UNKNOWN
    number: int = 0


class SuppliedArgument(NamedTuple):
    """A message argument that a statement supplies by itself.

    It has a type, a place in the event (`field`, and index number `part`) and equivalent expressions in `sources`. If
    these may differ, it is not `unique`, and a message must write the argument out.
    """

    type: Type
    field: str
    part: int | None = None
    sources: tuple[ArgumentSource, ...] = ()
    unique: bool = True


class ArgumentSource(NamedTuple):
    """An expression of a statement, and the event field with its value, or the number of an index of that field."""

    value: s.Expression
    field: str
    part: int | None = None


class UseSite(NamedTuple):
    """A use of a message: the arguments its statement supplies, and the types of those written."""

    message: s.MessageRef
    supplied: dict[str, SuppliedArgument]
    types: dict[str, Type]


#: Types with a fixed number of values, whose name is a domain of them.
COUNTABLE: tuple[Literal["enum", "board", "cards"], ...] = ("enum", "board", "cards")


def _is_listed(value_type: Type | None) -> bool:
    """Return whether the values of a type have names that can be listed."""
    return value_type is not None and value_type.kind in COUNTABLE


def _name_of(place: s.Node, name: str) -> Span:
    """Return the span of the name at the start of a longer expression."""
    span = place.span
    short = span.line == span.end_line and span.end_column - span.column <= len(name)
    return span if short else Span(span.source, span.line, span.column, span.line, span.column + len(name))


@dataclass(slots=True)
class CheckContext:
    """State of one run of the checker."""

    model: ModelBuilder
    reserved: frozenset[str]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    names: dict[str, GlobalSymbol] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    scopes: list[dict[str, Local]] = field(default_factory=list)
    #: Local names whose scope has ended, by the article that bound them.
    ended: dict[tuple[s.Declaration | None, str], Local] = field(default_factory=dict)
    article: s.Declaration | None = None
    code: CodeDeclarations = field(default_factory=CodeDeclarations)
    #: Definitions whose values are being checked, the outermost first.
    checking: list[s.Declaration] = field(default_factory=list)
    used_locals: set[Local] = field(default_factory=set)
    #: Loops whose bodies must not contain a decision.
    uninterruptible_loops: list[s.ForEach] = field(default_factory=list)
    #: The values of `let` names, the local names that `set` changes, and the uses of messages.
    lets: dict[Local, s.Expression] = field(default_factory=dict)
    assigned: set[Local] = field(default_factory=set)
    sites: list[UseSite] = field(default_factory=list)
    #: Work left for tables that lowering will build, whether it is exhausted, and the tables charged so far.
    budget: WorkBudget = field(default_factory=WorkBudget)
    overspent: bool = False
    charged: set[tuple[object, ...]] = field(default_factory=set)

    def report(
        self,
        code: str,
        place: s.Node | Span,
        labels: tuple[Label, ...] = (),
        suggestion: str | None = None,
        hint: Hint | None = None,
        declared: s.Node | None = None,
        **arguments: str | int | tuple[str, ...],
    ) -> None:
        """Add a diagnostic; `declared` is the declaration that it shows."""
        span = place if isinstance(place, Span) else place.span
        labels = labels if declared is None else (Label(declared.span, "declared"),)
        self.diagnostics.append(Diagnostic(code, span, arguments, labels, suggestion, hint))

    def check_number(self, place: s.Node, name: str, found: int, expected: int, declared: s.Node) -> bool:
        """Return whether there are as many arguments or indices as expected; report another number."""
        if found != expected:
            self.report("R0302", place, declared=declared, name=name, found=found, expected=expected)
        return found == expected

    def names_of(self, *kinds: GlobalKind) -> list[str]:
        """Return the global names of these kinds."""
        return [name for name, symbol in self.names.items() if symbol.kind in kinds]

    @contextmanager
    def within_budget(self, place: s.Node, what: str) -> Iterator[None]:
        """Run a block that charges the work budget; report the first overrun at `place`."""
        try:
            yield
        except OverBudgetError:
            # After an overrun everything fails: only the first one is a mistake of the rules.
            if not self.overspent:
                self.report("R0426", place, what=what, limit=WORK)
            self.overspent = True

    def charge(self, place: s.Node, what: str, work: int, key: tuple[object, ...]) -> None:
        """Charge for a table that lowering will build; `key` identifies it."""
        if key not in self.charged:
            self.charged.add(key)
            with self.within_budget(place, what):
                self.budget.take(work)

    def report_unknown(
        self, place: s.Node, name: str, known: Iterable[str] | None = None, expected: Type | None = None
    ) -> None:
        """Report an unknown name, with the most similar of `known`, or of the names with a value of type `expected`."""
        if name in self.reserved:
            near = did_you_mean(name, known, 0.75) if known is not None else None
            listed = tuple(self.values(expected) if known is None else known) if near is None else ()
            used = (
                Hint("one_of", {"values": listed}) if listed and (known or _is_listed(expected)) else Hint("word_used")
            )
            special = {"player": Hint("one_player"), "empty": Hint("is_empty")}.get(name, used)
            self.report("R0205", place, suggestion=near, hint=special, name=name)
            return
        ended = self.ended.get((self.article, name))
        if ended is not None:
            label = Label(ended.span_node.span, "scope")
            self.report("R0201", _name_of(place, name), (label,), hint=Hint("scope"), name=name)
            return
        known = list(known) if known is not None else None
        replacement = (
            (FOREIGN_FUNCTIONS.get(name) or FOREIGN_TYPES.get(name.lower())) if known is not None else WORDS.get(name)
        )
        if known is not None and replacement is not None and replacement.split()[0] not in (*known, "yes"):
            replacement = None
        named_few = known is not None and 0 < len(known) <= MAX_LISTED_NAMES
        if known is None:
            known = list(self.values(expected))
            if replacement not in ("yes", "no", "nobody"):
                replacement = None
        # The search for similar names is limited to a moderate number of names and of mistakes.
        near = replacement or (
            did_you_mean(name, list(known)[:MAX_ERRORS]) if len(self.diagnostics) < MAX_ERRORS else None
        )
        listed = tuple(known) if _is_listed(expected) or named_few or expected == PLAYER else ()
        hint = Hint("one_of", {"values": listed}) if near is None and listed else None
        self.report("R0201", _name_of(place, name), suggestion=near, hint=hint, name=name)

    def values(self, expected: Type | None) -> Iterator[str]:
        """Yield the names that stand for a value, of type `expected` if there is one."""
        expected_type = expected if expected is not None else UNKNOWN
        for scope in self.scopes:
            yield from (name for name, local in scope.items() if self.is_assignable(expected_type, local.type))
        for name, declared in self.names.items():
            kind = self._value_of(name, declared)
            if kind is not None and self.is_assignable(expected_type, kind):
                yield name
        if self.is_assignable(expected_type, NUMBER):
            yield from NUMBERS

    def _value_of(self, name: str, declared: GlobalSymbol) -> Type | None:
        """Return the type of the value that a global name has without indices; None if it has none."""
        article = self.model.articles.get((declared.kind, name))
        if isinstance(article, s.Setting):
            return self.model.settings[name].type if name in self.model.settings else UNKNOWN
        if isinstance(article, s.Remember) and not article.each:
            return TYPES.get(article.type.name) or self.named_type(article.type.name) or UNKNOWN
        if isinstance(article, s.Zone) and not article.each:
            return self.zone_content(article) if article.traits.single else Type("zone", name)
        return declared.type if declared.kind in ("value", "facekind") and declared.type != UNKNOWN else None

    def report_reserved(self, word: s.Word, kind: str) -> None:
        """Report a keyword that is used as a name for something of this kind, and suggest a valid name."""
        hint = Hint("another_name", {"example": _OTHER_NAMES.get(kind, "this_{}").format(word.text)})
        self.report("R0205", word, hint=hint, name=word.text)

    def is_reserved_elsewhere(self, word: s.Word, suggestion: str | None = None) -> bool:
        """Return whether the name of an option is a keyword of this or another language, and report it."""
        if word.text in NO_OPTION_NAMES:
            hint = Hint("another_name", {"example": f"choose_{word.text}"})
            self.report("R0205", word, suggestion=suggestion, hint=hint, name=word.text)
            return True
        instead = KEYWORDS.get(word.text.lower())
        if instead is None:
            return False
        replacing = Hint("say_instead", {"word": instead}) if instead else None
        self.report("R0215", word, suggestion=suggestion, hint=replacing, name=word.text)
        return True

    def declare(self, word: s.Word, new: GlobalSymbol) -> bool:
        """Declare a global name; return False if it is declared already."""
        if word.text in self.reserved or word.text in TAKEN:
            self.report_reserved(word, new.kind)
            self.names.setdefault(word.text, new)
            return True
        if word.text in self.names:
            self.report("R0202", word, declared=self.names[word.text].node, name=word.text)
            return False
        self.names[word.text] = new
        return True

    # ---- local names ----

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Bind local names in a new innermost scope."""
        self.scopes.append({})
        yield
        self.ended.update({(self.article, name): local for name, local in self.scopes.pop().items()})

    def bind(self, word: s.Word, value_type: Type) -> Local:
        """Declare a local name in the innermost scope."""
        local = Local(word.text, value_type, word)
        if word.text in self.reserved or (word.text in TAKEN and word.text != "me"):
            self.report_reserved(word, "local")
        outer = next((scope[word.text].span_node for scope in self.scopes if word.text in scope), None)
        if outer is not None or word.text in self.names:
            self.report("R0209", word, declared=outer or self.names[word.text].node, name=word.text)
        self.scopes[-1][word.text] = local
        self.model.locals[word] = local
        return local

    def look_up(self, name: str) -> Local | None:
        """Return the local name from the innermost scope that has it, None if none has."""
        for scope in reversed(self.scopes):
            if name in scope:
                self.used_locals.add(scope[name])
                return scope[name]
        return None

    # ---- types ----

    def is_assignable(self, expected: Type, found: Type) -> bool:
        """Return whether a value of type `found` may stand where `expected` is needed."""
        return expected == found or UNKNOWN in (expected, found) or (found == NONE and expected.can_be_none)

    def zone_content(self, zone: s.Zone) -> Type:
        """Return the type of the contents of a zone, unknown if it is declared wrongly."""
        kind = zone.traits.holds
        return self.named_type(zone.holds.text, kind) or UNKNOWN

    def named_type(self, name: str, *kinds: TypeKind) -> Type | None:
        """Return the type with this name, of one of `kinds`; None if there is none."""
        declared = self.names.get(name)
        kind = NAMED_TYPES.get(declared.kind) if declared is not None else None
        return Type(kind, name) if kind is not None and (not kinds or kind in kinds) else None

    def expect(self, place: s.Node, expected: Type, found: Type) -> None:
        """Report a type mismatch."""
        if not self.is_assignable(expected, found):
            self.report("R0301", place, found=str(found), expected=str(expected))

    def record_type(self, node: s.Expression, value_type: Type, ref: Ref | None = None) -> Type:
        """Record the type, and the reference if any, of an expression."""
        self.model.types[node] = value_type
        if ref is not None:
            self.model.refs[node] = ref
        return value_type

    def type_of(self, written: s.TypeName) -> Type:
        """Return the type that a type name means; report an unknown one."""
        if written.name in TYPES:
            return TYPES[written.name]
        declared = self.names.get(written.name)
        if declared is None:
            self.report_unknown(written, written.name, [*self.names_of(*COUNTABLE), "number", "player"])
            return UNKNOWN
        kind = self.named_type(written.name)
        if kind is None:
            self.report("R0203", written, name=written.name, found=declared.kind, expected=COUNTABLE)
            return UNKNOWN
        self.used.add(written.name)
        return kind


# ---- resolution of single names --------------------------------------------------------------------------------------


def zone_of(context: CheckContext, value_type: Type) -> s.Zone | None:
    """Return the declaration of a zone, given the type of its name."""
    return context.model.article(s.Zone, value_type.name)


def indices_of(context: CheckContext, name: str) -> tuple[Type, ...]:
    """Return the index types of a zone, a remembered value or a score."""
    declared = context.names[name]
    if declared.kind == "score":
        return (PLAYER,)
    article = context.model.articles[declared.kind, name]
    assert isinstance(article, s.Zone | s.Remember)
    return tuple(each_type(context, w) for w in article.each)


def each_type(context: CheckContext, word: s.Word) -> Type:
    """Return the type that is named after `of each`."""
    if word.text == "player":
        return PLAYER
    return context.named_type(word.text, *COUNTABLE) or UNKNOWN


def shown_name(e: s.Expression) -> str:
    """Return the name in an expression, for a diagnostic."""
    return e.name_text or source_text(e)


def report_wrong_sort(
    context: CheckContext, e: s.Expression, value_type: Type, expected: tuple[str, ...], suggestion: str | None = None
) -> None:
    """Report that an expression is of another sort than needed; a type that it does not name itself is not its sort."""
    name = source_text(e)
    sort = "value" if value_type.name not in ("", name) else value_type.kind
    context.report("R0203", e, suggestion=suggestion, name=name, found=sort, expected=expected)


def source_text(e: s.Expression) -> str:
    """Return the source text of an expression; "…" if it spans several lines."""
    span = e.span
    return span.source.line(span.line)[span.column - 1 : span.end_column - 1] if span.end_line == span.line else "…"


def kind_test(context: CheckContext, e: s.Expression) -> Type | None:
    """Return the sort of card of a bare kind of card with parameters (`card is token_card`), else None."""
    if not isinstance(e, s.Name) or context.look_up(e.text) is not None:
        return None
    declared = context.names.get(e.text)
    if declared is None or declared.kind != "facekind" or declared.type.name not in context.model.cards:
        return None
    faces = context.model.cards[declared.type.name].faces
    if not any(f.kind == e.text and f.arguments for f in faces):
        return None
    context.used.add(declared.type.name)
    return context.record_type(e, declared.type, Ref("facekind", e.text))


def type_named(context: CheckContext, e: s.Expression) -> Type:
    """Return the type that an expression names; unknown after reporting a mistake."""
    if isinstance(e, s.Name):
        if e.text == "player":
            return context.record_type(e, PLAYER, Ref("type"))
        declared = context.named_type(e.text, *COUNTABLE)
        if declared is not None and context.look_up(e.text) is None:
            context.used.add(e.text)
            return context.record_type(e, declared, Ref("type"))
        names = [n for n in context.names if context.named_type(n, *COUNTABLE)]
        if e.text not in context.names and context.look_up(e.text) is None:
            context.report_unknown(e, e.text, [*names, "player"])
            return context.record_type(e, UNKNOWN)
    context.report("R0203", e, name=shown_name(e), found="expression", expected=(*COUNTABLE, "player"))
    return context.record_type(e, UNKNOWN)
