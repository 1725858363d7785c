"""Summary of a variant: its most informative changes, for players who choose a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wongar_dsl.nlg.prose.render.differences import ChangedLine, ChangedSection

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
