"""Builds syntax-tree nodes of articles and statements from the parse tree of one article."""

from __future__ import annotations

from typing import Any, cast

from lark import Token, v_args

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser.expression_builder import ExpressionBuilder, kept, of_kind, one_of_its_words


def _no_equals(children: list[Any]) -> list[Any]:
    """Drop the equals sign of a declaration from the children."""
    return [c for c in children if not (isinstance(c, Token) and c.type == "EQUALS")]


@v_args(meta=True)
class DeclarationBuilder(ExpressionBuilder):
    """Transformer for articles and statements, with one method per grammar rule."""

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
        words = kept(c)
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

    def offset(self, meta: Any, c: list[Any]) -> str:
        return "offset"

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

    def slanting(self, meta: Any, c: list[Any]) -> str:
        return "diagonal"

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

    def seen_all(self, meta: Any, c: list[Any]) -> str:
        return "all"

    def seen_owner(self, meta: Any, c: list[Any]) -> str:
        return "owner"

    def seen_nobody(self, meta: Any, c: list[Any]) -> str:
        return "nobody"

    def seen_number(self, meta: Any, c: list[Any]) -> str:
        return "number"

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
        return s.Remember(
            self._span(meta), self._word(c[0]), of_kind(c, s.Citation), self._each(c), kind, start, self._seen(c)
        )

    def score(self, meta: Any, c: list[Any]) -> s.Score:
        by = self._word(c[1]) if c[1] is not None else None
        return s.Score(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), by)

    def stretch(self, meta: Any, c: list[Any]) -> s.TrackPhase:
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

    def option(self, meta: Any, c: list[Any]) -> s.Option:
        c = _no_equals(c)
        (low, high), place = self._numbers(c[2:]) if c[2] is not None else ((None, None), None)
        return s.Option(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), c[1], low, high, place)

    def body(self, meta: Any, c: list[Any]) -> list[Any]:
        return kept(c)

    def setup(self, meta: Any, c: list[Any]) -> s.Setup:
        name = self._head(meta, "setup")
        return s.Setup(self._span(meta), name, of_kind(c[0], s.Citation), (), None, of_kind(c[0], s.Statement))

    def play(self, meta: Any, c: list[Any]) -> s.Play:
        name = self._head(meta, "play")
        return s.Play(self._span(meta), name, of_kind(c[0], s.Citation), (), None, of_kind(c[0], s.Statement))

    def ranked(self, meta: Any, c: list[Any]) -> s.RankingLine:
        return s.RankingLine(self._span(meta), one_of_its_words(c[0]), c[1])

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

    def choice_block(self, meta: Any, c: list[Any]) -> list[s.Statement]:
        return kept(c)

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

    def choice(self, meta: Any, c: list[Any]) -> s.Choice:
        condition = next((x for x in c if isinstance(x, s.Expression)), None)
        return s.Choice(self._span(meta), self._word(c[0]), of_kind(c, s.Offered), condition, tuple(c[-1]))

    def choose(self, meta: Any, c: list[Any]) -> s.Choose:
        name = self._word(c[1]) if c[1] is not None else None
        block = next((x[1] for x in c[3:] if isinstance(x, tuple)), None)
        otherwise = None if block is None else tuple(block)
        return s.Choose(self._span(meta), c[0], name, of_kind(c, s.Choice), otherwise, c[2], c[3] is not None)

    def choose_together(self, meta: Any, c: list[Any]) -> s.ChooseSimultaneously:
        name = self._word(c[2]) if c[2] is not None else None
        choices = of_kind(c, s.Choice)
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
            self.diagnostics.append(Diagnostic("R0107", deck.span, {"expected": ("name",)}))
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

    def told(self, meta: Any, c: list[Any]) -> s.MessageRef:
        return s.MessageRef(self._span(meta), str(c[0]), of_kind(c, s.Argument))

    def named(self, meta: Any, c: list[Any]) -> s.MessageRef:
        return cast(s.MessageRef, c[0])

    def quiet(self, meta: Any, c: list[Any]) -> s.MessageRef:
        return s.MessageRef(self._span(meta), None)

    def simple(self, meta: Any, c: list[Any]) -> s.KeywordStatement:
        return s.KeywordStatement(self._span(meta), cast(s.KeywordPhrase, " ".join(str(c[0]).split())))
