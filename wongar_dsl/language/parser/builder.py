"""Builds syntax-tree nodes from the parse tree of one article: expressions, declarations, and a variant's changes."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from types import UnionType
from typing import Any, cast

from lark import Token, Tree

from wongar_dsl.base.diagnostics import Diagnostic, Hint
from wongar_dsl.base.span import Source, Span
from wongar_dsl.language import ast as s

from .keywords import ARTICLE_FORMS, INNER_FORMS

MAX_NUMBER = 1_000_000_000


def present(children: list[Any]) -> list[Any]:
    """Return the children without the optional ones that are missing."""
    return [c for c in children if c is not None]


def of_kind(children: list[Any], kind: type | UnionType) -> tuple[Any, ...]:
    """Return the children that are instances of `kind`."""
    return tuple(c for c in children if isinstance(c, kind))


def as_literal(token: Token) -> Any:
    """Return the text of a token as a value of the `Literal` type of a field; the grammar accepts no other words."""
    return str(token)


@cache
def _class_of(rule: str) -> tuple[type[s.Node], tuple[str, ...]]:
    """Return the class with the name of a rule, and the types of its fields after the span."""
    node = getattr(s, rule.title().replace("_", ""))
    return node, tuple(str(field.type) for field in fields(node)[1:])


#: Values of rules without children, and kinds of domains of two expressions.
_MARKS = {"offset": "offset", "slanting": "diagonal"} | {f"seen_{w}": w for w in ("all", "owner", "nobody", "number")}
_DOMAINS = {"span_of": "span", "touching": "touching", "clockwise_from": "from", "clockwise_after": "after"}


class ExpressionBuilder:
    """Builder of expressions, with one method per grammar rule; `diagnostics` collects mistakes in single tokens.

    A rule whose class has its name (`move_all`, `MoveAll`), with fields in the order of the rule, needs no method.
    """

    def __init__(self, source: Source, first_line: int) -> None:
        self._source = source
        self._first = first_line
        self.diagnostics: list[Diagnostic] = []

    def build(self, tree: Tree[Token]) -> Any:
        """Build the node of a parse tree; the transformer of lark takes twice as long."""
        if tree.data in _MARKS:
            return _MARKS[tree.data]
        children = [self.build(child) if isinstance(child, Tree) else child for child in tree.children]
        if tree.data in _DOMAINS:
            return (_DOMAINS[tree.data], children[0], children[1], None)
        method = getattr(self, tree.data, None)
        return method(tree.meta, children) if method is not None else self._node(tree, children)

    def _node(self, tree: Tree[Token], children: list[Any]) -> s.Node:
        """Build the node of a rule without a method."""
        node, kinds = _class_of(tree.data)
        return node(self._span(tree.meta), *map(self._field, children, kinds))

    def _field(self, child: Any, kind: str) -> Any:
        """Convert a child to the type of a field."""
        if isinstance(child, Token):
            return self._word(child) if "Word" in kind else str(child)
        return tuple(child) if isinstance(child, list) else child

    # ---- spans and words ----

    def _expect_name(self, node: s.Node, form: str) -> None:
        """Report an expression where only a name can stand, with a line of the right form."""
        hint = Hint("form", {"form": form})
        self.diagnostics.append(
            Diagnostic("R0101", node.span, {"found": node.span.text, "expected": ("name",)}, hint=hint)
        )

    def _span(self, meta: Any) -> Span:
        if getattr(meta, "empty", True):
            return Span(self._source, self._first + 1, 1, self._first + 1, 1)
        end_line, end_column = meta.end_line, meta.end_column
        if end_line != meta.line and end_column == 1:
            end_line, end_column = meta.line, 1 << 20
        return Span(self._source, self._first + meta.line, meta.column, self._first + end_line, end_column)

    def _token_span(self, token: Token) -> Span:
        line = self._first + cast(int, token.line)
        column = cast(int, token.column)
        return Span(self._source, line, column, line, column + len(token))

    def _word(self, token: Token) -> s.Word:
        return s.Word(self._token_span(token), str(token))

    def _words(self, children: list[Any]) -> tuple[s.Word, ...]:
        return tuple(self._word(c) for c in children if isinstance(c, Token) and c.type == "NAME")

    def _int(self, token: Token) -> int:
        if len(token) > 10 or int(token) > MAX_NUMBER:
            self.diagnostics.append(Diagnostic("R0109", self._token_span(token), {"limit": MAX_NUMBER}))
            return 0
        return int(token)

    def _head(self, meta: Any, word: str) -> s.Word:
        """Return the first word of an article, which serves as the name of one without a name."""
        line = self._first + meta.line
        return s.Word(Span(self._source, line, meta.column, line, meta.column + len(word)), word)

    # ---- types ----

    def type_truth(self, meta: Any, c: list[Any]) -> s.TypeName:
        return s.TypeName(self._span(meta), "yes or no")

    def type_number(self, meta: Any, c: list[Any]) -> s.TypeName:
        return s.TypeName(self._span(meta), "number", *c)

    def type_name(self, meta: Any, c: list[Any]) -> s.TypeName:
        return s.TypeName(self._span(meta), str(c[0]))

    # ---- domains and expressions ----

    def all_of(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("all", c[0], None, None)

    def kinds_in(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("kinds", c[2], s.Name(self._token_span(c[1]), str(c[1])), None)

    def within(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("within", c[0], c[1], c[2])

    def along(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("along", *c)

    def reached(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("reached", c[0], c[1], None, c[2])

    def lines_on(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("lines", c[1], s.Number(self._token_span(c[0]), self._int(c[0])), None)

    def lines_through(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("through", c[1], s.Number(self._token_span(c[0]), self._int(c[0])), None)

    def domain(self, meta: Any, c: list[Any]) -> s.Domain:
        kind, base, first, second, *condition = c[0]
        extreme = as_literal(c[2]) if c[2] is not None else None
        through = condition[0] if condition else None
        return s.Domain(self._span(meta), kind, base, first, second, c[1], extreme, c[3], through)

    def _quantified(
        self, kind: s.QuantifiedKind, meta: Any, name: Token, domain: Any, value: Any = None
    ) -> s.Quantified:
        return s.Quantified(self._span(meta), kind, self._word(name), domain, value)

    def some(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("some", meta, c[0], c[1])

    def none_of(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("none", meta, c[0], c[1])

    def every(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("every", meta, c[0], c[1], c[2])

    def number_of(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("number", meta, c[0], c[1])

    def sum_of(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("sum", meta, c[1], c[2], c[0])

    def highest(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("highest", meta, c[1], c[2], c[0])

    def lowest(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("lowest", meta, c[1], c[2], c[0])

    def first(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("first", meta, c[0], c[1])

    def random(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("random", meta, c[0], c[1], c[2])

    def tally(self, meta: Any, c: list[Any]) -> s.Expression:
        return self._quantified("tally", meta, c[1], c[2], c[0])

    def any_of(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Logical(self._span(meta), "or", tuple(c))

    def every_of(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Logical(self._span(meta), "and", tuple(c))

    def compare(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Compare(self._span(meta), as_literal(c[1]), c[0], c[2])

    def chain(self, meta: Any, c: list[Any]) -> s.Expression:
        span = self._span(meta)
        low = s.Compare(c[0].span.to(c[2].span), as_literal(c[1]), c[0], c[2])
        high = s.Compare(c[2].span.to(c[4].span), as_literal(c[3]), c[2], c[4])
        return s.Logical(span, "and", (low, high))

    def is_same(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Compare(self._span(meta), "=", c[0], c[1])

    def is_other(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Compare(self._span(meta), "!=", c[0], c[1])

    def is_empty(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Empty(self._span(meta), c[0], False)

    def is_filled(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Empty(self._span(meta), c[0], True)

    def binary(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Binary(self._span(meta), as_literal(c[1]), c[0], c[2])

    def of(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Of(self._span(meta), str(c[0]), c[1])

    def mine(self, meta: Any, c: list[Any]) -> s.Expression:
        span = self._span(meta)
        return s.Of(span, str(c[0]), s.Name(span, "me"))

    def number(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Number(self._span(meta), self._int(c[0]))

    def yes(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Truth(self._span(meta), True)

    def no(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Truth(self._span(meta), False)

    def nobody(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Nobody(self._span(meta))

    def name(self, meta: Any, c: list[Any]) -> s.Expression:
        text = str(c[0])
        return s.Name(self._span(meta), "me" if text == "I" else text)

    def called(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Called(self._span(meta), str(c[0]), of_kind(c, s.Expression))

    def indexed(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Indexed(self._span(meta), str(c[0]), of_kind(c, s.Expression))

    def either(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Conditional(self._span(meta), c[1], c[0], c[2])

    def grouped(self, meta: Any, c: list[Any]) -> s.Expression:
        return cast(s.Expression, c[0])


def _no_equals(children: list[Any]) -> list[Any]:
    """Drop the equals sign of a declaration from the children."""
    return [c for c in children if not (isinstance(c, Token) and c.type == "EQUALS")]


class DeclarationBuilder(ExpressionBuilder):
    """Builder of articles and statements, with one method per grammar rule."""

    def game(self, meta: Any, c: list[Any]) -> s.Game:
        players, place = next((x for x in c if isinstance(x, tuple)), (None, None))
        return s.Game(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), players, of_kind(c, s.Book), place)

    def variant(self, meta: Any, c: list[Any]) -> s.Variant:
        span = self._span(meta)
        name, base, *others = (self._word(x) for x in c if isinstance(x, Token))
        return s.Variant(span, name, of_kind(c, s.Citation), base, of_kind(c, s.Book), tuple(others))

    def players(self, meta: Any, c: list[Any]) -> tuple[tuple[int, int], Span]:
        return self._numbers(c)

    def _numbers(self, c: list[Any]) -> tuple[tuple[int, int], Span]:
        """Return the two ends of a range, or one number for both, with their span."""
        low, high = c[0], c[1] if c[1] is not None else c[0]
        place = self._token_span(low).to(self._token_span(high))
        return (self._int(low), self._int(high)), place

    def book(self, meta: Any, c: list[Any]) -> s.Book:
        return s.Book(self._span(meta), str(c[0]), str(c[1])[1:-1])

    def _citation(self, kind: s.Trust, meta: Any, c: list[Any]) -> s.Citation:
        words = present(c)
        book = str(words[0]) if words else None
        return s.Citation(self._span(meta), kind, book, tuple(str(w)[1:-1] for w in words[1:]))

    def source_text(self, meta: Any, c: list[Any]) -> s.Citation:
        return self._citation("text", meta, c)

    def source_inferred(self, meta: Any, c: list[Any]) -> s.Citation:
        return self._citation("inferred", meta, c)

    def source_reconstruction(self, meta: Any, c: list[Any]) -> s.Citation:
        return self._citation("reconstruction", meta, c)

    def source_house(self, meta: Any, c: list[Any]) -> s.Citation:
        return s.Citation(self._span(meta), "house")

    def enumeration(self, meta: Any, c: list[Any]) -> s.Enumeration:
        words = self._words(c)
        return s.Enumeration(self._span(meta), words[0], of_kind(c, s.Citation), words[1:])

    def row(self, meta: Any, c: list[Any]) -> tuple[s.Word, ...]:
        return self._words(c)

    def touches(self, meta: Any, c: list[Any]) -> s.Touches:
        words = self._words(c)
        return s.Touches(self._span(meta), words[0], words[1:])

    def board(self, meta: Any, c: list[Any]) -> s.Board:
        rows = tuple(x for x in c if isinstance(x, tuple))
        marks = of_kind(c[1:], str)
        return s.Board(
            self._span(meta),
            self._word(c[0]),
            of_kind(c, s.Citation),
            rows,
            "offset" in marks,
            of_kind(c, s.Touches),
            next((tuple(x) for x in c if isinstance(x, list)), None),
            "diagonal" in marks,
        )

    def square_lattice(self, meta: Any, c: list[Any]) -> list[Any]:
        return ["square", self._int(c[0]), self._int(c[1])]

    def hexagon_lattice(self, meta: Any, c: list[Any]) -> list[Any]:
        return ["hexagon", self._int(c[0]), self._int(c[1])]

    def round_lattice(self, meta: Any, c: list[Any]) -> list[Any]:
        return ["round", self._int(c[0]), self._int(c[0])]

    def held(self, meta: Any, c: list[Any]) -> bool:
        return True

    def figure(self, meta: Any, c: list[Any]) -> s.Figure:
        board = self._word(c[1]) if c[1] is not None else None
        return s.Figure(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), board, c[2] is True)

    def face(self, meta: Any, c: list[Any]) -> s.Face:
        return s.Face(self._span(meta), self._word(c[0]), of_kind(c, s.Typed))

    def cards(self, meta: Any, c: list[Any]) -> s.Cards:
        return s.Cards(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), of_kind(c, s.Face))

    def copies(self, meta: Any, c: list[Any]) -> list[s.Copies]:
        return [s.Copies(self._token_span(n).to(f.span), self._int(n), f) for n, f in zip(c[::2], c[1::2], strict=True)]

    def deck(self, meta: Any, c: list[Any]) -> s.Deck:
        total = self._int(c[2]) if c[2] is not None else None
        copies = tuple(x for part in c[3:] if isinstance(part, list) for x in part)
        return s.Deck(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), self._word(c[1]), total, copies)

    def each(self, meta: Any, c: list[Any]) -> tuple[str, s.Word]:
        return ("each", self._word(c[0]))

    def at_most(self, meta: Any, c: list[Any]) -> int:
        return self._int(c[0])

    def never(self, meta: Any, c: list[Any]) -> tuple[str, tuple[s.Word, ...]]:
        return ("never", self._words(c))

    @staticmethod
    def _each(c: list[Any]) -> tuple[s.Word, ...]:
        return tuple(x[1] for x in c if isinstance(x, tuple) and x and x[0] == "each")

    @staticmethod
    def _seen(c: list[Any]) -> s.Seen:
        return cast(s.Seen, next((x for x in c if isinstance(x, str) and not isinstance(x, Token)), "all"))

    def zone(self, meta: Any, c: list[Any]) -> s.Zone:
        names = self._words(c)
        never = next((x[1] for x in c if isinstance(x, tuple) and x and x[0] == "never"), ())
        capacity = next((x for x in c if isinstance(x, int)), None)
        kind = cast(s.ZoneKind, str(c[0]))
        return s.Zone(
            self._span(meta), names[0], of_kind(c, s.Citation), kind, self._each(c), capacity, names[1], self._seen(c),
            never, next((x for x in c if isinstance(x, s.Word)), None),
        )  # fmt: skip

    def lying(self, meta: Any, c: list[Any]) -> s.Word:
        return self._word(c[0])

    def remember(self, meta: Any, c: list[Any]) -> s.Remember:
        start = next((x for x in c if isinstance(x, s.Expression)), None)
        kind = next(x for x in c if isinstance(x, s.TypeName))
        quiet = any(x == ("quietly",) for x in c)
        return s.Remember(
            self._span(meta), self._word(c[0]), of_kind(c, s.Citation), self._each(c), kind, start, self._seen(c), quiet
        )

    def quietly(self, meta: Any, c: list[Any]) -> tuple[str]:
        return ("quietly",)

    def score(self, meta: Any, c: list[Any]) -> s.Score:
        by = self._word(c[1]) if c[1] is not None else None
        return s.Score(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), by)

    def track_phase(self, meta: Any, c: list[Any]) -> s.TrackPhase:
        return s.TrackPhase(self._span(meta), self._word(c[0]), self._int(c[1]))

    def track(self, meta: Any, c: list[Any]) -> s.Track:
        return s.Track(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), of_kind(c, s.TrackPhase))

    def columns(self, meta: Any, c: list[Any]) -> list[s.Expression]:
        return list(c)

    def table_row(self, meta: Any, c: list[Any]) -> s.TableRow:
        return s.TableRow(self._span(meta), c[0], tuple(c[1:]))

    def negative(self, meta: Any, c: list[Any]) -> s.Number:
        return s.Number(self._span(meta), -self._int(c[0]))

    def table(self, meta: Any, c: list[Any]) -> s.LookupTable:
        return s.LookupTable(
            self._span(meta), self._word(c[0]), of_kind(c, s.Citation), tuple(c[1]), of_kind(c, s.TableRow)
        )

    def drawing(self, meta: Any, c: list[Any]) -> s.ShapeDrawing:
        return s.ShapeDrawing(self._span(meta), self._word(c[0]), tuple(map(str, c[1:])))

    def shapes(self, meta: Any, c: list[Any]) -> s.Shapes:
        return s.Shapes(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), of_kind(c, s.ShapeDrawing))

    def piece_set(self, meta: Any, c: list[Any]) -> tuple[s.Word, ...]:
        return self._words(c)

    def covered(self, meta: Any, c: list[Any]) -> s.CoveringTask:
        return s.CoveringTask(self._span(meta), self._word(c[0]), tuple(c[1:]))

    def coverings(self, meta: Any, c: list[Any]) -> s.Coverings:
        name, areas, pieces = self._words(c[:3])
        key = self._word(c[3]) if c[3] is not None else None
        span, sources, rows = self._span(meta), of_kind(c, s.Citation), of_kind(c, s.CoveringTask)
        return s.Coverings(span, name, sources, areas, pieces, key, rows)

    def path(self, meta: Any, c: list[Any]) -> s.Path:
        number = self._int(c[2]) if c[2] is not None else 0
        return s.Path(self._span(meta), (self._int(c[0]), self._int(c[1])), number)

    def crossing(self, meta: Any, c: list[Any]) -> s.Crossing:
        return s.Crossing(self._span(meta), c[0], of_kind(c, s.Path))

    def paths(self, meta: Any, c: list[Any]) -> s.Paths:
        number = self._word(c[2]) if c[2] is not None else None
        span, sources, rows = self._span(meta), of_kind(c, s.Citation), of_kind(c, s.Crossing)
        return s.Paths(span, self._word(c[0]), sources, self._word(c[1]), number, rows)

    def setting(self, meta: Any, c: list[Any]) -> s.Setting:
        c = _no_equals(c)
        (low, high), place = self._numbers(c[2:]) if c[2] is not None else ((None, None), None)
        return s.Setting(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), c[1], low, high, place)

    def body(self, meta: Any, c: list[Any]) -> list[Any]:
        return present(c)

    def setup(self, meta: Any, c: list[Any]) -> s.Setup:
        name = self._head(meta, "setup")
        return s.Setup(self._span(meta), name, of_kind(c[0], s.Citation), (), None, of_kind(c[0], s.Statement))

    def play(self, meta: Any, c: list[Any]) -> s.Play:
        name = self._head(meta, "play")
        return s.Play(self._span(meta), name, of_kind(c[0], s.Citation), (), None, of_kind(c[0], s.Statement))

    def ranked(self, meta: Any, c: list[Any]) -> s.RankingLine:
        return s.RankingLine(self._span(meta), as_literal(c[0]), c[1])

    def winner(self, meta: Any, c: list[Any]) -> s.Winner:
        return s.Winner(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), of_kind(c, s.RankingLine))

    def rule(self, meta: Any, c: list[Any]) -> s.Rule:
        gives = next((x for x in c if isinstance(x, s.TypeName)), None)
        body = c[-1]
        return s.Rule(
            self._span(meta),
            self._word(c[0]),
            of_kind(body, s.Citation),
            of_kind(c, s.Typed),
            gives,
            of_kind(body, s.Statement),
        )

    def define(self, meta: Any, c: list[Any]) -> s.Define:
        value = next(x for x in c if isinstance(x, s.Expression))
        return s.Define(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), of_kind(c, s.Typed), value)

    def effect(self, meta: Any, c: list[Any]) -> s.Effect:
        body = c[-1]
        words = self._words(c)
        player = s.Typed(words[-1].span, words[-1], s.TypeName(words[-1].span, "player"))
        return s.Effect(
            self._span(meta), words[0], of_kind(body, s.Citation), (player, *of_kind(c, s.Typed)), None,
            of_kind(body, s.Statement), words[1:-1],
        )  # fmt: skip

    def block(self, meta: Any, c: list[Any]) -> list[s.Statement]:
        return list(c)

    def option_block(self, meta: Any, c: list[Any]) -> list[s.Statement]:
        return present(c)

    def otherwise(self, meta: Any, c: list[Any]) -> tuple[str, list[s.Statement]]:
        return ("otherwise", c[0])

    def else_if(self, meta: Any, c: list[Any]) -> tuple[str, s.Expression, list[s.Statement]]:
        return ("if", c[0], c[1])

    def branch(self, meta: Any, c: list[Any]) -> s.If:
        branches = [(c[0], tuple(c[1]))]
        branches += [(x[1], tuple(x[2])) for x in c[2:] if x is not None and x[0] == "if"]
        otherwise = next((x[1] for x in c[2:] if x is not None and x[0] == "otherwise"), ())
        return s.If(self._span(meta), tuple(branches), tuple(otherwise))

    def repeat_times(self, meta: Any, c: list[Any]) -> s.Repeat:
        return s.Repeat(self._span(meta), "times", c[0], tuple(c[1]))

    def repeat_while(self, meta: Any, c: list[Any]) -> s.Repeat:
        return s.Repeat(self._span(meta), "while", c[0], tuple(c[1]))

    def repeat_until(self, meta: Any, c: list[Any]) -> s.Repeat:
        return s.Repeat(self._span(meta), "until", c[0], tuple(c[1]))

    def repeat_forever(self, meta: Any, c: list[Any]) -> s.Repeat:
        return s.Repeat(self._span(meta), "forever", None, tuple(c[0]))

    def option(self, meta: Any, c: list[Any]) -> s.Option:
        condition = next((x for x in c if isinstance(x, s.Expression)), None)
        return s.Option(self._span(meta), self._word(c[0]), of_kind(c, s.OptionParameter), condition, tuple(c[-1]))

    def choose(self, meta: Any, c: list[Any]) -> s.Choose:
        name = self._word(c[1]) if c[1] is not None else None
        block = next((x[1] for x in c[3:] if isinstance(x, tuple)), None)
        otherwise = None if block is None else tuple(block)
        return s.Choose(self._span(meta), c[0], name, of_kind(c, s.Option), otherwise, c[2], c[3] is not None)

    def choose_together(self, meta: Any, c: list[Any]) -> s.ChooseSimultaneously:
        name = self._word(c[2]) if c[2] is not None else None
        choices = of_kind(c, s.Option)
        return s.ChooseSimultaneously(self._span(meta), self._word(c[0]), c[1], name, choices, c[3])

    def clock(self, meta: Any, c: list[Any]) -> s.Clock:
        return s.Clock(self._span(meta), c[1], c[2])

    def let(self, meta: Any, c: list[Any]) -> s.Let:
        c = _no_equals(c)
        return s.Let(self._span(meta), self._word(c[0]), c[1])

    def move_tokens(self, meta: Any, c: list[Any]) -> s.MoveTokens:
        kind = s.Name(self._token_span(c[1]), str(c[1]))
        return s.MoveTokens(self._span(meta), c[0], kind, c[2], c[3], c[4])

    def fill(self, meta: Any, c: list[Any]) -> s.Fill:
        deck = c[1]
        if not isinstance(deck, s.Name):
            self._expect_name(deck, INNER_FORMS["fill"])
            deck = s.Name(deck.span, "")
        return s.Fill(self._span(meta), c[0], None, deck)

    def fill_kind(self, meta: Any, c: list[Any]) -> s.Fill:
        return s.Fill(self._span(meta), *c)

    def gain(self, meta: Any, c: list[Any]) -> s.Gain:
        loses = str(c[1]).startswith("lose")
        return s.Gain(self._span(meta), c[0], loses, c[2], self._word(c[3]), c[4], c[5])

    def argument(self, meta: Any, c: list[Any]) -> s.Argument:
        value = c[1]
        name = str(c[0]) if c[0] is not None else value.text if isinstance(value, s.Name) else ""
        return s.Argument(self._span(meta), name, value)

    def message(self, meta: Any, c: list[Any]) -> s.MessageRef:
        return s.MessageRef(self._span(meta), str(c[0]), of_kind(c, s.Argument))

    def named(self, meta: Any, c: list[Any]) -> s.MessageRef:
        return cast(s.MessageRef, c[0])

    def quiet(self, meta: Any, c: list[Any]) -> s.MessageRef:
        return s.MessageRef(self._span(meta), None)

    def simple(self, meta: Any, c: list[Any]) -> s.KeywordStatement:
        return s.KeywordStatement(self._span(meta), cast(s.KeywordPhrase, " ".join(str(c[0]).split())))


class PatchBuilder(DeclarationBuilder):
    """Builder of the changes of a variant, with one method per grammar rule."""

    # ---- of whole articles ----

    def set_setting(self, meta: Any, c: list[Any]) -> s.SetSetting:
        return s.SetSetting(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), c[1])

    def set_cell(self, meta: Any, c: list[Any]) -> s.SetCell:
        values = of_kind(c, s.Expression)
        return s.SetCell(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), values[:-1], values[-1])

    def set_row(self, meta: Any, c: list[Any]) -> s.SetRow:
        key, *cells = of_kind(c, s.Expression)
        return s.SetRow(self._span(meta), self._words(c)[0], of_kind(c, s.Citation), key, tuple(cells))

    def set_count(self, meta: Any, c: list[Any]) -> s.SetCount:
        return s.SetCount(self._span(meta), self._word(c[1]), of_kind(c, s.Citation), c[0], self._int(c[2]))

    def set_players(self, meta: Any, c: list[Any]) -> s.SetPlayers:
        players, place = self._numbers(c)
        return s.SetPlayers(self._span(meta), self._head(meta, "set"), of_kind(c, s.Citation), players, place)

    def replace(self, meta: Any, c: list[Any]) -> s.Replace:
        return s.Replace(self._span(meta), c[0].name, c[0].sources, c[0])

    def remove(self, meta: Any, c: list[Any]) -> s.Remove:
        return s.Remove(self._span(meta), self._word(c[1]), of_kind(c, s.Citation), as_literal(c[0]))

    # ---- of parts of an article ----

    def beside(self, meta: Any, c: list[Any]) -> tuple[str, s.Expression]:
        return (str(c[0]), s.Name(self._token_span(c[1]), str(c[1])))

    def _added(self, meta: Any, name: s.Word, c: list[Any], sort: s.ListSort, parts: tuple[s.Part, ...]) -> s.AddTo:
        side, anchor = next((x for x in c if isinstance(x, tuple) and x and x[0] in ("before", "after")), (None, None))
        return s.AddTo(self._span(meta), name, of_kind(c, s.Citation), sort, parts, side, anchor)

    def values(self, meta: Any, c: list[Any]) -> list[s.Word]:
        return list(self._words(c))

    def add_values(self, meta: Any, c: list[Any]) -> s.AddTo:
        words = tuple(word for line in c if isinstance(line, list) for word in line)
        return self._added(meta, self._word(c[0]), c, "enum", words)

    def add_faces(self, meta: Any, c: list[Any]) -> s.AddTo:
        return self._added(meta, self._word(c[0]), c, "cards", of_kind(c, s.Face))

    def add_copies(self, meta: Any, c: list[Any]) -> s.AddTo:
        copies = tuple(copies_line for line in c if isinstance(line, list) for copies_line in line)
        return self._added(meta, self._word(c[0]), c, "deck", copies)

    def add_phases(self, meta: Any, c: list[Any]) -> s.AddTo:
        return self._added(meta, self._word(c[0]), c, "track", of_kind(c, s.TrackPhase))

    def add_rows(self, meta: Any, c: list[Any]) -> s.AddTo:
        name, columns = self._word(c[0]), tuple(c[1])
        rows = of_kind(c, s.TableRow)
        return s.AddTo(self._span(meta), name, of_kind(c, s.Citation), "table", rows, None, None, columns)

    def add_ranks(self, meta: Any, c: list[Any]) -> s.AddTo:
        name = s.Word(self._head(meta, "add").span, "winner")
        return self._added(meta, name, c, "winner", of_kind(c, s.RankingLine))

    def add_choices(self, meta: Any, c: list[Any]) -> s.AddTo:
        added = self._added(meta, self._word(c[1]), c, "choice", of_kind(c, s.Option))
        none = next((tuple(x[1]) for x in c if isinstance(x, tuple) and x and x[0] == "otherwise"), None)
        return replace(added, otherwise=none)

    def procedure(self, meta: Any, c: list[Any]) -> tuple[s.ProcedureSort, s.Word]:
        sort = as_literal(c[0])
        return (sort, self._word(c[-1]))

    def _step(self, token: Token) -> s.Word:
        """Return the label of a step; keywords in it may be separated by several spaces."""
        return s.Word(self._token_span(token), " ".join(token.split()))

    def remove_from(self, meta: Any, c: list[Any]) -> s.RemoveFrom:
        sort, name = c[1] if isinstance(c[1], tuple) else (as_literal(c[1]), self._word(c[2]))
        part = s.Name(self._token_span(c[0]), self._step(c[0]).text) if isinstance(c[0], Token) else c[0]
        return s.RemoveFrom(self._span(meta), name, of_kind(c, s.Citation), sort, part)

    def insert(self, meta: Any, c: list[Any]) -> s.Insert:
        step = self._step(c[1]) if c[1] is not None else None
        (sort, name), body = c[2:]
        sources, done = of_kind(body, s.Citation), of_kind(body, s.Statement)
        return s.Insert(self._span(meta), name, sources, sort, as_literal(c[0]), step, done)

    def allow_only(self, meta: Any, c: list[Any]) -> s.AllowOnly:
        option, _, choice, condition, *sources = c
        span, name = self._span(meta), self._word(choice)
        return s.AllowOnly(span, name, of_kind(sources, s.Citation), self._word(option), condition)

    def set_offered(self, meta: Any, c: list[Any]) -> s.SetOffered:
        subject, _, choice, domain, *_ = c
        match subject:
            case s.Of(name=parameter, owner=s.Name(span=place, text=option)):
                pass
            case _:
                self.diagnostics.append(Diagnostic("R0107", subject.span, {"expected": ("of",)}))
                parameter, place, option = "", subject.span, ""
        return s.SetOffered(
            self._span(meta), self._word(choice), of_kind(c, s.Citation), s.Word(place, option),
            s.Word(subject.span, parameter), domain,
        )  # fmt: skip

    def set_step(self, meta: Any, c: list[Any]) -> s.SetStep:
        step_node, (sort, name), value, *_ = c
        step = s.Word(step_node.span, step_node.text if isinstance(step_node, s.Name) else "")
        if not step.text:
            self._expect_name(step_node, ARTICLE_FORMS["set in"])
        return s.SetStep(self._span(meta), name, of_kind(c, s.Citation), sort, step, value)
