"""Legend of the edges of placed cards, and the routes of the paths that begin there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.width import fold
from wongar_dsl.compiler import ir
from wongar_dsl.language.semantics import Type
from wongar_dsl.language.semantics.boards import HEXAGON, Graph
from wongar_dsl.nlg.words import Term, Text
from wongar_dsl.render.component_svg import card_data
from wongar_dsl.render.component_svg.card_data import EdgeThing, Trail
from wongar_dsl.session.board.path_tracing import TracedPath, trace_paths

from .laid_cards import LaidCards, mark
from .lines import Line, Piece, line_width
from .scene import TextScene
from .wrap import wrap_items

#: Arrows by board direction, in Unicode and in ASCII.
ARROWS = {6: "↗→↘↙←↖", 8: "↑↗→↘↓↙←↖"}
PLAIN_ARROWS = {6: ("/^", "->", "\\v", "v/", "<-", "^\\"), 8: ("^", "/^", "->", "\\v", "v", "v/", "<-", "^\\")}


def legend(scene: TextScene, field: ir.Field, board: Graph) -> Iterator[tuple[str, str]]:
    """Yield the legend of the symbols on placed cards: the name of each kind, and an example with its meaning."""
    cards, words = LaidCards(scene, field, board), scene.narrator.words
    model, scope = scene.state.game.model, scene.narrator.scope
    card_sides = [
        side
        for laid in cards.laid
        for side in card_data.sides(model, field.type, laid.face, board.directions)
        if side is not None
    ]
    # A trail with a number explains more.
    trails = sorted((side for side in card_sides if isinstance(side, Trail)), key=lambda side: side.number == 0)
    kinds = {kind for laid in cards.laid for kind, _ in cards.card_keys(laid.face)}
    for name, path in model.declared.paths.items() if trails else ():
        if model.tables[name].keys[0] in kinds:
            yield name, words.say("drawing.path", None, sign=Text(mark(trails[0])), path=Term(name, scope))
            if trails[0].number and path.numbers:
                yield path.numbers, f"{trails[0].number} {words.term(f'{path.numbers}.value', scope)}"
    thing = next((side for side in card_sides if isinstance(side, EdgeThing)), None)
    if thing is not None:
        dash = scene.sign("─", "-") if board.directions == HEXAGON else ""
        named = _table_of(scene, thing.kind) + scene.short(thing.kind, thing.value)
        yield thing.kind.name, f"{mark(thing)}{dash} {named}"
    yield from _pieces(scene, cards)
    worth = next((w for laid in cards.laid for w in card_data.card_numbers(model, field.type, laid.face)), None)
    if worth is not None:
        yield (
            worth[0],
            words.say("drawing.worth", None, sign=Text(str(worth[1])), worth=Text(scene.narrator.term(worth[0]))),
        )
    place = scene.state.game.model.declared.zones[field.name].board or ""
    numbers = sorted(n for some in scene.numbers(place).values() for n in some)
    if numbers:
        yield "[]", words.say("drawing.option", None, n=numbers[0])


def _table_of(scene: TextScene, kind: Type) -> str:
    """Return the label of the lookup table that assigns things to edges, or an empty string."""
    tables = card_data.tables(scene.state.game.model, 2)
    name = next((name for name, table in tables if table.value == kind and table.keys[1].kind == "number"), "")
    words = scene.narrator.words
    return words.label(words.capital(scene.narrator.term(name))) if name else ""


def _pieces(scene: TextScene, cards: LaidCards) -> Iterator[tuple[str, str]]:
    """Yield the legend of pieces on a part of a card, and on the card itself."""
    words, letter = scene.narrator.words, scene.letters[0]
    numbers = {number for laid in cards.laid for number, _ in cards.occupied_parts(laid.face)}
    for zone in scene.pieces_of_cards:
        name = words.capital(scene.narrator.term(zone.name, "pl"))
        if scene.hides_copies(zone):
            if list(cards.cards_with(zone)):
                yield zone.name, words.label(scene.name(zone)) + scene.hidden_text
        elif len(zone.indices) == 3 and numbers and list(cards.cards_with(zone)):
            free = scene.sign("·", ".") * 2
            part = scene.short(zone.indices[1], min(numbers))
            yield zone.name, f"{min(numbers) + 1} {letter}{free} {words.label(words.capital(part))}{name}"
        elif len(zone.indices) == 2 and list(cards.cards_with(zone)):
            yield zone.name, f"{scene.sign('♔', '^')}{letter} {words.capital(scene.narrator.term(zone.name, 'short'))}"


# ---- paths ----


def viewer_paths(scene: TextScene, field: ir.Field, board: Graph) -> dict[tuple[int, EdgeThing], list[TracedPath]]:
    """Return the paths that begin at the viewer's pieces, by card and part.

    For a spectator, the paths that begin at any player's pieces.
    """
    cards = LaidCards(scene, field, board)
    paths: dict[tuple[int, EdgeThing], list[TracedPath]] = {}
    for path in trace_paths(scene.state.game.model, field.type, cards.laid, board):
        owners = cards.owners(path.card, path.thing)
        if scene.viewer in owners if scene.viewer is not None else owners:
            paths.setdefault((path.card, path.thing), []).append(path)
    return paths


def routes(scene: TextScene, field: ir.Field, board: Graph, most: int) -> list[Line]:
    """Describe the viewer's paths (see `viewer_paths`), for the `most` starting points with the least free room."""
    cards = LaidCards(scene, field, board)
    paths = viewer_paths(scene, field, board)
    held = {part: dict(cards.occupied_parts(part[0])).get(part[1].value, []) for part in paths}
    free = {part: sum(text.count(scene.sign("·", ".")) for _, text in held[part]) for part in paths}
    shown_parts = set(sorted(paths, key=lambda part: free[part])[:most])
    if not paths:
        return []
    heading = fold(scene.narrator.words.say("drawing.ways"), scene.width - 1)
    lines: list[Line] = [[("faint", text)] for text in heading]
    lines += [
        line for part in paths if part in shown_parts for line in _routes(scene, cards, board, paths[part], held[part])
    ]  # fmt: skip
    if len(paths) > most:
        lines.append([("faint", f"{scene.sign('…', '...')} +{len(paths) - most}")])
    return lines


def _routes(
    scene: TextScene, cards: LaidCards, board: Graph, found: Sequence[TracedPath], held: Sequence[Piece]
) -> Iterator[Line]:
    """Yield the lines that describe all paths from one part of a card."""
    first = found[0]
    items: list[Line] = [[("strong", f"{cards.full_name(first.card)} {first.thing.value + 1}"), ("", " "), *held]]
    arrow = scene.sign("→", "->")
    for path in found:
        directions = ARROWS if scene.unicode else PLAIN_ARROWS
        leaving = directions.get(board.directions, directions[HEXAGON])[path.direction]
        for number, crossing in enumerate(path.crossed):
            count = f" ({crossing.number})" if crossing.number else ""
            items.append(
                [("faint", f"{arrow if number else leaving} "), ("card", cards.full_name(crossing.card) + count)]
            )
        end: Piece = (
            ("strong", cards.full_name(path.end)) if path.end is not None else ("faint", scene.sign("…", "..."))
        )
        stop = ";" if path is not found[-1] else ""
        items.append([("faint", f"{arrow if path.crossed else leaving} "), end, ("", stop)])
    for number, line in enumerate(wrap_items(scene, items, " ")):
        yield [("", "  "), *line] if number and line_width(line) + 2 < scene.width else line
