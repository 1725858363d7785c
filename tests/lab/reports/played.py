"""Small simulations, cached for all tests, and their reports in all languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from wongar_dsl.engine import Game, library
from wongar_dsl.lab import reports
from wongar_dsl.lab.processes import ProcessExecutor
from wongar_dsl.lab.reports import ReportDocument
from wongar_dsl.lab.reports.report_data import Report, Sweep, build_report
from wongar_dsl.lab.runner import SimulationRun
from wongar_dsl.lab.simulator import Arm, SimulationPlan, Simulator
from wongar_dsl.nlg.words import Translator

LANGUAGES = ("de", "nl", "it", "en")


@cache
def words_of(language: str) -> Translator:
    """Return a language; a missing message is an error."""
    return Translator.load(language, strict=True)


def simulated(
    arms: Sequence[tuple[str, Mapping[str, int]]], seats: int, games: int, bots: Sequence[str] = (), usual: int = 0,
    sweep: str = "", rotate: bool = False,
) -> tuple[Report, tuple[Game, ...]]:  # fmt: skip
    """Simulate games with some rules and settings, and return the report with its games."""
    rules = [library.load(name) for name, _ in arms]
    every = [
        {name: setting.start for name, setting in values.model.settings.items()} | dict(chosen)
        for values, (_, chosen) in zip(rules, arms, strict=True)
    ]
    played = tuple(Arm(name, tuple(values.items())) for (name, _), values in zip(arms, every, strict=True))
    plan = SimulationPlan(played, tuple(bots or ("random",) * seats), rotate, "python", 7, usual)
    run = SimulationRun.new(Simulator(plan, tuple(rules)), games)
    for _ in run.resume(ProcessExecutor(1, lambda: 0.0), lambda: None, lambda: 0.0):
        pass
    swept = None
    if sweep:
        swept = Sweep(sweep, rules[0].model.settings[sweep].type, tuple(values[sweep] for values in every), usual)
    return build_report(run, swept), run.simulator.games


@cache
def single() -> tuple[Report, tuple[Game, ...]]:
    """Return the report of one set of rules."""
    return simulated([("wongar", {})], 3, 12)


@cache
def small() -> tuple[Report, tuple[Game, ...]]:
    """Return the report of a small game with more games."""
    return simulated([("kuhn_poker", {})], 2, 200)


@cache
def versus() -> tuple[Report, tuple[Game, ...]]:
    """Return the report that compares two settings of the same rules."""
    return simulated([("wongar", {}), ("wongar", {"cards_bonus": 30})], 3, 14)


@cache
def sweep() -> tuple[Report, tuple[Game, ...]]:
    """Return the report of three settings, with the default in the middle."""
    return simulated([("wongar", {"cards_bonus": n}) for n in (0, 8, 16)], 3, 4, usual=1, sweep="cards_bonus")


ALL = {"single": single, "small": small, "versus": versus, "sweep": sweep}


@cache
def document_of(sort: str, language: str) -> ReportDocument:
    """Return the document of one of these reports."""
    report, games = ALL[sort]()
    return reports.build_document(report, games, words_of(language))
