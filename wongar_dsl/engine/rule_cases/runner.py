"""Runs rule cases against a game and compares the results with their expectations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import rng
from wongar_dsl.compiler.backends.protocol import RuleFault
from wongar_dsl.engine import Game, IllegalMove, Move, PlayFault, State, notation
from wongar_dsl.engine.events import Event, argument_names, value_json
from wongar_dsl.engine.game import play_fault
from wongar_dsl.engine.rule_cases.coverage import RulePosition, articles_by_position
from wongar_dsl.engine.rule_cases.file import Case, CaseError, CaseFailure, CaseStep, YamlNode
from wongar_dsl.engine.rule_cases.position_reader import HIDDEN, WATCHER, PositionReader
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import PLAYER, Model

MAX_SETUP = 10_000
#: Returns whether the time limit of the cases is exceeded; called before each step.
StopCheck = Callable[[], bool]
OUT_OF_TIME = "cases.out_of_time"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Result of a case, which passes if there are no findings."""

    case: Case
    findings: tuple[CaseFailure, ...]

    @property
    def passed(self) -> bool:
        """Return whether everything was as expected."""
        return not self.findings


#: Maximum number of cached states before play; cases rarely name more seeds.
MAX_STATES = 16


class CaseRunner:
    """Runs cases of one game; caches games by number of seats and settings, and their states before play by seed."""

    def __init__(self, model: Model, game: Callable[[int, Mapping[str, int]], Game]) -> None:
        """Create a runner; `game` builds the game for a number of seats and settings."""
        self._model = model
        self._make = game
        self._games: dict[tuple[int, tuple[tuple[str, int], ...]], Game] = {}
        self._at_play: dict[tuple[Game, int], list[int] | None] = {}

    def run_all(self, cases: Iterable[Case], should_stop: StopCheck) -> Iterator[CaseResult]:
        """Run cases until `should_stop`; the cases after the one that exceeds the time limit are not run."""
        for case in cases:
            outcome = self.run(case, should_stop)
            yield outcome
            if any(finding.code == OUT_OF_TIME for finding in outcome.findings):
                return

    def run(self, case: Case, should_stop: StopCheck = lambda: False) -> CaseResult:
        """Run a case up to the first failure after which continuing is pointless."""
        findings: list[CaseFailure] = []
        try:
            for finding in _CaseRun(self, case, should_stop).findings():
                findings.append(finding)
        except CaseError as error:
            findings.append(error.finding)
        except (PlayFault, RuleFault) as error_in_rules:
            fault = play_fault(error_in_rules) if isinstance(error_in_rules, RuleFault) else error_in_rules
            span = fault.diagnostic.span
            line = span.source.line(span.line).strip() if span is not None else ""
            arguments = {"name": fault.diagnostic.code, "where": str(span), "condition": line}
            findings.append(CaseFailure("cases.fault", case.line, arguments))
        return CaseResult(case, tuple(findings))

    def game(self, case: Case) -> Game:
        """Return the game for the seats and options of a case; raises `CaseError` for invalid ones."""
        options = {name: self.setting(name, node) for name, node in case.options.items()}
        low, high = self._model.players
        if not low <= case.seats <= high:
            raise CaseError("cases.seats", case.line, n=case.seats, low=low, high=high)
        key = (case.seats, tuple(sorted(options.items())))
        if key not in self._games:
            self._games[key] = self._make(case.seats, options)
        return self._games[key]

    def at_play(self, case: Case, before_each: Callable[[], None] = lambda: None) -> State:
        """Return the state between setup and play in which a case begins; raises `CaseError` if there is none."""
        game = self.game(case)
        if (game, case.seed) not in self._at_play:
            if len(self._at_play) >= MAX_STATES:
                self._at_play.clear()
            state = State(game, game.backend.start(case.seed))
            self._at_play[game, case.seed] = state.cells if run_to_play(game, state, before_each) else None
        cells = self._at_play[game, case.seed]
        if cells is None:
            raise CaseError("cases.no_play", case.line)
        return State(game, cells.copy())

    @cached_property
    def articles_by_position(self) -> Mapping[RulePosition, s.Declaration]:
        """The article of each position that coverage marks."""
        return articles_by_position(self._model)

    def setting(self, name: str, node: YamlNode) -> int:
        """Return the value of a setting; raises `CaseError` for an unknown or invalid one."""
        if name not in self._model.settings:
            near = did_you_mean(name, self._model.settings) or ""
            raise CaseError("cases.unknown_value", node.line, name=name, type="option", suggestion=near)
        kind, _, low, high = self._model.settings[name]
        truth = {"yes": 1, "no": 0}.get(node.text) if kind.kind == "truth" else None
        value = truth if truth is not None else node.number
        if not low <= value <= high:
            raise CaseError("cases.value", node.line, name=node.text, expected="number")
        return value


class _CaseRun:
    def __init__(self, runner: CaseRunner, case: Case, should_stop: StopCheck) -> None:
        self.runner, self.case, self.should_stop = runner, case, should_stop
        self.game = game = runner.game(case)
        self.reader = PositionReader(game, case.names)
        self.state = State(game, game.backend.start(case.seed))
        self.events: list[Event] = []

    def findings(self) -> Iterator[CaseFailure]:
        """Play the case, and yield the differences from its expectations."""
        self._in_time(self.case.line)
        if self.case.setup:
            self.events += [e for e in self.state.proceed() if e.told]
        else:
            self.state = self.runner.at_play(self.case, lambda: self._in_time(self.case.line))
            for position in self.case.positions:
                self.reader.lay_out(self.state, position)
            self.events += [e for e in self.state.proceed() if e.told]
        for step in self.case.steps:
            self._in_time(step.line)
            if step.expect is not None:
                yield from self._check(step.expect)
            elif step.position is not None:
                self.reader.lay_out(self.state, step.position)
            elif step.drawn is not None:
                skip_chance(self.state, self.case.seed, step.drawn)
            elif step.illegal is not None:
                yield from self._illegal(step.illegal)
            else:
                stop = self._move(step)
                if stop is not None:
                    yield stop
                    return

    def _in_time(self, line: int) -> None:
        if self.should_stop():
            raise CaseError(OUT_OF_TIME, line)

    def _seat(self, seat: int) -> str:
        return self.reader.shown(PLAYER, seat)

    def _move(self, step: CaseStep) -> CaseFailure | None:
        """Make a move; return the failure if it cannot be made."""
        if step.seat is not None and not self.state.over:
            expected = self.reader.value(PLAYER, step.seat)
            if expected != self.state.seat:
                arguments = {"move": step.move, "expected": self._seat(expected), "found": self._seat(self.state.seat)}
                return CaseFailure("cases.turn", step.line, arguments)
        text, time = notation.split_time(step.move)
        try:
            move = self.state.read(self.reader.with_seat_numbers(text))
        except IllegalMove as error:
            names = tuple(self._seat(seat) for seat in range(self.state.game.seats))
            return CaseFailure(
                "cases.illegal", step.line, self._why(step.move, error), (error, self.state.copy(), names)
            )
        self.events += [e for e in self.state.apply(move, time=time or 0) if e.told]
        return None

    def _why(self, text: str, error: IllegalMove) -> Mapping[str, str | tuple[str, ...]]:
        check = error.check
        condition = check.span.text if check is not None else ""
        where = str(check.span) if check is not None else ""
        options = tuple(self._options())
        return {"move": text, "reason": error.reason, "condition": condition, "where": where, "found": options}

    def _illegal(self, wanted: Mapping[str, YamlNode]) -> Iterator[CaseFailure]:
        node = wanted["move"]
        try:
            self.state.read(self.reader.with_seat_numbers(node.text))
        except IllegalMove as error:
            condition = error.check.span.text if error.check is not None else ""
            for key, actual in (("reason", error.reason), ("condition", condition)):
                if key in wanted and wanted[key].text != actual:
                    arguments = {"move": node.text, "expected": wanted[key].text, "found": actual}
                    yield CaseFailure(f"cases.{key}", wanted[key].line, arguments)
            return
        yield CaseFailure("cases.legal", node.line, {"move": node.text})

    def _options(self) -> list[str]:
        return [self._named(move) for move in self.state.legal_moves()]

    def _named(self, move: Move) -> str:
        decision = self.state.decision
        assert decision is not None
        spec = decision.options[move.option]
        shown = [self.reader.shown(t, v) for (_, t), v in zip(spec.parameters, move.arguments, strict=True)]
        return f"{spec.name}({', '.join(shown)})" if shown else spec.name

    # ---- expectations ----

    def _check(self, expect: Mapping[str, YamlNode]) -> Iterator[CaseFailure]:
        for key, node in expect.items():
            match key:
                case "seat":
                    decider = self._seat(self.state.seat) if not self.state.over else ""
                    yield from self._same(key, node, self._seat(self.reader.value(PLAYER, node)), decider)
                case "decision":
                    decision = self.state.decision
                    yield from self._same(key, node, node.text, decision.name if decision is not None else "")
                case "options" | "offers" | "offers_not":
                    yield from self._check_options(key, node)
                case "position":
                    yield from self.reader.compare(self.state, node.mapping)
                case "totals":
                    yield from self.reader.compare_totals(self.state, node.mapping)
                case "winners":
                    yield from self._check_winners(node)
                case "tells" | "tells_exactly" | "tells_not":
                    yield from self._check_events(key, node, self.events)
                case "sees":
                    yield from self._check_seen(node)
        if any(key.startswith("tells") for key in _all_keys(expect)):
            self.events.clear()

    def _check_seen(self, node: YamlNode) -> Iterator[CaseFailure]:
        """Yield the differences between a viewer's observations and the expectations."""
        for names, seen in node.mapping.items():
            for seat in self.reader.viewers(YamlNode(names, seen.line)):
                viewer = self._seat(seat) if seat is not None else WATCHER
                visible_events = [*self.game.knowledge.seen_of(self.events, seat)]
                for key, expectation in seen.mapping.items():
                    if key == "position":
                        yield from self.reader.compare_seen(self.state, expectation.mapping, seat, viewer)
                    else:
                        yield from self._check_events(key, expectation, visible_events, viewer)

    @staticmethod
    def _same(key: str, node: YamlNode, expected: str, found: str) -> Iterator[CaseFailure]:
        if expected != found:
            yield CaseFailure(f"cases.{key}", node.line, {"expected": expected, "found": found})

    def _check_options(self, key: str, node: YamlNode) -> Iterator[CaseFailure]:
        options_by_text = {_without_space(o): o for o in self._options()}
        expected = {_without_space(n.move_text): n.text for n in node.item_or_items}
        missing = tuple(w for b, w in expected.items() if b not in options_by_text)
        surplus = tuple(o for b, o in options_by_text.items() if b not in expected)
        if key == "offers_not":
            missing, surplus = (), tuple(o for b, o in options_by_text.items() if b in expected)
        elif key == "offers":
            surplus = ()
        if missing or surplus:
            offered = tuple(options_by_text.values())
            yield CaseFailure("cases.options", node.line, {"missing": missing, "surplus": surplus, "found": offered})

    def _check_winners(self, node: YamlNode) -> Iterator[CaseFailure]:
        if not self.state.over:
            yield CaseFailure("cases.not_over", node.line, {"seat": self._seat(self.state.seat)})
            return
        expected_seats = sorted(self.reader.value(PLAYER, n) for n in node.item_or_items)
        if expected_seats != list(self.state.winners):
            expected, actual = (tuple(map(self._seat, seats)) for seats in (expected_seats, self.state.winners))
            yield CaseFailure("cases.winners", node.line, {"expected": expected, "found": actual})

    def _check_events(self, key: str, node: YamlNode, events: list[Event], viewer: str = "") -> Iterator[CaseFailure]:
        """Yield the differences between events and expectations; `viewer` names the seat that observes them, if any."""
        expected_events = [parse_event(self.game, n) for n in node.item_or_items]
        descriptions = tuple(self._event_text(e) for e in events)
        code, seat = ("cases.seat_", {"seat": viewer}) if viewer else ("cases.", {})

        def failure(message: str, line: int, event: str) -> CaseFailure:
            return CaseFailure(f"{code}{message}", line, {**seat, "event": event, "found": descriptions})

        if key == "tells_not":
            for name, arguments, item in expected_events:
                if any(self._matches(e, name, arguments) for e in events):
                    yield failure("told", item.line, _node_text(item))
            return
        position = 0
        for name, arguments, item in expected_events:
            if key == "tells":
                position = next(
                    (i for i in range(position, len(events)) if self._matches(events[i], name, arguments)), len(events)
                )
            if position >= len(events) or not self._matches(events[position], name, arguments):
                yield failure("not_told", item.line, _node_text(item))
                return
            position += 1
        if key == "tells_exactly" and position < len(events):
            yield failure("told", node.line, descriptions[position])

    def _matches(self, event: Event, name: str, arguments: Mapping[str, YamlNode]) -> bool:
        if (event.spec.message or event.spec.kind) != name:
            return False
        actual = arguments_of(self.game, self.reader, event, all_known=True)
        for key, node in arguments.items():
            if key not in actual:
                raise CaseError("cases.unknown_argument", node.line, name=key, known=tuple(actual))
            value, tree = actual[key], node.value
            expected = {k: n.text for k, n in tree.items()} if isinstance(tree, dict) else _without_space(node.text)
            if expected != (value if isinstance(value, dict) else _without_space(value)):
                return False
        return True

    def _event_text(self, event: Event) -> str:
        shown = ", ".join(
            f"{name}: {_value_text(value)}" for name, value in arguments_of(self.game, self.reader, event).items()
        )
        return f"{event.spec.message or event.spec.kind}({shown})"


def run_to_play(game: Game, state: State, before_each: Callable[[], None]) -> bool:
    """Run to the pause before play with the first option of each decision; return whether it is reached."""
    backend, cells = game.backend, state.cells
    backend.run(cells)
    for _ in range(MAX_SETUP):
        before_each()
        if cells[ir.AT_DECISION] == ir.READY:
            return True
        if state.over or not backend.options(cells):
            return False
        backend.choose(cells, backend.options(cells)[0])
        backend.run(cells)
    return False


def skip_chance(state: State, seed: int, drawn: int) -> None:
    """Set the random stream to that of play at a seed, after `drawn` random numbers."""
    counter, step = rng.start(seed, rng.Purpose.PLAY)
    state.cells[ir.AT_CHANCE], state.cells[ir.AT_STEP] = (counter + drawn * step) & rng.MASK, step


def parse_event(game: Game, node: YamlNode) -> tuple[str, Mapping[str, YamlNode], YamlNode]:
    """Return the message or kind of an expected event, its required arguments, and the node; raises `CaseError`."""
    arguments: Mapping[str, YamlNode] = {}
    if isinstance(node.value, str):
        name = node.text
    elif len(node.mapping) == 1:
        ((name, inner),) = node.mapping.items()
        arguments = inner.mapping
    else:
        raise CaseError("cases.shape", node.line, expected="event")
    names = {event.message or event.kind for event in game.program.events} | set(game.model.messages)
    if name not in names:
        raise CaseError("cases.unknown_message", node.line, name=name, suggestion=did_you_mean(name, names) or "")
    return name, arguments, node


def arguments_of(
    game: Game, reader: PositionReader, event: Event, all_known: bool = False
) -> dict[str, str | dict[str, str]]:
    """Return the arguments of an event as text.

    With `all_known`, arguments that are not recorded are included.
    """
    typed = event.fields() if not event.spec.message else event.arguments() if all_known else event.slots()
    shown: dict[str, str | dict[str, str]] = {}
    for name, (kind, content) in typed.items():
        value = value_json(game.model, game.fields, kind, content)
        if content is None:
            shown[name] = HIDDEN
        elif isinstance(value, dict):
            shown[name] = {reader.shown(PLAYER, int(seat) - 1): str(n) for seat, n in value.items()}
        elif kind == PLAYER and isinstance(value, int):
            shown[name] = reader.shown(PLAYER, value - 1)
        elif isinstance(value, bool):
            shown[name] = "yes" if value else "no"
        else:
            shown[name] = "nobody" if value is None else str(value)
    return shown


def _all_keys(expect: Mapping[str, YamlNode]) -> Iterator[str]:
    """Yield the keys of expectations, including those for viewers."""
    yield from expect
    for seen in expect["sees"].mapping.values() if "sees" in expect else ():
        yield from seen.mapping


def _value_text(value: str | dict[str, str]) -> str:
    return value if isinstance(value, str) else "{" + ", ".join(f"{k}: {v}" for k, v in value.items()) + "}"


def _node_text(node: YamlNode) -> str:
    """Return a node as text on one line."""
    if isinstance(node.value, str):
        return node.value
    if isinstance(node.value, list):
        return "[" + ", ".join(map(_node_text, node.value)) + "]"
    return "{" + ", ".join(f"{k}: {_node_text(v)}" for k, v in node.value.items()) + "}"


def _without_space(text: str) -> str:
    return re.sub(r"\s+", "", text)


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
