"""Lines of two texts laid beside each other: what stayed, what says something else, what went somewhere else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby

from wongar_dsl import syntax as s
from wongar_dsl.prose.document import Unit
from wongar_dsl.words import Instead, Nominal, Said

#: From how much in common on, of the words of both, two lines are about the same.
ALIKE = 0.6
#: So many words a line has at least that is known again somewhere else; *Otherwise:* stands everywhere.
TELLING = 4
#: The messages that make lines which differ only in how they end.
_ENDINGS = {"prose.item_last": "prose.item"}


@dataclass(frozen=True, slots=True)
class Compared(Unit):
    """A line that is compared; `alone` is how it reads where nobody was spoken of before it.

    `each` says whom a loop tells it of, and how it reads then: a line *Every player …* and one about *the player* below
    a lead for every player have the same one.
    """

    alone: str = ""
    each: tuple[object, ...] = ()

    @property
    def wording(self) -> str:
        """What two lines have in common that say the same; which mark ends a line does not matter.

        Of what there are no words for it is what stands in the rules.
        """
        return repr(tree(self.origin)) if self.unsaid else self.alone.rstrip(".;:")


@dataclass(frozen=True, slots=True)
class Pair:
    """A line before and after, None where there is none; `source` is the part that it was brought from."""

    old: Compared | None = None
    new: Compared | None = None
    source: str | None = None

    @property
    def is_same(self) -> bool:
        """Whether it says the same, wherever it stands."""
        old, new = self.old, self.new
        return old is not None and new is not None and (old.wording == new.wording or _each(old, new))

    @property
    def is_kept(self) -> bool:
        """Whether it says the same, as deep, in the same place."""
        deep = (self.old.depth, self.new.depth) if self.old is not None and self.new is not None else (0, 1)
        return self.is_same and self.source is None and deep[0] == deep[1]


def paired(
    before: Mapping[str, Sequence[Compared]], after: Mapping[str, Sequence[Compared]]
) -> dict[str, tuple[Pair, ...]]:
    """The lines of each part of two texts, by the names of the parts, those that are gone where they stood."""
    found = {key: list(_aligned(before.get(key, ()), after.get(key, ()))) for key in {**after, **before}}
    _move(found)
    found = {key: list(_beside(pairs)) for key, pairs in found.items()}
    _move_numbers(found)
    return {key: tuple(pair for pair in pairs if pair != Pair()) for key, pairs in found.items()}


def _each(old: Compared, new: Compared) -> bool:
    """Whether two lines say the same of everybody of whom they are told."""
    return bool(old.each) and old.each == new.each


def tree(node: object) -> object:
    """What a piece of rules says, wherever it stands."""
    if isinstance(node, tuple):
        return tuple(map(tree, node))
    if not isinstance(node, s.Node):
        return node
    parts = (getattr(node, name) for name in s.parts(type(node)))
    return (type(node).__name__, *map(tree, parts))


# ---- in one part ---------------------------------------------------------------------------------------------------


def _aligned(before: Sequence[Compared], after: Sequence[Compared]) -> Iterator[Pair]:
    """Lines of one part in their order: those that say the same, and between them those that are gone or new."""
    matcher = SequenceMatcher(None, [u.wording for u in before], [u.wording for u in after], autojunk=False)
    for how, i, j, k, m in matcher.get_opcodes():
        if how == "equal":
            yield from (Pair(old, new) for old, new in zip(before[i:j], after[k:m], strict=True))
        else:
            yield from (Pair(old) for old in before[i:j])
            yield from (Pair(None, new) for new in after[k:m])


def _beside(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The same lines, of those that are gone and new in the same place each beside the one that it is like."""
    left = (pair for pair in pairs if pair != Pair())
    for alone, group in groupby(left, lambda pair: pair.old is None or pair.new is None):
        if not alone:
            yield from group
            continue
        lines = list(group)
        yield from _alike([p.old for p in lines if p.old is not None], [p.new for p in lines if p.new is not None])


def _alike(before: Sequence[Compared], after: Sequence[Compared]) -> Iterator[Pair]:
    """The pairing in order that has most in common; others stay by themselves."""
    common = [[_likeness(old, new) for new in after] for old in before]
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i in reversed(range(len(before))):
        for k in reversed(range(len(after))):
            with_each_other = common[i][k] + best[i + 1][k + 1] if common[i][k] else 0.0
            best[i][k] = max(with_each_other, best[i + 1][k], best[i][k + 1])
    i = k = 0
    while i < len(before) or k < len(after):
        if i < len(before) and k < len(after) and common[i][k] and best[i][k] == common[i][k] + best[i + 1][k + 1]:
            yield Pair(before[i], after[k])
            i, k = i + 1, k + 1
        elif i < len(before) and (k == len(after) or best[i][k] == best[i + 1][k]):
            yield Pair(before[i])
            i += 1
        else:
            yield Pair(None, after[k])
            k += 1


def _likeness(old: Compared, new: Compared) -> float:
    """How much two lines have in common, nothing if that is too little; most where only numbers differ."""
    if instead_of(old, new) is not None or _each(old, new):
        return 2.0
    one, other = old.wording.split(), new.wording.split()
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= ALIKE else 0.0


# ---- from one part to another --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines one after the other that are gone in one part and new in another."""

    key: str
    start: int
    other: str
    there: int
    lines: int


def _move(found: dict[str, list[Pair]]) -> None:
    """Pair what is gone with what is new and says the same, the longest paragraphs first."""
    while (run := _longest(found)) is not None:
        for step in range(run.lines):
            old, new = found[run.key][run.start + step].old, found[run.other][run.there + step].new
            found[run.other][run.there + step] = Pair(old, new, run.key)
            found[run.key][run.start + step] = Pair()


def _move_numbers(found: dict[str, list[Pair]]) -> None:
    """Pair what is gone with what is new and differs from it in numbers alone."""
    free = [(pairs, at) for pairs in found.values() for at, pair in enumerate(pairs) if pair.old is None]
    for source, lines in found.items():
        for number, pair in enumerate(lines):
            gone = pair.old
            if gone is None or pair.new is not None or len(gone.wording.split()) < TELLING:
                continue
            for pairs, at in free:
                new = pairs[at].new
                if pairs[at].old is None and new is not None and instead_of(gone, new) is not None:
                    pairs[at], lines[number] = Pair(gone, new, source), Pair()
                    break


def _longest(found: Mapping[str, Sequence[Pair]]) -> _Run | None:
    """The longest run of lines that can be told to have moved."""
    new: dict[str, list[tuple[str, int]]] = {}
    for key, pairs in found.items():
        for at, pair in enumerate(pairs):
            if pair.old is None and pair.new is not None:
                new.setdefault(pair.new.wording, []).append((key, at))
    best: _Run | None = None
    for key, pairs in found.items():
        for start, pair in enumerate(pairs):
            if pair.old is None or pair.new is not None:
                continue
            for other, there in new.get(pair.old.wording, ()):
                lines = _run(pairs[start:], found[other][there:])
                if (best is None or lines > best.lines) and _is_telling(pairs[start : start + lines]):
                    best = _Run(key, start, other, there, lines)
    return best


def _run(gone: Sequence[Pair], new: Sequence[Pair]) -> int:
    """How many lines in a row say the same."""
    many = 0
    for one, other in zip(gone, new, strict=False):
        if one.old is None or one.new is not None or other.old is not None or other.new is None:
            break
        if one.old.wording != other.new.wording:
            break
        many += 1
    return many


def _is_telling(pairs: Sequence[Pair]) -> bool:
    """Whether one of the lines says so much that it can be known again."""
    units = [pair.old for pair in pairs if pair.old is not None]
    return any(len(u.wording.split()) >= TELLING and not u.frame.endswith("lead") for u in units)


# ---- numbers -------------------------------------------------------------------------------------------------------


def instead_of(old: Compared, new: Compared) -> Said | None:
    """What a line is made of, with each number that differs beside what it was; None where anything else differs."""
    if old.said is None or new.said is None or _ENDINGS.get(old.frame, old.frame) != _ENDINGS.get(new.frame, new.frame):
        return None
    merged = instead(old.said, new.said)
    # What is made of the same and reads otherwise differs in the words of the game.
    return merged if isinstance(merged, Said) and _has_instead(merged) else None


def _has_instead(value: object) -> bool:
    """Whether a number in a value stands instead of another."""
    match value:
        case Instead():
            return True
        case tuple():
            return any(map(_has_instead, value))
        case Mapping():
            return any(map(_has_instead, value.values()))
    if not is_dataclass(value):
        return False
    return any(_has_instead(getattr(value, part.name)) for part in fields(value) if part.name != "entity")


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
        if part.name in ("entity", "pronoun", "doing", "whose", "game"):
            continue  # Who is meant is told by the words for them, a pronoun says the same, and so does a variant.
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


def parted(merged: str, new: str, old: str, between: str) -> bool:
    """Whether `merged` is made of two texts alone, with what differs in them on either side of each `between`.

    Capitals do not matter: what begins a sentence in one of them stands in its middle in `merged`.
    """
    pieces = merged.lower().split(between.lower())
    return _cut(new.lower(), pieces) and _cut(old.lower()[::-1], [piece[::-1] for piece in reversed(pieces)])


def _cut(text: str, pieces: Sequence[str]) -> bool:
    """Whether a text is the first piece, and of each further one what is left when something at its start is cut."""
    first, *others = pieces
    if not text.startswith(first) or not others:
        return text == first
    rest = text[len(first) :]
    return any(_cut(rest, [others[0][at:], *others[1:]]) for at in range(1, len(others[0]) + 1))
