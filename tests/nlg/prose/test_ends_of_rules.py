"""Ends of rules: the text tells the lines after a result or `end rule` for exactly the cases that reach them."""

from __future__ import annotations

import pytest

from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook

from .books import LANGUAGES, document_of, small, told, units_of, variant, words

RULES = """
remember tide: number 0 to 999 = 0
score points
rule inner(me: player){gives}
{body}
play
    repeat until tide > 900
        for each p in player
{call}
            p gains 99 points
        set tide to tide + 1
    end game
winner p
    most points of p
"""
#: Bodies of a rule that is written out in the play, or that gives a result, with their English lines.
BODIES = (
    ("if tide > 3\n    end rule\nme gains 21 points",
     "If tide is at most 3, the player gains 21 points."),
    ("if tide > 3\n    me gains 21 points\n    end rule\nme gains 22 points",
     "If tide is more than 3, the player gains 21 points.\nOtherwise they gain 22 points."),
    ("if tide > 3\n    end rule\nif tide > 2\n    end rule\nif tide > 1\n    end rule\nme gains 21 points",
     "If tide is at most 3, tide is at most 2 and tide is at most 1, the player gains 21 points."),
    ("if tide > 3\n    give 31\nif tide > 2\n    give 31\nif tide > 1\n    give 31\nme gains 21 points\ngive 31",
     "If tide is more than 3, the result is 31.\nOtherwise, if tide is more than 2, the result is 31."
     "\nOtherwise, if tide is more than 1, the result is 31.\nOtherwise:\n  The player gains 21 points."
     "\n  The result is 31."),
    ("me gains 21 points\nif tide > 3\n    end rule\nme gains 22 points\nif tide > 2\n    end rule"
     "\nme gains 23 points",
     "They gain 21 points.\nIf tide is at most 3:\n  The player gains 22 points."
     "\n  If tide is at most 2, the player gains 23 points."),
    ("me gains 21 points\nif tide > 3\n    give 31\nme gains 22 points\nif tide > 2\n    give 31\nme gains 23 points"
     "\ngive 31",
     "The player gains 21 points.\nIf tide is more than 3, the result is 31.\nOtherwise:"
     "\n  The player gains 22 points.\n  If tide is more than 2, the result is 31.\n  Otherwise:"
     "\n    The player gains 23 points.\n    The result is 31."),
    ("if tide > 3\n    end rule\notherwise if tide > 2\n    me gains 21 points\notherwise\n    me gains 22 points"
     "\n    end rule\nme gains 23 points",
     "If tide is at most 3 and tide is more than 2, the player gains 21 points and 23 points."
     "\nOtherwise, if tide is at most 3, the player gains 22 points."),
    ("if tide > 3\n    give 31\notherwise if tide > 2\n    me gains 21 points\notherwise\n    me gains 22 points"
     "\n    give 31\nme gains 23 points\ngive 31",
     "If tide is more than 3, the result is 31.\nOtherwise, if tide is more than 2:"
     "\n  The player gains 21 points and 23 points.\n  The result is 31.\nOtherwise:\n  The player gains 22 points."
     "\n  The result is 31."),
    ("if tide > 3\n    end rule\notherwise if tide > 2\n    me gains 21 points\notherwise\n    me gains 22 points"
     "\nme gains 23 points",
     "The following steps are taken in order:\n  If tide is more than 3, the rest of these steps is skipped."
     "\n  Otherwise, if tide is more than 2, the player gains 21 points.\n  Otherwise they gain 22 points."
     "\n  They gain 23 points."),
    ("if tide > 3\n    me gains 21 points\n    if tide > 2\n        end rule\nme gains 22 points",
     "The following steps are taken in order:\n  If tide is more than 3:\n    The player gains 21 points."
     "\n    If tide is more than 2, the rest of these steps is skipped.\n  The player gains 22 points."),
    ("if tide > 3\n    if tide > 2\n        end rule\n    me gains 21 points\nme gains 22 points",
     "The following steps are taken in order:\n  If tide is more than 3:"
     "\n    If tide is more than 2, the rest of these steps is skipped.\n    The player gains 21 points."
     "\n  They gain 22 points."),
    ("if tide > 3\n    if tide > 2\n        give 31\n    me gains 21 points\nme gains 22 points\ngive 31",
     "If tide is more than 3:\n  If tide is more than 2:\n    The result is 31."
     "\n    The rest of this section is skipped.\n  The player gains 21 points.\nThey gain 22 points."
     "\nThe result is 31."),
    ("if tide > 3\n    if tide > 2\n        end rule\n    otherwise\n        me gains 21 points\n        end rule"
     "\nme gains 22 points",
     "If tide is more than 3:\n  If tide is at most 2, the player gains 21 points.\nOtherwise they gain 22 points."),
    ("if tide > 3\n    if tide > 2\n        give 31\n    otherwise\n        me gains 21 points\n        give 31"
     "\nme gains 22 points\ngive 31",
     "If tide is more than 3:\n  If tide is more than 2, the result is 31.\n  Otherwise:"
     "\n    The player gains 21 points.\n    The result is 31.\nOtherwise:\n  The player gains 22 points."
     "\n  The result is 31."),
    ("for each q in player\n    if tide > 3\n        end rule\n    me gains 21 points",
     "For every player, in order:\n  If tide is more than 3, these steps end here, also for those still to come."
     "\n  The player “p” gains 21 points."),
    ("if tide > 2\n    end rule\nfor each q in player\n    me gains 21 points\n    if tide > 3\n        end rule"
     "\n    me gains 22 points",
     "If tide is at most 2:\n  For every player, in order:\n    The player “p” gains 21 points."
     "\n    If tide is more than 3, these steps end here, also for those still to come."
     "\n    The player “p” gains 22 points."),
    ("if tide > 2\n    give 31\nfor each q in player\n    me gains 21 points\n    if tide > 3\n        give 31"
     "\n    me gains 22 points\ngive 31",
     "If tide is more than 2, the result is 31.\nOtherwise:\n  For every player, in order:"
     "\n    The player gains 21 points.\n    If tide is more than 3:\n      The result is 31."
     "\n      The rest of this section is skipped.\n    The player gains 22 points.\n  The result is 31."),
    ("for each q in player\n    me gains 21 points\n    if tide > 3\n        end rule\nme gains 22 points",
     "The following steps are taken in order:\n  For every player, in order:\n    The player “p” gains 21 points."
     "\n    If tide is more than 3, the rest of these steps is skipped.\n  The player “p” gains 22 points."),
    ("for each q in player\n    for each r in player\n        me gains 21 points\n        if tide > 3"
     "\n            end rule\n    me gains 22 points",
     "The following steps are taken in order:\n  For every player, in order:\n    For every player, in order:"
     "\n      The player “p” gains 21 points.\n      If tide is more than 3, the rest of these steps is skipped."
     "\n    The player “p” gains 22 points."),
    ("let high = tide > 3\nif high\n    end rule\nme gains 21 points",
     "If tide is at most 3, the player gains 21 points."),
)  # fmt: skip


def model_with(body: str) -> Model:
    """Return a game whose play calls a rule with a body: for its result, if it gives one, or as a statement."""
    result = "give " in body.partition("\nrule ")[0]
    text = "\n".join(line if line.startswith("rule ") else f"    {line}" for line in body.splitlines())
    call = " " * 12 + ("p gains inner(p) points" if result else "inner(p)")
    return small(RULES.format(body=text, call=call, gives=" gives number" if result else ""))


@pytest.mark.parametrize(("body", "text"), BODIES)
def test_what_follows_the_end_of_a_rule_is_told_for_the_cases_that_reach_it(body: str, text: str) -> None:
    units = units_of(model_with(body), "inner" if "give " in body else "play", "en")
    lines = units if "give " in body else units[2:-3]
    depth = min(line.depth for line in lines)
    assert "\n".join("  " * (line.depth - depth) + line.text for line in lines) == text


TEXTS = {
    "en": ("The following steps are taken in order:", "If tide is more than 3, the rest of these steps is skipped.",
           "Otherwise, if tide is more than 2, the result is 32.", "Otherwise the result is 33."),
    "de": ("Es folgen diese Schritte:", "Wenn tide größer ist als 3, entfällt der Rest dieser Schritte.",
           "Sonst, wenn tide größer ist als 2, ist das Ergebnis 32.", "Sonst ist das Ergebnis 33."),
    "nl": ("Er volgen deze stappen:", "Als tide groter is dan 3, vervalt de rest van deze stappen.",
           "Anders, als tide groter is dan 2, is het resultaat 32.", "Anders is het resultaat 33."),
    "it": ("Si eseguono in ordine i passi seguenti:", "Se tide è maggiore di 3, il resto di questi passi si salta.",
           "Altrimenti, se tide è maggiore di 2, il risultato è 32.", "Altrimenti il risultato è 33."),
}  # fmt: skip


def test_ends_of_rules_read_well() -> None:
    loop = "for each q in player\n    me gains 21 points\n    if tide > 3\n        end rule\nme gains 22 points"
    written_out, given = model_with(loop), model_with("if tide > 3\n    give 31\nif tide > 2\n    give 32\ngive 33")
    for language, (lead, skipped, further, last) in TEXTS.items():
        assert {lead, skipped} <= {*told(written_out, "play", language)}
        assert told(given, "inner", language)[1:] == [further, last]


def test_after_a_quoted_condition_the_end_is_said() -> None:
    body = "if tide > 3\n    me gains 21 points\nif asks(me)\n    end rule\nif tide > 2\n    end rule"
    model = model_with(f"{body}\nme gains 22 points\n\nrule asks(me: player) gives yes or no\n    give tide > 4")
    units = units_of(model, "play", "en")
    [at] = [index for index, unit in enumerate(units) if unit.unsaid]
    below = units[at + 1].sentence
    assert below is not None
    assert below.message == "prose.end_steps"
    assert "prose.steps" in {unit.sentence.message for unit in units[:at] if unit.sentence is not None}
    assert RealisedRulebook(document_of(model), words("en"), "").missing_line_count == 1


#: A result without words, in a loop.
QUOTED = """rule better(p: player) gives yes or no
    for each r in rank
        if rank of holding of p is r
            give r > rank of holding of left of p
    give no
before rule settle
    if better(player(1))
        player(1) gains 1 chips
"""
SKIPPED = {
    "en": ("The rest of this section is skipped.", "This is not so."),
    "de": ("Der Rest dieses Abschnitts entfällt.", "Das gilt nicht."),
    "nl": ("De rest van dit", "Dit geldt niet."),
    "it": ("Il resto", "Ciò non vale."),
}


def test_a_quoted_result_ends_its_rule() -> None:
    changed = variant("kuhn_poker", QUOTED)
    for language, (begins, ends) in SKIPPED.items():
        *_, skipped, last = told(changed, "better", language)
        assert skipped.startswith(begins)
        assert last == ends


PASSES = """
score points
play
    {loop}
        for each p in player
            p gains 21 points
            if points of p > 50
                leave loop
            if points of p > 90
                p wins
winner p
    most points of p
"""


@pytest.mark.parametrize("loop", ["repeat", "repeat 5 times", "repeat until points of player(1) > 99"])
def test_leaving_a_pass_over_players_is_not_the_end_of_the_repetition(loop: str) -> None:
    model = small(PASSES.format(loop=loop))
    plans = repr(plan_of(model, next(a for a in model.code.articles if a.keyword == "play"), words("en"))[0])
    assert "prose.leave_each" in plans
    assert "prose.leave_loop" not in plans
    assert "prose.does_forever" not in plans


@pytest.mark.parametrize("more", ["", "    set tide to 0\n    me gains 23 points\n"])
def test_further_case_excludes_the_cases_before_it(more: str) -> None:
    """A further case begins with the words of the last one, above one line and above several."""
    body = f"if tide > 3\n    me gains 21 points\notherwise if tide > 2\n    me gains 22 points\n{more}"
    model = model_with(f"{body}otherwise\n    me gains 24 points")
    for language in LANGUAGES:
        lines = told(model, "play", language)
        [otherwise] = (line.split()[0] for line in lines if "24" in line)
        assert any(line.startswith(f"{otherwise},") for line in lines), lines
