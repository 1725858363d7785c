"""Questions and answers: the rulings of a game as players ask for them.

A ruling is a declaration with a source that is inferred. Its author writes the question and the answer in the catalogs
(`question.rule.draw`, `answer.rule.draw`); a comment names further declarations that the answer depends on. Both are
dropped where a variant changes one of these. A ruling without a question is answered by the text of the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import (
    Block,
    BookTable,
    CountList,
    PicturePlace,
    Prose,
    Rulebook,
    Section,
    notes_of,
)
from wongar_dsl.nlg.prose.document.short_rules import SHORT, authored, place_of
from wongar_dsl.nlg.prose.game_facts import unreached_with_cards
from wongar_dsl.nlg.prose.micro.sentence_plan import PlanLine
from wongar_dsl.nlg.words import Sentence, Term, Translator

#: Key of the section, and prefix of the keys of its subsections and blocks.
QUESTIONS, QUESTION = "questions", "question"


def questions(book: Rulebook, words: Translator) -> Section:
    """Return the section with a subsection for each question, in the order of the declarations; empty without any.

    `book` is the reference rulebook of the game, which answers the rulings that have no question in the catalogs.
    """
    words = words.without_outdated(book.scope, book.model.changes)
    entries = _Questions(book, words)
    return Section(QUESTIONS, Sentence("rulebook.questions"), (), tuple(entries.sections()))


def is_ruling(article: s.Declaration) -> bool:
    """Return whether part of a declaration is inferred and not printed in a book."""
    return any(source.kind == "inferred" for source in article.sources)


@dataclass(frozen=True)
class _Questions:
    """The questions about one game; `words` lack what the variants have made untrue."""

    book: Rulebook
    words: Translator

    @property
    def _model(self) -> Model:
        return self.book.model

    @cached_property
    def _articles(self) -> Mapping[str, s.Declaration]:
        """The declarations that matter in the game, by key."""
        unreached = unreached_with_cards(self._model)
        return {s.key_text(a): a for a in self._model.merged.articles if a not in unreached}

    @cached_property
    def _written(self) -> Mapping[str, tuple[s.Declaration, ...]]:
        """The declarations that each question of the author is about, first its own, by the key of that."""
        return {
            key: tuple(self._articles[name] for name in self._listed(key) if name in self._articles)
            for key in self._articles
            if all(self.words.has_message(name, self.book.scope) for name in _messages(key))
        }

    def _listed(self, key: str) -> tuple[str, ...]:
        question, _ = _messages(key)
        return tuple(dict.fromkeys((key, *self.words.articles(question, self.book.scope)[1])))

    def sections(self) -> Iterator[Section]:
        """Yield the questions of the author and those for the other rulings, in the order of their declarations."""
        answered = {article for about in self._written.values() for article in about}
        shown = set[str]()
        for key, article in self._articles.items():
            if key in self._written:
                yield self._by_author(key)
            elif is_ruling(article) and article not in answered:
                place = place_of(self._reference, article)
                # The block of one declaration can contain the text of several rulings.
                if place is not None and place[1].key not in shown:
                    shown.add(place[1].key)
                    yield self._by_reference(*place)

    def _by_author(self, key: str) -> Section:
        """Return a question of the author, with the notes of its declaration and of rulings without a question."""
        question, answer = _messages(key)
        article, *others = self._written[key]
        rulings = (other for other in others if is_ruling(other) and s.key_text(other) not in self._written)
        line = PlanLine(authored(answer, self._model, self.words), article, plain=False)
        prose = Prose(f"{QUESTION}.{key}", (line,), article, notes_of(self._model, article, *rulings))
        return Section(f"{QUESTION}.{key}", authored(question, self._model, self.words), (prose,))

    def _by_reference(self, section: Section, block: Block) -> Section:
        """Return the question how a block of the reference is meant, with the block as the answer."""
        topic, answer = section.heading, block
        if isinstance(block, BookTable | CountList):
            topic, answer = block.title or topic, replace(block, title=None)
        elif isinstance(block, Prose) and isinstance(block.article, s.Define):
            # The section of definitions has a common heading.
            name = block.article.name.text
            topic = Term(name) if self.words.has_term(name, self.book.scope) else topic
        key = f"{QUESTION}.{block.key}"
        return Section(key, Sentence("rulebook.question", {"what": topic}), (replace(answer, key=key),))

    @cached_property
    def _reference(self) -> tuple[Section, ...]:
        """The sections of the reference that can answer a question, without pictures."""
        return tuple(_without_pictures(section for section in self.book.sections if section.key != SHORT))


def _messages(key: str) -> tuple[str, str]:
    """Return the names of the question about a declaration and of its answer."""
    return f"question.{key}", f"answer.{key}"


def _without_pictures(sections: Iterable[Section]) -> Iterator[Section]:
    for section in sections:
        blocks = tuple(block for block in section.blocks if not isinstance(block, PicturePlace))
        yield replace(section, blocks=blocks, sections=tuple(_without_pictures(section.sections)))
