"""What a report says of figures: the answer first, and nothing that chance alone would say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.reports import played
from tests.small_games import written
from wongar_dsl import reports
from wongar_dsl.lab.report import Bin, Compared, Comparison, Effect, Estimate, Findings, Key, Report
from wongar_dsl.reports.choices import Choices
from wongar_dsl.reports.document import Chapter
from wongar_dsl.reports.method import command
from wongar_dsl.reports.naming import Names
from wongar_dsl.reports.numbers import Unit, apart
from wongar_dsl.reports.single import Single, columns_of
from wongar_dsl.reports.versus import Versus
from wongar_dsl.words import Words

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


def names(language: str = "en") -> Names:
    return Names(played.single()[1][0], played.words_of(language))


def findings() -> Findings:
    return played.single()[0].arms[0]


def wins(share: float, half: float = 0.02) -> Findings:
    """The findings of games in which whoever begins wins so often."""
    found = findings()
    assert found.starter is not None
    return replace(found, starter=replace(found.starter, wins=Estimate(share, share - half, share + half)))


def said(chapter: Chapter) -> str:
    return " ".join((*chapter.gist, *chapter.sentences, *chapter.listed))


def difference(value: float, half: float, key: Key, significant: bool = True) -> Compared:
    p = 0.001 if significant else 0.5
    main = key.measure in ("wins", "starter wins")
    return Compared(key, 0.25, 0.25 + value, Effect(value, value - half, value + half, p, p), main)


def versus(*figures: Compared) -> list[Chapter]:
    comparison = Comparison(0, 1, 100, figures, (), ())
    return list(Versus(names(), comparison, "Wongar", "Wongar (new)").chapters())


# ---- one set of rules ----


def test_whoever_begins_is_told_first_with_an_interval() -> None:
    text = Single(names(), wins(0.42)).wins().gist[0]
    assert text.startswith("The starting player wins 42% of the games (40 to 44%); with even chances it would be 33%.")


@pytest.mark.parametrize(("share", "verdict"), [(0.42, "an advantage."), (0.22, "a disadvantage."), (0.34, "neither")])
def test_beginning_is_an_advantage_only_beyond_chance(share: float, verdict: str) -> None:
    assert verdict in Single(names(), wins(share)).wins().gist[0]


def test_of_different_bots_nobody_says_that_beginning_is_an_advantage() -> None:
    found = replace(wins(0.42), bots=("random", "greedy", "random"), rotate=False)
    chapter = Single(names(), found).wins()
    assert "advantage" not in said(chapter)
    assert "(greedy)" in " ".join(label for label, _ in chapter.figures[0].grid.rows)


def test_of_many_seats_one_that_is_only_just_apart_is_chance() -> None:
    just = Estimate(0.30, 0.251, 0.349)
    assert apart(just, 0.25, 1) == 1
    assert apart(just, 0.25, 4) == 0
    assert apart(Estimate(0.2, 0.15, 0.249), 0.25, 1) == -1


def test_what_is_lost_is_told() -> None:
    assert "Points are lost through: scorpions." in said(Single(names(), findings()).points())


def test_points_that_come_at_the_end_only_make_nobody_lead_before() -> None:
    report, games = played.small()
    chapters = {c.key: c for c in reports.document(report, games, played.words_of("en")).chapters}
    assert "no player leads before" in said(chapters["course"])
    assert len(chapters["course"].figures) == 1


def test_games_that_nobody_wins_alone_are_left_out_of_when_they_are_decided_and_told() -> None:
    found = findings()
    for alone, told in ((12, False), (11, True)):
        course = replace(found.course, decided_games=alone)
        text = said(Single(names(), replace(found, course=course)).course())
        assert ("Left out here, because there was no single winner: one game." in text) == told


def test_games_that_never_end_are_no_figures() -> None:
    report, games = played.single()
    arm = report.arms[0]
    report = replace(report, arms=(replace(arm, unfinished=arm.games, length=None),))
    document = reports.document(report, games, played.words_of("en"))
    assert [chapter.key for chapter in document.chapters] == ["nothing", "method"]
    assert "No game was finished." in list(document.gists())


def test_rules_with_which_no_game_ends_are_named_where_with_others_games_do() -> None:
    report, games = played.versus()
    one, other = report.arms
    report = replace(report, arms=(one, replace(other, unfinished=other.games)))
    document = reports.document(report, games, played.words_of("en"))
    assert list(document.gists()) == ["Wongar (cards bonus: 30): no game was finished."]


def test_who_plays_alone_leads_nobody(tmp_path: Path) -> None:
    rules = written(tmp_path, SOLO, players="1 to 2")
    keys = []
    for seats in (1, 2):
        report, games = played.simulated([(str(rules), {})], seats, 20)
        keys.append([chapter.key for chapter in reports.document(report, games, Words.load("en")).chapters])
    assert keys[0] == ["wins", "points", "length", "articles", "method"]
    assert "course" in keys[1]


@pytest.mark.parametrize(
    ("until", "told"),
    [
        (0.3, "Games were played until no share of wins was uncertain by more than 30.0% to either side."),
        (0.00125, "by more than 0.125% to either side; they ended before that."),
    ],
)
def test_a_report_says_whether_intervals_became_as_narrow_as_was_asked(until: float, told: str) -> None:
    report, games = played.single()
    document = reports.document(replace(report, until=until), games, played.words_of("en"))
    assert told in said(document.chapters[-1])


def test_games_that_are_all_equally_long_need_no_chart_of_lengths() -> None:
    spread = findings().length
    assert spread is not None
    equal = replace(spread, least=9, most=9, quartiles=(9, 9, 9))
    (chapter,) = Single(names(), replace(findings(), length=equal)).length()
    assert (chapter.gist, chapter.figures) == (("Every game takes 9 decisions.",), ())


def test_columns_are_equally_wide_and_have_all_games() -> None:
    bins = [Bin(n, n, 3) for n in range(20, 64)] + [Bin(n, n + 1, 5) for n in range(64, 120, 2)]
    columns = columns_of(bins)
    assert {one.high - one.low + 1 for one in columns} == {5}
    assert sum(one.count for one in columns) == pytest.approx(sum(one.count for one in bins))


# ---- choices ----


def test_what_goes_together_with_winning_is_not_called_its_cause() -> None:
    report, games = played.small()
    (chapter,) = Choices(Single(Names(games[0], played.words_of("en")), report.arms[0])).chapter()
    assert "“Bet”: players who do this win" in said(chapter)
    assert "not causation" in said(chapter)


def test_what_is_often_offered_and_never_taken_is_listed() -> None:
    report, games = played.small()
    arm = report.arms[0]
    never = replace(arm, choices=tuple(replace(one, taken=0) if one.option == "fold" else one for one in arm.choices))
    (chapter,) = Choices(Single(Names(games[0], played.words_of("en")), never)).chapter()
    assert [text for text in chapter.listed if text.startswith("“Fold”: offered") and text.endswith("never taken.")]


def test_what_was_taken_whenever_it_was_offered_is_no_choice() -> None:
    (chapter,) = Choices(Single(names(), findings())).chapter()
    labels = [label for label, _ in chapter.figures[0].grid.rows]
    assert "Draw a ritual card" in labels
    assert not [label for label in labels if label.startswith("Move the ancestor")]


def test_options_that_are_called_the_same_are_told_apart() -> None:
    known = names()
    decisions = known.game.program.decisions
    labels = [known.option(decision.name, option.name) for decision in decisions for option in decision.options]
    assert len(set(labels)) == len(labels)


# ---- comparisons ----

STARTER, SEAT = Key("starter wins"), Key("wins", 0)


@pytest.mark.parametrize(
    ("value", "significant", "verdict"),
    [
        (0.03, True, "The change helps the starting player."),
        (-0.03, True, "The change hurts the starting player."),
        (0.03, False, "any effect is at most 4.0 percentage points."),
    ],
)
def test_the_question_is_answered_in_one_sentence(value: float, significant: bool, verdict: str) -> None:
    main, *_ = versus(difference(value, 0.01, STARTER, significant), difference(0.0, 0.01, SEAT, False))
    assert main.gist[-1].endswith(verdict)


def test_a_difference_that_may_be_chance_is_not_called_significant() -> None:
    main, _ = versus(difference(0.03, 0.05, STARTER, significant=False))
    assert main.gist[0] == (
        "The share of wins of the starting player goes from 25.0% to 28.0%: "
        "+3.0 percentage points (-2.0 to +8.0), which may be due to chance."
    )


def test_what_is_the_same_in_every_game_is_told_so() -> None:
    main, _ = versus(difference(0.0, 0.0, STARTER, significant=False))
    assert main.gist == (
        "The share of wins of the starting player is 25% with both, the same in every game.",
        "The change makes no difference to the starting player.",
    )


def test_where_nobody_begins_seats_are_compared_alone(tmp_path: Path) -> None:
    rules = str(written(tmp_path, AT_ONCE))
    arms = [(rules, {"bonus": 0}), (rules, {"bonus": 5})]
    report, games = played.simulated(arms, 2, 60)
    main = [one.key for one in report.comparisons[0].figures if one.main]
    assert main == [Key("wins", 0), Key("wins", 1)]
    chapter, *_ = reports.document(report, games, Words.load("en")).chapters
    assert chapter.gist[0].startswith("The share of wins of seat 1 rises from ")
    assert "the starting player" not in said(chapter)
    swept, games = played.simulated(arms, 2, 60, sweep="bonus")
    assert "The share of wins of seat 1 rises" in next(reports.document(swept, games, Words.load("en")).gists())


def test_of_a_single_game_nobody_says_that_it_is_the_same() -> None:
    main, _ = versus()
    assert main.gist == ("Too few games were finished with both sets of rules to compare the wins.",)


def test_seats_that_all_change_alike_are_told_in_one_sentence() -> None:
    points = [difference(2 + seat / 10, 0.1, Key("points", seat)) for seat in range(3)]
    _, other = versus(*points)
    assert other.listed == ("The mean score of every seat rises by 2.00 to 2.20, significant.",)
    _, other = versus(*points[:2], difference(-2, 0.1, Key("points", 2)))
    assert len(other.listed) == 3


def test_noise_is_named_and_not_listed() -> None:
    _, other = versus(difference(4, 9, Key("length"), significant=False))
    assert other.gist == ("No other figure differs significantly.",)
    assert other.sentences == ("May be due to chance: the mean number of decisions.",)
    assert other.listed == ()


def test_a_sweep_says_when_nothing_of_it_matters() -> None:
    assert "No value of “Cards bonus” changes the shares of wins significantly, compared with 8." in list(
        played.document_of("sweep", "en").gists()
    )


def test_an_even_share_is_drawn_only_where_it_is_the_same_with_every_value() -> None:
    swept, games = played.sweep()
    one, *others = swept.arms

    def drawn(report: Report) -> str:
        chapter, *_ = reports.document(report, games, played.words_of("en")).chapters
        return str(chapter.figures[0].draw()[0].tag())

    assert "even chances: 33%" in drawn(swept)
    assert "even chances" not in drawn(replace(swept, arms=(replace(one, drawn=1), *others)))


# ---- numbers ----


def test_a_number_has_as_many_places_as_its_interval_allows() -> None:
    share, number = Unit(played.words_of("en"), share=True), Unit(played.words_of("de"))
    assert share.estimate(Estimate(0.3123, 0.29, 0.334)) == "31% (29 to 33%)"
    assert share.estimate(Estimate(0.3123, 0.3098, 0.3148)) == "31.2% (31.0 to 31.5%)"
    assert number.estimate(Estimate(1234.567, 1234.1, 1235.0)) == "1.234,6 (1.234,1 bis 1.235,0)"
    assert number.estimate(Estimate(5.0, 5.0, 5.0)) == "5 (5 bis 5)"


def test_a_difference_has_its_sign_and_there_is_no_minus_before_nothing() -> None:
    unit = Unit(played.words_of("en"), share=True)
    assert unit.bare(Effect(0.02, 0.01, 0.03, 0, 0)) == "+2.0 (+1.0 to +3.0)"
    assert unit.bare(Effect(-0.0001, -0.05, 0.05, 1, 1)) == "0.0 (-5.0 to +5.0)"
    assert unit.extent(Effect(-0.02, -0.03, -0.01, 0, 0)) == "1.0 to 3.0"


def test_one_percentage_point_is_singular() -> None:
    unit = Unit(played.words_of("it"), share=True)
    assert unit.difference(Effect(0.01, -0.08, 0.10, 1, 1)) == "+1,0 punti percentuali"
    assert unit.difference(Effect(0.01, -0.19, 0.21, 1, 1)) == "+1 punto percentuale"


def test_an_interval_without_ends_can_be_written() -> None:
    assert Unit(played.words_of("nl")).estimate(Estimate(3.0, float("-inf"), float("inf"))) == "3 (−∞ tot ∞)"


# ---- names ----


def test_rules_that_are_the_same_are_told_apart_by_their_settings() -> None:
    assert (
        played.document_of("versus", "de").title == "Wongar (Kartenbonus: 8) und Wongar (Kartenbonus: 30) im Vergleich"
    )


def test_a_setting_that_somebody_made_is_told() -> None:
    report, games = played.versus()
    alone = replace(report, arms=report.arms[1:], comparisons=())
    title = reports.document(alone, games[1:], played.words_of("en")).title
    assert title == "Wongar (cards bonus: 30): results of many games"


@pytest.mark.parametrize(
    ("sort", "told"),
    [
        ("small", "simulate kuhn_poker --bots random,random --games 200 --seed 7"),
        ("versus", None),
        ("sweep", "simulate wongar --sweep cards_bonus=0,8,16 --bots random,random,random --games 4 --seed 7"),
    ],
)
def test_a_report_says_what_gives_the_same_figures_again(sort: str, told: str | None) -> None:
    report, games = played.ALL[sort]()
    assert command(report, games) == told


def test_what_somebody_set_and_different_bots_are_a_part_of_the_command() -> None:
    report, games = played.versus()
    arm = replace(report.arms[1], bots=("greedy", "random", "random"))
    told = command(replace(report, arms=(arm,), comparisons=()), games[1:])
    assert told == "simulate wongar --set cards_bonus=30 --seats greedy,random,random --games 14 --seed 7"
