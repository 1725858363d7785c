"""The rulebook does not lie: what a change of the rules changes in it, and what it may leave as it is.

Here only single changes of the games, and one small game whole; `make mutants ARGS=--words` tries them all.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.mutants import reading
from benchmarks.mutants.judging import changed
from benchmarks.mutants.naming import Naming, Version, strays
from benchmarks.mutants.operators import mutants
from benchmarks.mutants.reading import Heard, Reader, reader
from benchmarks.mutants.silence import same_in_silence
from benchmarks.mutants.telling import alike, combined, told_apart
from tests.small_games import written
from wongar_dsl import syntax as s
from wongar_dsl.library import load
from wongar_dsl.prose.book import key_of
from wongar_dsl.prose.document import text_of
from wongar_dsl.prose.keeping import set_back
from wongar_dsl.prose.likeness import likenesses
from wongar_dsl.prose.phrases import plan_of
from wongar_dsl.words import Words

from .books import book, model, words

#: The readers of the games are made once.


def heard(name: str, line: str, what: str) -> Heard:
    """How the first mutant reads that changes this in a line that begins so."""
    found = reader(name)
    for number, mutant in enumerate(found.mutants):
        text = mutant.span.source.line(mutant.span.line).strip()
        if text.startswith(line) and mutant.what == what:
            one = found.hear(number)
            assert one is not None
            return one
    raise AssertionError(f"no mutant {what} of {line}")


@pytest.fixture(scope="module")
def connect_four() -> Reader:
    return reader("connect_four")


def test_every_mutant_of_a_game_reads_differently_or_has_a_reason_and_changes_only_what_names_it() -> None:
    report = reading.read("connect_four", sample=12, seed=2)
    assert report.games > 5
    assert report.same == []
    assert [line for one in report.heard for line in one.strays] == []


def test_what_reads_the_same_though_games_tell_it_apart_has_a_reason() -> None:
    report = reading.read("goofspiel", sample=16, seed=3)
    assert list(told_apart(alike([report]), games=6)) == []


def test_two_mutants_that_read_the_same_and_are_not_are_found() -> None:
    one, other = heard("goofspiel", "repeat 3 times", "3 -> 2"), heard("goofspiel", "best gains", "dropped")
    report = reading.Read("goofspiel", heard=[one, replace(other, prints=one.prints)])
    [pair] = told_apart(alike([report]), games=6)
    assert ("3 -> 2" in str(pair.one), "dropped" in str(pair.other), pair.why) == (True, True, "")


def test_a_game_that_reads_like_another_one_is_found() -> None:
    as_kuhn = [replace(heard("nim", "heap_a 1", "1 -> 2"), prints=reader("kuhn_poker").prints)]
    [pair] = told_apart(alike([reading.Read("kuhn_poker"), reading.Read("nim", heard=as_kuhn)]), games=2)
    assert (pair.one.name, pair.other.name, pair.other.number) == ("kuhn_poker", "nim", as_kuhn[0].number)


@pytest.mark.parametrize(
    ("line", "what", "true"),
    [
        # Nobody notices that the end of a round is not told; that there is one less, everybody.
        ("tell tied", "otherwise dropped", True),
        ("repeat 3 times", "3 -> 2", False),
    ],
)
def test_a_reason_for_reading_the_same_is_none_where_the_difference_can_be_noticed(
    line: str, what: str, true: bool
) -> None:
    found = reader("goofspiel")
    same = replace(heard("goofspiel", line, what), prints=found.prints, same=reading.LANGUAGES, why="news: nothing")
    assert (list(told_apart(alike([reading.Read("goofspiel", heard=[same])]), games=6)) == []) is true


@pytest.mark.parametrize(
    ("name", "line", "what", "same"),
    [
        ("goofspiel", "tell tied", "otherwise dropped", True),
        ("wongar", "set round to round + 1", "1 -> 2", True),
        ("wongar", "who loses behind points", "scorpions -> card_majorities", True),
        ("wongar", "who loses behind points", "gains <-> loses", False),
    ],
)
def test_rules_that_differ_in_what_is_told_need_not_be_played(name: str, line: str, what: str, same: bool) -> None:
    rules = load(name)
    for mutant in mutants(rules.model, rules.sources[-1]):
        if mutant.what == what and mutant.span.source.line(mutant.span.line).strip().startswith(line):
            other = changed(rules, mutant)
            assert other is not None
            assert same_in_silence(rules.model, other.model) is same
            break
    else:
        raise AssertionError(what)


def test_the_variants_of_a_game_are_compared_together_too() -> None:
    names = ["ubongo", "ubongo/hard", "ubongo/long"]
    assert list(combined(names)) == [*names, "ubongo/hard+long"]


def test_a_line_that_names_nothing_of_what_was_changed_is_found(connect_four: Reader) -> None:
    rules = next(
        one
        for mutant in connect_four.mutants
        if mutant.what == "4 -> 5" and (one := changed(connect_four.rules, mutant)) is not None
    )
    lines, book = connect_four.pages.of(rules.model)
    nothing = Version(connect_four.naming, connect_four.lines, frozenset())
    naming = Naming(rules.model, book, connect_four.naming.words)
    assert strays(nothing, Version(naming, lines, frozenset()))


@pytest.mark.parametrize(
    ("name", "line", "what", "why"),
    [
        # The order of what only messages speak of.
        ("wongar", "set round to round + 1", "exchanged with the next", "news: only messages speak of it"),
        (
            "wongar",
            "let before = phase of scorpion",
            "exchanged with the next",
            "news: only what need not be said speaks of it",
        ),
        # What is taken from there must be there.
        ("wongar", "fetch(there: area", "where dropped", "implied: what is not there cannot be taken"),
        # The island that may be chosen is the one of the rule.
        (
            "tongiaki",
            "move 1 ship from supply of me to berth[land",
            "land -> there",
            "implied: another name for the same",
        ),
    ],
)
def test_what_need_not_be_said_is_accounted_for(name: str, line: str, what: str, why: str) -> None:
    one = heard(name, line, what)
    assert one.same
    assert one.why == why


@pytest.mark.parametrize(
    ("name", "line", "what"),
    [
        # A message that says where a card comes from says its top card, not its bottom one.
        ("wongar", "move top of area_pile of here to taken of finder", "top -> bottom"),
        # What was drawn from one place does not lie in another one.
        ("goofspiel", "move next_prize from prizes", "prizes -> spent"),
        # A clock says from when to when it runs, and a sentence leaves out no other number than its own.
        ("ubongo", "p chooses trip by time from now", "now -> ending"),
        ("ubongo", "if in_time(time, ending)", "ending -> begin"),
        ("ubongo", "repeat while some q in player", "p -> q"),
        # What is set back at the end of a rule is as at the start whenever that begins, and not if it is not set back.
        ("tongiaki", "something_new()", "dropped"),
    ],
)
def test_what_a_sentence_hid_is_said_in_every_language(name: str, line: str, what: str) -> None:
    one = heard(name, line, what)
    assert one.same == ()
    assert one.strays == ()


@pytest.mark.parametrize(
    ("name", "line", "what"),
    [
        # *The first player* is called so since there is a second one.
        ("wongar", "let second_holder = random p", "!= -> ="),
        # A rule speaks of who carries it out as all that call it do.
        ("wongar", "turn_up_cards(holder of ancestor)", "ancestor -> elder"),
        ("wongar", "draw_ritual(me)", "draw_ritual -> turn_up_cards"),
        # What is said of an area was asked where it was chosen, for the rule too that is written out there.
        ("wongar", "take(here: area where face_up", "face_up -> area_pile"),
        # What stands below other leads, but reads the same, is no other sentence.
        ("wongar", "if some p in player where ground[here, p, kind] > 0", "0 -> 1"),
        # Where a card is played is said as soon as one that can be played asks for it.
        ("wongar/initiated", "ceremony(there, ancestor_alone)", "there -> here"),
        ("wongar/initiated", "move face_up of here to taken of me", "taken -> figure_cards"),
        # Whether an island is set back in words hangs on what asks for it, and on which rules are carried out.
        ("tongiaki", "if discovered is not nobody", "!= -> ="),
        ("tongiaki", "landing(me, discovered)", "landing -> give_up"),
        ("tongiaki", "nobody_served()", "dropped"),
        # A card that was found by a condition is *this* card, and an option may say what the rule takes that it calls.
        ("tongiaki", "repeat while ocean[here] is water_card", "= -> !="),
        ("tongiaki", "move 1 ship from berth[land, strand, me] to supply of me as fetched", "1 -> 2"),
        ("tongiaki", "if fresh", "negated"),
        # The rows of a table are called by what it is asked for.
        ("ubongo", "define reach()", "steps -> boards_returned"),
    ],
)
def test_a_sentence_changes_only_with_what_it_hangs_on(name: str, line: str, what: str) -> None:
    assert heard(name, line, what).strays == ()


ONE_CARD = """
board square
    grid 3 by 3
cards card
    red
    blue
deck opener of card total 1
    1 red
pile stack holds at most 9 card, seen as a number
layout ground holds card on square, seen by all
setup
    fill stack with opener
    lay top of stack on ground at a1 turned 0 quietly
play
    player(1) wins
"""


def test_that_a_deck_is_its_only_card_hangs_on_that_deck(tmp_path: Path) -> None:
    found = reader(str(written(tmp_path, ONE_CARD)))
    for number, mutant in enumerate(found.mutants):
        if mutant.what in ("1 -> 2", "exchanged with the next", "top -> bottom"):
            one = found.hear(number)
            assert one is not None
            assert (one.same, one.strays) == ((), ()), mutant


@pytest.mark.parametrize(
    ("line", "what", "named"),
    [
        # What is no longer set back is no longer said to be as at the start.
        ("set ready[land, way] to no", "dropped", {"hopeless", "busy", "ahead"}),
        # What is set back only for some is not set back: the rule is said.
        ("for each land in island where busy of land", "where negated", set()),
        ("for each land in island where busy of land", "busy -> left_behind", set()),
    ],
)
def test_only_what_is_set_back_for_all_is_as_at_the_start(line: str, what: str, named: set[str]) -> None:
    rules = load("tongiaki")
    for mutant in mutants(rules.model, rules.sources[-1]):
        begins = mutant.span.source.line(mutant.span.line).strip().startswith(line)
        if mutant.what == what and begins and mutant.key == ("rule", "forget_ahead"):
            other = changed(rules, mutant)
            assert other is not None
            back = set_back(other.model, other.model.code.rules["forget_ahead"].body)
            assert {ref.name for node in back if (ref := other.model.refs.get(node.target))} == named
            break
    else:
        raise AssertionError(what)


def test_what_sets_all_back_hangs_on_what_that_is_at_the_start() -> None:
    rules = model("tongiaki")
    articles = {s.key_of(article): article for article in rules.merged.articles}
    hangs = book("tongiaki").account.hangs[articles["rule", "forget_ahead"]]
    remembered = {node.name.text for node in hangs if isinstance(node, s.Remember)}
    assert remembered == {"hopeless", "busy", "ahead", "ready"}


@pytest.mark.parametrize(
    ("name", "line", "what", "article", "said"),
    [
        (
            "goofspiel",
            "move next_prize from prizes",
            "prizes -> spent",
            "play",
            "This card goes from the discard pile into the prize.",
        ),
        (
            "wongar",
            "move 1 kind from ground[here, owner]",
            "owner -> me",
            "effect.ritual",
            "A token of the pictured kind of the other player goes from the area of the ceremony into the supply",
        ),
        # *A beach on which a berth is free* is one of the island on which the ship is put.
        (
            "tongiaki",
            "place(strand: beach where free(tonga, strand) > 0)",
            "tonga -> niue",
            "rule.come_back",
            "a beach of Tonga for which it is true that the number of free berths on this beach of Niue is more than 0",
        ),
    ],
)
def test_what_is_otherwise_than_a_sentence_of_the_game_takes_for_granted_is_said(
    name: str, line: str, what: str, article: str, said: str
) -> None:
    rules = load(name)
    texts = []
    for mutant in mutants(rules.model, rules.sources[-1]):
        begins = mutant.span.source.line(mutant.span.line).strip().startswith(line)
        if mutant.what == what and begins and (other := changed(rules, mutant)) is not None:
            [found] = [a for a in other.model.code.articles if key_of(a) == article]
            plans, _ = plan_of(other.model, found, words("en"))
            texts += [unit.text for unit in text_of(plans, words("en"), name)]
    assert any(said in text for text in texts)


STONES = """
board square
    grid 3 by 1
enum stone = black, white
tokens lying of each square holds stone, seen by all
"""

TWO_NAMES = f"""{STONES}
play
    mark(a1)
    player(1) wins
rule mark(one: square)
    let here = one
    for each there in square where there is here
        fill lying[here] with 1 black
        # set
        fill lying[there] with 1 white
"""


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("count", "As many ships as the player has ships on the beach of the island at the start of the route of this"),
        (
            "origin",
            "As many ships as this player has ships on the beach of the island at the start of the route of the",
        ),
        ("target", "from this beach of the island into the group of ships at sea as ships of the player."),
    ],
)
def test_each_player_in_turn_is_not_called_as_the_player_of_whom_the_rule_is(part: str, said: str) -> None:
    found = reader("tongiaki")
    [mutant] = [
        one for one in found.mutants if one.what == "p -> me" and one.key == ("rule", "put_to_sea") and part in one.path
    ]
    rules = changed(found.rules, mutant)
    assert rules is not None
    plans, _ = plan_of(rules.model, rules.model.code.rules["put_to_sea"], words("en"))
    assert any(said in unit.text for unit in text_of(plans, words("en"), "tongiaki"))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "de",
            "Sonst kommt ein Schiff dieses Spielers aus der Schiffsgruppe auf See als Schiff des Spielers an diesen "
            "Strand der Insel.",
        ),
        (
            "nl",
            "Anders komt uit de groep schepen op zee een schip van deze speler als schip van de speler op dit strand "
            "van het eiland.",
        ),
        (
            "it",
            "Altrimenti una nave di questo giocatore va dal gruppo di navi in mare su questa spiaggia dell’isola come "
            "nave del giocatore.",
        ),
        (
            "en",
            "Otherwise a ship of this player goes from the group of ships at sea onto this beach of the island as a "
            "ship of the player.",
        ),
    ],
)
def test_tokens_that_become_those_of_who_acts_in_a_place_that_several_share_are_said_to(
    language: str, said: str
) -> None:
    found = reader("tongiaki")
    lines: dict[str, list[str]] = {}
    for mutant in found.mutants:
        at = mutant.what, *mutant.path[-5:]
        if mutant.key == ("rule", "landing") and at in (
            ("land -> there", "otherwise", 0, "target", "indices", 0),
            ("owner -> me", "otherwise", 0, "target", "indices", 2),
        ):
            rules = changed(found.rules, mutant)
            assert rules is not None
            plans, _ = plan_of(rules.model, rules.model.code.rules["landing"], words(language))
            lines[mutant.what] = [unit.text for unit in text_of(plans, words(language), "tongiaki")]
    assert said in lines["owner -> me"]
    assert said not in lines["land -> there"]


def test_a_name_that_is_set_again_is_no_other_name_for_the_same(tmp_path: Path) -> None:
    for line, also in ("", {"there", "here"}), ("        set here to b1\n", set()):
        rules = load(written(tmp_path, TWO_NAMES.replace("        # set\n", line))).model
        [rule] = [a for a in rules.code.articles if s.key_of(a) == ("rule", "mark")]
        _, account = plan_of(rules, rule, words("en"))
        assert {name for names in account.also.values() for name in names} == also


def test_that_not_every_one_is_so_is_not_that_every_one_is_not() -> None:
    found = reader("nim")
    turned = [mutant for mutant in found.mutants if mutant.what == "negated"]
    texts = {
        line.texts
        for mutant in turned
        if (one := changed(found.rules, mutant)) is not None
        for line in found.pages.of(one.model)[0]
        if "wins the game" in line.texts[-1] and "heap" in line.texts[-1]
    }
    assert sorted(text[-1].strip() for text in texts) == [
        "If a heap is not empty, the player who has the turn wins the game.",
        "If a heap is not empty, the player wins the game.",
        "If every heap is not empty, the player who has the turn wins the game.",
        "If every heap is not empty, the player wins the game.",
    ]


@pytest.mark.parametrize("name", ["wongar", "wongar/initiated", "tongiaki", "ubongo", "goofspiel", "connect_four"])
def test_no_two_things_are_called_by_the_same_words(name: str) -> None:
    assert list(likenesses(model(name), [words(language) for language in reading.LANGUAGES])) == []


ALIKE = f"""{STONES}
play
    exchange(a1, b1)
    for each here in square
        fill lying[here] with 1 black
        for each there in square where there is not here
            fill lying[there] with 1 white
    player(1) wins
rule exchange(here: square, there: square)
    fill lying[here] with 1 black
    fill lying[there] with 1 white
"""


def test_two_things_that_are_called_by_the_same_words_are_found(tmp_path: Path) -> None:
    """Two parameters of one sort; but not a square and, where that is known, another one, which is *this* one then."""
    (tmp_path / "locales" / "en").mkdir(parents=True)
    lexicon = tmp_path / "locales" / "en" / "lexicon.yaml"
    lexicon.write_text("games:\n  small:\n    square: {like: s, stem: square}\n", encoding="utf-8")
    found = load(written(tmp_path, ALIKE)).model

    def called_alike() -> list[tuple[str, str, str]]:
        english = Words.load("en", [tmp_path / "locales"])
        return [(one.one, one.other, one.words) for one in likenesses(found, [english])]

    assert called_alike() == [("here", "there", "the square")]
    with lexicon.open("a", encoding="utf-8") as file:
        file.write("    exchange.there: {like: s, stem: neighbour}\n")
    assert called_alike() == []


def test_whether_setting_back_goes_without_saying_hangs_on_what_is_set_back() -> None:
    rules, hangs = model("tongiaki"), book("tongiaki").account.hangs
    body = rules.code.rules["something_new"].body
    calls = [node for a in rules.code.articles for node in s.walk(a) if isinstance(node, s.Call)]
    [first, *_] = [c for c in calls if isinstance(c.call, s.Called) and c.call.name == "something_new"]
    assert set(body) <= set(hangs[first])
