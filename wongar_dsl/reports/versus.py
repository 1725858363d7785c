"""What is told of two sets of rules: which differences are significant, which may be chance, the main measure first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import charts
from wongar_dsl.charts import Caption, Mark, Row
from wongar_dsl.lab.report import Compared, Comparison, Key
from wongar_dsl.pictures.svg import Picture
from wongar_dsl.reports.document import Chapter, Figure, Grid
from wongar_dsl.reports.naming import Names
from wongar_dsl.reports.numbers import Unit, differences
from wongar_dsl.words import Listing, Text

#: Measures that are shares, those in points, and other numbers of a game: told in words whether they differ or not.
SHARES = ("starter wins", "wins", "drawn", "shared")
SCORES = ("starter points", "points", "gap")
COUNTS = ("changes", "length")
#: Those of which there are very many: only what differs is told.
MANY, CHOSEN = ("origin",), ("offered", "taken")
#: So many options are told whose figures differ, and so many are shown in a figure.
TOLD, MOST = 8, 24
#: The measure that everybody asks for first, and all that are about whoever begins.
FIRST, BEGINNING = "starter wins", ("starter wins", "starter points")


@dataclass(frozen=True)
class Versus:
    """Two sets of rules as chapters; `names` are those of the second, which knows what the change has added."""

    names: Names
    comparison: Comparison
    before: str
    after: str

    def unit(self, key: Key) -> Unit:
        """In what a figure is measured."""
        return Unit(self.names.words, key.measure in SHARES)

    def chapters(self) -> Iterator[Chapter]:
        """The main measure, what else differs, and what may be chance."""
        main, other = self._parted()
        yield self._main(main)
        clear = [one for one in other if one.effect.significant]
        noise = [one for one in other if not one.effect.significant and one.key.measure not in (*MANY, *CHOSEN)]
        yield self._else(clear, noise)

    def _parted(self) -> tuple[list[Compared], list[Compared]]:
        known = (*SHARES, *SCORES, *COUNTS, *MANY, *CHOSEN)
        told = [one for one in self.comparison.figures if one.key.measure in known]
        # Where the same seat always begins, its figures are those of whoever begins.
        begins = {_figures(one) for one in told if one.key.measure in BEGINNING}
        told = [one for one in told if one.key.measure not in ("wins", "points") or _figures(one) not in begins]
        main = [one for one in told if one.main]
        # Whoever begins goes before the seats.
        main.sort(key=lambda one: one.key.measure != FIRST)
        return main, [one for one in told if not one.main]

    # ---- the main measure ----

    def _main(self, main: Sequence[Compared]) -> Chapter:
        say = self.names.say
        gist = [self.told(one) for one in main if one.effect.significant or one.key.measure == FIRST]
        verdict = self._verdict(main)
        figures = (self._figure(say("chart.main"), main, detail=False),) if main else ()
        return Chapter("main", say("main"), (*gist, *verdict), figures=figures)

    def _verdict(self, main: Sequence[Compared]) -> Iterator[str]:
        """The answer in one sentence."""
        if not main:
            yield self.names.say("verdict.few")
            return
        first = next((one for one in main if one.key.measure == FIRST), None)
        if first is not None:
            if not _differs(first):
                yield self.names.say("verdict.equal")
                return
            if first.effect.significant:
                yield self.names.say("verdict.helps" if first.effect.value > 0 else "verdict.hurts")
                return
            yield self.names.say("verdict.none", by=self._bound(first))
        elif not any(one.effect.significant for one in main):
            yield self.names.say("verdict.seats", by=self._bound(max(main, key=_farthest)))

    def _bound(self, one: Compared) -> Text:
        """How large a difference can be at the most."""
        unit = self.unit(one.key)
        return Text(unit.size(_farthest(one), unit.finer(one.effect)))

    def told(self, one: Compared) -> str:
        """A difference as a sentence."""
        unit, effect = self.unit(one.key), one.effect
        places = unit.finer(effect)
        way = _way(one, "rises" if effect.value > 0 else "falls", "noise", "same")
        measure = Text(self.names.words.capital(self.names.measure(one.key)))
        before, after = (Text(unit.text(value, places)) for value in (one.before, one.after))
        change, between = Text(unit.difference(effect)), Text(unit.between(effect))
        return self.names.say(
            f"change.{way}", measure=measure, before=before, after=after, change=change, range=between
        )  # fmt: skip

    # ---- all else ----

    def _else(self, clear: Sequence[Compared], noise: Sequence[Compared]) -> Chapter:
        say = self.names.say
        general = [one for one in clear if one.key.measure not in CHOSEN]
        chosen = [one for one in clear if one.key.measure in CHOSEN]
        chosen.sort(key=lambda one: one.effect.p)
        gist = [say("else.clear", n=len(general))] if general else [] if chosen else [say("else.none")]
        gist += [say("else.chosen", n=len(chosen))] if chosen else []
        listed = [*self._together(general), *map(self.told, [one for one in chosen if not one.key.thing][:TOLD])]
        more = [say("else.noise", measures=Text(self._chain(noise)))] if noise else []
        for message, keys, rules in (
            ("else.only", self.comparison.only_before, self.before),
            ("else.only", self.comparison.only_after, self.after),
        ):
            told = [self.names.option(*key[3:5]) for key in keys if key.measure == "offered" and not key.thing]
            if told:
                options = Listing(tuple(Text(say("quoted", text=Text(one))) for one in told))
                more.append(say(message, rules=Text(rules), options=options))
        figures = []
        for title, measures in (("shares", SHARES), ("scores", (*SCORES, *MANY)), ("counts", COUNTS)):
            rows = [one for one in (*general, *noise) if one.key.measure in measures]
            rows.sort(key=lambda one: (not one.effect.significant, measures.index(one.key.measure), one.key.origin))
            if rows:
                figures.append(self._figure(say(f"chart.{title}"), rows))
        if chosen:
            figures.append(self._figure(say("chart.chosen"), chosen[:MOST]))
        return Chapter("else", say("else"), tuple(gist), tuple(more), tuple(listed), tuple(figures))

    def _together(self, clear: Sequence[Compared]) -> Iterator[str]:
        """Differences as sentences; one sentence where all seats differ alike."""
        groups: dict[Key, list[Compared]] = {}
        for one in clear:
            way = one.effect.value > 0
            groups.setdefault(one.key._replace(seat=int(way) if one.key.seat >= 0 else -1), []).append(one)
        for group in groups.values():
            if len(group) < max(2, self.names.game.seats):
                yield from map(self.told, group)
                continue
            first, unit = group[0], self.unit(group[0].key)
            ends = sorted(abs(one.effect.value) for one in group)
            places = min(unit.finer(one.effect) for one in group)
            message = "change.all.rises" if first.effect.value > 0 else "change.all.falls"
            measure = self.names.words.capital(self.names.measure(first.key, everybody=True))
            yield self.names.say(message, measure=Text(measure), range=Text(unit.span(ends[0], ends[-1], places)))

    def _chain(self, figures: Sequence[Compared]) -> str:
        return self.names.words.chain([self.names.measure(one.key) for one in figures])

    def _figure(self, title: str, rows: Sequence[Compared], detail: bool = True) -> Figure:
        say = self.names.say
        labels = [self.names.words.capital(self.names.measure(one.key)) for one in rows]
        cells = []
        for one in rows:
            unit, effect = self.unit(one.key), one.effect
            places = unit.finer(effect)
            verdict = say(_way(one, "head.significant", "chance", "same"))
            values = (unit.text(value, places) for value in (one.before, one.after))
            cells.append((*values, unit.bare(effect), verdict))
        heads = ("", self.before, self.after, say(self._axis(rows[0].key)), say("head.verdict"))

        def draw() -> tuple[Picture, ...]:
            drawn = [
                Row(
                    label,
                    self.unit(one.key).drawn(one.effect),
                    self.unit(one.key).bare(one.effect),
                    one.effect.significant,
                )
                for label, one, row in zip(labels, rows, cells, strict=True)
            ]
            meant = (say("head.significant"), say("chance"))
            axis = charts.Axis(say(self._axis(rows[0].key)), differences(self.names.words))
            told = ". ".join(f"{label}: {row[2]}, {row[3]}" for label, row in zip(labels, cells, strict=True))
            return (charts.dots(Caption(title, f"{told}."), axis, drawn, [Mark(0.0, say("no_difference"))], meant),)

        grid = Grid(title, heads, tuple(zip(labels, cells, strict=True)))
        # Numbers of several sorts have no axis in common.
        return Figure(grid, detail=True) if rows[0].key.measure in COUNTS else Figure(grid, draw, detail)

    @staticmethod
    def _axis(key: Key) -> str:
        """What differences are measured in."""
        if key.measure in COUNTS:
            return "head.difference"
        if key.measure in SHARES:
            return "axis.points_of_share"
        return "axis.difference.often" if key.measure in CHOSEN else "axis.difference"


def _figures(one: Compared) -> tuple[bool, float, float, float, float]:
    return one.main, one.before, one.after, one.effect.value, one.effect.low


def _farthest(one: Compared) -> float:
    """How far from nothing the interval of a difference goes, to either side."""
    return max(abs(one.effect.low), abs(one.effect.high))


def _differs(one: Compared) -> bool:
    """Whether it differs in any game."""
    return bool(one.effect.value or one.effect.low < one.effect.high)


def _way(one: Compared, significant: str, chance: str, same: str) -> str:
    """One of three, by how a difference is to be taken."""
    if one.effect.significant:
        return significant
    return chance if _differs(one) else same
