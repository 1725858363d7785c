"""Lessons: topics, triggers and texts of a tutorial game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from functools import cache
from html import unescape
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
from wongar_dsl.nlg.narration.teaching_book import teaching_book
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.rulebook_page import page_content, section_anchor
from wongar_dsl.session.lesson_check import faults
from wongar_dsl.session.seats import decide, names_of
from wongar_dsl.session.tutorial import (
    MAX_HINTS_AT_ONCE,
    Tutorial,
    TutorialHint,
    TutorialRunner,
    TutorialText,
    find_lesson,
    parse_lesson,
    read_lesson,
)

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


def topic_names(hints: Iterable[TutorialHint]) -> list[str]:
    return [hint.topic.name for hint in hints]


# ---- bundled lessons --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TAUGHT)
def test_each_hint_appears_once_if_suggestions_are_followed(name: str) -> None:
    played = play_lesson(name)
    assert sorted(topic_names(played.hints)) == sorted(topic.name for topic in played.lesson.topics)
    # All suggestions are legal.
    assert played.possible == {topic.name for topic in played.lesson.topics if topic.suggestion}
    for hints in played.asked[1:-1]:
        assert sum(not hint.about_question for hint in hints) <= MAX_HINTS_AT_ONCE
        assert sum(hint.about_question for hint in hints) <= 1
    # The course pauses once, late in the game.
    (pause,) = (number for number, hints in enumerate(played.asked) for hint in hints if hint.topic.pause)
    assert pause < len(played.asked) * 0.75
    assert sum(map(len, played.asked[:pause])) > 0.6 * sum(map(len, played.asked))
    assert list(faults(library.load(name))) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TAUGHT)
def test_hints_are_short_in_all_languages(name: str, language: str) -> None:
    game = play_lesson(name)
    teacher = TutorialText(game.lesson, game.match, narrator(game.match, language))
    for text in map(teacher.text, game.hints):
        assert 40 < len(text) < 420
        assert text[0].isupper()
        assert text[-1] in ".!?"


@pytest.mark.parametrize("name", [*TAUGHT, "wongar/initiated"])
def test_each_hint_names_the_section_that_explains_it_with_one_anchor_in_all_languages(name: str) -> None:
    rules = library.load(name)
    lesson = lesson_of(rules)
    match, anchors = begin(rules, lesson), list[list[str]]()
    for language in LANGUAGES:
        told = narrator(match, language)
        teacher = TutorialText(lesson, match, told)
        sections = [teacher.section(TutorialHint(topic)) for topic in lesson.topics]
        book = teaching_book(rules, told.words, len(lesson.seats), match.game.settings)
        page = page_content(book.reading, rules.model)
        headings = {anchor: unescape(text) for anchor, text in re.findall(r'<h\d id="([^"]+)-h">([^<]+)</h', page)}
        assert all(s is not None and headings[section_anchor(s.key)] == s.heading for s in sections)
        anchors.append([section_anchor(s.key) for s in sections if s is not None])
    assert anchors == [anchors[0]] * len(LANGUAGES)
    # The hints are about different things.
    assert len(set(anchors[0])) > len(lesson.topics) / 3


def taught(rules: Rules, backend: str = "auto") -> tuple[TutorialText, dict[str, TutorialHint]]:
    """Return the teacher at the start of a lesson, and all of its hints."""
    lesson = lesson_of(rules)
    match = begin(rules, lesson, backend)
    return TutorialText(lesson, match, narrator(match)), {topic.name: TutorialHint(topic) for topic in lesson.topics}


def test_hint_quotes_the_rules_and_their_source() -> None:
    teacher, hints = taught(library.load("wongar"))
    texts = [paragraph.text for paragraph in teacher.rules(hints["first_token"])]
    assert texts[0] == "Disc, cube or cylinder area card:"
    assert "– draw a ritual card (only if a ritual card is left)." in texts
    assert teacher.sources(hints["first_token"]) == [
        "Source: Wongar, Spielanleitung, Goldsieber 2000, “Symbol für eine Spielstein-Sorte”"
    ]


def test_topic_changed_by_a_variant_uses_the_rules() -> None:
    teacher, hints = taught(library.load("wongar/initiated"))
    assert teacher.text(hints["scorpion"]) == ""
    assert any("scorpion" in paragraph.text for paragraph in teacher.rules(hints["scorpion"]))
    assert teacher.text(hints["three"])


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TAUGHT)
def test_no_hint_is_given_whose_declarations_are_changed(name: str, language: str) -> None:
    played, words = play_lesson(name), Translator.load(language)
    known = RuleExcerpts(played.match.game, words).names()
    for hint in played.hints:
        _, articles = words.articles(f"lesson.{hint.topic.name}", name)
        assert articles, hint.topic.name
        assert [article for article in articles if article not in known] == []
        for article in {*articles, *hint.topic.articles}:
            match = copy(played.match)
            match.game = copy(played.match.game)
            vars(match.game)["changes"] = {article: frozenset({"other"})}
            assert TutorialText(played.lesson, match, narrator(match, language)).text(hint) == ""


def varied(name: str, change: str) -> Rules:
    """Return a variant of a bundled game."""
    source = Source("other.rules", f"variant other of {name}\n    source house rule\n\n{change}\n")
    rules, _ = with_variant(library.load(name), source)
    assert rules is not None
    return rules


@pytest.mark.parametrize(
    ("language", "name", "change", "dropped", "kept"),
    [
        ("de", "tongiaki", "set row tonga of berths to 5 5 5 5 5 5", "first_ships", "welcome new_ship royal"),
        ("nl", "tongiaki", "remove emigrate from rule take_turn", "first_ships new_ship emigration", "landing"),
        ("it", "tongiaki", "replace remember waters_left: number = 5", "taught last_turn", "royal water end"),
        ("en", "tongiaki", "set most_royal to 1", "royal resettle", "founds taught"),
        ("de", "wongar", "set row ancestor_alone of points_for to 1 1 1", "scored ancestor phase", "welcome elder"),
        ("nl", "wongar", "set early in scorpion to 1", "phase scorpion last_round", "ancestor ritual"),
        ("it", "wongar", "set cards_bonus to 9", "taught bonus", "end scored"),
        ("en", "wongar", "set elder_card in area_deck to 9", "first_turn second_turn third_turn", "welcome elder"),
    ],
)
def test_hints_that_a_variant_makes_untrue_are_replaced_by_the_rules(
    language: str, name: str, change: str, dropped: str, kept: str
) -> None:
    rules = varied(name, change)
    lesson = lesson_of(rules)
    # Only the first position is needed.
    match = begin(rules, lesson, "reference")
    # The variant itself has no term, so the words are not strict.
    teacher = TutorialText(lesson, match, Narrator(match.game, Translator.load(language), names_of(match.seats)))
    hints = {hint.topic.name: hint for hint in play_lesson(name).hints}
    assert [topic for topic in kept.split() if not teacher.text(hints[topic])] == []
    assert [topic for topic in dropped.split() if teacher.text(hints[topic])] == []
    assert [topic for topic in dropped.split() if not list(teacher.rules(hints[topic]))] == []


def test_no_move_is_suggested_in_a_game_that_the_lesson_was_not_written_for() -> None:
    """The move may be legal in it, but the position differs."""
    suggested = list[bool]()
    for change in ("", "set elder_card in area_deck to 9", "set early in scorpion to 1"):
        rules = varied("wongar", change)
        lesson = lesson_of(rules)
        match = begin(rules, lesson, "reference")
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


MANY = "".join(f"- {{name: h{n}, when: {{told: taken}}}}\n" for n in range(MAX_HINTS_AT_ONCE + 1))
TRIGGERS = {
    "the nth decision": (
        "- {name: first, when: {decision: turn}}\n- {name: second, when: {decision: turn, time: 2}}\n",
        "wait wait wait", [["first"], ["second"], []],
    ),
    "an event, at the next decision": (
        "- {name: taken, when: {told: taken}}\n- {name: again, when: {told: taken, time: 2}}\n",
        "wait take(1) take(2) wait", [[], ["taken"], ["again"]],
    ),
    "an option on offer": ("- {name: waiting, when: {decision: turn, offers: wait}}\n", "", [["waiting"]]),
    "start and end": (
        "- {name: hello, when: start}\n- {name: bye, when: end}\n",
        "wait " * 9, [["hello"], [], [], [], [], ["bye"]],
    ),
    "too many hints at once": (
        MANY, "take(1) wait wait wait",
        [[], [f"h{n}" for n in range(MAX_HINTS_AT_ONCE)], [f"h{MAX_HINTS_AT_ONCE}"]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_hints_are_given_at_their_triggers(trigger: str, tmp_path: Path) -> None:
    hints, choices, expected = TRIGGERS[trigger]
    assert hints_of(*short_game(tmp_path, hints), *choices.split()) == expected


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
    # Hints of a skipped decision are kept.
    match.truncate(0)
    guide = TutorialRunner(lesson, match)
    for choice in ("take(1)", "wait"):
        match.play(match.state.read(choice))
    assert topic_names(guide.hints()) == ["first", "t"]
    for choice in ("wait", "wait", "wait"):
        match.play(match.state.read(choice))
    match.truncate(1)
    assert topic_names(guide.hints()) == []
    for choice in ("take(1)", "wait", "wait", "wait"):
        match.play(match.state.read(choice))
    assert topic_names(guide.hints()) == ["t"]


def test_hint_on_the_nth_event_is_about_that_event(tmp_path: Path) -> None:
    match, lesson = short_game(tmp_path, "- {name: again, when: {told: taken, time: 2}}\n")
    guide = TutorialRunner(lesson, match)
    for choice in ("take(1)", "take(2)"):
        match.play(match.state.read(choice))
    (hint,) = guide.hints()
    assert hint.event is not None
    assert hint.event.slots()["n"][1] == 2


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
    assert TutorialRunner(lesson, match).hints() == guide.hints()


# ---- files ------------------------------------------------------------------------------------------------------

ONE, SEATS = "hints: [{name: a, when: start}]", "seed: 1\nseats: [human]\n"
#: Faults of lesson files: whole files, seeds and seats before a good hint, and hints after good seats.
WRONG = {
    "": "cases.shape",
    "seed: 1": "cases.missing_key",
    "[" * 30: "cases.too_deep",
    f"seed: &x 1\nseats: [human]\n{ONE}": "cases.alias",
    **{f"seed: {seed}\nseats: [human]\n{ONE}": code for seed, code in (
        ("x", "cases.shape"), ("-1", "cases.value"), ("99999999999999999999", "cases.value"),
    )},
    **{f"seed: 1\nseats: {seats}\n{ONE}": code for seats, code in (
        ("[]", "cases.shape"), ("[easy]", "lesson.seat"), ("[human, human]", "lesson.seat"),
        ("[human, nobody]", "lesson.seat"), ("[human, 'easy,easy']", "lesson.seat"),
    )},
    **{f"{SEATS}hints: [{hints}]": code for hints, code in (
        ("", "lesson.no_hints"),
        ("{name: A b, when: start}", "cases.value"),
        ("{name: a}", "cases.missing_key"),
        ("{name: a, when: soon}", "cases.value"),
        ("{name: a, when: {}}", "lesson.when"),
        ("{name: a, when: {decision: x, told: y}}", "lesson.when"),
        ("{name: a, when: {told: y, offers: z}}", "lesson.offers"),
        ("{name: a, when: {told: y, time: 0}}", "cases.value"),
        ("{name: a, when: start, pause: maybe}", "cases.value"),
        ("{name: a, when: start, try: take(1, pause: no}", "cases.cut"),
        ("{name: a, when: start}, {name: a, when: end}", "cases.twice"),
        ("{name: a, wen: start}", "cases.unknown_key"),
        (", ".join(f"{{name: h{n}, when: start}}" for n in range(201)), "lesson.too_many"),
    )},
}  # fmt: skip


@pytest.mark.parametrize(("text", "code"), WRONG.items())
def test_invalid_lesson_file_is_refused_with_its_line(text: str, code: str) -> None:
    with pytest.raises(CaseError) as caught:
        parse_lesson(text)
    assert caught.value.finding.code == code
    assert 1 <= caught.value.finding.line <= text.count("\n") + 1


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
HELLO = "- {name: a, when: start}\n"


@pytest.mark.parametrize(("part", "code"), NAMES_NOTHING.items())
def test_unknown_name_is_reported_with_its_line(tmp_path: Path, part: str, code: str) -> None:
    when = "" if part.startswith("when") else "  when: start\n"
    assert lesson_faults(tmp_path, f"- name: a\n{when}  {part}\n") == [(code, 6 if when else 5)]


def test_known_names_are_accepted_without_a_text_if_there_are_no_catalogs(tmp_path: Path) -> None:
    hint = "{name: a, when: {decision: turn, offers: wait}, try: take(2), look_at: [garden], articles: [rule.taking]}"
    assert lesson_faults(tmp_path, f"- {hint}\n") == []
    assert ("lesson.players", 1) in lesson_faults(tmp_path, HELLO, "[human, easy, easy]")


def test_hint_without_text_is_a_warning_with_its_languages(tmp_path: Path) -> None:
    for language, entry in (("en", 'msgctxt "small.taken"\nmsgid "{player} takes {n}."\nmsgstr ""\n'), ("nl", "")):
        (tmp_path / "locales" / language).mkdir(parents=True)
        (tmp_path / "locales" / language / "messages.po").write_text(entry, encoding="utf-8")
    assert lesson_faults(tmp_path, HELLO) == [("R0703", 4)]
    (lack,) = faults(library.load(tmp_path / "small.rules"))
    assert lack.arguments == {"name": "small.lesson.a", "languages": ("en", "nl")}


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
