"""What the program says, in the language of who reads it.

Sentences stand in `locales/<language>/messages.po`, words with their forms in `locales/<language>/lexicon.yaml`;
`Words` puts the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from itertools import product
from typing import Literal

from wongar_dsl.cache import Cache
from wongar_dsl.text import width as cells
from wongar_dsl.text.transliteration import legible
from wongar_dsl.words.arguments import Listing, Term, Text, Value, decisive
from wongar_dsl.words.clause import END, Agreeing, Slot
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.files import Root
from wongar_dsl.words.lexicon import names_of
from wongar_dsl.words.locale import Locale, load_locale
from wongar_dsl.words.negotiation import ENGLISH
from wongar_dsl.words.pseudolocales import PSEUDO
from wongar_dsl.words.realiser import PLAIN
from wongar_dsl.words.slots import SlotSpec, read_slot_spec

#: What the name of a message ends with that is said where two of its terms are the same.
SAME = ".same"

#: The sentence that tells several messages of one sort together, and the one for each part of its list.
TOGETHER, EACH = ".together", ".each"
#: The same for a list in which something stands more than once, each part with how often; and for messages that differ
#: in one thing only, of which the list is.
REPEATED, SHARED = ".repeated", ".shared"

#: Names the slots of a message that need not be said where the clause before it in its sentence has said the same.
KNOWN = ".known"

#: Names the slots of a message that is not told behind one that says the same of them, under whatever name.
ECHOED = ".echoed"

#: How a message is told in a story with those around it: as what a round begins with; not at all where a neighbour says
#: the same of these slots; as words behind a thing of the next sentence; as a clause about a thing of the sentence
#: before; as what is left of its sentence behind another one of its own sort; as a second half of the sentence before.
HEADING, IMPLIED, ASIDE, ABOUT, ALSO, AFTER = IN_A_STORY = (
    ".heading",
    ".implied",
    ".aside",
    ".about",
    ".also",
    ".after",
)

#: How a message is told in the fewest words, among others, as what would come of a choice.
BRIEF = ".brief"


class Words:
    """Says messages and names terms in one language.

    What that language lacks is said in English, the whole sentence; what English lacks too is shown by its name.
    With `strict`, both are a `WordsError` instead.
    """

    def __init__(
        self, locale: Locale, english: Callable[[], Locale] | None, language: str, strict: bool = False
    ) -> None:
        self._locale = locale
        self._read_english = english
        self.language = language
        self._strict = strict
        #: What was found out of messages: their slots, and whether there are sentences.
        self._slots: dict[tuple[str, str | None], frozenset[str]] = {}
        self._has: dict[tuple[str, str | None], bool] = {}

    @classmethod
    def load(cls, language: str, roots: Sequence[Root] = (), strict: bool = False, cache: Cache | None = None) -> Words:
        """The words of `language`, shipped ones and those of `roots` (each a folder with a folder per language).

        `cache` keeps what was read before; English, for what the language lacks, is read at the first need.
        Raises `WordsError` for a language that is not there and for files that cannot be used.
        """
        if language in PSEUDO:
            return cls(load_locale(ENGLISH, roots, strict, language, cache), None, language, strict)
        locale = load_locale(language, roots, strict, cache=cache)
        english = None if language == ENGLISH else partial(load_locale, ENGLISH, roots, strict, cache=cache)
        if english is not None and (roots or strict):
            # Files from elsewhere may be broken: that is told now, not in the middle of a sentence.
            english = partial(_same, english())
        return cls(locale, english, language, strict)

    @cached_property
    def _english(self) -> Locale | None:
        return None if self._read_english is None else self._read_english()

    @property
    def name(self) -> str:
        """The language's own name for itself."""
        return self._locale.lexicon.name

    @property
    def addresses(self) -> bool:
        """Whether this language says how it speaks to whoever reads a sentence."""
        return self._locale.lexicon.addresses

    @property
    def transliteration(self) -> Mapping[str, str]:
        """How this language writes its own letters where they cannot be shown."""
        return self._locale.lexicon.transliteration

    def written_in(self, encoding: str) -> Words:
        """The same words, with nothing in them that `encoding` lacks; names and quoted text stay as they are."""
        if encoding.lower().startswith("utf"):
            return self

        def written(locale: Locale) -> Locale:
            change = partial(legible, encoding=encoding, own=locale.lexicon.transliteration)
            return replace(locale, realiser=replace(locale.realiser, disguise=change))

        read = self._read_english
        english = None if read is None else lambda: written(read())
        return Words(written(self._locale), english, self.language, self._strict)

    @property
    def right_to_left(self) -> bool:
        """Whether the language is written from right to left."""
        return self._locale.lexicon.right_to_left

    def say(self, message: str, /, game: str | None = None, **args: Value) -> str:
        """The sentence of `message`, looked up as `<game>.<message>` first; `args` fill its slots.

        A variant's (`chess/blitz`) is looked up under its own name first, then under that of its base.  Where two terms
        are the same, `<message>.same` is taken if there is one: *two green ones* for *a green one and a green one*.

        Raises `WordsError` only if strict.
        """
        failure: WordsError | None = None
        if game is None and message.partition(".")[0] in self._locale.lexicon.games:
            game = message.partition(".")[0]
        for locale in self._locales():
            for name in names_of(message, game):
                try:
                    said = self._say(locale, name, game, args)
                except WordsError as error:
                    failure = failure or error
                    continue
                if said is not None:
                    return said
        if self._strict:
            raise failure or WordsError("words.unknown_message", {"word": Text(message)})
        # What has no sentence anywhere is shown by its name, with what it is about behind it in brackets.
        shown = [self._safe(value, game) for value in args.values()]
        return f"{message} ({self.chain(shown)})" if shown else message

    def said(self, message: str, game: str | None, **args: Value) -> str | None:
        """As `say`, but only in the words of this language; None where it lacks one."""
        locale = replace(self._locale, realiser=replace(self._locale.realiser, strict=True))
        with suppress(WordsError):
            said = (self._say(locale, name, game, args) for name in names_of(message, game))
            return next((text for text in said if text is not None), None)
        return None

    def _locales(self) -> Iterator[Locale]:
        yield self._locale
        if not self._strict and self._english is not None:
            yield self._english

    def _say(self, locale: Locale, name: str, game: str | None, args: dict[str, Value]) -> str | None:
        source = locale.lexicon.code == ENGLISH
        last = locale.catalog.template(name, source=source)
        if last is None:
            return None
        if not name.endswith(SAME) and _repeats(args, last.names):
            same = self._say(locale, f"{name}{SAME}", game, args)
            if same is not None:
                return same
        own = locale.catalog.template(name, decisive(args, last.names), source=source)
        return None if own is None else locale.realiser.sentence(own, args, game)

    def _safe(self, value: Value, game: str | None, request: SlotSpec = PLAIN) -> str:
        try:
            return self._locale.realiser.value(value, request, game)
        except WordsError:
            return str(getattr(value, "name", value))

    def has(self, message: str, game: str | None = None) -> bool:
        """Whether this language itself has a sentence for `message`."""
        key = (message, game)
        if key not in self._has:
            source = self._locale.lexicon.code == ENGLISH
            self._has[key] = any(self._locale.catalog.shows(name, source=source) for name in names_of(message, game))
        return self._has[key]

    def knows(self, message: str, game: str | None = None) -> bool:
        """Whether there is a sentence for `message`, in this language or at least in English."""
        if self.has(message, game) or self._english is None:
            return self.has(message, game)
        return any(self._english.catalog.shows(name, source=True) for name in names_of(message, game))

    def articles(self, message: str, game: str | None = None) -> tuple[str, tuple[str, ...]]:
        """Under which name a message is said (`chess/blitz.rules.1`), and the articles of the rules that it speaks of.

        The English entry names them, where there is one of that name.  Nothing where there is no such sentence.
        """
        for locale in self._locales():
            for name in names_of(message, game):
                if locale.catalog.shows(name, source=locale.lexicon.code == ENGLISH):
                    english = self._english.catalog.entries.get(name) if self._english is not None else None
                    entry = english or locale.catalog.entries[name]
                    return name, entry.articles
        return "", ()

    def slots(self, message: str, game: str | None = None) -> frozenset[str]:
        """The slots that the sentences of `message` name, in this language and in English."""
        key = (message, game)
        if key not in self._slots:
            self._slots[key] = self._read_slots(message, game)
        return self._slots[key]

    def _read_slots(self, message: str, game: str | None) -> frozenset[str]:
        found: set[str] = set()
        for locale, name in product(self._locales(), names_of(message, game)):
            with suppress(WordsError):
                for n in (1, None):
                    said = locale.catalog.template(name, n, source=locale.lexicon.code == ENGLISH)
                    found |= said.names if said is not None else set()
        return frozenset(found)

    def opening(self, message: str, game: str | None = None) -> Slot | str | None:
        """What the sentence of `message` is about and begins with: a slot, or words.

        None where its verb is not marked, where something else opens it, and where this language has no sentence.
        """
        realiser = self._locale.realiser
        with suppress(WordsError):
            clause = realiser.template(message, game).clause
            subject = realiser.subject(clause) if clause is not None else None
            match [part for part in clause.first if part != " "] if clause is not None else []:
                case [Slot() as slot] if slot == subject:
                    return slot
                case [str() as words] if subject is None:
                    return words.strip()
        return None

    def first_slot(self, message: str, game: str | None = None) -> str | None:
        """The slot with which the sentence of `message` begins in this language; None where words go before it."""
        with suppress(WordsError):
            first = next(iter(self._locale.realiser.template(message, game).parts), None)
            return first.name if isinstance(first, Slot) else None
        return None

    def adjective(self, message: str, game: str | None = None) -> str | None:
        """The adjective that the sentence of `message` consists of in this language; None where it is none."""
        with suppress(WordsError):
            match self._locale.realiser.template(message, game).parts:
                case (Agreeing(name),):
                    return name
        return None

    def last_slot(self, message: str, game: str | None = None) -> str | None:
        """The slot with which the sentence of `message` ends in this language; None where words follow it."""
        with suppress(WordsError):
            parts = self._locale.realiser.template(message, game).parts
            tail = next((part for part in reversed(parts) if not isinstance(part, str) or END.sub("", part)), None)
            return tail.name if isinstance(tail, Slot) else None
        return None

    def verbatim(self, prefix: str) -> dict[str, tuple[str, ...]]:
        """The translations of sentences that somebody else formats, by their English text: those named `prefix`..."""
        entries = self._locale.catalog.entries
        return {e.english[0]: e.texts for name, e in entries.items() if name.startswith(prefix) and e.translated}

    def plural(self, n: int) -> int:
        """The index of a sentence's plural form for `n`."""
        return self._locale.catalog.plural(n)

    def term(self, name: str, game: str | None = None, spec: str = "", count: int | None = None) -> str:
        """The term `name`, with what `spec` asks for in the words of this language (`short`, `def`, `num`).

        A word of `spec` that this language does not have, or a missing form, gives the plain term; if strict, an error.
        """
        realiser = self._locale.realiser
        try:
            return realiser.term(Term(name, game, count), read_slot_spec(spec.split(), realiser.lexicon), game)
        except WordsError:
            if self._strict:
                raise
            return self._safe(Term(name, game), game)

    def has_term(self, name: str, game: str | None = None) -> bool:
        """Whether this language itself has the term."""
        return self._locale.lexicon.has(name, game)

    @property
    def unnamed(self) -> Set[str]:
        """The names without a term that this language has shown by their identifiers so far."""
        return self._locale.realiser.unnamed

    def value(self, value: Value, game: str | None = None) -> str:
        """Any value on its own: a term in its plain form, a list, a number."""
        return self._safe(value, game)

    def number(self, n: int) -> str:
        """`n` in the digits and groups of this language."""
        return self._locale.realiser.number(n)

    def decimal(self, n: float, places: int) -> str:
        """`n` with so many decimal places, as this language writes it."""
        return self._locale.realiser.decimal(n, places)

    def percent(self, share: float, places: int) -> str:
        """A share of one in percent, with so many decimal places, as this language writes it."""
        return self._locale.realiser.percent(share, places)

    def moment(self, seconds: float) -> str:
        """The day and the time of day so many seconds after 1970 began, in short, as this language writes them."""
        return self._locale.realiser.moment(seconds)

    def ordinal(self, n: int, gender: str | None = None) -> str:
        """The ordinal of `n`, for a noun of this gender."""
        return self._locale.realiser.ordinal(n, gender)

    def listing(self, items: Sequence[Value], style: Literal["and", "or"] = "and", game: str | None = None) -> str:
        """The items joined as this language joins them."""
        return self._safe(Listing(tuple(items)), game, SlotSpec(conjunction=style))

    def label(self, text: str) -> str:
        """`text` as what stands before its content: *Box: *."""
        return self.say("engine.label", None, label=Text(text)) + " "

    def valued(self, title: str, value: str) -> str:
        """A title with its value: *Points 3*, with a mark between them where the title ends with a number itself."""
        return self.label(title) + value if title[-1:].isdigit() else f"{title} {value}"

    def chain(self, items: Sequence[str]) -> str:
        """The items one after the other as this language separates them, with no word before the last."""
        return self._locale.realiser.chain(items)

    def capital(self, text: str) -> str:
        """`text` with a capital at its beginning, as this language writes it."""
        return self._locale.realiser.capital(text)

    def width(self, text: str) -> int:
        """The terminal cells that `text` takes."""
        return cells.width(text)

    def pad(self, text: str, width: int, align: Literal["left", "right", "centre"] = "left") -> str:
        """`text` with spaces up to `width` cells."""
        return cells.pad(text, width, align)


def _repeats(args: dict[str, Value], said: Set[str]) -> bool:
    """Whether two of the terms that are `said` are the same; what else their statement knows repeats them often."""
    terms = [value.name for name, value in args.items() if name in said and isinstance(value, Term)]
    return len(set(terms)) < len(terms)


def _same(locale: Locale) -> Locale:
    return locale
