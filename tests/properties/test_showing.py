"""Generated games with zones and values of all kinds and indices: every front end shows all that a seat may see."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.properties.hiding import BOARDS, INDICES, MORE_INDICES, Spec, rules_text, specs
from tests.properties.permuter import places, seen_by, write_contents
from tests.web.viewings import steady, viewing, words
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.render.text.position import picture
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.screen_reader import spoken_table
from wongar_dsl.session.changes.changes_since import changed_areas
from wongar_dsl.web.rendering import pages

WORDS = words("en")
#: The number of generated games per board, and the number of changed copies of each zone or value.
GAMES, COPIES = 12, 4


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
    path = folder / "showing.rules"
    path.write_text(rules_text(board, [spec, spec]), encoding="utf-8")
    rules = load(path)
    played = rules.game(2)
    begun = Match.begin(played, [Seat("human", name) for name in ("Ann", "Bob")], 1, "hash")
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
            changed = Match(played, begun.seats, begun.seed, begun.rules_hash, cells)
            for name, text in front_ends(changed, viewer, rules).items():
                if (other := shown[name].setdefault(text, f"{copy} {thing}")) != f"{copy} {thing}":
                    yield f"{name}: {copy} {thing} is shown like {other}"


@pytest.mark.parametrize("board", BOARDS)
def test_every_visible_zone_and_value_is_shown_with_its_name_and_indices(board: str, tmp_path: Path) -> None:
    dice = random.Random(board)
    every = [spec for spec in specs((*INDICES, *MORE_INDICES)) if spec.seen not in ("seen by all", "seen by nobody")]
    faults = {
        spec: found
        for spec in dice.sample(every, GAMES)
        if (found := list(indistinguishable(tmp_path, board, spec, dice.randrange(2), dice)))
    }
    assert faults == {}


@pytest.mark.parametrize("board", BOARDS)
def test_the_top_card_of_a_pile_in_an_area_is_shown(board: str, tmp_path: Path) -> None:
    spec = Spec("pile", "", ("area",))
    assert list(indistinguishable(tmp_path, board, spec, 0, random.Random(board))) == []


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("indices", [(), ("area",), ("player",), ("piece",), ("area", "player"), ("piece", "player")])
def test_which_card_of_an_open_pile_lies_on_top_is_shown(board: str, indices: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "piles.rules"
    path.write_text(rules_text(board, [Spec("pile", "", indices)]), encoding="utf-8")
    rules = load(path)
    played = rules.game(2)
    begun = Match.begin(played, [Seat("human", name) for name in ("Ann", "Bob")], 1, "hash")
    field, _, address = next(spot for spot in places(played) if spot[0].name == "pile_0")
    shown = []
    for cards in ([1, 2], [2, 1]):
        cells = begun.state.cells.copy()
        write_contents(cells, field, address, cards)
        shown.append(front_ends(Match(played, begun.seats, begun.seed, begun.rules_hash, cells), 0, rules))
    assert [name for name in shown[0] if shown[0][name] == shown[1][name]] == []


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("indices", [(), ("area",), ("player",), ("tile", "player"), ("piece", "area")])
def test_a_value_kept_quietly_is_shown_nowhere(board: str, indices: tuple[str, ...], tmp_path: Path) -> None:
    """It remains public: records and observations have it."""
    path = tmp_path / "quiet.rules"
    text = rules_text(board, [Spec("number", "", indices)])
    declared = next(line for line in text.splitlines() if line.startswith("remember number_0"))
    path.write_text(text.replace(declared, f"{declared}, quietly"), encoding="utf-8")
    rules = load(path)
    played = rules.game(2)
    begun = Match.begin(played, [Seat("human", name) for name in ("Ann", "Bob")], 1, "hash")
    cells = begun.state.cells.copy()
    cells[played.fields["number_0"].base] = 7
    changed = Match(played, begun.seats, begun.seed, begun.rules_hash, cells)
    assert front_ends(changed, 0, rules) == front_ends(begun, 0, rules)
    assert changed_areas(begun.state, changed.state, 0) == frozenset()
    assert observe(begun.state, 0) != observe(changed.state, 0)
