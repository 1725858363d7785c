"""Check of words whose form depends on the next sound (*a*, *an*; *e*, *ed*; *del*, *dello*).

The realiser chooses such forms itself, but a sentence that writes one out can be wrong. The lexicon defines these
words: prepositions, conjunctions and determiners with a form for a sound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.nlg.words.inflection import Forms
from wongar_dsl.nlg.words.lexicon import Lexicon

_WORD = re.compile(r"(?<![\w’-])([^\W\d_]+)(’| )(?=[„“«‹‘(]*(\w[\w’-]*))")

#: End of an elided form (*un’area*), which joins the next word without a space.
_ELISION = "’"


@dataclass(frozen=True, slots=True)
class PhoneticForms:
    """The sound-dependent words of a language: their tables by form, and the words that can follow an article.

    `free` are tables of unambiguous words. An article or contraction can look like a pronoun or a verb (*la area*, *la
    usa*). Some of their forms are therefore only judged before a word of the lexicon.
    """

    free: dict[str, list[Forms]]
    articles: dict[str, list[Forms]]
    contractions: dict[str, list[Forms]]
    nouns: frozenset[str]
    sounds: frozenset[str]

    @classmethod
    def of(cls, lexicon: Lexicon) -> PhoneticForms:
        """Collect the words of `lexicon`."""
        sounds = frozenset(lexicon.sounds)
        determiners = [word.forms for word in lexicon.determiners.values()]
        contracted = [_contracted(name, forms, lexicon) for name in lexicon.prepositions for forms in determiners]
        joining = [*lexicon.conjunctions.values(), *(word.forms for word in lexicon.prepositions.values())]
        nouns = [noun.forms for noun in lexicon.valid_nouns()]
        adjectives = [word.forms for word in lexicon.adjectives.values()]
        firsts = (form.split()[0] for table in (*nouns, *adjectives) for _, form in table.entries if form.strip())
        # The beginning of a longer form is no noun: *di quel giocatore*, *il più alto*.
        small = {form for forms in determiners for _, form in forms.entries} | set(lexicon.prepositions)
        return cls(
            _by_form(joining, sounds),
            _by_form(determiners, sounds),
            _by_form(contracted, sounds),
            frozenset(first.lower() for first in firsts if len(first) > 1 and first not in small),
            sounds,
        )

    def sandhi_errors(self, text: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
        """Yield each mismatch in `text`: the word with its successor, and the correct text."""
        for match in _WORD.finditer(text):
            word, after = (match[1] + match[2].strip()).lower(), match[3]
            if len(match[1]) == 1 and match[1].isupper():
                continue  # A single capital may be a name.
            for tables, sure in ((self.free, True), (self.articles, self._sure(word)), (self.contractions, False)):
                expected = self._expected(word, tables[word], lexicon.initial_sounds(after)) if word in tables else None
                elided = expected is not None and expected.endswith(_ELISION)
                if expected is not None and (after.lower() in self.nouns or (sure and not elided)):
                    yield f"{match[0]}{after}", expected + ("" if elided else " ") + after
                    break

    def _expected(self, word: str, tables: list[Forms], heard: frozenset[str]) -> str | None:
        """Return the correct form before this sound, or None if `word` is correct."""
        keys = [(forms, key - self.sounds) for forms in tables for key, form in forms.entries if form == word]
        right = [forms.pick(key | heard) for forms, key in keys]
        return None if word in right else next((form for form in right if form), None)

    def _sure(self, word: str) -> bool:
        """Return whether a form is always an article, and not only before some sound (*lo*, *gli*)."""
        tables = self.articles.get(word, [])
        return any(not key & self.sounds for forms in tables for key, form in forms.entries if form == word)


def _by_form(tables: list[Forms], sounds: frozenset[str]) -> dict[str, list[Forms]]:
    """Return the sound-dependent tables, by each of their forms."""
    by_form: dict[str, list[Forms]] = {}
    for forms in tables:
        if any(key & sounds for key, _ in forms.entries):
            for form in {form for _, form in forms.entries if form and " " not in form}:
                by_form.setdefault(form, []).append(forms)
    return by_form


def _contracted(preposition: str, article: Forms, lexicon: Lexicon) -> Forms:
    """Return the contractions of a preposition with an article as a table."""
    both = ((key, lexicon.contractions.get(f"{preposition} {form}")) for key, form in article.entries)
    return Forms(tuple((key, form) for key, form in both if form is not None))
