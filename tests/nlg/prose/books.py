"""Rulebooks of bundled games, cached for all tests that use them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Generic, TypeVar

from tests.small_games import HEAD
from wongar_dsl import pipeline
from wongar_dsl.base.diagnostics import RulesError, Severity
from wongar_dsl.base.span import Source
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser import parse
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.prose.document.document_model import Prose, Rulebook
from wongar_dsl.nlg.prose.document.outline import rulebook, unreported
from wongar_dsl.nlg.prose.micro.sentence_plan import Plan, SentenceUnit, VerbalisationLog, frames, text_of
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook, render_text
from wongar_dsl.nlg.words import Translator

T = TypeVar("T")
LANGUAGES = ("de", "nl", "it", "en")


@cache
def words(language: str) -> Translator:
    """Return a language; English, its fallback, lists the declarations on which words depend."""
    return Translator.load(language)


@cache
def shipped(name: str) -> Rules:
    """Return the rules of a bundled game with its sources."""
    return load(name)


def model(name: str) -> Model:
    """Return the model of a bundled game."""
    return shipped(name).model


def rules_in(path: Path) -> Model:
    """Return the rules in a file that depends on no other file beside it, once for tests in several languages.

    They are not lowered, which takes as long as checking them.
    """
    return rules_of(path.name, path.read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def rules_of(name: str, text: str) -> Model:
    """Return the rules in a text, as `rules_in` does; raise `RulesError` for mistakes."""
    tree, diagnostics = parse(Source(name, text))
    if tree.head is None:
        raise RulesError(diagnostics)
    base = model(tree.head.base.text).merged if isinstance(tree.head, s.Variant) else None
    levels, findings = pipeline.apply_variants([pipeline.Layer(tree)], base=base)
    checked, more = pipeline.check(levels)
    found = (*diagnostics, *findings, *more)
    if any(d.severity is Severity.ERROR for d in found):
        raise RulesError(found)
    return checked


def small(text: str, players: str = "2") -> Model:
    """Return the rules of a small game from the text after its head."""
    return rules_of("small.rules", HEAD.replace("2", players) + text.strip("\n") + "\n")


def variant(base: str, changes: str) -> Model:
    """Return the rules of a variant of a bundled game from its changes, or the game if there are none."""
    text = f"variant changed of {base}\n    source house rule\n{changes}\n"
    return rules_of("changed.rules", text) if changes else model(base)


class Kept(dict[tuple[object, ...], tuple[Model, T]], Generic[T]):
    """The latest results about rules, found by the identity of the rules and a key."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def of(self, rules: Model, key: object, make: Callable[[], T]) -> T:
        """Return the result about some rules, made if it is not kept."""
        if (id(rules), key) not in self:
            if len(self) == self.size:
                del self[next(iter(self))]
            self[id(rules), key] = rules, make()
        return self[id(rules), key][1]


#: The latest rulebooks, and the latest plans of single declarations; they are the same in every language.
_documents, _plans = Kept[Rulebook](16), Kept[tuple[tuple[Plan, ...], VerbalisationLog]](256)


def document_of(rules: Model) -> Rulebook:
    """Return the rulebook of rules, once for readers in several languages."""
    return _documents.of(rules, None, lambda: rulebook(rules, words("en")))


def plans_of(rules: Model, article: s.Declaration) -> tuple[tuple[Plan, ...], VerbalisationLog]:
    """Return the plans of a declaration and the record of its nodes, once for readers in several languages."""
    return _plans.of(rules, article, lambda: plan_of(rules, article, words("en")))


def units_of(rules: Model, article: s.Declaration | str, language: str) -> list[SentenceUnit]:
    """Return the lines of a declaration, which may be given by its name or keyword."""
    if isinstance(article, str):
        [article] = (a for a in rules.code.articles if article in (a.name.text, a.keyword))
    return [*text_of(plans_of(rules, article)[0], words(language), rules.scope)]


def told(rules: Model, name: str, language: str) -> list[str]:
    """Return the lines of a declaration, given by its name or keyword."""
    return [unit.text for unit in units_of(rules, name, language)]


def texts(rules: Model, name: str) -> Iterator[tuple[str, str]]:
    """Yield every language with the text of a declaration."""
    return ((language, " ".join(told(rules, name, language))) for language in LANGUAGES)


def assert_told(rules: Model, name: str, patterns: Mapping[str, str] | str, expected: bool = True) -> None:
    """Assert whether a pattern, or one for every language, occurs in a declaration."""
    for language, text in texts(rules, name):
        pattern = patterns if isinstance(patterns, str) else patterns.get(language)
        assert pattern is None or bool(re.search(pattern, text)) is expected, (language, text)


def translator(folder: Path, language: str, terms: str) -> Translator:
    """Return a language with terms for the small game, in the notation of lexicons."""
    place = folder / "locales" / language
    place.mkdir(parents=True, exist_ok=True)
    (place / "lexicon.yaml").write_text(f"games:\n  small:\n    {terms}\n", encoding="utf-8")
    return Translator.load(language, [folder / "locales"])


@cache
def book(name: str, players: int | None = None) -> Rulebook:
    """Return the rulebook of a bundled game."""
    return document_of(model(name)) if players is None else rulebook(model(name), words("en"), players)


def reading(name: str, language: str, players: int | None = None) -> RealisedRulebook:
    """Return the rulebook of a bundled game in a language."""
    document, speech = book(name, players), words(language)
    return RealisedRulebook(document, speech, title(speech, document.scope))


def text_of_book(rules: Model, language: str, section: str | None = None, own: Translator | None = None) -> str:
    """Return a rulebook, or one of its sections, as text, with words of its `own` for the language if it has them."""
    speech = own or words(language)
    document = rulebook(rules, own) if own is not None else document_of(rules)
    if section is not None:
        document = replace(document, sections=tuple(part for part in document.sections if part.key == section))
    return "\n".join(line.text for line in render_text(RealisedRulebook(document, speech, rules.name)))


def unverbalised_nodes(rules: Model, found: Rulebook) -> Iterator[s.Node]:
    """Yield the nodes that a rulebook neither verbalises, quotes nor omits for a stated reason."""
    prose = (block for _, section in found.walk() for block in section.blocks if isinstance(block, Prose))
    unsaid = (frame for block in prose for frame in frames(block.plans) if frame.sentence is None)
    shown = {node for frame in unsaid for node in s.walk(frame.origins)}
    yield from (node for node in unreported(rules, found) if node not in shown)
    yield from (node for node, (fate, why) in found.log.fates.items() if fate != "said" and not why)


@cache
def text_of_game(name: str, language: str) -> str:
    """Return the rulebook of a bundled game as text."""
    return "".join(f"{line.text}\n" for line in render_text(reading(name, language)))


def lines_of(rules: Model, name: str, language: str = "en") -> tuple[str, ...]:
    """Return the indented lines of a declaration; all its nodes must be verbalised."""
    [article] = (a for a in rules.code.articles if name in (a.name.text, a.keyword))
    units = units_of(rules, article, language)
    assert not any(unit.unsaid for unit in units)
    body = getattr(article, "body", None) or getattr(article, "ranking", None) or article.value
    assert [*plans_of(rules, article)[1].unreported(body)] == []
    return tuple("  " * unit.depth + unit.text for unit in units)
