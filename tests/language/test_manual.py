"""Manual: every example is checked and played, and every construct has an example."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from lark import Tree

from wongar_dsl.base.diagnostics import Severity
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game
from wongar_dsl.engine.library import inspect
from wongar_dsl.language.parser import parser
from wongar_dsl.language.parser.keywords import grammar_text
from wongar_dsl.language.semantics.shapes import WORK

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "language"
INDEX = (MANUAL / "README.md").read_text(encoding="utf-8")
CHAPTERS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(MANUAL.glob("*.md"))}
STEPS = 60


@dataclass(frozen=True)
class Example:
    """A fenced block of the manual: its kind (see `whole_file`), chapter, first line, and text."""

    kind: str
    chapter: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.chapter}:{self.line}:{self.kind.replace(' ', '_') or 'game'}"


def examples() -> Iterator[Example]:
    for chapter, text in CHAPTERS.items():
        for match in re.finditer(r"^```rules ?([^\n]*)\n(.*?)^```$", text, re.M | re.S):
            yield Example(match[1].strip(), chapter, text.count("\n", 0, match.start()) + 1, match[2])


ALL = list(examples())
TABLE = next(e.text for e in ALL if e.kind == "table")


def indented(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())


def whole_file(example: Example) -> str:
    """Return the example as a whole file: fragments are inserted into the manual's game for them."""
    match example.kind.split():
        case [] | ["wrong", _]:
            return example.text
        case ["alone"]:
            return f"game alone\n    players 2\n    source house rule\n\n{example.text}\nplay\n    nobody wins\n"
        case ["table"]:
            return TABLE + "\nplay\n    nobody wins\n"
        case ["statements"]:
            return f"{TABLE}\nplay\n{indented(example.text)}"
        case ["values"]:
            lines = [f"let x{i} = {line}" for i, line in enumerate(example.text.splitlines())]
            return f"{TABLE}\nplay\n{indented(chr(10).join(lines))}"
        case ["articles"]:
            table = TABLE
            if "replace " in example.text:
                table = table[: table.index("\nwinner q")]
            return f"{table}\n{example.text.replace('replace ', '')}\nplay\n    nobody wins\n"
    raise AssertionError(example.kind)


def write_rules(folder: Path, text: str, name: str = "example") -> Path:
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return path


def play_record(game: Game, seed: int) -> list[object]:
    """Return everything visible from outside of a random game."""
    record: list[object] = []
    generator = Generator(seed)
    state, events = game.start(seed)
    record.append([(e.spec, e.values) for e in events])
    for _ in range(STEPS):
        if state.over:
            break
        moves = state.legal_moves()
        move = moves[generator.below(len(moves))]
        record.append((state.seat, moves, state.write(move)))
        record.append([(e.spec, e.values) for e in state.apply(move)])
    return [*record, state.cells, state.winners]


def check_and_play(path: Path) -> None:
    rules, diagnostics = inspect(path)
    errors = [(d.code, str(d.span), dict(d.arguments)) for d in diagnostics if d.severity is Severity.ERROR]
    assert not errors
    assert rules is not None
    low, high = rules.model.players
    for number in range(low, high + 1):
        for seed in range(2):
            games = [play_record(rules.game(number, backend=b), seed) for b in ("reference", "python")]
            assert games[0] == games[1]


@pytest.mark.parametrize("example", [e for e in ALL if not e.kind.startswith(("wrong", "variant"))], ids=str)
def test_example_is_valid_and_plays(example: Example, tmp_path: Path) -> None:
    check_and_play(write_rules(tmp_path, whole_file(example)))


def test_values_equal_the_comments(tmp_path: Path) -> None:
    """A comment that is a number is the value of its line."""
    stated = [m for e in ALL if e.kind == "values" for m in re.findall(r"^(.*?) +# (-?\d+)$", e.text, re.M)]
    assert len(stated) > 5
    lines = [f"let x{i} = {value}\ntell worth_{i}(n: x{i})" for i, (value, _) in enumerate(stated)]
    rules, _ = inspect(write_rules(tmp_path, f"{TABLE}\nplay\n{indented(chr(10).join(lines))}"))
    assert rules is not None
    _, events = rules.game(2).start(1)
    computed = [str(e.values[0]) for e in events if e.spec.message and e.spec.message.startswith("worth_")]
    assert list(zip([value for value, _ in stated], computed, strict=True)) == stated


VARIANTS = {re.findall(r"^variant (\w+)", e.text)[0]: e for e in ALL if e.kind.startswith("variant")}


@pytest.mark.parametrize("name", [name for name, example in VARIANTS.items() if example.kind == "variant"])
def test_variant_is_valid_and_plays(name: str, tmp_path: Path) -> None:
    write_rules(tmp_path, TABLE + "\nplay\n    nobody wins\n")
    for variant, example in VARIANTS.items():
        write_rules(tmp_path, example.text, variant)
    check_and_play(tmp_path / f"{name}.rules")


@pytest.mark.parametrize("example", [e for e in ALL if e.kind == "articles" and "rule " in e.text], ids=str)
def test_rules_of_an_example_can_be_called(example: Example, tmp_path: Path) -> None:
    """Rules declared by an example are also called, with the first possible values."""
    first = {"player": "q", "square": "c3", "town": "castle", "colour": "red", "yes or no": "yes", "number": "1"}
    calls = []
    for name, parameters, gives in re.findall(r"^rule (\w+)\((.*?)\)( gives)?", example.text, re.M):
        arguments = [first[p.split(": ")[1]] for p in parameters.split(", ") if p]
        calls.append(
            f"let result_{name} = {name}({', '.join(arguments)})" if gives else f"{name}({', '.join(arguments)})"
        )
    text = whole_file(example).replace("play\n    nobody wins\n", "play\n    let q = player(1)\n")
    check_and_play(write_rules(tmp_path, text + indented("\n".join(calls))))


@pytest.mark.parametrize("example", [e for e in ALL if e.kind.startswith("wrong")], ids=str)
def test_wrong_example_has_its_diagnostic(example: Example, tmp_path: Path) -> None:
    _, diagnostics = inspect(write_rules(tmp_path, example.text))
    errors = [d.code for d in diagnostics if d.severity is Severity.ERROR]
    assert errors == [example.kind.split()[1]]


def parse_trees() -> Iterator[Tree[object]]:
    """Yield the parse tree of every declaration of every valid example."""
    for example in ALL:
        if example.kind.startswith("wrong"):
            continue
        text = example.text if example.kind.startswith(("variant", "articles")) else whole_file(example)
        lines = text.split("\n")
        for first, last in parser._chunks(lines):
            yield parser._lark().parse("\n".join(lines[first:last]) + "\n")


def test_every_construct_has_an_example() -> None:
    shown = {str(node.data) for tree in parse_trees() for node in tree.iter_subtrees()}
    rules = parser._lark().rules
    expected = {str(r.alias or r.origin.name) for r in rules if r.alias or not r.options.expand1}
    missing = {w for w in expected if not w.startswith("_")} - shown
    assert not missing, f"the manual has no example of {sorted(missing)}"


def test_every_word_has_an_example() -> None:
    grammar = re.sub(r"//.*", "", grammar_text())
    words = set(re.findall(r'"([a-z]+)"', grammar)) | {"impossible", "nothing", "leave", "div", "mod"}
    shown = {word for e in ALL for word in re.findall(r"[a-z]+", re.sub(r"#.*", "", e.text))}
    # Grammatical variants of other words.
    same = {"take", "gain", "lose", "choose", "win", "enum", "board", "figure", "deck", "effect", "track"}
    assert sorted(words - shown - same) == []


def test_reserved_words_in_the_manual_are_complete(tmp_path: Path, rewrite_goldens: bool) -> None:
    """Listed words cannot be declared, every other word of the grammar can; `--rewrite-goldens` rewrites the list."""
    from wongar_dsl.language.semantics.builtins import TAKEN

    words = set(re.findall(r"\b[a-z]{2,}\b", re.sub(r"//.*", "", grammar_text()))) | TAKEN
    refused = set()
    for word in words:
        _, diagnostics = inspect(write_rules(tmp_path, f"game g\n    players 2\n    source house rule\nscore {word}\n"))
        if any(d.code in ("R0205", "R0101") for d in diagnostics):
            refused.add(word)
    block = "```words\n" + textwrap.fill(" ".join(sorted(refused, key=str.lower)), 116) + "\n```\n"
    if rewrite_goldens:
        text = re.sub(r"^```words\n.*?^```\n", block, CHAPTERS["files"], flags=re.M | re.S)
        (MANUAL / "files.md").write_text(text, encoding="utf-8")
    assert block in (MANUAL / "files.md").read_text(encoding="utf-8")


def test_every_property_has_an_example() -> None:
    from wongar_dsl.language.semantics.builtins import TAKEN

    text = "".join(CHAPTERS.values())
    assert not {name for name in TAKEN if f"`{name}" not in text and f" {name} " not in text}


def test_limits_in_the_manual_are_those_of_the_program() -> None:
    from wongar_dsl.compiler.backends import cycle_search
    from wongar_dsl.compiler.ir.program import BUDGET
    from wongar_dsl.compiler.lowering.decisions import CAPACITY
    from wongar_dsl.engine import MAX_DECISIONS
    from wongar_dsl.engine.game import MAX_EVENTS
    from wongar_dsl.language.checker import declarations, expressions, game_checks
    from wongar_dsl.language.parser.builder import MAX_NUMBER
    from wongar_dsl.language.semantics import MAX_CELLS
    from wongar_dsl.language.semantics.shapes import MAX_SIDE

    rows = re.findall(r"^\| ([a-z].*?) \| (.*) \|$", CHAPTERS["limits_and_mistakes"], re.M)
    stated = {
        title.split("(")[0].strip(): [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\b", text)]
        for title, text in rows
    }
    assert stated == {
        "what": [],
        "a file": [parser.MAX_CHARACTERS, parser.MAX_ARTICLES],
        "an article": [parser.MAX_LINES_OF_ARTICLE, game_checks.MAX_WRITTEN_OUT],
        "a line": [parser.MAX_LINE, parser.MAX_LINE_TOKENS],
        "nesting": [parser.MAX_INDENTS, parser.MAX_BRACKETS, expressions.MAX_CALLS, game_checks.MAX_NESTED],
        "players": [declarations.MAX_PLAYERS],
        "values of an enumeration, areas of a board, kinds of card, cards of a deck": [declarations.MAX_VALUES],
        "cells of a table": [MAX_CELLS],
        "values that a position is made of": [game_checks.MAX_STATE],
        "a number": [MAX_NUMBER, 0],
        "the lines of `lines of`": [declarations.MAX_LINE],
        "the side of a shape; coverings of one `coverings` article": [
            MAX_SIDE, declarations.MAX_COVERINGS,
        ],
        "what has to be worked out before play, for the whole file: squares tried for coverings, cells of the tables "
        "behind `within`, `along` and `lines of`": [WORK],
        "the memory of `without going round`": [CAPACITY],
        "steps between two decisions": [BUDGET],
        "events that are reported between two decisions": [MAX_EVENTS],
        "what a search leaves of these steps": [cycle_search.RESERVE],
        "decisions of a game": [MAX_DECISIONS],
    }  # fmt: skip


def test_index_lists_every_chapter_once() -> None:
    listed = re.findall(r"^\| \[(.*?)\]\((.*?)\.md\) \| ", INDEX, re.M)
    titles = {(re.match(r"# (.*)\n", text)[1], name) for name, text in CHAPTERS.items() if name != "README"}
    assert sorted(listed) == sorted(titles)
