"""The section about the end states all conditions under which the rules end the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import always_ends_game, is_followed
from wongar_dsl.nlg.prose.document.document_model import ENDING, Prose
from wongar_dsl.nlg.prose.micro.sentence_plan import sentences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Sentence

from .books import LANGUAGES, book, document_of, rules_in, rules_of, text_of_book, text_of_game, words

HEAD = """game ending
    players 2
    source house rule
remember tide: number 0 to 99 = 0
remember final: yes or no = no
score points
"""
ASK = """            p chooses turn
                wait
                    set tide to tide + 1
                leap
                    set tide to tide + 2
"""
#: Rules that end a game in different ways, each with the text required in every language.
GAMES = {
    "a loop of the course": (
        f"play\n    repeat until tide > 37\n        for each p in player\n{ASK}    end game\n", "37"
    ),
    "a loop while something holds": (
        f"play\n    repeat while tide < 41\n        for each p in player\n{ASK}    end game\n", "41"
    ),
    "a condition in a loop for ever": (
        f"play\n    repeat\n        for each p in player\n{ASK}            if tide = 23\n                p wins\n", "23"
    ),
    "a rule that another one calls": (
        f"play\n    repeat\n        for each p in player\n{ASK}            look(p)\n"
        "rule look(me: player)\n    if tide >= 29\n        stop_it(me)\n"
        "rule stop_it(me: player)\n    left of me wins\n", "29"
    ),
    "a value that is set by a rule": (
        f"play\n    repeat until final\n        for each p in player\n{ASK}            look()\n    end game\n"
        "rule look()\n    if tide >= 31\n        last()\nrule last()\n    if not final\n        set final to yes\n",
        "31",
    ),
    "a name of a value": (
        f"play\n    repeat\n        for each p in player\n{ASK}            let mark = tide * 47\n"
        "            if mark > points of p\n                p wins\n", "47"
    ),
    "a value that is asked in the middle": (
        f"play\n    repeat\n        for each p in player\n{ASK}            if tide > 43\n"
        "                set final to yes\n"
        "            if final\n                end game\n", "43"
    ),
}  # fmt: skip
CONNECT_FOUR = Path(__file__).parents[3] / "rules" / "classics" / "connect_four.rules"
WINNER = "winner p\n    most points of p\n"
TIMES = {"en": "twice", "de": "zweimal", "nl": "tweemaal", "it": "due volte"}
NOTHING = {"en": "no choice", "de": "keine Wahl", "nl": "geen keuze", "it": "nessuna scelta"}


def end_of(place: Path, rules: str, language: str) -> str:
    path = place / "ending.rules"
    path.write_text(HEAD + rules + (WINNER if "end game" in rules else ""))
    return text_of_book(rules_in(path), language, "end")


@pytest.mark.parametrize("way", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_end_section_states_the_ending_condition(tmp_path: Path, way: str, language: str) -> None:
    rules, told = GAMES[way]
    assert told in end_of(tmp_path, rules, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_end_section_states_a_fixed_number_of_rounds(tmp_path: Path, language: str) -> None:
    rules = f"play\n    repeat 2 times\n        for each p in player\n{ASK}    end game\n"
    assert TIMES[language] in end_of(tmp_path, rules, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_end_section_states_an_end_without_options(tmp_path: Path, language: str) -> None:
    choice = ASK.replace("wait", "wait if tide < 50").replace("leap", "leap if tide < 49")
    rules = (
        f"play\n    repeat\n        for each p in player\n{choice}" + " " * 16 + "otherwise\n" + " " * 20 + "p wins\n"
    )
    assert NOTHING[language] in end_of(tmp_path, rules, language)


SOLE = (
    "            if tide < 47\n                set tide to tide + 1\n                if tide = 47\n"
    "                    p wins\n"
)


def test_outdated_conditions_are_not_stated(tmp_path: Path) -> None:
    """A value that only changes behind the outdated condition reaches the later one nowhere else."""
    ask = "            p chooses turn\n                wait\n                    nothing\n"
    text = end_of(tmp_path, f"play\n    repeat\n        for each p in player\n{ask}{SOLE}", "en")
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
GRID = "board cell\n    grid 2 by 2\nremember mark of each cell: number 0 to 99 = 0\n"


def end_lines(place: Path, rules: str, language: str) -> list[str]:
    """Return the sentences about the end of a game, with the headings that they refer to."""
    path = place / "ending.rules"
    path.write_text(HEAD + GRID + rules + (WINNER if "end game" in rules else ""), encoding="utf-8")
    realised = RealisedRulebook(document_of(rules_in(path)), words(language), "")
    blocks = (block for _, section in realised.book.walk() for block in section.blocks)
    prose = next(block for block in blocks if isinstance(block, Prose) and block.key == ENDING)
    lines = []
    for line in realised.sentences(prose):
        assert not line.unsaid
        reference = "" if line.refers is None else f" {realised.cross_reference(line.refers)}"
        lines.append(line.text + reference)
    return lines


def indented(block: str) -> str:
    return "".join(f"    {line}\n" for line in block.splitlines())


def in_rule(inner: str, number: int) -> tuple[str, str]:
    return f"step_{number}(p)\n", f"rule step_{number}(p: player)\n{indented(inner)}"


#: Statements around an end, each with a number that its condition needs (None if it has no condition). `{n}` is the
#: number and `{inner}` the inner block, `{name}` a name of its own.
AROUND = {
    "if": ("if tide > {n}\n{inner}", True),
    "otherwise": ("if tide > {n}\n    nothing\notherwise\n{inner}", True),
    "second branch": ("if tide > {n}\n    nothing\notherwise if final\n{inner}", True),
    "for each": ("for each {name} in cell where mark of {name} > {n}\n{inner}", True),
    "for each of all": ("for each {name} in cell\n    if mark of {name} > {n}\n{deeper}", True),
    "while": ("repeat while tide < {n}\n    set tide to tide + 1\n{inner}", True),
    "times": ("repeat 2 times\n{inner}", False),
    "let": ("let {name} = tide + {n}\nset tide to 1\nif {name} > tide\n{inner}", True),
    "fresh let": ("let {name} = tide + {n}\nif 90 > {name}\n{inner}", True),
    "option": (
        "p chooses {name}\n    go if tide > {n}\n{deeper}    stay\n        nothing\n", True
    ),
    "only option": ("p chooses {name}\n    go if tide > {n}\n{deeper}    otherwise\n        nothing\n", True),
    "chosen": ("p chooses {name}\n    go({name}: cell)\n        if mark of {name} > {n}\n{deepest}", True),
    "before": ("if tide > {n}\n    set tide to tide + 1\n    set mark of spot(cell, 1, 1) to 3\n{inner}", True),
    "after": ("if tide > {n}\n{inner}    set tide to tide + 1\n", True),
    "rule": ("", False),
}  # fmt: skip


def nested(kinds: Sequence[str]) -> tuple[str, list[str]]:
    """Return a game whose end is inside these statements, and the numbers in their conditions."""
    inner, rules, numbers = "p wins\n", "", list[str]()
    for number, kind in enumerate(reversed(kinds)):
        text, has_condition = AROUND[kind]
        n = str(71 + number)
        if kind == "rule":
            inner, rule = in_rule(inner, number)
            rules += rule
        else:
            once = indented(inner)
            inner = text.format(
                n=n, name=f"x{number}", inner=once, deeper=indented(once), deepest=indented(indented(once))
            )
        numbers += [n] if has_condition else []
    ask = "p chooses turn\n    wait\n        set tide to tide + 1\n    leap\n        set final to yes\n"
    ask += "        for each c in cell\n            set mark of c to tide\n"
    body = indented(indented(indented(ask + inner)))
    return f"play\n    repeat\n        for each p in player\n{body}{rules}", numbers


@pytest.mark.parametrize("outer", AROUND)
def test_each_line_has_all_conditions_or_refers_to_the_rules(outer: str, tmp_path: Path) -> None:
    for inner in AROUND:
        rules, numbers = nested((outer, inner))
        for language in LANGUAGES:
            told = end_lines(tmp_path, rules, language)
            assert told, inner
            for line in told:
                elsewhere = any(line.startswith(text) and "→" in line for text in ELSEWHERE[language])
                assert elsewhere or all(number in line for number in numbers), (inner, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_simple_end_is_told_with_its_conditions(language: str, tmp_path: Path) -> None:
    for kinds in (["if"], ["before"], ["if", "rule"], ["rule", "otherwise"], ["only option"], ["fresh let"]):
        rules, numbers = nested(kinds)
        [line] = end_lines(tmp_path, rules, language)
        assert all(number in line for number in numbers), (kinds, line)


TURN = "        for each p in player\n" + ASK
LOOP = f"play\n    repeat\n{TURN}"
#: Rules whose end has a condition that one sentence cannot state.
NOT_SIMPLE = {
    "one option of several": f"{LOOP}                give_up\n                    left of p wins\n",
    "a condition that has changed": LOOP + SOLE,
    "a value that holds before": (
        f"{LOOP}                rest\n                    nothing\n".replace("tide + 2", "3").replace("tide + 1", "4")
        + "                dive\n                    set final to yes\n                    if tide < 9\n"
        "                        left of p wins\n"
    ),
    "a later condition that comes true elsewhere": (
        f"{LOOP.replace('set tide to tide + 2', 'set final to yes')}".replace("set tide to tide + 1", "nothing")
        + "                dive\n                    set tide to 9\n                    if tide = 9\n"
        "                        if final\n                            left of p wins\n"
    ),
    "a value of another moment": (
        f"play\n    repeat\n        for each p in player\n            let before = tide\n{ASK}"
        "            if tide > before + 9\n                p wins\n"
    ),
    "a decision behind a loop": (
        "play\n    repeat while tide < 4\n        set tide to tide + 1\n    for each p in player\n"
        + ASK.replace("            ", "        ", 1)
        + "    end game\n"
    ),
    "a part of the course": (
        f"play\n    for each p in player\n{ASK.replace('    ', '', 0)}            if tide = 9\n                p wins\n"
        f"    repeat 3 times\n{TURN}    end game\n"
    ),
    "a decision after a condition": (
        f"{LOOP}            if tide > 9\n                left of p chooses last\n                    nod\n"
        "                        nothing\n                    shake\n                        set tide to 1\n"
        "                p wins\n"
    ),
    "a rule that is left before": (
        f"{LOOP}            look(p)\nrule look(p: player)\n    if tide < 9\n        end rule\n"
        "    if tide > 7\n        p wins\n"
    ),
    "a loop that is left": (
        "play\n    repeat\n        for each p in player\n            p chooses turn\n                wait\n"
        "                    set tide to tide + 1\n                leap\n                    nothing\n"
        "        if tide = 9\n            leave loop\n    end game\n"
    ),
    "a winner whom the conditions change": (
        "remember leader: player\n"
        f"{LOOP}            if tide > 9\n                set leader to left of p\n                leader wins\n"
    ),
    "a name of a value that changes": (
        f"play\n    repeat\n        for each p in player\n            let level = tide\n{ASK}"
        "            if level > points of p\n                p wins\n"
    ),
    "another player than an unnamed one": (
        f"remember last: player\n{LOOP}            set last to p\n"
        "            if (some q in player where q is not p and last is q)\n                p wins\n"
    ),
}


@pytest.mark.parametrize("rules", NOT_SIMPLE)
def test_an_end_that_is_not_simple_refers_to_the_rules(rules: str, tmp_path: Path) -> None:
    for language in LANGUAGES:
        for line in end_lines(tmp_path, NOT_SIMPLE[rules], language):
            assert any(line.startswith(text) and "→" in line for text in ELSEWHERE[language]), line


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_option_needs_no_mention_if_it_alone_fulfils_the_condition(language: str, tmp_path: Path) -> None:
    rules = (
        "play\n    repeat\n        for each p in player\n            p chooses turn\n                wait\n"
        "                    nothing\n                leap\n                    set tide to tide + 2\n"
        "                    if tide >= 19 or (every c in cell has tide >= 31)\n                        p wins\n"
    )
    [line] = end_lines(tmp_path, rules, language)
    assert "19" in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_flag_that_is_reset_is_told_as_a_condition(language: str, tmp_path: Path) -> None:
    rules = (
        f"{LOOP}            if tide > 9\n                set final to yes\n            if tide > 20\n"
        "                set final to no\n            if final and tide > 13\n                p wins\n"
    )
    [line] = end_lines(tmp_path, rules, language)
    assert "13" in line
    assert "final" in line


#: Ends of the game one after the other: each is reached only if the conditions of those before it do not hold.
SERIES = {
    "behind each other": "if tide > 41\n    p wins\nif tide > 42\n    left of p wins\nnobody wins\n",
    "in branches": "if tide > 41\n    p wins\notherwise if tide > 42\n    left of p wins\nnobody wins\n",
    "in both ways": "if tide > 41\n    p wins\nif tide > 42\n    left of p wins\notherwise\n    nobody wins\n",
    "before another statement": (
        "if tide > 41\n    p wins\notherwise\n    p gains 1 points\nif tide > 42\n    left of p wins\nnobody wins\n"
    ),
}


@pytest.mark.parametrize("series", SERIES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_end_behind_others_states_that_their_conditions_do_not_hold(
    series: str, language: str, tmp_path: Path
) -> None:
    rules = LOOP + indented(indented(indented(SERIES[series])))
    told = end_lines(tmp_path, rules, language)
    assert [["41" in line, "42" in line] for line in told] == [[True, False], [True, True], [True, True]], told


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_end_behind_another_one_that_cannot_be_denied_refers_to_the_rules(language: str, tmp_path: Path) -> None:
    inner = "for each c in cell\n    if mark of c > 41\n        nobody wins\nif tide > 42\n    p wins\n"
    told, elsewhere = end_lines(tmp_path, LOOP + indented(indented(indented(inner))), language)
    assert "41" in told
    assert elsewhere.startswith(ELSEWHERE[language][1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_end_in_the_set_up_is_not_told_as_one_of_the_play(language: str, tmp_path: Path) -> None:
    rules = f"setup\n    if tide > 41\n        nobody wins\n{LOOP}            if tide > 42\n                p wins\n"
    told, elsewhere = end_lines(tmp_path, rules, language)
    assert "42" in told
    assert elsewhere.startswith(ELSEWHERE[language][1])


def test_a_condition_tested_for_one_player_after_the_other_needs_no_action_of_all_players() -> None:
    """*If every player takes a card and the pile is empty* would demand that all have taken one."""
    blocks = (block for _, section in book("wongar").walk() for block in section.blocks)
    plans = next(block.plans for block in blocks if isinstance(block, Prose) and block.key == ENDING)
    [during] = (said.values for said in sentences(plans) if said.message == "prose.if_during")
    deed = during["deed"]
    assert isinstance(deed, Sentence)
    assert deed.message == "rule.play_round"


@pytest.mark.parametrize("language", LANGUAGES)
def test_further_ends_refer_to_the_rules(language: str, tmp_path: Path) -> None:
    rules = f"{NOT_SIMPLE['one option of several']}            if tide = 23\n                p wins\n"
    told, elsewhere = end_lines(tmp_path, rules, language)
    assert "23" in told
    assert elsewhere.startswith(ELSEWHERE[language][1])


def calls_of(number: int) -> str:
    """Return a course that calls `number` rules in a loop, each with a decision."""
    calls = "".join(f"        step_{n}(player(1))\n" for n in range(number))
    rules = "".join(
        f"rule step_{n}(me: player)\n    me chooses turn_{n}\n        go\n            set tide to tide + 1\n"
        "        stay\n            nothing\n"
        for n in range(number)
    )
    return f"play\n    repeat until tide > 37\n{calls}    end game\n{rules}{WINNER}"


def test_work_grows_linearly_with_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many rules must visit about twice as many nodes."""
    models = []
    for number in (60, 120):
        path = tmp_path / f"ending_{number}.rules"
        path.write_text(HEAD.replace("game ending", f"game ending_{number}") + calls_of(number))
        models.append(rules_in(path))
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_criterion_with_a_condition_is_told_as_a_value(language: str) -> None:
    measure = "most (-1 if p is player(2) otherwise points of p)"
    rules = f"{HEAD}play\n    player(1) gains 2 points\n    end game\nwinner p\n    {measure}\n"
    changed = rules_of("ending.rules", rules)
    assert EITHER[language] in text_of_book(changed, language, "end")


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
    rules = rules_of("over.rules", f"{HEAD}{OVER}{WINNER}")
    assert [always_ends_game(rules, rules.code.rules[name].body) for name in ("stop_all", "try_all")] == [True, False]
    play = next(article for article in rules.code.main_procedures if isinstance(article, s.Play))
    calls = [node for node in s.walk(play) if isinstance(node, s.Call)]
    assert [is_followed(play.body, call) for call in calls] == [True, True, False]


@pytest.mark.parametrize("language", LANGUAGES)
def test_call_that_ends_the_game_says_so_where_the_text_goes_on(language: str) -> None:
    ends = {
        "de": "Damit endet das Spiel.",
        "nl": "Daarmee eindigt het spel.",
        "it": "Con questo la partita finisce.",
        "en": "The game ends with this.",
    }[language]
    books = {name: text_of_game(name, language) for name in ("kuhn_poker", "goofspiel", "nim")}
    assert {name: text.count(ends) for name, text in books.items()} == {"kuhn_poker": 1, "goofspiel": 0, "nim": 0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_player_on_turn_is_not_one_of_the_players_of_a_condition(language: str, tmp_path: Path) -> None:
    """*There is no square with a disc of a player* would mean any player."""
    line = "if some l in lines of 4 through here where (every c in l has owner of c is p)"
    others = "every q in player has (some c in cell where (owner of c is q and no d in cell where owner of d is p))"
    text = CONNECT_FOUR.read_text(encoding="utf-8")
    assert line in text
    (tmp_path / "alone.rules").write_text(text.replace(line, f"if row of here > 2 and ({others})"), encoding="utf-8")
    named = {"de": "der am Zug ist", "en": "who has the turn", "it": "che è di turno", "nl": "die aan de beurt is"}
    assert named[language] in text_of_book(rules_in(tmp_path / "alone.rules"), language, "end")
