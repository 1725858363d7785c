"""Reasons for failed conditions with alternatives: demands, facts that suffice, or the whole condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import Game

from .told import LANGUAGES, change, game_of, reasons, reasons_at_start, write_words

RULES = """
enum lamp = red, blue

remember lit of each lamp: yes or no = no

play
    repeat
        for each p in player
            p chooses turn
                light(what: lamp where not lit[what])
                    set lit[what] to yes
                over
                    p wins
"""
LEXICON = """\
games:
  small:
    red: {sg: red lamp, pl: red lamps}
    blue: {sg: blue lamp, pl: blue lamps}
"""
BURNING = {
    "small.state.lit": "{one:def} [burns|burn].",
    "small.state.lit.not": "{one:def} [does|do] not burn.",
}


#: Conditions with the lamps that are lit, the number that is chosen, and the reason.
REASONS = (
    ("n > 1", "", 1, "At least 2 is needed."),
    ("n <= 2", "", 3, "At most 2 is possible."),
    ("n = 2", "", 1, "Only 2 can be chosen here."),
    ("not (lit[red])", "red", 1, "The red lamp burns."),
    ("n is not 3", "", 3, "3 cannot be chosen here."),
    ("lit[red]", "", 1, "The red lamp does not burn."),
    ("not (not ((n > 1) or (n = 2)))", "", 1, "This is allowed only if the number “n” is more than 1 or is 2."),
    ("not (((n is not 3) and (n > 1) and (n > 1)) or (n > 1))", "", 2,
     "This is allowed only if the number “n” is 3, is at most 1 or is at most 1."),
    ("(not ((lit[blue]) or (n = 2) or (n is not 3))) or (not ((n <= 2) or (lit[red]) or (n <= 2)))", "red blue", 3,
     "The blue lamp burns and the red lamp burns."),
    ("((3 <= n) and (n <= 2)) or (n = 2)", "", 1,
     "This is allowed only if the number “n” is 2 or both 3 is at most the number “n” and the number “n” is at"
     " most 2."),
    ("(((lit[blue]) or (n is not 3)) or (n <= 2)) or (lit[blue])", "", 3,
     "This is allowed only if the blue lamp burns, the number “n” is not 3, is at most 2 or the blue lamp burns."),
    ("(n > 1) or ((not (3 <= n)) and (not (n is not 3)))", "", 1,
     "This is allowed only if the number “n” is more than 1 or both 3 is more than the number “n” and the number"
     " “n” is 3."),
    ("((lit[red]) or (not (n > 1))) and ((not (lit[red])) and ((n <= 2) and (n > 1)) and (not (3 <= n)))", "", 2,
     "This is allowed only if the red lamp burns or the number “n” is at most 1."),
    ("(((lit[blue]) and (3 <= n)) or ((n = 2) and (n = 2))) and (n is not 3)", "blue", 1,
     "This is allowed only if (the blue lamp burns and 3 is at most the number “n”) or both the number “n” is 2"
     " and is 2."),
    ("(((n <= 2) or (n = 2)) and (n is not 3)) and ((not (n = 2)) and ((n <= 2) or (n = 2)) and ((3 <= n) or"
     " (lit[blue]) or (3 <= n)))", "", 3,
     "This is allowed only if the number “n” is at most 2 or is 2."),
    ("not ((3 <= n) and (lit[blue]) and ((n is not 3) or (lit[red])))", "red blue", 3,
     "This is allowed only if 3 is more than the number “n”, the blue lamp does not burn or both the number “n”"
     " is 3 and the red lamp does not burn."),
    ("not (((n <= 2) or (3 <= n)) and (3 <= n) and (3 <= n))", "", 3,
     "This is allowed only if 3 is more than the number “n”, 3 is more than the number “n” or both the number “n”"
     " is more than 2 and 3 is more than the number “n”."),
    ("((not (n > 1)) or ((n > 1) or (lit[blue]) or (n = 2))) and ((not (n <= 2)) or (not (3 <= n))) and ((not"
     " (lit[blue])) and ((n is not 3) or (n is not 3)))", "", 3,
     "This is allowed only if the number “n” is not 3 or is not 3."),
    ("((n > 1) or (lit[blue])) and (((lit[blue]) and (n = 2)) and ((lit[blue]) or (3 <= n) or (lit[red])) and"
     " ((n <= 2) or (n = 2) or (lit[blue])))", "", 1,
     "This is allowed only if the number “n” is more than 1 or the blue lamp burns."),
    ("(((n <= 2) or (n = 2)) and (n is not 3)) and ((not (n = 2)) and ((n <= 2) or (n = 2)) and ((3 <= n) or"
     " (lit[blue]) or (3 <= n)))", "", 1,
     "This is allowed only if 3 is at most the number “n”, the blue lamp burns or 3 is at most the number “n”."),
    ("(n > 1) or ((not (lit[blue])) and ((n = 2) or (3 <= n) or (lit[red])))", "", 1,
     "This is allowed only if the number “n” is more than 1 or both the blue lamp does not burn and (the number"
     " “n” is 2, 3 is at most the number “n” or the red lamp burns)."),
    ("(((lit[red]) or (3 <= n) or (n = 2)) or ((3 <= n) or (lit[red]))) or (lit[red])", "", 1,
     "This is allowed only if the red lamp burns, 3 is at most the number “n”, the number “n” is 2, 3 is at most"
     " the number “n”, the red lamp burns or the red lamp burns."),
    ("((3 <= n) or (not (n is not 3))) or ((n > 1) and ((n <= 2) and (n is not 3))) or (lit[blue])", "", 1,
     "This is allowed only if 3 is at most the number “n”, the number “n” is 3, the blue lamp burns or both the"
     " number “n” is more than 1, is at most 2 and is not 3."),
    ("(not ((lit[blue]) or (n = 2) or (n is not 3))) or (not ((n <= 2) or (lit[red]) or (n <= 2)))", "", 1,
     "This is allowed only if (the blue lamp does not burn, the number “n” is not 2 and is 3) or both the number"
     " “n” is more than 2, the red lamp does not burn and the number “n” is more than 2."),
    ("(not ((n > 1) and (lit[red]))) or (not ((n > 1) or (3 <= n))) or ((not (n <= 2)) and (not (n = 2)))", "red", 2,
     "This is allowed only if the number “n” is at most 1, the red lamp does not burn, (the number “n” is at most"
     " 1 and 3 is more than the number “n”) or both the number “n” is more than 2 and is not 2."),
)  # fmt: skip


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("lamps")
    write_words(folder, LEXICON, BURNING)
    options = (
        f"                take_{number}(n: 1 to 3) if {condition}\n                    nothing\n"
        for number, (condition, *_) in enumerate(REASONS)
    )
    return game_of(folder, RULES + "".join(options), 1)


@pytest.mark.parametrize("number", range(len(REASONS)))
def test_a_reason_tells_what_is_needed_or_suffices_for_the_refusal(lamps: Game, number: int) -> None:
    _, lit, n, reason = REASONS[number]
    state, _ = lamps.start(1)
    for lamp in lit.split():
        state.apply(state.read(f"light({lamp})"))
    assert reasons(lamps, state, f"take_{number}({n})", "en", 0)[0] == reason


def refusal(folder: Path, condition: str) -> dict[str, str]:
    """Return the reason why one match of two cannot be taken under a condition, in every language."""
    changes = f"add to choice turn\n    rest\n        nothing\nallow take in choice turn only if {condition}"
    game = game_of(folder, change("nim", changes))
    return {language: reasons_at_start(game, "take(heap_b, 1)", language)[0] for language in LANGUAGES}


#: Conditions with the reasons in some languages.
ALTERNATIVES = {
    "size of box > 2 or n >= size of matches of chosen": {
        "de": "Das ist nur erlaubt, wenn in der Schachtel mehr als 2 Streichhölzer liegen oder die Zahl „n“ mindestens"
        " die Zahl der Streichhölzer auf Haufen B ist.",
        "it": "Questo è permesso solo se nella scatola si trovano più di 2 fiammiferi o il numero «n» è almeno il"
        " numero dei fiammiferi nel mucchio B.",
    },
    "chosen is heap_a or chosen is heap_c": {
        "de": "Das ist nur erlaubt, wenn der Haufen Haufen A ist oder Haufen C ist.",
        "nl": "Dat mag alleen als de hoop hoop A is of hoop C is.",
        "it": "Questo è permesso solo se il mucchio è mucchio A o è mucchio C.",
        "en": "This is allowed only if the heap is heap A or is heap C.",
    },
    "no h in stack where matches[h, match] > 2 and n < 2": {
        "nl": "Dat mag alleen als er geen hoop is waarin meer dan 2 lucifers liggen en waarvoor geldt dat het getal “n”"
        " kleiner is dan 2.",
        "en": "This is allowed only if there is no heap in which more than 2 matches lie and for which it is true that"
        " the number “n” is less than 2.",
    },
    "n = 2": {"de": "Nur 2 kommt in Frage.", "it": "Si può scegliere solo 2."},
    "2 <= n": {"nl": "Minstens 2 is nodig.", "en": "At least 2 is needed."},
}


@pytest.mark.parametrize("condition", ALTERNATIVES)
def test_alternatives_are_joined_in_every_language(condition: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, condition).items() >= ALTERNATIVES[condition].items()


def test_a_number_of_the_position_is_not_taken_for_the_chosen_one(tmp_path: Path) -> None:
    options = "let x = number of l in lamp where lit[l]\n            p chooses turn"
    rules = (
        RULES.replace("p chooses turn", options)
        + "                take(n: 1 to 3) if x > 1\n                    nothing\n"
    )
    said = reasons_at_start(game_of(tmp_path, rules, 1), "take(3)")
    assert said[0] == "The number “x” is 0; more than 1 is needed."


#: Comparisons that fail for one match of the two in a heap, with the limit behind what it limits and before it.
EITHER_WAY = [
    *((f"{what} {sign} {limit}", f"{limit} {mirrored} {what}") for what, sign, mirrored, limit in (
        ("n", ">", "<", 1), ("n", ">=", "<=", 2), ("n", "<", ">", 1), ("n", "<=", ">=", 0), ("n", "=", "=", 2),
        ("n", "is not", "is not", 1), ("size of matches of chosen", ">=", "<=", 3),
        ("size of matches of chosen", "<", ">", 2), ("size of matches of chosen - 1", "<", ">", 1),
    )),
    ("n < size of box", "size of box > n"),
    ("n > 1 and n < 4", "1 < n < 4"),
]  # fmt: skip


@pytest.mark.parametrize(("behind", "before"), EITHER_WAY)
def test_a_limit_before_what_it_limits_has_the_same_reason(behind: str, before: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, behind) == refusal(tmp_path, before)
