"""Incremental parsing of rule files after a word was changed."""

from __future__ import annotations

import re

import pytest
from lark import Lark

from wongar_dsl.base.span import Source
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.language.ast import same
from wongar_dsl.language.parser import parse, parser
from wongar_dsl.language.parser.errors import expectations

from ..server.files import GAME


def test_only_the_changed_declaration_is_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    parse(Source("meadow.rules", GAME))
    parsed: list[str] = []
    lark = parser._lark()

    def count(text: str) -> object:
        parsed.append(text)
        return Lark.parse(lark, text)

    monkeypatch.setattr(lark, "parse", count)
    lines = parse(Source("meadow.rules", "\n\n" + GAME.replace("disc 1", "disc 7")))[0]
    assert [text.split("\n")[0] for text in parsed] == ["table worth"]
    assert [article.span.line for article in lines.articles][:2] == [7, 10]


@pytest.mark.parametrize("long", [False, True])
def test_tree_of_an_unchanged_file_is_kept_unless_it_is_long(long: bool) -> None:
    """A variant is checked again with the same base; long files would take much memory."""
    text = GAME + "# a remark\n" * (long * parser.MAX_CACHED_FILE_CHARS // 10)
    (one, found), (again, found_again) = (parse(Source("meadow.rules", text)) for _ in range(2))
    assert (one is again) is not long
    assert (same(one, again), found) == (True, found_again)
    assert parse(Source("other.rules", text))[0] is not one


def test_cache_of_parse_trees_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MAX_CACHED_CHARS", 60)
    trees = parser._ParseTreeCache()
    monkeypatch.setattr(parser, "_trees", trees)
    for number in range(10):
        parse(Source("x.rules", f"game x\n    players {number}\n"))
    assert 1 <= len(trees._known) <= 3


def test_expected_words_are_given_as_written() -> None:
    kinds = {"name", "number", "text", "end of line"}
    for name, pattern in parser.terminals().items():
        regex = re.sub(r"\(\?=.*", "", pattern.to_regexp())  # A lookahead is not part of the word.
        expected_words = expectations([name]) if name not in ("COMMENT", "__IGNORE_0") else ()
        assert [word for word in expected_words if word not in kinds and not re.fullmatch(regex, word)] == [], name
    (diagnostic,) = parse(Source("x.rules", "game x\n    players 2\n\nplay\n    repeat repeat\n"))[1]
    assert diagnostic.arguments["expected"] == ("times", "+", "-")


@pytest.fixture(scope="module")
def parsers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lark, ...]:
    """Return parsers with new tables, with these tables from the cache, and with new ones as the cache is damaged."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cache, "of_program", Cache(tmp_path_factory.mktemp("tables")))
        new, kept = (parser._lark.__wrapped__() for _ in range(2))
        patch.setattr(Cache, "load", lambda *_: ("no", "tables"))
        return new, kept, parser._lark.__wrapped__()


@pytest.mark.parametrize("text", [GAME, GAME.replace("players", "plaeyrs"), "game x\nplay\n    repeat repeat\n  1\n"])
def test_kept_tables_give_the_same_trees_and_mistakes(
    text: str, parsers: tuple[Lark, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, results = Source("meadow.rules", text), []
    for lark in parsers:
        monkeypatch.setattr(parser, "_lark", lambda lark=lark: lark)
        monkeypatch.setattr(parser, "_trees", parser._ParseTreeCache())
        parser._cached_parse.cache_clear()
        results.append((parse(source), lark.source_path))
    parser._cached_parse.cache_clear()
    (new, new_path), (kept, kept_path), (again, again_path) = results
    assert [path == kept_path for path in (new_path, again_path)] == [False, False]
    assert new[1] == kept[1] == again[1]
    assert same(new[0].articles, kept[0].articles)
    assert same(new[0].articles, again[0].articles)
