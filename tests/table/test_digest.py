"""What changed since somebody last decided."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.table.test_forecast import match, narrator
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.model import Type
from wongar_dsl.table.digest import MOST, digest, last_decided, whole
from wongar_dsl.table.weight import CAUSE, OWN


def played(name: str, seats: int, steps: int, seed: int = 5) -> Match:
    found, chance = match(name, seats, seed), random.Random(seed)
    for _ in range(steps):
        found.play(chance.choice(found.state.legal_moves()))
    return found


def test_it_has_at_most_six_sentences_and_says_how_many_more_there_are() -> None:
    at = played("wongar", 3, 60)
    found = digest(at, narrator(at), 0, 0)
    told = [line for line in whole(at, narrator(at), 0, 0) if not line.heading]
    assert len(found.lines) == MOST
    assert found.left_out == len(told) - MOST > 0
    texts = [line.text for line in told]
    places = [texts.index(line.removeprefix("… ")) for line in found.lines]
    assert places == sorted(places)
    # Where others were left out there is a sign, and nowhere else.
    gaps = [place != before + 1 for before, place in zip([-1, *places], places, strict=False)]
    assert gaps == [line.startswith("… ") for line in found.lines]
    assert any(gaps)


def test_points_are_told_rather_than_moves() -> None:
    at = played("wongar", 3, 120)
    since = len(at.steps) - 60
    scored = [event for event in at.history()[at.happened(since) :] if event.spec.kind == "points"]
    told = "\n".join(digest(at, narrator(at), 0, since).lines)
    assert scored
    assert "points" in told


def questions(name: str, seats: int, seed: int, steps: int = 300) -> Iterator[Match]:
    """A game of random choices, at each question to the first seat."""
    at, chance = match(name, seats, seed), random.Random(seed)
    while not at.state.over and len(at.steps) < steps:
        if at.state.seat == 0:
            yield at
        at.play(chance.choice(at.state.legal_moves()))


def messages(at: Match, since: int) -> set[str | None]:
    return {event.spec.message for event in at.history()[at.happened(since) :]}


def test_the_last_round_and_a_new_phase_are_told_whatever_else_happened() -> None:
    found = {"last_round": 0, "phase_begins": 0}
    for at in (one for seed in (5, 6, 7) for one in questions("wongar", 3, seed)):
        since = last_decided(at, 0)
        for message, words in (("last_round", "the last round"), ("phase_begins", "Phase")):
            # The sentence of a phase is told with that of the scorpion.
            if message in messages(at, since):
                found[message] += 1
                assert words in "\n".join(digest(at, narrator(at), 0, since).lines)
    assert min(found.values()) > 0


def test_of_the_same_notice_only_the_last_one_matters() -> None:
    at = played("wongar", 3, 180)
    spaces = [event.values[-1] for event in at.history() if event.spec.message == "scorpion_advances"]
    told = "\n".join(digest(at, narrator(at), 0, 0).lines)
    assert len(spaces) > 3
    assert f"to space {spaces[-1]}" in told
    # Others are told only with what came of them.
    others = [line for line in told.split("\n") if "to space" in line and f"to space {spaces[-1]}" not in line]
    assert all(" costs " in line for line in others)


def test_who_is_asked_is_not_told_that_it_is_their_turn() -> None:
    asked = 0
    for at in questions("tongiaki", 3, 5):
        since = last_decided(at, 0)
        asked += "turn_begins" in messages(at, since)
        assert "It is Anna’s turn." not in digest(at, narrator(at), 0, since).lines
        # To who watches that is news.
        others = digest(at, narrator(at), 1, since).lines
        assert "turn_begins" not in messages(at, len(at.steps) - 1) or "It is Anna’s turn." in others[-1]
    assert asked > 3


def test_why_somebody_is_asked_is_never_left_out() -> None:
    checked = 0
    for at in questions("tongiaki", 2, 7):
        events = at.history()[at.happened(0) :]
        if at.state.decision is None or at.state.decision.name != "landing" or len(events) < 20:
            continue
        told = [line.text for line in whole(at, narrator(at), 0, 0) if not line.heading]
        cause = next(text for text in reversed(told) if "reach" in text or "land on" in text)
        found = digest(at, narrator(at), 0, 0)
        while len(found.told) > 2:
            found = found.shorter()
        assert any(cause in line for line in found.lines)
        assert found.lines[-1].removeprefix("… ") == told[-1]
        checked += 1
    assert checked > 2


def test_own_ships_that_go_back_matter_although_only_the_reason_is_told() -> None:
    checked = 0
    for seed in range(5, 12):
        for at in questions("tongiaki", 3, seed, 200):
            since = last_decided(at, 0)
            found = digest(at, narrator(at), 0, since)
            if found.left_out and any(map(_sinks, at.history()[at.happened(since) :])):
                checked += 1
                why = [one for one in found.told if "The ships go back to their owners" in one.text]
                assert max(one.weight % CAUSE for one in why) > OWN
    assert checked > 0


def _sinks(event: Event) -> bool:
    """Whether ships of the first seat go back from the sea."""
    if event.spec.kind != "tokens_moved" or event.spec.message:
        return False
    fields = event.fields()
    (source, _), (to, owner), (_, number) = fields["from"], fields["to"], fields["n"]
    return (source.name, to.name, owner) == ("at_sea", "supply", 0) and bool(number)


def test_who_has_not_decided_yet_reads_of_all_until_now() -> None:
    at = played("tictactoe", 2, 1)
    assert digest(at, narrator(at), 1, last_decided(at, 1)).new
    assert not digest(at, narrator(at), 0, last_decided(at, 0)).new
    assert not digest(at, narrator(at), None, last_decided(at, None)).new


def test_the_areas_in_which_something_changed_are_marked_and_no_others() -> None:
    at = played("tictactoe", 2, 3)
    cells = [step.move.arguments[0] for step in at.steps]
    assert digest(at, narrator(at), 0, 0).changed == {("cell", cell) for cell in cells}
    assert digest(at, narrator(at), 0, 2).changed == {("cell", cells[2])}
    assert digest(at, narrator(at), 0, 3).changed == frozenset()


def test_a_figure_marks_where_it_left_and_where_it_came_to() -> None:
    at = match("wongar", 3, 5)
    place = at.game.fields["place"]
    while True:
        number, before = len(at.steps), [at.state.cells[place.at(figure)] for figure in range(2)]
        walks = [m for m in at.state.legal_moves() if at.state.write(m).startswith("walk")]
        move = (walks or at.state.legal_moves())[0]
        at.play(move)
        after = [at.state.cells[place.at(figure)] for figure in range(2)]
        if walks and before != after:
            break
    moved = {("area", cell) for pair in zip(before, after, strict=True) if pair[0] != pair[1] for cell in pair}
    assert digest(at, narrator(at), 0, number).changed >= moved


def test_cards_that_were_laid_mark_where_they_lie() -> None:
    at = played("tongiaki", 2, 80)
    ocean, board = at.game.fields["ocean"], "sea"
    laid = digest(at, narrator(at), 0, 0).changed
    assert ocean.kind == "layout"
    assert len(laid) >= 2
    assert {name for name, _ in laid} == {board}


def test_since_is_the_last_own_decision() -> None:
    at = match("nim", 2)
    assert last_decided(at, 0) == 0
    at.play(at.state.legal_moves()[0])
    assert (last_decided(at, 0), last_decided(at, 1), last_decided(at, None)) == (1, 0, 0)
    at.play(at.state.legal_moves()[0])
    assert (last_decided(at, 0), last_decided(at, 1), last_decided(at, None)) == (1, 2, 1)


def test_each_sentence_knows_the_areas_of_which_it_speaks() -> None:
    spoken = 0
    for steps in range(3, 60, 6):
        match = played("wongar", 3, steps)
        for viewer in (0, 1, 2, None):
            found = digest(match, narrator(match), viewer, max(0, steps - 9))
            assert len(found.about) == len(found.lines)
            for line, places in zip(found.lines, found.about, strict=True):
                for board, area in places:
                    name = narrator(match).short(Type("board", board), area)
                    spoken += name.casefold()[:4] in line.casefold()
    assert spoken > 20


def scored_by_stopping() -> Match:
    """A game of Wongar in which the last to choose has ended a ceremony, and won points with that."""
    for seed in range(40):
        at, chance = match("wongar", 3, seed), random.Random(seed)
        while len(at.steps) < 60:
            move = chance.choice(at.state.legal_moves())
            text = at.state.write(move)
            at.play(move)
            new = at.history()[at.happened(len(at.steps) - 1) :]
            if text == "stop" and any(e.spec.kind == "points" for e in new):
                return at
    raise AssertionError("nobody scored by stopping")


def test_what_followed_by_itself_from_the_last_own_choice_is_told() -> None:
    at = scored_by_stopping()
    seat, since = at.steps[-1].seat, len(at.steps)
    assert "victory point" in "\n".join(digest(at, narrator(at), seat, since).lines)
    other = (seat + 1) % 3
    assert digest(at, narrator(at), other, since).lines == ()


def test_what_somebody_did_themselves_is_no_news_to_them() -> None:
    at = match("wongar", 3, 5)
    while at.state.decision is None or at.state.decision.name != "further":
        at.play(at.state.legal_moves()[0])
    seat = at.state.seat
    at.play(next(m for m in at.state.legal_moves() if at.state.write(m).startswith("place")))
    assert at.steps[-1].seat == seat
    assert digest(at, narrator(at), seat, len(at.steps)).lines == ()
    assert digest(at, narrator(at), seat, len(at.steps)).changed == frozenset()


def test_of_what_matters_as_much_the_later_is_told() -> None:
    at = played("tictactoe", 2, 8, seed=3)
    texts = [line.text for line in whole(at, narrator(at), None, 0) if not line.heading]
    found = digest(at, narrator(at), None, 0)
    assert len(texts) > MOST
    assert found.lines[-1] == texts[-1]
