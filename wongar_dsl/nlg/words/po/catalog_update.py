"""Updates of catalogs for translators.

Each entry names its source position in the rules and the possible values of its slots. Entries are flagged as not using
Python brace formats, so that catalog tools do not check the braces.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog as PoCatalog
from babel.messages.catalog import Message as PoMessage
from babel.messages.pofile import denormalize, read_po, write_po

from wongar_dsl.base.storage.files import write_bytes
from wongar_dsl.nlg.words.catalogs import CatalogEntry, read_catalog
from wongar_dsl.nlg.words.files import Root, read_text
from wongar_dsl.nlg.words.lexicon import scopes
from wongar_dsl.nlg.words.lint.catalog_check import MessageSpec, Vocabulary
from wongar_dsl.nlg.words.po.po_stubs import header, plural_rule

_FLAG = "no-python-brace-format"
#: Maximum number of terms to list as examples for a slot.
_MAX_NAMES = 8

#: The file and line where the rules use each message.
Places = Mapping[str, tuple[str, int]]


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
    folder: Path, language: str, specs: Mapping[str, MessageSpec], vocabulary: Vocabulary, places: Places, source: Root
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
        text, counts = _updated(texts.get(name, header(language)), language, home_entries, specs, vocabulary, places)
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
    places: Places,
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
        _add(catalog, name, sentence, message, notes, places.get(name), forms)
    gone = [message for name, message in messages.items() if name not in wanted]
    for message in (*obsolete.values(), *gone):
        catalog.obsolete[message.context or ""] = message
    head, _, _ = text.partition("\n\n")
    return f"{head.rstrip()}\n\n{_written(catalog).lstrip()}", (new, changed, len(gone))


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
    place: tuple[str, int] | None,
    forms: int = 2,
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
            previous = _previous(before)
    message = catalog.add(
        sentence if plural else sentence[0],
        string,
        context=name,
        locations=[place] if place else (),
        auto_comments=told,
        user_comments=[line for line in before.user_comments if not line.startswith("|")] if before else (),
        previous_id=previous,
    )
    message.flags = {*flags - {"python-format", "python-brace-format"}, _FLAG}


def _previous(message: PoMessage) -> tuple[str, ...]:
    """Return the English sentence that a fuzzy translation was made from, which the parser reads as a comment."""
    matches = (re.match(r'\| msgid(?:_plural)? "(.*)"$', line) for line in message.user_comments)
    return tuple(denormalize(f'"{line[1]}"') for line in matches if line)


def _written(catalog: PoCatalog) -> str:
    buffer = io.BytesIO()
    write_po(buffer, catalog, omit_header=True, width=0, include_previous=True)
    return buffer.getvalue().decode("utf-8")
