"""Translation status of a language: completeness and faults, previews, and catalog updates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wongar_dsl.nlg.translation.message_inventory import MessageInventory
from wongar_dsl.nlg.words import WordsError, builtin_folder
from wongar_dsl.nlg.words.catalogs import CatalogEntry
from wongar_dsl.nlg.words.files import Root
from wongar_dsl.nlg.words.lint.catalog_check import MessageSpec, all_forms, check, own_messages
from wongar_dsl.nlg.words.lint.lint_result import LintFinding
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.negotiation import ENGLISH
from wongar_dsl.nlg.words.po.catalog_update import Update, update

#: Counts that previews show.
PREVIEW_COUNTS = (0, 1, 2, 5)


@dataclass(frozen=True, slots=True)
class TranslationState:
    """Progress of a translation: `done` of `all` sentences, the missing text, and the faults."""

    all: int
    done: int
    incomplete: tuple[LintFinding, ...]
    wrong: tuple[LintFinding, ...]


def state_of(
    language: str, inventory: MessageInventory, roots: Sequence[Root], game: str | None = None
) -> TranslationState:
    """Return the status of a language, or of one game's text in it."""
    specs = list(inventory.specs.values())
    vocabulary = inventory.vocabulary
    if game is not None:
        specs += own_messages(inventory.specs)
        specs = [spec for spec in specs if spec.name.startswith(f"{game}.")]
        vocabulary = {scope: words for scope, words in vocabulary.items() if scope == game}
    usable = {**inventory.usable, "": inventory.usable[""] | frozenset(load_locale(ENGLISH, ()).lexicon.terms)}
    findings = check(specs, vocabulary, roots, [language], own=game is None, usable=usable, articles=inventory.articles)
    try:
        entries = load_locale(language, roots).catalog.entries
    except WordsError:
        entries = {}
    english = load_locale(ENGLISH, roots).catalog.entries
    names = [name for name in english if game is None or name.startswith(f"{game}.")]
    done = [name for name in names if name in entries and _is_done(entries[name], english[name], language == ENGLISH)]
    incomplete = tuple(finding for finding in findings if finding.incomplete)
    return TranslationState(len(names), len(done), incomplete, tuple(f for f in findings if not f.incomplete))


def _is_done(entry: CatalogEntry, english: CatalogEntry, source: bool) -> bool:
    return bool(entry.shown(source)) and (english.fuzzy or entry.english == english.english)


def preview(
    language: str, message: str, inventory: MessageInventory, roots: Sequence[Root]
) -> Iterator[str | WordsError]:
    """Yield the message in every distinct form, each once, or the error. Raises `WordsError` for an unknown message."""
    speech = load_locale(language, roots, strict=True)
    spec = inventory.specs.get(message) or next(
        (candidate for candidate in own_messages({}) if candidate.name == message), None
    )
    if spec is None:
        raise WordsError("words.unknown_message", {})
    template = speech.catalog.template(message, source=language == ENGLISH)
    if template is None:
        return
    seen: set[str] = set()
    for _, result in all_forms(speech, spec, template, inventory.vocabulary, PREVIEW_COUNTS):
        if str(result) not in seen:
            seen.add(str(result))
            yield result


def known_messages(inventory: MessageInventory) -> list[str]:
    """Return the names of all messages."""
    return [*inventory.specs, *(spec.name for spec in own_messages(inventory.specs))]


def sync_catalog(folder: Path, language: str, inventory: MessageInventory) -> list[Update]:
    """Merge new and changed English sentences into the catalogs of a language; raises `WordsError` and OSError."""
    specs: Mapping[str, MessageSpec] = inventory.specs | {spec.name: spec for spec in own_messages(inventory.specs)}
    return update(folder, language, specs, inventory.vocabulary, inventory.places, builtin_folder().joinpath(ENGLISH))
