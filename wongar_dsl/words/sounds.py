"""Words whose form hangs on the sound of the next one (*a*, *an*; *e*, *ed*; *del*, *dello*), wherever a text has them.

The realiser chooses such forms by itself; a sentence that writes one out can choose wrongly.  Which words those are
stands in the words file of the language: prepositions, conjunctions and determiners with a form for a sound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.words.inflection import Forms
from wongar_dsl.words.lexicon import Lexicon

_WORD = re.compile(r"(?<![\w’-])([^\W\d_]+)(’| )(?=[„“«‹‘(]*(\w[\w’-]*))")

#: What ends an elided form (*un’area*), which stands before the next word without a space.
_ELISION = "’"


@dataclass(frozen=True, slots=True)
class Sounding:
    """What a language says about such words: their tables by form, and the words that can follow an article.

    `free` are tables of words that are nothing else; an article or a contraction can look like a pronoun or a verb
    (*la area*, *la usa*), so some of their forms are only judged before a word of the lexicon.
    """

    free: dict[str, list[Forms]]
    articles: dict[str, list[Forms]]
    contractions: dict[str, list[Forms]]
    nouns: frozenset[str]
    sounds: frozenset[str]

    @classmethod
    def of(cls, lexicon: Lexicon) -> Sounding:
        """The words of `lexicon`."""
        sounds = frozenset(lexicon.sounds)
        determiners = [word.forms for word in lexicon.determiners.values()]
        contracted = [_contracted(name, forms, lexicon) for name in lexicon.prepositions for forms in determiners]
        joining = [*lexicon.conjunctions.values(), *(word.forms for word in lexicon.prepositions.values())]
        nouns = [noun.forms for noun in lexicon.readable()]
        adjectives = [word.forms for word in lexicon.adjectives.values()]
        firsts = (form.split()[0] for table in (*nouns, *adjectives) for _, form in table.entries if form.strip())
        # What a longer form begins with is no noun: *di quel giocatore*, *il più alto*.
        small = {form for forms in determiners for _, form in forms.entries} | set(lexicon.prepositions)
        return cls(
            _by_form(joining, sounds),
            _by_form(determiners, sounds),
            _by_form(contracted, sounds),
            frozenset(first.lower() for first in firsts if len(first) > 1 and first not in small),
            sounds,
        )

    def wrong(self, text: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
        """Each place in `text` where such a word does not go with the next one: what is there, and what should be."""
        for found in _WORD.finditer(text):
            word, after = (found[1] + found[2].strip()).lower(), found[3]
            if len(found[1]) == 1 and found[1].isupper():
                continue  # That may be somebody's name.
            for tables, sure in ((self.free, True), (self.articles, self._sure(word)), (self.contractions, False)):
                expected = self._expected(word, tables.get(word, []), lexicon.heard(after))
                elided = expected is not None and expected.endswith(_ELISION)
                if expected is not None and (after.lower() in self.nouns or (sure and not elided)):
                    yield f"{found[0]}{after}", expected + ("" if elided else " ") + after
                    break

    def _expected(self, word: str, tables: list[Forms], heard: frozenset[str]) -> str | None:
        """The form that belongs before this sound, if it is another one than `word`."""
        keys = [(forms, key - self.sounds) for forms in tables for key, form in forms.entries if form == word]
        right = [forms.pick(key | heard) for forms, key in keys]
        return None if word in right else next((form for form in right if form), None)

    def _sure(self, word: str) -> bool:
        """Whether a form is an article wherever it stands; one that only a sound brings (*lo*, *gli*) is not."""
        tables = self.articles.get(word, [])
        return any(not key & self.sounds for forms in tables for key, form in forms.entries if form == word)


def _by_form(tables: list[Forms], sounds: frozenset[str]) -> dict[str, list[Forms]]:
    """The tables that know a sound, by each of their forms."""
    found: dict[str, list[Forms]] = {}
    for forms in tables:
        if any(key & sounds for key, _ in forms.entries):
            for form in {form for _, form in forms.entries if form and " " not in form}:
                found.setdefault(form, []).append(forms)
    return found


def _contracted(preposition: str, article: Forms, lexicon: Lexicon) -> Forms:
    """The table of a preposition together with an article."""
    both = ((key, lexicon.contractions.get(f"{preposition} {form}")) for key, form in article.entries)
    return Forms(tuple((key, form) for key, form in both if form is not None))
