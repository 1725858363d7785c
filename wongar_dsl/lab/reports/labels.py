"""Displayed names of the items in a report, and the format of its numbers.

Items are options, cards, origins, declarations, seats and settings. Numbers follow the rules of the language, with
precision according to their interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import floor, inf, isfinite, log10
from pathlib import Path
from statistics import NormalDist

from wongar_dsl.engine import Game
from wongar_dsl.lab.charts import Axis, ChartRow
from wongar_dsl.lab.inference import CONFIDENCE, DifferenceEstimate, Estimate
from wongar_dsl.lab.metrics import MetricKey
from wongar_dsl.lab.reports.report_data import ArmReport, ArticleFigures, ChoiceFigures, ComparedFigure
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.narration.option_text import option_summary
from wongar_dsl.nlg.words import Term, Text, Translator, Value, quoted


@dataclass(frozen=True)
class ReportNames:
    """Names of one game in one language."""

    game: Game
    words: Translator

    def say(self, message: str, **values: Value | str) -> str:
        """Return a sentence of a report; a string among the values is a text that is finished."""
        texts = {name: Text(value) if isinstance(value, str) else value for name, value in values.items()}
        return self.words.say(f"lab.{message}", None, **texts)

    @property
    def title(self) -> str:
        """Title of the game."""
        return title(self.words, self.game.name)

    def term(self, name: str, spec: str = "") -> str:
        """Return the term for a name of the rules, capitalised."""
        return self.words.capital(self.words.term(name, self.game.name, spec))

    def seat(self, seat: int) -> str:
        """Return the name of a seat; -1 stands for the starting player."""
        return self.say("starter") if seat < 0 else self.say("seat", n=seat + 1)

    def option(self, decision: str, option: str) -> str:
        """Return the name of an option without arguments.

        If another option has the same name, the declaration that offers it is added.
        """
        return self._options.get((decision, option), option)

    @cached_property
    def _options(self) -> Mapping[tuple[str, str], str]:
        """Names of all options by (decision, option)."""
        decisions = self.game.program.decisions
        plain = {(d.name, o.name): (d.rule, self._option(d.name, o.name)) for d in decisions for o in d.options}
        often = Counter(name for _, name in plain.values())
        return {
            key: name if often[name] == 1 else self.say("option.in", option=name, rule=self.rule(rule))
            for key, (rule, name) in plain.items()
        }

    def _option(self, decision: str, option: str) -> str:
        message = f"decision.{decision}.{option}"
        if self.words.has_message(message, self.game.name) and not self.words.slots(message, self.game.name):
            return self.words.say(message, self.game.name)
        return self.words.capital(option_summary(self.game, self.words, decision, option))

    def rule(self, name: str) -> str:
        """Return the title of a declaration, its term or its section of the rulebook; quoted if it has none of them."""
        for message, game in ((f"title.{name}", self.game.name), (f"rulebook.{name}", None)):
            if self.words.has_message(message, game):
                return self.words.say(message, game)
        return self.term(name) if self.words.has_term(name, self.game.name) else self.say("quoted", text=quoted(name))

    def thing(self, kind: Type | None, number: int, name: str) -> str:
        """Return the name of one value of an argument."""
        if kind is None:
            return name
        if kind.kind == "player":
            return self.seat(number)
        return self.words.capital(self.words.value(self.value(kind, number), self.game.name))

    def value(self, kind: Type, number: int) -> Value:
        """Return a value as an argument of a message."""
        if kind.kind == "number":
            return number
        if kind.kind == "truth":
            return Term("yes" if number else "no")
        return Term(self.game.model.value_name(kind, number), self.game.name) if number >= 0 else Term("none")

    def choice(self, choice: ChoiceFigures) -> str:
        """Return the name of an option, or of one value of its argument."""
        if not choice.thing:
            return self.option(choice.decision, choice.option)
        return self.thing(choice.type, choice.number, choice.thing)

    def setting(self, name: str, value: int) -> str:
        """Return a setting with its value."""
        shown = self.words.value(self.value(self.game.model.settings[name].type, value), self.game.name)
        return self.say("setting", option=self.words.term(name, self.game.name), value=shown)

    def article(self, article: ArticleFigures) -> str:
        """Return a declaration with its location in the rules."""
        place = quoted(f"{Path(article.file).name}:{article.line}")
        # The name of a ranking is that of its player.
        name = article.keyword if article.keyword == "winner" else article.name
        return self.say("article", name=self.rule(name), place=place)

    def measure(self, key: MetricKey, all_seats: bool = False) -> str:
        """Return the name of a figure in the singular, for one seat or for all seats together."""
        values: dict[str, Value | str] = {}
        if key.seat >= 0:
            values["n"] = key.seat + 1
        if key.origin:
            values["origin"] = self.term(key.origin)
        if key.option:
            values["option"] = self._keyed(key)
        message = f"measure.{key.measure.replace(' ', '_')}"
        return self.say(f"{message}.all" if all_seats else message, **values)

    def _keyed(self, key: MetricKey) -> str:
        option = self.option(key.decision, key.option)
        if not key.thing:
            return option
        return self.say(
            "option.thing",
            option=option,
            thing=self._things.get((key.decision, key.option, key.parameter, key.thing), key.thing),
        )

    @cached_property
    def _things(self) -> Mapping[tuple[str, str, str, str], str]:
        """Names of all argument values by (decision, option, parameter, name in the rules)."""
        names: dict[tuple[str, str, str, str], str] = {}
        for decision in self.game.program.decisions:
            for option in decision.options:
                for parameter, kind in option.parameters:
                    names |= self._of_type(decision.name, option.name, parameter, kind)
        return names

    def _of_type(self, decision: str, option: str, parameter: str, kind: Type) -> dict[tuple[str, str, str, str], str]:
        model = self.game.model
        listed: Sequence[str] = ()
        match kind.kind:
            case "enum":
                listed = model.enums[kind.name]
            case "board":
                listed = model.boards[kind.name].areas
            case "cards":
                listed = [face.name for face in model.cards[kind.name].faces]
            case "figure":
                listed = model.figures
        return {(decision, option, parameter, name): self.thing(kind, n, name) for n, name in enumerate(listed)}


def arm_titles(names: Sequence[ReportNames], reports: Sequence[ArmReport]) -> tuple[str, ...]:
    """Return the title of each arm: its rules, with the changed settings.

    If arms have the same rules, settings that differ between arms are added.
    """
    same = len({arm_names.title for arm_names in names}) < len(names)
    result = []
    for arm_names, arm in zip(names, reports, strict=True):
        shown_settings = [
            arm_names.setting(name, value)
            for name, value in arm.settings.items()
            if arm_names.game.model.settings[name].start != value
            or (same and any(more.settings.get(name, value) != value for more in reports))
        ]
        arm_title = arm_names.title
        if shown_settings:
            shown = arm_names.words.chain(shown_settings)
            arm_title = arm_names.say("arm", rules=arm_title, settings=shown)
        result.append(arm_title)
    return tuple(result)


#: Maximum number of decimal places.
MAX_DIGITS = 4
#: Tolerance for rounding errors in the logarithm.
ROUNDED = 1e-9


@dataclass(frozen=True, slots=True)
class MeasureUnit:
    """Number format of a metric: plain numbers, or percentages for a `share`.

    Differences of shares are in percentage points.
    """

    words: Translator
    share: bool = False

    def text(self, value: float, places: int) -> str:
        """Return a value; for a share, `places` counts decimals of the percentage."""
        return self.words.percent(value, places) if self.share else self._bare(value, places)

    def estimate(self, estimate: Estimate) -> str:
        """Return a value with its interval."""
        places = self.places(estimate.low, estimate.high)
        value, interval = Text(self.text(estimate.value, places)), Text(self.range(estimate, places))
        return self.words.say("lab.estimate", None, value=value, range=interval)

    def value(self, estimate: Estimate | DifferenceEstimate) -> str:
        """Return a value alone, with precision according to its interval."""
        return self.text(estimate.value, self.places(estimate.low, estimate.high))

    def range(self, estimate: Estimate, places: int | None = None) -> str:
        """Return an interval."""
        places = self.places(estimate.low, estimate.high) if places is None else places
        low = self._bare(estimate.low, places)
        return self.words.say("lab.range", None, low=Text(low), high=Text(self.text(estimate.high, places)))

    def places(self, low: float, high: float, more: int = 0) -> int:
        """Return the number of significant decimal places for a number with this interval, plus `more`."""
        half = (high - low) / 2 * (100 if self.share else 1)
        return 0 if not 0 < half < inf else min(max(0, more - floor(log10(half) + ROUNDED)), MAX_DIGITS)

    def difference_places(self, estimate: DifferenceEstimate) -> int:
        """Return the number of decimal places for a difference and its operands: one more than for a value."""
        return self.places(estimate.low, estimate.high, 1)

    def rounded(self, figure: ComparedFigure) -> DifferenceEstimate:
        """Return the difference of the rounded values, which are shown beside it, where rounding alone changes it."""
        places, factor = self.difference_places(figure.effect), 100 if self.share else 1
        before, after = (round(value * factor, places) for value in (figure.before, figure.after))
        value = (after - before) / factor
        by_rounding = abs(value - figure.effect.value) * factor * 10**places < 1 + ROUNDED
        return replace(figure.effect, value=value) if by_rounding else figure.effect

    def difference(self, estimate: DifferenceEstimate) -> str:
        """Return a difference with its sign and unit."""
        places = self.difference_places(estimate)
        return self._change(self._signed(estimate.value, places), estimate.value, places)

    def difference_with_interval(self, estimate: DifferenceEstimate) -> str:
        """Return a difference with its interval, without a unit."""
        value = self._signed(estimate.value, self.difference_places(estimate))
        return self.words.say("lab.estimate", None, value=Text(value), range=Text(self.difference_interval(estimate)))

    def difference_interval(self, estimate: DifferenceEstimate) -> str:
        """Return the interval of a difference, without a unit."""
        places = self.difference_places(estimate)
        low, high = (Text(self._signed(end, places)) for end in (estimate.low, estimate.high))
        return self.words.say("lab.range", None, low=low, high=high)

    def size_interval(self, estimate: DifferenceEstimate) -> str:
        """Return the interval of the absolute size of a difference, without a unit."""
        places = self.difference_places(estimate)
        low, high = (estimate.low, estimate.high) if estimate.value >= 0 else (-estimate.high, -estimate.low)
        return self.size_range(low, high, places)

    def size_range(self, low: float, high: float, places: int) -> str:
        """Return a range of absolute sizes, without a unit."""
        least, most = (Text(self._bare(end, places)) for end in (low, high))
        return self.words.say("lab.range", None, low=least, high=most)

    def size(self, value: float, places: int) -> str:
        """Return the absolute size of a difference, with its unit."""
        return self._change(self._bare(abs(value), places), value, places)

    def chart_row(self, label: str, effect: DifferenceEstimate) -> ChartRow:
        """Return the row of a difference in a chart; shares in percentage points."""
        factor = 100 if self.share else 1
        scaled = Estimate(effect.value * factor, effect.low * factor, effect.high * factor)
        return ChartRow(label, scaled, self.difference_with_interval(effect), effect.significant)

    def axis(self, name: str, low: float | None = None, high: float | None = None, whole: bool = False) -> Axis:
        """Return an axis for values of this unit."""
        unshown = 2 if self.share else 0
        return Axis(name, lambda value, places: self.text(value, max(0, places - unshown)), low, high, whole)

    def _bare(self, value: float, places: int) -> str:
        value = value * (100 if self.share else 1)
        if not isfinite(value):
            return "−∞" if value < 0 else "∞"
        # Adding 0.0 turns -0.0 into 0.0.
        value = round(value, places) + 0.0
        return self.words.decimal(value, places) if places else self.words.number(int(value))

    def _signed(self, value: float, places: int) -> str:
        bare = self._bare(value, places)
        return f"+{bare}" if value * (100 if self.share else 1) * 10**places >= 0.5 else bare

    def _change(self, text: str, value: float, places: int) -> str:
        if not self.share:
            return text
        # A number with decimals takes the plural: 1.0 percentage points.
        n = 2 if places or not isfinite(value) else abs(round(value * 100))
        return self.words.say("lab.percentage_points", None, value=Text(text), n=n)


def difference_formatter(words: Translator) -> Callable[[float, int], str]:
    """Return the formatter for an axis of differences."""

    def formatted(value: float, places: int) -> str:
        text = words.decimal(value, places) if places else words.number(round(value))
        return f"+{text}" if value > 0 else text

    return formatted


def significant_side(estimate: Estimate, even: float, of: int) -> int:
    """Return 1 or -1 if a value is significantly above or below `even`, else 0.

    The interval is corrected for `of` simultaneous tests (Bonferroni).
    """
    normal = NormalDist()
    wider = normal.inv_cdf(1 - (1 - CONFIDENCE) / 2 / max(of, 1)) / normal.inv_cdf((1 + CONFIDENCE) / 2)
    if estimate.value - (estimate.value - estimate.low) * wider > even:
        return 1
    return -1 if estimate.value + (estimate.high - estimate.value) * wider < even else 0
