"""From tree to text: every article is written so that reading it gives the same tree."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.language.test_manual import ALL, whole
from wongar_dsl import syntax as s
from wongar_dsl.parser import parse
from wongar_dsl.text.span import Source
from wongar_dsl.unparser import expressions, unparse

ROOT = Path(__file__).resolve().parents[2]
FILES = [*(ROOT / "rules").glob("classics/*.rules"), ROOT / "rules/wongar/wongar.rules"]
FILES += [*(ROOT / "tests/games/classics/extra").glob("*.rules"), ROOT / "tests/language/small.rules"]


@cache
def articles() -> tuple[s.Article, ...]:
    """Articles of all sorts, each from a file without mistakes."""
    texts = [(str(path), path.read_text(encoding="utf-8")) for path in sorted(FILES)]
    texts += [(str(e), whole(e)) for e in ALL if not e.kind.startswith(("variant", "wrong"))]
    trees = [parse(Source(name, text)) for name, text in texts]
    found = [a for tree, wrong in trees if not wrong for a in (tree.head, *tree.articles) if isinstance(a, s.Article)]
    return tuple(article for article in found if article.keyword != "change")


def text_of(article: s.Article) -> str:
    return "".join("    " * line.depth + line.text + "\n" for line in unparse(article))


def read(text: str) -> s.Article:
    """The one article of a text."""
    tree, found = parse(Source("again", text if text.startswith("game ") else f"game g\n{text}"))
    assert not found, (text, found)
    (article,) = tree.articles or (tree.head,)
    assert article is not None
    return article


def test_every_sort_of_article_statement_and_expression_is_tried() -> None:
    tried = {type(node) for article in articles() for node in s.walk(article)}
    assert {*s.SORTS.values(), *get_args(s.Statement), *get_args(s.Expression)} - tried == set()


@pytest.mark.parametrize("composed", [False, True])
def test_what_is_written_reads_the_same(composed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if composed:
        monkeypatch.setattr(expressions, "_as_it_stands", lambda _: "")
    for article in articles():
        assert s.same(article, read(text_of(article))), text_of(article)


def test_the_authors_own_words_stay() -> None:
    text = "define f() = (1 <= x <= 2 or y is none) and my points = 1\n"
    assert text_of(read(text)) == text


def grafted(node: Any, others: Sequence[s.Expression], chance: random.Random) -> Any:
    """A tree in which other expressions have taken the place of some, where a variant can put any."""
    if isinstance(node, tuple):
        return tuple(grafted(item, others, chance) for item in node)
    if isinstance(node, s.Expression) and chance.random() < 0.2:
        return chance.choice([other for other in others if other.span.source is not node.span.source])
    if not isinstance(node, s.Node):
        return node
    if isinstance(node, s.Statement) and not isinstance(node, s.Compound | s.Let | s.Assign):
        return node
    names = [part.name for part in fields(node) if part.name != "span"]
    kept = {"first"} if isinstance(node, s.Domain) and node.kind in ("kinds", "lines", "through") else ()
    return replace(node, **{n: grafted(getattr(node, n), others, chance) for n in names if n not in kept})


def test_a_statement_in_pieces_is_not_shown_as_if_it_were_whole() -> None:
    (tell,) = read("play\n    tell it(n: 1)\n").body  # type: ignore[attr-defined]
    (other,) = read("play\n    tell it(n: 2)\n").body  # type: ignore[attr-defined]
    play = read("play\n    nothing\n")
    with pytest.raises(ValueError, match="another file"):
        text_of(replace(play, body=(replace(tell, told=other.told),)))  # type: ignore[call-arg]


def procedures() -> Iterator[s.Article]:
    return (article for article in articles() if isinstance(article, s.Procedure | s.Define))


def test_expressions_from_elsewhere_are_bracketed_where_they_must_be() -> None:
    chance = random.Random(6)
    others = [
        node
        for article in procedures()
        for node in s.walk(article)
        if isinstance(node, s.Expression) and not (isinstance(node, s.Number) and node.value < 0)
    ]
    tried = 0
    for article in procedures():
        new = grafted(article, others, chance)
        text = text_of(new)
        if len(text) > 6000 or text.count("(") > 300:
            continue
        assert s.same(new, read(text)), text
        tried += 1
    assert tried > 100
