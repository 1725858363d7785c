"""A language ready to be spoken: its grammar and its sentences, read from all the places that have some of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from wongar_dsl.cache import Cache, remembered
from wongar_dsl.words import catalogs
from wongar_dsl.words.arguments import Listing, Text
from wongar_dsl.words.catalogs import Catalog, read_catalog, read_catalogs
from wongar_dsl.words.cldr import Cldr
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.files import Root, line_of, read_text, read_tree
from wongar_dsl.words.inflection import Tree
from wongar_dsl.words.lexicon import Lexicon, as_mapping
from wongar_dsl.words.lexicon_reader import build, merge
from wongar_dsl.words.negotiation import ENGLISH, available, has_words, is_code, shipped
from wongar_dsl.words.pseudolocales import PSEUDO
from wongar_dsl.words.realiser import Realiser


@dataclass(frozen=True)
class Locale:
    """One language: its grammar and its sentences."""

    realiser: Realiser
    #: The words files that it was read from, each by its path.
    trees: tuple[tuple[str, Mapping[str, Tree]], ...] = ()

    @property
    def lexicon(self) -> Lexicon:
        """The words of this language."""
        return self.realiser.lexicon

    @property
    def catalog(self) -> Catalog:
        """The sentences of this language."""
        return self.realiser.catalog

    def glossary(self, file: str) -> Mapping[str, tuple[str, ...]]:
        """The part of the glossary that the lexicons in the folder of `file` give: it binds the words beside it."""
        folder = file.rpartition("/")[0]
        own = [tree.get("glossary", "") for path, tree in self.trees if path.rpartition("/")[0] == folder]
        return {word: self.lexicon.glossary[word] for words in own for word in as_mapping(words, file)}


def place_of(trees: Sequence[tuple[str, Mapping[str, Tree]]], *path: str) -> tuple[str, int] | None:
    """The file and line of an entry (`terms`, `card`) in words files, the last that has it; None where none has."""
    for file, tree in reversed(trees):
        at: Tree = dict(tree)
        line = 0
        for step in path:
            if not isinstance(at, dict) or step not in at:
                break
            # The key itself knows its line.
            line, at = line_of(next(key for key in at if key == step)), at[step]
        else:
            return file, line
    return None


def _placed(error: WordsError, trees: Sequence[tuple[str, Mapping[str, Tree]]]) -> WordsError:
    """The same error, with the file and line of what it is about."""
    where = getattr(error.details.get("where"), "text", "")
    word = getattr(error.details.get("word"), "text", "")
    section, _, entry = where.partition(": ")[2].partition(".")
    found = place_of(trees, *(part for part in (section, entry) if part)) if section else None
    found = found or place_of(trees, word)
    if found is None:
        return error
    return WordsError(error.name, {**error.details, "where": Text(f"{found[0]}:{found[1]}: {where}")})


def load_locale(
    code: str, roots: Sequence[Root], strict: bool = False, pseudo: str | None = None, cache: Cache | None = None
) -> Locale:
    """The language `code`, from the shipped files and those in `roots`, the later the weightier.

    Its folder has one `lexicon.yaml` and any number of catalogs (`*.po`), divided as its translators like.
    Raises `WordsError` if no root has the language, or a file of it is broken.
    """
    places = (shipped(), *roots) if is_code(code) else ()
    texts = [(str(file), read_text(file)) for root in places for file in _files(root.joinpath(code))]
    if not texts:
        shown = Listing(tuple(Text(known) for known in available(roots)))
        raise WordsError("words.unknown_language", {"language": Text(code), "available": shown})
    if roots:
        return _made_lately(code, tuple(texts), strict, pseudo, cache)
    # What comes with the program is wanted again and again, and is at hand as a whole.
    key = (code, str(strict), pseudo or "", *(part for text in texts for part in text))
    return remembered(lambda: _made(code, texts, strict, pseudo, cache, together=True), None, "locale", *key)


@lru_cache(maxsize=8)
def _made_lately(
    code: str, texts: tuple[tuple[str, str], ...], strict: bool, pseudo: str | None, cache: Cache | None
) -> Locale:
    """As `_made`: who checks the words beside rules asks for the same ones again and again, until they are edited."""
    return _made(code, texts, strict, pseudo, cache)


def _made(
    code: str,
    texts: Sequence[tuple[str, str]],
    strict: bool,
    pseudo: str | None,
    cache: Cache | None,
    together: bool = False,
) -> Locale:
    """The language that files hold, each with its path; if `together`, its catalogs seldom change."""
    said = [(path, text) for path, text in texts if path.endswith(".po")]
    trees: list[tuple[str, Mapping[str, Tree]]] = [
        (path, read_tree(text, path, cache)) for path, text in texts if not path.endswith(".po")
    ]
    messages = read_catalogs(said, cache) if together else [read_catalog(text, path, cache) for path, text in said]
    try:
        lexicon = build(code, merge([tree for _, tree in trees]))
    except WordsError as error:
        raise _placed(error, trees) from None
    # A language that CLDR does not have: its words are its own, its lists and digits are English.
    cldr = Cldr(lexicon.locale, ENGLISH, cache)
    disguise = PSEUDO[pseudo] if pseudo else None
    return Locale(Realiser(lexicon, cldr, catalogs.merge(messages), strict, disguise), tuple(trees))


def _files(folder: Root) -> list[Root]:
    """The files of words in `folder`, in the order of their names; none if there is no such folder."""
    try:
        return sorted((f for f in folder.iterdir() if f.is_file() and has_words(f.name)), key=lambda file: file.name)
    except OSError:
        return []
