"""Parts of merged rules that a variant can change, and a sample change for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar, get_args

from wongar_dsl.language import ast as s
from wongar_dsl.language.variants.merge import MergedRules

A = TypeVar("A", bound=s.Declaration)
T = TypeVar("T")

# ---- changeable parts ------------------------------------------------------------------------------------------------


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

    def each(sort: type[A], new: Callable[[A], T]) -> tuple[T, ...]:
        return tuple(new(article) for article in merged.articles if isinstance(article, sort))

    def option(a: s.Setting) -> OptionTunables:
        limits = (a.low, a.high) if a.low is not None and a.high is not None else None
        return OptionTunables(a.name.text, a.value.part_text, limits)

    def table(a: s.LookupTable) -> TableTunables:
        rows = tuple(tuple(e.part_text for e in (row.key, *row.cells)) for row in a.rows)
        return TableTunables(a.name.text, tuple(a.column_names), rows)

    choices = (choice for article in merged.articles for choice in article.named_choices)
    return Tunables(
        each(s.Setting, option),
        each(s.LookupTable, table),
        each(
            s.Deck, lambda a: DeckTunables(a.name.text, a.cards.text, tuple((c.count, c.part_name) for c in a.copies))
        ),
        each(s.Track, lambda a: TrackTunables(a.name.text, tuple((p.spaces, p.part_name) for p in a.phases))),
        tuple(dict.fromkeys(ChoiceTunables(n, tuple(o.part_name for o in choice.options)) for n, choice in choices)),
    )


def changes(merged: MergedRules) -> tuple[str, ...]:
    """Return the articles that the variants of a game add, replace, remove or change, as `rule turn`."""
    game = merged.names[0]
    keys = [s.key_of(a) for a in merged.articles]
    present = (key for key in keys if merged.origin.get(key, game) != game or key in merged.changed)
    removed = (key for key in merged.replaced if key not in keys)
    return tuple(" ".join(filter(None, key)) for key in (*present, *removed))


# ---- sample changes --------------------------------------------------------------------------------------------------


#: Subject of a sample change.
Topic = Literal["option", "truth", "players", "table", "row", "deck", "track", "choice", "allow", "step", "begins"]
Facts = Mapping[str, str | int | tuple[str, ...]]
#: Placeholder for the body of a new step.
_EMPTY_BODY = "    nothing"
#: Each truth value, and its negation.
_NEGATED = {"yes": "no", "no": "yes"}


@dataclass(frozen=True, slots=True)
class Example:
    """A sample change; `facts` are values for a text that explains it."""

    topic: Topic
    text: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Steps:
    """The named steps of a rule, with the rule as a variant names it: `rule scoring`, `setup`."""

    rule: str
    names: tuple[str, ...]


def examples(merged: MergedRules, players: tuple[int, int]) -> tuple[Example, ...]:
    """Return sample changes of options, tables, decks, tracks, choices, the number of players, and steps.

    They are not checked, and some may be invalid. `players` is the range of the number of players.
    """
    tunables = tunables_of(merged)
    return (
        *(example for option in tunables.options for example in _option(option)),
        *_players(players),
        *(example for table in tunables.tables for example in _table(table)),
        *(_deck(deck.name, *copies, deck.copies) for deck in tunables.decks for copies in deck.copies[:1]),
        *(_track(track.name, *phase, track.phases) for track in tunables.tracks for phase in track.phases[:1]),
        *_choices(merged, tunables),
        *_steps(steps(merged)),
    )


def first_changes(merged: MergedRules, offered: tuple[Example, ...], name: str) -> Iterator[Example]:
    """Yield candidates for the first change of a new variant, the simplest first; the last is valid in every game."""
    for topic in ("option", "table", "deck", "truth"):
        yield from (example for example in offered if example.topic == topic)
    message = f"{name}_begins"
    yield Example("begins", f"before play\n    tell {message}", {"name": message})


def steps(merged: MergedRules) -> tuple[Steps, ...]:
    """Return the rules with named steps, each with their names."""
    results = []
    for article in merged.articles:
        if isinstance(article, s.Procedure) and article.keyword in get_args(s.ProcedureSort):
            names = dict.fromkeys(step.label for step in article.steps if step.label)
            if names:
                results.append(Steps(" ".join(filter(None, s.key_of(article))), tuple(names)))
    return tuple(results)


def _option(option: OptionTunables) -> Iterator[Example]:
    """Yield a change to the other truth value, or to the next number; nothing for a computed value."""
    facts: Facts = {"name": option.name, "value": option.value}
    if option.value in _NEGATED:
        new = _NEGATED[option.value]
        yield Example("truth", f"set {option.name} to {new}", {**facts, "new": new})
    elif option.range is not None and option.value.isdigit():
        low, high = option.range
        value = int(option.value)
        new = str(value + 1 if value < high else max(value - 1, low))
        yield Example("option", f"set {option.name} to {new}", {**facts, "new": new, "low": low, "high": high})


def _players(players: tuple[int, int]) -> Iterator[Example]:
    low, high = players
    if low < high:
        new = f"{low} to {high - 1}" if low < high - 1 else str(low)
        yield Example("players", f"set players to {new}", {"low": low, "high": high})


def _table(table: TableTunables) -> Iterator[Example]:
    """Yield a change of one cell, and of one row if there are several columns; skip cells that are expressions."""
    keys = tuple(row[0] for row in table.rows)
    facts: Facts = {"name": table.name, "rows": keys, "columns": table.columns}
    for key, *cells in table.rows:
        index = next((n for n, cell in enumerate(cells) if cell.isdigit()), None)
        if index is None:
            continue
        place = f"{table.name}[{', '.join((key, *table.columns[index : index + 1]))}]"
        new = str(int(cells[index]) + 1)
        change = {"cell": place, "value": cells[index], "new": new}
        yield Example("table", f"set {place} to {new}", {**facts, **change})
        break
    complete = next((row for row in reversed(table.rows) if "?" not in row), None)
    if table.columns and complete is not None:
        yield Example("row", f"set row {complete[0]} of {table.name} to {' '.join(complete[1:])}", facts)


def _deck(name: str, count: int, face: str, copies: tuple[tuple[int, str], ...]) -> Example:
    cards = tuple(f"{n} {card}" for n, card in copies)
    facts: Facts = {"name": name, "card": face, "cards": cards, "value": str(count), "new": str(count + 1)}
    return Example("deck", f"set {face} in {name} to {count + 1}", facts)


def _track(name: str, spaces: int, phase: str, phases: tuple[tuple[int, str], ...]) -> Example:
    facts: Facts = {"name": name, "spaces": tuple(f"{phase} {n}" for n, phase in phases)}
    return Example("track", f"set {phase} in {name} to {spaces + 1}", facts)


def _choices(merged: MergedRules, tunables: Tunables) -> Iterator[Example]:
    """Yield a further condition for the first option of a choice, and the removal of the last of several options."""
    conditions = [o.name if o.value in _NEGATED else f"{o.name} > 0" for o in tunables.options]
    conditions += [
        f"{a.name.text} > 0"
        for a in merged.articles
        if isinstance(a, s.Remember) and not a.each and a.type.name == "number"
    ]
    for choice in tunables.choices:
        facts: Facts = {"name": choice.name, "names": choice.options}
        if len(choice.options) > 1:
            yield Example("choice", f"remove {choice.options[-1]} from choice {choice.name}", facts)
        for condition in conditions[:1]:
            change = f"allow {choice.options[0]} in choice {choice.name} only if {condition}"
            yield Example("allow", change, {**facts, "option": choice.options[0]})


def _steps(rules: tuple[Steps, ...]) -> Iterator[Example]:
    """Yield an insertion after the first step of the first rule, and one before the last step of the last rule."""
    for side, index in (("after", 0), ("before", -1)):
        for rule in rules and (rules[index],):
            step = rule.names[index]
            yield Example("step", f"{side} {step} in {rule.rule}\n{_EMPTY_BODY}", {"step": step, "rule": rule.rule})
