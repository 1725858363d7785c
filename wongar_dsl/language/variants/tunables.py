"""Inventory of the parts of merged rules that a variant can change: options, tables, decks, tracks, choices."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.language import ast as s
from wongar_dsl.language.variants.addressable_parts import Deciding, named_choices, part_text
from wongar_dsl.language.variants.merge import MergedRules


@dataclass(frozen=True, slots=True)
class OptionTunables:
    """An option: its current value, and its range if it is a number with one."""

    name: str
    value: str
    range: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class TableTunables:
    """A table: its column names, empty if each row has a single value, and its rows, each beginning with its name."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class DeckTunables:
    """A deck: its sort of cards, and the number of each."""

    name: str
    cards: str
    copies: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class TrackTunables:
    """A track: its phases in order, with the number of spaces of each."""

    name: str
    phases: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ChoiceTunables:
    """A choice: the name of its decision, and its options."""

    name: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tunables:
    """The articles that a variant can change in part, without replacing them."""

    options: tuple[OptionTunables, ...]
    tables: tuple[TableTunables, ...]
    decks: tuple[DeckTunables, ...]
    tracks: tuple[TrackTunables, ...]
    choices: tuple[ChoiceTunables, ...]


def tunables_of(merged: MergedRules) -> Tunables:
    """Collect the changeable parts of merged rules."""
    articles = merged.articles
    return Tunables(
        tuple(_option(a) for a in articles if isinstance(a, s.Setting)),
        tuple(_table(a) for a in articles if isinstance(a, s.LookupTable)),
        tuple(_deck(a) for a in articles if isinstance(a, s.Deck)),
        tuple(_track(a) for a in articles if isinstance(a, s.Track)),
        tuple(dict.fromkeys(_choice(name, choice) for a in articles for name, choice in named_choices(a))),
    )


def changes(merged: MergedRules) -> tuple[str, ...]:
    """Return the articles that the variants of a game add, replace, remove or change, as `rule turn`."""
    game = merged.names[0]
    keys = [s.key_of(a) for a in merged.articles]
    present = (key for key in keys if merged.origin.get(key, game) != game or key in merged.changed)
    removed = (key for key in merged.replaced if key not in keys)
    return tuple(" ".join(filter(None, key)) for key in (*present, *removed))


def _option(article: s.Setting) -> OptionTunables:
    limits = (article.low, article.high) if article.low is not None and article.high is not None else None
    return OptionTunables(article.name.text, part_text(article.value), limits)


def _table(article: s.LookupTable) -> TableTunables:
    rows = tuple((part_text(row.key), *map(part_text, row.cells)) for row in article.rows)
    return TableTunables(article.name.text, tuple(map(part_text, article.columns)), rows)


def _deck(article: s.Deck) -> DeckTunables:
    copies = tuple((c.count, part_text(c.face)) for c in article.copies)
    return DeckTunables(article.name.text, article.cards.text, copies)


def _track(article: s.Track) -> TrackTunables:
    return TrackTunables(article.name.text, tuple((phase.spaces, phase.name.text) for phase in article.phases))


def _choice(name: str, choice: Deciding) -> ChoiceTunables:
    return ChoiceTunables(name, tuple(option.name.text for option in choice.options))
