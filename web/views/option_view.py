"""View of the options for a page: groups, the locations each option affects, and texts to read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.render.position_svg import laid_cards
from wongar_dsl.render.position_svg.render_context import RenderContext, place_key
from wongar_dsl.session.board.board_refs import BoardArea
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.options.decision_context import chosen_cards, cited_sentences, open_cards, rule_card
from wongar_dsl.session.options.menu import Menu, MenuEntry
from wongar_dsl.session.options.option_groups import group_options

#: Maximum lengths of option texts for display in a row and in columns, and of the longest word for columns.
MAX_ROW_TEXT, MAX_COLUMN_TEXT, MAX_COLUMN_WORD = 4, 24, 12
#: Minimum number of options with the same forecast for which it is shown once.
SHARED = 3


@dataclass(frozen=True)
class OptionView:
    """An option: number, text under its heading, full text, and value to submit.

    `places` are the locations it names, `near` those it only affects according to the forecast. `forecast` is short,
    `lines` is the full text, and `warning` is confirmed before the move (empty: none). `cards` are the texts of its
    cards, `picture` shows its effect.
    """

    number: int
    text: str
    whole: str
    value: str
    places: tuple[str, ...]
    near: tuple[str, ...]
    forecast: str
    warning: str
    cards: tuple[tuple[str, str], ...]
    picture: Tag | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class OptionGroupView:
    """Options with a common heading.

    `kind` is their layout: `short` ones in a row, `narrow` ones in columns, `wide` ones below each other. `forecast` is
    set if it is the same for all.
    """

    heading: str
    choices: tuple[OptionView, ...]
    kind: str
    forecast: str = ""


@dataclass(frozen=True)
class ForecastView:
    """Forecast of an option: short text, affected locations, warning, and full text.

    `outcome` is true if the text describes more than the options that follow.
    """

    text: str = ""
    places: frozenset[BoardArea] = frozenset()
    warning: str = ""
    lines: tuple[str, ...] = ()
    outcome: bool = False


NOTHING = ForecastView()


def groups(
    session: GameSession, context: RenderContext, menu: Menu, forecasts: Mapping[int, ForecastView],
    touched: Mapping[int, frozenset[BoardArea]], pictures: Mapping[int, Tag], common: str = "",
) -> Iterator[OptionGroupView]:  # fmt: skip
    """Yield the groups of a menu; the mappings are keyed by option number.

    A `common` forecast of all options is shown elsewhere.
    """
    for group in group_options(menu.entries, session.words):
        choices = []
        shared = common or shared_forecast([forecasts.get(entry.number, NOTHING) for entry in group.entries])
        for entry, text in zip(group.entries, group.texts, strict=True):
            number = entry.number
            forecast = forecasts.get(number, NOTHING)
            named = touched.get(number, frozenset())
            places = tuple(sorted(map(place_key, named)))
            near = tuple(sorted(map(place_key, forecast.places - named)))
            cards = tuple(card_texts(session, context, entry)) if menu.part is None else ()
            label = text if group.heading or len(text) <= MAX_ROW_TEXT else session.words.capital(text)
            choices.append(
                OptionView(
                    number, label, entry.text, entry.notation, places, near, "" if shared else forecast.text,
                    forecast.warning, cards, pictures.get(number), forecast.lines,
                )
            )  # fmt: skip
        longest = max(len(c.text) + 3 * len(c.forecast) // 2 + 8 * bool(c.picture) for c in choices)
        word = max(len(word) for c in choices for word in re.split(r"[\s-]", c.text))
        kind = (
            "short"
            if longest <= MAX_ROW_TEXT
            else "narrow"
            if longest <= MAX_COLUMN_TEXT and word <= MAX_COLUMN_WORD
            else "wide"
        )
        yield OptionGroupView(
            group.heading, tuple(choices), kind if len(choices) > 1 else "wide", "" if common else shared
        )


def shared_forecast(forecasts: Collection[ForecastView]) -> str:
    """Return the forecast text shared by all of at least `SHARED` options, otherwise an empty string."""
    texts = {forecast.text for forecast in forecasts}
    return texts.pop() if len(forecasts) >= SHARED and len(texts) == 1 else ""


# ---- locations of an option ---------------------------------------------------------------------------------------


def touched_places(session: GameSession, context: RenderContext, menu: Menu) -> dict[int, frozenset[BoardArea]]:
    """Return the locations that each option names, by number: areas, placed cards, cards in hand, rows."""
    state = session.match.state
    decision = state.decision
    if decision is None:
        return {}
    card_locations = _locations_of_cards(context)
    places_by_option = {}
    for entry in menu.entries:
        move = entry.move
        pairs = list(zip(decision.options[move.option].parameters, move.arguments, strict=False))
        if menu.part is not None:
            pairs = pairs[: menu.part]
        places: set[BoardArea] = set()
        for (_, kind), value in pairs:
            if value < 0:
                continue
            if kind.kind == "board":
                places.add((kind.name, value))
            elif kind.kind in ("cards", "enum"):
                places |= card_locations.get((kind.name, value), {(kind.name, value)})
        places_by_option[entry.number] = frozenset(places)
    return places_by_option


def _locations_of_cards(context: RenderContext) -> dict[tuple[str, int], set[BoardArea]]:
    """Return the locations of placed cards, by card and by attribute value."""
    areas: dict[tuple[str, int], set[BoardArea]] = {}
    for name, board in context.scene.state.game.model.boards.items():
        layout = context.scene.layout_on(name)
        if layout is None:
            continue
        cards = laid_cards.CardMap(context, layout, name, board)
        for laid in cards.laid:
            for kind, value in cards.card_keys(laid.face):
                areas.setdefault((kind.name, value), set()).add((name, laid.area))
    return areas


def placement_sites(session: GameSession, context: RenderContext, menu: Menu) -> dict[int, tuple[BoardArea, int]]:
    """Return, for each option that places a card beside another, the empty area and the card, by option number.

    Such an option names a placed card and one of the board's directions.
    """
    state = session.match.state
    decision, model = state.decision, state.game.model
    targets: dict[int, tuple[BoardArea, int]] = {}
    if decision is None or menu.part is not None:
        return targets
    for name, board in model.boards.items():
        layout = context.scene.layout_on(name)
        if layout is None:
            continue
        where = {laid.face: laid.area for laid in context.scene.placed_cards(layout)}
        for entry in menu.entries:
            parameters = decision.options[entry.move.option].parameters
            new, beside, direction = None, None, None
            for (_, kind), value in zip(parameters, entry.move.arguments, strict=True):
                if kind == layout.type and value in where:
                    beside = where[value]
                elif kind == layout.type:
                    new = value
                elif kind.kind in ("enum", "direction"):
                    direction = _direction(board, model.value_name(kind, value))
            if new is not None and beside is not None and direction is not None and board.steps[beside][direction] >= 0:
                targets[entry.number] = ((name, board.steps[beside][direction]), new)
    return targets


def _direction(board: Graph, name: str) -> int | None:
    return board.direction_names.index(name) if name in board.direction_names else None


# ---- texts to read -------------------------------------------------------------------------------------------------


def card_texts(session: GameSession, context: RenderContext, entry: MenuEntry) -> Iterator[tuple[str, str]]:
    """Yield an option that only its name describes, and the cards that it refers to, with their effects."""
    state, narrator = session.match.state, context.scene.narrator
    if rule := narrator.option_rule(state, entry.move):
        yield entry.text, rule
    for name in dict.fromkeys([*chosen_cards(state, entry.move), *open_cards(context.scene, entry.move)]):
        text = card_text(context, name)
        if text:
            yield narrator.words.capital(narrator.term(name)), text


def card_text(context: RenderContext, name: str) -> str:
    """Return the effect of a card; empty if it has none."""
    return context.cached(("card text", name), lambda: context.scene.narrator.card(name) or "")


def decision_text(session: GameSession, context: RenderContext) -> Sequence[str]:
    """Return the texts on the decision: the card whose rule asks for it, and the sources cited."""
    match, words, decision = session.match, session.words, session.match.state.decision
    if decision is None:
        return ()
    face = rule_card(match)
    text = card_text(context, face) if face is not None else ""
    lines = [words.label(words.capital(context.scene.narrator.term(face))) + text] if face is not None and text else []
    return (
        *lines,
        *context.cached(("cited", decision.name, decision.rule), lambda: cited_sentences(match, session.narrator)),
    )
