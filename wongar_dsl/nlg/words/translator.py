"""Translator of one language: renders messages and terms.

Sentences come from `locales/<language>/*.po`, words with their forms from `locales/<language>/lexicon.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property, partial, reduce
from itertools import pairwise, product, takewhile

from wongar_dsl.base import terminal_text
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.base.terminal_text import transliterate
from wongar_dsl.nlg.words.arguments import (
    Genitive,
    Listing,
    NounPhrase,
    Sentence,
    Term,
    Text,
    Value,
    ValueList,
    WordsError,
    plural_selector,
)
from wongar_dsl.nlg.words.clause import END, Part, Slot
from wongar_dsl.nlg.words.languages import ENGLISH, Root
from wongar_dsl.nlg.words.lexicon import Noun, names_of, scopes
from wongar_dsl.nlg.words.locale import ALWAYS, OTHERWISE, PSEUDO, Locale, load_locale, scope_of
from wongar_dsl.nlg.words.slots import read_slot_spec, subject_of

#: Capacity of the cache of translators without outdated words: an editor or a server can meet ever new variants.
MAX_CACHED_TRANSLATORS = 50

#: Suffix of the message used if two of its terms are the same.
SAME = ".same"

#: Suffixes of the message that combines several of one sort, and of each part of its list.
TOGETHER, EACH = ".together", ".each"
#: The same for a list with repeated parts and their counts; and for messages that differ only in one slot, whose values
#: are listed.
REPEATED, SHARED = ".repeated", ".shared"

#: Suffix of the list of slots that can be omitted if the previous clause of the sentence has the same values.
KNOWN = ".known"

#: Suffix of the list of slots: the message is dropped behind one that has the same values, under any name.
ECHOED = ".echoed"

#: Suffixes for a message among its neighbours: heading of a round; dropped where a neighbour has the same slots; phrase
#: behind a noun of the next sentence; clause about a thing of the previous sentence; rest of a sentence behind another
#: of its kind; second half of the previous sentence.
HEADING, IMPLIED, ASIDE, ABOUT, ALSO, AFTER = IN_A_STORY = (
    ".heading", ".implied", ".aside", ".about", ".also", ".after",
)  # fmt: skip

#: Suffixes of the messages that combine several events, and of the parts of their lists.
IN_LISTS = (TOGETHER, EACH, REPEATED, f"{REPEATED}{EACH}", SHARED, f"{SHARED}{EACH}")

#: Suffix of the shortest wording, used beside others, such as for the result of an option.
BRIEF = ".brief"
#: Suffixes of all further forms of a message that narrates an event.
FURTHER = (*IN_A_STORY, BRIEF, KNOWN, ECHOED, f"{TOGETHER}{ALSO}", f"{SHARED}{ALSO}", f"{TOGETHER}{AFTER}")


class Translator:
    """Translator of messages and terms into one language.

    A sentence that the language lacks is rendered in English; one that English lacks too, by its name. With `strict`,
    both raise `WordsError` instead. `lexicon` has the properties of the language, `number` formats a number in its
    digits and groups, `plural` returns the index of the plural form for a number, `chain` joins texts without a
    conjunction, and `capital` returns a text with an initial capital.
    """

    def __init__(
        self, locale: Locale, english: Callable[[], Locale] | None, language: str, strict: bool = False
    ) -> None:
        self._locale, self.lexicon, self.plural = locale, locale.lexicon, locale.catalog.plural
        self.number, self.chain, self.capital = locale.number, locale.chain, locale.capital
        self._read_english = english
        self.language = language
        self._strict = strict
        #: Cached properties of messages.
        self._slots, self._has = cache(self._read_slots), cache(self._shows)
        #: Translators without outdated words, at most `MAX_CACHED_TRANSLATORS`.
        self._without_outdated: dict[frozenset[str], Translator] = {}

    @classmethod
    def load(
        cls, language: str, roots: Sequence[Root] = (), strict: bool = False, cache: Cache | None = None
    ) -> Translator:
        """Load the shipped words of `language` and those of `roots` (each with a folder per language).

        `cache` stores parsed files; English, the fallback, is read on first use. Raises `WordsError` for an unknown
        language and for invalid files.
        """
        if language in PSEUDO:
            return cls(load_locale(ENGLISH, roots, strict, language, cache), None, language, strict)
        locale = load_locale(language, roots, strict, cache=cache)
        english = None if language == ENGLISH else partial(load_locale, ENGLISH, roots, strict, cache=cache)
        translator = cls(locale, english, language, strict)
        if roots or strict:
            # Files from elsewhere may be invalid: report that now, not in the middle of a sentence.
            _ = translator._english
        return translator

    @cached_property
    def _english(self) -> Locale | None:
        return None if self._read_english is None else self._read_english()

    @cached_property
    def function_words(self) -> frozenset[str]:
        """The articles, prepositions and conjunctions of this language, in lower case."""
        return self._locale.lexicon.function_words

    def written_in(self, encoding: str) -> Translator:
        """Return a translator whose output can be encoded in `encoding`; names and quoted text stay unchanged."""
        if encoding.lower().startswith("utf"):
            return self

        def written(locale: Locale) -> Locale:
            change = partial(transliterate, encoding=encoding, spellings=locale.lexicon.transliteration)
            return replace(locale, disguise=change)

        read = self._read_english
        english = None if read is None else lambda: written(read())
        return Translator(written(self._locale), english, self.language, self._strict)

    def without_outdated(self, scope: str, changes: Mapping[str, frozenset[str]]) -> Translator:
        """Return a translator without the words of a game that `changes` have made untrue.

        `changes` names for each declaration the variants that changed it; words under the name of a variant
        (`chess/blitz`) were written with its changes in mind. A substitute for an outdated word has the suffix
        `.otherwise`. Without one, the sentence is generated from other words.
        """
        if not changes:
            return self
        locales = [locale for locale in (self._english, self._locale) if locale is not None]
        own = frozenset(scopes(scope))
        outdated = frozenset(
            word
            for locale in locales
            for key, variants in changes.items()
            for word in locale.dependents.get(key, ())
            if scope_of(word) in own and variants - {*scope_of(word).split("/")}
        ).difference(*(locale.dependents.get(ALWAYS, ()) for locale in locales))
        translator = self._without_outdated.get(outdated) if outdated else self
        if translator is None:
            english = None if self._english is None else partial(self._english.without, outdated)
            translator = type(self)(self._locale.without(outdated), english, self.language, self._strict)
            if len(self._without_outdated) >= MAX_CACHED_TRANSLATORS:
                self._without_outdated.clear()
            self._without_outdated[outdated] = translator
        return translator

    def say(self, message: str, /, game: str | None = None, **args: Value) -> str:
        """Render `message`, looked up as `<game>.<message>` first; `args` fill its slots.

        For a variant (`chess/blitz`), its own name is tried first, then that of its base. If two terms are the same,
        `<message>.same` is used if it exists: *two green ones* for *a green one and a green one*. Raises `WordsError`
        only if strict.
        """
        failure: WordsError | None = None
        if game is None and message.partition(".")[0] in self._locale.lexicon.games:
            game = message.partition(".")[0]
        for locale in self._locales():
            for name in names_of(message, game):
                try:
                    sentence = self._say(locale, name, game, args)
                except WordsError as error:
                    failure = failure or error
                    continue
                if sentence is not None:
                    return sentence
        if self._strict:
            raise failure or WordsError("words.unknown_message", word=message)
        # A message without any sentence is shown by its name, with its arguments in brackets.
        shown = [self._safe(value, game) for value in args.values()]
        if shown and failure is not None and failure.name == "words.missing_form":
            return self.chain(shown)
        return f"{message} ({self.chain(shown)})" if shown else message

    def say_native(self, message: str, game: str | None, **args: Value) -> str | None:
        """Render like `say`, but only in this language; None if a sentence or word is missing."""
        locale = replace(self._locale, strict=True)
        with suppress(WordsError):
            texts = (self._say(locale, name, game, args) for name in names_of(message, game))
            return next((text for text in texts if text is not None), None)
        return None

    def _locales(self) -> Iterator[Locale]:
        yield self._locale
        if not self._strict and self._english is not None:
            yield self._english

    def _say(self, locale: Locale, name: str, game: str | None, args: dict[str, Value]) -> str | None:
        last = locale.catalog.template(name)
        if last is None:
            return None
        if not name.endswith(SAME) and repeats_a_term(args, last.names):
            same = self._say(locale, f"{name}{SAME}", game, args)
            if same is not None:
                return same
        template = locale.catalog.template(name, plural_selector(args, last.names))
        return None if template is None else locale.sentence(template, args, game)

    def _safe(self, value: Value, game: str | None) -> str:
        """Render a value; what cannot be rendered, by the names in it."""
        with suppress(WordsError):
            return self._locale.tidy(self._locale.value(value, game=game))
        match value:
            case NounPhrase(head=head) | Genitive(head=head):
                return self._safe(head, game)
            case Listing(items=items):
                return self.chain([self._safe(item, game) for item in items])
            case ValueList(entries=entries):
                return self.chain([f"{self._safe(item, game)} {n}" for item, n in entries])
            case Sentence(message=message, values=values):
                return self.say(message, game, **values)
            case Term(name=name):
                return name.replace("_", " ")
        return str(value)

    def has(self, message: str, game: str | None = None) -> bool:
        """Return whether this language itself has a sentence for `message`."""
        return self._has(message, game)

    def _shows(self, message: str, game: str | None) -> bool:
        return any(map(self._locale.shows, names_of(message, game)))

    def has_message(self, message: str, game: str | None = None) -> bool:
        """Return whether `message` has a sentence in this language or in English."""
        if self.has(message, game) or self._english is None:
            return self.has(message, game)
        return any(map(self._english.shows, names_of(message, game)))

    def has_usual(self, message: str, game: str | None = None) -> bool:
        """Return whether a message exists with its usual wording, not with the substitute for an outdated one."""
        entries = (self._english or self._locale).catalog.entries
        return any(entries.get(name) is not entries.get(f"{name}{OTHERWISE}") for name in names_of(message, game))

    def articles(self, message: str, game: str | None = None) -> tuple[str, tuple[str, ...]]:
        """Return the full name of a message (`chess/blitz.rules.1`) and the declarations of the rules that it
        describes.

        They come from the English entry of that name, if it exists. Empty if there is no such sentence.
        """
        for locale in self._locales():
            for name in names_of(message, game):
                if locale.shows(name):
                    english = self._english.catalog.entries.get(name) if self._english is not None else None
                    entry = english or locale.catalog.entries[name]
                    return name, entry.articles
        return "", ()

    def slots(self, message: str, game: str | None = None) -> frozenset[str]:
        """Return the slots in the sentences of `message`, in this language and in English."""
        return self._slots(message, game)

    def _read_slots(self, message: str, game: str | None) -> frozenset[str]:
        names: set[str] = set()
        for locale, name in product(self._locales(), names_of(message, game)):
            with suppress(WordsError):
                for n in (1, None):
                    template = locale.catalog.template(name, n)
                    names |= template.names if template is not None else set()
        return frozenset(names)

    def opening(self, message: str, game: str | None = None) -> Slot | str | None:
        """Return the subject that opens the sentence of `message`: a slot, or words.

        None if the verb is not marked, if something else opens it, and if this language has no sentence.
        """
        with suppress(WordsError):
            clause = self._locale.template(message, game).clause
            subject = subject_of(clause, self._locale.lexicon)
            match [part for part in clause.first if part != " "] if clause is not None else []:
                case [Slot() as slot] if slot == subject:
                    return slot
                case [str() as words] if subject is None:
                    return words.strip()
        return None

    def parts(self, message: str, game: str | None = None) -> tuple[Part, ...]:
        """Return the words and slots of `message` in this language, without an end mark; none if it has no sentence."""
        with suppress(WordsError):
            parts = self._locale.template(message, game).parts
            return parts[:-1] if parts and isinstance(parts[-1], str) and not END.sub("", parts[-1]) else parts
        return ()

    def is_compared(self, message: str, slot: str, game: str | None = None) -> bool:
        """Return whether a slot of `message` is the second part of a comparison, here or in English: *than* {other}."""
        for locale in self._locales():
            with suppress(WordsError):
                for before, part in pairwise(locale.template(message, game).parts):
                    compared = isinstance(before, str) and {*before.split()[-1:]} & locale.lexicon.than
                    if isinstance(part, Slot) and part.name == slot and compared:
                        return True
        return False

    def without_fixed_end(self, text: str, message: str, game: str | None = None) -> str:
        """Return the text of `message` without the words behind its last label mark, unless a slot is among them."""
        mark = self.label("").strip()
        for locale, name in product(self._locales(), names_of(message, game)):
            with suppress(WordsError):
                template = locale.catalog.template(name)
                if template is not None:
                    end = takewhile(lambda part: not isinstance(part, Slot), reversed(template.parts))
                    return text.rpartition(mark)[0] if any(mark in str(part) for part in end) else text
        return text

    def verbatim(self, prefix: str) -> dict[str, tuple[str, ...]]:
        """Return translations, by English text, of the messages named `prefix`..., which another library formats."""
        entries = self._locale.catalog.entries
        return {e.english[0]: e.texts for name, e in entries.items() if name.startswith(prefix) and e.translated}

    def term(self, name: str, game: str | None = None, spec: str = "", count: int | None = None) -> str:
        """Render the term `name` with the request `spec` in the words of this language (`short`, `def`, `num`).

        An unknown word in `spec` or a missing form yields the plain term; if strict, an error.
        """
        locale = self._locale
        try:
            return locale.term(Term(name, game, count), read_slot_spec(spec.split(), locale.lexicon), game)
        except WordsError:
            if self._strict:
                raise
            return self._safe(Term(name, game), game)

    def has_term(self, name: str, game: str | None = None) -> bool:
        """Return whether this language itself has the term."""
        return self._locale.lexicon.has(name, game)

    def is_name(self, name: str, game: str | None = None) -> bool:
        """Return whether this language has the term as a mere name or adjective, which takes no article or *no*."""
        return (noun := self._noun(name, game)) is not None and noun.proper

    def is_shared(self, name: str, game: str | None = None) -> bool:
        """Return whether the term names a single thing that all players share."""
        return (noun := self._noun(name, game)) is not None and noun.shared

    def _noun(self, name: str, game: str | None) -> Noun | None:
        """Return the term; None if it is missing or cannot be used."""
        with suppress(WordsError):
            return self._locale.lexicon.noun(name, game)
        return None

    @property
    def unnamed(self) -> Set[str]:
        """The names without a term that were shown by their identifiers since the last `forget_unnamed`."""
        return self._locale.unnamed

    def forget_unnamed(self) -> None:
        """Start a new collection of names without a term; all translators of a language share it."""
        self._locale.unnamed.clear()

    def value(self, value: Value, game: str | None = None) -> str:
        """Render any value on its own: a term in its plain form, a list, a number."""
        return self._safe(value, game)

    def decimal(self, n: float, places: int) -> str:
        """Format `n` with a fixed number of decimal places."""
        return self._locale.cldr.full.decimal(n, "#,##0." + "0" * places)

    def percent(self, share: float, places: int) -> str:
        """Format a fraction of 1 as a percentage with a fixed number of decimal places."""
        return self._locale.cldr.full.percent(share, "0." + "0" * places if places else "0")

    def moment(self, seconds: float) -> str:
        """Format a Unix time in seconds as a short local date and time."""
        return self._locale.cldr.full.moment(seconds)

    def label(self, text: str) -> str:
        """Return `text` as a label before its content: *Box: *."""
        return self.say("engine.label", None, label=Text(text)) + " "

    def valued(self, title: str, value: str) -> str:
        """Return a title with its value: *Points 3*, with a separator if the title ends with a digit."""
        return self.label(title) + value if title[-1:].isdigit() else f"{title} {value}"

    def apart(self, items: Sequence[str]) -> str:
        """Join items that may be lists themselves."""
        return reduce(lambda one, other: self.say("drawing.apart", None, one=Text(one), other=Text(other)), items)

    #: Measurement and padding of text in terminal cells.
    width, pad = staticmethod(terminal_text.width), staticmethod(terminal_text.pad)


def repeats_a_term(args: Mapping[str, Value], said: Set[str]) -> bool:
    """Return whether two of the terms in the slots `said` are the same; unused arguments often repeat them."""
    terms = [value.name for name, value in args.items() if name in said and isinstance(value, Term)]
    return len(set(terms)) < len(terms)
