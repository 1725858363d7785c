"""Assembly of a report document from its chapters, depending on what was simulated, with the chapters on the method."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from math import isclose

from wongar_dsl.base.terminal_text import escape_line
from wongar_dsl.engine import Game
from wongar_dsl.engine.notation import write_value
from wongar_dsl.lab.reports.document import Chapter, ReportDocument, ReportFigure, ReportGrid
from wongar_dsl.lab.reports.labels import ReportNames, arm_titles
from wongar_dsl.lab.reports.one_arm import ChoiceChapter, OneArmChapters
from wongar_dsl.lab.reports.report_data import ArmReport, ArticleFigures, Report, Sweep
from wongar_dsl.lab.reports.several_arms import SweepReport, TwoArmReport, novelty
from wongar_dsl.nlg.words import Listing, Text, Translator

#: Maximum number of decimal places of a user-supplied number.
MAX_DIGITS = 6


def articles(names: ReportNames, arm: ArmReport) -> Chapter:
    """Return the chapter on the declarations that no game reached, wholly or in part."""
    never = [item for item in arm.articles if not item.games]
    partly = [item for item in arm.articles if item.games and item.missed]
    listed = [names.article(item) for item in never]
    listed += [
        names.say("articles.lines", n=_count(item), article=names.article(item), lines=_lines(names, item))
        for item in partly
    ]
    if not listed:
        return Chapter("articles", names.say("articles"), (), (names.say("articles.all"),))
    gist = (names.say("articles.never", n=len(never)),) if never else ()
    sentences = (names.say("articles.partly", n=len(partly)),) if partly else ()
    return Chapter("articles", names.say("articles"), gist, sentences, tuple(listed))


def _count(article: ArticleFigures) -> int:
    return sum(last - first + 1 for first, last in article.missed)


def _lines(names: ReportNames, article: ArticleFigures) -> str:
    number = names.words.number
    spans = [
        number(first) if first == last else names.say("span", low=number(first), high=number(last))
        for first, last in article.missed
    ]
    return names.words.chain(spans)


def method(report: Report, names: Sequence[ReportNames], titles: Sequence[str]) -> Chapter:
    """Return the chapter on how the figures were obtained."""
    first = names[0]
    say, number = first.say, first.words.number
    rows = []
    for name, arm_names, arm in zip(titles, names, report.arms, strict=True):
        seats = arm_names.words.chain(arm.bots)
        rows.append((name, (
            number(arm.games), number(arm.unfinished), say("bots.rotate", bots=seats) if arm.rotate else seats,
            str(arm.seed),
        )))  # fmt: skip
    if len(rows) > 2 and all(row[1] == rows[0][1] for row in rows):
        rows = [(first.title, rows[0][1])]
    heads = ("", say("head.games"), say("head.unfinished"), say("head.bots"), say("head.seed"))
    return Chapter(
        "method", say("method"), (), tuple(_sentences(report, first, [arm_names.game for arm_names in names])),
        figures=(ReportFigure(ReportGrid(say("method.games"), heads, tuple(rows))),),
    )  # fmt: skip


def _sentences(report: Report, names: ReportNames, games: Sequence[Game]) -> Iterator[str]:
    arms = report.arms
    yield names.say("method.bots")
    yield names.say("method.intervals")
    if any(arm.unfinished for arm in arms):
        yield names.say("method.unfinished", n=sum(arm.unfinished for arm in arms))
        if len(arms) > 1:
            yield names.say("method.both")
    if len(arms) > 1:
        yield names.say("method.paired")
    if report.until is not None:
        reached = all(seat.wins.half <= report.until for arm in arms for seat in arm.seats)
        share = names.words.percent(report.until, _places(100 * report.until))
        yield names.say("method.until" if reached else "method.until.short", share=share)
    if report.stopped:
        yield names.say("method.stopped")
    reproduction = command(report, games)
    if reproduction is not None:
        yield names.say("method.command", command=escape_line(reproduction))


def _places(number: float) -> int:
    """Return the number of decimal places needed for a user-supplied number."""
    return next((places for places in range(1, MAX_DIGITS) if isclose(round(number, places), number)), MAX_DIGITS)


def command(report: Report, games: Sequence[Game]) -> str | None:
    """Return the command that reproduces the figures, or None if no single command does.

    `games` are those of the arms.
    """
    arm, sweep = report.arms[0], report.sweep
    words = ["simulate", arm.rules]
    if sweep is not None:
        values = (write_value(games[0].model, sweep.type, value) for value in sweep.values)
        words += ["--sweep", f"{sweep.option}={','.join(values)}"]
    elif len(report.arms) > 1:
        words += ["--vs", report.arms[1].rules]
    chosen = [_changed_settings(item, game, sweep) for item, game in zip(report.arms, games, strict=True)]
    if any(item != chosen[0] for item in chosen):
        return None
    for setting in chosen[0]:
        words += ["--set", setting]
    # Rotation has no effect on identical bots.
    words += ["--bots" if arm.rotate or len(set(arm.bots)) == 1 else "--seats", ",".join(arm.bots)]
    return shlex.join([*words, "--games", str(arm.games), "--seed", str(arm.seed)])


def _changed_settings(arm: ArmReport, game: Game, sweep: Sweep | None) -> list[str]:
    """Return the settings changed by the user, in command line notation."""
    settings = game.model.settings
    return [
        f"{name}={write_value(game.model, settings[name].type, value)}"
        for name, value in arm.settings.items()
        if value != settings[name].start and (sweep is None or name != sweep.option)
    ]


#: Name of the random bot.
RANDOM = "random"


def build_document(report: Report, games: Sequence[Game], words: Translator) -> ReportDocument:
    """Return a report in the language of `words`; `games` are those of its arms, in order."""
    names = [ReportNames(game, words) for game in games]
    titles = arm_titles(names, report.arms)
    title, subtitle = _titles(report, names, titles)
    chapters = (*_chapters(report, names, titles), method(report, names, titles))
    return ReportDocument(title, subtitle, chapters)


def _titles(report: Report, names: Sequence[ReportNames], titles: Sequence[str]) -> tuple[str, str]:
    first, arm = names[0], report.arms[0]
    if report.sweep is not None:
        option = first.term(report.sweep.option)
        title = first.say("title.sweep", rules=first.title, option=option)
    elif len(report.arms) > 1:
        title = first.say("title.versus", one=titles[0], other=titles[1])
    else:
        title = first.say("title", rules=titles[0])
    message = "subtitle" if len(report.arms) == 1 else "subtitle.several"
    bots = tuple(dict.fromkeys(bot for finding in report.arms for bot in finding.bots))
    values = {"n": max(finding.games for finding in report.arms), "seats": len(arm.seats)}
    if bots == (RANDOM,):
        return title, first.say(f"{message}.random", **values)
    return title, first.say(message, **values, bots=Listing(tuple(map(Text, bots))))


def _chapters(report: Report, names: Sequence[ReportNames], titles: Sequence[str]) -> Iterator[Chapter]:
    first = names[0]
    endless = [name for name, arm in zip(titles, report.arms, strict=True) if arm.games == arm.unfinished]
    if endless:
        notices = [first.say("nothing.ended.with", rules=name) for name in endless]
        gist = notices if len(endless) < len(titles) else [first.say("nothing.ended")]
        yield Chapter("nothing", first.say("nothing"), tuple(gist))
    elif report.sweep is not None:
        yield from SweepReport(report, names).chapters()
    elif report.comparisons:
        for comparison in report.comparisons:
            before, after = titles[comparison.before], titles[comparison.after]
            earlier, later = names[comparison.before], names[comparison.after]
            main, *more = TwoArmReport(later, earlier, comparison, before, after).chapters()
            yield main
            yield from novelty(later, report.arms[comparison.before], report.arms[comparison.after])
            yield from more
    else:
        single = OneArmChapters(first, report.arms[0])
        yield from single.chapters()
        yield from ChoiceChapter(single).chapter()
        yield articles(first, report.arms[0])
