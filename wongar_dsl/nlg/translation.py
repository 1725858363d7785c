"""Translation of games: inventory of messages and terms, text that a language lacks, and the state of a language.

Missing text gets skeletons to fill in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from wongar_dsl.base.diagnostics import Diagnostic, PasteSnippet
from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.storage.files import relative_path
from wongar_dsl.engine import Game
from wongar_dsl.engine.rule_cases.file import file_source, line_span
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.nlg.narration.option_text import messages_covered_by_rules
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.translation_checks import (
    authored_texts_of,
    find_ambiguous_names,
    numbers_of,
    sentences_of,
)
from wongar_dsl.nlg.prose.document.translation_checks import terms_of as terms_of_prose
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook, render_text
from wongar_dsl.nlg.words import Translator, WordsError, available, builtin_folder
from wongar_dsl.nlg.words.arguments import Listing
from wongar_dsl.nlg.words.babel_locale import language_from_name
from wongar_dsl.nlg.words.catalog_check import LintFinding, MessageSpec, Vocabulary, all_forms, check, own_messages
from wongar_dsl.nlg.words.catalogs import Catalog
from wongar_dsl.nlg.words.languages import ENGLISH, Root, languages_in, read_text, read_tree
from wongar_dsl.nlg.words.languages import MAX_FILE_BYTES as MAX_WORDS_BYTES
from wongar_dsl.nlg.words.lexicon import scopes
from wongar_dsl.nlg.words.locale import OTHERWISE, Locale, load_locale, place_of
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
from wongar_dsl.nlg.words.translator import EACH, FURTHER, IN_LISTS, REPEATED, SAME, SHARED, TOGETHER


@dataclass(slots=True)
class MessageInventory:
    """Inventory of all text of some games: messages, terms, and other names."""

    specs: dict[str, MessageSpec] = field(default_factory=dict)
    vocabulary: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    usable: dict[str, frozenset[str]] = field(default_factory=lambda: {"": frozenset()})
    #: Keys of the declarations of each game and its variants, with the numbers that each declaration gives.
    articles: dict[str, dict[str, frozenset[int]]] = field(default_factory=dict)

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
        result.usable[""] |= frozenset(load_locale(ENGLISH, ()).lexicon.terms)
        return result

    def _add(self, game: Game, scope: str) -> None:
        by_rules = messages_covered_by_rules(game, Translator.load(ENGLISH))
        for message in messages_of(game):
            name = f"{scope}.{message.name}"
            previous = self.specs.get(name, MessageSpec(name, needed=False))
            # The base and its variants may fill different slots of the same message.
            slots = {**previous.slots, **message.slots}
            offered = {n: kind for n, kind in {**previous.offered, **message.offered}.items() if n not in slots}
            needed = (message.needed and message.name not in by_rules) or previous.needed
            self.specs[name] = MessageSpec(name, slots, needed, offered, previous.span or message.span)
        terms = self.vocabulary.setdefault(scope, {})
        for sort, names in vocabulary_of(game.model).items():
            terms[sort] = tuple(dict.fromkeys((*terms.get(sort, ()), *names)))
        numbers = numbers_of(game.model)
        declared = game.model.declared
        numbers |= {f"changes.{name}": frozenset() for name in (*declared.remembered, *declared.zones)}
        by_article = self.articles.setdefault(scope, {})
        for article, given in numbers.items():
            by_article[article] = by_article.get(article, frozenset()) | given
        self.usable[scope] = self.usable.get(scope, frozenset()) | usable_terms(game.model)
        self.usable[""] |= usable_terms(game.model)


def messages_of(game: Game) -> list[MessageSpec]:
    """Return the messages of a game: events, prompts, options, the rules summary, and names used in the rulebook."""
    model = game.model
    places: dict[str, Span] = {}
    for node, name in model.decision_names.items():
        places[f"decision.{name}"] = node.span
        for choice in node.options if isinstance(node, (s.Choose, s.ChooseSimultaneously)) else ():
            places[f"decision.{name}.{choice.name.text}"] = choice.name.span
    refs = (node for node in walk(model.code.articles) if isinstance(node, s.MessageRef))
    places |= {node.name: node.span for node in refs if node.name is not None}
    messages: dict[str, MessageSpec] = {}

    def add(
        name: str,
        slots: Mapping[str, str],
        needed: bool = True,
        place: str = "",
        offered: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        earlier = messages.get(name)
        # A decision can occur in several places, so its prompt may only use the slots that all of them have.
        shared = slots if earlier is None else {n: kind for n, kind in earlier.slots.items() if n in slots}
        messages[name] = MessageSpec(name, shared, needed, offered, places.get(place))

    for message in model.messages.values():
        slots, offered = (
            {slot: kind_of(model, of) for slot, of in named} for named in (message.slots, message.offered)
        )
        add(message.name, slots, True, message.name, offered)
        for end in (*IN_LISTS, *FURTHER):
            more = {"parts": "listing"} if end.startswith((TOGETHER, REPEATED, SHARED)) and EACH not in end else {}
            # The count of a part, or of repetitions of the event.
            more |= {"n": "number"} if end in IN_LISTS else {}
            add(f"{message.name}{end}", more | slots, False, message.name, offered)
        kinds = [kind for kind in (*slots.values(), *offered.values()) if kind.startswith("term:")]
        if len(set(kinds)) < len(kinds):
            add(f"{message.name}{SAME}", slots, False, message.name, offered)
    for decision in game.program.decisions:
        prompt = f"decision.{decision.name}"
        public = game.knowledge.public_names_in_scope(decision) if decision.scope else frozenset()
        around = {name: kind_of(model, kind) for name, kind, _ in decision.scope if name in public and name != "player"}
        add(prompt, {**around, "player": "player"}, True, prompt)
        for option in decision.options:
            parameters = {name: kind_of(model, kind) for name, kind in option.parameters}
            add(f"{prompt}.{option.name}", around | parameters, True, f"{prompt}.{option.name}")
    for part in model.merged.names[1:]:
        add(f"rules.{part}", {}, False)
    fillers = dict.fromkeys((*terms_of(model), *chain.from_iterable(vocabulary_of(model).values())), "named")
    fillers |= {name: "number" for name, option in model.settings.items() if option.type.kind == "number"}
    for name in authored_texts_of(model):
        add(name, {}, False, offered=fillers)
    for name, typed in sentences_of(model):
        add(name, {slot: kind_of(model, kind) for slot, kind in typed.items()}, False)
    substitutes = (replace(m, name=f"{m.name}{OTHERWISE}", needed=False) for m in messages.values())
    return [*messages.values(), *substitutes]


def kind_of(model: Model, slot: Type) -> str:
    """Return the kind of a slot, as in `MessageSpec`."""
    if slot.kind == "board" and model.boards[slot.name].steps:
        return "text"  # The squares of a lattice are shown as written.
    if slot.kind == "enum" and slot.name in model.shapes:
        return "text"  # Shapes are drawn, so they have no name.
    if slot.kind == "direction":
        return "term:direction"
    if slot.kind in ("enum", "board", "cards"):
        return f"term:{slot.name}"
    simple = {"figure": "term:figure", "number": "number", "player": "player", "tally": "tally", "truth": "truth"}
    return simple.get(slot.kind, "text")


def vocabulary_of(model: Model) -> dict[str, tuple[str, ...]]:
    """Return the terms of each type that a sentence can contain; a hidden card is named by its kind."""
    terms = {name: values for name, values in model.enums.items() if name not in model.shapes}
    terms |= {name: board.areas for name, board in model.boards.items() if not board.steps}
    terms |= {name: (*(f.name for f in sort.faces), name) for name, sort in model.cards.items()}
    terms["direction"] = direction_terms(model)
    return terms | ({"figure": tuple(model.figures)} if model.figures else {})


def direction_terms(model: Model) -> tuple[str, ...]:
    """Return the names of the directions on the lattices of a game."""
    return tuple(dict.fromkeys(direction for board in model.boards.values() for direction in board.direction_names))


def terms_of(model: Model) -> dict[str, Span]:
    """Return the names that players see, with the spans of their declarations."""
    declared = model.declared
    remembered = {name: declared.spans[name] for name, cell in declared.remembered.items() if cell.seen != "nobody"}
    return {**declared.shown, **remembered}


def usable_terms(model: Model) -> frozenset[str]:
    """Return every name of the rules that a term may stand for, visible or not."""
    named = {*model.declared.spans, *terms_of(model)}
    kinds = {face.kind for sort in model.cards.values() for face in sort.faces}
    options = {option for decision in model.decisions.values() for option, _ in decision.options}
    variants = {"/".join(model.merged.names[:end]) for end in range(1, len(model.merged.names) + 1)}
    inside = {name for values in vocabulary_of(model).values() for name in values}
    drawn = {name for shapes in model.shapes for name in model.enums[shapes]}
    prose_terms = terms_of_prose(model)
    terms = named | kinds | options | inside | drawn | prose_terms | set(model.merged.names) | variants
    terms |= set(model.tables)
    return frozenset(terms | {f"{name}{OTHERWISE}" for name in terms})


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
    loaded = _loaded(required_languages(roots), roots)
    warnings = []
    for pair in find_ambiguous_names(game.model, [t for locale, t in loaded if has_words_for(locale, game.name)]):
        names = {"name": pair.article.name.text, "one": pair.one, "other": pair.other}
        details: dict[str, str | tuple[str, ...]] = {**names, "words": pair.words, "languages": pair.languages}
        warnings.append(Diagnostic("R0506", pair.origin.span, details))
    return tuple(warnings)


def _loaded(codes: Sequence[str], roots: Sequence[Root]) -> list[tuple[Locale, Translator]]:
    """Return languages without their fallback; the check of the catalogs reports files that cannot be read."""
    languages = []
    for code in codes:
        with suppress(WordsError):
            locale = load_locale(code, roots)
            languages.append((locale, Translator(locale, None, code)))
    return languages


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
    english = next((locale.catalog.entries for locale, _ in _loaded([ENGLISH], roots)), {})
    languages, scope = _loaded(asked or required_languages(roots), roots), game.name
    if not even_if_wordless and not any(has_words_for(locale, scope) for locale, _ in languages):
        return ()
    result = []
    vocabulary = vocabulary_of(game.model)

    def add(
        code: str, span: Span | None, name: str, lacking: tuple[Locale, ...], message: MessageSpec | None = None
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
    shown = {**dict.fromkeys(directions, place), **terms_of(game.model), **_in_the_book(game, languages)}
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
            # A sentence that cannot be rendered is a finding of the catalog check.
            and not any(locale.catalog.texts(f"{game}.{message.name}") for game in scopes(scope))
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


# ---- faults of the words beside rules --------------------------------------------------------------------------------


#: Likely misspellings of the folder name `locales`.
_NEARLY = frozenset({"locale", "local", "language", "languages", "lang", "words", "translations", "i18n", "po"})
FOLDER = "locales"

Argument = str | int | tuple[str, ...]


def faults_of(games: Sequence[Game], folder: Path, complete: bool = True) -> Iterator[Diagnostic]:
    """Yield the faults of the text in `folder`, the `locales` beside the rules of `games`.

    Without `complete`, some of those rules could not be read, so unused text is not reported.
    """
    yield from _folders(folder)
    sources: dict[str, Source] = {}
    languages = languages_in(folder)
    for finding in language_faults(games, folder, languages, [folder], complete) if languages else ():
        if finding.file not in sources:
            sources[finding.file] = file_source(Path(finding.file), "", MAX_WORDS_BYTES)
        yield words_fault(finding, line_span(sources[finding.file], finding.line))


def language_faults(
    games: Sequence[Game], folder: Path, languages: Iterable[str], roots: Sequence[Root], complete: bool = False
) -> Iterator[LintFinding]:
    """Yield faults, but not missing text, of languages in `folder`; `roots` are all folders that are read.

    Unused text is a fault if the games are `complete`.
    """
    sayings = MessageInventory.collect(games, scoped=True)
    specs = [replace(spec, needed=False) for spec in sayings.specs.values()]
    for language in languages:
        below = str(folder / language)
        words = (sayings.vocabulary, roots, [language], True, sayings.usable, below, sayings.articles)
        for finding in check(specs, *words):
            if not finding.incomplete and finding.file.startswith(str(folder)) and (complete or not finding.unused):
                yield finding


def words_fault(finding: LintFinding, span: Span | None = None) -> Diagnostic:
    """Convert a finding to a diagnostic at a source position."""
    arguments: dict[str, Argument] = {"finding": finding.name}
    for name, value in finding.details.items():
        if isinstance(value, Listing):
            arguments[name] = tuple(str(getattr(item, "text", item)) for item in value.items)
            continue
        text = str(getattr(value, "text", value))
        arguments[name] = value if isinstance(value, int) else relative_path(text) if name == "file" else text
    return Diagnostic("R0503", span, arguments, suggestion=finding.suggestion)


def _folders(folder: Path) -> Iterator[Diagnostic]:
    """Yield diagnostics for misnamed folders: beside `locales`, or languages inside of it."""
    with suppress(OSError):
        for beside in sorted(folder.parent.iterdir()):
            if beside.name.lower() in _NEARLY | {FOLDER} and beside.name != FOLDER and languages_in(beside, False):
                yield Diagnostic("R0504", _at(beside), {"name": beside.name}, suggestion=FOLDER)
    with suppress(OSError):
        for inside in sorted(folder.iterdir()):
            if inside.is_dir() and not inside.name.startswith((".", "__")) and inside.name not in languages_in(folder):
                language = language_from_name(inside.name, ENGLISH)
                if language != inside.name:  # A folder without content can still have a correct name.
                    yield Diagnostic("R0504", _at(inside), {"name": inside.name}, suggestion=language)


def _at(folder: Path) -> Span:
    return Span(Source(relative_path(str(folder)), ""), 1, 1, 1, 1)
