"""Names that docstrings and comments quote exist: a rename that forgets them is found."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Quoted words that are no names of the project: examples of messages, letters, squares, players and forms of words.
EXAMPLES = {
    "chess",
    "captured",
    "gruen",
    "citta",
    "click",
    "player_1",
    "player_2",
    "a1",
    "b1",
    "r206",
    "dat",
    "VARIANT",
}
#: A quoted dotted name, and a constant named in the comment of another one.
QUOTED = re.compile(r"`([A-Za-z_][\w.]*?)\.*(?:\(\))?`")
CONSTANT = re.compile(r"#: .*\b([A-Z]{4,}(?:_[A-Z]+)*)\b")
ABBREVIATIONS = {"JSON", "HTML", "POSIX", "ANSI", "ASCII", "CLDR", "YAML", "__path__"}


def texts(*folders: str, suffixes: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """Yield the files of folders, without symbolic links."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and path == path.resolve():
                yield path, path.read_text(encoding="utf-8")


def test_quoted_names_exist() -> None:
    prose: list[tuple[str, str]] = []
    known = {*EXAMPLES, *ABBREVIATIONS}
    for path, text in texts("wongar_dsl", "cli", "web", suffixes=(".py",)):
        known |= {*path.relative_to(ROOT).with_suffix("").parts}
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or token.string.startswith(('"""', 'r"""')):
                prose.append((f"{path.relative_to(ROOT)}:{token.start[0]}", token.string))
            elif token.type in (tokenize.NAME, tokenize.STRING):
                known |= {*re.findall(r"\w+", token.string)}
    for _, text in texts("wongar_dsl", "web", "rules", suffixes=(".c", ".h", ".js", ".lark", ".rules")):
        known |= {*re.findall(r"\w+", text)}
    for path, _ in texts("benchmarks", "tests", "tools", suffixes=(".py",)):
        known |= {*path.relative_to(ROOT).with_suffix("").parts}
    unknown = [
        f"{place}: {name}"
        for place, text in prose
        for name in (*QUOTED.findall(text), *CONSTANT.findall(text))
        if not {*name.split(".")} <= known and name.isascii()
    ]
    assert unknown == []
