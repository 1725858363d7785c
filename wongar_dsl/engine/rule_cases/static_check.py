"""Static checks of cases: names and numbers that have no meaning in the game, found without playing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.engine import Game, State, notation
from wongar_dsl.engine.events import argument_names
from wongar_dsl.engine.rule_cases.file import Case, CaseError, CaseFailure, CaseStep, YamlNode
from wongar_dsl.engine.rule_cases.position_reader import PositionReader
from wongar_dsl.engine.rule_cases.runner import CaseRunner, StopCheck, parse_event
from wongar_dsl.language.semantics import PLAYER

#: Mistakes in a position that depend on the state before it, which only a run knows.
_RUN_TIME_ERRORS = frozenset({"cases.no_such_card"})
#: Reason for the refusal of a move that no decision has.
_UNKNOWN = "unknown"


def check(runner: CaseRunner, cases: Iterable[Case], should_stop: StopCheck) -> Iterator[CaseFailure]:
    """Yield the mistakes that prevent cases from running as intended; stop when `should_stop` returns True."""
    for case in cases:
        if should_stop():
            return
        wrong = [error.finding for name in case.options if (error := _error(runner.setting, name, case.options[name]))]
        if wrong:
            yield from wrong
            continue
        try:
            game = runner.game(case)
        except CaseError as error:
            yield error.finding
            continue
        yield from _StaticCheck(game, case).findings()


def _error(read: Callable[..., object], *arguments: object) -> CaseError | None:
    try:
        read(*arguments)
    except CaseError as error:
        return error
    return None


class _StaticCheck:
    def __init__(self, game: Game, case: Case) -> None:
        self.game, self.case = game, case
        self.reader = PositionReader(game, case.names)
        # Used only to read positions; nothing is played.
        self.state = State(game, game.backend.start(case.seed))

    def findings(self) -> Iterator[CaseFailure]:
        """Yield the mistakes in the order of the file."""
        for position in self.case.positions:
            yield from self._check_position(position)
        for step in self.case.steps:
            yield from self._check_step(step)

    def _check_step(self, step: CaseStep) -> Iterator[CaseFailure]:
        if step.expect is not None:
            for key, node in step.expect.items():
                yield from self._check_expectation(key, node)
        elif step.position is not None:
            yield from self._check_position(step.position)
        elif step.illegal is not None:
            # A move that is expected to be unknown may have any name.
            if step.illegal.get("reason", YamlNode(_UNKNOWN, 0)).text != _UNKNOWN:
                yield from self._each(self._move, [step.illegal["move"]])
        elif step.drawn is None:
            if step.seat is not None:
                yield from self._each(self._seat, [step.seat])
            yield from self._each(self._move, [YamlNode(notation.split_time(step.move)[0], step.line)])

    def _check_expectation(self, key: str, node: YamlNode) -> Iterator[CaseFailure]:
        match key:
            case "seat":
                yield from self._each(self._seat, [node])
            case "winners":
                yield from self._each(self._seat, node.item_or_items)
            case "decision":
                yield from self._each(self._decision, [node])
            case "options" | "offers" | "offers_not":
                yield from self._each(self._move, node.item_or_items)
            case "position":
                yield from self._parts(lambda part: self.reader.compare(self.state, part), node)
            case "totals":
                yield from self._parts(lambda part: self.reader.compare_totals(self.state, part), node)
            case "tells" | "tells_exactly" | "tells_not":
                yield from self._each(self._event, node.item_or_items)
            case "sees":
                for viewers, seen in node.mapping.items():
                    yield from self._each(self.reader.viewers, [YamlNode(viewers, seen.line)])
                    for inner, expectation in seen.mapping.items():
                        yield from self._check_view(inner, expectation)

    def _check_view(self, key: str, node: YamlNode) -> Iterator[CaseFailure]:
        if key == "position":
            yield from self._parts(lambda part: self.reader.compare_seen(self.state, part, None, ""), node)
        else:
            yield from self._check_expectation(key, node)

    def _check_position(self, position: Mapping[str, YamlNode]) -> Iterator[CaseFailure]:
        for name, node in position.items():
            error = _error(self.reader.lay_out, self.state, {name: node})
            if error is not None and error.finding.code not in _RUN_TIME_ERRORS:
                yield error.finding

    @staticmethod
    def _each(read: Callable[[YamlNode], object], nodes: Iterable[YamlNode]) -> Iterator[CaseFailure]:
        yield from (error.finding for node in nodes if (error := _error(read, node)))

    def _parts(
        self, compare: Callable[[Mapping[str, YamlNode]], Iterable[CaseFailure]], node: YamlNode
    ) -> Iterator[CaseFailure]:
        """Yield mistakes in a mapping, part by part; ignore that the values differ from those of the state."""
        error = _error(lambda: node.mapping)
        if error is not None:
            yield error.finding
            return
        for name, inner in node.mapping.items():
            if (error := _error(lambda part: list(compare(part)), {name: inner})) is not None:
                yield error.finding

    # ---- single names; each method raises `CaseError` ----

    def _seat(self, node: YamlNode) -> None:
        self.reader.value(PLAYER, node)

    def _decision(self, node: YamlNode) -> None:
        names = [decision.name for decision in self.game.program.decisions]
        if node.text and node.text not in names:
            self._unknown(node, "decision", did_you_mean(node.text, names))

    def _move(self, node: YamlNode) -> None:
        text, decisions = self.reader.with_seat_numbers(node.move_text), self.game.program.decisions
        model, seats = self.game.model, self.game.seats
        if all(notation.read(model, decision, text, seats) is None for decision in decisions):
            option_names = {option.name for decision in decisions for option in decision.options}
            parts = notation.split(text)
            near = did_you_mean(parts[0], option_names) if parts is not None and parts[0] not in option_names else None
            self._unknown(node, "move", near)

    def _event(self, node: YamlNode) -> None:
        name, arguments, _ = parse_event(self.game, node)
        events = [event for event in self.game.program.events if (event.message or event.kind) == name]
        field_names = {field for event in events for field in argument_names(event)}
        for key, inner in arguments.items():
            if events and key not in field_names:
                raise CaseError("cases.unknown_argument", inner.line, name=key, known=tuple(sorted(field_names)))

    @staticmethod
    def _unknown(node: YamlNode, kind: str, near: str | None) -> None:
        raise CaseError("cases.unknown_value", node.line, name=node.text, type=kind, suggestion=near or "")
