"""Forms of words, chosen by features.

A table maps combinations of features (`pl.dat`, or nested keys) to a form.  Among the forms that fit what a sentence
asks for, the most specific wins; where two forms are specific in different ways, the dimension that the language
lists first decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from wongar_dsl.words.arguments import Listing, Text, Value
from wongar_dsl.words.errors import WordsError

#: What a words file is made of: strings, lists and mappings; there are no numbers and no booleans in it.
Tree: TypeAlias = "str | list[Tree] | dict[str, Tree]"


@dataclass(frozen=True, slots=True)
class Features:
    """The dimensions of a language, the first the weightiest, each with its values, the first the default.

    `patterns` are tables of endings, which words with regular forms refer to instead of giving each form.
    """

    dimensions: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, Tree] = field(default_factory=dict)

    def dimension(self, feature: str) -> str | None:
        """The dimension that `feature` belongs to, or None for a word that is no feature."""
        return next((name for name, values in self.dimensions.items() if feature in values), None)

    def default(self, dimension: str) -> str | None:
        """The value of `dimension` that holds where nothing else is said; None if the language lacks it."""
        values = self.dimensions.get(dimension, ())
        return values[0] if values else None

    def completed(self, features: Iterable[str]) -> frozenset[str]:
        """The features, and the default of each dimension that none of them belongs to."""
        given = {dimension: self.default(dimension) or "" for dimension in self.dimensions}
        given |= {self.dimension(feature) or feature: feature for feature in features}
        return frozenset(given.values())

    def rank(self, key: frozenset[str]) -> tuple[int, ...]:
        """How a form with this key compares to others: the greater the more specific."""
        # Within one dimension the earlier value wins; that only matters for sounds, where several can hold at once.
        return tuple(
            max((len(values) - at for at, value in enumerate(values) if value in key), default=0)
            for values in self.dimensions.values()
        )


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of one word, the most specific first."""

    entries: tuple[tuple[frozenset[str], str], ...]

    def pick(self, features: frozenset[str]) -> str | None:
        """The most specific form that asks for nothing beyond `features`; None if none fits."""
        for key, form in self.entries:
            if key <= features:
                return form
        return None

    def states(self, key: frozenset[str]) -> bool:
        """Whether the word gives exactly this form itself."""
        return any(key == own for own, _ in self.entries)


def unknown_feature(features: Features, word: str, where: str, settings: Iterable[str] = ()) -> WordsError:
    """What is wrong with a word that is no feature; `settings` are other words that could stand there."""
    known = dict.fromkeys([*(value for values in features.dimensions.values() for value in values), *settings])
    shown = Listing(tuple(Text(value) for value in known))
    return WordsError("words.unknown_feature", {"where": Text(where), "word": Text(word), "known": shown})


def read_forms(tree: Tree, features: Features, where: str, settings: Iterable[str] = ()) -> Forms:
    """The table that `tree` writes down: one string, or keys with features joined by dots, possibly nested.

    With `like`, it is a pattern of the language, `stem` put where that has `~`; forms beside it take precedence.
    `settings` are the words that could stand beside the forms.
    Raises `WordsError` for a feature or pattern that the language does not have and for a form given twice.
    """
    if isinstance(tree, dict) and "like" in tree:
        like, stem = tree["like"], tree.get("stem", "")
        if not isinstance(like, str) or not isinstance(stem, str) or like not in features.patterns:
            known = Listing(tuple(Text(name) for name in features.patterns)) if features.patterns else Text("–")
            details: dict[str, Value] = {"where": Text(where), "word": Text(str(like)), "known": known}
            raise WordsError("words.unknown_pattern", details)
        pattern = read_forms(features.patterns[like], Features(features.dimensions), where)
        rest = {key: branch for key, branch in tree.items() if key not in {"like", "stem"}}
        own = read_forms(rest, features, where, settings)
        regular = ((key, form.replace("~", stem)) for key, form in pattern.entries if not own.states(key))
        return _sorted({**dict(regular), **dict(own.entries)}, features)
    found: dict[frozenset[str], str] = {}
    for path, form in _leaves(tree, (), where):
        key = frozenset(feature for part in path for feature in part.split(".") if feature)
        for feature in key:
            if features.dimension(feature) is None:
                raise unknown_feature(features, feature, where, ("like", "stem", *settings))
        if key in found:
            raise WordsError("words.form_twice", {"where": Text(where), "word": Text(".".join(sorted(key)))})
        found[key] = form
    return _sorted(found, features)


def _sorted(found: Mapping[frozenset[str], str], features: Features) -> Forms:
    return Forms(tuple(sorted(found.items(), key=lambda entry: features.rank(entry[0]), reverse=True)))


def _leaves(tree: Tree, path: tuple[str, ...], where: str) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(tree, str):
        yield path, tree
    elif isinstance(tree, dict):
        for key, branch in tree.items():
            yield from _leaves(branch, (*path, key), where)
    else:
        raise WordsError("words.bad_shape", {"where": Text(where)})
