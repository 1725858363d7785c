"""Description of the machine, and of its other load during the benchmark."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from wongar_dsl.compiler.backends.native.compiler import compiler


def machine() -> str:
    """Return the processor, the system, Python and the C compiler."""
    version = (
        subprocess.run([*compiler(), "--version"], capture_output=True, text=True, check=False) if compiler() else None
    )
    c = version.stdout.partition("\n")[0] if version is not None else "no C compiler"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, {python}, {c}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown processor"
    )


class Busy:
    """Load on the machine by other programs since this object was created."""

    def __init__(self) -> None:
        self._before = self._now()

    @staticmethod
    def _now() -> tuple[float, float, float] | None:
        """Return the seconds, over all cores, that have passed, were busy, and were used by this run.

        None if the system does not report them.
        """
        try:
            ticks = [int(t) for t in Path("/proc/stat").read_text(encoding="utf-8").split("\n")[0].split()[1:9]]
        except (OSError, ValueError):
            return None
        every = os.sysconf("SC_CLK_TCK")
        idle = ticks[3] + ticks[4]
        return sum(ticks) / every, (sum(ticks) - idle) / every, sum(os.times()[:4])

    def told(self) -> str:
        """Return the load in words."""
        now = self._now()
        if now is None or self._before is None:
            return "what else ran is not known"
        passed, busy, used = (b - a for a, b in zip(self._before, now, strict=True))
        return f"other programs took {max(0.0, busy - used) / passed:.0%} of the machine meanwhile"
