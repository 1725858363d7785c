"""From text to syntax tree.  The only module that knows lark.

A file is cut into articles (a line that starts in the first column opens one) and each is parsed by itself, so that an
error in one does not hide those in the next.  Inside an article, a faulty line is reported, blanked with the block that
belongs to it, and the rest is parsed again.  Sizes and nesting are limited, so that no text can hang the parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError
from lark.indenter import DedentError, Indenter

from wongar_dsl import syntax as s
from wongar_dsl.diagnostics import Diagnostic, did_you_mean
from wongar_dsl.parser.builder import TreeBuilder
from wongar_dsl.source import Source, Span

MAX_CHARACTERS = 1_000_000
MAX_LINE_TOKENS = 200
MAX_INDENTS = 24
MAX_BRACKETS = 24
MAX_ERRORS_PER_ARTICLE = 12

_TOKEN = re.compile(r'"[^"\n]*"|#.*|[A-Za-z0-9_]+|[^\sA-Za-z0-9_]')


class _Indenter(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012 (lark reads class attributes)
    CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4


@cache
def _lark() -> Lark:
    grammar = resources.files("wongar_dsl").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start="article", postlex=_Indenter(), propagate_positions=True)


@cache
def reserved_words() -> frozenset[str]:
    """The words of the language, which no name may be."""
    grammar = resources.files("wongar_dsl").joinpath("grammar.lark").read_text(encoding="utf-8")
    rules = re.sub(r"//.*", "", grammar)
    contextual = {"owner", "all", "half", "house", "inferred", "reconstruction", "a", "total", "columns"}
    return frozenset(re.findall(r'"([a-z]+)"', rules)) - contextual | {"leave", "impossible", "nothing"}


def parse(source: Source) -> tuple[s.File, tuple[Diagnostic, ...]]:
    """Parse a rule file.  Returns the tree of what could be understood, and everything that could not."""
    whole = Span(source, 1, 1, 1, 1)
    if len(source.text) > MAX_CHARACTERS:
        found = Diagnostic("R0002", whole, {"size": len(source.text), "limit": MAX_CHARACTERS})
        return s.File(whole, None, ()), (found,)
    lines = source.text.replace("\r\n", "\n").split("\n")
    diagnostics = _limits(source, lines)
    articles: list[s.Article] = []
    if not diagnostics:
        for first, last in _chunks(lines):
            article, found_here = _parse_article(source, lines, first, last)
            diagnostics.extend(found_here)
            if article is not None:
                articles.append(article)
    head = next((a for a in articles if isinstance(a, s.Game | s.Variant)), None)
    if head is None and not diagnostics:
        diagnostics.append(Diagnostic("R0110", whole))
    rest = tuple(a for a in articles if a is not head)
    return s.File(whole, head, rest), tuple(diagnostics)


def _limits(source: Source, lines: Sequence[str]) -> list[Diagnostic]:
    """What would cost too much to parse, found by looking at the lines alone."""
    found: list[Diagnostic] = []
    indents = [0]
    for number, line in enumerate(lines, 1):
        body = line.lstrip(" \t")
        if not body or body.startswith("#"):
            continue
        indent = len(line) - len(body)
        if "\t" in line[:indent]:
            found.append(Diagnostic("R0106", Span(source, number, 1, number, indent + 1)))
            continue
        while indents and indents[-1] > indent:
            indents.pop()
        if not indents or indents[-1] < indent:
            indents.append(indent)
        tokens = _TOKEN.findall(line)
        depth = deepest = 0
        for token in tokens:
            depth += (token in "([") - (token in ")]") if len(token) == 1 else 0
            deepest = max(deepest, depth)
        span = Span(source, number, indent + 1, number, len(line) + 1)
        if len(indents) > MAX_INDENTS or deepest > MAX_BRACKETS:
            found.append(Diagnostic("R0104", span, {"limit": MAX_INDENTS}))
        elif len(tokens) > MAX_LINE_TOKENS:
            found.append(Diagnostic("R0105", span, {"limit": MAX_LINE_TOKENS}))
        if len(found) >= MAX_ERRORS_PER_ARTICLE:
            break
    return found


def _chunks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """The articles as ranges of line indices, each from a line in the first column to before the next one."""
    starts = [i for i, line in enumerate(lines) if line and not line[0].isspace() and line[0] not in "#)]"]
    if starts and any(line.strip() and not line.lstrip().startswith("#") for line in lines[: starts[0]]):
        starts.insert(0, next(i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")))
    if not starts:
        starts = [i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")][:1]
    return list(zip(starts, [*starts[1:], len(lines)], strict=True))


def _parse_article(
    source: Source, lines: Sequence[str], first: int, last: int
) -> tuple[s.Article | None, list[Diagnostic]]:
    text = list(lines[first:last])
    found: list[Diagnostic] = []
    for _ in range(MAX_ERRORS_PER_ARTICLE):
        builder = TreeBuilder(source, first)
        try:
            tree = _lark().parse("\n".join(text) + "\n")
            article = builder.transform(tree)
            return article, found + builder.found
        except UnexpectedInput as error:
            diagnostic, line = _diagnose(source, first, text, error)
        except DedentError:
            line = _bad_dedent(text)
            diagnostic = Diagnostic("R0102", _line_span(source, first, text, line))
        except VisitError as error:
            raise error.orig_exc from None
        found.append(diagnostic)
        if line <= 0 or not _blank(text, line):
            return None, found
    return None, found


def _diagnose(source: Source, first: int, text: Sequence[str], error: UnexpectedInput) -> tuple[Diagnostic, int]:
    """The diagnostic of a parse error, and the index of the line in `text` that holds it."""
    line = min(max(int(error.line) - 1, 0), len(text) - 1)
    if isinstance(error, UnexpectedCharacters):
        column = int(error.column)
        character = text[line][column - 1 : column] or " "
        span = Span(source, first + line + 1, column, first + line + 1, column + 1)
        return Diagnostic("R0103", span, {"character": character}), line
    assert isinstance(error, UnexpectedToken)
    expected = _wanted(error.accepts or error.expected)
    token: Token = error.token
    word = str(token).strip()
    if token.type in ("$END", "_DEDENT", "_NL", "_INDENT"):
        # The fault is where the line before ended, not where the next one starts.
        if token.type != "_INDENT":
            while line > 0 and (not text[line].split("#")[0].strip() or token.type in ("_DEDENT", "$END")):
                line -= 1
                if text[line].split("#")[0].strip():
                    break
        code = "R0102" if token.type == "_INDENT" else "R0107"
        shown = text[line].split("#")[0].rstrip() if '"' not in text[line] else text[line].rstrip()
        number = first + line + 1
        span = Span(source, number, len(shown) + 1, number, len(shown) + 2)
        if code == "R0102":
            return Diagnostic(code, _line_span(source, first, text, line + 1)), min(line + 1, len(text) - 1)
        return Diagnostic(code, span, {"expected": expected}), line
    column = int(token.column or 1)
    number = first + line + 1
    span = Span(source, number, column, number, column + max(len(word), 1))
    return Diagnostic(
        "R0101", span, {"found": word, "expected": expected}, suggestion=did_you_mean(word, expected)
    ), line


_PLAIN = {
    "NAME": "name",
    "INT": "number",
    "STRING": "text",
    "LPAR": "(",
    "RPAR": ")",
    "LSQB": "[",
    "RSQB": "]",
    "COMMA": ",",
    "COLON": ":",
    "EQUAL": "=",
    "MINUS": "-",
    "_NL": "end of line",
    "_INDENT": "indented block",
    "COMPARE": "=",
    "PLUS": "+",
    "TIMES": "*",
}
_GROUPS = {
    "ZONE": ("tokens", "pile", "hand", "heap", "slot"),
    "SIMPLE": ("end game", "end rule", "leave loop"),
    "EXTREME": ("most", "fewest"),
    "GAIN": ("gains", "loses"),
    "_CHOOSE": ("chooses",),
    "SORT": ("rule", "effect", "table"),
}
_HIDDEN = {"$END", "_DEDENT", "FILLING"}


def _wanted(terminals: set[str] | frozenset[str]) -> tuple[str, ...]:
    """What could have stood there, in the words of the language, the likely ones first."""
    words: list[str] = []
    for terminal in sorted(terminals - _HIDDEN):
        words.extend(_GROUPS.get(terminal) or [_PLAIN.get(terminal) or terminal.lower().strip("_")])
    return tuple(dict.fromkeys(words))


def _line_span(source: Source, first: int, text: Sequence[str], line: int) -> Span:
    shown = text[min(line, len(text) - 1)]
    indent = len(shown) - len(shown.lstrip())
    number = first + min(line, len(text) - 1) + 1
    return Span(source, number, indent + 1, number, max(len(shown.rstrip()), indent) + 1)


def _bad_dedent(text: Sequence[str]) -> int:
    """The first line whose indentation fits no line above it."""
    indents = [0]
    for i, line in enumerate(text):
        body = line.lstrip()
        if not body or body.startswith("#"):
            continue
        indent = len(line) - len(body)
        if indent > indents[-1]:
            indents.append(indent)
            continue
        while indents[-1] > indent:
            indents.pop()
        if indents[-1] != indent:
            return i
    return len(text) - 1


def _blank(text: list[str], line: int) -> bool:
    """Blank a faulty line and the block under it.  Where nothing is left of the block that held it, that goes too."""
    indent = len(text[line]) - len(text[line].lstrip())
    if not text[line].strip() or indent == 0:
        return False
    text[line] = ""
    for i in range(line + 1, len(text)):
        body = text[i].lstrip()
        if body and len(text[i]) - len(body) <= indent:
            break
        text[i] = ""
    above = next((i for i in range(line - 1, -1, -1) if text[i].split("#")[0].strip()), 0)
    below = next((i for i in range(line + 1, len(text)) if text[i].split("#")[0].strip()), None)
    orphaned = len(text[above]) - len(text[above].lstrip()) < indent and (
        below is None or len(text[below]) - len(text[below].lstrip()) < indent
    )
    return _blank(text, above) if orphaned else True
