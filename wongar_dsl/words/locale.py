"""A language ready to be spoken: its grammar and its sentences, read from all the places that have some of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from babel import Locale as CldrLocale
from babel import UnknownLocaleError

from wongar_dsl.cache import Cache
from wongar_dsl.words import catalogs
from wongar_dsl.words.arguments import Listing, Text
from wongar_dsl.words.catalogs import Catalog, read_catalog
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.files import Root, read_text, read_tree
from wongar_dsl.words.lexicon import Lexicon
from wongar_dsl.words.lexicon_reader import build, merge
from wongar_dsl.words.negotiation import ENGLISH, available, is_code, shipped
from wongar_dsl.words.pseudolocales import PSEUDO
from wongar_dsl.words.realiser import Realiser


@dataclass(frozen=True)
class Locale:
    """One language: its grammar and its sentences."""

    realiser: Realiser
    catalog: Catalog

    @property
    def lexicon(self) -> Lexicon:
        """The words of this language."""
        return self.realiser.lexicon


def load_locale(
    code: str, roots: Sequence[Root], strict: bool = False, pseudo: str | None = None, cache: Cache | None = None
) -> Locale:
    """The language `code`, from the shipped files and those in `roots`, the later the weightier.

    Its folder has one `lexicon.yaml` and any number of catalogs (`*.po`), divided as its translators like.
    Raises `WordsError` if no root has the language, or a file of it is broken.
    """
    trees, messages = [], []
    for root in (shipped(), *roots) if is_code(code) else ():
        for file in _files(root.joinpath(code)):
            if file.name == "lexicon.yaml":
                trees.append(read_tree(read_text(file), str(file), cache))
            elif file.name.endswith(".po"):
                messages.append(read_catalog(read_text(file), str(file), cache))
    if not (trees or messages):
        shown = Listing(tuple(Text(known) for known in available(roots)))
        raise WordsError("words.unknown_language", {"language": Text(code), "available": shown})
    lexicon = build(code, merge(trees))
    try:
        locale = CldrLocale.parse(lexicon.locale.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        # A language that CLDR does not have: its words are its own, its lists and digits are English.
        locale = CldrLocale.parse(ENGLISH)
    disguise = PSEUDO[pseudo] if pseudo else None
    return Locale(Realiser(lexicon, locale, strict, disguise), catalogs.merge(messages))


def _files(folder: Root) -> list[Root]:
    """The files in `folder`, in the order of their names; none if there is no such folder."""
    try:
        return sorted((file for file in folder.iterdir() if file.is_file()), key=lambda file: file.name)
    except OSError:
        return []
