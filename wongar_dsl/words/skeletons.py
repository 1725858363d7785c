"""What a translator starts from: entries with nothing in them, and how they come into the files.

A skeleton counts as missing until somebody fills it in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from babel.core import Locale as CldrLocale
from babel.core import UnknownLocaleError
from babel.messages.plurals import get_plural

from wongar_dsl.text.files import write_bytes
from wongar_dsl.words.arguments import Text
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.files import read_text, read_tree
from wongar_dsl.words.lexicon import Lexicon
from wongar_dsl.words.lexicon_reader import merge
from wongar_dsl.words.negotiation import ENGLISH


def message_skeleton(name: str, english: Sequence[str], slots: Mapping[str, str], language: str) -> str:
    """The entry of a catalog for a message; `english` is its sentence, or nothing where there is none yet.

    `slots` say what can fill each of them.
    """
    draft = tuple(english) or (" ".join([name, *(f"{{{slot}}}" for slot in slots)]),)
    lines = [f"#. {slot}: {kind}" for slot, kind in slots.items()]
    if language == ENGLISH:
        # The English sentence is the msgid itself; this one is a draft, and not shown.
        lines.append("#, fuzzy, no-python-brace-format")
    else:
        lines.append("#, no-python-brace-format")
    lines += [f"msgctxt {_quoted(name)}", f"msgid {_quoted(draft[0])}"]
    if len(draft) > 1:
        forms = len(plural_rule(language)[1])
        lines += [f"msgid_plural {_quoted(draft[1])}", *(f'msgstr[{n}] ""' for n in range(forms))]
    else:
        lines.append('msgstr ""')
    return "\n".join(lines)


def term_skeleton(name: str, lexicon: Lexicon) -> str:
    """The entry of a lexicon for a term: the forms that this language wants, with nothing in them."""
    wanted = [lexicon.written(form) for form in lexicon.required.get("", ())]
    numbers = lexicon.features.dimensions.get("number", ())
    keys = dict.fromkeys((*(wanted or numbers or ("",)),))
    genders = lexicon.features.dimensions.get("gender", ())
    forms = ", ".join(f'{form or json.dumps(form)}: ""' for form in keys)
    gender = 'gender: "", ' if genders else ""
    # What only some genders want is said behind it: nobody knows yet which one it will be.
    more = (f"{of}: {', '.join(map(lexicon.written, keys))}" for of, keys in lexicon.required.items() if of)
    told = "; ".join([f"gender: {', '.join(genders)}", *more]) if genders else ""
    return f"{key(name)}: {{{gender}{forms}}}" + (f"  # {told}" if told else "")


def header(language: str) -> str:
    """The first entry of a catalog, with the plural rule that CLDR has for the language."""
    rule, forms = plural_rule(language)
    return (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Content-Transfer-Encoding: 8bit\\n"\n"Plural-Forms: nplurals={len(forms)}; plural={rule};\\n"\n'
    )


def plural_rule(language: str) -> tuple[str, range]:
    """The plural rule that a language's catalogs state, and the indices of its forms; English's for an unknown one."""
    try:
        found = get_plural(CldrLocale.parse(language.replace("-", "_")))
    except (UnknownLocaleError, ValueError):
        found = get_plural(CldrLocale.parse(ENGLISH))
    return found.plural_expr, range(found.num_plurals)


def with_messages(path: Path, language: str, entries: Sequence[str]) -> str:
    """The text of a catalog with entries at its end; a new one where there is none.

    Raises `WordsError` for a catalog that cannot be read.
    """
    before = read_text(path).rstrip("\n") + "\n" if path.exists() else header(language)
    return before + "".join(f"\n{entry}\n" for entry in entries)


def with_terms(path: Path, scope: str, entries: Mapping[str, str], text: str | None = None) -> str:
    """The text of a lexicon with the skeletons of terms among the words of a game, which are made where there are none.

    `text` is what it is to hold already, if not what it holds.  Raises `WordsError` for a file that cannot be read, or
    is written so that they would not come to their place.
    """
    before = text if text is not None else read_text(path) if path.exists() else ""
    lines = [re.sub(r"^games:\s*\{\s*\}", "games:", line) for line in before.splitlines()]
    games = next((n for n, line in enumerate(lines) if re.match(r"games:\s*(#.*)?$", line)), None)
    if games is None:
        indent, at, opened = "  ", len(lines), [*([""] if lines else []), "games:", f"  {key(scope)}:"]
    else:
        first = next((re.match(r" *", line) for line in lines[games + 1 :] if line.strip()), None)
        indent = (first[0] if first else "") or "  "
        head = f"{indent}{key(scope)}:"
        found = next((n for n, line in enumerate(lines) if n > games and line.rstrip() == head), None)
        at, opened = (games + 1, [head]) if found is None else (found + 1, [])
    deeper = indent * 2
    if not opened and at < len(lines) and (inside := re.match(r" +", lines[at])):
        deeper = inside[0]
    new = [*lines[:at], *opened, *(f"{deeper}{entry}" for entry in entries.values()), *lines[at:]]
    text = "\n".join(new) + "\n"
    old = read_tree(before, str(path))
    wanted = read_tree("games:\n  " + key(scope) + ":\n" + "".join(f"    {e}\n" for e in entries.values()), str(path))
    if read_tree(text, str(path)) != merge([old, wanted]):
        raise WordsError("words.not_added", {"file": Text(str(path))})
    return text


def write(path: Path, text: str) -> None:
    """Write a file of words, and the folder of its language where that is missing.  Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, text.encode())


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def key(name: str) -> str:
    """A name as a key of a words file is written."""
    return name if re.fullmatch(r"[\w/().]+", name) else json.dumps(name)
