"""Parser entry point: cuts a file into articles, parses each, and recovers from errors; tokens and completions.

A line in the first column opens an article. Articles are parsed separately, so that an error in one does not hide those
in the next. Inside an article a faulty line is reported and blanked with its block, and the rest is parsed again.
Limits on size and nesting bound the parsing time of any text.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from lark import Lark, Tree, UnexpectedInput, __version__
from lark import Token as LarkToken
from lark.grammar import Rule
from lark.indenter import DedentError, Indenter
from lark.lexer import Pattern, PatternStr, TerminalDef
from lark.parsers.lalr_interactive_parser import InteractiveParser

from wongar_dsl.base.diagnostics import Diagnostic, Hint
from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.base.storage.files import RULES_SUFFIX, FileError, FileOrFolder, decode, read_bytes
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser.builder import PatchBuilder
from wongar_dsl.language.parser.errors import ARTICLES, CHANGES, Place, TentativeParser, diagnose, line_span, place_of
from wongar_dsl.language.parser.keywords import TERMINAL_WORDS, grammar_text, reserved_words
from wongar_dsl.language.parser.repairs import TOKEN

MAX_CHARACTERS = 300_000
#: Limit in bytes, enough for the maximum number of characters of a rule file.
MAX_BYTES = 4 * MAX_CHARACTERS
#: First bytes of word-processor files: OpenDocument and Word, rich text, PDF, older Word.
_DOCUMENTS = (b"PK\x03\x04", b"{\\rtf", b"%PDF", b"\xd0\xcf\x11\xe0")
MAX_LINE_TOKENS = 200
MAX_LINE = 4000
MAX_INDENTS = 24
MAX_BRACKETS = 24
MAX_ERRORS_PER_ARTICLE = 12
MAX_ERRORS = 100
MAX_ARTICLES = 2000
MAX_LINES_OF_ARTICLE = 2000
#: Maximum number of characters per file that are parsed to try out repairs.
MAX_REPAIR_CHARS = 200_000
#: Maximum number of characters of a file whose tree is cached.
MAX_CACHED_FILE_CHARS = 50_000
#: Capacity of the parse-tree cache in characters; when it is exceeded, the cache is cleared.
MAX_CACHED_CHARS = 500_000

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class _Indenter(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012 (lark reads class attributes)
    CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4


class _BlockIndenter(_Indenter):
    """Indenter with new state for each text, so that several texts can be parsed at the same time."""

    def process(self, stream: Iterator[LarkToken]) -> Iterator[LarkToken]:
        """Yield the tokens, with tokens for the start and end of blocks."""
        blocks: Iterator[LarkToken] = _Indenter().process(stream)  # type: ignore[no-untyped-call]
        return blocks


@cache
def _lark() -> Lark:
    """Return the parser; computing its tables takes longer than parsing a game, so the program's cache keeps them."""
    key, folder = ("grammar", grammar_text(), __version__), Cache.of_program
    options: dict[str, Any] = {"postlex": _BlockIndenter(), "propagate_positions": True}
    with contextlib.suppress(Exception):  # Without a suitable entry the tables are computed.
        stored = folder.load(*key) if folder is not None else ()
        loaded: Lark = Lark._load_from_dict(*stored, **options)  # type: ignore[no-untyped-call]
        return loaded
    parser = Lark(grammar_text(), parser="lalr", start="article", **options)
    if folder is not None:
        folder.save(parser.memo_serialize([TerminalDef, Rule]), *key)
    return parser


class _ParseTreeCache:
    """Cache of the parse trees of articles, so that only changed articles of a file are parsed again."""

    def __init__(self) -> None:
        self._known: dict[str, Tree[LarkToken]] = {}
        self._size = 0

    def of(self, text: str) -> Tree[LarkToken]:
        """Return the parse tree of an article, which must not be modified."""
        tree = self._known.get(text)
        if tree is None:
            tree = _lark().parse(text)
            self._size += len(text)
            if self._size > MAX_CACHED_CHARS:
                self._known, self._size = {}, len(text)
            self._known[text] = tree
        return tree


_trees = _ParseTreeCache()


def start(text: str) -> InteractiveParser:
    """Return an interactive parser of one article, which the caller feeds."""
    return _lark().parse_interactive(text)


def terminals() -> Mapping[str, Pattern]:
    """Return the pattern of each terminal of the grammar."""
    return {terminal.name: terminal.pattern for terminal in _lark().terminals}


def parse(source: Source) -> tuple[s.File, tuple[Diagnostic, ...]]:
    """Parse a rule file; return the tree of the parts that could be parsed, and the diagnostics of the others."""
    return (_cached_parse if len(source.text) <= MAX_CACHED_FILE_CHARS else _parse_file)(source)


def _parse_file(source: Source) -> tuple[s.File, tuple[Diagnostic, ...]]:
    whole = Span(source, 1, 1, 1, 1)
    if len(source.text) > MAX_CHARACTERS:
        diagnostic = Diagnostic("R0002", whole, {"size": len(source.text), "limit": MAX_CHARACTERS})
        return s.File(whole, None, ()), (diagnostic,)
    lines = source.text.replace("\r\n", "\n").split("\n")
    diagnostics, parsable = _limits(source, lines)
    articles: list[s.Declaration] = []
    unparsed_words: set[str] = set()
    fails = _FailureFinder()
    chunks = _chunks(lines) if parsable else []
    for first, last in chunks:
        article, new_diagnostics = _parse_article(source, lines, first, last, fails)
        if new_diagnostics and diagnostics and _block_in_first_column(diagnostics[-1], new_diagnostics[0], first):
            diagnostics.pop()
        diagnostics.extend(new_diagnostics)
        if new_diagnostics:
            unparsed_words.update(_WORD.findall("\n".join(lines[first:last])))
        if article is not None:
            articles.append(article)
        if len(diagnostics) >= MAX_ERRORS:
            break
    head = next((a for a in articles if isinstance(a, s.Game | s.Variant)), None)
    if head is None and (not diagnostics or (parsable and not _has_head(lines, diagnostics))):
        diagnostics = _headless(source, lines, diagnostics if articles else [])
    rest = tuple(a for a in articles if a is not head)
    return s.File(whole, head, rest, frozenset(unparsed_words)), tuple(diagnostics)


#: A variant is checked several times, and its base each time with it.
_cached_parse = lru_cache(maxsize=8)(_parse_file)


def _has_head(lines: Sequence[str], found: Sequence[Diagnostic]) -> bool:
    """Return whether a file has a `game` or `variant` line, or one that was meant to be it."""
    first = (re.split(r"\W", line, maxsplit=1)[0].lower() for line in lines)
    return any(word in ("game", "variant") for word in first) or any(d.suggestion in ("game", "variant") for d in found)


def _headless(source: Source, lines: Sequence[str], found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics of a file without a head line, without those that follow from its absence."""
    number = next((n for n, line in enumerate(lines) if line.split("#")[0].strip()), 0)
    missing = Diagnostic("R0110", line_span(source, 0, lines, number))
    below = ("players", "age", "minutes", "book", "source")
    independent = (d for d in found if d.span is None or lines[d.span.line - 1].split(maxsplit=1)[:1][0] not in below)
    return [missing, *independent]


def parse_articles(lines: Sequence[str]) -> Iterator[tuple[int, Tree[LarkToken], tuple[LarkToken, ...]]]:
    """Yield each article of a file without errors: the number of lines above it, its parse tree, and all its tokens."""
    for first, last in _chunks(lines):
        parser = _lark().parse_interactive("\n".join(lines[first:last]) + "\n")
        tokens = tuple(parser.exhaust_lexer())
        yield first, parser.feed_eof(), tokens  # type: ignore[no-untyped-call]


def _limits(source: Source, lines: list[str]) -> tuple[list[Diagnostic], bool]:
    """Check limits and tabs line by line, replacing tabs by spaces; also return whether the lines may be parsed."""
    diagnostics: list[Diagnostic] = []
    parsable = True
    indents = [0]
    starts = 0
    length = 0
    # An open bracket continues the line into the next one.
    carried = opened = 0
    for number, line in enumerate(lines, 1):
        body = line.lstrip(" \t")
        if not body or body.startswith("#"):
            continue
        indent = len(line) - len(body)
        if "\t" in line[:indent]:
            diagnostics.append(Diagnostic("R0106", Span(source, number, 1, number, indent + 1)))
            before = line[:indent].expandtabs(4)
            indent = len(before)
            line = lines[number - 1] = before + body
        while indents and indents[-1] > indent:
            indents.pop()
        if not indents or indents[-1] < indent:
            indents.append(indent)
        starts += indent == 0
        length = 0 if indent == 0 else length + 1
        tokens = TOKEN.findall(line) if len(line) < MAX_LINE else [""] * MAX_LINE
        carried = len(tokens) + (carried if opened > 0 else 0)
        depth = deepest = max(opened, 0) if indent else 0
        for token in tokens:
            depth += (token in "([") - (token in ")]") if len(token) == 1 else 0
            deepest = max(deepest, depth)
        opened = depth
        span = Span(source, number, indent + 1, number, len(line) + 1)
        violation: Diagnostic | None = None
        if len(indents) > MAX_INDENTS or deepest > MAX_BRACKETS:
            violation = Diagnostic("R0104", span, {"limit": MAX_INDENTS})
        elif carried > MAX_LINE_TOKENS:
            violation = Diagnostic("R0105", span, {"limit": MAX_LINE_TOKENS})
        elif starts > MAX_ARTICLES:
            violation = Diagnostic("R0414", span, {"what": source.name, "found": starts, "limit": MAX_ARTICLES})
        elif length > MAX_LINES_OF_ARTICLE:
            limit = MAX_LINES_OF_ARTICLE
            violation = Diagnostic("R0414", span, {"what": source.name, "found": length, "limit": limit})
        if violation is not None:
            last = diagnostics[-1] if diagnostics else violation
            if last.code == violation.code and last.span is not None and last.span.end_line == number - 1:
                diagnostics[-1] = replace(last, span=last.span.to(span))
            else:
                diagnostics.append(violation)
            parsable = False
            if violation.code == "R0414":
                break
        if len(diagnostics) >= MAX_ERRORS_PER_ARTICLE:
            break
    return diagnostics, parsable


def _chunks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the line ranges of the articles, each from a line in the first column to the next one."""
    starts = [i for i, line in enumerate(lines) if line and not line[0].isspace() and line[0] not in "#)]"]
    if starts and any(line.strip() and not line.lstrip().startswith("#") for line in lines[: starts[0]]):
        starts.insert(0, next(i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")))
    if not any(line.split("#")[0].strip() for line in lines):
        return []
    if not starts:
        starts = [i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")][:1]
    return list(zip(starts, [*starts[1:], len(lines)], strict=True))


class _FailureFinder:
    """Finds where a text first fails, within a budget of characters."""

    def __init__(self) -> None:
        self._left = MAX_REPAIR_CHARS

    def __call__(self, text: Sequence[str]) -> Place | None:
        """Return the position of the first error, None if the text parses, (-1, 0) when the budget is used up."""
        joined = "\n".join(text) + "\n"
        self._left -= len(joined)
        if self._left < 0:
            return (-1, 0)
        try:
            _lark().parse(joined)
        except UnexpectedInput as error:
            return place_of(error, text)
        except DedentError:
            return (_bad_dedent(text), 1)
        return None

    def names(self, text: Sequence[str], line: int) -> list[tuple[int, str]]:
        """Return the names that the parser finds in a line, with their columns; none when the budget is used up."""
        names: list[tuple[int, str]] = []
        joined = "\n".join(text) + "\n"
        self._left -= len(joined)
        if self._left < 0:
            return names
        with contextlib.suppress(UnexpectedInput, DedentError):
            for token in _lark().parse_interactive(joined).iter_parse():
                if token.type == "NAME" and token.line == line + 1:
                    names.append((token.column or 0, str(token)))
        return names


def _parse_article(
    source: Source, lines: Sequence[str], first: int, last: int, fails: TentativeParser
) -> tuple[s.Declaration | None, list[Diagnostic]]:
    text = list(lines[first:last])
    diagnostics: list[Diagnostic] = []
    for _ in range(MAX_ERRORS_PER_ARTICLE):
        builder = PatchBuilder(source, first)
        try:
            article = builder.build(_trees.of("\n".join(text) + "\n"))
            return article, diagnostics + builder.diagnostics
        except UnexpectedInput as error:
            diagnostic, line = diagnose(source, first, text, error, reserved_words(), fails)
        except DedentError:
            line = _bad_dedent(text)
            word = text[line].split(maxsplit=1)[0].rstrip(":")
            hint = Hint("first_column", {"word": word}) if word in (*ARTICLES, *CHANGES) else None
            diagnostic = Diagnostic("R0102", line_span(source, first, text, line), hint=hint)
        before = diagnostics[-1] if diagnostics else diagnostic
        same = before is not diagnostic and diagnostic.hint is not None and before.hint == diagnostic.hint
        if (
            diagnostic.code == before.code == "R0102"
            and same
            and before.span is not None
            and diagnostic.span is not None
        ):
            # Consecutive lines that all lack indentation are one mistake.
            diagnostics.pop()
            diagnostic = replace(diagnostic, span=before.span.to(diagnostic.span))
        diagnostics.append(diagnostic)
        if line <= 0 or not blank_block(text, line):
            return None, diagnostics
    return None, diagnostics


def _block_in_first_column(before: Diagnostic, now: Diagnostic, line: int) -> bool:
    """Return whether a block missing after one line was found in the first column of the next."""
    misses = before.code == "R0107" and before.arguments.get("expected") == ("indented block",)
    return misses and now.code == "R0102" and now.span is not None and now.span.line == line + 1


def _bad_dedent(text: Sequence[str]) -> int:
    """Return the first line whose indentation matches no line above it."""
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


def blank_block(text: list[str], line: int) -> bool:
    """Blank a faulty line with the block under it; return False if it is an article's first line.

    The line above is blanked too if its block becomes empty.
    """
    indent = len(text[line]) - len(text[line].lstrip())
    if not text[line].strip() or indent == 0:
        return False
    is_if = text[line].lstrip().startswith(("if ", "otherwise if "))
    text[line] = ""
    for i in range(line + 1, len(text)):
        body = text[i].lstrip()
        # Without its `if`, an `otherwise` would cause another error.
        continues = is_if and len(text[i]) - len(body) == indent and body.startswith("otherwise")
        if body and len(text[i]) - len(body) <= indent and not continues:
            break
        text[i] = ""
    above = next((i for i in range(line - 1, -1, -1) if text[i].split("#")[0].strip()), 0)
    below = next((i for i in range(line + 1, len(text)) if text[i].split("#")[0].strip()), None)
    orphaned = len(text[above]) - len(text[above].lstrip()) < indent and (
        below is None or len(text[below]) - len(text[below].lstrip()) < indent
    )
    return blank_block(text, above) if orphaned else True


# ---- lines with all their tokens, for formatting ---------------------------------------------------------------------
#
# The syntax tree drops brackets, commas and synonyms. Here only spaces and comments are left out, which stand between
# the tokens.


#: Grammar rules of lines that are aligned in columns.
ROWS = frozenset({"table_row", "copies", "drawing", "covered", "crossing"})


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind in the grammar, its text, and its start and end offsets in the file.

    The kind of a minus is `SIGN` if it negates a number, `HYPHEN` if it joins two sides of a path.
    """

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A logical line of a rule file, which brackets can continue over several lines of text.

    `depth` is the number of enclosing blocks. `sort` is one of `ROWS`, `columns` for the head of a table, else empty.
    `cells` are the numbers of the tokens that start a column.
    """

    depth: int
    column: int
    sort: str
    tokens: tuple[Token, ...]
    cells: tuple[int, ...]


def written_lines(text: str) -> Iterator[WrittenLine]:
    """Yield the logical lines of a file without syntax errors; its lines must end with `\\n` alone."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for first, tree, tokens in parse_articles(lines):
        yield from _lines_of(tree, tokens, starts[first])


def _lines_of(tree: Tree[LarkToken], tokens: tuple[LarkToken, ...], offset: int) -> Iterator[WrittenLine]:
    signs, hyphens, rows = _marks(tree)
    depth = 0
    line: list[Token] = []
    column = 1
    for token in tokens:
        if token.type == "_NL":
            if line:
                sort, places = next((rows[t.start - offset] for t in line if t.start - offset in rows), ("", ()))
                cells = tuple(i for i, t in enumerate(line) if t.start - offset in places)
                yield WrittenLine(depth, column, sort, tuple(line), cells)
                line = []
        elif token.type in ("_INDENT", "_DEDENT"):
            depth += 1 if token.type == "_INDENT" else -1
        else:
            start = token.start_pos or 0
            if not line:
                column = token.column or 1
            kind = "SIGN" if start in signs else "HYPHEN" if token.type == "MINUS" and start in hyphens else token.type
            line.append(Token(kind, str(token), start + offset, start + offset + len(token)))


def _marks(tree: Tree[LarkToken]) -> tuple[set[int], set[int], dict[int, tuple[str, tuple[int, ...]]]]:
    """Return the offsets of signs, the offsets inside paths, and for the start of each row the starts of its cells."""
    signs: set[int] = set()
    hyphens: set[int] = set()
    rows: dict[int, tuple[str, tuple[int, ...]]] = {}
    for node in tree.iter_subtrees():
        if node.data in ("minus", "negative"):
            signs.add(node.meta.start_pos)
        elif node.data == "path":
            hyphens.update(range(node.meta.start_pos, node.meta.end_pos))
        elif node.data in ROWS or (node.data == "columns" and node.children):
            places = tuple(place for child in node.children if (place := _start(child)) is not None)
            rows[places[0]] = (str(node.data), places)
    return signs, hyphens, rows


def _start(child: object) -> int | None:
    if isinstance(child, LarkToken):
        return child.start_pos
    return child.meta.start_pos if isinstance(child, Tree) else None


# ---- completion ------------------------------------------------------------------------------------------------------


_TYPED = re.compile(r"[A-Za-z]\w*$")


@dataclass(frozen=True, slots=True)
class Completions:
    """The words and names that can stand at a position.

    `words` are keywords, `name` tells whether a name fits, `before` are the words before the position in its line.
    `known` is False if an error before the position makes the result unreliable.
    """

    words: tuple[str, ...] = ()
    name: bool = False
    before: tuple[str, ...] = ()
    known: bool = True


def completions(lines: Sequence[str], line: int, column: int) -> Completions:
    """Return what can replace the word that ends at `column` in `line` (both from 0)."""
    typed = _TYPED.sub("", lines[line][:column])
    if "#" in re.sub(r'"[^"]*"', "", typed) or typed.count('"') % 2:
        return Completions()
    first = line
    while typed and first > 0 and (not lines[first].strip() or lines[first][0] in " \t#)]"):
        first -= 1
    text = [*lines[first:line], typed]
    if len(text) > MAX_LINES_OF_ARTICLE or any(len(text_line) >= MAX_LINE for text_line in text):
        return Completions(known=False)
    rest = [" ".join(more) for more in _phrases(typed)]
    for _ in range(MAX_ERRORS_PER_ARTICLE):
        before: list[LarkToken] = []
        parser, wrong = _parsed(text, before)
        if wrong is None:
            accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
            accepted_words = [word for terminal in sorted(accepted) for word in _words(terminal)]
            return Completions(
                tuple(dict.fromkeys([*rest, *accepted_words])), "NAME" in accepted, tuple(map(str, before))
            )  # fmt: skip
        if wrong >= len(text) - 1 or not blank_block(text, wrong):
            break
        # The line being typed is kept, even where the block that it may belong to is blanked.
        text[-1] = typed
    return Completions(tuple(rest), True, tuple(TOKEN.findall(typed)), known=False)


def _parsed(text: Sequence[str], before: list[LarkToken]) -> tuple[InteractiveParser, int | None]:
    """Parse a text interactively; return the parser and the number of the line where it failed, None if it did not.

    The tokens of the last line are put into `before`.
    """
    written = "\n".join(text)
    # A placeholder for the next word, which ends open blocks as that word would.
    parser = start(f"{written}q")
    try:
        for token in parser.lexer_thread.lex(parser.parser_state):  # type: ignore[no-untyped-call]
            if (token.start_pos or 0) >= len(written) and token.type not in ("_INDENT", "_DEDENT", "_NL"):
                return parser, None
            parser.feed_token(token)
            if token.type in ("_NL", "_INDENT", "_DEDENT"):
                before.clear()
            else:
                before.append(token)
    except UnexpectedInput as error:
        # At the end of the text lark reports neither line nor position.
        place, line = getattr(error, "pos_in_stream", None), getattr(error, "line", None)
        if isinstance(place, int) and place >= len(written):
            return parser, None
        return parser, line - 1 if isinstance(line, int) and 0 < line <= len(text) else len(text) - 1
    except DedentError:
        return parser, len(text) - 1
    return parser, None


def _phrases(typed: str) -> list[list[str]]:
    """Return the rest of each phrase of several words whose beginning ends the text."""
    typed_words = typed.split()
    if not typed.endswith(" "):
        return []
    phrases = [phrase.split() for group in TERMINAL_WORDS.values() for phrase in group if " " in phrase]
    return [phrase[n:] for phrase in phrases for n in range(1, len(phrase)) if typed_words[-n:] == phrase[:n]]


@cache
def _words(terminal: str) -> tuple[str, ...]:
    """Return the words that a terminal stands for."""
    if terminal in TERMINAL_WORDS:
        return TERMINAL_WORDS[terminal]
    pattern = terminals().get(terminal)
    return (pattern.value,) if isinstance(pattern, PatternStr) and pattern.value.isalpha() else ()


# ---- text of a file -------------------------------------------------------------------------------------------------


def read_file(at: FileOrFolder, shown: str) -> tuple[bytes | None, Source | Diagnostic]:
    """Return the bytes of a rule file, None if it cannot be read, and its text or a diagnostic."""
    try:
        data = read_bytes(at, MAX_BYTES, RULES_SUFFIX)
    except FileError as error:
        return None, _unreadable(error, shown)
    return data, source_of(data, shown)


def source_of(data: bytes, shown: str) -> Source | Diagnostic:
    """Return the text of the bytes of a rule file, or a diagnostic."""
    if len(data) > MAX_BYTES:
        return _unreadable(FileError("too_large", size=len(data)), shown)
    if data.startswith(_DOCUMENTS):
        return Diagnostic("R0007", beginning_of(shown), {"path": shown})
    try:
        return Source(shown, decode(data))
    except FileError as error:
        place = Span(Source(shown, data.decode("utf-8", "replace")), error.line, 1, error.line, 2)
        return Diagnostic("R0003", place, {"line": error.line})


def _unreadable(error: FileError, shown: str) -> Diagnostic:
    if error.reason == "too_large":
        return Diagnostic("R0002", beginning_of(shown), {"size": error.size, "limit": MAX_CHARACTERS})
    return Diagnostic("R0001", beginning_of(shown), {"path": shown})


def beginning_of(shown: str) -> Span:
    """Return the first position of a file that is not readable or does not exist, given its displayed name."""
    return Span(Source(shown, ""), 1, 1, 1, 1)
