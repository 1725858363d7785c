"""Mutation test of rulebooks: a change of the rules changes the text about it, and nothing else.

Only single mutants and one small game are tested here; `make mutants ARGS=--words` tries them all.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from benchmarks.mutants import rulebook_comparison
from benchmarks.mutants.equal_rulebooks import alike, combined, told_apart
from benchmarks.mutants.operators import Mutant, mutants, mutated
from benchmarks.mutants.rulebook_comparison import Heard, Reader, reader
from benchmarks.mutants.sentence_origins import Naming, Version, strays
from benchmarks.mutants.silent_rules import same_in_silence
from benchmarks.mutants.verdict import changed
from tests.small_games import write_rules
from wongar_dsl.base.diagnostic_codes import Severity
from wongar_dsl.engine.library import Rules
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker import check_game
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.ambiguous_names import find_ambiguous_names
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.prose.redundant_assignments import resets_to_initial
from wongar_dsl.nlg.words import Translator

from .books import book, model, rules_in, shipped, units_of, words

#: Readers of the games are cached.


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


def model_with(rules: Rules, mutant: Mutant) -> Model | None:
    """Return the model of a mutant, None if it is invalid; it is not compiled, since only its text is read."""
    found, diagnostics = check_game(mutated(rules.model.merged, mutant), reserved_words())
    return None if any(d.severity is Severity.ERROR for d in diagnostics) else found


@pytest.fixture(scope="module")
def connect_four() -> Reader:
    return reader("connect_four")


def test_mutants_change_only_the_text_about_them() -> None:
    report = rulebook_comparison.read("connect_four", sample=12, seed=2)
    assert report.games > 5
    assert report.same == []
    assert [line for result in report.heard for line in result.strays] == []


def test_equal_text_for_different_games_has_a_reason() -> None:
    report = rulebook_comparison.read("goofspiel", sample=16, seed=3)
    assert list(told_apart(alike([report]), games=6)) == []


def test_different_mutants_with_equal_text_are_found() -> None:
    first, second = (
        first_mutant("goofspiel", "repeat 3 times", "3 -> 2"),
        first_mutant("goofspiel", "best gains", "dropped"),
    )
    report = rulebook_comparison.Read("goofspiel", heard=[first, replace(second, prints=first.prints)])
    [pair] = told_apart(alike([report]), games=6)
    assert ("3 -> 2" in str(pair.one), "dropped" in str(pair.other), pair.why) == (True, True, "")


def test_different_games_with_equal_text_are_found() -> None:
    as_kuhn = [replace(first_mutant("nim", "heap_a 1", "1 -> 2"), prints=reader("kuhn_poker").prints)]
    [pair] = told_apart(
        alike([rulebook_comparison.Read("kuhn_poker"), rulebook_comparison.Read("nim", heard=as_kuhn)]), games=2
    )
    assert (pair.one.name, pair.other.name, pair.other.number) == ("kuhn_poker", "nim", as_kuhn[0].number)


@pytest.mark.parametrize(
    ("line", "what", "true"),
    [
        # A missing announcement goes unnoticed; a missing round does not.
        ("tell tied", "otherwise dropped", True),
        ("repeat 3 times", "3 -> 2", False),
    ],
)
def test_reason_for_equal_text_is_rejected_if_play_differs(line: str, what: str, true: bool) -> None:
    mutant_reader = reader("goofspiel")
    same = replace(
        first_mutant("goofspiel", line, what),
        prints=mutant_reader.prints,
        same=rulebook_comparison.LANGUAGES,
        why="news: nothing",
    )
    assert (list(told_apart(alike([rulebook_comparison.Read("goofspiel", heard=[same])]), games=6)) == []) is true


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
    rules = shipped(name)
    for mutant in mutants(rules.model, rules.sources[-1]):
        if mutant.what == what and mutant.span.source.line(mutant.span.line).strip().startswith(line):
            mutated_model = model_with(rules, mutant)
            assert mutated_model is not None
            assert same_in_silence(rules.model, mutated_model) is same
            break
    else:
        raise AssertionError(what)


def test_combined_variants_are_compared() -> None:
    names = ["ubongo", "ubongo/hard", "ubongo/long"]
    assert list(combined(names)) == [*names, "ubongo/hard+long"]


def test_changed_line_that_does_not_name_the_change_is_found(connect_four: Reader) -> None:
    rules = next(
        candidate
        for mutant in connect_four.mutants
        if mutant.what == "4 -> 5" and (candidate := changed(connect_four.rules, mutant)) is not None
    )
    lines, book = connect_four.pages.of(rules.model)
    nothing = Version(connect_four.naming, connect_four.lines, frozenset())
    naming = Naming(rules.model, book, connect_four.naming.words)
    assert strays(nothing, Version(naming, lines, frozenset()))


@pytest.mark.parametrize(
    ("name", "line", "what", "why"),
    [
        # Order of statements that only messages use.
        ("wongar", "set round to round + 1", "exchanged with the next", "news: only messages speak of it"),
        (
            "wongar",
            "let before = phase of scorpion",
            "exchanged with the next",
            "news: only what need not be said speaks of it",
        ),
        # A piece can only be taken from where it is.
        ("wongar", "fetch(there: area", "where dropped", "implied: what is not there cannot be taken"),
        # The only option is the island of the rule.
        (
            "tongiaki",
            "move 1 ship from supply of me to berth[land",
            "land -> there",
            "implied: another name for the same",
        ),
    ],
)
def test_omitted_mutants_have_their_reason(name: str, line: str, what: str, why: str) -> None:
    result = first_mutant(name, line, what)
    assert result.same
    assert result.why == why


@pytest.mark.parametrize(
    ("name", "line", "what"),
    [
        # A message that names the source of a card means its top card.
        ("wongar", "move top of area_pile of here to taken of finder", "top -> bottom"),
        # A card drawn from one place does not lie in another.
        ("goofspiel", "move next_prize from prizes", "prizes -> spent"),
        # A clock states its start and end, and a sentence omits only its own number.
        ("ubongo", "p chooses trip by time from now", "now -> ending"),
        ("ubongo", "if in_time(time, ending)", "ending -> begin"),
        ("ubongo", "repeat while some q in player", "p -> q"),
        # A variable reset at the end of a rule has its initial value whenever the rule begins.
        ("tongiaki", "something_new()", "dropped"),
    ],
)
def test_formerly_hidden_changes_are_shown_in_all_languages(name: str, line: str, what: str) -> None:
    result = first_mutant(name, line, what)
    assert result.same == ()
    assert result.strays == ()


@pytest.mark.parametrize(
    ("name", "line", "what"),
    [
        # *The first player* needs a second one.
        ("wongar", "let second_holder = random p", "!= -> ="),
        # A rule names its actor as all its callers do.
        ("wongar", "turn_up_cards(holder of ancestor)", "ancestor -> elder"),
        ("wongar", "draw_ritual(me)", "draw_ritual -> turn_up_cards"),
        # The condition on an area was stated at its choice, also for a rule inlined there.
        ("wongar", "take(here: area where face_up", "face_up -> area_pile"),
        # The same text under another heading is the same sentence.
        ("wongar", "if some p in player where ground[here, p, kind] > 0", "0 -> 1"),
        # The place of a played card is stated if any playable card needs it.
        ("wongar/initiated", "ceremony(there, ancestor_alone)", "there -> here"),
        ("wongar/initiated", "move face_up of here to taken of me", "taken -> figure_cards"),
        # Stating the reset of an island depends on its uses and on the executed rules.
        ("tongiaki", "if discovered is not nobody", "!= -> ="),
        ("tongiaki", "landing(me, discovered)", "landing -> give_up"),
        ("tongiaki", "nobody_served()", "dropped"),
        # A card found by a condition is *this* card, and an option may name the arguments of its rule.
        ("tongiaki", "repeat while ocean[here] is water_card", "= -> !="),
        ("tongiaki", "move 1 ship from berth[land, strand, me] to supply of me as fetched", "1 -> 2"),
        ("tongiaki", "if fresh", "negated"),
        # Rows of a table are named by its uses.
        ("ubongo", "define reach()", "steps -> boards_returned"),
    ],
)
def test_sentences_change_only_with_their_dependencies(name: str, line: str, what: str) -> None:
    assert first_mutant(name, line, what).strays == ()


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
    rules = shipped("tongiaki")
    for mutant in mutants(rules.model, rules.sources[-1]):
        begins = mutant.span.source.line(mutant.span.line).strip().startswith(line)
        if mutant.what == what and begins and mutant.key == ("rule", "forget_ahead"):
            mutated_model = model_with(rules, mutant)
            assert mutated_model is not None
            back = resets_to_initial(mutated_model, mutated_model.code.rules["forget_ahead"].body)
            assert {ref.name for node in back if (ref := mutated_model.refs.get(node.target))} == named
            break
    else:
        raise AssertionError(what)


def test_reset_rule_depends_on_initial_values() -> None:
    rules = model("tongiaki")
    articles = {s.key_of(article): article for article in rules.merged.articles}
    hangs = book("tongiaki").log.dependencies[articles["rule", "forget_ahead"]]
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
        # *A beach on which a berth is free* is a beach of the island that receives the ship.
        (
            "tongiaki",
            "place(strand: beach where free(tonga, strand) > 0)",
            "tonga -> niue",
            "rule.come_back",
            "This is allowed only if the number of free berths on this beach of Niue is more than 0",
        ),
    ],
)
def test_deviations_from_an_assumption_of_a_sentence_are_stated(
    name: str, line: str, what: str, article: str, said: str
) -> None:
    rules = shipped(name)
    texts = []
    for mutant in mutants(rules.model, rules.sources[-1]):
        begins = mutant.span.source.line(mutant.span.line).strip().startswith(line)
        if mutant.what == what and begins and (mutated_model := model_with(rules, mutant)) is not None:
            [article_node] = [a for a in mutated_model.code.articles if s.key_text(a) == article]
            texts += [unit.text for unit in units_of(mutated_model, article_node, "en")]
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
        ("count", "As many ships of the player “p” as the player has ships on the beach of the island at the start"),
        ("origin", "As many ships of the player as the player “p” has ships on the beach of the island at the start"),
        ("target", "from this beach of the island into the group of ships at sea as ships of the player."),
    ],
)
def test_loop_player_and_player_of_the_rule_have_different_names(part: str, said: str) -> None:
    mutant_reader = reader("tongiaki")
    [mutant] = [
        candidate
        for candidate in mutant_reader.mutants
        if candidate.what == "p -> me" and candidate.key == ("rule", "put_to_sea") and part in candidate.path
    ]
    mutated_model = model_with(mutant_reader.rules, mutant)
    assert mutated_model is not None
    assert any(said in unit.text for unit in units_of(mutated_model, "put_to_sea", "en"))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "de",
            "Sonst kommt ein Schiff des Spielers „owner“ aus der Schiffsgruppe auf See als Schiff des Spielers an "
            "diesen Strand der Insel.",
        ),
        (
            "nl",
            "Anders komt uit de groep schepen op zee een schip van de speler “owner” als schip van de speler op dit "
            "strand van het eiland.",
        ),
        (
            "it",
            "Altrimenti una nave del giocatore «owner» va dal gruppo di navi in mare su questa spiaggia dell’isola "
            "come nave del giocatore.",
        ),
        (
            "en",
            "Otherwise a ship of the player “owner” goes from the group of ships at sea onto this beach of the island "
            "as a ship of the player.",
        ),
    ],
)
def test_change_of_ownership_in_a_shared_place_is_stated(language: str, said: str) -> None:
    lines = {what: [unit.text for unit in units_of(rules, "landing", language)] for what, rules in landings().items()}
    assert said in lines["owner -> me"]
    assert said not in lines["land -> there"]


@cache
def landings() -> dict[str, Model]:
    """Return two mutants of the place of a landed ship in Tongiaki, by what they change."""
    mutant_reader, models = reader("tongiaki"), dict[str, Model]()
    for mutant in mutant_reader.mutants:
        change = mutant.what, *mutant.path[-5:]
        if mutant.key == ("rule", "landing") and change in (
            ("land -> there", "otherwise", 0, "target", "indices", 0),
            ("owner -> me", "otherwise", 0, "target", "indices", 2),
        ):
            found = model_with(mutant_reader.rules, mutant)
            assert found is not None
            models[mutant.what] = found
    return models


def test_reassigned_name_is_no_alias(tmp_path: Path) -> None:
    for line, also in ("", {"there", "here"}), ("        set here to b1\n", set()):
        rules = rules_in(write_rules(tmp_path, TWO_NAMES.replace("        # set\n", line)))
        [rule] = [a for a in rules.code.articles if s.key_of(a) == ("rule", "mark")]
        _, account = plan_of(rules, rule, words("en"))
        assert {name for names in account.aliases.values() for name in names} == also


def test_negated_universal_differs_from_universal_negation() -> None:
    mutant_reader = reader("nim")
    turned = [mutant for mutant in mutant_reader.mutants if mutant.what == "negated"]
    texts = {
        line.texts
        for mutant in turned
        if (mutated_model := model_with(mutant_reader.rules, mutant)) is not None
        for line in mutant_reader.pages.of(mutated_model)[0]
        if "wins the game" in line.texts[-1] and "heap" in line.texts[-1]
    }
    assert sorted(text[-1].strip() for text in texts) == [
        "If a heap is not empty, the player who has the turn wins the game.",
        "If a heap is not empty, the player wins the game.",
        "If no heap is empty, the player who has the turn wins the game.",
        "If no heap is empty, the player wins the game.",
    ]


@pytest.mark.parametrize("name", ["wongar", "wongar/initiated", "tongiaki", "ubongo", "goofspiel", "connect_four"])
def test_bundled_games_have_no_ambiguous_names(name: str) -> None:
    assert (
        list(find_ambiguous_names(model(name), [words(language) for language in rulebook_comparison.LANGUAGES])) == []
    )


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
    (tmp_path / "locales" / "en").mkdir(parents=True)
    lexicon = tmp_path / "locales" / "en" / "lexicon.yaml"
    lexicon.write_text("games:\n  small:\n    square: {like: s, stem: square}\n", encoding="utf-8")
    rules = rules_in(write_rules(tmp_path, ALIKE))

    def ambiguous_names() -> list[tuple[str, str, str]]:
        english = Translator.load("en", [tmp_path / "locales"])
        return [(likeness.one, likeness.other, likeness.words) for likeness in find_ambiguous_names(rules, [english])]

    assert ambiguous_names() == [("here", "there", "the square")]
    with lexicon.open("a", encoding="utf-8") as file:
        file.write("    exchange.there: {like: s, stem: neighbour}\n")
    assert ambiguous_names() == []


def test_omitted_reset_depends_on_its_statements() -> None:
    rules, hangs = model("tongiaki"), book("tongiaki").log.dependencies
    body = rules.code.rules["something_new"].body
    calls = [node for a in rules.code.articles for node in s.walk(a) if isinstance(node, s.Call)]
    [first, *_] = [c for c in calls if isinstance(c.call, s.Called) and c.call.name == "something_new"]
    assert set(body) <= set(hangs[first])
