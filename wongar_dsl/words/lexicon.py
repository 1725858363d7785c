"""The words of one language: terms with their forms, and what stands before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, get_args

from wongar_dsl.words.arguments import Text
from wongar_dsl.words.clause import Grammar, Verb
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.inflection import Features, Forms, Tree, read_forms, unknown_feature

#: What a term can have besides its forms.
SETTINGS = ("bodily", "gender", "only", "person", "place", "proper", "shared", "sound")

#: What pronouns may depend on in any language: whether it is a person, or who reads the sentence, and whether it is who
#: does something.
THING, PERSON, YOU, OBJECT, SUBJECT = "thing", "person", "you", "object", "subject"
#: Whether a clause says which one is meant, or tells something more of one that is known.
CHOOSING, ADDING = "choosing", "adding"
SPOKEN_OF: Mapping[str, tuple[str, ...]] = {
    "animacy": (THING, PERSON, YOU),
    "function": (OBJECT, SUBJECT),
    "purpose": (CHOOSING, ADDING),
}

#: How a numeral stands: before what it counts, or `lone` where that was just named; and in digits, or `worded` where
#: other digits stand beside it.
LONE, WORDED = "lone", "worded"
STANDING: Mapping[str, tuple[str, ...]] = {"standing": (LONE,), "writing": (WORDED,)}


@lru_cache(maxsize=1024)
def scopes(game: str | None) -> tuple[str, ...]:
    """Where the words of a game are looked up: a variant's (`chess/blitz`) among its own first, then its base's.

    In `chess/blitz/atomic` the last one builds on the other, or is combined with it and has words as `chess/atomic`.
    """
    if not game:
        return ()
    name, *parts = game.split("/")
    runs = (parts[start:end] for end in range(len(parts), 0, -1) for start in range(end))
    return (*("/".join((name, *run)) for run in runs), name)


@lru_cache(maxsize=8192)
def names_of(message: str, game: str | None) -> tuple[str, ...]:
    """Under which names a message is looked up, the first the weightiest: the game's own, then that of all games."""
    return (*(f"{scope}.{message}" for scope in scopes(game)), message)


#: Where something lies, where it goes to, and where it comes from.
Place = Literal["where", "whither", "whence"]
PLACES: tuple[Place, ...] = get_args(Place)


@dataclass(frozen=True, slots=True)
class Noun:
    """A term.  `only` names its single number; a `proper` noun takes no article; `sound` overrules its letters.

    A `person` is spoken of with other pronouns than a thing, in languages that tell them apart.  `place` names the
    prepositions that go with it as a place, among those of the lexicon (*in the supply*, *on the pile*).  Of a `bodily`
    one it goes without saying whose it is: *auf die Hand*.  A `shared` one is a single thing, of which each player has
    a part: *into the bag*, *out of the bag* of all of them.
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
    """An article or the like.  `sets` is the feature that it asks of what follows (German strong and weak endings).

    `alone` are its forms where nothing stands between it and its noun (*det öppna kortet*, but *kortet*).
    `agrees` is the feature in which the verb agrees with it rather than with the noun (*un numero di carte va*).
    """

    forms: Forms
    sets: str | None = None
    alone: Forms | None = None
    agrees: str | None = None


@dataclass(frozen=True, slots=True)
class Preposition:
    """A preposition with the cases that it can govern; more than one, and the slot must say which."""

    forms: Forms
    cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective, which stands before its noun or `after` it."""

    forms: Forms
    after: bool = False


@dataclass(frozen=True, slots=True)
class Sound:
    """A class of beginnings of words, such as vowels; `unless` are beginnings that look the same and are not."""

    starts: tuple[str, ...]
    unless: tuple[str, ...] = ()

    def begins(self, word: str) -> bool:
        """Whether the lower-case `word` begins with this sound."""
        return word.startswith(self.starts) and not (self.unless and word.startswith(self.unless))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language's words.  Terms are built when first asked for; `nouns` builds all."""

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
    #: How one says how often: `2: twice`, and `other: ~ times`.
    times: Mapping[str, str]
    possessives: Mapping[str, tuple[tuple[str, str], ...]]
    belonging: Mapping[str, tuple[str, ...]]
    #: Whether an owner goes before what belongs to him, in the place of its article.
    owners_before: bool
    clauses: Grammar
    pronouns: Forms
    #: The number that pronouns for somebody have, where it is not their own: *they have* for the player.
    spoken_of: Forms
    relatives: Forms
    relatives_after: Forms
    possession: Forms
    #: How a verb stands with who reads the sentence, by its form for one: whole words, endings with a `~` in front, and
    #: under `otherwise` the number whose form it has else.
    addressing: Mapping[str, str]
    possession_other: Forms
    possession_before: Forms
    #: Sorts of places: for each the words of a slot that it puts in the place of `where`, `whither`, `whence`.
    places: Mapping[str, Mapping[Place, tuple[str, ...]]]
    #: What stands for a place that was just named, where something is asked to be `where`.
    there: str
    unnamed: str
    capitalise: bool
    capitals: Mapping[str, str]
    right_to_left: bool
    transliteration: Mapping[str, str]
    required: Mapping[str, tuple[frozenset[str], ...]]
    #: How sentences are written: marks of quotations, marks with a space before them, sequences that none has, words
    #: that may follow a number.
    quotation: tuple[str, ...]
    apart: frozenset[str]
    avoid: tuple[str, ...]
    after_numbers: frozenset[str]
    #: The word for a thing, and the other words that no sentence in the same folder uses for it.
    glossary: Mapping[str, tuple[str, ...]]
    terms: Mapping[str, Tree]
    games: Mapping[str, Mapping[str, Tree]]
    _built: dict[tuple[str, str | None], Noun] = field(default_factory=dict, compare=False, repr=False)
    #: What the words of slots ask for, once they were looked up (see `slots`).
    requests: dict[tuple[str, ...], Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def noun(self, name: str, game: str | None = None) -> Noun | None:
        """The term `name` of `game`, or the common one, or None.  Raises `WordsError` if it is broken."""
        own = ((scope, self.games.get(scope, {})) for scope in scopes(game))
        for scope, words in (*own, (None, self.terms)):
            if name in words and not is_blank(words[name]):
                if (name, scope) not in self._built:
                    self._built[name, scope] = read_noun(name, words[name], self.features)
                return self._built[name, scope]
        return None

    def has(self, name: str, game: str | None = None) -> bool:
        """Whether there is a term `name`, of `game` or a common one."""
        places = (self.terms, *(self.games.get(scope, {}) for scope in scopes(game)))
        return any(name in words and not is_blank(words[name]) for words in places)

    def nouns(self) -> Iterator[tuple[str | None, str]]:
        """Every term as (game or None, name)."""
        yield from ((None, name) for name in self.terms)
        yield from ((game, name) for game, words in self.games.items() for name in words)

    def readable(self) -> Iterator[Noun]:
        """Every term but the broken ones, which the check of the words tells."""
        for game, name in self.nouns():
            try:
                noun = self.noun(name, game)
            except WordsError:
                continue
            if noun is not None:
                yield noun

    @property
    def addresses(self) -> bool:
        """Whether the language says how it speaks to whoever reads a sentence."""
        return bool(self.addressing)

    def spoken_to(self, verb: Verb) -> str:
        """The form of a verb for whoever reads the sentence."""
        before, gap, word = verb.singular.rpartition(" ")
        endings = (end for end in self.addressing if end.startswith("~") and word.endswith(end[1:]))
        end = max(endings, key=len, default=None)
        if word in self.addressing:
            return before + gap + self.addressing[word]
        if end is not None:
            return before + gap + word[: len(word) - len(end) + 1] + self.addressing[end][1:]
        return verb.form(self.addressing.get("otherwise") == self.numbers.get("other"))

    def heard(self, word: str) -> frozenset[str]:
        """The sounds that `word` begins with."""
        lower = word.lower().lstrip("„“”«»‹›\"'([")
        return frozenset(name for name, sound in self.sounds.items() if sound.begins(lower))

    def unstated(self, noun: Noun) -> list[str]:
        """The forms that this language wants every term to give itself, and that `noun` does not give."""
        if noun.proper:
            return []
        # A set of wishes, in order: those for all terms and those for the gender may overlap.
        wanted = dict.fromkeys((*self.required.get("", ()), *self.required.get(noun.gender or "", ())))
        other_numbers = set(self.features.dimensions.get("number", ())) - {noun.only}
        return [
            self.written(key)
            for key in wanted
            # A word without plural need not give its forms.
            if not noun.forms.states(key) and not (noun.only and key & other_numbers)
        ]

    def lacks_gender(self, noun: Noun) -> bool:
        """Whether a term does not say its gender in a language where words have one."""
        genders = frozenset(self.features.dimensions.get("gender", ()))
        # A word that has a form for each gender takes that of another one; a name has none.
        if noun.gender or noun.proper or any(key & genders for key, _ in noun.forms.entries):
            return False
        if noun.only is None:
            return bool(genders)
        # In the plural, say, all genders may have the same articles and endings.
        cases = self.features.dimensions.get("case", ("",))
        words = [word.forms for word in self.determiners.values()] + [word.forms for word in self.adjectives.values()]
        asked = [frozenset({noun.only, case}) for case in cases]
        return any(w.pick(plain | {g}) != w.pick(plain) for w in words for plain in asked for g in genders)

    def written(self, form: frozenset[str]) -> str:
        """The key of a form as a words file writes it: `pl.dat`."""
        return ".".join(one for values in self.features.dimensions.values() for one in values if one in form)


def is_blank(tree: Tree) -> bool:
    """Whether an entry is a skeleton that nobody has filled in: there is no word in it."""
    if isinstance(tree, dict):
        return all(is_blank(part) for key, part in tree.items() if key not in SETTINGS)
    return not tree


def read_noun(name: str, tree: Tree, features: Features) -> Noun:
    """The term that `tree` writes down.  Raises `WordsError` for an unknown gender, number or feature."""
    if isinstance(tree, str):
        return Noun(name, read_forms(tree, features, name), proper=True)
    if not isinstance(tree, dict):
        raise WordsError("words.bad_shape", {"where": Text(name)})
    settings = {key: tree[key] for key in SETTINGS if key in tree}
    rest = {key: value for key, value in tree.items() if key not in settings}
    forms = read_forms(rest, features, name, SETTINGS)
    gender, only = as_text(settings.get("gender", ""), name), as_text(settings.get("only", ""), name)
    for feature, dimension in ((gender, "gender"), (only, "number")):
        if feature and features.dimension(feature) != dimension:
            named = Features({dimension: features.dimensions.get(dimension, ())})
            raise unknown_feature(named, feature, name)
    return Noun(
        name,
        forms,
        gender or None,
        only or None,
        is_yes(settings.get("proper", ""), name),
        as_text(settings.get("sound", ""), name) or None,
        is_yes(settings.get("person", ""), name),
        as_text(settings.get("place", ""), name) or None,
        is_yes(settings.get("bodily", ""), name),
        is_yes(settings.get("shared", ""), name),
    )


def as_text(tree: Tree, where: str) -> str:
    """`tree` if it is a string; otherwise `WordsError`."""
    if not isinstance(tree, str):
        raise WordsError("words.bad_shape", {"where": Text(where)})
    return tree


def as_words(tree: Tree, where: str) -> tuple[str, ...]:
    """The words of a list, or of a string; otherwise `WordsError`."""
    if isinstance(tree, list):
        return tuple(as_text(item, where) for item in tree)
    return tuple(as_text(tree, where).split())


def as_list(tree: Tree, where: str) -> tuple[str, ...]:
    """The strings of a list, each with its spaces; none for nothing; otherwise `WordsError`."""
    if tree == "":
        return ()
    if not isinstance(tree, list):
        raise WordsError("words.bad_shape", {"where": Text(where)})
    return tuple(as_text(item, where) for item in tree)


def as_mapping(tree: Tree, where: str) -> dict[str, Tree]:
    """`tree` if it is a mapping, an empty one for nothing; otherwise `WordsError`."""
    if tree == "":
        return {}
    if not isinstance(tree, dict):
        raise WordsError("words.bad_shape", {"where": Text(where)})
    return tree


def is_yes(tree: Tree, where: str) -> bool:
    """Whether `tree` says yes; nothing at all means no."""
    text = as_text(tree, where).lower()
    if text not in {"", "yes", "no", "true", "false"}:
        raise WordsError("words.bad_shape", {"where": Text(where)})
    return text in {"yes", "true"}
