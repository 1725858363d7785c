"""Checkpoint file of a run: JSON, written atomically, with everything that results depend on.

Altered or corrupted sums look like valid ones. So a file has a checksum, and a file with a wrong one is rejected.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.base.storage.files import FileError, read_text, write_bytes
from wongar_dsl.compiler.backends import CHOICES
from wongar_dsl.engine import library
from wongar_dsl.engine.bots import depends_on_time, is_bot
from wongar_dsl.engine.library import Rules
from wongar_dsl.lab.simulation.runner import MAX_GAMES, PILOT, RunTotals, SimulationRun
from wongar_dsl.lab.simulation.simulator import Arm, SimulationPlan, SimulationResult, Simulator
from wongar_dsl.lab.statistics.accumulators import PairSums, Tally

#: Format version; increase it if the same games would be counted or written differently.
FORMAT = 2
_HEAD, _SEAL = "simulation", "seal"
#: Maximum size of a file in bytes.
MAX_FILE_BYTES = 256 * 1024 * 1024

Reason = Literal["unreadable", "broken", "version", "rules_gone", "rules_changed"]


class CheckpointError(Exception):
    """Checkpoint that cannot be resumed.

    It is unreadable, broken, or of another version, or its rules are missing or changed (`rules` names them).
    """

    def __init__(self, reason: Reason, rules: str = "") -> None:
        self.reason, self.rules = reason, rules
        super().__init__(f"{reason} {rules}")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Checkpoint: a run, the swept setting (or empty), and for each arm a name by which its rules can be loaded."""

    run: SimulationRun
    sweep: str
    found_as: tuple[str, ...]


def write(checkpoint: Checkpoint, path: Path) -> None:
    """Write a run to a file; raise OSError on failure."""
    run, plan = checkpoint.run, checkpoint.run.simulator.plan
    arms = [
        {"rules": arm.rules, "settings": dict(arm.settings), "found_as": found_as, "hash": rules.hash}
        for arm, found_as, rules in zip(plan.arms, checkpoint.found_as, run.simulator.rules, strict=True)
    ]
    data = {
        _HEAD: FORMAT,
        "arms": arms,
        "bots": plan.bots,
        "rotate": plan.rotate,
        "backend": plan.backend,
        "seed": plan.seed,
        "usual": plan.baseline,
        "sweep": checkpoint.sweep,
        "asked": run.requested,
        "until": run.until,
        "games": run.totals.games,
        "limits": run.totals.limits,
        "result": _data(run.totals.result),
        "pilots": [[number, _data(result)] for number, result in sorted(run.totals.pilots.items())],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, _json({**data, _SEAL: checksum(data)}))


def read(path: Path, cache: Cache | None = None) -> Checkpoint:
    """Return the run in a file, with its rules loaded; raise `CheckpointError` on failure."""
    try:
        data = json.loads(read_text(path, MAX_FILE_BYTES))
    except FileError as error:
        raise CheckpointError("unreadable" if error.reason == "unreadable" else "broken") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError("broken") from error
    if not isinstance(data, dict) or type(data.get(_HEAD)) is not int:
        raise CheckpointError("broken")
    if data[_HEAD] != FORMAT:
        raise CheckpointError("version")
    if data.pop(_SEAL, None) != checksum(data):
        raise CheckpointError("broken")
    try:
        return _checkpoint(data, cache)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise CheckpointError("broken") from error


def checksum(data: Mapping[str, Any]) -> str:
    """Return the checksum over the data of a file."""
    return hashlib.sha256(_json(data)).hexdigest()


def _json(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def is_checkpoint(path: Path) -> bool:
    """Return whether a file is a checkpoint, of any version."""
    try:
        data = json.loads(read_text(path, MAX_FILE_BYTES))
    except (FileError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and _HEAD in data


def _checkpoint(data: dict[str, Any], cache: Cache | None) -> Checkpoint:
    arms = data["arms"]
    plan = SimulationPlan(
        tuple(
            Arm(_text(arm["rules"]), tuple((_text(k), _number(v)) for k, v in arm["settings"].items())) for arm in arms
        ),
        tuple(map(_bot, data["bots"])),
        _truth(data["rotate"]),
        CHOICES[CHOICES.index(data["backend"])],
        _number(data["seed"]),
        range(len(arms))[_number(data["usual"])],
    )
    simulator = Simulator(plan, tuple(_rules(arm, cache) for arm in arms), cache)
    requested, games, until = _number(data["asked"]), _number(data["games"]), data["until"]
    limits = tuple(map(_number, data["limits"]))
    started = len(limits) == len(arms) and games > 0
    if not 1 <= requested <= MAX_GAMES or games > requested or not (started or (not limits and not games)):
        raise ValueError(games)
    if until is not None and not (type(until) is float and 0 < until < 1):
        raise ValueError(until)
    pilots = {_number(number): _result(result, simulator) for number, result in data["pilots"]}
    totals = RunTotals(games, limits, _result(data["result"], simulator), pilots)
    if any(tally.games != games for tally in totals.result.tallies) or not set(pilots) <= set(range(PILOT)):
        raise ValueError(games)
    sweep = _text(data["sweep"])
    if sweep and any(sweep not in dict(arm.settings) for arm in plan.arms):
        raise ValueError(sweep)
    run = SimulationRun(simulator, requested, until, totals)
    return Checkpoint(run, sweep, tuple(_text(arm["found_as"]) for arm in arms))


def _rules(arm: Any, cache: Cache | None) -> Rules:
    name = _text(arm["rules"])
    try:
        rules = library.load(_text(arm["found_as"]), cache)
    except RulesError as error:
        raise CheckpointError("rules_gone", name) from error
    if rules.hash != arm["hash"]:
        raise CheckpointError("rules_changed", name)
    return rules


def _data(result: SimulationResult) -> dict[str, Any]:
    return {
        "tallies": [tally.data() for tally in result.tallies],
        "pairs": [pairs.data() for pairs in result.pairs],
        "lengths": [*map(list, result.lengths)],
    }


def _result(data: Any, simulator: Simulator) -> SimulationResult:
    tallies, pairs, lengths = data["tallies"], data["pairs"], data["lengths"]
    return SimulationResult(
        [Tally.read(item, columns) for item, columns in zip(tallies, simulator.columns, strict=True)],
        [PairSums.read(item, common) for item, common in zip(pairs, simulator.common, strict=True)],
        [array("q", map(_number, row)) for row in lengths],
    )


def _bot(value: Any) -> str:
    name = _text(value)
    if not is_bot(name) or depends_on_time(name):
        raise ValueError(name)
    return name


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError(value)
    return value


def absolute_rules_name(files: Sequence[str], name: str) -> str:
    """Return a name by which rules can be loaded from any directory.

    `files` are the rule files, empty for a built-in game.
    """
    return library.relocated_name(tuple(files), {file: file for file in files}) if files else name
