"""Parts of an article and steps of a rule that a variant can change: their names, positions and rewriting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import copied, walk

#: Field of each sort of article that holds its parts.
_FIELDS: Mapping[str, str] = {
    "enum": "values", "cards": "faces", "deck": "copies", "track": "phases", "table": "rows", "winner": "ranking",
}  # fmt: skip

Deciding = s.Choose | s.ChooseSimultaneously


def part_text(e: s.Expression) -> str:
    """Return the source form of a key of a table or a card of a deck: `early`, `3`, `card(a, b)`."""
    match e:
        case s.Number(value=value):
            return str(value)
        case s.Truth(value=holds):
            return "yes" if holds else "no"
        case s.Nobody():
            return "nobody"
        case s.Name(text=text):
            return text
        case s.Called(name=name, arguments=arguments):
            return f"{name}({', '.join(part_text(a) for a in arguments)})"
    return "?"


def part_name(part: s.Part) -> str:
    """Return the name that identifies a part in its article; empty for a line of `winner`."""
    match part:
        case s.Word(text=text):
            return text
        case s.Copies(face=face):
            return part_text(face)
        case s.TableRow(key=key):
            return part_text(key)
        case s.TrackPhase(name=name) | s.Face(name=name) | s.Option(name=name):
            return name.text
        case s.RankingLine():
            return ""


def part_place(part: s.Part) -> s.Node:
    """Return the node that names a part."""
    match part:
        case s.Copies(face=place) | s.TableRow(key=place):
            return place
        case s.TrackPhase(name=place) | s.Face(name=place) | s.Option(name=place):
            return place
        case s.Word() | s.RankingLine():
            return part


def parts_of(article: s.Declaration) -> tuple[s.Part, ...]:
    """Return the parts of an article; an empty tuple if it has none."""
    field = _FIELDS.get(article.keyword)
    parts: tuple[s.Part, ...] = getattr(article, field) if field is not None else ()
    return parts


def with_parts(article: s.Declaration, parts: tuple[s.Part, ...]) -> s.Declaration:
    """Return an article with its parts replaced; the total of a deck is adjusted."""
    fields: dict[str, Any] = {_FIELDS[article.keyword]: parts}
    if isinstance(article, s.Deck) and article.total is not None:
        fields["total"] = article.total + _size(parts) - _size(article.copies)
    return replace(article, **fields)


def named_choices(article: s.Declaration) -> Iterator[tuple[str, Deciding]]:
    """Yield the named choices in an article, each with the name of its decision."""
    for node in walk(article):
        if isinstance(node, Deciding) and node.name is not None:
            yield node.name.text, node


def _size(parts: tuple[s.Part, ...]) -> int:
    return sum(part.count for part in parts if isinstance(part, s.Copies))


# ---- steps -----------------------------------------------------------------------------------------------------------


Edit = Callable[[s.Statement], Sequence[s.Statement]]


def step_names(step: s.Statement, remembered: Collection[str]) -> tuple[str, ...]:
    """Return the labels of a step: the rule it calls, its decision or message, or the name it assigns.

    A step without a message is labelled by what it changes, any other by its keyword. `remembered` are the names of
    remembered values.
    """
    match step:
        case s.Call(call=s.Name(text=name) | s.Called(name=name)):
            return (name,)
        case s.Choose(name=s.Word(text=name)) | s.ChooseSimultaneously(name=s.Word(text=name)):
            return (name,)
        case s.Let(variable=s.Word(text=name)):
            return (name,)
        case s.Assign(target=s.Name(text=name) | s.Of(name=name) | s.Indexed(name=name)) if name in remembered:
            return (name,)
        case s.KeywordStatement(word=word):
            return (word,)
    message_ref = getattr(step, "message", None)
    if isinstance(message_ref, s.MessageRef) and message_ref.name is not None:
        return (message_ref.name,)
    written = _WORDS.get(type(step))
    if written is not None:
        return (written,)
    # A step is labelled by the last thing that it changes: a target zone, a figure, a score or a track.
    return _whole_name(step.targets[-1]) if step.targets else ()


#: Labels of steps without a name.
_WORDS: Mapping[type[s.Node], str] = {
    s.If: "if", s.Repeat: "repeat", s.ForEach: "for each", s.Perform: "perform", s.Give: "give", s.Wins: "wins",
}  # fmt: skip
#: Parts of a zone or of a figure; a step that changes one is labelled by the whole.
_PARTS = frozenset({"top", "bottom", "holder", "place"})


def _whole_name(place: s.Expression | s.Word) -> tuple[str, ...]:
    match place:
        case s.Word(text=name):
            return (name,)
        case s.Of(name=part, owner=whole) if part in _PARTS:
            return _whole_name(whole)
        case s.Name(text=name) | s.Of(name=name) | s.Indexed(name=name):
            return (name,)
    return ()


def steps_of(article: s.Procedure) -> Iterator[s.Statement]:
    """Yield all steps of a rule, including nested ones."""
    return (node for node in walk(article.body) if isinstance(node, s.Statement))


def edited(body: s.Block, edit: Edit) -> s.Block:
    """Return a block in which `edit` has replaced every step, including nested ones.

    A block that becomes empty holds `nothing`.
    """
    new = tuple(step for old in body for step in edit(s.with_blocks(old, lambda block: edited(block, edit))))
    return new if new or not body else (s.KeywordStatement(body[0].span, "nothing"),)


def ends_with(article: s.Procedure, statements: s.Block) -> s.Procedure:
    """Return a rule that runs `statements` before each of its ends."""
    ends = {"end rule", "end game"} if isinstance(article, s.Play) else {"end rule"}

    def before_end(step: s.Statement) -> Sequence[s.Statement]:
        if step.ends == "rule" or (isinstance(step, s.KeywordStatement) and step.word in ends):
            return (*copied(statements), step)
        return (step,)

    body = edited(article.body, before_end)
    leaves = bool(article.body) and isinstance(article.body[-1], s.LeavingStatement)
    return replace(article, body=body if leaves else (*body, *statements))
