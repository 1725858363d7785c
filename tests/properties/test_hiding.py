"""No front end shows what is hidden, in generated games with every kind of place on every kind of board."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from math import prod
from pathlib import Path

import pytest

from tests.properties.hiding import BOARDS, ROUNDS, Spec, changed, filled, specs, written
from tests.properties.permuter import random_match, twin, visible
from tests.properties.shown import shown
from tests.web.viewings import steady, viewing
from wongar_dsl.cli.pictures.position import picture, signs
from wongar_dsl.cli.pictures.scene import Scene
from wongar_dsl.cli.pictures.spoken import spoken
from wongar_dsl.cli.terminal.screen import plain
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.observation import observe, veiled
from wongar_dsl.library import load
from wongar_dsl.narration import Narrator
from wongar_dsl.table.digest import whole
from wongar_dsl.table.menu import Menu, offers
from wongar_dsl.table.numbering import Numbering
from wongar_dsl.table.subject import with_cards
from wongar_dsl.web import pages
from wongar_dsl.words import Words

WORDS = Words.load("en")
#: The widths, the heights, and whether more than ASCII can be shown.
SCREENS = ((40, 0, True), (60, 24, False), (80, 24, True), (160, 60, True))
VIEWERS = (0, 1, None)
#: What may be done with the whole position.
_HANDED_ON = (
    r"(standing|counted_now|aims|veiled|Spoken)\((scene|self)\.position, |position\.legal_moves\(\)|"
    r"if shows_size\(place\)"
)
#: The number of generated games with one place only, for each board.
ALONE = 3
#: The number of generated games in which things move, for each board, and of places in each.
GAMES, PLACES = 4, 12


def rendered(match: Match, seat: int | None, path: str) -> Iterator[tuple[str, object]]:
    """Every text and picture of a position, with its name."""
    state = match.state
    narrator = Narrator(match.game, WORDS, ("Ann", "Bob"))
    mine = offers(state, Numbering()) if state.seat == seat else {}
    for width, height, fancy in SCREENS:
        scene = Scene(state, narrator, "AB", seat, width, fancy, height, offers=mine)
        yield f"picture {width}", [plain(line) for line in picture(scene)]
        yield f"signs {width}", signs(scene)
    yield "read out", spoken(scene)
    if seat is not None and mine:
        yield "options", [(e.number, e.text, e.card) for e in with_cards(Menu.of(state, narrator), scene).entries]
    yield "log", [line.text for line in whole(match, narrator, seat, 0)]
    view = viewing(match, viewer=seat, rules_name=path)
    yield "page", steady(pages.table_page(view))
    yield "replay", steady(pages.replay_page(view, len(match.steps), False))


def leaks(folder: Path, board: str, chosen: list[Spec], seed: int, everything: bool) -> Iterator[str]:
    """The name of each rendering that differs between positions that look the same to their viewer."""
    path = folder / "hiding.rules"
    path.write_text(written(board, chosen), encoding="utf-8")
    played = load(path).game(2)
    dice = random.Random(seed)
    for number, viewer in enumerate(VIEWERS):
        match = filled(played, dice)
        if number == 0:
            # The seat that does not decide looks at a game in which the other one has.
            match.play(dice.choice(match.state.legal_moves()))
        other = changed(match, viewer, dice)
        here = Match(played, match.seats, match.seed, match.rules_hash, match.state.cells.copy())
        assert observe(here.state, viewer) == observe(other.state, viewer)
        assert visible(played, here.state.cells, viewer) == visible(played, other.state.cells, viewer)
        assert veiled(here.state, viewer).cells == veiled(other.state, viewer).cells
        pairs = zip(rendered(here, viewer, str(path)), rendered(other, viewer, str(path)), strict=True)
        yield from (f"{name} for {viewer}" for (name, one), (_, two) in pairs if one != two)
        if everything and viewer is not None and shown(here, viewer) != shown(other, viewer):
            yield f"shown to {viewer}"


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_that_is_shown_hangs_on_what_is_hidden(board: str, tmp_path: Path) -> None:
    """All places that the language allows, in one game."""
    assert list(leaks(tmp_path, board, list(specs(board)), len(board), everything=True)) == []


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_hidden_shows_where_it_is_alone(board: str, tmp_path: Path) -> None:
    """Pictures of a board on which there is nothing else."""
    hidden = [spec for spec in specs(board) if spec.seen not in ("", "seen by all")]
    for number, spec in enumerate(random.Random(board).sample(hidden, ALONE)):
        assert list(leaks(tmp_path, board, [spec], number, everything=False)) == [], spec


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_shows_of_what_moves_unseen(board: str, tmp_path: Path) -> None:
    """Games in which the players move what lies in places of every kind: what is told counts too."""
    dice, path, found = random.Random(board), tmp_path / "hiding.rules", 0
    for _ in range(GAMES):
        path.write_text(written(board, dice.sample(list(specs(board)), PLACES), dice), encoding="utf-8")
        played = load(path).game(2)
        match = random_match(played, dice.getrandbits(20), dice.randint(1, 2 * ROUNDS - 1))
        for viewer in (0, 1):
            other = twin(match, viewer, dice)
            # Which option is chosen is told, where it sets nothing hidden.
            if other is None or [s.move.option for s in match.steps] != [s.move.option for s in other.steps]:
                continue
            found += 1
            pairs = zip(rendered(match, viewer, str(path)), rendered(other, viewer, str(path)), strict=True)
            assert [name for name, one, two in ((n, a, b) for (n, a), (_, b) in pairs) if one != two] == []
            assert shown(match, viewer) == shown(other, viewer)
    assert found > GAMES / 2


def test_hidden_places_differ_between_the_positions_that_are_compared(tmp_path: Path) -> None:
    """Otherwise the other tests here would say nothing."""
    path = tmp_path / "hiding.rules"
    for board in BOARDS:
        path.write_text(written(board, list(specs(board))), encoding="utf-8")
        played = load(path).game(2)
        match = filled(played, random.Random(1))
        other = changed(match, None, random.Random(2))
        hidden = [f for f in played.program.fields if f.seen != "all"]
        cells = [[one.state.cells[f.base : f.base + f.width * prod(f.sizes)] for f in hidden] for one in (match, other)]
        assert sum(one == two for one, two in zip(*cells, strict=True)) < len(hidden) / 3


def test_pictures_and_pages_read_the_view_and_not_the_position() -> None:
    """The whole position is only handed on, to what works out points and where options lead."""
    root = Path(__file__).resolve().parents[2]
    wrong = [
        f"{path.relative_to(root)}: {line.strip()}"
        for path in (*root.glob("cli/**/*.py"), *root.glob("web/**/*.py"), *root.glob("wongar_dsl/table/*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"(scene|self)\.position\b", line) and not re.search(_HANDED_ON, line)
    ]
    assert wrong == []
