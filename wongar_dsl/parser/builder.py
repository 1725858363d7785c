"""Builds syntax nodes from the parse tree of one article."""

from __future__ import annotations

from typing import Any, cast

from lark import Token, Transformer, v_args

from wongar_dsl import syntax as s
from wongar_dsl.diagnostics import Diagnostic
from wongar_dsl.source import Source, Span

MAX_NUMBER = 1_000_000_000


def _kept(children: list[Any]) -> list[Any]:
    return [c for c in children if c is not None]


def _no_equals(children: list[Any]) -> list[Any]:
    """The children without the sign of a declaration."""
    return [c for c in children if not (isinstance(c, Token) and c.type == "EQUALS")]


def _of(children: list[Any], kind: type) -> tuple[Any, ...]:
    return tuple(c for c in children if isinstance(c, kind))


@v_args(meta=True)
class TreeBuilder(Transformer[Token, Any]):
    """One method for each rule of the grammar.  `found` collects what is wrong with single tokens."""

    def __init__(self, source: Source, first_line: int) -> None:
        super().__init__()
        self._source = source
        self._first = first_line
        self.found: list[Diagnostic] = []

    # ---- places and words ----

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
            self.found.append(Diagnostic("R0109", self._token_span(token), {"limit": MAX_NUMBER}))
            return 0
        return int(token)

    def _head(self, meta: Any, word: str) -> s.Word:
        """The name of an article that has none of its own: its first word."""
        line = self._first + meta.line
        return s.Word(Span(self._source, line, meta.column, line, meta.column + len(word)), word)

    # ---- articles ----

    def game(self, meta: Any, c: list[Any]) -> s.Game:
        players = next((x for x in c if isinstance(x, tuple)), None)
        return s.Game(self._span(meta), self._word(c[0]), _of(c, s.Citation), players, _of(c, s.Book))

    def variant(self, meta: Any, c: list[Any]) -> s.Variant:
        span = self._span(meta)
        return s.Variant(span, self._word(c[0]), _of(c, s.Citation), self._word(c[1]), _of(c, s.Book))

    def players(self, meta: Any, c: list[Any]) -> tuple[int, int]:
        low = self._int(c[0])
        return (low, self._int(c[1]) if c[1] is not None else low)

    def book(self, meta: Any, c: list[Any]) -> s.Book:
        return s.Book(self._span(meta), str(c[0]), str(c[1])[1:-1])

    def _citation(self, kind: str, meta: Any, c: list[Any]) -> s.Citation:
        words = _kept(c)
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
        return s.Enumeration(self._span(meta), words[0], _of(c, s.Citation), words[1:])

    def row(self, meta: Any, c: list[Any]) -> tuple[s.Word, ...]:
        return self._words(c)

    def offset(self, meta: Any, c: list[Any]) -> str:
        return "offset"

    def touches(self, meta: Any, c: list[Any]) -> s.Touches:
        words = self._words(c)
        return s.Touches(self._span(meta), words[0], words[1:])

    def board(self, meta: Any, c: list[Any]) -> s.Board:
        rows = tuple(x for x in c if isinstance(x, tuple))
        return s.Board(
            self._span(meta), self._word(c[0]), _of(c, s.Citation), rows, "offset" in _of(c[1:], str), _of(c, s.Touches)
        )

    def held(self, meta: Any, c: list[Any]) -> bool:
        return True

    def figure(self, meta: Any, c: list[Any]) -> s.Figure:
        board = self._word(c[1]) if c[1] is not None else None
        return s.Figure(self._span(meta), self._word(c[0]), _of(c, s.Citation), board, c[2] is True)

    def typed(self, meta: Any, c: list[Any]) -> s.Typed:
        return s.Typed(self._span(meta), self._word(c[0]), c[1])

    def type_truth(self, meta: Any, c: list[Any]) -> s.TypeName:
        return s.TypeName(self._span(meta), "yes or no")

    def type_number(self, meta: Any, c: list[Any]) -> s.TypeName:
        return s.TypeName(self._span(meta), "number", *c)

    def type_name(self, meta: Any, c: list[Any]) -> s.TypeName:
        return s.TypeName(self._span(meta), str(c[0]))

    def face(self, meta: Any, c: list[Any]) -> s.Face:
        return s.Face(self._span(meta), self._word(c[0]), _of(c, s.Typed))

    def cards(self, meta: Any, c: list[Any]) -> s.Cards:
        return s.Cards(self._span(meta), self._word(c[0]), _of(c, s.Citation), _of(c, s.Face))

    def copies(self, meta: Any, c: list[Any]) -> list[s.Copies]:
        return [
            s.Copies(self._token_span(n).to(f.span), self._int(n), f) for n, f in zip(c[::2], c[1::2], strict=True)
        ]

    def deck(self, meta: Any, c: list[Any]) -> s.Deck:
        total = self._int(c[2]) if c[2] is not None else None
        copies = tuple(x for part in c[3:] if isinstance(part, list) for x in part)
        return s.Deck(self._span(meta), self._word(c[0]), _of(c, s.Citation), self._word(c[1]), total, copies)

    def each(self, meta: Any, c: list[Any]) -> tuple[str, s.Word]:
        return ("each", self._word(c[0]))

    def at_most(self, meta: Any, c: list[Any]) -> int:
        return self._int(c[0])

    def seen_all(self, meta: Any, c: list[Any]) -> str:
        return "all"

    def seen_owner(self, meta: Any, c: list[Any]) -> str:
        return "owner"

    def seen_nobody(self, meta: Any, c: list[Any]) -> str:
        return "nobody"

    def seen_number(self, meta: Any, c: list[Any]) -> str:
        return "number"

    def never(self, meta: Any, c: list[Any]) -> tuple[s.Word, ...]:
        return ("never", *self._words(c))  # type: ignore[return-value]

    @staticmethod
    def _each(c: list[Any]) -> tuple[s.Word, ...]:
        return tuple(x[1] for x in c if isinstance(x, tuple) and x and x[0] == "each")

    @staticmethod
    def _seen(c: list[Any]) -> str:
        return next((x for x in c if isinstance(x, str) and not isinstance(x, Token)), "all")

    def zone(self, meta: Any, c: list[Any]) -> s.Zone:
        names = self._words(c)
        never = next((x[1:] for x in c if isinstance(x, tuple) and x and x[0] == "never"), ())
        capacity = next((x for x in c if isinstance(x, int)), None)
        return s.Zone(
            self._span(meta), names[0], _of(c, s.Citation), str(c[0]), self._each(c), capacity, names[1],
            self._seen(c), never,
        )  # fmt: skip

    def remember(self, meta: Any, c: list[Any]) -> s.Remember:
        start = next((x for x in c if isinstance(x, s.Expression)), None)
        kind = next(x for x in c if isinstance(x, s.TypeName))
        return s.Remember(
            self._span(meta), self._word(c[0]), _of(c, s.Citation), self._each(c), kind, start, self._seen(c)
        )

    def score(self, meta: Any, c: list[Any]) -> s.Score:
        by = self._word(c[1]) if c[1] is not None else None
        return s.Score(self._span(meta), self._word(c[0]), _of(c, s.Citation), by)

    def stretch(self, meta: Any, c: list[Any]) -> s.Stretch:
        return s.Stretch(self._span(meta), self._word(c[0]), self._int(c[1]))

    def track(self, meta: Any, c: list[Any]) -> s.Track:
        return s.Track(self._span(meta), self._word(c[0]), _of(c, s.Citation), _of(c, s.Stretch))

    def columns(self, meta: Any, c: list[Any]) -> list[s.Expression]:
        return list(c)

    def table_row(self, meta: Any, c: list[Any]) -> s.Row:
        return s.Row(self._span(meta), c[0], tuple(c[1:]))

    def negative(self, meta: Any, c: list[Any]) -> s.Number:
        return s.Number(self._span(meta), -self._int(c[0]))

    def table(self, meta: Any, c: list[Any]) -> s.Table:
        return s.Table(self._span(meta), self._word(c[0]), _of(c, s.Citation), tuple(c[1]), _of(c, s.Row))

    def option(self, meta: Any, c: list[Any]) -> s.Option:
        c = _no_equals(c)
        low = self._int(c[2]) if c[2] is not None else None
        high = self._int(c[3]) if c[3] is not None else None
        return s.Option(self._span(meta), self._word(c[0]), _of(c, s.Citation), c[1], low, high)

    def body(self, meta: Any, c: list[Any]) -> list[Any]:
        return _kept(c)

    def setup(self, meta: Any, c: list[Any]) -> s.Setup:
        name = self._head(meta, "setup")
        return s.Setup(self._span(meta), name, _of(c[0], s.Citation), (), None, _of(c[0], s.Statement))

    def play(self, meta: Any, c: list[Any]) -> s.Play:
        name = self._head(meta, "play")
        return s.Play(self._span(meta), name, _of(c[0], s.Citation), (), None, _of(c[0], s.Statement))

    def ranked(self, meta: Any, c: list[Any]) -> s.Ranked:
        return s.Ranked(self._span(meta), str(c[0]), c[1])

    def winner(self, meta: Any, c: list[Any]) -> s.Winner:
        return s.Winner(self._span(meta), self._word(c[0]), _of(c, s.Citation), _of(c, s.Ranked))

    def rule(self, meta: Any, c: list[Any]) -> s.Rule:
        gives = next((x for x in c if isinstance(x, s.TypeName)), None)
        body = c[-1]
        return s.Rule(
            self._span(meta), self._word(c[0]), _of(body, s.Citation), _of(c, s.Typed), gives, _of(body, s.Statement)
        )

    def define(self, meta: Any, c: list[Any]) -> s.Define:
        value = next(x for x in c if isinstance(x, s.Expression))
        return s.Define(self._span(meta), self._word(c[0]), _of(c, s.Citation), _of(c, s.Typed), value)

    def effect(self, meta: Any, c: list[Any]) -> s.Effect:
        body = c[-1]
        words = self._words(c)
        player = s.Typed(words[-1].span, words[-1], s.TypeName(words[-1].span, "player"))
        return s.Effect(
            self._span(meta), words[0], _of(body, s.Citation), (player, *_of(c, s.Typed)), None,
            _of(body, s.Statement), words[1:-1],
        )  # fmt: skip

    def set_option(self, meta: Any, c: list[Any]) -> s.SetOption:
        return s.SetOption(self._span(meta), self._word(c[0]), _of(c, s.Citation), c[1])

    def set_cell(self, meta: Any, c: list[Any]) -> s.SetCell:
        values = _of(c, s.Expression)
        return s.SetCell(self._span(meta), self._word(c[0]), _of(c, s.Citation), values[:-1], values[-1])

    def set_row(self, meta: Any, c: list[Any]) -> s.SetRow:
        key, *cells = _of(c, s.Expression)
        return s.SetRow(self._span(meta), self._words(c)[0], _of(c, s.Citation), key, tuple(cells))

    def set_count(self, meta: Any, c: list[Any]) -> s.SetCount:
        return s.SetCount(self._span(meta), self._word(c[1]), _of(c, s.Citation), c[0], self._int(c[2]))

    def set_players(self, meta: Any, c: list[Any]) -> s.SetPlayers:
        low = self._int(c[0])
        high = self._int(c[1]) if c[1] is not None else low
        return s.SetPlayers(self._span(meta), self._head(meta, "set"), _of(c, s.Citation), (low, high))

    def replace(self, meta: Any, c: list[Any]) -> s.Replace:
        return s.Replace(self._span(meta), c[0].name, c[0].sources, c[0])

    def remove(self, meta: Any, c: list[Any]) -> s.Remove:
        return s.Remove(self._span(meta), self._word(c[1]), _of(c, s.Citation), str(c[0]))

    # ---- statements ----

    def block(self, meta: Any, c: list[Any]) -> list[s.Statement]:
        return list(c)

    def choice_block(self, meta: Any, c: list[Any]) -> list[s.Statement]:
        return _kept(c)

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

    def for_each(self, meta: Any, c: list[Any]) -> s.ForEach:
        return s.ForEach(self._span(meta), self._word(c[0]), c[1], tuple(c[2]))

    def offered(self, meta: Any, c: list[Any]) -> s.Offered:
        return s.Offered(self._span(meta), self._word(c[0]), c[1])

    def choice(self, meta: Any, c: list[Any]) -> s.Choice:
        condition = next((x for x in c if isinstance(x, s.Expression)), None)
        return s.Choice(self._span(meta), self._word(c[0]), _of(c, s.Offered), condition, tuple(c[-1]))

    def choose(self, meta: Any, c: list[Any]) -> s.Choose:
        name = self._word(c[1]) if c[1] is not None else None
        otherwise = next((x[1] for x in c[2:] if isinstance(x, tuple)), None)
        return s.Choose(
            self._span(meta), c[0], name, _of(c, s.Choice), None if otherwise is None else tuple(otherwise)
        )

    def choose_together(self, meta: Any, c: list[Any]) -> s.ChooseTogether:
        name = self._word(c[2]) if c[2] is not None else None
        return s.ChooseTogether(self._span(meta), self._word(c[0]), c[1], name, _of(c, s.Choice))

    def let(self, meta: Any, c: list[Any]) -> s.Let:
        c = _no_equals(c)
        return s.Let(self._span(meta), self._word(c[0]), c[1])

    def assign(self, meta: Any, c: list[Any]) -> s.Assign:
        return s.Assign(self._span(meta), c[0], c[1])

    def move(self, meta: Any, c: list[Any]) -> s.Move:
        return s.Move(self._span(meta), c[0], c[1], c[2], c[3])

    def move_tokens(self, meta: Any, c: list[Any]) -> s.MoveTokens:
        kind = s.Name(self._token_span(c[1]), str(c[1]))
        return s.MoveTokens(self._span(meta), c[0], kind, c[2], c[3], c[4])

    def move_all(self, meta: Any, c: list[Any]) -> s.MoveAll:
        return s.MoveAll(self._span(meta), *c)

    def fill(self, meta: Any, c: list[Any]) -> s.Fill:
        return s.Fill(self._span(meta), c[0], None, self._word(c[1]))

    def fill_tokens(self, meta: Any, c: list[Any]) -> s.Fill:
        return s.Fill(self._span(meta), c[0], c[1], self._word(c[2]))

    def shuffle(self, meta: Any, c: list[Any]) -> s.Shuffle:
        return s.Shuffle(self._span(meta), *c)

    def take(self, meta: Any, c: list[Any]) -> s.Take:
        return s.Take(self._span(meta), c[0], self._word(c[1]), c[2])

    def gain(self, meta: Any, c: list[Any]) -> s.Gain:
        loses = str(c[1]).startswith("lose")
        return s.Gain(self._span(meta), c[0], loses, c[2], self._word(c[3]), c[4], c[5])

    def advance(self, meta: Any, c: list[Any]) -> s.Advance:
        return s.Advance(self._span(meta), self._word(c[0]), c[1], c[2])

    def perform(self, meta: Any, c: list[Any]) -> s.Perform:
        return s.Perform(self._span(meta), *c)

    def call(self, meta: Any, c: list[Any]) -> s.Call:
        return s.Call(self._span(meta), c[0])

    def argument(self, meta: Any, c: list[Any]) -> s.Argument:
        value = c[1]
        name = str(c[0]) if c[0] is not None else value.text if isinstance(value, s.Name) else ""
        return s.Argument(self._span(meta), name, value)

    def told(self, meta: Any, c: list[Any]) -> s.Told:
        return s.Told(self._span(meta), str(c[0]), _of(c, s.Argument))

    def named(self, meta: Any, c: list[Any]) -> s.Told:
        return cast(s.Told, c[0])

    def quiet(self, meta: Any, c: list[Any]) -> s.Told:
        return s.Told(self._span(meta), None)

    def tell(self, meta: Any, c: list[Any]) -> s.Tell:
        return s.Tell(self._span(meta), c[0])

    def simple(self, meta: Any, c: list[Any]) -> s.Simple:
        return s.Simple(self._span(meta), " ".join(str(c[0]).split()))

    def give(self, meta: Any, c: list[Any]) -> s.Give:
        return s.Give(self._span(meta), c[0])

    def wins(self, meta: Any, c: list[Any]) -> s.Wins:
        return s.Wins(self._span(meta), c[0])

    # ---- domains and expressions ----

    def all_of(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("all", c[0], None, None)

    def span_of(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("span", c[0], c[1], None)

    def touching(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("touching", c[0], c[1], None)

    def within(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("within", c[0], c[1], c[2])

    def clockwise_from(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("from", c[0], c[1], None)

    def clockwise_after(self, meta: Any, c: list[Any]) -> tuple[Any, ...]:
        return ("after", c[0], c[1], None)

    def domain(self, meta: Any, c: list[Any]) -> s.Domain:
        kind, base, first, second = c[0]
        extreme = str(c[2]) if c[2] is not None else None
        return s.Domain(self._span(meta), kind, base, first, second, c[1], extreme, c[3])

    def _quantified(self, kind: str, meta: Any, name: Token, domain: Any, value: Any = None) -> s.Quantified:
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

    def count_of(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.CountOf(self._span(meta), *c)

    def any_of(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Logical(self._span(meta), "or", tuple(c))

    def every_of(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Logical(self._span(meta), "and", tuple(c))

    def negation(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Negation(self._span(meta), c[0])

    def compare(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Compare(self._span(meta), str(c[1]), c[0], c[2])

    def is_same(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Compare(self._span(meta), "=", c[0], c[1])

    def is_other(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Compare(self._span(meta), "!=", c[0], c[1])

    def is_empty(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Empty(self._span(meta), c[0], False)

    def is_filled(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Empty(self._span(meta), c[0], True)

    def binary(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Binary(self._span(meta), str(c[1]), c[0], c[2])

    def minus(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Minus(self._span(meta), c[0])

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
        return s.Called(self._span(meta), str(c[0]), _of(c, s.Expression))

    def indexed(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Indexed(self._span(meta), str(c[0]), _of(c, s.Expression))

    def grouped(self, meta: Any, c: list[Any]) -> s.Expression:
        return cast(s.Expression, c[0])

