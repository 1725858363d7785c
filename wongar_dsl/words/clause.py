"""The verb of a sentence, and the orders of words that one sentence serves.

A sentence marks its finite verb, and what of it closes the clause:

    {player} [takes|take] {card:indef}.
    {player} [rückt|rücken] um ein Feld [+vor].
    der Stapel [wird|werden] [=gemischt].

Between the strokes stand the forms for one and for several, and the infinitive where it is another one (`[is|are|be]`).
`[+vor]` is the part of the verb that stands apart from it and is written together with it at the end of a clause,
`[=gemischt]` other words of it, `[+]` the place where it would stand; without any of them that is the clause's end.
`[~inte]` stands before the verb in a clause that hangs on another one and in an infinitive (*har inte*, *om hon inte
har*).  `[:open]` is an adjective of the lexicon that goes with the subject (*förrådet är öppet*).  `[<]` begins words
about a thing that go before it, in the place of its article (*spelarens kort*), `[>]` the words that go behind it where
nothing can stand there.
What shall be read with its brackets is written with two: `[[a|b]]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Literal, get_args

from wongar_dsl.words.arguments import Text
from wongar_dsl.words.errors import WordsError

_MARK = re.compile(
    r"\[\[(?P<plain>[^\[\]]*)\]\]"
    r"|\[(?:(?P<forms>[^\[\]{}|]+(?:\|[^\[\]{}|]+){1,2})|(?P<sort>[+=~:<>])(?P<text>[^\[\]{}|]*))\]"
)
#: What ends a sentence.
END = re.compile(r"[.!?…:;]+\s*$")


class Order(Enum):
    """Where the verb stands.  What a language does not tell apart reads the same in it.

    `INVERTED` is for what follows something that was said before it (*then* …), `SUBORDINATE` for what follows a
    conjunction, `INFINITIVE` for what somebody may or shall do: it has no subject.  `PREDICATE` is what is left of a
    sentence behind another one with the same subject: nothing stands before its verb.  `CONTINUED` is that behind one
    that is `SUBORDINATE`.
    """

    MAIN = auto()
    INVERTED = auto()
    SUBORDINATE = auto()
    INFINITIVE = auto()
    PREDICATE = auto()
    CONTINUED = auto()


#: Where a comma parts a clause from the one that it stands in: on both sides of it, or only where it ends.
Commas = Literal["around", "after", ""]
COMMAS: tuple[Commas, ...] = get_args(Commas)


#: The words in a slot that ask for a clause in one of them.
ORDERS = {order.name.lower(): order for order in Order if order not in (Order.MAIN, Order.CONTINUED)}
#: How what goes on about the same subject stands behind a clause in each order.
GOING_ON = {Order.SUBORDINATE: Order.CONTINUED, Order.CONTINUED: Order.CONTINUED}


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a language puts clauses together.

    Its verb stands before the subject where something else went before both (`inverted`), and at the end of a clause
    that hangs on another one (`final`).  `none` goes before the verb where something behind it is nobody or nothing, in
    the orders of `denied`; that has the determiner `denied_as` there, if it is named (*har inget*, *inte har något*).
    A comma goes before the last of several clauses where one before it has a list of its own (`serial`).  What a place
    is called by once it was named stands right behind the verb, before what is there (`there_first`).
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
    """A finite verb, by the number of its subject, and its infinitive."""

    singular: str
    plural: str
    infinitive: str

    def __iter__(self) -> Iterator[str]:
        return iter((self.singular, self.plural, self.infinitive))

    def form(self, several: bool) -> str:
        """The form for a subject."""
        return self.plural if several else self.singular

    def behind(self, text: str, joined: bool) -> Verb:
        """The verb where the words that close the clause stand before it."""
        gap = "" if joined or not text else " "
        return Verb(*(f"{text}{gap}{form}" for form in (self.singular, self.plural, self.infinitive)))


@dataclass(frozen=True, slots=True)
class Closing:
    """What of a verb closes its clause; `joined` is written together with a verb that follows it."""

    text: str
    joined: bool = True


@dataclass(frozen=True, slots=True)
class Adverb:
    """Words that stand before the verb in a clause that hangs on another one, and in their own place elsewhere."""

    text: str


@dataclass(frozen=True, slots=True)
class Agreeing:
    """An adjective of the lexicon, in the form that goes with the subject of its clause."""

    adjective: str


@dataclass(frozen=True, slots=True)
class Side:
    """Begins words about a thing that stand before it, in the place of its article, or else those behind it."""

    before: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """A gap for the argument `name`; `spec` holds the words after the colon."""

    name: str
    spec: tuple[str, ...] = ()


Part = str | Slot | Verb | Closing | Adverb | Agreeing | Side


def marked(literal: str, message: str = "") -> Iterator[Part]:
    """The parts of a text between two slots.  Raises `WordsError("words.bad_mark")` for a mark that is none."""
    at = 0
    for found in _MARK.finditer(literal):
        if found.start() > at:
            yield literal[at : found.start()]
        at = found.end()
        if found["text"] == "" and literal[: found.start()].endswith(" "):
            # Nothing stands there, so of the spaces around it one is enough.
            at = len(literal) - len(literal[at:].lstrip())
        if found["plain"] is not None:
            yield f"[{found['plain']}]"
            continue
        if found["forms"] is None:
            match found["sort"]:
                case "~":
                    yield Adverb(found["text"])
                case ":":
                    yield Agreeing(found["text"])
                case "<" | ">" as sort:
                    yield Side(sort == "<")
                case sort:
                    yield Closing(found["text"], sort == "+")
            continue
        forms = [form.strip() for form in found["forms"].split("|")]
        if not all(forms):
            raise WordsError("words.bad_mark", {"message": Text(message), "text": Text(found[0])})
        yield Verb(forms[0], forms[1], forms[-1])
    if at < len(literal):
        yield literal[at:]


def unmarked(text: str) -> str:
    """A sentence as it reads for one, without its marks."""
    return "".join(plainly(part) for part in marked(text))


def plainly(part: Part, gap: str = "") -> str:
    """What stands there for one: the words of a mark, `gap` for a slot."""
    match part:
        case str():
            return part
        case Verb():
            return part.singular
        case Closing() | Adverb():
            return part.text
        case Agreeing():
            return part.adjective
        case Slot():
            return gap
    return ""


def starts_sentence(literal: str, starting: bool) -> bool:
    """Whether what follows `literal` begins a sentence, given whether the literal itself did."""
    at = max((at for at, letter in enumerate(literal) if letter.isalnum()), default=-1)
    tail = literal[at + 1 :]
    if any(mark in tail for mark in (". ", "! ", "? ", "… ", ".\n", "!\n", "?\n", "\n")):
        return True
    return starting and at < 0


@dataclass(frozen=True, slots=True)
class Clause:
    """A marked sentence taken apart: what stands before its verb, up to the closing of the verb, and after that."""

    first: tuple[Part, ...]
    verb: Verb
    middle: tuple[Part, ...]
    closing: Closing
    rest: tuple[Part, ...]

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Clause | None:
        """The clause that a sentence is, without what ends it; None for a sentence without a marked verb."""
        at = next((at for at, part in enumerate(parts) if isinstance(part, Verb)), None)
        if at is None:
            return None
        verb, after = parts[at], [*parts[at + 1 :]]
        assert isinstance(verb, Verb)
        if after and isinstance(after[-1], str):
            after[-1] = END.sub("", after[-1])
        close = next((at for at, part in enumerate(after) if isinstance(part, Closing)), None)
        if close is None:
            return cls(tuple(parts[:at]), verb, tuple(after), Closing(""), ())
        closing = after[close]
        assert isinstance(closing, Closing)
        return cls(tuple(parts[:at]), verb, tuple(after[:close]), closing, tuple(after[close + 1 :]))

    def ordered(self, order: Order, grammar: Grammar) -> tuple[Part, ...]:
        """The parts in an order of words, without a capital and without an end."""
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

    @property
    def _behind_it(self) -> tuple[Part, ...]:
        return (*self.middle, *self.rest)

    def _with_adverbs_before(self) -> Clause:
        """The same with what is marked as an adverb in front of the verb, whatever its place was."""
        adverbs = " ".join(part.text for part in self._behind_it if isinstance(part, Adverb))
        verb = Verb(*(f"{adverbs} {form}" for form in self.verb))
        return replace(self, verb=verb, middle=_without_adverbs(self.middle), rest=_without_adverbs(self.rest))

    def _behind(self) -> Verb:
        return self.verb.behind(self.closing.text, self.closing.joined)


def _joined(*groups: tuple[Part, ...]) -> tuple[Part, ...]:
    """Groups of parts one after the other, with one space between them where no comma follows."""
    found: list[Part] = []
    for group in groups:
        parts = stripped(group)
        if not parts:
            continue
        if found and not (isinstance(parts[0], str) and parts[0][:1] in ",;:"):
            found.append(" ")
        found.extend(parts)
    return tuple(found)


def _without_adverbs(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Parts without what is marked as an adverb, and without the gap that it leaves."""
    found: list[Part] = []
    for before, part in zip(("", *parts), parts, strict=False):
        if isinstance(part, Adverb):
            continue
        found.append(part.lstrip() if isinstance(before, Adverb) and isinstance(part, str) else part)
    return tuple(found)


def stripped(group: Sequence[Part]) -> list[Part]:
    """Parts without the spaces around them."""
    parts = [part for part in group if part != ""]
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip()
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return [part for part in parts if part != ""]
