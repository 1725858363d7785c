"""Click's own words in the chosen language.

Click asks gettext for its sentences, and gettext reads compiled catalogs on disk in the language of the surroundings.
Here the answers come from the same catalogs as everything else (messages named `click...`), in the language that the
command speaks: in click's modules, the names of the two functions are bound to ours.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from wongar_dsl.words import Text, Words

if TYPE_CHECKING:
    from click import ClickException

NAMES = ("_", "ngettext")

#: What click puts between the quotation marks of its source code.
_QUOTED = re.compile(r"(?<!\w)'([^'\n]*)'(?!\w)")


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


def install(words: Words) -> None:
    """Have click speak these words."""
    import click

    gettext, ngettext = translator(words)
    for name, module in list(sys.modules.items()):
        if name == click.__name__ or name.startswith(f"{click.__name__}."):
            for attribute, function in zip(NAMES, (gettext, ngettext), strict=True):
                if hasattr(module, attribute):
                    setattr(module, attribute, function)


def shown(error: ClickException, words: Words) -> str:
    """What click says about a wrong command, with the quotation marks of the language."""
    said = io.StringIO()
    error.show(file=said)
    return _QUOTED.sub(lambda found: words.say("engine.quoted", text=Text(found[1])), said.getvalue())
