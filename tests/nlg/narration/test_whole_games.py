"""Stories of whole games: short, complete, and equal at the table and in the log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise

import pytest

from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine.events import EVERYTHING, Event
from wongar_dsl.engine.library import builtin_names
from wongar_dsl.engine.match import Match, Seat, Step
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.narrator import SpokenEvent
from wongar_dsl.nlg.narration.story import Story, StoryLine, asked_seat, retell, round_starts, written_story
from wongar_dsl.nlg.words import Listing, PlayerName, Term, Text, Translator, Value, ValueList

from .told import LANGUAGES, NAMES, narrator, shipped

#: Every bundled game and variant, with the number of players in these tests.
GAMES = dict.fromkeys(builtin_names(), 2) | {"wongar": 5, "wongar/initiated": 4, "tongiaki": 3, "goofspiel": 3}


@cache
def random_match(name: str, seed: int, kinds: str, steps: int) -> Match:
    """Return the beginning of a random game with people (`h`) and bots."""
    rules = shipped(name)
    seats = [Seat("human" if kind == "h" else "random", name) for kind, name in zip(kinds, NAMES, strict=False)]
    match, chance = Match.begin(rules.game(len(kinds)), seats, seed, rules.hash), Generator(seed)
    while not match.state.over and len(match.steps) < steps:
        moves = match.state.legal_moves()
        match.play(moves[chance.below(len(moves))])
    return match


def finished_match(name: str, seed: int, kind: str = "r") -> Match:
    return random_match(name, seed, kind * GAMES[name], 10_000)


def table_lines(match: Match, viewer: int | None) -> Iterator[tuple[Step, int, list[StoryLine]]]:
    """Yield each step, the number of events narrated before it, and the lines shown at the table."""
    teller, history, story = narrator(match.game), match.history(), Story(viewer)
    for number, step in enumerate(match.steps):
        human = match.seats[step.seat].kind == "human"
        question = asked_seat(match, number, step.seat, story.at) if human else None
        lines = story.unreported(teller, history, match.event_count_before(number), whole=False, asked=question)
        yield step, story.at, lines
    yield match.steps[-1], len(history), story.unreported(teller, history)


@cache
def log_lines(name: str, viewer: int | None, every_step: bool = False, language: str = "en") -> list[StoryLine]:
    match = finished_match(name, 1)
    return retell(narrator(match.game, language), match, viewer, every_step)


def test_aggregation_shortens_a_five_player_game_by_three_fifths() -> None:
    assert len(log_lines("wongar", EVERYTHING)) < 0.38 * len(log_lines("wongar", EVERYTHING, True))


@pytest.mark.parametrize(
    ("name", "viewer"), [*((name, EVERYTHING) for name in GAMES), ("kuhn_poker", 1), ("nim", None)]
)
def test_each_event_is_narrated_or_implied_once(name: str, viewer: int | None) -> None:
    match = finished_match(name, 1)
    teller, history = narrator(match.game), list(match.history())
    lines = log_lines(name, viewer)
    accounted = [n for line in lines for n in (*line.told, *(n for n, _ in line.implied))]
    assert sorted(accounted) == [n for n, event in enumerate(history) if teller.event(event, viewer) is not None]
    for line in lines:
        messages = {history[n].spec.message or history[n].spec.kind for n in line.told}
        assert all(by.removeprefix("engine.") in messages for _, by in line.implied)


@pytest.mark.parametrize(
    ("name", "language"),
    [*((name, "en") for name in GAMES), *(("wongar", language) for language in ("de", "nl", "it"))],
)
def test_lines_contain_the_values_of_their_events(name: str, language: str) -> None:
    match = finished_match(name, 1)
    teller, history = narrator(match.game, language), list(match.history())
    slots_of, before = cache(partial(teller.words.slots, game=teller.scope)), dict[str, object]()
    for line in log_lines(name, EVERYTHING, language=language):
        spoken = {index: teller.spoken_event(history[index]) for index in line.told}
        implied = {index: teller.spoken_event(history[index]) for index, _ in line.implied}
        for index, event in sorted((spoken | implied).items()):
            assert event is not None
            slots = slots_of(f"{event.message}.implied" if index in implied else event.message)
            aside = teller.words.has(f"{event.message}.aside", teller.scope)
            for slot, value in event.values.items():
                # An aside does not repeat a value of the previous line.
                if slot in slots and not (aside and before.get(slot) == value):
                    same = [peer for peer in spoken.values() if peer and differ_only_in_numbers(peer, event)]
                    number = sum(n for peer in same if isinstance(n := peer.values.get(slot), int))
                    expected = number if isinstance(value, int) and len(same) > 1 and index in spoken else value
                    assert occurs_in(expected, line.text, teller), (event.message, slot, expected, line.text)
        before |= {
            name: value for event in (spoken | implied).values() if event for name, value in event.values.items()
        }


def differ_only_in_numbers(one: SpokenEvent, other: SpokenEvent) -> bool:
    return one.message == other.message and all(
        isinstance(value, int) or one.values.get(name) == value for name, value in other.values.items()
    )


def occurs_in(value: Value, text: str, teller: Narrator) -> bool:
    lexicon = teller.words._locale.lexicon
    match value:
        case PlayerName(name=name) | Text(text=name):
            return name in text
        case Listing(items=items):
            return all(occurs_in(item, text, teller) for item in items)
        case ValueList(entries=entries):
            return all(teller.words.value(ValueList((entry,))) in text for entry in entries)
        case Term(name=name):
            noun = lexicon.noun(name, teller.scope)
            forms = [form for _, form in noun.forms.entries if form] if noun is not None else [name]
            return any(form.casefold() in text.casefold() or occurs_in_range(form, text) for form in forms)
        case int():
            # The number 1 can be a word or an article.
            return value == 1 or teller.words.number(value) in text
    return False


def occurs_in_range(form: str, text: str) -> bool:
    """Return whether a numbered thing is part of a list that names its kind once, such as *places 1 to 3*."""
    name, _, number = form.rpartition(" ")
    rows = re.findall(rf"{name}\w+ (\d+)(?: to (\d+)|((?:, \d+)*) and (\d+))", text) if number.isdecimal() else []
    return any(
        int(first) <= int(number) <= int(last) if last else number in {first, end, *re.findall(r"\d+", between)}
        for first, last, between, end in rows
    )


PEOPLE = [("wongar", "hrr", 60), ("goofspiel", "hrr", 40), ("nim", "hh", 40), ("connect_four", "hr", 40)]
BOTS = [("tongiaki", "rrr", 10_000), ("goofspiel", "rrr", 10_000), ("kuhn_poker", "rr", 10_000)]


def makers_of(match: Match) -> dict[int, int]:
    """Return the step that made each event after the first decision."""
    counts = [match.event_count_before(n) for n in range(len(match.steps) + 1)]
    return {event: n for n, (first, end) in enumerate(pairwise(counts)) for event in range(first, end)}


@pytest.mark.parametrize(("name", "kinds", "steps"), PEOPLE)
def test_decision_leaves_only_own_foreseen_events_unreported(name: str, kinds: str, steps: int) -> None:
    match = random_match(name, 1, kinds, steps)
    makers = makers_of(match)
    late = [
        (step.seat, match.steps[makers[i]])
        for step, reported, _ in list(table_lines(match, None))[:-1]
        for i in range(reported, match.event_count_before(step.number))
        if match.seats[step.seat].kind == "human"
    ]
    assert all(maker.seat == seat and maker.was_predictable for seat, maker in late)
    assert bool(late) == (name == "wongar")


def test_actions_of_a_player_are_aggregated_over_several_decisions() -> None:
    match = random_match("wongar", 1, "hrr", 60)
    makers = makers_of(match)
    lines = retell(narrator(match.game), match, None)
    own_steps = [{makers[i] for i in line.told if i in makers} for line in lines]
    assert any(len(steps) > 1 and all(match.steps[n].seat == 0 for n in steps) for steps in own_steps)
    every = retell(narrator(match.game), match, None, every_step=True)
    assert len(lines) < 0.46 * len(every)


@pytest.mark.parametrize(("name", "kinds", "steps"), [*PEOPLE, *BOTS])
def test_table_and_log_show_the_same_lines(name: str, kinds: str, steps: int) -> None:
    match = random_match(name, 1, kinds, steps)
    for viewer in (None, 1) if "h" not in kinds else (None,):
        shown = [line for _, _, lines in table_lines(match, viewer) for line in lines]
        assert shown == retell(narrator(match.game), match, viewer)


def test_turn_announcements_are_implied_by_prompts() -> None:
    match = random_match("tongiaki", 1, "hhh", 12)
    lines = retell(narrator(match.game), match, None)
    assert not any("turn" in line.text for line in lines)
    assert any("turn" in line.text for line in retell(narrator(match.game), match, None, every_step=True))


@pytest.mark.parametrize(
    ("name", "rounds"), [("wongar", True), ("goofspiel", True), ("tongiaki", False), ("nim", False)]
)
def test_only_games_with_rounds_have_headings(name: str, rounds: bool) -> None:
    assert any(line.heading for line in log_lines(name, EVERYTHING)) == rounds
    assert not any(line.heading for line in log_lines(name, EVERYTHING, True))


def test_headings_show_scores_and_the_end_shows_the_result() -> None:
    match = finished_match("wongar", 1)
    lines, points = log_lines("wongar", EVERYTHING), dict.fromkeys(range(5), 0)
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_line_names_the_space_of_a_pawn_once(language: str) -> None:
    """Gems come from the row of the space that the pawn has just moved to, or found empty."""
    number = {"de": "Feld", "nl": "veld", "it": "casella", "en": "space"}[language]
    texts = [line.text for line in log_lines("ubongo", EVERYTHING, language=language)]
    assert any(f" {number} " in text for text in texts)
    assert [text for text in texts if re.search(rf"\b({number} \d)\b.*\b\1\b", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_player_who_forgoes_an_action_may_still_take_another(language: str) -> None:
    words, ada = Translator.load(language), PlayerName("Ada")
    said = [words.say("declined", "wongar", player=ada), words.say("declined.together", "wongar", player=ada, n=2)]
    named = {name: words.term(name, "wongar").casefold() for name in ("token", "ritual_card")}
    assert not [name for name, word in named.items() for text in said if word in text.casefold()]


def test_game_with_turn_announcements_has_a_heading_per_round() -> None:
    match = finished_match("tongiaki", 1)
    headings = [line.text for line in written_story(narrator(match.game, "de"), match, None) if line.heading]
    assert headings == [f"Runde {n}" for n in range(1, len(headings) + 1)]
    begun = list(round_starts(narrator(match.game), match))
    history = match.history()
    for first, end in pairwise([*begun, len(history)]):
        turns = [e.arguments()["player"][1] for e in history[first:end] if e.spec.message == "turn_begins"]
        assert turns == sorted(turns, key=str)
        assert len(set(turns)) == len(turns)


@pytest.mark.parametrize("name", ["wongar", "nim"])
def test_no_headings_are_added_without_turn_announcements(name: str) -> None:
    match = finished_match(name, 1)
    assert not list(round_starts(narrator(match.game), match))
    assert not any(re.fullmatch(r"Round \d+", line.text) for line in written_story(narrator(match.game), match, None))


@pytest.mark.parametrize("name", ["wongar", "tongiaki", "goofspiel"])
def test_written_log_accounts_for_all_events(name: str) -> None:
    match = finished_match(name, 1, "h")
    teller, history = narrator(match.game), match.history()
    lines = written_story(teller, match, None)
    accounted = [n for line in lines for n in (*line.told, *(n for n, _ in line.implied))]
    assert sorted(accounted) == [n for n, event in enumerate(history) if teller.event(event, None) is not None]


def test_first_item_of_a_list_is_not_a_separate_sentence() -> None:
    match = finished_match("tongiaki", 1, "h")
    pattern = re.compile(r"(\w+) puts (?:a ship|ships) on beach(?:es)? [^;]* of (\w+)\.")
    for sentence, following in pairwise(line.text for line in retell(narrator(match.game), match, None)):
        placing = pattern.fullmatch(sentence)
        assert placing is None or not following.startswith(f"{placing[1]} puts ") or f"of {placing[2]}" not in following


def tongiaki_events(*told: tuple[str, dict[str, int]]) -> list[Event]:
    specs = {spec.message: spec for spec in finished_match("tongiaki", 1).game.program.events}
    return [
        Event(specs[message], tuple(values.get(name, 0) for name, _ in specs[message].fields), -1)
        for message, values in told
    ]


ECHO = {
    "en": "The ships land on Tonga again, since Niue is a royal island.",
    "de": "Die Schiffe landen wieder auf Tonga, weil Niue eine Königsinsel ist.",
    "it": "Le navi sbarcano di nuovo su Tonga, perché Niue è un’isola reale.",
    "nl": "De schepen landen weer op Tonga, omdat Niue een koningseiland is.",
}


@pytest.mark.parametrize("language", ECHO)
def test_event_stated_by_the_previous_sentence_is_omitted(language: str) -> None:
    match = finished_match("tongiaki", 1)
    away = tongiaki_events(("turned_away", {"island": 1, "back": 0}), ("arrives", {"island": 0}))
    assert [line.text for line in Story(None).unreported(narrator(match.game, language), away)] == [ECHO[language]]
    elsewhere = [away[0], replace(away[1], values=tuple(2 for _ in away[1].values))]
    assert len(Story(None).unreported(narrator(match.game, language), elsewhere)) == 2


def test_newly_revealed_card_is_called_new() -> None:
    match = finished_match("tongiaki", 3)
    text = "\n".join(line.text for line in written_story(narrator(match.game, "de"), match, None))
    assert "auf der neuen Wasserkarte Matangi 3 Farben" in text
    assert "(neu)" not in text


def test_place_is_named_once_in_a_sentence() -> None:
    assert NAMES[0] == "Anna"
    match = finished_match("tongiaki", 1)
    landed = tongiaki_events(
        ("landed", {"island": 0, "strand": 1}), ("landed_other", {"owner": 1, "island": 0, "strand": 2})
    )
    line, *more = Story(None).unreported(narrator(match.game), landed)
    assert not more
    assert line.text == "Anna lands on beach 2 of Tonga and lands one of Bert’s ships on beach 3."


@pytest.mark.parametrize("name", ["wongar", "wongar/initiated"])
def test_excerpt_of_a_game_contains_asides(name: str) -> None:
    match = finished_match(name, 1)
    history = match.history()
    first = next(n for n, event in enumerate(history) if event.spec.message == "majority")
    scored = next(n for n, event in enumerate(history) if n > first and event.spec.message == "ceremony_scored")
    line, *more = Story(None, standings=False).unreported(narrator(match.game), history[first : scored + 1])
    assert not more
    assert re.search(r" gains .* \(.*\d.*\)\.$", line.text)


#: Lists of things of different players in a game, by their first event: owners are named beside what they own, and a
#: comma keeps gains of different players apart.
LISTS = {
    615: {
        "en": "Dora plays a double ritual card and removes one of Bert’s discs and one of Cleo’s discs from the hands "
        "area.",
        "de": "Dora spielt eine doppelte Ritualkarte und entfernt eine Linse von Bert und eine von Cleo aus dem "
        "Hände-Gebiet.",
        "nl": "Dora speelt een dubbele ritueelkaart en verwijdert een schijfje van Bert en één van Cleo uit het "
        "handengebied.",
        "it": "Dora gioca una carta rituale doppia e allontana un disco di Bert e uno di Cleo dall’area delle mani.",
    },
    122: {
        "en": "Anna is dealt 2 disc ritual cards, Bert 2 cube ritual cards, Cleo one disc ritual card and one cube "
        "ritual card, and Dora one disc ritual card and one cylinder ritual card.",
        "de": "Anna erhält 2 Ritualkarten „Linse“, Bert 2 Ritualkarten „Würfel“, Cleo eine Ritualkarte „Linse“ und "
        "eine Ritualkarte „Würfel“, und Dora eine Ritualkarte „Linse“ und eine Ritualkarte „Walze“.",
        "nl": "Anna krijgt 2 ritueelkaarten “schijfje”, Bert 2 ritueelkaarten “blokje”, en Cleo een ritueelkaart "
        "“schijfje” en een ritueelkaart “blokje”.",
        "it": "Anna riceve 2 carte rituali «disco», Bert 2 carte rituali «cubo», Cleo una carta rituale «disco» e una "
        "carta rituale «cubo», e Dora una carta rituale «disco» e una carta rituale «cilindro».",
    },
    1162: {
        "en": "Bert gains 8 victory points for the most area cards with a disc, Cleo and Emil 8 each for the most "
        "with a cube, and Emil 8 for the most with a cylinder.",
        "de": "Bert erhält 8 Siegpunkte für die meisten Gebietskarten mit einer Linse, Cleo und Emil je 8 für die "
        "meisten mit einem Würfel, und Emil 8 für die meisten mit einer Walze.",
        "nl": "Bert krijgt 8 winstpunten voor de meeste gebiedskaarten met een schijfje, Cleo en Emil elk 8 voor de "
        "meeste met een blokje, en Emil 8 voor de meeste met een staafje.",
        "it": "Bert guadagna 8 punti vittoria per il maggior numero di carte-area con un disco, Cleo ed Emil 8 "
        "ciascuno per quelle con un cubo, ed Emil 8 per quelle con un cilindro.",
    },
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_list_items_name_their_owners_and_gains_of_different_players_stay_apart(language: str) -> None:
    lines = {line.told[0]: line.text for line in log_lines("wongar", EVERYTHING, language=language) if line.told}
    assert {event: lines[event] for event in LISTS} == {event: texts[language] for event, texts in LISTS.items()}
