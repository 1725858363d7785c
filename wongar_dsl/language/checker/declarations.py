"""Declaration pass: enters all global names and builds enumerations, boards, cards, tracks, tables and coverings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import cast

from wongar_dsl.base.diagnostics import Hint, Label
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.foreign_words import WORDS
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import CheckContext, GlobalKind, GlobalSymbol, report_wrong_sort
from wongar_dsl.language.semantics import (
    FIGURE,
    MAX_CELLS,
    NUMBER,
    TRUTH,
    UNKNOWN,
    CardSort,
    CoveringData,
    Face,
    Ref,
    Setting,
    TableData,
    TooManyCells,
    Type,
    boards,
    shapes,
)
from wongar_dsl.language.semantics.boards import SQUARE
from wongar_dsl.language.semantics.shapes import Shape

#: Kinds of zones by the operations that they support.
CARDS = s.zone_kinds(lambda zone: zone.holds == "cards")
TOKENS = s.zone_kinds(lambda zone: zone.holds == "enum")
PILES = s.zone_kinds(lambda zone: zone.ordered)
LAYOUTS = s.zone_kinds(lambda zone: zone.spread)

# ---- lattices --------------------------------------------------------------------------------------------------------


#: Maximum length of a straight line, in areas.
MAX_LINE = 40


def on_lattice(context: CheckContext, place: s.Expression, value_type: Type) -> bool:
    """Return whether a type is the areas of a lattice; report it if not."""
    if value_type.kind == "board" and context.model.boards[value_type.name].steps:
        return True
    if value_type != UNKNOWN:
        report_wrong_sort(context, place, value_type, ("grid", "hexagons"))
    return False


def line_type(context: CheckContext, d: s.Domain, value_type: Type) -> Type:
    """Return the type of the straight lines of one length on a lattice, and charge for their tables."""
    assert isinstance(d.first, s.Number)
    if not on_lattice(context, d.base, value_type):
        return UNKNOWN
    if not 2 <= d.first.value <= MAX_LINE:
        context.report("R0305", d.first, value=d.first.value, low=2, high=MAX_LINE)
        return UNKNOWN
    graph, length = context.model.boards[value_type.name], d.first.value
    lines = len(graph.areas) * graph.directions // 2
    context.charge(d, value_type.name, lines * length, ("lines", value_type.name, length))
    if d.kind == "through":
        # In each direction, as many lines pass through an area as a line has areas.
        context.charge(d, value_type.name, 2 * lines * length, ("through", value_type.name, length))
    return Type("line", value_type.name, length)


def charge_rays(context: CheckContext, d: s.Domain, board: str) -> None:
    """Charge for the table of the areas in each direction from each area of a lattice."""
    graph = context.model.boards[board]
    longest = max(len(graph.rows), max(map(len, graph.rows)))
    context.charge(d, board, len(graph.areas) * graph.directions * longest, ("rays", board))


def charge_distances(context: CheckContext, d: s.Domain, board: str, distance: int) -> None:
    """Charge for the table of the areas within a distance of each area."""
    graph = context.model.boards[board]
    areas = len(graph.areas)
    # On a lattice, a square or hexagon around the area bounds the number.
    near = min(areas, (2 * distance + 1) ** 2) if graph.steps else areas
    context.charge(d, board, areas * near, ("within", board, distance))


# ---- shapes and coverings --------------------------------------------------------------------------------------------


#: Maximum number of solutions of one declaration.
MAX_COVERINGS = 20_000


def declare_shapes(context: CheckContext, article: s.Shapes) -> None:
    """Declare a sort of shape, whose shapes are values of an enumeration."""
    name = article.name.text
    kind = Type("enum", name)
    declared: list[tuple[str, Shape]] = []
    for drawing in article.drawings:
        outline = shapes.parse_drawing(drawing.rows)
        sides = (len(drawing.rows), *map(len, drawing.rows))
        if max(sides) > shapes.MAX_SIDE:
            context.report("R0414", drawing, what=drawing.name.text, found=max(sides), limit=shapes.MAX_SIDE)
            outline = None
        elif outline is None:
            context.report("R0305", drawing, value=0, low=1, high=shapes.MAX_SIDE**2)
        if context.declare(drawing.name, GlobalSymbol("value", drawing.name, kind, len(declared))):
            declared.append((drawing.name.text, outline or Shape(((0, 0),))))
    context.model.enums[name] = tuple(n for n, _ in declared)
    context.model.shapes[name] = tuple(outline for _, outline in declared)


def find_coverings(context: CheckContext, article: s.Coverings) -> None:
    """Solve a `coverings` declaration: number all its solutions, and list those of each area and key."""
    name = article.name.text
    before = len(context.diagnostics)
    for word in (article.areas, article.pieces):
        if word.text not in context.model.shapes:
            context.report_unknown(word, word.text, context.model.shapes)
    if article.key is not None and article.key.text not in context.model.enums:
        context.report_unknown(article.key, article.key.text, context.model.enums)
    context.model.coverings[name] = CoveringData("", "", "", (), ())
    if len(context.diagnostics) > before:
        return
    context.used |= {article.areas.text, article.pieces.text}
    if article.key is not None:
        context.used.add(article.key.text)
    with context.within_budget(article, name):
        _find(context, article)


def _find(context: CheckContext, article: s.Coverings) -> None:
    model, name = context.model, article.name.text
    areas, pieces = model.shapes[article.areas.text], model.shapes[article.pieces.text]
    area_names, piece_names = model.enums[article.areas.text], model.enums[article.pieces.text]
    keys = model.enums[article.key.text] if article.key is not None else ()
    if len(pieces) > len(shapes.LETTERS):
        context.report("R0414", article, what=article.pieces.text, found=len(pieces), limit=len(shapes.LETTERS))
        return
    rows: dict[str, s.CoveringTask] = {}
    for row in article.rows:
        if row.area.text not in area_names:
            context.report("R0201", row.area, suggestion=did_you_mean(row.area.text, area_names), name=row.area.text)
        elif row.area.text in rows:
            context.report("R0202", row.area, declared=rows[row.area.text].area, name=row.area.text)
        rows.setdefault(row.area.text, row)
    for missing in [n for n in area_names if n not in rows][:8]:
        context.report("R0401", article.name, table=name, row=missing)
    numbers: dict[str, int] = {}
    lists: list[tuple[int, ...]] = []
    for area_name, area in zip(area_names, areas, strict=True):
        covered = rows.get(area_name)
        sets = [_pieces(context, words, piece_names) for words in covered.sets] if covered is not None else []
        if covered is not None and len(sets) != max(1, len(keys)):
            expected = max(1, len(keys))
            context.report("R0402", covered, table=name, row=area_name, found=len(sets), expected=expected)
        for covers in shapes.exact_covers(area, pieces, tuple(sets), context.budget):
            lists.append(tuple(numbers.setdefault(f"{area_name} {drawing}", len(numbers)) for drawing in covers))
            if len(numbers) > MAX_COVERINGS:
                context.report("R0414", article, what=name, found=len(numbers), limit=MAX_COVERINGS)
                return
    names = tuple(d.split()[1] for d in numbers)
    key = article.key.text if article.key is not None else ""
    model.coverings[name] = CoveringData(article.areas.text, article.pieces.text, key, names, tuple(lists))


def _pieces(context: CheckContext, words: tuple[s.Word, ...], known: Sequence[str]) -> tuple[int, ...]:
    """Return the sorted numbers of the pieces of a set; report unknown and repeated ones."""
    words_by_name: dict[str, s.Word] = {}
    for word in words:
        if word.text not in known:
            context.report("R0201", word, suggestion=did_you_mean(word.text, known), name=word.text)
        elif word.text in words_by_name:
            context.report("R0202", word, declared=words_by_name[word.text], name=word.text)
        else:
            words_by_name[word.text] = word
    return tuple(sorted(known.index(n) for n in words_by_name))


def coverings_type(context: CheckContext, e: s.Indexed | s.Of, value: Callable[[s.Expression], Type]) -> Type:
    """Check `name[area, key]`, the coverings of one area by one of its sets, or `name of area`.

    `value` checks the expressions in the brackets.
    """
    context.used.add(e.name)
    indices = [(index, value(index)) for index in (e.indices if isinstance(e, s.Indexed) else (e.owner,))]
    data = context.model.coverings.get(e.name)
    if data is None or not data.areas:
        return context.record_type(e, UNKNOWN)
    expected_types = [Type("enum", name) for name in (data.areas, data.key) if name]
    for (index, kind), expected in zip(indices, expected_types, strict=False):
        context.expect(index, expected, kind)
    context.check_number(e, e.name, len(indices), len(expected_types), context.names[e.name].node)
    return context.record_type(e, Type("coverings", e.name), Ref("coverings", e.name))


# ---- declarations ----------------------------------------------------------------------------------------------------


#: Maximum number of values of a type, of areas, of cards in a deck, and of players.
MAX_VALUES = 4000
MAX_PLAYERS = 12
#: Maximum of the numbers on the box of a game: the minimum age in years, and its length in minutes (almost a week).
FACT_LIMITS: Mapping[s.FactName, int] = {"age": 99, "minutes": 10_000}
_FACT_HINTS: Mapping[s.FactName, Hint] = {"age": Hint("box_age"), "minutes": Hint("box_minutes")}
#: Budget charge for each possible card, which is named here, and looked up and verbalised later.
FACE_WORK = 40


#: Articles with names in the order in which they are declared: types and constants first, since others use them.
_NAMED: tuple[type[s.Declaration], ...] = (
    s.Enumeration, s.Shapes, s.Board, s.Figure, s.Cards, s.Track, s.Setting,
    s.Coverings, s.Deck, s.Zone, s.Remember, s.Score, s.LookupTable, s.Paths, s.Rule, s.Define,
)  # fmt: skip
#: Kinds of the names of articles, where they are not the sort of the article.
_KINDS: Mapping[str, GlobalKind] = {"shapes": "enum", "paths": "table"}


def declare_all(context: CheckContext) -> None:
    """Declare the names of all articles; all types are complete after this call."""
    model = context.model
    for article in model.merged.articles:
        key = s.key_of(article)
        if key in model.articles:
            hint = Hint("only_one", {"name": article.keyword}) if article.single else None
            name = article.keyword if article.single else article.name.text
            context.report("R0202", article.name, hint=hint, declared=model.articles[key].name, name=name)
            if isinstance(article, s.Enumeration):
                # Declare its values too, so that they are not reported as unknown.
                for word in article.values:
                    context.names.setdefault(word.text, GlobalSymbol("value", word))
        elif key[0] == "change" or isinstance(article, s.Game | s.Variant):
            context.report("R0108", article, article=article.name.text)
        else:
            model.articles[key] = article
    _players(context)
    _box_facts(context)
    for sort in _NAMED:
        for article in model.all_of(sort):
            if not isinstance(article, s.Figure):
                kind = _KINDS.get(article.keyword) or cast(GlobalKind, article.keyword)
                context.declare(article.name, GlobalSymbol(kind, article.name))
            _declare(context, article)
    for article in model.all_of(s.Cards):
        _faces(context, article)
    for article in model.all_of(s.Track):
        _track(context, article)


def _players(context: CheckContext) -> None:
    low, high = context.model.players
    head = context.model.merged.head
    place = head.range if head.range is not None else head.name.span
    if reversed_range(context, place, low, high):
        return
    if not 1 <= low <= high <= MAX_PLAYERS:
        value, least = (high, low) if 1 <= low <= MAX_PLAYERS else (low, 1)
        context.report("R0305", place, value=value, low=least, high=MAX_PLAYERS)


def _box_facts(context: CheckContext) -> None:
    first: dict[str, s.BoxFact] = {}
    for fact in context.model.merged.head.facts:
        if fact.about in first:
            context.report("R0202", fact, declared=first[fact.about], name=fact.about)
        first.setdefault(fact.about, fact)
        if reversed_range(context, fact.range, fact.low, fact.high):
            continue
        limit = FACT_LIMITS[fact.about]
        for value in dict.fromkeys((fact.low, fact.high)):
            if not 1 <= value <= limit:
                context.report("R0305", fact.range, hint=_FACT_HINTS[fact.about], value=value, low=1, high=limit)


def reversed_range(context: CheckContext, place: Span, low: int, high: int) -> bool:
    """Report a range that begins with its greater number; return whether it does."""
    if low > high:
        context.report("R0307", place, suggestion=f"{high} to {low}", low=low, high=high)
    return low > high


def _declare(context: CheckContext, article: s.Declaration) -> None:
    model = context.model
    name = article.name.text
    match article:
        case s.Enumeration(values=values):
            kind = Type("enum", name)
            good = [w for i, w in enumerate(values) if context.declare(w, GlobalSymbol("value", w, kind, i))]
            model.enums[name] = tuple(w.text for w in good)
            _limit(context, article, name, len(values))
        case s.Shapes():
            declare_shapes(context, article)
        case s.Board():
            kind = Type("board", name)
            for number, word in enumerate(article.inner_names):
                context.declare(word, GlobalSymbol("value", word, kind, number))
            number = len(article.inner_names)
            if article.lattice is not None:
                number = _lattice_size(article.lattice)
                if number < 1:
                    context.report("R0305", article, value=number, low=1, high=MAX_VALUES)
                elif number > MAX_VALUES:
                    context.report("R0414", article, what=name, found=number, limit=MAX_VALUES)
                if not 0 < number <= MAX_VALUES:
                    article = replace(article, lattice=("square", 1, 1))
                if article.rows or article.touches:
                    context.report("R0416", article, statement="row")
            graph, diagnostics = boards.build(article)
            if article.lattice is not None:
                _lattice_names(context, article, graph)
            model.boards[name] = graph
            context.diagnostics.extend(diagnostics)
            if article.lattice is None:
                _limit(context, article, name, number)
        case s.Figure():
            context.declare(article.name, GlobalSymbol("value", article.name, FIGURE, len(model.figures)))
            model.figures.append(name)
            board = article.board
            if board is not None and context.named_type(board.text, "board") is None:
                context.report_unknown(board, board.text, [a.name.text for a in model.all_of(s.Board)])
            elif board is not None:
                context.used.add(board.text)
        case s.Cards():
            for face in article.faces:
                context.declare(face.name, GlobalSymbol("facekind", face.name, Type("cards", name)))
        case s.Paths(number=s.Word() as word):
            context.declare(word, GlobalSymbol("table", word))
        case s.Setting(value=value, low=low, high=high):
            bounds = (low, high) if low is not None and high is not None else None
            if bounds is not None and article.range and reversed_range(context, article.range, *bounds):
                bounds = bounds[::-1]
            match value:
                case s.Number(value=n):
                    least, most = bounds or (min(n, -1_000_000), max(n, 1_000_000))
                    model.settings[name] = Setting(NUMBER, n, least, most)
                    if not least <= n <= most:
                        context.report("R0305", value, value=n, low=least, high=most)
                case s.Truth(value=yes):
                    model.settings[name] = Setting(TRUTH, int(yes), 0, 1)
                case _:
                    text = value.part_text
                    replacement = WORDS.get(text) or WORDS.get(text.lower())
                    truth = replacement if replacement in ("yes", "no") else None
                    hint = None
                    if truth is None and bounds is not None:
                        hint = Hint("write_number", {"low": str(bounds[0]), "high": str(bounds[1])})
                    expected = "yes or no" if truth else "number"
                    context.report("R0301", value, suggestion=truth, hint=hint, found=text, expected=expected)
                    model.settings[name] = Setting(UNKNOWN, 0, 0, 0)


def _lattice_size(lattice: tuple[str, int, int]) -> int:
    kind, width, height = lattice
    return 3 * width * (width + 1) + 1 if kind == "round" else width * height


def _lattice_names(context: CheckContext, article: s.Board, graph: boards.Graph) -> None:
    """Declare the areas of a lattice, and the directions on squares unless their names are in use."""
    kind = Type("board", article.name.text)
    for number, area in enumerate(graph.areas):
        if area in context.names:
            context.report("R0202", context.names[area].node, declared=article.name, name=area)
        context.names[area] = GlobalSymbol("value", article.name, kind, number)
    if graph.directions == boards.SQUARE:
        for number, name in enumerate(graph.direction_names):
            context.names.setdefault(name, GlobalSymbol("value", article.name, NUMBER, number))


def _limit(context: CheckContext, place: s.Node, what: str, found: int) -> None:
    if found > MAX_VALUES:
        context.report("R0414", place, what=what, found=found, limit=MAX_VALUES)


def _faces(context: CheckContext, article: s.Cards) -> None:
    """Build all faces of a sort of card: each kind with every combination of its parameters' values."""
    model = context.model
    faces: list[Face] = []
    columns: dict[str, tuple[Type, dict[int, int]]] = {}
    parameters: dict[str, tuple[tuple[str, Type], ...]] = {}
    for face in article.faces:
        kinds = [context.type_of(p.type) for p in face.parameters]
        parameters[face.name.text] = tuple((p.name.text, k) for p, k in zip(face.parameters, kinds, strict=True))
        sizes = []
        for parameter, kind in zip(face.parameters, kinds, strict=True):
            if kind.kind not in ("enum", "board") and kind != UNKNOWN:
                context.report("R0301", parameter.type, found=str(kind), expected="enum")
            sizes.append(model.size(kind, 0) if kind.kind in ("enum", "board") else 0)
            old = columns.setdefault(parameter.name.text, (kind, {}))
            if old[0] != kind:
                context.report("R0301", parameter.type, found=str(kind), expected=str(old[0]))
        if prod(sizes) + len(faces) > MAX_VALUES:
            context.report("R0414", face, what=face.name.text, found=prod(sizes), limit=MAX_VALUES)
            continue
        context.charge(face, face.name.text, FACE_WORK * prod(sizes), (article.name.text, face.name.text))
        if context.overspent:
            continue
        for values in product(*(range(n) for n in sizes)):
            for parameter, value in zip(face.parameters, values, strict=True):
                columns[parameter.name.text][1][len(faces)] = value
            shown = ", ".join(model.value_name(k, v) for k, v in zip(kinds, values, strict=True))
            faces.append(Face(face.name.text, values, f"{face.name.text}({shown})" if values else face.name.text))
    attributes = {
        n: (kind, tuple(values_by_face.get(i, -1) for i in range(len(faces))))
        for n, (kind, values_by_face) in columns.items()
    }
    model.cards[article.name.text] = CardSort(article.name.text, tuple(faces), attributes, parameters)


def _track(context: CheckContext, article: s.Track) -> None:
    """Build a track; its phases are distinct values of one enumeration, in its order."""
    phases = []
    kind = UNKNOWN
    for phase in article.phases:
        declared = context.names.get(phase.name.text)
        if declared is not None and declared.type == UNKNOWN and declared.kind == "value":
            continue
        if declared is None or declared.type.kind != "enum":
            values = [v for enum in context.model.enums.values() for v in enum]
            context.report_unknown(phase.name, phase.name.text, values)
            continue
        if kind not in (UNKNOWN, declared.type):
            context.report("R0301", phase.name, found=str(declared.type), expected=str(kind))
        kind = declared.type
        context.used.add(kind.name)
        if phase.spaces < 1:
            context.report("R0305", phase, value=phase.spaces, low=1, high=MAX_VALUES)
        _limit(context, phase, article.name.text, phase.spaces)
        phases.append((phase.name.text, phase.spaces))
    if kind.kind == "enum" and not any(d.code == "R0201" for d in context.diagnostics):
        missing = [v for v in context.model.enums[kind.name] if v not in [p for p, _ in phases]]
        for value in missing:
            context.report("R0425", article.name, name=article.name.text, value=value)
    context.model.tracks[article.name.text] = tuple(phases)


def check_tables(context: CheckContext) -> None:
    """Evaluate all tables, decks and coverings; report missing rows and cells, and mixed types."""
    for coverings in context.model.all_of(s.Coverings):
        find_coverings(context, coverings)
    for table in context.model.all_of(s.LookupTable):
        _table(context, table)
    for deck in context.model.all_of(s.Deck):
        _deck(context, deck)


def constant(context: CheckContext, e: s.Expression) -> tuple[Type, int] | None:
    """Return the type and number of a constant expression, or None after reporting a mistake."""
    match e:
        case s.Number(value=value):
            return (NUMBER, value)
        case s.Truth(value=yes):
            return (TRUTH, int(yes))
        case s.Nobody():
            return (Type("none"), -1)
        case s.Name(text=text) | s.Called(name=text):
            declared = context.names.get(text)
            if declared is None:
                context.report_unknown(e, text)
                return None
            if declared.kind == "value" and isinstance(e, s.Name):
                context.used.add(declared.type.name)
                return (declared.type, declared.number)
            if declared.kind == "option" and isinstance(e, s.Name):
                context.used.add(text)
                return (context.model.settings[text].type, context.model.settings[text].start)
            if declared.kind == "facekind":
                return constant_face(context, e, declared.type)
            context.report("R0203", e, name=text, found=declared.kind, expected=("value",))
            return None
    context.report("R0203", e, name=e.part_text, found="expression", expected=("value",))
    return None


def constant_face(context: CheckContext, e: s.Expression, value_type: Type) -> tuple[Type, int] | None:
    """Return the type and number of a card written as `card` or `card(a, b)`, or None after reporting a mistake."""
    sort = context.model.cards[value_type.name]
    index = sort.index(e.part_text)
    if index is not None:
        context.used.add(value_type.name)
        return (value_type, index)
    name, kind = e.part_text, e.name_text
    same = next((f for f in sort.faces if f.kind == kind), None)
    if not sort.faces or (isinstance(e, s.Called) and same is None):
        return None  # the types of its parameters are wrong and already reported
    count = len(e.arguments) if isinstance(e, s.Called) else 0
    if same is None or context.check_number(e, kind, count, len(same.arguments), context.names[kind].node):
        context.report("R0201", e, suggestion=did_you_mean(name, [f.name for f in sort.faces]), name=name)
    return None


def _table(context: CheckContext, article: s.LookupTable) -> None:
    name = article.name.text
    rows = [(r, constant(context, r.key)) for r in article.rows]
    columns = [(c, constant(context, c)) for c in article.columns]
    width = len(article.columns) or 1
    keys = [_axis(context, name, [(r.key, k) for r, k in rows], article)]
    if columns:
        keys.append(_axis(context, name, columns, article, columns=True))
    cells: dict[tuple[int, ...], int] = {}
    filled: list[tuple[s.Expression, tuple[Type, int]]] = []
    for row, key in rows:
        if len(row.cells) != width:
            context.report("R0402", row, table=name, row=row.key.part_text, found=len(row.cells), expected=width)
        for i, cell in enumerate(row.cells):
            entry = constant(context, cell)
            if entry is None or key is None:
                continue
            filled.append((cell, entry))
            column = columns[i][1] if i < len(columns) else None
            cells[(key[1], column[1] if column else 0) if columns else (key[1],)] = entry[1]
    # The most frequent type counts as that of the table, so that the report names the odd cell.
    kinds = [entry[0] for _, entry in filled if entry[0].kind != "none"] or [entry[0] for _, entry in filled]
    value = max(kinds, key=kinds.count, default=UNKNOWN)
    for cell, entry in filled:
        context.expect(cell, value, entry[0])
    if None in keys:
        context.model.tables[name] = TableData((UNKNOWN,) * len(keys), (0,) * len(keys), (0,) * len(keys), value, ())
        return
    axes = [k for k in keys if k is not None]
    try:
        context.model.tables[name] = TableData.with_default(axes, value, cells)
    except TooManyCells as error:
        context.report("R0414", article, what=name, found=error.found, limit=MAX_CELLS)


def _axis(
    context: CheckContext,
    name: str,
    keys: list[tuple[s.Expression, tuple[Type, int] | None]],
    article: s.LookupTable,
    columns: bool = False,
) -> tuple[Type, int, int] | None:
    """Return type, minimum and number of the keys along one side of a table; None after reporting a mistake."""
    valid = [(e, k) for e, k in keys if k is not None]
    if len(valid) < len(keys) or not valid:
        if not keys:
            context.report("R0401", article.name, table=name, row="")
        return None
    kind = valid[0][1][0]
    seen: dict[int, s.Expression] = {}
    for e, (key_type, number) in valid:
        context.expect(e, kind, key_type)
        if number in seen and key_type == kind != UNKNOWN:
            context.report("R0202", e, declared=seen[number], name=e.part_text)
        seen.setdefault(number, e)
    if kind == NUMBER:
        low, high = min(seen), max(seen)
        if high - low > MAX_VALUES:
            context.report("R0414", article, what=name, found=high - low, limit=MAX_VALUES)
            return None
        key_numbers = range(low, high + 1)
        names = [str(n) for n in key_numbers]
    elif kind.kind in ("enum", "board", "cards"):
        low, key_numbers = 0, range(context.model.size(kind, 0))
        names = [context.model.value_name(kind, n) for n in key_numbers]
    else:
        if kind != UNKNOWN:
            context.report("R0301", valid[0][0], found=str(kind), expected="enum")
        return None
    missing = [n for number, n in zip(key_numbers, names, strict=True) if number not in seen]
    for key in missing[:8]:
        if columns:
            context.report("R0423", article.name, table=name, column=key)
        else:
            context.report("R0401", article.name, table=name, row=key)
    return (kind, low, len(names))


def _deck(context: CheckContext, article: s.Deck) -> None:
    declared = context.names.get(article.cards.text)
    if declared is None or declared.kind != "cards":
        context.report_unknown(article.cards, article.cards.text, [a.name.text for a in context.model.all_of(s.Cards)])
        return
    kind = Type("cards", article.cards.text)
    context.used.add(article.cards.text)
    seen: dict[int, s.Copies] = {}
    for copies in article.copies:
        entry = constant(context, copies.face)
        if entry is None:
            continue
        context.expect(copies.face, kind, entry[0])
        context.model.refs[copies.face] = Ref("value", copies.face.part_text, entry[1])
        if entry[1] in seen:
            context.report("R0202", copies, declared=seen[entry[1]], name=copies.part_name)
        seen[entry[1]] = copies
        _limit(context, copies, article.name.text, copies.count)
    total = sum(c.count for c in article.copies)
    if all(c.count <= MAX_VALUES for c in article.copies):
        _limit(context, article, article.name.text, total)
    if article.total is not None and total != article.total:
        context.report("R0403", article.name, deck=article.name.text, found=total, expected=article.total)


# ---- layouts and paths -----------------------------------------------------------------------------------------------


#: Number of sides of a card on the lattice with the most directions.
MAX_SIDES = SQUARE
#: With fewer rows, a single exception says nothing about a pattern.
MIN_ROWS = 4


def area_type(article: s.Zone) -> Type:
    """Return the type of the areas of a layout."""
    return Type("board", article.board.text) if article.board is not None else UNKNOWN


def check_layout(context: CheckContext, article: s.Zone) -> None:
    """Check that a layout is on a lattice and visible to all, and that other zones are on none."""
    if not article.traits.spread:
        if article.board is not None:
            context.report("R0416", article.board, statement="on")
        return
    if article.board is None:
        context.report("R0107", article.name, expected=("on",))
        return
    context.used.add(article.board.text)
    board = context.model.boards.get(article.board.text)
    if board is None:
        context.report_unknown(article.board, article.board.text, list(context.model.boards))
    elif not board.steps:
        context.report("R0203", article.board, name=article.board.text, found="board", expected=("grid", "hexagons"))
    if article.seen != "all":
        context.report("R0416", article, statement=f"seen by {article.seen}")


def layout_of(context: CheckContext, place: s.Expression, value_type: Type) -> s.Zone | None:
    """Return the only layout for cards of a sort; None after reporting that there is not exactly one."""
    layouts = [a for a in context.model.all_of(s.Zone) if a.traits.spread]
    matches = [a for a in layouts if a.holds.text == value_type.name and a.board is not None and not a.each]
    if value_type.kind == "cards" and len(matches) == 1 and matches[0].board is not None:
        board = context.model.boards.get(matches[0].board.text)
        context.used.add(matches[0].name.text)
        return matches[0] if board is not None and board.steps else None
    if value_type != UNKNOWN:
        report_wrong_sort(context, place, value_type, tuple(sorted(LAYOUTS)))
    return None


def laid_place(context: CheckContext, e: s.Of, owner: s.Expression) -> Type:
    """Check `place of card`: the area where it lies, none if it is on no layout."""
    layout = layout_of(context, owner, context.model.types[owner])
    if layout is None:
        return context.record_type(e, UNKNOWN)
    return context.record_type(e, area_type(layout), Ref("laid_at", layout.name.text))


def check_paths(context: CheckContext) -> None:
    """Build the tables of each paths article: connected sides, and numbers of the paths."""
    for article in context.model.all_of(s.Paths):
        _paths(context, article)


def _sides(context: CheckContext, value_type: Type) -> tuple[str, int]:
    """Return the board on which the cards with these paths are laid, and the number of sides that they have there.

    Without such a board the name is empty, and the number is the maximum over all lattices.
    """
    lattices = {}
    for layout in context.model.all_of(s.Zone):
        board = context.model.boards.get(layout.board.text) if layout.board is not None else None
        sort = context.model.cards.get(layout.holds.text)
        if board is not None and board.steps and sort is not None and layout.board is not None:
            read = value_type in (Type("cards", sort.name), *(field for field, _ in sort.attributes.values()))
            lattices[layout.board.text] = (read, board.directions)
    # If no card refers to the paths, any board may use them.
    required = any(read for read, _ in lattices.values())
    sides = {name: count for name, (read, count) in lattices.items() if read or not required}
    return max(sides.items(), key=lambda each: each[1], default=("", MAX_SIDES))


def _paths(context: CheckContext, article: s.Paths) -> None:
    kind = context.named_type(article.keys.text, "enum", "cards")
    if kind is None:
        names = [n for n in context.names if context.named_type(n, "enum", "cards")]
        context.report_unknown(article.keys, article.keys.text, names)
        return
    context.used.add(article.keys.text)
    board, sides = _sides(context, kind)
    connections: dict[tuple[int, ...], int] = {}
    numbers: dict[tuple[int, ...], int] = {}
    seen: dict[int, s.Crossing] = {}
    valid = True
    for row in article.rows:
        key = constant(context, row.key)
        if key is None:
            continue
        context.expect(row.key, kind, key[0])
        if key[1] in seen:
            context.report("R0202", row.key, declared=seen[key[1]].key, name=row.part_name)
        seen.setdefault(key[1], row)
        used: dict[int, s.Path] = {}
        for path in row.paths:
            for side, opposite in (path.sides, path.sides[::-1]):
                if side >= sides:
                    if board:
                        context.report("R0428", path, value=side, name=board, high=sides - 1)
                    else:
                        context.report("R0305", path, value=side, low=0, high=sides - 1)
                    valid = False
                    continue
                if side in used:
                    context.report("R0202", path, (Label(used[side].span, "first"),), name=f"side {side}")
                used[side] = path
                connections[key[1], side], numbers[key[1], side] = opposite, path.number
    if valid:
        _dead_sides(context, article, seen, connections, sides)
    axes = ((kind, 0, context.model.size(kind, 0)), (NUMBER, 0, sides))
    for word, cells, missing in ((article.name, connections, -1), (article.number, numbers, 0)):
        if word is None:
            continue
        try:
            context.model.tables[word.text] = TableData.with_default(axes, NUMBER, cells, missing)
        except TooManyCells as error:
            context.report("R0414", article, what=word.text, found=error.found, limit=MAX_CELLS)


def _dead_sides(
    context: CheckContext,
    article: s.Paths,
    rows: dict[int, s.Crossing],
    connections: dict[tuple[int, ...], int],
    sides: int,
) -> None:
    """Warn of sides without a path on exactly one card."""
    missing: dict[int, list[str]] = {}
    for side in range(sides):
        without = [key for key in rows if (key, side) not in connections]
        if len(without) == 1 and len(rows) >= MIN_ROWS:
            missing.setdefault(without[0], []).append(str(side))
    for key, dead in missing.items():
        row = rows[key]
        context.report("R0429", row.key, name=row.key.part_text, what=article.name.text, sides=tuple(dead))
