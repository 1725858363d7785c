"""Names that docstrings and comments quote exist: a rename that forgets them is found."""

from __future__ import annotations

import re

from tools.house import ROOT, sources

#: A comment, a string (with any quotation marks), or a name or number; `tokenize` takes four times as long.
TOKEN = re.compile(
    r"""#.*|[rbf]*(?:"{3}(?s:.)*?"{3}|"(?:\\(?s:.)|[^\\"])*"|'(?:\\(?s:.)|[^\\'])*')|\w+""", re.IGNORECASE
)
#: Files of the product in other languages, whose names are quoted as well.
OTHER_SOURCES = (".c", ".h", ".js", ".lark", ".rules")
#: Quoted words that are no names of the project: examples of messages, letters, squares, players and forms of words.
EXAMPLES = re.findall(r"\w+", "chess captured gruen citta click player_1 player_2 a1 b1 r206 dat VARIANT __path__")
#: A quoted dotted name, and a constant named in the comment of another one.
QUOTED = re.compile(r"`([A-Za-z_][\w.]*?)\.*(?:\(\))?`")
CONSTANT = re.compile(r"#: .*\b([A-Z]{4,}(?:_[A-Z]+)*)\b")
ABBREVIATIONS = {"JSON", "HTML", "POSIX", "ANSI", "ASCII", "CLDR", "YAML"}


def test_quoted_names_exist() -> None:
    prose: list[tuple[str, str]] = []
    known = {*EXAMPLES, *ABBREVIATIONS}
    for path, text in sources().items():
        known |= {*path.with_suffix("").parts}
        for token in TOKEN.finditer(text):
            if token[0].startswith(("#", '"""', 'r"""')):
                prose.append((f"{path}:{text.count(chr(10), 0, token.start()) + 1}", token[0]))
            elif not token[0].isidentifier():
                known |= {*re.findall(r"\b[a-zA-Z_]\w*", token[0])}
            else:
                known.add(token[0])
    for path in (path for folder in ("wongar_dsl", "web", "rules") for path in (ROOT / folder).rglob("*")):
        if path.suffix in OTHER_SOURCES:
            known |= {*re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    for path in (path for folder in ("benchmarks", "tests", "tools") for path in (ROOT / folder).rglob("*.py")):
        known |= {*path.relative_to(ROOT).with_suffix("").parts}
    unknown = [
        f"{place}: {name}"
        for place, text in prose
        for name in (*QUOTED.findall(text), *CONSTANT.findall(text))
        if not {*name.split(".")} <= known and name.isascii()
    ]
    assert unknown == []
