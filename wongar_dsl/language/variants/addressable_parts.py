"""Parts of an article and steps of a rule that a variant can change: their names, positions and rewriting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import copied, walk


def with_parts(article: s.Declaration, parts: tuple[s.Part, ...]) -> s.Declaration:
    """Return an article with its parts replaced; the total of a deck is adjusted."""
    assert article.parts_field is not None
    fields: dict[str, Any] = {article.parts_field: parts}
    if isinstance(article, s.Deck) and article.total is not None:
        fields["total"] = article.total + _size(parts) - _size(article.copies)
    return replace(article, **fields)


def named_choices(article: s.Declaration) -> Iterator[tuple[str, s.Decision]]:
    """Yield the named choices in an article, each with the name of its decision."""
    for node in walk(article):
        if isinstance(node, s.Decision) and node.name is not None:
            yield node.name.text, node


def _size(parts: tuple[s.Part, ...]) -> int:
    return sum(part.count for part in parts if isinstance(part, s.Copies))


# ---- steps -----------------------------------------------------------------------------------------------------------


Edit = Callable[[s.Statement], Sequence[s.Statement]]


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
