"""A menu for a page: options in groups, the places that each of them touches, and what there is to read about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.model.boards import Graph
from wongar_dsl.table.grouping import grouped
from wongar_dsl.table.menu import Entry, Menu
from wongar_dsl.table.subject import chosen_cards, cited, open_cards, rule_card
from wongar_dsl.table.table import Table
from wongar_dsl.text.markup import Tag

from .pictures import laid_cards
from .pictures.look import Look, Place, place_key

#: How long the texts of options are that stand in a row, as what is counted does, and of those in columns,
#: with the longest word in them.
SHORT, NARROW, WORD = 4, 24, 12
#: A forecast that so many options share is said once.
SHARED = 3


@dataclass(frozen=True)
class Choice:
    """An option: its number, what it says under its heading and as a whole, and what is sent for it.

    `places` are those that it names, `near` those that it only touches as far as that is foreseen.  `forecast` is what
    it would bring, `lines` tell that at length, and `warning` is asked before it is made (empty: nothing).  `cards` are
    texts of the cards that it is about, `picture` shows what it does.
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
class Group:
    """Options with what they have in common; `kind` says how much room they take: those that are `short` stand in a
    row, `narrow` ones in columns.  `forecast` is what each of them would bring, where that is the same."""

    heading: str
    choices: tuple[Choice, ...]
    kind: str
    forecast: str = ""


@dataclass(frozen=True)
class Foreseen:
    """What is foreseen of an option: in a few words, the places that it touches, what to ask before it is made, and
    all of it at length; `outcome`: that says more than what could be chosen after it."""

    text: str = ""
    places: frozenset[Place] = frozenset()
    warning: str = ""
    lines: tuple[str, ...] = ()
    outcome: bool = False


NOTHING = Foreseen()


def groups(
    table: Table, look: Look, menu: Menu, foreseen: Mapping[int, Foreseen],
    touched: Mapping[int, frozenset[Place]], pictures: Mapping[int, Tag], common: str = "",
) -> Iterator[Group]:  # fmt: skip
    """The groups of a menu; what is foreseen, the places that are named, and pictures are by an option's number.

    A `common` forecast of all options is said elsewhere.
    """
    for group in grouped(menu.entries, table.words):
        choices = []
        shared = common or shared_forecast([foreseen.get(entry.number, NOTHING) for entry in group.entries])
        for entry, text in zip(group.entries, group.texts, strict=True):
            number = entry.number
            seen = foreseen.get(number, NOTHING)
            named = touched.get(number, frozenset())
            places = tuple(sorted(map(place_key, named)))
            near = tuple(sorted(map(place_key, seen.places - named)))
            cards = tuple(card_texts(table, look, entry)) if menu.part is None else ()
            said = text if group.heading or len(text) <= SHORT else table.words.capital(text)
            choices.append(
                Choice(
                    number, said, entry.text, entry.notation, places, near, "" if shared else seen.text, seen.warning,
                    cards, pictures.get(number), seen.lines,
                )
            )  # fmt: skip
        longest = max(len(c.text) + 3 * len(c.forecast) // 2 + 8 * bool(c.picture) for c in choices)
        word = max(len(word) for c in choices for word in re.split(r"[\s-]", c.text))
        kind = "short" if longest <= SHORT else "narrow" if longest <= NARROW and word <= WORD else "wide"
        yield Group(group.heading, tuple(choices), kind if len(choices) > 1 else "wide", "" if common else shared)


def shared_forecast(foreseen: Collection[Foreseen]) -> str:
    """The forecast of so many options that is the same for each of them; empty where there is none."""
    texts = {one.text for one in foreseen}
    return texts.pop() if len(foreseen) >= SHARED and len(texts) == 1 else ""


# ---- the places of an option ---------------------------------------------------------------------------------------


def touched_places(table: Table, look: Look, menu: Menu) -> dict[int, frozenset[Place]]:
    """For each option, by its number, the places that it names: areas, where cards lie, cards in hand, rows."""
    state = table.match.state
    decision = state.decision
    if decision is None:
        return {}
    lying = _lying(look)
    found = {}
    for entry in menu.entries:
        move = entry.move
        pairs = list(zip(decision.options[move.option].parameters, move.arguments, strict=False))
        if menu.part is not None:
            pairs = pairs[: menu.part]
        places: set[Place] = set()
        for (_, kind), value in pairs:
            if value < 0:
                continue
            if kind.kind == "board":
                places.add((kind.name, value))
            elif kind.kind in ("cards", "enum"):
                places |= lying.get((kind.name, value), {(kind.name, value)})
        found[entry.number] = frozenset(places)
    return found


def _lying(look: Look) -> dict[tuple[str, int], set[Place]]:
    """Where the cards of layouts lie, by what they are: by themselves, and by what their parameters say."""
    found: dict[tuple[str, int], set[Place]] = {}
    for name, board in look.scene.state.game.model.boards.items():
        layout = laid_cards.layout_on(look, name)
        if layout is None:
            continue
        cards = laid_cards.Map(look, layout, name, board)
        for laid in cards.laid:
            for kind, value in cards.parts(laid.face):
                found.setdefault((kind.name, value), set()).add((name, laid.area))
    return found


def sites(table: Table, look: Look, menu: Menu) -> dict[int, tuple[Place, int]]:
    """For each option that lays a card beside another one, the empty place beside it, and the card.

    Such an option names a card that lies on a lattice and one of the directions that are called as there.
    """
    state = table.match.state
    decision, model = state.decision, state.game.model
    found: dict[int, tuple[Place, int]] = {}
    if decision is None or menu.part is not None:
        return found
    for name, board in model.boards.items():
        layout = laid_cards.layout_on(look, name)
        if layout is None:
            continue
        where = {laid.face: laid.area for laid in laid_cards.laid_on(look, layout)}
        for entry in menu.entries:
            parameters = decision.options[entry.move.option].parameters
            new, beside, way = None, None, None
            for (_, kind), value in zip(parameters, entry.move.arguments, strict=True):
                if kind == layout.type and value in where:
                    beside = where[value]
                elif kind == layout.type:
                    new = value
                elif kind.kind in ("enum", "direction"):
                    way = _way(board, model.value_name(kind, value))
            if new is not None and beside is not None and way is not None and board.steps[beside][way] >= 0:
                found[entry.number] = ((name, board.steps[beside][way]), new)
    return found


def _way(board: Graph, name: str) -> int | None:
    return board.ways.index(name) if name in board.ways else None


# ---- what there is to read -----------------------------------------------------------------------------------------


def card_texts(table: Table, look: Look, entry: Entry) -> Iterator[tuple[str, str]]:
    """The cards that an option is about, with what they do."""
    state, narrator = table.match.state, look.scene.narrator
    for name in dict.fromkeys([*chosen_cards(state, entry.move), *open_cards(look.scene, entry.move)]):
        told = card_text(look, name)
        if told:
            yield narrator.words.capital(narrator.term(name)), told


def card_text(look: Look, name: str) -> str:
    """What a card does; empty where rules do nothing with it."""
    return look.made(("card text", name), lambda: look.scene.narrator.card(name) or "")


def about(table: Table, look: Look) -> Sequence[str]:
    """What there is to read about the decision: the text of the card by whose rule it is taken, and what that cites."""
    match, words, decision = table.match, table.words, table.match.state.decision
    if decision is None:
        return ()
    face = rule_card(match)
    told = card_text(look, face) if face is not None else ""
    lines = [words.label(words.capital(look.scene.narrator.term(face))) + told] if face is not None and told else []
    return (*lines, *look.made(("cited", decision.name, decision.rule), lambda: cited(match, table.narrator)))
