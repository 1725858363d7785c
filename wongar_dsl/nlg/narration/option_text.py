"""Prompts and options without a wording of their own, generated from the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from wongar_dsl.compiler import ir
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.language.semantics.boards import SQUARE
from wongar_dsl.nlg.prose.content.choices import Choosing
from wongar_dsl.nlg.prose.content.options import DecisionOffer, OptionEffect, called_statements, choose_statement_of
from wongar_dsl.nlg.prose.document.play_texts import ExplainedCards, LineSentences
from wongar_dsl.nlg.words import ADDRESSED, NounPhrase, ProperName, Term, Translator, Value

#: Maximum number of options that a prompt names; longer lists are left to the menu.
MAX_NAMED_OPTIONS = 3
#: Maximum length of a generated prompt, in characters.
MAX_QUESTION_LENGTH = 140


class RuleTexts:
    """Generator of prompts and option texts for the deciding player, and the texts of the rulebook about a game."""

    def __init__(self, game: Game, words: Translator, names: Sequence[str]) -> None:
        self._game, self._words, self._names = game, words, names
        self._effects: dict[tuple[object, ...], OptionEffect | None] = {}
        self.cards = ExplainedCards(game.model, words, game.name, game.program.seats)

    @property
    def sentences(self) -> LineSentences:
        """The sentences of the rulebook by their place in the rules."""
        return _sentences_of(self._game, self._words)

    def option(self, state: State, move: Move) -> OptionEffect | None:
        """Return the effect of a move and the arguments it mentions; None if there are no words for it."""
        decision = state.decision
        assert decision is not None
        offer = self._offer(state, decision)
        if offer is None:
            return None
        key = (state.seat, decision.rule, decision.name, move.option, move.arguments, tuple(offer.given.items()))
        if key not in self._effects:
            self._effects[key] = offer.option(move.option, move.arguments)
        return self._effects[key]

    def explained(self, state: State, move: Move) -> tuple[s.Node, ...]:
        """Return the node of an option without words, and the statements of the rules that it calls."""
        decision = state.decision
        place = _choose_statement(self._game, decision) if decision is not None else None
        if place is None or self.option(state, move) is not None:
            return ()
        choice = place[1].options[move.option]
        return (choice, *called_statements(self._game.model, choice))

    def lines(self, decision: ir.DecisionSpec, option: int) -> Mapping[str, Line]:
        """Return the parameters of an option that stand for a column or a row, by their names."""
        return _line_parameters(self._game, decision, option)

    def prompt_topics(self, state: State) -> tuple[Value, ...]:
        """Return the effects or names of a decision's options; empty if there are too many or some have no words."""
        decision = state.decision
        assert decision is not None
        offer = self._offer(state, decision)
        if offer is None or len(decision.options) > MAX_NAMED_OPTIONS:
            return ()
        effects = [offer.general_effect(number) for number in range(len(decision.options))]
        terms = map(self._name, decision.options)
        phrases = [effect or term for effect, term in zip(effects, terms, strict=True)]
        texts = [self._words.value(phrase, self._game.name) for phrase in phrases if phrase is not None]
        complete = (
            any(effects)
            and None not in phrases
            and len({*texts}) == len(texts)
            and sum(map(len, texts)) <= MAX_QUESTION_LENGTH
        )
        return tuple(phrase for phrase in phrases if phrase is not None) if complete else ()

    def _name(self, option: ir.OptionSpec) -> Term | None:
        """Return the term of an option, if it has one."""
        scope = self._game.name
        return Term(option.name, scope) if self._words.has_term(option.name, scope) else None

    def _offer(self, state: State, decision: ir.DecisionSpec) -> DecisionOffer | None:
        statement = _choose_statement(self._game, decision)
        if statement is None:
            return None
        visible_names = self._game.knowledge.public_names_in_scope(decision)
        values = {name: state.cells[address] for name, _, address in decision.scope if name in visible_names}
        players = players_as_spoken_of(self._words, self._names, state.seat)
        return DecisionOffer(self._game.model, self._words, *statement, self._game.seats, values, players, state.seat)


def option_summary(game: Game, words: Translator, decision: str, option: str) -> str:
    """Return the text of an option independent of its arguments, or else its name."""
    for spec in game.program.decisions:
        place = _choose_statement(game, spec) if spec.name == decision else None
        number = next((n for n, candidate in enumerate(spec.options) if candidate.name == option), None)
        if place is None or number is None:
            continue
        sentence = DecisionOffer(game.model, words, *place, game.seats, {}).general_effect(number)
        if sentence is not None:
            return words.say(sentence.message, game.name, **sentence.values)
    return words.term(option, game.name)


def players_as_spoken_of(words: Translator, names: Sequence[str], reader: int | None) -> list[NounPhrase]:
    """Return noun phrases for the players by seat; the reader is addressed if the language supports it."""
    phrases = [NounPhrase(ProperName(name, person=True)) for name in names]
    if reader is not None and words.lexicon.addresses:
        phrases[reader] = NounPhrase(ADDRESSED)
    return phrases


def messages_covered_by_rules(game: Game, words: Translator) -> frozenset[str]:
    """Return the message names of the prompts and options that need no wording of their own."""
    names: set[str] = set()
    for decision in game.program.decisions:
        place = _choose_statement(game, decision)
        if place is None:
            continue
        offer = DecisionOffer(game.model, words, *place, game.seats, {})
        name = f"decision.{decision.name}"
        names |= {name} if any(map(offer.general_effect, range(len(decision.options)))) else set()
        for number, option in enumerate(decision.options):
            if offer.says(number) or (not option.parameters and words.has_term(option.name, game.name)):
                names.add(f"{name}.{option.name}")
    return frozenset(names)


@lru_cache(maxsize=256)
def _choose_statement(game: Game, decision: ir.DecisionSpec) -> tuple[s.Declaration, Choosing] | None:
    return choose_statement_of(
        game.model, decision.rule, decision.name, tuple(option.name for option in decision.options)
    )


@lru_cache(maxsize=4)
def _sentences_of(game: Game, words: Translator) -> LineSentences:
    """Return the sentences of the rulebook, which all narrators of a game in one language share."""
    return LineSentences(game.model, words, game.seats)


Line = Literal["column", "row"]
#: Meaning of a square if only squares of one row, or of one column, are selectable.
_ACROSS: Mapping[str, Line] = {"row": "column", "column": "row"}


@lru_cache(maxsize=256)
def _line_parameters(game: Game, decision: ir.DecisionSpec, option: int) -> Mapping[str, Line]:
    """Return the parameters of an option that stand for a column or a row, by their names.

    With `drop(foot: cell where row of foot = 1)` a player chooses a column, although the rules name one of its squares.
    All selectable squares lie in one row, and nothing is put on the chosen square itself.
    """
    model = game.model
    kinds = dict(decision.options[option].parameters)
    place = _choose_statement(game, decision)
    if place is None:
        return {}
    choice = place[1].options[option]
    result: dict[str, Line] = {}
    for parameter in choice.parameters:
        name = parameter.name.text
        kind = kinds.get(name)
        if kind is None or kind.kind != "board" or model.boards[kind.name].directions != SQUARE:
            continue
        lines = {line for c in (parameter.domain.where, choice.condition) for line in _pinned(model, c, name)}
        if len(lines) == 1 and not _filled(model, choice.body, name):
            result[name] = lines.pop()
    return result


def _pinned(model: Model, condition: s.Expression | None, name: str) -> Iterator[Line]:
    """Yield the lines that a square denotes by the conjuncts of a condition."""
    match condition:
        case s.Logical(operator="and", operands=operands):
            for operand in operands:
                yield from _pinned(model, operand, name)
        case s.Compare(operator="=", left=s.Of(name=word, owner=s.Name(text=text)), right=s.Number()):
            if text == name and word in _ACROSS:
                yield _ACROSS[word]
        case s.Called(name=called, arguments=arguments) if called in model.code.defines:
            define = model.code.defines[called]
            for typed, argument in zip(define.parameters, arguments, strict=True):
                if isinstance(argument, s.Name) and argument.text == name:
                    yield from _pinned(model, define.value, typed.name.text)


def _filled(model: Model, body: object, name: str) -> bool:
    """Return whether statements put anything but a number on a square, or store the square itself."""
    for node in s.walk(body):
        match node:
            case s.Assign(value=s.Name(text=text)) | s.Let(value=s.Name(text=text)) if text == name:
                return True
            case s.Lay(area=s.Name(text=text)) if text == name:
                return True
            case s.Called(name=called, arguments=arguments) if called in model.code.rules:
                rule = model.code.rules[called]
                for typed, argument in zip(rule.parameters, arguments, strict=False):
                    if isinstance(argument, s.Name) and argument.text == name and called != name:
                        calls = (node.name for node in s.walk(rule.body) if isinstance(node, s.Called))
                        return called in calls or _filled(model, rule.body, typed.name.text)
        if isinstance(node, s.StatementNode):
            for changed in node.changes:
                if any(_holds(model, part, name) for part in s.walk(getattr(node, changed))):
                    return True
    return False


def _holds(model: Model, node: s.Node, name: str) -> bool:
    """Return whether an expression refers to the content of a square, other than a number."""
    match node:
        case s.Of(name=place, owner=s.Name(text=text)):
            named = text == name
        case s.Indexed(name=place, indices=indices):
            named = any(isinstance(index, s.Name) and index.text == name for index in indices)
        case _:
            return False
    remembered = model.declared.remembered.get(place)
    return named and (remembered is None or remembered.type.kind != "number")
