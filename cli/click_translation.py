"""Translation of click's own messages.

Click calls gettext, which reads compiled catalogs on disk in the language of the environment. This module replaces the
two gettext functions in click's modules, so that messages come from the program's own catalogs (ids `click...`) in the
chosen language.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from wongar_dsl.nlg.words import Text, Translator

if TYPE_CHECKING:
    from click import ClickException

NAMES = ("_", "ngettext")

#: A phrase between the straight quotation marks of click's messages.
_QUOTED = re.compile(r"(?<!\w)'([^'\n]*)'(?!\w)")


def translator(words: Translator) -> tuple[Callable[[str], str], Callable[[str, str, int], str]]:
    """Return replacements for `gettext` and `ngettext`."""
    entries = words.verbatim("click.")

    def gettext(text: str) -> str:
        return entries.get(text, (text,))[0]

    def ngettext(one: str, many: str, n: int) -> str:
        forms = entries.get(one, (one, many))
        plural = words.plural(n) if one in entries else int(n != 1)
        return forms[min(plural, len(forms) - 1)]

    return gettext, ngettext


def install(words: Translator) -> None:
    """Replace the gettext functions in all loaded click modules."""
    import click

    functions = translator(words)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == click.__name__:
            for attribute, function in zip(NAMES, functions, strict=True):
                if hasattr(module, attribute):
                    setattr(module, attribute, function)


def translated_error(error: ClickException, words: Translator) -> str:
    """Return click's message for a usage error, with the quotation marks of the language."""
    buffer = io.StringIO()
    error.show(file=buffer)
    return _QUOTED.sub(lambda match: words.say("engine.quoted", text=Text(match[1])), buffer.getvalue())
