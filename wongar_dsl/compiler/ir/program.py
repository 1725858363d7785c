"""Compiled program: decisions, events, faults, state layout, code, and calls between rules with decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from wongar_dsl.base.span import Span
from wongar_dsl.base.storage.cache import SplitPickle
from wongar_dsl.language.ast.zones import ContainerKind, ZoneTraits, zone_traits
from wongar_dsl.language.semantics.model import Type

# ---- kinds of events -----------------------------------------------------------------------------------------------


EventName = Literal[
    "told", "changed", "card_moved", "card_laid", "tokens_moved", "all_moved", "filled", "pile_shuffled",
    "figure_moved", "figure_taken", "track_advanced", "points", "rounds_unknown", "game_ended",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class EventKind:
    """Properties of all events of a kind.

    `fields` are the names of the values, `more` the names of optional ones.  `told`: the event appears in logs, with
    the engine's `messages` unless the rules provide one (omitted if there is neither).  `covert`: a viewer who may not
    see the secret values does not notice the event.
    """

    name: EventName
    fields: tuple[str, ...]
    more: tuple[str, ...] = ()
    told: bool = True
    messages: tuple[str, ...] = ()
    covert: bool = False


def _kinds(*kinds: EventKind) -> Mapping[EventName, EventKind]:
    return {kind.name: kind for kind in kinds}


#: Event kinds by name.
EVENTS: Mapping[EventName, EventKind] = _kinds(
    EventKind("told", ()),
    EventKind("changed", ("what", "value"), covert=True),
    EventKind("card_moved", ("card", "from", "to"), messages=("card_moved",)),
    EventKind("card_laid", ("card", "from", "to", "area", "turned"), messages=("card_laid",)),
    EventKind("tokens_moved", ("n", "token", "from", "to"), messages=("tokens_moved",)),
    EventKind("all_moved", ("n", "from", "to"), messages=("all_moved",)),
    EventKind("filled", ("zone", "n"), ("token",), told=False),
    EventKind("pile_shuffled", ("pile",), messages=("pile_shuffled",)),
    EventKind("figure_moved", ("figure", "to"), messages=("figure_moved",)),
    EventKind("figure_taken", ("figure", "player"), messages=("figure_taken",)),
    EventKind("track_advanced", ("track", "space"), messages=("track_advanced",)),
    EventKind("points", ("player", "n"), ("origin",), messages=("points_gained", "points_lost")),
    EventKind("rounds_unknown", (), messages=("rounds_unknown",)),
    EventKind("game_ended", ("winners",), messages=("game_ended", "nobody_wins")),
)


# ---- the program ---------------------------------------------------------------------------------------------------


if TYPE_CHECKING:
    from wongar_dsl.compiler.ir.instructions import Block, Procedure
    from wongar_dsl.language.ast import Seen

#: Addresses of the state header.  `AT_PLAY_CHANCE` holds the random stream of play until setup ends, so that draws in
#: setup do not affect play; 0 if there is one stream for both.  `AT_STEP` is the increment of the random stream.
AT_BLOCK, AT_CHANCE, AT_DECISION, AT_SEAT, AT_WINNERS, AT_TIME, AT_PLAY_CHANCE, AT_STEP, FIRST_FREE = range(9)
#: Values of `AT_DECISION` after the end of the game, and between setup and play.
OVER, READY = -1, -2
#: Step budget between two decisions, and for listing the options of one.
BUDGET = 12_000_000
#: The state hash is multiplied by `FACTOR` before each cell is added, and cut to 40 bits by `MASK`.
FACTOR, MASK = 1_000_003, (1 << 40) - 1


@dataclass(frozen=True, slots=True)
class OptionCheck:
    """Condition of an option: the procedure that tests it for given arguments, and its source span.

    `parameter` names the argument that it constrains, empty for the condition of the option itself.  `member` marks the
    test whether the argument is in its range.
    """

    procedure: int
    span: Span
    parameter: str
    member: bool


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """Option of a decision: name, parameters with types, addresses of the arguments, and block.

    `drawn_from[i]` is the zone that the argument comes from, if it is not public, otherwise empty.  `checks` explain
    why an option is unavailable.  `is_pass`: the option itself moves, lays, draws and scores nothing.
    """

    name: str
    parameters: tuple[tuple[str, Type], ...]
    addresses: tuple[int, ...]
    drawn_from: tuple[str, ...]
    checks: tuple[OptionCheck, ...]
    block: int
    is_pass: bool = False


@dataclass(frozen=True, slots=True)
class LoopCounter:
    """Iteration of a counted loop.

    `at` is the address of the number of finished iterations; the total is `times`, or at the address `times_at` if that
    is not -1.  `needs` are the addresses of the values that determine whether the iteration is shown.
    """

    at: int
    times: int
    times_at: int = -1
    needs: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class DecisionSpec:
    """Decision: name, options, and the procedure that lists them.

    `simultaneous`: choices stay hidden until all have chosen.  `clock`: procedures for the initial and final clock time
    in ms (-1: no end).  `scope`: names with types and addresses that a prompt may mention unless they are hidden; no
    cards.  `iteration`: the counted loop that makes the decision once per iteration.
    """

    name: str
    options: tuple[OptionSpec, ...]
    lister: int
    simultaneous: bool
    rule: str
    clock: tuple[int, int] | None = None
    scope: tuple[tuple[str, Type, int], ...] = ()
    iteration: LoopCounter | None = None


@dataclass(frozen=True, slots=True)
class SourceOrigin:
    """Declaration that emits an event, and the span of the emitting statement."""

    article: str
    span: Span


@dataclass(frozen=True, slots=True)
class EventSpec:
    """Type of event.

    `fields` are the arguments with their types: the first `own` are those of the `kind`, the next `slots` those of the
    message (`message` is None without one in the rules, and empty for an event that is not shown).  `offered` are
    further values that its sentence may use: name, type, argument number, and the position if that argument is a place
    with several indices.  `secret` marks arguments that only some players see, `doubtful` lists arguments that
    `information_flow` must classify.  `origin` is present only in programs with marks.
    """

    kind: EventName
    message: str | None
    fields: tuple[tuple[str, Type], ...]
    own: int
    slots: int
    secret: tuple[bool, ...]
    offered: tuple[tuple[str, Type, int, int | None], ...] = ()
    doubtful: tuple[int, ...] = ()
    origin: SourceOrigin | None = field(default=None, repr=False)

    @property
    def facts(self) -> EventKind:
        """Properties of this kind of event."""
        return EVENTS[self.kind]

    @property
    def has_message(self) -> bool:
        """True if there is a message for the event, of the rules or of the engine."""
        return bool(self.facts.messages if self.message is None else self.message)


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """Run-time error: code, rule, and span."""

    code: str
    rule: str
    span: Span
    name: str = ""


#: Kind of a field: a zone, a remembered value, a score, a track, or the holder or location of a figure.
FieldKind = Literal[ContainerKind, "remember", "score", "track", "holder", "place"]


@dataclass(frozen=True, slots=True)
class Field:
    """Named part of the state.

    `indices` are the types that index its copies, `sizes` their numbers of values; copy (i, j) starts at
    `base + (i * sizes[1] + j) * width`.  `type` is the type of its content.  `seen` are the seats that see the content,
    `owner` is the position of the owning player in `indices`.  `capacity` is the maximum number of cards in a zone
    (0 for other fields), `never` are the faces that it never contains.
    """

    kind: FieldKind
    name: str
    base: int
    indices: tuple[Type, ...]
    sizes: tuple[int, ...]
    width: int
    type: Type
    seen: Seen
    owner: int | None
    capacity: int
    never: tuple[int, ...] = ()

    @property
    def traits(self) -> ZoneTraits:
        """Properties of its kind of zone; those of `NOT_A_ZONE` for other fields."""
        return zone_traits(self.kind)

    def at(self, *indices: int) -> int:
        """Return the address of a copy."""
        copy = 0
        for index, size in zip(indices, self.sizes, strict=True):
            copy = copy * size + index
        return self.base + copy * self.width


@dataclass(frozen=True, slots=True)
class Program(SplitPickle):
    """Game compiled for a number of players: everything that a backend needs.

    `size` is the number of cells of a state, `initial` lists the cells that are not 0 before setup (address and value),
    and `entry` is the first block.  `tables` and `lists` are constants.  `scratch` is the size of the scratch memory.
    `return_blocks` are the blocks at which called rules return.  `spans` are the source spans of declarations by name.
    """

    #: Code, and data needed only for faults.  They are not unpickled if generated code is cached.
    DEFERRED_FIELDS = frozenset({"procedures", "blocks", "faults", "spans", "marks"})

    name: str
    seats: int
    settings: Mapping[str, int]
    size: int
    entry: int
    fields: tuple[Field, ...]
    tables: tuple[tuple[int, ...], ...]
    lists: tuple[tuple[tuple[int, ...], ...], ...]
    procedures: tuple[Procedure, ...]
    blocks: tuple[Block, ...]
    decisions: tuple[DecisionSpec, ...]
    events: tuple[EventSpec, ...]
    faults: tuple[FaultSpec, ...]
    initial: tuple[tuple[int, int], ...]
    scratch: int
    return_blocks: frozenset[int]
    spans: Mapping[str, Span]
    #: Simultaneous decisions: number, address of the rows of choices, row width, and address of the seat to act.  A row
    #: holds the option counted from 1, the answer time, and the arguments.
    simultaneous_cells: tuple[tuple[int, int, int, int], ...]
    #: Address of the first rule variable; all cells from there on are 0 after the end of the game.
    frames: int
    #: Source span of each `CoverageMark`: a statement, option, definition or rule.
    marks: tuple[Span, ...] = field(default=(), repr=False)
    #: True if the first criterion of the ranking is the fewest points.
    fewest: bool = False
    #: Block that ends the game at once, with end scoring; -1 without end scoring.  No run reaches it by itself.
    closing: int = -1
    #: Names of the fields that nothing changes after the setup.
    setup_fields: tuple[str, ...] = ()

    @property
    def score(self) -> Field | None:
        """Field with the scores of the seats; None in a game without scores."""
        return next((place for place in self.fields if place.kind == "score"), None)


# ---- calls of rules with decisions ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CallSites:
    """Call sites of suspending rules.

    `back` is the address of each rule's return block, `callers` maps each possible return block to the calling rule.
    """

    back: Mapping[str, int]
    callers: Mapping[str, Mapping[int, str]]

    @classmethod
    def of(cls, program: Program) -> CallSites:
        """Return the calls between suspending rules of a program."""
        # Imported here, because a cached result does not need the code.
        from wongar_dsl.compiler.ir.instructions import Const, Resume, Store

        names = {block.end.address: block.rule for block in program.blocks if isinstance(block.end, Resume)}
        callers: dict[str, dict[int, str]] = {}
        for block in program.blocks:
            for statement in block.body:
                if isinstance(statement, Store) and isinstance(statement.address, Const):
                    name, after = names.get(statement.address.value), statement.value
                    if name is not None and isinstance(after, Const):
                        callers.setdefault(name, {})[after.value] = program.blocks[after.value].rule
        return cls({name: address for address, name in names.items()}, callers)

    def has_several_callers(self, rule: str) -> bool:
        """Return whether a rule has more than one caller."""
        return len(set(self.callers.get(rule, {}).values())) > 1

    def caller(self, cells: Sequence[int], rule: str) -> str | None:
        """Return the caller of an active rule in a state; None for a rule that was not called."""
        address = self.back.get(rule)
        return self.callers.get(rule, {}).get(cells[address]) if address is not None else None
