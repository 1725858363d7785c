"""Report text: the answer first, and no conclusions from chance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.lab.reports import played
from tests.small_games import write_rules
from wongar_dsl.lab import reports
from wongar_dsl.lab.inference import DifferenceEstimate, Estimate
from wongar_dsl.lab.metrics import MetricKey
from wongar_dsl.lab.reports.assemble_document import command
from wongar_dsl.lab.reports.document import Chapter
from wongar_dsl.lab.reports.labels import MeasureUnit, ReportNames, significant_side
from wongar_dsl.lab.reports.one_arm import ChoiceChapter, OneArmChapters, columns_of
from wongar_dsl.lab.reports.report_data import ArmReport, ComparedFigure, Comparison, HistogramBin, Report
from wongar_dsl.lab.reports.several_arms import TwoArmReport
from wongar_dsl.nlg.words import Translator

SOLO = """
score points
play
    player(1) chooses pace
        go(n: 1 to 3)
            player(1) gains n points
    end game
winner p
    most points of p
"""
AT_ONCE = """
option bonus = 0 in 0 to 5
score points
remember bid of each player: number 0 to 3 = 0
play
    each p in player chooses bidding at once
        offer(n: 1 to 3)
            set bid of p to n
    player(1) gains bid of player(1) + bonus points
    player(2) gains bid of player(2) points
    end game
winner p
    most points of p
"""


def names(language: str = "en") -> ReportNames:
    return ReportNames(played.single()[1][0], played.words_of(language))


def findings() -> ArmReport:
    return played.single()[0].arms[0]


def wins(share: float, half: float = 0.02) -> ArmReport:
    """Return findings with this share of wins for the starting player."""
    base = findings()
    assert base.starter is not None
    return replace(base, starter=replace(base.starter, wins=Estimate(share, share - half, share + half)))


def chapter_text(chapter: Chapter) -> str:
    return " ".join((*chapter.gist, *chapter.sentences, *chapter.listed))


def difference(value: float, half: float, key: MetricKey, significant: bool = True) -> ComparedFigure:
    p = 0.001 if significant else 0.5
    main = key.measure in ("wins", "starter wins")
    return ComparedFigure(key, 0.25, 0.25 + value, DifferenceEstimate(value, value - half, value + half, p, p), main)


def versus(*figures: ComparedFigure) -> list[Chapter]:
    comparison = Comparison(0, 1, 100, figures, (), ())
    return list(TwoArmReport(names(), names(), comparison, "Wongar", "Wongar (new)").chapters())


# ---- one set of rules ----


@pytest.mark.parametrize(("share", "verdict"), [(0.42, "an advantage."), (0.22, "a disadvantage."), (0.34, "neither")])
def test_share_of_the_starting_player_comes_first_with_its_interval(share: float, verdict: str) -> None:
    text = OneArmChapters(names(), wins(share)).wins().gist[0]
    percent = round(100 * share)
    assert text.startswith(f"The starting player wins {percent}% of the games ({percent - 2} to {percent + 2}%); ")
    assert "with even chances it would be 33%." in text
    assert verdict in text


def test_no_starting_advantage_is_claimed_for_different_bots() -> None:
    mixed = replace(wins(0.42), bots=("random", "greedy", "random"), rotate=False)
    chapter = OneArmChapters(names(), mixed).wins()
    assert "advantage" not in chapter_text(chapter)
    assert "(greedy)" in " ".join(label for label, _ in chapter.figures[0].grid.rows)


def test_threshold_rises_with_the_number_of_seats() -> None:
    just = Estimate(0.30, 0.251, 0.349)
    assert significant_side(just, 0.25, 1) == 1
    assert significant_side(just, 0.25, 4) == 0
    assert significant_side(Estimate(0.2, 0.15, 0.249), 0.25, 1) == -1


def test_shared_wins_are_excluded_from_the_decision_time() -> None:
    base = findings()
    for alone, is_reported in ((12, False), (11, True)):
        course = replace(base.lead_history, decided_games=alone)
        text = chapter_text(OneArmChapters(names(), replace(base, lead_history=course)).course())
        assert ("Left out here, because there was no single winner: one game." in text) == is_reported


def test_unfinished_games_give_no_figures() -> None:
    words = played.words_of("en")
    report, games = played.single()
    arm = report.arms[0]
    document = reports.build_document(
        replace(report, arms=(replace(arm, unfinished=arm.games, length=None),)), games, words
    )
    assert [chapter.key for chapter in document.chapters] == ["nothing", "method"]
    assert "No game was finished." in list(document.summaries())
    # An arm without finished games is named.
    report, games = played.versus()
    first, second = report.arms
    document = reports.build_document(
        replace(report, arms=(first, replace(second, unfinished=second.games))), games, words
    )
    assert list(document.summaries()) == ["Wongar (card bonus: 30): no game was finished."]


def test_differences_of_fewer_games_than_the_figures_beside_them_are_explained() -> None:
    report, games = played.versus()
    first, second = report.arms
    words = played.words_of("nl")
    for unfinished in (0, 1):
        partly = replace(report, arms=(first, replace(second, unfinished=unfinished)))
        method = reports.build_document(partly, games, words).chapters[-1]
        assert (words.say("lab.method.both", None) in method.sentences) == bool(unfinished)


def test_solo_game_has_no_course_chapter(tmp_path: Path) -> None:
    rules = write_rules(tmp_path, SOLO, players="1 to 2")
    keys = []
    for seats in (1, 2):
        report, games = played.simulated([(str(rules), {})], seats, 20)
        keys.append([chapter.key for chapter in reports.build_document(report, games, Translator.load("en")).chapters])
    assert keys[0] == ["wins", "points", "length", "articles", "method"]
    assert "course" in keys[1]


@pytest.mark.parametrize(
    ("until", "told"),
    [
        (0.3, "Games were played until no share of wins was uncertain by more than 30.0% to either side."),
        (0.00125, "by more than 0.125% to either side; they ended before that."),
    ],
)
def test_report_states_if_the_requested_precision_was_reached(until: float, told: str) -> None:
    report, games = played.single()
    document = reports.build_document(replace(report, until=until), games, played.words_of("en"))
    assert told in chapter_text(document.chapters[-1])


def test_equal_lengths_need_no_chart() -> None:
    spread = findings().length
    assert spread is not None
    equal = replace(spread, least=9, most=9, quartiles=(9, 9, 9))
    (chapter,) = OneArmChapters(names(), replace(findings(), length=equal)).length()
    assert (chapter.gist, chapter.figures) == (("Every game takes 9 decisions.",), ())


def test_histogram_columns_have_equal_width_and_all_games() -> None:
    bins = [HistogramBin(n, n, 3) for n in range(20, 64)] + [HistogramBin(n, n + 1, 5) for n in range(64, 120, 2)]
    columns = columns_of(bins)
    assert {column.high - column.low + 1 for column in columns} == {5}
    assert sum(column.count for column in columns) == pytest.approx(sum(column.count for column in bins))


# ---- choices ----


def test_never_chosen_options_are_listed() -> None:
    report, games = played.small()
    arm = report.arms[0]
    never = replace(
        arm, choices=tuple(replace(choice, taken=0) if choice.option == "fold" else choice for choice in arm.choices)
    )
    (chapter,) = ChoiceChapter(OneArmChapters(ReportNames(games[0], played.words_of("en")), never)).chapter()
    assert [text for text in chapter.listed if text.startswith("“Fold”: offered") and text.endswith("never taken.")]


def test_option_labels_are_unique() -> None:
    labelled = names()
    decisions = labelled.game.program.decisions
    labels = [labelled.option(decision.name, option.name) for decision in decisions for option in decision.options]
    assert len(set(labels)) == len(labels)


# ---- comparisons ----

STARTER, SEAT = MetricKey("starter wins"), MetricKey("wins", 0)


@pytest.mark.parametrize(
    ("value", "significant", "verdict"),
    [
        (0.03, True, "The change helps the starting player."),
        (-0.03, True, "The change hurts the starting player."),
        (0.03, False, "any effect is at most 4.0 percentage points."),
    ],
)
def test_verdict_is_one_sentence(value: float, significant: bool, verdict: str) -> None:
    main, *_ = versus(difference(value, 0.01, STARTER, significant), difference(0.0, 0.01, SEAT, False))
    assert main.gist[-1].endswith(verdict)


def test_insignificant_difference_may_be_chance() -> None:
    main, _ = versus(difference(0.03, 0.05, STARTER, significant=False))
    assert main.gist[0] == (
        "The share of wins of the starting player goes from 25.0% to 28.0%: "
        "+3.0 percentage points (−2.0 to +8.0), which may be due to chance."
    )


def test_difference_of_zero_is_reported_as_equal() -> None:
    main, _ = versus(difference(0.0, 0.0, STARTER, significant=False))
    assert main.gist == (
        "The share of wins of the starting player is 25% with both, the same in every game.",
        "The change makes no difference to the starting player.",
    )


def test_simultaneous_games_compare_seats_only(tmp_path: Path) -> None:
    rules = str(write_rules(tmp_path, AT_ONCE))
    arms = [(rules, {"bonus": 0}), (rules, {"bonus": 5})]
    report, games = played.simulated(arms, 2, 60)
    main = [figure.key for figure in report.comparisons[0].figures if figure.main]
    assert main == [MetricKey("wins", 0), MetricKey("wins", 1)]
    chapter, *_ = reports.build_document(report, games, Translator.load("en")).chapters
    assert chapter.gist[0].startswith("The share of wins of seat 1 rises from ")
    assert "the starting player" not in chapter_text(chapter)
    swept, games = played.simulated(arms, 2, 60, sweep="bonus")
    assert "The share of wins of seat 1 rises" in next(
        reports.build_document(swept, games, Translator.load("en")).summaries()
    )


def test_too_few_games_give_no_comparison() -> None:
    main, _ = versus()
    assert main.gist == ("Too few games were finished with both sets of rules to compare the wins.",)


def test_equal_changes_of_all_seats_share_a_sentence() -> None:
    points = [difference(2 + seat / 10, 0.1, MetricKey("points", seat)) for seat in range(3)]
    _, chapter = versus(*points)
    assert chapter.listed == ("The mean score of every seat rises by 2.00 to 2.20, significant.",)
    _, chapter = versus(*points[:2], difference(-2, 0.1, MetricKey("points", 2)))
    assert len(chapter.listed) == 3


def test_insignificant_figures_are_named_but_not_listed() -> None:
    _, chapter = versus(difference(4, 9, MetricKey("length"), significant=False))
    assert chapter.gist == ("No other figure differs significantly.",)
    assert chapter.sentences == ("May be due to chance: the mean number of decisions.",)
    assert chapter.listed == ()


def test_even_share_is_drawn_only_if_equal_for_all_values() -> None:
    swept, games = played.sweep()
    first, *others = swept.arms

    def drawn(report: Report) -> str:
        chapter, *_ = reports.build_document(report, games, played.words_of("en")).chapters
        return str(chapter.figures[0].draw()[0].tag())

    assert "even chances: 33%" in drawn(swept)
    assert "even chances" not in drawn(replace(swept, arms=(replace(first, drawn=1), *others)))


# ---- numbers ----


def test_decimal_places_follow_the_interval() -> None:
    share, number = MeasureUnit(played.words_of("en"), share=True), MeasureUnit(played.words_of("de"))
    assert share.estimate(Estimate(0.3123, 0.29, 0.334)) == "31% (29 to 33%)"
    assert share.estimate(Estimate(0.3123, 0.3098, 0.3148)) == "31.2% (31.0 to 31.5%)"
    assert number.estimate(Estimate(1234.567, 1234.1, 1235.0)) == "1.234,6 (1.234,1 bis 1.235,0)"
    assert number.estimate(Estimate(5.0, 5.0, 5.0)) == "5 (5 bis 5)"


def test_differences_have_a_sign_but_zero_has_none() -> None:
    unit = MeasureUnit(played.words_of("en"), share=True)
    assert unit.difference_with_interval(DifferenceEstimate(0.02, 0.01, 0.03, 0, 0)) == "+2.0 (+1.0 to +3.0)"
    assert unit.difference_with_interval(DifferenceEstimate(-0.0001, -0.05, 0.05, 1, 1)) == "0.0 (−5.0 to +5.0)"
    assert unit.size_interval(DifferenceEstimate(-0.02, -0.03, -0.01, 0, 0)) == "1.0 to 3.0"


@pytest.mark.parametrize(("before", "after", "change"), [(0.5176, 0.4823, "−3.6"), (0.5214, 0.5376, "+1.7")])
def test_shown_difference_is_that_of_the_shown_values(before: float, after: float, change: str) -> None:
    effect = DifferenceEstimate(after - before, after - before - 0.04, after - before + 0.04, 0.5, 0.5)
    [main, *_] = versus(ComparedFigure(MetricKey("starter wins"), before, after, effect, True))
    assert change in chapter_text(main)
    assert change in str(main.figures[0].grid)


def test_one_percentage_point_is_singular() -> None:
    unit = MeasureUnit(played.words_of("it"), share=True)
    assert unit.difference(DifferenceEstimate(0.01, -0.08, 0.10, 1, 1)) == "+1,0 punti percentuali"
    assert unit.difference(DifferenceEstimate(0.01, -0.19, 0.21, 1, 1)) == "+1 punto percentuale"


def test_infinite_interval_is_formatted() -> None:
    assert MeasureUnit(played.words_of("nl")).estimate(Estimate(3.0, float("-inf"), float("inf"))) == "3 (−∞ tot ∞)"


# ---- names ----


def test_changed_setting_is_part_of_the_title() -> None:
    report, games = played.versus()
    alone = replace(report, arms=report.arms[1:], comparisons=())
    title = reports.build_document(alone, games[1:], played.words_of("en")).title
    assert title == "Wongar (card bonus: 30): results of many games"


def test_settings_and_bots_are_part_of_the_command() -> None:
    report, games = played.versus()
    arm = replace(report.arms[1], bots=("greedy", "random", "random"))
    assert command(report, games) is None
    line = command(replace(report, arms=(arm,), comparisons=()), games[1:])
    assert line == "simulate wongar --set cards_bonus=30 --seats greedy,random,random --games 14 --seed 7"
