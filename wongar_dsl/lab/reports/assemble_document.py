"""Assembly of a report document from its chapters, depending on what was simulated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.engine import Game
from wongar_dsl.lab.reports.choices import ChoiceChapter
from wongar_dsl.lab.reports.document import Chapter, ReportDocument
from wongar_dsl.lab.reports.labels import ReportNames, arm_titles
from wongar_dsl.lab.reports.method import articles, method
from wongar_dsl.lab.reports.novelty import novelty
from wongar_dsl.lab.reports.one_arm import OneArmChapters
from wongar_dsl.lab.reports.report_data import Report
from wongar_dsl.lab.reports.sweep import SweepReport
from wongar_dsl.lab.reports.two_arms import TwoArmReport
from wongar_dsl.nlg.words import Listing, Text, Translator

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
        option = Text(first.term(report.sweep.option))
        title = first.say("title.sweep", rules=Text(first.title), option=option)
    elif len(report.arms) > 1:
        title = first.say("title.versus", one=Text(titles[0]), other=Text(titles[1]))
    else:
        title = first.say("title", rules=Text(titles[0]))
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
        notices = [first.say("nothing.ended.with", rules=Text(name)) for name in endless]
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
