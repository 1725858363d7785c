"""Word forms, selected by features.

A table maps combinations of features (`pl.dat`, or nested keys) to forms. The most specific form that fits a request
wins; between two that are specific in different dimensions, the dimension that the language lists first decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from wongar_dsl.nlg.words.arguments import Listing, Text
from wongar_dsl.nlg.words.errors import WordsError

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
    return WordsError("words.unknown_feature", {"where": Text(where), "word": Text(word), "known": shown})


def read_forms(tree: Tree, features: Features, where: str, settings: Iterable[str] = ()) -> Forms:
    """Parse a form table: one string, or keys with dotted features, possibly nested.

    With `like`, the table is a pattern of the language with `stem` in place of `~`; explicit forms take precedence.
    `settings` are the other words that may stand beside the forms. Raises `WordsError` for an unknown feature or
    pattern and for a duplicate form.
    """
    if isinstance(tree, dict) and "like" in tree:
        like, stem = tree["like"], tree.get("stem", "")
        if not isinstance(like, str) or not isinstance(stem, str) or like not in features.patterns:
            names = Listing(tuple(Text(name) for name in features.patterns)) if features.patterns else Text("–")
            raise WordsError("words.unknown_pattern", {"where": Text(where), "word": Text(str(like)), "known": names})
        pattern = read_forms(features.patterns[like], Features(features.dimensions, _ranks=features._ranks), where)
        rest = {key: branch for key, branch in tree.items() if key not in {"like", "stem"}}
        explicit = read_forms(rest, features, where, settings)
        regular = ((key, form.replace("~", stem)) for key, form in pattern.entries if not explicit.states(key))
        return _sorted({**dict(regular), **dict(explicit.entries)}, features)
    forms: dict[frozenset[str], str] = {}
    for path, form in _leaves(tree, (), where):
        key = frozenset(feature for part in path for feature in part.split(".") if feature)
        for feature in key:
            if features.dimension(feature) is None:
                raise unknown_feature(features, feature, where, ("like", "stem", *settings))
        if key in forms:
            raise WordsError("words.form_twice", {"where": Text(where), "word": Text(".".join(sorted(key)))})
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
        raise WordsError("words.bad_shape", {"where": Text(where)})
