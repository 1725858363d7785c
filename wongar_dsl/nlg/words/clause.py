"""Marked sentences: verb marks, and the word orders that one sentence serves.

A sentence marks its finite verb and the verb's closing part:

    {player} [takes|take] {card:indef}.
    {player} [rückt|rücken] um ein Feld [+vor].
    der Stapel [wird|werden] [=gemischt].

Vertical bars separate singular, plural, and an infinitive that differs from the plural (`[is|are|be]`). `[+vor]` is a
separable part of the verb, joined to it at the end of a clause; `[=gemischt]` are other words of the verb; `[+]` is the
place for such a part. Without these marks, that place is the end of the clause. `[~inte]` precedes the verb in a
subordinate clause and in an infinitive (*har inte*, *om hon inte har*). `[:open]` is an adjective of the lexicon that
agrees with the subject (*förrådet är öppet*). `[<]` begins words that precede a noun in the place of its article
(*spelarens kort*); `[>]` begins the words for after the noun, used where nothing can precede it. Literal brackets are
doubled: `[[a|b]]`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Literal, get_args

from wongar_dsl.nlg.words.arguments import NounPhrase, Text, Value, WordsError

_MARK = re.compile(
    r"\[\[(?P<plain>[^\[\]]*)\]\]"
    r"|\[(?:(?P<forms>[^\[\]{}|]+(?:\|[^\[\]{}|]+){1,2})|(?P<sort>[+=~:<>])(?P<text>[^\[\]{}|]*))\]"
)
#: The final punctuation of a sentence.
END = re.compile(r"[.!?…:;]+\s*$")
#: Placeholders for the end of an inner clause, until the following text is known, and for the start of a relative
#: clause, until it is known whether it can follow the verb.
CLOSE, OPEN = "\ue000", "\ue001"
#: The ends of clauses, and the parenthesis after them.
_BEFORE_PARENTHESIS = re.compile(rf"(,?{CLOSE}+)( \([^()]*\))")
_SENTENCE_END = re.compile(r"[.!?…] |\n")


class Order(Enum):
    """Word order of a clause. Orders that a language does not distinguish read the same.

    `INVERTED` follows an adverbial (*then* …), `SUBORDINATE` a conjunction. `INFINITIVE` has no subject and names what
    a player may or must do. `PREDICATE` omits a subject shared with the sentence before; `CONTINUED` does so behind a
    `SUBORDINATE` clause.
    """

    MAIN = auto()
    INVERTED = auto()
    SUBORDINATE = auto()
    INFINITIVE = auto()
    PREDICATE = auto()
    CONTINUED = auto()


#: Placement of commas around a subordinate clause: on both sides, or only after it.
Commas = Literal["around", "after", ""]
COMMAS: tuple[Commas, ...] = get_args(Commas)


#: The words in a slot that request a clause in an order.
ORDERS = {order.name.lower(): order for order in Order if order not in (Order.MAIN, Order.CONTINUED)}
#: The order of a clause that shares its subject with a clause in another order (default: `PREDICATE`).
CONTINUATIONS = {Order.SUBORDINATE: Order.CONTINUED, Order.CONTINUED: Order.CONTINUED}


@dataclass(frozen=True, slots=True)
class Grammar:
    """Clause syntax of a language.

    The verb precedes the subject after an initial adverbial (`inverted`), and closes a subordinate clause (`final`).
    `none` is the negation before the verb where a complement is *nobody* or *nothing*, in the orders of `denied`; that
    complement then takes the determiner `denied_as`, if set (*har inget*, *inte har något*). With `serial`, a comma
    precedes the last of several clauses if an earlier one contains a list. With `there_first`, the adverb for a place
    already named follows the verb directly.
    """

    inverted: bool = False
    final: bool = False
    commas: Commas = ""
    none: str = ""
    denied: frozenset[Order] = frozenset(Order)
    denied_as: str = ""
    serial: bool = False
    there_first: bool = False


@dataclass(frozen=True, slots=True)
class Verb:
    """A finite verb in singular and plural, and its infinitive."""

    singular: str
    plural: str
    infinitive: str

    def __iter__(self) -> Iterator[str]:
        return iter((self.singular, self.plural, self.infinitive))

    def form(self, several: bool) -> str:
        """Return the form for a plural (`several`) or singular subject."""
        return self.plural if several else self.singular

    def behind(self, text: str, joined: bool) -> Verb:
        """Return the verb with the closing words `text` in front, as at the end of a clause."""
        gap = "" if joined or not text else " "
        return Verb(*(f"{text}{gap}{form}" for form in (self.singular, self.plural, self.infinitive)))


@dataclass(frozen=True, slots=True)
class ClauseClosing:
    """The closing part of a verb; with `joined`, written as one word with a verb that follows."""

    text: str
    joined: bool = True


@dataclass(frozen=True, slots=True)
class Adverb:
    """Words that precede the verb in a subordinate clause and keep their place elsewhere."""

    text: str


@dataclass(frozen=True, slots=True)
class AgreeingAdjective:
    """An adjective of the lexicon that agrees with the subject of its clause."""

    adjective: str


@dataclass(frozen=True, slots=True)
class Side:
    """A marker that begins the words before a noun (in the place of its article) or those after it."""

    before: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """A gap for the argument `name`; `spec` holds the words after the colon."""

    name: str
    spec: tuple[str, ...] = ()


Part = str | Slot | Verb | ClauseClosing | Adverb | AgreeingAdjective | Side


def parse_marks(literal: str, message: str = "") -> Iterator[Part]:
    """Yield the parts of a text between two slots. Raises `WordsError("words.bad_mark")` for an invalid mark."""
    end = 0
    for mark in _MARK.finditer(literal):
        if mark.start() > end:
            yield literal[end : mark.start()]
        end = mark.end()
        if mark["text"] == "" and literal[: mark.start()].endswith(" "):
            # The part is empty, so one of the spaces around it is enough.
            end = len(literal) - len(literal[end:].lstrip())
        if mark["plain"] is not None:
            yield f"[{mark['plain']}]"
            continue
        if mark["forms"] is None:
            match mark["sort"]:
                case "~":
                    yield Adverb(mark["text"])
                case ":":
                    yield AgreeingAdjective(mark["text"])
                case "<" | ">" as sort:
                    yield Side(sort == "<")
                case sort:
                    yield ClauseClosing(mark["text"], sort == "+")
            continue
        forms = [form.strip() for form in mark["forms"].split("|")]
        if not all(forms):
            raise WordsError("words.bad_mark", message=message, text=mark[0])
        yield Verb(forms[0], forms[1], forms[-1])
    if end < len(literal):
        yield literal[end:]


def without_marks(text: str) -> str:
    """Return a sentence in the singular, without its marks."""
    return "".join(plain_text(part) for part in parse_marks(text))


def plain_text(part: Part, gap: str = "") -> str:
    """Return the plain text of a part in the singular: the words of a mark, `gap` for a slot."""
    match part:
        case str():
            return part
        case Verb():
            return part.singular
        case ClauseClosing() | Adverb():
            return part.text
        case AgreeingAdjective():
            return part.adjective
        case Slot():
            return gap
    return ""


def starts_sentence(literal: str, starting: bool) -> bool:
    """Return whether the text after `literal` begins a sentence; `starting` says whether the literal did."""
    end = len(literal)
    while end and not literal[end - 1].isalnum():
        end -= 1
    return _SENTENCE_END.search(literal, end) is not None or (starting and not end)


@dataclass(frozen=True, slots=True)
class Clause:
    """A marked sentence, split at its verb: the parts before, between verb and closing, and after."""

    first: tuple[Part, ...]
    verb: Verb
    middle: tuple[Part, ...]
    closing: ClauseClosing
    rest: tuple[Part, ...]

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Clause | None:
        """Split a sentence, without its end mark; return None if it has no marked verb."""
        index = next((index for index, part in enumerate(parts) if isinstance(part, Verb)), None)
        if index is None:
            return None
        verb, after = parts[index], [*parts[index + 1 :]]
        assert isinstance(verb, Verb)
        if after and isinstance(after[-1], str):
            after[-1] = END.sub("", after[-1])
        close = next((index for index, part in enumerate(after) if isinstance(part, ClauseClosing)), None)
        if close is None:
            return cls(tuple(parts[:index]), verb, tuple(after), ClauseClosing(""), ())
        closing = after[close]
        assert isinstance(closing, ClauseClosing)
        return cls(tuple(parts[:index]), verb, tuple(after[:close]), closing, tuple(after[close + 1 :]))

    def ordered(self, order: Order, grammar: Grammar) -> tuple[Part, ...]:
        """Return the parts in a word order, without an initial capital and without an end mark."""
        hanging = order in (Order.SUBORDINATE, Order.CONTINUED, Order.INFINITIVE)
        if hanging and any(isinstance(part, Adverb) for part in self._behind_it):
            return self._with_adverbs_before().ordered(order, grammar)
        closing, verb = (self.closing.text,), (self.verb,)
        match order:
            case Order.INVERTED if grammar.inverted:
                return _joined(verb, self.first, self.middle, closing, self.rest)
            case Order.SUBORDINATE if grammar.final:
                return _joined(self.first, self.middle, (self._behind(),), self.rest)
            case Order.INFINITIVE if grammar.final:
                return _joined(self.middle, (self._behind().infinitive,), self.rest)
            case Order.INFINITIVE:
                return _joined((self.verb.infinitive,), self.middle, closing, self.rest)
            case Order.CONTINUED if grammar.final:
                return _joined(self.middle, (self._behind(),), self.rest)
            case Order.PREDICATE | Order.CONTINUED:
                return _joined(verb, self.middle, closing, self.rest)
        return _joined(self.first, verb, self.middle, closing, self.rest)

    def without(self, slot: Slot) -> Clause:
        """Return the clause without one of its slots and the gap that it leaves."""

        def rest(parts: tuple[Part, ...]) -> tuple[Part, ...]:
            if slot not in parts:
                return parts
            index = parts.index(slot)
            before, after = parts[:index], parts[index + 1 :]
            if before and after and isinstance(before[-1], str) and isinstance(after[0], str):
                after = (after[0].lstrip(), *after[1:])
            return (*before, *after)

        return replace(self, first=rest(self.first), middle=rest(self.middle), rest=rest(self.rest))

    @property
    def _behind_it(self) -> tuple[Part, ...]:
        return (*self.middle, *self.rest)

    def _with_adverbs_before(self) -> Clause:
        """Return the clause with all its marked adverbs in front of the verb."""
        adverbs = " ".join(part.text for part in self._behind_it if isinstance(part, Adverb))
        verb = Verb(*(f"{adverbs} {form}" for form in self.verb))
        return replace(self, verb=verb, middle=_without_adverbs(self.middle), rest=_without_adverbs(self.rest))

    def _behind(self) -> Verb:
        return self.verb.behind(self.closing.text, self.closing.joined)


def _joined(*groups: tuple[Part, ...]) -> tuple[Part, ...]:
    """Concatenate groups of parts, separated by one space unless a comma follows."""
    result: list[Part] = []
    for group in groups:
        parts = stripped(group)
        if not parts:
            continue
        if result and not (isinstance(parts[0], str) and parts[0][:1] in ",;:"):
            result.append(" ")
        result.extend(parts)
    return tuple(result)


def _without_adverbs(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return the parts without marked adverbs and without the gaps that they leave."""
    result: list[Part] = []
    for before, part in zip(("", *parts), parts, strict=False):
        if isinstance(part, Adverb):
            continue
        result.append(part.lstrip() if isinstance(before, Adverb) and isinstance(part, str) else part)
    return tuple(result)


def stripped(group: Sequence[Part]) -> list[Part]:
    """Return the parts without leading and trailing spaces."""
    parts = [part for part in group if part != ""]
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip()
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return [part for part in parts if part != ""]


#: Far longer than any sentence; keeps a hostile catalog from filling memory.
MAX_TEMPLATE_LENGTH = 8_000


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence as literal strings, slots and verb marks, in order.

    `clause` is the same sentence split at its verb, None if the verb is not marked.
    """

    parts: tuple[Part, ...]
    clause: Clause | None = None
    #: The names of the arguments that the sentence uses.
    names: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset(part.name for part in self.parts if isinstance(part, Slot)))


def parse_template(text: str, message: str = "") -> Template:
    """Split `text` into literals and slots, each `{name}` or `{name:words}`.

    `str.format` is never called, since a contributed sentence could access object attributes with it;
    `string.Formatter().parse` only splits the text.

    Raises `WordsError("words.bad_slot")` for unbalanced braces, conversions, nested fields and names that are not plain
    identifiers (`{a.b}`, `{0}`, `{}`). Raises `words.bad_mark` for a sentence with two finite verbs or with unmatched
    marks.
    """
    bad = {"message": Text(message), "text": Text(text[:200])}
    if len(text) > MAX_TEMPLATE_LENGTH:
        raise WordsError("words.bad_slot", **bad)
    parts: list[Part] = []
    try:
        pieces = list(string.Formatter().parse(text))
    except ValueError:
        raise WordsError("words.bad_slot", **bad) from None
    for literal, name, spec, conversion in pieces:
        parts.extend(parse_marks(literal, message))
        if name is None:
            continue
        if conversion or not name.isidentifier() or "{" in (spec or "") or "}" in (spec or ""):
            raise WordsError("words.bad_slot", **bad)
        parts.append(Slot(name, tuple((spec or "").split())))
    verbs = sum(isinstance(part, Verb) for part in parts)
    closings = sum(isinstance(part, ClauseClosing) for part in parts)
    if verbs > 1 or closings > verbs:
        raise WordsError("words.bad_mark", **bad)
    return Template(tuple(parts), Clause.of(parts))


def with_negation(
    parts: tuple[Part, ...], values: Mapping[str, Value], order: Order, grammar: Grammar
) -> tuple[tuple[Part, ...], Mapping[str, Value]]:
    """Add the negation that the language needs before the verb if a complement is *nobody* or *nothing*.

    Returns the parts of the clause and the values, with that complement in its negated form.
    """
    bare = 0 if order is Order.INFINITIVE else len(parts)
    verb = next((index for index, part in enumerate(parts) if isinstance(part, Verb)), bare)
    behind = ((part.name, values.get(part.name)) for part in parts[verb:] if isinstance(part, Slot))
    none = {name: value for name, value in behind if isinstance(value, NounPhrase) and value.words[:1] == ("not_any",)}
    as_if = Order.SUBORDINATE if order is Order.CONTINUED else order
    if not grammar.none or not none or as_if not in grammar.denied:
        return parts, values
    if grammar.denied_as:
        replaced = {name: replace(value, words=(grammar.denied_as, *value.words[1:])) for name, value in none.items()}
        values = {**values, **replaced}
    return (*parts[:verb], f"{grammar.none} ", *parts[verb:]), values


def after_verb(text: str, verb: str) -> str:
    """Move a relative clause directly before the closing `verb` to behind it.

    *ein Gebiet wählen, in dem eine Karte liegt*, not *ein Gebiet, in dem eine Karte liegt, wählen*.
    """
    before = text[: -len(verb)].rstrip() if verb and text.endswith(verb) else ""
    if not before.endswith(CLOSE):
        return text
    depth, start = 0, len(before)
    while start > 0:
        start -= 1
        depth += (before[start] == CLOSE) - (before[start] == OPEN)
        if depth == 0:
            break
    return f"{before[:start]} {verb}{before[start:]}" if before[start] == OPEN else text


def fix_commas(text: str, commas: str) -> str:
    """Remove the placeholders of inner clauses, with commas at their ends if the language uses them.

    A phrase with a comma of its own at its end loses it before other punctuation. The comma of a clause before a
    parenthesis follows the parenthesis.
    """
    out: list[str] = []
    text = _BEFORE_PARENTHESIS.sub(r"\2\1", text.replace(OPEN, ""))
    for index, letter in enumerate(text):
        if letter != CLOSE:
            out.append(letter)
            continue
        after = text[index + 1 :].lstrip(f"{CLOSE} ")
        ends = not after or after[0] in ".,;:!?()"
        if ends and out[-1:] == [","]:
            out.pop()
        elif commas and not ends and out[-1:] != [","]:
            out.append(",")
    return "".join(out)
