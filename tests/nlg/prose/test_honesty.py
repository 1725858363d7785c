"""Mutation test of rulebooks: a change of the rules changes the text about it, and nothing else.

Only single mutants and small games are tested here; `make mutants ARGS=--words` tries them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from benchmarks.mutants import rulebook_comparison
from benchmarks.mutants.operators import mutants, mutated, orderings
from benchmarks.mutants.rulebook_comparison import (
    AS_BEFORE,
    Heard,
    Read,
    Reader,
    alike,
    combined,
    reader,
    same_in_silence,
    told_apart,
)
from benchmarks.mutants.sentence_origins import Naming, Version, forgotten, strays
from benchmarks.mutants.verdict import changed
from tests.small_games import write_rules
from wongar_dsl.base.diagnostics import Severity
from wongar_dsl.engine.library import load
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker import check_game
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.content import statements
from wongar_dsl.nlg.prose.context import ProseContext
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.translation_checks import find_ambiguous_names
from wongar_dsl.nlg.prose.game_facts import resets_to_initial
from wongar_dsl.nlg.prose.pipeline import plan_of

from .books import LANGUAGES, book, model, shipped, small, told, translator, variant, words


@cache
def first_mutant(name: str, line: str, what: str) -> Heard:
    """Read the first mutant with this change in a line with this beginning."""
    mutant_reader = reader(name)
    for number, mutant in enumerate(mutant_reader.mutants):
        text = mutant.span.source.line(mutant.span.line).strip()
        if text.startswith(line) and mutant.what == what:
            result = mutant_reader.hear(number)
            assert result is not None
            return result
    raise AssertionError(f"no mutant {what} of {line}")


def models_with(
    name: str, what: str, line: str = "", rule: str | None = None, path: tuple[object, ...] = ()
) -> Iterator[Model]:
    """Yield the valid models of the mutants with a change, which are only read: in a line, a rule or a place of it."""
    rules = shipped(name)
    for mutant in mutants(rules.model, rules.sources[-1]):
        begins = mutant.span.source.line(mutant.span.line).strip().startswith(line)
        ends = mutant.path[len(mutant.path) - len(path) :] == path
        if mutant.what == what and begins and ends and rule in (None, mutant.key[1]):
            found, diagnostics = check_game(mutated(rules.model.merged, mutant), reserved_words())
            if not any(d.severity is Severity.ERROR for d in diagnostics):
                yield found


def test_mutants_change_only_the_text_about_them() -> None:
    report = rulebook_comparison.read("connect_four", sample=12, seed=2)
    assert report.games > 5
    assert report.same == []
    assert [line for result in report.heard for line in result.strays] == []


def test_equal_text_for_different_games_has_a_reason() -> None:
    report = rulebook_comparison.read("goofspiel", sample=16, seed=3)
    assert list(told_apart(alike([report]), games=6)) == []


def test_different_mutants_with_equal_text_are_found() -> None:
    first = first_mutant("goofspiel", "repeat 3 times", "3 -> 2")
    second = first_mutant("goofspiel", "best gains", "dropped")
    [pair] = told_apart(alike([Read("goofspiel", heard=[first, replace(second, prints=first.prints)])]), games=6)
    assert ("3 -> 2" in str(pair.one), "dropped" in str(pair.other), pair.why) == (True, True, "")


def test_different_games_with_equal_text_are_found() -> None:
    as_kuhn = [replace(first_mutant("nim", "heap_a 1", "1 -> 2"), prints=reader("kuhn_poker").prints)]
    [pair] = told_apart(alike([Read("kuhn_poker"), Read("nim", heard=as_kuhn)]), games=2)
    assert (pair.one.name, pair.other.name, pair.other.number) == ("kuhn_poker", "nim", as_kuhn[0].number)


#: A missing announcement goes unnoticed; a missing round does not.
@pytest.mark.parametrize(
    ("line", "what", "true"), [("tell tied", "otherwise dropped", True), ("repeat 3 times", "3 -> 2", False)]
)
def test_reason_for_equal_text_is_rejected_if_play_differs(line: str, what: str, true: bool) -> None:
    prints = reader("goofspiel").prints
    same = replace(first_mutant("goofspiel", line, what), prints=prints, same=LANGUAGES, why="news: nothing")
    assert (list(told_apart(alike([Read("goofspiel", heard=[same])]), games=6)) == []) is true


@pytest.mark.parametrize(
    ("name", "line", "what", "same"),
    [
        ("goofspiel", "tell tied", "otherwise dropped", True),
        ("wongar", "set round to round + 1", "1 -> 2", True),
        ("wongar", "who loses behind points", "scorpions -> card_majorities", True),
        ("wongar", "who loses behind points", "gains <-> loses", False),
    ],
)
def test_rules_differing_only_in_messages_need_no_play(name: str, line: str, what: str, same: bool) -> None:
    assert same_in_silence(model(name), next(models_with(name, what, line))) is same


def test_combined_variants_are_compared() -> None:
    names = ["ubongo", "ubongo/hard", "ubongo/long"]
    assert list(combined(names)) == [*names, "ubongo/hard+long"]


def test_changed_line_that_does_not_name_the_change_is_found() -> None:
    connect_four = reader("connect_four")
    lines, book = connect_four.pages.of(rules := next(models_with("connect_four", "4 -> 5")))
    nothing = Version(connect_four.naming, connect_four.lines, frozenset())
    naming = Naming(rules, book, connect_four.naming.words)
    assert strays(nothing, Version(naming, lines, frozenset()))


#: Mutants, each with the reason why its text is the same; if that is empty, all texts differ, and if it is None, some.
HEARD = (
    # Order of statements that only messages use.
    ("wongar", "set round to round + 1", "exchanged with the next", "news: only messages speak of it"),
    ("wongar", "let before = phase of", "exchanged with the next", "news: only what need not be said speaks of it"),
    # A piece can only be taken from where it is.
    ("wongar", "fetch(there: area", "where dropped", "implied: what is not there cannot be taken"),
    # The only option is the island of the rule.
    ("tongiaki", "move 1 ship from supply of me to berth[land", "land -> there", "implied: another name for the same"),
    # A message that names the source of a card means its top card.
    ("wongar", "move top of area_pile of here to taken of finder", "top -> bottom", ""),
    # A card drawn from one place does not lie in another.
    ("goofspiel", "move next_prize from prizes", "prizes -> spent", ""),
    # A clock states its start and end, and a sentence omits only its own number.
    ("ubongo", "p chooses trip by time from now", "now -> ending", ""),
    ("ubongo", "if in_time(time, ending)", "ending -> begin", ""),
    ("ubongo", "repeat while some q in player", "p -> q", ""),
    # A variable reset at the end of a rule has its initial value whenever the rule begins.
    ("tongiaki", "something_new()", "dropped", ""),
    # *The first player* needs a second one.
    ("wongar", "let second_holder = random p", "!= -> =", None),
    # A rule names its actor as all its callers do.
    ("wongar", "turn_up_cards(holder of ancestor)", "ancestor -> elder", None),
    ("wongar", "draw_ritual(me)", "draw_ritual -> turn_up_cards", None),
    # The condition on an area was stated at its choice, also for a rule inlined there.
    ("wongar", "take(here: area where face_up", "face_up -> area_pile", None),
    # The same text under another heading is the same sentence.
    ("wongar", "if some p in player where ground[here, p, kind] > 0", "0 -> 1", None),
    # The place of a played card is stated if any playable card needs it.
    ("wongar/initiated", "ceremony(there, ancestor_alone)", "there -> here", None),
    ("wongar/initiated", "move face_up of here to taken of me", "taken -> figure_cards", None),
    # Stating the reset of an island depends on its uses and on the executed rules.
    ("tongiaki", "if discovered is not nobody", "!= -> =", None),
    ("tongiaki", "landing(me, discovered)", "landing -> give_up", None),
    ("tongiaki", "nobody_served()", "dropped", None),
    # A card found by a condition is *this* card, and an option may name the arguments of its rule.
    ("tongiaki", "repeat while ocean[here] is water_card", "= -> !=", None),
    ("tongiaki", "move 1 ship from berth[land, strand, me] to supply of me as fetched", "1 -> 2", None),
    ("tongiaki", "if fresh", "negated", None),
    # Rows of a table are named by its uses.
    ("ubongo", "define reach()", "steps -> boards_returned", None),
)


@pytest.mark.parametrize(("name", "line", "what", "why"), HEARD)
def test_text_changes_exactly_where_it_depends_on_the_change(name: str, line: str, what: str, why: str | None) -> None:
    result = first_mutant(name, line, what)
    if why:
        assert result.same
        assert result.why == why
    else:
        assert result.strays == ()
        assert why is None or result.same == ()


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


def test_single_card_deck_depends_on_the_deck(tmp_path: Path) -> None:
    mutant_reader = reader(str(write_rules(tmp_path, ONE_CARD)))
    for number, mutant in enumerate(mutant_reader.mutants):
        if mutant.what in ("1 -> 2", "exchanged with the next", "top -> bottom"):
            result = mutant_reader.hear(number)
            assert result is not None
            assert (result.same, result.strays) == ((), ()), mutant


@pytest.mark.parametrize(
    ("line", "what", "named"),
    [
        # A variable without a reset is not said to have its initial value.
        ("set ready[land, way] to no", "dropped", {"hopeless", "busy", "ahead"}),
        # A partial reset is no reset, so the rule is stated.
        ("for each land in island where busy of land", "where negated", set()),
        ("for each land in island where busy of land", "busy -> left_behind", set()),
    ],
)
def test_only_complete_resets_restore_the_initial_value(line: str, what: str, named: set[str]) -> None:
    rules = next(models_with("tongiaki", what, line, "forget_ahead"))
    back = resets_to_initial(rules, rules.code.rules["forget_ahead"].body)
    assert {ref.name for node in back if (ref := rules.refs.get(node.target))} == named


def test_omitted_resets_depend_on_their_statements_and_on_initial_values() -> None:
    rules, hangs = model("tongiaki"), book("tongiaki").log.dependencies
    [forget] = [article for article in rules.merged.articles if s.key_of(article) == ("rule", "forget_ahead")]
    remembered = {node.name.text for node in hangs[forget] if isinstance(node, s.Remember)}
    assert remembered == {"hopeless", "busy", "ahead", "ready"}
    calls = [node for a in rules.code.articles for node in s.walk(a) if isinstance(node, s.Call)]
    [first, *_] = [c for c in calls if isinstance(c.call, s.Called) and c.call.name == "something_new"]
    assert set(rules.code.rules["something_new"].body) <= set(hangs[first])


#: Mutants with what their texts say instead of a sentence that assumes something else.
DEVIATIONS = (
    (
        "goofspiel", "play", "prizes -> spent", "move next_prize from prizes",
        ("This card goes from the discard pile into the prize.",),
    ),
    (
        "wongar", "ritual", "owner -> me", "move 1 kind from ground[here, owner]",
        ("A token of the pictured kind of the other player goes from the area of the ceremony into the supply",),
    ),
    # *A beach on which a berth is free* is a beach of the island that receives the ship.
    (
        "tongiaki", "come_back", "tonga -> niue", "place(strand: beach where free(tonga, strand) > 0)",
        ("This is allowed only if the number of free berths on this beach of Niue is more than 0",),
    ),
    # The player of a loop and the player of the rule have different names.
    (
        "tongiaki", "put_to_sea", "p -> me", "",
        (
            "As many ships of the player “p” as the player has ships on the beach of the island at the start",
            "As many ships of the player as the player “p” has ships on the beach of the island at the start",
            "from this beach of the island into the group of ships at sea as ships of the player.",
        ),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("name", "rule", "what", "line", "said"), DEVIATIONS)
def test_deviations_from_an_assumption_of_a_sentence_are_stated(
    name: str, rule: str, what: str, line: str, said: tuple[str, ...]
) -> None:
    found = models_with(name, what, line, None if rule == "play" else rule)
    texts = [text for rules in found for text in told(rules, rule, "en")]
    assert [words for words in said if not any(words in text for text in texts)] == []


OWNERSHIP = {
    "de": "Sonst kommt ein Schiff des Spielers „owner“ aus der Schiffsgruppe auf See als Schiff des Spielers an "
    "diesen Strand der Insel.",
    "nl": "Anders komt uit de groep schepen op zee een schip van de speler “owner” als schip van de speler op dit "
    "strand van het eiland.",
    "it": "Altrimenti una nave del giocatore «owner» va dal gruppo di navi in mare su questa spiaggia dell’isola "
    "come nave del giocatore.",
    "en": "Otherwise a ship of the player “owner” goes from the group of ships at sea onto this beach of the island "
    "as a ship of the player.",
}


def test_change_of_ownership_in_a_shared_place_is_stated() -> None:
    place = ("otherwise", 0, "target", "indices")
    [owner] = models_with("tongiaki", "owner -> me", rule="landing", path=(*place, 2))
    [island] = models_with("tongiaki", "land -> there", rule="landing", path=(*place, 0))
    for language, said in OWNERSHIP.items():
        assert [said in told(rules, "landing", language) for rules in (owner, island)] == [True, False]


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


def test_reassigned_name_is_no_alias() -> None:
    for line, also in ("", {"there", "here"}), ("set here to b1", set()):
        rules = small(TWO_NAMES.replace("# set", line))
        _, account = plan_of(rules, rules.code.rules["mark"], words("en"))
        assert {name for names in account.aliases.values() for name in names} == also


def test_negated_universal_differs_from_universal_negation() -> None:
    pages = reader("nim").pages
    texts = {line.texts[-1].strip() for rules in models_with("nim", "negated") for line in pages.of(rules)[0]}
    assert sorted(text for text in texts if "wins the game" in text and "heap" in text) == [
        "If a heap is not empty, the player who has the turn wins the game.",
        "If a heap is not empty, the player wins the game.",
        "If no heap is empty, the player who has the turn wins the game.",
        "If no heap is empty, the player wins the game.",
    ]


@pytest.mark.parametrize("name", ["wongar", "wongar/initiated", "tongiaki", "ubongo", "goofspiel", "connect_four"])
def test_bundled_games_have_no_ambiguous_names(name: str) -> None:
    assert [*find_ambiguous_names(model(name), [words(language) for language in LANGUAGES])] == []


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


def test_ambiguous_names_are_found(tmp_path: Path) -> None:
    """Two parameters of one kind are ambiguous; a known square and another one are not."""
    square = "square: {like: s, stem: square}"
    found = [*find_ambiguous_names(small(ALIKE), [translator(tmp_path, "en", square)])]
    assert [(likeness.one, likeness.other, likeness.words) for likeness in found] == [("here", "there", "the square")]
    own = f"{square}\n    exchange.there: {{like: s, stem: neighbour}}"
    assert [*find_ambiguous_names(small(ALIKE), [translator(tmp_path, "en", own)])] == []


ORDERS = """
board square
    grid 4 by 4
remember stone of each square: player
remember gold of each player: number 0 to 20
remember ready: yes or no
score points

play
    repeat 6 times
        for each p in player
            p chooses turn
                dig(here: square where stone of here is nobody)
                    dug(p, here)
                rest
                    pause()
            if enough(p, 1, 2)
                end game

rule dug(p: player, here: square)
    set stone of here to p
    set gold of p to gold of p + 1
    if gold of p > 3
        p gains 2 points
    let before = gold of p
    set gold of p to gold of p + 2
    if before > 4
        p gains 1 points
    pause()

rule pause()
    set ready to no

define enough(p: player, k: number, j: number) =
    {}

winner p
    most points of p
"""
#: Conditions with nested quantifiers over squares, players and numbers.
NESTED = (
    "some a in square where (every b in square has (stone of a is p or row of b > k))",
    "every a in square has (some b in square where (row of b = row of a and stone of b is p))",
    "no q in player where (every b in square has stone of b is q)",
    "some i in 0 to 3 where (no l in 0 to 3 where not (gold of p + i - l) mod 4 + 1 > k)",
    "some i in 0 to 3 where (every l in 1 to 2 has i * l + j > k)",
    "every i in 0 to 3 has (some a in square where row of a - i > column of a + k)",
    "every a in square has (some b in square where b is not a and row of b = row of a + k)",
    "some q in player where (no o in player where o is not q and gold of o = gold of q + k)",
)


def heard_mutants(found: Reader, what: str = "") -> list[Heard]:
    """Return the readings of the valid mutants that change an order, if their description ends in `what`."""
    numbers = (n for n in range(found.ordered, len(found.mutants)) if found.mutants[n].what.endswith(what))
    return [result for number in numbers if (result := found.hear(number)) is not None]


@pytest.mark.parametrize("condition", NESTED)
def test_swapped_quantifiers_change_the_text(tmp_path: Path, condition: str) -> None:
    swapped = heard_mutants(Reader(str(write_rules(tmp_path, ORDERS.format(condition)))), "swapped")
    assert swapped
    assert [result for result in swapped if result.same or result.strays or result.wordless] == []


@pytest.mark.parametrize("operators", ["+-", "*+", "-mod", "+div"])
def test_grouping_of_operators_changes_the_text(operators: str) -> None:
    first, second = operators[0], operators[1:]
    shapes = (
        f"(gold of p {first} i) {second} k", f"gold of p {first} (i {second} k)",
        f"(gold of p {first} i) {second} (k + j)", f"((gold of p {first} i) {second} k) + j",
    )  # fmt: skip
    for language in LANGUAGES:
        rules = (small(ORDERS.format(f"some i in 1 to 3 where {shape} > 2")) for shape in shapes)
        assert len({(*told(changed, "enough", language),) for changed in rules}) == len(shapes)


def test_all_changes_of_order_are_generated(tmp_path: Path) -> None:
    rules = load(write_rules(tmp_path, ORDERS.format(NESTED[0])))
    counts = Counter(mutant.what for mutant in orderings(rules.model, rules.sources[-1]))
    assert counts["worked out a statement earlier"] >= 2
    assert counts["worked out where it is used"] == 1
    assert counts["called once more"] == 3
    assert counts["pause called in play"] == 0
    assert counts["pause called in setup"] == 0
    assert counts["some ... every swapped"] == 1


def undetected_changes(place: Path) -> list[str]:
    """Return the changed orders of the game that play can distinguish but the text cannot."""
    path = str(write_rules(place, ORDERS.format("gold of p > k + j")))
    rulebook_comparison._READERS.pop(path, None)
    mutant_reader = reader(path)
    report = Read(path, mutant_reader.mutants, heard_mutants(mutant_reader))
    assert not any(result.strays or result.wordless for result in report.heard)
    assert AS_BEFORE in {result.why for result in report.heard if result.same}
    return [str(pair.other) for pair in told_apart(alike([report]), games=20)]


def test_changed_evaluation_time_changes_the_text_if_play_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert undetected_changes(tmp_path) == []
    monkeypatch.setattr(ProseContext, "late_changes", lambda *_: ())
    assert any("worked out" in change for change in undetected_changes(tmp_path))


MORE = """before rule take_turn
    if me is player(1)
        grow(me)

rule grow(me: player)
    for each s in beach where not served of s
        set served of s to yes
    nobody_served()
"""


def test_resets_of_variables_are_never_omitted_wrongly() -> None:
    games = map(model, ("tongiaki", "wongar", "wongar/initiated", "ubongo"))
    for rules, language in zip((*games, variant("tongiaki", MORE)), (*LANGUAGES, "en"), strict=True):
        assert list(forgotten(rules, rulebook(rules, words(language)))) == [], rules.scope


def test_extra_call_of_a_rule_without_a_sentence_keeps_its_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant_reader = reader("tongiaki")
    [number] = [n for n, result in enumerate(mutant_reader.mutants) if result.what == "nobody_served called in setup"]
    result = mutant_reader.hear(number)
    assert result is not None
    assert (result.same, result.strays) == ((), ())
    assert changed(mutant_reader.rules, mutant_reader.mutants[number]) is not None
    monkeypatch.setattr(statements, "has_sentence", lambda *_: True)
    result = mutant_reader.hear(number)
    assert result is not None
    assert "served: set back in further_step" in result.strays
