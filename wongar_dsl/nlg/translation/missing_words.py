"""Names and messages of a game without text in some language, and skeletons to fill in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from wongar_dsl.base.diagnostics import Diagnostic, PasteSnippet
from wongar_dsl.base.span import Span
from wongar_dsl.base.storage.files import relative_path
from wongar_dsl.engine import Game
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.narration.option_text import messages_covered_by_rules
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.translation_checks import find_ambiguous_names
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook, render_text
from wongar_dsl.nlg.translation.message_inventory import (
    MessageInventory,
    direction_terms,
    messages_of,
    terms_of,
    vocabulary_of,
)
from wongar_dsl.nlg.words import Translator, WordsError, available, builtin_folder
from wongar_dsl.nlg.words.catalog_check import LintFinding, MessageSpec, Vocabulary, all_forms, check, own_messages
from wongar_dsl.nlg.words.catalogs import Catalog, CatalogEntry
from wongar_dsl.nlg.words.files import Root, read_text, read_tree
from wongar_dsl.nlg.words.lexicon import scopes
from wongar_dsl.nlg.words.locale import Locale, load_locale, place_of
from wongar_dsl.nlg.words.negotiation import ENGLISH, languages_in
from wongar_dsl.nlg.words.po_files import (
    Update,
    fillings,
    header,
    key,
    message_skeleton,
    term_skeleton,
    update,
    with_messages,
    with_terms,
)

TERMS, SENTENCES = "lexicon.yaml", "messages.po"

#: By rule file: the game or variant that it defines, and the folder of its lexicons and catalogs.
Homes = Mapping[str, tuple[str, Path]]


#: Folder of lexicons and catalogs beside the rules.
LOCAL_FOLDER = Path("locales")


@dataclass(frozen=True, slots=True)
class MissingText:
    """A name without a term or a message without a sentence: the languages concerned, and the position of the entry."""

    diagnostic: Diagnostic
    name: str
    scope: str
    languages: tuple[Locale, ...]
    message: MessageSpec | None = None
    #: The English sentence, if it exists, and the terms that can fill the slots.
    english: tuple[str, ...] = ()
    vocabulary: Vocabulary = field(default_factory=dict)
    #: The folder beside the declaring file, if it differs from that of the game.
    folder: Path | None = None

    def skeleton(self, language: Locale) -> str:
        """Return an empty entry for a language."""
        lexicon = language.lexicon
        if self.message is None:
            return term_skeleton(self.name, lexicon)
        slots = {slot: fillings(self.name, kind, self.vocabulary) for slot, kind in self.message.slots.items()}
        return message_skeleton(self.name, self.english, slots, lexicon.code)

    def empty_entry_place(self, language: Locale) -> tuple[str, int] | None:
        """Return the file and line of an existing but unfilled entry, or None."""
        if self.message is None:
            return place_of(language.trees, "games", self.scope, self.name)
        entry = language.catalog.entries.get(self.name)
        return (language.catalog.files[self.name], entry.line) if entry else None


def required_languages(roots: Sequence[Root]) -> tuple[str, ...]:
    """Return the languages that a game must support: those of its own folders, else those of the program."""
    codes = {language for root in roots for language in languages_in(root)}
    return tuple(sorted(codes)) or available()


def missing_text_warnings(
    game: Game,
    roots: Sequence[Root] = (),
    folder: Path | None = None,
    homes: Homes | None = None,
    asked: Sequence[str] = (),
) -> tuple[Diagnostic, ...]:
    """Return a warning for each name without a term and each message without a sentence.

    `roots` are the folders of text beside the rules. New text goes into `folder`, unless `homes` gives another one.
    `asked` are the languages, by default those that the game must support. Rules without text in any language are
    ignored: they are played with their identifiers.
    """
    place = _StubPlace(folder or (Path(str(roots[0])) if roots else LOCAL_FOLDER))
    warnings = tuple(
        replace(missing.diagnostic, pastes=tuple(place.paste(missing, language) for language in missing.languages))
        for missing in missing_texts(game, roots, asked=asked, homes=homes)
    )
    return (*warnings, *ambiguous_name_warnings(game, roots))


def ambiguous_name_warnings(game: Game, roots: Sequence[Root] = ()) -> tuple[Diagnostic, ...]:
    """Return a warning for each pair of names that the text of a rule renders alike."""
    languages: list[Translator] = []
    for code in required_languages(roots):
        with suppress(WordsError):
            locale = load_locale(code, roots)
            if has_words_for(locale, game.name):
                languages.append(Translator(locale, None, code))
    return tuple(
        Diagnostic(
            "R0506",
            pair.origin.span,
            {
                "name": pair.article.name.text,
                "one": pair.one,
                "other": pair.other,
                "words": pair.words,
                "languages": pair.languages,
            },
        )
        for pair in find_ambiguous_names(game.model, languages)
    )


def missing_texts(
    game: Game,
    roots: Sequence[Root] = (),
    even_if_wordless: bool = False,
    asked: Sequence[str] = (),
    homes: Homes | None = None,
) -> tuple[MissingText, ...]:
    """Return the missing text; with `even_if_wordless`, also for rules without any text.

    `asked` are the languages, by default those that the game must support; `homes` are the folders of the text.
    """
    languages: list[tuple[Locale, Translator]] = []
    english: Mapping[str, CatalogEntry] = {}
    # The check of the catalogs reports files that cannot be read.
    with suppress(WordsError):
        english = load_locale(ENGLISH, roots).catalog.entries
    for code in asked or required_languages(roots):
        with suppress(WordsError):
            locale = load_locale(code, roots)
            languages.append((locale, Translator(locale, None, code)))
    scope = game.name
    if not even_if_wordless and not any(has_words_for(locale, scope) for locale, _ in languages):
        return ()
    result = []
    vocabulary = vocabulary_of(game.model)

    def add(
        code: str,
        span: Span | None,
        name: str,
        lacking: tuple[Locale, ...],
        message: MessageSpec | None = None,
    ) -> None:
        if lacking:
            owner, folder = (homes or {}).get(span.source.name if span is not None else "", (scope, None))
            key = name if message is None else f"{owner}.{name}"
            codes = tuple(locale.lexicon.code for locale in lacking)
            details: dict[str, str | tuple[str, ...]] = {"name": key, "languages": codes}
            sentence = english[key].english if key in english else ()
            vocabularies = {owner: vocabulary}
            result.append(
                MissingText(
                    Diagnostic(code, span, details), key, owner, lacking, message, sentence, vocabularies, folder
                )
            )

    messages = [message for message in messages_of(game) if message.needed]
    slots = {kind for message in messages for kind in message.slots.values()}
    directions = direction_terms(game.model) if "term:direction" in slots else ()
    by_rules = {locale.lexicon.code: messages_covered_by_rules(game, words) for locale, words in languages}
    place = game.model.merged.head.name.span
    shown = {
        **dict.fromkeys(directions, place),
        **terms_of(game.model),
        **_in_the_book(game, languages),
    }
    for name, span in shown.items():
        add("R0501", span, name, tuple(locale for locale, words in languages if not words.has_term(name, scope)))
    for name, span in _titles(game, languages).items():
        # The name in the rules is English, and serves as the title unless it is ambiguous.
        candidates = [pair for pair in languages if "/" in name or pair[0].lexicon.code != ENGLISH]
        # A variant needs a title only if its author translates, unless its name is ambiguous.
        if not even_if_wordless and "/" not in name:
            candidates = [pair for pair in candidates if any((root / pair[0].lexicon.code).is_dir() for root in roots)]
        head = game.model.merged.names[0]
        # Another term for the game itself is the title of the whole.
        candidates = [
            (locale, words) for locale, words in candidates if words.term(head, head) == words.term(head, scope)
        ]
        add("R0501", span, name, tuple(locale for locale, words in candidates if not words.has_term(name, scope)))
    for message in messages:
        lacking = tuple(
            locale
            for locale, words in languages
            if not _can_say(words, message, scope, by_rules[locale.lexicon.code])
            and not _is_written(locale, message, scope)
        )
        add("R0502", message.span, message.name, lacking, message)
    return tuple(result)


def _titles(game: Game, languages: Sequence[tuple[Locale, Translator]]) -> dict[str, Span]:
    """Return the title of the last variant; an ambiguous name needs a term of its own.

    The titles of its bases are checked with the bases.
    """
    merged = game.model.merged
    common = {name for locale, _ in languages for name in locale.lexicon.terms}
    inside = {name for values in vocabulary_of(game.model).values() for name in values}
    ambiguous = common | inside | {*game.model.declared.spans}
    if len(merged.names) < 2:
        return {}
    name = merged.names[-1]
    return {"/".join(merged.names) if name in ambiguous else name: merged.titles.get(name, merged.head.name.span)}


def _in_the_book(game: Game, languages: Sequence[tuple[Locale, Translator]]) -> dict[str, Span]:
    """Return the options, and other names that the rulebook shows as written."""
    model, scope = game.model, game.name
    named = {a.name.text: a.name.span for a in model.merged.articles if not isinstance(a, s.Procedure | s.Winner)}
    options = {a.name.text: a.name.span for a in model.merged.articles if isinstance(a, s.Setting)}
    listed = {*terms_of(model), *options}
    for _, words in languages:
        if all(words.has_term(name, scope) or words.has(f"define.{name}", scope) for name in {*named} - listed):
            continue
        words.forget_unnamed()
        with suppress(WordsError):
            for _ in render_text(RealisedRulebook(rulebook(model, words), words, "")):
                pass
        return options | {name: span for name, span in named.items() if name in words.unnamed}
    return options


def has_words_for(locale: Locale, scope: str) -> bool:
    """Return whether a language has any text for a game or variant, or for its base."""
    return any(
        game in locale.lexicon.games or any(name.startswith(f"{game}.") for name in locale.catalog.entries)
        for game in scopes(scope)
    )


def _can_say(words: Translator, message: MessageSpec, scope: str, by_rules: frozenset[str]) -> bool:
    if words.has(message.name, scope) or message.name in by_rules:
        return True
    # The name of an option without arguments is sufficient.
    first, _, option = message.name.rpartition(".")
    return first.count(".") == 1 and set(message.slots) <= {"player"} and words.has_term(option, scope)


def _is_written(locale: Locale, message: MessageSpec, scope: str) -> bool:
    """Return whether a sentence exists; if it cannot be rendered, the check of the catalogs reports why."""
    return any(locale.catalog.texts(f"{game}.{message.name}") for game in scopes(scope))


class _StubPlace:
    """Placement of skeletons: considers existing files and earlier skeletons."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: set[tuple[Path, str]] = set()

    def paste(self, missing: MissingText, language: Locale) -> PasteSnippet:
        """Return the text to insert and its position, or the entry to fill in."""
        position, skeleton = missing.empty_entry_place(language), missing.skeleton(language)
        if position is not None:
            entry = language.catalog.entries.get(missing.name) if missing.message is not None else None
            return PasteSnippet(
                f"{relative_path(position[0])}:{position[1]}", "", fuzzy=entry is not None and entry.fuzzy
            )
        file = (missing.folder or self._folder) / language.lexicon.code / (SENTENCES if missing.message else TERMS)
        shown = relative_path(str(file))
        if missing.message is not None:
            old = file.exists() or self._again(file, "")
            return PasteSnippet(shown, f"\n{skeleton}" if old else f"{header(language.lexicon.code)}\n{skeleton}")
        games = _games_in(file)
        section, inside = self._again(file, ""), self._again(file, missing.scope)
        if inside or missing.scope in (games or ()):
            return PasteSnippet(shown, f"    {skeleton}", f"games: {missing.scope}:")
        if section or games is not None:
            return PasteSnippet(shown, f"  {key(missing.scope)}:\n    {skeleton}", "games:")
        return PasteSnippet(shown, f"games:\n  {key(missing.scope)}:\n    {skeleton}")

    def _again(self, file: Path, section: str) -> bool:
        repeated = (file, section) in self._opened
        self._opened.add((file, section))
        return repeated


def _games_in(file: Path) -> frozenset[str] | None:
    """Return the games with a section in a lexicon file, or None if it has no section for games."""
    if not file.exists():
        return None
    games = read_tree(read_text(file), str(file)).get("games")
    return frozenset(games) if isinstance(games, dict) else None


@dataclass(frozen=True, slots=True)
class StubFile:
    """The content of a lexicon or catalog file with added skeletons, and their number."""

    text: str
    entries: int


def prepare_stubs(texts: Sequence[MissingText], folder: Path) -> dict[Path, StubFile]:
    """Return lexicon and catalog files with skeletons of missing text, in `folder` or their own folder.

    Existing entries stay unchanged. Raises `WordsError` for a file with an unsuitable layout.
    """
    files: dict[Path, StubFile] = {}
    terms: dict[tuple[Path, str], dict[str, str]] = {}
    sentences: dict[tuple[Path, str], list[str]] = {}
    for missing in texts:
        for locale in missing.languages:
            language, text = locale.lexicon.code, missing.skeleton(locale)
            place = (missing.folder or folder) / language
            if missing.empty_entry_place(locale) is not None:
                continue
            if missing.message is None:
                terms.setdefault((place / TERMS, missing.scope), {})[missing.name] = text
            else:
                sentences.setdefault((place / SENTENCES, language), []).append(text)
    for (path, scope), entries in terms.items():
        before = files.get(path)
        text = with_terms(path, scope, entries, before.text if before is not None else None)
        files[path] = StubFile(text, len(entries) + (before.entries if before is not None else 0))
    for (path, language), new in sentences.items():
        files[path] = StubFile(with_messages(path, language, new), len(new))
    return files


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
    findings = check(specs, vocabulary, roots, [language], game is None, inventory.usable, articles=inventory.articles)
    try:
        catalog = load_locale(language, roots).catalog
    except WordsError:
        catalog = Catalog({})
    english = load_locale(ENGLISH, roots).catalog.entries
    names = [name for name in english if game is None or name.startswith(f"{game}.")]
    done = [
        name
        for name in names
        if catalog.texts(name) and (english[name].fuzzy or catalog.entries[name].english == english[name].english)
    ]
    incomplete = tuple(finding for finding in findings if finding.incomplete)
    return TranslationState(len(names), len(done), incomplete, tuple(f for f in findings if not f.incomplete))


def preview(
    language: str, message: str, inventory: MessageInventory, roots: Sequence[Root]
) -> Iterator[str | WordsError]:
    """Yield the message in every distinct form, each once, or the error. Raises `WordsError` for an unknown message."""
    speech = load_locale(language, roots, strict=True)
    spec = inventory.specs.get(message) or next(
        (candidate for candidate in own_messages({}) if candidate.name == message), None
    )
    if spec is None:
        raise WordsError("words.unknown_message")
    template = speech.catalog.template(message)
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
    return update(folder, language, specs, inventory.vocabulary, builtin_folder().joinpath(ENGLISH))
