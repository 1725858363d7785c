"""No punctuation is typed into code: how a list, a label or a chain is written stands in the words of a language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from wongar_dsl.words import Listing, Text, Words

ROOT = Path(__file__).resolve().parents[2]
#: Where text for people is put together.
FOLDERS = ("cli", "wongar_dsl/table", "wongar_dsl/narration", "wongar_dsl/words", "wongar_dsl/bots")
JOINTS = frozenset(",:;·–")

#: What is no sentence in any language: positions in files, moves and files as they are written, exceptions.
NOTATION = {
    "cli/main.py": {"_fail"},
    "cli/starting.py": {"_told", "case_file", "line", "rule_file", "terms"},
    "cli/watching.py": {"_values"},
    "cli/commands/test.py": {"told", "_difference"},
    "cli/commands/words.py": {"_tell"},
    "wongar_dsl/table/menu.py": {"near"},
    "wongar_dsl/narration/untranslated.py": {"paste"},
    "wongar_dsl/words/errors.py": {"__init__"},
    "wongar_dsl/words/extraction.py": {"comments", "fillings"},
    "wongar_dsl/words/findings.py": {"placed"},
    "wongar_dsl/words/lexicon_reader.py": {"section", "entries", "pronouns", "_quotation"},
    "wongar_dsl/words/locale.py": {"_placed"},
    "wongar_dsl/words/skeletons.py": {"message_skeleton", "term_skeleton", "header", "with_terms"},
}


def joins(text: object) -> bool:
    """Whether a piece of text between two others, or before one, is a mark with a space."""
    return isinstance(text, str) and not any(map(str.isalnum, text)) and " " in text and bool(JOINTS & set(text))


def typed(tree: ast.AST, function: str = "") -> Iterator[str]:
    """The functions in which texts are put together with a mark."""
    if isinstance(tree, ast.FunctionDef):
        function = tree.name
    values = (
        tree.values
        if isinstance(tree, ast.JoinedStr)
        else [tree.left, tree.right]
        if isinstance(tree, ast.BinOp)
        else []
    )
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and tree.func.attr == "join":
        values = [tree.func.value]
    if any(isinstance(value, ast.Constant) and joins(value.value) for value in values):
        yield function
    for inner in ast.iter_child_nodes(tree):
        yield from typed(inner, function)


@pytest.mark.parametrize("folder", FOLDERS)
def test_texts_are_joined_by_the_words_of_the_language(folder: str) -> None:
    files = list((ROOT / folder).rglob("*.py"))
    assert files
    for file in files:
        name = str(file.relative_to(ROOT))
        found = set(typed(ast.parse(file.read_text(encoding="utf-8"))))
        assert found <= NOTATION.get(name, set()), name


def test_a_label_and_a_chain_that_are_typed_are_found() -> None:
    assert list(typed(ast.parse('def f(a, b):\n    return f"{a}: {b}"'))) == ["f"]
    assert list(typed(ast.parse('def f(a):\n    return ", ".join(a) + " – "'))) == ["f", "f"]
    assert list(typed(ast.parse('def f(a, b):\n    return f"{a} {b}" + "a: b"'))) == []


def test_a_label_is_written_as_the_language_writes_it(tmp_path: Path) -> None:
    (tmp_path / "fr").mkdir()
    entry = 'msgctxt "engine.label"\nmsgid "{label}:"\nmsgstr "{label}\N{NO-BREAK SPACE}:"\n'
    (tmp_path / "fr" / "cli.po").write_text(entry, encoding="utf-8")
    assert Words.load("fr", [tmp_path]).label("Boîte") == "Boîte\N{NO-BREAK SPACE}: "
    assert Words.load("en").label("Box") == "Box: "


def test_a_list_that_goes_on_has_no_word_before_its_end() -> None:
    items = (Text("a"), Text("b"))
    assert Words.load("de").value(Listing(items)) == "a und b"
    assert Words.load("de").value(Listing(items, more=True)) == "a, b, …"
