"""Changes of a variant in words: a comparison of two rulebooks, under the headings of the rulebook, and its summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Literal

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.document.document_model import (
    Block,
    BookTable,
    BookTableRow,
    CountItem,
    CountList,
    PicturePlace,
    Prose,
    Section,
)
from wongar_dsl.nlg.prose.document.short_rules import SHORT, USUAL
from wongar_dsl.nlg.prose.micro.sentence_plan import PlanLine, SentenceUnit
from wongar_dsl.nlg.prose.render.realised_rulebook import EMPTY, RealisedRulebook
from wongar_dsl.nlg.prose.render.text_diff import (
    ComparedUnit,
    RuleComparison,
    UnitPair,
    is_made_of,
    number_replacements,
    pair_lines,
    replacement_value,
    tree,
)
from wongar_dsl.nlg.words import NounPhrase, Sentence, Text

#: Change of a line: new, deleted, changed, moved, or unchanged but shown as context.
Sort = Literal["new", "gone", "changed", "moved", "kept"]
#: Change of the rules behind a line: of its own nodes, of something that they refer to, or none.
RuleChange = Literal["changed", "follows", "same"]
#: The column of current values needs no name.
HERE = Sentence("rulebook.options.here")
#: The column of explanations of settings, which state no rules.
ABOUT = Sentence("rulebook.options.about")


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line of the comparison with its depth; `source` is the previous heading of a moved line.

    `alone` is its text without context, with pronouns replaced by nouns. `sentence`: it is a complete sentence without
    subordinate lines, and not only a name. `rule` says whether the rules behind it changed, or only what they refer to,
    or neither.
    """

    sort: Sort
    text: str
    depth: int = 0
    source: str = ""
    alone: str = ""
    sentence: bool = False
    rule: RuleChange = "changed"


@dataclass(frozen=True, slots=True)
class ChangedSection:
    """The differences under one heading; with `whole`, the section is entirely new or deleted."""

    key: str
    heading: str
    changes: tuple[ChangedLine, ...]
    whole: Literal["new", "gone"] | None = None


def differences(old: RealisedRulebook, new: RealisedRulebook, wordings: bool = False) -> Iterator[ChangedSection]:
    """Yield the differences between two rulebooks in one language, in the order of the new one.

    With `wordings`, a line about an unchanged rule differs if its text does.
    """
    old, new = _without_excerpts(old), _without_excerpts(new)
    if changes := tuple(_title_line_changes(old, new)):
        yield ChangedSection("players", new.title, changes)
    before = {section.key: section for _, section in old.book.walk()}
    after = {section.key: section for _, section in new.book.walk()}
    sentences = _SentencePairs(old, new, wordings)
    for key in dict.fromkeys((*after, *before)):
        earlier, later = before.get(key), after.get(key)
        named = old.heading(earlier.heading) if earlier is not None else ""
        heading = new.heading(later.heading) if later is not None else named
        changes = tuple(_changes(old, earlier, new, later, sentences))
        if earlier is None or later is None:
            # Without lines, the whole content was moved or has subheadings.
            whole: Literal["new", "gone"] = "new" if earlier is None else "gone"
            yield from (ChangedSection(key, heading, changes, whole),) if changes else ()
            continue
        if key == SHORT:
            # An outdated paragraph of the summary is replaced by the changes themselves.
            changes = tuple(change for change in changes if change.sort != "gone")
        if changes or named != heading:
            shown = heading if named == heading else new.say("diff.count", now=Text(heading), was=Text(named))
            yield ChangedSection(key, shown, changes)


def _title_line_changes(old: RealisedRulebook, new: RealisedRulebook) -> Iterator[ChangedLine]:
    """Yield the differences in players, age and length."""
    before, after = {"players": old.players, **old.facts}, {"players": new.players, **new.facts}
    for fact in dict.fromkeys((*after, *before)):
        was, now = before.get(fact), after.get(fact)
        if was is None or now is None:
            yield ChangedLine("gone", was) if was is not None else ChangedLine("new", now or "")
        elif was != now:
            yield ChangedLine("changed", new.say("diff.count", now=Text(now), was=Text(was)))


@lru_cache(maxsize=4)
def _without_excerpts(reading: RealisedRulebook) -> RealisedRulebook:
    """Return a rulebook whose summary has only the author's paragraphs, without the changed rules below them.

    Cached, since `_units` keeps the lines of the object that it is called with.
    """

    def written(section: Section) -> Section:
        blocks = [block for block in section.blocks if isinstance(block, Prose)]
        plans = [plan for block in blocks for plan in block.plans]
        lines = [_written(plan) for plan in plans if isinstance(plan, PlanLine) and plan.origin is blocks[0].article]
        return replace(section, blocks=(replace(blocks[0], key=SHORT, plans=tuple(lines)),))

    sections = tuple(written(section) if section.key == SHORT else section for section in reading.book.sections)
    return RealisedRulebook(replace(reading.book, sections=sections), reading.words, reading.title)


def _written(line: PlanLine) -> PlanLine:
    """Return a paragraph of the author without the mark of the usual rule."""
    text = line.sentence.values.get("text") if line.sentence.message == USUAL else None
    return replace(line, sentence=text) if isinstance(text, Sentence) else line


def _changes(
    old: RealisedRulebook, one: Section | None, new: RealisedRulebook, other: Section | None, sentences: _SentencePairs
) -> Iterator[ChangedLine]:
    # A picture has the key of the text that it stands with.
    before, after = (
        {block.key: block for block in section.blocks if not isinstance(block, PicturePlace)} if section else {}
        for section in (one, other)
    )
    for key, block in after.items():
        match before.get(key), block:
            case _, Prose():
                yield from sentences.of(key)
            case BookTable() as first, BookTable() as second:
                yield from _cells(old, first, new, second, sentences.wordings)
            case CountList() as first, CountList() as second:
                yield from _titled(old, first, new, second)
            case None, _:
                yield from _block(new, block, "new", sentences)
    for key, block in before.items():
        if key not in after:
            yield from _block(old, block, "gone", sentences)


# ---- sentences -----------------------------------------------------------------------------------------------------


class _SentencePairs:
    """The aligned sentences of two rulebooks."""

    def __init__(self, old: RealisedRulebook, new: RealisedRulebook, wordings: bool) -> None:
        self._new, self.wordings = new, wordings
        before, after = _units(old), _units(new)
        if not wordings:
            rules = RuleComparison(old.book, new.book), RuleComparison(new.book, old.book)
            before, after = _with_rules(before, after, rules[0]), _with_rules(after, before, rules[1])
        self._pairs = pair_lines(before, after)
        self._headings = {
            block.key: old.heading(section.heading) for _, section in old.book.walk() for block in section.blocks
        }

    def of(self, key: str) -> Iterator[ChangedLine]:
        """Yield the changes in a block, with unchanged leads above changed lines.

        After a new line that stores a value, *…* marks unchanged lines, since they can change what the value is of.
        """
        above: list[ChangedLine] = []
        omitted: list[ChangedLine] = []
        is_stored = False
        shown: dict[int, ChangedLine] = {}
        before: dict[str, ChangedLine] = {}
        for pair in self._pairs.get(key, ()):
            changes = list(self._lines(pair, key))
            depth = min(change.depth for change in changes)
            above = [lead for lead in above if lead.depth < depth]
            if changes[0].sort != "kept":
                leads = [lead for lead in above if lead.sort == "kept" and id(lead) not in shown]
                shown.update((id(line), line) for line in (*leads, *changes))
                if pair.new is not None and any(id(line) not in shown for line in omitted):
                    yield ChangedLine("kept", "…", (*leads, *changes)[0].depth)
                    omitted.clear()
                told = (pair.new.origin, *pair.new.others) if pair.new is not None and pair.old is None else ()
                is_stored = is_stored or any(isinstance(node, s.Let | s.Assign) for node in s.walk(told))
                yield from (replace(lead, text=lead.alone) for lead in leads)
                for change in changes:
                    # Pronouns are replaced where the line before is not shown.
                    follows = id(before.get("gone" if change.sort == "gone" else "new")) in shown
                    yield change if follows else replace(change, text=change.alone)
            elif is_stored:
                omitted.append(changes[0])
            before |= {sort: changes[-1] for sort, line in (("gone", pair.old), ("new", pair.new)) if line}
            above.append(changes[-1])

    def _lines(self, pair: UnitPair, key: str) -> Iterator[ChangedLine]:
        old, new = pair.old, pair.new
        if old is None or new is None:
            if old is not None:
                yield _change("gone", old)
            if new is not None:
                yield _change("new", new)
        elif pair.is_unchanged:
            yield _change("kept", new)
        else:
            source = self._headings.get(pair.source or "", "") if pair.source not in (None, key) else ""
            merged = number_replacements(old, new)
            if pair.is_same:
                yield _change("moved", new, source)
            elif merged is not None and is_made_of(
                (shown := self._with(new, merged)).wording, new.wording, old.wording, _between(self._new)
            ):
                # Words can agree with a number, as in *1 instead of 2 steps*; such lines are not merged.
                yield _change("changed", shown, source)
            else:
                yield _change("gone", old)
                yield _change("new", new)

    def _with(self, line: ComparedUnit, sentence: Sentence) -> ComparedUnit:
        """Return a line with another sentence."""
        text, alone = (self._new.say(line.frame, said=variant) for variant in (sentence, _named(sentence)))
        return replace(line, text=text, alone=alone, sentence=sentence)


@lru_cache(maxsize=4)
def _units(reading: RealisedRulebook) -> Mapping[str, list[ComparedUnit]]:
    """Return the lines of each block of sentences; cached because a game is compared with several variants."""
    blocks = (block for _, section in reading.book.walk() for block in section.blocks if isinstance(block, Prose))
    return {block.key: list(_below_leads(reading, reading.units(block))) for block in blocks}


def _with_rules(
    units: Mapping[str, list[ComparedUnit]], others: Mapping[str, list[ComparedUnit]], rules: RuleComparison
) -> dict[str, list[ComparedUnit]]:
    """Return the lines of each block, those that the other version lacks with the rules that they state."""

    def with_rule(unit: ComparedUnit, lines: frozenset[s.Node]) -> ComparedUnit:
        origins = (unit.origin, *unit.others)
        return replace(unit, rule=rules.rule(origins, lines), changed=rules.is_own(origins, lines))

    result = dict[str, list[ComparedUnit]]()
    for key, block in units.items():
        wordings = {unit.wording for unit in others.get(key, ())}
        lines = frozenset(node for unit in block for node in (unit.origin, *unit.others))
        result[key] = [unit if unit.wording in wordings else with_rule(unit, lines) for unit in block]
    return result


def _below_leads(reading: RealisedRulebook, units: Iterable[SentenceUnit]) -> Iterator[ComparedUnit]:
    """Yield the lines of a block, each with its distributive form if it is under a loop over players."""
    above: list[SentenceUnit] = []
    for unit in units:
        above = [lead for lead in above if lead.depth < unit.depth]
        line = _compared(reading, unit)
        loop = next((outer.origin for outer in (unit, *reversed(above)) if isinstance(outer.origin, s.ForEach)), None)
        above.append(unit)
        if loop is not None and line.sentence is not None and not line.frame.endswith("lead"):
            distributed = reading.say(line.frame, said=_of_each(line.sentence)).rstrip(".;:")
            line = replace(line, each=(tree(loop.domain), distributed))
        yield line


def _compared(reading: RealisedRulebook, unit: SentenceUnit) -> ComparedUnit:
    text = alone = unit.text
    if unit.sentence is not None and (named := _named(unit.sentence)) != unit.sentence:
        alone = reading.say(unit.frame, said=named)
    return ComparedUnit(text, unit.depth, unit.origin, unit.unsaid, unit.sentence, unit.frame, unit.others, alone)


def _change(sort: Sort, line: ComparedUnit, source: str = "") -> ChangedLine:
    sentence = not line.frame.endswith("lead") and not line.unsaid and not isinstance(line.origin, s.Let)
    rule: RuleChange = "changed" if line.changed else "follows" if line.rule is None else "same"
    return ChangedLine(sort, line.text, line.depth, source, line.alone, sentence, rule)


def _between(reading: RealisedRulebook) -> str:
    """Return the text between a number and the number that it replaces."""
    return reading.say("prose.instead", now=Text(""), was=Text(""))


def _named(sentence: Sentence) -> Sentence:
    """Return a sentence with its pronouns replaced by nouns."""
    things = {
        slot: replace(value, pronoun=False) if slot != "player" and isinstance(value, NounPhrase) else value
        for slot, value in sentence.values.items()
    }
    sentence = replace(sentence, values=things)
    for slot, value in sentence.values.items():
        match value:
            case NounPhrase(pronoun=True) if slot == "player":
                whole = replace(value, pronoun=False, words=("def",), modifiers=())
                return replace(sentence, values={**sentence.values, slot: whole})
            case Sentence() if _has_doer(value):
                return replace(sentence, values={**sentence.values, slot: _named(value)})
            case NounPhrase() if slot == "player":
                return sentence
    return sentence


def _of_each(sentence: Sentence) -> Sentence:
    """Return a sentence about every player as it reads for each of them."""
    sentence = _named(sentence)
    match sentence.values.get("player"):
        case NounPhrase(words=("every",)) as all_of_them:
            return replace(sentence, values={**sentence.values, "player": replace(all_of_them, words=("def",))})
    return sentence


def _has_doer(sentence: Sentence) -> bool:
    return any(slot == "player" or (isinstance(v, Sentence) and _has_doer(v)) for slot, v in sentence.values.items())


# ---- tables and lists ----------------------------------------------------------------------------------------------


def _cells(
    old: RealisedRulebook, one: BookTable, new: RealisedRulebook, other: BookTable, wordings: bool
) -> Iterator[ChangedLine]:
    """Yield the changed cells, with `wordings` also explanations; then new and deleted rows and columns."""
    unstated = None if wordings else new.text(ABOUT)
    before, after = {row.key: row for row in one.rows}, {row.key: row for row in other.rows}
    was, now = _columns(old, one), _columns(new, other)
    for row in other.rows:
        if row.key not in before:
            yield ChangedLine("new", _row(new, other, row))
            continue
        first, second = (dict(zip(names, r.cells, strict=False)) for names, r in ((was, before[row.key]), (now, row)))
        for column, cell in second.items():
            if column == unstated:
                continue
            named = Text(_name(new, other, new.text(row.heading), *filter(None, [column.strip()])))
            shown, earlier = new.cell(cell), old.cell(first[column]) if column in first else None
            if earlier is None or (earlier == EMPTY != shown):
                yield ChangedLine("new", new.say("diff.row", row=named, cells=Text(shown)))
            elif shown == EMPTY != earlier:
                yield ChangedLine("gone", old.say("diff.row", row=named, cells=Text(earlier)))
            elif shown != earlier:
                yield ChangedLine("changed", new.say("diff.cell", cell=named, now=Text(shown), was=Text(earlier)))
    for column in was:
        if column not in now and column.strip() and column != unstated:
            yield ChangedLine("gone", _name(old, one, column))
    yield from (ChangedLine("gone", _row(old, one, row)) for row in one.rows if row.key not in after)


def _columns(reading: RealisedRulebook, table: BookTable) -> list[str]:
    """Return the column names; unnamed columns get distinct numbers of spaces."""
    most = max((len(row.cells) for row in table.rows), default=0)
    named = ["" if column == HERE else reading.text(column) for column in table.columns]
    return [name or " " * index for index, (name, _) in enumerate(zip_longest(named, range(most), fillvalue=""))]


def _name(reading: RealisedRulebook, table: BookTable, *names: str) -> str:
    """Return the label of a row, column or cell, preceded by the title of its table."""
    title = [reading.text(table.title)] if table.title is not None else []
    return reading.words.capital(reading.words.chain([*title, *names]))


def _row(reading: RealisedRulebook, table: BookTable, row: BookTableRow) -> str:
    """Return a row as one line, each cell with the name of its column."""
    name = _name(reading, table, reading.text(row.heading))
    cells = []
    for column, cell in zip_longest(_columns(reading, table), row.cells):
        shown = reading.cell(cell)
        if not column.strip():
            cells.append(shown)
        elif cell is not None:
            cells.append(reading.say("diff.row", row=Text(column), cells=Text(shown)))
    return reading.say("diff.row", row=Text(name), cells=Text(reading.words.chain(cells)))


def _titled(old: RealisedRulebook, one: CountList, new: RealisedRulebook, other: CountList) -> Iterator[ChangedLine]:
    """Yield the changes in a list, below its title if it has one."""
    counts = list(_counts(old, one, new, other))
    if other.title is None or one.title is None:
        yield from counts
        return
    now, was = new.heading(other.title), old.heading(one.title)
    if now != was:
        merged = replacement_value(one.title, other.title)
        shown = new.heading(merged) if isinstance(merged, Sentence) else ""
        both = new.say("diff.count", now=Text(now), was=Text(was))
        yield ChangedLine("changed", shown if is_made_of(shown, now, was, _between(new)) else both)
    elif counts:
        yield ChangedLine("kept", now)
    yield from (replace(change, depth=1) for change in counts)


def _counts(old: RealisedRulebook, one: CountList, new: RealisedRulebook, other: CountList) -> Iterator[ChangedLine]:
    before, after = ({item.key: item for item in items.items} for items in (one, other))
    for key, item in after.items():
        was, now = before.get(key), _item(new, item)
        if was is None:
            yield ChangedLine("new", now)
            continue
        earlier = _item(old, was)
        by_players = _by_players(old, was, new) != _by_players(new, item, old)
        if (was.each is None) == (item.each is None) and (was.each != item.each or by_players):
            now, earlier = f"{_number(new, item)} {new.thing(item)}".strip(), _number(old, was)
        elif (was.each is None) == (item.each is None) and new.thing(item) == old.thing(was):
            continue
        yield ChangedLine("changed", new.say("diff.count", now=Text(now), was=Text(earlier)))
    yield from (ChangedLine("gone", _item(old, item)) for key, item in before.items() if key not in after)


def _item(reading: RealisedRulebook, item: CountItem) -> str:
    return f"{reading.number(item)} {reading.thing(item)}".strip()


def _by_players(reading: RealisedRulebook, item: CountItem, other: RealisedRulebook) -> list[int]:
    """Return the counts for the numbers of players that both games support."""
    counts = zip(reading.book.players, item.counts, strict=False)
    return [count for players, count in counts if players in other.book.players] or list(item.counts)


def _number(reading: RealisedRulebook, item: CountItem) -> str:
    """Return the count, or the counts by number of players."""
    if item.each is not None or not item.counts:
        return reading.number(item) or EMPTY
    if len(set(item.counts)) == 1:
        return reading.words.number(item.counts[0])
    counts = zip(reading.book.players, item.counts, strict=False)
    columns = ((count, reading.say("rulebook.players.column", n=players)) for players, count in counts)
    return reading.words.chain([f"{reading.words.number(count)} ({players})" for count, players in columns])


# ---- whole sections ------------------------------------------------------------------------------------------------


def _block(reading: RealisedRulebook, block: Block, sort: Sort, sentences: _SentencePairs) -> Iterator[ChangedLine]:
    """Yield the lines of a new or deleted block."""
    match block:
        case Prose():
            yield from sentences.of(block.key)
        case CountList(items=items, title=title):
            if title is not None:
                yield ChangedLine(sort, reading.heading(title))
            yield from (ChangedLine(sort, _item(reading, item), int(title is not None)) for item in items)
        case BookTable(rows=rows):
            yield from (ChangedLine(sort, _row(reading, block, row)) for row in rows)


#: Default maximum number of sentences.
MAX_SENTENCES = 2
#: Length in characters from which a sentence counts as less informative.
LONG_SENTENCE_LENGTH = 220
#: Headings whose changes are less informative than actions: components, their consequences, and settings, whose effect
#: is described elsewhere.
_THINGS = ("players", "contents", "board", "tables")
_LAST = ("terms", "kinds", "places")
_OPTIONS = ("options",)
#: Rank of lines about unchanged rules, which another rulebook leaves out or words in other ways.
_SAME = 4


def summary(
    parts: Iterable[ChangedSection], maximum: int = MAX_SENTENCES
) -> tuple[tuple[ChangedSection, ChangedLine], ...]:
    """Return the most informative changes, one per heading: actions before components, settings last.

    A change is preceded by the conditions and loops that it stands under.
    """
    ranked = sorted(
        ((rank, place, part, change) for place, (rank, part, change) in enumerate(_ranked(parts))),
        key=lambda entry: (entry[0], entry[1]),
    )
    chosen: list[tuple[ChangedSection, ChangedLine]] = []
    for rank, _, part, change in ranked:
        # Less informative changes are only used alone.
        if chosen and rank[0] > 1:
            break
        if chosen and change.depth:
            # An indented line may refer to the previous one.
            continue
        if all(used is not part for used, _ in chosen):
            chosen.append((part, change))
        if len(chosen) == maximum:
            break
    return tuple((part, _with_leads(part, change)) for part, change in chosen)


def _with_leads(part: ChangedSection, change: ChangedLine) -> ChangedLine:
    """Return a line as one text with the lines that it stands under."""
    leads = [change]
    other_version = "gone" if change.sort != "gone" else "new"
    place = next(index for index, line in enumerate(part.changes) if line is change)
    for line in reversed(part.changes[:place]):
        if line.depth < leads[0].depth and line.sort != other_version:
            leads.insert(0, line)
    return replace(change, alone=" ".join(line.alone or line.text for line in leads))


def number_of_changes(parts: Iterable[ChangedSection]) -> int:
    """Return the number of new, deleted and changed lines."""
    return sum(change.sort not in ("kept", "moved") for part in parts for change in part.changes)


def _ranked(parts: Iterable[ChangedSection]) -> Iterator[tuple[tuple[int, ...], ChangedSection, ChangedLine]]:
    """Yield all changes with their ranks, the most informative with the lowest rank."""
    for part in parts:
        if part.key == "short":
            # The author's own summary comes first.
            yield from (((-1,), part, change) for change in part.changes if change.sort == "new")
            continue
        kind = next((index for index, keys in enumerate((_THINGS, _LAST, _OPTIONS), 1) if part.key in keys), 0)
        for change in part.changes:
            if change.sort in ("kept", "moved") or (kind == 0 and not change.sentence and change.depth):
                continue
            how = 0 if change.sort == "changed" else 1
            category = _SAME if change.rule == "same" else kind or int(not change.sentence)
            # A sentence within a rule depends on the previous one.
            place = (part.key == "setup", change.depth, change.sort == "gone")
            follows = change.rule == "follows"
            yield (category, follows, len(change.text) > LONG_SENTENCE_LENGTH, how, *map(int, place)), part, change
