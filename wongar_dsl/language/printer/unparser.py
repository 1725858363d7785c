"""Pretty-printing of articles, with the syntax-tree nodes that each line consists of.

An expression that comes from one file keeps the author's own text; only one assembled from several files is composed.
`_FORMS` has the form of each node, in which `{field}` stands for the text of a field, with the separator of several
behind `/` and the level of an expression behind `:`; `[field?text]` is left out without the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A printed line: its nesting depth, its text, its source span, and its nodes."""

    depth: int
    text: str
    span: Span
    parts: tuple[s.Node, ...]

    def places(self) -> Iterator[Span]:
        """Yield the source spans of the line and of its parts."""
        yield self.span
        yield from (node.span for node in s.walk(self.parts))


def line(depth: int, text: str, node: s.Node, *parts: s.Node | None) -> RuleLine:
    """Return the line of a node, made of those parts that are not None."""
    return RuleLine(depth, text, node.span, tuple(part for part in parts if part is not None))


def unattached_line(at: RuleLine, word: str, step: int) -> RuleLine:
    """Return a line without a node of its own at the nearest source line that begins with `word`.

    The search runs upwards (`step` -1) or downwards (1) within the article.
    """
    source, number = at.span.source, at.span.line
    lines = source.text.split("\n")
    while 0 < number + step <= len(lines):
        number += step
        text = lines[number - 1]
        if text.lstrip().startswith(word):
            return replace(at, span=Span(source, number, 1, number, len(text) + 1))
        if text[:1].strip() not in ("", "#"):
            break
    return at


# ---- forms -----------------------------------------------------------------------------------------------------------


class Precedence(IntEnum):
    """Binding strength of expressions in the grammar; an expression of a lower level than required needs brackets."""

    OR, AND, CONDITION, COMPARISON, SUM, PRODUCT, UNARY, POSTFIX = range(8)


_COMMENT = re.compile(r"#[^\n]*")
_OPTIONAL = re.compile(r"\[(\w+)\?([^\]]*)\]")
_FIELD = re.compile(r"\{(\w+)(?:/([^}:]*))?(?::(\w+))?\}")
#: Levels of operators.
_OPERATORS = {
    "or": Precedence.OR, "and": Precedence.AND, "+": Precedence.SUM, "-": Precedence.SUM, "*": Precedence.PRODUCT,
    "div": Precedence.PRODUCT, "mod": Precedence.PRODUCT,
}  # fmt: skip
#: Levels of expressions without an operator of their own.
_LEVELS: Mapping[type[s.Node], Precedence] = {
    s.Negation: Precedence.CONDITION, s.Compare: Precedence.COMPARISON, s.Empty: Precedence.COMPARISON,
    s.Minus: Precedence.UNARY, s.CountOf: Precedence.UNARY, s.Truth: Precedence.POSTFIX, s.Nobody: Precedence.POSTFIX,
    s.Name: Precedence.POSTFIX, s.Called: Precedence.POSTFIX, s.Indexed: Precedence.POSTFIX, s.Of: Precedence.POSTFIX,
    s.Conditional: Precedence.POSTFIX,
}  # fmt: skip
#: Form of each class of nodes, or of a class with its operator or kind.
_FORMS: Mapping[type[s.Node] | tuple[type[s.Node], str], str] = {
    s.Called: "{name}({arguments})", s.Indexed: "{name}[{indices}]", s.Of: "{name} of {owner:POSTFIX}",
    s.Negation: "not {operand:CONDITION}", s.Minus: "-{operand:UNARY}",
    (s.Binary, "+"): "{left:SUM} + {right:PRODUCT}", (s.Binary, "-"): "{left:SUM} - {right:PRODUCT}",
    (s.Binary, "*"): "{left:PRODUCT} * {right:UNARY}", (s.Binary, "div"): "{left:PRODUCT} div {right:UNARY}",
    (s.Binary, "mod"): "{left:PRODUCT} mod {right:UNARY}",
    (s.Logical, "or"): "{operands/ or :AND}", (s.Logical, "and"): "{operands/ and :CONDITION}",
    s.Compare: "{left:SUM} {operator} {right:SUM}", s.Conditional: "({then} if {condition} otherwise {other})",
    s.Empty: "{zone:SUM} is [negated?not ]empty", s.CountOf: "count of {card:POSTFIX} in {zone:POSTFIX}",
    (s.Quantified, "some"): "some {variable} in {domain}", (s.Quantified, "none"): "no {variable} in {domain}",
    (s.Quantified, "every"): "every {variable} in {domain} has {value:CONDITION}",
    (s.Quantified, "number"): "number of {variable} in {domain}",
    (s.Quantified, "sum"): "sum of {value:SUM} for {variable} in {domain}",
    (s.Quantified, "tally"): "tally of {value:SUM} for {variable} in {domain}",
    (s.Quantified, "highest"): "highest {value:SUM} for {variable} in {domain}",
    (s.Quantified, "lowest"): "lowest {value:SUM} for {variable} in {domain}",
    (s.Quantified, "first"): "first {variable} in {domain}",
    (s.Quantified, "random"): "random {variable} in {domain}[value? weighted by {value:SUM}]",
    (s.Domain, "all"): "{base:SUM}", (s.Domain, "kinds"): "kind of {first:SUM} in {base:POSTFIX}",
    (s.Domain, "span"): "{base:SUM} to {first:SUM}", (s.Domain, "touching"): "{base:SUM} touching {first:SUM}",
    # `of` would bind to a name before it.
    (s.Domain, "within"): "{base:SUM} within {first:NUMBER} of {second:SUM}",
    (s.Domain, "along"): "{base:SUM} along {first:SUM} from {second:SUM}",
    (s.Domain, "reached"): "{base:SUM} reached from {first:SUM}",
    (s.Domain, "lines"): "lines of {first:SUM} on {base:SUM}",
    (s.Domain, "through"): "lines of {first:SUM} through {base:SUM}",
    (s.Domain, "from"): "{base:SUM} clockwise from {first:SUM}",
    (s.Domain, "after"): "{base:SUM} clockwise after {first:SUM}",
    s.TypeName: "{name}[low? {low:SUM} to {high:SUM}]", s.Typed: "{name}: {type}",
    s.ForEach: "for each {variable} in {domain}", (s.Repeat, "forever"): "repeat",
    (s.Repeat, "times"): "repeat {subject:SUM} times", (s.Repeat, "while"): "repeat while {subject}",
    (s.Repeat, "until"): "repeat until {subject}", s.KeywordStatement: "{word}",
    s.ChooseSimultaneously: "each {variable} in {domain} chooses[name? {name}] at once{clock}",
    s.Clock: " by time[start? from {start:SUM}][end? within {end:SUM} seconds]",
    s.Option: "{name}[parameters?({parameters})][condition? if {condition}]", s.OptionParameter: "{name}: {domain}",
    s.Let: "let {variable} = {value}", s.Assign: "set {target:POSTFIX} to {value}",
    s.Setup: "setup", s.Play: "play", s.Rule: "rule {name}({parameters})[gives? gives {gives}]",
    s.Game: "game {name}", s.Book: 'book {name} "{title}"', s.Enumeration: "enum {name} = {values}",
    s.Board: "board {name}", s.Touches: "{area} touches {others}",
    s.Figure: "figure {name}[board? on {board}][held? held by player]",
    s.Cards: "cards {name}", s.Face: "{name}[parameters?({parameters})]",
    s.Deck: "deck {name} of {cards}[total? total {total}]", s.Copies: "{count} {face:CELL}",
    s.Zone: "{kind} {name}[each? of each {each/ of each }] holds [capacity?at most {capacity} ]{holds}"
            "[board? on {board}]{seen}[never? never {never}]",
    s.Remember: "remember {name}[each? of each {each/ of each }]: {type}[start? = {start}]",
    s.Score: "score {name}[by? by {by}]", s.Track: "track {name}",
    s.LookupTable: "table {name}[columns? {columns/ :CELL}]", s.TableRow: "{key:CELL} {cells/ :CELL}",
    s.Shapes: "shapes {name}", s.ShapeDrawing: "{name} {rows/ }",
    s.Coverings: "coverings {name} of {areas} by {pieces}[key? for {key}]", s.CoveringTask: "{area} {sets}",
    s.Paths: "paths {name} of {keys}[number? with {number}]", s.Crossing: "{key:CELL} {paths}",
    s.Setting: "option {name} = {value:CELL}[high? in {low} to {high}]", s.Winner: "winner {name}",
}  # fmt: skip
#: Fields of articles whose nodes have a line each.
_ROWS: Mapping[type[s.Node], str] = {
    s.Cards: "faces", s.Track: "phases", s.LookupTable: "rows", s.Shapes: "drawings", s.Coverings: "rows",
    s.Paths: "rows", s.Winner: "ranking",
}  # fmt: skip
_LATTICES = {"square": "grid {} by {}", "hexagon": "hexagons {} by {}", "round": "hexagons radius {}"}


def _form_of(node: s.Node) -> str | None:
    kind = getattr(node, "kind", "") or getattr(node, "operator", "")
    return _FORMS.get((type(node), kind)) or _FORMS.get(type(node))


def _composed(node: s.Node) -> str:
    """Compose the text of a node from the texts of its parts; an unknown node keeps its own."""
    form = _form_of(node)
    if form is None:
        return node.part_text if isinstance(node, s.Number | s.Truth | s.Nobody | s.Name) else _text_of(node.span)

    def present(match: re.Match[str]) -> str:
        value = getattr(node, match[1])
        return match[2] if value is not None and value is not False and value != () else ""

    def field(match: re.Match[str]) -> str:
        value, level = getattr(node, match[1]), match[3] or "OR"
        texts = []
        # Expressions are nested deeply, so that each level must take few frames.
        for item in value if isinstance(value, tuple) else (value,):
            plain = isinstance(item, s.ExpressionNode) and level in Precedence.__members__
            texts.append(expression_text(item, Precedence[level]) if plain else _part(item, level, match[1] == "seen"))
        return (match[2] if match[2] is not None else ", ").join(texts)

    return _FIELD.sub(field, _OPTIONAL.sub(present, form))


def _part(value: object, level: str = "OR", seen: bool = False) -> str:
    """Return the text of the value of a field."""
    match value:
        case s.Word(text=text):
            return text
        case s.Number(value=number) if level == "CELL":
            return str(number)
        case s.Number() if level == "NUMBER":
            return expression_text(value)
        case s.ExpressionNode():
            text = expression_text(value, Precedence.POSTFIX if level == "CELL" else Precedence.SUM)
            return f"({text})" if level == "NUMBER" else text
        case s.Domain():
            return _source_text(value) or _composed_domain(value)
        case s.Path(sides=(start, end), number=path_number):
            return f"{start}-{end}" + (f": {path_number}" if path_number else "")
        case s.Node():
            return _composed(value)
        case tuple():
            return " ".join(map(_part, value))
        case "number" if seen:
            return ", seen as a number"
        case None:
            return ""
    return f", seen by {value}" if seen else str(value)


# ---- expressions, domains and types ----------------------------------------------------------------------------------


def expression_text(e: s.ExpressionNode, level: Precedence = Precedence.OR, last: bool = False) -> str:
    """Return an expression as text, in brackets if its level is lower than `level`; `last`: it ends the line."""
    # The name `me` in `my points` has no text of its own.
    text = e.text if isinstance(e, s.Name) else _source_text(e) or _composed(e)
    # An expression that ends in a domain would absorb the words after it.
    return text if _level(e) >= level and (last or level == Precedence.OR or not _ends_in_domain(e)) else f"({text})"


def _source_text(node: s.Node) -> str:
    """Return the source text of a node; empty if parts of it come from elsewhere."""
    span = node.span
    for part in s.walk(node):
        place = part.span
        inside = (span.line, span.column) <= (place.line, place.column) and (
            (place.end_line, place.end_column) <= (span.end_line, span.end_column)
        )
        if place.source != span.source or not inside:
            return ""
    return _text_of(span)


def _text_of(span: Span) -> str:
    lines = span.source.text.replace("\r\n", "\n").split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(_COMMENT.sub("", "\n".join(lines)).split())


def _level(e: s.ExpressionNode) -> Precedence:
    """Return the binding strength of an expression."""
    match e:
        case s.Logical(operator=operator) | s.Binary(operator=operator):
            return _OPERATORS[operator]
        case s.Quantified(kind=kind):
            return Precedence.CONDITION if kind in ("some", "none", "every") else Precedence.UNARY
        case s.Number(value=value):
            return Precedence.POSTFIX if value >= 0 else Precedence.UNARY
    # An unknown expression gets brackets unless it stands alone.
    return _LEVELS.get(type(e), Precedence.OR)


def _ends_in_domain(e: s.ExpressionNode) -> bool:
    """Return whether the last part of an expression is a domain."""
    form = _form_of(e)
    if isinstance(e, s.Quantified) or form is None or not form.endswith("}"):
        return isinstance(e, s.Quantified)
    last = getattr(e, [*_FIELD.finditer(form)][-1][1])
    last = last[-1] if isinstance(last, tuple) else last
    return isinstance(last, s.ExpressionNode) and _ends_in_domain(last)


def _composed_domain(d: s.Domain) -> str:
    closed = Precedence.AND
    text = _composed(d)
    if d.through is not None:
        text += f" while {expression_text(d.through, closed if d.where is not None or d.extreme else Precedence.OR)}"
    if d.where is not None:
        text += f" where {expression_text(d.where, closed if d.extreme else Precedence.OR)}"
    if d.extreme is not None and d.measure is not None:
        text += f" with {d.extreme} {expression_text(d.measure, Precedence.SUM)}"
    return text


# ---- statements ------------------------------------------------------------------------------------------------------


def block(body: s.Block, depth: int) -> Iterator[RuleLine]:
    """Yield the lines of a block."""
    for node in body:
        yield from _statement(node, depth)


def _statement(node: s.Statement, depth: int) -> Iterator[RuleLine]:
    match node:
        case s.If(branches=branches, otherwise=otherwise):
            for number, (condition, body) in enumerate(branches):
                begin = line(depth, f"{'otherwise ' if number else ''}if {expression_text(condition)}", node, condition)
                # Only the first branch begins where the statement does.
                yield begin if number == 0 else replace(begin, span=condition.span)
                yield from block(body, depth + 1)
            yield from _otherwise(otherwise, depth)
        case s.Repeat(body=body) | s.ForEach(body=body):
            yield line(depth, _composed(node), node, *s.outside_blocks(node))
            yield from block(body, depth + 1)
        case s.Choose(chooser=chooser, name=name, clock=clock):
            subject = expression_text(chooser, Precedence.POSTFIX)
            verb = "I choose" if subject in ("I", "me") else f"{subject} chooses"
            text = f"{verb}{'' if name is None else f' {name.text}'}{_part(clock)}"
            yield line(depth, text + (" without going round" if node.acyclic else ""), node, chooser, name, clock)
            yield from _options(node.options, depth + 1)
            yield from _otherwise(node.otherwise or (), depth + 1)
        case s.ChooseSimultaneously():
            yield line(depth, _composed(node), node, node.variable, node.domain, node.name, node.clock)
            yield from _options(node.options, depth + 1)
        case _ if any(s.blocks(node)):
            # A statement with blocks: its own lines as written, each followed by the current block.
            own_parts = tuple(s.outside_blocks(node))
            for head, below in s.header_lines(node):
                yield RuleLine(depth, head.text, head.span, own_parts)
                for inner in below:
                    lines = _options((inner,), depth + 1) if isinstance(inner, s.Option) else block(inner, depth + 1)
                    yield from lines
        case s.KeywordStatement() | s.Let() | s.Assign():
            yield line(depth, _composed(node), node, node)
        case _ if any(part.span.source != node.span.source for part in s.walk(node)):
            # A variant can change only values in other statements; they come whole from one file.
            raise ValueError(f"{node.span}: parts of this statement come from another file")
        case _:
            yield line(depth, s.whole_line(node.span), node, node)


def _otherwise(body: s.Block, depth: int) -> Iterator[RuleLine]:
    """Yield the line `otherwise`, which is above its block, and the block."""
    if body:
        yield unattached_line(RuleLine(depth, "otherwise", body[0].span, ()), "otherwise", -1)
        yield from block(body, depth + 1)


def _options(options: tuple[s.Option, ...], depth: int) -> Iterator[RuleLine]:
    for option in options:
        yield line(depth, _composed(option), option, option.name, *option.parameters, option.condition)
        yield from block(option.body, depth + 1)


# ---- articles --------------------------------------------------------------------------------------------------------


def unparse(article: s.Declaration) -> Iterator[RuleLine]:
    """Yield the lines of an article of a game; changes of variants must have been applied."""
    match article:
        case s.Procedure():
            text = _composed(article)
            if isinstance(article, s.Effect):
                parameters = f"({_part_list(article.card_parameters)})" if article.card_parameters else ""
                player, *places = article.parameters
                place = f" at {_part_list(places)}" if places else ""
                text = f"effect {article.name.text}{parameters} for {player.name.text}{place}"
            yield line(0, text, article, article.name, *article.parameters, article.gives)
            yield from _sources(article)
            yield from block(article.body, 1)
            return
        case s.Define(parameters=typed, value=value):
            head = f"define {article.name.text}({_part_list(typed)}) ="
            if value.span.source == article.span.source and value.span.line == article.span.line:
                yield line(0, f"{head} {expression_text(value)}", article, article.name, *typed, value)
            else:
                yield line(0, head, article, article.name, *typed)
                yield line(1, expression_text(value), value, value)
        case s.Game(players=players, facts=facts, books=books):
            yield line(0, _composed(article), article)
            if players is not None:
                text = f"players {span_text(*players)}"
                yield unattached_line(line(1, text, article), "players", 1)
            for fact in facts:
                yield line(1, f"{fact.about} {span_text(fact.low, fact.high)}", fact, fact)
                yield from _sources(fact, 2)
            yield from (line(1, _composed(book), book) for book in books)
        case _ if article.keyword == "change":
            raise ValueError(f"{type(article).__name__} is no article of a game")
        case _:
            rows = _ROWS.get(type(article), "")
            names = [name for name in s.field_names(type(article)) if name not in ("name", "sources", rows)]
            parts = [part for name in names for part in s.outermost(getattr(article, name))]
            suffix = ""
            if isinstance(article, s.Remember):
                suffix = (
                    ", quietly" if article.quiet else "" if article.seen == "all" else _part(article.seen, seen=True)
                )
            yield line(0, _composed(article) + suffix, article, article.name, *parts)
            yield from _rows(article, getattr(article, rows, ()))
    yield from _sources(article)


def span_text(low: int, high: int) -> str:
    """Return a number or range as it is written."""
    return str(low) if low == high else f"{low} to {high}"


def _part_list(parts: Sequence[s.Node]) -> str:
    return ", ".join(map(_part, parts))


def _rows(article: s.Declaration, rows: Sequence[s.Node]) -> Iterator[RuleLine]:
    """Yield the lines below the first one of an article without statements."""
    if isinstance(article, s.Board):
        yield from _board(article)
    elif isinstance(article, s.Deck):
        # The cards on the same line of a file stay on one.
        for _, group in groupby(article.copies, lambda copies: (copies.span.source, copies.span.line)):
            cards = list(group)
            yield line(1, _part_list(cards), cards[0], *cards)
    for number, row in enumerate(rows):
        match row:
            case s.TrackPhase(name=name, spaces=spaces):
                text = f"{name.text} {spaces} {'space' if spaces == 1 else 'spaces'}"
            case s.RankingLine(extreme=extreme, measure=measure):
                measured = expression_text(measure, Precedence.SUM, last=True)
                text = f"{'then ' if number else ''}{extreme} {measured}"
            case _:
                text = _composed(row)
        yield line(1, text, row, row)


def _board(board: s.Board) -> Iterator[RuleLine]:
    for row in board.rows:
        yield line(1, f"row {_part(row)}", row[0], *row)
    texts = ["rows offset by half"] if board.offset else []
    if board.lattice is not None:
        kind, *sizes = board.lattice
        texts.append(_LATTICES[kind].format(*sizes))
    texts += ["touching diagonally"] if board.diagonal else []
    yield from (unattached_line(line(1, text, board), text.split()[0], 1) for text in texts)
    yield from (line(1, _composed(touches), touches, touches) for touches in board.touches)


def _sources(article: s.Declaration | s.BoxFact, depth: int = 1) -> Iterator[RuleLine]:
    for source in article.sources:
        kind = "" if source.kind == "text" else f" {source.kind}"
        book = "" if source.book is None else f" {source.book}"
        headings = ", ".join(f'"{heading}"' for heading in source.headings)
        text = f"source{kind}{book}{' ' if headings else ''}{headings}"
        yield line(depth, "source house rule" if source.kind == "house" else text, source)
