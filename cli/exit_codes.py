"""Exit codes of the command, for scripts."""

from __future__ import annotations

#: The command did what was asked, and found nothing wrong.
SUCCESS = 0
#: The command ran, but found an error in the files, failed at something, or could not write its output.
FAILURE = 1
#: The request itself cannot be carried out: unknown options, impossible settings, or a missing library.
USAGE = 2
#: Ctrl-C, and SIGTERM: 128 and the number of the signal.
INTERRUPTED, TERMINATED = 130, 143
