"""Labels on a screen are distinct: cards from figures and numbers, titles from values, zones from each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle, islice

import pytest

from tests.properties.play import game, tables
from tests.properties.test_pictures import NAMES, WORDS, sample_states, scene
from wongar_dsl.cli.play.ending import spoken_scores
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine import State
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.render.text.screen_reader import spoken_table
from wongar_dsl.session.decisions import with_cards
from wongar_dsl.session.ending import points_by_origin
from wongar_dsl.session.menu import Menu, group_options

SOME = [(name, seats) for name, seats in tables() if seats in (2, 3)]
on_games = pytest.mark.parametrize(("name", "seats"), SOME, ids=[f"{n}-{s}" for n, s in SOME])


def samples(name: str, seats: int) -> Iterator[tuple[State, str]]:
    """Yield positions of a game with a language for each, another one first for each number of seats."""
    yield from zip(sample_states(name, seats), islice(cycle(sorted(WORDS)), seats, None), strict=False)


def narrator_of(state: State, language: str) -> Narrator:
    return Narrator(state.game, WORDS[language], NAMES[: state.game.seats])


def bare_card_names(told: Narrator) -> set[str]:
    """Return the names of all cards without the word for their type."""
    names = {name for sort in told.game.model.cards.values() for name in (face.name for face in sort.faces)}
    return {told.term(name, form).casefold() for name in names for form in ("", "short")}


@on_games
def test_cards_in_areas_are_named_as_cards(name: str, seats: int) -> None:
    for state, language in samples(name, seats):
        told, shown = narrator_of(state, language), scene(state, language, 80, 24)
        areas = {WORDS[language].capital(told.term(a)) for b in state.game.model.boards.values() for a in b.areas}
        lines = [line.split(": ", 1) for line in spoken_table(shown)]
        items = [item for title, *rest in lines if title in areas for item in "".join(rest).split("; ")]
        if not state.over:
            items += [entry.card for entry in with_cards(Menu.of(state, told), shown).entries]
        assert bare_card_names(told) & {item.casefold() for item in items} == set()


@on_games
def test_grouped_options_keep_whole_words(name: str, seats: int) -> None:
    """A group heading removes whole words from options and leaves no word stem."""
    for state, language in samples(name, seats):
        if not state.over:
            whole = Menu.of(state, narrator_of(state, language)).entries
            words = {word for entry in whole for word in re.findall(r"[\w-]+", entry.text)}
            for group in group_options(whole, WORDS[language]):
                assert {word for text in group.texts for word in re.findall(r"[\w-]+", text)} <= words


@on_games
def test_numbers_in_names_are_separated_from_values(name: str, seats: int) -> None:
    for state, language in samples(name, seats):
        told = narrator_of(state, language)
        scores = spoken_scores(told, points_by_origin(told, state), ())
        lines = [*spoken_table(scene(state, language, 80, 24)), *scores]
        assert [line for line in lines if re.search(r"\d \d", line)] == []


@on_games
def test_zones_have_different_titles(name: str, seats: int) -> None:
    for language in WORDS:
        shown = scene(game(name, seats).start(1)[0], language, 80, 24)
        for each in (True, False):
            titles = [shown.name(field) for field in shown.fields if bool(field.indices) == each and container(field)]
            assert len(set(titles)) == len(titles)
