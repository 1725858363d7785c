"""The section about the end states all conditions under which the rules end the game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import always_ends_game, is_followed
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import ENDING, Prose
from wongar_dsl.nlg.prose.micro.sentence_plan import sentences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Sentence

from .books import LANGUAGES, book, document_of, rules_of, shipped, small, text_of_book, words

HEAD = """
remember tide: number 0 to 99 = 0
remember final: yes or no = no
board cell
    grid 2 by 2
remember mark of each cell: number 0 to 99 = 0
score points
"""
WINNER = "winner p\n    most points of p\n"


def indented(block: str, levels: int = 1) -> str:
    return "".join(f"{'    ' * levels}{line}\n" for line in block.splitlines())


def game(rules: str) -> Model:
    return small(HEAD + rules + (WINNER if "end game" in rules else ""))


def end_lines(rules: str, language: str) -> list[str]:
    """Return the sentences about the end of a game, with the headings that they refer to."""
    realised = RealisedRulebook(document_of(game(rules)), words(language), "")
    blocks = (block for _, section in realised.book.walk() for block in section.blocks)
    prose = next(block for block in blocks if isinstance(block, Prose) and block.key == ENDING)
    lines = []
    for line in realised.sentences(prose):
        assert not line.unsaid
        reference = "" if line.refers is None else f" {realised.cross_reference(line.refers)}"
        lines.append(line.text + reference)
    return lines


ASK = "p chooses turn\n    wait\n        set tide to tide + 1\n    leap\n        set tide to tide + 2\n"
TURN = indented("for each p in player\n" + indented(ASK), 2)
LOOP = f"play\n    repeat\n{TURN}"


def looped(after: str, rules: str = "") -> str:
    """Return a play in which every player has a decision and then does something, and further rules."""
    return LOOP + indented(after, 3) + rules


LIMITED = ASK.replace("wait", "wait if tide < 50").replace("leap", "leap if tide < 49")
TIMES = {"en": "twice", "de": "zweimal", "nl": "tweemaal", "it": "due volte"}
NOTHING = {"en": "no choice", "de": "keine Wahl", "nl": "geen keuze", "it": "nessuna scelta"}
#: Rules that end a game in different ways, each with the text required in every language.
GAMES = {
    "a loop of the course": (f"play\n    repeat until tide > 37\n{TURN}    end game\n", "37"),
    "a loop while something holds": (f"play\n    repeat while tide < 41\n{TURN}    end game\n", "41"),
    "a fixed number of rounds": (f"play\n    repeat 2 times\n{TURN}    end game\n", TIMES),
    "no options": (LOOP.replace(indented(ASK, 3), indented(f"{LIMITED}    otherwise\n        p wins", 3)), NOTHING),
    "a condition in a loop for ever": (looped("if tide = 23\n    p wins"), "23"),
    "a rule that another one calls": (
        looped(
            "look(p)",
            "rule look(me: player)\n    if tide >= 29\n        stop_it(me)\n"
            "rule stop_it(me: player)\n    left of me wins\n",
        ),
        "29",
    ),
    "a value that is set by a rule": (
        f"play\n    repeat until final\n{TURN}            look()\n    end game\n"
        "rule look()\n    if tide >= 31\n        last()\nrule last()\n    if not final\n        set final to yes\n",
        "31",
    ),
    "a name of a value": (looped("let level = tide * 47\nif level > points of p\n    p wins"), "47"),
    "a value that is asked in the middle": (looped("if tide > 43\n    set final to yes\nif final\n    end game"), "43"),
    "an option that alone fulfils the condition": (
        LOOP.replace("set tide to tide + 1", "nothing")
        + indented("if tide >= 19 or (every c in cell has tide >= 31)\n    p wins", 5),
        "19",
    ),
}


@pytest.mark.parametrize("way", GAMES)
def test_end_section_states_the_ending_condition(way: str) -> None:
    rules, said = GAMES[way]
    for language in LANGUAGES:
        assert (said if isinstance(said, str) else said[language]) in text_of_book(game(rules), language, "end")


SOLE = "if tide < 47\n    set tide to tide + 1\n    if tide = 47\n        p wins"


def test_outdated_conditions_are_not_stated() -> None:
    """A value that only changes behind the outdated condition reaches the later one nowhere else."""
    body = indented(f"p chooses turn\n    wait\n        nothing\n{SOLE}", 3)
    text = text_of_book(game(f"play\n    repeat\n        for each p in player\n{body}"), "en", "end")
    assert "47" in text
    assert "less than 47" not in text


#: References to the rules, alone and behind other lines.
ELSEWHERE = {
    "en": ("How the game ends is explained elsewhere.", "How else the game can end is explained elsewhere."),
    "de": (
        "Wie das Spiel endet, steht an anderer Stelle.",
        "Wie das Spiel sonst noch enden kann, steht an anderer Stelle.",
    ),
    "nl": ("Hoe het spel eindigt, staat elders.", "Hoe het spel verder nog kan eindigen, staat elders."),
    "it": ("Come finisce la partita è spiegato altrove.", "Come altro può finire la partita è spiegato altrove."),
}

#: Statements around an end, with the number `{n}` if its condition needs one; `{inner}` is the inner block, `{name}` a
#: name of its own.
AROUND = {
    "if": "if tide > {n}\n{inner}",
    "otherwise": "if tide > {n}\n    nothing\notherwise\n{inner}",
    "second branch": "if tide > {n}\n    nothing\notherwise if final\n{inner}",
    "for each": "for each {name} in cell where mark of {name} > {n}\n{inner}",
    "for each of all": "for each {name} in cell\n    if mark of {name} > {n}\n{deeper}",
    "while": "repeat while tide < {n}\n    set tide to tide + 1\n{inner}",
    "times": "repeat 2 times\n{inner}",
    "let": "let {name} = tide + {n}\nset tide to 1\nif {name} > tide\n{inner}",
    "fresh let": "let {name} = tide + {n}\nif 90 > {name}\n{inner}",
    "option": "p chooses {name}\n    go if tide > {n}\n{deeper}    stay\n        nothing\n",
    "only option": "p chooses {name}\n    go if tide > {n}\n{deeper}    otherwise\n        nothing\n",
    "chosen": "p chooses {name}\n    go({name}: cell)\n        if mark of {name} > {n}\n{deepest}",
    "before": "if tide > {n}\n    set tide to tide + 1\n    set mark of spot(cell, 1, 1) to 3\n{inner}",
    "after": "if tide > {n}\n{inner}    set tide to tide + 1\n",
    "rule": "",
}
CHANGING = """p chooses turn
    wait
        set tide to tide + 1
    leap
        set final to yes
        for each c in cell
            set mark of c to tide
"""


def nested(*kinds: str) -> tuple[str, list[str]]:
    """Return a game whose end is inside these statements, and the numbers in their conditions."""
    inner, rules, numbers = "p wins\n", "", list[str]()
    for number, kind in enumerate(reversed(kinds)):
        text, n = AROUND[kind], str(71 + number)
        if kind == "rule":
            inner, rules = f"step_{number}(p)\n", f"{rules}rule step_{number}(p: player)\n{indented(inner)}"
        else:
            once, twice, thrice = (indented(inner, levels) for levels in (1, 2, 3))
            inner = text.format(n=n, name=f"x{number}", inner=once, deeper=twice, deepest=thrice)
        numbers += [n] if "{n}" in text else []
    return f"play\n    repeat\n        for each p in player\n{indented(CHANGING + inner, 3)}{rules}", numbers


@pytest.mark.parametrize("outer", AROUND)
def test_each_line_has_all_conditions_or_refers_to_the_rules(outer: str) -> None:
    for at, inner in enumerate(AROUND):
        rules, numbers = nested(outer, inner)
        language = LANGUAGES[(at + len(outer)) % 4]
        lines = end_lines(rules, language)
        assert lines, inner
        for line in lines:
            elsewhere = any(line.startswith(text) and "→" in line for text in ELSEWHERE[language])
            assert elsewhere or all(number in line for number in numbers), (inner, line)


@pytest.mark.parametrize(
    "kinds", [["if"], ["before"], ["if", "rule"], ["rule", "otherwise"], ["only option"], ["fresh let"]]
)
def test_a_simple_end_is_told_with_its_conditions(kinds: list[str]) -> None:
    rules, numbers = nested(*kinds)
    for language in LANGUAGES:
        [line] = end_lines(rules, language)
        assert all(number in line for number in numbers), line


ONE_OPTION = LOOP + indented("give_up\n    left of p wins", 4)
#: Rules whose end has a condition that one sentence cannot state.
NOT_SIMPLE = {
    "one option of several": ONE_OPTION,
    "a condition that has changed": looped(SOLE),
    "a value that holds before": LOOP.replace("tide + 2", "3").replace("tide + 1", "4")
    + indented("rest\n    nothing\ndive\n    set final to yes\n    if tide < 9\n        left of p wins", 4),
    "a later condition that comes true elsewhere": LOOP.replace("set tide to tide + 2", "set final to yes").replace(
        "set tide to tide + 1", "nothing"
    )
    + indented("dive\n    set tide to 9\n    if tide = 9\n        if final\n            left of p wins", 4),
    "a value of another moment": looped("if tide > before + 9\n    p wins").replace(
        indented(ASK, 3), indented("let before = tide\n" + ASK, 3)
    ),
    "a decision behind a loop": "play\n    repeat while tide < 4\n        set tide to tide + 1\n"
    + f"    for each p in player\n{indented(ASK, 2)}    end game\n",
    "a part of the course": f"play\n    for each p in player\n{indented(ASK, 3)}            if tide = 9\n"
    f"                p wins\n    repeat 3 times\n{TURN}    end game\n",
    "a decision after a condition": looped(
        "if tide > 9\n    left of p chooses last\n        nod\n            nothing\n"
        "        shake\n            set tide to 1\n    p wins"
    ),
    "a rule that is left before": looped(
        "look(p)", "rule look(p: player)\n    if tide < 9\n        end rule\n    if tide > 7\n        p wins\n"
    ),
    "a loop that is left": LOOP.replace("set tide to tide + 2", "nothing")
    + "        if tide = 9\n            leave loop\n    end game\n",
    "a winner whom the conditions change": "remember leader: player\n"
    + looped("if tide > 9\n    set leader to left of p\n    leader wins"),
    "a name of a value that changes": looped("if level > points of p\n    p wins").replace(
        indented(ASK, 3), indented("let level = tide\n" + ASK, 3)
    ),
    "another player than an unnamed one": "remember last: player\n"
    + looped("set last to p\nif (some q in player where q is not p and last is q)\n    p wins"),
}


@pytest.mark.parametrize("rules", NOT_SIMPLE)
def test_an_end_that_is_not_simple_refers_to_the_rules(rules: str) -> None:
    for language in LANGUAGES:
        for line in end_lines(NOT_SIMPLE[rules], language):
            assert any(line.startswith(text) and "→" in line for text in ELSEWHERE[language]), line


def test_a_flag_that_is_reset_is_told_as_a_condition() -> None:
    reset = "if tide > 9\n    set final to yes\nif tide > 20\n    set final to no\nif final and tide > 13\n    p wins"
    for language in LANGUAGES:
        [line] = end_lines(looped(reset), language)
        assert "13" in line
        assert "final" in line


#: Ends of the game one after the other: each is reached only if the conditions of those before it do not hold.
SERIES = {
    "behind each other": "if tide > 41\n    p wins\nif tide > 42\n    left of p wins\nnobody wins",
    "in branches": "if tide > 41\n    p wins\notherwise if tide > 42\n    left of p wins\nnobody wins",
    "in both ways": "if tide > 41\n    p wins\nif tide > 42\n    left of p wins\notherwise\n    nobody wins",
    "before another statement": (
        "if tide > 41\n    p wins\notherwise\n    p gains 1 points\nif tide > 42\n    left of p wins\nnobody wins"
    ),
}


@pytest.mark.parametrize("series", SERIES)
def test_an_end_behind_others_states_that_their_conditions_do_not_hold(series: str) -> None:
    for language in LANGUAGES:
        lines = end_lines(looped(SERIES[series]), language)
        assert [["41" in line, "42" in line] for line in lines] == [[True, False], [True, True], [True, True]], lines


UNDENIED = "for each c in cell\n    if mark of c > 41\n        nobody wins\nif tide > 42\n    p wins"


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        # An end behind another one that cannot be denied, in the set-up, and further ends
        (looped(UNDENIED), "41"),
        ("setup\n    if tide > 41\n        nobody wins\n" + looped("if tide > 42\n    p wins"), "42"),
        (ONE_OPTION + indented("if tide = 23\n    p wins", 3), "23"),
    ],
)
def test_an_end_that_is_told_is_followed_by_a_reference_to_others(rules: str, said: str) -> None:
    for language in LANGUAGES:
        line, elsewhere = end_lines(rules, language)
        assert said in line
        assert elsewhere.startswith(ELSEWHERE[language][1])


def test_a_condition_tested_for_one_player_after_the_other_needs_no_action_of_all_players() -> None:
    """*If every player takes a card and the pile is empty* would demand that all have taken one."""
    blocks = (block for _, section in book("wongar").walk() for block in section.blocks)
    plans = next(block.plans for block in blocks if isinstance(block, Prose) and block.key == ENDING)
    [during] = (said.values for said in sentences(plans) if said.message == "prose.if_during")
    deed = during["deed"]
    assert isinstance(deed, Sentence)
    assert deed.message == "rule.play_round"


def calls_of(number: int) -> str:
    """Return a course that calls `number` rules in a loop, each with a decision."""
    calls = "".join(f"        step_{n}(player(1))\n" for n in range(number))
    rules = "".join(
        f"rule step_{n}(me: player)\n    me chooses turn_{n}\n        go\n            set tide to tide + 1\n"
        "        stay\n            nothing\n"
        for n in range(number)
    )
    return f"play\n    repeat until tide > 37\n{calls}    end game\n{rules}"


def test_work_grows_linearly_with_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many rules must visit about twice as many nodes."""
    models = [game(calls_of(number)) for number in (40, 80)]
    visited: list[int] = []
    walked = s.walk

    def walk(node: object) -> Iterator[s.Node]:
        for part in walked(node):
            visited[-1] += 1
            yield part

    monkeypatch.setattr(s, "walk", walk)
    for model in models:
        visited.append(0)
        text_of_book(model, "en")
    assert visited[1] < 2.5 * visited[0]


#: The sentence for a winner whose criterion depends on a condition.
EITHER = {
    "en": "The player with the greatest value wins: −1 if the player is the player with the number 2, and otherwise",
    "de": "Es gewinnt, wer den größten Wert hat: −1, wenn der Spieler der Spieler mit der Nummer 2 ist, sonst",
    "nl": "Wie de grootste waarde heeft, wint: −1 als de speler de speler met nummer 2 is, en anders",
    "it": "Vince chi ha il valore più alto: −1 se il giocatore è il giocatore con il numero 2, altrimenti",
}


def test_a_criterion_with_a_condition_is_told_as_a_value() -> None:
    measure = "most (-1 if p is player(2) otherwise points of p)"
    rules = small(f"{HEAD}play\n    player(1) gains 2 points\n    end game\nwinner p\n    {measure}")
    for language, either in EITHER.items():
        assert either in text_of_book(rules, language, "end")


#: A rule that always ends the game is called before further text, and last; the other rule ends it sometimes.
OVER = """play
    for each p in player
        p chooses turn
            stop
                stop_all(p)
            try
                try_all(p)
    stop_all(player(1))

rule stop_all(p: player)
    p chooses last
        win
            p wins
        lose
            if points of p > 1
                nobody wins
            otherwise
                end game

rule try_all(p: player)
    if points of p > 1
        p wins
"""


def test_only_rules_that_end_the_game_in_every_case_are_its_end() -> None:
    rules = game(OVER)
    assert [always_ends_game(rules, rules.code.rules[name].body) for name in ("stop_all", "try_all")] == [True, False]
    play = next(article for article in rules.code.main_procedures if isinstance(article, s.Play))
    calls = [node for node in s.walk(play) if isinstance(node, s.Call)]
    assert [is_followed(play.body, call) for call in calls] == [True, True, False]


NAMED = {"de": "der am Zug ist", "en": "who has the turn", "it": "che è di turno", "nl": "die aan de beurt is"}


def test_the_player_on_turn_is_not_one_of_the_players_of_a_condition() -> None:
    """*There is no square with a disc of a player* would mean any player."""
    line = "if some l in lines of 4 through here where (every c in l has owner of c is p)"
    others = "every q in player has (some c in cell where (owner of c is q and no d in cell where owner of d is p))"
    text = shipped("connect_four").sources[-1].text
    assert line in text
    rules = rules_of("alone.rules", text.replace(line, f"if row of here > 2 and ({others})"))
    for language, named in NAMED.items():
        assert named in text_of_book(rules, language, "end")
