"""Report chapter on new rule lines: how often the lines that only one set of rules has were executed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from wongar_dsl.lab.reports.document import Chapter
from wongar_dsl.lab.reports.labels import ReportNames
from wongar_dsl.lab.reports.numbers import MeasureUnit
from wongar_dsl.lab.reports.report_data import ArmReport, ArticleFigures, LineFigures
from wongar_dsl.nlg.words import Text

#: A line executed in a smaller share of the games hardly affects any figure.
RARE = 0.1
#: Maximum number of stretches of lines that are listed.
LISTED = 24

#: Consecutive lines of a declaration that were executed in equally many games.
Stretch = tuple[ArticleFigures, tuple[LineFigures, ...]]


def novelty(names: ReportNames, before: ArmReport, after: ArmReport) -> Iterator[Chapter]:
    """Yield a chapter on the lines of `after` that `before` lacks; nothing if there are none, or no game was played."""
    fresh = list(_equal_runs(before, after))
    if not fresh or not after.games:
        return
    say, unit = names.say, MeasureUnit(names.words, share=True)
    often = [lines[0].share for _, lines in fresh]
    most, least = max(often, key=lambda share: share.value), min(often, key=lambda share: share.value)
    if least.value == 1:
        gist = [say("new.always")]
    else:
        gist = [say("new.most", share=Text(unit.estimate(most)))] if most.value else []
        never = sum(len(lines) for _, lines in fresh if not lines[0].games)
        if never:
            gist.append(say("new.never", n=never))
        elif least.value < most.value:
            gist.append(say("new.least", share=Text(unit.estimate(least))))
    caution = (say("new.rare"),) if least.value < RARE else ()
    # Readers look for the lines that were executed least often.
    listed = sorted(fresh, key=lambda stretch: stretch[1][0].games)[:LISTED] if least.value < 1 else []
    items = tuple(_sentence(names, unit, *stretch) for stretch in listed)
    yield Chapter("new", say("new"), tuple(gist), caution, items)


def _equal_runs(before: ArmReport, after: ArmReport) -> Iterator[Stretch]:
    files = {item.file for item in before.articles}
    unmatched = Counter((item.keyword, item.name, line.text) for item in before.articles for line in item.steps)
    # Lines in a common file are matched before equal lines in other files.
    for article in sorted(after.articles, key=lambda item: item.file not in files):
        stretch: list[LineFigures] = []
        for line in article.steps:
            counterpart = article.keyword, article.name, line.text
            old = unmatched[counterpart] > 0
            unmatched[counterpart] -= old
            if stretch and (old or line.games != stretch[0].games):
                yield article, tuple(stretch)
                stretch = []
            if not old:
                stretch.append(line)
        if stretch:
            yield article, tuple(stretch)


def _sentence(names: ReportNames, unit: MeasureUnit, article: ArticleFigures, lines: tuple[LineFigures, ...]) -> str:
    number = names.words.number
    first, last = (Text(number(line.line)) for line in (lines[0], lines[-1]))
    span = names.say("span", low=first, high=last) if len(lines) > 1 else number(lines[0].line)
    return names.say(
        "new.lines", n=len(lines), article=Text(names.article(article)), lines=Text(span),
        share=Text(unit.estimate(lines[0].share)),
    )  # fmt: skip
