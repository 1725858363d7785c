"""Colours for rule files, made from the grammar of the language: for VS Code, and for Pygments.

    python tools/make_highlighting.py            # write both files
    python tools/make_highlighting.py --check    # only say whether they are as they would be written

Words are sorted by what the grammar does with them: those that articles begin with, those that statements begin with or
have as their verb, values, all others.  A word that the grammar knows in one place only may be a name elsewhere; it is
coloured where its neighbours in the grammar stand beside it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lark.grammar import NonTerminal, Rule, Symbol, Terminal

from wongar_dsl.model.builtins import FUNCTIONS, PROPERTIES, TAKEN
from wongar_dsl.parser import parser
from wongar_dsl.parser.keywords import reserved_words

ROOT = Path(__file__).resolve().parents[1]
TEXTMATE = ROOT / "editors" / "vscode" / "syntaxes" / "game-rules.tmLanguage.json"
PYGMENTS = ROOT / "wongar_dsl" / "editor" / "patterns.py"
SCOPE = "game-rules"
NAME = r"[A-Za-z]\w*"


class Pattern(NamedTuple):
    """A regular expression, and the scope of each of its groups; group 0 is all of it."""

    regex: str
    scopes: dict[int, str]


class Language:
    """The words of the grammar, and what it does with them."""

    def __init__(self) -> None:
        lark = parser._lark()
        self.rules: Sequence[Rule] = lark.rules
        self.patterns = {terminal.name: terminal for terminal in lark.terminals}
        #: The words that a terminal stands for.
        self.words = {name: self._words_of(name) for name in self.patterns}
        self.reserved = reserved_words()

    def _words_of(self, name: str) -> tuple[str, ...]:
        alternatives = re.fullmatch(r"(?:\((?:\?:)?)?([a-z|]+)\)?(?:\(\?!.*\))?", self.patterns[name].pattern.value)
        return tuple(alternatives[1].split("|")) if alternatives is not None else ()

    def first(self, name: str, seen: frozenset[str] = frozenset()) -> set[str]:
        """The words that what a rule describes can begin with."""
        found: set[str] = set()
        for rule in self.rules:
            if rule.origin.name == name and rule.expansion and name not in seen:
                symbol = rule.expansion[0]
                inside = self.first(symbol.name, seen | {name}) if isinstance(symbol, NonTerminal) else set()
                found |= inside if isinstance(symbol, NonTerminal) else set(self.words[symbol.name])
        return found

    def verbs(self) -> set[str]:
        """The words that stand second in statements."""
        names = {rule.expansion[0].name for rule in self.rules if rule.origin.name == "statement"}
        second = [
            rule.expansion[1]
            for rule in self.rules
            if rule.origin.name in names and len(rule.expansion) > 1 and isinstance(rule.expansion[0], NonTerminal)
        ]
        return {word for symbol in second if isinstance(symbol, Terminal) for word in self.words[symbol.name]}

    def values(self) -> set[str]:
        """The words that are a value by themselves."""
        alone = [rule.expansion[0] for rule in self.rules if rule.origin.name == "atom" and len(rule.expansion) == 1]
        return {word for symbol in alone for word in self.words.get(symbol.name, ())}

    def phrases(self) -> set[str]:
        """Words right behind each other, one of which may be a name elsewhere, and terminals of several words."""
        found = set()
        for rule in self.rules:
            for run in self._runs(rule.expansion):
                if self._is_phrase(run):
                    found.add(r"[ \t]+".join(_any(words) for words in run))
        for name, terminal in self.patterns.items():
            text = terminal.pattern.value
            if not self.words[name] and terminal.priority > 0 and re.match(r"\(?[a-z]", text):
                found.add(text)
        return found

    def single(self) -> set[str]:
        """The words that stand somewhere by themselves: not in a phrase, nor at the beginning of an article only."""
        found = set()
        articles = {rule.expansion[0].name for rule in self.rules if rule.origin.name == "article"}
        for rule in self.rules:
            first = rule.expansion[:1] if rule.origin.name in articles else []
            for number, run in enumerate(self._runs(rule.expansion[len(first) :])):
                before = [self.words.get(symbol.name, ()) for symbol in first] if number == 0 else []
                if not self._is_phrase([*before, *run]):
                    found |= {word for words in run for word in words}
        signs = (t for t in self.patterns.values() if t.priority > 0 and t.pattern.value.startswith("\\"))
        return found | {word for terminal in signs for word in re.findall("[a-z]{2,}", terminal.pattern.value)}

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
        """The words that can be all of a line inside an article."""
        found = set(re.findall(r"(?<=[(|])[a-z]+(?=[|)])", self.patterns["SIMPLE"].pattern.value))
        for rule in self.rules:
            first, *rest = (symbol.name for symbol in rule.expansion or [Terminal("_NL")])
            if rest[:1] in (["block"], ["_NL"]):
                found |= set(self.words.get(first, ()))
        return found


def patterns() -> list[Pattern]:
    """The patterns in the order in which they are tried."""
    language = Language()
    declaring, values = language.first("article"), language.values()
    control = (language.first("statement") | language.verbs() | {"otherwise"}) & language.reserved - values
    single = language.single()
    others = single & language.reserved - control - values
    lone = single - language.reserved - declaring
    # What an article begins with, and what may be a name too, stands by itself before the last word of a line.
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
    """One of some words."""
    alternatives = sorted(words)
    return alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"


def textmate() -> str:
    """The grammar for VS Code."""
    entries: list[dict[str, object]] = []
    for regex, scopes in patterns():
        named = {str(group): {"name": f"{scope}.{SCOPE}"} for group, scope in scopes.items()}
        entries.append({"match": regex} | (named["0"] if 0 in scopes else {"captures": named}))
    grammar = {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "comment": "Made by tools/make_highlighting.py; do not change it here.",
        "name": "Game rules",
        "scopeName": f"source.{SCOPE}",
        "fileTypes": ["rules"],
        "patterns": entries,
    }
    return json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"


def pygments() -> str:
    """The module with the patterns for Pygments."""
    lines = ['"""How the parts of a rule file look; made by tools/make_highlighting.py, do not change it here."""', ""]
    lines += ["from __future__ import annotations", ""]
    lines += ["#: Regular expressions in the order in which they are tried, each with the scopes of its groups."]
    lines += ["PATTERNS: tuple[tuple[str, dict[int, str]], ...] = ("]
    for regex, scopes in patterns():
        parts = re.findall(r".{1,90}(?:\||$)|.{1,90}", regex.replace("\n", r"\n"))
        named = ", ".join(f'{group}: "{scope}"' for group, scope in scopes.items())
        lines += ["    ("]
        lines += (
            ["        (", *(f"            {_literal(part)}" for part in parts), "        ),"]
            if parts[1:]
            else [f"        {_literal(parts[0])},"]
        )
        lines += [f"        {{{named}}},", "    ),"]
    return "\n".join([*lines, ")", ""])


def _literal(regex: str) -> str:
    """A part of a regular expression as Python writes it."""
    quote = "'" if '"' in regex else '"'
    return f"{'r' if chr(92) in regex else ''}{quote}{regex}{quote}"


def main(arguments: Sequence[str]) -> int:
    """Write the files, or say which of them is not as it would be written."""
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
