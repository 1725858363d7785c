"""Each condition of each option is told, in the rulebook and in the differences of the variant that adds it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose import pipeline
from wongar_dsl.nlg.prose.content import conditions
from wongar_dsl.nlg.prose.context import NotVerbalisable, ProseContext, Verbalisers
from wongar_dsl.nlg.prose.document.document_model import Prose, Rulebook
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Sentence

from .books import LANGUAGES, book, document_of, lines_of, model, rules_in, rules_of, text_of_book, words

GAMES = ("wongar", "wongar/initiated", "tongiaki", "ubongo", "kuhn_poker", "goofspiel", "tictactoe")
#: The number in the condition of the first option; each further option has the next one.
FIRST = 201


def choices_of(model: Model) -> dict[str, s.Choose | s.ChooseSimultaneously]:
    nodes = (node for article in model.code.procedures for node in s.walk(article))
    choosing = (node for node in nodes if isinstance(node, s.Choose | s.ChooseSimultaneously))
    return {node.name.text: node for node in choosing if node.name is not None}


def restricted(name: str) -> tuple[str, range]:
    """Return a variant with a further condition for every option, and the numbers in these conditions."""
    lines = [f"variant strict of {name}", "    source house rule", "", "remember mark: number 0 to 999 = 0"]
    lines += ["before play", "    set mark to 7"]
    number = FIRST
    for choice, node in choices_of(model(name)).items():
        for option in node.options:
            lines.append(f"allow {option.name.text} in choice {choice} only if mark > {number}")
            number += 1
        if isinstance(node, s.Choose) and node.otherwise is None:
            lines += [f"add to choice {choice}", "    otherwise", "        nothing"]
    return "\n".join(lines) + "\n", range(FIRST, number)


@cache
def base_of(name: str, language: str) -> RealisedRulebook:
    return RealisedRulebook(book(name), words(language), "")


def changed_lines(name: str, changed: Rulebook, language: str) -> list[str]:
    """Return the lines of a variant's rulebook that differ from its base."""
    new = RealisedRulebook(changed, words(language), "")
    changes = (change for part in differences(base_of(name, language), new) for change in part.changes)
    return [change.text for change in changes if change.sort != "kept"]


def told(name: str, changed: Rulebook, language: str) -> tuple[list[str], list[str]]:
    """Return the lines of a variant's rulebook, and the lines that differ from its base."""
    new = RealisedRulebook(changed, words(language), "")
    blocks = (block for _, section in changed.walk() if section.key != "short" for block in section.blocks)
    lines = [line.text for block in blocks if isinstance(block, Prose) for line in new.units(block)]
    return lines, changed_lines(name, changed, language)


def without_words(context: ProseContext, e: s.Expression, negated: bool = False) -> Sentence:
    """Verbalise a condition as if those about the added value were of a construct without words."""
    if any(isinstance(node, s.Name) and node.text == "mark" for node in s.walk(e)):
        raise NotVerbalisable(e)
    return conditions.condition(context, e, negated)


@pytest.mark.parametrize("name", GAMES)
def test_a_condition_that_a_variant_adds_to_an_option_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, numbers = restricted(name)
    assert numbers
    changed, plain = rules_of("strict.rules", text), pipeline.VERBALISERS
    planned = {"worded": rulebook(changed, words("en"))}
    # Only this book is planned without words: others are kept for further tests.
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "VERBALISERS", Verbalisers(plain.value, without_words, plain.domain, plain.body))
        planned["as written"] = rulebook(changed, words("en"))
    untold = [
        (number, how, language)
        for language in LANGUAGES
        for how, document in planned.items()
        for lines in told(name, document, language)
        for number in numbers
        if not any(str(number) in line for line in lines)
    ]
    assert untold == []


def test_another_selection_of_an_option_without_words_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(context: ProseContext, *_: object) -> object:
        raise NotVerbalisable(next(iter(context.model.code.procedures)))

    plain = pipeline.VERBALISERS
    text = "variant strict of nim\n    source house rule\n\nset n of take in choice turn to 1 to 2\n"
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "VERBALISERS", Verbalisers(plain.value, plain.condition, without, plain.body))
        changed = rulebook(rules_of("strict.rules", text), words("en"))
    for lines in told("nim", changed, "en"):
        assert any("1 to 2" in line for line in lines)


OPTIONS = """game options
    players 2
    source house rule
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
#: Conditions with a number, and whether they are about the selected area.
CONDITIONS = {
    "tide < 201": False,
    "(some c in cell where mark of c < 201)": False,
    "mark of here < 201": True,
    "mark of here < 201 or tide > 7": True,
    "(some c in cell touching here where mark of c < 201)": True,
    "(no c in cell where c is not here and mark of c > mark of here + 201)": True,
    "(every c in cell has (mark of c < 201 or c is here))": True,
}
IF = {"en": "If", "de": "Wenn", "nl": "Als", "it": "Se"}


@pytest.mark.parametrize("several", [False, True], ids=["one option", "several options"])
@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_on_a_selection_follows_it(condition: str, selection: str, several: bool) -> None:
    parameters, deed = SELECTIONS[selection]
    lines = [f"paint({parameters}) if {condition}", f"    {deed}", "    set tide to tide + 1"]
    lines += ["wait", "    p gains 1 points"] * several + ["otherwise", "    set tide to tide + 1"]
    model = rules_of("options.rules", OPTIONS.format(options="\n".join(" " * 16 + line for line in lines)))
    for language in LANGUAGES:
        text = text_of_book(model, language, "play")
        [line] = (line for line in text.splitlines() if "201" in line)
        if CONDITIONS[condition]:
            assert not line.strip("– ").startswith(f"{IF[language]} "), line
            # A list of selections does not continue after the condition.
            assert "n: 1 to 3" not in parameters or text.index(" 3") < text.index("201"), text


#: The words of a relative clause with a whole condition in it, as *for which it is true that*.
HOLDS = {"en": "true", "de": "gilt", "nl": "geldt", "it": "vale"}
LESS = {"en": "less than", "de": "kleiner", "nl": "kleiner", "it": "minore"}


def told_play(folder: Path, text: str, language: str) -> str:
    path = folder / "options.rules"
    path.write_text(text, encoding="utf-8")
    return text_of_book(rules_in(path), language, "play")


def option_text(folder: Path, option: str, language: str, several: bool = True) -> str:
    """Return the course of a game with an option, and with another one if there are `several`."""
    lines = [*option.splitlines(), "    set tide to tide + 1"]
    lines += ["wait", "    p gains 1 points"] * several + ["otherwise", "    set tide to tide + 1"]
    return told_play(folder, OPTIONS.format(options="\n".join(" " * 16 + line for line in lines)), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("several", [False, True], ids=["one option", "several options"])
@pytest.mark.parametrize("selection", ["an area", "an area and a number"])
@pytest.mark.parametrize("condition", ["mark of here < 201 or tide > 7", "mark of here > 7 and (tide > 7 or tide < 3)"])
def test_a_long_condition_on_a_selection_follows_the_action(
    condition: str, selection: str, several: bool, language: str, tmp_path: Path
) -> None:
    parameters, deed = SELECTIONS[selection]
    text = option_text(tmp_path, f"paint({parameters}) if {condition}\n    {deed}", language, several)
    assert HOLDS[language] not in text, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_condition_on_a_number_does_not_follow_its_bound(tmp_path: Path, language: str) -> None:
    option = "paint(here: cell, n: 1 to mark of here) if n < 201\n    set mark of here to n"
    [line] = (line for line in option_text(tmp_path, option, language).splitlines() if "201" in line)
    assert "(" in line, line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_condition_on_a_number_begins_with_the_number(tmp_path: Path, language: str) -> None:
    option = "paint(here: cell, n: 1 to 9) if tide > n\n    set mark of here to n"
    assert LESS[language] in option_text(tmp_path, option, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_condition_of_a_simultaneous_choice_follows_the_action(tmp_path: Path, language: str) -> None:
    condition = "worth of bidden <= 2 or size of holding of p = 1"
    text = f"variant v of goofspiel\n    source house rule\nallow play in choice bidding only if {condition}\n"
    told_text = told_play(tmp_path, text, language)
    assert HOLDS[language] not in told_text
    assert ").\n" in told_text


LOOP = """
play
    for each c in cell where {condition}
        set mark of c to 7
    if (some c in cell where mark of c > 3)
        end game
"""


def loop_line(folder: Path, condition: str, language: str) -> str:
    text = OPTIONS[: OPTIONS.index("\nplay")] + LOOP.format(condition=condition) + OPTIONS[OPTIONS.index("winner") :]
    [line] = (line for line in told_play(folder, text, language).splitlines() if "201" in line)
    return line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("condition", ["mark of c < 1 or tide = 201", "tide = 201 and (mark of c < 1 or tide > 7)"])
def test_a_long_clause_inside_a_sentence_ends_with_a_comma(tmp_path: Path, condition: str, language: str) -> None:
    line = loop_line(tmp_path, condition, language)
    assert line.count(HOLDS[language]) == 1, line
    assert ", " in line[max(line.rindex("201"), line.rindex("7") - 20) :], line


#: The word for the time after the action.
THEN = {"en": "then", "de": "danach", "nl": "daarna", "it": "poi"}


@pytest.mark.parametrize(
    "condition",
    ["(no q in player where berth[tonga, strand, q, ship] > 4)", "berth[tonga, strand, left of p, ship] < 4"],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_condition_is_told_before_what_holds_after_the_action(condition: str, language: str) -> None:
    text = f"variant v of tongiaki\n    source house rule\nallow place in choice first_ship only if {condition}\n"
    changed = document_of(rules_of("strict.rules", text))
    [line] = (line for line in changed_lines("tongiaki", changed, language) if "4" in line)
    assert 0 < line.index("4") < line.index(f" {THEN[language]} "), line


REPEATED = """variant repeated of wongar
    source house rule
define somewhere(kind: token, me: player) =
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
    rules = rules_of("repeated.rules", REPEATED.format(asked=condition, loop=loop, deed=deed, limit=limit))
    for language in LANGUAGES:
        text = "\n".join(lines_of(rules, "four_rituals", language))
        assert (POSSIBLE[language] in text) == only_possible, (language, text)
        assert text.count("3") == (0 if only_possible else 2), (language, text)


FOLDED = """game folded
    players 2
    source house rule
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("decision", ["p chooses turn", "each q in player where q is p chooses turn at once"])
@pytest.mark.parametrize(("limit", "offered"), [(3, {"13"}), (5, {"11", "13"}), (7, {"11", "12", "13"})])
def test_a_condition_known_before_play_decides_whether_an_option_is_told(
    tmp_path: Path, language: str, decision: str, limit: int, offered: set[str]
) -> None:
    text = told_play(tmp_path, FOLDED.format(limit=limit, decision=decision), language)
    assert {number for number in ("11", "12", "13") if number in text} == offered
    assert not {"4", "6"} & set(re.findall(r"\d+", text))
    assert ("8" in text) is (limit == 7)
