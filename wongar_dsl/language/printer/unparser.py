"""Pretty-printing of articles, with the syntax-tree nodes that each line consists of.

An expression that comes from one file keeps the author's own text; only one assembled from several files is composed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.variants.addressable_parts import part_text


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


# ---- expressions, domains and types ----------------------------------------------------------------------------------


class Precedence(IntEnum):
    """Binding strength of expressions in the grammar; an expression of a lower level than required needs brackets."""

    OR, AND, CONDITION, COMPARISON, SUM, PRODUCT, UNARY, POSTFIX = range(8)


_COMMENT = re.compile(r"#[^\n]*")
_BINARY = {
    "+": Precedence.SUM,
    "-": Precedence.SUM,
    "*": Precedence.PRODUCT,
    "div": Precedence.PRODUCT,
    "mod": Precedence.PRODUCT,
}


def expression_text(e: s.Expression, level: Precedence = Precedence.OR, last: bool = False) -> str:
    """Return an expression as text, in brackets if its level is lower than `level`; `last`: it ends the line."""
    # The name `me` in `my points` has no text of its own.
    text = e.text if isinstance(e, s.Name) else _source_text(e) or _composed(e)
    # An expression that ends in a domain would absorb the words after it.
    return text if _level(e) >= level and (last or level == Precedence.OR or not _ends_in_domain(e)) else f"({text})"


def domain(d: s.Domain) -> str:
    """Return a domain as text."""
    return _source_text(d) or _composed_domain(d)


def type_name(t: s.TypeName) -> str:
    """Return a type as text."""
    if t.low is None or t.high is None:
        return t.name
    return f"{t.name} {expression_text(t.low, Precedence.SUM)} to {expression_text(t.high, Precedence.SUM)}"


def typed(parameters: tuple[s.Typed, ...]) -> str:
    """Return parameters with their types as text."""
    return ", ".join(f"{p.name.text}: {type_name(p.type)}" for p in parameters)


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
        case s.Logical(operator=operator):
            return Precedence.OR if operator == "or" else Precedence.AND
        case s.Negation():
            return Precedence.CONDITION
        case s.Compare() | s.Empty():
            return Precedence.COMPARISON
        case s.Binary(operator=operator):
            return _BINARY[operator]
        case s.Minus() | s.CountOf():
            return Precedence.UNARY
        case s.Quantified(kind=kind):
            return Precedence.CONDITION if kind in ("some", "none", "every") else Precedence.UNARY
        case s.Number(value=value):
            return Precedence.POSTFIX if value >= 0 else Precedence.UNARY
        case s.Truth() | s.Nobody() | s.Name() | s.Called() | s.Indexed() | s.Of() | s.Conditional():
            return Precedence.POSTFIX
    # An unknown expression gets brackets unless it stands alone.
    return Precedence.OR


def _ends_in_domain(e: s.Expression) -> bool:
    match e:
        case s.Quantified():
            return True
        case s.Logical(operands=(*_, last)):
            return _ends_in_domain(last)
        case s.Negation(operand=last) | s.Minus(operand=last) | s.Of(owner=last):
            return _ends_in_domain(last)
        case s.Binary(right=last) | s.Compare(right=last) | s.CountOf(zone=last):
            return _ends_in_domain(last)
    return False


def _composed(e: s.ExpressionNode) -> str:
    """Compose the text of an expression from the texts of its parts."""
    match e:
        case s.Number() | s.Truth() | s.Nobody() | s.Name():
            return part_text(e)
        case s.Called(name=name, arguments=arguments):
            return f"{name}({', '.join(map(expression_text, arguments))})"
        case s.Indexed(name=name, indices=indices):
            return f"{name}[{', '.join(map(expression_text, indices))}]"
        case s.Of(name=name, owner=owner):
            return f"{name} of {expression_text(owner, Precedence.POSTFIX)}"
        case s.Negation(operand=operand):
            return f"not {expression_text(operand, Precedence.CONDITION)}"
        case s.Minus(operand=operand):
            return f"-{expression_text(operand, Precedence.UNARY)}"
        case s.Binary(operator=operator, left=left, right=right):
            level = _BINARY[operator]
            return f"{expression_text(left, level)} {operator} {expression_text(right, Precedence(level + 1))}"
        case s.Logical(operator=operator, operands=operands):
            level = Precedence.AND if operator == "or" else Precedence.CONDITION
            return f" {operator} ".join(expression_text(operand, level) for operand in operands)
        case s.Compare(operator=operator, left=left, right=right):
            return f"{expression_text(left, Precedence.SUM)} {operator} {expression_text(right, Precedence.SUM)}"
        case s.Conditional(condition=condition, then=then, other=other):
            return f"({expression_text(then)} if {expression_text(condition)} otherwise {expression_text(other)})"
        case s.Empty(zone=zone, negated=negated):
            return f"{expression_text(zone, Precedence.SUM)} is {'not ' if negated else ''}empty"
        case s.CountOf(card=card, zone=zone):
            return (
                f"count of {expression_text(card, Precedence.POSTFIX)} in {expression_text(zone, Precedence.POSTFIX)}"
            )
        case s.Quantified():
            return _quantified(e)
    return _text_of(e.span)


def _quantified(e: s.Quantified) -> str:
    name, values = e.variable.text, domain(e.domain)
    value = (
        None
        if e.value is None
        else expression_text(e.value, Precedence.CONDITION if e.kind == "every" else Precedence.SUM)
    )
    kind: str = e.kind  # an unknown kind falls back to the source text
    match kind:
        case "some" | "none":
            return f"{'no' if kind == 'none' else kind} {name} in {values}"
        case "every":
            return f"every {name} in {values} has {value}"
        case "number":
            return f"number of {name} in {values}"
        case "sum" | "tally":
            return f"{e.kind} of {value} for {name} in {values}"
        case "highest" | "lowest":
            return f"{e.kind} {value} for {name} in {values}"
        case "first" | "random":
            return f"{e.kind} {name} in {values}" + (f" weighted by {value}" if value is not None else "")
    return _text_of(e.span)


def _composed_domain(d: s.Domain) -> str:
    closed = Precedence.AND
    text = _values(d)
    if d.through is not None:
        text += f" while {expression_text(d.through, closed if d.where is not None or d.extreme else Precedence.OR)}"
    if d.where is not None:
        text += f" where {expression_text(d.where, closed if d.extreme else Precedence.OR)}"
    if d.extreme is not None and d.measure is not None:
        text += f" with {d.extreme} {expression_text(d.measure, Precedence.SUM)}"
    return text


def _values(d: s.Domain) -> str:
    """Return a domain as text, without its conditions."""
    base = expression_text(d.base, Precedence.POSTFIX if d.kind == "kinds" else Precedence.SUM)
    first = "" if d.first is None else expression_text(d.first, Precedence.SUM)
    second = "" if d.second is None else expression_text(d.second, Precedence.SUM)
    kind: str = d.kind
    match kind:
        case "all":
            return base
        case "kinds":
            return f"kind of {first} in {base}"
        case "span":
            return f"{base} to {first}"
        case "touching":
            return f"{base} touching {first}"
        case "within":
            # `of` would bind to a name before it.
            return f"{base} within {first if isinstance(d.first, s.Number) else f'({first})'} of {second}"
        case "along":
            return f"{base} along {first} from {second}"
        case "reached":
            return f"{base} reached from {first}"
        case "lines" | "through":
            return f"lines of {first} {'on' if d.kind == 'lines' else 'through'} {base}"
        case "from" | "after":
            return f"{base} clockwise {d.kind} {first}"
    return _text_of(d.span)


# ---- statements ------------------------------------------------------------------------------------------------------


def block(body: s.Block, depth: int) -> Iterator[RuleLine]:
    """Yield the lines of a block."""
    for node in body:
        yield from _statement(node, depth)


def _statement(node: s.Statement, depth: int) -> Iterator[RuleLine]:
    match node:
        case s.If():
            yield from _if(node, depth)
        case s.Repeat(kind=kind, subject=subject, body=body):
            yield line(depth, _repeat(kind, subject), node, subject)
            yield from block(body, depth + 1)
        case s.ForEach(variable=variable, domain=values, body=body):
            yield line(depth, f"for each {variable.text} in {domain(values)}", node, variable, values)
            yield from block(body, depth + 1)
        case s.Choose():
            yield from _choose(node, depth)
        case s.ChooseSimultaneously(variable=variable, domain=values, name=name, options=choices, clock=clock):
            named = "" if name is None else f" {name.text}"
            text = f"each {variable.text} in {domain(values)} chooses{named} at once{_clock(clock)}"
            yield line(depth, text, node, variable, values, name, clock)
            yield from _choices(choices, depth + 1)
        case _ if any(s.blocks(node)):
            yield from _as_written(node, depth)
        case _:
            yield line(depth, _text(node), node, node)


def _as_written(node: s.Statement, depth: int) -> Iterator[RuleLine]:
    """Yield a statement with blocks: its own lines as written, each followed by the current block."""
    own_parts = tuple(s.outside_blocks(node))
    for head, below in s.header_lines(node):
        yield RuleLine(depth, head.text, head.span, own_parts)
        for inner in below:
            yield from _choices((inner,), depth + 1) if isinstance(inner, s.Option) else block(inner, depth + 1)


def _text(node: s.Statement) -> str:
    """Return the text of a statement without nested ones.

    A variant can change only values in it; all other statements come whole from one file.
    """
    match node:
        case s.KeywordStatement(word=word):
            return word
        case s.Let(variable=variable, value=value):
            return f"let {variable.text} = {expression_text(value)}"
        case s.Assign(target=target, value=value):
            return f"set {_operand(target)} to {expression_text(value)}"
    if any(part.span.source != node.span.source for part in s.walk(node)):
        raise ValueError(f"{node.span}: parts of this statement come from another file")
    return s.whole_line(node.span)


def _operand(e: s.Expression) -> str:
    return expression_text(e, Precedence.POSTFIX)


def _clause(player: s.Expression, verb: str) -> str:
    """Return a player with a verb: `I take`, `p takes`."""
    subject = _operand(player)
    return f"I {verb}" if subject in ("I", "me") else f"{subject} {verb}s"


def _if(node: s.If, depth: int) -> Iterator[RuleLine]:
    for number, (condition, body) in enumerate(node.branches):
        begin = line(depth, f"{'otherwise ' if number else ''}if {expression_text(condition)}", node, condition)
        # Only the first branch begins where the statement does.
        yield begin if number == 0 else RuleLine(depth, begin.text, condition.span, begin.parts)
        yield from block(body, depth + 1)
    if node.otherwise:
        yield _otherwise(node.otherwise, depth)
        yield from block(node.otherwise, depth + 1)


def _otherwise(body: s.Block, depth: int) -> RuleLine:
    """Return the line `otherwise`, which is above its block."""
    return unattached_line(RuleLine(depth, "otherwise", body[0].span, ()), "otherwise", -1)


def _repeat(kind: s.RepeatKind, subject: s.Expression | None) -> str:
    if subject is None:
        return "repeat"
    return (
        f"repeat {expression_text(subject, Precedence.SUM)} times"
        if kind == "times"
        else f"repeat {kind} {expression_text(subject)}"
    )


def _choose(node: s.Choose, depth: int) -> Iterator[RuleLine]:
    name = "" if node.name is None else f" {node.name.text}"
    text = (
        _clause(node.chooser, "choose") + name + _clock(node.clock) + (" without going round" if node.acyclic else "")
    )
    yield line(depth, text, node, node.chooser, node.name, node.clock)
    yield from _choices(node.options, depth + 1)
    if node.otherwise:
        yield _otherwise(node.otherwise, depth + 1)
        yield from block(node.otherwise, depth + 2)


def _clock(clock: s.Clock | None) -> str:
    if clock is None:
        return ""
    begin = "" if clock.start is None else f" from {expression_text(clock.start, Precedence.SUM)}"
    end = "" if clock.end is None else f" within {expression_text(clock.end, Precedence.SUM)} seconds"
    return f" by time{begin}{end}"


def _choices(choices: tuple[s.Option, ...], depth: int) -> Iterator[RuleLine]:
    for choice in choices:
        offered = ", ".join(f"{p.name.text}: {domain(p.domain)}" for p in choice.parameters)
        condition = "" if choice.condition is None else f" if {expression_text(choice.condition)}"
        text = f"{choice.name.text}{f'({offered})' if offered else ''}{condition}"
        yield line(depth, text, choice, choice.name, *choice.parameters, choice.condition)
        yield from block(choice.body, depth + 1)


# ---- articles --------------------------------------------------------------------------------------------------------


_LATTICES = {"square": "grid {} by {}", "hexagon": "hexagons {} by {}", "round": "hexagons radius {}"}


def unparse(article: s.Declaration) -> Iterator[RuleLine]:
    """Yield the lines of an article of a game; changes of variants must have been applied."""
    match article:
        case s.Procedure():
            yield line(0, _procedure(article), article, article.name, *article.parameters, article.gives)
            yield from _sources(article)
            yield from block(article.body, 1)
        case s.Define(parameters=parameters, value=value):
            head = f"define {article.name.text}({typed(parameters)}) ="
            if value.span.source == article.span.source and value.span.line == article.span.line:
                yield line(0, f"{head} {expression_text(value)}", article, article.name, *parameters, value)
            else:
                yield line(0, head, article, article.name, *parameters)
                yield line(1, expression_text(value), value, value)
            yield from _sources(article)
        case s.Game():
            yield from _game(article)
        case _:
            yield from _declaration(article)


def _sources(article: s.Declaration) -> Iterator[RuleLine]:
    for source in article.sources:
        yield line(1, _source(source), source)


def _source(source: s.Citation) -> str:
    kind = "" if source.kind == "text" else f" {source.kind}"
    if source.kind == "house":
        return "source house rule"
    book = "" if source.book is None else f" {source.book}"
    headings = ", ".join(f'"{heading}"' for heading in source.headings)
    return f"source{kind}{book}{' ' if headings else ''}{headings}"


def _game(game: s.Game) -> Iterator[RuleLine]:
    yield line(0, f"game {game.name.text}", game)
    if game.players is not None:
        low, high = game.players
        yield unattached_line(line(1, f"players {low}" + (f" to {high}" if high != low else ""), game), "players", 1)
    for book in game.books:
        yield line(1, f'book {book.name} "{book.title}"', book)
    yield from _sources(game)


def _procedure(article: s.Procedure) -> str:
    match article:
        case s.Effect(card_parameters=names, parameters=(player, *places)):
            parameters_text = f"({_words(names)})" if names else ""
            place_text = f" at {typed(tuple(places))}" if places else ""
            return f"effect {article.name.text}{parameters_text} for {player.name.text}{place_text}"
        case s.Rule(gives=gives):
            result = "" if gives is None else f" gives {type_name(gives)}"
            return f"rule {article.name.text}({typed(article.parameters)}){result}"
    return article.keyword


def _declaration(article: s.Declaration) -> Iterator[RuleLine]:
    """Yield the lines of an article without statements: its first line, its rows, and its sources."""
    name = article.name.text
    parts: Sequence[s.Node | None] = ()
    rows: list[RuleLine] = []
    match article:
        case s.Enumeration(values=values):
            text, parts = f"enum {name} = {_words(values)}", values
        case s.Board():
            text, rows = f"board {name}", list(_board(article))
        case s.Figure(board=board, held=held):
            text = f"figure {name}{_with('on', board)}{' held by player' if held else ''}"
            parts = (board,)
        case s.Cards(faces=faces):
            text = f"cards {name}"
            suffixes = [f"({typed(face.parameters)})" if face.parameters else "" for face in faces]
            rows = [line(1, face.name.text + suffix, face, face) for face, suffix in zip(faces, suffixes, strict=True)]
        case s.Deck(cards=cards, total=total, copies=copies):
            text = f"deck {name} of {cards.text}{'' if total is None else f' total {total}'}"
            rows, parts = list(_copies(copies)), (cards, *copies)
        case s.Zone(each=each, holds=holds, board=board, never=never):
            text, parts = _zone(article), (*each, holds, board, *never)
        case s.Remember(each=each, type=kind, start=start, seen=seen, quiet=quiet):
            begin = "" if start is None else f" = {expression_text(start)}"
            shown = ", quietly" if quiet else "" if seen == "all" else _seen(seen)
            text = f"remember {name}{_each(each)}: {type_name(kind)}{begin}{shown}"
            parts = (*each, kind, start)
        case s.Score(by=by):
            text, parts = f"score {name}{_with('by', by)}", (by,)
        case s.Track(phases=phases):
            text = f"track {name}"
            rows = [_phase(phase) for phase in phases]
        case s.LookupTable(columns=columns, rows=cells):
            text, parts = " ".join([f"table {name}", *map(_cell, columns)]), columns
            rows = [line(1, " ".join(map(_cell, (row.key, *row.cells))), row, row) for row in cells]
        case s.Shapes(drawings=drawings):
            text = f"shapes {name}"
            rows = [line(1, " ".join([d.name.text, *d.rows]), d, d) for d in drawings]
        case s.Coverings(areas=areas, pieces=pieces, key=key, rows=covered):
            text = f"coverings {name} of {areas.text} by {pieces.text}{_with('for', key)}"
            parts = (areas, pieces, key)
            rows = [
                line(1, f"{c.area.text} {', '.join(_words(piece_set, ' ') for piece_set in c.sets)}", c, c)
                for c in covered
            ]
        case s.Paths(keys=keys, number=number, rows=crossings):
            text, parts = f"paths {name} of {keys.text}{_with('with', number)}", (keys, number)
            rows = [line(1, f"{_cell(c.key)} {', '.join(map(_path, c.paths))}", c, c) for c in crossings]
        case s.Setting(value=value, low=low, high=high):
            limits = "" if low is None or high is None else f" in {low} to {high}"
            text, parts = f"option {name} = {_cell(value)}{limits}", (value,)
        case s.Winner(ranking=ranking):
            text = f"winner {name}"
            rows = [_ranking_line(i, ranked) for i, ranked in enumerate(ranking)]
        case _:
            raise ValueError(f"{type(article).__name__} is no article of a game")
    yield line(0, text, article, article.name, *parts)
    yield from rows
    yield from _sources(article)


def _words(words: Sequence[s.Word], between: str = ", ") -> str:
    return between.join(word.text for word in words)


def _with(keyword: str, word: s.Word | None) -> str:
    return "" if word is None else f" {keyword} {word.text}"


def _each(each: Sequence[s.Word]) -> str:
    return "".join(f" of each {word.text}" for word in each)


def _seen(seen: s.Seen) -> str:
    return ", seen as a number" if seen == "number" else f", seen by {seen}"


def _zone(zone: s.Zone) -> str:
    holds = f"holds {'' if zone.capacity is None else f'at most {zone.capacity} '}{zone.holds.text}"
    never = f" never {_words(zone.never)}" if zone.never else ""
    return f"{zone.kind} {zone.name.text}{_each(zone.each)} {holds}{_with('on', zone.board)}{_seen(zone.seen)}{never}"


def _board(board: s.Board) -> Iterator[RuleLine]:
    for row in board.rows:
        yield line(1, f"row {_words(row, ' ')}", row[0], *row)
    if board.offset:
        yield unattached_line(line(1, "rows offset by half", board), "rows", 1)
    if board.lattice is not None:
        kind, *sizes = board.lattice
        text = _LATTICES[kind].format(*sizes)
        yield unattached_line(line(1, text, board), text.split()[0], 1)
    if board.diagonal:
        yield unattached_line(line(1, "touching diagonally", board), "touching", 1)
    for touches in board.touches:
        yield line(1, f"{touches.area.text} touches {_words(touches.others)}", touches, touches)


def _copies(copies: Sequence[s.Copies]) -> Iterator[RuleLine]:
    """Yield one line for each group of cards on the same line of a file."""
    for _, group in groupby(copies, lambda c: (c.span.source, c.span.line)):
        cards = list(group)
        yield line(1, ", ".join(f"{c.count} {_cell(c.face)}" for c in cards), cards[0], *cards)


def _phase(phase: s.TrackPhase) -> RuleLine:
    word = "space" if phase.spaces == 1 else "spaces"
    return line(1, f"{phase.name.text} {phase.spaces} {word}", phase, phase)


def _cell(e: s.Expression) -> str:
    if isinstance(e, s.Number):
        return str(e.value)
    return expression_text(e, Precedence.POSTFIX)


def _path(path: s.Path) -> str:
    start, end = path.sides
    return f"{start}-{end}" + (f": {path.number}" if path.number else "")


def _ranking_line(number: int, ranked: s.RankingLine) -> RuleLine:
    text = f"{'then ' if number else ''}{ranked.extreme} {expression_text(ranked.measure, Precedence.SUM, last=True)}"
    return line(1, text, ranked, ranked)
