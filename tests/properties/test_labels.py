"""What stands on a screen can be told apart: cards from figures and numbers, titles from values, zones from zones."""

from __future__ import annotations

import re

import pytest

from tests.properties.play import game, games
from tests.properties.test_pictures import NAMES, WORDS, scene, some
from wongar_dsl.cli.pictures.spoken import spoken
from wongar_dsl.cli.play.results import told
from wongar_dsl.engine import State
from wongar_dsl.ir.containers import container
from wongar_dsl.narration import Narrator
from wongar_dsl.table.ending import points_by_origin
from wongar_dsl.table.grouping import grouped
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.subject import with_cards

SOME = [(name, seats) for name, seats in games() if seats in (2, 3)]
on_games = pytest.mark.parametrize(("name", "seats"), SOME, ids=[f"{n}-{s}" for n, s in SOME])
LANGUAGES = sorted(WORDS)


def narrator(state: State, language: str) -> Narrator:
    return Narrator(state.game, WORDS[language], NAMES[: state.game.seats])


def bare(told: Narrator) -> set[str]:
    """The names of all cards as they are where nothing says that they are cards."""
    names = {name for sort in told.game.model.cards.values() for name in (face.name for face in sort.faces)}
    return {told.term(name, form).casefold() for name in names for form in ("", "short")}


@on_games
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_in_an_area_is_told_as_a_card(name: str, seats: int, language: str) -> None:
    for state in some(name, seats):
        said = narrator(state, language)
        areas = {WORDS[language].capital(said.term(a)) for b in state.game.model.boards.values() for a in b.areas}
        lines = [line.split(": ", 1) for line in spoken(scene(state, language, 80, 24))]
        items = [item for title, *rest in lines if title in areas for item in "".join(rest).split("; ")]
        assert bare(said) & {item.casefold() for item in items} == set()
        if state.over:
            continue
        menu = with_cards(Menu.of(state, said), scene(state, language, 80, 24))
        assert bare(said) & {entry.card.casefold() for entry in menu.entries} == set()


@on_games
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_option_names_its_area_as_every_sentence_does(name: str, seats: int, language: str) -> None:
    """A heading takes whole words away from options, and leaves no stem of one."""
    for state in some(name, seats):
        if not state.over:
            whole = Menu.of(state, narrator(state, language)).entries
            words = {word for entry in whole for word in re.findall(r"[\w-]+", entry.text)}
            for group in grouped(whole, WORDS[language]):
                assert {word for text in group.texts for word in re.findall(r"[\w-]+", text)} <= words


@on_games
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_that_belongs_to_a_name_runs_into_its_value(name: str, seats: int, language: str) -> None:
    for state in some(name, seats):
        said = narrator(state, language)
        lines = [*spoken(scene(state, language, 80, 24)), *told(said, points_by_origin(said, state.cells), ())]
        assert [line for line in lines if re.search(r"\d \d", line)] == []


@on_games
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_zones_have_the_same_title(name: str, seats: int, language: str) -> None:
    played = game(name, seats)
    shown = scene(played.start(1)[0], language, 80, 24)
    for each in (True, False):
        titles = [shown.name(place) for place in shown.places if bool(place.indices) == each and container(place)]
        assert len(set(titles)) == len(titles)
