"""A game's own sentence for setting a value is used only for values that it is true of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import write_rules

from .books import LANGUAGES, model, rules_in, rules_of, text_of_book
from .test_antecedents import lines

#: Parts of the games' own sentences.
RAISED = {"en": "raises the stake", "de": "den Einsatz auf", "nl": "de inzet tot", "it": "porta la posta"}
DETERMINED = {"en": "determined", "de": "steht damit fest", "nl": "staat daarmee vast", "it": "stabilita"}


def changed_rule(place: Path, game: str, step: str, rule: str, statement: str, language: str) -> list[str]:
    """Return the lines of a rule with one more statement."""
    path = place / "set.rules"
    path.write_text(
        f"variant set of {game}\n    source house rule\n{step} rule {rule}\n    {statement}\n", encoding="utf-8"
    )
    return lines(rules_in(path), rule, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("value", "raised"),
    [
        ("2", True),
        ("1", False),
        ("3 - stake of p", False),
        ("stake of left of p", False),
        ("lowest stake of q for q in player", False),
    ],
)
def test_a_stake_is_raised_only_to_its_upper_bound(tmp_path: Path, value: str, raised: bool, language: str) -> None:
    text, *_ = changed_rule(tmp_path, "kuhn_poker", "before", "settle", f"set stake of p to {value}", language)
    assert (RAISED[language] in text) == raised, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_without_the_index_needs_it_in_the_value(tmp_path: Path, language: str) -> None:
    base = "\n".join(lines(model("tongiaki"), "look_ahead", language))
    assert DETERMINED[language] in base
    statement = "set ahead[land, northeast] to island_card(tonga)"
    *_, text = changed_rule(tmp_path, "tongiaki", "after", "increase", statement, language)
    assert DETERMINED[language] not in text


#: Statements of Tongiaki that set values back which are at their start before a turn.
IDLE = ("something_new()", "nobody_served()", "forget_ahead()", "set discovered to nobody")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", IDLE)
def test_a_condition_of_an_idle_reset_is_told(tmp_path: Path, statement: str, language: str) -> None:
    asked = f"if supply[me, ship] > 4\n        {statement}"
    text, *_ = changed_rule(tmp_path, "tongiaki", "before", "take_turn", asked, language)
    assert "4" in text
    assert len(text[text.index("4") :].split(", ")) == 2, text


#: Words for the place at which a value is usually set back.
RESET = "if size of collection of p > 5\n        set finished to 0"
PLACE = {"en": "beginning|round", "de": "Beginn|Runde", "nl": "begin|ronde", "it": "inizio|giro"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reset_sentence_is_true_at_any_place(tmp_path: Path, language: str) -> None:
    [text] = (line for line in changed_rule(tmp_path, "ubongo", "after", "take_gems", RESET, language) if "5" in line)
    assert re.search(PLACE[language], text) is None, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", ["left of p wins", "nobody wins", "end game"])
def test_statements_after_the_end_of_the_game_are_not_told(statement: str, language: str) -> None:
    found = rules_of("end.rules", f"variant end of nim\n    source house rule\nbefore wins in play\n    {statement}\n")
    base, changed = model("nim"), found
    before, after = (lines(rules, "play", language) for rules in (base, changed))
    assert len(before) == len(after)
    assert before != after
    ends = [text_of_book(rules, language, "end").splitlines() for rules in (base, changed)]
    assert len(ends[0]) == len(ends[1])
    assert ends[0] != ends[1]


GUESTS = """variant guests of tictactoe
    source house rule
remember guest of each cell: player
remember favourite of each player: cell
after marked in play
    if guest of here is not nobody and favourite of p is nobody
        set guest of here to left of p
    for each c in cell where guest of c is nobody
        set guest of c to p
    if some c in cell where guest of c is not p and guest of c is not nobody
        set favourite of p to here
"""
#: That a thing has no value, that it has one, and words for both that call the value itself missing or present.
HAVING = {
    "en": ("has no (?:guest|favourite)", "has guest", "missing|present"),
    "de": ("keinen (?:guest|favourite) hat", "(?<!keinen )guest hat", "fehl|da ist"),
    "nl": ("geen (?:guest|favourite) heeft", "(?<!geen )guest heeft", "ontbreek"),
    "it": ("non ha nessun (?:guest|favourite)", "ha guest", "manca|c’è"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_thing_has_a_value_or_none(language: str) -> None:
    changed = rules_of("guests.rules", GUESTS)
    text = text_of_book(changed, language, "play")
    missing, present, other = HAVING[language]
    assert len(re.findall(missing, text)) == 2
    assert len(re.findall(present, text)) == 2
    assert re.findall(other, text) == []


#: An assignment in an option, and a part of the line that tells it; None if no player learns anything by it.
PEEKS = {
    "set peeked of p to top of stack": "peeked",
    "set warned to yes": None,
    "if top of stack is trap\n                        set warned to yes": "warned",
    "let c = top of stack\n                    set shown_kind to c": "shown kind",
    "note(top of stack)": "shown kind",
    "set shown_kind to first_of()": "shown kind",
    "set laid_aside to top of stack": None,
}
PEEKING = """
cards tile
    trap
    gem
deck box of tile
    3 trap, 3 gem
pile stack holds tile, seen by nobody
remember peeked of each player: tile, seen by owner
remember laid_aside: tile, seen by nobody
remember shown_kind: tile
remember warned: yes or no = no
setup
    fill stack with box
    shuffle stack
define first_of() = top of stack
rule note(c: tile)
    set shown_kind to c
play
    repeat 3 times
        for each p in player
            p chooses turn
                look
                    {deed}
                stop
                    nothing
    nobody wins
"""


@pytest.mark.parametrize("deed", PEEKS)
def test_a_value_by_which_a_player_learns_what_is_hidden_is_told(deed: str, tmp_path: Path) -> None:
    """Even if no rule reads it: players see it at the table."""
    text = text_of_book(rules_in(write_rules(tmp_path, PEEKING.format(deed=deed))), "en").casefold()
    names = ("peeked", "warned", "shown kind", "laid aside")
    told = [name for name in names if re.search(rf"{name}\b.* (is|becomes) ", text)]
    assert told == ([PEEKS[deed]] if PEEKS[deed] else [])
