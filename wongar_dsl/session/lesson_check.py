"""Static check of tutorials: names in a tutorial that its game does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.engine import Game, notation
from wongar_dsl.engine.events import argument_names
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.rule_cases.file import CaseError, CaseFailure, case_fault, file_source, line_span
from wongar_dsl.nlg.narration.excerpts import RuleExcerpts
from wongar_dsl.nlg.translation import has_words_for, required_languages
from wongar_dsl.nlg.words import Translator, WordsError
from wongar_dsl.nlg.words.locale import Locale, load_locale
from wongar_dsl.session.tutorial import LEARNER_SLOT, SUFFIX, Tutorial, TutorialTopic, find_lesson, read_lesson


def faults(rules: Rules) -> Iterator[Diagnostic]:
    """Yield the faults of a game's own tutorial, if it has one, and its topics without text."""
    location = find_lesson(rules)
    if location is None or location[1] != rules.model.merged.names:
        return
    place, names = location
    source = file_source(place, SUFFIX)
    try:
        lesson = read_lesson(place, names)
    except CaseError as error:
        yield case_fault(error.finding, source, "R0702")
        return
    yield from (case_fault(failure, source, "R0702") for failure in check(rules, lesson))
    for topic, languages in _topics_without_text(rules, lesson):
        name = f"{rules.name}.lesson.{topic.name}"
        yield Diagnostic("R0703", line_span(source, topic.line), {"name": name, "languages": languages})


def check(rules: Rules, lesson: Tutorial) -> Iterator[CaseFailure]:
    """Yield all faults of a tutorial in file order, without playing."""
    low, high = rules.model.players
    if not low <= len(lesson.seats) <= high:
        yield CaseFailure("lesson.players", 1, {"low": low, "high": high})
        return
    game = rules.game(len(lesson.seats))
    languages = [words for _, words in _languages(rules)]
    excerpts = RuleExcerpts(game, languages[0]) if languages else None
    for topic in lesson.topics:
        yield from _trigger_faults(game, topic)
        for article in topic.articles if excerpts is not None else ():
            if excerpts is not None and not excerpts.has(article):
                yield _unknown("lesson.unknown_article", topic, "articles", article, excerpts.names())
        if topic.suggestion:
            yield from _suggestion_faults(game, topic)
        areas = [area for board in game.model.boards.values() for area in board.areas]
        for place in topic.places:
            if place not in areas:
                yield _unknown("lesson.unknown_area", topic, "look_at", place, areas)
        yield from _slot_faults(game, topic, languages)


def _topics_without_text(rules: Rules, lesson: Tutorial) -> Iterator[tuple[TutorialTopic, tuple[str, ...]]]:
    """Yield each topic without text in some language, with those languages.

    Nothing is reported for rules that have no catalog in any language.
    """
    languages = _languages(rules)
    for topic in lesson.topics if any(has_words_for(locale, rules.name) for locale, _ in languages) else ():
        message = f"lesson.{topic.name}"
        lacking = tuple(words.language for _, words in languages if not words.has(message, rules.name))
        if lacking:
            yield topic, lacking


def _languages(rules: Rules) -> list[tuple[Locale, Translator]]:
    """Return the languages in which a tutorial needs texts; faults of the catalogs are reported elsewhere."""
    languages = []
    for code in required_languages(rules.words_beside):
        with suppress(WordsError):
            locale = load_locale(code, rules.words_beside)
            languages.append((locale, Translator(locale, None, code)))
    return languages


def _unknown(code: str, topic: TutorialTopic, key: str, name: str, known: Iterable[str]) -> CaseFailure:
    return CaseFailure(
        code, topic.lines.get(key, topic.line), {"name": name, "suggestion": did_you_mean(name, known) or ""}
    )


def _trigger_faults(game: Game, topic: TutorialTopic) -> Iterator[CaseFailure]:
    when = topic.when
    if when.kind == "decision":
        decisions = {decision.name: decision for decision in game.program.decisions}
        if when.name not in decisions:
            yield _unknown("lesson.unknown_decision", topic, "when", when.name, decisions)
            return
        options = [option.name for option in decisions[when.name].options]
        if when.offers and when.offers not in options:
            yield _unknown("lesson.unknown_option", topic, "when", when.offers, options)
    if when.kind == "told" and when.name not in (events := _events(game)):
        yield _unknown("lesson.unknown_event", topic, "when", when.name, events)


def _events(game: Game) -> Mapping[str, set[str]]:
    """Return the messages and events of a game, each with the slots that its text can use."""
    slots: dict[str, set[str]] = {}
    for event in game.program.events:
        names = argument_names(event)
        common = slots.setdefault(event.message or event.kind, names)
        # A message can be emitted in several places; its text may use the slots that all of them fill.
        common &= names
    return slots


def _suggestion_faults(game: Game, topic: TutorialTopic) -> Iterator[CaseFailure]:
    """Yield a fault if the suggestion is no option of the topic's decision, or of any decision if it has none."""
    when, model = topic.when, game.model
    decisions = [d for d in game.program.decisions if when.kind != "decision" or d.name == when.name]
    if decisions and all(
        notation.read(model, decision, topic.suggestion, game.seats) is None for decision in decisions
    ):
        parts = notation.split(topic.suggestion)
        options = {option.name for decision in decisions for option in decision.options}
        near = did_you_mean(parts[0], options) if parts is not None and parts[0] not in options else None
        arguments = {"name": topic.suggestion, "suggestion": near or ""}
        yield CaseFailure("lesson.unknown_move", topic.lines.get("try", topic.line), arguments)


def _slot_faults(game: Game, topic: TutorialTopic, languages: Sequence[Translator]) -> Iterator[CaseFailure]:
    """Yield the slots of the text that nothing fills."""
    filled = {LEARNER_SLOT}
    if topic.when.kind == "told":
        filled |= _events(game).get(topic.when.name, set())
    named = {slot for words in languages for slot in words.slots(f"lesson.{topic.name}", game.name)}
    for slot in sorted(named - filled):
        yield _unknown("lesson.unknown_slot", topic, "name", slot, filled)
