"""Ends of rules: the text tells the lines after a result or `end rule` for exactly the cases that reach them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import pytest

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.context import parts
from wongar_dsl.nlg.prose.micro.sentence_plan import Passage, Plan, PlanGroup, PlanLine, text_of
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Listing, NounPhrase, Sentence, Value

from .books import LANGUAGES, document_of, small, told, variant, words

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
#: Bodies of a rule; a condition and an action each have a number, and END stands for what ends the rule.
BODIES = {
    "at once": "if tide > 3\n    END\nme gains 21 points",
    "after an action": "if tide > 3\n    me gains 21 points\n    END\nme gains 22 points",
    "in a series": "if tide > 3\n    END\nif tide > 2\n    END\nif tide > 1\n    END\nme gains 21 points",
    "between actions": "me gains 21 points\nif tide > 3\n    END\nme gains 22 points\nif tide > 2\n    END\n"
    "me gains 23 points",
    "in all branches but one": "if tide > 3\n    END\notherwise if tide > 2\n    me gains 21 points\notherwise\n"
    "    me gains 22 points\n    END\nme gains 23 points",
    "in one branch of several": "if tide > 3\n    END\notherwise if tide > 2\n    me gains 21 points\notherwise\n"
    "    me gains 22 points\nme gains 23 points",
    "inside another condition": "if tide > 3\n    me gains 21 points\n    if tide > 2\n        END\nme gains 22 points",
    "inside another condition before an action": "if tide > 3\n    if tide > 2\n        END\n    me gains 21 points\n"
    "me gains 22 points",
    "in both branches of an inner condition": "if tide > 3\n    if tide > 2\n        END\n    otherwise\n"
    "        me gains 21 points\n        END\nme gains 22 points",
    "in the last loop": "for each q in player\n    if tide > 3\n        END\n    me gains 21 points",
    "in the last loop of a branch": "if tide > 2\n    END\nfor each q in player\n    me gains 21 points\n"
    "    if tide > 3\n        END\n    me gains 22 points",
    "in a loop before an action": "for each q in player\n    me gains 21 points\n    if tide > 3\n        END\n"
    "me gains 22 points",
    "in an inner loop": "for each q in player\n    for each r in player\n        me gains 21 points\n"
    "        if tide > 3\n            END\n    me gains 22 points",
    "under a named condition": "let high = tide > 3\nif high\n    END\nme gains 21 points",
}
CONDITIONS, ACTIONS = (1, 2, 3), range(21, 100)
#: Messages after which nothing more of a loop, of the rule or of the steps is done.
LEAVING = {"prose.leave_loop": "loop", "prose.leave_each": "loop", "prose.end_rule": "rule", "prose.end_steps": "steps"}


class Left(Exception):
    """Raised where a loop, a rule or a group of steps is left."""


def model_with(body: str, result: bool) -> Model:
    """Return a game whose play calls a rule with a body: for its result, or as a statement."""
    lines = body.replace("END", "give 31" if result else "end rule").splitlines()
    text = "\n".join(line if line.startswith("rule ") else f"    {line}" for line in lines)
    call = " " * 12 + ("p gains inner(p) points" if result else "inner(p)")
    return small(RULES.format(body=text, call=call, gives=" gives number" if result else ""))


def plans_for(model: Model, result: bool, language: str) -> tuple[Plan, ...]:
    """Return the plans for the rule, or for the play in which it is written out."""
    plays = next(article for article in model.merged.articles if isinstance(article, s.Play))
    return plan_of(model, model.code.rules["inner"] if result else plays, words(language))[0]


def numbers(value: Value) -> list[int]:
    """Return the numbers in a value, also those of counted things."""
    counts = [part.head.count if isinstance(part, NounPhrase) else part for part in parts(value)]
    return [count for count in counts if isinstance(count, int)]


def is_told_to_hold(condition: Sentence, true: frozenset[int]) -> bool:
    match condition:
        case Sentence(message="prose.and", values={"all": Listing(items=items)}):
            return all(isinstance(item, Sentence) and is_told_to_hold(item, true) for item in items)
    assert condition.message in ("prose.is_more", "prose.is_at_most")
    return (numbers(condition)[-1] in true) is (condition.message == "prose.is_more")


def actions_told(plans: Iterable[Plan], true: frozenset[int]) -> Iterator[int]:
    """Yield the numbers of the actions that a reader of the plans carries out if the conditions `true` hold."""
    taken = True
    for plan in plans:
        assert isinstance(plan, PlanLine | PlanGroup | Passage)
        if isinstance(plan, Passage):
            yield from actions_told(plan.parts, true)
            continue
        lead = plan.lead if isinstance(plan, PlanGroup) else plan.sentence
        kind = lead.message.removesuffix("_all")
        below: tuple[Plan, ...] = plan.parts if isinstance(plan, PlanGroup) else ()
        then, condition = lead.values.get("then"), lead.values.get("condition")
        if isinstance(then, Sentence):
            below = (PlanLine(then, plan.origin),)
        if kind in ("prose.if", "prose.otherwise_if", "prose.otherwise"):
            before = taken and kind != "prose.if"
            holds = kind == "prose.otherwise" or (isinstance(condition, Sentence) and is_told_to_hold(condition, true))
            taken = before or holds
            if holds and not before:
                yield from actions_told(below, true)
        elif kind in LEAVING:
            raise Left(LEAVING[kind])
        elif kind == "prose.steps":
            yield from until_left(actions_told(below, true), "steps")
        elif below:
            # Every loop over the players is carried out twice, the loop of the play once.
            whole = (actions_told(below, true) for _ in range(1 if kind == "prose.until" else 2))
            yield from until_left((number for turn in whole for number in turn), "loop")
        else:
            yield from (number for number in numbers(lead) if number in ACTIONS)


def until_left(actions: Iterator[int], what: str) -> Iterator[int]:
    try:
        yield from actions
    except Left as left:
        if str(left) != what:
            raise


def actions_of(block: s.Block, true: frozenset[int], model: Model) -> Iterator[int]:
    """Yield the numbers of the actions of a block if the conditions `true` hold."""
    for statement in block:
        match statement:
            case s.If(branches=branches, otherwise=otherwise):
                chosen = (body for asked, body in branches if not condition_numbers(asked, model).isdisjoint(true))
                yield from actions_of(next(chosen, otherwise), true, model)
            case s.ForEach(body=body):
                for _ in range(2):
                    yield from actions_of(body, true, model)
            case s.Repeat(body=body):
                yield from actions_of(body, true, model)
            case s.Call():
                yield from until_left(actions_of(model.code.rules["inner"].body, true, model), "rule")
            case s.Give(value=s.Number(value=value)):
                yield value
                raise Left("rule")
            case s.KeywordStatement(word="end rule"):
                raise Left("rule")
            case s.Gain(amount=s.Number(value=value)):
                yield value


def condition_numbers(e: s.Expression, model: Model) -> frozenset[int]:
    """Return the number in a condition, or in the condition that a name stands for."""
    if isinstance(e, s.Name):
        [e] = (node.value for node in s.walk(model.code.rules["inner"]) if isinstance(node, s.Let))
    return frozenset(node.value for node in s.walk(e) if isinstance(node, s.Number))


@pytest.mark.parametrize("result", [False, True], ids=["written out", "with a result"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_follows_the_end_of_a_rule_is_told_for_the_cases_that_reach_it(body: str, result: bool) -> None:
    model = model_with(f"{body}\nEND" if result else body, result)
    plans = plans_for(model, result, "en")
    plays = next(article for article in model.merged.articles if isinstance(article, s.Play))
    block = model.code.rules["inner"].body if result else plays.body
    for choice in product((False, True), repeat=len(CONDITIONS)):
        true = frozenset(number for number, holds in zip(CONDITIONS, choice, strict=True) if holds)
        expected = [*until_left(actions_of(block, true, model), "rule")]
        assert [*until_left(actions_told(plans, true), "rule")] == expected, true


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
    written_out = model_with(BODIES["in a loop before an action"], result=False)
    given = model_with("if tide > 3\n    give 31\nif tide > 2\n    give 32\ngive 33", result=True)
    for language, (lead, skipped, further, last) in TEXTS.items():
        assert {lead, skipped} <= {*told(written_out, "play", language)}
        assert told(given, "inner", language)[1:] == [further, last]


def test_after_a_quoted_condition_the_end_is_said() -> None:
    body = "if tide > 3\n    me gains 21 points\nif asks(me)\n    END\nif tide > 2\n    END\nme gains 22 points"
    model = model_with(f"{body}\nrule asks(me: player) gives yes or no\n    give tide > 4", result=False)
    units = [*text_of(plans_for(model, False, "en"), words("en"), model.scope)]
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
    model = model_with(f"{body}otherwise\n    me gains 24 points", result=False)
    for language in LANGUAGES:
        lines = told(model, "play", language)
        [otherwise] = (line.split()[0] for line in lines if "24" in line)
        assert any(line.startswith(f"{otherwise},") for line in lines), lines
