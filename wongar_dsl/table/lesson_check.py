"""What in a lesson means nothing in its game, without playing it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from wongar_dsl.cases.file import CaseError, CaseFailure
from wongar_dsl.engine import Game, notation
from wongar_dsl.library import Rules
from wongar_dsl.narration.case_faults import case_source, diagnostic
from wongar_dsl.narration.catalog_faults import line_span
from wongar_dsl.narration.excerpts import Excerpts
from wongar_dsl.narration.untranslated import served, speaks_of
from wongar_dsl.table.lesson import Lesson, Topic
from wongar_dsl.table.lesson_file import SUFFIX, place_of_lesson, read_lesson
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.text.suggest import did_you_mean
from wongar_dsl.words import Words, WordsError
from wongar_dsl.words.locale import Locale, load_locale

#: The slot of every text in which the learner is named.
LEARNER_SLOT = "learner"


def faults(rules: Rules) -> Iterator[Diagnostic]:
    """What is wrong with the own lesson of a game, if it has one, and which of its hints have no words."""
    found = place_of_lesson(rules)
    if found is None or found[1] != rules.model.merged.names:
        return
    place, names = found
    source = case_source(place, SUFFIX)
    try:
        lesson = read_lesson(place, names)
    except CaseError as error:
        yield diagnostic(error.finding, source, "R0702")
        return
    yield from (diagnostic(failure, source, "R0702") for failure in check(rules, lesson))
    for topic, languages in _wordless(rules, lesson):
        name = f"{rules.name}.lesson.{topic.name}"
        yield Diagnostic("R0703", line_span(source, topic.line), {"name": name, "languages": languages})


def check(rules: Rules, lesson: Lesson) -> Iterator[CaseFailure]:
    """All that is wrong with a lesson, in the order of its file; nothing is played."""
    low, high = rules.model.players
    if not low <= len(lesson.seats) <= high:
        yield CaseFailure("lesson.players", 1, {"low": low, "high": high})
        return
    game = rules.game(len(lesson.seats))
    languages = [words for _, words in _languages(rules)]
    excerpts = Excerpts(game, languages[0]) if languages else None
    for topic in lesson.course:
        yield from _when(game, topic)
        for article in topic.articles if excerpts is not None else ():
            if excerpts is not None and not excerpts.has(article):
                yield _unknown("lesson.unknown_article", topic, "articles", article, excerpts.names())
        if topic.suggestion:
            yield from _suggestion(game, topic)
        areas = [area for board in game.model.boards.values() for area in board.areas]
        for place in topic.places:
            if place not in areas:
                yield _unknown("lesson.unknown_area", topic, "look_at", place, areas)
        yield from _slots(game, topic, languages)


def _wordless(rules: Rules, lesson: Lesson) -> Iterator[tuple[Topic, tuple[str, ...]]]:
    """The topics that have no text, each with the languages that lack it; none where rules have no words at all."""
    languages = _languages(rules)
    for topic in lesson.course if any(speaks_of(locale, rules.name) for locale, _ in languages) else ():
        message = f"lesson.{topic.name}"
        lacking = tuple(words.language for _, words in languages if not words.has(message, rules.name))
        if lacking:
            yield topic, lacking


def _languages(rules: Rules) -> list[tuple[Locale, Words]]:
    """The languages in which a lesson has to have its texts; what is wrong with their files is told elsewhere."""
    found = []
    for code in served(rules.words_beside):
        with suppress(WordsError):
            locale = load_locale(code, rules.words_beside)
            found.append((locale, Words(locale, None, code)))
    return found


def _unknown(code: str, topic: Topic, key: str, name: str, known: Iterable[str]) -> CaseFailure:
    return CaseFailure(
        code, topic.lines.get(key, topic.line), {"name": name, "suggestion": did_you_mean(name, known) or ""}
    )


def _when(game: Game, topic: Topic) -> Iterator[CaseFailure]:
    when = topic.when
    if when.kind == "decision":
        decisions = {decision.name: decision for decision in game.program.decisions}
        if when.name not in decisions:
            yield _unknown("lesson.unknown_decision", topic, "when", when.name, decisions)
            return
        options = [option.name for option in decisions[when.name].options]
        if when.offers and when.offers not in options:
            yield _unknown("lesson.unknown_option", topic, "when", when.offers, options)
    if when.kind == "told" and when.name not in (known := _events(game)):
        yield _unknown("lesson.unknown_event", topic, "when", when.name, known)


def _events(game: Game) -> Mapping[str, set[str]]:
    """What can be told in a game, each with all that its text can speak of."""
    found: dict[str, set[str]] = {}
    for event in game.program.events:
        first, end = (event.own, event.own + event.slots) if event.message else (0, event.own)
        names = {name for name, _ in event.fields[first:end]} | {slot for slot, *_ in event.offered}
        known = found.setdefault(event.message or event.kind, names)
        # One message can be told in several places, and its text speaks of what all of them know.
        known &= names
    return found


def _suggestion(game: Game, topic: Topic) -> Iterator[CaseFailure]:
    """A suggestion that is no option of the decision, or of any where the topic is about none."""
    when, model = topic.when, game.model
    asked = [d for d in game.program.decisions if when.kind != "decision" or d.name == when.name]
    if asked and all(notation.read(model, decision, topic.suggestion, game.seats) is None for decision in asked):
        parts = notation.split(topic.suggestion)
        known = {option.name for decision in asked for option in decision.options}
        near = did_you_mean(parts[0], known) if parts is not None and parts[0] not in known else None
        told = {"name": topic.suggestion, "suggestion": near or ""}
        yield CaseFailure("lesson.unknown_move", topic.lines.get("try", topic.line), told)


def _slots(game: Game, topic: Topic, languages: Sequence[Words]) -> Iterator[CaseFailure]:
    """Slots of the text that nothing fills."""
    known = {LEARNER_SLOT}
    if topic.when.kind == "told":
        known |= _events(game).get(topic.when.name, set())
    named = {slot for words in languages for slot in words.slots(f"lesson.{topic.name}", game.name)}
    for slot in sorted(named - known):
        yield _unknown("lesson.unknown_slot", topic, "name", slot, known)
