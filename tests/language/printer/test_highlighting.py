"""Syntax highlighting of rule files: generated from the grammar, equal in both editors, and correct for every word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_for_filename
from pygments.token import Error, Keyword, Name, Operator, Token, _TokenType

from tests.language.test_manual import VARIANTS
from tools import make_highlighting as maker
from wongar_dsl.language.parser import Token as _Token
from wongar_dsl.language.parser import written_lines
from wongar_dsl.language.printer.highlight_tables import PATTERNS
from wongar_dsl.language.printer.pygments_lexer import TOKENS, RulesLexer
from wongar_dsl.language.semantics.builtins import TAKEN

ROOT = Path(__file__).resolve().parents[3]
FILES = [*sorted((ROOT / "rules").rglob("*.rules")), *sorted((ROOT / "tests/games").rglob("*.rules"))]
FILES += [*sorted((ROOT / "tests/data").glob("*.rules")), ROOT / "tests/language/small.rules"]
#: Contextual keywords are coloured by their neighbours; this name has the same neighbours as one.
TAKEN_FOR_WORDS = {"turned"}


def textmate_scopes(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the scopes of a text as TextMate finds them: line by line, the first pattern of the leftmost match."""
    grammar = json.loads(maker.TEXTMATE.read_text(encoding="utf-8"))
    patterns = [(re.compile(entry["match"]), entry) for entry in grammar["patterns"]]
    start = 0
    for line in text.split("\n"):
        position = 0
        while position < len(line):
            matches = [
                (m, entry) for regex, entry in patterns if (m := regex.search(line, position)) and m.end() > position
            ]
            if not matches:
                break
            match, entry = min(matches, key=lambda pair: pair[0].start())
            named = {"0": entry} if "name" in entry else entry["captures"]
            for group, capture in named.items():
                yield start + match.start(int(group)), match[int(group)], capture["name"]
            position = match.end()
        start += len(line) + 1


def test_both_files_are_generated_from_the_grammar() -> None:
    assert maker.TEXTMATE.read_text(encoding="utf-8") == maker.textmate()
    assert maker.PYGMENTS.read_text(encoding="utf-8") == maker.pygments()


def test_outdated_file_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert maker.main(["--check"]) == 0
    monkeypatch.setattr(maker, "textmate", lambda: "other")
    assert maker.main(["--check"]) == 1
    assert "game-rules.tmLanguage.json" in capsys.readouterr().out


def test_every_word_of_the_grammar_is_in_a_pattern() -> None:
    patterns = "|".join(regex for regex, scopes in PATTERNS if "keyword" in str(scopes) or "constant" in str(scopes))
    patterns += next(regex for regex, scopes in PATTERNS if scopes == {0: "storage.type"})
    language = maker.Language()
    words = {word for words in language.words.values() for word in words}
    assert {word for word in words if not re.search(rf"\b{word}\b", patterns.replace("s?)", ")"))} == set()


def coloured_tokens(text: str) -> Iterator[tuple[_TokenType, _Token]]:
    """Yield each token of the parser with its colour."""
    tokens = {i: token for i, token, _ in RulesLexer().get_tokens_unprocessed(text)}
    inside = {start + i: tokens[start] for start, end in zip(tokens, [*[*tokens][1:], len(text)], strict=True)
              for i in range(end - start)}  # fmt: skip
    assert Error not in inside.values()
    for line in written_lines(text):
        yield from ((inside[token.start], token) for token in line.tokens)


def is_coloured_as_word(shown: _TokenType, text: str) -> bool:
    return shown in Keyword or shown in Operator or (shown in Name.Builtin and text in TAKEN)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_words_are_coloured_as_parsed(path: Path) -> None:
    for shown, token in coloured_tokens(path.read_text(encoding="utf-8")):
        if token.kind in ("NAME", "GAME_AND_VARIANT"):
            assert not (shown in Keyword or shown in Operator) or token.text in TAKEN_FOR_WORDS, token
        elif token.text.isalpha() and token.kind != "DRAWN":
            assert is_coloured_as_word(shown, token.text), token


def test_words_in_manual_variants_are_coloured() -> None:
    for example in VARIANTS.values():
        for shown, token in coloured_tokens(example.text):
            if token.text.isalpha() and token.kind not in ("NAME", "GAME_AND_VARIANT", "DRAWN"):
                assert is_coloured_as_word(shown, token.text), (token, example.text)


@pytest.mark.parametrize("name", ["nim", "goofspiel", "wongar"])
def test_both_editors_use_the_same_colours(name: str) -> None:
    path = next(path for path in FILES if path.stem == name)
    text = path.read_text(encoding="utf-8")
    shown = [(i, value, token) for i, token, value in RulesLexer().get_tokens_unprocessed(text) if value.strip()]
    scopes = [(i, value, TOKENS[scope.removesuffix(f".{maker.SCOPE}")]) for i, value, scope in textmate_scopes(text)]
    assert shown == scopes


def test_pygments_finds_the_lexer_by_file_name() -> None:
    (point,) = [point for point in entry_points(group="pygments.lexers") if point.name == "game-rules"]
    assert point.load() is RulesLexer
    assert isinstance(get_lexer_for_filename("nim.rules"), RulesLexer)


def test_lexer_keeps_the_whole_text() -> None:
    text = "game x\n\tplayers $ 2 ä\r\n  if 1<=2 # ö\n"
    shown = list(RulesLexer().get_tokens_unprocessed(text))
    assert "".join(value for _, _, value in shown) == text
    assert (text.index("$"), Token.Error, "$") in shown


def test_extension_files_exist() -> None:
    folder = ROOT / "editors" / "vscode"
    contributed = json.loads((folder / "package.json").read_text(encoding="utf-8"))["contributes"]
    paths = [contributed["languages"][0]["configuration"], contributed["grammars"][0]["path"]]
    for path in paths:
        json.loads((folder / path).read_text(encoding="utf-8"))
    assert contributed["grammars"][0]["scopeName"] == f"source.{maker.SCOPE}"
