"""Whole games told as stories: short, with nothing lost, and the same at the table as in the log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial

import pytest

from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match, Seat, Step
from wongar_dsl.library import load, shipped_names
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.narrator import Spoken
from wongar_dsl.narration.retelling import asked, retold
from wongar_dsl.narration.story import Line, Story
from wongar_dsl.words import Listing, Player, Tally, Term, Text, Value, Words

NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil")
#: Every game and variant that comes with the program, with how many play it here.
GAMES = {
    "wongar": 5,
    "wongar/initiated": 4,
    "tongiaki": 3,
    "ubongo": 2,
    "ubongo/hard": 2,
    "ubongo/long": 2,
    "goofspiel": 3,
    "kuhn_poker": 2,
    "nim": 2,
    "connect_four": 2,
    "tictactoe": 2,
}


@cache
def played(name: str, seed: int, kind: str = "random") -> Match:
    """A game in which chance decides."""
    rules, seats = load(name), GAMES[name]
    match = Match.begin(rules.game(seats), [Seat(kind, name) for name in NAMES[:seats]], seed, rules.hash)
    chance = Generator(seed)
    while not match.state.over:
        moves = match.state.legal_moves()
        match.play(moves[chance.below(len(moves))])
    return match


words_in = cache(Words.load)


def narrator(match: Match, language: str = "en") -> Narrator:
    """Who tells it."""
    return Narrator(match.game, words_in(language), NAMES[: len(match.seats)])


def as_it_went(match: Match, viewer: int | None) -> Iterator[tuple[Step, int, list[Line]]]:
    """What is told at the table before each decision, with the decision and how much of the history is told then."""
    teller, history, story = narrator(match), match.history(), Story(viewer)
    for number, step in enumerate(match.steps):
        human = match.seats[step.seat].kind == "human"
        question = asked(match, number, step.seat, story.at) if human else None
        lines = story.tell(teller, history, match.happened(number), whole=False, asked=question)
        yield step, story.at, lines
    yield match.steps[-1], len(history), story.tell(teller, history)


@cache
def lines_of(name: str, viewer: int | None, every_step: bool = False, language: str = "en") -> list[Line]:
    """How a game is told."""
    match = played(name, 1)
    return retold(narrator(match, language), match, viewer, every_step)


def test_every_shipped_game_and_variant_is_told_here() -> None:
    assert sorted(GAMES) == sorted(shipped_names())


def test_a_game_of_five_takes_less_than_two_fifths_of_its_steps() -> None:
    assert len(lines_of("wongar", EVERYTHING)) < 0.38 * len(lines_of("wongar", EVERYTHING, True))


@pytest.mark.parametrize(
    ("name", "viewer"), [*((name, EVERYTHING) for name in GAMES), ("kuhn_poker", 1), ("nim", None)]
)
def test_each_event_is_told_once_or_implied_by_one_that_is(name: str, viewer: int | None) -> None:
    match = played(name, 1)
    teller, history = narrator(match), list(match.history())
    lines = lines_of(name, viewer)
    accounted = [at for line in lines for at in (*line.told, *(at for at, _ in line.implied))]
    assert sorted(accounted) == [at for at, event in enumerate(history) if teller.event(event, viewer) is not None]
    for line in lines:
        messages = {history[at].spec.message or history[at].spec.kind for at in line.told}
        assert all(by.removeprefix("engine.") in messages for _, by in line.implied)


@pytest.mark.parametrize(
    ("name", "language"),
    [*((name, "en") for name in GAMES), *(("wongar", language) for language in ("de", "nl", "it"))],
)
def test_what_the_sentence_of_an_event_says_is_said_in_its_line(name: str, language: str) -> None:
    match = played(name, 1)
    teller, history = narrator(match, language), list(match.history())
    slots_of, known = cache(partial(teller.words.slots, game=teller.scope)), dict[str, object]()
    for line in lines_of(name, EVERYTHING, language=language):
        spoken = {at: teller.spoken(history[at]) for at in line.told}
        implied = {at: teller.spoken(history[at]) for at, _ in line.implied}
        for at, event in sorted((spoken | implied).items()):
            assert event is not None
            slots = slots_of(f"{event.message}.implied" if at in implied else event.message)
            aside = teller.words.has(f"{event.message}.aside", teller.scope)
            for slot, value in event.values.items():
                # By the way, what was told just before is not said again.
                if slot in slots and not (aside and known.get(slot) == value):
                    same = [other for other in spoken.values() if other and alike(other, event)]
                    number = sum(n for other in same if isinstance(n := other.values.get(slot), int))
                    told = number if isinstance(value, int) and len(same) > 1 and at in spoken else value
                    assert is_said(told, line.text, teller), (event.message, slot, told, line.text)
        known |= {name: value for event in (spoken | implied).values() if event for name, value in event.values.items()}


def alike(one: Spoken, other: Spoken) -> bool:
    """Whether two events differ in nothing but how many there are."""
    return one.message == other.message and all(
        isinstance(value, int) or one.values.get(name) == value for name, value in other.values.items()
    )


def is_said(value: Value, text: str, teller: Narrator) -> bool:
    """Whether a value is said in a sentence, in whichever form."""
    lexicon = teller.words._locale.lexicon
    match value:
        case Player(name=name) | Text(text=name):
            return name in text
        case Listing(items=items):
            return all(is_said(item, text, teller) for item in items)
        case Tally(entries=entries):
            return all(teller.words.value(Tally((entry,))) in text for entry in entries)
        case Term(name=name):
            noun = lexicon.noun(name, teller.scope)
            forms = [form for _, form in noun.forms.entries if form] if noun is not None else [name]
            return any(form.casefold() in text.casefold() or in_a_row(form, text) for form in forms)
        case int():
            # One of something can be a word, or an article.
            return value == 1 or teller.words.number(value) in text
    return False


def in_a_row(form: str, text: str) -> bool:
    """Whether a numbered thing is one of several whose sort is named once: *places 1 to 3*, *places 2 and 5*."""
    name, _, number = form.rpartition(" ")
    rows = re.findall(rf"{name}\w+ (\d+)(?: to (\d+)|((?:, \d+)*) and (\d+))", text) if number.isdecimal() else []
    return any(
        int(first) <= int(number) <= int(last) if last else number in {first, end, *re.findall(r"\d+", between)}
        for first, last, between, end in rows
    )


@pytest.mark.parametrize("name", ["tongiaki", "goofspiel", "kuhn_poker"])
def test_the_table_tells_what_the_log_tells(name: str) -> None:
    match = played(name, 1)
    for viewer in (None, 1):
        told = [line for _, _, lines in as_it_went(match, viewer) for line in lines]
        assert told == retold(narrator(match), match, viewer)


@cache
def with_people(name: str, kinds: str, steps: int) -> Match:
    """The beginning of a game with people (`h`) and bots, in which chance decides."""
    rules = load(name)
    seats = [Seat("human" if kind == "h" else "random", name) for kind, name in zip(kinds, NAMES, strict=False)]
    match, chance = Match.begin(rules.game(len(kinds)), seats, 1, rules.hash), Generator(1)
    while not match.state.over and len(match.steps) < steps:
        moves = match.state.legal_moves()
        match.play(moves[chance.below(len(moves))])
    return match


PEOPLE = [("wongar", "hrr", 60), ("goofspiel", "hrr", 40), ("nim", "hh", 40), ("connect_four", "hr", 40)]


@pytest.mark.parametrize(("name", "kinds", "steps"), PEOPLE)
def test_whoever_is_asked_has_been_told_all_but_what_they_did_and_knew_would_follow(
    name: str, kinds: str, steps: int
) -> None:
    match = with_people(name, kinds, steps)
    makers = {at: step for n, step in enumerate(match.steps) for at in range(match.happened(n), match.happened(n + 1))}
    late = [
        (step.seat, makers[at])
        for step, told, _ in list(as_it_went(match, None))[:-1]
        for at in range(told, match.happened(step.number))
        if match.seats[step.seat].kind == "human"
    ]
    assert all(maker.seat == seat and maker.foreseen for seat, maker in late)
    assert bool(late) == (name == "wongar")


def test_what_one_person_does_is_told_together_over_several_questions() -> None:
    match = with_people("wongar", "hrr", 60)
    makers = {at: n for n, _ in enumerate(match.steps) for at in range(match.happened(n), match.happened(n + 1))}
    lines = retold(narrator(match), match, None)
    own = [{makers[at] for at in line.told if at in makers} for line in lines]
    assert any(len(steps) > 1 and all(match.steps[n].seat == 0 for n in steps) for steps in own)
    every = retold(narrator(match), match, None, every_step=True)
    assert len(lines) < 0.46 * len(every)


@pytest.mark.parametrize(("name", "kinds", "steps"), PEOPLE)
def test_with_people_too_the_table_tells_what_the_log_tells(name: str, kinds: str, steps: int) -> None:
    match = with_people(name, kinds, steps)
    told = [line for _, _, lines in as_it_went(match, None) for line in lines]
    assert told == retold(narrator(match), match, None)


def test_that_somebody_is_asked_says_whose_turn_it_is() -> None:
    match = with_people("tongiaki", "hhh", 12)
    lines = retold(narrator(match), match, None)
    assert not any("turn" in line.text for line in lines)
    assert any("turn" in line.text for line in retold(narrator(match), match, None, every_step=True))


@pytest.mark.parametrize(
    ("name", "rounds"), [("wongar", True), ("goofspiel", True), ("tongiaki", False), ("nim", False)]
)
def test_only_a_game_with_rounds_has_headings(name: str, rounds: bool) -> None:
    assert any(line.heading for line in lines_of(name, EVERYTHING)) == (name in ("wongar", "goofspiel"))
    assert not any(line.heading for line in lines_of(name, EVERYTHING, True))


def test_a_heading_has_the_standing_and_the_end_the_points() -> None:
    match = played("wongar", 1)
    lines, points = lines_of("wongar", EVERYTHING), dict.fromkeys(range(5), 0)
    last = [line for line in lines if line.heading][-1]
    for event in list(match.history())[: min(last.told)]:
        if event.spec.kind == "points":
            player, n = (event.fields()[name][1] for name in ("player", "n"))
            assert isinstance(player, int)
            assert isinstance(n, int)
            points[player] += n
    assert ", ".join(f"{name} {points[seat]}" for seat, name in enumerate(NAMES[:4])) in last.text
    (winner,) = match.state.winners
    assert lines[-1].text.endswith(f"{NAMES[winner]} wins with {match.state.scores[winner]} victory points.")
