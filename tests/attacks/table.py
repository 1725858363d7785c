"""Tables of review findings, and the check of a row.

Each `*.yaml` is the table of one review. Keys of a row:

- `of`: the findings; `claim`: the statement that holds now
- `files`: texts by name, or names of files in `files/` or in `generated.py`
- `run`: the command, or a list of commands; `answers`: its standard input
- `exit`: expected exit code; `told`: expected diagnostics with line and column
- `says`, `says_not`: words that must or must not occur in the output
- `seconds`: limit of processor time on the machine that `measured` names (default 10)
- `megabytes`: limit of memory (default 500)
- `heavy`: the row uses a whole budget and is run only by `make soak`
- `tests`: instead of a command, tests elsewhere that cover the finding
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
EXPECTED = {"exit", "told", "says", "says_not", "seconds", "megabytes", "heavy"}
KEYS = {"of", "claim", "files", "run", "answers", *EXPECTED}
SECONDS, MEGABYTES = 10, 500
_PLACE = re.compile(r"^(?:error|warning) (R\d{4})(?:[^\n]*\n)(?:(?!error |warning )[^\n]+\n)*", re.MULTILINE)
_CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
_LINE = re.compile(r"^ *--> .*?:(\d+):(\d+)$", re.MULTILINE)


def rows(heavy: bool) -> dict[str, dict[str, Any]]:
    """Return the rows with a command by name: either the heavy or the other ones."""
    return {
        f"{name}: {', '.join(map(str, row['of']))}: {row['claim']}": row
        for name, table in TABLES.items()
        for row in table
        if "run" in row and bool(row.get("heavy")) == heavy
    }


def write_files(row: dict[str, Any], folder: Path) -> None:
    """Write the files of a row into a folder."""
    files = row.get("files", [])
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(files, dict):
            path.write_bytes(files[name].encode("utf-8"))
        elif name in MADE:
            path.write_text(MADE[name](), encoding="utf-8")
        else:
            path.write_bytes((FILES / name).read_bytes())


def diagnostics_in(done: Measured) -> list[str]:
    """Return the code of each diagnostic with its line and column."""
    codes = []
    for block in _PLACE.finditer(f"{done.err}\n{done.out}"):
        place = _LINE.search(block.group())
        codes.append(block[1] + (f" {place[1]}:{place[2]}" if place else ""))
    return codes


def has_control_characters(shown: str) -> bool:
    """Return whether the output has control or bidirectional characters, other than newlines and tabs."""
    return _CONTROL.search(shown) is not None


def deviations(row: dict[str, Any], measuring: Measuring, folder: Path) -> str:
    """Run a row and return a description of the deviations from it, or an empty string."""
    write_files(row, folder)
    seconds = row.get("seconds", SECONDS)
    for line in [row["run"]] if isinstance(row["run"], str) else row["run"]:
        done = measuring.run(shlex.split(line), folder, row.get("answers", ""), 3 * seconds)
        shown = done.out + done.err
        checks = {
            "an exception": "Traceback" not in shown and "Internal error" not in shown,
            "a terminal steered": not has_control_characters(shown),
            "megabytes": done.megabytes <= row.get("megabytes", MEGABYTES),
            "says": all(text in shown for text in row.get("says", [])),
            "says_not": not any(text in shown for text in row.get("says_not", [])),
            "seconds": done.seconds <= seconds,
            "exit": done.code == row.get("exit", 0),
            "told": diagnostics_in(done) == row.get("told", []),
        }
        if not all(checks.values()):
            faults = ", ".join(name for name, good in checks.items() if not good)
            came = f"exit {done.code}, told {diagnostics_in(done)}, {done.seconds:.1f} s, {done.megabytes:.0f} MB"
            return f"{line}: {faults}; {came}\n{shown[-1500:]}"
    return ""
