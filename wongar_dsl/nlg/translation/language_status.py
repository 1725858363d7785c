"""Translation status of a language: completeness and faults, previews, and catalog updates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wongar_dsl.engine import Game
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.narration.option_text import messages_covered_by_rules
from wongar_dsl.nlg.translation.message_inventory import messages_of, usable_terms, vocabulary_of
from wongar_dsl.nlg.words import Translator, WordsError, builtin_folder
from wongar_dsl.nlg.words.catalogs import CatalogEntry
from wongar_dsl.nlg.words.files import Root
from wongar_dsl.nlg.words.lexicon import scopes
from wongar_dsl.nlg.words.lint.catalog_check import MessageSpec, all_forms, check, own_messages
from wongar_dsl.nlg.words.lint.lint_result import LintFinding
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.negotiation import ENGLISH
from wongar_dsl.nlg.words.po.catalog_update import Update, update

#: Counts for previews.
TELLING = (0, 1, 2, 5)


@dataclass(slots=True)
class MessageInventory:
    """Inventory of all text of some games: messages, terms, other names, and positions in the rules."""

    specs: dict[str, MessageSpec] = field(default_factory=dict)
    vocabulary: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    usable: dict[str, frozenset[str]] = field(default_factory=lambda: {"": frozenset()})
    places: dict[str, tuple[str, int]] = field(default_factory=dict)
    #: Keys of the declarations of each game and its variants.
    articles: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def collect(cls, games: Sequence[Game], scoped: bool = False) -> MessageInventory:
        """Collect the text of `games` under the name of each; with `scoped`, under those of its variants as well."""
        result = cls()
        for game in games:
            for scope in scopes(game.name) if scoped else (game.model.name,):
                result._add(game, scope)
        # Only terms that a slot can contain are required.
        named = {kind.partition(":")[2] for spec in result.specs.values() for kind in spec.all_slots.values()}
        for terms in result.vocabulary.values():
            for sort in terms.keys() - named:
                del terms[sort]
        return result

    def _add(self, game: Game, scope: str) -> None:
        by_rules = messages_covered_by_rules(game, Translator.load(ENGLISH))
        for message in messages_of(game):
            name = f"{scope}.{message.name}"
            previous = self.specs.get(name)
            # The base and its variants may fill different slots of the same message.
            slots = {**(previous.slots if previous else {}), **message.slots}
            needed = (message.needed and message.name not in by_rules) or (previous is not None and previous.needed)
            offered = {**(previous.offered if previous else {}), **message.offered}
            offered = {slot: kind for slot, kind in offered.items() if slot not in slots}
            self.specs[name] = MessageSpec(name, slots, needed, offered)
            if message.span is not None:
                self.places.setdefault(name, (message.span.source.name, message.span.line))
        terms = self.vocabulary.setdefault(scope, {})
        for sort, names in vocabulary_of(game.model).items():
            terms[sort] = tuple(dict.fromkeys((*terms.get(sort, ()), *names)))
        keys = set(map(s.key_text, game.model.merged.articles))
        declared = game.model.declared
        keys |= {f"changes.{name}" for name in (*declared.remembered, *declared.zones)}
        self.articles[scope] = self.articles.get(scope, frozenset()) | keys
        self.usable[scope] = self.usable.get(scope, frozenset()) | usable_terms(game.model)
        self.usable[""] |= usable_terms(game.model)


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
    for _, result in all_forms(speech, spec, template, inventory.vocabulary, TELLING):
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
