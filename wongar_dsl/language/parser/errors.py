"""Turns parse errors into diagnostics for authors of rules: position, mistake, and a repair or the expected words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Protocol, get_args

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from wongar_dsl.base.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.base.foreign_words import BEGINNINGS, WORDS
from wongar_dsl.base.span import Source, Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser.keywords import INNER_FORMS, TERMINAL_WORDS, example_line, statement_words
from wongar_dsl.language.parser.repairs import PARTS, TOKEN, FailingLine, Repair, repair_candidates

#: Words that begin a line in the first column.
_ZONES = get_args(s.ZoneKind)
ARTICLES = (*(sort for sort in s.SORTS if sort != "zone"), *_ZONES, "variant")
CHANGES = ("set", "add", "before", "after", "allow", "replace", "remove")
#: Lines of a game's head that a variant has none of, with a line of a variant that changes the same.
HEAD_CHANGES = {
    "players": "set players to 3 to 4",
    "age": "set age to 10",
    "minutes": "set minutes to 20 to 30",
}

_PLAIN = {
    "NAME": "name", "GAME_AND_VARIANT": "name", "INT": "number", "STRING": "text", "LPAR": "(", "RPAR": ")",
    "LSQB": "[", "RSQB": "]", "COMMA": ",", "COLON": ":", "EQUAL": "=", "EQUALS": "=", "MINUS": "-",
    "_NL": "end of line", "_INDENT": "indented block", "COMPARE": "<", "PLUS": "+", "VALUE": "value",
    "DRAWN": "x", "_OFTEN": "times",
}  # fmt: skip
#: Words of terminals that are shown, where those are not all.
_SHOWN = TERMINAL_WORDS | {
    "SIMPLE": ("end game", "end rule", "leave loop"), "GAIN": ("gains", "loses"), "_CHOOSE": ("chooses",),
    "SORT": ("rule", "effect", "table"), "TIMES": ("*",),
}  # fmt: skip
_HIDDEN = frozenset({"$END", "_DEDENT", "STEP"})
#: Terminals that begin a value; where all of them are possible, "a value" is shown instead.
_VALUE = frozenset({"INT", "LPAR", "NAME", "NOBODY", "MY"})
_IN_VALUE = _VALUE | {
    "MINUS", "NO", "NONE", "YES", "COUNT", "FIRST", "HIGHEST", "LOWEST", "NUMBER", "RANDOM", "SUM", "TALLY", "NOT",
    "SOME", "EVERY",
}  # fmt: skip
_ORDER = ("end of line", "indented block", "value", "name", "number", "text")
_OPERATORS = frozenset({"(", "[", "=", "<", "+", "-", "*", "of", "is", "and", "or"})
#: Block openers and line ends of other languages.
_SUPERFLUOUS = frozenset({"then", "do", "begin", "end", ":", ";", ".", ")", "]", "{", "}", ","})
#: Second words that occur only in statements; a line in the first column with one lacks its indentation.
_OF_STATEMENTS = frozenset({"gain", "gains", "lose", "loses", "take", "takes", "choose", "chooses", "win", "wins"})
#: Words after which a line continues, and words that compute a new value.
_CONTINUING = frozenset({"and", "or", "+", "-", "*", "=", "<", ">", ",", "div", "mod", "not"})
_CALCULATION = frozenset({"+", "-", "*", "[", "(", "div", "mod", "of"})
#: Names that belong to an owner, as they are declared or used.
_OWNED = re.compile(r"\b[A-Za-z]\w*(?= of )|(?<=^score )\w+", re.M)
#: Names with a value of their own: remembered and local ones.
_SETTABLE = re.compile(r"(?<=\bremember )\w+|(?<=\blet )\w+|(?<=\Weach )\w+|\w+(?=:)")
#: What follows a built-in property: its owner, or the value of an argument or option with its name.
_PART_USED = re.compile(r" *(?:of\b|[(:,)])")
_OWNER = re.compile(r"\b([A-Za-z]\w*) (?P<of>of)\b(?= *(\w*))")
_UNREAD = re.compile(r'"[^"\n]*"|#.*')
#: Articles with a line for each of their parts.
_OF_LINES = frozenset({"board", "cards", "deck", "track", "winner", "add", "shapes"})
#: Maximum number of repairs tried for a line.
MAX_REPAIRS_TRIED = 60
_OPENING, _CLOSING = "\"“”„«»‘’'", "\"“”«»‘’'"


#: A position in an article: line number from 0, column from 1.
Place = tuple[int, int]
#: Keywords that also name a type, a property or an argument, so that the grammar reads them as names.
_ALSO_NAMES = frozenset({"board", "cards", "figure", "number", "player", "players", "row", "space", "spaces"})


class TentativeParser(Protocol):
    """Reads an article tentatively, within the parsing budget of the file."""

    def __call__(self, text: Sequence[str]) -> Place | None:
        """Return the position where an article first fails; None where it parses."""

    def names(self, text: Sequence[str], line: int) -> list[tuple[int, str]]:
        """Return the names that the parser finds in a line, with their columns, up to the first failure."""


def diagnose(
    source: Source, first: int, text: Sequence[str], error: UnexpectedInput, reserved: frozenset[str],
    fails: TentativeParser,
) -> tuple[Diagnostic, int]:  # fmt: skip
    """Return the diagnostic of a parse error, and the index of the faulty line in `text`.

    `first` is the number of lines before the article; `fails` returns where a text first fails.
    """
    place = _ErrorSearch(source, first, text, reserved, fails)
    if isinstance(error, UnexpectedCharacters):
        return place.character(int(error.line) - 1, int(error.column), frozenset(error.allowed or ()))
    assert isinstance(error, UnexpectedToken)
    return place.token(error, frozenset(error.accepts or error.expected))


def place_of(error: UnexpectedInput, text: Sequence[str]) -> Place:
    """Return the position of a parse error.

    An error in the block structure is placed at the end of the line before it.
    """
    token = error.token if isinstance(error, UnexpectedToken) else None
    line, column = int(getattr(error, "line", 0) or 0), int(getattr(error, "column", 0) or 0)
    if token is not None:
        line, column = token.line or len(text), token.column or 1
    line = min(max(line - 1, 0), len(text) - 1)
    if token is not None and token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        while line > 0 and not TOKEN.sub(lambda m: "" if m[0].startswith("#") else m[0], text[line]).strip():
            line -= 1
        column = len(text[line]) + 1
    return (line, column)


def line_span(source: Source, first: int, text: Sequence[str], line: int) -> Span:
    """Return the span of a line without its indentation."""
    line = min(line, len(text) - 1)
    shown = text[line]
    indent = len(shown) - len(shown.lstrip())
    return Span(source, first + line + 1, indent + 1, first + line + 1, max(len(shown.rstrip()), indent) + 1)


@lru_cache(maxsize=4)
def _names(text: str) -> dict[str, frozenset[str]]:
    """Return names of a file, by the fields of `FailingLine`.

    A variant does not show the declarations of its base, so any of its words may stand before `of` or be set.
    """
    read = _UNREAD.sub("", text)
    words = Counter(word for line in read.split("\n") for word in set(re.findall(r"\w+", line)))
    whole = re.search(r"^variant ", text, re.M) is None
    used = frozenset(_OWNED.findall(read)) if whole else frozenset()
    return {
        "used": used,
        "properties": (used if whole else frozenset(words)) | PARTS,
        "settable": frozenset(_SETTABLE.findall(read) if whole else words),
        "repeated": frozenset(word for word, often in words.items() if often > 1),
    }


class _ErrorSearch:
    """Search for the cause of a parse error in the lines of an article."""

    def __init__(
        self, source: Source, first: int, text: Sequence[str], reserved: frozenset[str], fails: TentativeParser
    ) -> None:
        self.source, self.first, self.text, self.reserved, self.fails = source, first, text, reserved, fails

    def span(self, line: int, column: int, length: int = 1) -> Span:
        number = self.first + line + 1
        return Span(self.source, number, column, number, column + max(length, 1))

    def words(self, line: int) -> list[tuple[int, str]]:
        """Return the words of a line with their columns, without the comment."""
        tokens = [(m.start() + 1, m[0]) for m in TOKEN.finditer(self.text[line])]
        return [(column, word) for column, word in tokens if not word.startswith("#")]

    def end(self, line: int) -> Span:
        """Return the position after the last word of a line."""
        words = self.words(line)
        return self.span(line, words[-1][0] + len(words[-1][1]) if words else 1)

    def nearest_line_with_words(self, line: int, step: int) -> int:
        """Return the nearest line with words, from `line` on in the direction of `step`."""
        while 0 <= line < len(self.text) and not self.words(line):
            line += step
        return min(max(line, 0), len(self.text) - 1)

    def repaired(self, line: int, column: int, terminals: frozenset[str]) -> Repair | None:
        """Return the first of the candidate repairs after which the line no longer fails here."""
        words = self.words(line)
        index = next((i for i, (start, word) in enumerate(words) if column < start + len(word)), len(words))
        groups = expectations(terminals, short=False)
        accepted = tuple(dict.fromkeys(word for group in groups for word in group.split() if word not in _ORDER))
        starts = (*ARTICLES, *CHANGES, "game") if words and words[0][0] == 1 else (*statement_words(), *INNER_FORMS)
        names = _names(self.source.text)
        failing = FailingLine(self.text[line], words, index, accepted, starts, self.reserved, **names)
        tried = set()
        for repair in islice(repair_candidates(failing), MAX_REPAIRS_TRIED):
            repair = repair.without_repetition(self.text[line])
            new = repair.of(self.text[line])
            end = repair.start + len(repair.new) if repair.partial else len(new) + 1
            if column >= repair.end:
                # The word at fault lies behind the repaired ones, and must no longer be at fault.
                end = max(end, column + len(new) - len(self.text[line]))
            if new == self.text[line] or new in tried:
                continue
            if self.fails_later(line, new, end) and not self.reads_wrongly(line, new, repair, names["properties"]):
                return repair
            tried.add(new)
        return None

    def fails_later(self, line: int, new: str, end: int) -> bool:
        """Return whether, with a repaired line, the article fails after that line or after the word at column `end`."""
        place = self.fails([*self.text[:line], new, *self.text[line + 1 :]])
        if place is None or place[0] != line:
            opened = sum(new.count(left) - new.count(right) for left, right in ("()", "[]"))
            return place is None or (place[0] > line and opened <= 0)
        after = next((m.start() + 1 for m in TOKEN.finditer(new) if m.start() + 1 >= end), len(new) + 1)
        return place[1] > after

    def reads_wrongly(self, line: int, new: str, repair: Repair, properties: frozenset[str]) -> bool:
        """Return whether a repaired line leads to the next error: with a keyword as a name, or with a wrong owner."""
        keywords = self.reserved - _ALSO_NAMES
        names = self.fails.names([*self.text[:line], new, *self.text[line + 1 :]], line)
        indent = len(new) - len(new.lstrip())
        # An option, the first word of its line, may have a keyword as its name.
        if any(name in keywords and column > indent + 1 for column, name in names):
            return True
        if not indent:
            # In the first column `of` also joins the parts of a declaration.
            return False
        if any(name in PARTS and not _PART_USED.match(new, column + len(name) - 1) for column, name in names):
            return True
        last = repair.start + len(repair.new)
        owners = (m for m in _OWNER.finditer(new) if repair.start <= m.start("of") + 1 < last)
        return any((m.start() + 1, m[1]) in names and (m[1] not in properties or m[3].isdigit()) for m in owners)

    def indented(self, line: int) -> bool:
        """Return whether a line, with the lines that fail for the same reason, belongs below the one above it."""
        above = self.nearest_line_with_words(line - 1, -1)
        indent = len(self.text[line]) - len(self.text[line].lstrip())
        if line <= 0 or not indent or len(self.text[above]) - len(self.text[above].lstrip()) != indent:
            return False
        place = self.fails([*self.text[:line], f"    {self.text[line]}", *self.text[line + 1 :]])
        return place is None or place[0] > line

    # ---- unexpected characters ----

    def character(self, line: int, column: int, allowed: frozenset[str]) -> tuple[Diagnostic, int]:
        line = min(max(line, 0), len(self.text) - 1)
        shown = self.text[line]
        character = shown[column - 1 : column] or " "
        if unicodedata.category(character) in ("Zs", "Cf"):
            number = f"U+{ord(character):04X}"
            return Diagnostic("R0111", self.span(line, column), {"character": number}), line
        around = next(((c, w) for c, w in self.words(line) if c <= column < c + len(w)), (column, character))
        if around[1].isascii() and around[1].isidentifier():
            # a name that begins with a keyword
            return self.word(line, around[0], around[1], "NAME", allowed), line
        quoted = re.match(rf"[{_OPENING}](\d+)[{_CLOSING}]", shown[column - 1 :])
        if quoted is not None:
            span = self.span(line, column, len(quoted[0]))
            return Diagnostic("R0103", span, {"character": character}, suggestion=quoted[1]), line
        if character == '"':
            return Diagnostic("R0107", self.span(line, len(shown.rstrip()) + 1), {"expected": ('"',)}), line
        surplus = self._surplus(line, column, character, expectations(allowed)) if character in _SUPERFLUOUS else None
        if surplus is not None:
            return surplus, line
        if re.fullmatch(r"\d\.\d", shown[max(column - 2, 0) : column + 1]):
            return Diagnostic(
                "R0103", self.span(line, column), {"character": character}, hint=Hint("whole_number")
            ), line
        repair = self.repaired(line, column, allowed)
        if repair is None and character.isalpha():
            plain = _plain_letters(around[1])
            if plain.isascii() and plain.isidentifier() and plain != around[1]:
                repair = Repair(around[0], around[0] + len(around[1]), plain)
        if repair is None:
            part = Hint("set_part") if shown.startswith("set ") and character == "." else None
            return Diagnostic("R0103", self.span(line, column), {"character": character}, hint=part), line
        span = self.span(line, repair.start, repair.end - repair.start)
        return Diagnostic("R0103", span, {"character": character}, suggestion=repair.new), line

    # ---- unexpected tokens ----

    def token(self, error: UnexpectedToken, terminals: frozenset[str]) -> tuple[Diagnostic, int]:
        token, (line, column) = error.token, place_of(error, self.text)
        unclosed = self._unclosed(line, column)
        if unclosed is not None:
            return unclosed
        if expectations(terminals) == ("indented block",) and token.type != "_NL":
            line = line if token.type.startswith(("_", "$")) else self.nearest_line_with_words(line - 1, -1)
            return Diagnostic("R0107", self.end(line), {"expected": ("indented block",)}), line
        whole = dict(self.words(line)).get(column, "")
        shown = whole if whole.startswith(str(token)) and re.fullmatch(r"\w+", whole) else str(token).strip()
        diagnostic = self.word(line, column, shown, token.type, terminals)
        if token.type == "_INDENT" and diagnostic.code == "R0107":
            above = self.text[line].split("#")[0].strip()
            if above == "otherwise":
                hint = Hint("otherwise_column")
            else:
                hint, line = Hint("no_block", {"line": above}), self.nearest_line_with_words(line + 1, 1)
            return Diagnostic("R0102", line_span(self.source, self.first, self.text, line), hint=hint), line
        return diagnostic, line

    def word(self, line: int, column: int, found: str, kind: str, terminals: frozenset[str]) -> Diagnostic:
        """Return the diagnostic for an unexpected word, or for the end of a line or block."""
        words = self.words(line)
        expected = expectations(terminals)
        ends = kind in ("_NL", "_DEDENT", "$END", "_INDENT")
        if self.indented(line):
            above = self.nearest_line_with_words(line - 1, -1)
            hint = Hint("indent", {"line": self.text[above].strip()})
            return Diagnostic("R0102", line_span(self.source, self.first, self.text, line), hint=hint)
        surplus = self._surplus(line, column, found, expected)
        if surplus is not None:
            return surplus
        repair = self.repaired(line, column, terminals)
        if repair is not None:
            span = self.span(line, repair.start, repair.end - repair.start)
            replaced = self.text[line][repair.start - 1 : repair.end - 1]
            if ends and repair.start > words[0][0]:
                return Diagnostic("R0107", span, {"expected": expected}, suggestion=repair.new)
            # The advice in case that the suggestion turns out to be wrong.
            other_advice = None if ends else self._unexpected(line, column, found, expected).hint
            shown = found if repair.start <= column < repair.end and " " in replaced and not ends else replaced
            if repair.start == words[0][0] and replaced.lower() in BEGINNINGS:
                shown, expected = replaced, statement_words()
            if repair.start == words[0][0] < column and " " not in replaced:
                expected = statement_words() if self.in_rule() else (repair.new.split()[0],)
            if repair.start == 1 and " " not in replaced:
                expected = ARTICLES
            diagnostic = Diagnostic("R0101", span, {"found": shown, "expected": expected}, suggestion=repair.new)
            return replace(diagnostic, hint=other_advice)
        wrong_first_word = self._wrong_first_word(line, column, kind, terminals)
        if wrong_first_word is not None:
            return wrong_first_word
        if ends:
            continues = words and words[-1][1] in _CONTINUING and self.words(self.nearest_line_with_words(line + 1, 1))
            advice = Hint("brackets", {"word": words[-1][1]}) if continues and "value" in expected else None
            form = (
                example_line([word for _, word in words], article=words[0][0] == 1)
                if words and advice is None
                else None
            )
            if form is not None and "indented block" not in expected:
                advice = Hint("form", {"form": form})
            return Diagnostic("R0107", self.end(line), {"expected": expected}, hint=advice)
        return self._unexpected(line, column, found, expected)

    def in_rule(self) -> bool:
        """Return whether the lines of the article are statements."""
        return not {"rule", "effect", "setup", "play", "before", "after"}.isdisjoint(self.text[0].split()[:3])

    def _unclosed(self, line: int, column: int) -> tuple[Diagnostic, int] | None:
        """Return the diagnostic for a bracket that is opened before the error and never closed."""
        opened: list[tuple[int, int, str]] = []
        before: tuple[int, int, str] | None = None
        for number in range(len(self.text)):
            for start_column, word in self.words(number):
                if (number, start_column) >= (line, column) and before is None:
                    before = next((o for o in opened if o[0] < line), (-1, 0, ""))
                if word in ("(", "["):
                    opened.append((number, start_column, word))
                elif word in (")", "]") and opened:
                    opened.pop()
        if before is None:
            before = next(iter(opened), (-1, 0, ""))
        if before[0] < 0 or before not in opened:
            return None
        at_line, start_column, bracket = before
        label = Label(self.span(at_line, start_column), "here")
        closing = ")" if bracket == "(" else "]"
        return Diagnostic("R0107", self.end(at_line), {"expected": (closing,)}, (label,)), at_line

    def _wrong_first_word(self, line: int, column: int, kind: str, terminals: frozenset[str]) -> Diagnostic | None:
        """Return the diagnostic for a line whose first word cannot begin a line."""
        words = self.words(line)
        if not words or words[0][0] > column:
            return None
        start_column, first = words[0]
        span = self.span(line, start_column, len(first))
        if start_column == 1:
            starts = (*ARTICLES, *CHANGES)
            if first in starts or first == "game":
                return None
            begun = re.search(r"^(game|variant)\b", "\n".join(self.source.text.split("\n")[: self.first]), re.M)
            if begun is None:
                return Diagnostic("R0101", span, {"found": first, "expected": ARTICLES}, hint=Hint("comment"))
            if first in HEAD_CHANGES and begun[1] == "variant":
                form = Hint("form", {"form": HEAD_CHANGES[first]})
                return Diagnostic("R0101", span, {"found": first, "expected": ARTICLES}, hint=form)
            if first in statement_words() or first in INNER_FORMS:
                return Diagnostic("R0102", line_span(self.source, self.first, self.text, line))
            if first not in WORDS and ((words[1:2] and words[1][1] == "(") or {w for _, w in words} & _OF_STATEMENTS):
                return Diagnostic("R0102", line_span(self.source, self.first, self.text, line))
            return Diagnostic("R0101", span, {"found": first, "expected": ARTICLES})
        after_name = "_CHOOSE" in terminals or kind == "_INDENT"
        place = next((i for i, (c, _) in enumerate(words) if c >= column), len(words))
        if not after_name or place > 1 or (first in self.reserved and first not in WORDS):
            return None
        if place == len(words) or not words[place][1].isdigit():
            return None
        return Diagnostic("R0101", span, {"found": first, "expected": statement_words()})

    def _unexpected(self, line: int, column: int, found: str, expected: tuple[str, ...]) -> Diagnostic:
        """Return the diagnostic for a word that cannot follow the words before it, with a hint."""
        words = self.words(line)
        index = next((i for i, (start_column, _) in enumerate(words) if start_column == column), 0)
        before = words[index - 1] if index else (0, "")
        if found == ":" and before[1] in self.reserved and index > 1 and words[index - 2][1] in ("(", ","):
            # The name is reserved as a message argument; the same holds for an option.
            renaming = Hint("another_name", {"example": f"this_{before[1]}"})
            return Diagnostic("R0205", self.span(line, before[0], len(before[1])), {"name": before[1]}, hint=renaming)
        hint = self._hint(words, index, found, expected)
        return Diagnostic(
            "R0101", self.span(line, column, len(found)), {"found": found, "expected": expected}, hint=hint
        )

    def _surplus(self, line: int, column: int, found: str, expected: tuple[str, ...]) -> Diagnostic | None:
        """Return the diagnostic for a word or sign to be left out."""
        if found not in _SUPERFLUOUS and expected != ("end of line",):
            return None
        text, words = self.text[line], self.words(line)
        opened = {")": "([", "]": "(["}.get(found, "")
        texts = [word for _, word in words]
        if opened and sum(word in opened for word in texts if word) >= sum(word in (")", "]") for word in texts):
            # It closes a bracket, if perhaps of another kind.
            return None
        if (
            not found
            or words[-1] != (column, found)
            or not self.fails_later(line, text[: column - 1].rstrip() + text[column - 1 + len(found) :], column)
        ):
            return None
        span, hint = self.span(line, column, len(found)), Hint("leave_out", {"word": found})
        return Diagnostic("R0101", span, {"found": found, "expected": ("end of line",)}, hint=hint)

    def _hint(self, words: Sequence[tuple[int, str]], index: int, found: str, expected: tuple[str, ...]) -> Hint | None:
        """Return a hint for an error without a suggested repair."""
        first, before = words[0][1], words[index - 1][1] if index else ""
        after = words[index + 1][1] if index + 1 < len(words) else ""
        if found.startswith('"') and first not in ("book", "source"):
            names_message = first == "tell" or before == "as"
            return Hint("message_name", {"example": "tie_broken"}) if names_message else Hint("no_text")
        if found == "-" and "number" in expected:
            return Hint("no_less")
        texts, column = [word for _, word in words[:index]], words[index][0]
        if words[0][0] == 1 and first == "set" and "to" in texts and found in _CALCULATION:
            return Hint("written_value")
        if index == 0 and column > 1 and found in HEAD_CHANGES and self.text[0].split()[0] == "variant":
            return Hint("form", {"form": HEAD_CHANGES[found]})
        if "all" in (*texts, found) and first in ("if", "otherwise", "repeat", "define"):
            return Hint("every")
        if found == "," and before.isdigit() and after.isdigit() and words[index + 1][0] == column + 1:
            return Hint("whole_number")
        if self.text[0].split()[0] in _OF_LINES and (
            (words[0][0] == 1 and expected == ("end of line",)) or found == ","
        ):
            return Hint("below", {"word": self.text[0].split()[0]})
        if after and (found == ":" or found in ("then", "do")) and first in ("if", "otherwise", "repeat", "for"):
            return Hint("own_line", {"word": found})
        if words[0][0] == 1 and first == "set" and index > 1 and "row" not in texts:
            return Hint("set_part")
        if index == 0 and column > 1 and found in ARTICLES:
            return Hint("first_column", {"word": found})
        if (first, before) in (("add", "to"), ("remove", "from")) and found in ARTICLES:
            whole = found if found in TERMINAL_WORDS["COURSE"] else f"{found} {after}".rstrip()
            if found in get_args(s.ProcedureSort):
                return Hint("add_step", {"form": f"after … in {whole}"})
            return Hint("add_whole", {"article": f"replace {whole}"})
        if found == "of" and first in ("move", "fill") and not {"from", "end of line"}.isdisjoint(expected):
            # Only a name says which tokens are moved: `move 1 colour of c from ...`.
            return Hint("let_first", {"line": f"let this_{before} = {before} of {after}", "name": f"this_{before}"})
        form = example_line([word for _, word in words], words[0][0] == 1, index)
        return Hint("form", {"form": form}) if form is not None else None


def expectations(terminals: Iterable[str], short: bool = True) -> tuple[str, ...]:
    """Return the expected words of the language, the likely ones first.

    With `short`, "a value" stands for everything that can begin a value.
    """
    remaining = set(terminals) - _HIDDEN
    if remaining >= _VALUE and short:
        remaining = (remaining - _IN_VALUE) | {"VALUE"}
    words: list[str] = []
    for terminal in sorted(remaining):
        words.extend(_SHOWN.get(terminal) or [_PLAIN.get(terminal) or terminal.lower().strip("_")])

    def rank(word: str) -> tuple[int, str]:
        if word in _ORDER:
            return (_ORDER.index(word), "")
        return (len(_ORDER) + (word in _OPERATORS) + (not word.isalpha()), word)

    return tuple(sorted(dict.fromkeys(words), key=rank))


def _plain_letters(word: str) -> str:
    """Transliterate a word to the letters a to z: `grün` becomes `gruen`, `città` becomes `citta`."""
    for letter, plain in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"), ("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue")):
        word = word.replace(letter, plain)
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
