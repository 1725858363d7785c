"""Builds syntax-tree nodes of words, types, domains and expressions from the parse tree of one article."""

from __future__ import annotations

from dataclasses import fields
from types import UnionType
from typing import Any, cast

from lark import Token, Transformer, v_args

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source, Span
from wongar_dsl.language import ast as s

MAX_NUMBER = 1_000_000_000


def kept(children: list[Any]) -> list[Any]:
    """Drop the missing optional children."""
    return [c for c in children if c is not None]


def of_kind(children: list[Any], kind: type | UnionType) -> tuple[Any, ...]:
    """Return the children that are instances of `kind`."""
    return tuple(c for c in children if isinstance(c, kind))


def one_of_its_words(token: Token) -> Any:
    """Return the text of a token whose grammar rule accepts only the words of a closed type."""
    return str(token)


@v_args(meta=True)
class ExpressionBuilder(Transformer[Token, Any]):
    """Transformer for expressions, with one method per grammar rule; `diagnostics` collects mistakes in single tokens.

    A rule whose class has its name (`move_all`, `MoveAll`), with fields in the order of the rule, needs no method.
    """

    def __init__(self, source: Source, first_line: int) -> None:
        super().__init__()
        self._source = source
        self._first = first_line
        self.diagnostics: list[Diagnostic] = []

    def __default__(self, data: Any, children: list[Any], meta: Any) -> s.Node:
        """Build the node of a rule without a method."""
        node = getattr(s, str(data).title().replace("_", ""))
        kinds = [str(field.type) for field in fields(node)[1:]]
        return cast(s.Node, node(self._span(meta), *map(self._field, children, kinds)))

    def _field(self, child: Any, kind: str) -> Any:
        """Convert a child to the type of a field."""
        if isinstance(child, Token):
            return self._word(child) if "Word" in kind else str(child)
        return tuple(child) if isinstance(child, list) else child

    # ---- spans and words ----

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

    def span_of(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("span", c[0], c[1], None)

    def touching(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("touching", c[0], c[1], None)

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

    def clockwise_from(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("from", c[0], c[1], None)

    def clockwise_after(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("after", c[0], c[1], None)

    def domain(self, meta: Any, c: list[Any]) -> s.Domain:
        kind, base, first, second, *condition = c[0]
        extreme = one_of_its_words(c[2]) if c[2] is not None else None
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
        return s.Compare(self._span(meta), one_of_its_words(c[1]), c[0], c[2])

    def chain(self, meta: Any, c: list[Any]) -> s.Expression:
        span = self._span(meta)
        low = s.Compare(c[0].span.to(c[2].span), one_of_its_words(c[1]), c[0], c[2])
        high = s.Compare(c[2].span.to(c[4].span), one_of_its_words(c[3]), c[2], c[4])
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
        return s.Binary(self._span(meta), one_of_its_words(c[1]), c[0], c[2])

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
