"""Of all that a variant changes, what tells most: a sentence or two for whoever looks for a game to play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wongar_dsl.prose.differences import Change, Part

#: So many sentences at most, where nothing else is asked for.
MOST = 2
#: Longer sentences than this many characters tell less.
LONG = 220
#: What stands under these headings tells less than what is done: what there is, what follows from that, and options,
#: since what is said of a changed one is what it does.
_THINGS = ("players", "contents", "board", "tables")
_LAST = ("terms", "kinds", "places")
_OPTIONS = ("options",)


def summary(parts: Iterable[Part], most: int = MOST) -> tuple[tuple[Part, Change], ...]:
    """The changes that tell most, of each heading only one: what is done before what there is, options last."""
    ranked = sorted(
        ((rank, place, part, change) for place, (rank, part, change) in enumerate(_ranked(parts))),
        key=lambda found: (found[0], found[1]),
    )
    chosen: list[tuple[Part, Change]] = []
    for rank, _, part, change in ranked:
        # These only if there is nothing else.
        if chosen and rank[0] > 1:
            break
        if chosen and change.depth:
            # It may point to what is said before it.
            continue
        if all(other is not part for other, _ in chosen):
            chosen.append((part, change))
        if len(chosen) == most:
            break
    return tuple(chosen)


def number_of_changes(parts: Iterable[Part]) -> int:
    """How many lines are new, gone or others."""
    return sum(change.sort not in ("kept", "moved") for part in parts for change in part.changes)


def _ranked(parts: Iterable[Part]) -> Iterator[tuple[tuple[int, ...], Part, Change]]:
    """All changes, each with its rank: the least tells most."""
    for part in parts:
        if part.key == "short":
            # What the author says of it is short, and comes first.
            yield from (((-1,), part, change) for change in part.changes if change.sort == "new")
            continue
        kind = next((at for at, keys in enumerate((_THINGS, _LAST, _OPTIONS), 1) if part.key in keys), 0)
        for change in part.changes:
            if change.sort in ("kept", "moved") or (kind == 0 and not change.sentence and change.depth):
                continue
            how = 0 if change.sort == "changed" else 1
            what = kind or int(not change.sentence)
            # In the middle of a rule a sentence hangs on what is said before it.
            place = (part.key == "setup", change.depth, change.sort == "gone")
            yield (what, len(change.text) > LONG, how, *map(int, place)), part, change
