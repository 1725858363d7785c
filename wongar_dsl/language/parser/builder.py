"""Builds syntax-tree nodes from the parse tree of one article.

A rule of the grammar makes the node whose class has its name (`move_all`, `MoveAll`) or that `_NODES` names. The types
of the fields tell which children they take: a `Word` the next name, an `int` the next number, a node the next one of
its class, a tuple all that are left of its kind. Only rules that need more have a method.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from types import UnionType
from typing import Any, NamedTuple, TypeVar, cast

from lark import Token, Tree

from wongar_dsl.base.diagnostics import Diagnostic, Hint
from wongar_dsl.base.span import Source, Span
from wongar_dsl.language import ast as s

from .keywords import ARTICLE_FORMS, INNER_FORMS

MAX_NUMBER = 1_000_000_000

#: Rules whose class has another name, with the values that stand before the children.
_NODES: Mapping[str, tuple[Any, ...]] = {
    "type_truth": ("TypeName", "yes or no"), "type_number": ("TypeName", "number"), "type_name": ("TypeName",),
    "all_of": ("Domain", "all"), "span_of": ("Domain", "span"), "touching": ("Domain", "touching"),
    "within": ("Domain", "within"), "clockwise_from": ("Domain", "from"), "clockwise_after": ("Domain", "after"),
    "some": ("Quantified", "some"), "none_of": ("Quantified", "none"), "every": ("Quantified", "every"),
    "number_of": ("Quantified", "number"), "sum_of": ("Quantified", "sum"), "highest": ("Quantified", "highest"),
    "lowest": ("Quantified", "lowest"), "first": ("Quantified", "first"), "random": ("Quantified", "random"),
    "tally": ("Quantified", "tally"), "any_of": ("Logical", "or"), "every_of": ("Logical", "and"),
    "is_same": ("Compare", "="), "is_other": ("Compare", "!="), "is_empty": ("Empty", False),
    "is_filled": ("Empty", True), "yes": ("Truth", True), "no": ("Truth", False),
    "source_text": ("Citation", "text"), "source_inferred": ("Citation", "inferred"),
    "source_reconstruction": ("Citation", "reconstruction"), "source_house": ("Citation", "house"),
    "table": ("LookupTable",), "drawing": ("ShapeDrawing",), "covered": ("CoveringTask",), "ranked": ("RankingLine",),
    "repeat_times": ("Repeat", "times"), "repeat_while": ("Repeat", "while"), "repeat_until": ("Repeat", "until"),
    "repeat_forever": ("Repeat", "forever"), "choose_together": ("ChooseSimultaneously",), "fill_kind": ("Fill",),
    "message": ("MessageRef",), "quiet": ("MessageRef", None),
}  # fmt: skip
#: Values of rules without children.
_MARKS = {"offset": "offset", "slanting": "diagonal", "held": True, "quietly": ("quietly", True)} | {
    f"seen_{seen}": seen for seen in ("all", "owner", "nobody", "number")
}
#: Kinds of lattices, with one or two numbers.
_LATTICES: Mapping[str, s.LatticeKind] = {
    "square_lattice": "square", "hexagon_lattice": "hexagon", "round_lattice": "round",
}  # fmt: skip
#: Rules whose value is the list of their children.
_LISTS = frozenset({"columns", "body", "block", "option_block"})
#: Sorts of articles to which parts of a class are added.
_ADDED: Mapping[str, tuple[s.ListSort, Any]] = {
    "add_values": ("enum", s.Word), "add_faces": ("cards", s.Face), "add_copies": ("deck", s.Copies),
    "add_phases": ("track", s.TrackPhase),
}  # fmt: skip


class _FieldPlan(NamedTuple):
    """Children of a field: a test for those that fit, and whether it takes all of them or may take none."""

    type: str
    fits: Callable[[Any], bool]
    many: bool
    optional: bool
    sources: bool


def _test_for(kind: str) -> Callable[[Any], bool]:
    match kind:
        case "Word":
            return lambda child: isinstance(child, s.Word) or (isinstance(child, Token) and child.type in _NAMES)
        case "int":
            return lambda child: isinstance(child, Token) and child.type == "INT"
        case "Block":
            return lambda child: isinstance(child, list)
        case "bool":
            return lambda child: isinstance(child, bool)
    node = getattr(s, kind, tuple if kind.startswith("tuple") else str)
    accepted = node if isinstance(node, type | UnionType) else str
    return lambda child: isinstance(child, accepted)


#: Terminals of names.
_NAMES = frozenset({"NAME", "GAME_AND_VARIANT", "CHOICE"})


@cache
def _plan_of(rule: str) -> tuple[type[s.Node], tuple[Any, ...], tuple[_FieldPlan, ...]]:
    """Return the class of a rule, the values before its children, and the plan of its fields after the span."""
    name, *values = _NODES.get(rule, (rule.title().replace("_", ""),))
    node, plans = getattr(s, name), []
    for part in fields(node)[1:]:
        kind = str(part.type).removesuffix(" | None")
        many = re.fullmatch(r"tuple\[(.*), \.\.\.\]", kind)
        kind = many[1] if many else kind
        optional = str(part.type).endswith("None")
        plans.append(_FieldPlan(kind, _test_for(kind), many is not None, optional, part.name == "sources"))
    return node, tuple(values), tuple(plans)


def of_kind(children: list[Any], kind: type | UnionType) -> tuple[Any, ...]:
    """Return the children, or members of children that are lists, that are instances of `kind`."""
    flat = (item for child in children for item in (child if isinstance(child, list) else (child,)))
    return tuple(item for item in flat if isinstance(item, kind))


def _marked(children: list[Any], mark: str) -> tuple[Any, ...]:
    """Return the values of the children that are marked so."""
    return tuple(c[1] for c in children if isinstance(c, tuple) and c and c[0] == mark)


_Course = TypeVar("_Course", s.Setup, s.Play)


class PatchBuilder:
    """Builder of articles and changes of a variant; `diagnostics` collects mistakes in single tokens."""

    def __init__(self, source: Source, first_line: int) -> None:
        self._source = source
        self._first = first_line
        self.diagnostics: list[Diagnostic] = []

    def build(self, tree: Tree[Token]) -> Any:
        """Build the node of a parse tree; the transformer of lark takes twice as long."""
        rule = tree.data
        if rule in _MARKS:
            return _MARKS[rule]
        children = [self.build(child) if isinstance(child, Tree) else child for child in tree.children]
        if rule in _LATTICES:
            return [_LATTICES[rule], self._int(children[0]), self._int(children[-1])]
        if rule in _LISTS:
            return [child for child in children if child is not None]
        if rule in _ADDED:
            sort, kind = _ADDED[rule]
            return self._added(tree.meta, self._word(children[0]), children, sort, of_kind(children, kind))
        method = getattr(self, rule, None)
        return method(tree.meta, children) if method is not None else self._node(rule, tree.meta, children)

    def _node(self, rule: str, meta: Any, children: list[Any]) -> s.Node:
        """Build the node of a rule without a method."""
        node, values, plans = _plan_of(rule)
        rest = [*values, *children]
        return node(self._span(meta), *[self._field(plan, rest) for plan in plans])

    def _field(self, plan: _FieldPlan, rest: list[Any]) -> Any:
        """Take the value of a field from the children that are left."""
        if plan.many:
            taken, left = [], []
            for child in rest:
                if isinstance(child, list) and (plan.fits(child[0]) if child else False):
                    taken += [self._value(plan.type, item) for item in child]
                elif plan.fits(child):
                    taken.append(self._value(plan.type, child))
                else:
                    left.append(child)
            # An optional part of the grammar that is missing leaves one None.
            rest[:] = left[1:] if not taken and not plan.sources and left and left[0] is None else left
            return tuple(taken)
        for number, child in enumerate(rest):
            if (child is None and plan.optional) or plan.fits(child):
                del rest[number]
                return self._value(plan.type, child)
        return False if plan.type == "bool" else None

    def _value(self, kind: str, child: Any) -> Any:
        """Convert a child to the type of a field."""
        if not isinstance(child, Token):
            return tuple(child) if isinstance(child, list) else child
        if kind == "Word":
            return self._word(child)
        if kind == "int":
            return self._int(child)
        return str(child)[1:-1] if child.type == "STRING" else str(child)

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

    def _named(self, token: Token) -> s.Name:
        return s.Name(self._token_span(token), str(token))

    def _int(self, token: Token) -> int:
        if len(token) > 10 or int(token) > MAX_NUMBER:
            self.diagnostics.append(Diagnostic("R0109", self._token_span(token), {"limit": MAX_NUMBER}))
            return 0
        return int(token)

    def _head(self, meta: Any, word: str) -> s.Word:
        """Return the first word of an article, which serves as the name of one without a name."""
        line = self._first + meta.line
        return s.Word(Span(self._source, line, meta.column, line, meta.column + len(word)), word)

    # ---- domains and expressions ----

    def kinds_in(self, meta: Any, c: list[Any]) -> s.Domain:
        return s.Domain(self._span(meta), "kinds", c[2], self._named(c[1]))

    def along(self, meta: Any, c: list[Any]) -> s.Domain:
        return s.Domain(self._span(meta), "along", c[0], c[1], c[2], through=c[3])

    def reached(self, meta: Any, c: list[Any]) -> s.Domain:
        return s.Domain(self._span(meta), "reached", c[0], c[1], through=c[2])

    def lines_on(self, meta: Any, c: list[Any], kind: s.DomainKind = "lines") -> s.Domain:
        return s.Domain(self._span(meta), kind, c[1], s.Number(self._token_span(c[0]), self._int(c[0])))

    def lines_through(self, meta: Any, c: list[Any]) -> s.Domain:
        return self.lines_on(meta, c, "through")

    def domain(self, meta: Any, c: list[Any]) -> s.Domain:
        extreme = cast(s.Extreme, str(c[2])) if c[2] is not None else None
        domain: s.Domain = c[0]
        return replace(domain, span=self._span(meta), where=c[1], extreme=extreme, measure=c[3])

    def chain(self, meta: Any, c: list[Any]) -> s.Expression:
        low = s.Compare(c[0].span.to(c[2].span), cast(s.Comparison, str(c[1])), c[0], c[2])
        high = s.Compare(c[2].span.to(c[4].span), cast(s.Comparison, str(c[3])), c[2], c[4])
        return s.Logical(self._span(meta), "and", (low, high))

    def mine(self, meta: Any, c: list[Any]) -> s.Expression:
        span = self._span(meta)
        return s.Of(span, str(c[0]), s.Name(span, "me"))

    def number(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Number(self._span(meta), self._int(c[0]))

    def negative(self, meta: Any, c: list[Any]) -> s.Number:
        return s.Number(self._span(meta), -self._int(c[0]))

    def name(self, meta: Any, c: list[Any]) -> s.Expression:
        text = str(c[0])
        return s.Name(self._span(meta), "me" if text == "I" else text)

    def either(self, meta: Any, c: list[Any]) -> s.Expression:
        return s.Conditional(self._span(meta), c[1], c[0], c[2])

    def grouped(self, meta: Any, c: list[Any]) -> s.Expression:
        return cast(s.Expression, c[0])

    # ---- articles ----

    def game(self, meta: Any, c: list[Any]) -> s.Game:
        players, place = next((x for x in c if isinstance(x, tuple)), (None, None))
        books, facts = of_kind(c, s.Book), of_kind(c, s.BoxFact)
        return s.Game(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), players, books, place, facts)

    def variant(self, meta: Any, c: list[Any]) -> s.Variant:
        span = self._span(meta)
        name, base, *others = (self._word(x) for x in c if isinstance(x, Token))
        return s.Variant(span, name, of_kind(c, s.Citation), base, of_kind(c, s.Book), tuple(others))

    def players(self, meta: Any, c: list[Any]) -> tuple[tuple[int, int], Span]:
        """Return the two ends of a range, or one number for both, with their span."""
        low, high = c[0], c[1] if c[1] is not None else c[0]
        place = self._token_span(low).to(self._token_span(high))
        return (self._int(low), self._int(high)), place

    def age(self, meta: Any, c: list[Any]) -> s.BoxFact:
        return self._box_fact(meta, "age", c[0], None, c)

    def minutes(self, meta: Any, c: list[Any]) -> s.BoxFact:
        return self._box_fact(meta, "minutes", c[0], c[1], c)

    def _box_fact(self, meta: Any, about: s.FactName, low: Token, high: Token | None, c: list[Any]) -> s.BoxFact:
        (first, last), place = self.players(meta, [low, high])
        return s.BoxFact(self._span(meta), about, first, last, place, of_kind(c, s.Citation))

    def row(self, meta: Any, c: list[Any]) -> tuple[s.Word, ...]:
        return self._words(c)

    piece_set = row

    def board(self, meta: Any, c: list[Any]) -> s.Board:
        rows = tuple(x for x in c if isinstance(x, tuple))
        marks = [x for x in c[1:] if isinstance(x, str)]
        lattice = next((tuple(x) for x in c if isinstance(x, list)), None)
        sources, touches = of_kind(c[1:], s.Citation), of_kind(c[1:], s.Touches)
        return s.Board(
            self._span(meta), self._word(c[0]), sources, rows, "offset" in marks, touches, lattice, "diagonal" in marks,
        )  # fmt: skip

    def copies(self, meta: Any, c: list[Any]) -> list[s.Copies]:
        return [s.Copies(self._token_span(n).to(f.span), self._int(n), f) for n, f in zip(c[::2], c[1::2], strict=True)]

    def each(self, meta: Any, c: list[Any]) -> tuple[str, s.Word]:
        return ("each", self._word(c[0]))

    def at_most(self, meta: Any, c: list[Any]) -> int:
        return self._int(c[0])

    def never(self, meta: Any, c: list[Any]) -> tuple[str, tuple[s.Word, ...]]:
        return ("never", self._words(c))

    def lying(self, meta: Any, c: list[Any]) -> s.Word:
        return self._word(c[0])

    @staticmethod
    def _seen(c: list[Any]) -> s.Seen:
        return cast(s.Seen, next((x for x in c if isinstance(x, str) and not isinstance(x, Token)), "all"))

    def zone(self, meta: Any, c: list[Any]) -> s.Zone:
        name, holds = self._words(c)
        capacity = next((x for x in c if isinstance(x, int)), None)
        board = next((x for x in c if isinstance(x, s.Word)), None)
        return s.Zone(
            self._span(meta), name, of_kind(c, s.Citation), cast(s.ZoneKind, str(c[0])), _marked(c, "each"), capacity,
            holds, self._seen(c), next(iter(_marked(c, "never")), ()), board,
        )  # fmt: skip

    def remember(self, meta: Any, c: list[Any]) -> s.Remember:
        start = next(iter(of_kind(c, s.Expression)), None)
        (kind,), sources = of_kind(c, s.TypeName), of_kind(c, s.Citation)
        each, quiet = _marked(c, "each"), bool(_marked(c, "quietly"))
        return s.Remember(self._span(meta), self._word(c[0]), sources, each, kind, start, self._seen(c), quiet)

    def path(self, meta: Any, c: list[Any]) -> s.Path:
        number = self._int(c[2]) if c[2] is not None else 0
        return s.Path(self._span(meta), (self._int(c[0]), self._int(c[1])), number)

    def setting(self, meta: Any, c: list[Any]) -> s.Setting:
        (low, high), place = self.players(meta, c[3:]) if c[3] is not None else ((None, None), None)
        return s.Setting(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), c[2], low, high, place)

    def setup(self, meta: Any, c: list[Any]) -> s.Setup:
        return self._course(meta, c, s.Setup)

    def play(self, meta: Any, c: list[Any]) -> s.Play:
        return self._course(meta, c, s.Play)

    def _course(self, meta: Any, c: list[Any], kind: type[_Course]) -> _Course:
        sources, body = of_kind(c, s.Citation), of_kind(c, s.Statement)
        return kind(self._span(meta), self._head(meta, kind.keyword), sources, (), None, body)

    def rule(self, meta: Any, c: list[Any]) -> s.Rule:
        gives, body = next(iter(of_kind(c[:-1], s.TypeName)), None), c[-1:]
        sources, parameters = of_kind(body, s.Citation), of_kind(c[:-1], s.Typed)
        return s.Rule(self._span(meta), self._word(c[0]), sources, parameters, gives, of_kind(body, s.Statement))

    def effect(self, meta: Any, c: list[Any]) -> s.Effect:
        name, *parameters, player = self._words(c)
        places = (s.Typed(player.span, player, s.TypeName(player.span, "player")), *of_kind(c[:-1], s.Typed))
        sources, body = of_kind(c[-1:], s.Citation), of_kind(c[-1:], s.Statement)
        return s.Effect(self._span(meta), name, sources, places, None, body, tuple(parameters))

    # ---- statements ----

    def otherwise(self, meta: Any, c: list[Any]) -> tuple[str, list[s.Statement]]:
        return ("otherwise", c[0])

    def else_if(self, meta: Any, c: list[Any]) -> tuple[str, tuple[s.Expression, s.Block]]:
        return ("if", (c[0], tuple(c[1])))

    def branch(self, meta: Any, c: list[Any]) -> s.If:
        otherwise = next(iter(_marked(c, "otherwise")), ())
        return s.If(self._span(meta), ((c[0], tuple(c[1])), *_marked(c, "if")), tuple(otherwise))

    def choose(self, meta: Any, c: list[Any]) -> s.Choose:
        name = self._word(c[1]) if c[1] is not None else None
        otherwise = next((tuple(block) for block in _marked(c, "otherwise")), None)
        return s.Choose(self._span(meta), c[0], name, of_kind(c, s.Option), otherwise, c[2], c[3] is not None)

    def move_tokens(self, meta: Any, c: list[Any]) -> s.MoveTokens:
        return s.MoveTokens(self._span(meta), c[0], self._named(c[1]), c[2], c[3], c[4])

    def fill(self, meta: Any, c: list[Any]) -> s.Fill:
        deck = c[1]
        if not isinstance(deck, s.Name):
            self._expect_name(deck, INNER_FORMS["fill"])
            deck = s.Name(deck.span, "")
        return s.Fill(self._span(meta), c[0], None, deck)

    def gain(self, meta: Any, c: list[Any]) -> s.Gain:
        loses = str(c[1]).startswith("lose")
        return s.Gain(self._span(meta), c[0], loses, c[2], self._word(c[3]), c[4], c[5])

    def argument(self, meta: Any, c: list[Any]) -> s.Argument:
        value = c[1]
        name = str(c[0]) if c[0] is not None else value.text if isinstance(value, s.Name) else ""
        return s.Argument(self._span(meta), name, value)

    def named(self, meta: Any, c: list[Any]) -> s.MessageRef:
        return cast(s.MessageRef, c[0])

    def simple(self, meta: Any, c: list[Any]) -> s.KeywordStatement:
        return s.KeywordStatement(self._span(meta), cast(s.KeywordPhrase, " ".join(str(c[0]).split())))

    # ---- changes of whole articles ----

    def set_cell(self, meta: Any, c: list[Any]) -> s.SetCell:
        *keys, value = of_kind(c, s.Expression)
        return s.SetCell(self._span(meta), self._word(c[0]), of_kind(c, s.Citation), tuple(keys), value)

    def set_players(self, meta: Any, c: list[Any]) -> s.SetPlayers:
        players, place = self.players(meta, c)
        return s.SetPlayers(self._span(meta), self._head(meta, "set"), of_kind(c, s.Citation), players, place)

    def set_age(self, meta: Any, c: list[Any]) -> s.SetBoxFact:
        return self._set_fact(self.age(meta, c[1:]), c[0])

    def set_minutes(self, meta: Any, c: list[Any]) -> s.SetBoxFact:
        return self._set_fact(self.minutes(meta, c[1:]), c[0])

    def _set_fact(self, fact: s.BoxFact, keyword: Token) -> s.SetBoxFact:
        return s.SetBoxFact(fact.span, self._word(keyword), fact.sources, fact)

    def replace(self, meta: Any, c: list[Any]) -> s.Replace:
        return s.Replace(self._span(meta), c[0].name, c[0].sources, c[0])

    # ---- changes of parts of an article ----

    def beside(self, meta: Any, c: list[Any]) -> tuple[str, tuple[str, s.Expression]]:
        return ("beside", (str(c[0]), self._named(c[1])))

    def _added(self, meta: Any, name: s.Word, c: list[Any], sort: s.ListSort, parts: tuple[s.Part, ...]) -> s.AddTo:
        side, anchor = next(iter(_marked(c, "beside")), (None, None))
        return s.AddTo(self._span(meta), name, of_kind(c, s.Citation), sort, parts, side, anchor)

    def values(self, meta: Any, c: list[Any]) -> list[s.Word]:
        return list(self._words(c))

    def add_rows(self, meta: Any, c: list[Any]) -> s.AddTo:
        added = self._added(meta, self._word(c[0]), c, "table", of_kind(c, s.TableRow))
        return replace(added, columns=tuple(c[1]))

    def add_ranks(self, meta: Any, c: list[Any]) -> s.AddTo:
        name = s.Word(self._head(meta, "add").span, "winner")
        return self._added(meta, name, c, "winner", of_kind(c, s.RankingLine))

    def add_choices(self, meta: Any, c: list[Any]) -> s.AddTo:
        added = self._added(meta, self._word(c[1]), c, "choice", of_kind(c, s.Option))
        return replace(added, otherwise=next((tuple(block) for block in _marked(c, "otherwise")), None))

    def procedure(self, meta: Any, c: list[Any]) -> tuple[s.ProcedureSort, s.Word]:
        return (cast(s.ProcedureSort, str(c[0])), self._word(c[-1]))

    def _step(self, token: Token) -> s.Word:
        """Return the label of a step; keywords in it may be separated by several spaces."""
        return s.Word(self._token_span(token), " ".join(token.split()))

    def remove_from(self, meta: Any, c: list[Any]) -> s.RemoveFrom:
        sort, name = c[1] if isinstance(c[1], tuple) else (cast(s.ListSort, str(c[1])), self._word(c[2]))
        part = s.Name(self._token_span(c[0]), self._step(c[0]).text) if isinstance(c[0], Token) else c[0]
        return s.RemoveFrom(self._span(meta), name, of_kind(c, s.Citation), sort, part)

    def insert(self, meta: Any, c: list[Any]) -> s.Insert:
        step = self._step(c[1]) if c[1] is not None else None
        (sort, name), body = c[2:]
        sources, done = of_kind(body, s.Citation), of_kind(body, s.Statement)
        return s.Insert(self._span(meta), name, sources, sort, cast(s.Side, str(c[0])), step, done)

    def allow_only(self, meta: Any, c: list[Any]) -> s.AllowOnly:
        option, _, choice, condition, *sources = c
        span, name = self._span(meta), self._word(choice)
        return s.AllowOnly(span, name, of_kind(sources, s.Citation), self._word(option), condition)

    def set_offered(self, meta: Any, c: list[Any]) -> s.SetOffered:
        subject, _, choice, domain, *_ = c
        option = parameter = s.Word(subject.span, "")
        if isinstance(subject, s.Of) and isinstance(subject.owner, s.Name):
            option, parameter = s.Word(subject.owner.span, subject.owner.text), s.Word(subject.span, subject.name)
        else:
            self.diagnostics.append(Diagnostic("R0107", subject.span, {"expected": ("of",)}))
        name, sources = self._word(choice), of_kind(c, s.Citation)
        return s.SetOffered(self._span(meta), name, sources, option, parameter, domain)

    def set_step(self, meta: Any, c: list[Any]) -> s.SetStep:
        step_node, (sort, name), value, *_ = c
        step = s.Word(step_node.span, step_node.text if isinstance(step_node, s.Name) else "")
        if not step.text:
            self._expect_name(step_node, ARTICLE_FORMS["set in"])
        return s.SetStep(self._span(meta), name, of_kind(c, s.Citation), sort, step, value)
