"""What a parse error means to somebody who writes rules: where to look, what is wrong, and what could stand there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import get_args

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from wongar_dsl import syntax as s
from wongar_dsl.parser.forms import form_of
from wongar_dsl.parser.keywords import statement_words
from wongar_dsl.text.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.text.span import Source, Span
from wongar_dsl.text.suggest import did_you_mean

TOKEN = re.compile(r'"[^"\n]*"|#.*|\w+|[^\s\w]')

#: What a line in the first column begins with.
_ZONES = get_args(s.ZoneKind)
ARTICLES = (*(sort for sort in s.SORTS if sort != "zone"), *_ZONES, "variant")
CHANGES = ("set", "add", "before", "after", "allow", "replace", "remove")

#: How other languages, and people, say what this one says otherwise.
_FOREIGN = {
    "else": "otherwise", "elif": "otherwise if", "elseif": "otherwise if", "when": "if", "while": "repeat while",
    "until": "repeat until", "loop": "repeat", "foreach": "for each", "return": "give", "print": "tell", "say": "tell",
    "var": "let", "const": "let", "break": "leave loop", "exit": "end rule", "stop": "end rule", "pass": "nothing",
    "function": "rule", "def": "rule", "procedure": "rule", "class": "enum", "type": "enum", "map": "board",
    "true": "yes", "false": "no", "null": "nobody", "nil": "nobody", "get": "gain", "gets": "gains", "got": "gains",
    "scores": "gains", "receives": "gains", "earns": "gains", "pays": "loses", "pay": "lose", "equals": "=",
    "&": "and", "|": "or", "!": "not", "/": "div", "%": "mod", "==": "=", "<>": "!=", "=<": "<=", "=>": ">=",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": '"', "’": '"', "'": '"', "–": "-", "—": "-", "−": "-",
    "×": "*", "·": "*", "÷": "div", "≤": "<=", "≥": ">=", "≠": "!=", "//": "#", "{": "(", "}": ")",
}  # fmt: skip

_PLAIN = {
    "NAME": "name", "GAME_AND_VARIANT": "name", "INT": "number", "STRING": "text", "LPAR": "(", "RPAR": ")",
    "LSQB": "[", "RSQB": "]", "COMMA": ",", "COLON": ":", "EQUAL": "=", "EQUALS": "=", "MINUS": "-",
    "_NL": "end of line", "_INDENT": "indented block", "COMPARE": "<", "PLUS": "+", "TIMES": "*", "VALUE": "value",
    "BY_TIME": "by time", "DRAWN": "x", "_OFTEN": "times",
}  # fmt: skip
_GROUPS = {
    "ZONE": _ZONES,
    "SIMPLE": ("end game", "end rule", "leave loop"),
    "EXTREME": ("most", "fewest"),
    "GAIN": ("gains", "loses"),
    "_CHOOSE": ("chooses",),
    "FRESH": ("without going round",),
    "KINDS": ("kind of",),
    "SORT": ("rule", "effect", "table"),
    "SIDE": ("before", "after"),
    "LIST": ("enum", "cards", "deck", "track", "table"),
    "PROCEDURE": ("rule", "effect"),
    "COURSE": ("setup", "play"),
}
_HIDDEN = frozenset({"$END", "_DEDENT"})
#: With these a value begins; where all of them could stand, "a value" says it.
_VALUE = frozenset({"INT", "LPAR", "NAME", "NOBODY", "MY"})
_IN_VALUE = _VALUE | {
    "MINUS", "NO", "NONE", "YES", "COUNT", "FIRST", "HIGHEST", "LOWEST", "NUMBER", "RANDOM", "SUM", "TALLY", "NOT",
    "SOME", "EVERY",
}  # fmt: skip
_ORDER = ("end of line", "indented block", "value", "name", "number", "text")
_OPERATORS = frozenset({"(", "[", "=", "<", "+", "-", "*", "of", "is", "and", "or"})
#: What other languages write at the end of a line that a block follows, or of any line.
_SURPLUS = frozenset({"then", "do", "begin", "end", ":", ";", ")", "]"})
#: What only a statement has after its first word; a line in the first column with it was meant to be indented.
_OF_STATEMENTS = frozenset({"gain", "gains", "lose", "loses", "take", "takes", "choose", "chooses", "win", "wins"})
_OPENING, _CLOSING = "\"“”„«»‘’'", "\"“”«»‘’'"


def diagnose(
    source: Source, first: int, text: Sequence[str], error: UnexpectedInput, reserved: frozenset[str]
) -> tuple[Diagnostic, int]:
    """The diagnostic of a parse error, and the index of the line in `text` that is at fault.

    `first` is the number of lines before the article.
    """
    place = _Place(source, first, text, reserved)
    if isinstance(error, UnexpectedCharacters):
        return place.character(int(error.line) - 1, int(error.column))
    assert isinstance(error, UnexpectedToken)
    return place.token(error.token, frozenset(error.accepts or error.expected))


def line_span(source: Source, first: int, text: Sequence[str], line: int) -> Span:
    """All of a line but its indentation."""
    line = min(line, len(text) - 1)
    shown = text[line]
    indent = len(shown) - len(shown.lstrip())
    return Span(source, first + line + 1, indent + 1, first + line + 1, max(len(shown.rstrip()), indent) + 1)


class _Place:
    """An article's lines, and what can be found out from them about an error."""

    def __init__(self, source: Source, first: int, text: Sequence[str], reserved: frozenset[str]) -> None:
        self.source, self.first, self.text, self.reserved = source, first, text, reserved

    def span(self, line: int, column: int, length: int = 1) -> Span:
        number = self.first + line + 1
        return Span(self.source, number, column, number, column + max(length, 1))

    def words(self, line: int) -> list[tuple[int, str]]:
        """The words of a line with their columns, without the comment."""
        found = [(m.start() + 1, m[0]) for m in TOKEN.finditer(self.text[line])]
        return [(column, word) for column, word in found if not word.startswith("#")]

    def end(self, line: int) -> Span:
        """The place after the last word of a line."""
        words = self.words(line)
        return self.span(line, words[-1][0] + len(words[-1][1]) if words else 1)

    def filled(self, line: int, step: int) -> int:
        """The nearest line with words, from `line` on in the direction of `step`."""
        while 0 <= line < len(self.text) and not self.words(line):
            line += step
        return min(max(line, 0), len(self.text) - 1)

    # ---- characters that no word begins with ----

    def character(self, line: int, column: int) -> tuple[Diagnostic, int]:
        line = min(max(line, 0), len(self.text) - 1)
        shown = self.text[line]
        character = shown[column - 1 : column] or " "
        if unicodedata.category(character) in ("Zs", "Cf"):
            number = f"U+{ord(character):04X}"
            return Diagnostic("R0111", self.span(line, column), {"character": number}), line
        quoted = re.match(rf"[{_OPENING}](\d+)[{_CLOSING}]", shown[column - 1 :])
        if quoted is not None:
            span = self.span(line, column, len(quoted[0]))
            return Diagnostic("R0103", span, {"character": character}, suggestion=quoted[1]), line
        if character == '"':
            return Diagnostic("R0107", self.span(line, len(shown.rstrip()) + 1), {"expected": ('"',)}), line
        suggestion = _FOREIGN.get(shown[column - 1 : column + 1]) or _FOREIGN.get(character)
        if suggestion is None and character.isalpha():
            around = next((w for c, w in self.words(line) if c <= column < c + len(w)), "")
            plain = _plain_letters(around)
            suggestion = plain if plain.isascii() and plain.isidentifier() and plain != around else None
        found = Diagnostic("R0103", self.span(line, column), {"character": character}, suggestion=suggestion)
        return found, line

    # ---- words in the wrong place ----

    def token(self, token: Token, terminals: frozenset[str]) -> tuple[Diagnostic, int]:
        line = min(max((token.line or len(self.text)) - 1, 0), len(self.text) - 1)
        column = token.column or 1
        if token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
            line = self.filled(line, -1)
            column = len(self.text[line]) + 1
        unclosed = self._unclosed(line, column)
        if unclosed is not None:
            return unclosed
        strange = self._strange_beginning(line, column, token.type, terminals)
        if strange is not None:
            return strange, line
        expected = wanted(terminals)
        if expected == ("indented block",) and token.type != "_NL":
            line = line if token.type.startswith(("_", "$")) else self.filled(line - 1, -1)
            return Diagnostic("R0107", self.end(line), {"expected": expected}), line
        if token.type == "_INDENT":
            below = self.filled(line + 1, 1)
            return Diagnostic("R0102", line_span(self.source, self.first, self.text, below)), below
        if token.type in ("_NL", "_DEDENT", "$END"):
            words = self.words(line)
            if expected == ("from",) and words[0][1] == "move" and len(words) > 2:
                at, found = words[-1]
                span, expected = self.span(line, at, len(found)), ("from", "to")
                return Diagnostic("R0101", span, {"found": found, "expected": expected}, (), f"to {found}"), line
            return Diagnostic("R0107", self.end(line), {"expected": expected}), line
        return self._unexpected(line, column, str(token).strip(), expected), line

    def _unclosed(self, line: int, column: int) -> tuple[Diagnostic, int] | None:
        """A bracket in a line before the error that nothing in the article closes."""
        opened: list[tuple[int, int, str]] = []
        before: tuple[int, int, str] | None = None
        for number in range(len(self.text)):
            for at, word in self.words(number):
                if (number, at) >= (line, column) and before is None:
                    before = next((o for o in opened if o[0] < line), (-1, 0, ""))
                if word in ("(", "["):
                    opened.append((number, at, word))
                elif word in (")", "]") and opened:
                    opened.pop()
        if before is None:
            before = next(iter(opened), (-1, 0, ""))
        if before[0] < 0 or before not in opened:
            return None
        at_line, at, bracket = before
        label = Label(self.span(at_line, at), "here")
        closing = ")" if bracket == "(" else "]"
        return Diagnostic("R0107", self.end(at_line), {"expected": (closing,)}, (label,)), at_line

    def _strange_beginning(self, line: int, column: int, kind: str, terminals: frozenset[str]) -> Diagnostic | None:
        """Where a line fails because its first word is none that a line could begin with."""
        words = self.words(line)
        if not words or words[0][0] > column:
            return None
        at, first = words[0]
        span = self.span(line, at, len(first))
        if at == 1:
            known = (*ARTICLES, *CHANGES)
            if first in known or first in ("source", "game"):
                return None
            if first in statement_words():
                return Diagnostic("R0102", line_span(self.source, self.first, self.text, line))
            if first not in _FOREIGN and (
                (words[1:2] and words[1][1] == "(") or {w for _, w in words} & _OF_STATEMENTS
            ):
                return Diagnostic("R0102", line_span(self.source, self.first, self.text, line))
            near = _FOREIGN.get(first.lower()) or _nearest(first, known, 0.7)
            return Diagnostic("R0101", span, {"found": first, "expected": ARTICLES}, suggestion=near)
        after_name = "_CHOOSE" in terminals or kind == "_INDENT"
        place = next((i for i, (c, _) in enumerate(words) if c >= column), len(words))
        if not after_name or place > 1 or (first in self.reserved and first not in _FOREIGN):
            return None
        near = _FOREIGN.get(first) or _nearest(first, statement_words(), 0.75)
        if near is None and (place == len(words) or not words[place][1].isdigit()):
            return None
        return Diagnostic("R0101", span, {"found": first, "expected": statement_words()}, suggestion=near)

    def _unexpected(self, line: int, column: int, found: str, expected: tuple[str, ...]) -> Diagnostic:
        """A word that cannot follow the words before it, with what was probably meant."""
        words = self.words(line)
        index = next((i for i, (at, _) in enumerate(words) if at == column), 0)
        shown = self.text[line]
        span = self.span(line, column, len(found))
        before = words[index - 1] if index else (0, "")
        if found == ":" and before[1] in self.reserved and index > 1 and words[index - 2][1] in ("(", ","):
            # A message's argument; in an option the same name would do.
            other = Hint("another_name", {"example": f"this_{before[1]}"})
            return Diagnostic("R0205", self.span(line, before[0], len(before[1])), {"name": before[1]}, hint=other)
        suggestion = _FOREIGN.get(found) if found not in (":", ";") else None
        if before[0] + len(before[1]) == column and before[1] + found in _FOREIGN:
            found = before[1] + found
            span, suggestion = self.span(line, before[0], len(found)), _FOREIGN[found]
        elif (found in ("+", "-") and shown[column : column + 1] == "=") or (found == "=" and index == 1):
            suggestion = f"set {words[0][1]} to" if words[0][1] not in self.reserved else None
        elif found == "-" and re.search(r"[a-z]-[a-z]", shown[column - 2 : column + 1]):
            after = words[index + 1][1] if index + 1 < len(words) else ""
            suggestion = f"{before[1]}_{after}"
        elif found in (":", ";", ")", "]") and "end of line" in expected:
            expected = ("end of line",)
        elif expected == ("(",) and found.isidentifier() and before[1].isidentifier():
            suggestion = f"{before[1]}_{found}"
        if suggestion is None and found.isidentifier():
            suggestion = did_you_mean(found, [e for e in expected if e not in _ORDER], 0.75)
        if suggestion is None:
            suggestion = self._meant(words, index, found, expected)
        hint = self._hint(words, index, found, expected)
        return Diagnostic("R0101", span, {"found": found, "expected": expected}, suggestion=suggestion, hint=hint)

    def _meant(self, words: Sequence[tuple[int, str]], index: int, found: str, expected: tuple[str, ...]) -> str | None:
        """What was probably meant where something was left out, or written too much."""
        first, before = words[0][1], words[index - 1][1] if index else ""
        said = [word for _, word in words]
        if found.startswith('"'):
            inner = found[1:-1]
            plain = inner.isdigit() or (inner.isidentifier() and inner.islower())
            return inner if plain and {"value", "number"} & set(expected) and first != "tell" else None
        if expected == ("in",) and "count" in said[:index]:
            return "size of"
        if before == first == "otherwise":
            return f"otherwise if {found}"
        names = found.isidentifier() and before.isidentifier()
        if index == 2 and names and (found not in self.reserved or first == "variant") and first in ARTICLES:
            return f"{before}_{found}"
        missing = expected[0] if len(expected) == 1 else "to" if first == "set" and "to" in expected else None
        if missing is None or missing in _ORDER or not (found.isidentifier() or found.isdigit()):
            return missing if found == "=" and missing == "to" else None
        return f"{before}{'' if missing == ':' else ' '}{missing} {found}"

    @staticmethod
    def _hint(words: Sequence[tuple[int, str]], index: int, found: str, expected: tuple[str, ...]) -> Hint | None:
        """What helps on where nothing can be suggested."""
        first, before = words[0][1], words[index - 1][1] if index else ""
        after = words[index + 1][1] if index + 1 < len(words) else ""
        if found.startswith('"'):
            told = first == "tell" or before == "as"
            return Hint("message_name", {"example": "tie_broken"}) if told else Hint("no_text")
        if expected == ("end of line",) or (found in _SURPLUS and "end of line" in expected):
            return Hint("leave_out", {"word": found})
        if found in (",", ".") and before.isdigit() and after.isdigit():
            return Hint("whole_number")
        if found == "-" and expected == ("number",):
            return Hint("no_less")
        if (first, before) in (("add", "to"), ("remove", "from")) and found in ARTICLES:
            whole = f"{found} {after}".rstrip()
            if found in get_args(s.ProcedureSort):
                return Hint("add_step", {"form": f"after turn in {whole}"})
            return Hint("add_whole", {"article": f"replace {whole}"})
        form = form_of([word for _, word in words], article=words[0][0] == 1)
        return Hint("form", {"form": form}) if form is not None else None


def wanted(terminals: Iterable[str]) -> tuple[str, ...]:
    """What could have stood there, in the words of the language, the likely ones first."""
    known = set(terminals) - _HIDDEN
    if known >= _VALUE:
        known = (known - _IN_VALUE) | {"VALUE"}
    words: list[str] = []
    for terminal in sorted(known):
        words.extend(_GROUPS.get(terminal) or [_PLAIN.get(terminal) or terminal.lower().strip("_")])

    def rank(word: str) -> tuple[int, str]:
        if word in _ORDER:
            return (_ORDER.index(word), "")
        return (len(_ORDER) + (word in _OPERATORS) + (not word.isalpha()), word)

    return tuple(sorted(dict.fromkeys(words), key=rank))


def _nearest(word: str, known: Sequence[str], cutoff: float) -> str | None:
    """The known word that is nearest, upper case or lower."""
    return word.lower() if word.lower() in known else did_you_mean(word.lower(), known, cutoff)


def _plain_letters(word: str) -> str:
    """A word in the letters a to z: `grün` becomes `gruen`, `città` becomes `citta`."""
    for letter, plain in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"), ("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue")):
        word = word.replace(letter, plain)
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
