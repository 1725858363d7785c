"""Menus: numbers of options, typed input, options that are not available, and forced moves."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.session.test_forecast import match, match_with_clock, narrator
from tests.small_games import write_rules
from tests.web.viewings import game, rules
from wongar_dsl.engine import Move, State, library
from wongar_dsl.engine.library.game_ids import builtin_names
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import Narrator, illegal_move
from wongar_dsl.nlg.words import Text, Translator, available
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.session import menu as module
from wongar_dsl.session.decisions import rule_card, with_cards
from wongar_dsl.session.menu import (
    MAX_LISTED_OPTIONS,
    MAX_PLAIN_GROUP,
    Menu,
    MenuEntry,
    OptionNumbers,
    assign_numbers,
    common_text,
    forced_move,
    group_options,
    plain_words,
    renumber,
    unavailable_moves,
    unavailable_options,
)

ENGLISH = Translator.load("en")


def start(name: str | Path, seats: int = 2) -> State:
    return library.load(name).game(seats).start(1)[0]


def menu_of(state: State, chosen: tuple[int, ...] = (), numbering: OptionNumbers | None = None) -> Menu:
    return Menu.of(state, Narrator(state.game, ENGLISH, ("Ann", "Ben", "Cleo")[: state.game.seats]), chosen, numbering)


@pytest.mark.parametrize("game", ["connect_four", "goofspiel", "nim", "wongar/initiated"])
def test_option_keeps_its_number_during_a_game(game: str) -> None:
    seats = library.load(game).model.players[0]
    state, numbering = start(game, seats), OptionNumbers()
    numbers: dict[tuple[str, int, str], int] = {}
    repeated = 0
    while not state.over:
        assert state.decision is not None
        menu = menu_of(state, (), numbering)
        assert len({e.number for e in menu.entries}) == len(menu.entries)
        for entry in menu.entries:
            key = (state.decision.name, state.seat if state.game.knowledge.has_secrets else -1, entry.notation)
            repeated += key in numbers
            assert numbers.setdefault(key, entry.number) == entry.number or -1 in entry.move.arguments
        state.apply(state.legal_moves()[-1])
    assert repeated


def test_full_column_does_not_renumber_the_others() -> None:
    state, numbering = start("connect_four"), OptionNumbers()
    first = menu_of(state, (), numbering)
    for _ in range(6):
        state.apply(first.entries[0].move)
    menu = menu_of(state, (), numbering)
    assert menu.exact("1") is None
    assert menu.exact("2") == first.exact("2")
    assert menu.ranges() == [(2, 7)]


def test_numbers_do_not_depend_on_menus_of_other_seats() -> None:
    state, used, fresh = start("connect_four"), OptionNumbers(), OptionNumbers()
    menu_of(state, (), used)
    state.apply(state.legal_moves()[2])
    assert menu_of(state, (), used) == menu_of(state, (), fresh)


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
    assert [(e.number, e.notation) for e in first.entries] == [(1, "pick"), (2, "lay"), (3, "rest")]
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


@pytest.mark.parametrize(
    ("texts", "heading", "gaps"),
    [
        (["Take the ox from here.", "Take the red hen from here."], "Take the … from here.", ["ox", "red hen"]),
        (["Move (to the sea)", "Move (to the hut)"], "Move …", ["(to the sea)", "(to the hut)"]),
        (["Stay here", "Leave here"], "", ["Stay here", "Leave here"]),
    ],
)
def test_common_words_of_options_leave_whole_gaps(texts: list[str], heading: str, gaps: list[str]) -> None:
    assert common_text(texts) == (heading, gaps)


def test_card_behind_a_question_is_found_by_its_kind_or_name() -> None:
    sample, chance, found = match("wongar", 3, 0), random.Random(0), dict[str, str | None]()
    while not sample.state.over:
        assert sample.state.decision is not None
        found[sample.state.decision.rule] = rule_card(sample)
        sample.play(chance.choice(sample.state.legal_moves()))
    assert found["take_turn"] is found["ceremony"] is None
    assert found["double_ritual"] == "double_ritual"
    assert str(found["ritual"]).startswith("ritual(")


ROADS = """
board land
    row north south
    north touches south
    south touches north
cards tile
    sheep
    goat
deck box of tile
    1 sheep, 1 goat
pile stack holds tile, seen by all
slot lies of each land holds tile, seen by all
setup
    fill stack with box
    move sheep from stack to lies[north]
play
    player(1) chooses turn
        go(there: land where lies[there] is not goat)
            nothing
        otherwise
            impossible
    nobody wins
"""


def test_open_card_at_the_target_of_an_option_is_named(tmp_path: Path) -> None:
    """Also the first card of its sort."""
    state = start(write_rules(tmp_path, ROADS))
    scene = TextScene(state, Narrator(state.game, ENGLISH, ("Ann", "Ben")), "AB", 0, 80, True)
    assert [entry.card for entry in with_cards(menu_of(state), scene).entries] == ["card “sheep”", ""]


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


TURNS = 24
ROYAL = {"de": "königsinsel", "nl": "koningseiland", "it": "isola", "en": "royal"}


def decisions(
    game: str, languages: Sequence[str], seed: int, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[State, dict[str, Narrator]]]:
    """Yield the states of the first decisions of a random game, with narrators; each is valid until the next.

    The entries of a decision are worded, and its moves refused for a reason, only once: each typed word means many.
    """
    worded, refused, reasoned = MenuEntry.of, module._refused, illegal_move._reason_of
    sample = match(game, library.load(game).model.players[0], seed)
    names = tuple(f"P{n}" for n in range(sample.game.seats))
    narrators = {language: Narrator(sample.game, Translator.load(language), names) for language in languages}
    chance = random.Random(seed)
    for _ in range(TURNS):
        if sample.state.over:
            return
        monkeypatch.setattr(MenuEntry, "of", cache(worded))
        monkeypatch.setattr(module, "_refused", cache(refused))
        monkeypatch.setattr(illegal_move, "_reason_of", cache(reasoned))
        yield sample.state, narrators
        sample.play(chance.choice(sample.state.legal_moves()))


def explained_words(menu: Menu) -> Iterator[tuple[MenuEntry, str]]:
    """Yield the words that stand only in explanations of options."""
    named = {word for entry in menu.entries for word in entry.words}
    for entry in menu.entries:
        for word in plain_words(entry.text):
            if entry.words[word] == 0 and not any(other.startswith(word) for other in named):
                yield entry, word


@pytest.mark.parametrize("game", builtin_names())
def test_no_word_of_an_explanation_plays_and_unavailable_options_give_reasons(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    explained, royal = dict.fromkeys(available(), 0), {language: set[str]() for language in ROYAL}
    for state, narrators in decisions(game, available(), 33, monkeypatch):
        options = [move for move, _ in unavailable_options(state)]
        for language, speaker in narrators.items():
            menu = Menu.of(state, speaker)
            for entry, word in explained_words(menu):
                explained[language] += 1
                if word == ROYAL.get(language) and game == "tongiaki":
                    # A word of an explanation that names an option gives the reason why it is not available.
                    royal[language] |= {error.option for error in unavailable_moves(state, speaker, word)}
                assert menu.match_words(word) == [], (language, entry.text, word)
                assert entry in menu.match_partly(word) or len(word) <= 2, (language, entry.text, word)
            unavailable = [MenuEntry.of(1, move, state, speaker) for move in options]
            words = {typed for entry in unavailable for typed in (entry.text, entry.title, *plain_words(entry.title))}
            for typed in words - speaker.words.function_words:
                if menu.match_words(typed):
                    continue
                errors = unavailable_moves(state, speaker, typed)
                assert errors, (language, typed)
                assert illegal_move.explain_nearest(errors, state, speaker, state.seat), (language, typed)
    assert all(explained.values()) or game != "tongiaki", explained
    assert all(options <= {"found"} for options in royal.values())
    assert any(royal.values()) == (game == "tongiaki")


LIMITED = """
enum piece = ship
enum room = hall, attic, cellar
tokens crown of each room of each player holds piece, seen by all
tokens own of each player holds piece, seen by all
score points
setup
    for each p in player
        fill own of p with 5 ship
play
    repeat 5 times
        for each me in player
            me chooses turn
                place(there: room where crown[there, me, ship] = 0) if crowned(me) < 1
                    move 1 ship from own of me to crown[there, me]
                nap
                    nothing
    end game

define crowned(p: player) =
    number of there in room where crown[there, p, ship] > 0

winner p
    most points of p
"""


def test_option_excluded_by_a_limit_is_explained(tmp_path: Path) -> None:
    sample = match(write_rules(tmp_path, LIMITED))
    assert unavailable_options(sample.state) == []
    for text in ("place(hall)", "nap"):
        sample.play(sample.state.read(text))
    ((move, error),) = unavailable_options(sample.state)
    assert sample.state.write(move) == "place(attic)"
    assert illegal_move.explain(error, sample.state, narrator(sample), 0)[0]


@pytest.mark.parametrize(
    ("where", "definition"),
    [
        ("can_drop(foot)", "row of foot = 1 and not full(foot)"),
        ("can_drop(foot)", "not full(foot) and row of foot = 1"),
        ("row of foot = 1 and not full(foot)", ""),
        ("not full(foot) and row of foot = 1", ""),
    ],
)
def test_place_that_no_position_offers_gives_no_reason(tmp_path: Path, where: str, definition: str) -> None:
    article = "define can_drop(foot: cell) =\n    row of foot = 1 and not full(foot)\n"
    changed = f"define can_drop(foot: cell) =\n    {definition}\n" if definition else ""
    text = library.load("connect_four").sources[0].text
    path = tmp_path / "columns.rules"
    path.write_text(text.replace(article, changed).replace("where can_drop(foot)", f"where {where}"), encoding="utf-8")
    sample = match(path)
    for _ in range(6):
        sample.play(sample.state.read("drop(a1)"))
    errors = unavailable_moves(sample.state, narrator(sample), "a")
    assert len(errors) == 6
    [reason, *_] = illegal_move.explain_nearest(errors, sample.state, narrator(sample), sample.state.seat)
    assert reason == "The column of a1 is full."


KINDS = """
enum loaf = rye, bun
cards recipe
    plain(what: loaf)
    special
deck book of recipe
    1 plain(rye), 1 plain(bun), 4 special
pile shelf holds recipe
pile keep of each player holds recipe
setup
    fill shelf with book
    move all of shelf to keep of player(1)
play
    repeat 2 times
        player(1) chooses turn
            read_recipe(c: keep of player(1) where {where})
                move c from keep of player(1) to shelf
            otherwise
                nothing
    nobody wins
"""


@pytest.mark.parametrize(
    ("where", "text", "language"),
    [
        ("c is plain", "special", "de"),
        ("not (c is special)", "special", "nl"),
        ("c is not plain", "plain", "it"),
        ("c is special", "plain", "en"),
    ],
)
def test_kind_of_card_that_is_refused_is_explained(tmp_path: Path, where: str, text: str, language: str) -> None:
    """A kind of cards with parameters stands for no single value."""
    sample = match(write_rules(tmp_path, KINDS.format(where=where)))
    errors = unavailable_moves(sample.state, narrator(sample, language), text)
    assert errors
    assert all(illegal_move.explain(error, sample.state, narrator(sample, language), 0) for error in errors)


@pytest.mark.parametrize(("name", "seats"), [("tongiaki", 2), ("wongar", 3), ("goofspiel", 2)])
def test_resumed_match_has_the_original_option_numbers(name: str, seats: int) -> None:
    random, played, seen = Random(3), OptionNumbers(), list[dict[Move, int]]()
    match = Match.begin(game(name, seats), [Seat("human", label) for label in "ABC"[:seats]], 7, rules(name).hash)
    step_count = 0
    while not match.state.over and len(match.steps) < 60:
        step_count = renumber(played, match, step_count)
        seen.append(assign_numbers(match.state, played))
        match.play(random.choice(match.state.legal_moves()))
    replayed = Match.begin(game(name, seats), match.seats, 7, rules(name).hash)
    for step, before in zip(match.steps, seen, strict=True):
        resumed = OptionNumbers()
        renumber(resumed, replayed)
        assert assign_numbers(replayed.state, resumed) == before
        replayed.play(step.move)
    if name == "tongiaki":
        # The numbers are not just positions in a menu.
        assert any(sorted(numbers.values()) != list(range(1, len(numbers) + 1)) for numbers in seen)


def test_bot_decisions_use_no_option_numbers() -> None:
    random = Random(3)
    match = Match.begin(game("tongiaki", 2), [Seat("human", "A"), Seat("easy", "B")], 7, rules("tongiaki").hash)
    alone = OptionNumbers()
    while len(match.steps) < 60:
        if match.state.seat == 0:
            renumber(alone, match, len(match.steps))
        match.play(random.choice(match.state.legal_moves()))
    while match.state.seat != 0:
        match.play(random.choice(match.state.legal_moves()))
    resumed = OptionNumbers()
    renumber(resumed, match)
    renumber(alone, match, len(match.steps))
    assert assign_numbers(match.state, resumed) == assign_numbers(match.state, alone)


def test_last_free_cell_is_forced_publicly() -> None:
    moves = ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3")
    assert forced_move(match("tictactoe", 2, 1, *(f"mark({cell})" for cell in moves)).state) == "public"


def test_choice_from_a_hidden_hand_is_forced_secretly(tmp_path: Path) -> None:
    rules = """
cards card
    red
    blue
deck pack of card total 4
    2 red, 2 blue
pile left_over holds card, seen as a number
hand held of each player holds card, seen by owner
heap open holds card, seen by all
setup
    fill left_over with pack
    for each p in player
        move red from left_over to held of p quietly
play
    repeat 9 times
        for each me in player
            me chooses turn
                lay(played: held of me) if size of held of me > 0
                    move played from held of me to open
                otherwise
                    nothing
            me chooses other
                show(shown: held of me)
                    nothing
                pass
                    nothing
    end game

winner p
    most size of held of p
"""
    sample = match(write_rules(tmp_path, rules))
    assert len(sample.state.legal_moves()) == 1
    assert forced_move(sample.state) == "private"
    sample.play(sample.state.legal_moves()[0])
    # The hand is visibly empty, so all players know that nothing can be shown.
    assert sample.state.write(sample.state.legal_moves()[0]) == "pass"
    assert forced_move(sample.state) == "public"


TIMED = """
play
    each p in player chooses race at once by time from 0 within 60 seconds
        go
            nothing
    nobody wins
"""


def test_real_choice_and_timed_question_are_not_forced(tmp_path: Path) -> None:
    samples = (match("nim"), match_with_clock(), match(write_rules(tmp_path, TIMED)))
    assert [forced_move(sample.state) for sample in samples] == [""] * 3
