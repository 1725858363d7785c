"""Invariants of a Wongar game at every decision: the tokens of each player and all cards are present."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from wongar_dsl.compiler.backends import State
from wongar_dsl.compiler.ir.program import Field
from wongar_dsl.engine import Game
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.language.semantics import Type

# Tokens of each player, and the cards by face, from the rulebook's list of contents.
TOKENS = (18, 15, 12)
AREA = {"token_card(disc)": 3, "token_card(cube)": 2, "token_card(cylinder)": 1, "three_tokens": 1, "four_rituals": 1,
        "ancestor_card": 2, "elder_card": 2, "both_card": 1, "scorpion_card": 2}  # fmt: skip
RITUAL = {"ritual(disc)": 14, "ritual(cube)": 12, "ritual(cylinder)": 10, "double_ritual": 5, "ritual_scorpion": 2}


def cards_of(name: str, seats: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the area cards and the ritual cards of a game."""
    area, ritual = {face: 10 * n for face, n in AREA.items()}, dict(RITUAL)
    if name == "wongar":
        assert (sum(area.values()), sum(ritual.values())) == (150, 43)
        return area, ritual
    # One of each figure card is out of each pile, and one of each lies before every player.
    for face in ("ancestor_card", "elder_card"):
        area[face] += seats - 10
    return area, ritual | {"double_ritual": seats, "ritual_scorpion": 0}


def cards_in(field: Field, cells: State) -> Iterator[int]:
    """Yield the face of each card in a zone."""
    for _, address in copies(field):
        stretch = cells[address : address + field.width]
        if field.kind == "slot":
            yield from (face for face in stretch[:1] if face >= 0)
        elif field.kind == "pile":
            yield from stretch[1 : 1 + stretch[0]]
        else:
            assert stretch[0] == sum(stretch[1:]), "a heap that does not know its size"
            yield from Counter(dict(enumerate(stretch[1:]))).elements()


def conservation_check(played: Game) -> Callable[[State], None]:
    """Return a check that no component is lost or added."""
    fields = played.program.fields
    expected_cards = zip(("area_card", "ritual_card"), cards_of(played.name, played.seats), strict=True)
    decks = [
        (
            Counter({i: expected[face.name] for i, face in enumerate(played.model.cards[sort].faces)}),
            [f for f in fields if f.type == Type("cards", sort) and f.kind in ("pile", "heap", "slot")],
        )
        for sort, expected in expected_cards
    ]
    zones = [played.fields[name] for name in ("supply", "bag", "ground")]

    def check(cells: State) -> None:
        for expected, places in decks:
            assert Counter(face for field in places for face in cards_in(field, cells)) == expected
        tokens: Counter[tuple[int, int]] = Counter()
        for zone in zones:
            for indices, address in copies(zone):
                held = cells[address : address + zone.width]
                assert min(held) >= 0
                tokens.update({(indices[-1], kind): number for kind, number in enumerate(held)})
        assert tokens == {(seat, kind): n for seat in range(played.seats) for kind, n in enumerate(TOKENS)}

    return check
