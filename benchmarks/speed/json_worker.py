"""Worker process for measurements: one JSON request per input line, one JSON response per output line.

The tasks are those of the sibling module named by the first argument. It runs as a script, so that all other imports
follow `PYTHONPATH`.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module


def main() -> None:
    """Answer requests until the input ends."""
    tasks = import_module(sys.argv[1]).TASKS
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(tasks[request.pop("task")](**request)), flush=True)


if __name__ == "__main__":
    main()
