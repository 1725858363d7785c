"""Displayed names of the items in a report: options, cards, origins, declarations, seats and settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wongar_dsl.engine import Game
from wongar_dsl.lab.reports.report_data import ArmReport, ArticleFigures, ChoiceFigures, MetricKey
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.narration.option_text import option_summary
from wongar_dsl.nlg.words import Term, Text, Translator, Value, quoted


@dataclass(frozen=True)
class ReportNames:
    """Names of one game in one language."""

    game: Game
    words: Translator

    def say(self, message: str, **values: Value) -> str:
        """Return a sentence of a report."""
        return self.words.say(f"lab.{message}", None, **values)

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
            key: name if often[name] == 1 else self.say("option.in", option=Text(name), rule=Text(self.rule(rule)))
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
        shown = Text(self.words.value(self.value(self.game.model.settings[name].type, value), self.game.name))
        return self.say("setting", option=Text(self.words.term(name, self.game.name)), value=shown)

    def article(self, article: ArticleFigures) -> str:
        """Return a declaration with its location in the rules."""
        place = quoted(f"{Path(article.file).name}:{article.line}")
        # The name of a ranking is that of its player.
        name = article.keyword if article.keyword == "winner" else article.name
        return self.say("article", name=Text(self.rule(name)), place=place)

    def measure(self, key: MetricKey, all_seats: bool = False) -> str:
        """Return the name of a figure in the singular, for one seat or for all seats together."""
        values: dict[str, Value] = {}
        if key.seat >= 0:
            values["n"] = key.seat + 1
        if key.origin:
            values["origin"] = Text(self.term(key.origin))
        if key.option:
            values["option"] = Text(self._keyed(key))
        message = f"measure.{key.measure.replace(' ', '_')}"
        return self.say(f"{message}.all" if all_seats else message, **values)

    def _keyed(self, key: MetricKey) -> str:
        option = self.option(key.decision, key.option)
        if not key.thing:
            return option
        return self.say(
            "option.thing",
            option=Text(option),
            thing=Text(self._things.get((key.decision, key.option, key.parameter, key.thing), key.thing)),
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
            arm_title = arm_names.say("arm", rules=Text(arm_title), settings=Text(shown))
        result.append(arm_title)
    return tuple(result)
