"""Teaching rulebook of a game with the worked examples from its case files.

The command line, the server and the Python interface get the same book here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.storage.cache import Cache, memoised
from wongar_dsl.base.storage.files import MemoryPath
from wongar_dsl.engine import Game
from wongar_dsl.engine.library import Rules, inspect
from wongar_dsl.engine.rule_cases.file import SUFFIX, Case, CaseError, CaseFile, file_source, line_span, read
from wongar_dsl.engine.rule_cases.runner import CaseRunner, StopCheck
from wongar_dsl.language.semantics.model import Setting
from wongar_dsl.nlg.narration.examples import ExampleBook, WorkedExample, executed_articles, worked_examples
from wongar_dsl.nlg.narration.excerpts import TextParagraph, markdown, read_rulebook, rules_summary
from wongar_dsl.nlg.prose.document.document_model import PicturePlace, Section
from wongar_dsl.nlg.prose.document.short_rules import section_of
from wongar_dsl.nlg.prose.render.realised_rulebook import ExampleText, RealisedRulebook, section_text
from wongar_dsl.nlg.words import Translator

__all__ = [
    "MAX_EXAMPLES_CPU_S",
    "Examples",
    "TextParagraph",
    "example_faults",
    "examples",
    "examples_left_out",
    "markdown",
    "read_rulebook",
    "rules_summary",
    "section_with_heading",
    "teaching_book",
]

#: Processor time in seconds after which a front end looks for no more examples.
MAX_EXAMPLES_CPU_S = 10
#: Reads a case file; raises `CaseError`.
Reader = Callable[[Path | MemoryPath], CaseFile]


@dataclass(frozen=True, slots=True)
class TeachingBook:
    """A teaching rulebook, and the worked examples in it by their texts."""

    reading: RealisedRulebook
    examples: Mapping[ExampleText, WorkedExample]


def teaching_book(
    rules: Rules,
    words: Translator,
    players: int | None = None,
    settings: Mapping[str, int] | None = None,
    cache: Cache | None = None,
    should_stop: StopCheck = lambda: False,
) -> TeachingBook:
    """Return the teaching rulebook of a game with its worked examples, for all numbers of players or for one.

    With `settings`, it is the book for a table that plays with these values. Each example stands below the section that
    tells its most specific declaration; `should_stop` ends the search for more.
    """
    reading = read_rulebook(rules.model, words, rules.name, players, "teach", settings)
    told: dict[ExampleText, WorkedExample] = {}
    for example in examples(rules, words, cache, should_stop, settings).book.told:
        section = next(filter(None, (section_of(reading.book, key) for key in example.keys)), None)
        if section is not None:
            told[text := ExampleText(example.title, example.paragraphs())] = example
            reading.examples.setdefault(section, []).append(text)
    return TeachingBook(reading, told)


def section_with_heading(reading: RealisedRulebook, heading: str) -> Iterator[TextParagraph]:
    """Yield the section with a heading, or part of it or a similar one, and those below it; nothing if there is none.

    The footnotes are left out: they stand at the end of the book.
    """
    sections: dict[str, Section] = {}
    for _, section in reading.book.walk():
        sections.setdefault(reading.heading(section.heading).casefold(), section)
    wanted = heading.strip("".join((*reading.words.lexicon.quotation, '"', " "))).casefold()
    part = next((title for title in sections if wanted in title), None)
    title = wanted if wanted in sections else part or did_you_mean(wanted, sections)
    for _, section in sections[title].walk() if title is not None else ():
        yield TextParagraph(reading.heading(section.heading), "strong")
        blocks = (block if isinstance(block, PicturePlace) else replace(block, notes=()) for block in section.blocks)
        yield from section_text(reading, replace(section, blocks=tuple(blocks)))
        yield TextParagraph()


# ---- examples --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of a game, and the case files that they come from."""

    book: ExampleBook
    files: tuple[CaseFile, ...]

    def file_of(self, case: Case) -> CaseFile:
        """Return the file of a case."""
        return _file_of(case, self.files)


def _file_of(case: Case, files: Sequence[CaseFile]) -> CaseFile:
    return next(file for file in files if any(case is other for other in file.cases))


def examples(
    rules: Rules,
    words: Translator,
    cache: Cache | None = None,
    should_stop: StopCheck = lambda: False,
    settings: Mapping[str, int] | None = None,
) -> Examples:
    """Tell the examples in the case files of a game and its variants, those of the most specific variant first.

    With `settings`, they are played with these values, without those that need others. Files that cannot be read are
    skipped. Raises nothing; cases that are no examples here are in `book.left_out`.
    """
    return _told(rules, _files_about(rules, read), words, cache, should_stop, settings)


def _told(
    rules: Rules,
    files: Sequence[CaseFile],
    words: Translator,
    cache: Cache | None,
    should_stop: StopCheck,
    settings: Mapping[str, int] | None = None,
) -> Examples:
    fixed = settings or {}
    runner = CaseRunner(rules.model, lambda seats, options: rules.game(seats, {**fixed, **options}, cache=cache))
    examples = [case for file in files for case in file.cases if case.example]
    cases = [case for case in examples if _fits(runner, case, rules.model.settings, fixed)] if settings else examples
    marked: dict[str, CaseRunner] = {}
    inspected = lru_cache(None)(lambda game: inspect(game, cache)[0])
    # Finding the executed declarations needs another compilation of the rules.
    key = ("executed", rules.hash, repr(sorted(fixed.items())), repr(cases))
    cached = cache.load(*key) if cache is not None else None
    by_number: dict[int, tuple[str, ...]] = cached if isinstance(cached, dict) else {}
    cached_count = len(by_number)

    def executed(case: Case, holds: bool) -> tuple[str, ...]:
        number = next(number for number, other in enumerate(cases) if other is case)
        if number not in by_number:
            own = (None if holds else inspected(_file_of(case, files).game)) or rules
            if own.hash not in marked:
                marked[own.hash] = CaseRunner(own.model, lambda seats, options: _marked(own, seats, fixed, options))
            by_number[number] = executed_articles(marked[own.hash], case, words)
        return by_number[number]

    book = worked_examples(runner, executed, cases, words, should_stop)
    if cache is not None and len(by_number) > cached_count:
        cache.save(by_number, *key)
    return Examples(book, tuple(files))


def _fits(runner: CaseRunner, case: Case, start: Mapping[str, Setting], settings: Mapping[str, int]) -> bool:
    """Return whether a case needs no other value of a setting than the given ones."""
    try:
        return all(
            runner.setting(name, node) == settings.get(name, start[name].start) for name, node in case.options.items()
        )
    except CaseError:
        return True  # The reason why it is left out is found when it is played.


def _marked(rules: Rules, seats: int, fixed: Mapping[str, int], options: Mapping[str, int]) -> Game:
    values = {name: value for name, value in fixed.items() if name in rules.model.settings}
    return rules.marked(seats, {**values, **options}, backend="reference")


def examples_left_out(
    rules: Rules, words: Translator, cache: Cache | None, should_stop: StopCheck = lambda: False, reader: Reader = read
) -> Examples:
    """Return what `examples` leaves out, without those that are told; cached unless words stand beside the rules."""
    files = _files_about(rules, reader)

    def compute() -> Examples:
        complete = _told(rules, files, words, cache, should_stop)
        return replace(complete, book=replace(complete.book, told=()))

    marked = [(str(file.path), case) for file in files for case in file.cases if case.example]
    if rules.words_beside or not marked:
        return compute()
    return memoised(compute, cache, "examples left out", rules.hash, words.language, repr(marked))


def example_faults(told: Examples) -> Iterator[Diagnostic]:
    """Yield the examples that hold, but are too long to be told, or tell nothing."""
    for left_out in told.book.left_out:
        if left_out.reason != "fails":
            span = line_span(file_source(told.file_of(left_out.case).path), left_out.case.line)
            number, limit = left_out.sentences, told.book.max_sentences
            yield Diagnostic("R0704", span, {"name": left_out.case.name, "size": number, "limit": limit})


def _files_about(rules: Rules, reader: Reader) -> list[CaseFile]:
    """Return the case files beside the rules about the game and its variants, the most specific ones first."""
    return sorted(_all_files_about(rules, reader), key=lambda file: -len(file.names()))


def _all_files_about(rules: Rules, reader: Reader) -> Iterator[CaseFile]:
    for folder in dict.fromkeys(rules.folders):
        places = [*folder.iterdir()] if isinstance(folder, Path | MemoryPath) else []
        for place in sorted(places, key=lambda place: place.name):
            if isinstance(place, Path | MemoryPath) and place.name.endswith(SUFFIX):
                with suppress(CaseError):
                    file = reader(place)
                    if set() < file.names() <= {*rules.model.merged.names}:
                        yield file
