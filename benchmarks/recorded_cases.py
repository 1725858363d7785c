"""Positions of random games recorded as cases, and migrated from saves.

The cases must pass, and the migrated positions must be unchanged.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from wongar_dsl.engine.library import Rules, builtin_names, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.rule_cases.file import parse_cases
from wongar_dsl.engine.rule_cases.position_writer import position_difference
from wongar_dsl.engine.rule_cases.recorder import record_case
from wongar_dsl.engine.rule_cases.runner import CaseRunner
from wongar_dsl.engine.rule_cases.writer import yaml_lines
from wongar_dsl.engine.saves.save_files import write_save
from wongar_dsl.engine.saves.saves import read_save
from wongar_dsl.session.migrate_save import migrate

#: Maximum number of decisions before the position is recorded.
DECISIONS = (5, 20, 60, 150, 400)


@cache
def _loaded(name: str) -> tuple[Rules, CaseRunner]:
    rules = load(name)
    return rules, CaseRunner(rules.model, rules.game)


def tried(folder: Path, chance: random.Random) -> bool:
    """Record a random position as a case, sometimes after a migration; raise an exception on failure."""
    rules, runner = _loaded(chance.choice(builtin_names()))
    seats = chance.randint(*rules.model.players)
    game = rules.game(seats)
    match = Match.begin(game, (Seat("human"),) * seats, chance.getrandbits(64), rules.hash)
    _play_on(match, chance.randint(0, chance.choice(DECISIONS)), chance)
    if chance.random() < 0.3 and not match.state.over:
        write_save(folder / "save.json", match)
        before = match.state.cells
        match = migrate(game, rules.hash, read_save(folder / "save.json"), match.seats, match)
        assert not position_difference(game, match.state.cells, before), f"{rules.name} is taken over otherwise"
        _play_on(match, chance.randint(0, 5), chance)
    case_data = record_case(match)
    assert case_data is not None, f"{rules.name}: no case leads there"
    text = "\n".join(yaml_lines({"cases": [{"name": "it", **case_data}]}))
    outcome = runner.run(parse_cases(text, folder / "it.cases.yaml").cases[0])
    assert outcome.passed, f"{rules.name}: {outcome.findings}"
    return True


def _play_on(match: Match, steps: int, chance: random.Random) -> None:
    for _ in range(steps):
        if match.state.over:
            return
        match.play(chance.choice(match.state.legal_moves()), chance.choice((0, 1500)))
