"""Generator of syntax highlighting for rule files from the grammar: for VS Code and for Pygments.

    python tools/make_highlighting.py # write both files
    python tools/make_highlighting.py --check # only check whether they are up to date

Words are classified by their role in the grammar: keywords of declarations, first words and verbs of statements,
values, and all others. A word with only one role may also be a name; it is coloured only next to its neighbours in the
grammar.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from lark.grammar import NonTerminal, Rule, Symbol, Terminal

from wongar_dsl.language.parser import parser
from wongar_dsl.language.parser.keywords import reserved_words
from wongar_dsl.language.semantics.builtins import FUNCTIONS, PROPERTIES, TAKEN

ROOT = Path(__file__).resolve().parents[1]
TEXTMATE = ROOT / "editors" / "vscode" / "syntaxes" / "game-rules.tmLanguage.json"
PYGMENTS = ROOT / "wongar_dsl" / "language" / "printer" / "highlight_tables.py"
SCOPE = "game-rules"
NAME = r"[A-Za-z]\w*"


class Pattern(NamedTuple):
    """Regular expression, and the scope of each of its groups; group 0 is the whole match."""

    regex: str
    scopes: dict[int, str]


class Language:
    """Words of the grammar, classified by role."""

    def __init__(self) -> None:
        lark = parser._lark()
        self.rules: Sequence[Rule] = lark.rules
        self.patterns = {terminal.name: terminal for terminal in lark.terminals}
        #: Words that each terminal matches.
        self.words = {name: self._words_of(name) for name in self.patterns}
        self.reserved = reserved_words()

    def _words_of(self, name: str) -> tuple[str, ...]:
        alternatives = re.fullmatch(r"(?:\((?:\?:)?)?([a-z|]+)\)?(?:\(\?!.*\))?", self.patterns[name].pattern.value)
        return tuple(alternatives[1].split("|")) if alternatives is not None else ()

    def first(self, name: str, seen: frozenset[str] = frozenset()) -> set[str]:
        """Return the words that can start a construct."""
        result: set[str] = set()
        for rule in self.rules:
            if rule.origin.name == name and rule.expansion and name not in seen:
                symbol = rule.expansion[0]
                inside = self.first(symbol.name, seen | {name}) if isinstance(symbol, NonTerminal) else set()
                result |= inside if isinstance(symbol, NonTerminal) else set(self.words[symbol.name])
        return result

    def verbs(self) -> set[str]:
        """Return the words in second position of statements."""
        names = {rule.expansion[0].name for rule in self.rules if rule.origin.name == "statement"}
        second = [
            rule.expansion[1]
            for rule in self.rules
            if rule.origin.name in names and len(rule.expansion) > 1 and isinstance(rule.expansion[0], NonTerminal)
        ]
        return {word for symbol in second if isinstance(symbol, Terminal) for word in self.words[symbol.name]}

    def values(self) -> set[str]:
        """Return the words that are values."""
        alone = [rule.expansion[0] for rule in self.rules if rule.origin.name == "atom" and len(rule.expansion) == 1]
        return {word for symbol in alone for word in self.words.get(symbol.name, ())}

    def phrases(self) -> set[str]:
        """Return sequences of words in which one may also be a name, and terminals of several words."""
        result = set()
        for rule in self.rules:
            for run in self._runs(rule.expansion):
                if self._is_phrase(run):
                    result.add(r"[ \t]+".join(_any(words) for words in run))
        for name, terminal in self.patterns.items():
            text = terminal.pattern.value
            if not self.words[name] and terminal.priority > 0 and re.match(r"\(?[a-z]", text):
                result.add(text)
        return result

    def single(self) -> set[str]:
        """Return the words used outside of phrases, and not only at the start of a declaration."""
        result = set()
        articles = {rule.expansion[0].name for rule in self.rules if rule.origin.name == "article"}
        for rule in self.rules:
            first = rule.expansion[:1] if rule.origin.name in articles else []
            for number, run in enumerate(self._runs(rule.expansion[len(first) :])):
                before = [self.words.get(symbol.name, ()) for symbol in first] if number == 0 else []
                if not self._is_phrase([*before, *run]):
                    result |= {word for words in run for word in words}
        signs = (t for t in self.patterns.values() if t.priority > 0 and t.pattern.value.startswith("\\"))
        return result | {word for terminal in signs for word in re.findall("[a-z]{2,}", terminal.pattern.value)}

    def _is_phrase(self, run: Sequence[tuple[str, ...]]) -> bool:
        return len(run) > 1 and any(word not in self.reserved for words in run for word in words)

    def _runs(self, symbols: Iterable[Symbol]) -> Iterator[list[tuple[str, ...]]]:
        run: list[tuple[str, ...]] = []
        for symbol in symbols:
            words = self.words.get(symbol.name, ())
            if words:
                run.append(words)
            else:
                yield run
                run = []
        yield run

    def whole_lines(self) -> set[str]:
        """Return the words that can form a whole line inside a declaration."""
        result = set(re.findall(r"(?<=[(|])[a-z]+(?=[|)])", self.patterns["SIMPLE"].pattern.value))
        for rule in self.rules:
            first, *rest = (symbol.name for symbol in rule.expansion or [Terminal("_NL")])
            if rest[:1] in (["block"], ["_NL"]):
                result |= set(self.words.get(first, ()))
        return result


def patterns() -> list[Pattern]:
    """Return the patterns in the order in which they are tried."""
    language = Language()
    declaring, values = language.first("article"), language.values()
    control = (language.first("statement") | language.verbs() | {"otherwise"}) & language.reserved - values
    single = language.single()
    others = single & language.reserved - control - values
    lone = single - language.reserved - declaring
    # A keyword of declarations that may be a name too stands alone before the last word of a line.
    last = (single - language.reserved) & declaring
    lines = _any(language.whole_lines() | {"otherwise"})
    return [
        Pattern("#.*$", {0: "comment.line.number-sign"}),
        Pattern('"[^"\n]*"', {0: "string.quoted.double"}),
        Pattern(r"[x.]*\.[x.]*", {0: "constant.other"}),
        *(Pattern(rf"\b(?:{phrase})\b", {0: "keyword.control"}) for phrase in sorted(language.phrases(), reverse=True)),
        Pattern(rf"\b{NAME}(?=:)", {0: "variable.parameter"}),
        Pattern(rf"\b(tell|as)[ \t]+({NAME})", {1: "keyword.control", 2: "entity.name.tag"}),
        Pattern(rf"\b(chooses?)[ \t]+(?!(?:at|by|without)\b)({NAME})", {1: "keyword.control", 2: "entity.name.tag"}),
        Pattern(rf"^[ \t]+(?!{lines}\b)({NAME})(?=[ \t]*$|[ \t]+(?:if\b|#))", {1: "entity.name.tag"}),
        Pattern(rf"\b{_any(FUNCTIONS)}(?=\()", {0: "support.function"}),
        Pattern(rf"\b{NAME}(?=\()", {0: "entity.name.function"}),
        Pattern(rf"^(?:replace[ \t]+)?{_any(declaring)}(?=[ \t\r]|$)", {0: "storage.type"}),
        Pattern(rf"\b{_any(values)}\b", {0: "constant.language"}),
        Pattern(rf"\b{_any(PROPERTIES)}(?=[ \t]+of\b)", {0: "support.function"}),
        Pattern(
            rf"\b{_any(TAKEN - {*FUNCTIONS, *PROPERTIES} - values - {'number'} | {'player'})}\b", {0: "support.type"}
        ),
        Pattern(rf"\b{_any(control)}\b", {0: "keyword.control"}),
        Pattern(rf"\b{_any(others)}\b", {0: "keyword.operator.word"}),
        Pattern(rf'\b{_any(lone)}(?=[ \t]+["A-Za-z0-9(]|[ \t]*$)', {0: "keyword.operator.word"}),
        Pattern(rf"\b{_any(last)}(?=[ \t]+{NAME}[ \t]*(?:#.*)?$)", {0: "keyword.operator.word"}),
        Pattern(r"\b\d+\b", {0: "constant.numeric"}),
        Pattern(r"[][(),:]", {0: "punctuation"}),
        Pattern(r"<=|>=|!=|[-+*=<>]", {0: "keyword.operator"}),
        Pattern(rf"\b{NAME}\b", {0: "variable.other"}),
    ]


def _any(words: Iterable[str]) -> str:
    """Return a regular expression for any of some words."""
    alternatives = sorted(words)
    return alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"


def textmate() -> str:
    """Return the TextMate grammar for VS Code."""
    entries: list[dict[str, object]] = []
    for regex, scopes in patterns():
        named = {str(group): {"name": f"{scope}.{SCOPE}"} for group, scope in scopes.items()}
        entries.append({"match": regex} | (named["0"] if 0 in scopes else {"captures": named}))
    grammar = {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "comment": "Generated by tools/make_highlighting.py; do not edit.",
        "name": "Game rules",
        "scopeName": f"source.{SCOPE}",
        "fileTypes": ["rules"],
        "patterns": entries,
    }
    return json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"


def pygments() -> str:
    """Return the source of the module with the patterns for Pygments."""
    lines = ['"""Highlighting patterns for rule files; generated by tools/make_highlighting.py, do not edit."""', ""]
    lines += ["from __future__ import annotations", ""]
    lines += ["#: Scopes of groups, with their regular expressions, in the order in which they are tried."]
    lines += ["_GROUPS: tuple[tuple[dict[int, str], tuple[str, ...]], ...] = ("]
    for scopes, group in groupby(patterns(), lambda pattern: pattern.scopes):
        named = f"{{{', '.join(f'{number}: {_literal(scope)}' for number, scope in scopes.items())}}}"
        literals = [
            [_literal(part) for part in re.findall(r".{1,90}(?:\||$)|.{1,90}", regex.replace("\n", r"\n"))]
            for regex, _ in group
        ]
        line = f"    ({named}, ({literals[0][0]},)),"
        if len(literals) == len(literals[0]) == 1 and len(line) <= 120:
            lines += [line]
            continue
        lines += ["    (", f"        {named},", "        ("]
        for first, *others in literals:
            parts = [f"                {part}" for part in (first, *others)]
            lines += ["            (", *parts, "            ),"] if others else [f"            {first},"]
        lines += ["        ),", "    ),"]
    lines += [")", "#: Each regular expression with the scopes of its groups."]
    lines += ["PATTERNS = tuple((regex, scopes) for scopes, group in _GROUPS for regex in group)", ""]
    return "\n".join(lines)


def _literal(regex: str) -> str:
    """Return a part of a regular expression as a Python literal."""
    quote = "'" if '"' in regex else '"'
    return f"{'r' if chr(92) in regex else ''}{quote}{regex}{quote}"


def main(arguments: Sequence[str]) -> int:
    """Write the files, or report those that are not up to date."""
    stale = 0
    for path, text in ((TEXTMATE, textmate()), (PYGMENTS, pygments())):
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale += 1
            sys.stdout.write(f"{path.relative_to(ROOT)} is not as tools/make_highlighting.py writes it\n")
    return int(stale > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
