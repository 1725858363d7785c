"""Loaded languages: grammar and sentences, merged from all folders that provide some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from math import ceil
from typing import TypeVar

from wongar_dsl.base.storage.cache import Cache, memoised
from wongar_dsl.nlg.words.arguments import WordsError
from wongar_dsl.nlg.words.catalogs import merge as merge_catalogs
from wongar_dsl.nlg.words.catalogs import read_catalog, read_catalogs
from wongar_dsl.nlg.words.clause import Slot
from wongar_dsl.nlg.words.cldr import Cldr
from wongar_dsl.nlg.words.languages import (
    ENGLISH,
    Root,
    available,
    builtin_folder,
    is_code,
    is_language_file,
    line_of,
    read_text,
    read_tree,
    unknown_language,
)
from wongar_dsl.nlg.words.lexicon import Tree, as_mapping, as_words
from wongar_dsl.nlg.words.lexicon_reader import build, merge
from wongar_dsl.nlg.words.realiser import Realiser
from wongar_dsl.nlg.words.slots import read_slot_spec

T = TypeVar("T")
#: Path and text of files.
_Texts = tuple[tuple[str, str], ...]

#: Suffix of the wording that replaces an outdated one.
OTHERWISE = ".otherwise"
#: A comment `# articles: always` above a sentence says that it is true however its value or zone is changed.
ALWAYS = "always"

#: Sorts of sentences (`state.NAME`) about what a definition says, how a value is set, or how things come into a zone.
ABOUT_CHANGES = frozenset({
    "define", "amounts", "ranks", "state", "until", "becomes", "grows_to", "shrinks_to", "now", "none", "grows",
    "shrinks", "equal", "unequal", "less", "at_most", "more", "at_least", "most", "fewest", "most_of", "fewest_of",
    "has", "has_of", "fills",
})  # fmt: skip
#: Sorts of sentences about an option (`decision.turn.take`).
ABOUT_OPTIONS = frozenset(("decision", "option"))
#: Names of the paragraphs of a rules summary; and of these and the texts of lessons, whose readers are told what has
#: changed instead.
SUMMARY = re.compile(r"[^.]+\.rules\.")
EXPLAINED = re.compile(r"[^.]+\.(?:rules|lesson)\.")
#: Names of the questions of a game with their answers, by declaration: `chess.question.rule.draw`.
QUESTION = re.compile(r"([^.]+)\.(question|answer)\.(.+)")
#: Names of the texts that an author adds to a rulebook: an introduction, and notes by declaration.
INTRODUCTION, NOTE = "rulebook.intro", "rulebook.note."
AUTHORED = re.compile(rf"([^.]+)\.(?:{re.escape(INTRODUCTION)}|{re.escape(NOTE)}(.+))")


@dataclass(frozen=True)
class Locale(Realiser):
    """One language: its realiser, with all sentences and with the lexicon files that were read, by path."""

    trees: tuple[tuple[str, Mapping[str, Tree]], ...] = ()

    def shows(self, message: str) -> bool:
        """Return whether `message` has a displayable sentence whose slots have a meaning in this language."""
        try:
            template = self.catalog.template(message)
            for part in template.parts if template is not None else ():
                if isinstance(part, Slot):
                    read_slot_spec(part.spec, self.lexicon)
        except WordsError:
            return False
        return template is not None

    def glossary(self, file: str) -> Mapping[str, tuple[str, ...]]:
        """Return the glossary entries of the lexicons in the folder of `file`, which apply to the files beside them."""
        folder = file.rpartition("/")[0]
        glossaries = [tree.get("glossary", "") for path, tree in self.trees if path.rpartition("/")[0] == folder]
        return {word: self.lexicon.glossary[word] for words in glossaries for word in as_mapping(words, file)}

    @cached_property
    def guards(self) -> Mapping[str, tuple[str, ...]]:
        """The declarations on which the truth of a message (`chess.check`) or a term (`chess:king`) depends.

        A comment `# articles:` above a message lists them, and the setting `articles` of a term. An answer depends on
        those of its question.
        """
        entries = self.catalog.entries
        messages = {name: entry.articles for name, entry in entries.items() if not EXPLAINED.match(name)}
        answers = {name: partner_of(name) for name in entries if ".answer." in name and is_answer(name)}
        messages |= {name: (*messages.get(question, ()), *messages[name]) for name, question in answers.items()}
        messages = {name: articles for name, articles in messages.items() if articles}
        terms = {
            f"{game}:{name}": as_words(tree["articles"], name)
            for game, words in self.lexicon.games.items()
            for name, tree in words.items()
            if isinstance(tree, dict) and "articles" in tree
        }
        return messages | terms

    @cached_property
    def dependents(self) -> Mapping[str, tuple[str, ...]]:
        """The messages and terms whose truth depends on a declaration, listed or implied by their names."""
        implied = ((name, implied_guards(name)) for name in self.catalog.entries if not name.endswith(OTHERWISE))
        result = dict[str, list[str]]()
        for name, keys in chain(self.guards.items(), implied):
            for key in keys:
                result.setdefault(key, []).append(name)
        return {key: tuple(names) for key, names in result.items()}

    def without(self, outdated: Set[str]) -> Locale:
        """Return the language without messages and terms, named as in `guards`, or with their substitutes."""
        games = dict(self.lexicon.games)
        for game in games.keys() & {scope_of(name) for name in outdated if ":" in name}:
            games[game] = _substituted(games[game], {name.removeprefix(f"{game}:") for name in outdated})
        catalog = replace(self.catalog, entries=_substituted(self.catalog.entries, outdated))
        lexicon = replace(self.lexicon, games=games, _built={})
        return replace(self, catalog=catalog, lexicon=lexicon)


def implied_guards(word: str) -> Iterator[str]:
    """Yield what the truth of a game's sentence depends on by its name alone: a definition, or changes by variants.

    For those of variants (`changes.owner`, `choice.turn.take`) see `MergedRules.changes`.
    """
    match word.split("."):
        case [_, "question" | "answer", *key] | [_, "rulebook", "note", *key]:
            yield ".".join(key)
        case [_, sort, name, *_] if sort in ABOUT_CHANGES:
            yield f"define.{name}"
            yield f"changes.{name}"
        case [_, sort, decision, *option] if sort in ABOUT_OPTIONS:
            # The question of a decision is about what all of its options do.
            yield ".".join(("choice", decision, *option[:1]))
        case [_, name, *_]:
            # The forms of a message (`chess.moved.also`) hold as long as the message itself.
            yield f"message.{name}"


def is_answer(name: str) -> bool:
    """Return whether a message is the answer to a question."""
    match = QUESTION.fullmatch(name)
    return match is not None and match[2] == "answer"


def partner_of(name: str) -> str:
    """Return the name of the question of an answer, or of the answer to a question."""
    return QUESTION.sub(lambda m: f"{m[1]}.{'question' if m[2] == 'answer' else 'answer'}.{m[3]}", name)


def scope_of(word: str) -> str:
    """Return the game or variant (`chess/blitz`) of a message or a term, named as in `Locale.guards`."""
    return re.split("[.:]", word, maxsplit=1)[0]


def _substituted(words: Mapping[str, T], outdated: Set[str]) -> dict[str, T]:
    kept = dict(words)
    for name in outdated:
        kept.pop(name, None)
    return kept | {name: words[other] for name in outdated if (other := f"{name}{OTHERWISE}") in words}


def place_of(trees: Sequence[tuple[str, Mapping[str, Tree]]], *path: str) -> tuple[str, int] | None:
    """Return the file and line of an entry (`terms`, `card`) in the last lexicon file that has it, or None."""
    for file, tree in reversed(trees):
        node: Tree = dict(tree)
        line = 0
        for step in path:
            if not isinstance(node, dict) or step not in node:
                break
            # The key object carries its line number.
            line, node = line_of(next(key for key in node if key == step)), node[step]
        else:
            return file, line
    return None


def _with_position(error: WordsError, trees: Sequence[tuple[str, Mapping[str, Tree]]]) -> WordsError:
    """Return the error with the file and line of its subject."""
    where = getattr(error.details.get("where"), "text", "")
    word = getattr(error.details.get("word"), "text", "")
    section, _, entry = where.partition(": ")[2].partition(".")
    position = place_of(trees, *(part for part in (section, entry) if part)) if section else None
    position = position or place_of(trees, word)
    if position is None:
        return error
    return WordsError(error.name, **{**error.details, "where": f"{position[0]}:{position[1]}: {where}"})


def load_locale(
    code: str, roots: Sequence[Root], strict: bool = False, pseudo: str | None = None, cache: Cache | None = None
) -> Locale:
    """Load the language `code` from the shipped files and those in `roots`, later ones taking precedence.

    Each folder has one `lexicon.yaml` and any number of catalogs (`*.po`). Raises `WordsError` if no root has the
    language, or one of its files is invalid.
    """
    shipped, further = _texts(code, (builtin_folder(),)), _texts(code, roots)
    if not shipped + further:
        raise unknown_language(code, available(roots))
    if roots:
        return _cached_locale(code, shipped, further, strict, pseudo, cache)
    # The shipped languages are loaded often, so the whole result is cached.
    key = (code, str(strict), pseudo or "", *(part for text in shipped for part in text))
    return memoised(lambda: _build_locale(code, shipped, further, strict, pseudo, cache), None, "locale", *key)


def _build_locale(
    code: str, shipped: _Texts, further: _Texts, strict: bool, pseudo: str | None, cache: Cache | None
) -> Locale:
    """Build the language from its shipped files, whose catalogs share a cache entry, and from further ones."""
    trees = [(path, read_tree(text, path, cache)) for path, text in shipped + further if not path.endswith(".po")]
    messages = read_catalogs([(path, text) for path, text in shipped if path.endswith(".po")], cache)
    messages += [read_catalog(text, path, cache) for path, text in further if path.endswith(".po")]
    try:
        lexicon = build(code, merge([tree for _, tree in trees]))
    except WordsError as error:
        raise _with_position(error, trees) from None
    # A language unknown to CLDR uses English lists and digits.
    cldr = Cldr(lexicon.locale, ENGLISH, cache)
    disguise = PSEUDO[pseudo] if pseudo else None
    return Locale(lexicon, cldr, merge_catalogs(messages, code == ENGLISH), strict, disguise, trees=tuple(trees))


#: Cached, because checks load the same unchanged files repeatedly.
_cached_locale = lru_cache(maxsize=8)(_build_locale)


def _texts(code: str, roots: Sequence[Root]) -> _Texts:
    """Return the files of a language in `roots`; none if the code is invalid."""
    folders = [root.joinpath(code) for root in roots] if is_code(code) else []
    return tuple((str(file), read_text(file)) for folder in folders for file in _files(folder))


def _files(folder: Root) -> list[Root]:
    """Return the lexicon and catalog files in `folder`, sorted by name; empty if the folder is missing."""
    try:
        return sorted(
            (f for f in folder.iterdir() if f.is_file() and is_language_file(f.name)), key=lambda file: file.name
        )
    except OSError:
        return []


# ---- pseudo-languages for tests, which reveal untranslated text and insufficient space ----

_ACCENTS = str.maketrans("aceginorsuyzACEGINORSUYZ", "åçéğîñöŕšûýžÅÇÉĞÎÑÖŔŠÛÝŽ")
_VOWELS = "åéîöûÅÉÎÖÛ"
_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}

#: Direction override: shows the enclosed text from right to left, whatever its letters.
_RIGHT_TO_LEFT, _BACK = "\u202e", "\u202c"


def longer(text: str) -> str:
    """Return the text with accents and at least 40 % longer, even for short fragments."""
    accented = text.translate(_ACCENTS)
    missing = ceil(len(text) * 0.4)
    out: list[str] = []
    for letter in accented:
        out.append(letter)
        if letter in _VOWELS and missing > 0:
            more = min(missing, 2)
            out.append(letter.lower() * more)
            missing -= more
    # Text without enough vowels is padded at its end, before closing punctuation.
    body = "".join(out)
    stem = body.rstrip(" .,:;!?)'\n")
    return stem + ("~" * missing if stem else "") + body[len(stem) :]


def right_to_left(text: str) -> str:
    """Return the text between marks that force display from right to left."""
    return f"{_RIGHT_TO_LEFT}{text}{_BACK}"


def wide(text: str) -> str:
    """Return the text in full-width letters, two cells each."""
    return text.translate(_WIDE)


#: The pseudo-languages by name, which `Translator.load` accepts like any other language.
PSEUDO: Mapping[str, Callable[[str], str]] = {"xx-long": longer, "xx-rtl": right_to_left, "xx-wide": wide}
