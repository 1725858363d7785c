"""Lessons: topics, triggers and texts of a tutorial game."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.small_games import write_rules
from wongar_dsl.base.span import Source
from wongar_dsl.engine import library
from wongar_dsl.engine.bots import bot, decision_rng
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.library.loader import with_variant
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.rule_cases.file import CaseError
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.excerpts import RuleExcerpts
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.seats.bots import decide
from wongar_dsl.session.seats.seat_spec import names_of
from wongar_dsl.session.tutorial.lesson_check import faults
from wongar_dsl.session.tutorial.lesson_file import find_lesson, parse_lesson, read_lesson
from wongar_dsl.session.tutorial.tutorial import MAX_HINTS_AT_ONCE, Tutorial, TutorialHint, TutorialRunner
from wongar_dsl.session.tutorial.tutorial_text import TutorialText

LANGUAGES = ("de", "nl", "it", "en")
TAUGHT = ("wongar", "tongiaki")
SMALL = """
board house
    row cellar garden
    rows offset by half
score points
remember rest: number 0 to 9 = 9
rule taking(me: player)
    me chooses turn
        take(n: 1 to 2)
            set rest to rest - 1
            tell taken(player: me, n)
        wait
            set rest to rest - 1
play
    repeat while rest > 0
        for each me in player
            if rest > 0
                taking(me)
    end game

winner p
    most points of p
"""
BEGINNING = "seed: 3\nseats: [human, random]\nhints:\n"


def lesson_of(rules: Rules) -> Tutorial:
    source = find_lesson(rules)
    assert source is not None
    return read_lesson(*source)


def begin(rules: Rules, lesson: Tutorial, backend: str = "auto") -> Match:
    game = rules.game(len(lesson.seats), backend=backend)
    return Match.begin(game, lesson.seats, lesson.seed, rules.hash)


def narrator(match: Match, language: str = "en") -> Narrator:
    return Narrator(match.game, Translator.load(language, strict=True), names_of(match.seats))


@dataclass(frozen=True)
class FollowedLesson:
    """A game whose learner followed the suggestions: hints per decision, and topics that could be followed."""

    match: Match
    lesson: Tutorial
    asked: tuple[tuple[TutorialHint, ...], ...]
    possible: frozenset[str]

    @property
    def hints(self) -> list[TutorialHint]:
        return [hint for hints in self.asked for hint in hints]


@cache
def play_lesson(name: str) -> FollowedLesson:
    rules = library.load(name)
    lesson = lesson_of(rules)
    match = begin(rules, lesson)
    guide, teacher = TutorialRunner(lesson, match), TutorialText(lesson, match, narrator(match))
    decisions, possible = [], set()
    while not match.state.over:
        if match.state.seat != 0:
            match.play(*decide(match))
            continue
        decisions.append(guide.hints())
        moves = {hint.topic.name: move for hint in decisions[-1] if (move := teacher.suggestion(hint)) is not None}
        possible |= moves.keys()
        chance = decision_rng(match.seed, 0, len(match.steps))
        suggested = list(moves.values()) or [bot("easy").choose(match.state.copy(), chance, match.past)]
        match.play(suggested[-1])
    return FollowedLesson(match, lesson, (*decisions, guide.hints()), frozenset(possible))


def topic_names(hints: tuple[TutorialHint, ...]) -> list[str]:
    return [hint.topic.name for hint in hints]


# ---- bundled lessons --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TAUGHT)
def test_each_hint_appears_once_if_suggestions_are_followed(name: str) -> None:
    shown = [hint.topic.name for hint in play_lesson(name).hints]
    assert sorted(shown) == sorted(topic.name for topic in play_lesson(name).lesson.topics)


@pytest.mark.parametrize("name", TAUGHT)
def test_all_suggestions_are_legal_moves(name: str) -> None:
    assert play_lesson(name).possible == {topic.name for topic in play_lesson(name).lesson.topics if topic.suggestion}


@pytest.mark.parametrize("name", TAUGHT)
def test_course_pauses_once_late_in_the_game(name: str) -> None:
    decisions = play_lesson(name).asked
    (pause,) = (number for number, hints in enumerate(decisions) for hint in hints if hint.topic.pause)
    assert pause < len(decisions) * 0.75
    assert sum(map(len, decisions[:pause])) > 0.6 * sum(map(len, decisions))


@pytest.mark.parametrize("name", TAUGHT)
def test_number_of_hints_per_decision_is_limited(name: str) -> None:
    for hints in play_lesson(name).asked[1:-1]:
        assert sum(not hint.about_question for hint in hints) <= MAX_HINTS_AT_ONCE
        assert sum(hint.about_question for hint in hints) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TAUGHT)
def test_hints_are_short_in_all_languages(name: str, language: str) -> None:
    game = play_lesson(name)
    teacher = TutorialText(game.lesson, game.match, narrator(game.match, language))
    for text in map(teacher.text, game.hints):
        assert 40 < len(text) < 420
        assert text[0].isupper()
        assert text[-1] in ".!?"


@pytest.mark.parametrize("name", TAUGHT)
def test_bundled_lessons_have_no_faults(name: str) -> None:
    assert list(faults(library.load(name))) == []


def test_hint_quotes_the_rules_and_their_source() -> None:
    rules = library.load("wongar")
    lesson = lesson_of(rules)
    match = begin(rules, lesson)
    teacher = TutorialText(lesson, match, narrator(match))
    (hint,) = (TutorialHint(topic) for topic in lesson.topics if topic.name == "first_token")
    texts = [paragraph.text for paragraph in teacher.rules(hint)]
    assert texts[0] == "Disc, cube and cylinder:"
    assert "– draw a ritual card (only if a ritual card is left)." in texts
    assert teacher.sources(hint) == [
        "Source: Wongar, Spielanleitung, Goldsieber 2000, “Symbol für eine Spielstein-Sorte”"
    ]


def test_topic_changed_by_a_variant_uses_the_rules() -> None:
    rules = library.load("wongar/initiated")
    lesson = lesson_of(rules)
    match = begin(rules, lesson)
    teacher = TutorialText(lesson, match, narrator(match))
    topics = {topic.name: TutorialHint(topic) for topic in lesson.topics}
    assert teacher.text(topics["scorpion"]) == ""
    assert any("scorpion" in paragraph.text for paragraph in teacher.rules(topics["scorpion"]))
    assert teacher.text(topics["three"])


def test_topic_changed_by_a_setting_uses_the_rules() -> None:
    rules = library.load("wongar")
    lesson = lesson_of(rules)
    (hint,) = (TutorialHint(topic) for topic in lesson.topics if topic.name == "taught")
    for bonus, has_text in ((8, True), (9, False)):
        game = rules.game(3, {"cards_bonus": bonus})
        match = Match.begin(game, lesson.seats, lesson.seed, rules.hash)
        teacher = TutorialText(lesson, match, narrator(match))
        assert bool(teacher.text(hint)) is has_text
        assert any(f"{bonus} victory points" in paragraph.text for paragraph in teacher.rules(hint))


@pytest.mark.parametrize("name", TAUGHT)
def test_the_text_of_each_hint_lists_declarations_that_exist(name: str) -> None:
    words, game = Translator.load("en"), play_lesson(name).match.game
    keys = RuleExcerpts(game, words).names()
    for topic in play_lesson(name).lesson.topics:
        _, articles = words.articles(f"lesson.{topic.name}", name)
        assert articles, topic.name
        assert [article for article in articles if article not in keys] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TAUGHT)
def test_no_hint_is_given_whose_declarations_are_changed(name: str, language: str) -> None:
    played = play_lesson(name)
    for hint in played.hints:
        _, articles = Translator.load(language).articles(f"lesson.{hint.topic.name}", name)
        for article in {*articles, *hint.topic.articles}:
            game = copy(played.match.game)
            vars(game)["changes"] = {article: frozenset({"other"})}
            match = copy(played.match)
            match.game = game
            assert TutorialText(played.lesson, match, narrator(match, language)).text(hint) == ""


@cache
def varied(name: str, change: str) -> Rules:
    """Return a variant of a bundled game."""
    source = Source("other.rules", f"variant other of {name}\n    source house rule\n\n{change}\n")
    rules, _ = with_variant(library.load(name), source)
    assert rules is not None
    return rules


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "change", "dropped", "kept"),
    [
        ("tongiaki", "set row tonga of berths to 5 5 5 5 5 5", ["first_ships"], ["welcome", "new_ship", "royal"]),
        ("tongiaki", "remove emigrate from rule take_turn", ["first_ships", "new_ship", "emigration"], ["landing"]),
        ("tongiaki", "replace remember waters_left: number = 5", ["taught", "last_turn"], ["royal", "water", "end"]),
        ("tongiaki", "set most_royal to 1", ["royal", "resettle"], ["founds", "taught"]),
        (
            "wongar",
            "set row ancestor_alone of points_for to 1 1 1",
            ["scored", "ancestor", "phase"],
            ["welcome", "elder"],
        ),
        ("wongar", "set early in scorpion to 1", ["phase", "scorpion", "last_round"], ["ancestor", "ritual"]),
        ("wongar", "set cards_bonus to 9", ["taught", "bonus"], ["end", "scored"]),
        (
            "wongar",
            "set elder_card in area_deck to 9",
            ["first_turn", "second_turn", "third_turn"],
            ["welcome", "elder"],
        ),
    ],
)
def test_hints_that_a_variant_makes_untrue_are_replaced_by_the_rules(
    name: str, change: str, dropped: list[str], kept: list[str], language: str
) -> None:
    rules = varied(name, change)
    lesson = lesson_of(rules)
    # Only the first position is needed.
    match = begin(rules, lesson, "reference")
    # The variant itself has no term, so the words are not strict.
    teacher = TutorialText(lesson, match, Narrator(match.game, Translator.load(language), names_of(match.seats)))
    hints = {hint.topic.name: hint for hint in play_lesson(name).hints}
    assert [topic for topic in kept if not teacher.text(hints[topic])] == []
    assert [topic for topic in dropped if teacher.text(hints[topic])] == []
    assert [topic for topic in dropped if not list(teacher.rules(hints[topic]))] == []


def test_no_move_is_suggested_in_a_game_that_the_lesson_was_not_written_for(tmp_path: Path) -> None:
    """The move may be legal in it, but the position differs."""
    path = tmp_path / "other.rules"
    suggested = list[bool]()
    for change in ("", "set elder_card in area_deck to 9", "set early in scorpion to 1"):
        path.write_text(f"variant other of wongar\n    source house rule\n\n{change}\n", encoding="utf-8")
        rules = library.load(path)
        lesson = lesson_of(rules)
        match = begin(rules, lesson)
        teacher = TutorialText(lesson, match, Narrator(match.game, Translator.load("en"), names_of(match.seats)))
        while match.state.decision is None or match.state.decision.name != "turn":
            match.play(match.state.legal_moves()[0])
        (hint,) = (TutorialHint(topic) for topic in lesson.topics if topic.name == "first_turn")
        match.state.read(hint.topic.suggestion)
        suggested.append(teacher.suggestion(hint) is not None)
    assert suggested == [True, False, False]


# ---- triggers ---------------------------------------------------------------------------------------------------


def short_game(tmp_path: Path, hints: str) -> tuple[Match, Tutorial]:
    rules = library.load(write_rules(tmp_path, SMALL))
    lesson = parse_lesson(BEGINNING + hints)
    return begin(rules, lesson), lesson


def hints_of(match: Match, lesson: Tutorial, *choices: str) -> list[list[str]]:
    guide, hints = TutorialRunner(lesson, match), []
    for choice in choices:
        if match.state.seat == 0:
            hints.append(topic_names(guide.hints()))
        match.play(match.state.read(choice))
    return [*hints, topic_names(guide.hints())]


def test_decision_trigger_counts_occurrences(tmp_path: Path) -> None:
    hints = "- {name: first, when: {decision: turn}}\n- {name: second, when: {decision: turn, time: 2}}\n"
    assert hints_of(*short_game(tmp_path, hints), "wait", "wait", "wait") == [["first"], ["second"], []]


def test_event_trigger_fires_at_the_next_decision(tmp_path: Path) -> None:
    hints = "- {name: taken, when: {told: taken}}\n- {name: again, when: {told: taken, time: 2}}\n"
    assert hints_of(*short_game(tmp_path, hints), "wait", "take(1)", "take(2)", "wait") == [
        [],
        ["taken"],
        ["again"],
    ]


def test_option_trigger_needs_the_option(tmp_path: Path) -> None:
    hints = "- {name: waiting, when: {decision: turn, offers: wait}}\n"
    assert hints_of(*short_game(tmp_path, hints)) == [["waiting"]]


def test_start_and_end_triggers_fire(tmp_path: Path) -> None:
    match, lesson = short_game(tmp_path, "- {name: hello, when: start}\n- {name: bye, when: end}\n")
    assert hints_of(match, lesson, *["wait"] * 9) == [["hello"], [], [], [], [], ["bye"]]


def test_excess_hints_wait_for_the_next_decision(tmp_path: Path) -> None:
    hints = "".join(f"- {{name: h{n}, when: {{told: taken}}}}\n" for n in range(MAX_HINTS_AT_ONCE + 1))
    first = [f"h{n}" for n in range(MAX_HINTS_AT_ONCE)]
    assert hints_of(*short_game(tmp_path, hints), "take(1)", "wait", "wait", "wait") == [
        [],
        first,
        [f"h{MAX_HINTS_AT_ONCE}"],
    ]


def test_hints_are_repeatable_and_follow_undo(tmp_path: Path) -> None:
    match, lesson = short_game(tmp_path, "- {name: first, when: {decision: turn}}\n- {name: t, when: {told: taken}}\n")
    guide = TutorialRunner(lesson, match)
    assert topic_names(guide.hints()) == topic_names(guide.hints()) == ["first"]
    match.play(match.state.read("take(1)"))
    match.play(match.state.read("wait"))
    assert topic_names(guide.hints()) == ["t"]
    match.truncate(0)
    assert topic_names(guide.hints()) == ["first"]
    match.play(match.state.read("wait"))
    match.play(match.state.read("wait"))
    assert topic_names(guide.hints()) == []


def test_hints_of_a_skipped_decision_are_kept(tmp_path: Path) -> None:
    match, lesson = short_game(tmp_path, "- {name: first, when: {decision: turn}}\n- {name: t, when: {told: taken}}\n")
    guide = TutorialRunner(lesson, match)
    for choice in ("take(1)", "wait"):
        match.play(match.state.read(choice))
    assert topic_names(guide.hints()) == ["first", "t"]


@given(st.lists(st.sampled_from(["wait", "take(1)", "take(2)"]), max_size=8))
def test_hints_of_a_new_guide_match_the_running_one(
    tmp_path_factory: pytest.TempPathFactory, choices: list[str]
) -> None:
    hints = "- {name: first, when: {decision: turn}}\n- {name: t, when: {told: taken}}\n- {name: bye, when: end}\n"
    match, lesson = short_game(tmp_path_factory.mktemp("game"), hints)
    guide = TutorialRunner(lesson, match)
    for choice in choices:
        guide.hints()
        match.play(match.state.read(choice))
    assert lesson.hints(match) == guide.hints()


# ---- files ------------------------------------------------------------------------------------------------------

WRONG = {
    "": "cases.shape",
    "seed: 1": "cases.missing_key",
    "seed: x\nseats: [human]\nhints: [{name: a, when: start}]": "cases.shape",
    "seed: -1\nseats: [human]\nhints: [{name: a, when: start}]": "cases.value",
    "seed: 99999999999999999999\nseats: [human]\nhints: [{name: a, when: start}]": "cases.value",
    "seed: 1\nseats: []\nhints: [{name: a, when: start}]": "cases.shape",
    "seed: 1\nseats: [easy]\nhints: [{name: a, when: start}]": "lesson.seat",
    "seed: 1\nseats: [human, human]\nhints: [{name: a, when: start}]": "lesson.seat",
    "seed: 1\nseats: [human, nobody]\nhints: [{name: a, when: start}]": "lesson.seat",
    "seed: 1\nseats: [human, 'easy,easy']\nhints: [{name: a, when: start}]": "lesson.seat",
    "seed: 1\nseats: [human]\nhints: []": "lesson.no_hints",
    "seed: 1\nseats: [human]\nhints: [{name: A b, when: start}]": "cases.value",
    "seed: 1\nseats: [human]\nhints: [{name: a}]": "cases.missing_key",
    "seed: 1\nseats: [human]\nhints: [{name: a, when: soon}]": "cases.value",
    "seed: 1\nseats: [human]\nhints: [{name: a, when: {}}]": "lesson.when",
    "seed: 1\nseats: [human]\nhints: [{name: a, when: {decision: x, told: y}}]": "lesson.when",
    "seed: 1\nseats: [human]\nhints: [{name: a, when: {told: y, offers: z}}]": "lesson.offers",
    "seed: 1\nseats: [human]\nhints: [{name: a, when: {told: y, time: 0}}]": "cases.value",
    "seed: 1\nseats: [human]\nhints: [{name: a, when: start, pause: maybe}]": "cases.value",
    "seed: 1\nseats: [human]\nhints: [{name: a, when: start, try: take(1, pause: no}]": "cases.cut",
    "seed: 1\nseats: [human]\nhints: [{name: a, when: start}, {name: a, when: end}]": "cases.twice",
    "seed: 1\nseats: [human]\nhints: [{name: a, wen: start}]": "cases.unknown_key",
    "seed: &x 1\nseats: [human]\nhints: [{name: a, when: start}]": "cases.alias",
    "[" * 30: "cases.too_deep",
}  # fmt: skip


@pytest.mark.parametrize(("text", "code"), WRONG.items())
def test_invalid_lesson_file_is_refused_with_its_line(text: str, code: str) -> None:
    with pytest.raises(CaseError) as caught:
        parse_lesson(text)
    assert caught.value.finding.code == code
    assert 1 <= caught.value.finding.line <= text.count("\n") + 1


def test_lesson_with_too_many_hints_is_refused() -> None:
    hints = "".join(f"- {{name: h{n}, when: start}}\n" for n in range(201))
    with pytest.raises(CaseError) as caught:
        parse_lesson(BEGINNING + hints)
    assert caught.value.finding.code == "lesson.too_many"


@given(st.data())
def test_mutated_lesson_is_parsed_or_refused(data: st.DataObject) -> None:
    source = find_lesson(library.load("wongar"))
    assert source is not None
    text = source[0].read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 20)))
        text = text[:start] + data.draw(st.text(st.sampled_from("abz:{}[],- \n\t&*!'\"#0_é"), max_size=6)) + text[end:]
    try:
        lesson, line = parse_lesson(text), 1
    except CaseError as error:
        lesson, line = None, error.finding.line
    assert 1 <= line <= text.count("\n") + 2
    assert lesson is None or (lesson.topics and lesson.seats[0].kind == "human")


def lesson_faults(tmp_path: Path, hints: str, seats: str = "[human, random]") -> list[tuple[str, int]]:
    """Return code and line of each fault in a lesson of the small game."""
    file = write_rules(tmp_path, SMALL)
    text = f"seed: 3\nseats: {seats}\nhints:\n{hints}"
    file.with_name(f"{file.stem}.lesson.yaml").write_text(text, encoding="utf-8")
    diagnostics = faults(library.load(file))
    return [(str(d.arguments.get("finding", d.code)), d.span.line) for d in diagnostics if d.span is not None]


NAMES_NOTHING = {
    "when: {decision: trun}": "lesson.unknown_decision",
    "when: {decision: turn, offers: give}": "lesson.unknown_option",
    "when: {told: tacken}": "lesson.unknown_event",
    "articles: rule.nothing": "lesson.unknown_article",
    "look_at: [roof]": "lesson.unknown_area",
    "try: take(x)": "lesson.unknown_move",
}


@pytest.mark.parametrize(("part", "code"), NAMES_NOTHING.items())
def test_unknown_name_is_reported_with_its_line(tmp_path: Path, part: str, code: str) -> None:
    when = "" if part.startswith("when") else "  when: start\n"
    hints = f"- name: a\n{when}  {part}\n"
    assert lesson_faults(tmp_path, hints) == [(code, 6 if when else 5)]


def test_known_names_are_accepted(tmp_path: Path) -> None:
    hint = "{name: a, when: {decision: turn, offers: wait}, try: take(2), look_at: [garden], articles: [rule.taking]}"
    assert lesson_faults(tmp_path, f"- {hint}\n") == []


def test_wrong_number_of_players_is_reported(tmp_path: Path) -> None:
    reported = lesson_faults(tmp_path, "- {name: a, when: start}\n", "[human, easy, easy]")
    assert ("lesson.players", 1) in reported


def test_hint_without_text_is_a_warning_with_its_languages(tmp_path: Path) -> None:
    for language, entry in (("en", 'msgctxt "small.taken"\nmsgid "{player} takes {n}."\nmsgstr ""\n'), ("nl", "")):
        (tmp_path / "locales" / language).mkdir(parents=True)
        (tmp_path / "locales" / language / "messages.po").write_text(entry, encoding="utf-8")
    assert lesson_faults(tmp_path, "- {name: a, when: start}\n") == [("R0703", 4)]
    (lack,) = faults(library.load(tmp_path / "small.rules"))
    assert lack.arguments == {"name": "small.lesson.a", "languages": ("en", "nl")}


def test_rules_without_catalogs_need_no_hint_texts(tmp_path: Path) -> None:
    assert lesson_faults(tmp_path, "- {name: a, when: start}\n") == []


def test_hint_text_may_only_use_slots_of_its_event(tmp_path: Path) -> None:
    folder = tmp_path / "locales" / "en"
    folder.mkdir(parents=True)
    game = library.load(write_rules(tmp_path, SMALL)).name
    entries = "".join(
        f'msgctxt "{game}.lesson.{name}"\nmsgid "{{{slot}}} {{learner}}."\nmsgstr ""\n\n'
        for name, slot in (("good", "n"), ("bad", "m"))
    )
    (folder / "messages.po").write_text(entries, encoding="utf-8")
    hints = "- {name: good, when: {told: taken}}\n- {name: bad, when: {told: taken}}\n"
    assert lesson_faults(tmp_path, hints) == [("lesson.unknown_slot", 5)]
