"""The program: its decisions, events and faults, what stands where in the state, and the code that it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from wongar_dsl.ir.events import EVENTS, EventKind, EventName
from wongar_dsl.late.parts import InParts
from wongar_dsl.model.types import Type
from wongar_dsl.text.span import Span

if TYPE_CHECKING:
    from wongar_dsl.ir.code import Block, Procedure
    from wongar_dsl.syntax import Seen

#: Where the state keeps what every game has.  The chance of play waits at `AT_PLAY_CHANCE` until the setup is done, so
#: that what is drawn in the one changes nothing in the other; 0 where one stream serves both.  `AT_STEP` is the step by
#: which chance goes on.
AT_BLOCK, AT_CHANCE, AT_DECISION, AT_SEAT, AT_WINNERS, AT_TIME, AT_PLAY_CHANCE, AT_STEP, FIRST_FREE = range(9)
#: The decision's number once the game is over, and between setup and play.
OVER, READY = -1, -2
#: How many steps may be used up between two decisions, and to list the options of one.
BUDGET = 12_000_000
#: How an imprint is made: for each cell, the number so far times `FACTOR`, and the cell, cut to 40 bits.
FACTOR, MASK = 1_000_003, (1 << 40) - 1


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that an option needs: the procedure that tests it for given arguments, and where it stands.

    `parameter` is the name of the argument that it is about, empty for the option's own condition; `member` says that
    it asks whether the argument is one of those offered at all.
    """

    procedure: int
    span: Span
    parameter: str
    member: bool


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option: its name, its parameters with types, the addresses that take the arguments, and its block.

    `drawn_from[i]` is the zone that the argument comes from, if not everybody sees it, else empty; `checks` explain why
    an option is not there; `idle`: it moves, lays, draws and scores nothing itself.
    """

    name: str
    parameters: tuple[tuple[str, Type], ...]
    addresses: tuple[int, ...]
    drawn_from: tuple[str, ...]
    checks: tuple[Check, ...]
    block: int
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """Which turn of a counted loop it is: the address of the turns that are over, and how often it is gone through, as
    a number, or at an address (else -1).  `needs` are the addresses of all else that tells whether it is told.
    """

    at: int
    times: int
    times_at: int = -1
    needs: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class DecisionSpec:
    """A decision: its name, options, and the procedure that lists them; `simultaneous`: it stays hidden at first.

    `clock`: the procedures for what the clock shows at first and at the end, in milliseconds (-1: it has no end).
    `scope`: the names around, with types and addresses, that a question may speak of as far as they hold nothing
    hidden; no cards.  `turn`: the counted loop in each turn of which it is to be made once.
    """

    name: str
    options: tuple[OptionSpec, ...]
    lister: int
    simultaneous: bool
    rule: str
    clock: tuple[int, int] | None = None
    scope: tuple[tuple[str, Type, int], ...] = ()
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """The article that tells an event, by its name, and where in it that stands."""

    article: str
    span: Span


@dataclass(frozen=True, slots=True)
class EventSpec:
    """A sort of event.

    `kind` is the primitive.  Of its arguments `fields` the first `own` are those of the kind, and
    the next `slots` those that the rules give to the message `message` (None: they give none; empty: they say that
    nothing is told).  `offered` are what the message's sentence has besides: name, type, number of the argument, and,
    where it is an index of a place, the number of that.  `secret` says which arguments only some see, `doubtful` are
    the numbers of others of which `information_flow` has to say that.  Where it comes from, only a program that was
    asked for marks tells.
    """

    kind: EventName
    message: str | None
    fields: tuple[tuple[str, Type], ...]
    own: int
    slots: int
    secret: tuple[bool, ...]
    offered: tuple[tuple[str, Type, int, int | None], ...] = ()
    doubtful: tuple[int, ...] = ()
    origin: Origin | None = field(default=None, repr=False)

    @property
    def facts(self) -> EventKind:
        """What holds of all events of this kind."""
        return EVENTS[self.kind]


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """What went wrong in which rule, and where that stands."""

    code: str
    rule: str
    span: Span
    name: str = ""


#: What a zone of the rules becomes: one entry each in `containers.CONTAINERS`.
ContainerKind = Literal["tokens", "pile", "heap", "slot", "layout"]
#: A zone, a value that the rules keep, or who has a figure and where it stands.
FieldKind = Literal[ContainerKind, "remember", "score", "track", "holder", "place"]


@dataclass(frozen=True, slots=True)
class Field:
    """A part of the state that has a name.

    `indices` are the types that tell its copies apart, `sizes` how many values each has; copy (i, j) starts at
    `base + (i * sizes[1] + j) * width`.  `type` is what it holds; `owner` is which index is the owning player.
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

    def at(self, *indices: int) -> int:
        """The address of the copy that the indices name."""
        copy = 0
        for index, size in zip(indices, self.sizes, strict=True):
            copy = copy * size + index
        return self.base + copy * self.width


@dataclass(frozen=True, slots=True)
class Program(InParts):
    """A game made ready for a number of players: everything a backend needs, and nothing that it must look up."""

    #: The code, and what only faults need: where something else was made of the code, nobody asks for it.
    LATER = frozenset({"procedures", "blocks", "faults", "spans", "marks"})

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
    resumed: frozenset[int]
    spans: Mapping[str, Span]
    sealed: tuple[tuple[int, int, int, int], ...]
    """For each decision made at once: its number, the address of the rows of choices, a row's width, and the address
    of the seat that is being asked.  A row is the option, counted from 1, the time that it took, and the arguments."""
    frames: int
    """Where the variables of rules begin in the state; from there on all is 0 once the game is over."""
    marks: tuple[Span, ...] = field(default=(), repr=False)
    """What each `Mark` stands for: a statement, an option, a definition or a rule."""
    fewest: bool = False
    """Whether the ranking goes first by who has the fewest points."""
    closing: int = -1
    """The block with which the game would end at once, with all that is counted only then; -1 where nothing is.  No run
    comes to it by itself."""

    @property
    def score(self) -> Field | None:
        """Where the points of the seats stand, None in a game without."""
        return next((place for place in self.fields if place.kind == "score"), None)
