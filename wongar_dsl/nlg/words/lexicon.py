"""The lexicon of one language: terms with their forms, determiners, prepositions, adjectives and pronouns.

A table maps combinations of features (`pl.dat`, or nested keys) to forms. The most specific form that fits a request
wins; between two that are specific in different dimensions, the dimension that the language lists first decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

from wongar_dsl.nlg.words.arguments import Listing, Term, Text, WordsError
from wongar_dsl.nlg.words.clause import Grammar, Verb

#: Node of a lexicon file: strings, lists and mappings, without numbers and booleans.
Tree: TypeAlias = "str | list[Tree] | dict[str, Tree]"


@dataclass(frozen=True, slots=True)
class Features:
    """The feature dimensions of a language by descending weight, each with its values, the default first.

    `patterns` are tables of endings that regular words refer to.
    """

    dimensions: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, Tree] = field(default_factory=dict)
    _completed: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict, compare=False, repr=False)
    _ranks: dict[frozenset[str], tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)

    def dimension(self, feature: str) -> str | None:
        """Return the dimension of `feature`, or None if it is no feature."""
        return next((name for name, values in self.dimensions.items() if feature in values), None)

    def first(self, dimension: str, features: Iterable[str]) -> str | None:
        """Return the first of some features that belongs to `dimension`, or None."""
        return next((feature for feature in features if self.dimension(feature) == dimension), None)

    def default(self, dimension: str) -> str | None:
        """Return the default value of `dimension`; None if the language lacks it."""
        values = self.dimensions.get(dimension, ())
        return values[0] if values else None

    def completed(self, features: Iterable[str]) -> frozenset[str]:
        """Return the features, with the default for each dimension that has none; what is heard has no default."""
        key = tuple(features)
        if key not in self._completed:
            by_dimension = {name: self.default(name) or "" for name in self.dimensions if name != "sound"}
            by_dimension |= {self.dimension(feature) or feature: feature for feature in key}
            self._completed[key] = frozenset(by_dimension.values())
        return self._completed[key]

    def rank(self, key: frozenset[str]) -> tuple[int, ...]:
        """Return the sort key of a form by specificity: greater is more specific."""
        # Within a dimension the earlier value wins; that only matters for sounds, several of which can hold at once.
        if key not in self._ranks:
            self._ranks[key] = tuple(
                max((len(values) - index for index, value in enumerate(values) if value in key), default=0)
                for values in self.dimensions.values()
            )
        return self._ranks[key]


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of one word, the most specific first."""

    entries: tuple[tuple[frozenset[str], str], ...]

    def pick(self, features: frozenset[str]) -> str | None:
        """Return the most specific form that requires only `features`; None if none fits."""
        for key, form in self.entries:
            if key <= features:
                return form
        return None

    def states(self, key: frozenset[str]) -> bool:
        """Return whether the word defines exactly this form."""
        return any(key == entry_key for entry_key, _ in self.entries)


def unknown_feature(features: Features, word: str, where: str, settings: Iterable[str] = ()) -> WordsError:
    """Return the error for a word that is no feature; `settings` are other words that would be allowed."""
    allowed = dict.fromkeys([*(value for values in features.dimensions.values() for value in values), *settings])
    shown = Listing(tuple(Text(value) for value in allowed))
    return WordsError("words.unknown_feature", where=where, word=word, known=shown)


def read_forms(features: Features, tree: Tree, where: str, settings: Iterable[str] = ()) -> Forms:
    """Parse a form table: one string, or keys with dotted features, possibly nested.

    With `like`, the table is a pattern of the language with `stem` in place of `~`; explicit forms take precedence.
    `settings` are the other words that may stand beside the forms. Raises `WordsError` for an unknown feature or
    pattern and for a duplicate form.
    """
    if isinstance(tree, dict) and "like" in tree:
        like, stem = tree["like"], tree.get("stem", "")
        if not isinstance(like, str) or not isinstance(stem, str) or like not in features.patterns:
            names = Listing(tuple(Text(name) for name in features.patterns)) if features.patterns else Text("–")
            raise WordsError("words.unknown_pattern", where=where, word=str(like), known=names)
        pattern = read_forms(Features(features.dimensions, _ranks=features._ranks), features.patterns[like], where)
        rest = {key: branch for key, branch in tree.items() if key not in {"like", "stem"}}
        explicit = read_forms(features, rest, where, settings)
        regular = ((key, form.replace("~", stem)) for key, form in pattern.entries if not explicit.states(key))
        return _sorted({**dict(regular), **dict(explicit.entries)}, features)
    forms: dict[frozenset[str], str] = {}
    for path, form in _leaves(tree, (), where):
        key = frozenset(feature for part in path for feature in part.split(".") if feature)
        for feature in key:
            if features.dimension(feature) is None:
                raise unknown_feature(features, feature, where, ("like", "stem", *settings))
        if key in forms:
            raise WordsError("words.form_twice", where=where, word=".".join(sorted(key)))
        forms[key] = form
    return _sorted(forms, features)


def _sorted(found: Mapping[frozenset[str], str], features: Features) -> Forms:
    return Forms(tuple(sorted(found.items(), key=lambda entry: features.rank(entry[0]), reverse=True)))


def _leaves(tree: Tree, path: tuple[str, ...], where: str) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(tree, str):
        yield path, tree
    elif isinstance(tree, dict):
        for key, branch in tree.items():
            yield from _leaves(branch, (*path, key), where)
    else:
        raise WordsError("words.bad_shape", where=where)


#: Settings that a term can have beside its forms.
SETTINGS = ("articles", "bodily", "gender", "only", "person", "place", "proper", "shared", "sound")

#: Features that pronouns may depend on in any language: thing, person, reader or all readers; and object or subject.
THING, PERSON, YOU, YOU_ALL, OBJECT, SUBJECT = "thing", "person", "you", "you_all", "object", "subject"
#: Whether a relative clause identifies a thing or adds information about it.
CHOOSING, ADDING = "choosing", "adding"
PRONOUN_DIMENSIONS: Mapping[str, tuple[str, ...]] = {
    "animacy": (THING, PERSON, YOU, YOU_ALL),
    "function": (OBJECT, SUBJECT),
    "purpose": (CHOOSING, ADDING),
}

#: The style of a name without its category.
SHORT = "short"

#: Dimensions of numeral forms: before a noun, or `lone` where the noun was just named; in digits, or `worded` beside
#: other digits.
LONE, WORDED = "lone", "worded"
NUMERAL_DIMENSIONS: Mapping[str, tuple[str, ...]] = {"standing": (LONE,), "writing": (WORDED,)}


@lru_cache(maxsize=1024)
def scopes(game: str | None) -> tuple[str, ...]:
    """Return the lookup scopes of a game: for a variant (`chess/blitz`) its own words first, then its base's.

    In `chess/blitz/atomic`, the last variant builds on the other one or is combined with it, so the words of
    `chess/atomic` apply as well.
    """
    if not game:
        return ()
    name, *parts = game.split("/")
    runs = (parts[start:end] for end in range(len(parts), 0, -1) for start in range(end))
    return (*("/".join((name, *run)) for run in runs), name)


@lru_cache(maxsize=8192)
def names_of(message: str, game: str | None) -> tuple[str, ...]:
    """Return the names under which a message is looked up, in order: the game's own first, then the common one."""
    return (*(f"{scope}.{message}" for scope in scopes(game)), message)


#: Location, goal and source of a place.
Place = Literal["where", "whither", "whence"]
PLACES: tuple[Place, ...] = get_args(Place)


@dataclass(frozen=True, slots=True)
class Noun:
    """A term. `only` is its single number; a `proper` noun takes no article; `sound` overrides its first letters.

    `person` selects other pronouns than a thing, in languages that distinguish them. `place` is the sort of place in
    the lexicon that supplies its prepositions (*in the supply*, *on the pile*). A `bodily` noun needs no owner: *auf
    die Hand*. A `shared` one is a single thing of which each player has a part: *into the bag* of all players.
    """

    name: str
    forms: Forms
    gender: str | None = None
    only: str | None = None
    proper: bool = False
    sound: str | None = None
    person: bool = False
    place: str | None = None
    bodily: bool = False
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Determiner:
    """An article or similar word; `sets` is the feature it requires of the words after it (German strong and weak
    endings).

    `alone` are its forms directly before its noun (*det öppna kortet*, but *kortet*). `agrees` is the feature in which
    the verb agrees with it rather than with the noun (*un numero di carte va*).
    """

    forms: Forms
    sets: str | None = None
    alone: Forms | None = None
    agrees: str | None = None


@dataclass(frozen=True, slots=True)
class Preposition:
    """A preposition with the cases that it can govern; if there are several, the slot must name one."""

    forms: Forms
    cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective, which precedes its noun or, with `after`, follows it."""

    forms: Forms
    after: bool = False


@dataclass(frozen=True, slots=True)
class Sound:
    """A class of initial sounds, such as vowels, before which other words are elided or change (*l'area*, *ed Eva*).

    `unless` are beginnings with the same letters and another sound.
    """

    starts: tuple[str, ...]
    unless: tuple[str, ...] = ()

    def begins(self, word: str) -> bool:
        """Return whether the lower-case `word` begins with this sound."""
        return word.startswith(self.starts) and not (self.unless and word.startswith(self.unless))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lexicon of one language. A term is built on first use; `nouns` yields the names of all."""

    code: str
    name: str
    locale: str
    features: Features
    numbers: Mapping[str, str]
    sounds: Mapping[str, Sound]
    determiners: Mapping[str, Determiner]
    prepositions: Mapping[str, Preposition]
    adjectives: Mapping[str, Adjective]
    conjunctions: Mapping[str, Forms]
    contractions: Mapping[str, str]
    numerals: Mapping[str, Forms]
    ordinals: Mapping[str, Forms]
    #: Multiplicative numerals: `2: twice`, and `other: ~ times`.
    times: Mapping[str, str]
    possessives: Mapping[str, tuple[tuple[str, str], ...]]
    belonging: Mapping[str, tuple[str, ...]]
    #: Whether an owner precedes the possession, in the place of its article.
    owners_before: bool
    clauses: Grammar
    pronouns: Forms
    #: The number of pronouns for a person, where it differs from the noun's: *they have* for the player.
    spoken_of: Forms
    relatives: Forms
    relatives_after: Forms
    possession: Forms
    #: Verb forms for the addressed reader, by the singular form: whole words, or endings with a leading `~`.
    #: `otherwise` is the number whose form is used for all other verbs.
    addressing: Mapping[str, str]
    #: Changes of these forms before the pronoun of the reader; none for verbs with the plural ending `unless`.
    addressing_before: Mapping[str, str]
    #: Verb forms for all readers together, by the plural form, as in `addressing`.
    addressing_all: Mapping[str, str]
    #: Whether a main clause on all readers omits their pronoun: *put the board on the table*.
    imperative: bool
    possession_other: Forms
    possession_before: Forms
    #: Sorts of places: the words of a slot that replace `where`, `whither`, `whence`.
    places: Mapping[str, Mapping[Place, tuple[str, ...]]]
    #: The adverb for a place just named, in answer to `where`.
    there: str
    unnamed: str
    capitalise: bool
    capitals: Mapping[str, str]
    right_to_left: bool
    transliteration: Mapping[str, str]
    required: Mapping[str, tuple[frozenset[str], ...]]
    #: Style rules: quotation marks, marks with a space before them, sequences to avoid, words that may follow a number.
    quotation: tuple[str, ...]
    apart: frozenset[str]
    avoid: tuple[str, ...]
    after_numbers: frozenset[str]
    #: Numerals that are also other words.
    ambiguous_numerals: frozenset[str]
    #: Conjunctions before the second part of a comparison.
    than: frozenset[str]
    #: The preferred word for a thing, and its synonyms that sentences in the same folder must not use.
    glossary: Mapping[str, tuple[str, ...]]
    terms: Mapping[str, Tree]
    games: Mapping[str, Mapping[str, Tree]]
    _built: dict[tuple[str, str | None], Noun | None] = field(default_factory=dict, compare=False, repr=False)
    #: Cache of resolved slot specifications (see `slots`).
    requests: dict[tuple[str, ...], Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def noun(self, name: str, game: str | None = None) -> Noun | None:
        """Return the term `name` of `game`, or the common one, or None. Raises `WordsError` if it is invalid."""
        if (name, game) not in self._built:
            places = (*(self.games.get(scope, {}) for scope in scopes(game)), self.terms)
            tree = next((words[name] for words in places if name in words and not is_blank(words[name])), None)
            self._built[name, game] = read_noun(name, tree, self.features, self.places) if tree is not None else None
        return self._built[name, game]

    def head_noun(self, name: str, game: str | None = None) -> Noun | None:
        """Return the noun that verbs and pronouns agree with: of a card with parameters, that of its kind."""
        return self.noun(name, game) or self.noun(name.partition("(")[0], game)

    def has(self, name: str, game: str | None = None) -> bool:
        """Return whether there is a term `name`, of `game` or a common one."""
        places = (self.terms, *(self.games.get(scope, {}) for scope in scopes(game)))
        return any(name in words and not is_blank(words[name]) for words in places)

    def with_sort_noun(self, term: Term, game: str | None) -> Term:
        """Return the noun of its sort with a label for a term that is only a name: *2 cards “7”*, *no card “7”*.

        A name takes no determiner, so it could not be counted or denied.
        """
        noun, sort = (self.noun(name, term.game or game) for name in (term.name, term.sort))
        if noun is None or sort is None or not noun.proper or sort.proper:
            return term
        label = noun.forms.pick(self.features.completed(filter(self.features.dimension, (SHORT,))))
        return replace(term, name=term.sort, label=label or "")

    def nouns(self) -> Iterator[tuple[str | None, str]]:
        """Yield every term as (game or None, name)."""
        yield from ((None, name) for name in self.terms)
        yield from ((game, name) for game, words in self.games.items() for name in words)

    def valid_nouns(self) -> Iterator[Noun]:
        """Yield every valid term; the check of the lexicon reports the others."""
        for game, name in self.nouns():
            with suppress(WordsError):
                if (noun := self.noun(name, game)) is not None:
                    yield noun

    @property
    def plural(self) -> str | None:
        """The plural number of the language."""
        return self.numbers.get("other")

    def is_several(self, thing: frozenset[str]) -> bool:
        """Return whether a thing with these features is plural."""
        return self.features.default("number") not in thing

    @property
    def addresses(self) -> bool:
        """Return whether the language defines how to address the reader of a sentence."""
        return bool(self.addressing)

    def addressed_form(self, verb: Verb, before: bool = False) -> str:
        """Return the form of a verb for the addressed reader; `before` their pronoun it may differ: *dan leg je*."""
        text = _addressed(verb.singular, self.addressing) or verb.form(self.addressing.get("otherwise") == self.plural)
        if before and self.addressing_before and not verb.plural.endswith(self.addressing_before.get("unless", " ")):
            start, gap, word = text.rpartition(" ")
            text = start + gap + (_inflected(word, self.addressing_before) or word)
        return text

    def addressed_all_form(self, verb: Verb) -> str:
        """Return the form of a verb for all readers together."""
        return _addressed(verb.plural, self.addressing_all) or verb.plural

    def imperative_form(self, verb: Verb) -> str:
        """Return the form of a verb that asks all readers; where the reader's pronoun shortens a verb, that form."""
        return self.addressed_form(verb, before=True) if self.addressing_before else self.addressed_all_form(verb)

    def initial_sounds(self, word: str) -> frozenset[str]:
        """Return the classes of sounds that `word` begins with; forms of the words before it depend on them."""
        lower = word.lower().lstrip("„“”«»‹›\"'([")
        return frozenset(name for name, sound in self.sounds.items() if sound.begins(lower))

    def missing_forms(self, noun: Noun) -> list[str]:
        """Return the keys of the forms that this language requires of every term and that `noun` lacks."""
        if noun.proper:
            return []
        # A dict as an ordered set: requirements for all terms and for the gender may overlap.
        requirements = dict.fromkeys((*self.required.get("", ()), *self.required.get(noun.gender or "", ())))
        other_numbers = set(self.features.dimensions.get("number", ())) - {noun.only}
        return [
            self.form_key(key)
            for key in requirements
            # A word without a plural needs no plural forms.
            if not noun.forms.states(key) and not (noun.only and key & other_numbers)
        ]

    @property
    def function_words(self) -> frozenset[str]:
        """The single words of articles, prepositions and conjunctions in all forms, in lower case."""
        articles = [self.determiners[name] for name in ("def", "indef") if name in self.determiners]
        alone = [article.alone for article in articles if article.alone is not None]
        others = [*self.conjunctions.values(), *(word.forms for word in self.prepositions.values())]
        written = (form for forms in (*alone, *(word.forms for word in articles), *others) for _, form in forms.entries)
        texts = (*written, *self.prepositions, *self.contractions.values())
        return frozenset(word for text in texts for word in re.findall(r"[^\W_]+", text.casefold()))

    def lacks_gender(self, noun: Noun) -> bool:
        """Return whether a term lacks its gender in a language with genders."""
        genders = frozenset(self.features.dimensions.get("gender", ()))
        # A word with a form for each gender takes that of another word; a proper name has none.
        if noun.gender or noun.proper or any(key & genders for key, _ in noun.forms.entries):
            return False
        if noun.only is None:
            return bool(genders)
        # All genders may share their articles and endings, for example in the plural.
        cases = self.features.dimensions.get("case", ("",))
        words = [word.forms for word in self.determiners.values()] + [word.forms for word in self.adjectives.values()]
        combinations = [frozenset({noun.only, case}) for case in cases]
        return any(w.pick(plain | {g}) != w.pick(plain) for w in words for plain in combinations for g in genders)

    def form_key(self, form: frozenset[str]) -> str:
        """Return the key of a form as a lexicon file writes it: `pl.dat`."""
        return ".".join(value for values in self.features.dimensions.values() for value in values if value in form)


def _addressed(verb: str, forms: Mapping[str, str]) -> str | None:
    """Return a verb with its last word inflected, and a reflexive pronoun before it replaced; None without a form."""
    *before, word = verb.split(" ")
    form = _inflected(word, forms)
    return " ".join((*(forms.get(part, part) for part in before), form)) if form is not None else None


def _inflected(word: str, forms: Mapping[str, str]) -> str | None:
    """Return the form of a word by a table of whole words and of endings with a leading `~`; None without an entry."""
    if word in forms:
        return forms[word]
    end = max((e for e in forms if e.startswith("~") and word.endswith(e[1:])), key=len, default=None)
    return word[: len(word) - len(end) + 1] + forms[end][1:] if end is not None else None


def is_blank(tree: Tree) -> bool:
    """Return whether an entry is an unfilled skeleton: it contains no word."""
    if isinstance(tree, dict):
        return all(is_blank(part) for key, part in tree.items() if key not in SETTINGS)
    return not tree


def read_noun(name: str, tree: Tree, features: Features, places: Iterable[str]) -> Noun:
    """Parse a term. Raises `WordsError` for an unknown gender, number, sort of place or feature."""
    if isinstance(tree, str):
        return Noun(name, read_forms(features, tree, name), proper=True)
    if not isinstance(tree, dict):
        raise WordsError("words.bad_shape", where=name)
    settings = {key: tree[key] for key in SETTINGS if key in tree}
    rest = {key: value for key, value in tree.items() if key not in settings}
    forms = read_forms(features, rest, name, SETTINGS)
    gender, only, place = (as_text(settings.get(key, ""), name) for key in ("gender", "only", "place"))
    for dimension, word in (("gender", gender), ("number", only), ("place", place)):
        allowed = tuple(places) if dimension == "place" else features.dimensions.get(dimension, ())
        if word and word not in allowed:
            raise unknown_feature(Features({dimension: allowed}), word, name)
    proper, person, bodily, shared = (
        is_yes(settings.get(key, ""), name) for key in ("proper", "person", "bodily", "shared")
    )
    sound = as_text(settings.get("sound", ""), name) or None
    return Noun(name, forms, gender or None, only or None, proper, sound, person, place or None, bodily, shared)


def as_text(tree: Tree, where: str) -> str:
    """Return `tree` if it is a string; raise `WordsError` otherwise."""
    if not isinstance(tree, str):
        raise WordsError("words.bad_shape", where=where)
    return tree


def as_words(tree: Tree, where: str) -> tuple[str, ...]:
    """Return the words of a list or of a string; raise `WordsError` otherwise."""
    return tuple(tree.split()) if isinstance(tree, str) else as_list(tree, where)


def as_list(tree: Tree, where: str) -> tuple[str, ...]:
    """Return the strings of a list with their spaces, empty if there is none; raise `WordsError` otherwise."""
    if tree != "" and not isinstance(tree, list):
        raise WordsError("words.bad_shape", where=where)
    return tuple(as_text(item, where) for item in tree)


def as_mapping(tree: Tree, where: str) -> dict[str, Tree]:
    """Return `tree` if it is a mapping, an empty one for an empty entry; raise `WordsError` otherwise."""
    if tree != "" and not isinstance(tree, dict):
        raise WordsError("words.bad_shape", where=where)
    return tree if isinstance(tree, dict) else {}


def is_yes(tree: Tree, where: str) -> bool:
    """Return whether `tree` is *yes* or *true*; an empty entry means no. Raises `WordsError` for other text."""
    text = as_text(tree, where).lower()
    if text not in {"", "yes", "no", "true", "false"}:
        raise WordsError("words.bad_shape", where=where)
    return text in {"yes", "true"}
