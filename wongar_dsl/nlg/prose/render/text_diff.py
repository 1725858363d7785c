"""Text alignment: pairs the lines of two texts as unchanged, changed or moved, also by the rules behind them.

A line states a rule that is the same in both versions if its nodes are equal, and so is everything that they refer to:
values bound in a rule, declarations, and the nodes that decide its wording.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from itertools import groupby, takewhile

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.document.document_model import Prose, Rulebook
from wongar_dsl.nlg.prose.game_facts import calls
from wongar_dsl.nlg.prose.micro.sentence_plan import SentenceUnit, frames
from wongar_dsl.nlg.words import NounPhrase, Replacement, Sentence

#: Minimum similarity of two lines about the same subject, as a ratio of common words.
MIN_SIMILARITY = 0.6
#: Minimum number of words of a line that can be recognised elsewhere; *Otherwise:* occurs everywhere.
MIN_RECOGNISABLE_WORDS = 4
#: Messages of line frames that differ only in punctuation.
_ENDINGS = {"prose.item_last": "prose.item"}


@dataclass(frozen=True, slots=True)
class ComparedUnit(SentenceUnit):
    """A line to compare; `alone` is its text without preceding context.

    `each` is the loop over players that contains it, with its distributive text. By that, *Every player …* equals a
    line about *the player* below a lead for every player. `rule` equals that of a line with another wording of the same
    rule, if it is not None. `changed`: the other version lacks what the line states.
    """

    alone: str = ""
    each: tuple[object, ...] = ()
    rule: object | None = None
    changed: bool = True

    @property
    def wording(self) -> str:
        """Comparison key: the text without its end mark, or the rule itself if it is not verbalisable."""
        return repr(tree(self.origin)) if self.unsaid else self.alone.rstrip(".;:")


@dataclass(frozen=True, slots=True)
class UnitPair:
    """An old and a new line, either of which can be None; `source` is the previous section of a moved line."""

    old: ComparedUnit | None = None
    new: ComparedUnit | None = None
    source: str | None = None

    @property
    def is_same(self) -> bool:
        """True if the content is equal, regardless of its position."""
        old, new = self.old, self.new
        if old is None or new is None:
            return False
        return (
            old.wording == new.wording
            or _each(old, new)
            or (_is_same_rule(old, new) and number_replacements(old, new) is None)
        )

    @property
    def is_unchanged(self) -> bool:
        """True if the content, depth and position are equal."""
        deep = (self.old.depth, self.new.depth) if self.old is not None and self.new is not None else (0, 1)
        return self.is_same and self.source is None and deep[0] == deep[1]


def pair_lines(
    before: Mapping[str, Sequence[ComparedUnit]], after: Mapping[str, Sequence[ComparedUnit]]
) -> dict[str, tuple[UnitPair, ...]]:
    """Align the lines of each section of two texts; deleted lines keep their old position."""
    pairs_by_key = {key: list(_aligned(before.get(key, ()), after.get(key, ()))) for key in {**after, **before}}
    _move(pairs_by_key)
    pairs_by_key = {key: list(_pair_similar(pairs)) for key, pairs in pairs_by_key.items()}
    _move_numbers(pairs_by_key)
    return {key: tuple(pair for pair in pairs if pair != UnitPair()) for key, pairs in pairs_by_key.items()}


def _each(old: ComparedUnit, new: ComparedUnit) -> bool:
    """Return whether two lines say the same about every element of a loop."""
    return bool(old.each) and old.each == new.each


def _is_same_rule(old: ComparedUnit, new: ComparedUnit) -> bool:
    """Return whether two lines differ only in the wording of one rule."""
    return old.rule is not None and old.rule == new.rule


def tree(node: object, without: Collection[s.Node] = ()) -> object:
    """Return a comparable structure of a node, independent of its source position, except for the parts `without`."""
    if isinstance(node, tuple):
        return tuple(tree(part, without) for part in node if part not in without)
    if not isinstance(node, s.Node):
        return node
    parts = (getattr(node, name) for name in s.field_names(type(node)))
    return (type(node).__name__, *(None if part in without else tree(part, without) for part in parts))


# ---- within a section ----------------------------------------------------------------------------------------------


def _aligned(before: Sequence[ComparedUnit], after: Sequence[ComparedUnit]) -> Iterator[UnitPair]:
    """Yield equal lines as pairs, with deleted and new lines between them."""
    # Equal lines inside and outside a loop are different lines.
    old, new = ([(unit.wording, unit.depth) for unit in units] for units in (before, after))
    for how, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if how == "equal":
            yield from map(UnitPair, before[i:j], after[k:m])
        else:
            yield from (UnitPair(old) for old in before[i:j])
            yield from (UnitPair(None, new) for new in after[k:m])


def _pair_similar(pairs: Sequence[UnitPair]) -> Iterator[UnitPair]:
    """Pair deleted and new lines at the same position if they are similar."""
    remaining = (pair for pair in pairs if pair != UnitPair())
    for alone, group in groupby(remaining, lambda pair: pair.old is None or pair.new is None):
        if not alone:
            yield from group
            continue
        lines = list(group)
        yield from _best_pairs([p.old for p in lines if p.old is not None], [p.new for p in lines if p.new is not None])


def _best_pairs(before: Sequence[ComparedUnit], after: Sequence[ComparedUnit]) -> Iterator[UnitPair]:
    """Yield the order-preserving pairing with the greatest total similarity; other lines stay unpaired."""
    common = [[_similarity(old, new) for new in after] for old in before]
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i in reversed(range(len(before))):
        for k in reversed(range(len(after))):
            with_each_other = common[i][k] + best[i + 1][k + 1] if common[i][k] else 0.0
            best[i][k] = max(with_each_other, best[i + 1][k], best[i][k + 1])
    i = k = 0
    while i < len(before) or k < len(after):
        if i < len(before) and k < len(after) and common[i][k] and best[i][k] == common[i][k] + best[i + 1][k + 1]:
            yield UnitPair(before[i], after[k])
            i, k = i + 1, k + 1
        elif i < len(before) and (k == len(after) or best[i][k] == best[i + 1][k]):
            yield UnitPair(before[i])
            i += 1
        else:
            yield UnitPair(None, after[k])
            k += 1


def _similarity(old: ComparedUnit, new: ComparedUnit) -> float:
    """Return the similarity of two lines, 0 below the threshold; it is greatest if they state the same rule."""
    if _is_same_rule(old, new):
        return 3.0
    if number_replacements(old, new) is not None or _each(old, new):
        return 2.0
    old_words, new_words = old.wording.split(), new.wording.split()
    matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
    if matcher.real_quick_ratio() < MIN_SIMILARITY or matcher.quick_ratio() < MIN_SIMILARITY:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= MIN_SIMILARITY else 0.0


# ---- between sections ----------------------------------------------------------------------------------------------

#: The pairs of each section.
_Pairs = dict[str, list[UnitPair]]
#: A run of lines that was deleted in one section and added in another: the section and index of each, old and new.
_Run = list[tuple[tuple[str, int], tuple[str, int]]]


def _move(pairs_by_key: _Pairs) -> None:
    """Pair deleted lines with equal new lines elsewhere, the longest runs first."""
    while run := max(_moved_runs(pairs_by_key), key=len, default=None):
        for (source, start), (goal, position) in run:
            old, new = pairs_by_key[source][start].old, pairs_by_key[goal][position].new
            pairs_by_key[goal][position] = UnitPair(old, new, source)
            pairs_by_key[source][start] = UnitPair()


def _moved_runs(pairs_by_key: _Pairs) -> Iterator[_Run]:
    """Yield runs of moved lines; at least one line of each is specific enough to be recognised."""
    new: dict[str, list[tuple[str, int]]] = {}
    for key, pairs in pairs_by_key.items():
        for index, pair in enumerate(pairs):
            if pair.old is None and pair.new is not None:
                new.setdefault(pair.new.wording, []).append((key, index))
    for key, pairs in pairs_by_key.items():
        for start, pair in enumerate(pairs):
            for goal, position in new.get(pair.old.wording, ()) if pair.old is not None and pair.new is None else ():
                both = enumerate(zip(pairs[start:], pairs_by_key[goal][position:], strict=False))
                run = [*takewhile(lambda step: _is_moved(*step[1]), both)]
                if any(_is_telling(gone.old) for _, (gone, _) in run):
                    yield [((key, start + step), (goal, position + step)) for step, _ in run]


def _is_moved(gone: UnitPair, new: UnitPair) -> bool:
    """Return whether a deleted line equals a new one."""
    if gone.old is None or gone.new is not None or new.old is not None or new.new is None:
        return False
    return gone.old.wording == new.new.wording


def _is_telling(unit: ComparedUnit | None) -> bool:
    """Return whether a line is specific enough to be recognised."""
    many = unit is not None and len(unit.wording.split()) >= MIN_RECOGNISABLE_WORDS
    return unit is not None and many and not unit.frame.endswith("lead")


def _move_numbers(pairs_by_key: _Pairs) -> None:
    """Pair deleted lines with new lines elsewhere that differ only in numbers."""
    free = [(pairs, index) for pairs in pairs_by_key.values() for index, pair in enumerate(pairs) if pair.old is None]
    for source, lines in pairs_by_key.items():
        for number, pair in enumerate(lines):
            gone = pair.old
            if gone is None or pair.new is not None or len(gone.wording.split()) < MIN_RECOGNISABLE_WORDS:
                continue
            for pairs, index in free:
                new = pairs[index].new
                if pairs[index].old is None and new is not None and number_replacements(gone, new) is not None:
                    pairs[index], lines[number] = UnitPair(gone, new, source), UnitPair()
                    break


# ---- numbers -------------------------------------------------------------------------------------------------------


def number_replacements(old: ComparedUnit, new: ComparedUnit) -> Sentence | None:
    """Return the sentence of a line with old values beside changed numbers; None if anything else differs."""
    if old.sentence is None or new.sentence is None:
        return None
    if _ENDINGS.get(old.frame, old.frame) != _ENDINGS.get(new.frame, new.frame):
        return None
    merged = replacement_value(old.sentence, new.sentence)
    # Equal structures with different texts differ in the game's own wording.
    return merged if isinstance(merged, Sentence) and _has_instead(merged) else None


def _has_instead(value: object) -> bool:
    """Return whether a value contains a replaced number."""
    match value:
        case Replacement():
            return True
        case tuple():
            return any(map(_has_instead, value))
        case Mapping():
            return any(map(_has_instead, value.values()))
    if not is_dataclass(value):
        return False
    return any(_has_instead(getattr(value, part.name)) for part in fields(value) if part.name != "entity")


def replacement_value(old: object, new: object) -> object | None:
    """Return the new value with every changed number as `Replacement`; None if anything else differs."""
    match old, new:
        case bool(), bool():
            return new if old == new else None
        case int(), int():
            return new if old == new else Replacement(new, old)
        case NounPhrase(), NounPhrase() if old.words != new.words:
            old_value, new_value = _counted(old), _counted(new)
            return replacement_value(old_value, new_value) if old_value is not None and new_value is not None else None
        case tuple(), tuple():
            items = (
                [replacement_value(a, b) for a, b in zip(old, new, strict=False)] if len(old) == len(new) else [None]
            )
            return None if any(a is None for a in items) else tuple(items)
        case dict(), dict():
            if old.keys() != new.keys():
                return None
            values = {name: replacement_value(old[name], new[name]) for name in new}
            return None if any(v is None for v in values.values()) else values
    if type(old) is not type(new) or not is_dataclass(new) or isinstance(new, type):
        return new if old == new else None
    changed = {}
    for part in fields(new):
        old_value, new_value = getattr(old, part.name), getattr(new, part.name)
        if old_value is None and new_value is None:
            continue
        if not part.compare or part.name in ("entity", "pronoun", "doing", "whose", "game"):
            continue  # Referents are compared by their words; pronouns and variant names do not matter.
        merged = replacement_value(old_value, new_value)
        if merged is None:
            return None
        changed[part.name] = merged
    return replace(new, **changed)


def _counted(thing: NounPhrase) -> NounPhrase | None:
    """Return a counted noun phrase with its number: *a token* and *2 tokens* then differ only in the number."""
    if thing.words == ("indef",) and thing.head.count is None:
        return replace(thing, words=(), head=replace(thing.head, count=1))
    return thing if thing.head.count is not None and thing.words == () else None


def is_made_of(merged: str, new: str, old: str, between: str) -> bool:
    """Return whether `merged` consists of two texts, with their differences on both sides of each `between`.

    Capitals are ignored, since the start of a sentence can be in the middle of `merged`.
    """
    pieces = merged.lower().split(between.lower())
    return _cut(new.lower(), pieces) and _cut(old.lower()[::-1], [piece[::-1] for piece in reversed(pieces)])


def _cut(text: str, pieces: Sequence[str]) -> bool:
    """Return whether a text consists of the pieces, each shortened at its start except for the first."""
    first, *others = pieces
    if not text.startswith(first) or not others:
        return text == first
    rest = text[len(first) :]
    return any(_cut(rest, [others[0][length:], *others[1:]]) for length in range(1, len(others[0]) + 1))


#: Declarations whose content stands in the lines about them, where they are called or under a heading.
_CALLED = (s.Procedure, s.Define, s.Winner)


class RuleComparison:
    """The rules of one rulebook, compared with those of another version."""

    def __init__(self, book: Rulebook, other: Rulebook) -> None:
        self._model, self._other = book.model, other.model
        self._book, self._log = book, book.log
        self._articles = {s.key_of(article): article for article in book.model.merged.articles}

    def rule(self, origins: Sequence[s.Node], block: Collection[s.Node]) -> object | None:
        """Return what a line with these origins states; None if it refers to anything that the other version changes.

        It equals that of a line in the other version with the same rule. `block` are the nodes of the lines around it.
        """
        if any(node not in self._above for node in origins):
            return None
        trees, decisive, seen = list[object](), set[object](), set[s.Node]()
        waiting: list[tuple[s.Node, Collection[s.Node]]] = [(node, block) for node in self._roots(origins, block)]
        for node, told in waiting:
            trees.append(tree(node, told))
            for part in _parts(node, told):
                if part in seen:
                    continue
                seen.add(part)
                if not self._changed.isdisjoint(self._names(part)):
                    return None
                waiting += ((other, self._told) for other in (*self._bound_to(part), *self._called(part)))
                # The test for omitting a part is no part of the rule.
                dependencies = self._log.dependencies.get(part, ()) if self._is_said(part) else ()
                decisive.update(tree(node, self._told) for node in dependencies if self.is_own((node,), self._told))
        return tuple(trees), frozenset(decisive)

    def is_own(self, origins: Sequence[s.Node], block: Collection[s.Node]) -> bool:
        """Return whether the other version lacks one of the nodes that a line states."""
        roots = self._roots([node for node in origins if node in self._above], block)
        return any(_place(part) not in self._places for node in roots for part in _parts(node, block))

    def _roots(self, origins: Sequence[s.Node], block: Collection[s.Node]) -> list[s.Node]:
        """Return the nodes of a line, what decides before them, and what around them has no line of its own."""
        roots = [*origins]
        for node in origins:
            winner = self._above[node]
            if isinstance(winner, s.Winner) and isinstance(node, s.RankingLine):
                roots += winner.ranking[: winner.ranking.index(node)]
        for node in roots:
            above = self._above[node]
            if above is not None and above not in block and not isinstance(above, s.Procedure):
                roots.append(above)
        return roots

    def _is_said(self, node: s.Node) -> bool:
        return self._log.fates.get(node, ("said",))[0] == "said"

    @cached_property
    def _above(self) -> dict[s.Node, s.Node | None]:
        """The node around each node, None around a declaration."""
        every = [node for article in self._articles.values() for node in s.walk(article)]
        return dict.fromkeys(every) | {part: node for node in every for part in _parts_of(node)}

    @cached_property
    def _places(self) -> frozenset[object]:
        """The positions of the nodes of the other version."""
        return frozenset(_place(node) for article in self._other.merged.articles for node in s.walk(article))

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The names of the declarations of things and numbers that differ, or use one that does."""
        mine, others = self._articles, {s.key_of(article): article for article in self._other.merged.articles}
        told = {key for key, article in (*mine.items(), *others.items()) if isinstance(article, _CALLED)}
        keys = {*mine, *others} - told
        changed = {key[1] for key in keys if not s.same(mine.get(key), others.get(key))}
        uses = dict[str, set[str]]()
        for key in keys & mine.keys():
            uses.setdefault(key[1], set()).update(name for node in s.walk(mine[key]) for name in self._names(node))
        while using := {name for name, used in uses.items() if name not in changed and not changed.isdisjoint(used)}:
            changed |= using
        return frozenset(changed - {""})

    def _names(self, node: s.Node) -> Iterator[str]:
        """Yield the names in a node that can be those of declarations."""
        if self._model.ref(node).local is None:
            yield from (name for part in ("text", "name") if isinstance(name := getattr(node, part, None), str))

    def _bound_to(self, node: s.Node) -> tuple[s.Node, ...]:
        """Return the nodes that a local name stands for."""
        ref = self._model.ref(node)
        return () if ref.local is None else self._bound.get(ref.local.span_node, ())

    @cached_property
    def _told(self) -> frozenset[s.Node]:
        """The nodes that have lines of their own in the text about their declaration."""
        blocks = (block for _, section in self._book.walk() for block in section.blocks if isinstance(block, Prose))
        texts = (block.plans for block in blocks if block.key == s.key_text(block.article))
        return frozenset(node for plans in texts for frame in frames(plans) for node in frame.origins)

    def _called(self, node: s.Node) -> Iterator[s.Node]:
        """Yield the rule or definition that a node calls, unless it has lines of its own."""
        if isinstance(node, s.Called):
            called = (self._articles.get((sort, node.name)) for sort in ("rule", "define"))
            yield from (article for article in called if article is not None and article not in self._told)

    @cached_property
    def _bound(self) -> dict[s.Node, tuple[s.Node, ...]]:
        """The nodes that each local name stands for, by the node that introduces it."""
        bound = dict[s.Node, tuple[s.Node, ...]]()
        arguments = dict[str, list[tuple[s.Expression, ...]]]()
        for called in calls(self._model.merged.articles):
            arguments.setdefault(called.name, []).append(called.arguments)
        for node in self._above:
            if isinstance(node, s.Let):
                bound[node.variable] = (node,)
            elif isinstance(node, s.ForEach | s.ChooseSimultaneously | s.Quantified):
                bound[node.variable] = (node.domain,)
            elif isinstance(node, s.OptionParameter):
                bound[node.name] = (node.domain,)
            elif isinstance(node, s.Rule | s.Define):
                given = zip(*arguments.get(node.name.text, ()), strict=False)
                bound.update({typed.name: values for typed, values in zip(node.parameters, given, strict=False)})
        return bound


def _place(node: s.Node) -> object:
    """Return the text and position of a node in its file, whose name depends on how the game was opened."""
    span = node.span
    return span.source.text, span.line, span.column, span.end_line, span.end_column


def _parts(node: s.Node, without: Collection[s.Node]) -> Iterator[s.Node]:
    """Yield a node and its descendants, except for the descendants in `without` and those below them."""
    waiting: list[s.Node] = [node]
    while waiting:
        part = waiting.pop()
        if part is node or part not in without:
            yield part
            waiting += _parts_of(part)


def _parts_of(node: s.Node) -> Iterator[s.Node]:
    """Yield the nodes directly below a node."""
    return (part for name in s.field_names(type(node)) for part in s.outermost(getattr(node, name)))
