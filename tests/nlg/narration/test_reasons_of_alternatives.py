"""Reasons for failed conditions with alternatives, read as a player reads them and compared with the conditions."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from wongar_dsl.engine import Game, IllegalMove
from wongar_dsl.nlg.narration.illegal_move import explain

from .told import LANGUAGES, change, game_of, narrator, reasons_at_start, write_words

CONDITIONS = 80
NUMBERS = (1, 2, 3)
#: The lamps that are lit, and the number that is chosen.
Case = tuple[bool, bool, int]
CASES: tuple[Case, ...] = tuple(itertools.product((False, True), (False, True), NUMBERS))
Meaning = Callable[[Case], bool]

ATOMS: dict[str, Meaning] = {
    "lit[red]": lambda case: case[0],
    "lit[blue]": lambda case: case[1],
    "n > 1": lambda case: case[2] > 1,
    "n <= 2": lambda case: case[2] <= 2,
    "3 <= n": lambda case: case[2] >= 3,
    "n = 2": lambda case: case[2] == 2,
    "n is not 3": lambda case: case[2] != 3,
}

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


def generated(rng: random.Random, depth: int) -> tuple[str, Meaning]:
    """Return a random condition in the rule language, and its meaning."""
    kind = rng.choice(("atom", "not", "and", "or")) if depth else "atom"
    if kind == "atom":
        return rng.choice([*ATOMS.items()])
    if kind == "not":
        text, inner = generated(rng, depth - 1)
        return f"not ({text})", lambda case: not inner(case)
    parts = [generated(rng, depth - 1) for _ in range(rng.choice((2, 2, 3)))]
    holds = all if kind == "and" else any
    return f" {kind} ".join(f"({text})" for text, _ in parts), lambda case: holds(part(case) for _, part in parts)


SUBJECT = r"(?:(?P<subject>the red lamp|the blue lamp|the number(?: “n”)?) )?"
BOUND = r"is (?P<not>not )?(?P<bound>at least |at most |more than |less than |)"
BURNS = re.compile(rf"{SUBJECT}(?:(?P<on>burns)|does not burn)")
NUMBER = re.compile(rf"{SUBJECT}{BOUND}(?P<n>\d)")
MIRRORED = re.compile(rf"(?P<n>\d) {BOUND}the number(?: “n”)?")
NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "at least ": int.__ge__, "at most ": int.__le__, "more than ": int.__gt__, "less than ": int.__lt__, "": int.__eq__,
}  # fmt: skip
DEMANDS: dict[str, Callable[[int, int], bool]] = {
    r"At least (\d) is needed\.": int.__ge__, r"At most (\d) is possible\.": int.__le__,
    r"Only (\d) can be chosen here\.": int.__eq__, r"(\d) cannot be chosen here\.": int.__ne__,
}  # fmt: skip


class Reader:
    """Reader of a condition in English: a list with a word before its last part, which may be a list itself."""

    def __init__(self, text: str) -> None:
        self.rest, self.subject = text, ""

    def take(self, token: str) -> bool:
        """Consume a token, if it is next."""
        found = self.rest.startswith(token)
        self.rest = self.rest.removeprefix(token)
        return found

    def whole(self) -> Meaning:
        """Read a list of conditions."""
        parts, word = [self.part()], ""
        while True:
            if self.take(", "):
                parts.append(self.part())
                continue
            word = "and" if self.take(" and ") else "or" if self.take(" or ") else ""
            if not word:
                break
            parts.append(self.part())
            if not self.rest.startswith((f" {word} ", ", ")):
                break
            raise AssertionError(f"A list goes on after its last part: {self.rest}")
        holds = all if word == "and" else any
        return lambda case: holds(part(case) for part in parts)

    def part(self) -> Meaning:
        """Read one condition, or a list in brackets or after *both*."""
        if self.take("("):
            inner = self.whole()
            assert self.take(")"), self.rest
            return inner
        if self.take("both "):
            return self.whole()
        burns, number, mirrored = (form.match(self.rest) for form in (BURNS, NUMBER, MIRRORED))
        found = burns or number or mirrored
        assert found is not None, self.rest
        self.rest = self.rest[found.end() :]
        if burns is not None:
            self.subject = burns["subject"] or self.subject
            lamp, lit = int(self.subject == "the blue lamp"), burns["on"] is not None
            return lambda case: case[lamp] == lit
        compare, limit, denied = NUMERIC[found["bound"]], int(found["n"]), found["not"] is not None
        if mirrored is not None:
            return lambda case: compare(limit, case[2]) != denied
        self.subject = found["subject"] or self.subject
        assert self.subject.startswith("the number"), self.subject
        return lambda case: compare(case[2], limit) != denied


def read(text: str) -> Meaning:
    reader = Reader(text)
    meaning = reader.whole()
    assert not reader.rest, reader.rest
    return meaning


@pytest.fixture(scope="module")
def conditions() -> list[tuple[str, Meaning]]:
    rng = random.Random(11)
    return [generated(rng, 3) for _ in range(CONDITIONS)]


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory, conditions: list[tuple[str, Meaning]]) -> Game:
    folder = tmp_path_factory.mktemp("lamps")
    write_words(folder, LEXICON, BURNING)
    options = (
        f"                take_{number}(n: 1 to 3) if {text}\n                    nothing\n"
        for number, (text, _) in enumerate(conditions)
    )
    return game_of(folder, RULES + "".join(options), 1)


def refusals(game: Game, lit: tuple[bool, bool]) -> Iterator[tuple[int, int, str]]:
    """Yield the options and numbers that are refused in a position, with the reason."""
    state, _ = game.start(1)
    for lamp, on in zip(("red", "blue"), lit, strict=True):
        if on:
            state.apply(state.read(f"light({lamp})"))
    for option, n in itertools.product(range(CONDITIONS), NUMBERS):
        try:
            state.read(f"take_{option}({n})")
        except IllegalMove as error:
            yield option, n, explain(error, state, narrator(game), 0)[0]


@pytest.mark.parametrize("lit", [*itertools.product((False, True), repeat=2)])
def test_a_reason_says_nothing_that_the_condition_does_not(
    lamps: Game, conditions: list[tuple[str, Meaning]], lit: tuple[bool, bool]
) -> None:
    """A demand is necessary and not met; stated facts are true and suffice for the refusal."""
    seen = set[str]()
    for option, n, text in refusals(lamps, lit):
        condition, holds = conditions[option]
        demands = [(found, compare) for p, compare in DEMANDS.items() if (found := re.fullmatch(p, text)) is not None]
        told = f"{condition}: {text}"
        if text.startswith("This is allowed only if "):
            meaning = read(text.removeprefix("This is allowed only if ").removesuffix("."))
            assert all(meaning(case) for case in CASES if holds(case)), told
            assert not meaning((*lit, n)), told
            seen.add("whole")
        elif demands:
            [(found, compare)] = demands
            limit = int(found[1])
            assert all(compare(case[2], limit) for case in CASES if holds(case)), told
            assert not compare(n, limit), told
            seen.add("demand")
        else:
            facts = read(text[0].lower() + text[1:].removesuffix("."))
            assert facts((*lit, n)), told
            assert not any(holds(case) for case in CASES if facts(case) and case[2] == n), told
            seen.add("facts")
    assert seen == {"whole", "demand", "facts"}


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
