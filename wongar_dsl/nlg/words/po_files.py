"""Files for translators: skeletons of missing text, and updates of catalogs.

A skeleton counts as missing until it is filled in. An updated entry names its source position in the rules and the
possible values of its slots. Entries are flagged as not using Python brace formats, so that catalog tools do not check
the braces.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog as PoCatalog
from babel.messages.catalog import Message as PoMessage
from babel.messages.plurals import get_plural
from babel.messages.pofile import denormalize, read_po, write_po

from wongar_dsl.base.span import Span
from wongar_dsl.base.storage.files import write_bytes
from wongar_dsl.nlg.words.arguments import WordsError
from wongar_dsl.nlg.words.babel_locale import babel_locale
from wongar_dsl.nlg.words.catalog_check import MessageSpec, Vocabulary
from wongar_dsl.nlg.words.catalogs import CatalogEntry, read_catalog
from wongar_dsl.nlg.words.languages import ENGLISH, Root, read_text, read_tree
from wongar_dsl.nlg.words.lexicon import Lexicon, scopes
from wongar_dsl.nlg.words.lexicon_reader import merge


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
    babel = babel_locale(language) or babel_locale(ENGLISH)
    rule = get_plural(babel.data if babel is not None else None)
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
        raise WordsError("words.not_added", file=str(path))
    return text


def write_file(path: Path, text: str) -> None:
    """Write a catalog or lexicon file, creating its language folder if needed. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, text.encode())


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def key(name: str) -> str:
    """Return a name as a key of a lexicon file, quoted if necessary."""
    return name if re.fullmatch(r"[\w/().]+", name) else json.dumps(name)


_FLAG = "no-python-brace-format"
#: Maximum number of terms to list as examples for a slot.
_MAX_NAMES = 8


@dataclass(frozen=True, slots=True)
class Update:
    """Result of a catalog update: number of new entries, of changed English sentences, and of removed entries."""

    file: Path
    new: int
    changed: int
    gone: int


def comments(spec: MessageSpec, vocabulary: Vocabulary) -> list[str]:
    """Return one comment line for each slot of a message: its kind, or its possible terms."""
    return [f"{slot}: {fillings(spec.name, kind, vocabulary)}" for slot, kind in spec.all_slots.items()]


def fillings(message: str, kind: str, vocabulary: Vocabulary) -> str:
    """Return a description of a slot's possible values: the first terms of the vocabulary, or the kind."""
    category = kind.partition(":")[2]
    term_lists = (vocabulary.get(scope, {}).get(category) for scope in (*scopes(message.partition(".")[0]), ""))
    names = next((names for names in term_lists if names), ()) if category else ()
    return ", ".join(names[:_MAX_NAMES]) + (", …" if len(names) > _MAX_NAMES else "") or kind


def update(
    folder: Path, language: str, specs: Mapping[str, MessageSpec], vocabulary: Vocabulary, source: Root
) -> list[Update]:
    """Merge the English sentences of the folder `source` into the catalogs of a language, file by file.

    An entry stays in its file. A translation whose English sentence has changed is marked as fuzzy; one whose English
    sentence is gone is kept as obsolete. Raises `WordsError` for a catalog that cannot be read, OSError for one that
    cannot be written.
    """
    old = {path.name: path for path in sorted(folder.glob("*.po"))} if folder.is_dir() else {}
    texts = {name: read_text(path) for name, path in old.items()}
    homes = {entry: name for name, text in texts.items() for entry in read_catalog(text, str(old[name])).entries}
    english: dict[str, tuple[str, CatalogEntry]] = {}
    for file in sorted(source.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".po"):
            for name, entry in read_catalog(read_text(file), str(file)).entries.items():
                english[name] = (homes.get(name, file.name), entry)
    folder.mkdir(parents=True, exist_ok=True)
    done = []
    for name in sorted({home for home, _ in english.values()} | set(old)):
        home_entries = {entry: value for entry, (home, value) in english.items() if home == name}
        text, counts = _updated(texts.get(name, header(language)), language, home_entries, specs, vocabulary)
        if text != texts.get(name):
            write_bytes(folder / name, text.encode())
        done.append(Update(folder / name, *counts))
    return done


def _updated(
    text: str,
    language: str,
    wanted: Mapping[str, CatalogEntry],
    specs: Mapping[str, MessageSpec],
    vocabulary: Vocabulary,
) -> tuple[str, tuple[int, int, int]]:
    before = read_po(io.StringIO(text))
    messages = {message.context: message for message in before if message.id and message.context}
    obsolete = {message.context: message for message in before.obsolete.values() if message.context}
    catalog = PoCatalog(fuzzy=False)
    new = changed = 0
    forms = len(plural_rule(language)[1])
    for name, entry in wanted.items():
        message = messages.get(name) or obsolete.pop(name, None)
        sentence = _english(entry)
        spec = specs.get(name)
        notes = comments(spec, vocabulary) if spec else []
        if message is None:
            new += 1
        elif _ids(message) != sentence:
            changed += 1
        _add(catalog, name, sentence, message, notes, spec.span if spec else None, forms)
    gone = [message for name, message in messages.items() if name not in wanted]
    for message in (*obsolete.values(), *gone):
        catalog.obsolete[message.context or ""] = message
    head, _, _ = text.partition("\n\n")
    buffer = io.BytesIO()
    write_po(buffer, catalog, omit_header=True, width=0, include_previous=True)
    return f"{head.rstrip()}\n\n{buffer.getvalue().decode().lstrip()}", (new, changed, len(gone))


def _english(entry: CatalogEntry) -> tuple[str, ...]:
    return entry.texts if entry.translated and any(entry.texts) else entry.english


def _ids(message: PoMessage) -> tuple[str, ...]:
    return tuple(message.id) if isinstance(message.id, (tuple, list)) else (message.id,)


def _add(
    catalog: PoCatalog,
    name: str,
    sentence: tuple[str, ...],
    before: PoMessage | None,
    told: list[str],
    span: Span | None,
    forms: int,
) -> None:
    plural = len(sentence) > 1
    flags: set[str] = set()
    string: str | tuple[str, ...] = ("",) * forms if plural else ""
    previous: tuple[str, ...] = ()
    if before is not None:
        flags = set(before.flags)
        texts = tuple(before.string) if isinstance(before.string, (tuple, list)) else (before.string or "",)
        string = (texts + ("",) * forms)[:forms] if plural else texts[0]
        if _ids(before) != sentence and any(texts):
            flags.add("fuzzy")
            previous = _ids(before)
        elif "fuzzy" in flags:
            # The sentence that a fuzzy translation was made from is a comment for the parser.
            lines = (re.match(r'\| msgid(?:_plural)? "(.*)"$', line) for line in before.user_comments)
            previous = tuple(denormalize(f'"{line[1]}"') for line in lines if line)
    message = catalog.add(
        sentence if plural else sentence[0],
        string,
        context=name,
        locations=[(span.source.name, span.line)] if span else (),
        auto_comments=told,
        user_comments=[line for line in before.user_comments if not line.startswith("|")] if before else (),
        previous_id=previous,
    )
    message.flags = {*flags - {"python-format", "python-brace-format"}, _FLAG}
