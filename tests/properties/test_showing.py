"""Generated games with zones and values of all kinds and indices: every front end shows all that a seat may see."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.properties.hiding import BOARDS, INDICES, MORE_INDICES, Spec, begun_match, load_rules, rules_text, specs
from tests.properties.permuter import places, seen_by, write_contents
from tests.web.viewings import steady, viewing, words
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.render.text.position import picture
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.screen_reader import spoken_table
from wongar_dsl.session.changes import changed_areas
from wongar_dsl.web import pages

WORDS = words("en")
#: The number of generated games per board, and the number of changed copies of each zone or value.
GAMES, COPIES = 8, 3
#: A seat that is not asked at the beginning: its page has no options, which take most of the time.
VIEWER = 1


def with_cells(begun: Match, cells: list[int]) -> Match:
    return Match(begun.game, begun.seats, begun.seed, begun.rules_hash, cells)


def cells_of(*indices: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Return each board with indices: those of areas on every board, which draws them, the others on one each."""
    beside = dict(zip(BOARDS, (each for each in indices if "area" not in each), strict=False))
    return [(board, each) for board in BOARDS for each in indices if "area" in each or beside.get(board) == each]


def front_ends(match: Match, viewer: int, rules: Rules) -> dict[str, str]:
    """Return what each front end shows of a position."""
    narrator = Narrator(match.game, WORDS, ("Ann", "Bob"))
    scene = TextScene(match.state, narrator, "AB", viewer, 160, True)
    page = str(steady(pages.table_part(viewing(match, viewer=viewer, loaded=rules))))
    return {
        "drawn": "\n".join(line_text(line) for line in picture(scene)),
        "read": "\n".join(spoken_table(scene)),
        "page": re.sub(' aria-label="[^"]*"', "", page),
        "labels": re.sub("<svg.*?</svg>", lambda svg: " ".join(re.findall('aria-label="([^"]*)"', svg[0])), page),
    }


def indistinguishable(folder: Path, board: str, spec: Spec, viewer: int, dice: random.Random) -> Iterator[str]:
    """Yield the copies of two equal zones or values whose contents are not shown, or shown like those of another."""
    rules = load_rules(folder, rules_text(board, [spec, spec]))
    begun = begun_match(rules)
    played = begun.game
    names = {f"{spec.kind}_{number}" for number in (0, 1)}
    shown = {name: {text: "nothing"} for name, text in front_ends(begun, viewer, rules).items()}
    by_name: dict[str, list[tuple[str, int]]] = {}
    for field, indices, address in places(played):
        if field.name in names and seen_by(played, field, indices, viewer) != "nothing":
            by_name.setdefault(field.name, []).append((f"{field.name}{indices}", address))
    for field in played.program.fields:
        copies = by_name.get(field.name, [])
        chosen = dice.sample(copies, min(COPIES, len(copies)))
        # The kinds of tokens and the cards on top of piles are told apart too.
        kinds = (1, 2) if spec.kind in ("tokens", "pile") and not spec.seen else (1,)
        for (copy, address), thing in product(chosen, kinds):
            cells = begun.state.cells.copy()
            write_contents(cells, field, address, [thing])
            for name, text in front_ends(with_cells(begun, cells), viewer, rules).items():
                if (other := shown[name].setdefault(text, f"{copy} {thing}")) != f"{copy} {thing}":
                    yield f"{name}: {copy} {thing} is shown like {other}"


@pytest.mark.parametrize("board", BOARDS)
def test_every_visible_zone_and_value_is_shown_with_its_name_and_indices(board: str, tmp_path: Path) -> None:
    dice = random.Random(board)
    every = [spec for spec in specs((*INDICES, *MORE_INDICES)) if spec.seen not in ("seen by all", "seen by nobody")]
    chosen = [Spec("pile", "", ("area",)), Spec("number", "", ("area", "area")), *dice.sample(every, GAMES)]
    viewers = (0, *[VIEWER] * (GAMES + 1))
    faults = {
        spec: found
        for spec, viewer in zip(chosen, viewers, strict=True)
        if (found := list(indistinguishable(tmp_path, board, spec, viewer, dice)))
    }
    assert faults == {}


@pytest.mark.parametrize(
    ("board", "indices"), cells_of((), ("area",), ("player",), ("piece",), ("area", "player"), ("piece", "player"))
)
def test_which_card_of_an_open_pile_lies_on_top_is_shown(board: str, indices: tuple[str, ...], tmp_path: Path) -> None:
    rules = load_rules(tmp_path, rules_text(board, [Spec("pile", "", indices)]))
    begun = begun_match(rules)
    field, _, address = next(spot for spot in places(begun.game) if spot[0].name == "pile_0")
    shown = []
    for cards in ([1, 2], [2, 1]):
        cells = begun.state.cells.copy()
        write_contents(cells, field, address, cards)
        shown.append(front_ends(with_cells(begun, cells), VIEWER, rules))
    assert [name for name in shown[0] if shown[0][name] == shown[1][name]] == []


@pytest.mark.parametrize(
    ("board", "indices"), cells_of((), ("area",), ("player",), ("tile", "player"), ("piece", "area"))
)
def test_a_value_kept_quietly_is_shown_nowhere(board: str, indices: tuple[str, ...], tmp_path: Path) -> None:
    """It remains public: records and observations have it."""
    text = rules_text(board, [Spec("number", "", indices)])
    declared = next(line for line in text.splitlines() if line.startswith("remember number_0"))
    rules = load_rules(tmp_path, text.replace(declared, f"{declared}, quietly"))
    begun = begun_match(rules)
    cells = begun.state.cells.copy()
    cells[begun.game.fields["number_0"].base] = 7
    changed = with_cells(begun, cells)
    assert front_ends(changed, VIEWER, rules) == front_ends(begun, VIEWER, rules)
    assert changed_areas(begun.state, changed.state, VIEWER) == frozenset()
    assert observe(begun.state, VIEWER) != observe(changed.state, VIEWER)
