"""Each condition of each option is told, in the rulebook and in the differences of the variant that adds it."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose import pipeline
from wongar_dsl.nlg.prose.content import conditions
from wongar_dsl.nlg.prose.context import NotVerbalisable, ProseContext, Verbalisers
from wongar_dsl.nlg.prose.document.document_model import Prose, Rulebook
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.translation_checks import sentences_of
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Sentence
from wongar_dsl.nlg.words.clause import Slot
from wongar_dsl.nlg.words.locale import load_locale

from .books import LANGUAGES, book, document_of, lines_of, model, small, text_of_book, told, units_of, variant, words

#: The number in the condition of the first option; each further option has the next one.
FIRST = 201


def restricted(name: str) -> tuple[str, range]:
    """Return changes with a further condition for every option, and the numbers in these conditions."""
    lines = ["remember mark: number 0 to 999 = 0", "before play", "    set mark to 7"]
    number = FIRST
    nodes = (node for article in model(name).code.procedures for node in s.walk(article))
    choices = (node for node in nodes if isinstance(node, s.Choose | s.ChooseSimultaneously) and node.name is not None)
    for choice, node in {node.name.text: node for node in choices}.items():
        for option in node.options:
            lines.append(f"allow {option.name.text} in choice {choice} only if mark > {number}")
            number += 1
        if isinstance(node, s.Choose) and node.otherwise is None:
            lines += [f"add to choice {choice}", "    otherwise", "        nothing"]
    return "\n".join(lines), range(FIRST, number)


def changed_lines(name: str, changed: Rulebook, language: str) -> list[str]:
    """Return the lines of a variant's rulebook that differ from its base."""
    old, new = (RealisedRulebook(document, words(language), "") for document in (book(name), changed))
    changes = (change for part in differences(old, new) for change in part.changes)
    return [change.text for change in changes if change.sort != "kept"]


def book_lines(changed: Rulebook, language: str) -> list[str]:
    """Return the lines of a rulebook."""
    new = RealisedRulebook(changed, words(language), "")
    blocks = (block for _, section in changed.walk() if section.key != "short" for block in section.blocks)
    return [line.text for block in blocks if isinstance(block, Prose) for line in new.units(block)]


def without_words(context: ProseContext, e: s.Expression, negated: bool = False) -> Sentence:
    """Verbalise a condition as if those about the added value were of a construct without words."""
    if any(isinstance(node, s.Name) and node.text == "mark" for node in s.walk(e)):
        raise NotVerbalisable(e)
    return conditions.condition(context, e, negated)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("wongar/initiated", "de"),
        ("tongiaki", "nl"),
        ("ubongo", "it"),
        ("kuhn_poker", "en"),
        ("goofspiel", "de"),
        ("tictactoe", "it"),
    ],
)
def test_a_condition_that_a_variant_adds_to_an_option_is_told(
    name: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, numbers = restricted(name)
    assert numbers
    changed, plain = variant(name, text), pipeline.VERBALISERS
    worded = document_of(changed)
    # Only this book is planned without words: others are kept for further tests.
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "VERBALISERS", Verbalisers(plain.value, without_words, plain.domain, plain.body))
        written = rulebook(changed, words("en"))
    for document in (worded, written):
        for lines in (book_lines(document, language), changed_lines(name, document, language)):
            assert [number for number in numbers if not any(str(number) in line for line in lines)] == []


def test_another_selection_of_an_option_without_words_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(context: ProseContext, *_: object) -> object:
        raise NotVerbalisable(next(iter(context.model.code.procedures)))

    plain = pipeline.VERBALISERS
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "VERBALISERS", Verbalisers(plain.value, plain.condition, without, plain.body))
        changed = rulebook(variant("nim", "set n of take in choice turn to 1 to 2"), words("en"))
    for lines in (book_lines(changed, "en"), changed_lines("nim", changed, "en")):
        assert any("1 to 2" in line for line in lines)


OPTIONS = """
board cell
    grid 3 by 3
enum tint = red, blue
remember tide: number 0 to 999 = 0
remember mark of each cell: number 0 to 999 = 0
remember shade of each tint: number 0 to 999 = 0
score points
play
    repeat until tide > 90
        for each p in player
            p chooses turn
{options}
    end game
winner p
    most points of p
"""
SELECTIONS = {
    "an area": ("here: cell", "set mark of here to tide"),
    "an area with a property": ("here: cell where mark of here < 100", "set mark of here to tide"),
    "an area and a number": ("here: cell, n: 1 to 3", "set mark of here to n"),
    "a kind and an area": ("hue: tint, here: cell", "set mark of here to shade of hue"),
}
#: Conditions with a number, and whether they are about the selected area alone; a long one follows the action.
CONDITIONS = {
    "tide < 201": False,
    "(some c in cell where mark of c < 201)": False,
    "mark of here < 201": True,
    "mark of here < 201 or tide > 7": True,
    "mark of here > 201 and (tide > 7 or tide < 3)": False,
    "(some c in cell touching here where mark of c < 201)": True,
    "(no c in cell where c is not here and mark of c > mark of here + 201)": True,
    "(every c in cell has (mark of c < 201 or c is here))": True,
}
LONG = ("mark of here < 201 or tide > 7", "mark of here > 201 and (tide > 7 or tide < 3)")
IF = {"en": "If", "de": "Wenn", "nl": "Als", "it": "Se"}
#: The words of a relative clause with a whole condition in it, as *for which it is true that*.
HOLDS = {"en": "true", "de": "gilt", "nl": "geldt", "it": "vale"}


def option_text(option: str, language: str, several: bool = True) -> str:
    """Return the course of a game with an option, and with another one if there are `several`."""
    lines = [*option.splitlines(), "    set tide to tide + 1"]
    lines += ["wait", "    p gains 1 points"] * several + ["otherwise", "    set tide to tide + 1"]
    return text_of_book(small(OPTIONS.format(options="\n".join(" " * 16 + line for line in lines))), language, "play")


@pytest.mark.parametrize("several", [False, True], ids=["one option", "several options"])
@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_on_a_selection_follows_it(condition: str, selection: str, several: bool) -> None:
    parameters, deed = SELECTIONS[selection]
    for language in LANGUAGES:
        text = option_text(f"paint({parameters}) if {condition}\n    {deed}", language, several)
        [line] = (line for line in text.splitlines() if "201" in line)
        if CONDITIONS[condition]:
            assert not line.strip("– ").startswith(f"{IF[language]} "), line
            # A list of selections does not continue after the condition.
            assert "n: 1 to 3" not in parameters or text.index(" 3") < text.index("201"), text
        if condition in LONG and selection in ("an area", "an area and a number"):
            assert HOLDS[language] not in text, text


@pytest.mark.parametrize(
    ("selection", "patterns"),
    [
        ("n: 1 to mark of here) if n < 201", dict.fromkeys(LANGUAGES, r"\(.*201|201.*\(")),
        ("n: 1 to 9) if tide > n", {"en": "less than", "de": "kleiner", "nl": "kleiner", "it": "minore"}),
    ],
)
def test_a_condition_on_a_number_begins_with_it_and_does_not_follow_its_bound(
    selection: str, patterns: dict[str, str]
) -> None:
    for language in LANGUAGES:
        assert re.search(
            patterns[language], option_text(f"paint(here: cell, {selection}\n    set mark of here to n", language)
        )


def test_a_long_condition_of_a_simultaneous_choice_follows_the_action() -> None:
    condition = "worth of bidden <= 2 or size of holding of p = 1"
    changed = variant("goofspiel", f"allow play in choice bidding only if {condition}")
    for language in LANGUAGES:
        text = text_of_book(changed, language, "play")
        assert HOLDS[language] not in text
        assert ").\n" in text


COLOURED = """    for each c in cell where {}
        set mark of c to 7
    if (some c in cell where mark of c > 3)
        end game
winner"""


@pytest.mark.parametrize("condition", ["mark of c < 1 or tide = 201", "tide = 201 and (mark of c < 1 or tide > 7)"])
def test_a_long_clause_inside_a_sentence_ends_with_a_comma(condition: str) -> None:
    head, tail = OPTIONS[: OPTIONS.index("    repeat")], OPTIONS.partition("winner")[2]
    rules = small(head + COLOURED.format(condition) + tail)
    for language in LANGUAGES:
        [line] = (line for line in told(rules, "play", language) if "201" in line)
        assert line.count(HOLDS[language]) == 1, line
        assert ", " in line[max(line.rindex("201"), line.rindex("7") - 20) :], line


#: The word for the time after the action.
THEN = {"en": "then", "de": "danach", "nl": "daarna", "it": "poi"}


@pytest.mark.parametrize(
    ("condition", "languages"),
    [
        ("(no q in player where berth[tonga, strand, q, ship] > 4)", ("de", "nl")),
        ("berth[tonga, strand, left of p, ship] < 4", ("it", "en")),
    ],
)
def test_a_condition_is_told_before_what_holds_after_the_action(condition: str, languages: tuple[str, ...]) -> None:
    changed = document_of(variant("tongiaki", f"allow place in choice first_ship only if {condition}"))
    for language in languages:
        [line] = (line for line in changed_lines("tongiaki", changed, language) if "4" in line)
        assert 0 < line.index("4") < line.index(f" {THEN[language]} "), line


REPEATED = """define somewhere(kind: token, me: player) =
    some there in area where ground[there, me, kind] > {limit}
replace effect four_rituals for me at here: area
    I choose step
        put(kind: token where {asked})
            {loop}
                if {asked}
                    {deed}
        otherwise
            impossible
"""
#: A step that requires that its place is not empty, and a decision that requires such a place.
MOVED = "move 1 kind from supply of me to ground[here, me]"
SELECTED = """I choose whence
                        fetch(there: area where ground[there, me, kind] > 0)
                            move 1 kind from ground[there, me] to supply of me
                        otherwise
                            nothing"""
SOME = "some a in area where ground[a, me, kind]"
#: The condition is told as *possible*, or in full with its number 3.
POSSIBLE = {"en": "possible", "de": "möglich", "nl": "mogelijk", "it": "possibil"}


@pytest.mark.parametrize("loop", ["repeat 2 times", "for each q in player"])
@pytest.mark.parametrize(
    ("condition", "deed", "limit", "only_possible"),
    [
        ("supply[me, kind] > 0", MOVED, 0, True),
        ("supply[me, kind] > 3", MOVED, 0, False),
        ("supply[me, kind] > 3", "move 2 kind from supply of me to ground[here, me]", 0, False),
        ("somewhere(kind, me)", SELECTED, 0, True),
        ("somewhere(kind, me)", SELECTED, 3, False),
        (f"({SOME} > 0)", SELECTED, 0, True),
        (f"({SOME} > 3)", SELECTED, 0, False),
        ("points of me > 3", MOVED, 0, False),
    ],
)
def test_only_a_condition_without_which_a_step_is_impossible_is_told_as_its_possibility(
    loop: str, condition: str, deed: str, limit: int, only_possible: bool
) -> None:
    rules = variant("wongar", REPEATED.format(asked=condition, loop=loop, deed=deed, limit=limit))
    for language in LANGUAGES:
        text = "\n".join(lines_of(rules, "four_rituals", language))
        assert (POSSIBLE[language] in text) == only_possible, (language, text)
        assert text.count("3") == (0 if only_possible else 2), (language, text)


FOLDED = """
option limit = {limit} in 1 to 9
remember n: number = 0
score points
play
    for each p in player
        {decision}
            big if limit > 4
                p gains 11 points
            huge if limit > 6 and n < 8
                p gains 12 points
                set n to n + 1
            small
                p gains 13 points
    end game
winner p
    most points of p
"""


@pytest.mark.parametrize("decision", ["p chooses turn", "each q in player where q is p chooses turn at once"])
@pytest.mark.parametrize(("limit", "offered"), [(3, {"13"}), (5, {"11", "13"}), (7, {"11", "12", "13"})])
def test_a_condition_known_before_play_decides_whether_an_option_is_told(
    decision: str, limit: int, offered: set[str]
) -> None:
    for language in LANGUAGES:
        text = text_of_book(small(FOLDED.format(limit=limit, decision=decision)), language, "play")
        assert {number for number in ("11", "12", "13") if number in text} == offered
        assert not {"4", "6"} & set(re.findall(r"\d+", text))
        assert ("8" in text) is (limit == 7)


WALK = """
board cell
    grid 2 by 2
remember mark of each cell: yes or no = no
remember tide: number 0 to 99 = 0
score points
play
    repeat until tide > 9
        for each p in player
            turn(p)
    end game
rule turn(me: player)
    I choose walk
        go(here: cell where not mark of here)
            set mark of here to yes
            {then}
        otherwise
            {fallback}
    set tide to tide + 1
winner p
    most points of p
"""
GAIN, LATER = "I gain 11 points", "\n            set tide to 22"


def depths(then: str, fallback: str, language: str) -> list[tuple[int, str]]:
    """Return the lines of the rule with the choice, with their depths."""
    units = units_of(small(WALK.format(then=then, fallback=fallback.replace("\n", f"\n{' ' * 12}"))), "turn", language)
    return [(unit.depth, unit.text) for unit in units]


@pytest.mark.parametrize("then", [GAIN, GAIN + LATER])
@pytest.mark.parametrize("fallback", ["I gain 77 points", "set tide to 77", "set tide to 66\nI gain 77 points"])
def test_consequences_are_grouped_above_a_fallback_after_which_play_continues(then: str, fallback: str) -> None:
    for language in LANGUAGES:
        (depth, _), *below = depths(then, fallback, language)
        consequences = [at for at, (_, text) in enumerate(below) if "11" in text or "22" in text]
        assert all(below[at][0] > depth for at in consequences)
        [after] = [at for at, (_, text) in enumerate(below) if "77" in text]
        assert len(consequences) == 1 + (LATER in then)
        assert max(consequences) < after
        assert below[max(consequences) + 1][0] == depth


@pytest.mark.parametrize("fallback", ["end game", "end rule", "I gain 77 points\nend rule"])
def test_consequences_follow_a_fallback_that_ends_the_rule(fallback: str) -> None:
    for language in LANGUAGES:
        lines = depths(GAIN, fallback, language)
        assert [depth for depth, text in lines if "11" in text] == [lines[0][0]]


STAY = """allow stay in choice trip only if {} or finished = 4
add to choice trip
    otherwise
        nothing
"""
AMOUNTS = ("amount(p, 1)", "amount(p, 2)", "amount(left of p, 1)", "amount(left of left of p, 1)", "amount(starter, 1)")
LIMITS = ("colours_with(p, 2)", "colours_with(p, 3)", "colours_with(left of p, 2)", "colours_with(starter, 2)")
OTHERS = ("amount(q, 1)", "amount(p, 1)", "amount(left of q, 1)", "colours_with(q, 2)", "colours_with(p, 2)")
#: Conditions with different amounts: phrases, clauses, amounts of other players, and both sides of comparisons.
DIFFERENT = (
    tuple(f"{value} >= 3" for value in AMOUNTS),
    tuple(f"{value} >= 3" for value in LIMITS),
    tuple(f"(no q in player where {value} >= 3)" for value in OTHERS),
    *((f"{AMOUNTS[0]} > {other}", f"{other} > {AMOUNTS[0]}") for other in AMOUNTS[1:]),
)


def alike(asked: tuple[str, ...], language: str) -> list[tuple[str, str]]:
    """Return the pairs of conditions with the same text."""
    texts = {condition: told(variant("ubongo", STAY.format(condition)), "solved", language) for condition in asked}
    return [(one, other) for one, other in combinations(texts, 2) if texts[one] == texts[other]]


@pytest.mark.parametrize("asked", DIFFERENT)
def test_different_amounts_have_different_words(asked: tuple[str, ...]) -> None:
    for language in LANGUAGES:
        assert alike(asked, language) == []


@pytest.mark.parametrize("game", ["wongar", "wongar/initiated", "tongiaki", "ubongo", "kuhn_poker", "nim"])
def test_sentence_of_a_rule_names_what_is_chosen_in_order(game: str) -> None:
    """A later choice may be described by an earlier one: *a beach of this island*."""
    rules = model(game)
    for language in LANGUAGES:
        speech = load_locale(language, ())
        for name, slots in sentences_of(rules):
            if name.startswith("rule.") and words(language).has_message(name, rules.scope):
                parts = speech.template(name, rules.scope).parts
                chosen = [slot for slot, kind in slots.items() if kind.kind != "player"]
                named = [part.name for part in parts if isinstance(part, Slot) and part.name in chosen]
                assert named == [slot for slot in chosen if slot in named], name
