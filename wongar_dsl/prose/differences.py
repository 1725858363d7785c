"""What a variant changes, in words: two rulebooks side by side, under the headings of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from wongar_dsl.prose.book import Block, Item, Items, Prose, Section, Table
from wongar_dsl.prose.document import Unit, text_of
from wongar_dsl.prose.reading import EMPTY, Reading
from wongar_dsl.words import Instead, Nominal, Said, Text, Value

#: What happened to a line: it is new, it is gone, or it says something else than before.
Sort = Literal["new", "gone", "changed"]


@dataclass(frozen=True, slots=True)
class Change:
    """One line that differs, so deep under leads."""

    sort: Sort
    text: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """What differs under one heading; with `whole` all under it is new, or gone."""

    key: str
    heading: str
    changes: tuple[Change, ...]
    whole: Literal["new", "gone"] | None = None


def differences(old: Reading, new: Reading) -> Iterator[Part]:
    """What differs between two readings in one language, in the order of the later one."""
    before = {section.key: section for _, section in old.book.walk()}
    after = {section.key: section for _, section in new.book.walk()}
    for key, section in after.items():
        if key not in before:
            lines = tuple(Change("new", text, depth) for depth, text in _lines(new, section))
            yield Part(key, new.heading(section.heading), lines, "new")
            continue
        changes = tuple(_changes(old, before[key], new, section))
        if changes:
            yield Part(key, new.heading(section.heading), changes)
    for key, section in before.items():
        if key not in after:
            lines = tuple(Change("gone", text, depth) for depth, text in _lines(old, section))
            yield Part(key, old.heading(section.heading), lines, "gone")


def _changes(old: Reading, one: Section, new: Reading, other: Section) -> Iterator[Change]:
    before = {block.key: block for block in one.blocks}
    after = {block.key: block for block in other.blocks}
    for key, block in after.items():
        match before.get(key), block:
            case Prose() as first, Prose() as second:
                yield from _sentences(old, first, new, second)
            case Table() as first, Table() as second:
                yield from _cells(old, first, new, second)
            case Items() as first, Items() as second:
                yield from _counts(old, first, new, second)
            case None, _:
                yield from (Change("new", text, depth) for depth, text in _block(new, block))
    for key, block in before.items():
        if key not in after:
            yield from (Change("gone", text, depth) for depth, text in _block(old, block))


# ---- sentences -----------------------------------------------------------------------------------------------------


def _sentences(old: Reading, one: Prose, new: Reading, other: Prose) -> Iterator[Change]:
    """Lines of the same article, those that say the same laid beside each other."""
    before, after = _units(old, one), _units(new, other)
    matcher = SequenceMatcher(None, [_alike(u) for u in before], [_alike(u) for u in after], autojunk=False)
    for how, i, j, k, m in matcher.get_opcodes():
        if how == "equal":
            continue
        pairs = list(zip(before[i:j], after[k:m], strict=False)) if how == "replace" else []
        for first, second in pairs:
            yield from _pair(new, first, second)
        yield from (Change("gone", u.text, u.depth) for u in before[i + len(pairs) : j])
        yield from (Change("new", u.text, u.depth) for u in after[k + len(pairs) : m])


def _units(reading: Reading, prose: Prose) -> list[Unit]:
    return list(text_of(prose.plans, reading.words, reading.book.scope))


def _alike(unit: Unit) -> tuple[str, int]:
    """What two lines have in common that say the same; which mark ends a line does not matter."""
    return unit.text.rstrip(".;:"), unit.depth


def _pair(new: Reading, first: Unit, second: Unit) -> Iterator[Change]:
    """A line that says something else: the number that it was, where only that differs."""
    merged = instead(first.said, second.said) if first.frame == second.frame else None
    if isinstance(merged, Said):
        yield Change("changed", new.say(second.frame, said=merged), second.depth)
        return
    yield Change("gone", first.text, first.depth)
    yield Change("new", second.text, second.depth)


def instead(old: object, new: object) -> object | None:
    """The later of two values with each number that differs as one that stands instead of another.

    None where anything else differs.
    """
    match old, new:
        case bool(), bool():
            return new if old == new else None
        case int(), int():
            return new if old == new else Instead(new, old)
        case Nominal(), Nominal() if old.words != new.words:
            one, other = _counted(old), _counted(new)
            return instead(one, other) if one is not None and other is not None else None
        case tuple(), tuple():
            items = [instead(a, b) for a, b in zip(old, new, strict=False)] if len(old) == len(new) else [None]
            return None if any(a is None for a in items) else tuple(items)
        case dict(), dict():
            if old.keys() != new.keys():
                return None
            values = {name: instead(old[name], new[name]) for name in new}
            return None if any(v is None for v in values.values()) else values
    if type(old) is not type(new) or not is_dataclass(new) or isinstance(new, type):
        return new if old == new else None
    changed = {}
    for part in fields(new):
        one, other = getattr(old, part.name), getattr(new, part.name)
        if one is None and other is None:
            continue
        if part.name == "entity":
            continue  # Who is meant is told by the words for them.
        found = instead(one, other)
        if found is None:
            return None
        changed[part.name] = found
    return replace(new, **changed)


def _counted(thing: Nominal) -> Nominal | None:
    """A thing of which there is one, or so many, with its number: *a token* and *2 tokens* differ in that alone."""
    if thing.words == ("indef",) and thing.head.count is None:
        return replace(thing, words=(), head=replace(thing.head, count=1))
    return thing if thing.head.count is not None and thing.words == () else None


# ---- tables and lists ----------------------------------------------------------------------------------------------


def _cells(old: Reading, one: Table, new: Reading, other: Table) -> Iterator[Change]:
    before = {row.key: row for row in one.rows}
    columns = [new.text(column) for column in other.columns]
    title = [new.text(other.title)] if other.title is not None else []
    same = [old.text(column) for column in one.columns] == columns
    for row in other.rows:
        name = new.text(row.heading)
        cells = [_cell(new, cell) for cell in row.cells]
        if row.key not in before or not same:
            row_name = Text(_chain(new, [*title, name]))
            yield Change("new", new.say("diff.row", row=row_name, cells=Text(_chain(new, cells))))
            continue
        for at, (was, now) in enumerate(zip(before[row.key].cells, row.cells, strict=False)):
            if _cell(old, was) != _cell(new, now):
                cell = Text(_chain(new, [*title, name, *columns[at : at + 1]]))
                both = {"now": Text(_cell(new, now)), "was": Text(_cell(old, was))}
                yield Change("changed", new.say("diff.cell", cell=cell, **both))
    after = {row.key for row in other.rows}
    for row in one.rows:
        if row.key not in after:
            cells = [_cell(old, cell) for cell in row.cells]
            row_name = Text(_chain(old, [*title, old.text(row.heading)]))
            yield Change("gone", old.say("diff.row", row=row_name, cells=Text(_chain(old, cells))))


def _cell(reading: Reading, cell: Value | None) -> str:
    return EMPTY if cell is None else reading.text(cell)


def _chain(reading: Reading, cells: Sequence[str]) -> str:
    return reading.words.chain(cells)


def _counts(old: Reading, one: Items, new: Reading, other: Items) -> Iterator[Change]:
    before = {item.key: item for item in one.items}
    for item in other.items:
        was = before.get(item.key)
        line = f"{new.number(item)} {new.thing(item)}".strip()
        if was is None:
            yield Change("new", line)
        elif (was.counts, was.each) != (item.counts, item.each):
            line = f"{_number(new, item)} {new.thing(item)}".strip()
            yield Change("changed", new.say("diff.count", now=Text(line), was=Text(_number(old, was))))
    kept = {item.key for item in other.items}
    for item in one.items:
        if item.key not in kept:
            yield Change("gone", f"{old.number(item)} {old.thing(item)}".strip())


def _number(reading: Reading, item: Item) -> str:
    """How many there are, or for each number of players."""
    numbers = [reading.words.number(n) for n in dict.fromkeys(item.counts)] if item.each is None else []
    return _chain(reading, numbers) if numbers else reading.number(item) or EMPTY


# ---- whole sections ------------------------------------------------------------------------------------------------


def _lines(reading: Reading, section: Section) -> Iterator[tuple[int, str]]:
    for block in section.blocks:
        yield from _block(reading, block)


def _block(reading: Reading, block: Block) -> Iterator[tuple[int, str]]:
    match block:
        case Prose():
            yield from ((one.depth, one.text) for one in reading.sentences(block))
        case Items(items=items):
            yield from ((0, f"{reading.number(item)} {reading.thing(item)}".strip()) for item in items)
        case Table(rows=rows):
            for row in rows:
                cells = [_cell(reading, cell) for cell in row.cells]
                yield 0, reading.words.label(reading.text(row.heading)) + _chain(reading, cells)
