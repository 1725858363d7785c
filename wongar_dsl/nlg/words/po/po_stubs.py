"""Skeletons for translators: empty entries, and their insertion into catalog and lexicon files.

A skeleton counts as missing until it is filled in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from babel.core import Locale as CldrLocale
from babel.core import UnknownLocaleError
from babel.messages.plurals import get_plural

from wongar_dsl.base.storage.files import write_bytes
from wongar_dsl.nlg.words.arguments import Text
from wongar_dsl.nlg.words.errors import WordsError
from wongar_dsl.nlg.words.files import read_text, read_tree
from wongar_dsl.nlg.words.lexicon import Lexicon
from wongar_dsl.nlg.words.lexicon_reader import merge
from wongar_dsl.nlg.words.negotiation import ENGLISH


def message_skeleton(name: str, english: Sequence[str], slots: Mapping[str, str], language: str) -> str:
    """Return a catalog entry for a message; `english` is its sentence, or empty if it has none yet.

    `slots` maps each slot to a description of its values.
    """
    draft = tuple(english) or (" ".join([name, *(f"{{{slot}}}" for slot in slots)]),)
    lines = [f"#. {slot}: {kind}" for slot, kind in slots.items()]
    if language == ENGLISH:
        # The English sentence is the msgid itself; this entry is a draft and not displayed.
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
    """Return an empty lexicon entry for a term, with the forms that this language requires."""
    required_forms = [lexicon.form_key(form) for form in lexicon.required.get("", ())]
    numbers = lexicon.features.dimensions.get("number", ())
    keys = dict.fromkeys((*(required_forms or numbers or ("",)),))
    genders = lexicon.features.dimensions.get("gender", ())
    forms = ", ".join(f'{form or json.dumps(form)}: ""' for form in keys)
    gender = 'gender: "", ' if genders else ""
    # Forms that only some genders require go into a comment: the gender is not known yet.
    more = (f"{scope}: {', '.join(map(lexicon.form_key, keys))}" for scope, keys in lexicon.required.items() if scope)
    note = "; ".join([f"gender: {', '.join(genders)}", *more]) if genders else ""
    return f"{key(name)}: {{{gender}{forms}}}" + (f"  # {note}" if note else "")


def header(language: str) -> str:
    """Return the header entry of a catalog, with the language's plural rule from CLDR."""
    rule, forms = plural_rule(language)
    return (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Content-Transfer-Encoding: 8bit\\n"\n"Plural-Forms: nplurals={len(forms)}; plural={rule};\\n"\n'
    )


def plural_rule(language: str) -> tuple[str, range]:
    """Return the plural rule for the catalogs of a language, and its form indices; by default those of English."""
    try:
        rule = get_plural(CldrLocale.parse(language.replace("-", "_")))
    except (UnknownLocaleError, ValueError):
        rule = get_plural(CldrLocale.parse(ENGLISH))
    return rule.plural_expr, range(rule.num_plurals)


def with_messages(path: Path, language: str, entries: Sequence[str]) -> str:
    """Return the text of a catalog with entries appended; start a new one if the file is missing.

    Raises `WordsError` for a catalog that cannot be read.
    """
    before = read_text(path).rstrip("\n") + "\n" if path.exists() else header(language)
    return before + "".join(f"\n{entry}\n" for entry in entries)


def with_terms(path: Path, scope: str, entries: Mapping[str, str], text: str | None = None) -> str:
    """Return a lexicon with term skeletons inserted among the words of a game, creating that section if needed.

    `text` replaces the current content of the file. Raises `WordsError` for a file that cannot be read, or whose layout
    prevents the insertion.
    """
    before = text if text is not None else read_text(path) if path.exists() else ""
    lines = [re.sub(r"^games:\s*\{\s*\}", "games:", line) for line in before.splitlines()]
    games = next((n for n, line in enumerate(lines) if re.match(r"games:\s*(#.*)?$", line)), None)
    if games is None:
        indent, position, opened = "  ", len(lines), [*([""] if lines else []), "games:", f"  {key(scope)}:"]
    else:
        first = next((re.match(r" *", line) for line in lines[games + 1 :] if line.strip()), None)
        indent = (first[0] if first else "") or "  "
        head = f"{indent}{key(scope)}:"
        header_line = next((n for n, line in enumerate(lines) if n > games and line.rstrip() == head), None)
        position, opened = (games + 1, [head]) if header_line is None else (header_line + 1, [])
    deeper = indent * 2
    if not opened and position < len(lines) and (inside := re.match(r" +", lines[position])):
        deeper = inside[0]
    new = [*lines[:position], *opened, *(f"{deeper}{entry}" for entry in entries.values()), *lines[position:]]
    text = "\n".join(new) + "\n"
    old = read_tree(before, str(path))
    added = read_tree("games:\n  " + key(scope) + ":\n" + "".join(f"    {e}\n" for e in entries.values()), str(path))
    if read_tree(text, str(path)) != merge([old, added]):
        raise WordsError("words.not_added", {"file": Text(str(path))})
    return text


def write(path: Path, text: str) -> None:
    """Write a catalog or lexicon file, creating its language folder if needed. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, text.encode())


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def key(name: str) -> str:
    """Return a name as a key of a lexicon file, quoted if necessary."""
    return name if re.fullmatch(r"[\w/().]+", name) else json.dumps(name)
