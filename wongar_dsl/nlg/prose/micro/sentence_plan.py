"""Language-independent sentence plans, the record of the syntax nodes that they cover, and their lines of text.

A line consists of values of `words`, so a plan contains no text. The referent of a name is an entity and each reference
a mention; `referring_expressions` chooses the referring expressions. No part of a rule is silently omitted: the record
holds the fate of each node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeVar

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.words import NounPhrase, Sentence, Term, Translator, quoted

#: Outcome for a node: verbalised, implied by other text, of no interest to players, or constant before play.
Fate = Literal["said", "implied", "news", "folded"]
#: Reason for omitting a node, empty if it is verbalised. `docs/language/messages_and_sources.md` explains each reason
#: to authors, under the fate that it belongs to.
Why = Literal[
    "",
    "all that is there",
    "another name for the same",
    "declining is what one may do",
    "it belongs to who acts",
    "it does not come to that",
    "it is known before play",
    "it is said where it is asked",
    "it makes no difference to what is so already",
    "it only asks whether there is something to choose",
    "it only says that nothing can be chosen",
    "it only counts while this is done",
    "it only says under which heading points are listed",
    "it only says where points are counted",
    "it sets all back to what it is at the start",
    "it was chosen just now",
    "its one card is laid at once",
    "nobody comes there",
    "none of these cards asks where it is carried out",
    "nothing is done",
    "nothing is done that players need to know",
    "nothing is done then",
    "only messages speak of it",
    "only the log says it",
    "only what is told differs",
    "only what need not be said speaks of it",
    "the rule is about that",
    "tokens stay with who has them",
    "what is not there cannot be taken",
    "what moves lies there",
    "who gains or loses none, gains or loses nothing",
    "who plays a card carries it out",
]


class Message:
    """Names of the messages by which plans of sentences are recognised again, to combine or to shorten them."""

    ALL_GO = "prose.all_go"
    ALLOWED_IF = "prose.allowed_if"
    AMOUNTS_TO = "prose.amounts_to"
    AND = "prose.and"
    AS_MANY = "prose.as_many"
    BOTH = "prose.both"
    BY_LOT = "prose.by_lot"
    DOES = "prose.does"
    DOES_IN_ORDER = "prose.does_in_order"
    DOES_IN_ORDER_YOU = "prose.does_in_order.you"
    DOES_YOU = "prose.does.you"
    DRAWN_BLIND = "prose.drawn_blind"
    EXACTLY_IF = "prose.exactly_if"
    EXISTS = "prose.exists"
    FINDS_FIRST = "prose.finds_first"
    GOES = "prose.goes"
    HAS = "prose.has"
    HOLDS_FOR = "prose.holds_for"
    IF = "prose.if"
    IN_BRACKETS = "prose.in_brackets"
    IN_TABLE = "prose.in_table"
    IS = "prose.is"
    IS_NOT = "prose.is.not"
    IS_A = "prose.is_a"
    IS_A_NONE = "prose.is_a.none"
    IS_A_NOT = "prose.is_a.not"
    IS_OF_KIND = "prose.is_of_kind"
    MEANS = "prose.means"
    NEXT_TO = "prose.next_to"
    NOT = "prose.not"
    OF_ONE = "prose.of.one"
    OF_OWNER = "prose.of.owner"
    OF_ALL = "prose.of_all"
    OF_ALL_IN = "prose.of_all_in"
    OF_KIND = "prose.of_kind"
    OR = "prose.or"
    OUT_OF = "prose.out_of"
    PERFORMS = "prose.performs"
    PERFORMS_AT = "prose.performs_at"
    PUTS_FIGURE = "prose.puts_figure"
    PUTS_INTO = "prose.puts_into"
    PUTS_UNDER = "prose.puts_under"
    SHUFFLES = "prose.shuffles"
    SIDE_TO = "prose.side.to"
    SIGN_MINUS = "prose.sign.minus"
    SIGN_PLUS = "prose.sign.plus"
    SPAN = "prose.span"
    THEN_SHUFFLED = "prose.then_shuffled"
    TIED_AFTER = "prose.tied_after"
    TIED_FROM = "prose.tied_from"
    TIED_FROM_COMPARED = "prose.tied_from.compared"
    TIMES = "prose.times"
    TOKENS_GO = "prose.tokens_go"
    TOUCHES = "prose.touches"
    WEIGHTED = "prose.weighted"
    WHILE = "prose.while"
    WITHIN = "prose.within"


@dataclass(frozen=True, slots=True)
class VerbalisationLog:
    """The fate of each node, with the reason if it is not verbalised.

    `dependencies`: further nodes that decide the wording or omission of a node, apart from its content and references.
    `aliases`: other names with the same referent at this point, which would give the same text.
    """

    fates: dict[s.Node, tuple[Fate, Why]] = field(default_factory=dict)
    dependencies: dict[s.Node, dict[s.Node, None]] = field(default_factory=dict)
    aliases: dict[s.Node, dict[str, None]] = field(default_factory=dict)

    def mark_said(self, *nodes: s.Node | None) -> None:
        """Mark nodes as verbalised, without their descendants, replacing any earlier fate."""
        for node in nodes:
            if node is not None:
                self.fates[node] = ("said", "")

    def omit(self, node: object, fate: Fate, why: Why) -> None:
        """Give a node and its descendants a fate (`said`: other words cover it) unless they already have one."""
        for inner in s.walk(node):
            self.fates.setdefault(inner, (fate, why))

    def retract(self, node: object, fate: Fate, why: Why) -> None:
        """Mark a node and its descendants as omitted, overriding earlier marks."""
        for inner in s.walk(node):
            self.fates[inner] = (fate, why)

    def depends_on(self, node: s.Node, *on: s.Node) -> None:
        """Record that the wording or omission of `node` depends on the nodes `on` and their descendants."""
        self.dependencies.setdefault(node, {}).update(dict.fromkeys(on))

    def depends_on_all(self, tree: object, on: s.Node) -> None:
        """Record that the wording or omission of every node in a tree depends on `on`."""
        for node in s.walk(tree):
            self.depends_on(node, on)

    def add(self, other: VerbalisationLog) -> None:
        """Merge another record into this one."""
        self.fates.update(other.fates)
        for node, on in other.dependencies.items():
            self.depends_on(node, *on)
        for node, names in other.aliases.items():
            self.aliases.setdefault(node, {}).update(names)

    def unreported(self, tree: object) -> Iterator[s.Node]:
        """Yield the nodes of a tree without a fate, except for words and parts of messages."""
        for node in s.walk(tree):
            if node not in self.fates and not isinstance(node, s.Word):
                yield node


@dataclass(slots=True, eq=False)
class Entity:
    """The referent of a name inside a rule.

    `thing` is the phrase that introduces it and is refined step by step. A `given` entity (a parameter) existed before
    the text and always has the same phrase. A `passing` one has its name only inside one condition or number. A
    `quoted` one is introduced with its name in the rules, which tells it from another with the same noun. `other_than`
    is the one that *another* or *every other* excludes.
    """

    name: str
    type: Type
    thing: NounPhrase | int
    given: bool = False
    passing: bool = False
    quoted: bool = False
    other_than: Entity | None = None


@dataclass(frozen=True, slots=True)
class Mention(NounPhrase):
    """A reference to an entity."""

    entity: Entity = field(kw_only=True)

    @classmethod
    def of(cls, entity: Entity) -> Mention:
        """Return a mention of an entity."""
        return cls(Term(entity.name), entity=entity)


V = TypeVar("V")

#: Properties of a phrase that its introduction keeps.
_KEPT = ("own", "pronoun", "several", "whose", "doing", "aside", "there")


@dataclass(frozen=True, slots=True)
class Introduction(NounPhrase):
    """The introduction of an entity, with all its restrictions."""

    entity: Entity = field(kw_only=True)

    @classmethod
    def of(cls, entity: Entity, thing: NounPhrase) -> Introduction:
        """Return the introduction of an entity by a phrase."""
        kept = {name: getattr(thing, name) for name in _KEPT}
        return cls(thing.head, thing.words, thing.modifiers, **kept, key=id(entity), entity=entity)


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A sentence; `origin` is its node, and `others` are further nodes that it covers.

    `plain`: it is a single clause without a lead.
    """

    sentence: Sentence
    origin: s.Node
    plain: bool = True
    others: tuple[s.Node, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanGroup:
    """Lines under a lead; with `options`, they are alternatives."""

    lead: Sentence
    parts: tuple[Plan, ...]
    origin: s.Node
    options: bool = False


@dataclass(frozen=True, slots=True)
class VerbatimRule:
    """A node that cannot be verbalised and is quoted in the text instead of being omitted.

    `others` are nodes that would have been covered as well, and `parts` are plans below it.
    """

    origin: s.Node
    others: tuple[s.Node, ...] = ()
    parts: tuple[Plan, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """An inlined rule; its entities are unknown after it."""

    parts: tuple[Plan, ...]
    origin: s.Node


def entity_of(value: object) -> Entity | None:
    """Return the entity that a value mentions, None for anything but a mention."""
    return value.entity if isinstance(value, Mention) else None


def described(value: V) -> V | NounPhrase | int:
    """Return the phrase of the entity that a value mentions, or else the value itself."""
    return value.entity.thing if isinstance(value, Mention) else value


Plan = PlanLine | PlanGroup | VerbatimRule | Passage


def sentences(plans: Iterable[Plan]) -> Iterator[Sentence]:
    """Yield the sentences of plans, including the leads of groups."""
    for plan in plans:
        match plan:
            case PlanLine(sentence=said):
                yield said
            case PlanGroup(lead=lead, parts=parts):
                yield lead
                yield from sentences(parts)
            case VerbatimRule(parts=parts) | Passage(parts=parts):
                yield from sentences(parts)


#: The bullet of lines below a lead, and the indentation per level.
BULLET, STEP = "– ", "  "


@dataclass(frozen=True, slots=True)
class SentenceFrame:
    """A language-independent line: its sentence (None if not verbalisable) and the message that frames it.

    `origins` are its syntax nodes.
    """

    sentence: Sentence | None
    message: str
    depth: int
    origins: tuple[s.Node, ...]


@dataclass(frozen=True, slots=True)
class SentenceUnit:
    """A line of text with its depth; `unsaid` if its node could not be verbalised and is quoted.

    `sentence` is its sentence, and `frame` the message that turned it into a line. `others` are further nodes that it
    covers.
    """

    text: str
    depth: int
    origin: s.Node
    unsaid: bool = False
    sentence: Sentence | None = None
    frame: str = ""
    others: tuple[s.Node, ...] = ()


def frames(plans: tuple[Plan, ...], depth: int = 0, options: bool = False) -> Iterator[SentenceFrame]:
    """Yield the lines of plans; `options` are the parts of one sentence and are punctuated accordingly."""
    line, lead_in = ("prose.item", "prose.item_lead") if options else ("prose.line", "prose.lead")
    for plan in plans:
        match plan:
            case PlanLine(sentence=said, origin=origin, others=others):
                end = "prose.item_last" if options and plan is plans[-1] else line
                yield SentenceFrame(said, end, depth, (origin, *others))
            case PlanGroup(lead=lead, parts=parts, origin=origin):
                yield SentenceFrame(lead, lead_in, depth, (origin,))
                yield from frames(parts, depth + 1, plan.options)
            case Passage(parts=parts):
                yield from frames(parts, depth, options)
            case VerbatimRule(origin=origin, others=others, parts=parts):
                yield SentenceFrame(None, "", depth, (origin, *others))
                yield from frames(parts, depth + 1)


def text_of(plans: tuple[Plan, ...], words: Translator, game: str) -> Iterator[SentenceUnit]:
    """Render plans as lines in a language."""
    for frame in frames(plans):
        origin, *others = frame.origins
        text = frame_text(frame, words, game)
        yield SentenceUnit(
            text, frame.depth, origin, frame.sentence is None, frame.sentence, frame.message, tuple(others)
        )


def frame_text(frame: SentenceFrame, words: Translator, game: str) -> str:
    """Render a line; a rule that cannot be verbalised is quoted with its position."""
    if frame.sentence is not None:
        return words.say(frame.message, game, said=frame.sentence)
    span = frame.origins[0].span
    rule, place = s.whole_line(replace(span, column=1)), f"{Path(span.source.name).name}:{span.line}"
    return words.say("rulebook.unsaid", game, rule=quoted(rule), place=quoted(place))


def list_item(text: str, depth: int) -> str:
    """Return a line as an item of a list at a depth, 0 for no list."""
    return f"{STEP * (depth - 1)}{BULLET}{text}" if depth else text


def joined(lines: Sequence[tuple[int, str]]) -> str:
    """Join lines with their depths to a paragraph; to a list if the paragraph would not show what belongs to a lead."""
    depths = [depth for depth, _ in lines]
    if depths == sorted(depths) and depths[-1] <= depths[0] + 1:
        return " ".join(text for _, text in lines)
    return "\n".join(list_item(text, depth - lines[0][0]) for depth, text in lines)
