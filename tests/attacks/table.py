"""The tables of what reviews found, and what is judged of a row.

Every `*.yaml` here is the table of one review: what was found (`of`), what holds now (`claim`), the files (a text, or
the name of one in `files/` or in `generated.py`), the command (`run`, several where a list), what is typed (`answers`),
and what must come: the exit code (`exit`), the diagnostics with line and column (`told`), words that are there (`says`)
and words that are not (`says_not`), processor time (`seconds`, 10 where nothing else is said) and memory (`megabytes`,
500).  A game without an end is `endless`: it is ended after the `seconds`, and its memory counts.  A row that uses up a
whole budget is `heavy`, and run by `make soak`.  Where a finding is tested elsewhere, `tests` names the tests.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import yaml

from tests.attacks.generated import MADE
from tests.attacks.measured import Measured, Measuring

HERE = Path(__file__).parent
FILES = HERE / "files"
TABLES: dict[str, list[dict[str, Any]]] = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(HERE.glob("*.yaml"))
}
EXPECTED = {"exit", "told", "says", "says_not", "seconds", "megabytes", "endless", "heavy"}
KEYS = {"of", "claim", "files", "run", "answers", *EXPECTED}
SECONDS, MEGABYTES = 10, 500
#: What ends a process whose time is used up.
_ENDED = (-24, -9)
_PLACE = re.compile(r"^(?:error|warning) (R\d{4})(?:[^\n]*\n)(?:(?!error |warning )[^\n]+\n)*", re.MULTILINE)
_CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
_LINE = re.compile(r"^ *--> .*?:(\d+):(\d+)$", re.MULTILINE)


def named(table: str, row: dict[str, Any]) -> str:
    """How a row is called."""
    return f"{table}: {', '.join(map(str, row['of']))}: {row['claim']}"


def rows(heavy: bool) -> dict[str, dict[str, Any]]:
    """The rows with a command by their names: the heavy ones, or the others."""
    return {
        named(name, row): row
        for name, table in TABLES.items()
        for row in table
        if "run" in row and bool(row.get("heavy")) == heavy
    }


def lay_out(row: dict[str, Any], folder: Path) -> None:
    """Write the files of a row into a folder."""
    files = row.get("files", [])
    for name in files:
        at = folder / name
        at.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(files, dict):
            at.write_bytes(files[name].encode("utf-8"))
        elif name in MADE:
            at.write_text(MADE[name](), encoding="utf-8")
        else:
            at.write_bytes((FILES / name).read_bytes())


def told_by(done: Measured) -> list[str]:
    """The codes of the diagnostics, each with the line and column that it points at."""
    found = []
    for block in _PLACE.finditer(f"{done.err}\n{done.out}"):
        place = _LINE.search(block.group())
        found.append(block[1] + (f" {place[1]}:{place[2]}" if place else ""))
    return found


def steers(shown: str) -> bool:
    """Whether there is something that a terminal would obey: only lines end, and colours are not for files."""
    return _CONTROL.search(shown) is not None


def wrong(row: dict[str, Any], measuring: Measuring, folder: Path) -> str:
    """What came otherwise than the row says; empty where all is well."""
    lay_out(row, folder)
    seconds = row.get("seconds", SECONDS)
    for line in [row["run"]] if isinstance(row["run"], str) else row["run"]:
        patience = seconds if row.get("endless") else seconds + 5
        done = measuring.run(shlex.split(line), folder, row.get("answers", ""), patience)
        shown = done.out + done.err
        found = {
            "an exception": "Traceback" not in shown and "Something went wrong" not in shown,
            "a terminal steered": not steers(shown),
            "megabytes": done.megabytes <= row.get("megabytes", MEGABYTES),
        }
        found |= {
            "says": all(text in shown for text in row.get("says", [])),
            "says_not": not any(text in shown for text in row.get("says_not", [])),
        }
        if row.get("endless"):
            found["endless"] = done.code in _ENDED
        else:
            found |= {
                "seconds": done.seconds <= seconds,
                "exit": done.code == row.get("exit", 0),
                "told": told_by(done) == row.get("told", []),
            }
        if not all(found.values()):
            faults = ", ".join(name for name, good in found.items() if not good)
            came = f"exit {done.code}, told {told_by(done)}, {done.seconds:.1f} s, {done.megabytes:.0f} MB"
            return f"{line}: {faults}; {came}\n{shown[-1500:]}"
    return ""
