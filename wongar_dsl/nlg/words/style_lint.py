"""Style check of sentences: spacing, quotation marks, raw names, sound-dependent words, and cases.

The lexicon of a language defines its style (quotation marks, sequences to avoid, words that may follow a number); rules
that it does not define are not checked. The realiser chooses forms that depend on the next sound itself (*a*, *an*;
*e*, *ed*; *del*, *dello*), but a sentence that writes one out can be wrong.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.nlg.words.arguments import WordsError
from wongar_dsl.nlg.words.clause import ORDERS, Slot, Template, parse_template, plain_text, without_marks
from wongar_dsl.nlg.words.lexicon import Forms, Lexicon
from wongar_dsl.nlg.words.slots import case_of, read_slot_spec, subject_of

#: Every mark that some language uses for quotations.
MARKS = frozenset("\"'„“”‚‘’«»‹›「」『』")

#: An apostrophe in or after a word is no quotation mark.
_APOSTROPHE = "’"

#: Kinds of the slots in the program's own messages, which are not declared.
OWN_SLOTS: Mapping[str, str] = {
    **dict.fromkeys(("n", "low", "high", "limit", "size", "given"), "number"),
    **dict.fromkeys(
        ("players", "winners", "games", "options", "known", "headings", "available", "languages"), "listing"
    ),
    "player": "player",
    **dict.fromkeys(("token", "card", "figure", "pile", "track", "area", "from", "to"), "count:thing"),
}

#: The word orders in which a marked sentence is a part of another one.
OTHER_ORDERS = tuple(ORDERS.values())

#: The kinds of slots whose values have cases, now or in a sentence of a rulebook.
_DECLINED = frozenset({"player", "term", "count", "listing"})

#: A name of the rules (`area_card`), or a move in notation (`take(snake)`).
_RAW = re.compile(r"\b[a-z][a-z0-9]*_[a-z0-9_]+|\b[a-z]\w*\([a-z0-9_]{3,}")
#: Two spaces, one at an end, before closing or after opening punctuation, and none after a comma.
_SPACING = re.compile(
    r"\S*  +\S*|^ +\S*|\S* +$|\S+ [,;:!)\]](?=[\s,.)\]]|$)|\S+ [.?]$|[(\[] \S*|\w+[,;][^\W\d_]+", re.MULTILINE
)
_CODE = re.compile(r"`[^`]*`")
_SLOT = re.compile(r"\{[^{}]*\}")
#: Replacement for a slot, or for quoted code.
_GAP = "\ufffc"


def faults(
    message: str, texts: tuple[str, ...], lexicon: Lexicon, kinds: Mapping[str, str] | None = None
) -> Iterator[WordsError]:
    """Yield the style faults of a message; `texts` are its sentence, or all its plural forms.

    `kinds` are those of its slots, as in `MessageSpec`; without them, it is one of the program's own messages.
    """
    for text in texts:
        problems = list(text_faults(_SLOT.sub(_GAP, without_marks(text)), lexicon, message))
        try:
            template = parse_template(text, message)
        except WordsError:
            template = Template(())
        # Faults that appear only in another word order.
        for sentence in _in_other_orders(template, lexicon) if not problems else ():
            reported = {str(fault) for fault in problems}
            problems += [fault for fault in text_faults(sentence, lexicon, message) if str(fault) not in reported]
        yield from problems
        slot_kinds = OWN_SLOTS if kinds is None else kinds
        yield from _slots(message, template, lexicon, slot_kinds, len(texts) > 1)
        yield from _cases(message, template, lexicon, slot_kinds)


def text_faults(text: str, lexicon: Lexicon, message: str = "") -> Iterator[WordsError]:
    """Yield the style faults of a text of a message or word, with gaps or rendered."""
    plain = _CODE.sub(_GAP, text)
    for sequence in lexicon.avoid:
        if sequence in plain:
            yield WordsError("words.avoided", message=message, word=sequence.strip())
    for raw in _RAW.findall(plain):
        yield WordsError("words.raw_name", message=message, word=raw)
    for spaced in _SPACING.findall(plain):
        if spaced[-1:] in lexicon.apart and spaced[-2:-1] == " " and not spaced.endswith("  "):
            continue
        yield WordsError("words.spacing", message=message, word=spaced)
    for word, expected in _phonetic_forms(lexicon).sandhi_errors(plain, lexicon):
        yield WordsError("words.sound", message=message, word=word, expected=expected)
    mark = _wrong_mark(plain, lexicon.quotation) if lexicon.quotation else None
    if mark is not None:
        yield WordsError("words.quotation", message=message, word=mark, expected=" ".join(lexicon.quotation))


def other_words(text: str, glossary: Mapping[str, Sequence[str]], message: str = "") -> Iterator[WordsError]:
    """Yield the words of a text for which the glossary prefers another one; `…` stands for a slot (`… tot …`)."""
    plain = _CODE.sub("", _SLOT.sub("…", without_marks(text)))
    for word, others in glossary.items():
        for synonym in others:
            before, after = (r"(?<![\w-])" if synonym[0].isalnum() else "", r"(?!\w)" if synonym[-1].isalnum() else "")
            if re.search(before + re.escape(synonym) + after, plain, re.IGNORECASE):
                yield WordsError("words.other_word", message=message, word=synonym, expected=word)


def words_in(text: str) -> list[str]:
    """Return the words of a text, without those that its slots stand for."""
    return re.findall(r"\w+", _SLOT.sub(_GAP, without_marks(text)))


def numbers_in(text: str, lexicon: Lexicon) -> Iterator[tuple[str, int]]:
    """Yield the numbers from 2 that a text states itself, in digits or in words of the language, with their values.

    Slots are no part of the text. *One* is not told apart from an article, and ambiguous numerals are left out.
    """
    words = [(form, n) for n, forms in lexicon.numerals.items() for _, form in forms.entries]
    words += [(form, n) for n, form in lexicon.times.items()]
    values = {form.casefold(): int(n) for form, n in words if n.isdigit() and form not in lexicon.ambiguous_numerals}
    for word in words_in(text):
        number = int(word) if word.isdecimal() else values.get(word.casefold(), 0)
        if number > 1:
            yield word, number


def _in_other_orders(template: Template, lexicon: Lexicon) -> Iterator[str]:
    """Yield a marked sentence as it reads in each embedded word order, with gaps."""
    clause = template.clause
    if clause is not None:
        for order in OTHER_ORDERS:
            yield "".join(plain_text(part, _GAP) for part in clause.ordered(order, lexicon.clauses))


def _ends_with_noun(text: str, lexicon: Lexicon) -> bool:
    """Return whether a number after `text` names something (*round 3*, *auf Feld 3*) instead of counting."""
    last = re.search(r"([^\W\d_]+)\s$", text)
    if last is None:
        return False
    last_word = last[1].casefold()
    return any(form.casefold() == last_word for noun in lexicon.valid_nouns() for _, form in noun.forms.entries)


#: Cache for the lexicons used last; building the tables takes longer than checking a text.
_PHONETIC_CACHE: deque[tuple[Lexicon, PhoneticForms]] = deque(maxlen=8)


def _phonetic_forms(lexicon: Lexicon) -> PhoneticForms:
    for cached, forms in _PHONETIC_CACHE:
        if cached is lexicon:
            return forms
    _PHONETIC_CACHE.append((lexicon, PhoneticForms.of(lexicon)))
    return _PHONETIC_CACHE[-1][1]


def _wrong_mark(text: str, quotation: tuple[str, ...]) -> str | None:
    """Return the first misplaced or foreign quotation mark; None if all are right."""
    opening, closing = quotation[::2], quotation[1::2]
    level = 0
    for index, letter in enumerate(text):
        if letter not in MARKS:
            continue
        if level and letter == closing[level - 1]:
            level -= 1
        elif level < len(opening) and letter == opening[level]:
            level += 1
        elif letter != _APOSTROPHE or not _in_a_word(text, index):
            return letter
    return opening[level - 1] if level else None


def _in_a_word(text: str, at: int) -> bool:
    return any(c.isalnum() or c == _GAP for c in text[max(at - 1, 0) : at] + text[at + 1 : at + 2])


def _slots(
    message: str, template: Template, lexicon: Lexicon, kinds: Mapping[str, str], plural: bool
) -> Iterator[WordsError]:
    for index, part in enumerate(template.parts):
        kind = kinds.get(part.name) if isinstance(part, Slot) else None
        if not isinstance(part, Slot) or kind not in {"number", "listing"}:
            continue
        try:
            request = read_slot_spec(part.spec, lexicon)
        except WordsError:
            continue  # The error is reported where the sentence is rendered.
        if kind == "listing" and request.conjunction is None:
            yield WordsError("words.no_conjunction", message=message, word=part.name)
        counted = request.noun is not None or request.ordinal or request.times or plural or not lexicon.after_numbers
        if kind == "number" and not counted:
            after = template.parts[index + 1] if index + 1 < len(template.parts) else ""
            word = re.match(r"\s+([^\W\d_]+)", after) if isinstance(after, str) else None
            if word is None or word[1] in lexicon.after_numbers:
                continue
            before = template.parts[index - 1] if index else ""
            if not (isinstance(before, str) and _ends_with_noun(before, lexicon)):
                yield WordsError("words.bare_number", message=message, word=part.name, noun=word[1])


def _cases(message: str, template: Template, lexicon: Lexicon, kinds: Mapping[str, str]) -> Iterator[WordsError]:
    """Yield the slots of a marked sentence that lack a case.

    A name is the same in every case, but *the player*, which can fill the slot as well, is not.
    """
    clause = template.clause
    if clause is None or "case" not in lexicon.features.dimensions:
        return
    try:
        subject = subject_of(clause, lexicon)
        slots = [(part, read_slot_spec(part.spec, lexicon)) for part in template.parts if isinstance(part, Slot)]
    except WordsError:
        return  # The error is reported where the sentence is rendered.
    for slot, request in slots:
        declined = kinds.get(slot.name, "").partition(":")[0] in _DECLINED or request.noun is not None
        if (
            slot is not subject
            and declined
            and request.preposition is None
            and request.place is None
            and case_of(request, lexicon) is None
        ):
            yield WordsError("words.no_case", message=message, word=slot.name)


_WORD = re.compile(r"(?<![\w’-])([^\W\d_]+)(’| )(?=[„“«‹‘(]*(\w[\w’-]*))")

#: End of an elided form (*un’area*), which joins the next word without a space.
_ELISION = "’"


@dataclass(frozen=True, slots=True)
class PhoneticForms:
    """The sound-dependent words of a language: their tables by form, and the words that can follow an article.

    `free` are tables of unambiguous words. An article or contraction can look like a pronoun or a verb (*la area*, *la
    usa*). Some of their forms are therefore only judged before a word of the lexicon.
    """

    free: dict[str, list[Forms]]
    articles: dict[str, list[Forms]]
    contractions: dict[str, list[Forms]]
    nouns: frozenset[str]
    sounds: frozenset[str]

    @classmethod
    def of(cls, lexicon: Lexicon) -> PhoneticForms:
        """Collect the words of `lexicon`."""
        sounds = frozenset(lexicon.sounds)
        determiners = [word.forms for word in lexicon.determiners.values()]
        contracted = [_contracted(name, forms, lexicon) for name in lexicon.prepositions for forms in determiners]
        joining = [*lexicon.conjunctions.values(), *(word.forms for word in lexicon.prepositions.values())]
        nouns = [noun.forms for noun in lexicon.valid_nouns()]
        adjectives = [word.forms for word in lexicon.adjectives.values()]
        firsts = (form.split()[0] for table in (*nouns, *adjectives) for _, form in table.entries if form.strip())
        # The beginning of a longer form is no noun: *di quel giocatore*, *il più alto*.
        small = {form for forms in determiners for _, form in forms.entries} | set(lexicon.prepositions)
        return cls(
            _by_form(joining, sounds),
            _by_form(determiners, sounds),
            _by_form(contracted, sounds),
            frozenset(first.lower() for first in firsts if len(first) > 1 and first not in small),
            sounds,
        )

    def sandhi_errors(self, text: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
        """Yield each mismatch in `text`: the word with its successor, and the correct text."""
        for match in _WORD.finditer(text):
            word, after = (match[1] + match[2].strip()).lower(), match[3]
            if len(match[1]) == 1 and match[1].isupper():
                continue  # A single capital may be a name.
            for tables, sure in ((self.free, True), (self.articles, self._sure(word)), (self.contractions, False)):
                expected = self._expected(word, tables[word], lexicon.initial_sounds(after)) if word in tables else None
                elided = expected is not None and expected.endswith(_ELISION)
                if expected is not None and (after.lower() in self.nouns or (sure and not elided)):
                    yield f"{match[0]}{after}", expected + ("" if elided else " ") + after
                    break

    def _expected(self, word: str, tables: list[Forms], heard: frozenset[str]) -> str | None:
        """Return the correct form before this sound, or None if `word` is correct."""
        keys = [(forms, key - self.sounds) for forms in tables for key, form in forms.entries if form == word]
        right = [forms.pick(key | heard) for forms, key in keys]
        return None if word in right else next((form for form in right if form), None)

    def _sure(self, word: str) -> bool:
        """Return whether a form is always an article, and not only before some sound (*lo*, *gli*)."""
        tables = self.articles.get(word, [])
        return any(not key & self.sounds for forms in tables for key, form in forms.entries if form == word)


def _by_form(tables: list[Forms], sounds: frozenset[str]) -> dict[str, list[Forms]]:
    """Return the sound-dependent tables, by each of their forms."""
    by_form: dict[str, list[Forms]] = {}
    for forms in tables:
        if any(key & sounds for key, _ in forms.entries):
            for form in {form for _, form in forms.entries if form and " " not in form}:
                by_form.setdefault(form, []).append(forms)
    return by_form


def _contracted(preposition: str, article: Forms, lexicon: Lexicon) -> Forms:
    """Return the contractions of a preposition with an article as a table."""
    both = ((key, lexicon.contractions.get(f"{preposition} {form}")) for key, form in article.entries)
    return Forms(tuple((key, form) for key, form in both if form is not None))
