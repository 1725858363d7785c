"""Click's own words in the chosen language.

Click asks gettext for its sentences, and gettext reads compiled catalogs on disk in the language of the surroundings.
Here the answers come from the same catalogs as everything else (messages named `click...`), in the language that the
command speaks: in click's modules, the names of the two functions are bound to ours.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from wongar_dsl.words import Text, Words

NAMES = ("_", "ngettext")


def translator(words: Words) -> tuple[Callable[[str], str], Callable[[str, str, int], str]]:
    """What stands in for `gettext` and `ngettext`."""
    known = words.verbatim("click.")

    def gettext(text: str) -> str:
        return known.get(text, (text,))[0]

    def ngettext(one: str, many: str, n: int) -> str:
        forms = known.get(one, (one, many))
        plural = words.plural(n) if one in known else int(n != 1)
        return forms[min(plural, len(forms) - 1)]

    return gettext, ngettext


def requoted(text: str, words: Words) -> str:
    """A message in which click quoted names as Python does, with the quotation marks of the language."""
    return re.sub(r"'([^']*)'", lambda quoted: words.say("cli.quoted", text=Text(quoted[1])), text)


def install(words: Words) -> None:
    """Have click speak these words."""
    import click

    gettext, ngettext = translator(words)
    for name, module in list(sys.modules.items()):
        if name == click.__name__ or name.startswith(f"{click.__name__}."):
            for attribute, function in zip(NAMES, (gettext, ngettext), strict=True):
                if hasattr(module, attribute):
                    setattr(module, attribute, function)
