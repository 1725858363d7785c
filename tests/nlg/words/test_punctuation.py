"""No punctuation in code: lists, labels and chains are written by the catalog of a language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from wongar_dsl.nlg.words import Listing, Text, Translator

ROOT = Path(__file__).resolve().parents[3]
#: Folders whose code composes text for users.
FOLDERS = (
    "cli",
    "wongar_dsl/session",
    "wongar_dsl/nlg/narration",
    "wongar_dsl/nlg/translation",
    "wongar_dsl/nlg/diagnostic_text",
    "wongar_dsl/nlg/words",
    "wongar_dsl/engine/bots",
)
JOINTS = frozenset(",:;·–")

#: Functions that compose no natural language: source positions, moves, file contents and exceptions.
NOTATION = {
    "cli/main.py": {"_guarded"},
    "cli/commands/new.py": {"_example_comment", "case_file", "line", "rule_file", "_add_words"},
    "cli/case_files.py": {"failure_lines", "_difference"},
    "cli/commands/words.py": {"_print_finding"},
    "wongar_dsl/session/menu.py": {"match_misspelt"},
    "wongar_dsl/nlg/translation.py": {"paste"},
    "wongar_dsl/nlg/words/arguments.py": {"__init__"},
    "wongar_dsl/nlg/words/catalog_check.py": {"with_place"},
    "wongar_dsl/nlg/words/lexicon_reader.py": {"section", "entries", "pronouns", "_quotation"},
    "wongar_dsl/nlg/words/locale.py": {"_with_position"},
    "wongar_dsl/nlg/words/po_files.py": {
        *("message_skeleton", "term_skeleton", "header", "with_terms", "comments", "fillings"),
    },
}


def is_separator(text: object) -> bool:
    """Return whether a string constant is punctuation with a space."""
    return isinstance(text, str) and not any(map(str.isalnum, text)) and " " in text and bool(JOINTS & set(text))


def functions_with_separators(tree: ast.AST, function: str = "") -> Iterator[str]:
    """Yield the functions that compose text with a separator."""
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
    if any(isinstance(value, ast.Constant) and is_separator(value.value) for value in values):
        yield function
    for inner in ast.iter_child_nodes(tree):
        yield from functions_with_separators(inner, function)


@pytest.mark.parametrize("folder", FOLDERS)
def test_code_contains_no_separators(folder: str) -> None:
    files = [*(ROOT / folder).rglob("*.py"), *ROOT.glob(f"{folder}.py")]
    assert files
    for file in files:
        name = str(file.relative_to(ROOT))
        offenders = set(functions_with_separators(ast.parse(file.read_text(encoding="utf-8"))))
        assert offenders <= NOTATION.get(name, set()), name


def test_separators_in_code_are_detected() -> None:
    assert list(functions_with_separators(ast.parse('def f(a, b):\n    return f"{a}: {b}"'))) == ["f"]
    assert list(functions_with_separators(ast.parse('def f(a):\n    return ", ".join(a) + " – "'))) == ["f", "f"]
    assert list(functions_with_separators(ast.parse('def f(a, b):\n    return f"{a} {b}" + "a: b"'))) == []


def test_labels_follow_the_language(tmp_path: Path) -> None:
    (tmp_path / "fr").mkdir()
    entry = 'msgctxt "engine.label"\nmsgid "{label}:"\nmsgstr "{label}\N{NO-BREAK SPACE}:"\n'
    (tmp_path / "fr" / "cli.po").write_text(entry, encoding="utf-8")
    assert Translator.load("fr", [tmp_path]).label("Boîte") == "Boîte\N{NO-BREAK SPACE}: "
    assert Translator.load("en").label("Box") == "Box: "


def test_truncated_list_has_no_conjunction() -> None:
    items = (Text("a"), Text("b"))
    assert Translator.load("de").value(Listing(items)) == "a und b"
    assert Translator.load("de").value(Listing(items, more=True)) == "a, b, …"
