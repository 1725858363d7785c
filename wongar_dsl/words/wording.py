"""How the sentences of a language are written: what a careful reader of proofs would mark.

What is right in a language (its quotation marks, the sequences that it does without, the words that may follow a
number) stands in its words file; a language that says nothing about it is not asked for it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from wongar_dsl.words.arguments import Text, Value
from wongar_dsl.words.clause import ORDERS, Slot, plainly, unmarked
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.lexicon import Lexicon
from wongar_dsl.words.slots import case_of, read_slot_spec, subject_of
from wongar_dsl.words.sounds import Sounding
from wongar_dsl.words.template import Template, parse_template

#: Every mark that some language quotes with.
MARKS = frozenset("\"'„“”‚‘’«»‹›「」『』")

#: The sign that ends an elision is no quotation mark where it stands in or after a word.
_APOSTROPHE = "’"

#: What the program's own messages, whose slots nobody declares, call a number, a list, a player and a thing of a game.
OWN_SLOTS: Mapping[str, str] = {
    **dict.fromkeys(("n", "low", "high", "limit", "size", "given"), "number"),
    **dict.fromkeys(
        ("players", "winners", "games", "options", "known", "headings", "available", "languages"), "listing"
    ),
    "player": "player",
    **dict.fromkeys(("token", "card", "figure", "pile", "track", "area", "from", "to"), "count:thing"),
}

#: The orders of words in which a marked sentence is a part of another one.
OTHER_ORDERS = tuple(ORDERS.values())

#: The kinds of slots in which something stands that has cases, be it now or in a sentence of a rulebook.
_DECLINED = frozenset({"player", "term", "count", "listing"})

#: A name of the rules (`area_card`), or a move as it is written (`take(snake)`).
_RAW = re.compile(r"\b[a-z][a-z0-9]*_[a-z0-9_]+|\b[a-z]\w*\([a-z0-9_]{3,}")
#: Two spaces, one at an end, before what closes or behind what opens, and none behind a comma.
_SPACING = re.compile(
    r"\S*  +\S*|^ +\S*|\S* +$|\S+ [,;:!)\]](?=[\s,.)\]]|$)|\S+ [.?]$|[(\[] \S*|\w+[,;][^\W\d_]+", re.MULTILINE
)
_CODE = re.compile(r"`[^`]*`")
_SLOT = re.compile(r"\{[^{}]*\}")
#: What stands in the place of a slot, or of something that is quoted as it is written.
_GAP = "\ufffc"

Fault = tuple[str, dict[str, Value]]


def faults(
    message: str, texts: tuple[str, ...], lexicon: Lexicon, kinds: Mapping[str, str] | None = None
) -> Iterator[Fault]:
    """What is wrong with how a message is written; `texts` are its sentence, or all its plural forms.

    `kinds` are those of its slots, as `MessageSpec` has them; without, it is one of the program's own messages.
    """
    for text in texts:
        about: dict[str, Value] = {"message": Text(message)}
        found = list(text_faults(_SLOT.sub(_GAP, unmarked(text)), lexicon))
        try:
            template = parse_template(text, message)
        except WordsError:
            template = Template(())
        # What is wrong in another order of words, and was not already in this one.
        for said in _in_other_orders(template, lexicon) if not found else ():
            found += [fault for fault in text_faults(said, lexicon) if fault not in found]
        yield from ((name, {**about, **details}) for name, details in found)
        known = OWN_SLOTS if kinds is None else kinds
        yield from _slots(message, template, lexicon, known, len(texts) > 1)
        yield from _cases(message, template, lexicon, known)


def text_faults(text: str, lexicon: Lexicon) -> Iterator[Fault]:
    """What is wrong with how a text is written, be it a sentence with gaps or one that was said."""
    plain = _CODE.sub(_GAP, text)
    for sequence in lexicon.avoid:
        if sequence in plain:
            yield "words.avoided", {"word": Text(sequence.strip())}
    for raw in _RAW.findall(plain):
        yield "words.raw_name", {"word": Text(raw)}
    for spaced in _SPACING.findall(plain):
        if spaced[-1:] in lexicon.apart and spaced[-2:-1] == " " and not spaced.endswith("  "):
            continue
        yield "words.spacing", {"word": Text(spaced)}
    for heard, expected in _sounding(lexicon).wrong(plain, lexicon):
        yield "words.sound", {"word": Text(heard), "expected": Text(expected)}
    mark = _wrong_mark(plain, lexicon.quotation) if lexicon.quotation else None
    if mark is not None:
        yield "words.quotation", {"word": Text(mark), "expected": Text(_shown(lexicon))}


def other_words(text: str, glossary: Mapping[str, Sequence[str]]) -> Iterator[Fault]:
    """The words of a text for which its glossary has another one; `…` stands for a slot (`… tot …`)."""
    plain = _CODE.sub("", _SLOT.sub("…", unmarked(text)))
    for word, others in glossary.items():
        for other in others:
            before, after = (r"(?<![\w-])" if other[0].isalnum() else "", r"(?!\w)" if other[-1].isalnum() else "")
            if re.search(before + re.escape(other) + after, plain, re.IGNORECASE):
                yield "words.other_word", {"word": Text(other), "expected": Text(word)}


def _in_other_orders(template: Template, lexicon: Lexicon) -> Iterator[str]:
    """A marked sentence as it reads as a part of another one, with gaps."""
    clause = template.clause
    if clause is not None:
        for order in OTHER_ORDERS:
            yield "".join(plainly(part, _GAP) for part in clause.ordered(order, lexicon.clauses))


def _ends_with_noun(text: str, lexicon: Lexicon) -> bool:
    """Whether a number after `text` is the name of something (*round 3*, *auf Feld 3*), and counts nothing."""
    last = re.search(r"([^\W\d_]+)\s$", text)
    if last is None:
        return False
    wanted = last[1].casefold()
    return any(form.casefold() == wanted for noun in lexicon.readable() for _, form in noun.forms.entries)


#: What was worked out for the lexicons looked at last; working it out takes longer than reading a text.
_SOUNDINGS: deque[tuple[Lexicon, Sounding]] = deque(maxlen=8)


def _sounding(lexicon: Lexicon) -> Sounding:
    for known, sounding in _SOUNDINGS:
        if known is lexicon:
            return sounding
    _SOUNDINGS.append((lexicon, Sounding.of(lexicon)))
    return _SOUNDINGS[-1][1]


def _shown(lexicon: Lexicon) -> str:
    return " ".join(lexicon.quotation)


def _wrong_mark(text: str, quotation: tuple[str, ...]) -> str | None:
    """The first quotation mark that is not the language's, or is not in its place; None if all are right."""
    opening, closing = quotation[::2], quotation[1::2]
    level = 0
    for at, letter in enumerate(text):
        if letter not in MARKS:
            continue
        if level and letter == closing[level - 1]:
            level -= 1
        elif level < len(opening) and letter == opening[level]:
            level += 1
        elif letter != _APOSTROPHE or not _in_a_word(text, at):
            return letter
    return opening[level - 1] if level else None


def _in_a_word(text: str, at: int) -> bool:
    return any(c.isalnum() or c == _GAP for c in text[max(at - 1, 0) : at] + text[at + 1 : at + 2])


def _slots(
    message: str, template: Template, lexicon: Lexicon, kinds: Mapping[str, str], plural: bool
) -> Iterator[Fault]:
    for at, part in enumerate(template.parts):
        kind = kinds.get(part.name) if isinstance(part, Slot) else None
        if not isinstance(part, Slot) or kind not in {"number", "listing"}:
            continue
        try:
            request = read_slot_spec(part.spec, lexicon)
        except WordsError:
            continue  # That is told by whoever says the sentence.
        about: dict[str, Value] = {"message": Text(message), "word": Text(part.name)}
        if kind == "listing" and request.conjunction is None:
            yield "words.no_conjunction", about
        counted = request.noun is not None or request.ordinal or request.times or plural or not lexicon.after_numbers
        if kind == "number" and not counted:
            after = template.parts[at + 1] if at + 1 < len(template.parts) else ""
            word = re.match(r"\s+([^\W\d_]+)", after) if isinstance(after, str) else None
            if word is None or word[1] in lexicon.after_numbers:
                continue
            before = template.parts[at - 1] if at else ""
            if not (isinstance(before, str) and _ends_with_noun(before, lexicon)):
                yield "words.bare_number", {**about, "noun": Text(word[1])}


def _cases(message: str, template: Template, lexicon: Lexicon, kinds: Mapping[str, str]) -> Iterator[Fault]:
    """The slots of a marked sentence that do not say in which case they stand.

    A name is the same in each of them; *the player*, which can stand there as well, is not.
    """
    clause = template.clause
    if clause is None or "case" not in lexicon.features.dimensions:
        return
    try:
        subject = subject_of(clause, lexicon)
        slots = [(part, read_slot_spec(part.spec, lexicon)) for part in template.parts if isinstance(part, Slot)]
    except WordsError:
        return  # That is told by whoever says the sentence.
    for slot, request in slots:
        declined = kinds.get(slot.name, "").partition(":")[0] in _DECLINED or request.noun is not None
        if (
            slot is not subject
            and declined
            and request.preposition is None
            and request.place is None
            and case_of(request, lexicon) is None
        ):
            yield "words.no_case", {"message": Text(message), "word": Text(slot.name)}
