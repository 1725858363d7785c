"""A process that measures: one request a line on standard input, one answer a line on standard output, both as JSON.

The tasks are those of the module beside this one that the first argument names.  This is run as a script, so that all
else is imported from where `PYTHONPATH` says.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module


def main() -> None:
    """Answer until there are no more requests."""
    tasks = import_module(sys.argv[1]).TASKS
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(tasks[request.pop("task")](**request)), flush=True)


if __name__ == "__main__":
    main()
