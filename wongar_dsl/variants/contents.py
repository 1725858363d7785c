"""What of merged rules a variant can change, as it is written there: options, tables, decks, tracks, choices."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl import syntax as s
from wongar_dsl.variants.merge import MergedRules
from wongar_dsl.variants.parts import Deciding, named_choices, written


@dataclass(frozen=True, slots=True)
class OptionContents:
    """An option: its present value, and the least and the greatest where it is a number in a range."""

    name: str
    value: str
    range: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class TableContents:
    """A table: the names of its columns, none where each row has one value, and its rows, each with its name first."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class DeckContents:
    """A deck: what sort of cards it has, and how many of each."""

    name: str
    cards: str
    copies: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class TrackContents:
    """A track: its stretches in their order, and how many spaces each has."""

    name: str
    stretches: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ChoiceContents:
    """A choice by the name of its decision, and its options."""

    name: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """What of rules a variant can change a part of without writing it again."""

    options: tuple[OptionContents, ...]
    tables: tuple[TableContents, ...]
    decks: tuple[DeckContents, ...]
    tracks: tuple[TrackContents, ...]
    choices: tuple[ChoiceContents, ...]


def contents(merged: MergedRules) -> Contents:
    """What of these rules a variant can change."""
    articles = merged.articles
    return Contents(
        tuple(_option(a) for a in articles if isinstance(a, s.Option)),
        tuple(_table(a) for a in articles if isinstance(a, s.Table)),
        tuple(_deck(a) for a in articles if isinstance(a, s.Deck)),
        tuple(_track(a) for a in articles if isinstance(a, s.Track)),
        tuple(dict.fromkeys(_choice(name, choice) for a in articles for name, choice in named_choices(a))),
    )


def changes(merged: MergedRules) -> tuple[str, ...]:
    """The articles that the variants of a game add, replace, remove or change a part of, as `rule turn`."""
    game = merged.names[0]
    keys = [s.key_of(a) for a in merged.articles]
    there = (key for key in keys if merged.origin.get(key, game) != game or key in merged.changed)
    gone = (key for key in merged.replaced if key not in keys)
    return tuple(" ".join(filter(None, key)) for key in (*there, *gone))


def _option(article: s.Option) -> OptionContents:
    ends = (article.low, article.high) if article.low is not None and article.high is not None else None
    return OptionContents(article.name.text, written(article.value), ends)


def _table(article: s.Table) -> TableContents:
    rows = tuple((written(row.key), *map(written, row.cells)) for row in article.rows)
    return TableContents(article.name.text, tuple(map(written, article.columns)), rows)


def _deck(article: s.Deck) -> DeckContents:
    copies = tuple((c.count, written(c.face)) for c in article.copies)
    return DeckContents(article.name.text, article.cards.text, copies)


def _track(article: s.Track) -> TrackContents:
    return TrackContents(article.name.text, tuple((one.spaces, one.phase.text) for one in article.stretches))


def _choice(name: str, choice: Deciding) -> ChoiceContents:
    return ChoiceContents(name, tuple(option.name.text for option in choice.choices))
