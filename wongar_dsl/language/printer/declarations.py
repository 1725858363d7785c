"""Pretty-printing of articles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from wongar_dsl.language import ast as s
from wongar_dsl.language.printer.expressions import Precedence, expression_text, type_name, typed
from wongar_dsl.language.printer.lines import RuleLine, line, unattached_line
from wongar_dsl.language.printer.statements import block

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
