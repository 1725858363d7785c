"""Printer: the text of every declaration parses to the same tree."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.language.test_manual import ALL, whole_file
from wongar_dsl.base.span import Source
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser import parse
from wongar_dsl.language.printer import unparse, unparser

ROOT = Path(__file__).resolve().parents[3]
FILES = [*(ROOT / "rules").glob("classics/*.rules"), ROOT / "rules/wongar/wongar.rules"]
FILES += [*(ROOT / "tests/games/classics/extra").glob("*.rules"), ROOT / "tests/language/small.rules"]


@cache
def articles() -> tuple[s.Declaration, ...]:
    """Return declarations of all kinds, from files without errors."""
    texts = [(str(path), path.read_text(encoding="utf-8")) for path in sorted(FILES)]
    texts += [(str(e), whole_file(e)) for e in ALL if not e.kind.startswith(("variant", "wrong"))]
    trees = [tree for tree, diagnostics in (parse(Source(name, text)) for name, text in texts) if not diagnostics]
    declarations = [a for tree in trees for a in (tree.head, *tree.articles) if isinstance(a, s.Declaration)]
    return tuple(article for article in declarations if article.keyword != "change")


def text_of(article: s.Declaration) -> str:
    return "".join("    " * line.depth + line.text + "\n" for line in unparse(article))


def parse_declaration(text: str) -> s.Declaration:
    """Return the only declaration of a text."""
    tree, diagnostics = parse(Source("again", text if text.startswith("game ") else f"game g\n{text}"))
    assert not diagnostics, (text, diagnostics)
    (article,) = tree.articles or (tree.head,)
    assert article is not None
    return article


def test_all_node_types_are_covered() -> None:
    covered = {type(node) for article in articles() for node in s.walk(article)}
    assert {*s.SORTS.values(), *get_args(s.Statement), *get_args(s.Expression)} - covered == set()


@pytest.mark.parametrize("composed", [False, True])
def test_printed_text_parses_to_the_same_tree(composed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if composed:
        monkeypatch.setattr(unparser, "_source_text", lambda _: "")
    for article in articles():
        assert s.same(article, parse_declaration(text_of(article))), text_of(article)


def test_original_wording_is_kept() -> None:
    text = "define f() = (1 <= x <= 2 or y is none) and my points = 1\n"
    assert text_of(parse_declaration(text)) == text


def with_foreign_expressions(node: Any, others: Sequence[s.Expression], chance: random.Random) -> Any:
    """Return a tree in which some expressions, in places open to variants, are replaced by others."""
    if isinstance(node, tuple):
        return tuple(with_foreign_expressions(item, others, chance) for item in node)
    if isinstance(node, s.Expression) and chance.random() < 0.2:
        return chance.choice([candidate for candidate in others if candidate.span.source is not node.span.source])
    if not isinstance(node, s.Node):
        return node
    if isinstance(node, s.Statement) and not isinstance(node, s.CompoundStatement | s.Let | s.Assign):
        return node
    names = [part.name for part in fields(node) if part.name != "span"]
    fixed_fields = {"first"} if isinstance(node, s.Domain) and node.kind in ("kinds", "lines", "through") else ()
    return replace(
        node, **{n: with_foreign_expressions(getattr(node, n), others, chance) for n in names if n not in fixed_fields}
    )


def test_statement_mixed_from_two_files_is_refused() -> None:
    (tell,) = parse_declaration("play\n    tell it(n: 1)\n").body  # type: ignore[attr-defined]
    (second_tell,) = parse_declaration("play\n    tell it(n: 2)\n").body  # type: ignore[attr-defined]
    play = parse_declaration("play\n    nothing\n")
    with pytest.raises(ValueError, match="another file"):
        text_of(replace(play, body=(replace(tell, message=second_tell.message),)))  # type: ignore[call-arg]


def procedures() -> Iterator[s.Declaration]:
    return (article for article in articles() if isinstance(article, s.Procedure | s.Define))


def test_foreign_expressions_are_bracketed_as_needed() -> None:
    chance = random.Random(6)
    nodes = [node for article in procedures() for node in s.walk(article) if isinstance(node, s.Expression)]
    others = [node for node in nodes if not (isinstance(node, s.Number) and node.value < 0)]
    count = 0
    for article in procedures():
        new = with_foreign_expressions(article, others, chance)
        text = text_of(new)
        if len(text) > 6000 or text.count("(") > 300:
            continue
        assert s.same(new, parse_declaration(text)), text
        count += 1
    assert count > 100
