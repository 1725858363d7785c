"""Menus: stable option numbers, and stepwise choice among very many options."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.session.test_forecast import match, narrator
from tests.small_games import write_rules
from wongar_dsl.engine import Move, State, library
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Text, Translator, available
from wongar_dsl.session.menu import MAX_LISTED_OPTIONS, MAX_PLAIN_GROUP, Menu, MenuEntry, OptionNumbers, group_options

ENGLISH = Translator.load("en")


def start(name: str | Path, seats: int = 2) -> State:
    return library.load(name).game(seats).start(1)[0]


def menu_of(state: State, chosen: tuple[int, ...] = ()) -> Menu:
    return Menu.of(state, Narrator(state.game, ENGLISH, ("Ann", "Ben", "Cleo")), chosen)


@pytest.mark.parametrize("game", ["connect_four", "goofspiel", "nim", "wongar/initiated"])
def test_option_keeps_its_number_during_a_game(game: str) -> None:
    seats = library.load(game).model.players[0]
    state, numbering = start(game, seats), OptionNumbers()
    narrator = Narrator(state.game, ENGLISH, ("Ann", "Ben", "Cleo")[:seats])
    numbers: dict[tuple[str, int, str], int] = {}
    repeated = 0
    while not state.over:
        assert state.decision is not None
        menu = Menu.of(state, narrator, (), numbering)
        assert len({e.number for e in menu.entries}) == len(menu.entries)
        for entry in menu.entries:
            key = (state.decision.name, state.seat if state.game.knowledge.has_secrets else -1, entry.notation)
            repeated += key in numbers
            assert numbers.setdefault(key, entry.number) == entry.number or -1 in entry.move.arguments
        state.apply(state.legal_moves()[-1])
    assert repeated


def test_full_column_does_not_renumber_the_others() -> None:
    state, numbering = start("connect_four"), OptionNumbers()
    narrator = Narrator(state.game, ENGLISH, ("Ann", "Ben"))
    first = Menu.of(state, narrator, (), numbering)
    for _ in range(6):
        state.apply(first.entries[0].move)
    menu = Menu.of(state, narrator, (), numbering)
    assert menu.exact("1") is None
    assert menu.exact("2") == first.exact("2")
    assert menu.ranges() == [(2, 7)]


def test_numbers_do_not_depend_on_menus_of_other_seats() -> None:
    state, fresh = start("connect_four"), OptionNumbers()
    narrator = Narrator(state.game, ENGLISH, ("Ann", "Ben"))
    used = OptionNumbers()
    Menu.of(state, narrator, (), used)
    state.apply(state.legal_moves()[2])
    assert Menu.of(state, narrator, (), used) == Menu.of(state, narrator, (), fresh)


@pytest.mark.parametrize("text", ["9" * 5000, "0", "-1", "8", "²", "٣", ""])
def test_invalid_number_selects_nothing(text: str) -> None:
    assert menu_of(start("connect_four")).exact(text) is None


@pytest.mark.parametrize("language", available())
def test_column_is_chosen_by_its_letter_whatever_words_the_options_share(language: str) -> None:
    words, state = Translator.load(language), start("connect_four")
    menu = Menu.of(state, Narrator(state.game, words, ("Ann", "Ben")))
    article, noun = words.say("connect_four.decision.turn.drop", foot=Text("")).split()[:2]
    shared = noun if article.casefold() in words.function_words else article
    for entry, letter in zip(menu.entries, "abcdefg", strict=True):
        for typed in (letter, letter.upper(), f"{shared} {letter}"):
            assert menu.match_words(typed) == [entry]
    assert len(menu.match_words(shared)) == len(menu.entries)
    assert not any(menu.match_words(word) for word in words.function_words - {*"abcdefg"})


def options(*texts: str) -> Menu:
    """A menu of options named by the words before a slash, and moves by those after it."""
    names = list(dict.fromkeys(text.partition("/")[0] for text in texts))
    return Menu(
        tuple(
            MenuEntry(n, Move(names.index(text.partition("/")[0]), (n,)), "", text.replace("/", ""))
            for n, text in enumerate(texts, 1)
        )
    )


@pytest.mark.parametrize(
    ("texts", "typed", "numbers"),
    [
        (["drop in column /c", "drop in column /d", "double"], "d", [2]),
        (["drop in column /c", "drop in column /d", "double"], "do", [3]),
        (["drop /red in c", "drop /red in d", "drop /blue in d"], "red d", [2]),
        (["drop /red in c", "drop /red in d", "drop /blue in d"], "d", [2, 3]),
        (["place at /d1", "place at /d10", "place at /d11"], "d1", [1]),
        (["place at /d1", "place at /d10", "place at /d11"], "place d1", [1]),
        (["take /the fire", "take /the fire stone", "take /the sea"], "fire", [1]),
        (["take /the fire", "take /the fire stone", "take /the sea"], "fire s", [2]),
        # The singular of a noun does not mean a single one.
        (["take /1 match from A", "take /2 matches from A", "take /1 match from B"], "match a", [1, 2]),
        # A word of the only move of an option is not its value.
        (["pass the turn", "turn /left", "turn /right"], "turn", [1, 2, 3]),
        (["drop in /d", "dig in /d", "drop in /e", "dig in /e"], "d", [1, 2]),
        # A bracket within words is no notation.
        (["take one /(left)", "take one /(right)"], "take one (left)", [1]),
        (["take /left", "take /right"], "take(le", []),
    ],
)
def test_words_that_distinguish_options_count_before_those_they_share(
    texts: list[str], typed: str, numbers: list[int]
) -> None:
    assert [entry.number for entry in options(*texts).match_words(typed)] == numbers


MANY_OPTIONS = """
board map
    grid 30 by 30
remember n: number = 0
play
    player(1) chooses t
        pick(k: 1 to 5000)
            set n to k
        lay(a: map, k: 1 to 20)
            set n to k
        rest
            set n to 2
    nobody wins
"""


def test_very_many_options_are_chosen_stepwise(tmp_path: Path) -> None:
    many = start(write_rules(tmp_path, MANY_OPTIONS))
    assert len(many.legal_moves()) > MAX_LISTED_OPTIONS
    first, picked, laid = (menu_of(many, chosen) for chosen in ((), (0,), (1,)))
    assert first.part == 0
    assert [e.notation for e in first.entries] == ["pick", "lay", "rest"]
    assert (picked.part, picked.entries, picked.ranges()) == (1, (), [(1, 5000)])
    exact, place = picked.exact("4321"), laid.match_one("a2")
    assert exact is not None
    assert many.write(exact.move) == "pick(4321)"
    assert (laid.part, len(laid.entries)) == (1, 900)
    assert place is not None
    last = menu_of(many, place.move.raw[:2])
    assert (last.part, [e.notation for e in last.entries][:2]) == (None, ["lay(a2, 1)", "lay(a2, 2)"])
    assert menu_of(many, (2,)).part is None


def test_numbers_ascend_in_groups_and_in_menus_without_headings() -> None:
    mixed = checked = 0
    sample, chance, numbering = match("tongiaki", 3, 5), random.Random(5), OptionNumbers()
    while not sample.state.over:
        menu = Menu.of(sample.state, narrator(sample), (), numbering)
        groups = list(group_options(menu.entries, narrator(sample).words))
        shown = [entry.number for group in groups for entry in group.entries]
        assert sorted(shown) == [entry.number for entry in menu.entries]
        for group in groups:
            numbers = [entry.number for entry in group.entries]
            assert numbers == sorted(numbers)
            assert not group.heading or len({entry.move.option for entry in group.entries}) == 1
        if not any(group.heading for group in groups) and len(menu.entries) <= 12:
            assert shown == sorted(shown)
            mixed += [e.move.option for e in menu.entries] != sorted(e.move.option for e in menu.entries)
        # A number in the text of an option selects it, unless it is that of another.
        for digit in "123":
            for entry in menu.options_naming_number(digit):
                assert int(digit) not in shown
                assert digit in entry.text.replace(",", " ").replace(")", " ").split()
                checked += 1
        sample.play(chance.choice(sample.state.legal_moves()))
    assert mixed > 0
    assert checked > 5


def test_options_with_several_effects_have_no_heading(tmp_path: Path) -> None:
    """Common words at the end of the text belong to the last effect, those at the start to the first one."""
    deeds = "move c from holding of p to spent quietly\n        move d from holding of p to bid of p quietly"
    (tmp_path / "two.rules").write_text(
        "variant two of goofspiel\n    source house rule\n\nadd to choice bidding\n"
        f"    two(c: holding of p, d: holding of p where d is not c)\n        {deeds}\n",
        encoding="utf-8",
    )
    groups = list(group_options(menu_of(start(tmp_path / "two.rules")).entries, ENGLISH))
    both = [group for group in groups if any(" and " in entry.text for entry in group.entries)]
    assert any(len(group.entries) > MAX_PLAIN_GROUP for group in both)
    assert all(not group.heading and list(group.texts) == [e.text for e in group.entries] for group in both)
