"""Errors that are shown to the user as a message, and the exit codes of the command."""

from __future__ import annotations

import errno
from pathlib import Path

from wongar_dsl.base.storage.files import write_bytes
from wongar_dsl.nlg.words import Translator, quoted

#: The command did what was asked, and found nothing wrong.
SUCCESS = 0
#: The command ran, but found an error in the files, failed at something, or could not write its output.
FAILURE = 1
#: The request itself cannot be carried out: unknown options, impossible settings, or a missing library.
USAGE = 2
#: Ctrl-C, and SIGTERM: 128 and the number of the signal.
INTERRUPTED, TERMINATED = 130, 143


#: Messages of frequent errors of the operating system, by error number.
_OS_REASONS = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "cli.os.full"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "cli.os.denied"),
    **dict.fromkeys((errno.ENOTDIR, errno.EEXIST), "cli.os.not_folder"),
    errno.ENOENT: "cli.os.missing",
    errno.EISDIR: "cli.os.folder",
    errno.EBADF: "cli.os.closed",
    errno.EINVAL: "cli.os.no_file",
    errno.ENAMETOOLONG: "cli.os.long_name",
}


class UserError(Exception):
    """An error for the user: a message in the user's language, and the exit code."""

    def __init__(self, text: str, code: int = FAILURE) -> None:
        self.text, self.code = text, code
        super().__init__(text)


def os_error_text(error: BaseException | None, words: Translator) -> str:
    """Return the reason for a failed file access, translated for frequent errors."""
    name = _OS_REASONS.get(getattr(error, "errno", None) or 0)
    return words.say(name) if name is not None else getattr(error, "strerror", None) or ""


def write_error(path: str | Path, error: BaseException, words: Translator) -> UserError:
    """Return the error for a file that cannot be written."""
    why = os_error_text(error, words)
    if not why:
        return UserError(words.say("report.not_written", path=quoted(str(path))))
    return UserError(words.say("cli.new.not_written", path=quoted(str(path)), why=quoted(why)))


def write_file(path: str | Path, data: bytes, words: Translator) -> None:
    """Write a file as a whole; raise `UserError` if it cannot be written."""
    try:
        write_bytes(Path(path), data)
    except OSError as error:
        raise write_error(path, error, words) from None
